// The five layouts side by side, with the same given numbers.
export function makeLayouts(context, change) {
  const { t, element, numbers, bloomery } = context;
  let query = {};
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
  // The rows stay; only their texts change, so that the focus stays on a button that was pressed.
  const rows = bloomery.layouts().map(makeRow);
  body.append(...rows.map((row) => row.node));

  function makeRow(layout, at) {
    const name = element("button", { type: "button", class: "plan-pick", translate: "no", onclick: () => change({ ...query, layout: query.layout === layout ? "" : layout }) },
      element("span", { class: `plan-key look-${at + 1}`, "aria-hidden": "true" }), layout);
    const bar = element("span", { class: `plan-bar look-${at + 1}`, "aria-hidden": "true" });
    const memory = element("span", {});
    const number = () => element("td", { class: "number" });
    const cells = { keys: number(), memory: element("td", { class: "number plan-memory" }, memory, bar), rate: number(), per_key: number(), k: number(), bits: number() };
    const refusal = element("td", { class: "muted small", lang: "en", hidden: true });
    const lines = element("td", { class: "small" }, t(`plan.lines.${layout.replaceAll("-", "_")}`));
    return { layout, name, bar, memory, cells, refusal, node: element("tr", {}, element("th", { scope: "row" }, name), Object.values(cells), refusal, lines) };
  }
  function fillRow(row, { plan, refused }, chosen, showKeys, largest) {
    const current = row.layout === chosen;
    row.node.classList.toggle("chosen", current);
    row.name.setAttribute("aria-pressed", String(current));
    for (const cell of Object.values(row.cells)) cell.hidden = Boolean(refused);
    row.refusal.hidden = !refused;
    if (refused) {
      row.refusal.colSpan = showKeys ? 6 : 5;
      row.refusal.textContent = context.describeError(refused);
      return;
    }
    row.cells.keys.hidden = !showKeys;
    row.bar.style.setProperty("--share", String(plan.bytes / largest));
    row.memory.textContent = numbers.bytes(plan.bytes);
    row.cells.keys.textContent = numbers.count(plan.items);
    row.cells.rate.textContent = numbers.rate(plan.expectedRate);
    row.cells.per_key.textContent = numbers.decimal(plan.bitsPerItem, 3);
    row.cells.k.textContent = plan.hashes;
    row.cells.bits.textContent = numbers.count(plan.bits);
  }
  function update(next, answer) {
    query = next;
    const { plan, given } = answer;
    const sameSize = Boolean(given.memory || given.bits);
    const showKeys = sameSize && !given.keys;
    keysColumn.hidden = !showKeys;
    note.textContent = t(showKeys ? "plan.layouts.same_size_rate" : sameSize ? "plan.layouts.same_size" : "plan.layouts.same_rate");
    const largest = Math.max(...answer.layouts.map((one) => one.plan?.bytes ?? 0));
    rows.forEach((row, at) => fillRow(row, answer.layouts[at], plan?.layout, showKeys, largest));
  }
  return { node, update };
}
