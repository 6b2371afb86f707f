import assert from "node:assert/strict";
import { test } from "node:test";
import { logTicks, linearTicks, logSamples, makeScale } from "../page/charts/scale.js";
import { adviseCommand, situationOf } from "../page/plan/advice.js";
import { textbookShape } from "../page/plan/others.js";
import { optionsFor, readQuestion, textbookRate, typeInto, wholeBlocks } from "../page/plan/question.js";
import { snippetMakers } from "../page/plan/snippets.js";

test("the fields become options of the planner", () => {
  assert.deepEqual(readQuestion({ keys: "10M", rate: "1in1000" }).options, { items: 1e7, rate: 0.001 });
  assert.deepEqual(readQuestion({ memory: "1MiB", rate: "1%", k: "7" }).options, { bytes: 2 ** 20, rate: 0.01, hashes: 7 });
  assert.deepEqual(readQuestion({ bits: "1e6", keys: "5k", layout: "classic" }).options, { bits: 1e6, items: 5000, layout: "classic" });
});

test("two of keys, rate and size are needed; keys alone are enough", () => {
  for (const query of [{}, { rate: "1%" }, { memory: "1MiB" }, { bits: "8" }, { k: "3" }, { rate: "1%", k: "3" }]) assert.ok(readQuestion(query).missing, JSON.stringify(query));
  for (const query of [{ keys: "1M" }, { rate: "1%", memory: "1MiB" }, { keys: "1M", bits: "8M", k: "3" }]) assert.ok(!readQuestion(query).missing, JSON.stringify(query));
});

test("a number that cannot be read is a problem of its field alone", () => {
  const { problems, options } = readQuestion({ keys: "many", rate: "1%", k: "65" });
  assert.deepEqual(Object.keys(problems), ["keys", "k"]);
  assert.deepEqual(options, { rate: 0.01 });
  assert.equal(readQuestion({ keys: "0", rate: "1%" }).problems.keys.code, "zero");
});

test("memory and bits replace each other", () => {
  assert.deepEqual(typeInto({ keys: "1M", memory: "1MiB" }, "bits", "8M"), { keys: "1M", bits: "8M" });
  assert.deepEqual(typeInto({ bits: "8M" }, "memory", "1"), { memory: "1" });
  assert.deepEqual(typeInto({ keys: "1M", rate: "1%" }, "rate", " "), { keys: "1M" });
  assert.ok(readQuestion({ memory: "1", bits: "8" }).twice);
});

test("k is left to the layouts that have a choice", () => {
  assert.deepEqual(optionsFor({ items: 1, hashes: 5 }, "classic"), { items: 1, hashes: 5, layout: "classic" });
  assert.deepEqual(optionsFor({ items: 1, hashes: 5 }, "split-8x64"), { items: 1, layout: "split-8x64" });
});

test("blocks are whole", () => {
  assert.equal(wholeBlocks("classic", 1001), 1001);
  assert.equal(wholeBlocks("split-8x32", 1001), 768);
  assert.equal(wholeBlocks("blocked", 1001), 512);
  assert.equal(wholeBlocks("split-8x64", 3), 512);
});

test("the textbook's sizes are those of docs/sizing.md", () => {
  assert.deepEqual(textbookShape({ items: 1e6, rate: 0.01 }), { bits: 9585059, hashes: 7 });
  assert.deepEqual(textbookShape({ items: 1, rate: 0.01 }), { bits: 10, hashes: 7 });
  assert.ok(Math.abs(textbookRate({ bits: 8e6, hashes: 6, items: 1e6 }) - 0.02158) < 1e-5);
});

test("the adviser gets the needs of the address, and no unknown ones", () => {
  const plan = { items: 1000 };
  assert.deepEqual(situationOf({ need: "remove,merge,evil" }, plan, 0.01), { items: 1000, rate: 0.01, remove: true, merge: true });
  assert.deepEqual(situationOf({ need: "merge" }, plan, 0.01), { items: 1000, rate: 0.01 }, "merge matters only with remove");
  assert.deepEqual(situationOf({ need: "grow", window: "5k" }, plan, 0.01), { rate: 0.01, "at-least": 1000, window: "5k" });
});

test("the command for the advice has the same situation", () => {
  assert.equal(adviseCommand({ items: 1000, rate: 0.01, remove: true, "key-bytes": "8" }), "bloomery advise -n 1000 -p 0.01 --remove --key-bytes 8");
});

test("snippets contain the planned numbers", () => {
  const plan = { layout: "split-8x64", bits: 100993536, bytes: 12624192, hashes: 8, items: 1e7, rate: 0.01 };
  const from = (options) => Object.fromEntries(Object.entries(snippetMakers).map(([name, make]) => [name, make({ plan, options })]));
  const byRate = from({ items: 1e7, rate: 0.01 });
  assert.match(byRate.cpp, /filter seen\{items\{10'000'000\}, rate\{0\.01\}\};/);
  assert.match(byRate.command, /bloomery create -n 10000000 -p 0\.01 seen\.bloom/);
  assert.match(byRate.python, /Filter\(10_000_000, 0\.01\)/);
  assert.match(byRate.javascript, /Filter\.create\(\{ items: 10_000_000, rate: 0\.01 \}\)/);
  assert.match(byRate.redis, /BF\.RESERVE seen 0\.01 10000000/);
  const bySize = from({ items: 1e7, bytes: 12624192, layout: "classic" });
  assert.match(bySize.cpp, /classic_filter seen\{bytes\{12'624'192\}, items\{10'000'000\}\};/);
  assert.match(bySize.command, /--layout classic -n 10000000 --bytes 12624192/);
  assert.match(bySize.javascript, /bytes: 12_624_192, items: 10_000_000, layout: "classic"/);
  assert.match(from({ items: 1e7, rate: 0.01, hashes: 8 }).command, /--bits 100993536 -k 8/);
});

test("ticks of a logarithmic scale are powers of ten, or their halves", () => {
  assert.deepEqual(logTicks(1e-5, 1, 7), [1e-5, 1e-4, 1e-3, 1e-2, 0.1, 1]);
  assert.deepEqual(logTicks(1, 100, 8), [1, 2, 5, 10, 20, 50, 100]);
  assert.deepEqual(logTicks(1e-12, 1, 7), [1e-12, 1e-10, 1e-8, 1e-6, 1e-4, 1e-2, 1]);
  assert.deepEqual(linearTicks(1, 18, 8), [5, 10, 15]);
});

test("a scale goes forth and back", () => {
  const scale = makeScale("log", [1, 1000]);
  assert.ok(Math.abs(scale.at(10) - 1 / 3) < 1e-12 && Math.abs(scale.value(scale.at(77)) - 77) < 1e-9);
  assert.deepEqual(logSamples(1, 4, 3, [1.2, 3]), [1, 2, 3, 4]);
});
