// The Plan part in a real browser, with the real module. The figures are those of docs/sizing.md.
import assert from "node:assert/strict";
import { test } from "node:test";
import { withPage } from "./browser.mjs";

const complete = (page) => page.waitForSelector(".part-plan[data-complete]");
const field = (page, label) => page.getByLabel(label, { exact: true });
const facts = (page) => page.textContent(".plan-facts");
const row = (page, table, name) => page.locator(`section.${table} tbody tr`, { hasText: name }).first().textContent();

test("keys and a rate give the documented sizes in all five layouts", () => withPage("plan?keys=1M&rate=1%25", async ({ page }) => {
  await complete(page);
  const expected = { classic: ["9,592,957", "7", "1.14 MiB", "9.593"], blocked: ["9,918,464", "6", "1.18 MiB", "9.918"], "split-8x32": ["10,529,280", "8", "1.26 MiB", "10.529"],
    "split-8x64": ["10,099,712", "8", "1.20 MiB", "10.100"], "split-16x32": ["12,463,616", "16", "1.49 MiB", "12.464"] };
  for (const [layout, figures] of Object.entries(expected)) {
    const text = await row(page, "plan-layouts", layout);
    for (const figure of figures) assert.ok(text.includes(figure), `${layout}: ${figure} in ${text}`);
  }
  assert.match(await page.textContent("tr.chosen"), /split-8x64/);
  const overfill = await page.textContent(".plan-overfill tbody");
  for (const figure of ["1.000 %", "2.342 %", "6.003 %", "16.67 %", "85.79 %"]) assert.ok(overfill.includes(figure), `${figure} in ${overfill}`);
}));

test("any two of keys, rate and size give the third", () => withPage("plan", async ({ page }) => {
  await complete(page);
  await page.click("text=Start over");
  await field(page, "Keys").fill("1M");
  await field(page, "False-positive rate").fill("");
  await field(page, "Memory").fill("1MiB");
  assert.match(await facts(page), /2\.377 %/);
  await field(page, "Keys").fill("");
  await field(page, "False-positive rate").fill("1%");
  assert.equal(await field(page, "Keys").getAttribute("placeholder"), "830613");
  assert.match(await row(page, "plan-layouts", "classic"), /874,454/);
  await field(page, "Memory").fill("");
  await field(page, "Keys").fill("1M");
  await field(page, "Hashes (k)").fill("4");
  assert.match(await facts(page), /10,522,706 bits/);
}));

test("numbers that contradict each other are explained, and one can be let go", () => withPage("plan?keys=1M&rate=1%25&memory=1MiB", async ({ page }) => {
  assert.match(await page.textContent(".plan-notice"), /1,000,000 keys in 1 MiB have a rate of 2\.377 %, not 1\.000 %/);
  await page.click("text=Memory follows");
  assert.equal(await page.evaluate(() => document.activeElement.labels[0].textContent), "Memory");
  assert.match(await facts(page), /1\.20 MiB/);
  assert.equal(await page.textContent(".plan-notice"), "");
}));

test("what cannot be read or computed is said in one sentence", () => withPage("plan", async ({ page }) => {
  await field(page, "Keys").fill("many");
  assert.match(await page.textContent(".field.bad .problem"), /“many” is not a number.*10M/);
  await field(page, "Keys").fill("");
  assert.match(await page.textContent(".plan-notice"), /one more number/);
  await field(page, "Keys").fill("10G");
  await field(page, "False-positive rate").fill("1e-30");
  assert.match(await page.textContent(".plan-notice"), /128-bit digests/);
  await field(page, "False-positive rate").fill("0");
  assert.match(await page.textContent(".field.bad .problem"), /not between 0 and 1/);
}));

test("the address contains everything, and a link shares it", () => withPage("plan", async ({ page, context }) => {
  await field(page, "Keys").fill("400M");
  await field(page, "False-positive rate").fill("1in1000000");
  await field(page, "Layout").selectOption("classic");
  await page.getByLabel("Keys are removed").check();
  await page.getByRole("tab", { name: "Python" }).click();
  await page.click("text=Copy link");
  const link = await page.evaluate(() => navigator.clipboard.readText());
  assert.match(link, /#plan\?keys=400M&rate=1in1000000&layout=classic&need=remove&code=python$/);
  const before = [await facts(page), await page.textContent(".plan-advice"), await page.textContent(".tab-panel:visible code")];
  const other = await context.newPage();
  await other.goto(link);
  await complete(other);
  assert.deepEqual([await facts(other), await other.textContent(".plan-advice"), await other.textContent(".tab-panel:visible code")], before);
  await other.evaluate(() => { location.hash = "#plan?keys=7&rate=50%25"; });
  await other.waitForFunction(() => document.querySelector(".plan-input input").value === "7");
}));

test("choosing a layout applies to the curves and the code", () => withPage("plan?keys=1M&rate=0.1%25", async ({ page }) => {
  await complete(page);
  await page.getByRole("button", { name: "classic" }).click();
  await complete(page);
  assert.match(await page.textContent(".tab-panel:visible code"), /classic_filter seen/);
  assert.match(await facts(page), /chosen by you/);
}));

test("the cursor of a curve reads exact values, by keyboard and by pointer", () => withPage("plan?keys=1M&rate=1%25", async ({ page }) => {
  await complete(page);
  const slider = page.getByRole("slider").first();
  await slider.focus();
  assert.equal(await slider.getAttribute("aria-valuetext"), "1,000,000 keys, 1.000 %");
  for (let presses = 0; presses < 40 && !(await slider.getAttribute("aria-valuetext")).startsWith("2,000,000"); presses += 1) await page.keyboard.press("ArrowRight");
  assert.equal(await slider.getAttribute("aria-valuetext"), "2,000,000 keys, 16.67 %");
  await page.keyboard.press("Home");
  assert.match(await slider.getAttribute("aria-valuetext"), /^100,000 keys/);
  await slider.scrollIntoViewIfNeeded();
  const box = await slider.boundingBox();
  await page.mouse.move(box.x + box.width - 20, box.y + 50);
  assert.match(await slider.getAttribute("aria-valuetext"), /^(9|10),\d{3},\d{3} keys/);
}));

test("the formulas of other libraries have their documented sizes and true rates", () => withPage("plan?keys=1M&rate=1%25", async ({ page }) => {
  await complete(page);
  assert.match(await row(page, "plan-others", "Guava up to"), /1\.004 %missed by 0\.39 %9,585,0587/);
  assert.match(await row(page, "plan-others", "the textbook"), /1\.004 %.*9,585,059/);
  assert.match(await row(page, "plan-others", "bloomery"), /met9,592,957/);
  await field(page, "Keys").fill("1");
  await complete(page);
  assert.match(await row(page, "plan-others", "the textbook"), /1\.747 %missed by 75 %107/);
}));

test("kinds have their own sizes", () => withPage("plan?keys=1M&rate=1%25&layout=classic", async ({ page }) => {
  await complete(page);
  assert.match(await row(page, "plan-kinds", "counting"), /4\.57 MiB.*38\.3/);
  assert.match(await row(page, "plan-kinds", "dleft"), /2\.23 MiB.*18\.67.*0\.584 %/);
}));

test("the adviser answers the needs", () => withPage("plan?keys=10M&rate=1%25", async ({ page }) => {
  await complete(page);
  assert.match(await page.textContent(".plan-advice"), /split-8x64/);
  await page.getByLabel("Keys are removed").check();
  await page.getByLabel("Memory matters more than query speed").check();
  await complete(page);
  assert.match(await page.textContent(".plan-advice"), /d-left/);
  await page.getByLabel("Keys are removed").uncheck();
  await page.click("text=More about the keys");
  await page.getByLabel("Keys are integers below").fill("20M");
  await complete(page);
  assert.match(await page.textContent(".plan-advice"), /a bitmap/);
}));

test("a plan can be made with the keyboard alone", () => withPage("plan", async ({ page }) => {
  await complete(page);
  const reach = async (test) => {
    for (let presses = 0; presses < 60; presses += 1) {
      if (await page.evaluate(test)) return;
      await page.keyboard.press("Tab");
    }
    assert.fail("not reached");
  };
  await reach(() => document.activeElement.labels?.[0]?.textContent === "Keys");
  await page.keyboard.press("Control+A");
  await page.keyboard.type("2M");
  await reach(() => document.activeElement.getAttribute("aria-pressed") === "false" && document.activeElement.textContent === "classic");
  await page.keyboard.press("Enter");
  await complete(page);
  assert.match(await facts(page), /classic/);
  assert.equal(await page.evaluate(() => document.activeElement.textContent), "classic", "the focus stays where it was");
  await reach(() => document.activeElement.getAttribute("role") === "tab");
  await page.keyboard.press("ArrowRight");
  assert.equal(await page.textContent("[role=tab][aria-selected=true]"), "Command");
  await reach(() => document.activeElement.textContent === "Copy");
  await page.keyboard.press("Enter");
  assert.match(await page.evaluate(() => navigator.clipboard.readText()), /bloomery create --layout classic -n 2000000/);
}));

test("typing is answered within a tenth of a second", () => withPage("plan", async ({ page }) => {
  await complete(page);
  const times = await page.evaluate(() => {
    const input = document.querySelector(".plan-input input");
    return ["1M", "12M", "123M", "1234M"].map((text) => {
      input.value = text;
      const start = performance.now();
      input.dispatchEvent(new Event("input", { bubbles: true }));
      return performance.now() - start;
    });
  });
  assert.ok(Math.min(...times) < 100, `${times.map((time) => Math.round(time)).join(", ")} ms`);
}));
