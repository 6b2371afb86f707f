// The false-positive rate over the number of keys: the computed line, and what was measured, with error bars.
import { element, refill, svg } from "../shell/elements.js";

const HEIGHT = 240;
const MARGIN = { left: 48, right: 12, top: 12, bottom: 40 };

const FOURS = [1, 1.2, 1.6, 2, 2.4, 3, 4, 6, 8, 10]; // round after division by four
const STEPS = [1, 2, 5, 10];

/** A round number not below the value. */
function roundUp(value, steps) {
  if (!(value > 0)) return 0.01;
  const power = 10 ** Math.floor(Math.log10(value));
  return steps.map((step) => step * power).find((one) => one >= value * 0.999);
}

export class Chart {
  #context;
  #lines = [];
  #curves = [];
  #mostKeys = 1;
  #top = 1;
  #last = null;
  #described = null;

  constructor(context) {
    const { t } = context;
    this.#context = context;
    this.drawing = svg("svg", {
      class: "see-chart-drawing",
      height: HEIGHT,
      role: "img",
      "aria-label": t("see.chart.label"),
    });
    this.box = element("div", { class: "see-chart-box" }, this.drawing);
    this.legend = element("p", { class: "see-legend small muted" });
    this.body = element("tbody");
    this.table = element(
      "details",
      { class: "see-chart-table" },
      element("summary", {}, t("see.chart.table")),
      element(
        "div",
        { class: "table-scroll", tabindex: "0", role: "region", "aria-label": t("see.chart.table") },
        element(
          "table",
          { class: "table" },
          element(
            "thead",
            {},
            element(
              "tr",
              {},
              ["keys", "computed", "measured", "asked"].map((name) =>
                element("th", { class: "number", scope: "col" }, t(`see.chart.column.${name}`)),
              ),
            ),
          ),
          this.body,
        ),
      ),
    );
    this.node = element("div", { class: "see-chart" }, this.box, this.legend, this.table);
  }

  /** The computed lines: once for each choice of filters. */
  setScene(scene) {
    this.#curves = scene.models.map((model) => model.curve());
    this.#mostKeys = scene.mostKeys;
    this.#top = roundUp(Math.max(...this.#curves.flatMap((line) => line.map((one) => one.rate))) * 1.05, FOURS);
    this.#lines = scene.models.map((model) => model.spec.kind);
    this.node.classList.toggle("several-kinds", scene.models.length > 1);
  }

  show(scene) {
    this.#last = scene;
    const width = this.box.clientWidth;
    if (width === 0) return;
    const plot = { width: width - MARGIN.left - MARGIN.right, height: HEIGHT - MARGIN.top - MARGIN.bottom };
    const x = (keys) => MARGIN.left + (Math.min(keys, this.#mostKeys) / this.#mostKeys) * plot.width;
    const y = (rate) => MARGIN.top + (1 - Math.min(1, rate / this.#top)) * plot.height;
    this.drawing.setAttribute("width", width);
    refill(
      this.drawing,
      this.#axes(x, y, plot),
      this.#now(scene, x, plot),
      this.#curves.map((line, i) =>
        svg("path", {
          class: `curve kind-${this.#lines[i]}`,
          d: line.map((one, j) => `${j === 0 ? "M" : "L"}${x(one.keys).toFixed(1)} ${y(one.rate).toFixed(1)}`).join(""),
        }),
      ),
      scene.models.length === 1 &&
        svg("polyline", {
          class: "own",
          points: scene.points[0].map((one) => `${x(one.keys).toFixed(1)},${y(one.exact).toFixed(1)}`).join(" "),
        }),
      scene.points.map((points, i) => points.map((one) => this.#point(one, this.#lines[i], x, y))),
    );
    if (this.#described !== scene.points[0]) this.#describe(scene);
  }

  redraw() {
    if (this.#last) this.show(this.#last);
  }

  #axes(x, y, plot) {
    const { t, numbers } = this.#context;
    const nodes = [];
    for (let i = 0; i <= 4; i += 1) {
      const rate = (this.#top * i) / 4;
      nodes.push(
        svg("line", {
          class: i === 0 ? "axis" : "grid",
          x1: MARGIN.left,
          x2: MARGIN.left + plot.width,
          y1: y(rate),
          y2: y(rate),
        }),
        svg("text", { class: "tick", x: MARGIN.left - 6, y: y(rate) + 4, "text-anchor": "end" }, numbers.percent(rate)),
      );
    }
    const step = roundUp(this.#mostKeys / (plot.width < 380 ? 4 : 8), STEPS);
    for (let keys = 0; keys <= this.#mostKeys; keys += Math.max(1, Math.round(step))) {
      nodes.push(
        svg(
          "text",
          {
            class: "tick",
            x: x(keys),
            y: HEIGHT - MARGIN.bottom + 16,
            "text-anchor": x(keys) > MARGIN.left + plot.width - 16 ? "end" : "middle",
          },
          numbers.count(keys),
        ),
      );
    }
    nodes.push(
      svg(
        "text",
        { class: "tick", x: MARGIN.left + plot.width / 2, y: HEIGHT - 6, "text-anchor": "middle" },
        t("see.chart.keys"),
      ),
    );
    return nodes;
  }

  #now(scene, x, plot) {
    if (scene.keyCount === 0) return [];
    return svg("line", {
      class: "now",
      x1: x(scene.keyCount),
      x2: x(scene.keyCount),
      y1: MARGIN.top,
      y2: MARGIN.top + plot.height,
    });
  }

  #point(one, kind, x, y) {
    const at = x(one.keys);
    return svg(
      "g",
      { class: `point kind-${kind}` },
      svg("line", { x1: at, x2: at, y1: y(one.low), y2: y(one.high) }),
      svg("line", { x1: at - 3, x2: at + 3, y1: y(one.low), y2: y(one.low) }),
      svg("line", { x1: at - 3, x2: at + 3, y1: y(one.high), y2: y(one.high) }),
      svg("circle", { cx: at, cy: y(one.rate), r: 3.2 }),
    );
  }

  #describe(scene) {
    const { t, numbers } = this.#context;
    this.#described = scene.points[0];
    refill(
      this.legend,
      scene.models.length === 1
        ? [
            element("span", { class: `swatch line kind-${this.#lines[0]}` }),
            t("see.chart.computed"),
            element("span", { class: "swatch own" }),
            t("see.chart.own"),
            element(
              "span",
              { class: "legend-note" },
              element("span", { class: `swatch dot kind-${this.#lines[0]}` }),
              t("see.chart.measured"),
            ),
          ]
        : [
            this.#lines.map((kind) => [
              element("span", { class: `swatch dot kind-${kind}` }),
              t(`see.kind.${kind}`),
              " ",
            ]),
            element("span", { class: "legend-note" }, t("see.chart.both")),
          ],
    );
    refill(
      this.body,
      scene.points.flatMap((points, i) =>
        points.map((one) =>
          element(
            "tr",
            {},
            [
              numbers.count(one.keys),
              numbers.rate(this.#rateAt(i, one.keys)),
              numbers.rate(one.rate),
              t("see.chart.of", { maybe: numbers.count(one.maybe), asked: numbers.count(one.asked) }),
            ].map((text) => element("td", { class: "number" }, text)),
          ),
        ),
      ),
    );
  }

  #rateAt(i, keys) {
    return keys === 0 ? 0 : this.#last.models[i].filter.rateAt(keys);
  }
}
