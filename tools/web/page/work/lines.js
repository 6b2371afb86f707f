// Cuts chunks of bytes into lines. Bytes are never decoded, so invalid UTF-8 passes through unchanged.

const NEWLINE = 10;

/** A line longer than this is refused: it is not a text file, and would not fit into memory twice. */
export const LONGEST_LINE = 64 * 2 ** 20;

export class LongLineError extends Error {
  constructor() {
    super("line too long");
    this.said = ["long_line", {}];
  }
}

/** Whole lines, each with its newline: line i is data[offsets[i]] up to data[offsets[i + 1]]. */
export class LineBatch {
  constructor(data, offsets, count) {
    this.data = data;
    this.offsets = offsets;
    this.count = count;
  }
}

/** push(chunk) returns the lines that are complete; finish() returns the last one, if it had no newline.
 *  A batch is valid until the next call: its arrays are used again. */
export class LineSplitter {
  #rest = new Uint8Array(0);
  #offsets = new Uint32Array(1 << 16);
  #joined = new Uint8Array(0);

  push(chunk) {
    const end = chunk.lastIndexOf(NEWLINE) + 1;
    if (end === 0) {
      this.#keep(chunk);
      return null;
    }
    let data = chunk.subarray(0, end);
    if (this.#rest.length > 0) data = this.#join(this.#rest, data);
    const batch = this.#cut(data);
    this.#rest = chunk.slice(end);
    return batch;
  }

  /** The line that the input ended without a newline gets one, as `bloomery uniq` prints it. */
  finish() {
    if (this.#rest.length === 0) return null;
    const data = this.#join(this.#rest, new Uint8Array([NEWLINE]));
    this.#rest = new Uint8Array(0);
    return this.#cut(data);
  }

  #keep(chunk) {
    if (this.#rest.length + chunk.length > LONGEST_LINE) throw new LongLineError();
    const all = new Uint8Array(this.#rest.length + chunk.length);
    all.set(this.#rest);
    all.set(chunk, this.#rest.length);
    this.#rest = all;
  }

  #join(a, b) {
    const length = a.length + b.length;
    if (this.#joined.length < length) this.#joined = new Uint8Array(Math.max(length, 2 * this.#joined.length));
    this.#joined.set(a);
    this.#joined.set(b, a.length);
    return this.#joined.subarray(0, length);
  }

  #cut(data) {
    let offsets = this.#offsets;
    let count = 0;
    offsets[0] = 0;
    for (let i = 0; i < data.length; ++i) {
      if (data[i] !== NEWLINE) continue;
      ++count;
      if (count === offsets.length) {
        const larger = new Uint32Array(2 * offsets.length);
        larger.set(offsets);
        this.#offsets = offsets = larger;
      }
      offsets[count] = i + 1;
    }
    return new LineBatch(data, offsets.subarray(0, count + 1), count);
  }
}
