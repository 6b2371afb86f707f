// What functions of the C interface leave in memory, as values.
import { BloomeryError } from "./errors.js";
import { structs } from "./structs.js";
import { failure, memory, ok, out, read, u64, withSink, x } from "./wasm.js";

const stopped = 13;
const units = ["bit", "counter", "cell", "first_level_bit"];

export function flag(status) {
  if (status !== 0) throw failure(status);
  return memory().u8[out] !== 0;
}
export function firstBit(status, answers) {
  ok(status);
  return (memory().u8[answers] & 1) !== 0;
}
export function outcomeOf(status) {
  ok(status);
  return memory().data.getUint32(out, true);
}
export function numberOf(status) {
  ok(status);
  return u64(out);
}

export function infoOf(at) {
  const found = read(structs.info, at);
  return {
    kind: found.kind, layout: found.layout, scheme: found.scheme, hash: found.hash,
    seed: memory().data.getBigUint64(at + structs.info.fields.seed[0], true),
    bitCount: found.bit_count, hashCount: found.hash_count, byteCount: found.byte_count,
    itemCapacity: found.item_capacity, targetRate: found.target_rate,
    keyed: found.keyed, canErase: found.can_erase, canCount: found.can_count, intersected: found.intersected,
  };
}

export function statisticsOf(at) {
  const found = read(structs.statistics, at);
  return {
    bitCount: found.bit_count, bitsSet: found.bits_set, fillRatio: found.fill_ratio,
    items: found.items, standardError: found.standard_error, expectedRate: found.expected_rate,
    unit: units[found.unit], unitBits: found.unit_bits,
    saturated: found.saturated, intersected: found.intersected,
  };
}

/** The bytes of a filter, piece by piece, so that the module needs no second copy. */
export function written(handle, how, native) {
  let to = 0;
  let made = null;
  const parts = [];
  if (native) {
    ok(x.bloomery_encoded_size(handle, how, out));
    made = allocated(u64(out));
  }
  let lost = null;
  const status = withSink((part) => {
    try {
      if (made === null) parts.push(part.slice());
      else made.set(part, to);
      to += part.length;
    } catch (error) {
      lost = error;
      throw error;
    }
  }, () => x.web_encode(handle, how));
  if (status === stopped) {
    throw new BloomeryError("out_of_memory", `JavaScript has no memory for the bytes of the filter: ${lost?.message}`);
  }
  ok(status);
  if (made === null) {
    made = allocated(to);
    to = 0;
    for (const part of parts) {
      made.set(part, to);
      to += part.length;
    }
  }
  return made;
}

function allocated(size) {
  try {
    return new Uint8Array(size);
  } catch (error) {
    throw new BloomeryError("out_of_memory", `JavaScript cannot allocate ${size} bytes: ${error.message}`);
  }
}
