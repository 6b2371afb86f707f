// The filters that the part Open has open: loaded into memory or, if they are large native files, read in place.
import { cellsFor, DensityCounter } from "./density.js";
import { HEADER, isNative, readHeader } from "./native_header.js";
import { moved, Said } from "./rpc.js";
import { isGzip, unpacked } from "./source.js";

/** A native file larger than this is not loaded: each question reads the pages that it needs. */
export const LOADED_MOST = 32 * 2 ** 20;
const BLOOM = 1; // the only kind that can be read in place
const CELLS = 2048;

/** The largest file that is loaded: it is in memory up to three times while it is read. */
function largestLoaded() {
  return Math.min(2 ** 30, ((globalThis.navigator?.deviceMemory ?? 4) / 8) * 2 ** 30);
}

export class Filters {
  #bloomery;
  #open = new Map();
  #next = 1;

  constructor(bloomery) {
    this.#bloomery = bloomery;
  }

  get(id) {
    return this.#open.get(id);
  }

  /** params: file; format, secret (hexadecimal) and largest (bytes), if the user gave them. */
  async open({ file, format, secret, largest = largestLoaded() }) {
    const options = secret ? { secret: secretBytes(secret) } : {};
    const head = await bytesOf(file.slice(0, HEADER));
    if (file.size === 0) throw new Said("empty_file");
    const native = isNative(head) && (!format || format === "native");
    if (native && head.length === HEADER && file.size > LOADED_MOST && readHeader(head).kind === BLOOM) {
      return this.#openInPlace(file, head, options);
    }
    if (file.size > largest) {
      throw new Said(native ? "too_large_kind" : "too_large", { size: file.size, limit: largest });
    }
    const bytes = await unpackedBytes(file, head, largest);
    const name = format || (native ? "native" : this.#bloomery.detect(bytes));
    const filter = this.#read(bytes, { ...options, format: name, largestBytes: 2 * largest });
    return this.#keep({ filter, file, format: name, header: native ? readHeader(head) : null });
  }

  #read(bytes, options) {
    try {
      return this.#bloomery.Filter.fromBytes(bytes, options);
    } catch (error) {
      error.format = options.format; // known by now, though its parameters may be missing
      throw error;
    }
  }

  async #openInPlace(file, head, options) {
    const remote = await this.#bloomery.RemoteFilter.open(sourceOf(file), options);
    return this.#keep({ remote, file, format: "native", header: readHeader(head) });
  }

  #keep(opened) {
    const id = this.#next++;
    this.#open.set(id, opened);
    return { id, ...this.#described(opened) };
  }

  #described({ filter, remote, file, format, header }) {
    const name = format.split(",")[0];
    const facts = filter ? filter.describe(format) : factsOf(remote.info());
    facts.unit = facts.unit.replaceAll(/[- ]/g, "_");
    const extra = header
      ? { version: header.version, sealed: header.sealed, secret_kept: header.secretKept, comment: header.comment }
      : {};
    const bits = facts.unit === "bits" ? { bits: facts.units, bits_set: facts.units_in_use } : {};
    return {
      name: file?.name ?? "",
      size: file?.size ?? filter.info().byteCount,
      inPlace: !filter,
      format: name,
      encoding: (filter ?? remote).encoding,
      facts: { format: name === "native" ? "bloomery" : name, ...facts, ...bits, ...extra },
    };
  }

  /** How dense each part is; for a file read in place also the statistics, for which all of it is read. */
  async density({ id }, { progress, signal }) {
    const { filter, remote, file, format, header } = this.get(id);
    if (remote) {
      const cells = cellsFor(header.payload, CELLS);
      const { density, ...now } = await remote.statistics({ progress, signal, cells });
      return { shares: density, bitsPerCell: (8 * header.payload) / cells, statistics: statisticsOf(now) };
    }
    const bytes = await nativeBytes(filter, file, format);
    if (!bytes) return countFile(file, progress, signal);
    const { payload } = readHeader(bytes);
    const counter = new DensityCounter(payload, cellsFor(payload, CELLS));
    counter.push(bytes.subarray(HEADER, HEADER + payload));
    const info = filter.info();
    const bits = info.kind === "bloom" ? info.bitCount : 8 * payload;
    const shares = counter.shares(bits);
    return { shares, bitsPerCell: bits / shares.length };
  }

  async merge({ id, other, operation }) {
    const first = this.get(id);
    const second = this.get(other);
    for (const one of [first, second]) {
      if (!one.filter) throw new Said("merge_in_place", { name: one.file.name, limit: LOADED_MOST });
    }
    const result = first.filter.copy();
    try {
      result[operation](second.filter);
    } catch (error) {
      result.dispose();
      throw error;
    }
    return this.#keep({ filter: result, format: first.format, header: null });
  }

  /** The formats in which this filter can be written as it is. Only tried on small ones. */
  targets({ id }) {
    const { filter, remote } = this.get(id);
    if (remote || filter.info().byteCount > 4 * 2 ** 20) return null;
    return this.#bloomery.formats().filter(({ name, writable }) => writable && canWrite(filter, name)).map(({ name }) => name);
  }

  save({ id, format, comment, keepSecret }) {
    const { filter, file, format: now } = this.get(id);
    if (!filter) throw new Said("convert_in_place", { limit: LOADED_MOST });
    const options = { format: format || now };
    if (comment) options.comment = comment;
    if (keepSecret) options.keepSecret = true;
    const bytes = filter.toBytes(options);
    return moved({ bytes, from: file?.name ?? "" }, [bytes.buffer]);
  }

  close({ id }) {
    const opened = this.#open.get(id);
    (opened?.filter ?? opened?.remote)?.dispose();
    this.#open.delete(id);
  }
}

function canWrite(filter, format) {
  try {
    filter.toBytes({ format });
    return true;
  } catch {
    return false;
  }
}

/** Reads a file for a filter in place. While all of it is counted, 2 MiB at a time, each piece is given back when the
 *  next one is asked for: the garbage collector would let hundreds of megabytes pile up. */
function sourceOf(file) {
  let last = null;
  return {
    size: file.size,
    async read(offset, length) {
      const bytes = await bytesOf(file.slice(offset, offset + length));
      if (length > 2 ** 20) {
        last?.transfer?.(0); // detached, and free at once
        last = bytes.buffer;
      }
      return bytes;
    },
  };
}

/** The whole file; unpacked, if it is packed with gzip. */
async function unpackedBytes(file, head, largest) {
  if (!isGzip(head)) return bytesOf(file);
  const parts = [];
  let size = 0;
  for await (const { bytes } of unpacked(file)) {
    parts.push(bytes);
    size += bytes.length;
    if (size > largest) throw new Said("too_large", { size, limit: largest });
  }
  return bytesOf(new Blob(parts));
}

async function bytesOf(blob) {
  try {
    return new Uint8Array(await blob.arrayBuffer());
  } catch (error) {
    throw new Said("unreadable", { why: error.message });
  }
}

/** The filter as a native file, whose bits lie in order; null if there is none, or if it would take too much memory. */
async function nativeBytes(filter, file, format) {
  if (filter.info().byteCount > 256 * 2 ** 20) return null;
  try {
    return filter.toBytes({ format: "native" });
  } catch {
    return null;
  }
}

/** A file as it is: its few bytes that are not bits do not show in the picture of a large one. */
async function countFile(file, progress, signal) {
  const cells = cellsFor(file.size, CELLS);
  const counter = new DensityCounter(file.size, cells);
  for (let at = 0; at < file.size; at += LOADED_MOST / 8) {
    signal.throwIfAborted();
    counter.push(await bytesOf(file.slice(at, at + LOADED_MOST / 8)));
    progress(at / file.size);
  }
  return { shares: counter.shares(), bitsPerCell: (8 * file.size) / cells };
}

/** As the command reads it: two numbers of 16 digits, whose bytes go in with the lowest first. */
function secretBytes(hex) {
  if (!/^[0-9a-fA-F]{32}$/.test(hex)) throw new Said("bad_secret");
  const view = new DataView(new ArrayBuffer(16));
  for (const half of [0, 1]) view.setBigUint64(8 * half, BigInt(`0x${hex.slice(16 * half, 16 * half + 16)}`), true);
  return new Uint8Array(view.buffer);
}

/** The names of `bloomery info --json`, for a filter that is read in place. */
function factsOf(info) {
  return {
    kind: info.kind,
    layout: info.layout,
    hashes: info.hashCount,
    bytes: info.byteCount,
    scheme: info.scheme,
    hash: info.hash,
    seed: String(info.seed),
    item_capacity: info.itemCapacity,
    target_rate: info.targetRate,
    unit: "bits",
    units: info.bitCount,
    bits_per_unit: 1,
    intersected: info.intersected,
  };
}

function statisticsOf(now) {
  return {
    units_in_use: now.bitsSet,
    bits_set: now.bitsSet,
    fill_ratio: now.fillRatio,
    estimated_items: now.items,
    standard_error: now.standardError,
    saturated: now.saturated,
    expected_rate: now.expectedRate,
  };
}
