// What the fields ask, and how it becomes a call of the planner. No elements here, so that node can test it.
import { NumberError, parseBytes, parseCount, parseRate } from "../shell/units.js";

export const fieldNames = ["keys", "rate", "memory", "bits", "k"];

export const mostHashes = 64;

function parseHashes(typed) {
  const value = parseCount(typed, "hashes");
  if (value < 1 || value > mostHashes) throw new NumberError(value < 1 ? "not_a_number" : "too_large", "hashes", typed);
  return value;
}
function positive(parse, kind) {
  return (typed) => {
    const value = parse(typed);
    if (value === 0) throw new NumberError("zero", kind, typed);
    return value;
  };
}
const parsers = { keys: positive(parseCount, "count"), rate: parseRate, memory: positive(parseBytes, "bytes"),
  bits: positive(parseCount, "count"), k: parseHashes };
const optionNames = { keys: "items", rate: "rate", memory: "bytes", bits: "bits", k: "hashes" };

/** Reads the texts of the fields (a query of the address) as { given, options, problems, missing, twice }. */
export function readQuestion(query) {
  const given = {};
  const options = {};
  const problems = {};
  for (const name of fieldNames) {
    const typed = query[name]?.trim();
    if (!typed) continue;
    given[name] = typed;
    try {
      options[optionNames[name]] = parsers[name](typed);
    } catch (error) {
      if (!(error instanceof NumberError)) throw error;
      problems[name] = error;
    }
  }
  if (query.layout) options.layout = query.layout;
  const size = given.memory || given.bits;
  const known = [given.keys, given.rate, size].filter(Boolean).length;
  return { given, options, problems,
    // The number of keys alone is enough: the rate is then 1 %, as in the command.
    missing: known < 2 && !given.keys,
    twice: Boolean(given.memory && given.bits) };
}

/** The query after typing into a field: memory and bits are the same thing, so one replaces the other. */
export function typeInto(query, name, text) {
  const next = { ...query, [name]: text };
  if (text.trim() === "") delete next[name];
  else if (name === "memory") delete next.bits;
  else if (name === "bits") delete next.memory;
  return next;
}

/** The options for another layout: what it would be with the same given numbers. k belongs to classic and blocked. */
export function optionsFor(options, layout) {
  const { hashes, ...rest } = options;
  const free = layout === "classic" || layout.startsWith("blocked");
  return { ...rest, ...(free && hashes ? { hashes } : {}), layout };
}

/** True if keys, rate and size are all given: then they may contradict each other. */
export function overdetermined(given) {
  return Boolean(given.keys && given.rate && (given.memory || given.bits));
}

/** Bits that the blocks of a layout can have: whole blocks. */
export function wholeBlocks(layout, bits) {
  const block = layout === "classic" ? 1 : layout === "split-8x32" ? 256 : 512;
  return Math.max(block, Math.floor(bits / block) * block);
}

/** The textbook's rate: (1 - e^(-kn/m))^k. */
export function textbookRate({ bits, hashes, items }) {
  return (-Math.expm1((-hashes * items) / bits)) ** hashes;
}

export const overfillFactors = [1, 1.2, 1.5, 2, 5];
