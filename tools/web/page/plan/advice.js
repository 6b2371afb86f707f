// The adviser: what you need, and what it recommends, with its reasons. The sentences are the library's, in English.
import { freshId, refill } from "../shell/elements.js";
import { snippet } from "../shell/snippet.js";

export const needs = ["remove", "count", "fixed", "untrusted", "no-error", "lean", "one-line", "merge", "query-bound", "memory-bound", "skewed", "adaptive"];
const main = ["remove", "count", "fixed", "untrusted", "no-error", "lean", "one-line"];
// These matter only with another need.
const depends = { merge: "remove", "query-bound": "remove", "memory-bound": "remove", skewed: "count", adaptive: "count" };
export const amounts = ["key-bytes", "integers-below", "known-negatives", "window", "positives", "backend-ns"];

/** The situation as the library takes it: the needs of the address ("need=remove,count") and the amounts. */
export function situationOf(query, plan, rate) {
  const asked = (query.need ?? "").split(",").filter((name) => needs.includes(name));
  const situation = { items: plan.items, rate };
  // Growing is the one need that replaces a number: the keys are then a lower bound.
  if ((query.need ?? "").split(",").includes("grow")) {
    delete situation.items;
    situation["at-least"] = plan.items;
  }
  for (const name of asked) if (!depends[name] || asked.includes(depends[name])) situation[name] = true;
  for (const name of amounts) if (query[name]) situation[name] = query[name].trim();
  // The costs are compared only if both are known; 30 ns is a query that misses the cache.
  if (query["backend-ns"] && query.positives) situation["probe-ns"] = 30;
  return situation;
}

/** The command that gives the same advice, and how to make what it recommends. */
export function adviseCommand(situation) {
  const short = { items: "-n", rate: "-p" };
  const options = Object.entries(situation).map(([name, value]) => (value === true ? `--${name}` : `${short[name] ?? `--${name}`} ${value}`));
  return `bloomery advise ${options.join(" ")}`;
}

export function makeAdvice(context, change) {
  const { t, element, bloomery } = context;
  let query = {};
  const boxes = Object.fromEntries([...main, "grow", ...Object.keys(depends)].map((name) => [name, makeBox(name)]));
  const fields = Object.fromEntries(amounts.map((name) => [name, makeAmount(name)]));
  const extra = element("div", { class: "plan-needs plan-depends" }, Object.keys(depends).map((name) => boxes[name].node));
  const out = element("div", { class: "stack plan-advice", "aria-live": "polite" });
  const code = snippet("", context);
  const node = element("section", { class: "card stack plan-advice" },
    element("h2", { id: "plan-advice" }, t("plan.advice.title")), element("p", { class: "muted small" }, t("plan.advice.note")),
    element("div", { class: "plan-advise" },
      element("div", { class: "stack" },
        element("fieldset", { class: "plan-set" }, element("legend", { class: "visually-hidden" }, t("plan.advice.needs")),
          element("div", { class: "plan-needs" }, [...main, "grow"].map((name) => boxes[name].node)), extra),
        element("details", { class: "plan-more" }, element("summary", {}, t("plan.advice.more")), element("div", { class: "fields" }, amounts.map((name) => fields[name].node)))),
      element("div", { class: "stack" }, out, code)));

  function makeBox(name) {
    const input = element("input", { type: "checkbox", onchange: () => {
      const chosen = Object.keys(boxes).filter((one) => boxes[one].input.checked);
      change({ ...query, need: chosen.join(",") });
    } });
    return { input, node: element("label", { class: "check" }, input, element("span", {}, t(`plan.need.${name.replaceAll("-", "_")}`))) };
  }
  function makeAmount(name) {
    const id = freshId("plan-amount");
    const key = name.replaceAll("-", "_");
    const input = element("input", { id, type: "text", autocomplete: "off", spellcheck: "false", placeholder: t(`plan.amount.${key}.example`),
      oninput: () => change({ ...query, [name]: input.value.trim() }) });
    return { input, node: element("div", { class: "field" }, element("label", { for: id }, t(`plan.amount.${key}`)), input) };
  }
  function update(next, { plan, rate }) {
    query = next;
    const chosen = (query.need ?? "").split(",");
    for (const name of Object.keys(boxes)) boxes[name].input.checked = chosen.includes(name);
    for (const [name, over] of Object.entries(depends)) boxes[name].node.hidden = !chosen.includes(over);
    extra.hidden = Object.values(depends).every((over) => !chosen.includes(over));
    for (const name of amounts) if (document.activeElement !== fields[name].input) fields[name].input.value = query[name] ?? "";
    try {
      const situation = situationOf(query, plan, rate);
      show(bloomery.advise(situation));
      code.hidden = false;
      code.set(adviseCommand(situation));
    } catch (error) {
      if (error?.name !== "BloomeryError" && !(error instanceof TypeError)) throw error;
      refill(out, element("p", { class: "notice warning", lang: "en" }, context.describeError(error)));
      code.hidden = true;
    }
  }
  function show(advice) {
    const list = (title, items) => (items?.length ? element("div", {}, element("h3", {}, title), element("ul", { class: "plan-list", lang: "en" }, items.map((one) => element("li", {}, one)))) : null);
    const kind = advice.recommended.kind;
    refill(out, element("p", { class: "plan-headline" }, element("span", { class: "muted" }, t("plan.advice.recommends")), " ", element("strong", {}, kindName(kind))),
      element("p", { lang: "en" }, advice.headline),
      list(t("plan.advice.why"), advice.reasons), list(t("plan.advice.mind"), advice.warnings),
      list(t("plan.advice.runner_up", { kind: kindName(advice.runner_up.kind) }), [advice.runner_up.sentence]));
  }
  function kindName(kind) {
    return t(`plan.advised.${kind.replaceAll("-", "_")}`);
  }
  return { node, update };
}
