// Where a key's bits are. The library is asked, not imitated: the key is added to an empty filter of the same shape,
// and what is set there are its places.
import { bitsSet, placesInUse, readPayload } from "./payload.js";

const WIDE_BITS = 65536; // 16 bits of each hash word: four hexadecimal digits

export class Places {
  #bloomery;
  #scratch;
  #info;
  #known = new Map();
  #wide = [];

  constructor(bloomery, filter) {
    this.#bloomery = bloomery;
    this.#scratch = filter.emptyCopy();
    this.#info = this.#scratch.info();
  }

  /** The places of a key in an empty filter of this shape, in ascending order. */
  of(key) {
    const known = this.#known.get(key);
    if (known) return known;
    this.#scratch.clear();
    this.#scratch.add(key);
    const places = placesInUse(readPayload(this.#scratch.toBytes(), this.#info).values);
    this.#known.set(key, places);
    return places;
  }

  /** The first four hexadecimal digits of each of the key's first `count` hash words, as the library has them: word i
   *  chooses the i-th place, so in an array of 2^16 bits that place is the digits. */
  words(key, count) {
    while (this.#wide.length < count) {
      this.#wide.push(
        this.#bloomery.Filter.create({
          bits: WIDE_BITS,
          hashes: this.#wide.length + 1,
          layout: "classic",
          seed: this.#info.seed,
        }),
      );
    }
    const words = [];
    const seen = new Set();
    for (let i = 0; i < count; i += 1) {
      const filter = this.#wide[i];
      filter.clear();
      filter.add(key);
      const fresh = bitsSet(filter.toBytes(), WIDE_BITS).filter((at) => !seen.has(at));
      if (fresh.length !== 1) return []; // two words with the same 16 bits: one key in thousands
      seen.add(fresh[0]);
      words.push(fresh[0]);
    }
    return words;
  }

  /** The places with the hash words that chose them. A word has no place of its own in a layout with lines: there the
   *  first word chooses the line and the second one the bits in it. */
  chosen(key, linesOf) {
    const places = this.of(key);
    const { bitCount, hashCount } = this.#info;
    if (linesOf) {
      const words = this.words(key, 2);
      return { places, line: Math.floor(places[0] / linesOf), words, probes: places.map((place) => ({ place })) };
    }
    const words = this.words(key, hashCount);
    const probes = words.map((word) => ({ word, place: Math.floor((word / WIDE_BITS) * bitCount) }));
    const same =
      probes.length === hashCount &&
      new Set(probes.map((one) => one.place)).size === places.length &&
      probes.every((one) => places.includes(one.place));
    return { places, words, probes: same ? probes : places.map((place) => ({ place })) };
  }

  dispose() {
    this.#scratch.dispose();
    for (const filter of this.#wide) filter.dispose();
    this.#wide = [];
  }
}
