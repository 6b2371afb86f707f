// The five layouts side by side, with the same given numbers.
import { refill } from "../shell/elements.js";

export function makeLayouts(context, change) {
  const { t, element, numbers } = context;
  const body = element("tbody", {});
  const columns = ["layout", "memory", "rate", "per_key", "k", "bits", "lines"];
  const keysColumn = element("th", { scope: "col", class: "number" }, t("plan.column.keys"));
  const table = element("table", { class: "table" }, element("thead", {}, element("tr", {},
    columns.slice(0, 1).map(head), keysColumn, columns.slice(1).map(head))), body);
  const note = element("p", { class: "muted small" });
  const node = element("section", { class: "card plan-layouts" }, element("h2", { id: "plan-layouts" }, t("plan.layouts.title")),
    note, element("div", { class: "table-scroll", tabindex: 0, role: "region", "aria-labelledby": "plan-layouts" }, table));

  function head(name) {
    return element("th", { scope: "col", class: name === "layout" || name === "lines" ? null : "number" }, t(`plan.column.${name}`));
  }
  function update(query, answer) {
    const { plan, given } = answer;
    const sameSize = Boolean(given.memory || given.bits);
    const showKeys = sameSize && !given.keys;
    keysColumn.hidden = !showKeys;
    note.textContent = t(showKeys ? "plan.layouts.same_size_rate" : sameSize ? "plan.layouts.same_size" : "plan.layouts.same_rate");
    const largest = Math.max(...answer.layouts.map((one) => one.plan?.bytes ?? 0));
    refill(body, answer.layouts.map((one, at) => row(query, one, at, plan.layout, showKeys, largest)));
  }
  function row(query, { layout, plan, refused }, at, chosen, showKeys, largest) {
    const current = layout === chosen;
    const name = element("button", {
      type: "button", class: "plan-pick", "aria-pressed": String(current), translate: "no",
      onclick: () => { change({ ...query, layout: query.layout === layout ? "" : layout }); },
    }, element("span", { class: `plan-key look-${at + 1}`, "aria-hidden": "true" }), layout);
    const first = element("th", { scope: "row" }, name);
    const lines = element("td", { class: "small" }, t(`plan.lines.${layout.startsWith("blocked") ? "blocked" : layout.replaceAll("-", "_")}`));
    if (refused) return element("tr", {}, first, element("td", { colspan: showKeys ? 6 : 5, class: "muted small", lang: "en" }, context.describeError(refused)), lines);
    const bar = element("span", { class: `plan-bar look-${at + 1}`, "aria-hidden": "true" });
    bar.style.setProperty("--share", String(plan.bytes / largest));
    const number = (text) => element("td", { class: "number" }, text);
    return element("tr", { class: current ? "chosen" : null }, first, showKeys && number(numbers.count(plan.items)),
      element("td", { class: "number plan-memory" }, numbers.bytes(plan.bytes), bar),
      number(numbers.rate(plan.expectedRate)), number(numbers.decimal(plan.bitsPerItem, 3)), number(plan.hashes), number(numbers.count(plan.bits)), lines);
  }
  return { node, update };
}
