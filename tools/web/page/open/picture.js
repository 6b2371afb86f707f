// The density of the bits, part by part: a good filter is one even colour, and a damaged or badly hashed one is not.
import { element, refill } from "../shell/elements.js";
import { evenness } from "../work/density.js";
import { isStopped, say } from "../work/say.js";
import { writtenShare } from "./facts.js";

const LEAST_SPAN = 0.1; // colours span at least this share, so that the noise of an even filter stays faint

/** Columns and rows: wide if there are many cells, and no row almost empty. */
export function gridOf(cells) {
  const columns = Math.min(64, Math.max(1, Math.ceil(Math.sqrt(2 * cells))));
  return { columns, rows: Math.ceil(cells / columns) };
}

/** The density that the faintest and the strongest colour mean. */
export function colourSpan({ least, most, mean }) {
  let low = Math.max(0, Math.min(least, mean - LEAST_SPAN));
  let high = Math.min(1, Math.max(most, mean + LEAST_SPAN));
  if (low > 0 && low < 0.05) low = 0;
  if (high < 1 && high > 0.95) high = 1;
  return { low, high };
}

export function makePicture(context, opened, model, recount) {
  const { t, numbers } = context;
  const node = element("section", { class: "card picture-card" });
  let at = -1;
  let draw = () => {};

  function waiting() {
    const share = model.share ?? 0;
    return [
      element("p", { class: "muted" }, t("open.picture.counting")),
      element("progress", { class: "progress", max: 1, value: share, "aria-label": t("open.picture.counting") }),
      element("div", { class: "row" }, element("button", { class: "button small", type: "button", onclick: () => model.stop.abort() }, t("open.stop"))),
    ];
  }

  function picture() {
    const { shares, bitsPerCell } = model.result;
    const { columns, rows } = gridOf(shares.length);
    const state = evenness(shares, bitsPerCell);
    const { low, high } = colourSpan(state);
    const written = (share) => writtenShare(numbers, share, 1);
    const facts = { least: written(state.least), most: written(state.most), mean: written(state.mean) };
    const verdict = t(state.uneven ? "open.picture.uneven" : "open.picture.even", facts);
    const canvas = element("canvas", { width: columns, height: rows, class: "density", tabindex: 0, role: "img",
      "aria-label": t("open.picture.label", { cells: numbers.count(shares.length), verdict }),
      onpointermove: (event) => {
        const box = canvas.getBoundingClientRect();
        const column = Math.floor(((event.clientX - box.left) / box.width) * columns);
        const line = Math.floor(((event.clientY - box.top) / box.height) * rows);
        point(line * columns + column);
      },
      onpointerleave: () => point(-1),
      onblur: () => point(-1),
      onkeydown: (event) => {
        const step = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: columns, ArrowUp: -columns }[event.key];
        if (step === undefined) return;
        event.preventDefault();
        point(Math.max(0, Math.min(shares.length - 1, at < 0 ? 0 : at + step)));
        context.announce(caption.textContent);
      } });
    canvas.style.setProperty("--columns", columns);
    canvas.style.setProperty("--rows", rows);
    const mark = element("span", { class: "density-mark", hidden: true });
    const caption = element("p", { class: "small muted density-caption" }, t("open.picture.hint"));
    const bits = opened.facts.unit === "bits" ? opened.facts.units : Math.round(bitsPerCell * shares.length);
    function point(cell) {
      at = cell >= 0 && cell < shares.length ? cell : -1;
      mark.hidden = at < 0;
      if (at < 0) caption.textContent = t("open.picture.hint");
      else {
        mark.style.left = `${(100 * (at % columns)) / columns}%`;
        mark.style.top = `${(100 * Math.floor(at / columns)) / rows}%`;
        mark.style.width = `${100 / columns}%`;
        mark.style.height = `${100 / rows}%`;
        caption.textContent = t("open.picture.cell", { from: numbers.count((at * bits) / shares.length),
          to: numbers.count(((at + 1) * bits) / shares.length - 1), share: writtenShare(numbers, shares[at], 2) });
      }
    }
    draw = () => paint(canvas, shares, columns, low, high);
    draw();
    return [
      element("p", { class: state.uneven ? "notice warning" : "verdict" }, verdict),
      element("div", { class: "density-frame" }, canvas, mark),
      caption,
      element("div", { class: "density-scale small", "aria-hidden": "true" }, element("span", {}, numbers.percent(low, 0)),
        element("span", { class: "density-ramp" }), element("span", {}, numbers.percent(high, 0))),
    ];
  }

  function refresh() {
    let content;
    if (model.result) content = picture();
    else if (model.problem) {
      content = [element("p", { class: isStopped(model.problem) ? "notice" : "notice error" },
        isStopped(model.problem) ? t("open.picture.stopped") : say(model.problem, context)),
      element("div", { class: "row" }, element("button", { class: "button small", type: "button", onclick: recount }, t("open.picture.again")))];
    } else content = waiting();
    refill(node, element("h2", {}, t("open.picture")), content);
  }
  function progress() {
    const bar = node.querySelector("progress");
    if (bar) bar.value = model.share;
  }
  refresh();
  return { node, refresh, progress, paint: () => draw() };
}

function colour(canvas, name) {
  const probe = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  probe.fillStyle = getComputedStyle(canvas.isConnected ? canvas : document.querySelector(".part-open")).getPropertyValue(name).trim();
  probe.fillRect(0, 0, 1, 1);
  return probe.getImageData(0, 0, 1, 1).data;
}

function paint(canvas, shares, columns, low, high) {
  const from = colour(canvas, "--density-low");
  const to = colour(canvas, "--density-high");
  const pen = canvas.getContext("2d");
  const image = pen.createImageData(canvas.width, canvas.height);
  shares.forEach((share, cell) => {
    const part = Math.max(0, Math.min(1, (share - low) / (high - low)));
    const place = 4 * (Math.floor(cell / columns) * canvas.width + (cell % columns));
    for (let i = 0; i < 3; ++i) image.data[place + i] = Math.round(from[i] + part * (to[i] - from[i]));
    image.data[place + 3] = 255;
  });
  pen.putImageData(image, 0, 0);
}
