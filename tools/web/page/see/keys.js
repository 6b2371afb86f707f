// The keys that were added, newest first, and the figures of the filter. A key is a button that asks for it.
import { element, refill } from "../shell/elements.js";
import { share } from "./rate.js";

const MOST = 24;

export class Keys {
  #context;

  constructor(context, ask) {
    const { t } = context;
    this.#context = context;
    this.ask = ask;
    this.list = element("ul", { class: "keys", "aria-label": t("see.keys") });
    this.more = element("p", { class: "small muted" });
    this.node = element("div", { class: "keys-box" }, this.list, this.more);
    this.facts = element("dl", { class: "facts" });
  }

  show(scene) {
    const { t, numbers } = this.#context;
    const { first } = scene;
    const keys = [...first.members.keys()].reverse();
    const lost = new Set(scene.models.flatMap((model) => model.lost()));
    const counts = scene.view === "counting";
    refill(
      this.list,
      keys.slice(0, MOST).map((key) => {
        const gone = lost.has(key);
        const times = first.members.get(key).count;
        const label = key === "" ? t("see.strip.empty") : key;
        return element(
          "li",
          {},
          element(
            "button",
            {
              type: "button",
              class: `key ${gone ? (scene.view === "window" ? "forgotten" : "lost") : ""}`,
              onclick: () => this.ask(key),
            },
            label,
            counts && times > 1 && t("see.keys.times", { times }),
            gone &&
              element(
                "span",
                { class: "visually-hidden" },
                t(scene.view === "window" ? "see.keys.forgotten" : "see.keys.lost"),
              ),
          ),
        );
      }),
    );
    this.more.textContent =
      keys.length === 0
        ? t("see.keys.none")
        : keys.length > MOST
          ? t("see.keys.more", { count: numbers.count(keys.length - MOST) })
          : t("see.keys.hint");
    this.#showFacts(scene);
  }

  #showFacts(scene) {
    const { t, numbers } = this.#context;
    if (scene.models.length > 1) return this.#showRates(scene);
    const now = scene.first.statistics();
    const point = scene.points[0].findLast((one) => one.keys === scene.keyCount);
    const rows = [
      ["keys", numbers.count(scene.keyCount)],
      ["fill", numbers.percent(now.fillRatio)],
      ["computed", share(scene.keyCount === 0 ? 0 : scene.first.filter.rateAt(scene.keyCount), numbers)],
      ["now", share(now.expectedRate, numbers)],
      ["measured", point ? share(point.rate, numbers) : t("see.facts.unknown")],
    ];
    return this.#fillFacts(rows.map(([name, value]) => [t(`see.facts.${name}`), value]));
  }

  /** Side by side: what was measured last in each. */
  #showRates(scene) {
    const { t, numbers } = this.#context;
    const rates = scene.models.map((model, i) => {
      const point = scene.points[i].findLast((one) => one.keys <= scene.keyCount);
      return [
        t("see.facts.of", { kind: t(`see.kind.${model.spec.kind}`) }),
        point ? share(point.rate, numbers) : t("see.facts.unknown"),
      ];
    });
    this.#fillFacts([[t("see.facts.keys"), numbers.count(scene.keyCount)], ...rates]);
  }

  #fillFacts(rows) {
    refill(
      this.facts,
      rows.map(([name, value]) =>
        element("div", {}, element("dt", {}, name), element("dd", { class: "number" }, value)),
      ),
    );
  }
}
