// What is on the stage, without a page: steps, phases, stories, undo.
import assert from "node:assert/strict";
import { test } from "node:test";
import { VIEWS } from "../page/see/design.js";
import { rolesOf, valuesOf } from "../page/see/roles.js";
import { Scene } from "../page/see/scene.js";
import { readState, writeState } from "../page/see/state.js";
import { ended } from "../page/see/tour.js";
import { bloomery, words } from "./see_support.mjs";

const open = (query = {}) => {
  const state = readState(query);
  const scene = new Scene(bloomery, state, words);
  scene.preload(state.keys);
  return scene;
};
const fingerprint = (scene) => JSON.stringify({
  values: scene.models.map((model) => [...model.values].join("")), keys: scene.keyCount, tourAt: scene.tourAt,
  points: scene.points, current: scene.current && [scene.current.type, scene.current.key],
});

test("a key is shown in three phases, and its bits change only in the last", () => {
  const scene = open();
  scene.begin("add", "apple");
  const event = scene.current.events[0];
  assert.equal(scene.current.phase, 0);
  assert.deepEqual([...valuesOf(event, 0, scene.first)], Array(32).fill(0));
  assert.equal(rolesOf(event, 0).size, 0);
  scene.advance();
  assert.deepEqual([...rolesOf(event, 1).values()], event.places.map(() => "probe"));
  scene.advance();
  assert.deepEqual([...valuesOf(event, 2, scene.first)], [...scene.first.values]);
  assert.deepEqual([...rolesOf(event, 2).values()], event.places.map(() => "fresh"));
  assert.equal(scene.advance(), false);
});

test("the story of every view comes to its end, and every step can be undone", () => {
  for (const view of VIEWS) {
    const scene = open({ kind: view });
    const states = [];
    let steps = 0;
    while (true) {
      const before = fingerprint(scene);
      const busy = scene.busy;
      if (!scene.step()) break;
      if (!busy) states.push(before);
      steps += 1;
      assert.ok(steps < 200, `${view} does not end`);
    }
    assert.ok(ended(scene));
    while (states.length > 0) {
      const expected = states.pop();
      assert.equal(scene.undo(), true, view);
      assert.equal(fingerprint(scene), expected, view);
    }
    assert.equal(scene.undo(), false);
    scene.dispose();
  }
});

function told(view) {
  const scene = open({ kind: view });
  const verdicts = [];
  while (scene.step()) if (!scene.busy) verdicts.push(scene.current.events[0].verdict ?? scene.current.type);
  return verdicts;
}

test("the classic story shows a right maybe, a no and a false positive", () => {
  const verdicts = told("classic");
  for (const one of ["present", "absent", "false-positive"]) assert.ok(verdicts.includes(one), one);
});

test("the counting story deletes rightly, then wrongly, and ends with the false negative", () => {
  const verdicts = told("counting");
  assert.ok(verdicts.indexOf("removed") < verdicts.indexOf("wrong"));
  assert.equal(verdicts.at(-1), "false-negative");
});

test("the window's story forgets, the scalable one grows to three layers", () => {
  assert.ok(told("window").includes("forgotten"));
  const scene = open({ kind: "scalable" });
  while (scene.step());
  assert.equal(scene.first.groups.length, 3);
});

test("filling stops at the end of the chart and leaves measured points on the way", () => {
  for (const view of VIEWS) {
    const scene = open({ kind: view });
    while (scene.fill(Infinity) > 0);
    assert.equal(scene.keyCount, scene.mostKeys, view);
    assert.ok(scene.points[0].length >= 10, `${view}: ${scene.points[0].length}`);
    assert.equal(scene.points[0].at(-1).keys, scene.mostKeys);
    for (const points of scene.points) {
      for (let i = 1; i < points.length; i += 1) assert.ok(points[i].keys > points[i - 1].keys);
    }
    scene.dispose();
  }
});

test("side by side, deleting is refused where it cannot work", () => {
  const scene = open({ kind: "compare" });
  scene.begin("add", "apple");
  scene.begin("remove", "apple");
  assert.deepEqual(scene.current.events.map((one) => one.type), ["cannot", "cannot", "remove"]);
  assert.deepEqual(scene.models.map((model) => model.filter.has("apple")), [true, true, false]);
  scene.undo();
  assert.deepEqual(scene.models.map((model) => model.filter.has("apple")), [true, true, true]);
});

test("deleting from a classic filter is refused, and names the key that it would break", () => {
  const scene = open({ keys: "apple,pear,cherry,banana,plum" });
  const before = [...scene.first.values].join("");
  const shared = words.slice(0, 5).map((key) => scene.begin("remove", key).events[0]).filter((one) => one.shared?.length > 0);
  assert.ok(shared.length > 0);
  for (const event of shared) {
    assert.equal(event.type, "cannot");
    assert.ok(event.shared.every((place) => scene.first.ownersOf(place, event.key).length > 0));
  }
  assert.equal([...scene.first.values].join(""), before);
});

test("the address keeps view, size, hashes and keys, whatever they contain", () => {
  const scene = open({ kind: "counting", size: "128", hashes: "5", keys: "a%2Cb,c%20d,%E8%8B%B9%E6%9E%9C,100%25" });
  assert.deepEqual([...scene.first.members.keys()], ["a,b", "c d", "苹果", "100%"]);
  const again = readState(writeState(scene, false));
  assert.deepEqual(again, { view: "counting", size: 128, hashes: 5, lines: false, keys: ["a,b", "c d", "苹果", "100%"] });
  assert.deepEqual(readState({ kind: "nonsense", size: "-3", hashes: "999", keys: "%" }),
    { view: "classic", size: 16, hashes: 8, lines: false, keys: ["%"] });
});
