// The part Dedupe, in a real browser, against `bloomery uniq`.
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { gzipSync } from "node:zlib";
import { checkAccessible, checkFits, withPage } from "./browser.mjs";
import { bloomery } from "./open_golden.mjs";
import { downloaded } from "./open_steps.mjs";

const folder = mkdtempSync(join(tmpdir(), "bloomery-dedupe-"));
after(() => rmSync(folder, { recursive: true }));

// Repeats near and far, empty lines, bytes that are not UTF-8, no newline at the end; more than one piece of 4 MiB.
function sample() {
  let seed = 7;
  const next = () => (seed = (Math.imul(seed, 1103515245) + 12345) >>> 0) >>> 8;
  const lines = Array.from({ length: 300_000 }, () => `user-${next() % 90_000}\t${next() % 1000 === 0 ? "" : `Page-${next() % 5000}`}`);
  return Buffer.concat([Buffer.from(lines.join("\n")), Buffer.from([10, 0xff, 0xc3, 10, 10, 0xff, 0xc3, 10]), Buffer.from("the end")]);
}
const text = join(folder, "log.txt");
writeFileSync(text, sample());

// At the default rate of 1e-6 one of these lines is lost now and then, by the page or by the command; at 1e-12 none is.
const uniq = (...words) => bloomery("uniq", "-p", "1e-12", ...words);

async function run(page, path) {
  await page.setInputFiles("input[name=text-file]", path);
  await page.click(".part-dedupe button[type=submit]");
  await page.waitForSelector(".result-card, .outcome .notice", { timeout: 60_000 });
}
const save = (page) => downloaded(page, () => page.click(".result-card button"));
const tile = (page, at) => page.locator(".result-card .tile strong").nth(at).innerText();

const modes = { once: [], again: ["-v"], repeated: ["-d"] };
for (const [mode, words] of Object.entries(modes)) {
  test(`"${mode}" gives the lines of uniq ${words}`, () => withPage(`dedupe?rate=1e-12&print=${mode}`, async ({ page }) => {
    await run(page, text);
    const { bytes, name } = await save(page);
    assert.ok(bytes.equals(uniq(...words, text)));
    assert.equal(name, `log.${mode}.txt`);
  }));
}

test("counts are those of uniq -c, whose order is not promised", () => withPage("dedupe?rate=1e-12&print=counts", async ({ page }) => {
  await run(page, text);
  const sorted = (bytes) => bytes.toString("latin1").split("\n").sort().join("\n");
  assert.equal(sorted((await save(page)).bytes), sorted(uniq("-c", text)));
}));

test("the numbers shown are right", () => withPage("dedupe?rate=1e-9", async ({ page }) => {
  const lines = readFileSync(text, "latin1").split("\n");
  await run(page, text);
  assert.equal(await tile(page, 0), lines.length.toLocaleString("en-US"));
  assert.equal(await tile(page, 1), new Set(lines).size.toLocaleString("en-US"));
  assert.match(await page.locator(".result-card").innerText(), /chance of at most 1 in 1,000,000,000.*\n*.*missing/);
}));

test("a field, its separator and CRLF work as in the command", () => withPage("dedupe?rate=1e-12", async ({ page }) => {
  const csv = join(folder, "table.csv");
  writeFileSync(csv, "\ufeffa,1\r\nb,2\r\nc,1\r\n,1\r\nno field\r\nd\r\n\"x\",3");
  await page.fill("[name=field]", "2");
  await page.fill("[name=separator]", ",");
  await page.check("[name=crlf]");
  await run(page, csv);
  assert.ok((await save(page)).bytes.equals(uniq("-f", "2", "-t", ",", "--crlf", csv)));
  await page.waitForFunction(() => location.hash.includes("field=2"));
}));

test("without case, the first spelling stays", () => withPage("dedupe?rate=1e-12&case=ignore", async ({ page }) => {
  const path = join(folder, "case.txt");
  writeFileSync(path, "Apple\nAPPLE\nÄpfel\näPFEL\n\xff\n");
  await run(page, path);
  assert.equal((await save(page)).bytes.toString("utf8"), "Apple\nÄpfel\n\u00ff\n");
}));

test("gzip is unpacked", () => withPage("dedupe?rate=1e-12", async ({ page }) => {
  const path = join(folder, "log.txt.gz");
  writeFileSync(path, gzipSync(readFileSync(text)));
  await run(page, path);
  const { bytes, name } = await save(page);
  assert.ok(bytes.equals(uniq(text)));
  assert.equal(name, "log.once.txt");
}));

test("damaged gzip is a sentence, and the page goes on", () => withPage("dedupe?rate=1e-12", { language: "zh" }, async ({ page }) => {
  const path = join(folder, "bad.gz");
  writeFileSync(path, gzipSync(readFileSync(text)).subarray(0, 5000));
  await run(page, path);
  assert.match(await page.locator(".outcome .notice.error").innerText(), /^无法解压 gzip 数据/);
  await run(page, text);
  assert.ok((await save(page)).bytes.equals(uniq(text)));
}));

test("an empty file and pasted text", () => withPage("dedupe", async ({ page }) => {
  const path = join(folder, "empty.txt");
  writeFileSync(path, "");
  await run(page, path);
  assert.equal(await tile(page, 0), "0");
  await page.click("summary:has-text('Paste')");
  await page.fill("textarea[name=text]", "b\na\nb");
  await page.click("button:has-text('Use this text')");
  await page.click(".part-dedupe button[type=submit]");
  await page.waitForSelector(".result-card");
  assert.equal((await save(page)).bytes.toString(), "b\na\n");
}));

test("options that make no sense are refused with what to do", () => withPage("dedupe?field=0&separator=ab&rate=2", async ({ page }) => {
  const refusal = async () => {
    await run(page, text);
    return page.locator(".outcome .notice.error").innerText();
  };
  assert.match(await refusal(), /not a field number/);
  await page.fill("[name=field]", "1");
  assert.match(await refusal(), /cannot separate fields/);
  await page.fill("[name=separator]", ",");
  assert.match(await refusal(), /2/);
  await page.fill("[name=rate]", "1%");
  await run(page, text);
  assert.match(await page.locator(".result-card").innerText(), /expect up to about \d+/);
}));

test("it writes straight to a file that the user picks", () => withPage("dedupe?rate=1e-12", async ({ page }) => {
  await page.evaluate(() => {
    // The dialog cannot be driven: a file of the private file system stands for the one that the user picks.
    window.showSaveFilePicker = async ({ suggestedName }) => (await navigator.storage.getDirectory()).getFileHandle(suggestedName, { create: true });
  });
  await page.setInputFiles("input[name=text-file]", text);
  await page.check("[name=direct]");
  await page.click(".part-dedupe button[type=submit]");
  await page.waitForSelector(".result-card .notice.good");
  const written = await page.evaluate(async () => {
    const handle = await (await navigator.storage.getDirectory()).getFileHandle("log.once.txt");
    return (await handle.getFile()).text();
  });
  assert.equal(written.length, new TextDecoder().decode(uniq(text)).length);
}));

test("the single file, opened from disk, does the same", () => withPage("dedupe?rate=1e-12", { single: true }, async ({ page }) => {
  await run(page, text);
  assert.ok((await save(page)).bytes.equals(uniq(text)));
}));

test("the focus goes from the start to the progress to the result", () => withPage("dedupe", async ({ page }) => {
  await page.setInputFiles("input[name=text-file]", text);
  await page.focus(".part-dedupe button[type=submit]");
  await page.keyboard.press("Enter");
  await page.waitForSelector(".result-card");
  await page.waitForFunction(() => document.activeElement.matches(".result-card h2"));
}));

test("progress is told to screen readers, and the result too", () => withPage("dedupe", async ({ page }) => {
  await page.evaluate(() => {
    window.said = [];
    const voice = document.querySelector("[aria-live=polite]");
    new MutationObserver(() => window.said.push(voice.textContent)).observe(voice, { childList: true, characterData: true, subtree: true });
  });
  await run(page, text);
  await page.waitForFunction(() => window.said.some((one) => one.startsWith("Done: 300,00")));
}));

for (const look of [{ language: "en" }, { language: "zh", dark: true }, { language: "zh", width: 360, height: 780 }]) {
  const tag = `${look.language}-${look.dark ? "dark" : "light"}-${look.width ?? 1280}`;
  test(`accessible, and nothing scrolls sideways: ${tag}`, () => withPage("dedupe?field=1", look, async ({ page, shoot }) => {
    await run(page, text);
    await checkAccessible(page);
    await checkFits(page);
    await page.evaluate(() => scrollTo(0, 0));
    await shoot(`dedupe-${tag}`, { fullPage: true });
  }));
}
