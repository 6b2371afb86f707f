// Asks a filter for keys that are texts: one by one, or the lines of a file.
import { KeyMaker } from "./keys.js";
import { LineSplitter } from "./lines.js";
import { eachRun } from "./dedupe.js";
import { openSink } from "./sink.js";
import { pieces } from "./source.js";

// A key that does not fit the encoding, or that the original system rejects, is no reason to stop.
const OF_THE_KEY = new Set(["bad_argument", "no_place"]);

/** true: maybe. false: definitely not. A text: why the key cannot be asked. */
export async function ask(opened, { keys, encoding }) {
  const filter = opened.filter ?? opened.remote;
  if (encoding) filter.encoding = encoding;
  const answers = [];
  for (const key of keys) {
    try {
      answers.push(await filter.has(key));
    } catch (error) {
      if (!OF_THE_KEY.has(error.code)) throw error;
      answers.push(error.message);
    }
  }
  return answers;
}

/** Sets the bits of the keys from..to that may be in the filter, and of those that cannot be asked. */
async function answer(filter, keys, from, to, result) {
  let bits;
  try {
    bits = await filter.hasMany({ data: keys.data, offsets: keys.offsets.subarray(from, to + 1) });
  } catch (error) {
    if (!OF_THE_KEY.has(error.code)) throw error;
    if (to - from === 1) {
      result.refused[from >> 3] |= 1 << (from & 7);
      result.why ??= error.message;
      return;
    }
    const middle = (from + to) >> 1;
    await answer(filter, keys, from, middle, result);
    await answer(filter, keys, middle, to, result);
    return;
  }
  for (let i = from; i < to; ++i) {
    if ((bits[(i - from) >> 3] >> ((i - from) & 7)) & 1) result.maybe[i >> 3] |= 1 << (i & 7);
  }
}

/** Asks all lines of a file. The lines of each answer are kept, in order, to be downloaded. */
export async function askList(opened, { file, encoding, options }, { progress, signal }) {
  const filter = opened.filter ?? opened.remote;
  if (encoding) filter.encoding = encoding;
  const sinks = { maybe: await openSink({ expected: file.size }), no: await openSink({ expected: file.size }) };
  const tally = { lines: 0, maybe: 0, no: 0, refused: 0, why: null };
  const splitter = new LineSplitter();
  const maker = new KeyMaker({ ...options, bare: true });
  const take = async (batch) => {
    const size = (batch.count + 7) >> 3;
    const result = { maybe: new Uint8Array(size), refused: new Uint8Array(size), why: null };
    await answer(filter, maker.of(batch), 0, batch.count, result);
    const { maybe, refused, why } = result;
    const write = (name) => (from, to) => {
      tally[name] += to - from;
      return sinks[name]?.write(batch.data.subarray(batch.offsets[from], batch.offsets[to]));
    };
    await eachRun(maybe, batch.count, 1, write("maybe"));
    await eachRun(maybe.map((byte, i) => byte | refused[i]), batch.count, 0, write("no"));
    await eachRun(refused, batch.count, 1, write("refused"));
    tally.lines += batch.count;
    tally.why ??= why;
  };
  try {
    for await (const { bytes, read } of pieces(file, signal)) {
      const batch = splitter.push(bytes);
      if (batch) await take(batch);
      progress({ share: read / file.size, ...tally });
    }
    const last = splitter.finish();
    if (last) await take(last);
    signal.throwIfAborted();
    return { ...tally, maybeLines: await sinks.maybe.close(), noLines: await sinks.no.close() };
  } catch (error) {
    await Promise.all([sinks.maybe.abort(), sinks.no.abort()]);
    throw error;
  }
}
