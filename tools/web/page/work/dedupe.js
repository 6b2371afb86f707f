// Lines once, in order, as `bloomery uniq` prints them: one pass, and a filter that grows instead of a table of lines.
import { KeyMaker } from "./keys.js";
import { LineSplitter } from "./lines.js";
import { Said } from "./rpc.js";
import { openSink } from "./sink.js";
import { pieces } from "./source.js";

const MOST_REPEATED = 8_000_000; // entries of a Map; V8 takes 16 million
const latin1 = new TextDecoder("latin1"); // one character for each byte: any key can be the key of a Map

/** How many lines to make room for at first. If more come, the filter grows and keeps its rate. */
function firstLayer(size) {
  return Math.max(1000, Math.min(10_000_000, Math.round(size / 32)));
}

function isSet(bits, i) {
  return (bits[i >> 3] >> (i & 7)) & 1;
}

/** Calls use(from, to) for each run of lines whose bit is `wanted`. */
export async function eachRun(bits, count, wanted, use) {
  let i = 0;
  while (i < count) {
    while (i < count && isSet(bits, i) !== wanted) ++i;
    const from = i;
    while (i < count && isSet(bits, i) === wanted) ++i;
    if (i > from) {
      const wait = use(from, i);
      if (wait) await wait;
    }
  }
}

export function countOnes(bits, count) {
  let ones = 0;
  for (let i = 0; i < count; ++i) ones += isSet(bits, i);
  return ones;
}

/** The bits of those that are not set in `bits`. */
function inverted(bits) {
  return bits.map((byte) => ~byte);
}

/** One pass over a file: calls take(batch, keys) for each batch of lines. */
async function pass(file, options, { progress, signal }, take) {
  const splitter = new LineSplitter();
  const keys = new KeyMaker(options);
  for await (const { bytes, read } of pieces(file, signal)) {
    const batch = splitter.push(bytes);
    if (batch) await take(batch, keys.of(batch));
    progress(read);
  }
  const last = splitter.finish();
  if (last) await take(last, keys.of(last));
}

/** The four things that can be printed; each is a class with take(batch, keys) and, if it needs a second pass, again(). */
class Once {
  constructor(run) {
    this.run = run;
    this.seen = run.newFilter();
  }
  filters() {
    return [this.seen];
  }
  async take(batch, keys) {
    const fresh = this.seen.tryAddMany(keys);
    this.run.count(batch, fresh);
    await this.print(batch, fresh, 1);
  }
  print(batch, bits, wanted) {
    const { data, offsets, count } = batch;
    return eachRun(bits, count, wanted, (from, to) => this.run.write(data.subarray(offsets[from], offsets[to]), to - from));
  }
}

/** Every line that was seen before, each time. */
class Again extends Once {
  async take(batch, keys) {
    const fresh = this.seen.tryAddMany(keys);
    this.run.count(batch, fresh);
    await this.print(batch, fresh, 0);
  }
}

/** Lines that occur more than once, once each. */
class Repeated extends Once {
  constructor(run) {
    super(run);
    this.told = run.newFilter();
  }
  filters() {
    return [this.seen, this.told];
  }
  async take(batch, keys) {
    const fresh = this.seen.tryAddMany(keys);
    this.run.count(batch, fresh);
    const repeated = inverted(fresh);
    const first = this.told.tryAddMany({ ...keys, validity: repeated });
    await this.print(batch, first.map((byte, i) => byte & repeated[i]), 1);
  }
}

/** Each line once, after how often it occurs. The first pass counts those that repeat; the second prints. */
class Counts extends Once {
  repeats = new Map();

  take(batch, keys) {
    const fresh = this.seen.tryAddMany(keys);
    this.run.count(batch, fresh);
    for (let i = 0; i < batch.count; ++i) {
      if (isSet(fresh, i)) continue;
      const key = latin1.decode(keys.data.subarray(keys.offsets[i], keys.offsets[i + 1]));
      const before = this.repeats.get(key);
      if (before === undefined && this.repeats.size === MOST_REPEATED) throw new Said("many_repeats", { count: MOST_REPEATED });
      this.repeats.set(key, (before ?? 0) + 1);
    }
  }
  startAgain() {
    this.seen.dispose();
    this.seen = this.run.newFilter(); // the same again: it gives the same answers
  }
  async takeAgain(batch, keys) {
    const fresh = this.seen.tryAddMany(keys);
    const { data, offsets } = batch;
    for (let i = 0; i < batch.count; ++i) {
      if (!isSet(fresh, i)) continue;
      const key = latin1.decode(keys.data.subarray(keys.offsets[i], keys.offsets[i + 1]));
      const count = 1 + (this.repeats.get(key) ?? 0);
      const label = new TextEncoder().encode(`${String(count).padStart(7)} `); // as uniq(1) does
      await this.run.write(label, 0);
      await this.run.write(data.subarray(offsets[i], offsets[i + 1]), 1);
    }
  }
}

const MODES = { once: Once, again: Again, repeated: Repeated, counts: Counts };

/** params: file, mode, rate, options (of KeyMaker), handle (where to write, if the user picked a file). */
export async function dedupe(bloomery, params, { progress, signal }) {
  const { file, mode, rate, options, handle } = params;
  const started = performance.now();
  const sink = await openSink({ handle, expected: file.size });
  const tally = { lines: 0, distinct: 0, printed: 0 };
  const run = {
    newFilter: () => bloomery.Filter.create({ kind: "scalable,fast=yes", items: firstLayer(file.size), rate }),
    count(batch, fresh) {
      tally.lines += batch.count;
      tally.distinct += countOnes(fresh, batch.count);
    },
    write(bytes, lines) {
      tally.printed += lines;
      return sink.write(bytes);
    },
  };
  let last = 0;
  const work = new MODES[mode](run);
  const passes = work.takeAgain ? 2 : 1;
  const tell = (done) => (read) => {
    const now = performance.now();
    if (now - last < 100) return;
    last = now;
    progress({ share: (done + read / Math.max(1, file.size)) / passes, seconds: (now - started) / 1000, ...tally });
  };
  try {
    await pass(file, options, { progress: tell(0), signal }, (batch, keys) => work.take(batch, keys));
    if (work.takeAgain) {
      work.startAgain();
      await pass(file, options, { progress: tell(1), signal }, (batch, keys) => work.takeAgain(batch, keys));
    }
    signal.throwIfAborted();
    const memory = work.filters().reduce((sum, filter) => sum + filter.info().byteCount, 0);
    const written = sink.written;
    const result = await sink.close();
    return { ...tally, ...result, written, memory, seconds: (performance.now() - started) / 1000 };
  } catch (error) {
    await sink.abort();
    throw error;
  } finally {
    for (const filter of work.filters()) filter.dispose();
  }
}
