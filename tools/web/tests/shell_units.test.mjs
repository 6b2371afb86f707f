// The page reads numbers as the command does: the cases are those of tests/cli_parts/units.cpp.
import assert from "node:assert/strict";
import { test } from "node:test";
import { makeNumbers } from "../page/shell/numbers.js";
import { NumberError, parseBytes, parseCount, parseRate } from "../page/shell/units.js";

const numbers = makeNumbers((key, values) => `${key} ${values.count}`);

test("counts are read with their suffixes", () => {
  const cases = { 0: 0, 1000000: 1e6, "10M": 1e7, "1e9": 1e9, "1.5k": 1500, "1_000_000": 1e6, "2G": 2e9, "1T": 1e12, "10 M": 1e7, "0.5K": 500, " 7 ": 7 };
  for (const [text, value] of Object.entries(cases)) assert.equal(parseCount(text), value, text);
});

test("what is not a whole number is refused", () => {
  for (const text of ["", " ", "-1", "+1", "1.5", "1e-3", "0.0001k", "1,000", "_1", "1_", "1__0", "0x10", "10  M", "10m", "10Mi", "10MB", "10kk", "1e", "5.", ".", "k", "nan", "inf", "ten", "1e99", "9007199254740993", "1e9999"]) {
    assert.throws(() => parseCount(text), NumberError, JSON.stringify(text));
  }
});

test("bytes are read in powers of 1024 and of 1000", () => {
  const cases = { 4096: 4096, "512b": 512, "8KiB": 8192, "8kiB": 8192, "64Mi": 64 * 2 ** 20, "64 MiB": 64 * 2 ** 20, "1.5GiB": 3 * 2 ** 29, "64M": 64e6, "64MB": 64e6, "10kB": 1e4, "0.0009765625KiB": 1 };
  for (const [text, value] of Object.entries(cases)) assert.equal(parseBytes(text), value, text);
  for (const text of ["", "B", "0.1KiB", "0.5", "64Mb", "64mib", "64MIB", "64iB", "64MiBB", "-1KiB", "64EiB"]) assert.throws(() => parseBytes(text), NumberError, text);
});

test("rates are read in every usual form", () => {
  const cases = { 0.01: 0.01, ".01": 0.01, "1%": 0.01, "1 %": 0.01, "0.1%": 0.001, "0.7%": 0.007, "1e-3": 0.001, "1in1000": 0.001, "1 in 1000": 0.001, "1/1000": 0.001, "3/1k": 0.003, "1 in 10M": 1e-7, "1e-300": 1e-300 };
  for (const [text, value] of Object.entries(cases)) assert.equal(parseRate(text), value, text);
  for (const text of ["", "0", "1", "2", "100%", "0%", "-0.1", "1/0", "0/5", "6/5", "1in1", "in", "1in", "nan", "0.1x", "1e-999", "1%%", "1e-3k", "1/2/3", "1 in 100%"]) assert.throws(() => parseRate(text), NumberError, text);
});

test("short forms are read back as the same number", () => {
  for (const value of [1, 999, 1000, 1234, 9592957, 1e7, 1.25e9, 830613, 2 ** 40]) {
    assert.equal(parseCount(numbers.compact(value)), value);
    assert.equal(parseBytes(numbers.compactBytes(value)), value);
  }
  for (const value of [0.5, 0.01, 0.001, 1e-6, 2.5e-9]) assert.equal(parseRate(numbers.compactRate(value)), value);
});

test("numbers are written as the command writes them", () => {
  assert.equal(numbers.bytes(0), "0 B");
  assert.equal(numbers.bytes(1023), "1023 B");
  assert.equal(numbers.bytes(1198133), "1.14 MiB");
  assert.equal(numbers.bytes(64 * 2 ** 20), "64 MiB");
  assert.equal(numbers.bytes(2 ** 20 - 1), "1.00 MiB");
  const rates = { 0: "0 %", 1: "100.00 %", 0.5: "50.00 %", 0.01: "1.000 %", 0.001: "0.100 %", 0.0001: "0.0100 %", 0.00001: "0.00100 %" };
  for (const [value, text] of Object.entries(rates)) assert.equal(numbers.rate(Number(value)), text);
  assert.equal(numbers.rate(1.2e-6), "1.20e-06");
  assert.equal(numbers.count(1e7), "10,000,000");
});
