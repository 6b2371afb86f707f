import assert from "node:assert/strict";
import { test } from "node:test";
import { readAddress, writeAddress } from "../page/shell/address.js";
import { chooseLanguage, makeTranslate, splitRich } from "../page/shell/language.js";

test("an address is read back as it was written", () => {
  const query = { keys: "10M", rate: "1%", text: "a&b=c#d+e f", word: "布隆", quote: "\"<`{|}\\^" };
  assert.deepEqual(readAddress(writeAddress("plan", query)), { part: "plan", query });
});

test("people can read and write the address", () => {
  assert.equal(writeAddress("plan", { keys: "10M", rate: "1in1000", layout: "split-8x64" }), "#plan?keys=10M&rate=1in1000&layout=split-8x64");
  assert.deepEqual(readAddress("#plan?keys=10M&rate=1%").query, { keys: "10M", rate: "1%" });
});

test("empty values are left out", () => {
  assert.equal(writeAddress("see", { a: "", b: undefined, c: null }), "#see");
  assert.deepEqual(readAddress("#see?a="), { part: "see", query: {} });
  assert.deepEqual(readAddress(""), { part: "", query: {} });
});

test("the language is the one chosen before, else the browser's first that we have, else English", () => {
  assert.equal(chooseLanguage("zh", ["en-US"]), "zh");
  assert.equal(chooseLanguage(null, ["fr-FR", "zh-TW", "en"]), "zh");
  assert.equal(chooseLanguage("xx", ["de"]), "en");
});

test("a text takes its values and shows a key that is missing", () => {
  const t = makeTranslate({ a: "{n} of {n}, {other}" });
  assert.equal(t("a", { n: 3 }), "3 of 3, {other}");
  assert.equal(t("b"), "b");
  assert.deepEqual(splitRich("a **b {c}** `d` {e}").map((piece) => piece.kind), ["plain", "bold", "plain", "code", "plain", "value"]);
});
