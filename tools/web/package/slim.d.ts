/** bloomery/slim: plain Bloom filters in a quarter of the size. The bits and files are those of bloomery. */
import type { BloomeryError as Failure, FilterOptions, Info, Key, Keys, Layout, Plan, Statistics, WriteOptions } from "./index.js";

export type { ErrorCode, Info, Key, Keys, Layout, PackedKeys, Plan, Statistics } from "./index.js";

/** As for bloomery, but with slim.wasm. */
export function ready(source?: string | URL | BufferSource | Response | Promise<Response> | WebAssembly.Module): Promise<void>;

export type SlimOptions = Omit<FilterOptions, "kind" | "format" | "encoding">;

/** A Bloom filter of one of the five layouts. Each method does what it does in bloomery. */
export class Filter {
  private constructor();
  static create(options: SlimOptions): Filter;
  /** Native files of plain Bloom filters. */
  static fromBytes(bytes: Uint8Array | ArrayBuffer, options?: { secret?: Uint8Array; largestBytes?: number }): Filter;

  add(key: Key): void;
  tryAdd(key: Key): boolean;
  has(key: Key): boolean;
  addMany(keys: Keys): void;
  tryAddMany(keys: Keys): Uint8Array;
  hasMany(keys: Keys): Uint8Array;
  possible<T extends Key>(keys: readonly T[]): T[];
  absent<T extends Key>(keys: readonly T[]): T[];

  merge(other: Filter): void;
  intersect(other: Filter): void;
  clear(): void;
  copy(): Filter;
  emptyCopy(): Filter;
  equals(other: Filter): boolean;
  whyIncompatible(other: Filter): string | null;

  info(): Info;
  statistics(): Statistics;
  rateAt(items: number): number;
  toBytes(options?: Omit<WriteOptions, "format">): Uint8Array;
  dispose(): void;
  [Symbol.dispose](): void;
}

export function plan(options: SlimOptions): Plan;
export function expectedRate(options: { layout: Layout; bits: number; hashes: number; items: number }): number;
export function randomSecret(): Uint8Array;
export const version: string;
export function kernel(): string;
export const BloomeryError: typeof Failure;
export type BloomeryError = Failure;
