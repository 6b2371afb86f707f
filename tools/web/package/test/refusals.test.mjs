// Bytes that are not a filter, and calls that make no sense, get a sentence; the module works on.
import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { api, data, fileBytes, words } from "./helpers.mjs";

const { BloomeryError, Filter } = api;

/** Calls a function that must fail with a sentence, or may succeed. */
function tried(act, what) {
  try {
    act()?.dispose();
    return true;
  } catch (error) {
    assert.ok(error instanceof BloomeryError, `${what}: ${error.stack}`);
    assert.ok(error.message.length > 10 && error.code !== "internal", `${what}: ${error.code}: ${error.message}`);
    return false;
  }
}
function worksStill() {
  const filter = Filter.create({ items: 100 });
  filter.addMany(words(100));
  assert.ok(filter.hasMany(words(96)).every((byte) => byte === 255));
  filter.dispose();
}

test("every truncation of a native file is refused", () => {
  for (const name of readdirSync(join(data, "native"))) {
    const bytes = fileBytes(join(data, "native", name));
    const step = bytes.length > 20000 ? 97 : 13;
    for (let length = 0; length < bytes.length; length += length < 64 || length > bytes.length - 64 ? 1 : step) {
      assert.equal(tried(() => Filter.fromBytes(bytes.subarray(0, length)), `${name} to ${length}`), false,
        `${name} of ${length} bytes was read`);
    }
  }
  worksStill();
});

test("truncated and changed files of other systems never trap", () => {
  let random = 12345;
  const next = (below) => (random = (Math.imul(random, 1103515245) + 12345) >>> 0) % below;
  for (const peer of readdirSync(join(data, "foreign"), { withFileTypes: true })) {
    if (!peer.isDirectory()) continue;
    for (const name of readdirSync(join(data, "foreign", peer.name))) {
      if (name === "manifest.json") continue;
      const bytes = fileBytes(join(data, "foreign", peer.name, name));
      if (bytes.length > 100000) continue;
      for (let i = 0; i < 6; ++i) {
        tried(() => Filter.fromBytes(bytes.subarray(0, next(bytes.length + 1))), name);
        const changed = bytes.slice();
        for (let j = 0; j < 3; ++j) changed[next(Math.min(bytes.length, 64))] = next(256);
        tried(() => Filter.fromBytes(changed), name);
      }
    }
  }
  worksStill();
});

test("every byte of a header that is changed is noticed", () => {
  const bytes = Filter.create({ items: 100 }).toBytes();
  for (let at = 0; at < 2560; at += 3) {
    const changed = bytes.slice();
    changed[at] ^= 0x55;
    assert.equal(tried(() => Filter.fromBytes(changed), `byte ${at}`), false, `byte ${at} was not noticed`);
  }
});

test("a request for more memory than there is gets a sentence", () => {
  for (const options of [{ bytes: 100e9, items: 1e9 }, { items: 1e12, rate: 1e-9 }, { bits: 2 ** 36, hashes: 7 },
    { bits: 2n ** 35n - 64n, hashes: 3 }, { items: 4e9, kind: "counting" }, { items: 3e9, kind: "dleft" },
    { items: 4e9, kind: "spectral" }, { items: 4e9, kind: "dynamic-count" }, { items: 4e9, kind: "accurate" },
    { items: 5e9, kind: "window,span=24h" }, { items: 4e9, kind: "scalable" }, { items: 2 ** 60, rate: 0.5 },
    { items: 3e9, format: "guava" }, { items: 3.5e9, format: "cassandra" }, { items: 1e9, rate: 1e-9, format: "go" }]) {
    assert.throws(() => Filter.create(options),
      (error) => error instanceof BloomeryError && /memory|limit|large|bits|range|at most|keys/.test(error.message),
      JSON.stringify(options, (_, value) => (typeof value === "bigint" ? String(value) : value)));
  }
  worksStill();
});

test("a limit for what is read is kept", () => {
  const bytes = Filter.create({ items: 10000 }).toBytes();
  assert.throws(() => Filter.fromBytes(bytes, { largestBytes: 1000 }), { code: "memory_refused" });
});

test("kinds that cannot do something say so", () => {
  const filter = Filter.create({ items: 100 });
  for (const act of [() => filter.delete("a"), () => filter.count("a"), () => filter.reserve(10)]) {
    assert.throws(act, { name: "BloomeryError", code: "unsupported" });
  }
  assert.throws(() => Filter.create({ items: 10, kind: "nonsense" }), { code: "bad_argument" });
  assert.throws(() => Filter.create({ items: 10, layout: "nonsense" }), { code: "bad_argument" });
  assert.throws(() => Filter.create({ items: 10, format: "nonsense" }), { code: "bad_argument" });
  assert.throws(() => filter.toBytes("nonsense"), { code: "bad_argument" });
  assert.throws(() => filter.merge(Filter.create({ items: 1000 })), { code: "incompatible" });
});

test("errors cost no memory", () => {
  const bad = new Uint8Array(5000);
  for (let i = 0; i < 50000; ++i) assert.throws(() => Filter.fromBytes(bad), BloomeryError);
  worksStill();
});
