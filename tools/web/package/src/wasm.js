// The module: its memory, its strings and structures, and what it needs from JavaScript.
import { BloomeryError } from "./errors.js";
import { readNumber, writtenNumber } from "./numbers.js";

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** The exports of the instance; set by attach(). */
export let x = null;
let loader = null;
let views = null; // of the memory; made again when it has grown

/** Says how to load the module when it is first needed. */
export function onFirstUse(load) {
  loader = load;
}
export const isLoaded = () => x !== null;

export function need() {
  if (x === null) {
    loader?.();
    if (x === null) {
      throw new BloomeryError("bad_argument", "the WebAssembly module is not loaded yet; await ready() first");
    }
  }
  return x;
}

export function memory() {
  if (views === null || views.u8.length === 0) {
    const buffer = x.memory.buffer;
    views = { u8: new Uint8Array(buffer), data: new DataView(buffer) };
  }
  return views;
}

let randomSource = globalThis.crypto;
/** Node.js 18 has no global crypto. */
export function useCrypto(source) {
  randomSource ??= source;
}
export function randomBytes(count) {
  return randomSource.getRandomValues(new Uint8Array(count));
}

/** Takes bytes that the module writes; set by the caller of such a function. */
let sink = null;
export function withSink(take, call) {
  sink = take;
  try {
    return call();
  } finally {
    sink = null;
  }
}

// No file, no clock, no environment: the few functions of WASI that are linked in.
const badFile = 8;
const wasi = {
  environ_sizes_get(count, size) {
    memory().data.setUint32(count, 0, true);
    memory().data.setUint32(size, 0, true);
    return 0;
  },
  environ_get: () => 0,
  fd_close: () => badFile,
  fd_seek: () => badFile,
  fd_write: () => badFile,
  fd_read: () => badFile,
  fd_fdstat_get: () => badFile,
  fd_prestat_get: () => badFile,
  fd_prestat_dir_name: () => badFile,
  proc_exit(code) {
    throw new BloomeryError("internal", `the module ended with status ${code}: please report this`);
  },
  random_get(at, count) {
    memory().u8.set(randomBytes(count), at >>> 0);
    return 0;
  },
};
const env = {
  web_take(at, size) {
    try {
      sink(memory().u8.subarray(at >>> 0, (at >>> 0) + size));
      return 0;
    } catch {
      return 1; // no memory for it here
    }
  },
  web_write_number(value, form, digits, at) {
    const text = writtenNumber(value, String.fromCharCode(form), digits);
    return encoder.encodeInto(text, memory().u8.subarray(at >>> 0)).written;
  },
  web_read_number: (at, size) => readNumber(decoder.decode(memory().u8.subarray(at >>> 0, (at >>> 0) + size))),
  ...Object.fromEntries(["exp", "expm1", "log", "log10", "log1p", "log2", "pow"].map((name) => [name, Math[name]])),
};
export const imports = { wasi_snapshot_preview1: wasi, env };

export function attach(instance) {
  x = instance.exports;
  views = null;
  x._initialize();
  out = x.malloc(16) >>> 0;
}

/** Where the module puts results: 16 bytes. */
export let out = 0;

export function text(at) {
  at >>>= 0;
  if (at === 0) return null;
  const { u8 } = memory();
  return decoder.decode(u8.subarray(at, u8.indexOf(0, at)));
}

/** Throws unless the status is 0. */
export function ok(status) {
  if (status !== 0) throw failure(status);
}
export function failure(status) {
  return new BloomeryError(text(x.bloomery_status_name(status)), text(x.bloomery_last_error()));
}

/** A number of 64 bits in the memory, as a Number: exact up to 2^53. */
export function u64(at) {
  const { data } = memory();
  return data.getUint32(at, true) + data.getUint32(at + 4, true) * 4294967296;
}

export function allocate(size) {
  const at = x.malloc(size === 0 ? 1 : size) >>> 0;
  if (at === 0) {
    throw new BloomeryError("out_of_memory", `out of memory: the module cannot allocate ${size} bytes`);
  }
  return at;
}

/** Memory for the time of one call: what it allocates is freed at the end. */
export function scoped(call) {
  need();
  const taken = [];
  const scope = {
    allocate(size) {
      const at = allocate(size);
      taken.push(at);
      return at;
    },
    bytes(value) {
      const at = scope.allocate(value.length);
      memory().u8.set(value, at);
      return at;
    },
    text(value) {
      return scope.bytes(encoder.encode(value + "\0"));
    },
    /** A structure with its size set, the given fields, and zero elsewhere. */
    struct({ size, fields }, values = {}) {
      const at = scope.allocate(size);
      const { u8, data } = memory();
      u8.fill(0, at, at + size);
      data.setUint32(at, size, true);
      for (const name in values) put(fields[name], at, values[name], data);
      return at;
    },
  };
  try {
    return call(scope);
  } finally {
    for (const at of taken) x.free(at);
  }
}

function put([offset, type], at, value, data) {
  if (value === undefined || value === null) return;
  if (type === "u64") data.setBigUint64(at + offset, BigInt.asUintN(64, BigInt(value)), true);
  else if (type === "f64") data.setFloat64(at + offset, value, true);
  else if (type === "bool") data.setUint8(at + offset, value ? 1 : 0);
  else data.setUint32(at + offset, value, true);
}

/** The fields of a structure as an object. */
export function read({ fields }, at) {
  const { data } = memory();
  const found = {};
  for (const name in fields) {
    const [offset, type] = fields[name];
    if (type === "u64") found[name] = u64(at + offset);
    else if (type === "f64") found[name] = data.getFloat64(at + offset, true);
    else if (type === "bool") found[name] = data.getUint8(at + offset) !== 0;
    else if (type === "text") found[name] = text(data.getUint32(at + offset, true));
    else found[name] = data.getUint32(at + offset, true);
  }
  return found;
}

/** The JSON that a function allocates and whose address it puts into `out`. */
export function json(status) {
  ok(status);
  const at = memory().data.getUint32(out, true);
  try {
    return JSON.parse(text(at));
  } finally {
    x.bloomery_free_memory(at);
  }
}

/** The pointer that a function has put into `out`. */
export const pointerOut = () => memory().data.getUint32(out, true);
