// What a native file says about each place of the array: docs/format.md, "Payload" and "Other kinds".
// The page reads the bits from here and never computes one.

const HEADER = 4096;
const LINE_BITS = 512;

function word(bytes, at) {
  return Number(new DataView(bytes.buffer, bytes.byteOffset + at, 8).getBigUint64(0, true));
}

function readBits(bytes, start, count, into, at) {
  for (let i = 0; i < count; i += 1) into[at + i] = (bytes[start + (i >> 3)] >> (i & 7)) & 1;
}

/** Blocks of the array, as they are drawn: each has a first place, a count, and how many places are in a row. */
function equalGroups(count, size, row) {
  const groups = [];
  for (let start = 0; start < count; start += size) {
    groups.push({ start, count: Math.min(size, count - start), row });
  }
  return groups;
}

const ROWS = {
  blocked: { size: LINE_BITS, row: 64 },
  "split-8x32": { size: 256, row: 32 },
  "split-8x64": { size: LINE_BITS, row: 64 },
  "split-16x32": { size: LINE_BITS, row: 32 },
};

function readBloom(bytes, info) {
  const values = new Uint8Array(info.bitCount);
  readBits(bytes, HEADER, info.bitCount, values, 0);
  const lines = ROWS[info.layout];
  const groups = lines
    ? equalGroups(info.bitCount, lines.size, lines.row)
    : [{ start: 0, count: info.bitCount, row: 0 }];
  return { values, groups };
}

/** Four bits per counter, the low half of a byte first. */
function readCounting(bytes, info) {
  const values = new Uint8Array(info.bitCount);
  for (let i = 0; i < info.bitCount; i += 1) {
    values[i] = (bytes[HEADER + (i >> 1)] >> ((i & 1) * 4)) & 15;
  }
  return { values, groups: [{ start: 0, count: info.bitCount, row: 0 }] };
}

/** One byte per cell, one bit per generation, after a record of seven words (a window of keys keeps no times). */
function readWindow(bytes, info) {
  const start = HEADER + 7 * 8;
  return {
    values: bytes.slice(start, start + info.bitCount),
    groups: [{ start: 0, count: info.bitCount, row: 0 }],
    newest: word(bytes, HEADER),
    inNewest: word(bytes, HEADER + 8),
    perGeneration: word(bytes, 96 + 8),
  };
}

/** The number of layers, four words for each, and then the bits of each in whole words. */
function readScalable(bytes) {
  const layers = word(bytes, HEADER);
  const groups = [];
  let total = 0;
  for (let i = 0; i < layers; i += 1) {
    const at = HEADER + 8 + i * 32;
    const count = word(bytes, at);
    groups.push({
      start: total,
      count,
      row: 0,
      hashes: word(bytes, at + 8) & 0xffff,
      capacity: word(bytes, at + 16),
      taken: word(bytes, at + 24),
    });
    total += count;
  }
  const values = new Uint8Array(total);
  let at = HEADER + 8 + layers * 32;
  for (const group of groups) {
    readBits(bytes, at, group.count, values, group.start);
    at += Math.ceil(group.count / 64) * 8;
  }
  return { values, groups };
}

/** @returns {{values: Uint8Array, groups: Array, newest?: number, inNewest?: number, perGeneration?: number}} */
export function readPayload(bytes, info) {
  switch (info.kind) {
    case "counting":
      return readCounting(bytes, info);
    case "window":
      return readWindow(bytes, info);
    case "scalable":
      return readScalable(bytes);
    default:
      return readBloom(bytes, info);
  }
}

/** The places whose value is not 0. */
export function placesInUse(values) {
  const used = [];
  for (let i = 0; i < values.length; i += 1) if (values[i] !== 0) used.push(i);
  return used;
}

/** The bits that are set in a filter of the classic layout, without an array of all of them. */
export function bitsSet(bytes, count) {
  const set = [];
  for (let at = 0; at < count; at += 8) {
    const byte = bytes[HEADER + (at >> 3)];
    for (let bit = 0; byte >> bit !== 0; bit += 1) if ((byte >> bit) & 1) set.push(at + bit);
  }
  return set;
}
