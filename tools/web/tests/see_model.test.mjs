// The model of "See": it shows what the library has, and it knows which answers are wrong.
import assert from "node:assert/strict";
import { test } from "node:test";
import { allowed, CHOICES, KINDS, makeFilter } from "../page/see/design.js";
import { Model } from "../page/see/model.js";
import { interval } from "../page/see/rate.js";
import { assertBinomial, bloomery, words } from "./see_support.mjs";

const model = (kind, size, hashes) => new Model(bloomery, { kind, ...allowed(kind, size, hashes) });
const bits = (values) => [...values].join("");
const setOf = (values) => [...values.keys()].filter((at) => values[at] !== 0);

test("a classic filter of 16 bits shows the bits of the native file", () => {
  const it = model("classic", 16, 3);
  const event = it.add("river");
  assert.equal(it.values.length, 16);
  assert.deepEqual(setOf(it.values), event.places);
  assert.equal(it.filter.statistics().bitsSet, event.places.length);
  const byHand = it.filter.toBytes()[4096] | (it.filter.toBytes()[4097] << 8);
  assert.deepEqual(event.places, [...Array(16).keys()].filter((at) => (byHand >> at) & 1));
});

test("every size and number of hashes of every kind can be made", () => {
  for (const kind of KINDS) {
    for (const size of CHOICES[kind].sizes ?? [1000]) {
      for (const hashes of CHOICES[kind].hashes === null ? [null] : [1, 2, 3, 4, 5, 6, 7, 8]) {
        const filter = makeFilter(bloomery, { kind, size, hashes });
        const info = filter.info();
        if (kind !== "window" && kind !== "scalable") assert.equal(info.bitCount, size, `${kind} ${size}`);
        if (kind === "counting" || kind === "classic") assert.equal(info.hashCount, hashes, `${kind} ${size} k=${hashes}`);
        filter.dispose();
      }
    }
  }
});

test("the hash words of a key choose exactly its places", () => {
  for (const size of CHOICES.classic.sizes) {
    const it = model("classic", size, 4);
    for (const key of words) {
      const { probes, places, words: digits } = it.ask(key);
      assert.equal(digits.length, 4, key);
      assert.deepEqual([...new Set(probes.map((one) => one.place))].sort((a, b) => a - b), places);
      for (const one of probes) assert.equal(one.place, Math.floor((one.word * size) / 65536));
    }
  }
});

test("classic and counting filters of one size have the same places", () => {
  const classic = model("classic", 256, 4);
  const counting = model("counting", 256, 4);
  for (const key of words.slice(0, 40)) assert.deepEqual(classic.add(key).places, counting.add(key).places);
  assert.deepEqual(setOf(classic.values), setOf(counting.values));
});

test("all bits of a key are in one cache line, and in a split filter one in each lane", () => {
  const blocked = model("blocked", 4096, 6);
  const split = model("split", 4096);
  for (const key of words) {
    assert.equal(new Set(blocked.add(key).places.map((at) => at >> 9)).size, 1);
    const { places, line } = split.add(key);
    assert.ok(places.every((at) => at >> 9 === line));
    assert.deepEqual(places.map((at) => (at & 511) >> 6), [0, 1, 2, 3, 4, 5, 6, 7]);
  }
});

test("asking for an added key says maybe, and the verdict knows that it is right", () => {
  const it = model("classic", 64, 3);
  it.add("river");
  const event = it.ask("river");
  assert.equal(event.maybe, true);
  assert.equal(event.verdict, "present");
  assert.deepEqual(event.clear, []);
});

test("a no names the bits that are clear, and only those", () => {
  const it = model("classic", 64, 3);
  it.add("river");
  let denied = 0;
  for (const key of words.filter((one) => one !== "river")) {
    const event = it.ask(key);
    if (event.maybe) continue;
    denied += 1;
    assert.equal(event.verdict, "absent");
    assert.ok(event.clear.length > 0);
    assert.deepEqual(event.clear, event.places.filter((at) => it.values[at] === 0));
  }
  assert.ok(denied > 100);
});

test("a false positive is found, and each of its bits has an owner among the added keys", () => {
  const it = model("classic", 32, 3);
  for (const key of words.slice(0, 8)) it.add(key);
  const wrong = words.slice(8).map((key) => it.ask(key)).filter((one) => one.verdict === "false-positive");
  assert.ok(wrong.length > 0);
  for (const event of wrong) {
    for (const place of event.places) {
      const owners = it.ownersOf(place);
      assert.ok(owners.length > 0, `bit ${place} of ${event.key} has no owner`);
      for (const owner of owners) assert.ok(it.add(owner).places.includes(place));
    }
  }
});

test("undo gives back every state, for every kind", () => {
  for (const kind of KINDS) {
    const it = model(kind);
    const states = [];
    for (const key of words.slice(0, 20)) {
      states.push({ values: bits(it.values), members: [...it.members.keys()].join(), arrivals: it.arrivals });
      if (it.canDelete && it.keyCount > 3 && it.keyCount % 4 === 0) it.remove(it.members.keys().next().value);
      else it.add(key);
    }
    while (states.length > 0) {
      assert.equal(it.undo(), true);
      const state = states.pop();
      assert.equal(bits(it.values), state.values, kind);
      assert.deepEqual(new Set(it.members.keys()), new Set(state.members.split(",").filter(Boolean)), kind);
      assert.equal(it.arrivals, state.arrivals);
    }
    assert.equal(it.undo(), false);
    assert.equal(it.canUndo, false);
  }
});

test("deleting a key takes its counters down and keeps the others", () => {
  const it = model("counting", 64, 3);
  for (const key of words.slice(0, 6)) it.add(key);
  const before = it.values;
  const event = it.remove(words[0]);
  assert.equal(event.verdict, "removed");
  assert.deepEqual(event.broken, []);
  assert.ok(event.changed.length > 0);
  for (const place of event.changed) assert.ok(it.values[place] < before[place]);
  for (const key of words.slice(1, 6)) assert.equal(it.ask(key).verdict, "present");
});

test("a key that is definitely not in cannot be deleted", () => {
  const it = model("counting", 64, 3);
  it.add("river");
  const key = words.find((one) => !it.filter.has(one));
  const before = bits(it.values);
  const event = it.remove(key);
  assert.equal(event.verdict, "refused");
  assert.equal(bits(it.values), before);
  it.undo();
  assert.equal(it.keyCount, 0, "undo takes back the key, because the refused deletion changed nothing");
});

test("deleting a false positive breaks an added key, which is then a false negative", () => {
  const it = model("counting", 32, 3);
  for (const key of words.slice(0, 6)) it.add(key);
  const wrong = words.slice(6).find((key) => it.filter.has(key) && it.places.of(key).length === 3
    && it.places.of(key).some((at) => it.values[at] === 1));
  const event = it.remove(wrong);
  assert.equal(event.verdict, "wrong");
  assert.ok(event.broken.length > 0);
  for (const key of event.broken) {
    assert.ok(it.members.has(key));
    assert.equal(it.ask(key).verdict, "false-negative");
    assert.ok(it.ask(key).clear.length > 0);
  }
  it.undo();
  assert.deepEqual(it.lost(), []);
});

test("a window remembers its last keys and forgets the first", () => {
  const it = model("window", 14);
  it.add("river");
  assert.equal(it.ask("river").verdict, "present");
  const others = Array.from({ length: 60 }, (_, i) => `other ${i}`);
  for (const key of others) {
    it.add(key);
    const latest = [...it.members.keys()].slice(-14);
    assert.deepEqual(it.filter.absent(latest), [], "the last 14 keys are remembered");
  }
  assert.equal(it.ask("river").verdict, "forgotten");
  assert.ok(it.newest >= 0 && it.newest < 8);
});

test("a window's false positive is explained by keys of one generation that are still remembered", () => {
  const it = model("window", 28);
  it.addMany(Array.from({ length: 90 }, (_, i) => `other ${i}`));
  const wrong = Array.from({ length: 400 }, (_, i) => it.ask(`stranger ${i}`)).filter((one) => one.verdict === "false-positive");
  assert.ok(wrong.length > 0);
  for (const { places } of wrong) {
    const generations = it.sharedGenerations(places);
    assert.notEqual(generations, 0);
    for (const place of places) {
      const owners = it.ownersOf(place, undefined, generations);
      assert.ok(owners.length > 0);
      assert.deepEqual(it.filter.absent(owners), []);
    }
  }
});

test("a scalable filter grows by layers, and the added keys are found in their layer", () => {
  const it = model("scalable");
  const keys = Array.from({ length: 3600 }, (_, i) => `key ${i}`);
  let grown = 0;
  for (let at = 0; at < keys.length; at += 100) if (it.addMany(keys.slice(at, at + 100)).grew) grown += 1;
  assert.equal(it.groups.length, 3);
  assert.equal(grown, 2);
  for (const layer of it.groups) assert.ok(layer.taken <= layer.capacity);
  for (const key of ["key 5", "key 1500", "key 3550"]) {
    const event = it.ask(key);
    assert.equal(event.verdict, "present");
    assert.equal(event.answers.at(-1).maybe, true);
  }
  let absent = 0;
  for (const key of words) {
    const event = it.ask(key);
    assert.equal(event.answers.some((one) => one.maybe), event.maybe, "the layers explain the answer");
    if (!event.maybe) absent += 1;
  }
  assert.ok(absent > 60);
  const last = it.ask("key 3550").answers.at(-1).layer;
  assert.equal(last, 2);
});

test("the measured rate is within binomial bounds of the computed one, for every kind", () => {
  for (const [kind, size, hashes] of [["classic", 1024, 3], ["blocked", 4096, 4], ["split", 2048], ["counting", 1024, 3], ["scalable"], ["window", 112]]) {
    const it = model(kind, size, hashes);
    for (const share of [0.3, 0.6, 1]) {
      const target = Math.round(it.mostKeys * share);
      it.addMany(Array.from({ length: target - it.arrivals }, (_, i) => `${kind} ${it.arrivals + i}`));
      const { maybe, asked } = it.measure(20000);
      assertBinomial(maybe, asked, it.statistics().expectedRate, `${kind} with ${target} keys`);
    }
  }
});

test("over many filters, the measured rate follows the computed curve", () => {
  for (const keys of [20, 60, 120]) {
    let maybe = 0;
    let asked = 0;
    let computed = 0;
    for (let round = 0; round < 40; round += 1) {
      const it = model("classic", 512, 4);
      it.addMany(Array.from({ length: keys }, (_, i) => `round ${round} key ${i}`));
      const one = it.measure(5000);
      maybe += one.maybe;
      asked += one.asked;
      computed = it.filter.rateAt(keys);
      it.dispose();
    }
    // The fill ratio differs between filters, which a binomial bound does not know: ten percent for 40 of them.
    const rate = maybe / asked;
    assert.ok(Math.abs(rate - computed) < 0.1 * computed + 4 * Math.sqrt(computed / asked), `${keys} keys: ${rate}, computed ${computed}`);
  }
});

test("the interval of a measured share contains it and stays between 0 and 1", () => {
  for (const [hits, asked] of [[0, 10], [10, 10], [1, 2000], [700, 2000]]) {
    const { low, high } = interval(hits, asked);
    assert.ok(low >= 0 && high <= 1 && low <= hits / asked && hits / asked <= high);
    assert.ok(high > low);
  }
  const { low, high } = interval(200, 2000);
  assert.ok(Math.abs(low - 0.0876) < 0.001 && Math.abs(high - 0.1139) < 0.001);
});
