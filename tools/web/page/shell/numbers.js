// Writes numbers for people, and in short forms that units.js reads back.
import { NumberError, parseBytes, parseCount, parseRate } from "./units.js";

const byteUnits = ["B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];

function count(value) {
  return Math.round(value).toLocaleString("en-US");
}

function decimal(value, digits = 2) {
  return value.toLocaleString("en-US", { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

// "1.14 MiB"; decimals only if it is not exact.
function bytes(value) {
  let unit = 0;
  let scaled = value;
  while (scaled >= 1023.995 && unit + 1 < byteUnits.length) {
    scaled /= 1024;
    unit += 1;
  }
  return `${Number.isInteger(scaled) ? scaled : scaled.toFixed(unit === 0 ? 0 : 2)} ${byteUnits[unit]}`;
}

// Short, and read back by parseCount as exactly this number: 10M, 1.25G, 9592957.
function compact(value) {
  for (let rank = 5; rank > 0; rank -= 1) {
    const unit = 10 ** (3 * rank);
    if (value < unit) continue;
    const text = `${Number((value / unit).toPrecision(4))}${"kMGTP"[rank - 1]}`;
    if (parseCount(text) === value) return text;
    break;
  }
  return String(value);
}

// The same for axes: it may be rounded.
function rough(value) {
  for (let rank = 5; rank > 0; rank -= 1) {
    const unit = 10 ** (3 * rank);
    if (value >= unit * 0.9995) return `${Number((value / unit).toPrecision(3))}${"kMGTP"[rank - 1]}`;
  }
  return String(Number(value.toPrecision(3)));
}

// Read back by parseBytes: 64MiB, 1262464.
function compactBytes(value) {
  for (let rank = 4; rank > 0; rank -= 1) {
    const scaled = value / 1024 ** rank;
    if (scaled >= 1 && Number.isInteger(scaled * 4)) return `${scaled}${"KMGT"[rank - 1]}iB`;
  }
  return String(value);
}

function exponent(value, digits) {
  return value.toExponential(digits).replace(/e([+-])(\d)$/, "e$10$2").replace("e+", "e");
}

// As format_rate of the command: four digits or so, and powers of ten below a thousandth of a percent.
function rate(value) {
  if (value === 0) return "0 %";
  if (value < 9.995e-6) return exponent(value, 2);
  const percents = value * 100;
  if (percents >= 9.9995) return `${percents.toFixed(2)} %`;
  if (percents >= 0.09995) return `${percents.toFixed(3)} %`;
  if (percents >= 0.009995) return `${percents.toFixed(4)} %`;
  return `${percents.toFixed(5)} %`;
}

// For an axis: 1 %, 0.1 %, 1e-6.
function roughRate(value) {
  if (value < 0.99e-5) return exponent(value, 0);
  return `${Number((value * 100).toPrecision(2))} %`;
}

// Read back by parseRate.
function compactRate(value) {
  if (value < 1e-5) return String(Number(value.toPrecision(4)));
  return `${Number((value * 100).toPrecision(4))}%`;
}

function percent(share, digits = 1) {
  return `${decimal(share * 100, digits)} %`;
}

function duration(seconds) {
  if (seconds < 0.001) return `${Math.round(seconds * 1e6)} µs`;
  if (seconds < 1) return `${Math.round(seconds * 1000)} ms`;
  if (seconds < 100) return `${seconds.toFixed(1)} s`;
  return `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
}

/** All of it; `t` gives the words around numbers in the page's language. */
export function makeNumbers(t) {
  const oneIn = (value) => t("shell.one_in", { count: value >= 1e-15 ? count(1 / value) : exponent(1 / value, 1) });
  return { parseCount, parseBytes, parseRate, NumberError, count, decimal, bytes, compact, rough, compactBytes, rate,
    roughRate, compactRate, oneIn, percent, duration };
}
