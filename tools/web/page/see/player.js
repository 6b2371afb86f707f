// The clock: shows what was typed phase by phase, plays the story, or fills the filter. With reduced motion nothing
// runs: it is done at once.

export const SPEEDS = [0.5, 1, 2, 4, 10];

const PHASE_MS = 1300;
const FILL_SECONDS = 24;
const TICK_MS = 50;
const MOST_TICK_MS = 400; // a tab that was asleep does not catch up

export class Player {
  #calm;
  #changed;
  #timer = 0;
  #due = 0; // keys that time has earned, with a fraction
  #filledAt = 0;

  /** @param calm () → whether nothing may move; @param changed ({ say, done }) shows the scene */
  constructor(calm, changed) {
    this.#calm = calm;
    this.#changed = changed;
    this.scene = null;
    this.playing = null; // "once": what was typed; "story"; "fill"
    this.speed = 1;
  }

  play(what) {
    this.pause();
    if (this.#calm()) {
      if (what === "once") this.scene.finish();
      if (what === "fill") while (this.scene.fill(Infinity) > 0);
      this.#changed({ say: true, done: true });
      return;
    }
    this.playing = what;
    this.#due = 0;
    this.#filledAt = performance.now();
    if (what === "story") this.scene.step();
    this.#changed({ say: what === "once" && !this.scene.busy, done: false });
    this.#next();
  }

  setSpeed(at) {
    this.speed = at;
    if (!this.playing) return;
    window.clearTimeout(this.#timer);
    this.#next();
  }

  pause() {
    window.clearTimeout(this.#timer);
    this.playing = null;
  }

  #next() {
    const slow = this.scene.busy ? (this.playing === "once" ? 0.5 : 0.8) : 1.6; // a finished step is worth a longer look
    const wait = this.playing === "fill" ? TICK_MS : (PHASE_MS * slow) / SPEEDS[this.speed];
    this.#timer = window.setTimeout(() => this.#tick(), wait);
  }

  #tick() {
    const goesOn =
      this.playing === "fill" ? this.#fill() : this.playing === "once" ? this.#advance() : this.scene.step();
    if (!goesOn) this.playing = null;
    if (goesOn !== "wait") this.#changed({ say: !this.scene.busy && this.playing !== "fill", done: !goesOn });
    if (goesOn) this.#next();
  }

  #advance() {
    this.scene.advance();
    return this.scene.busy;
  }

  /** As many keys as the time since the last call allows; "wait" if that is none yet. */
  #fill() {
    const now = performance.now();
    const passed = Math.min(MOST_TICK_MS, now - this.#filledAt);
    this.#filledAt = now;
    this.#due += (this.scene.mostKeys * passed * SPEEDS[this.speed]) / (FILL_SECONDS * 1000);
    const count = Math.floor(this.#due);
    this.#due -= count;
    if (count === 0) return "wait";
    return this.scene.fill(count) > 0;
  }
}
