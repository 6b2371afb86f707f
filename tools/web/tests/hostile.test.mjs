// Bad input gets a sentence in the page's language, and the page goes on.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { withPage } from "./browser.mjs";
import { goldenFiles } from "./open_golden.mjs";
import { drop, openFile, outcome } from "./open_steps.mjs";

const full = process.env.BLOOMERY_WEB_FULL === "1";
const folder = mkdtempSync(join(tmpdir(), "bloomery-hostile-"));
after(() => rmSync(folder, { recursive: true }));
const good = goldenFiles().find(({ name }) => name === "v1-classic.bloom");

function noise(size) {
  let seed = 3;
  return Buffer.from(Uint8Array.from({ length: size }, () => (seed = (Math.imul(seed, 1103515245) + 12345) >>> 0) >>> 24));
}

const cases = [
  { name: "empty.bloom", bytes: Buffer.alloc(0), en: /empty/, zh: /空/ },
  { name: "film.mp4", bytes: Buffer.concat([Buffer.from([0, 0, 0, 32]), Buffer.from("ftypisom"), noise(3_000_000)]), en: /not a filter/i, zh: /程序库提示：not a filter/i },
  { name: "zeros.bin", bytes: Buffer.alloc(1000), en: /./, zh: /./ },
  { name: "text.txt", bytes: Buffer.from("hello\n"), en: /not a/i, zh: /not a/i },
];

for (const language of ["en", "zh"]) {
  test(`each is refused in a sentence: ${language}`, () => withPage("open", { language }, async ({ page }) => {
    for (const one of cases) {
      await drop(page, "filter", one);
      assert.match((await outcome(page)) ?? "opened", one[language], one.name);
      assert.equal(await openFile(page, good), null, `after ${one.name}`);
    }
  }));
}

test("a claim of 100 GB is refused before memory is asked for", () => withPage("open", async ({ page }) => {
  // RedisBloom and DataSketches say their size in a few bytes; so does a go filter.
  const go = Buffer.alloc(24 + 64);
  go.writeBigUInt64BE(800_000_000_000n, 0);
  go.writeBigUInt64BE(7n, 8);
  go.writeBigUInt64BE(800_000_000_000n, 16);
  await drop(page, "filter", { name: "huge.bin", bytes: go });
  assert.ok(await outcome(page));
  assert.equal(await openFile(page, good), null);
}));

test("a file of another system that is too large to load says so at once", () => withPage("open", { language: "zh" }, async ({ page }) => {
  const path = join(folder, "film.bin");
  writeFileSync(path, "not a filter");
  truncateSync(path, 3 * 2 ** 30); // sparse
  await page.setInputFiles("input[name=filter]", path);
  assert.match(await outcome(page), /文件大小为 3 GiB/);
  assert.equal(await openFile(page, good), null);
}));

test(`golden files cut short ${full ? "at every byte" : "at every 61st byte"}: each opens or is refused, and none breaks the worker`, () => withPage("open", async ({ page }) => {
  const files = goldenFiles().filter(({ bytes }) => bytes.length < 12_000).map(({ name, bytes, format, secret }) => ({ name, format, secret, base64: bytes.toString("base64") }));
  const { tried, opened, odd } = await page.evaluate(async ([all, step]) => {
    const worker = new Worker("workers/filters.js");
    worker.postMessage({ type: "start", wasm: await WebAssembly.compile(await (await fetch("bloomery.wasm")).arrayBuffer()) });
    let id = 0;
    const waiting = new Map();
    worker.onmessage = ({ data }) => waiting.get(data.id)(data);
    const call = (method, params) => new Promise((resolve, reject) => {
      waiting.set(++id, resolve);
      worker.onerror = (event) => reject(new Error(event.message));
      worker.postMessage({ id, method, params });
    });
    const result = { tried: 0, opened: 0, odd: [] };
    const attempt = async (file, format, secret) => {
      const { result: opened, error } = await call("open", { file, format, secret });
      ++result.tried;
      if (opened) {
        ++result.opened;
        await call("close", { id: opened.id });
      } else if (!error.said && error.name !== "BloomeryError") result.odd.push(`${file.name}, ${file.size} bytes: ${error.name} ${error.message}`);
      return opened;
    };
    for (const { name, format, secret, base64 } of all) {
      const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
      const sizes = Array.from({ length: Math.ceil(bytes.length / step) }, (_, i) => i * step);
      while (sizes.length > 0) { // many at once: most of the time is spent waiting for the file
        await Promise.all(sizes.splice(0, 200).map((size) => attempt(new File([bytes.subarray(0, size)], name), format, secret)));
      }
      if (!(await attempt(new File([bytes], name), format, secret))) result.odd.push(`${name}: refused`);
    }
    worker.terminate();
    return result;
  }, [files, full ? 1 : 61]);
  assert.deepEqual(odd, []);
  assert.ok(tried > 1000 && opened < tried);
}));
