// Errors of the library, with its own sentence.
export class BloomeryError extends Error {
  constructor(code, message) {
    super(message);
    this.name = "BloomeryError";
    this.code = code;
  }
}

/** A value for a message: short, and never throwing. */
export function shown(value) {
  if (typeof value === "string") return JSON.stringify(value.length > 40 ? value.slice(0, 40) + "…" : value);
  if (typeof value === "bigint") return `${value}n`;
  if (value === null || typeof value !== "object") return String(value);
  return value.constructor?.name ? `a value of type ${value.constructor.name}` : "an object";
}
