// The way of a key: the key itself, the numbers that the hash makes of it, and the places that they choose. Its chips
// are there from the start, so that nothing moves when a key arrives.
import { element, refill } from "../shell/elements.js";

const MOST_CHIPS = 8;

const hex = (word) => word.toString(16).padStart(4, "0");

export class Strip {
  #context;

  constructor(context) {
    const { t } = context;
    this.#context = context;
    this.key = element("span", { class: "strip-key" });
    this.hash = element("span", { class: "strip-hash" }, t("see.strip.hash"));
    this.chips = element("ol", { class: "chips", "aria-label": t("see.strip.places") });
    this.node = element(
      "div",
      { class: "strip" },
      element(
        "div",
        { class: "strip-head" },
        this.key,
        element("span", { class: "strip-arrow", "aria-hidden": "true" }, "→"),
        this.hash,
        element("span", { class: "strip-arrow", "aria-hidden": "true" }, "→"),
      ),
      this.chips,
    );
  }

  /** How many chips a key of these models gets. */
  static countOf(model) {
    return Math.min(MOST_CHIPS, model.info.hashCount) + (model.lineBits ? 1 : 0);
  }

  /** @param event of the first model, or null; phase 0: only the numbers; @param roles place → role at the end */
  show(model, event, phase, roles, compare) {
    const { t } = this.#context;
    const count = Strip.countOf(model);
    this.chips.classList.toggle("many", count > 5);
    const key = !event ? null : event.type === "fill" ? event.keys.at(-1) : event.key;
    this.key.textContent = key === null ? t("see.strip.key") : key === "" ? t("see.strip.empty") : key;
    this.node.classList.toggle("idle", key === null);
    const chips =
      key === null || event.type === "fill" ? [] : this.#filled(model, event, phase, roles, compare).slice(0, count);
    while (chips.length < count) chips.push(element("li", { class: "chip empty", "aria-hidden": "true" }));
    refill(this.chips, chips);
  }

  #filled(model, event, phase, roles, compare) {
    const { t } = this.#context;
    const chips = [];
    if (model.lineBits && event.words.length) {
      chips.push(
        this.#chip(hex(event.words[0]), phase > 0 ? t("see.strip.line", { number: event.line }) : null, "line"),
      );
    }
    event.probes.forEach((probe, i) => {
      const word =
        probe.word !== undefined
          ? hex(probe.word)
          : model.lineBits && i === 0 && event.words[1] !== undefined
            ? hex(event.words[1])
            : null;
      const place = compare ? "" : phase > 0 ? probe.place : null;
      const chip = this.#chip(word, place, phase > 1 && !compare ? (roles.get(probe.place) ?? "") : "");
      chip.dataset.place = String(probe.place);
      chips.push(chip);
    });
    return chips;
  }

  #chip(word, place, role) {
    return element(
      "li",
      { class: `chip ${role}` },
      word !== null && element("span", { class: "chip-word" }, word),
      element("span", { class: "chip-place" }, place === null ? "?" : String(place)),
    );
  }
}
