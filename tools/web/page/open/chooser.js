// Chooses a file and, if its bytes do not say what it is, its format.
import { element, freshId, refill } from "../shell/elements.js";
import { makeDropZone } from "../work/drop_zone.js";
import { say } from "../work/say.js";
import { candidatesIn, fieldsToRead, formatChoice } from "./format_fields.js";

// The errors after which another format, a parameter or a secret may help.
const BYTES_AT_FAULT = new Set(["bad_argument", "bad_data", "claim_refused", "memory_refused", "unsupported"]);

/** The state, apart from the elements: it survives a change of language. */
export function newChoice() {
  return { file: null, given: {}, busy: false, problem: null, asking: false, format: "", values: {}, more: "", secret: "" };
}

/** open(file, { format, secret }) is called for each attempt; it returns a promise, and its error is shown here. */
export function makeChooser(context, choice, { label, hint, name, open }) {
  const { t, bloomery } = context;
  const below = element("div", { class: "chooser-below stack" });
  const fieldsPlace = element("div", { class: "fields" });

  async function attempt(file, given) {
    choice.file = file;
    choice.given = given;
    choice.busy = true;
    choice.problem = null;
    choice.asking = false;
    show();
    try {
      await open(file, given);
    } catch (error) {
      choice.problem = error;
      context.announce(say(error, context));
    }
    choice.busy = false;
    show();
  }
  function take(file) {
    Object.assign(choice, newChoice());
    return attempt(file, {});
  }
  function submit(event) {
    event.preventDefault();
    const format = choice.format && formatChoice(choice.format, choice.values, fieldsToRead(choice.format).fields, choice.more);
    attempt(choice.file, { format, secret: choice.secret.trim() });
  }

  function input(key, text, attributes = {}) {
    const id = freshId("open-field");
    return element("div", { class: "field" }, element("label", { for: id }, text),
      element("input", { id, type: "text", autocomplete: "off", spellcheck: "false", value: choice[key],
        oninput: (event) => { choice[key] = event.target.value; }, ...attributes }));
  }
  function showFields() {
    const { fields, hint: why } = fieldsToRead(choice.format);
    refill(fieldsPlace, fields.map((field) => parameterField(context, field, choice.values)),
      why && element("p", { class: "hint wide" }, t(`open.needs.${why}`)));
  }
  function form() {
    const formats = bloomery.formats();
    const likely = candidatesIn(choice.problem?.message ?? "", formats.map((one) => one.name));
    choice.format ||= choice.problem?.format?.split(",")[0] ?? likely[0] ?? "";
    const option = ({ name: value }) =>
      element("option", { value, selected: value === choice.format }, `${value} — ${t(`open.what.${value}`)}`);
    const id = freshId("open-format");
    const select = element("select", { id, name: "format", onchange: () => { choice.format = select.value; showFields(); } },
      element("option", { value: "" }, t("open.format.detect")),
      likely.length > 0 && element("optgroup", { label: t("open.format.likely") },
        formats.filter((one) => likely.includes(one.name)).map(option)),
      element("optgroup", { label: t("open.format.all") }, formats.filter((one) => !likely.includes(one.name)).map(option)));
    showFields();
    return element("form", { class: "stack chooser-form", onsubmit: submit },
      element("div", { class: "field" }, element("label", { for: id }, t("open.format")), select),
      fieldsPlace,
      element("details", { class: "more", open: choice.secret !== "" || choice.more !== "" || /secret/.test(choice.problem?.message) },
        element("summary", {}, t("open.more")),
        element("div", { class: "fields" },
          input("secret", t("open.secret"), { name: "secret", placeholder: t("open.secret.form") }),
          input("more", t("open.parameters"), { name: "more", placeholder: t("open.parameters.form") }))),
      element("div", {}, element("button", { class: "button primary", type: "submit" }, t("open.format.use"))));
  }
  function show() {
    below.setAttribute("aria-busy", String(choice.busy));
    if (choice.busy) refill(below, element("p", { class: "muted", role: "status" }, t("open.reading", { name: choice.file.name })));
    else if (choice.problem) {
      const known = BYTES_AT_FAULT.has(choice.problem.code);
      refill(below, element("div", { class: "notice error", role: "alert" },
        element("strong", { class: "file-name" }, choice.file.name), " ", say(choice.problem, context),
        known && element("p", {}, t("open.format.choose"))),
      known && form());
    } else if (choice.asking) refill(below, form());
    else refill(below);
  }
  /** For a file that is open, but as something else: some formats look alike. */
  function askFormat(format) {
    Object.assign(choice, { asking: true, format });
    show();
    below.querySelector("select")?.focus();
  }
  show();
  const zone = makeDropZone({ label, hint, name, onfile: take });
  return { node: element("div", { class: "stack" }, zone, below), take, askFormat, again: () => attempt(choice.file, choice.given) };
}

/** A field for one parameter of a format. */
export function parameterField({ t }, { name, choices }, values) {
  const id = freshId("open-parameter");
  const keep = (event) => { values[name] = event.target.value; };
  const control = choices
    ? element("select", { id, name, onchange: keep }, choices.map((value) => element("option",
      { value, selected: value === (values[name] ?? "") }, value === "" ? t("open.field.unset") : value)))
    : element("input", { id, name, type: "text", inputmode: name === "column" ? "text" : "decimal", autocomplete: "off",
      value: values[name] ?? "", oninput: keep });
  return element("div", { class: "field" }, element("label", { for: id }, t(`open.field.${name}`)), control);
}
