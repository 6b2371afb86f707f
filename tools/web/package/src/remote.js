// A native file that is not loaded: JavaScript reads the pages that the module asks for.
import { encodingNamed } from "./encodings.js";
import { BloomeryError, shown } from "./errors.js";
import { bitBytes, eachRun } from "./keys.js";
import { checkObject, checkSecret, positive } from "./options.js";
import { infoOf, statisticsOf } from "./results.js";
import { structs } from "./structs.js";
import { memory, ok, out, pointerOut, scoped, u64, x } from "./wasm.js";
import { ready } from "./load.js";

const pageBytes = 4096;
const pagesPerTable = pageBytes / 8; // checksums are read 4 KiB at a time, too
const smallestGap = 16; // pages between two wanted ones that are read rather than asked for separately
const longestRead = 256; // pages
const readsAtOnce = 8;
const mostPages = 16384; // 64 MiB are kept
const keysAtOnce = 16384;
const token = Symbol();

const openNames = new Set(["secret", "encoding"]);
const countNames = new Set(["progress", "signal", "cells"]);

const closed = typeof FinalizationRegistry === "undefined" ? null
  : new FinalizationRegistry((handle) => x.web_remote_close(handle));

/** What reads the file: a Blob, or an object with size and read(). */
function readerOf(source) {
  if (typeof Blob !== "undefined" && source instanceof Blob) {
    return {
      size: source.size,
      read: async (offset, length) => new Uint8Array(await source.slice(offset, offset + length).arrayBuffer()),
    };
  }
  if (source === null || typeof source !== "object" || typeof source.read !== "function" ||
      !Number.isSafeInteger(source.size) || source.size < 0) {
    throw new TypeError(`a source is a Blob or an object with size and read(offset, length), not ${shown(source)}`);
  }
  return source;
}

export class RemoteFilter {
  #handle = 0;
  #source;
  #encoding = 0;
  #name = "bytes";
  #payload;
  #tables = new Map(); // of checksums, by number

  constructor(key, handle, source) {
    if (key !== token) throw new TypeError("open a file with RemoteFilter.open");
    this.#handle = handle;
    this.#source = source;
    closed?.register(this, handle, this);
    this.#payload = this.info().byteCount;
  }

  static async open(source, options = {}) {
    checkObject(options, openNames, "options");
    const secret = checkSecret(options.secret);
    const reader = readerOf(source);
    await ready();
    const page = await exactly(reader, 0, Math.min(pageBytes, reader.size));
    const handle = scoped((scope) => {
      const key = secret === undefined ? 0 : scope.bytes(secret);
      ok(x.web_remote_open(scope.bytes(page), page.length, BigInt(reader.size), key, out));
      return pointerOut();
    });
    const made = new RemoteFilter(token, handle, reader);
    try {
      made.encoding = options.encoding ?? "bytes";
    } catch (error) {
      made.dispose();
      throw error;
    }
    return made;
  }

  get encoding() {
    return this.#name;
  }
  set encoding(name) {
    this.#encoding = encodingNamed(name);
    this.#name = name;
  }

  #open() {
    if (this.#handle === 0) throw new TypeError("the filter was disposed of; open the file again");
    return this.#handle;
  }

  info() {
    const handle = this.#open();
    return scoped((scope) => {
      const at = scope.struct(structs.info);
      ok(x.web_remote_info(handle, at));
      return infoOf(at);
    });
  }

  async has(key) {
    const [bits] = await this.hasMany([key]);
    return (bits & 1) !== 0;
  }

  async hasMany(keys) {
    const digests = this.#digestsOf(keys);
    const count = digests.length / 16;
    const made = new Uint8Array(bitBytes(count));
    for (let first = 0; first < count; first += keysAtOnce) {
      const some = digests.subarray(16 * first, 16 * Math.min(first + keysAtOnce, count));
      made.set(await this.#ask(some), first / 8);
    }
    const valid = keys.validity; // skipped keys have a digest of zeros
    return valid instanceof Uint8Array ? made.map((bits, i) => bits & valid[i]) : made;
  }

  #digestsOf(keys) {
    const digester = x.web_remote_digester(this.#open());
    const parts = [];
    eachRun(keys, this.#encoding, (count) => 16 * count, (struct, first, count, answers) => {
      ok(x.bloomery_digest_many(digester, struct, answers));
      parts.push(memory().u8.slice(answers, answers + 16 * count));
    });
    return joined(parts);
  }

  async #ask(digests) {
    if (x.web_remote_page_count(this.#open()) > mostPages) x.web_remote_forget(this.#handle);
    await this.#fetch(this.#missing(digests));
    return scoped((scope) => {
      const count = digests.length / 16;
      const bits = scope.allocate(bitBytes(count));
      ok(x.web_remote_ask(this.#open(), scope.bytes(digests), count, bits));
      return memory().u8.slice(bits, bits + bitBytes(count));
    });
  }

  #missing(digests) {
    return scoped((scope) => {
      ok(x.web_remote_missing(this.#open(), scope.bytes(digests), digests.length / 16, out, out + 4));
      const at = pointerOut();
      const count = memory().data.getUint32(out + 4, true);
      return Array.from({ length: count }, (_, i) => u64(at + 8 * i));
    });
  }

  /** Reads pages, those near each other together, and passes them on. */
  async #fetch(pages) {
    const reads = [];
    for (const page of pages) {
      const last = reads.at(-1);
      if (last && page - last.end <= smallestGap && page - last.first < longestRead) {
        last.end = page + 1;
        last.pages.push(page);
      } else {
        reads.push({ first: page, end: page + 1, pages: [page] });
      }
    }
    await inTurn(reads, async ({ first, end, pages: wanted }) => {
      const bytes = exactly(this.#source, pageBytes + first * pageBytes, this.#upTo(end) - first * pageBytes);
      const [all] = await Promise.all([bytes, ...this.#tablesOf(wanted)]);
      for (const page of wanted) await this.#put(page, all.subarray((page - first) * pageBytes));
    });
  }

  #upTo(page) {
    return Math.min(page * pageBytes, this.#payload);
  }

  async #put(page, bytes) {
    const size = this.#upTo(page + 1) - page * pageBytes;
    const table = await this.#table(Math.floor(page / pagesPerTable));
    const checksum = new DataView(table.buffer, table.byteOffset).getBigUint64((page % pagesPerTable) * 8, true);
    scoped((scope) => {
      ok(x.web_remote_put(this.#open(), BigInt(page), scope.bytes(bytes.subarray(0, size)), size, checksum));
    });
  }

  #tablesOf(pages) {
    return [...new Set(pages.map((page) => Math.floor(page / pagesPerTable)))].map((number) => this.#table(number));
  }
  #table(number) {
    let found = this.#tables.get(number);
    if (found === undefined) {
      const start = pageBytes + this.#payload + number * pageBytes;
      found = exactly(this.#source, start, Math.min(pageBytes, this.#source.size - start));
      found.catch(() => this.#tables.delete(number));
      if (this.#tables.size >= 4096) this.#tables.clear(); // 16 MiB
      this.#tables.set(number, found);
    }
    return found;
  }

  async statistics(options = {}) {
    checkObject(options, countNames, "options");
    const { progress, signal, cells = 1 } = options;
    positive(cells, "cells");
    signal?.throwIfAborted();
    ok(x.web_remote_count(this.#open(), BigInt(cells)));
    const step = pagesPerTable * pageBytes; // 2 MiB, whose checksums are one table
    const turn = {};
    this.#counting = turn;
    for (let start = 0; start < this.#payload; start += step) {
      const size = Math.min(step, this.#payload - start);
      const table = start / step;
      const tableStart = pageBytes + this.#payload + table * pageBytes;
      const [bytes, sums] = await Promise.all([
        exactly(this.#source, pageBytes + start, size),
        exactly(this.#source, tableStart, Math.min(pageBytes, this.#source.size - tableStart)),
      ]);
      signal?.throwIfAborted();
      if (this.#counting !== turn) {
        throw new BloomeryError("stopped", "a later call of statistics() began before this one had ended");
      }
      scoped((scope) => {
        ok(x.web_remote_add(this.#open(), scope.bytes(bytes), size, scope.bytes(sums), sums.length));
      });
      progress?.((start + size) / this.#payload);
    }
    return scoped((scope) => {
      const at = scope.struct(structs.statistics);
      ok(x.web_remote_counted(this.#open(), at, out));
      const density = new Float64Array(Number(cells));
      const from = pointerOut();
      for (let i = 0; i < density.length; ++i) density[i] = memory().data.getFloat64(from + 8 * i, true);
      return { ...statisticsOf(at), density };
    });
  }
  #counting = null;

  dispose() {
    if (this.#handle !== 0) {
      closed?.unregister(this);
      x.web_remote_close(this.#handle);
      this.#handle = 0;
    }
  }
}
if (Symbol.dispose) {
  Object.defineProperty(RemoteFilter.prototype, Symbol.dispose, { value: RemoteFilter.prototype.dispose });
}

/** Reads all of a range. */
async function exactly(source, offset, length) {
  const bytes = await source.read(offset, length);
  if (!(bytes instanceof Uint8Array) || bytes.length !== length) {
    throw new BloomeryError("io_error",
      `the source returned ${bytes?.length ?? "no"} bytes for the ${length} bytes at ${offset}`);
  }
  return bytes;
}

/** Runs jobs, a few at once. */
async function inTurn(jobs, run) {
  let next = 0;
  const worker = async () => {
    while (next < jobs.length) await run(jobs[next++]);
  };
  await Promise.all(Array.from({ length: Math.min(readsAtOnce, jobs.length) }, worker));
}

function joined(parts) {
  const made = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let to = 0;
  for (const part of parts) {
    made.set(part, to);
    to += part.length;
  }
  return made;
}
