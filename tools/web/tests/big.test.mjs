// Files larger than what a page may hold. Only in the full round: BLOOMERY_WEB_FULL=1. Needs 5 GB in TMPDIR.
import assert from "node:assert/strict";
import { mkdtempSync, openSync, rmSync, statSync, writeSync, closeSync, writeFileSync } from "node:fs";
import { execFileSync } from "node:child_process";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { withPage } from "./browser.mjs";
import { bloomery, command } from "./open_golden.mjs";
import { outcome } from "./open_steps.mjs";

const skip = process.env.BLOOMERY_WEB_FULL !== "1" && "only in the full round (BLOOMERY_WEB_FULL=1)";
const folder = mkdtempSync(join(tmpdir(), "bloomery-big-"));
after(() => rmSync(folder, { recursive: true }));
const MiB = 2 ** 20;

/** The largest heap of the page and of its workers while `run` goes on: JavaScript, WebAssembly and buffers. */
async function largestHeap(page, run) {
  const sessions = new Map();
  const browser = await page.context().browser().newBrowserCDPSession();
  const pageSession = await page.context().newCDPSession(page);
  sessions.set("page", (method, params) => pageSession.send(method, params));
  let next = 1;
  const replies = new Map();
  browser.on("Target.receivedMessageFromTarget", ({ message }) => {
    const { id, result, error } = JSON.parse(message);
    replies.get(id)?.(error ? Promise.reject(new Error(error.message)) : result);
  });
  browser.on("Target.attachedToTarget", ({ sessionId, targetInfo }) => {
    if (targetInfo.type !== "worker") return;
    sessions.set(targetInfo.targetId, (method, params) => new Promise((resolve) => {
      replies.set(next, resolve);
      browser.send("Target.sendMessageToTarget", { sessionId, message: JSON.stringify({ id: next++, method, params }) }).catch(resolve);
    }));
  });
  const { targetInfos } = await browser.send("Target.getTargets", { filter: [{ type: "worker" }] });
  for (const { targetId } of targetInfos) await browser.send("Target.attachToTarget", { targetId, flatten: false });
  const most = {};
  let going = true;
  const sample = async () => {
    for (const [name, send] of sessions) {
      const heap = await send("Runtime.getHeapUsage", {});
      const bytes = heap.usedSize + (heap.embedderHeapUsedSize ?? 0) + (heap.backingStorageSize ?? 0);
      most[name] = Math.max(most[name] ?? 0, bytes);
    }
  };
  const watching = (async () => { while (going) { await sample(); await new Promise((done) => setTimeout(done, 50)); } })();
  const result = await run();
  going = false;
  await watching;
  await sample();
  assert.ok(sessions.size >= 2, "the worker was not found");
  return { result, most };
}

test("a native file of 2 GB is opened and asked with at most 64 MB of heap", { skip, timeout: 300_000 }, () => withPage("open", async ({ page, shoot }) => {
  const path = join(folder, "big.bloom");
  const keys = join(folder, "keys");
  writeFileSync(keys, Array.from({ length: 1000 }, (_, i) => `key-${i}\n`).join(""));
  bloomery("create", "--bytes", "2GiB", "-n", "1G", path);
  bloomery("add", path, keys);
  assert.ok(statSync(path).size >= 2 ** 31);
  // The worker starts with the first file: a small one.
  await page.click("button:has-text('example')");
  await page.waitForSelector("canvas");
  const { most } = await largestHeap(page, async () => {
    await page.setInputFiles("input[name=filter]", path);
    assert.equal(await outcome(page), null);
    const ask = async (key) => {
      const before = await page.locator(".answers li").count();
      await page.fill("input[name=key]", key);
      await page.press("input[name=key]", "Enter");
      await page.waitForFunction((n) => document.querySelectorAll(".answers li").length > n, before);
      return page.locator(".answers li").first().getAttribute("class");
    };
    assert.equal(await ask("key-7"), "maybe");
    assert.equal(await ask("nobody"), "no");
    await page.setInputFiles("input[name=list-file]", keys);
    await page.waitForSelector(".list-result", { timeout: 60_000 });
    assert.match(await page.locator(".list-result").innerText(), /1,000 asked: 1,000 maybe/);
    await page.waitForSelector("canvas", { timeout: 200_000 }); // all bits are counted
  });
  const shown = JSON.parse(await page.locator(".facts-card .json").textContent());
  const told = JSON.parse(bloomery("info", "--json", path));
  for (const name of ["bits_set", "fill_ratio", "estimated_items"]) assert.equal(shown[name], told[name], name);
  assert.ok(Math.abs(shown.expected_rate / told.expected_rate - 1) < 1e-3, "expected_rate"); // the page knows each block
  await shoot("open-2gb", { fullPage: true });
  const total = Object.values(most).reduce((sum, bytes) => sum + bytes, 0);
  console.log(`# heap at most: ${JSON.stringify(Object.values(most).map((bytes) => `${(bytes / MiB).toFixed(1)} MiB`))}, together ${(total / MiB).toFixed(1)} MiB`);
  assert.ok(total <= 64 * MiB, `${(total / MiB).toFixed(1)} MiB`);
}));

/** A gigabyte of lines of which about a third repeat. */
function writeLines(path, size) {
  const file = openSync(path, "w");
  let seed = 11;
  const next = () => (seed = (Math.imul(seed, 1103515245) + 12345) >>> 0) >>> 4;
  for (let written = 0; written < size;) {
    const lines = Array.from({ length: 50_000 }, () => `https://example.org/${next() % 20_000_000}/page`).join("\n");
    written += writeSync(file, `${lines}\n`);
  }
  closeSync(file);
}

test("a text of 1 GB is deduped, and no task on the page's thread takes more than 100 ms", { skip, timeout: 600_000 }, () => withPage("dedupe", async ({ page }) => {
  const path = join(folder, "big.txt");
  writeLines(path, 1e9);
  await page.evaluate(() => {
    window.tasks = [];
    new PerformanceObserver((list) => {
      for (const { duration, startTime } of list.getEntries()) window.tasks.push([Math.round(startTime), duration]);
    }).observe({ type: "longtask" });
  });
  await page.setInputFiles("input[name=text-file]", path);
  if (await page.locator("[name=direct]").count()) await page.uncheck("[name=direct]");
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  const busy = async () => (await session.send("Performance.getMetrics")).metrics.find(({ name }) => name === "TaskDuration").value;
  const before = await busy();
  await page.click(".part-dedupe button[type=submit]");
  await page.waitForSelector(".progress-text");
  await page.waitForSelector(".result-card, .outcome .notice", { timeout: 500_000 });
  const tasks = await page.evaluate(() => window.tasks);
  const cpu = (await busy()) - before;
  const longest = Math.max(0, ...tasks.map(([, duration]) => duration));
  console.log(`# ${tasks.length} tasks above 50 ms ${JSON.stringify(tasks)}, the longest ${longest} ms; ${cpu.toFixed(2)} s of processor time on the page's thread; ${(await page.locator(".result-card .muted.small").last().innerText())}`);
  assert.ok(longest <= 100, `a task of ${longest} ms`);
  const [download] = await Promise.all([page.waitForEvent("download"), page.click(".result-card button")]);
  const once = join(folder, "once.txt");
  await download.saveAs(once);
  const expected = join(folder, "expected.txt");
  execFileSync("sh", ["-c", '"$0" uniq "$1" > "$2"', command, path, expected]);
  // Each drops a new line in at most one of a million cases, but not the same ones.
  const lines = (name) => Number(execFileSync("wc", ["-l", name], { encoding: "utf8" }).split(" ")[0]);
  const [mine, theirs] = [lines(once), lines(expected)];
  console.log(`# ${mine} lines, the command has ${theirs}`);
  assert.ok(Math.abs(mine - theirs) <= 60, `${mine} lines, the command has ${theirs}`);
}));

test("a run can be stopped, and the next one works", { skip, timeout: 300_000 }, () => withPage("dedupe", async ({ page, shoot }) => {
  const path = join(folder, "stopped.txt");
  writeLines(path, 3e8);
  await page.setInputFiles("input[name=text-file]", path);
  if (await page.locator("[name=direct]").count()) await page.uncheck("[name=direct]");
  await page.click(".part-dedupe button[type=submit]");
  await page.waitForFunction(() => document.querySelector(".progress")?.value > 0.05, null, { timeout: 60_000 });
  await shoot("dedupe-running");
  await page.click("button:has-text('Stop')");
  await page.waitForSelector(".outcome .notice");
  assert.match(await page.locator(".outcome .notice").innerText(), /Stopped/);
  const small = join(folder, "small.txt");
  writeFileSync(small, "a\na\n");
  await page.setInputFiles("input[name=text-file]", small);
  await page.click(".part-dedupe button[type=submit]");
  await page.waitForSelector(".result-card");
}));
