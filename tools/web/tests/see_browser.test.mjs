// "See" in a real browser: typing, stepping, playing, undoing, with the keyboard alone, without motion, in both
// languages, on a phone and in the dark.
import assert from "node:assert/strict";
import { test } from "node:test";
import { checkAccessible, checkFits, variants, withPage } from "./browser.mjs";

const title = ".part-see .story-title";
const button = (page, name) => page.getByRole("button", { name, exact: true });
const count = (page, what) => page.locator(what).count();
const told = (page, text) => page.waitForFunction(([where, part]) => document.querySelector(where)?.textContent.includes(part), [title, text]);
const settled = (page) => page.waitForTimeout(700);

async function type(page, key, action) {
  await page.getByLabel("Key", { exact: true }).fill(key);
  await button(page, action).click();
}

test("typing a key shows its hash, its places and the bits that it sets", () => withPage("see", async ({ page, shoot }) => {
  await shoot("see-start");
  await type(page, "apple", "Add");
  await told(page, "is hashed");
  await told(page, "The places of");
  assert.equal(await count(page, ".part-see .arrow"), 3);
  await told(page, "“apple” is added");
  assert.match(await page.locator(".part-see .chip-word").first().textContent(), /^[0-9a-f]{4}$/);
  assert.equal(await count(page, ".part-see .ring.fresh"), 3);
  await settled(page);
  await shoot("see-add");
  await type(page, "pear", "Ask");
  await told(page, "“pear”: definitely not");
  assert.ok(await count(page, ".part-see .ring.clear") >= 1);
  assert.match(await page.locator(".part-see .story").textContent(), /Bits? [\d, ]+ (is|are) 0/);
  await settled(page);
  await shoot("see-no");
}));

test("a chip, its arrow and its ring name one cell", () => withPage("see", { reducedMotion: true }, async ({ page }) => {
  await type(page, "apple", "Add");
  const places = await page.locator(".part-see .chip-place").allTextContents();
  const words = await page.locator(".part-see .chip-word").allTextContents();
  words.forEach((word, i) => assert.equal(Number(places[i]), Math.floor((parseInt(word, 16) * 32) / 65536)));
}));

test("typing shows the places of the key, and changes nothing", () => withPage("see", async ({ page }) => {
  await page.getByLabel("Key", { exact: true }).pressSequentially("apple");
  assert.equal(await page.locator(title).textContent(), "The places of “apple”");
  assert.equal(await count(page, ".part-see .ring.probe"), 3);
  assert.equal(await count(page, ".part-see .key"), 0);
  assert.match(await page.locator(".part-see .cells").getAttribute("aria-label"), /: 0 of 32 are in use/);
  await page.getByLabel("Key", { exact: true }).fill("");
  assert.equal(await page.locator(title).textContent(), "An empty filter");
}));

test("a classic filter explains why it cannot delete", () => withPage("see?keys=apple,pear,cherry,banana", { reducedMotion: true }, async ({ page }) => {
  await type(page, "banana", "Delete");
  assert.equal(await page.locator(title).textContent(), "“banana” cannot be deleted");
  assert.match(await page.locator(".part-see .story").textContent(), /also belongs to “.*false negative/);
  await type(page, "banana", "Ask");
  assert.equal(await page.locator(title).textContent(), "“banana”: maybe");
}));

test("the story can be stepped to its end and undone to its start", () => withPage("see", { reducedMotion: true }, async ({ page, shoot }) => {
  const titles = [];
  while (await button(page, "Step").isEnabled()) {
    await button(page, "Step").click();
    titles.push(await page.locator(title).textContent());
    assert.ok(titles.length < 60);
  }
  assert.match(titles.at(-1), /maybe/);
  assert.ok(titles.some((one) => one.includes("definitely not")));
  assert.equal(await count(page, ".part-see .ring.borrowed") > 0, true);
  assert.match(await page.locator(".part-see .story").textContent(), /false positive.*by “/);
  await shoot("see-false-positive");
  while (await button(page, "Undo").isEnabled()) await button(page, "Undo").click();
  assert.equal(await page.locator(title).textContent(), "An empty filter");
  assert.equal(await count(page, ".part-see .key"), 0);
}));

test("it plays by itself and can be paused", () => withPage("see", async ({ page }) => {
  await page.getByLabel("Speed").fill("4");
  await button(page, "Play").click();
  await told(page, "definitely not");
  await button(page, "Pause").click();
  const before = await page.locator(".part-see .story").textContent();
  await page.waitForTimeout(900);
  assert.equal(await page.locator(".part-see .story").textContent(), before);
}));

test("it fills by itself, and the measured points follow the computed line", () => withPage("see?size=1024", async ({ page, shoot }) => {
  await page.getByLabel("Speed").fill("4");
  await button(page, "Fill").click();
  await page.waitForFunction(() => document.querySelectorAll(".part-see .point").length >= 5);
  await shoot("see-filling", { fullPage: true });
  await told(page, "full enough");
  assert.ok(await count(page, ".part-see .point") >= 19);
  await page.getByText("The figures").click();
  const rows = await page.locator(".part-see .see-chart-table tbody tr").evaluateAll((all) => all.map((row) => [...row.children].map((cell) => parseFloat(cell.textContent))));
  // A filter of 1,024 bits is luckier or less lucky than average: half as much or twice as much would be neither.
  for (const [, computed, measured] of rows.slice(6)) assert.ok(measured > computed / 2 && measured < computed * 2, `${measured} of ${computed}`);
  await shoot("see-filled", { fullPage: true });
}));

test("nothing moves with reduced motion, and filling is done at once", () => withPage("see", { reducedMotion: true }, async ({ page }) => {
  assert.equal(await button(page, "Play").count(), 0);
  assert.ok(await page.getByText("asks for less motion").isVisible());
  await type(page, "apple", "Add");
  assert.equal(await page.locator(title).textContent(), "“apple” is added");
  await button(page, "Fill").click();
  assert.match(await page.locator(title).textContent(), /full enough/);
  const first = await page.screenshot();
  await page.waitForTimeout(500);
  assert.ok(first.equals(await page.screenshot()), "the picture changed by itself");
  assert.equal(await page.evaluate(() => document.getAnimations().length), 0);
}));

test("a wrong deletion breaks another key, and the false negative is shown as such", () => withPage("see?kind=counting", { reducedMotion: true }, async ({ page, shoot }) => {
  while (await button(page, "Step").isEnabled()) await button(page, "Step").click();
  assert.match(await page.locator(".part-see .story").textContent(), /definitely not.*wrong.*false negative/i);
  assert.ok(await page.locator(".part-see .story.error").isVisible());
  assert.ok(await count(page, ".part-see .key.lost") >= 1);
  await shoot("see-false-negative", { fullPage: true });
}));

test("everything works with the keyboard alone", () => withPage("see", { reducedMotion: true }, async ({ page }) => {
  await page.getByLabel("Key", { exact: true }).focus();
  await page.keyboard.type("apple");
  await page.keyboard.press("Enter");
  assert.match(await page.locator(title).textContent(), /“apple” is added/);
  const reached = [];
  while (reached.at(-1) !== "cells") {
    await page.keyboard.press("Tab");
    reached.push(await page.evaluate(() => document.activeElement.className.includes("cells") ? "cells" : document.activeElement.textContent));
    if (reached.at(-1) === "Step") {
      await page.keyboard.press("Enter");
      assert.match(await page.locator(title).textContent(), /is hashed/);
    }
    if (reached.at(-1) === "Undo") await page.keyboard.press("Space");
    assert.ok(reached.length < 20, reached.join());
  }
  assert.deepEqual(reached, ["Add", "Ask", "Delete", "Step", "Fill", "Undo", "Reset", "cells"]);
  assert.match(await page.locator(title).textContent(), /“apple” is added/);
  const place = Number(await page.locator(".part-see .chip-place").first().textContent());
  for (let i = 0; i <= place; i += 1) await page.keyboard.press("ArrowRight");
  assert.match(await page.locator(".part-see .inspected").textContent(), new RegExp(`Bit ${place} is 1. Set by “apple”`));
  assert.match(await page.locator("[aria-live]").first().textContent(), /Set by “apple”/);
  await page.getByRole("radio", { name: "Classic" }).focus();
  await page.keyboard.press("ArrowRight");
  assert.equal(await page.locator(title).textContent(), "One cache line per key");
}));

test("what happens is announced", () => withPage("see", { reducedMotion: true }, async ({ page }) => {
  await type(page, "apple", "Add");
  assert.match(await page.locator("[aria-live]").first().textContent(), /“apple” is added.*now they are 1/);
}));

// All views and settings only with BLOOMERY_WEB_FULL=1.
const settings = [["en, desktop, light", { language: "en" }], ["zh, phone, dark", { language: "zh", width: 360, height: 740, touch: true, dark: true }]];
for (const view of variants(["classic", "counting", "blocked", "split", "scalable", "window", "compare"], 2)) {
  for (const [name, options] of variants(settings)) {
    test(`${view} is accessible and fits: ${name}`, () => withPage(`see?kind=${view}`, { reducedMotion: true, ...options }, async ({ page, shoot }) => {
      const step = button(page, options.language === "en" ? "Step" : "单步");
      for (let i = 0; i < 9 && await step.isEnabled(); i += 1) await step.click();
      await checkFits(page);
      await checkAccessible(page);
      await shoot(`see-${view}-${options.language}`, { fullPage: true });
    }));
  }
}

test("nothing jumps while a key is added, asked for and undone", () => withPage("see?kind=counting", async ({ page }) => {
  await page.evaluate(() => {
    window.shifts = 0;
    new PerformanceObserver((list) => { for (const one of list.getEntries()) window.shifts += one.value; }).observe({ type: "layout-shift", buffered: false });
  });
  for (const name of ["Add", "Ask", "Delete", "Undo", "Step"]) {
    await button(page, name).click();
    await page.waitForTimeout(1600);
  }
  assert.ok(await page.evaluate(() => window.shifts) < 0.005);
}));

test("the other language shows the same filter", () => withPage("see", { reducedMotion: true }, async ({ page }) => {
  await type(page, "apple", "Add");
  await page.locator(".head-tools button").first().click();
  await page.waitForFunction(() => document.documentElement.lang.startsWith("zh"));
  assert.equal(await page.locator(title).textContent(), "添加了“apple”");
  assert.equal(await count(page, ".part-see .key"), 1);
}));

test("the address brings back the filter and its keys", () => withPage("see?kind=counting&size=64&keys=apple,pear", { reducedMotion: true }, async ({ page }) => {
  assert.deepEqual((await page.locator(".part-see .key").allTextContents()).sort(), ["apple", "pear"]);
  await type(page, "apple", "Ask");
  assert.equal(await page.locator(title).textContent(), "“apple”: maybe");
}));
