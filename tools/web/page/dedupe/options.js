// What is printed, and what counts as the same line.
import { element, freshId } from "../shell/elements.js";

export const MODES = ["once", "counts", "repeated", "again"];
const DEFAULTS = { mode: "once", rate: "1e-6", crlf: false, ignoreCase: false, field: "", separator: "" };

/** The options as they stand in the address: only what differs from the defaults. */
export function toQuery(options) {
  const query = {};
  if (options.mode !== DEFAULTS.mode) query.print = options.mode;
  if (options.rate !== DEFAULTS.rate) query.rate = options.rate;
  if (options.crlf) query.crlf = "yes";
  if (options.ignoreCase) query.case = "ignore";
  if (options.field) query.field = options.field;
  if (options.separator) query.separator = options.separator;
  return query;
}

export function fromQuery(query) {
  return {
    mode: MODES.includes(query.print) ? query.print : DEFAULTS.mode,
    rate: query.rate ?? DEFAULTS.rate,
    crlf: query.crlf === "yes",
    ignoreCase: query.case === "ignore",
    field: query.field ?? "",
    separator: query.separator ?? "",
  };
}

export function makeOptions({ t }, model, changed) {
  const set = (name, value) => {
    model.options[name] = value;
    changed();
  };
  const text = (name, attributes) => {
    const id = freshId("dedupe");
    return element("div", { class: "field" }, element("label", { for: id }, t(`dedupe.${name}`)),
      element("input", { id, name, type: "text", autocomplete: "off", spellcheck: "false", value: model.options[name], "aria-describedby": `${id}-hint`,
        oninput: (event) => set(name, event.target.value), ...attributes }),
      element("p", { class: "hint", id: `${id}-hint` }, t(`dedupe.${name}.hint`)));
  };
  const check = (name) => element("label", { class: "check" }, element("input", { type: "checkbox", name, checked: model.options[name],
    onchange: (event) => set(name, event.target.checked) }), element("span", {}, t(`dedupe.${name}`)));
  return [
    element("fieldset", { class: "modes" }, element("legend", {}, t("dedupe.print")),
      MODES.map((mode) => element("label", { class: "check" }, element("input", { type: "radio", name: "mode", value: mode,
        checked: model.options.mode === mode, onchange: () => set("mode", mode) }),
      element("span", {}, t(`dedupe.mode.${mode}`))))),
    element("details", { class: "more", open: toQuery({ ...model.options, mode: "once" }) && Object.keys(toQuery({ ...model.options, mode: "once" })).length > 0 },
      element("summary", {}, t("dedupe.options")),
      element("div", { class: "stack" },
        element("div", { class: "checks" }, check("ignoreCase"), check("crlf")),
        element("div", { class: "fields" }, text("field", { inputmode: "numeric" }), text("separator", { maxlength: 4 }), text("rate", {})))),
  ];
}
