// What callers pass, checked: a mistake gets a TypeError that says what to pass instead.
import { shown } from "./errors.js";
import { structs } from "./structs.js";

/** Whole numbers for the C interface, where 0 means that nothing was given. */
export function whole(value, name, most = 2n ** 64n - 1n) {
  if (value === undefined || value === null) return undefined;
  if (typeof value === "bigint" ? value < 0n || value > most : !Number.isInteger(value) || value < 0) {
    throw new TypeError(`${name} is a whole number from 0 to ${most}, not ${shown(value)}`);
  }
  return value;
}
export function positive(value, name, most) {
  if (whole(value, name, most) !== undefined && (value === 0 || value === 0n)) {
    throw new TypeError(`${name} must be at least 1`);
  }
  return value;
}

export function checkRate(value, name = "rate") {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== "number" || !(value > 0 && value < 1)) {
    throw new TypeError(`${name} is a number between 0 and 1, such as 0.01, not ${shown(value)}`);
  }
  return value;
}

export function checkText(value, name) {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== "string" || value.includes("\0")) {
    throw new TypeError(`${name} is a string, not ${shown(value)}`);
  }
  return value;
}

export function checkSecret(secret) {
  if (secret === undefined || secret === null) return undefined;
  if (!(secret instanceof Uint8Array) || secret.length !== 16) {
    throw new TypeError("a secret is a Uint8Array of 16 bytes, as randomSecret() makes it");
  }
  return secret;
}

/** "blocked-512" is another name for "blocked". */
export const layoutNamed = (name) => (name === "blocked-512" ? "blocked" : name);

const known = new Set(["items", "rate", "bytes", "bits", "hashes", "layout", "kind", "format", "seed", "secret",
  "foldable", "encoding"]);

export function checkObject(options, names, what) {
  if (options === null || typeof options !== "object") {
    throw new TypeError(`${what} are an object such as { items: 1000, rate: 0.01 }, not ${shown(options)}`);
  }
  for (const name in options) {
    if (!names.has(name)) throw new TypeError(`there is no option ${shown(name)}; there are ${[...names].join(", ")}`);
  }
}

/** bloomery_options from what was given. */
export function optionsIn(scope, options) {
  checkObject(options, known, "options");
  const name = (value, what) => {
    const said = checkText(value, what);
    return said === undefined ? undefined : scope.text(said);
  };
  const secret = checkSecret(options.secret);
  return scope.struct(structs.options, {
    items: positive(options.items, "items"),
    rate: checkRate(options.rate),
    bytes: positive(options.bytes, "bytes"),
    bits: positive(options.bits, "bits"),
    hashes: positive(options.hashes, "hashes", 2n ** 32n - 1n),
    foldable: options.foldable,
    seed: whole(options.seed, "seed"),
    secret: secret === undefined ? undefined : scope.bytes(secret),
    layout: name(layoutNamed(options.layout), "layout"),
    kind: name(options.kind, "kind"),
    format: name(options.format, "format"),
  });
}

export const readNames = new Set(["format", "secret", "encoding", "largestBytes"]);
export const slimReadNames = new Set(["secret", "largestBytes"]);
export const writeNames = new Set(["format", "comment", "keepSecret"]);
export const exceptionNames = new Set(["mostEntries", "evictOldest"]);

export function bytesIn(value) {
  if (value instanceof Uint8Array) return value;
  if (value instanceof ArrayBuffer) return new Uint8Array(value);
  throw new TypeError(`the bytes of a filter are a Uint8Array or an ArrayBuffer, not ${shown(value)}`);
}

export function arrayOf(keys) {
  if (!Array.isArray(keys)) throw new TypeError(`keys are an array here, not ${shown(keys)}`);
  return keys;
}
