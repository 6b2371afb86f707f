// The controls: which filter, the key to add, ask or delete, and the buttons that step, play, fill and undo.
import { element, freshId, refill } from "../shell/elements.js";
import { CHOICES, MOST_HASHES, VIEWS } from "./design.js";
import { SPEEDS } from "./player.js";

/** @param on { view, size, hashes, lines, act(type, key), typing(key), step, play, fill, speed, undo, restart } */
export class Controls {
  #context;

  constructor(context, on) {
    this.#context = context;
    this.on = on;
    this.choice = this.#choice();
    this.keyForm = this.#keyForm();
    this.transport = this.#transport();
    this.calm = element("p", { class: "calm small muted" }, context.t("see.calm"));
  }

  #choice() {
    const { t } = this.#context;
    const name = freshId("see-view");
    this.views = VIEWS.map((view) => {
      const input = element("input", { type: "radio", name, value: view, onchange: () => this.on.view(view) });
      return { view, input, node: element("label", {}, input, element("span", {}, t(`see.kind.${view}`))) };
    });
    this.size = this.#slider(t("see.size"), (at) => this.on.size(CHOICES[this.view].sizes[at]));
    this.hashes = this.#slider(t("see.hashes"), (at) => this.on.hashes(at + 1));
    this.lines = element("input", { type: "checkbox", onchange: () => this.on.lines(this.lines.checked) });
    this.linesNode = element("label", { class: "check" }, this.lines, element("span", {}, t("see.lines")));
    return element(
      "div",
      { class: "choice" },
      element(
        "fieldset",
        { class: "segmented kinds" },
        element("legend", {}, t("see.kinds")),
        this.views.map((one) => one.node),
      ),
      element("div", { class: "sliders" }, this.size.node, this.hashes.node, this.linesNode),
    );
  }

  #slider(label, change) {
    const id = freshId("see-slider");
    const input = element("input", {
      type: "range",
      id,
      min: "0",
      max: "8",
      step: "1",
      oninput: () => change(Number(input.value)),
    });
    const output = element("output", { for: id, class: "number" });
    const node = element("div", { class: "slider" }, element("label", { for: id }, label), input, output);
    return { input, output, node };
  }

  #keyForm() {
    const { t } = this.#context;
    const id = freshId("see-key");
    this.key = element("input", {
      id,
      type: "text",
      autocomplete: "off",
      autocapitalize: "off",
      spellcheck: "false",
      maxlength: "60",
      placeholder: t("see.key.example"),
      enterkeyhint: "done",
      oninput: () => this.on.typing(this.key.value),
    });
    const act = (type) => this.on.act(type, this.key.value);
    this.add = element("button", { class: "button primary", type: "submit" }, t("see.add"));
    this.ask = element("button", { class: "button", type: "button", onclick: () => act("ask") }, t("see.ask"));
    this.remove = element("button", { class: "button", type: "button", onclick: () => act("remove") }, t("see.remove"));
    return element(
      "form",
      {
        class: "key-form",
        onsubmit: (event) => {
          event.preventDefault();
          act("add");
        },
      },
      element("div", { class: "field" }, element("label", { for: id }, t("see.key")), this.key),
      element("div", { class: "key-buttons" }, this.add, this.ask, this.remove),
    );
  }

  #transport() {
    const { t } = this.#context;
    const button = (name, run) =>
      element("button", { class: "button", type: "button", onclick: run }, t(`see.do.${name}`));
    this.step = button("step", () => this.on.step());
    this.play = button("play", () => this.on.play());
    this.fill = button("fill", () => this.on.fill());
    this.undo = button("undo", () => this.on.undo());
    this.restart = button("restart", () => this.on.restart());
    this.speed = this.#slider(t("see.speed"), (at) => this.on.speed(at));
    this.speed.input.max = String(SPEEDS.length - 1);
    return element(
      "div",
      { class: "transport" },
      element("div", { class: "transport-buttons" }, this.step, this.play, this.fill, this.undo, this.restart),
      this.speed.node,
    );
  }

  #set(slider, at, most, text) {
    slider.input.max = String(most);
    slider.input.value = String(at);
    slider.input.setAttribute("aria-valuetext", text);
    slider.output.textContent = text;
  }

  /** @param state { view, size, hashes, lines, playing, speed, calm, canUndo, ended, full } */
  show(state) {
    const { t, numbers } = this.#context;
    this.view = state.view;
    const choice = CHOICES[state.view];
    for (const one of this.views) one.input.checked = one.view === state.view;
    this.size.input.disabled = !choice.sizes;
    const sizes = choice.sizes ?? [choice.size];
    const unit = { counting: "counters", window: "keys", scalable: "growing" }[state.view] ?? "bits";
    this.#set(
      this.size,
      Math.max(0, sizes.indexOf(state.size)),
      Math.max(1, sizes.length - 1),
      t(`see.size.${unit}`, { count: numbers.count(state.size) }),
    );
    this.hashes.input.disabled = choice.hashes === null;
    this.#set(
      this.hashes,
      (state.hashes ?? state.usedHashes) - 1,
      Math.max(MOST_HASHES, state.usedHashes) - 1,
      String(state.usedHashes),
    );
    this.linesNode.classList.toggle("gone", !state.canLines);
    this.lines.disabled = !state.canLines;
    this.lines.checked = state.lines;
    this.undo.disabled = !state.canUndo;
    this.step.disabled = state.ended;
    this.play.hidden = state.calm;
    this.play.disabled = state.ended && state.playing !== "story";
    this.fill.disabled = state.full && state.playing !== "fill";
    refill(this.play, t(state.playing === "story" ? "see.do.pause" : "see.do.play"));
    refill(this.fill, t(state.playing === "fill" ? "see.do.fill.stop" : "see.do.fill"));
    this.#set(
      this.speed,
      state.speed,
      SPEEDS.length - 1,
      t("see.speed.times", { times: numbers.decimal(SPEEDS[state.speed], SPEEDS[state.speed] < 1 ? 1 : 0) }),
    );
    this.speed.node.hidden = state.calm;
    this.calm.hidden = !state.calm;
  }
}
