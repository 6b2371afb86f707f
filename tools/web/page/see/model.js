// One filter and what is true about it: which keys were really added. Every change returns an event that says what
// happened to which place, and can be undone. There is no page in here: the tests run it in Node.js.
import { makeFilter, mostKeys } from "./design.js";
import { Layers } from "./layers.js";
import { readPayload } from "./payload.js";
import { Places } from "./places.js";
import { interval } from "./rate.js";

const MOST_UNDO = 400;
const PROBES = 2000;

export class Model {
  #bloomery;
  #history = [];
  #probed = 0n;

  constructor(bloomery, spec) {
    this.#bloomery = bloomery;
    this.spec = spec;
    this.filter = makeFilter(bloomery, spec);
    this.info = this.filter.info();
    this.places = new Places(bloomery, this.filter);
    this.layers = spec.kind === "scalable" ? new Layers(bloomery, this.filter) : null;
    this.mostKeys = mostKeys(spec, this.info);
    this.plannedGroups = this.layers ? Layers.planned(this.filter, this.mostKeys) : null;
    /** The keys that were added and not removed: how often, as which arrival, and in which generation of a window. */
    this.members = new Map();
    this.arrivals = 0;
    this.#refresh();
  }

  get canDelete() {
    return this.info.canErase;
  }
  get canUndo() {
    return this.#history.length > 0;
  }
  get keyCount() {
    return this.members.size;
  }

  /** Bits per cache line or block of a key, or 0 if its bits are anywhere. */
  get lineBits() {
    return this.spec.kind === "blocked" || this.spec.kind === "split" ? 512 : 0;
  }

  #refresh() {
    this.bytes = this.filter.toBytes();
    Object.assign(this, { newest: undefined, inNewest: undefined }, readPayload(this.bytes, this.info));
  }

  #remember(keys) {
    const before = new Map();
    for (const key of keys) before.set(key, this.members.get(key));
    this.#history.push({ bytes: this.bytes, before, arrivals: this.arrivals, layers: this.layers?.saved() });
    if (this.#history.length > MOST_UNDO) this.#history.shift();
  }

  #arrived(key, generation) {
    const known = this.members.get(key);
    this.members.delete(key); // to the end of the order
    this.members.set(key, { count: (known?.count ?? 0) + 1, at: this.arrivals, generation });
    this.arrivals += 1;
  }

  /** How the key is found: its places, and the hash words that chose them where there are any. */
  #looked(key) {
    if (this.layers) return this.layers.look(key, this);
    return this.places.chosen(key, this.lineBits);
  }

  add(key) {
    this.#remember([key]);
    const looked = this.#looked(key);
    const before = this.values;
    const layersBefore = this.groups.length;
    const fresh = this.layers ? this.layers.add(key) : this.filter.tryAdd(key);
    const again = this.members.has(key);
    const newestBefore = this.newest;
    this.#arrived(key, newestBefore);
    this.#refresh();
    const grew = this.groups.length > layersBefore;
    const places = this.layers ? this.layers.placesOf(key, this) : looked.places;
    const changed = places.filter((at) => before[at] !== this.values[at]);
    return {
      type: "add",
      key,
      ...looked,
      places,
      before: grew ? null : before,
      after: this.values,
      changed,
      fresh,
      again,
      grew,
      turned: this.newest !== newestBefore,
      probes: this.layers ? places.map((place) => ({ place })) : looked.probes,
    };
  }

  /** Many keys at once; the event names them, but not the places of each. */
  addMany(keys) {
    this.#remember(keys);
    const before = this.values;
    const layersBefore = this.groups.length;
    if (this.spec.kind === "window") this.#addToWindow(keys);
    else {
      if (this.layers) this.layers.addMany(keys);
      else this.filter.addMany(keys);
      for (const key of keys) this.#arrived(key);
    }
    this.#refresh();
    const grew = this.groups.length > layersBefore;
    const changed = [];
    for (let i = 0; i < this.values.length; i += 1) if ((before[i] ?? 0) !== this.values[i]) changed.push(i);
    return { type: "fill", keys, before: grew ? null : before, after: this.values, changed, grew };
  }

  /** One by one, to know the generation of each. */
  #addToWindow(keys) {
    for (const key of keys) {
      this.filter.add(key);
      this.#arrived(key, this.newest);
      this.#refresh();
    }
  }

  ask(key) {
    const looked = this.#looked(key);
    const maybe = this.filter.has(key);
    const clear = this.#clearPlaces(looked, maybe);
    return {
      type: "ask",
      key,
      ...looked,
      before: this.values,
      after: this.values,
      changed: [],
      maybe,
      clear,
      verdict: this.#verdict(key, maybe),
    };
  }

  #clearPlaces(looked, maybe) {
    return maybe ? [] : looked.places.filter((at) => this.values[at] === 0);
  }

  #verdict(key, maybe) {
    const member = this.members.get(key);
    if (this.spec.kind === "window" && member) {
      if (!maybe) return "forgotten";
      return this.#isOld(member) ? "false-positive" : "present";
    }
    if (member) return maybe ? "present" : "false-negative";
    return maybe ? "false-positive" : "absent";
  }

  /** Removes a key, also one that was never added: that is the mistake worth seeing. */
  remove(key) {
    const looked = this.#looked(key);
    const member = this.members.get(key);
    const lostBefore = new Set(this.lost());
    this.#remember([key]);
    const before = this.values;
    const done = this.filter.delete(key);
    if (member && done) {
      if (member.count > 1) this.members.set(key, { ...member, count: member.count - 1 });
      else this.members.delete(key);
    }
    this.#refresh();
    const broken = this.lost().filter((one) => !lostBefore.has(one));
    const changed = looked.places.filter((at) => before[at] !== this.values[at]);
    const verdict = !done ? "refused" : member ? "removed" : "wrong";
    if (!done) this.#history.pop();
    return {
      type: "remove",
      key,
      ...looked,
      before,
      after: this.values,
      changed,
      verdict,
      broken,
      clear: looked.places.filter((at) => before[at] === 0),
    };
  }

  /** Why a filter without counters cannot delete: the places of the key that belong to other keys too. */
  refuse(key) {
    const asked = this.ask(key);
    const shared = this.layers ? [] : asked.places.filter((at) => this.ownersOf(at, key).length > 0);
    return { ...asked, type: "cannot", shared, member: this.members.has(key) };
  }

  /** Keys that were added and that the filter denies: false negatives, or what a window forgot. */
  lost() {
    const keys = [...this.members.keys()];
    return keys.length === 0 ? [] : this.filter.absent(keys);
  }

  /** Whether a window has certainly cleared the generation of a key since. */
  #isOld(member) {
    return this.arrivals - member.at > 8 * this.perGeneration;
  }

  /** The generations of a window that have a stripe in all of these places. */
  sharedGenerations(places) {
    return places.reduce((mask, at) => mask & this.values[at], 255);
  }

  /** The keys that were added and have set this place: in a window, those of the given generations. */
  ownersOf(place, except, generations = 255) {
    if (this.layers) return this.layers.ownersOf(place, this).filter((key) => key !== except);
    const owners = [];
    const inWindow = (member) => !this.#isOld(member) && ((this.values[place] & generations) >> member.generation) & 1;
    for (const [key, member] of this.members) {
      if (key === except || (this.spec.kind === "window" && !inWindow(member))) continue;
      if (this.places.of(key).includes(place)) owners.push(key);
    }
    return owners;
  }

  undo() {
    const last = this.#history.pop();
    if (!last) return false;
    this.filter.dispose();
    this.filter = this.#bloomery.Filter.fromBytes(last.bytes);
    for (const [key, member] of last.before) {
      if (member) this.members.set(key, member);
      else this.members.delete(key);
    }
    this.arrivals = last.arrivals;
    this.layers?.restore(this.filter, last.layers);
    this.#refresh();
    return true;
  }

  /** Queries keys that were never added, each measurement others. All keys of the page are strings, so no integer was
   *  added. The error bar is the interval of a binomial share at 95 %. */
  measure(asked = PROBES) {
    const probes = BigUint64Array.from({ length: asked }, (_, i) => this.#probed + BigInt(i));
    this.#probed += BigInt(asked);
    let maybe = 0;
    for (const byte of this.filter.hasMany(probes)) {
      for (let bits = byte; bits !== 0; bits &= bits - 1) maybe += 1;
    }
    const keys = this.spec.kind === "window" ? this.arrivals : this.keyCount;
    return {
      keys,
      asked,
      maybe,
      rate: maybe / asked,
      exact: this.statistics().expectedRate,
      ...interval(maybe, asked),
    };
  }

  /** The computed rate after each number of keys, for a line. */
  curve(points = 80) {
    const line = [];
    for (let i = 0; i <= points; i += 1) {
      const keys = Math.round((this.mostKeys * i) / points);
      if (line.length && line.at(-1).keys === keys) continue;
      line.push({ keys, rate: keys === 0 ? 0 : this.filter.rateAt(keys) });
    }
    return line;
  }

  statistics() {
    return this.filter.statistics();
  }

  dispose() {
    this.filter.dispose();
    this.places.dispose();
    this.layers?.dispose();
  }
}
