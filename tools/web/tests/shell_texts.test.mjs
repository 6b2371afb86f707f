// Both languages say the same, everything that is used exists, and no text is written in the code.
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";

const page = join(dirname(fileURLToPath(import.meta.url)), "../page");
const tables = {};
for (const language of ["en", "zh"]) {
  tables[language] = {};
  for (const file of await readdir(join(page, "text", language))) {
    const texts = (await import(pathToFileURL(join(page, "text", language, file)))).default;
    for (const key of Object.keys(texts)) {
      assert.ok(key.startsWith(`${file.slice(0, -3)}.`), `${file}: the key ${key} does not start with the name of its file`);
      assert.ok(!(key in tables[language]), `${key} occurs twice`);
    }
    Object.assign(tables[language], texts);
  }
}
const sources = {};
for (const file of await readdir(page, { recursive: true })) {
  if (file.endsWith(".js") && !file.startsWith("text")) sources[file] = await readFile(join(page, file), "utf8");
}
const withoutComments = (text) => text.replace(/\/\*[\s\S]*?\*\//g, "").replace(/(^|[\s;{}(,])\/\/.*$/gm, "$1");
const parts = ["shell", "plan", "see", "open", "dedupe"].filter((name) => existsSync(join(page, "text/en", `${name}.js`)));
const keyPattern = new RegExp(`["'\`]((?:${parts.join("|")})\\.[\\w.]*(?:\\$\\{[^}]*\\}[^"'\`]*)?)["'\`]`, "g");

function usedKeys() {
  const exact = new Set();
  const stems = new Set();
  for (const text of Object.values(sources)) {
    for (const [, key] of text.matchAll(keyPattern)) {
      const at = key.indexOf("${");
      if (at < 0) exact.add(key);
      else stems.add(key.slice(0, at));
    }
  }
  return { exact, stems };
}

test("both languages have the same keys", () => {
  assert.deepEqual(Object.keys(tables.zh).sort(), Object.keys(tables.en).sort());
});

test("both languages use the same values", () => {
  const values = (text) => [...new Set([...text.matchAll(/\{(\w+)\}/g)].map((found) => found[1]))].sort();
  for (const key of Object.keys(tables.en)) assert.deepEqual(values(tables.zh[key] ?? ""), values(tables.en[key]), key);
});

test("no text is empty, and Chinese sentences are in Chinese", () => {
  for (const [language, table] of Object.entries(tables)) {
    for (const [key, text] of Object.entries(table)) assert.ok(text.trim() !== "" || text === " ", `${language} ${key} is empty`);
  }
  for (const [key, text] of Object.entries(tables.en)) {
    if (text.split(/\s+/).length < 6) continue;
    assert.match(tables.zh[key], /[\u4e00-\u9fff]/, `${key} is not translated`);
  }
});

test("each key that is used exists, and each key that exists is used", () => {
  const { exact, stems } = usedKeys();
  for (const key of exact) {
    assert.ok(key in tables.en || key.endsWith(".") || [...Object.keys(tables.en)].some((one) => one.startsWith(`${key}.`)), `the key ${key} does not exist`);
  }
  for (const stem of stems) assert.ok(Object.keys(tables.en).some((key) => key.startsWith(stem)), `no key starts with ${stem}`);
  const unused = Object.keys(tables.en).filter((key) => !exact.has(key) && ![...stems].some((stem) => key.startsWith(stem)));
  assert.deepEqual(unused, []);
});

// Strings that reach the user: children of element(), textContent, title, placeholder, aria-label. Two words in a row are
// a text; names of formats and single words of code are not.
test("no text is written in the code", () => {
  const words = /[A-Za-z]{2,} [A-Za-z]{2,}/;
  const han = /[\u4e00-\u9fff]/;
  for (const [file, text] of Object.entries(sources)) {
    if (file === join("plan", "snippets.js")) continue; // code to copy
    const code = withoutComments(text);
    assert.doesNotMatch(code, han, `${file} contains Chinese`);
    for (const pattern of [/(?:textContent|title|placeholder|ariaLabel|innerText|alt)\s*[:=]\s*["'`]([^"'`$]+)["'`]/g, /["']aria-label["']\s*[:,]\s*["'`]([^"'`$]+)["'`]/g, /\}\s*,\s*"([^"]+)"\s*[,)]/g, /(?:announce|append)\(\s*["'`]([^"'`$]+)["'`]/g]) {
      for (const [whole, found] of code.matchAll(pattern)) assert.doesNotMatch(found, words, `${file}: ${whole}`);
    }
  }
});

test("index.html contains no text but the name", async () => {
  const html = await readFile(join(page, "index.html"), "utf8");
  const text = html.replace(/<!--[\s\S]*?-->/g, "").replace(/<[^>]*>/g, "").trim();
  assert.equal(text, "bloomery");
});
