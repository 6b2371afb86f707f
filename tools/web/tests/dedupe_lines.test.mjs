// Lines and keys: what a chunk border, an odd byte or a missing newline must not change.
import assert from "node:assert/strict";
import { test } from "node:test";
import { KeyMaker, separatorByte } from "../page/work/keys.js";
import { LineSplitter, LONGEST_LINE } from "../page/work/lines.js";

const bytes = (text) => Buffer.from(text, "latin1");

function linesOf(input, size) {
  const splitter = new LineSplitter();
  const lines = [];
  const take = (batch) => {
    for (let i = 0; batch && i < batch.count; ++i) {
      lines.push(Buffer.from(batch.data.subarray(batch.offsets[i], batch.offsets[i + 1])).toString("latin1"));
    }
  };
  for (let at = 0; at < input.length; at += size) take(splitter.push(new Uint8Array(input.subarray(at, at + size))));
  take(splitter.finish());
  return lines;
}

/** The keys that a text gives, cut into chunks of each size from 1 on: all must agree. */
function keysOf(text, options) {
  const input = bytes(text);
  let first;
  for (let size = 1; size <= input.length; ++size) {
    const splitter = new LineSplitter();
    const maker = new KeyMaker(options);
    const keys = [];
    const take = (batch) => {
      if (!batch) return;
      const { data, offsets } = maker.of(batch);
      for (let i = 0; i < batch.count; ++i) keys.push(Buffer.from(data.subarray(offsets[i], offsets[i + 1])).toString("latin1"));
    };
    for (let at = 0; at < input.length; at += size) take(splitter.push(new Uint8Array(input.subarray(at, at + size))));
    take(splitter.finish());
    first ??= keys;
    assert.deepEqual(keys, first, `chunks of ${size} bytes`);
  }
  return first;
}

test("lines do not depend on where the chunks end", () => {
  const input = bytes("one\n\ntwo two\nthree\n\n\nfour\n");
  const expected = ["one\n", "\n", "two two\n", "three\n", "\n", "\n", "four\n"];
  for (let size = 1; size <= input.length + 1; ++size) assert.deepEqual(linesOf(input, size), expected);
});

test("a last line without a newline gets one", () => {
  for (let size = 1; size < 8; ++size) assert.deepEqual(linesOf(bytes("a\nb"), size), ["a\n", "b\n"]);
});

test("an empty input has no lines", () => assert.deepEqual(linesOf(bytes(""), 1), []));

test("bytes that are not UTF-8 come out as they went in", () => {
  const odd = "\xff\xfe\x00\x80\n\xc3\n\xed\xa0\x80\n";
  for (let size = 1; size < 12; ++size) assert.equal(linesOf(bytes(odd), size).join(""), odd);
});

test("more lines in one chunk than there was room for at first", () => {
  const input = Buffer.from("x\n".repeat(200_000));
  assert.equal(linesOf(input, input.length).length, 200_000);
});

test("a line that never ends is refused", () => {
  const splitter = new LineSplitter();
  const chunk = new Uint8Array(LONGEST_LINE / 2 + 1);
  splitter.push(chunk);
  assert.throws(() => splitter.push(chunk), { said: ["long_line", {}] });
});

test("without options the key is the line with its newline, and nothing is copied", () => {
  const splitter = new LineSplitter();
  const batch = splitter.push(new Uint8Array(bytes("a\nbc\n")));
  const keys = new KeyMaker().of(batch);
  assert.equal(keys.data, batch.data);
  assert.deepEqual([...keys.offsets], [0, 2, 5]);
});

test("keys for a filter that others filled have no newline", () => {
  assert.deepEqual(keysOf("a\n\nbc", { bare: true }), ["a", "", "bc"]);
});

test("CRLF: the carriage return and a byte order mark at the very start are not part of the key", () => {
  assert.deepEqual(keysOf("\xef\xbb\xbfa\r\nb\r\n\xef\xbb\xbfa\nc\r\r\n", { crlf: true }), ["a", "b", "\xef\xbb\xbfa", "c\r"]);
  assert.deepEqual(keysOf("a\r\n", { bare: true }), ["a\r"]);
});

test("a field is cut at the separator; a line without it has an empty key", () => {
  assert.deepEqual(keysOf("x\ta\tq\ny\tb\nz\n\n\tc\n", { field: 2 }), ["a", "b", "", "", "c"]);
  assert.deepEqual(keysOf("x,a\ny,\nz", { field: 1, separator: 44 }), ["x", "y", "z"]);
  assert.deepEqual(keysOf("a,b,c\r\n", { field: 3, separator: 44, crlf: true }), ["c"]);
});

test("case: ASCII, UTF-8, a letter that grows, and bytes that are not UTF-8", () => {
  const utf8 = (text) => Buffer.from(text).toString("latin1");
  assert.deepEqual(keysOf(utf8("ÄPFEL\nStraße\nAbC\nȺ\n"), { ignoreCase: true }), ["äpfel", "straße", "abc", "ⱥ"].map(utf8));
  assert.deepEqual(keysOf("A\xffB\n", { ignoreCase: true }), ["a\xffb"]);
});

test("a separator is one byte", () => {
  assert.equal(separatorByte(","), 44);
  assert.equal(separatorByte("\\t"), 9);
  assert.equal(separatorByte(""), 9);
  assert.equal(separatorByte("ab"), null);
  assert.equal(separatorByte("，"), null);
  assert.equal(separatorByte("\n"), null);
});
