// Reads numbers as the command does (src/text/units.cpp): 10M, 64MiB, 1%, 1e-3, 1in1000.

/** What is wrong: `code` is a key of the texts "shell.number.*"; `typed` is what was typed. */
export class NumberError extends Error {
  constructor(code, kind, typed) {
    super(`${JSON.stringify(typed)}: ${code}`);
    this.name = "NumberError";
    this.code = code;
    this.kind = kind;
    this.typed = typed;
  }
}

const decimal = /^(\d+(?:_\d+)*(?:\.\d+)?|\.\d+)(?:[eE]([+-]?\d+))?/;
const ranks = "kMGTP";

// A decimal number is kept as digits and a power of ten, so that 0.7% and 1.5GiB are exact.
function takeNumber(text, kind, typed) {
  if (text === "") throw new NumberError("missing", kind, typed);
  if (text[0] === "-") throw new NumberError("negative", kind, typed);
  const found = decimal.exec(text);
  if (!found) throw new NumberError("not_a_number", kind, typed);
  const rest = text.slice(found[0].length);
  return { digits: found[1].replaceAll("_", ""), exponent: Number(found[2] ?? 0), rest: rest.length > 1 && rest[0] === " " ? rest.slice(1) : rest };
}

function rankOf(letter) {
  const at = ranks.indexOf(letter === "K" ? "k" : letter);
  return letter && at >= 0 ? at + 1 : 0;
}

function toDouble(number, shift) {
  return Number(`${number.digits}e${number.exponent + shift}`);
}

// The whole number that digits, a power of ten and a power of 1024 make; refuses a fraction.
function toWhole(number, shift, kibi, kind, typed) {
  const [whole, fraction = ""] = number.digits.split(".");
  const exponent = number.exponent + shift - fraction.length;
  if (Math.abs(exponent) > 400) throw new NumberError(exponent > 0 ? "too_large" : "not_whole", kind, typed);
  let value = BigInt((whole + fraction) || "0") * 1024n ** BigInt(kibi);
  if (exponent >= 0) value *= 10n ** BigInt(exponent);
  else {
    const divisor = 10n ** BigInt(-exponent);
    if (value % divisor !== 0n) throw new NumberError("not_whole", kind, typed);
    value /= divisor;
  }
  if (value > BigInt(Number.MAX_SAFE_INTEGER)) throw new NumberError("too_large", kind, typed);
  return Number(value);
}

function readCount(text, kind, typed) {
  const number = takeNumber(text, kind, typed);
  if (number.rest === "") return toWhole(number, 0, 0, kind, typed);
  const rank = rankOf(number.rest);
  if (!rank || number.rest.length !== 1) throw new NumberError("not_a_number", kind, typed);
  return toWhole(number, 3 * rank, 0, kind, typed);
}

/** A count such as 1000000, 1_000_000, 10M or 1e9. */
export function parseCount(typed, kind = "count") {
  return readCount(typed.trim(), kind, typed);
}

/** Bytes such as 4096, 64MiB or 1.5GB. */
export function parseBytes(typed) {
  const number = takeNumber(typed.trim(), "bytes", typed);
  let rest = number.rest === "b" ? "" : number.rest;
  let tens = 0;
  let kibi = 0;
  const rank = rankOf(rest[0]);
  if (rank) {
    rest = rest.slice(1);
    if (rest[0] === "i") {
      rest = rest.slice(1);
      kibi = rank;
    } else tens = 3 * rank;
  }
  if (rest !== "" && rest !== "B") throw new NumberError("not_a_number", "bytes", typed);
  return toWhole(number, tens, kibi, "bytes", typed);
}

/** A rate above 0 and below 1 such as 0.01, 1%, 1e-3, 1in1000, 1/1000. */
export function parseRate(typed) {
  const text = typed.trim();
  const word = [" in ", "in", "/"].find((one) => text.includes(one));
  let rate;
  if (word) {
    const at = text.indexOf(word);
    const part = readCount(text.slice(0, at), "rate", typed);
    const whole = readCount(text.slice(at + word.length), "rate", typed);
    rate = whole === 0 ? 0 : part / whole;
  } else {
    const number = takeNumber(text, "rate", typed);
    if (number.rest !== "" && number.rest !== "%") throw new NumberError("not_a_number", "rate", typed);
    rate = toDouble(number, number.rest === "%" ? -2 : 0);
  }
  if (!(rate > 0 && rate < 1)) throw new NumberError("not_a_rate", "rate", typed);
  return rate;
}
