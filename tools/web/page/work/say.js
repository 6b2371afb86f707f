// Errors of workers as sentences in the page's language.

const BYTES = new Set(["size", "limit"]);

/** One sentence: one of the page's own, or the library's in a translated frame. */
export function say(error, { t, numbers, describeError }) {
  if (!error?.said) return describeError(error);
  const [key, values] = error.said;
  const written = Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      if (typeof value !== "number") return [name, value];
      return [name, BYTES.has(name) ? numbers.bytes(value) : numbers.count(value)];
    }),
  );
  return t(`open.work.${key}`, written);
}

export function isStopped(error) {
  return error?.name === "AbortError";
}
