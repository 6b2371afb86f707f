// Keys in the memory of the module: one at a time, or in runs that one call takes.
import { shown } from "./errors.js";
import { structs } from "./structs.js";
import { allocate, memory, need, ok, u64, x } from "./wasm.js";

const utf8 = new TextEncoder();
const runLength = 16384; // keys in one call: more gain nothing, and all of it stays in the cache
const runChars = 1 << 22;
const joinedLength = 2048; // strings that are joined
const joinedChars = 1 << 16; // and their length: a larger text would go to a slower part of the engine's heap
const form = { u64: 0, i64: 1, f64: 9, offsets32: 11 };
const typed = new Map([
  [BigUint64Array, 0], [BigInt64Array, 1], [Uint32Array, 2], [Int32Array, 3],
  [Uint16Array, 4], [Int16Array, 5], [Uint8Array, 6], [Int8Array, 7],
]);
const at = structs.keys.fields;

/** Memory that is kept from call to call: `struct` for bloomery_keys, `start` for what they point to. */
const room = {
  owner: null, struct: 0, start: 0, size: 0,
  window: new Uint8Array(0), words: new Uint32Array(0), // all of it
  rest: new Uint8Array(0), // what follows the answers; see restFrom()
};

function reserve(size) {
  if (room.owner !== x) Object.assign(room, { owner: need(), struct: allocate(structs.keys.size), start: 0, size: 0 });
  if (size > room.size) {
    x.free(room.start);
    room.size = 0;
    room.start = 0;
    const wanted = Math.max(65536, size > 1 << 26 ? size : 2 * size);
    room.start = allocate(wanted);
    room.size = wanted;
  }
  if (room.window.length !== room.size || room.window.byteOffset !== room.start) {
    room.window = new Uint8Array(x.memory.buffer, room.start, room.size);
    room.words = new Uint32Array(x.memory.buffer, room.start, room.size >> 2);
  }
  return room.start;
}

/** The room from `offset` on. Kept, because a view costs as much as some keys. */
function restFrom(offset) {
  if (room.rest.byteOffset !== room.start + offset || room.rest.length !== room.size - offset) {
    room.rest = room.window.subarray(offset);
  }
  return room.rest;
}

const takesFloats = (encoding) => encoding === 12 || encoding === 13 || encoding === 19; // f32le, f64le, f64le-canonical

// One key.

/** Where the last key of putKey() is, and how many bytes it has. */
export let keyStart = 0;
export let keySize = 0;

/** Puts a string or bytes into the memory. */
export function putText(key) {
  const length = key.length;
  if (typeof key !== "string") {
    keyStart = reserve(length);
    room.window.set(key);
    keySize = length;
    return;
  }
  const bytes = 3 * length > room.size || room.owner !== x || room.window.length === 0
    ? (reserve(3 * length + 16), room.window) : room.window;
  keyStart = room.start;
  if (length <= 64) { // cheaper than a call into the engine
    const { words } = room;
    const whole = length & ~3;
    let all = 0;
    let i = 0;
    for (; i < whole; i += 4) { // a third faster than one by one
      const a = key.charCodeAt(i);
      const b = key.charCodeAt(i + 1);
      const c = key.charCodeAt(i + 2);
      const d = key.charCodeAt(i + 3);
      all |= a | b | c | d;
      words[i >> 2] = a | b << 8 | c << 16 | d << 24;
    }
    for (; i < length; ++i) {
      const unit = key.charCodeAt(i);
      all |= unit;
      bytes[i] = unit;
    }
    if (all < 128) {
      keySize = length;
      return;
    }
  }
  keySize = utf8.encodeInto(key, bytes).written;
}

/** An integer key as the bigint that the module takes. */
export function integerOf(key) {
  if (typeof key === "bigint") {
    if (BigInt.asUintN(64, key) !== key && BigInt.asIntN(64, key) !== key) {
      throw new RangeError(`an integer key has 64 bits, and ${shown(key)} does not fit`);
    }
    return key;
  }
  if (!Number.isSafeInteger(key)) refuse(key);
  return BigInt(key);
}

export function refuse(key, index) {
  const where = index === undefined ? "" : ` (key ${index})`;
  const advice = typeof key !== "number" ? "" :
    "; pass other numbers as a string, or give the filter the encoding f64le";
  throw new TypeError(
    `a key is a string, a Uint8Array, a bigint or a safe integer, not ${shown(key)}${where}${advice}`);
}

export const isText = (key) => typeof key === "string" || key instanceof Uint8Array;

// Many keys.

/** Calls `visit(struct, first, count, answers)` for runs of keys. `answerBytes(count)` is the room that it needs. */
export function eachRun(keys, encoding, answerBytes, visit) {
  if (keys === null || keys === undefined || (typeof keys !== "object" && typeof keys !== "string")) {
    throw new TypeError(`keys are an array, an iterable, a typed array or packed keys, not ${shown(keys)}`);
  }
  if (typeof keys === "string") throw new TypeError("keys are an array or an iterable, not one string");
  const run = (first, count, set) => {
    const size = (answerBytes(count) + 15) & ~15;
    set(size);
    visit(room.struct, first, count, room.start);
  };
  if (ArrayBuffer.isView(keys)) return eachTypedRun(keys, encoding, run);
  if (Array.isArray(keys)) return eachArrayRun(keys, 0, encoding, run);
  if (keys.offsets !== undefined && keys.data !== undefined) return eachPackedRun(keys, encoding, run);
  if (typeof keys[Symbol.iterator] !== "function") {
    throw new TypeError(`keys are an array, an iterable, a typed array or packed keys, not ${shown(keys)}`);
  }
  let some = [];
  let first = 0;
  for (const key of keys) {
    if (some.push(key) === runLength) {
      eachArrayRun(some, first, encoding, run);
      first += some.length;
      some = [];
    }
  }
  eachArrayRun(some, first, encoding, run);
}

/** Fills the structure; what is not given is zero. */
function describe(count, kind, encoding, data, offsets = 0, dataSize = 0, validity = 0, validityOffset = 0) {
  const view = memory().data;
  const to = room.struct;
  memory().u8.fill(0, to, to + structs.keys.size);
  view.setUint32(to, structs.keys.size, true);
  view.setUint32(to + at.form[0], kind, true);
  view.setUint32(to + at.encoding[0], encoding, true);
  view.setUint32(to + at.count[0], count, true);
  view.setUint32(to + at.data[0], data, true);
  view.setUint32(to + at.offsets[0], offsets, true);
  view.setUint32(to + at.data_size[0], dataSize, true);
  view.setUint32(to + at.validity[0], validity, true);
  view.setUint32(to + at.validity_offset[0], validityOffset, true);
}

function eachTypedRun(keys, encoding, run) {
  const kind = typed.get(keys.constructor) ?? typed.get(Object.getPrototypeOf(keys.constructor));
  if (kind === undefined) {
    if (takesFloats(encoding)) return eachArrayRun(Array.from(keys), 0, encoding, run);
    throw new TypeError(`keys of type ${keys.constructor.name} need the encoding f32le or f64le`);
  }
  const width = keys.BYTES_PER_ELEMENT;
  for (let first = 0; first < keys.length; first += runLength) {
    const count = Math.min(runLength, keys.length - first);
    run(first, count, (answers) => {
      const start = reserve(answers + count * width) + answers;
      memory().u8.set(new Uint8Array(keys.buffer, keys.byteOffset + first * width, count * width), start);
      describe(count, kind, encoding, start);
    });
  }
}

const ends = new Uint32Array(runLength + 1);
const textEnds = new Uint32Array(joinedLength + 1);

function eachArrayRun(keys, offset, encoding, run) {
  for (let first = 0; first < keys.length;) {
    const key = keys[first];
    const last = Math.min(first + (typeof key === "string" ? joinedLength : runLength), keys.length);
    const put = typeof key === "string" ? stringsFrom : isText(key) ? bytesFrom : takesFloats(encoding) ? floatsFrom
      : integersFrom;
    const { count, set } = put(keys, first, last, encoding, offset);
    run(offset + first, count, set);
    first += count;
  }
}

/** Strings from `first` on: joined and encoded in one call, which is three times as fast as one by one. A join by `+`,
 *  four at a time, is faster than join(), and has their lengths at hand. */
function stringsFrom(keys, first, last, encoding) {
  let chars = 0;
  let text = "";
  let i = first;
  for (; i + 4 <= last; i += 4) {
    const a = keys[i];
    const b = keys[i + 1];
    const c = keys[i + 2];
    const d = keys[i + 3];
    if (typeof a !== "string" || typeof b !== "string" || typeof c !== "string" || typeof d !== "string") break;
    if (chars + a.length + b.length + c.length + d.length > joinedChars) break;
    const at = i - first;
    textEnds[at] = chars;
    textEnds[at + 1] = chars += a.length;
    textEnds[at + 2] = chars += b.length;
    textEnds[at + 3] = chars += c.length;
    chars += d.length;
    text = text + a + b + c + d; // to the left: each is then copied from where it is
  }
  for (; i < last && chars <= joinedChars; ++i) {
    const key = keys[i];
    if (typeof key !== "string") break;
    textEnds[i - first] = chars;
    chars += key.length;
    text += key;
  }
  const count = i - first;
  textEnds[count] = chars;
  return { count, set(answers) {
    const offsets = (answers + 3 * chars + 3) & ~3;
    const start = reserve(offsets + textEnds.byteLength);
    const bytes = restFrom(answers);
    let { written } = utf8.encodeInto(text, bytes);
    if (written !== chars) {
      const some = keys.slice(first, i);
      if (!measure(some, written)) written = encodeEach(some, bytes, encoding > 1);
    }
    room.words.set(textEnds, offsets >> 2);
    describe(count, form.offsets32, encoding, start + answers, start + offsets, written);
  } };
}

/** Where each string ends in UTF-8; false if halves of surrogate pairs stand alone, or met when joined. */
function measure(some, written) {
  let bytes = 0;
  for (let i = 0; i < some.length; ++i) {
    textEnds[i] = bytes;
    const key = some[i];
    for (let j = 0; j < key.length; ++j) {
      const unit = key.charCodeAt(j);
      if (unit < 0x80) bytes += 1;
      else if (unit < 0x800) bytes += 2;
      else if (unit < 0xd800 || unit > 0xdfff) bytes += 3;
      else if (unit > 0xdbff || j + 1 === key.length || (key.charCodeAt(j + 1) & 0xfc00) !== 0xdc00) return false;
      else {
        bytes += 4;
        ++j;
      }
    }
  }
  textEnds[some.length] = bytes;
  return bytes === written;
}

/** One by one. Halves of pairs become U+FFFD; encodings of Java get them as they are, and decide themselves. */
function encodeEach(some, bytes, keepHalves) {
  let size = 0;
  some.forEach((key, i) => {
    textEnds[i] = size;
    size += keepHalves ? putHalves(key, bytes, size) : utf8.encodeInto(key, bytes.subarray(size)).written;
  });
  textEnds[some.length] = size;
  return size;
}

/** A string as UTF-8 in which unpaired halves take three bytes each. Returns how many it wrote. */
function putHalves(key, bytes, start) {
  let to = start;
  for (const character of key) {
    const code = character.codePointAt(0);
    if (code < 0xd800 || code > 0xdfff) to += utf8.encodeInto(character, bytes.subarray(to)).written;
    else {
      bytes[to++] = 0xe0 | code >> 12;
      bytes[to++] = 0x80 | code >> 6 & 63;
      bytes[to++] = 0x80 | code & 63;
    }
  }
  return to - start;
}

/** Byte arrays and strings, mixed. */
function bytesFrom(keys, first, last, encoding) {
  let size = 0;
  let i = first;
  for (; i < last && size <= runChars && isText(keys[i]); ++i) size += 3 * keys[i].length;
  const count = i - first;
  return { count, set(answers) {
    const start = reserve(answers + 4 * (count + 1) + size);
    const offsets = start + answers;
    const data = offsets + 4 * (count + 1);
    const { u8 } = memory();
    let to = data;
    for (let j = 0; j < count; ++j) {
      const key = keys[first + j];
      ends[j] = to - data;
      if (typeof key === "string" && encoding > 1) to += putHalves(key, u8, to);
      else if (typeof key === "string") to += utf8.encodeInto(key, u8.subarray(to, to + 3 * key.length)).written;
      else {
        u8.set(key, to);
        to += key.length;
      }
    }
    ends[count] = to - data;
    new Uint32Array(x.memory.buffer, offsets, count + 1).set(ends.subarray(0, count + 1));
    describe(count, form.offsets32, encoding, data, offsets, to - data);
  } };
}

function integersFrom(keys, first, last, encoding, offset) {
  let i = first;
  for (; i < last; ++i) {
    const key = keys[i];
    if (Number.isSafeInteger(key)) continue;
    if (typeof key === "bigint") integerOf(key);
    else if (isText(key)) break;
    else refuse(key, offset + i);
  }
  const count = i - first;
  return { count, set(answers) {
    const start = reserve(answers + 8 * count) + answers;
    const words = new Uint32Array(x.memory.buffer, start, 2 * count);
    const integers = new BigUint64Array(x.memory.buffer, start, count);
    for (let j = 0; j < count; ++j) {
      const key = keys[first + j];
      if (typeof key === "bigint") integers[j] = key;
      else {
        words[2 * j] = key;
        words[2 * j + 1] = Math.floor(key / 4294967296);
      }
    }
    describe(count, form.i64, encoding, start);
  } };
}

function floatsFrom(keys, first, last, encoding, offset) {
  let i = first;
  for (; i < last && typeof keys[i] === "number"; ++i);
  if (i === first) refuse(keys[first], offset + first);
  const count = i - first;
  return { count, set(answers) {
    const start = reserve(answers + 8 * count) + answers;
    new Float64Array(x.memory.buffer, start, count).set(keys.slice(first, i));
    describe(count, form.f64, encoding, start);
  } };
}

/** Arrow's layout. Offsets are checked here, so that a run can be cut out. */
function eachPackedRun({ data, offsets, validity }, encoding, run) {
  if (!(data instanceof Uint8Array) ||
      !(offsets instanceof Int32Array || offsets instanceof Uint32Array || offsets instanceof BigInt64Array)) {
    throw new TypeError("packed keys have data (a Uint8Array) and offsets (Int32Array, Uint32Array or BigInt64Array)");
  }
  if (offsets.length === 0) throw new TypeError("packed keys have one offset more than keys, so at least one");
  const all = offsets.length - 1;
  if (validity !== undefined && !(validity instanceof Uint8Array && validity.length * 8 >= all)) {
    throw new TypeError("the validity of packed keys is a Uint8Array of one bit per key");
  }
  for (let first = 0, count; first < all; first += count) {
    const base = Number(offsets[first]);
    let end = base;
    if (base < 0 || base > data.length) refuseOffset(offsets, first, data.length);
    for (count = 0; count < runLength && first + count < all && end - base <= runChars; ++count) {
      ends[count] = end - base;
      const next = Number(offsets[first + count + 1]);
      if (next < end || next > data.length) refuseOffset(offsets, first + count + 1, data.length);
      end = next;
    }
    ends[count] = end - base;
    run(first, count, (answers) => {
      const start = reserve(answers + 4 * (count + 1) + bitBytes(count) + 1 + (end - base)) + answers;
      const marks = start + 4 * (count + 1);
      const bytes = marks + bitBytes(count) + 1;
      const { u8 } = memory();
      new Uint32Array(x.memory.buffer, start, count + 1).set(ends.subarray(0, count + 1));
      u8.set(data.subarray(base, end), bytes);
      if (validity) u8.set(validity.subarray(first >> 3, (first + count + 7) >> 3), marks);
      describe(count, form.offsets32, encoding, bytes, start, end - base, validity ? marks : 0, first & 7);
    });
  }
}

function refuseOffset(offsets, i, size) {
  const before = i === 0 ? "" : `, after ${offsets[i - 1]},`;
  throw new RangeError(
    `offsets must not decrease or exceed the ${size} bytes of data: offsets[${i}] is ${offsets[i]}${before}`);
}

// Answers.

export const bitBytes = (count) => (count + 7) >> 3;

/** A bitmap of all answers, one bit per key, from a call that answers with a bitmap. */
export function bitmapOf(keys, encoding, call) {
  let made = new Uint8Array(Array.isArray(keys) || ArrayBuffer.isView(keys) ? bitBytes(keys.length) : 64);
  let total = 0;
  eachRun(keys, encoding, bitBytes, (struct, first, count, answers) => {
    ok(call(struct, answers));
    total = first + count;
    if (made.length < bitBytes(total)) {
      const larger = new Uint8Array(Math.max(bitBytes(total), 2 * made.length));
      larger.set(made);
      made = larger;
    }
    const { u8 } = memory();
    if (first % 8 === 0) {
      made.set(u8.subarray(answers, answers + bitBytes(count)), first / 8);
    } else {
      for (let i = 0; i < count; ++i) {
        if (u8[answers + (i >> 3)] >> (i & 7) & 1) made[(first + i) >> 3] |= 1 << ((first + i) & 7);
      }
    }
  });
  return made.length === bitBytes(total) ? made : made.slice(0, bitBytes(total));
}

/** A number per key. */
export function countsOf(keys, encoding, call) {
  const parts = [];
  eachRun(keys, encoding, (count) => 8 * count, (struct, first, count, answers) => {
    ok(call(struct, answers));
    const part = new Float64Array(count);
    for (let i = 0; i < count; ++i) part[i] = u64(answers + 8 * i);
    parts.push(part);
  });
  const made = new Float64Array(parts.reduce((sum, part) => sum + part.length, 0));
  let to = 0;
  for (const part of parts) {
    made.set(part, to);
    to += part.length;
  }
  return made;
}
