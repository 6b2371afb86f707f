// Arrows from the chips of a key to its cells.
import { refill, svg } from "../shell/elements.js";

const MOST = 16;

export class Arrows {
  constructor() {
    this.node = svg("svg", { class: "arrows", "aria-hidden": "true" });
  }

  clear() {
    this.node.replaceChildren();
  }

  /** @param roles place → role, for the colour */
  draw(stage, strip, picture, roles) {
    const origin = stage.getBoundingClientRect();
    const canvas = picture.canvas.getBoundingClientRect();
    const paths = [];
    for (const chip of strip.chips.querySelectorAll("[data-place]")) {
      const place = Number(chip.dataset.place);
      const tip = picture.tip(place);
      if (!tip || paths.length >= MOST) continue;
      const from = chip.getBoundingClientRect();
      const x1 = from.left + from.width / 2 - origin.left;
      const y1 = from.bottom - origin.top;
      const x2 = canvas.left - origin.left + tip.x;
      const y2 = canvas.top - origin.top + tip.y;
      const bend = Math.max(14, (y2 - y1) * 0.55);
      const role = roles.get(place) ?? "probe";
      const path = svg("path", {
        class: `arrow ${role}`,
        pathLength: role === "probe" ? 1 : null,
        d: `M${x1} ${y1} C${x1} ${y1 + bend} ${x2} ${y2 - bend} ${x2} ${y2}`,
      });
      const head = svg("path", { class: `arrow-head ${role}`, d: `M${x2} ${y2} l-4 -7 h8 z` });
      for (const one of [path, head]) one.style.setProperty("--order", String(paths.length / 2));
      paths.push(path, head);
    }
    refill(this.node, paths);
  }
}
