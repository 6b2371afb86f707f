// The picture of one filter: a canvas of cells, rings around the places of the key at hand, and a cursor that the arrow
// keys and the pointer move, which says what a cell is and who set it.
import { element, refill, svg } from "../shell/elements.js";
import { arrange, inLines } from "./geometry.js";
import { paintCells } from "./paint.js";
import { placesInUse } from "./payload.js";

const LEAST_RING = 13;
const MOST_NAMED = 40;

export class Picture {
  #context;
  #model;
  #plan = null;
  #cursor = null;
  #shown = null;

  constructor(context, model, { title, mostHeight, lines, onInspect, describedBy }) {
    this.#context = context;
    this.#model = model;
    this.mostHeight = mostHeight;
    this.lines = lines;
    this.onInspect = onInspect;
    this.canvas = element("canvas", {
      class: "cells",
      tabindex: "0",
      role: "application",
      "aria-describedby": describedBy,
      onkeydown: (event) => this.#key(event),
      onblur: () => this.#point(null),
      onpointermove: (event) => this.#hover(event),
      onpointerdown: (event) => this.#hover(event),
      onpointerleave: () => this.#point(null),
    });
    this.rings = svg("svg", { class: "rings", "aria-hidden": "true" });
    this.pointer = svg("rect", { class: "ring cursor", visibility: "hidden" });
    const above = svg("svg", { class: "rings", "aria-hidden": "true" }, this.pointer);
    this.canvasBox = element("div", { class: "canvas-box" }, this.canvas, this.rings, above);
    this.note = element("p", { class: "picture-note small muted" });
    this.node = element(
      "figure",
      { class: "picture" },
      title && element("figcaption", { class: "picture-title" }, title),
      this.canvasBox,
      title && this.note,
    );
  }

  /** Cells per cache line of 64 bytes, for layouts that know no lines. */
  #groups() {
    const { spec, groups } = this.#model;
    if (this.#model.plannedGroups)
      return this.#model.plannedGroups.map((group, i) => groups[i] ?? { ...group, later: true });
    if (spec.kind === "split") return groups.map((group) => ({ ...group, lanes: true }));
    if (!this.lines || this.#model.lineBits || spec.kind === "window") return groups;
    const perLine = spec.kind === "counting" ? 128 : 512;
    return groups[0].count > perLine ? inLines(groups, perLine) : groups;
  }

  #label(group, index, short) {
    const { t, numbers } = this.#context;
    if (group.later) return t("see.picture.later", { number: index + 1 });
    if (this.#model.spec.kind !== "scalable") return t("see.picture.line", { number: index });
    return t(short ? "see.picture.layer.short" : "see.picture.layer", {
      number: index + 1,
      bits: numbers.count(group.count),
      taken: numbers.count(group.taken),
      capacity: numbers.count(group.capacity),
      hashes: group.hashes,
    });
  }

  /** @param state { values, marks: [{ place, role }] }, role: "probe", "fresh", "kept", "found", "clear", "down" */
  show(state) {
    this.#shown = state;
    const width = this.canvasBox.clientWidth;
    if (width === 0) return;
    const groups = this.#groups();
    const framed = groups.length > 1 || this.#model.lineBits > 0 || this.#model.spec.kind === "scalable";
    this.#plan = arrange(groups, width, this.mostHeight, framed);
    this.canvas.style.height = `${this.#plan.height}px`;
    paintCells(this.canvas, state.values, this.#plan, {
      kind: this.#model.spec.kind,
      newest: this.#model.newest,
      labels: (group, i, short) => this.#label(group, i, short),
    });
    this.#paintRings(state.marks);
    this.#paintPointer();
    this.canvas.setAttribute("aria-label", this.#description(state.values));
  }

  /** What the canvas shows, for those who do not see it. */
  #description(values) {
    const { t, numbers } = this.#context;
    const used = placesInUse(values);
    const sum = t("see.picture.label", { used: numbers.count(used.length), count: numbers.count(values.length) });
    return used.length > 0 && used.length <= MOST_NAMED
      ? `${sum} ${t("see.picture.used", { places: used.join(t("see.comma")) })}`
      : sum;
  }

  #paintRings(marks) {
    const nodes = marks.map(({ place, role }, i) => {
      const ring = this.#ring(place);
      const shape = svg("rect", { ...ring, rx: ring.width * 0.22, class: `ring ${role}` });
      shape.style.setProperty("--order", String(i));
      return shape;
    });
    refill(this.rings, nodes);
  }

  /** Apart from the rings, so that pointing at cells does not play them again. */
  #paintPointer() {
    const shown = this.#cursor !== null && this.#plan;
    this.pointer.setAttribute("visibility", shown ? "visible" : "hidden");
    if (!shown) return;
    const ring = this.#ring(this.#cursor);
    for (const [name, value] of Object.entries({ ...ring, rx: ring.width * 0.22 }))
      this.pointer.setAttribute(name, value);
  }

  #ring(place) {
    const { x, y } = this.#plan.at(place);
    const gap = this.#plan.cell >= 20 ? 3 : this.#plan.cell >= 6 ? 1 : 0;
    const side = this.#plan.cell - gap;
    const size = Math.max(LEAST_RING, side + 4);
    return { x: x + side / 2 - size / 2, y: y + side / 2 - size / 2, width: size, height: size };
  }

  /** The middle of a cell's upper edge, relative to the canvas: where an arrow ends. */
  tip(place) {
    if (!this.#plan) return null;
    const ring = this.#ring(place);
    return { x: ring.x + ring.width / 2, y: ring.y };
  }

  #point(place) {
    if (place === this.#cursor) return;
    this.#cursor = place;
    this.#paintPointer();
    this.onInspect(place, document.activeElement === this.canvas);
  }

  #hover(event) {
    if (!this.#plan) return;
    this.#point(this.#plan.placeAt(event.offsetX, event.offsetY));
  }

  #key(event) {
    const last = this.#model.values.length - 1;
    const at = this.#cursor ?? 0;
    const columns = this.#plan?.columns ?? 1;
    const moves = {
      ArrowRight: at + 1,
      ArrowLeft: at - 1,
      ArrowDown: at + columns,
      ArrowUp: at - columns,
      Home: 0,
      End: last,
    };
    if (event.key === "Escape") return this.#point(null);
    if (!(event.key in moves) || event.ctrlKey || event.altKey || event.metaKey) return undefined;
    event.preventDefault();
    return this.#point(this.#cursor === null ? 0 : Math.min(last, Math.max(0, moves[event.key])));
  }
}
