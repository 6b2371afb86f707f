// A line chart in SVG, drawn again when its width changes. A cursor reads the values: by pointer, and by keyboard,
// where the chart is a slider (arrows, Page Up and Down, Home, End). Values are those of the points, not interpolated.
import { element, refill, svg } from "../shell/elements.js";
import { makeScale } from "./scale.js";

const margin = { top: 14, right: 16, bottom: 40, left: 64 };

/** label: for screen readers. Returns { node, draw(spec), destroy() }; spec: see paint(). */
export function lineChart({ label, height = 300 }) {
  let spec = null;
  let view = null;
  let cursor = 0;
  let values = [];
  const picture = svg("svg", { class: "chart-picture", height, "aria-hidden": "true" });
  const readout = element("p", { class: "chart-readout", "aria-hidden": "true" });
  const slider = element("div", { class: "chart-slider", role: "slider", tabindex: 0, "aria-label": label, "aria-valuemin": 0 });
  const legend = element("ul", { class: "chart-legend", "aria-hidden": "true" });
  const stage = element("div", { class: "chart-stage" }, picture, slider);
  stage.style.height = `${height}px`;
  const node = element("figure", { class: "chart" }, element("div", { class: "chart-head" }, readout, legend), stage);

  function draw(next) {
    spec = next;
    cursor = nearest(spec.stops, spec.rest ?? spec.stops[0]);
    slider.setAttribute("aria-valuemax", spec.stops.length - 1);
    values = spec.lines.map(() => element("b", {}));
    refill(legend, spec.lines.map((line, at) => element("li", {}, swatch(line), line.name ? element("span", {}, line.name) : null, values[at])));
    paint();
  }
  function paint() {
    const width = stage.clientWidth;
    if (!spec || !width) return;
    view = makeView(spec, width, height);
    picture.setAttribute("width", width);
    picture.setAttribute("viewBox", `0 0 ${width} ${height}`);
    refill(picture, drawAxes(spec, view), drawRules(spec, view), drawLines(spec, view), drawMarks(spec, view), view.pointer);
    point();
  }
  // Moves the cursor to its stop and says the values there.
  function point() {
    if (!view) return;
    const x = spec.stops[cursor];
    const found = spec.lines.map((line) => ({ line, y: valueAt(line, x) })).filter((one) => one.y !== undefined);
    refill(view.pointer,
      svg("line", { class: "chart-cursor", x1: view.x(x), x2: view.x(x), y1: margin.top, y2: view.bottom }),
      found.map(({ line, y }) => (view.inside(y) ? svg("circle", { class: `chart-dot ${line.look}`, cx: view.x(x), cy: view.y(y), r: 4 }) : null)));
    readout.textContent = spec.x.read(x);
    // Each value has its place, so that nothing moves with the cursor.
    spec.lines.forEach((line, at) => {
      const y = valueAt(line, x);
      values[at].textContent = y === undefined ? "–" : spec.y.read(y);
    });
    slider.setAttribute("aria-valuenow", cursor);
    slider.setAttribute("aria-valuetext", [spec.x.read(x), ...found.map(({ line, y }) => `${line.name ?? ""} ${spec.y.read(y)}`.trim())].join(", "));
  }
  function moveTo(next) {
    cursor = Math.min(Math.max(next, 0), spec.stops.length - 1);
    point();
  }
  slider.addEventListener("keydown", (event) => {
    const big = Math.max(2, Math.round(spec.stops.length / 8));
    const to = { ArrowRight: cursor + 1, ArrowUp: cursor + 1, ArrowLeft: cursor - 1, ArrowDown: cursor - 1, PageUp: cursor + big,
      PageDown: cursor - big, Home: 0, End: spec.stops.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    moveTo(to);
  });
  const follow = (event) => {
    const share = (event.clientX - stage.getBoundingClientRect().left - margin.left) / (view.right - margin.left);
    moveTo(nearest(spec.stops, view.scaleX.value(Math.min(Math.max(share, 0), 1)), view.scaleX));
  };
  slider.addEventListener("pointermove", follow);
  slider.addEventListener("pointerdown", follow);
  slider.addEventListener("pointerleave", () => moveTo(nearest(spec.stops, spec.rest ?? spec.stops[0])));
  const observer = new ResizeObserver(paint);
  observer.observe(stage);
  return { node, draw, destroy: () => observer.disconnect() };
}

function makeView(spec, width, height) {
  const scaleX = makeScale(spec.x.kind, spec.x.domain);
  const scaleY = makeScale(spec.y.kind, spec.y.domain);
  const right = width - margin.right;
  const bottom = height - margin.bottom;
  return { scaleX, scaleY, right, bottom, pointer: svg("g", {}),
    x: (value) => margin.left + scaleX.at(value) * (right - margin.left),
    y: (value) => bottom - scaleY.at(value) * (bottom - margin.top),
    inside: (value) => scaleY.at(value) >= -0.001 && scaleY.at(value) <= 1.001 };
}

function drawAxes(spec, view) {
  const across = view.scaleX.ticks(Math.max(3, Math.floor((view.right - margin.left) / (spec.x.spacing ?? 70))));
  const up = view.scaleY.ticks(7);
  return svg("g", { class: "chart-axes" },
    up.map((value) => [svg("line", { x1: margin.left, x2: view.right, y1: view.y(value), y2: view.y(value) }),
      svg("text", { x: margin.left - 8, y: view.y(value) + 4, "text-anchor": "end" }, spec.y.format(value))]),
    svg("line", { class: "chart-base", x1: margin.left, x2: view.right, y1: view.bottom, y2: view.bottom }),
    across.map((value) => [svg("line", { class: "chart-base", x1: view.x(value), x2: view.x(value), y1: view.bottom, y2: view.bottom + 4 }),
      svg("text", { x: view.x(value), y: view.bottom + 17, "text-anchor": "middle" }, spec.x.format(value))]),
    svg("text", { class: "chart-title", x: (margin.left + view.right) / 2, y: view.bottom + 35, "text-anchor": "middle" }, spec.x.title));
}

// Horizontal lines with a name, such as the rate that was asked for.
function drawRules(spec, view) {
  return (spec.rules ?? []).filter((rule) => view.inside(rule.y)).map((rule) => svg("g", { class: "chart-rule" },
    svg("line", { x1: margin.left, x2: view.right, y1: view.y(rule.y), y2: view.y(rule.y) }),
    svg("text", rule.side === "left" ? { x: margin.left + 6, y: view.y(rule.y) - 6 } : { x: view.right, y: view.y(rule.y) - 6, "text-anchor": "end" }, rule.label)));
}

function drawLines(spec, view) {
  // A nested svg cuts off what is outside of the plot.
  const inner = svg("svg", { x: margin.left, y: margin.top - 4, width: view.right - margin.left + 4, height: view.bottom - margin.top + 4 });
  const place = ([x, y]) => `${(view.x(x) - margin.left).toFixed(1)} ${(view.y(Math.max(y, 1e-300)) - margin.top + 4).toFixed(1)}`;
  for (const line of spec.lines) {
    if (line.points.length > 1) inner.append(svg("path", { class: `chart-line ${line.look}`, d: `M${line.points.map(place).join("L")}` }));
    if (line.dots || line.points.length === 1) {
      for (const point of line.points) {
        const [cx, cy] = place(point).split(" ");
        inner.append(svg("circle", { class: `chart-dot ${line.look}`, cx, cy, r: line.points.length === 1 ? 5 : 3 }));
      }
    }
  }
  return inner;
}

function drawMarks(spec, view) {
  return (spec.marks ?? []).filter((mark) => view.inside(mark.y)).map((mark) => svg("g", { class: "chart-mark" },
    svg("circle", { cx: view.x(mark.x), cy: view.y(mark.y), r: 4.5 }),
    svg("text", { x: view.x(mark.x) + 9, y: view.y(mark.y) + 13 }, mark.label)));
}

function swatch(line) {
  return svg("svg", { class: "chart-swatch", width: 18, height: 10, "aria-hidden": "true" },
    line.points.length === 1 ? svg("circle", { class: `chart-dot ${line.look}`, cx: 9, cy: 5, r: 4 })
      : svg("line", { class: `chart-line ${line.look}`, x1: 1, x2: 17, y1: 5, y2: 5 }));
}

function nearest(stops, value, scale) {
  const at = scale ? scale.at : (one) => one;
  let best = 0;
  stops.forEach((stop, index) => {
    if (Math.abs(at(stop) - at(value)) < Math.abs(at(stops[best]) - at(value))) best = index;
  });
  return best;
}

function valueAt(line, x) {
  return line.points.find((point) => point[0] === x)?.[1];
}
