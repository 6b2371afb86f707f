// How many bits are set in each part of an array of bytes.

function onesOf(word) {
  word -= (word >>> 1) & 0x55555555;
  word = (word & 0x33333333) + ((word >>> 2) & 0x33333333);
  return Math.imul((word + (word >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

/** How many cells a picture of so many bytes has: at least four bytes each, at most `most`. */
export function cellsFor(bytes, most) {
  return Math.max(1, Math.min(most, Math.floor(bytes / 4)));
}

/** Counts bytes that come piece by piece; cell i is bytes floor(i * size / cells) and on. */
export class DensityCounter {
  #ones;
  #size;
  #at = 0;
  #cell = 0;

  constructor(size, cells) {
    this.#size = size;
    this.#ones = new Float64Array(cells);
  }

  #end(cell) {
    return Math.floor(((cell + 1) * this.#size) / this.#ones.length);
  }

  push(bytes) {
    let cell = this.#cell;
    let i = 0;
    while (i < bytes.length) {
      const stop = Math.min(bytes.length, this.#end(cell) - this.#at);
      let ones = 0;
      for (; i + 4 <= stop; i += 4) {
        ones += onesOf(bytes[i] | (bytes[i + 1] << 8) | (bytes[i + 2] << 16) | (bytes[i + 3] << 24));
      }
      for (; i < stop; ++i) ones += onesOf(bytes[i]);
      this.#ones[cell] += ones;
      if (cell + 1 === this.#ones.length || this.#end(cell) > this.#at + stop) break;
      ++cell;
    }
    this.#cell = cell;
    this.#at += bytes.length;
  }

  /** The share of ones in each cell. `bits`: how many the array has, if its last word is not all in use. */
  shares(bits = 8 * this.#size) {
    return this.#ones.map((ones, cell) => {
      const start = cell === 0 ? 0 : 8 * this.#end(cell - 1);
      return ones / Math.max(1, Math.min(bits, 8 * this.#end(cell)) - start);
    });
  }
}

/** The means of so many neighbours each. */
function grouped(shares, size) {
  const groups = [];
  for (let at = 0; at + size <= shares.length; at += size) {
    let sum = 0;
    for (let i = at; i < at + size; ++i) sum += shares[i];
    groups.push(sum / size);
  }
  return groups;
}

/** What the picture says in words. Chance alone lets a cell be this far from the mean: that depends on its bits, so small
 *  cells are also looked at in groups. */
export function evenness(shares, bitsPerCell) {
  let least = 1;
  let most = 0;
  for (const share of shares) {
    least = Math.min(least, share);
    most = Math.max(most, share);
  }
  const [mean] = grouped(shares, shares.length);
  let uneven = false;
  for (let size = 1; 2 * size <= shares.length; size *= 4) {
    const chance = Math.sqrt((mean * (1 - mean)) / (bitsPerCell * size));
    // Blocks of a blocked layout have up to 16 times the variance of single bits; what no eye sees is not told.
    const limit = Math.max(0.03, 4 * 6 * chance);
    uneven ||= grouped(shares, size).some((share) => Math.abs(share - mean) > limit);
  }
  return { least, most, mean, uneven };
}
