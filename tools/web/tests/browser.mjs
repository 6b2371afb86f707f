// A real Chromium for the tests of the page.
//
//   import { withPage, checkAccessible } from "./browser.mjs";
//   test("the part counts keys", () => withPage("see", async ({ page, site }) => { ... }));
//
// withPage(hash, options, run): opens the site at "#hash", waits until the page is ready, runs, and fails if the page
// logged an error, threw, or asked for anything outside of its own origin. Options: language ("en"), dark, width, height,
// reducedMotion, touch, single (the single file, from file://). `shoot(name)` saves a picture in build-web/screenshots/.
import assert from "node:assert/strict";
import { existsSync, mkdirSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { after } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { chromium } from "playwright-core";
import { serve } from "../serve.mjs";

const here = dirname(fileURLToPath(import.meta.url));
export const buildFolder = process.env.BLOOMERY_WEB_BUILD ?? join(here, "../../../build-web");
export const screenshots = join(buildFolder, "screenshots");
export const isFull = process.env.BLOOMERY_WEB_FULL === "1";
/** All variants of a test in the full round; else the first ones. */
export const variants = (all, first = 1) => isFull ? all : all.slice(0, first);
const browsers = [process.env.CHROMIUM, "/usr/bin/chromium", "/usr/bin/chromium-headless-shell", "/usr/bin/google-chrome"];
const axePath = createRequire(import.meta.url).resolve("axe-core/axe.min.js");

let running;
async function start() {
  const executablePath = browsers.find((path) => path && existsSync(path));
  assert.ok(executablePath, "no Chromium: install the Debian package chromium, or name one in CHROMIUM");
  assert.ok(existsSync(join(buildFolder, "site/index.html")), `no site in ${buildFolder}: run node build.mjs first`);
  const [site, browser] = await Promise.all([serve({ folder: join(buildFolder, "site") }),
    chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-dev-shm-usage"] })]);
  return { site, browser };
}
after(async () => {
  if (!running) return;
  const { site, browser } = await running;
  await browser.close();
  await site.close();
});

function contextOptions({ language = "en", dark = false, width = 1280, height = 900, reducedMotion = false, touch = false }) {
  return { locale: { en: "en-US", zh: "zh-CN" }[language] ?? language, colorScheme: dark ? "dark" : "light", viewport: { width, height },
    reducedMotion: reducedMotion ? "reduce" : "no-preference", hasTouch: touch, acceptDownloads: true };
}

export async function withPage(hash, options, run) {
  if (typeof options === "function") [options, run] = [{}, options];
  running ??= start();
  const { site, browser } = await running;
  const context = await browser.newContext(contextOptions(options));
  if (!options.single) await context.grantPermissions(["clipboard-read", "clipboard-write"], { origin: site.url });
  const page = await context.newPage();
  const problems = [];
  const requests = [];
  page.on("console", (message) => { if (message.type() === "error") problems.push(`console: ${message.text()}`); });
  page.on("pageerror", (error) => problems.push(`thrown: ${error.stack ?? error}`));
  page.on("request", (request) => requests.push(request.url()));
  const root = options.single ? pathToFileURL(join(buildFolder, "bloomery.html")).href : site.url;
  try {
    await page.goto(`${root}#${hash}`);
    const slow = await page.waitForSelector("html[data-ready]", { timeout: 20_000 }).then(() => null, (error) => error);
    if (slow) assert.fail(`the page is not ready: ${problems.join("; ") || slow.message}`);
    const shoot = async (name, more = {}) => {
      mkdirSync(screenshots, { recursive: true });
      await page.screenshot({ path: join(screenshots, `${name}.png`), ...more });
    };
    await run({ page, context, site: root, requests, problems, shoot });
    assert.deepEqual(problems, [], "the page reported problems");
    const outside = requests.filter((url) => !url.startsWith(options.single ? "file:" : site.url) && !/^(blob|data):/.test(url));
    assert.deepEqual(outside, [], "requests that left the page");
  } finally {
    await context.close();
  }
}

/** Fails with the rules and elements that axe-core objects to. */
export async function checkAccessible(page, { include } = {}) {
  // evaluate is not subject to the page's content security policy.
  const { readFile } = await import("node:fs/promises");
  await page.evaluate(await readFile(axePath, "utf8"));
  const violations = await page.evaluate(async (scope) => {
    const found = await globalThis.axe.run(scope ?? document, { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"] });
    return found.violations.map((one) => ({ rule: one.id, help: one.help,
      nodes: one.nodes.slice(0, 5).map((node) => `${node.target.join(" ")} — ${node.failureSummary}`) }));
  }, include);
  assert.deepEqual(violations, []);
}

/** The page must not scroll sideways. */
export async function checkFits(page) {
  const wide = await page.evaluate(() => {
    const width = document.documentElement.clientWidth;
    if (document.documentElement.scrollWidth <= width) return [];
    const scrolls = (node) => node.parentElement && (getComputedStyle(node.parentElement).overflowX !== "visible" || scrolls(node.parentElement));
    const found = [...document.querySelectorAll("body *")].filter((node) => node.getBoundingClientRect().right > width + 1 && !scrolls(node))
      .slice(0, 5).map((node) => `${node.tagName}.${node.className?.baseVal ?? node.className}`);
    return found.length ? found : ["unknown"];
  });
  assert.deepEqual(wide, [], "elements wider than the page");
}
