// What is on the stage: one filter, or three side by side that get the same keys; the step that is being shown; the
// measured points; and the way back. Without timers and without a page: index.js plays it.
import { allowed, specsOf } from "./design.js";
import { Model } from "./model.js";
import { nextAction } from "./tour.js";

/** A key is hashed, its places are shown, and then it happens. */
export const PHASES = ["hash", "places", "done"];
const CHECKPOINTS = 20;
const MOST_UNDO = 400;

export class Scene {
  #history = [];

  constructor(bloomery, { view, size, hashes }, words) {
    const fit = allowed(view, size, hashes);
    Object.assign(this, { view, ...fit, words });
    this.models = specsOf(view, fit.size, fit.hashes).map((spec) => new Model(bloomery, spec));
    this.points = this.models.map(() => []);
    /** { type, key, events: one per model, phase: index into PHASES } or null at the start. */
    this.current = null;
    this.tourAt = 0;
    this.nextWord = 0;
    this.shown = []; // the keys that were added one by one, in order
  }

  get first() {
    return this.models[0];
  }
  get canUndo() {
    return this.#history.length > 0;
  }
  get busy() {
    return this.current !== null && this.current.phase < PHASES.length - 1;
  }
  get keyCount() {
    return this.first.spec.kind === "window" ? this.first.arrivals : this.first.keyCount;
  }
  get mostKeys() {
    return this.first.mostKeys;
  }
  get full() {
    return this.keyCount >= this.mostKeys;
  }

  #save(changes) {
    this.#history.push({
      changes,
      current: this.current,
      points: this.points.map((one) => [...one]),
      tourAt: this.tourAt,
      nextWord: this.nextWord,
      shown: this.shown,
    });
    if (this.#history.length > MOST_UNDO) this.#history.shift();
  }

  /** The i-th key of the word list; after its end the words get numbers. */
  word(i) {
    const round = Math.floor(i / this.words.length);
    const word = this.words[i % this.words.length];
    return round === 0 ? word : `${word} ${round + 1}`;
  }

  #used(key) {
    return this.first.members.has(key) || this.shown.includes(key);
  }

  /** The next key that was never added, without taking it. */
  freshWord() {
    let at = this.nextWord;
    while (this.#used(this.word(at))) at += 1;
    return this.word(at);
  }

  #freshWords(count) {
    const keys = [];
    while (keys.length < count) {
      const key = this.word(this.nextWord);
      this.nextWord += 1;
      if (!this.#used(key)) keys.push(key);
    }
    return keys;
  }

  /** Starts to show `type` ("add", "ask", "remove") of a key: it is done in the filters at once, and shown in phases. */
  begin(type, key) {
    this.#save(false);
    const events = this.models.map((model) => {
      if (type === "remove" && !model.canDelete) return model.refuse(key);
      return model[type](key);
    });
    const changed = events.map((one) => one.type === "add" || (one.type === "remove" && one.verdict !== "refused"));
    this.#history.at(-1).changes = changed;
    if (type === "add") this.shown = [...this.shown, key];
    this.current = { type, key, events, phase: 0 };
    if (changed.some(Boolean)) this.#measure();
    return this.current;
  }

  /** The places of a key that is being typed: nothing happens yet. */
  peek(key) {
    return { type: "ask", key, events: this.models.map((model) => model.ask(key)), phase: 1, peek: true };
  }

  /** The next phase of what is shown. @returns {boolean} whether there was one */
  advance() {
    if (!this.busy) return false;
    this.current = { ...this.current, phase: this.current.phase + 1 };
    return true;
  }

  finish() {
    if (this.current) this.current = { ...this.current, phase: PHASES.length - 1 };
  }

  /** One step of the story: the next phase, or the next thing that happens. @returns {boolean} false at the end */
  step() {
    if (this.advance()) return true;
    const { tourAt } = this; // before parts of the story that have nothing to tell
    const action = nextAction(this);
    if (!action) return false;
    if (action.type === "fill") this.fill(action.count);
    else this.begin(action.type, action.key);
    this.#history.at(-1).tourAt = tourAt;
    if (!action.stay) this.tourAt += 1;
    this.current.told = true;
    return true;
  }

  /** Adds keys of the word list, at most up to the next point of the chart. @returns {number} how many */
  fill(count) {
    const every = Math.max(1, Math.ceil(this.mostKeys / CHECKPOINTS));
    const left = Math.max(0, this.mostKeys - this.keyCount);
    const run = Math.min(count, left, every - (this.keyCount % every));
    if (run <= 0) return 0;
    this.#save(this.models.map(() => true));
    const keys = this.#freshWords(run);
    const events = this.models.map((model) => model.addMany(keys));
    this.current = { type: "fill", key: keys.at(-1), events, phase: PHASES.length - 1 };
    if (this.keyCount % every === 0 || this.full) this.#measure();
    return run;
  }

  #measure() {
    this.models.forEach((model, i) => {
      const point = model.measure();
      this.points[i] = [...this.points[i].filter((one) => one.keys !== point.keys), point].sort(
        (a, b) => a.keys - b.keys,
      );
    });
  }

  /** Keys from the address, without showing them one by one. */
  preload(keys) {
    if (keys.length === 0) return;
    for (const model of this.models) model.addMany(keys);
    this.#measure();
  }

  undo() {
    const last = this.#history.pop();
    if (!last) return false;
    this.models.forEach((model, i) => {
      if (last.changes && last.changes[i]) model.undo();
    });
    this.points = last.points;
    this.tourAt = last.tourAt;
    this.nextWord = last.nextWord;
    this.shown = last.shown;
    this.current = last.current && { ...last.current, phase: PHASES.length - 1 };
    return true;
  }

  dispose() {
    for (const model of this.models) model.dispose();
  }
}
