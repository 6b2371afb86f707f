// The stage: the way of the key at hand, the picture of each filter, and the arrows between them.
import { element, freshId, refill } from "../shell/elements.js";
import { Arrows } from "./arrows.js";
import { Picture } from "./picture.js";
import { rolesOf, valuesOf } from "./roles.js";
import { storyOfCell } from "./story.js";
import { Strip } from "./strip.js";

const MOST_HEIGHT = 400;
const MOST_HEIGHT_EACH = 430; // side by side

export class Stage {
  #context;
  #list = [];
  #models = [];

  constructor(context) {
    this.#context = context;
    this.strip = new Strip(context);
    this.arrows = new Arrows();
    this.pictures = element("div", { class: "pictures" });
    this.inspected = element(
      "p",
      { class: "inspected small muted", id: freshId("see-picture") },
      context.t("see.inspect"),
    );
    this.node = element("div", { class: "stage" }, this.strip.node, this.pictures, this.arrows.node);
  }

  setScene(scene, lines) {
    const { t } = this.#context;
    const several = scene.models.length > 1;
    this.#models = scene.models;
    this.#list = scene.models.map((model) => {
      const title = several ? t(`see.kind.${model.spec.kind}`) : null;
      const mostHeight = several ? MOST_HEIGHT_EACH : MOST_HEIGHT;
      const onInspect = (place, say) => this.#inspect(model, place, say);
      return new Picture(this.#context, model, {
        title,
        mostHeight,
        lines,
        describedBy: this.inspected.id,
        onInspect,
      });
    });
    refill(this.pictures, ...this.#list.map((one) => one.node));
    this.pictures.classList.toggle("several", several);
  }

  /** @param current what the scene shows, or a key that is being typed; @param still nothing is animated */
  show(current, still) {
    const phase = current?.phase ?? 0;
    const several = this.#list.length > 1;
    this.node.classList.toggle("still", still);
    this.#list.forEach((picture, i) => {
      const event = current?.events[i];
      const marks = [...rolesOf(event, phase)].map(([place, role]) => ({ place, role }));
      picture.show({ values: valuesOf(event, phase, this.#models[i]), marks });
      if (several) this.#note(picture, this.#models[i], event, phase);
    });
    const event = current?.events[0] ?? null;
    const roles = rolesOf(event, phase);
    this.strip.show(this.#models[0], event, phase, roles, several);
    const places = event !== null && event.type !== "fill" && phase > 0;
    if (places && !several) this.arrows.draw(this.node, this.strip, this.#list[0], roles);
    else this.arrows.clear();
  }

  #inspect(model, place, say) {
    const text = place === null ? this.#context.t("see.inspect") : storyOfCell(model, place, this.#context);
    this.inspected.textContent = text;
    if (say && place !== null) this.#context.announce(text);
  }

  /** Under each of several pictures: how many cache lines the key needs there, and the answer. */
  #note(picture, model, event, phase) {
    const { t, numbers, language } = this.#context;
    const size = numbers.bytes(model.info.byteCount);
    const perLine = model.spec.kind === "counting" ? 128 : 512;
    const said = [];
    if (event?.places && phase > 0) {
      const lines = new Set(event.places.map((at) => Math.floor(at / perLine))).size;
      said.push(t("see.compare.lines", { size, lines }));
    } else {
      said.push(t("see.compare.size", { size }));
    }
    if (phase === 2 && event.type === "ask") said.push(t(event.maybe ? "see.compare.maybe" : "see.compare.no"));
    if (phase === 2 && event.type === "cannot") said.push(t("see.compare.cannot"));
    picture.note.textContent = said.join(language === "zh" ? "" : " ");
  }
}
