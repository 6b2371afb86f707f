// What the filter is and how full it is.
import { element, refill } from "../shell/elements.js";

const KNOWN = new Set(["layers", "keys_taken", "keys_in_the_newest_layer", "room_in_the_newest_layer", "growth", "counter_bits",
  "layout", "stuck_counters", "largest_counter", "generations", "keys_per_generation", "keys_in_the_newest", "refresh", "span",
  "generations_forgotten_early", "filter_inside", "exceptions", "exceptions_refused", "block_bits", "first_level_bits", "blocks",
  "frozen_blocks", "sum_of_counters", "tables", "buckets_per_table", "remainder_bits", "keys_in_the_stash", "room_in_the_stash",
  "fixed_bits", "overflow_bits", "rebuilds", "policy", "large_counters", "second_counters", "stored_keys", "other_keys",
  "levels", "bits", "buckets_with_0_to_8_keys"]);

function row(label, value, attributes = {}) {
  return element("div", {}, element("dt", {}, label), element("dd", attributes, value));
}

/** A share in percent; one that would be 0.00 % keeps its digits. */
export function writtenShare(numbers, share, digits) {
  return share > 0 && share < 0.001 ? numbers.rate(share) : numbers.percent(share, digits);
}

/** The four numbers that are read first. A file read in place has them only when all of it was counted. */
function headline({ t, numbers }, facts) {
  const known = facts.fill_ratio !== undefined;
  const finite = Number.isFinite(facts.estimated_items);
  const tile = (label, value, more) => element("div", { class: "tile" },
    element("dt", {}, label), element("dd", {}, element("strong", {}, value), element("span", { class: "muted small" }, more)));
  const waiting = t("open.counting");
  return element("dl", { class: "tiles" },
    tile(t("open.fill"), known ? writtenShare(numbers, facts.fill_ratio, 2) : "…", known ? t(`open.fill_of.${facts.fill_of ?? facts.unit}`) : waiting),
    tile(t("open.keys"), known ? (finite ? `≈ ${numbers.count(facts.estimated_items)}` : t("open.unknown")) : "…",
      known ? (finite ? t("open.keys.error", { error: numbers.count(facts.standard_error ?? 0) }) : t("open.keys.saturated")) : waiting),
    tile(t("open.rate"), known ? numbers.rate(facts.expected_rate) : "…",
      known ? (facts.expected_rate > 0 ? numbers.oneIn(facts.expected_rate) : t("open.rate.none")) : waiting),
    tile(t("open.memory"), numbers.bytes(facts.bytes),
      t("open.memory.units", { count: numbers.count(facts.units), unit: t(`open.unit.${facts.unit}`), hashes: facts.hashes })));
}

/** Whether it holds more keys than it was made for, beyond doubt. Filters that grow or forget never do. */
export function isOverfilled({ kind, saturated, item_capacity: capacity, estimated_items: items, standard_error: error }) {
  return kind !== "scalable" && kind !== "window" && !saturated && capacity > 0 && items - 3 * error > capacity;
}

/** Sentences about what is wrong with it, if anything is. */
function warnings({ t, numbers }, facts) {
  const notice = (kind, text) => element("p", { class: `notice ${kind}` }, text);
  return [
    facts.saturated && facts.kind !== "window" && notice("error", t("open.saturated")),
    isOverfilled(facts) &&
      notice("warning", t("open.overfilled", { items: numbers.count(facts.estimated_items), capacity: numbers.count(facts.item_capacity) })),
    facts.sealed === false && notice("warning", t("open.unsealed")),
    facts.intersected && notice("", t("open.intersected")),
  ];
}

export function makeFacts(context, opened, otherFormat) {
  const { t, numbers } = context;
  const node = element("section", { class: "card facts-card" });

  function details() {
    const { facts } = opened;
    const extra = Object.entries(facts.facts ?? {});
    const original = Object.entries(facts.original ?? {});
    return element("dl", { class: "facts" },
      row(t("open.format"), [element("span", { class: "mono" }, opened.format), ` — ${t(`open.what.${opened.format}`)} `,
        // A native file says what it is; others may look alike.
        opened.format !== "native" && element("button", { class: "button quiet small other-format", type: "button", onclick: otherFormat }, t("open.format.other"))]),
      row(t("open.kind"), [facts.kind, facts.layout && `, ${facts.layout}`], { class: "mono" }),
      row(t("open.hash"), t("open.hash.value", { hash: facts.hash, scheme: facts.scheme, seed: facts.seed })),
      facts.item_capacity > 0 && row(t("open.made_for"), t("open.made_for.value",
        { items: numbers.count(facts.item_capacity), rate: numbers.rate(facts.target_rate) })),
      row(t("open.file"), [element("span", { class: "file-name" }, opened.name), ` (${numbers.bytes(opened.size)})`]),
      opened.inPlace && row(t("open.in_place"), t("open.in_place.value")),
      facts.sealed !== undefined && row(t("open.sealed"), t(facts.sealed ? "open.yes" : "open.no")),
      facts.secret_kept && row(t("open.secret_kept"), t("open.yes")),
      facts.comment && row(t("open.comment"), facts.comment),
      extra.map(([name, value]) => row(KNOWN.has(name) ? t(`open.fact.${name}`) : name, String(value))),
      original.map(([name, value]) => row(element("span", { class: "mono original" }, name), String(value))));
  }
  function show() {
    refill(node,
      element("h2", { tabindex: -1 }, element("span", { class: "file-name" }, opened.name || t("open.merged_name"))),
      headline(context, opened.facts), warnings(context, opened.facts), details(),
      element("details", { class: "more" }, element("summary", {}, t("open.json")),
        element("pre", { class: "json mono", tabindex: 0, role: "region", "aria-label": t("open.json") },
          JSON.stringify(opened.facts, null, 2))));
  }
  show();
  return { node, refresh: show };
}
