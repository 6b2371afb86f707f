// Pictures of the page in build-web/screenshots/, to look at: node tests/plan_shots.mjs
import { test } from "node:test";
import { withPage } from "./browser.mjs";

const views = {
  "plan-light": {},
  "plan-dark": { dark: true },
  "plan-zh": { language: "zh" },
  "plan-phone": { width: 360, height: 780 },
  "plan-phone-zh-dark": { width: 360, height: 780, dark: true, language: "zh" },
  "plan-wide": { width: 1920, height: 1080 },
  "plan-tablet": { width: 820, height: 1100 },
};
const states = {
  "plan-contradiction": "plan?keys=1M&rate=1%25&memory=1MiB",
  "plan-same-size": "plan?rate=0.1%25&memory=64MiB&need=remove,memory-bound",
  "plan-problem": "plan?keys=many&rate=2",
  "plan-refused": "plan?keys=1M&rate=1%25&k=5&layout=split-8x64",
  "plan-extreme": "plan?keys=400M&rate=1e-9&need=untrusted&code=redis",
  "plan-one-key": "plan?keys=1&rate=1e-6",
};
for (const [name, hash] of Object.entries(states)) {
  test(name, () => withPage(hash, async ({ page, shoot }) => {
    await page.waitForTimeout(1500);
    await shoot(name, { fullPage: true });
  }));
}
for (const [name, options] of Object.entries(views)) {
  test(name, () => withPage("plan", options, async ({ page, shoot }) => {
    await page.waitForSelector(".part-plan[data-complete]");
    await page.waitForTimeout(100);
    await shoot(name, { fullPage: true });
  }));
}
