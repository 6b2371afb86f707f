// What the part says about formats, encodings and kinds covers all that the library has.
import assert from "node:assert/strict";
import { test } from "node:test";
import { candidatesIn, fieldsToRead, formatChoice } from "../page/open/format_fields.js";
import { fileName } from "../page/open/write.js";
import { fromQuery, toQuery } from "../page/dedupe/options.js";
import { lossOf } from "../page/dedupe/outcome.js";
import en from "../page/text/en/open.js";
import { bloomery } from "./open_golden.mjs";

const formats = JSON.parse(bloomery("formats", "--json"));

test("each format has a description, and fields for what it needs", () => {
  for (const { name, needs } of formats) {
    assert.ok(en[`open.what.${name}`], name);
    if (!needs || /its name/.test(needs)) continue;
    const { fields, hint } = fieldsToRead(name);
    assert.ok(en[`open.needs.${hint}`], `${name} needs ${needs}`);
    for (const one of fields) {
      assert.ok(en[`open.field.${one.name}`], one.name);
      assert.match(needs, new RegExp(one.name), `${name} does not need ${one.name}`);
    }
  }
});

test("each encoding has a description", () => {
  const [, list] = /--key (\S+)/.exec(bloomery("test", "--help"));
  for (const name of list.split("|")) assert.ok(en[`open.key.${name}`], name);
});

test("a format is written as the library reads it", () => {
  const { fields } = fieldsToRead("redisson");
  assert.equal(formatChoice("redisson", { bits: " 9585058", hashes: 7, rate: "" }, fields), "redisson,bits=9585058,hashes=7");
  assert.equal(formatChoice("native", {}, [], "limit=2GiB, "), "native,limit=2GiB");
});

test("candidates are read from the library's sentence", () => {
  const known = ["cassandra", "cassandra-old", "leveldb"];
  assert.deepEqual(candidatesIn("not a bloomery filter; it may be one of: cassandra, cassandra-old; name its format with --format", known),
    ["cassandra", "cassandra-old"]);
  assert.deepEqual(candidatesIn("not a filter (first bytes 50 4b); name its format", known), []);
});

test("a converted file is named after its format", () => {
  assert.equal(fileName("seen.bin", "native"), "seen.bloom");
  assert.equal(fileName("seen.v2.bin", "go-json"), "seen.v2.json");
  assert.equal(fileName("", "guava"), "merged.guava.bin");
});

test("the options of Dedupe survive the address", () => {
  assert.deepEqual(toQuery(fromQuery({})), {});
  const query = { print: "again", rate: "1%", crlf: "yes", case: "ignore", field: "2", separator: "," };
  assert.deepEqual(toQuery(fromQuery(query)), query);
  assert.equal(fromQuery({ print: "nonsense" }).mode, "once");
});

test("what may be lost: a chance while it is small, a number when it is not", () => {
  assert.ok(Math.abs(lossOf(3, 1e-6).chance - 3e-6) < 1e-10);
  assert.equal(lossOf(20_000_000, 1e-6).expected, 20);
});
