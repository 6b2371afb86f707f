// The kinds that remove, count, grow or forget, for the same keys and rate.
import { refill } from "../shell/elements.js";

const abilities = {
  counting: ["removes"], spectral: ["removes", "counts"], "dynamic-count": ["removes", "counts"], dleft: ["removes"],
  accurate: ["removes"], scalable: ["grows"], window: ["forgets"],
};

export function makeKinds(context) {
  const { t, element, numbers, bloomery } = context;
  const body = element("tbody", {});
  const head = (name, number = true) => element("th", { scope: "col", class: number ? "number" : null }, t(`plan.column.${name}`));
  const table = element("table", { class: "table" }, element("thead", {}, element("tr", {}, head("kind", false), head("memory"), head("per_key"), head("rate"), head("can", false), head("use", false))), body);
  const node = element("section", { class: "card plan-kinds" }, element("h2", { id: "plan-kinds" }, t("plan.kinds.title")),
    element("p", { class: "muted small" }, t("plan.kinds.note")),
    element("div", { class: "table-scroll", tabindex: 0, role: "region", "aria-labelledby": "plan-kinds" }, table));

  function sizeOf(kind, items, rate) {
    try {
      return { kind, size: bloomery.planOfKind(kind, { items, rate }) };
    } catch (error) {
      if (error?.name !== "BloomeryError") throw error;
      return { kind, refused: error };
    }
  }
  function update(query, { plan, rate }) {
    const rows = Object.keys(abilities).filter((kind) => bloomery.kinds().includes(kind)).map((kind) => sizeOf(kind, plan.items, rate));
    refill(body, bloomRow(plan), rows.map(row));
  }
  const number = (text) => element("td", { class: "number" }, text);
  function bloomRow(plan) {
    return element("tr", { class: "chosen" }, element("th", { scope: "row" }, "bloom"), number(numbers.bytes(plan.bytes)), number(numbers.decimal(plan.bitsPerItem, 2)),
      number(numbers.rate(plan.expectedRate)), element("td", { class: "muted" }, "–"), element("td", { class: "small prose" }, t("plan.kind.bloom")));
  }
  function row({ kind, size, refused }) {
    const sizes = refused ? element("td", { colspan: 3, class: "muted small", lang: "en" }, context.describeError(refused))
      : [numbers.bytes(size.bytes), numbers.decimal(size.bitsPerItem, 2), numbers.rate(size.expectedRate)].map(number);
    return element("tr", {}, element("th", { scope: "row", translate: "no" }, kind), sizes,
      element("td", { class: "small" }, abilities[kind].map((one) => t(`plan.can.${one}`)).join(t("plan.comma"))),
      element("td", { class: "small prose" }, t(`plan.kind.${kind.replace("-", "_")}`)));
  }
  return { node, update };
}
