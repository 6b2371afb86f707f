// The part "See": a Bloom filter that can be watched. Everything that is shown comes from the scene; this file connects
// it with the controls, the clock and the address.
import { element, freshId, refill } from "../shell/elements.js";
import { Arrows } from "./arrows.js";
import { Chart } from "./chart.js";
import { Controls, SPEEDS } from "./controls.js";
import { CHOICES } from "./design.js";
import { Keys } from "./keys.js";
import { Picture } from "./picture.js";
import { rolesOf, valuesOf } from "./roles.js";
import { Scene } from "./scene.js";
import { readState, writeState } from "./state.js";
import { Strip } from "./strip.js";
import { storyOf, storyOfCell } from "./story.js";
import { ended } from "./tour.js";

const PHASE_MS = 1300;
const FILL_SECONDS = 24;
const TICK_MS = 50;
const MOST_TICK_MS = 400; // a tab that was asleep does not catch up

class See {
  constructor(root, context) {
    this.root = root;
    this.context = context;
    this.words = context.t("see.words").split(" ");
    this.peeked = null; // what is being typed
    this.playing = null; // "once": what was typed; "story"; "fill"
    this.timer = 0;
    this.speed = 1;
    this.observer = new ResizeObserver(() => this.resize());
    this.build();
    this.open(readState(context.state.get()));
    this.motion = window.matchMedia("(prefers-reduced-motion: reduce)");
    this.motionChanged = () => { this.pause(); this.show(); };
    this.motion.addEventListener("change", this.motionChanged);
  }

  build() {
    const { t } = this.context;
    const pictureText = freshId("see-picture");
    this.pictureText = pictureText;
    this.controls = new Controls(this.context, {
      view: (view) => this.choose({ view, ...this.usual(view) }),
      size: (size) => this.choose({ size }),
      hashes: (hashes) => this.choose({ hashes }),
      lines: (lines) => { this.lines = lines; this.makePictures(); this.show(); this.save(); },
      act: (type, key) => this.act(type, key),
      typing: (key) => this.peek(key),
      step: () => { this.pause(); this.scene.step(); this.show({ say: true }); },
      play: () => (this.playing === "story" ? this.pause() : this.play("story")),
      fill: () => (this.playing === "fill" ? this.pause() : this.play("fill")),
      speed: (at) => { this.speed = at; if (this.playing) this.play(this.playing); this.show(); },
      undo: () => { this.pause(); this.scene.undo(); this.show({ say: true }); this.save(); },
      restart: () => this.choose({}),
    });
    this.strip = new Strip(this.context);
    this.arrows = new Arrows();
    this.pictures = element("div", { class: "pictures" });
    this.inspected = element("p", { class: "inspected small muted", id: pictureText }, t("see.inspect"));
    this.stage = element("div", { class: "stage" }, this.strip.node, this.pictures, this.arrows.node);
    this.story = element("div", { class: "story notice" });
    this.chart = new Chart(this.context);
    this.keys = new Keys(this.context, (key) => this.act("ask", key));
    refill(this.root,
      element("div", { class: "see-head" }, element("h1", {}, t("see.title")), element("p", { class: "lead" }, t("see.lead"))),
      element("div", { class: "card see-main" }, this.controls.choice,
        element("div", { class: "see-act" }, this.controls.keyForm, this.controls.transport), this.story, this.stage,
        this.inspected, this.controls.calm),
      element("div", { class: "see-below" },
        element("div", { class: "card" }, element("h2", {}, t("see.chart.title")), this.chart.node),
        element("div", { class: "card" }, element("h2", {}, t("see.keys")), this.keys.facts, this.keys.node)));
    this.observer.disconnect();
    this.observer.observe(this.stage);
    this.observer.observe(this.chart.box);
  }

  usual(view) { return { size: CHOICES[view].size, hashes: CHOICES[view].hashes, lines: view === "compare" }; }

  /** A new scene; keys from the address are added silently. */
  open({ view, size, hashes, lines, keys }) {
    this.pause();
    this.scene?.dispose();
    this.scene = new Scene(this.context.bloomery, { view, size, hashes }, this.words);
    this.lines = lines;
    this.scene.preload(keys ?? []);
    this.makePictures();
    this.chart.setScene(this.scene);
    this.show();
  }

  choose(change) {
    const { view, size, hashes } = this.scene;
    this.open({ view, size, hashes, lines: this.lines, ...change });
    this.show({ say: true });
    this.save();
  }

  makePictures() {
    const { t } = this.context;
    const compare = this.scene.models.length > 1;
    this.pictureList = this.scene.models.map((model) => new Picture(this.context, model, {
      title: compare ? t(`see.kind.${model.spec.kind}`) : null, mostHeight: compare ? 430 : 400, lines: this.lines,
      labelledBy: this.pictureText, onInspect: (of, place, say) => this.inspect(of, place, say),
    }));
    refill(this.pictures, this.pictureList.map((one) => one.node));
    this.pictures.classList.toggle("several", compare);
  }

  inspect(model, place, say) {
    const text = place === null ? this.context.t("see.inspect") : storyOfCell(model, place, this.context);
    this.inspected.textContent = text;
    if (say && place !== null) this.context.announce(text);
  }

  /** While a key is typed, its places are shown. */
  peek(key) {
    this.pause();
    this.scene.finish();
    this.peeked = key === "" ? null : this.scene.peek(key);
    this.show();
  }

  act(type, key) {
    if (key === "" && type === "add") {
      key = this.scene.freshWord();
    } else if (key === "") {
      key = this.scene.first.members.keys().next().value ?? this.scene.freshWord();
    }
    this.controls.key.value = key;
    this.pause();
    this.scene.finish();
    try {
      this.scene.begin(type, key);
    } catch (error) {
      this.say({ tone: "error", title: this.context.describeError(error), body: "" });
      return;
    }
    this.save();
    this.play("once");
  }

  /** Plays on: what was typed, the story, or the filling. With reduced motion nothing runs: it is done at once. */
  play(what) {
    this.pause();
    if (this.context.reducedMotion) {
      if (what === "once") this.scene.finish();
      if (what === "fill") while (this.scene.fill(Infinity) > 0);
      this.show({ say: true });
      this.save();
      return;
    }
    this.playing = what;
    if (what === "fill") Object.assign(this, { fillDue: 0, filledAt: performance.now() });
    if (what === "story") this.scene.step();
    this.show({ say: what === "once" && !this.scene.busy });
    this.next();
  }

  next() {
    const wait = this.playing === "fill" ? TICK_MS : (PHASE_MS * (this.scene.busy ? (this.playing === "once" ? 0.5 : 0.8) : 1.6)) / SPEEDS[this.speed];
    this.timer = window.setTimeout(() => this.tick(), wait);
  }

  tick() {
    let goesOn;
    if (this.playing === "fill") {
      const now = performance.now();
      const passed = Math.min(MOST_TICK_MS, now - this.filledAt);
      this.filledAt = now;
      this.fillDue += (this.scene.mostKeys * passed * SPEEDS[this.speed]) / (FILL_SECONDS * 1000);
      const count = Math.floor(this.fillDue);
      this.fillDue -= count;
      goesOn = count === 0 || this.scene.fill(count) > 0;
      if (count === 0) return this.next();
    } else if (this.playing === "once") {
      this.scene.advance();
      goesOn = this.scene.busy;
    } else {
      goesOn = this.scene.step();
    }
    if (!goesOn) this.playing = null;
    this.show({ say: !this.scene.busy && this.playing !== "fill" });
    if (goesOn) this.next();
    else this.save();
    return undefined;
  }

  pause() {
    window.clearTimeout(this.timer);
    const was = this.playing;
    this.playing = null;
    this.peeked = null;
    if (was && this.scene && this.controls.view) this.showControls();
  }

  show({ say = false } = {}) {
    const { models } = this.scene;
    const current = this.peeked ?? this.scene.current;
    const phase = current?.phase ?? 0;
    const compare = models.length > 1;
    models.forEach((model, i) => {
      const event = current?.events[i];
      const roles = rolesOf(event, phase);
      const marks = [...roles].map(([place, role]) => ({ place, role }));
      this.pictureList[i].show({ values: valuesOf(event, phase, model), marks });
      if (compare) this.note(this.pictureList[i], model, event, phase);
    });
    this.stage.classList.toggle("still", this.peeked !== null);
    const event = current?.events[0] ?? null;
    const roles = rolesOf(event, phase);
    this.strip.show(models[0], event, phase, roles, compare);
    if (!compare && event && event.type !== "fill" && phase > 0) this.arrows.draw(this.stage, this.strip, this.pictureList[0], event.probes, roles);
    else this.arrows.clear();
    this.chart.show(this.scene);
    this.keys.show(this.scene);
    this.showControls();
    this.say(storyOf(this.scene, this.context, current), say);
  }

  /** Under each of several pictures: how many cache lines the key needs there. */
  note(picture, model, event, phase) {
    const { t, numbers } = this.context;
    const perLine = model.spec.kind === "counting" ? 128 : 512;
    const lines = event?.places && phase > 0 ? new Set(event.places.map((at) => Math.floor(at / perLine))).size : null;
    const size = numbers.bytes(model.info.byteCount);
    picture.note.textContent = lines === null ? t("see.compare.size", { size }) : t("see.compare.lines", { size, lines });
    if (event?.type === "ask" && phase === 2) picture.note.textContent += ` ${t(event.maybe ? "see.compare.maybe" : "see.compare.no")}`;
    if (event?.type === "cannot" && phase === 2) picture.note.textContent += ` ${t("see.compare.cannot")}`;
  }

  showControls() {
    const { scene } = this;
    this.controls.show({
      view: scene.view, size: scene.size, hashes: scene.hashes, usedHashes: scene.first.info.hashCount, lines: this.lines,
      canLines: ["classic", "counting"].includes(scene.view) && scene.size >= 512, playing: this.playing, speed: this.speed,
      calm: this.context.reducedMotion, canUndo: scene.canUndo,
      ended: ended(scene) && !scene.busy, full: scene.full,
    });
  }

  say({ tone, title, body }, aloud) {
    this.story.className = `story notice ${tone}`;
    refill(this.story, element("p", { class: "story-title" }, title), element("p", {}, body));
    if (aloud) this.context.announce(`${title} ${body}`);
  }

  save() { this.context.state.replace(writeState(this.scene, this.lines)); }

  /** The address changed: by hand, or only because the part is shown again. */
  setState(query) {
    const now = JSON.stringify(readState(writeState(this.scene, this.lines)));
    const next = readState(query);
    if (JSON.stringify(next) !== now) this.open(next);
  }

  /** The same scene in the other language; only the words that come next are others. */
  setLanguage() {
    this.pause();
    this.words = this.context.t("see.words").split(" ");
    this.scene.words = this.words;
    this.build();
    this.makePictures();
    this.chart.setScene(this.scene);
    this.show();
  }

  resize() { if (this.scene) this.show(); }

  unmount() {
    this.pause();
    this.observer.disconnect();
    this.motion.removeEventListener("change", this.motionChanged);
    this.scene.dispose();
  }
}

export function mount(root, context) {
  const see = new See(root, context);
  return {
    setState: (query) => see.setState(query),
    setLanguage: () => see.setLanguage(),
    setVisible: (visible) => { if (!visible) see.pause(); else see.show(); },
    setTheme: () => see.show(),
    unmount: () => see.unmount(),
  };
}

