/** bloomery: Bloom filters, the same bits and files as in C++, Python, Redis and on the command line. */

/** Loads the WebAssembly module. Node.js loads it by itself on first use; browsers and workers must await this once.
 *  `source`: a URL, the bytes, a Response or a compiled module; by default bloomery.wasm beside the script. */
export function ready(source?: string | URL | BufferSource | Response | Promise<Response> | WebAssembly.Module): Promise<void>;

/** A string (hashed as UTF-8), bytes, or an integer: a bigint of 64 bits or a safe integer. Integer 7 is not the string "7". */
export type Key = string | Uint8Array | bigint | number;

/** Strings or bytes laid end to end, as Arrow does: key i is data[offsets[i]] up to data[offsets[i + 1]]. */
export interface PackedKeys {
  data: Uint8Array;
  offsets: Int32Array | Uint32Array | BigInt64Array;
  /** One bit per key, low bits first; 0: the key is skipped. */
  validity?: Uint8Array;
}
export type Keys =
  | readonly Key[] // one type per array is fastest; mixed arrays work
  | Iterable<Key>
  | BigUint64Array | BigInt64Array | Uint32Array | Int32Array | Uint16Array | Int16Array | Uint8Array | Int8Array
  | PackedKeys;

export type Layout = "classic" | "blocked" | "split-8x32" | "split-8x64" | "split-16x32";

export interface FilterOptions {
  /** How many distinct keys it will hold. */
  items?: number | bigint;
  /** The false-positive rate with that many keys; 0.01 if left out. */
  rate?: number;
  /** Instead of a rate: memory in bytes, or the size of the array in bits. */
  bytes?: number | bigint;
  bits?: number | bigint;
  hashes?: number;
  layout?: Layout;
  /** "bloom", "counting,bits=8", "scalable", "window,span=24h", ...: see kinds(). */
  kind?: string;
  /** Another system's filter: "guava", "redisson", ...: see formats(). */
  format?: string;
  seed?: number | bigint;
  /** 16 bytes, for keys that an adversary chooses. */
  secret?: Uint8Array;
  foldable?: boolean;
  /** How another system encodes keys before it hashes them; see encodings(). */
  encoding?: string;
}

export interface ReadOptions {
  /** With what the bytes do not contain: "redisson,bits=9585058,hashes=7". Detected if left out. */
  format?: string;
  secret?: Uint8Array;
  encoding?: string;
  /** Larger filters are refused. */
  largestBytes?: number;
}
export interface WriteOptions { format?: string; comment?: string; keepSecret?: boolean; }

export interface Info {
  kind: string; layout: string; scheme: string; hash: string; seed: bigint;
  bitCount: number; hashCount: number; byteCount: number; itemCapacity: number; targetRate: number;
  keyed: boolean; canErase: boolean; canCount: boolean; intersected: boolean;
}
export interface Statistics {
  bitCount: number; bitsSet: number; fillRatio: number;
  /** Estimated distinct keys (Infinity when saturated), and its standard error. */
  items: number; standardError: number;
  /** The false-positive rate now. */
  expectedRate: number; unit: "bit" | "counter" | "cell" | "first_level_bit"; unitBits: number;
  saturated: boolean; intersected: boolean;
}

export class Filter {
  private constructor();
  static create(options: FilterOptions): Filter;
  /** Throws a BloomeryError for bytes that are not a filter. */
  static fromBytes(bytes: Uint8Array | ArrayBuffer, options?: ReadOptions): Filter;
  /** Separates the stored keys from the others without errors. */
  static cascade(stored: Keys, others: Keys, options?: Pick<FilterOptions, "seed" | "secret">): Filter;

  /** The key encoding in use; can be changed. */
  encoding: string;

  add(key: Key): void;
  /** Adds a key; true if it was definitely new. */
  tryAdd(key: Key): boolean;
  /** false: definitely not in the filter. true: maybe. */
  has(key: Key): boolean;
  /** Removes one occurrence; false if it was definitely not there. Kinds with canErase only. */
  delete(key: Key): boolean;
  count(key: Key): number;

  addMany(keys: Keys): void;
  /** One bit per key, low bits first: 1 if it was definitely new. */
  tryAddMany(keys: Keys): Uint8Array;
  /** One bit per key, low bits first: 0 if it is definitely not in the filter. */
  hasMany(keys: Keys): Uint8Array;
  deleteMany(keys: Keys): Uint8Array;
  countMany(keys: Keys): Float64Array;
  /** The keys that may be in the filter, and those that definitely are not. */
  possible<T extends Key>(keys: readonly T[]): T[];
  absent<T extends Key>(keys: readonly T[]): T[];

  merge(other: Filter): void;
  intersect(other: Filter): void;
  fold(rate: number): void;
  clear(): void;
  copy(): Filter;
  /** An empty filter that can be merged with this one. */
  emptyCopy(): Filter;
  equals(other: Filter): boolean;
  /** null if the two can be merged, else the reason why not. */
  whyIncompatible(other: Filter): string | null;

  info(): Info;
  statistics(): Statistics;
  rateAt(items: number): number;
  /** Everything, also what is specific to the kind, as `bloomery info --json` tells it. */
  describe(format?: string): Record<string, unknown>;

  /** Window filters: sets the time. Scalable filters: makes room. */
  advance(now: number | bigint): void;
  reserve(items: number): void;
  addExceptions(options?: { mostEntries?: number; evictOldest?: boolean }): void;
  reportFalsePositive(key: Key): boolean;

  toBytes(options?: WriteOptions | string): Uint8Array;

  /** Frees the memory; using the filter afterwards throws. */
  dispose(): void;
  [Symbol.dispose](): void;
}

/** A native file that is not loaded: each query reads only the pages that it needs. */
export class RemoteFilter {
  /** `read` returns the bytes of a range, from a File slice, an HTTP range request, ... */
  static open(source: { size: number; read(offset: number, length: number): Promise<Uint8Array> } | Blob,
              options?: { secret?: Uint8Array; encoding?: string }): Promise<RemoteFilter>;
  encoding: string;
  has(key: Key): Promise<boolean>;
  hasMany(keys: Keys): Promise<Uint8Array>;
  info(): Info;
  /** Reads the whole file piece by piece; progress is from 0 to 1. */
  statistics(options?: { progress?: (share: number) => void; signal?: AbortSignal; cells?: number }):
    Promise<Statistics & { density: Float64Array }>;
  dispose(): void;
}

export interface Plan {
  layout: Layout; bits: number; bytes: number; hashes: number; items: number; rate: number;
  expectedRate: number; bitsPerItem: number; itemCapacity: number; meetsRate: boolean;
}
export function plan(options: FilterOptions): Plan;
export function expectedRate(options: { layout: Layout; bits: number; hashes: number; items: number }): number;
/** What other systems' own formulas give: "guava", "go", "redisson", "spark", "textbook", ... */
export function plansOfOthers(options: { items: number; rate: number }): Array<{
  system: string; bits: number; hashes: number; bytes: number;
  /** The exact rate with that many keys of such a filter: often not what was asked. */
  expectedRate: number; refused?: string; }>;
/** Memory in Redis: an array as one bitmap, or a filter split into bitmaps of at most 8 MiB (or largestBitmap), as
 *  `bloomery plan --redis --json` tells it. */
export function redisCost(options: { bits: number; hashes: number } | { items: number; rate: number; largestBitmap?: number }):
  RedisCost;
export interface RedisCost extends Record<string, unknown> {
  shards: number; items_per_shard?: number; bits_per_shard: number; hashes: number;
  bitmap_bytes: number; keys: number; total_bytes: number;
}
/** Size of the other kinds for the same keys and rate. */
export function planOfKind(kind: string, options: { items: number; rate: number }): { bytes: number; bitsPerItem: number; expectedRate: number };
/** "items=10M,rate=0.1%,remove=yes", or the same as an object. As `bloomery advise --json` tells it. */
export function advise(situation: string | Record<string, string | number | boolean>): Record<string, unknown>;

export interface Format { name: string; what: string; keys: string; needs: string; writable: boolean; makeable: boolean; }
export function formats(): Format[];
export function kinds(): string[];
export function layouts(): Layout[];
export function encodings(): string[];
/** The format of a whole file; throws, naming the candidates, if the bytes do not identify one. */
export function detect(bytes: Uint8Array): string;
/** 16 random bytes for `secret`. */
export function randomSecret(): Uint8Array;

export const version: string;
/** "wasm_simd" or "scalar". */
export function kernel(): string;

export type ErrorCode =
  | "bad_argument" | "incompatible" | "memory_refused" | "claim_refused" | "bad_data" | "unsealed" | "unsupported"
  | "no_place" | "filter_full" | "growth_refused" | "io_error" | "out_of_memory" | "stopped" | "internal";
export class BloomeryError extends Error { readonly code: ErrorCode; }
