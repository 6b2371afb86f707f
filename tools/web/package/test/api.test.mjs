// What index.d.ts promises.
import assert from "node:assert/strict";
import { test } from "node:test";
import { api, bits, words } from "./helpers.mjs";

const { Filter, layouts } = api;
const keys = words(1000);
const made = (options = {}) => Filter.create({ items: 1000, rate: 0.001, ...options });

test("a key that was added is found, however it is passed", () => {
  const filter = made();
  const different = ["", "a", "ü", "€", "😀", "a".repeat(100), "é".repeat(100), "\ud83d", "\ude00", "x\0y",
    new Uint8Array([1, 2, 255]), 0, -1, 5n, 2 ** 53 - 1, -(2 ** 53 - 1), 2n ** 64n - 1n, -(2n ** 63n)];
  for (const key of different) {
    filter.add(key);
    assert.equal(filter.has(key), true);
    assert.equal(filter.tryAdd(key), false);
  }
  assert.equal(bits(filter.hasMany(different), different.length), "1".repeat(different.length));
  assert.equal(filter.has(5), true, "5 and 5n are one key");
  assert.equal(filter.has("5"), false, "the string 5 is another");
  assert.equal(filter.has(2n ** 64n - 2n ** 63n), true, "two's complement");
  assert.equal(filter.has(new TextEncoder().encode("€")), true, "strings are UTF-8");
});

test("one by one and many at once set the same bits", () => {
  const one = made();
  const many = made();
  const mixed = ["a", 1, "b", "ü", 2n, new Uint8Array([3]), "c", ...keys, "😀\ud83d", 7];
  for (const key of mixed) one.add(key);
  many.addMany(mixed);
  assert.equal(one.equals(many), true);
  const iterated = made();
  iterated.addMany(new Set(mixed));
  assert.equal(iterated.equals(one), true);
});

// The module handles keys in groups and pairs, so every rest counts; few keys share all their blocks.
for (const layout of layouts()) {
  test(`any number of keys at once is the same as one by one in a ${layout} filter`, () => {
    for (const count of [1, 2, 3, 31, 32, 33, 63, 64, 65, 127, 1000, 1027, 4099]) {
      const one = Filter.create({ items: Math.ceil(count / 3), rate: 0.03, layout });
      const many = Filter.create({ items: Math.ceil(count / 3), rate: 0.03, layout });
      const integers = BigInt64Array.from({ length: count }, (_, i) => BigInt(i) * 0x1e3779b97f4a7c15n);
      const some = words(count, "of");
      for (const key of [...integers, ...some]) one.add(key);
      many.addMany(integers);
      many.addMany(some);
      assert.equal(one.equals(many), true, `${count} keys`);
      const asked = [integers.map((key, i) => (i % 2 ? key : ~key)), some.map((key, i) => (i % 2 ? key : `no ${key}`))];
      for (const all of asked) {
        assert.equal(bits(one.hasMany(all), count), Array.from(all, (key) => (one.has(key) ? 1 : 0)).join(""), `${count}`);
      }
    }
  });
}

test("strings that do not fit into one call are joined in parts", () => {
  const filter = made();
  const long = ["x".repeat(3 << 20), "y".repeat(3 << 20), "ü".repeat(1 << 20), "z", "w".repeat(3 << 20), "€"];
  filter.addMany(long);
  assert.equal(bits(filter.hasMany(long), long.length), "1".repeat(long.length));
  for (const key of long) assert.equal(filter.has(key), true);
});

test("halves of surrogate pairs at the ends of strings are not joined", () => {
  const filter = made();
  filter.addMany(["\ud83d", "\ude00"]);
  assert.equal(filter.has("😀"), false);
  assert.equal(filter.has("\ufffd"), true);
});

test("typed arrays are integers, of every width", () => {
  for (const [type, values] of [[BigUint64Array, [1n, 2n ** 63n]], [BigInt64Array, [-1n, 5n]], [Uint32Array, [1, 2 ** 31]],
    [Int32Array, [-1, 5]], [Uint16Array, [65535]], [Int16Array, [-5]], [Uint8Array, [200]], [Int8Array, [-100]]]) {
    const filter = made();
    filter.addMany(type.from(values));
    for (const value of values) assert.equal(filter.has(value), true, `${type.name} ${value}`);
  }
  const large = BigUint64Array.from({ length: 50000 }, (_, i) => BigInt(i) * 7919n);
  const filter = Filter.create({ items: 50000, rate: 0.01 });
  filter.addMany(large.subarray(1));
  assert.equal(bits(filter.hasMany(large.subarray(1)), 49999), "1".repeat(49999));
});

test("packed keys are those of Arrow", () => {
  const data = new TextEncoder().encode("appleüpear");
  const filter = made();
  for (const type of [Int32Array, Uint32Array]) {
    filter.clear();
    filter.addMany({ data, offsets: type.from([0, 5, 7, 7, 11]), validity: new Uint8Array([0b1101]) });
    assert.deepEqual(["apple", "ü", "", "pear"].map((key) => filter.has(key)), [true, false, true, true]);
  }
  const offsets = BigInt64Array.from([0n, 5n, 7n, 7n, 11n]);
  assert.equal(bits(filter.hasMany({ data, offsets }), 4), "1011");
  assert.throws(() => filter.addMany({ data, offsets: Int32Array.from([0, 5, 3]) }), RangeError);
  assert.throws(() => filter.addMany({ data, offsets: Int32Array.from([0, 50]) }), RangeError);
  assert.throws(() => filter.addMany({ data, offsets: [0, 5] }), TypeError);
  const many = Array.from({ length: 40000 }, (_, i) => `k${i}`);
  const ends = [0];
  for (const key of many) ends.push(ends.at(-1) + key.length);
  const packed = { data: new TextEncoder().encode(many.join("")), offsets: Int32Array.from(ends) };
  const large = Filter.create({ items: 40000 });
  large.addMany(packed);
  assert.equal(bits(large.hasMany(many), 40000), "1".repeat(40000));
  assert.deepEqual(large.hasMany(packed), large.hasMany(many));
});

test("tryAddMany, deleteMany, countMany, possible and absent", () => {
  const filter = made({ kind: "counting" });
  assert.equal(bits(filter.tryAddMany(["a", "b", "a"]), 3), "110");
  assert.equal(filter.count("a"), 2);
  assert.deepEqual([...filter.countMany(["a", "b", "c"])], [2, 1, 0]);
  assert.equal(bits(filter.deleteMany(["a", "c"]), 2), "10");
  assert.equal(filter.delete("a"), true);
  assert.equal(filter.delete("a"), false);
  assert.deepEqual(filter.possible(["a", "b", "c"]), ["b"]);
  assert.deepEqual(filter.absent(["a", "b", "c"]), ["a", "c"]);
});

test("merge, intersect, fold, clear, copies and comparisons", () => {
  const a = made();
  const b = a.emptyCopy();
  a.addMany(["a", "b"]);
  b.addMany(["b", "c"]);
  assert.equal(a.whyIncompatible(b), null);
  assert.match(a.whyIncompatible(made({ seed: 1 })), /seed/);
  const both = a.copy();
  both.merge(b);
  assert.deepEqual(["a", "b", "c"].map((key) => both.has(key)), [true, true, true]);
  a.intersect(b);
  assert.deepEqual(["a", "b", "c"].map((key) => a.has(key)), [false, true, false]);
  assert.equal(a.info().intersected, true);
  a.clear();
  assert.equal(a.has("b"), false);
  assert.equal(a.equals(made()), true);
  const large = Filter.create({ items: 100000, rate: 0.01, foldable: true });
  large.add("x");
  const before = large.info().byteCount;
  large.fold(0.01);
  assert.ok(large.info().byteCount < before / 100 && large.has("x"));
});

test("info, statistics, rateAt and describe agree", () => {
  const filter = made({ seed: 2n ** 63n });
  filter.addMany(keys);
  const info = filter.info();
  assert.equal(info.seed, 2n ** 63n);
  assert.equal(info.itemCapacity, 1000);
  const now = filter.statistics();
  assert.ok(Math.abs(now.items - 1000) < 5 * now.standardError + 1);
  assert.ok(now.expectedRate < 0.002 && now.fillRatio === now.bitsSet / now.bitCount);
  assert.equal(filter.describe().estimated_items, now.items);
  assert.ok(filter.rateAt(1000) <= 0.001);
});

test("cascades, windows, scalable filters and exceptions", () => {
  const stored = words(200, "good");
  const others = words(5000, "bad");
  const cascade = Filter.cascade(stored, others);
  assert.equal(bits(cascade.hasMany(stored), 200), "1".repeat(200));
  assert.equal(cascade.hasMany(others).some((byte) => byte !== 0), false);
  assert.throws(() => Filter.cascade(["a"], ["a"]), { code: "bad_argument" });
  assert.equal(Filter.cascade([1, 2], new BigUint64Array([3n])).has(3), false);
  const window = made({ kind: "window,span=10s" });
  window.advance(100);
  window.add("x");
  window.advance(10_000_000_000_000n);
  assert.equal(window.has("x"), false);
  const scalable = Filter.create({ items: 100, rate: 0.01, kind: "scalable" });
  scalable.reserve(1000);
  scalable.addMany(words(2000));
  assert.equal(bits(scalable.hasMany(words(2000)), 2000), "1".repeat(2000));
  const excepted = Filter.create({ bits: 64, hashes: 1 });
  excepted.addMany(words(60));
  excepted.addExceptions({ mostEntries: 10 });
  const wrong = words(1000, "other").find((key) => excepted.has(key));
  assert.equal(excepted.reportFalsePositive(wrong), true);
  assert.equal(excepted.has(wrong), false);
});

test("a keyed filter needs its secret", () => {
  const secret = api.randomSecret();
  assert.equal(secret.length, 16);
  const filter = made({ secret });
  filter.add("a");
  assert.equal(filter.info().keyed, true);
  assert.throws(() => Filter.fromBytes(filter.toBytes()), { code: "bad_argument" });
  assert.throws(() => Filter.fromBytes(filter.toBytes(), { secret: api.randomSecret() }), { code: "bad_argument" });
  assert.equal(Filter.fromBytes(filter.toBytes(), { secret }).has("a"), true);
  assert.equal(Filter.fromBytes(filter.toBytes({ keepSecret: true })).has("a"), true);
});

test("encodings of other systems, and their defaults", () => {
  const filter = Filter.create({ items: 100, rate: 0.01, format: "guava" });
  assert.equal(filter.encoding, "utf8");
  filter.add("a");
  assert.equal(Filter.fromBytes(filter.toBytes("guava")).encoding, "utf8");
  filter.encoding = "i64be";
  filter.add(7);
  assert.equal(filter.has(7n), true);
  assert.throws(() => filter.add("a"), { code: "bad_argument" });
  filter.encoding = "f64le";
  filter.add(0.5);
  assert.equal(filter.has(0.5), true);
  assert.equal(bits(filter.hasMany(new Float64Array([0.5, 0.25])), 2), "10");
  assert.throws(() => { filter.encoding = "nonsense"; }, { code: "bad_argument" });
  assert.equal(filter.encoding, "f64le");
});

test("plans are those of the C interface", () => {
  const plan = api.plan({ items: 1e6, rate: 0.01 });
  assert.equal(plan.bits, made({ items: 1e6, rate: 0.01 }).info().bitCount);
  const exact = api.expectedRate({ ...pick(plan), items: 1e6 });
  assert.ok(Math.abs(exact / plan.expectedRate - 1) < 1e-9); // the plan also counts colliding digests
  assert.equal(api.plansOfOthers({ items: 1e6, rate: 0.01 }).find((one) => one.system === "guava").bits, 9585058);
  assert.match(api.plansOfOthers({ items: 1e6, rate: 1e-6 }).find((one) => one.system === "cassandra").refused, /Cassandra/);
  assert.ok(api.planOfKind("counting", { items: 1e6, rate: 0.01 }).bitsPerItem > 35);
  assert.equal(api.planOfKind("bloom", { items: 1e6, rate: 0.01 }).bytes, plan.bytes);
  assert.equal(api.redisCost({ bits: 1e6, hashes: 7 }).shards, 1);
  assert.ok(api.redisCost({ items: 1e9, rate: 0.01 }).shards > 100);
  assert.equal(api.advise({ items: "10M", rate: 0.001, remove: true }).headline,
    api.advise("items=10M,rate=0.1%,remove=yes").headline);
});
const pick = ({ layout, bits: m, hashes }) => ({ layout, bits: m, hashes });

test("mistakes get a TypeError that says what to pass", () => {
  const filter = made();
  for (const key of [1.5, NaN, Infinity, 2 ** 53, null, undefined, {}, [], true, Symbol(), () => 0, new Date()]) {
    for (const act of [() => filter.add(key), () => filter.has(key), () => filter.tryAdd(key),
      () => filter.hasMany([key]), () => filter.addMany(["a", key])]) {
      assert.throws(act, (error) => error instanceof TypeError && /a key is a string/.test(error.message), String(key));
    }
  }
  assert.throws(() => filter.add(2n ** 64n), RangeError);
  for (const keysGiven of ["text", null, undefined, 5, {}]) assert.throws(() => filter.addMany(keysGiven), TypeError);
  assert.throws(() => filter.addMany(new Float64Array(3)), TypeError);
  for (const options of [undefined, null, 5, { items: -1 }, { items: 1.5 }, { items: 0 }, { items: "many" },
    { items: 10, rate: 0 }, { items: 10, rate: 1 }, { items: 10, rate: "1%" }, { items: 10, layout: 5 },
    { items: 10, secret: new Uint8Array(5) }, { item: 10 }]) {
    assert.throws(() => Filter.create(options), TypeError, String(options));
  }
  assert.throws(() => new Filter(), TypeError);
  assert.throws(() => Filter.fromBytes("text"), TypeError);
  assert.throws(() => filter.merge("text"), TypeError);
  assert.throws(() => filter.merge({}), TypeError);
  assert.throws(() => filter.has(), TypeError);
});

test("a filter that was disposed of throws", () => {
  const filter = made();
  const other = made();
  filter.dispose();
  filter.dispose();
  for (const act of [() => filter.add("a"), () => filter.has("a"), () => filter.has(1), () => filter.addMany([]),
    () => filter.info(), () => filter.toBytes(), () => filter.merge(other), () => other.merge(filter)]) {
    assert.throws(act, { name: "TypeError", message: /disposed/ });
  }
});
