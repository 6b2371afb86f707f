// One filter: a handle of the C interface.
import { encodingNamed } from "./encodings.js";
import { BloomeryError, shown } from "./errors.js";
import { bitmapOf, countsOf, eachRun, integerOf, keySize, keyStart, putText, refuse } from "./keys.js";
import { allTogether } from "./cascade.js";
import {
  arrayOf, bytesIn, checkObject, checkRate, checkSecret, checkText, exceptionNames, optionsIn, positive, readNames,
  whole, writeNames,
} from "./options.js";
import { usualEncoding } from "./formats.js";
import { firstBit, flag, infoOf, numberOf, outcomeOf, statisticsOf, written } from "./results.js";
import { structs } from "./structs.js";
import { failure, json, memory, ok, out, pointerOut, scoped, text, u64, x } from "./wasm.js";

const incompatible = 2;
const outcome = { notPresent: 1, full: 2 };
const token = Symbol();

const closed = typeof FinalizationRegistry === "undefined" ? null : new FinalizationRegistry((handle) => {
  x.bloomery_close(handle);
});

export class Filter {
  #handle = 0;
  #encoding = 0;
  #name = "bytes";

  constructor(key, handle, encoding) {
    if (key !== token) throw new TypeError("make a filter with Filter.create or Filter.fromBytes");
    this.#handle = handle;
    closed?.register(this, handle, this);
    try {
      this.encoding = encoding;
    } catch (error) {
      this.dispose();
      throw error;
    }
  }

  static create(options) {
    return scoped((scope) => {
      const given = optionsIn(scope, options);
      const encoding = options.encoding ?? usualEncoding(options.format);
      ok(x.bloomery_new_with(given, out));
      return new Filter(token, pointerOut(), encoding);
    });
  }

  static fromBytes(bytes, options = {}) {
    checkObject(options, readNames, "options");
    const all = bytesIn(bytes);
    const format = checkText(options.format, "format");
    const secret = checkSecret(options.secret);
    return scoped((scope) => {
      const at = scope.bytes(all);
      let encoding = options.encoding;
      if (encoding === undefined) {
        let name = format;
        if (name === undefined && !(all[0] === 0x89 && all[1] === 0x42 && all[2] === 0x4c && all[3] === 0x4d)) {
          ok(x.bloomery_detect(at, all.length, out));
          name = text(pointerOut());
        }
        encoding = usualEncoding(name);
      }
      const how = scope.struct(structs.read_options, {
        format: format === undefined ? undefined : scope.text(format),
        secret: secret === undefined ? undefined : scope.bytes(secret),
        largest_filter_bytes: positive(options.largestBytes, "largestBytes"),
      });
      ok(x.bloomery_decode(at, all.length, how, out));
      return new Filter(token, pointerOut(), encoding);
    });
  }

  static cascade(stored, others, options = {}) {
    return scoped((scope) => {
      const given = optionsIn(scope, options);
      const first = allTogether(scope, stored);
      const second = allTogether(scope, others);
      ok(x.bloomery_new_cascade(first, second, given, out));
      return new Filter(token, pointerOut(), "bytes");
    });
  }

  get encoding() {
    return this.#name;
  }
  set encoding(name) {
    this.#encoding = encodingNamed(name);
    this.#name = name;
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

  /** One key by its bytes, its integer, or an encoding, which only calls for many keys know. */
  #one(key, byBytes, byInteger, many) {
    const handle = this.#open();
    if (this.#encoding > 1) {
      let result;
      eachRun([key], this.#encoding, () => 16, (struct, first, count, answers) => {
        result = many(handle, struct, answers);
      });
      return result;
    }
    if (typeof key === "string" || key instanceof Uint8Array) {
      if (this.#encoding === 1) throw new TypeError(`the encoding int takes integers, not ${shown(key)}`);
      putText(key);
      return byBytes(handle);
    }
    if (typeof key !== "number" && typeof key !== "bigint") refuse(key);
    return byInteger(handle, integerOf(key));
  }

  add(key) {
    if (typeof key === "string" && this.#encoding === 0) { // the usual case, without closures
      const handle = this.#handle === 0 ? this.#open() : this.#handle;
      putText(key);
      const status = x.bloomery_insert(handle, keyStart, keySize);
      if (status !== 0) throw failure(status);
      return;
    }
    this.#one(key,
      (handle) => ok(x.bloomery_insert(handle, keyStart, keySize)),
      (handle, integer) => ok(x.bloomery_insert_u64(handle, integer)),
      (handle, struct) => ok(x.bloomery_insert_many(handle, struct)));
  }

  tryAdd(key) {
    return this.#one(key,
      (handle) => flag(x.bloomery_try_insert(handle, keyStart, keySize, out, 0)),
      (handle, integer) => flag(x.bloomery_try_insert_u64(handle, integer, out, 0)),
      (handle, struct, answers) => firstBit(x.bloomery_try_insert_many(handle, struct, answers, 0), answers));
  }

  has(key) {
    if (typeof key === "string" && this.#encoding === 0) {
      const handle = this.#handle === 0 ? this.#open() : this.#handle;
      putText(key);
      const status = x.bloomery_may_contain(handle, keyStart, keySize, out);
      if (status !== 0) throw failure(status);
      return memory().u8[out] !== 0;
    }
    return this.#one(key,
      (handle) => flag(x.bloomery_may_contain(handle, keyStart, keySize, out)),
      (handle, integer) => flag(x.bloomery_may_contain_u64(handle, integer, out)),
      (handle, struct, answers) => firstBit(x.bloomery_may_contain_many(handle, struct, answers, 0), answers));
  }

  delete(key) {
    return this.#one(key,
      (handle) => outcomeOf(x.bloomery_erase(handle, keyStart, keySize, out)) !== outcome.notPresent,
      (handle, integer) => outcomeOf(x.bloomery_erase_u64(handle, integer, out)) !== outcome.notPresent,
      (handle, struct, answers) => firstBit(x.bloomery_erase_many(handle, struct, answers, 0), answers));
  }

  count(key) {
    return this.#one(key,
      (handle) => numberOf(x.bloomery_count(handle, keyStart, keySize, out)),
      (handle, integer) => numberOf(x.bloomery_count_u64(handle, integer, out)),
      (handle, struct, answers) => (ok(x.bloomery_count_many(handle, struct, answers)), u64(answers)));
  }

  addMany(keys) {
    const handle = this.#open();
    eachRun(keys, this.#encoding, () => 0, (struct) => ok(x.bloomery_insert_many(handle, struct)));
  }
  tryAddMany(keys) {
    const handle = this.#open();
    return bitmapOf(keys, this.#encoding, (struct, to) => x.bloomery_try_insert_many(handle, struct, to, 0));
  }
  hasMany(keys) {
    const handle = this.#open();
    return bitmapOf(keys, this.#encoding, (struct, to) => x.bloomery_may_contain_many(handle, struct, to, 0));
  }
  deleteMany(keys) {
    const handle = this.#open();
    return bitmapOf(keys, this.#encoding, (struct, to) => x.bloomery_erase_many(handle, struct, to, 0));
  }
  countMany(keys) {
    const handle = this.#open();
    return countsOf(keys, this.#encoding, (struct, to) => x.bloomery_count_many(handle, struct, to));
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
  fold(rate) {
    const handle = this.#open();
    if (rate === undefined) throw new TypeError("fold takes the false-positive rate to shrink to, such as 0.01");
    ok(x.bloomery_fold(handle, checkRate(rate)));
  }
  clear() {
    ok(x.bloomery_clear(this.#open()));
  }
  copy() {
    ok(x.bloomery_copy(this.#open(), out));
    return new Filter(token, pointerOut(), this.#name);
  }
  emptyCopy() {
    ok(x.bloomery_new_like(this.#open(), out));
    return new Filter(token, pointerOut(), this.#name);
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
  describe(format) {
    const handle = this.#open();
    const name = checkText(format, "format");
    return scoped((scope) => json(x.bloomery_describe(handle, name === undefined ? 0 : scope.text(name), out)));
  }

  advance(now) {
    if (whole(now, "the time") === undefined) throw new TypeError("advance takes the time, as a whole number");
    ok(x.bloomery_advance(this.#open(), BigInt(now)));
  }
  reserve(items) {
    if (whole(items, "items") === undefined) throw new TypeError("reserve takes a number of keys");
    ok(x.bloomery_reserve(this.#open(), BigInt(items), 0));
  }
  addExceptions(options = {}) {
    checkObject(options, exceptionNames, "options");
    const handle = this.#open();
    scoped((scope) => ok(x.bloomery_add_exceptions(handle, scope.struct(structs.exception_options, {
      most_entries: positive(options.mostEntries, "mostEntries"),
      evict_oldest: options.evictOldest,
    }))));
  }
  reportFalsePositive(key) {
    const report = (call) => {
      const said = outcomeOf(call(out));
      if (said === outcome.full) ok(call(0)); // which fails with the sentence
      return said !== outcome.notPresent;
    };
    return this.#one(key,
      (handle) => report((to) => x.bloomery_report_false_positive(handle, keyStart, keySize, to)),
      (handle, integer) => report((to) => x.bloomery_report_false_positive_u64(handle, integer, to)),
      () => {
        throw new BloomeryError("unsupported",
          `false positives cannot be reported with the encoding ${this.#name}; set encoding to "bytes" and pass bytes`);
      });
  }

  toBytes(options = {}) {
    if (typeof options === "string") options = { format: options };
    checkObject(options, writeNames, "options");
    const handle = this.#open();
    const format = checkText(options.format, "format");
    const comment = checkText(options.comment, "comment");
    return scoped((scope) => {
      const how = scope.struct(structs.write_options, {
        format: format === undefined ? undefined : scope.text(format),
        comment: comment === undefined ? undefined : scope.text(comment),
        keep_secret: options.keepSecret,
      });
      return written(handle, how, format === undefined || format === "native");
    });
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

