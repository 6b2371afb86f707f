// Files are byte for byte those of the command: every layout, kind and writable format.
import assert from "node:assert/strict";
import { test } from "node:test";
import { api, fileBytes, run, temporary, tryRun, words, writeFileSync } from "./helpers.mjs";

const { Filter, formats, kinds, layouts } = api;
const keys = words(2000);

function same(made, expected, what) {
  assert.equal(Buffer.compare(made, expected), 0, `${what}: the bytes differ from the command's`);
}

for (const layout of ["classic", "blocked", "split-8x32", "split-8x64", "split-16x32"]) {
  test(`the file of a ${layout} filter`, () => {
    assert.ok(layouts().includes(layout));
    const filter = Filter.create({ items: 2000, rate: 0.01, layout });
    filter.addMany(keys);
    same(filter.toBytes(), saved(["-n", "2000", "-p", "0.01", "--layout", layout]), layout);
    same(Filter.fromBytes(filter.toBytes()).toBytes(), filter.toBytes(), "a copy");
  });
}

test("seeds, comments and integers", () => {
  const filter = Filter.create({ items: 2000, rate: 0.001, seed: 7n });
  filter.addMany(BigUint64Array.from(keys, (_, i) => BigInt(i)));
  const options = ["-n", "2000", "-p", "0.001", "--seed", "7", "--comment", "from a test"];
  same(filter.toBytes({ comment: "from a test" }), saved(options, ["--key", "int"], keys.map((_, i) => i)), "seed");
});

// The module has code of its own for short strings.
for (const seed of [0n, 0xfedcba9876543210n]) {
  test(`strings of every length, with the seed ${seed}`, () => {
    const keys = Array.from({ length: 2000 }, (_, i) => String.fromCharCode(33 + (i % 90)).repeat(i % 4) +
      "abcdefghij".repeat(30).slice(0, i % 300) + (i % 7));
    const one = Filter.create({ items: 2000, rate: 0.001, seed });
    const many = Filter.create({ items: 2000, rate: 0.001, seed });
    for (const key of keys) one.add(key);
    many.addMany(keys);
    const expected = saved(["-n", "2000", "-p", "0.001", "--seed", String(seed)], [], keys);
    same(one.toBytes(), expected, "one by one");
    same(many.toBytes(), expected, "many at once");
  });
}

test("the lists of kinds and formats are those of the command", () => {
  const told = JSON.parse(run(["formats", "--json"]));
  assert.deepEqual(formats().map((one) => [one.name, one.keys, one.needs, one.writable, one.makeable]),
    told.map((one) => [one.name, one.keys, one.needs, one.writes, one.creates]));
  for (const kind of kinds()) assert.equal(tryRun(["plan", "-n", "100", "--kind", kind]).status, 0, kind);
});

/** The file that the command makes of these keys. */
function saved(options, add = [], lines = keys) {
  writeFileSync(temporary("keys"), lines.map((line) => line + "\n").join(""));
  run(["create", "--force", ...options, ...add, temporary("a"), temporary("keys")]);
  return fileBytes(temporary("a"));
}

for (const kind of [
  "counting", "counting,bits=8", "counting,layout=blocked", "spectral", "spectral,policy=recurring-minimum",
  "dynamic-count", "dleft", "accurate", "scalable", "window,span=24h",
]) {
  test(`the file of the kind ${kind}`, () => {
    const filter = Filter.create({ items: 2000, rate: 0.01, kind });
    if (kind.startsWith("window")) filter.advance(1); // the command's windows follow the clock
    filter.addMany(keys);
    const expected = saved(["-n", "2000", "-p", "0.01", "--kind", kind]);
    const timed = kind.startsWith("window");
    if (!timed) same(filter.toBytes(), expected, kind);
    writeFileSync(temporary("b"), filter.toBytes());
    assert.equal(run(["verify", temporary("b")]).trim(), `${temporary("b")}: ok`);
    // By the command's clock, the keys of a window were added long ago.
    assert.equal(tryRun(["test", "--quiet", temporary("b"), "key-1"]).status, timed ? 1 : 0);
    assert.ok(Filter.fromBytes(expected).hasMany(keys).every((byte) => byte === 255));
  });
}

// What a format needs beyond items and rate.
const parameters = { "guava-java": ",funnel=utf8", hadoop: ",hash-type=1", "hadoop-counting": ",hash-type=1",
  hbase: ",hash-type=1", "hutool-bitmap": ",size-argument=5" };

for (const { name, writable, makeable, keys: encoding } of formats().filter((one) => one.name !== "native")) {
  if (!writable || !makeable) continue;
  test(`the file of the format ${name}`, () => {
    const format = name + (parameters[name] ?? "");
    const written = name === "guava-java" ? format : name;
    const attempts = [
      [{ items: 2000, rate: 0.01 }, ["-n", "2000", "-p", "0.01"]],
      [{ bits: 20000, hashes: 5 }, ["-m", "20000", "-k", "5"]],
      [{ bits: 20480 }, ["-m", "20480"]],
      [{}, []],
    ];
    for (const [options, args] of attempts) {
      const path = temporary("foreign");
      const made = tryRun(["create", "--force", "--format", format, ...args, path]);
      if (made.status !== 0) {
        assert.throws(() => Filter.create({ ...options, format }), api.BloomeryError, `${name}: ${made.stderr}`);
        continue;
      }
      const filter = Filter.create({ ...options, format });
      assert.equal(filter.encoding, encoding);
      same(filter.toBytes(written), fileBytes(path), `${name}, empty`);
      // With the numbers that its bytes do not contain.
      const info = filter.info();
      const full = name + numbersOf(name, info);
      const some = keys.slice(0, 500);
      const added = tryRun(["add", "--format", full, path], some.join("\n") + "\n");
      if (added.status === 0) {
        filter.addMany(some);
        same(filter.toBytes(written), fileBytes(path), `${name}, with keys`);
        const again = Filter.fromBytes(filter.toBytes(written), { format: full });
        assert.equal(again.equals(filter), true);
      } else {
        assert.throws(() => filter.addMany(some), api.BloomeryError, `${name}: ${added.stderr}`);
      }
      return;
    }
    assert.fail(`the command makes no filter of the format ${name}`);
  });
}

function numbersOf(name, { bitCount, hashCount }) {
  if (name.startsWith("redisson")) return `,bits=${bitCount},hashes=${hashCount}`;
  if (name === "hbase") return `,hashes=${hashCount},hash-type=1`;
  if (name === "hutool-bitset") return `,bits=${bitCount},hashes=${hashCount}`;
  if (name.startsWith("hutool-") && name !== "hutool-bitmap") return `,bits=${bitCount}`;
  return parameters[name] && !name.startsWith("guava") ? parameters[name] : "";
}
