// Numbers in messages and JSON are those of the command, to the last digit: compared with printf, by Python.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import { readNumber, writtenNumber } from "../src/numbers.js";

let state = 1n;
function random() { // the same numbers each time
  state = (state * 6364136223846793005n + 1442695040888963407n) & 0xffff_ffff_ffff_ffffn;
  return state;
}
const asDouble = (bits) => new Float64Array(BigUint64Array.of(bits).buffer)[0];
const finite = (make, count) => Array.from({ length: count }, make).filter(Number.isFinite);
const numbers = [
  0, -0, 1, -1, 0.1, 0.5, 1.5, 2.5, 0.125, 0.375, 0.0625, 1234.5, 1235.5, 9.995, 9.9949999, 99.5, 0.0001, 0.00001, 123456,
  1e15, 1e16, 2 ** 53, 2 ** 53 + 2, 1e21, 1e22, 1e23, 5e-324, Number.MAX_VALUE, Number.MIN_VALUE, 4.35, 1 / 3, 1e100,
  ...Array.from({ length: 2098 }, (_, i) => 2 ** (i - 1074)),
  ...finite(() => asDouble(random()), 4000),
  ...finite(() => Number(random() % 100000n) / 64, 2000), // many ties
  ...finite(() => Number(random() % 1000000n) / 1000000, 2000),
];

/** What Python's format gives for each number: exact, with ties to even. */
function expected(format) {
  const program = `import sys, struct
for bits in sys.stdin.read().split(): print(${format} % struct.unpack("<d", struct.pack("<Q", int(bits)))[0])`;
  const input = numbers.map((value) => new BigUint64Array(Float64Array.of(value).buffer)[0]).join("\n");
  return execFileSync("python3", ["-c", program], { input, encoding: "utf8", maxBuffer: 1 << 26 }).split("\n");
}

for (const digits of [1, 2, 3, 4, 6, 15, 17]) {
  test(`${digits} significant digits, and as many after the point`, () => {
    const general = expected(`"%.${digits}g"`);
    const scientific = expected(`"%.${digits}e"`);
    numbers.forEach((value, i) => {
      assert.equal(writtenNumber(value, "g", digits), general[i], `%.${digits}g of ${value}`);
      assert.equal(writtenNumber(value, "e", digits), scientific[i], `%.${digits}e of ${value}`);
    });
  });
}

test("whole numbers", () => {
  const whole = expected('"%.0f"');
  numbers.forEach((value, i) => {
    if (Math.abs(value) < 1e19) assert.equal(writtenNumber(value, "f", 0), whole[i], `%.0f of ${value}`);
  });
});

test("the shortest text that reads back", () => {
  const known = [[0.0001, "1e-04"], [0.001, "0.001"], [100000, "1e+05"], [123456, "123456"], [1e22, "1e+22"], [0.5, "0.5"],
    [5e-324, "5e-324"], [2 ** 60, "1152921504606846976"], [1 / 3, "0.3333333333333333"], [-0, "-0"], [2 ** -24, "5.960464477539063e-08"]];
  for (const [value, text] of known) assert.equal(writtenNumber(value, "g", -1), text);
  for (const value of numbers) {
    for (const form of ["g", "e"]) {
      const text = writtenNumber(value, form, -1);
      assert.ok(Object.is(readNumber(text), value), `${text} for ${value}`);
      assert.ok(text.length <= String(value).length + 5, `${text} for ${value}`);
    }
  }
});

test("what is not a number, or not one in range", () => {
  for (const text of ["", " 1", "+1", "0x10", "1e", "1e400", "-1e400", "1e-400", "1_0", "1 ", ".", "e5", "--1"]) {
    assert.ok(Number.isNaN(readNumber(text)), text);
  }
  for (const [text, value] of [["1.", 1], [".5", 0.5], ["1e3", 1000], ["-0.25E-1", -0.025], ["0e-400", 0], ["inf", Infinity]]) {
    assert.equal(readNumber(text), value, text);
  }
});
