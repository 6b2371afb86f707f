// bloomery/slim has the same bits and files.
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { api, bits, packageFolder, words } from "./helpers.mjs";

const slim = await import(pathToFileURL(join(packageFolder, "slim.js")).href);
const keys = words(20_000);

for (const layout of ["classic", "blocked", "split-8x32", "split-8x64", "split-16x32"]) {
  test(`a ${layout} filter is the same in both`, () => {
    const options = { items: 20_000, rate: 0.01, layout, seed: 5 };
    const small = slim.Filter.create(options);
    const full = api.Filter.create(options);
    for (const filter of [small, full]) {
      filter.addMany(keys);
      filter.addMany(Int32Array.from([-1, 5]));
      filter.addMany(["ü", 7n, new Uint8Array([1, 2])]);
      assert.equal(filter.tryAdd("one more"), true);
      filter.add(99);
    }
    assert.equal(Buffer.compare(small.toBytes({ comment: "x" }), full.toBytes({ comment: "x" })), 0);
    const asked = [...keys, ...words(5000, "absent"), 5, -1n, 8];
    assert.deepEqual(small.hasMany(asked), full.hasMany(asked));
    assert.deepEqual(small.statistics(), full.statistics());
    assert.deepEqual({ ...small.info() }, { ...full.info() });
    assert.equal(small.rateAt(1000), full.rateAt(1000));
    assert.equal(slim.Filter.fromBytes(full.toBytes()).equals(small), true);
    assert.equal(bits(small.emptyCopy().tryAddMany(["a", "b", "a"]), 3), "110");
  });
}

test("plans and refusals are the same", () => {
  for (const options of [{ items: 1e6, rate: 0.01 }, { bytes: 1e6, items: 1e6 }, { bits: 1e6, rate: 0.001 }]) {
    assert.deepEqual(slim.plan(options), api.plan(options));
  }
  for (const options of [{ items: 1e12, rate: 1e-9 }, { items: 10, layout: "nonsense" }, { rate: 0.5 }]) {
    const message = (module) => {
      try {
        module.Filter.create(options);
      } catch (error) {
        return `${error.code}: ${error.message}`;
      }
    };
    assert.equal(message(slim), message(api));
  }
  const a = slim.Filter.create({ items: 100 });
  assert.throws(() => a.merge(slim.Filter.create({ items: 1000 })), { code: "incompatible" });
  assert.throws(() => a.has(1.5), TypeError);
  assert.equal(slim.kernel(), api.kernel());
});

test("what slim lacks is refused with a sentence", () => {
  assert.throws(() => slim.Filter.create({ items: 10, kind: "counting" }), { code: "unsupported", message: /import bloomery/ });
  assert.throws(() => slim.Filter.fromBytes(api.Filter.create({ items: 10, kind: "counting" }).toBytes()),
    { code: "unsupported" });
  assert.throws(() => slim.Filter.fromBytes(new Uint8Array(100)), { code: "unsupported" });
  const bytes = slim.Filter.create({ items: 1000 }).toBytes();
  for (let length = 0; length < bytes.length; length += 7) {
    assert.throws(() => slim.Filter.fromBytes(bytes.subarray(0, length)), slim.BloomeryError);
  }
  bytes[4500] ^= 1;
  assert.throws(() => slim.Filter.fromBytes(bytes), { code: "bad_data" });
});
