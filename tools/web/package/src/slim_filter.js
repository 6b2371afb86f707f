// Plain Bloom filters: what slim.wasm has.
import { shown } from "./errors.js";
import { bitmapOf, eachRun, integerOf, keySize, keyStart, putText, refuse } from "./keys.js";
import {
  arrayOf, bytesIn, checkObject, checkSecret, checkText, optionsIn, positive, slimReadNames, whole, writeNames,
} from "./options.js";
import { flag, infoOf, statisticsOf, written } from "./results.js";
import { structs } from "./structs.js";
import { failure, memory, ok, out, pointerOut, scoped, x } from "./wasm.js";

const incompatible = 2;
const token = Symbol();

const closed = typeof FinalizationRegistry === "undefined" ? null : new FinalizationRegistry((handle) => {
  x.bloomery_close(handle);
});

export class Filter {
  #handle = 0;

  constructor(key, handle) {
    if (key !== token) throw new TypeError("make a filter with Filter.create or Filter.fromBytes");
    this.#handle = handle;
    closed?.register(this, handle, this);
  }

  static create(options) {
    return scoped((scope) => {
      ok(x.bloomery_new_with(optionsIn(scope, options), out));
      return new Filter(token, pointerOut());
    });
  }
  static fromBytes(bytes, options = {}) {
    checkObject(options, slimReadNames, "options");
    const all = bytesIn(bytes);
    const secret = checkSecret(options.secret);
    return scoped((scope) => {
      const how = scope.struct(structs.read_options, {
        secret: secret === undefined ? undefined : scope.bytes(secret),
        largest_filter_bytes: positive(options.largestBytes, "largestBytes"),
      });
      ok(x.bloomery_decode(scope.bytes(all), all.length, how, out));
      return new Filter(token, pointerOut());
    });
  }

  #open() {
    if (this.#handle === 0) throw new TypeError("the filter was disposed of; make or load another");
    return this.#handle;
  }
  static #handleOf(other) {
    if (other === null || typeof other !== "object" || !(#handle in other)) {
      throw new TypeError(`the other filter must be a Filter, not ${shown(other)}`);
    }
    return other.#open();
  }

  #one(key, byBytes, byInteger) {
    const handle = this.#handle === 0 ? this.#open() : this.#handle;
    if (typeof key === "string" || key instanceof Uint8Array) {
      putText(key);
      return byBytes(handle, keyStart, keySize, out, 0);
    }
    if (typeof key !== "number" && typeof key !== "bigint") refuse(key);
    return byInteger(handle, integerOf(key), out, 0);
  }

  add(key) {
    ok(this.#one(key, x.bloomery_insert, x.bloomery_insert_u64));
  }
  tryAdd(key) {
    return flag(this.#one(key, x.bloomery_try_insert, x.bloomery_try_insert_u64));
  }
  has(key) {
    return flag(this.#one(key, x.bloomery_may_contain, x.bloomery_may_contain_u64));
  }

  addMany(keys) {
    const handle = this.#open();
    eachRun(keys, 0, () => 0, (struct) => ok(x.bloomery_insert_many(handle, struct)));
  }
  tryAddMany(keys) {
    const handle = this.#open();
    return bitmapOf(keys, 0, (struct, to) => x.bloomery_try_insert_many(handle, struct, to, 0));
  }
  hasMany(keys) {
    const handle = this.#open();
    return bitmapOf(keys, 0, (struct, to) => x.bloomery_may_contain_many(handle, struct, to, 0));
  }
  possible(keys) {
    const maybe = this.hasMany(arrayOf(keys));
    return keys.filter((_, i) => (maybe[i >> 3] >> (i & 7)) & 1);
  }
  absent(keys) {
    const maybe = this.hasMany(arrayOf(keys));
    return keys.filter((_, i) => !((maybe[i >> 3] >> (i & 7)) & 1));
  }

  merge(other) {
    ok(x.bloomery_merge(this.#open(), Filter.#handleOf(other)));
  }
  intersect(other) {
    ok(x.bloomery_intersect(this.#open(), Filter.#handleOf(other)));
  }
  clear() {
    ok(x.bloomery_clear(this.#open()));
  }
  copy() {
    ok(x.bloomery_copy(this.#open(), out));
    return new Filter(token, pointerOut());
  }
  emptyCopy() {
    ok(x.bloomery_new_like(this.#open(), out));
    return new Filter(token, pointerOut());
  }
  equals(other) {
    return flag(x.bloomery_equal(this.#open(), Filter.#handleOf(other), out));
  }
  whyIncompatible(other) {
    const status = x.bloomery_compatible(this.#open(), Filter.#handleOf(other));
    if (status === incompatible) return failure(status).message;
    ok(status);
    return null;
  }

  info() {
    const handle = this.#open();
    return scoped((scope) => {
      const at = scope.struct(structs.info);
      ok(x.bloomery_info_of(handle, at));
      return infoOf(at);
    });
  }
  statistics() {
    const handle = this.#open();
    return scoped((scope) => {
      const at = scope.struct(structs.statistics);
      ok(x.bloomery_statistics_of(handle, at));
      return statisticsOf(at);
    });
  }
  rateAt(items) {
    if (whole(items, "items") === undefined) throw new TypeError("rateAt takes a number of keys");
    ok(x.bloomery_rate_at(this.#open(), BigInt(items), out));
    return memory().data.getFloat64(out, true);
  }

  toBytes(options = {}) {
    checkObject(options, writeNames, "options");
    const handle = this.#open();
    const format = checkText(options.format, "format");
    const comment = checkText(options.comment, "comment");
    return scoped((scope) => written(handle, scope.struct(structs.write_options, {
      format: format === undefined ? undefined : scope.text(format),
      comment: comment === undefined ? undefined : scope.text(comment),
      keep_secret: options.keepSecret,
    }), true));
  }

  dispose() {
    if (this.#handle !== 0) {
      closed?.unregister(this);
      x.bloomery_close(this.#handle);
      this.#handle = 0;
    }
  }
}
if (Symbol.dispose) {
  Object.defineProperty(Filter.prototype, Symbol.dispose, { value: Filter.prototype.dispose });
}
