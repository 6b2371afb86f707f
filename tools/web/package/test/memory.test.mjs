// Memory is given back: by dispose(), and when a filter is no longer reachable.
import assert from "node:assert/strict";
import { test } from "node:test";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { packageFolder } from "./helpers.mjs";

// An instance whose memory can be watched.
let memory;
const instantiate = WebAssembly.instantiate;
WebAssembly.instantiate = async (...given) => {
  const made = await instantiate(...given);
  memory = (made.instance ?? made).exports.memory;
  return made;
};
const api = await import(`${join(packageFolder, "index.js")}?memory`);
await api.ready(readFileSync(join(packageFolder, "bloomery.wasm")));
WebAssembly.instantiate = instantiate;
const size = () => memory.buffer.byteLength;

test("ten thousand filters in turn take the memory of one", () => {
  const once = (i) => {
    const filter = api.Filter.create({ items: 10000, rate: 0.01 });
    filter.add(`key ${i}`);
    filter.dispose();
  };
  for (let i = 0; i < 100; ++i) once(i);
  const before = size();
  for (let i = 0; i < 10000; ++i) once(i);
  assert.equal(size(), before);
});

test("files that are read, written and refused leave nothing behind", () => {
  const bytes = api.Filter.create({ items: 10000 }).toBytes();
  const bad = bytes.slice();
  bad[5000] ^= 1;
  const once = () => {
    const filter = api.Filter.fromBytes(bytes);
    filter.toBytes();
    filter.describe();
    filter.dispose();
    assert.throws(() => api.Filter.fromBytes(bad), api.BloomeryError);
  };
  for (let i = 0; i < 20; ++i) once();
  const before = size();
  for (let i = 0; i < 1000; ++i) once();
  assert.equal(size(), before);
});

test("filters that are forgotten are freed", async () => {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc");
  const round = async () => {
    for (let i = 0; i < 20; ++i) api.Filter.create({ items: 100000, rate: 0.01 });
    collect();
    await new Promise((resolve) => setTimeout(resolve, 5));
  };
  for (let i = 0; i < 5; ++i) await round();
  const before = size();
  for (let i = 0; i < 50; ++i) await round(); // 120 MB if nothing were freed
  assert.ok(size() <= before + 20e6, `from ${before} to ${size()} bytes`);
});
