// The part Open, in a real browser, against the command.
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { checkAccessible, checkFits, isFull, variants, withPage } from "./browser.mjs";
import { bloomery, goldenFiles, redisBloomDumps } from "./open_golden.mjs";
import { chooseFormat, downloaded, drop, factsOf, openFile, outcome } from "./open_steps.mjs";

const folder = mkdtempSync(join(tmpdir(), "bloomery-open-"));
after(() => rmSync(folder, { recursive: true }));
const formatWords = ({ format }) => (format ? ["--format", format] : []);
const onDisk = (file) => {
  const path = join(folder, file.name);
  writeFileSync(path, file.bytes);
  return path;
};

const COUNTED = ["bits_set", "units_in_use", "fill_ratio", "estimated_items", "standard_error", "expected_rate"];

/** How the facts differ. */
function differences(shown, told) {
  const { file, fill_of, ...facts } = told;
  // The command counts the blocks of this kind, the library their first-level bits.
  if (facts.kind === "accurate") for (const key of ["unit", "units", "bits_per_unit"]) delete facts[key];
  // Of a native file the command reads only the header. The page has the bits: it knows what was set after the file was
  // last sealed, and how full each block or shard is.
  if (facts.sealed === false) for (const key of COUNTED) delete facts[key];
  const inParts = facts.format === "bloomery" && facts.kind === "bloom" && (facts.layout !== "classic" || facts.scheme === "redisson-split");
  const found = [];
  const check = (key, one, other) => one === other || found.push(`${key} is ${one}, not ${other}`);
  // The page has all of a kind's own facts as text.
  const same = (shown, one) => (typeof one === "boolean" ? shown === (one ? "yes" : "no") : typeof one === "number" ? Number(shown) === one : shown === [one].flat().join(" "));
  for (const [key, value] of Object.entries(facts)) {
    if (value === null) continue;
    if (key === "facts" || key === "original") {
      for (const [inner, one] of Object.entries(value)) {
        if (inner === "packed") continue; // with gzip: the page unpacks all such files
        if (!same(shown[key]?.[inner], one)) found.push(`${key}.${inner} is ${shown[key]?.[inner]}, not ${one}`);
      }
    } else if (inParts && key === "expected_rate") check(key, Math.abs(Math.log2(shown[key] / value)) < 1, true);
    else check(key, shown[key], value);
  }
  return found;
}

// Every one with BLOOMERY_WEB_FULL=1, else every eighth; package_golden reads all of them in any case.
test("golden files open and show the facts of `bloomery info --json`", () => withPage("open", async ({ page }) => {
  const found = [];
  const all = [...goldenFiles(), ...redisBloomDumps()];
  for (const file of isFull ? all : all.filter((_, i) => i % 8 === 0)) {
    const told = JSON.parse(bloomery("info", "--json", ...formatWords(file), onDisk(file)));
    const problem = await openFile(page, file);
    const differ = problem ? [problem] : differences(await factsOf(page), told);
    found.push(...differ.map((one) => `${file.name}: ${one}`));
  }
  assert.deepEqual(found, []);
}));

test("a file that the bytes do not identify asks for its format, with the candidates first", () => withPage("open", async ({ page }) => {
  const file = goldenFiles().find(({ name }) => name === "n100_p0.01.old.Filter.db");
  await drop(page, "filter", file);
  assert.match(await outcome(page), /cassandra, cassandra-old/);
  assert.deepEqual(await page.locator("select[name=format] optgroup:first-of-type option").evaluateAll((all) => all.map((one) => one.value)),
    ["cassandra", "cassandra-old"]);
  await chooseFormat(page, "cassandra-old");
  assert.equal(await outcome(page), null);
}));

test("a format whose parameters are missing is chosen already", () => withPage("open", async ({ page }) => {
  const file = goldenFiles().find(({ name }) => name === "redis_StringCodec_0.dump");
  await drop(page, "filter", file);
  assert.match(await outcome(page), /give bits and hashes/);
  assert.equal(await page.inputValue("select[name=format]"), "redisson-dump");
  await page.fill("[name=bits]", "1917");
  await page.fill("[name=hashes]", "7");
  await page.keyboard.press("Enter");
  assert.equal(await outcome(page), null);
}));

test("keys are asked in the encoding of the format, and in another one", () => withPage("open", async ({ page }) => {
  const path = join(folder, "java.bin");
  bloomery("create", "--format", "guava", "-n", "1000", "-p", "1e-9", "--force", path);
  const keys = join(folder, "keys");
  writeFileSync(keys, "apple\n苹果\n");
  bloomery("add", path, keys);
  await openFile(page, { name: "java.bin", bytes: readFileSync(path) });
  assert.equal(await page.inputValue("select[name=encoding]"), "utf8");
  const ask = async (key) => {
    const before = await page.locator(".answers li").count();
    await page.fill("input[name=key]", key);
    await page.press("input[name=key]", "Enter");
    await page.waitForFunction((n) => document.querySelectorAll(".answers li").length > n, before);
    return page.locator(".answers li").first().getAttribute("class");
  };
  assert.equal(await ask("apple"), "maybe");
  assert.equal(await ask("苹果"), "maybe");
  assert.equal(await ask("pear"), "no");
  await page.selectOption("select[name=encoding]", "utf16le");
  assert.equal(await ask("apple"), "no");
  await page.selectOption("select[name=encoding]", "i32le");
  assert.equal(await ask("apple"), "refused");
}));

test("a list gives the lines of `bloomery grep` and `grep -v`", () => withPage("open", async ({ page }) => {
  const path = join(folder, "list.bloom");
  const keys = join(folder, "in");
  const list = join(folder, "list.txt");
  writeFileSync(keys, Array.from({ length: 500 }, (_, i) => `key-${i}\n`).join(""));
  writeFileSync(list, Buffer.concat([Buffer.from(Array.from({ length: 2000 }, (_, i) => `key-${i}\n`).join("")), Buffer.from([0xff, 0xfe, 10]), Buffer.from("last")]));
  bloomery("create", "-p", "1%", "--force", path, keys);
  await openFile(page, { name: "list.bloom", bytes: readFileSync(path) });
  await page.setInputFiles("input[name=list-file]", list);
  await page.waitForSelector(".list-result");
  const maybe = await downloaded(page, () => page.click(".list-card button:has-text('maybe')"));
  const no = await downloaded(page, () => page.click(".list-card button:has-text('definitely not')"));
  assert.deepEqual(maybe.bytes, bloomery("grep", path, list));
  assert.deepEqual(no.bytes, bloomery("grep", "-v", path, list));
  assert.equal(maybe.name, "list.maybe.txt");
}));

test("a pasted list with keys that the format cannot ask is answered for the others", () => withPage("open", async ({ page }) => {
  const path = join(folder, "old.bin");
  bloomery("create", "--format", "hutool-default,bits=63", "--force", path);
  await openFile(page, { name: "old.bin", bytes: readFileSync(path), format: "hutool-default,bits=63" });
  await page.fill("textarea[name=list]", "apple\nmango\nkiwi\nplum\n");
  await page.click(".list-card button[type=submit]");
  await page.waitForSelector(".list-result");
  assert.match(await page.locator(".list-card .notice.warning").innerText(), /could not be asked: 2/);
}));

test("merging gives the bytes of `bloomery merge`", () => withPage("open", async ({ page }) => {
  const files = Object.fromEntries(goldenFiles().map((file) => [file.name, file]));
  const pairs = [["putall_m64_a.bin", "putall_m64_b.bin"], ["putall_m32_a.bin", "putall_m32_b.bin"], ["merge_a.bin", "merge_b.bin"],
    ["v1-classic.bloom", "v1-classic.bloom"], ["v1-counting.bloom", "v1-counting.bloom"]];
  for (const [a, b] of pairs) {
    const [first, second] = [files[a], files[b]];
    const expected = join(folder, "merged");
    bloomery("merge", ...formatWords(first), onDisk(first), onDisk(second), "-o", expected, "--force");
    assert.equal(await openFile(page, first), null);
    await drop(page, "second", second);
    if (await outcome(page, ".merge-card")) await chooseFormat(page, second.format, ".merge-card");
    await page.waitForSelector(".merge-card .notice.good");
    const { bytes } = await downloaded(page, () => page.click(".merge-card button:has-text('Download')"));
    assert.ok(bytes.equals(readFileSync(expected)), `${a} and ${b}`);
  }
}));

test("two filters that do not fit say why, and the page goes on", () => withPage("open", async ({ page }) => {
  const files = Object.fromEntries(goldenFiles().map((file) => [file.name, file]));
  await openFile(page, files["v1-classic.bloom"]);
  await drop(page, "second", files["v1-blocked.bloom"]);
  assert.match(await outcome(page, ".merge-card"), /differ/);
  await drop(page, "second", files["v1-classic.bloom"]);
  assert.equal(await outcome(page, ".merge-card"), null);
}));

test("converting gives the bytes of `bloomery convert`", () => withPage("open", async ({ page }) => {
  const targets = { "00_byteArray_m64.bin": ["native", "guava-java,funnel=bytes"], "new_m1000_k5.json": ["native", "go", "go-gob"],
    "v1-guava.bloom": ["guava"], "v1-classic.bloom": ["native"], "redis_StringCodec_0.bin": ["redisson-dump", "native"],
    "0_binary_128.bitset": ["parquet", "native"], "v1-scalable.bloom": ["native"] };
  for (const [name, formats] of Object.entries(targets)) {
    const file = goldenFiles().find((one) => one.name === name && !one.path.includes("fnv"));
    assert.equal(await openFile(page, file), null, name);
    for (const format of formats) {
      const [target, parameter] = format.split(",");
      const expected = join(folder, "converted");
      bloomery("convert", ...formatWords(file), "--to", format, "--force", onDisk(file), expected);
      await page.selectOption("select[name=target]", target);
      if (parameter) await page.selectOption(".convert-card [name=funnel]", parameter.split("=")[1]);
      const { bytes } = await downloaded(page, () => page.click(".convert-card button[type=submit]"));
      assert.ok(bytes.equals(readFileSync(expected)), `${name} to ${format}`);
    }
  }
}));

test("a format with another hash is refused in a sentence", () => withPage("open", async ({ page }) => {
  await openFile(page, goldenFiles().find(({ name }) => name === "v1-classic.bloom"));
  await page.selectOption("select[name=target]", "spark");
  await page.click(".convert-card button[type=submit]");
  await page.waitForSelector(".convert-card .notice.error");
}));

test("the picture shows an uneven filter at once", () => withPage("open", async ({ page, shoot }) => {
  const path = join(folder, "half.bin");
  const keys = join(folder, "many");
  writeFileSync(keys, Array.from({ length: 20000 }, (_, i) => `key-${i}\n`).join(""));
  bloomery("create", "--format", "go", "-n", "20000", "-p", "1%", "--force", path);
  bloomery("add", "--format", "go", path, keys);
  const bytes = readFileSync(path);
  await openFile(page, { name: "full.bin", format: "go", bytes });
  assert.match(await page.locator(".picture-card .verdict").innerText(), /^Even/);
  await shoot("open-even", { fullPage: true });
  await openFile(page, { name: "half.bin", format: "go", bytes: Buffer.from(bytes).fill(0, 5000, 9000) });
  assert.match(await page.locator(".picture-card .notice.warning").innerText(), /^Uneven/);
  await shoot("open-uneven", { fullPage: true });
  await page.focus("canvas");
  await page.keyboard.press("ArrowRight");
  assert.match(await page.locator(".density-caption").innerText(), /^Bits 0 to .*% set$/);
}));

test("all of it by keyboard: choose, ask, switch the language, and nothing is lost", () => withPage("open", async ({ page }) => {
  await page.keyboard.press("Tab");
  await page.getByRole("button", { name: "Open an example" }).focus();
  await page.keyboard.press("Enter");
  await page.waitForSelector("canvas");
  await page.getByLabel("Key", { exact: true }).focus();
  await page.keyboard.type("key-7");
  await page.keyboard.press("Enter");
  await page.waitForSelector(".answers .maybe");
  await page.getByRole("button", { name: "中文" }).click();
  await page.waitForSelector(".answers .maybe:has-text('可能存在')");
  assert.match(await page.locator(".facts-card h2").innerText(), /example\.bloom/);
  assert.equal(await page.inputValue("input[name=key]"), "key-7");
}));

test("the single file, opened from disk, does the same", () => withPage("open", { single: true }, async ({ page }) => {
  const file = goldenFiles().find(({ name }) => name === "v1-classic.bloom");
  assert.equal(await openFile(page, file), null);
  assert.equal((await factsOf(page)).bits_set, JSON.parse(bloomery("info", "--json", file.path)).bits_set);
}));

// All of them only with BLOOMERY_WEB_FULL=1.
for (const look of variants([{ language: "zh", dark: true }, { language: "en" }, { language: "zh", width: 360, height: 780 }, { language: "en", width: 360, height: 780, dark: true }])) {
  const tag = `${look.language}-${look.dark ? "dark" : "light"}-${look.width ?? 1280}`;
  test(`accessible, and nothing scrolls sideways: ${tag}`, () => withPage("open", look, async ({ page, shoot }) => {
    await shoot(`open-empty-${tag}`, { fullPage: true });
    await drop(page, "filter", { name: "holiday.mp4", bytes: Buffer.from("....ftypisom") });
    await outcome(page);
    await page.selectOption("select[name=format]", "redisson");
    await checkAccessible(page);
    await shoot(`open-refused-${tag}`, { fullPage: true });
    await openFile(page, goldenFiles().find(({ name }) => name === "v1-scalable.bloom"));
    await page.waitForSelector("canvas");
    for (const key of ["key-1", "plum", "apple"]) {
      await page.fill("input[name=key]", key);
      await page.press("input[name=key]", "Enter");
    }
    await page.fill("textarea[name=list]", "a\nb\nc\n");
    await page.click(".list-card button[type=submit]");
    await page.waitForSelector(".list-result");
    await checkAccessible(page);
    await checkFits(page);
    await page.evaluate(() => scrollTo(0, 0));
    await shoot(`open-${tag}`, { fullPage: true });
  }));
}
