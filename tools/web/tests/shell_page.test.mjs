// The frame of the page in a real browser.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { checkAccessible, checkFits, variants, withPage } from "./browser.mjs";

const parts = ["plan", "see", "open", "dedupe"];

test("the page is ready within a second", async () => {
  // Other programs may be running: the fastest of several loads counts.
  const times = [Infinity];
  for (let round = 0; round < 10 && Math.min(...times) > 1000; round += 1) {
    await withPage("plan", async ({ page }) => times.push(await page.evaluate(() => performance.getEntriesByName("ready")[0].startTime)));
  }
  assert.ok(Math.min(...times) <= 1000, `ready after ${times.map((time) => Math.round(time)).join(", ")} ms`);
});

test("each part is shown under its name, and only that one", () => withPage("plan", async ({ page }) => {
  for (const part of parts) {
    await page.click(`nav a[href^="#${part}"]`);
    await page.waitForSelector(`.part-${part}:not([hidden]) h1`);
    assert.equal(await page.locator(".part:visible").count(), 1);
    assert.equal(await page.locator("nav a[aria-current=page]").count(), 1);
    assert.match(await page.title(), /bloomery$/);
    assert.equal(await page.locator("h1:visible").count(), 1, `${part} has one heading`);
  }
}));

test("Chinese browsers get Chinese, others English; the switch changes it and is remembered", () => withPage("plan", { language: "zh" }, async ({ page }) => {
  assert.equal(await page.getAttribute("html", "lang"), "zh-Hans");
  assert.match(await page.textContent("h1"), /布隆过滤器/);
  await page.click("text=English");
  assert.equal(await page.getAttribute("html", "lang"), "en");
  assert.match(await page.textContent(".part-plan h1"), /filter/);
  await page.reload();
  await page.waitForSelector("html[data-ready]");
  assert.equal(await page.getAttribute("html", "lang"), "en");
}));

test("a link can name the language", () => withPage("plan?lang=zh&keys=5M", async ({ page }) => {
  assert.equal(await page.getAttribute("html", "lang"), "zh-Hans");
  assert.equal(await page.inputValue(".part-plan input >> nth=0"), "5M");
}));

test("no English sentence is left in the Chinese page", () => withPage("plan", { language: "zh" }, async ({ page }) => {
  for (const part of parts) {
    await page.click(`nav a[href^="#${part}"]`);
    await page.waitForSelector(`.part-${part}:not([hidden]) h1`);
    await page.waitForTimeout(300);
    const english = await page.evaluate(() => {
      const found = [];
      const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        const around = node.parentElement;
        if (around.closest("[lang=en], [translate=no], script, code, pre, svg, option, textarea") || !around.checkVisibility()) continue;
        if (/[a-z]{2,} [a-z]{2,} [a-z]{2,}/.test(node.textContent)) found.push(node.textContent.trim());
      }
      return found;
    });
    assert.deepEqual(english, [], part);
  }
}));

test("the theme follows the system, and the switch overrides it", () => withPage("plan", { dark: true }, async ({ page }) => {
  const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  assert.equal(await page.getAttribute("html", "data-theme"), "dark");
  const dark = await ground();
  await page.click("header .icon-button");
  assert.equal(await page.getAttribute("html", "data-theme"), "light");
  assert.notEqual(await ground(), dark);
  await page.reload();
  await page.waitForSelector("html[data-ready]");
  assert.equal(await page.getAttribute("html", "data-theme"), "light", "remembered");
  await page.click("header .icon-button");
  await page.emulateMedia({ colorScheme: "light" });
  await page.waitForSelector("html[data-theme=light]", { timeout: 5000 }); // follows the system again
}));

test("nothing shifts while the page loads", () => withPage("plan", async ({ page }) => {
  await page.waitForSelector(".part-plan[data-complete]");
  const shift = await page.evaluate(() => new Promise((done) => {
    let sum = 0;
    new PerformanceObserver((list) => { for (const entry of list.getEntries()) sum += entry.value; }).observe({ type: "layout-shift", buffered: true });
    setTimeout(() => done(sum), 300);
  }));
  assert.ok(shift < 0.02, `cumulative layout shift ${shift}`);
}));

test("nothing moves if the user asked for reduced motion", () => withPage("plan", { reducedMotion: true }, async ({ page }) => {
  await page.hover("nav a >> nth=1");
  assert.equal(await page.evaluate(() => document.getAnimations().length), 0);
  const moving = await page.evaluate(() => [...document.querySelectorAll("*")].filter((node) => getComputedStyle(node).transitionDuration.split(",").some((time) => parseFloat(time) > 0)).length);
  assert.equal(moving, 0);
}));

test("the content security policy forbids other hosts", () => withPage("plan", async ({ page, problems }) => {
  const outcome = await page.evaluate(() => fetch("https://example.org/").then(() => "sent", () => "refused"));
  assert.equal(outcome, "refused");
  assert.ok(problems.every((problem) => /Content.Security.Policy/i.test(problem)), problems.join());
  problems.length = 0;
}).catch((error) => { if (!/requests that left/.test(error.message)) throw error; }));

// All settings only with BLOOMERY_WEB_FULL=1.
for (const part of parts) {
  for (const [name, options] of variants(Object.entries({ light: {}, dark: { dark: true }, phone: { width: 360, height: 780 }, chinese: { language: "zh" } }))) {
    test(`${part} is accessible and fits: ${name}`, () => withPage(part, options, async ({ page }) => {
      await page.waitForSelector(`.part-${part} h1`);
      await page.waitForTimeout(500);
      await checkFits(page);
      await checkAccessible(page);
    }));
  }
}

test("the keyboard reaches everything in the head", () => withPage("plan", async ({ page }) => {
  const seen = [];
  for (let presses = 0; presses < 9; presses += 1) {
    await page.keyboard.press("Tab");
    seen.push(await page.evaluate(() => document.activeElement.textContent.trim() || document.activeElement.ariaLabel));
    const outline = await page.evaluate(() => getComputedStyle(document.activeElement).outlineStyle);
    assert.notEqual(outline, "none", `focus is visible on ${seen.at(-1)}`);
  }
  assert.deepEqual(seen.slice(0, 8), ["Skip to the content", "bloomery", "Plan", "See", "Open", "Dedupe", "中文", "Switch to dark"]);
}));

test("the single file works from disk", () => withPage("plan?keys=1M&rate=1%25", { single: true }, async ({ page, requests }) => {
  await page.waitForSelector(".part-plan[data-complete]");
  assert.match(await page.textContent(".plan-facts"), /split-8x64/);
  for (const part of parts) {
    await page.click(`nav a[href^="#${part}"]`);
    await page.waitForSelector(`.part-${part}:not([hidden]) h1`);
  }
  assert.deepEqual(requests.filter((url) => !/^(blob|data):/.test(url)).map((url) => url.split("#")[0].split("/").at(-1)), ["bloomery.html"]);
}));

test("the workers of the single file work from disk", async () => {
  const folder = mkdtempSync(join(tmpdir(), "bloomery-single-"));
  try {
    const text = join(folder, "lines.txt");
    writeFileSync(text, "b\na\nb\nc\na\n");
    await withPage("dedupe", { single: true }, async ({ page }) => {
      await page.setInputFiles("input[name=text-file]", text);
      await page.click(".part-dedupe button[type=submit]");
      await page.waitForSelector(".result-card");
      assert.match(await page.textContent(".result-card"), /3/);
    });
    await withPage("open", { single: true }, async ({ page }) => {
      await page.getByRole("button", { name: "Open an example" }).click();
      await page.waitForSelector(".part-open canvas");
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
});
