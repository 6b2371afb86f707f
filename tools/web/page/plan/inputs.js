// The five fields. Those that the user filled in are given; the others show what follows as their placeholder.
import { freshId, refill } from "../shell/elements.js";
import { fieldNames, typeInto } from "./question.js";

const presets = {
  keys: ["100k", "1M", "10M", "100M", "1G"],
  rate: ["5%", "1%", "0.1%", "1e-6"],
};

export function makeInputs(context, change) {
  const { t, element, numbers } = context;
  let query = {};

  const fields = Object.fromEntries(fieldNames.map((name) => [name, makeField(name)]));
  const layout = makeLayoutField();
  const node = element("div", { class: "plan-fields" }, fieldNames.map((name) => fields[name].node), layout.node);

  function makeField(name) {
    const id = freshId(`plan-${name}`);
    const input = element("input", {
      id, type: "text", inputmode: name === "k" ? "numeric" : "text", autocomplete: "off", spellcheck: "false", autocapitalize: "off",
      "aria-describedby": `${id}-hint ${id}-problem`, list: presets[name] ? `${id}-list` : null,
      oninput: () => send(typeInto(query, name, input.value)),
    });
    const clear = element("button", {
      type: "button", class: "plan-clear", "aria-label": t("plan.clear", { field: t(`plan.field.${name}`) }), hidden: true,
      onclick: () => { send(typeInto(query, name, "")); input.focus(); },
    }, "×");
    const hint = element("p", { class: "hint", id: `${id}-hint` });
    const problem = element("p", { class: "problem", id: `${id}-problem`, role: "alert" });
    const list = presets[name] && element("datalist", { id: `${id}-list` }, presets[name].map((value) => element("option", { value })));
    return { input, clear, hint, problem, node: element("div", { class: "field" },
      element("label", { for: id }, t(`plan.field.${name}`)),
      element("div", { class: "plan-input" }, input, clear), list, hint, problem) };
  }
  function makeLayoutField() {
    const id = freshId("plan-layout");
    const select = element("select", { id, "aria-describedby": `${id}-hint`, onchange: () => send({ ...query, layout: select.value }) },
      element("option", { value: "" }, t("plan.layout.automatic")),
      context.bloomery.layouts().map((one) => element("option", { value: one }, one)));
    const hint = element("p", { class: "hint", id: `${id}-hint` });
    return { select, hint, node: element("div", { class: "field" },
      element("label", { for: id }, t("plan.field.layout")), select, hint) };
  }
  function send(next) {
    query = next;
    change(next);
  }

  // The value that follows, short; and all of it below the field.
  function follows(plan) {
    return {
      keys: [numbers.compact(plan.items), t("plan.hint.keys", { count: numbers.count(plan.items) })],
      rate: [numbers.compactRate(plan.expectedRate), numbers.oneIn(plan.expectedRate)],
      memory: [numbers.bytes(plan.bytes).replace(" ", ""), t("plan.hint.memory", { count: numbers.count(plan.bytes) })],
      bits: [numbers.count(plan.bits).replaceAll(",", "_"), t("plan.hint.bits", { value: numbers.decimal(plan.bitsPerItem, 2) })],
      k: [String(plan.hashes), t("plan.hint.k")],
    };
  }
  function update(nextQuery, answer) {
    query = nextQuery;
    const values = answer.plan ? follows(answer.plan) : null;
    for (const name of fieldNames) {
      const { input, clear, hint, problem, node: around } = fields[name];
      const given = name in answer.given;
      if (document.activeElement !== input || input.value.trim() !== (query[name] ?? "").trim()) input.value = query[name] ?? "";
      input.placeholder = values?.[name][0] ?? t("plan.empty");
      clear.hidden = !given;
      around.classList.toggle("given", given);
      const error = answer.problems[name];
      around.classList.toggle("bad", Boolean(error));
      input.setAttribute("aria-invalid", String(Boolean(error)));
      problem.textContent = error ? context.describeError(error) : "";
      refill(hint, given || !values ? null : element("span", { class: "visually-hidden" }, t("plan.follows", { value: values[name][0] })), values && !error ? values[name][1] : "");
      // A given rate that the size does not allow: the hint is about what was typed.
      if (name === "rate" && given && answer.options.rate && !error) hint.textContent = numbers.oneIn(answer.options.rate);
    }
    layout.select.value = query.layout ?? "";
    layout.hint.textContent = answer.plan && !query.layout ? answer.plan.layout : "";
  }
  return { node, update, focus: (name) => (name === "layout" ? layout.select : fields[name].input).focus() };
}
