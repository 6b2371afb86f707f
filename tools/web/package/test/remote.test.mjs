// Files that are not loaded give the answers of loaded ones, and read only what they need.
import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { api, data, fileBytes, hex, words } from "./helpers.mjs";

const { Filter, RemoteFilter } = api;
const keys = words(3000);

/** A source that counts what is read. */
function counted(bytes) {
  const source = { size: bytes.length, reads: 0, total: 0, async read(offset, length) {
    source.reads += 1;
    source.total += length;
    return bytes.slice(offset, offset + length);
  } };
  return source;
}

for (const layout of ["classic", "blocked", "split-8x32", "split-8x64", "split-16x32"]) {
  test(`a ${layout} file`, async () => {
    const filter = Filter.create({ items: 100_000, rate: 0.01, layout });
    filter.addMany(keys);
    filter.addMany(Uint32Array.from(keys, (_, i) => i));
    const source = counted(filter.toBytes());
    const remote = await RemoteFilter.open(source);
    assert.equal(await remote.has("key-5"), true);
    const k = layout === "classic" ? filter.info().hashCount : 1;
    assert.ok(source.total <= 4096 + (16 * k + 1) * 4096, `one key read ${source.total} bytes`);
    const asked = [...keys, ...words(3000, "absent"), 5, 100_000n, new Uint8Array([1])];
    assert.deepEqual(await remote.hasMany(asked), filter.hasMany(asked));
    const { kind, bitCount, hashCount, byteCount, itemCapacity, layout: told } = remote.info();
    assert.deepEqual({ kind, bitCount, hashCount, byteCount, itemCapacity, layout: told },
      Object.fromEntries(["kind", "bitCount", "hashCount", "byteCount", "itemCapacity", "layout"]
        .map((name) => [name, filter.info()[name]])));
    let progress = 0;
    const { density, expectedRate, ...now } =
      await remote.statistics({ cells: 7, progress: (share) => { progress = share; } });
    const { expectedRate: rate, ...then } = filter.statistics();
    assert.deepEqual(now, then);
    assert.ok(Math.abs(expectedRate / rate - 1) < 1e-9);
    assert.equal(progress, 1);
    const mean = density.reduce((sum, share) => sum + share, 0) / 7;
    assert.ok(Math.abs(mean - now.fillRatio) < 1e-3);
    remote.dispose();
    await assert.rejects(remote.has("a"), TypeError);
  });
}

test("the density is that of the bits", async () => {
  const filter = Filter.create({ bits: 1000, hashes: 1 });
  filter.addMany(words(200));
  const bytes = filter.toBytes();
  const bits = Array.from({ length: 1000 }, (_, i) => (bytes[4096 + (i >> 3)] >> (i & 7)) & 1);
  const remote = await RemoteFilter.open(new Blob([bytes]));
  for (const cells of [1, 3, 10, 999, 1000]) {
    const { density } = await remote.statistics({ cells });
    for (let i = 0; i < cells; ++i) {
      const part = bits.slice(Math.floor((i * 1000) / cells), Math.floor(((i + 1) * 1000) / cells));
      assert.equal(density[i], part.reduce((sum, bit) => sum + bit, 0) / part.length);
    }
  }
  await assert.rejects(remote.statistics({ cells: 1001 }), { code: "bad_argument" });
});

test("a damaged page is refused, and the others still answer", async () => {
  const filter = Filter.create({ items: 50_000, rate: 0.01 });
  filter.addMany(keys);
  const bytes = filter.toBytes();
  bytes[4096 + 3 * 4096 + 17] ^= 4;
  const remote = await RemoteFilter.open(counted(bytes));
  let refused = 0;
  for (const key of keys.slice(0, 200)) {
    try {
      assert.equal(await remote.has(key), true);
    } catch (error) {
      assert.match(error.message, /chunk 3 .* checksum/);
      refused += 1;
    }
  }
  assert.ok(refused > 0 && refused < 100);
  await assert.rejects(remote.statistics(), { code: "bad_data" });
});

test("what cannot be queried page by page is refused with a sentence", async () => {
  for (const kind of ["counting", "scalable", "dleft"]) {
    const bytes = Filter.create({ items: 1000, rate: 0.01, kind }).toBytes();
    await assert.rejects(RemoteFilter.open(new Blob([bytes])), { code: "unsupported", message: /load the whole file/ });
  }
  const guava = Filter.create({ items: 1000, rate: 0.01, format: "guava" }).toBytes();
  await assert.rejects(RemoteFilter.open(new Blob([guava])), { code: "unsupported" });
  await assert.rejects(RemoteFilter.open(new Blob(["not a filter"])), { code: "bad_data" });
  const whole = Filter.create({ items: 1000 }).toBytes();
  await assert.rejects(RemoteFilter.open(new Blob([whole.subarray(0, 5000)])), { code: "bad_data" });
  await assert.rejects(RemoteFilter.open({ size: 5 }), TypeError);
  await assert.rejects(RemoteFilter.open({ size: whole.length, read: async () => new Uint8Array(1) }), { code: "io_error" });
});

test("keyed filters, an abort, and golden files", async () => {
  const secret = hex("efcdab89674523011032547698badcfe");
  const bytes = fileBytes(join(data, "native", "v1-keyed.bloom"));
  await assert.rejects(RemoteFilter.open(new Blob([bytes])), { code: "bad_argument" });
  const remote = await RemoteFilter.open(new Blob([bytes]), { secret });
  const whole = Filter.fromBytes(bytes, { secret });
  assert.deepEqual(await remote.hasMany(keys), whole.hasMany(keys));
  const stop = new AbortController();
  stop.abort();
  await assert.rejects(remote.statistics({ signal: stop.signal }), { name: "AbortError" });
  for (const name of readdirSync(join(data, "native"))) {
    if (!/classic|blocked|split-|open|mapped/.test(name) || /counting|redisson/.test(name)) continue;
    const file = fileBytes(join(data, "native", name));
    const opened = await RemoteFilter.open(new Blob([file]));
    assert.deepEqual(await opened.hasMany(keys), Filter.fromBytes(file).hasMany(keys), name);
  }
});
