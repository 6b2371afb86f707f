// The answer in one look: the filter, and a notice if the numbers do not fit together.
import { refill } from "../shell/elements.js";
import { fieldNames, typeInto } from "./question.js";

/** focus(name): puts the focus into a field, because the button that was pressed disappears. */
export function makeResult(context, change, focus) {
  const { t, rich, element, numbers } = context;
  const facts = element("dl", { class: "facts plan-facts" });
  const notice = element("div", { class: "plan-notice", "aria-live": "polite" });
  const node = element("div", { class: "plan-result" }, notice, facts);

  const fact = (name, value, note) => element("div", {}, element("dt", {}, t(`plan.fact.${name}`)), element("dd", {}, value), note && element("dd", { class: "plan-note" }, note));

  function showNotice(level, text, actions = []) {
    refill(notice, element("div", { class: `notice ${level}` }, element("p", {}, text), actions.length ? element("div", { class: "row" }, actions) : null));
  }
  // Keys, rate and size are all given: let one of them follow from the others.
  function release(query, answer) {
    const names = fieldNames.filter((name) => name !== "k" && name in answer.given);
    return names.map((name) => element("button", { type: "button", class: "button small", onclick: () => { change(typeInto(query, name, "")); focus(name); } },
      t("plan.release", { field: t(`plan.field.${name}`) })));
  }
  function update(query, answer) {
    node.classList.toggle("stale", !answer.plan);
    if (answer.twice) return showNotice("warning", t("plan.notice.twice"));
    if (Object.keys(answer.problems).length) return showNotice("", t("plan.notice.problems"));
    if (answer.missing) return showNotice("", t("plan.notice.missing"));
    if (answer.refused) return showNotice("warning", element("span", { lang: "en" }, context.describeError(answer.refused)), query.layout ? [automatic(query)] : []);
    const { plan } = answer;
    if (answer.contradicts) {
      showNotice("warning", rich("plan.notice.contradicts", { wanted: numbers.rate(answer.options.rate), true_rate: numbers.rate(plan.expectedRate), memory: numbers.bytes(plan.bytes), keys: numbers.count(plan.items) }), release(query, answer));
    } else if (answer.given.keys && answer.given.rate && (answer.given.memory || answer.given.bits)) {
      showNotice("good", rich("plan.notice.fits", { true_rate: numbers.rate(plan.expectedRate), most: numbers.count(plan.itemCapacity) }), release(query, answer));
    } else refill(notice);
    refill(facts,
      fact("layout", element("span", { translate: "no" }, plan.layout), query.layout ? t("plan.fact.chosen") : t("plan.fact.automatic")),
      fact("memory", numbers.bytes(plan.bytes), t("plan.fact.bits", { bits: numbers.count(plan.bits) })),
      fact("per_key", t("plan.fact.per_key_value", { bits: numbers.decimal(plan.bitsPerItem, 2) }), t("plan.fact.hashes", { k: plan.hashes })),
      fact("rate", numbers.rate(plan.expectedRate), numbers.oneIn(plan.expectedRate)));
    return undefined;
  }
  function automatic(query) {
    return element("button", { type: "button", class: "button small", onclick: () => { change({ ...query, layout: "" }); focus("layout"); } }, t("plan.layout.use_automatic"));
  }
  return { node, update };
}
