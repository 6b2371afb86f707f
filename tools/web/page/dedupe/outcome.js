// How far it is, and what came of it.
import { element } from "../shell/elements.js";

/** The progress of a run. Screen readers hear of each tenth. */
export function makeProgress(context, model, stop) {
  const { t, numbers } = context;
  const bar = element("progress", { class: "progress", max: 1, value: 0, "aria-label": t("dedupe.running") });
  const text = element("p", { class: "number progress-text" });
  let tenths = 0;
  function update() {
    const { share, lines, distinct, seconds } = model.progress;
    bar.value = share;
    const speed = seconds > 0 ? (share * model.file.size) / seconds : 0;
    text.textContent = t("dedupe.progress", { percent: numbers.percent(share, 0), lines: numbers.count(lines),
      distinct: numbers.count(distinct), speed: numbers.bytes(speed) });
    if (Math.floor(share * 10) > tenths) {
      tenths = Math.floor(share * 10);
      context.announce(t("dedupe.progress.short", { percent: numbers.percent(tenths / 10, 0) }));
    }
  }
  update();
  return { update, node: element("section", { class: "card stack" }, element("h2", {}, t("dedupe.running")), bar, text,
    element("div", { class: "row" }, element("button", { class: "button", type: "button", onclick: stop }, t("dedupe.stop")))) };
}

/** How many lines may be missing, said as the numbers are: as a count if there are likely some, else as a chance. */
export function lossOf(distinct, rate) {
  const expected = distinct * rate;
  return { expected, chance: -Math.expm1(-expected) };
}

function lossSentence({ t, numbers }, mode, { distinct, rate }) {
  const { expected, chance } = lossOf(distinct, rate);
  const values = { rate: numbers.oneIn(rate), distinct: numbers.count(distinct) };
  const kind = mode === "once" || mode === "counts" ? "lost" : "extra";
  if (distinct === 0) return t("dedupe.loss.nothing");
  if (expected >= 1) return t(`dedupe.${kind}.some`, { ...values, count: numbers.count(Math.ceil(expected)) });
  return t(`dedupe.${kind}.chance`, { ...values, chance: numbers.rate(chance) });
}

export function makeResult(context, model) {
  const { t, numbers } = context;
  const { result, options } = model;
  const tile = (label, value, more) => element("div", { class: "tile" }, element("dt", {}, label),
    element("dd", {}, element("strong", {}, value), element("span", { class: "muted small" }, more)));
  const share = (part) => (result.lines === 0 ? "" : t("dedupe.share", { percent: numbers.percent(part / result.lines) }));
  const repeats = result.lines - result.distinct;
  return element("section", { class: "card stack result-card" }, element("h2", { tabindex: -1 }, t("dedupe.result")),
    element("dl", { class: "tiles" },
      tile(t("dedupe.lines"), numbers.count(result.lines), numbers.bytes(model.file.size)),
      tile(t("dedupe.distinct"), numbers.count(result.distinct), share(result.distinct)),
      tile(t("dedupe.repeats"), numbers.count(repeats), share(repeats)),
      tile(t("dedupe.written"), numbers.count(result.printed), numbers.bytes(result.written))),
    element("p", {}, lossSentence(context, options.mode, result)),
    element("p", { class: "muted small" }, t("dedupe.cost", { seconds: numbers.duration(result.seconds),
      speed: numbers.bytes(model.file.size / Math.max(0.001, result.seconds)), memory: numbers.bytes(result.memory) })),
    result.place === "picked"
      ? element("p", { class: "notice good" }, t("dedupe.written_to", { name: result.name }))
      : element("div", { class: "row" }, element("button", { class: "button primary", type: "button",
        onclick: () => context.download(result.name, result.blob, "text/plain") }, t("dedupe.save"))));
}
