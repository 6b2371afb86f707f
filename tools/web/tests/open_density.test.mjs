// The picture of a filter's bits: counted in any pieces, and called uneven only if it is.
import assert from "node:assert/strict";
import { test } from "node:test";
import { cellsFor, DensityCounter, evenness } from "../page/work/density.js";

function naive(bytes, cells) {
  return Array.from({ length: cells }, (_, cell) => {
    const from = Math.floor((cell * bytes.length) / cells);
    const to = Math.floor(((cell + 1) * bytes.length) / cells);
    let ones = 0;
    for (const byte of bytes.subarray(from, to)) ones += byte.toString(2).replaceAll("0", "").length;
    return ones / (8 * (to - from));
  });
}

function noise(size, seed = 1) {
  return Uint8Array.from({ length: size }, () => (seed = (Math.imul(seed, 1103515245) + 12345) >>> 0) >>> 24);
}

test("the shares do not depend on the pieces", () => {
  const bytes = noise(1003);
  for (const cells of [1, 2, 7, 64, 250]) {
    for (const piece of [1, 3, 100, 1003, 5000]) {
      const counter = new DensityCounter(bytes.length, cells);
      for (let at = 0; at < bytes.length; at += piece) counter.push(bytes.subarray(at, at + piece));
      assert.deepEqual([...counter.shares()], naive(bytes, cells), `${cells} cells, pieces of ${piece}`);
    }
  }
});

test("bits past the end of the array do not thin out the last cell", () => {
  const counter = new DensityCounter(8, 1);
  counter.push(Uint8Array.of(255, 255, 0, 0, 0, 0, 0, 0));
  assert.deepEqual([...counter.shares(16)], [1]);
});

test("a picture has at least four bytes in each cell", () => {
  assert.equal(cellsFor(1, 2048), 1);
  assert.equal(cellsFor(360, 2048), 90);
  assert.equal(cellsFor(1e9, 2048), 2048);
});

test("noise is even; an empty quarter is not", () => {
  const bytes = noise(1 << 16);
  const shares = naive(bytes, 256);
  assert.equal(evenness(shares, bytes.length / 32).uneven, false);
  const { uneven, least, most } = evenness(naive(bytes.fill(0, 0, 1 << 14), 256), bytes.length / 32);
  assert.equal(uneven, true);
  assert.equal(least, 0);
  assert.ok(most > 0.4);
});
