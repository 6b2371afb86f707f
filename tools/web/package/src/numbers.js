// Numbers as texts, as std::to_chars and printf write them. JavaScript has the digits, but rounds a tie up where they
// round it to even, and writes exponents in another way.

/** The sign of a number, its digits without trailing zeros but the first, and the exponent of the first digit. */
function parts(text) {
  const [, sign, first, rest = "", exponent] = /^(-?)(\d)\.?(\d*)e([+-]\d+)$/.exec(text);
  return { sign, digits: first + rest, exponent: Number(exponent) };
}

/** A number rounded to so many significant digits; all that are needed to read it back if count is 0. */
function rounded(value, count) {
  if (count <= 0) return parts(value.toExponential());
  const made = parts(value.toExponential(count - 1));
  // A tie has nothing but zeros behind its 5, and numbers that are that close to one are one.
  const longer = parts(value.toExponential(Math.min(100, count + 50)));
  const tie = /^50*$/.test(longer.digits.slice(count));
  return tie && Number(made.digits.at(-1)) % 2 === 1 ? { ...longer, digits: longer.digits.slice(0, count) } : made;
}

const trimmed = (digits) => digits.replace(/0+$/, "") || "0";

function scientific({ sign, digits, exponent }) {
  const size = String(Math.abs(exponent)).padStart(2, "0");
  return `${sign}${digits[0]}${digits.length > 1 ? `.${digits.slice(1)}` : ""}e${exponent < 0 ? "-" : "+"}${size}`;
}

function fixed({ sign, digits, exponent }) {
  if (exponent < 0) return `${sign}0.${"0".repeat(-exponent - 1)}${digits}`;
  const all = digits.padEnd(exponent + 1, "0");
  return sign + all.slice(0, exponent + 1) + (all.length > exponent + 1 ? `.${all.slice(exponent + 1)}` : "");
}

/** "%.0f" for numbers below 10^21. */
function whole(value) {
  const up = value.toFixed(0);
  const tie = Math.abs(value % 1) === 0.5;
  return tie && Number(up.at(-1)) % 2 === 1 ? String(Number(up) - Math.sign(value)) : up;
}

/** The shorter of both notations; if they are as long, the one without an exponent. Whole numbers are written exactly. */
function shortest(value) {
  const all = rounded(value, 0);
  const long = Math.abs(value) >= 2 ** 53 ? BigInt(value).toString() : fixed(all);
  const short = scientific(all);
  return long.length <= short.length ? long : short;
}

/** See numbers.cpp. */
export function writtenNumber(value, form, digits) {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? "nan" : value < 0 ? "-inf" : "inf";
  const sign = Object.is(value, -0) ? "-" : "";
  if (form === "f") return sign + whole(value);
  if (form === "e") return sign + scientific(rounded(value, digits + 1));
  if (digits < 0) return sign + shortest(value);
  const { sign: minus, digits: all, exponent } = rounded(value, digits || 1);
  const shown = { sign: sign || minus, digits: trimmed(all), exponent };
  return exponent < -4 || exponent >= (digits || 1) ? scientific(shown) : fixed(shown);
}

/** The number that a text spells as std::from_chars reads it; NaN if it spells none or one that is out of range. */
export function readNumber(text) {
  if (/^-?inf(inity)?$/i.test(text)) return text[0] === "-" ? -Infinity : Infinity;
  if (!/^-?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text)) return NaN;
  const value = Number(text);
  const lost = value === 0 && /[1-9]/.test(text.split(/e/i)[0]);
  return Number.isFinite(value) && !lost ? value : NaN;
}
