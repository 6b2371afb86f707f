// Two curves of the planned filter: the rate over the number of keys, and over k.
import { lineChart } from "../charts/chart.js";
import { logSamples } from "../charts/scale.js";
import { refill } from "../shell/elements.js";
import { overfillFactors, textbookRate, wholeBlocks } from "./question.js";

export function makeCurves(context) {
  const { t, element, numbers, bloomery } = context;
  const overKeys = lineChart({ label: t("plan.curve.keys.label") });
  const overK = lineChart({ label: t("plan.curve.k.label") });
  const overfill = element("tbody", {});
  const head = (name) => element("th", { scope: "col", class: "number" }, t(`plan.column.${name}`));
  const overfillTable = element("div", { class: "table-scroll", tabindex: 0, role: "region", "aria-label": t("plan.overfill.title") },
    element("table", { class: "table plan-overfill" }, element("thead", {}, element("tr", {}, head("factor"), head("keys"), head("rate"), head("times"))), overfill));
  const best = element("p", { class: "small" });
  const node = element("div", { class: "plan-pair" },
    element("section", { class: "card plan-over-keys" }, element("h2", { id: "plan-over-keys" }, t("plan.curve.keys.title")),
      element("p", { class: "muted small" }, t("plan.curve.keys.note")), overKeys.node, overfillTable),
    element("section", { class: "card plan-over-k" }, element("h2", { id: "plan-over-k" }, t("plan.curve.k.title")),
      element("p", { class: "muted small" }, t("plan.curve.k.note")), overK.node, best));

  const rateAxis = (domain) => ({ kind: "log", domain, format: numbers.roughRate, read: numbers.rate });
  const lookOf = (layout) => `look-${bloomery.layouts().indexOf(layout) + 1}`;

  function update(query, answer) {
    drawOverKeys(answer);
    drawOverK(answer.plan);
  }
  function drawOverKeys({ plan, overfill: marks }) {
    const { layout, bits, hashes, items } = plan;
    const planned = marks[0].rate;
    const domain = [Math.max(1, items / 10), Math.max(items * 10, 10)];
    const stops = logSamples(domain[0], domain[1], 81, overfillFactors.map((factor) => items * factor));
    const points = stops.map((keys) => [keys, bloomery.expectedRate({ layout, bits, hashes, items: keys })]);
    overKeys.draw({ stops, rest: items, x: { kind: "log", domain, title: t("plan.curve.keys.axis"), format: numbers.rough, read: (keys) => t(keys === 1 ? "plan.curve.keys.read_one" : "plan.curve.keys.read", { count: numbers.count(keys) }) },
      y: rateAxis([Math.max(planned / 1000, 1e-300), 1]), rules: [{ y: planned, label: numbers.rate(planned), side: "left" }],
      lines: [{ points, look: `strong ${lookOf(layout)}` }],
      marks: marks.map((mark) => ({ x: mark.items, y: mark.rate, label: `${mark.factor}×` })) });
    refill(overfill, marks.map((mark) => element("tr", {}, element("th", { scope: "row", class: "number" }, `${mark.factor}×`),
      ...[numbers.count(mark.items), numbers.rate(mark.rate), t("plan.overfill.times", { times: numbers.rough(mark.rate / planned) })].map((text) => element("td", { class: "number" }, text)))));
  }
  function drawOverK({ bits, items, hashes }) {
    const peak = Math.max(1, Math.round((bits / items) * Math.LN2));
    const most = Math.min(64, Math.max(18, peak + Math.ceil(peak / 2), hashes + 2));
    const stops = Array.from({ length: most }, (_, at) => at + 1);
    const exact = (layout) => stops.map((k) => [k, rateOf(layout, bits, k, items)]).filter(([, rate]) => rate !== undefined);
    const lines = bloomery.layouts().map((layout) => {
      const fixed = { "split-8x32": 8, "split-8x64": 8, "split-16x32": 16 }[layout];
      const points = fixed ? [[fixed, rateOf(layout, bits, fixed, items)]].filter(([, rate]) => rate !== undefined) : exact(layout);
      return { name: layout, look: lookOf(layout), points };
    }).filter((line) => line.points.length);
    lines.push({ name: t("plan.textbook"), look: "look-soft dashed", points: stops.map((k) => [k, textbookRate({ bits, hashes: k, items })]) });
    const lowest = Math.min(...lines.flatMap((line) => line.points.map((point) => point[1])).filter((rate) => rate > 0));
    const classic = lines[0].points.reduce((a, b) => (b[1] < a[1] ? b : a));
    overK.draw({ stops, rest: hashes, x: { kind: "linear", domain: [1, most], spacing: 36, title: t("plan.curve.k.axis"), format: String, read: (k) => t("plan.curve.k.read", { k }) },
      y: rateAxis([Math.max(lowest / 3, 1e-300), 1]), lines });
    refill(best, context.rich("plan.curve.k.best", { k: classic[0], rate: numbers.rate(classic[1]), textbook: numbers.decimal((bits / items) * Math.LN2, 2) }),
      // At the end of the range there is no flat part to speak of.
      classic[0] < most ? element("span", { class: "plan-flat" }, t("plan.curve.k.flat")) : null);
  }
  function rateOf(layout, bits, hashes, items) {
    try {
      return bloomery.expectedRate({ layout, bits: wholeBlocks(layout, bits), hashes, items });
    } catch (error) {
      if (error?.name !== "BloomeryError") throw error;
      return undefined; // this layout does not have that many hashes
    }
  }
  return { node, update, destroy: () => { overKeys.destroy(); overK.destroy(); } };
}
