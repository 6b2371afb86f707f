// The part "See": a Bloom filter that can be watched. Everything that is shown comes from the scene; this file connects
// it with the controls, the clock and the address.
import { element, refill } from "../shell/elements.js";
import { Chart } from "./chart.js";
import { Controls } from "./controls.js";
import { CHOICES } from "./design.js";
import { Keys } from "./keys.js";
import { Player } from "./player.js";
import { Scene } from "./scene.js";
import { Stage } from "./stage.js";
import { readState, writeState } from "./state.js";
import { storyOf } from "./story.js";
import { ended } from "./tour.js";

class See {
  constructor(root, context) {
    this.root = root;
    this.context = context;
    this.peeked = null; // what is being typed
    this.player = new Player(
      () => context.reducedMotion,
      ({ say, done }) => this.show({ say, save: done }),
    );
    this.observer = new ResizeObserver(() => this.scene && this.show());
    this.build();
    this.open(readState(context.state.get()));
    this.motion = window.matchMedia("(prefers-reduced-motion: reduce)");
    this.motionChanged = () => this.stop();
    this.motion.addEventListener("change", this.motionChanged);
  }

  build() {
    const { t } = this.context;
    const { player } = this;
    const toggle = (what) => (player.playing === what ? this.stop() : this.play(what));
    this.controls = new Controls(this.context, {
      view: (view) =>
        this.choose({
          view,
          size: CHOICES[view].size,
          hashes: CHOICES[view].hashes,
          lines: view === "compare",
        }),
      size: (size) => this.choose({ size }),
      hashes: (hashes) => this.choose({ hashes }),
      lines: (lines) => this.setLines(lines),
      act: (type, key) => this.act(type, key),
      typing: (key) => this.peek(key),
      step: () => this.change((scene) => scene.step()),
      undo: () => this.change((scene) => scene.undo()),
      play: () => toggle("story"),
      fill: () => toggle("fill"),
      speed: (at) => {
        player.setSpeed(at);
        this.showControls();
      },
      restart: () => this.choose({}),
    });
    this.stage = new Stage(this.context);
    this.story = element("div", { class: "story notice" });
    this.chart = new Chart(this.context);
    this.keys = new Keys(this.context, (key) => this.act("ask", key));
    const { choice, keyForm, transport, calm } = this.controls;
    const act = element("div", { class: "see-act" }, keyForm, transport);
    const card = (title, ...nodes) => element("div", { class: "card" }, element("h2", {}, title), nodes);
    refill(
      this.root,
      element(
        "div",
        { class: "see-head" },
        element("h1", {}, t("see.title")),
        element("p", { class: "lead" }, t("see.lead")),
      ),
      element("div", { class: "card see-main" }, choice, act, this.story, this.stage.node, this.stage.inspected, calm),
      element(
        "div",
        { class: "see-below" },
        card(t("see.chart.title"), this.chart.node),
        card(t("see.keys"), this.keys.facts, this.keys.node),
      ),
    );
    this.observer.disconnect();
    this.observer.observe(this.stage.node);
    this.observer.observe(this.chart.box);
  }

  words() {
    return this.context.t("see.words").split(" ");
  }

  /** A new scene; keys from the address are added silently. */
  open({ view, size, hashes, lines, keys = [] }) {
    const scene = new Scene(this.context.bloomery, { view, size, hashes }, this.words());
    scene.preload(keys);
    this.pause();
    this.scene?.dispose();
    this.scene = scene;
    this.player.scene = scene;
    this.lines = lines;
    this.stage.setScene(scene, lines);
    this.chart.setScene(scene);
    this.show();
  }

  choose(change) {
    const { view, size, hashes } = this.scene;
    this.open({ view, size, hashes, lines: this.lines, ...change });
    this.show({ say: true, save: true });
  }

  setLines(lines) {
    this.lines = lines;
    this.stage.setScene(this.scene, lines);
    this.show({ save: true });
  }

  change(how) {
    this.pause();
    how(this.scene);
    this.show({ say: true, save: true });
  }

  /** While a key is typed, its places are shown. */
  peek(key) {
    this.pause();
    this.scene.finish();
    this.peeked = key === "" ? null : this.scene.peek(key);
    this.show();
  }

  /** Adds, asks for or deletes a key. Without one, a word is taken. */
  act(type, typed) {
    const { scene } = this;
    const known = type === "add" ? undefined : scene.first.members.keys().next().value;
    const key = typed !== "" ? typed : (known ?? scene.freshWord());
    this.controls.key.value = key;
    this.pause();
    scene.finish();
    try {
      scene.begin(type, key);
    } catch (error) {
      this.say({ tone: "error", title: this.context.describeError(error), body: "" }, true);
      return;
    }
    this.play("once");
    this.save();
  }

  play(what) {
    this.peeked = null;
    this.player.play(what);
  }

  pause() {
    this.player.pause();
    this.peeked = null;
  }

  stop() {
    this.pause();
    this.show({ save: true });
  }

  show({ say = false, save = false } = {}) {
    const { scene } = this;
    const current = this.peeked ?? scene.current;
    this.stage.show(current, this.peeked !== null);
    this.chart.show(scene);
    this.keys.show(scene);
    this.showControls();
    this.say(storyOf(scene, this.context, current), say);
    if (save) this.save();
  }

  showControls() {
    const { scene, player } = this;
    this.controls.show({
      view: scene.view,
      size: scene.size,
      hashes: scene.hashes,
      usedHashes: scene.first.info.hashCount,
      lines: this.lines,
      canLines: ["classic", "counting"].includes(scene.view) && scene.size >= 512,
      playing: player.playing,
      speed: player.speed,
      calm: this.context.reducedMotion,
      canUndo: scene.canUndo,
      ended: ended(scene) && !scene.busy,
      full: scene.full,
    });
  }

  say({ tone, title, body }, aloud) {
    this.story.className = `story notice ${tone}`;
    refill(this.story, element("p", { class: "story-title" }, title), element("p", {}, body));
    if (aloud) this.context.announce(`${title} ${body}`);
  }

  save() {
    this.context.state.replace(writeState(this.scene, this.lines));
  }

  /** The address changed: by hand, or only because the part is shown again. */
  setState(query) {
    const now = JSON.stringify(readState(writeState(this.scene, this.lines)));
    const next = readState(query);
    if (JSON.stringify(next) !== now) this.open(next);
  }

  /** The same scene in the other language; only the words that come next are others. */
  setLanguage() {
    this.pause();
    this.scene.words = this.words();
    this.build();
    this.stage.setScene(this.scene, this.lines);
    this.chart.setScene(this.scene);
    this.show();
  }

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
    setVisible: (visible) => (visible ? see.show() : see.pause()),
    setTheme: () => see.show(),
    unmount: () => see.unmount(),
  };
}
