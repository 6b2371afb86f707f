// All keys of a set at once: a cascade needs them together.
import { integerOf, isText, refuse } from "./keys.js";
import { shown } from "./errors.js";
import { structs } from "./structs.js";

const utf8 = new TextEncoder();

/** bloomery_keys for all keys. */
export function allTogether(scope, keys) {
  if (keys === null || typeof keys !== "object" || typeof keys[Symbol.iterator] !== "function") {
    throw new TypeError(`the keys of a cascade are an array, a typed array or an iterable, not ${shown(keys)}`);
  }
  const all = Array.isArray(keys) ? keys : Array.from(keys);
  const texts = all.length === 0 || isText(all[0]);
  const odd = all.findIndex((key) => isText(key) !== texts);
  if (odd >= 0) throw new TypeError(`the keys of a cascade are all text or all integers, and key ${odd} is not`);
  return texts ? textsIn(scope, all) : integersIn(scope, all);
}

function textsIn(scope, all) {
  const parts = all.map((key) => (typeof key === "string" ? utf8.encode(key) : key));
  const offsets = new BigInt64Array(all.length + 1);
  const data = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let to = 0;
  parts.forEach((part, i) => {
    data.set(part, to);
    to += part.length;
    offsets[i + 1] = BigInt(to);
  });
  const offsets64 = 12;
  return scope.struct(structs.keys, {
    form: offsets64, count: all.length, data: scope.bytes(data), data_size: data.length,
    offsets: scope.bytes(new Uint8Array(offsets.buffer)),
  });
}

function integersIn(scope, all) {
  const integers = new BigUint64Array(all.length);
  all.forEach((key, i) => {
    if (typeof key !== "number" && typeof key !== "bigint") refuse(key, i);
    integers[i] = integerOf(key);
  });
  return scope.struct(structs.keys, {
    form: 0, count: all.length, data: scope.bytes(new Uint8Array(integers.buffer)),
  });
}
