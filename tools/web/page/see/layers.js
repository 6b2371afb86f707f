// A scalable filter grows by a layer when the newest one is full. The places of a key in layer i are those that it sets
// when it is the first key of that layer: for this, the file is kept from just before each layer was added.
import { readPayload } from "./payload.js";

export class Layers {
  #bloomery;
  #filter;
  #starts; // the bytes from which the next key begins layer i

  constructor(bloomery, filter) {
    this.#bloomery = bloomery;
    this.#filter = filter;
    this.#starts = [filter.toBytes()];
  }

  /** The layers that it will have with so many keys: so that the picture can keep room for them. */
  static planned(filter, keys) {
    const full = filter.emptyCopy();
    full.addMany(BigUint64Array.from({ length: keys }, (_, i) => BigInt(i)));
    const { groups } = readPayload(full.toBytes(), full.info());
    full.dispose();
    return groups;
  }

  #groups() {
    return readPayload(this.#filter.toBytes(), this.#filter.info()).groups;
  }

  add(key) {
    const before = this.#filter.toBytes();
    const layers = this.#groups().length;
    const fresh = this.#filter.tryAdd(key);
    if (this.#groups().length > layers) this.#starts.push(before);
    return fresh;
  }

  /** In runs that end one key before the newest layer is full, so that no beginning of a layer is missed. */
  addMany(keys) {
    let at = 0;
    while (at < keys.length) {
      const newest = this.#groups().at(-1);
      const run = Math.min(keys.length - at, Math.max(0, newest.capacity - newest.taken - 1));
      if (run > 0) this.#filter.addMany(keys.slice(at, at + run));
      else this.add(keys[at]);
      at += Math.max(1, run);
    }
  }

  /** The key's places in one layer, or null if an earlier layer already answers "maybe" for it. */
  #placesIn(layer, key) {
    const filter = this.#bloomery.Filter.fromBytes(this.#starts[layer]);
    const before = readPayload(filter.toBytes(), filter.info());
    filter.add(key);
    const after = readPayload(filter.toBytes(), filter.info());
    filter.dispose();
    const places = [];
    for (let i = after.groups.at(-1).start; i < after.values.length; i += 1) {
      if ((before.values[i] ?? 0) !== after.values[i]) places.push(i);
    }
    return places.length > 0 ? places : null;
  }

  /** Layer by layer, until one answers "maybe" or there are no more. */
  look(key, { values, groups }) {
    const all = [];
    const answers = [];
    for (let layer = 0; layer < groups.length; layer += 1) {
      const places = this.#placesIn(layer, key);
      if (!places) break;
      all.push(...places);
      const maybe = places.every((at) => values[at] !== 0);
      answers.push({ layer, places, maybe });
      if (maybe) break;
    }
    return { places: all, words: [], probes: all.map((place) => ({ place })), answers };
  }

  /** The places of a key that was just added: in the layer that holds it. */
  placesOf(key, now) {
    const held = this.look(key, now).answers.find((one) => one.maybe);
    return held ? held.places : [];
  }

  /** Thousands of keys: only the latest are looked through. */
  ownersOf(place, model) {
    const latest = [...model.members.keys()].slice(-200);
    return latest.filter((key) => this.placesOf(key, model).includes(place));
  }

  saved() {
    return [...this.#starts];
  }

  restore(filter, starts) {
    this.#filter = filter;
    this.#starts = starts;
  }

  dispose() {
    this.#starts = [];
  }
}
