// What the formulas of other libraries give for the same keys and rate, and where the textbook is wrong.
import { lineChart } from "../charts/chart.js";
import { logSamples } from "../charts/scale.js";
import { refill } from "../shell/elements.js";
import { textbookRate } from "./question.js";

const shown = ["guava", "guava-33.4", "go", "redisson", "spark", "cassandra", "datasketches", "dcso", "parquet"];
const drawn = ["guava", "go"];
const stops = logSamples(1, 1e6, 31);

/** The textbook: m = -n ln p / (ln 2)^2, k = m/n ln 2, both rounded to whole numbers. */
export function textbookShape({ items, rate }) {
  const bits = Math.max(1, Math.ceil((-items * Math.log(rate)) / Math.LN2 ** 2));
  return { bits, hashes: Math.max(1, Math.round((bits / items) * Math.LN2)) };
}

export function makeOthers(context) {
  const { t, rich, element, numbers, bloomery } = context;
  const body = element("tbody", {});
  const wrong = element("p", {});
  const chart = lineChart({ label: t("plan.others.chart.label"), height: 280 });
  const head = (name, number = true) => element("th", { scope: "col", class: number ? "number" : null }, t(`plan.column.${name}`));
  const table = element("table", { class: "table" }, element("thead", {}, element("tr", {},
    head("system", false), head("true_rate"), head("verdict", false), head("bits"), head("k"), head("memory"), head("formula", false))), body);
  const node = element("section", { class: "card stack plan-others" },
    element("h2", { id: "plan-others" }, t("plan.others.title")), element("p", { class: "muted small" }, t("plan.others.note")),
    element("div", { class: "table-scroll", tabindex: 0, role: "region", "aria-labelledby": "plan-others" }, table),
    element("h3", {}, t("plan.others.wrong_title")), wrong, chart.node);

  const exact = (shape, items) => bloomery.expectedRate({ layout: "classic", items, ...shape });

  function update(query, answer) {
    const { plan: { items }, rate } = answer;
    const ours = bloomery.plan({ items, rate, layout: "classic" });
    const book = textbookShape({ items, rate });
    const rows = bloomery.plansOfOthers({ items, rate });
    refill(body,
      row("bloomery", { bits: ours.bits, hashes: ours.hashes, bytes: ours.bytes, expectedRate: ours.expectedRate }, rate, true),
      row("textbook", { ...book, bytes: Math.ceil(book.bits / 8), expectedRate: exact(book, items) }, rate),
      shown.map((system) => rows.find((one) => one.system === system)).filter(Boolean).map((one) => row(one.system, one, rate)));
    explain(items, rate, book);
    return draw(rate);
  }
  function row(system, { bits, hashes, bytes, expectedRate, refused }, rate, ours = false) {
    const key = system.replace(/[-.]/g, "_");
    const name = element("th", { scope: "row" }, t(`plan.system.${key}`));
    const formula = element("td", { class: "small prose" }, t(`plan.formula.${key}`));
    if (refused) return element("tr", {}, name, element("td", { colspan: 5, class: "small muted", lang: "en" }, refused), formula);
    const number = (text) => element("td", { class: "number" }, text);
    return element("tr", { class: ours ? "chosen" : null }, name, number(numbers.rate(expectedRate)), verdict(expectedRate, rate), number(numbers.count(bits)), number(hashes), number(numbers.bytes(bytes)), formula);
  }
  function verdict(found, rate) {
    const off = found / rate - 1;
    if (off <= 1e-9) return element("td", { class: "plan-meets" }, t("plan.verdict.meets"));
    const by = off < 1 ? numbers.percent(off, off < 0.0995 ? 2 : 0) : t("plan.overfill.times", { times: numbers.rough(off + 1) });
    return element("td", { class: "plan-misses" }, off < 1 ? t("plan.verdict.misses", { by }) : t("plan.verdict.misses_times", { by }));
  }
  // The textbook's own claim for its own filter, beside the truth.
  function explain(items, rate, book) {
    const claim = textbookRate({ ...book, items });
    const found = exact(book, items);
    refill(wrong, rich("plan.others.wrong", { keys: numbers.count(items), rate: numbers.rate(rate), k: numbers.decimal((book.bits / items) * Math.LN2, 2),
      whole: book.hashes, claim: numbers.rate(claim), found: numbers.rate(found) }));
  }
  // The exact rate over the number of keys, as a multiple of the rate that was asked for. It depends on the rate alone,
  // and takes a while: the browser gets a turn after each point.
  let drawnRate = 0;
  async function draw(rate) {
    if (rate === drawnRate) return;
    drawnRate = rate;
    const lines = [{ name: t("plan.system.bloomery"), look: "look-4 strong", points: [] }, { name: t("plan.system.textbook"), look: "look-1", points: [] },
      ...drawn.map((system, at) => ({ name: t(`plan.system.${system}`), look: `look-${[2, 5][at]}`, points: [], system }))];
    for (const items of stops) {
      const others = bloomery.plansOfOthers({ items, rate });
      lines[0].points.push([items, bloomery.plan({ items, rate, layout: "classic" }).expectedRate / rate]);
      lines[1].points.push([items, exact(textbookShape({ items, rate }), items) / rate]);
      for (const line of lines.slice(2)) {
        const found = others.find((one) => one.system === line.system);
        if (found && !found.refused) line.points.push([items, found.expectedRate / rate]);
      }
      await new Promise((done) => { setTimeout(done, 0); });
      if (rate !== drawnRate) return; // another one is drawn by now
    }
    const all = lines.flatMap((line) => line.points.map((point) => point[1])).filter((value) => value > 0);
    const times = (value) => t("plan.overfill.times", { times: Number(value.toPrecision(3)) });
    chart.draw({ stops, rest: 1, x: { kind: "log", domain: [1, 1e6], title: t("plan.curve.keys.axis"), format: numbers.rough, read: (keys) => t(keys === 1 ? "plan.curve.keys.read_one" : "plan.curve.keys.read", { count: numbers.count(keys) }) },
      y: { kind: "log", domain: [Math.min(0.5, Math.min(...all) * 0.9), Math.max(2, Math.max(...all) * 1.1)], format: times, read: times },
      rules: [{ y: 1, label: t("plan.others.asked") }], lines: lines.filter((line) => line.points.length) });
  }
  return { node, update, destroy: () => { drawnRate = 0; chart.destroy(); } };
}
