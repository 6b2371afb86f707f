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
for (const [name, options] of Object.entries(views)) {
  test(name, () => withPage("plan", options, async ({ page, shoot }) => {
    await page.waitForSelector(".part-plan[data-complete]");
    await page.waitForTimeout(100);
    await shoot(name, { fullPage: true });
  }));
}
