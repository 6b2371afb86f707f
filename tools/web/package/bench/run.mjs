// How fast the package is, next to other packages for Bloom filters where they are installed.
//
// usage: node run.mjs [--keys N] [--rounds N] [--json]
//
// Every round measures every candidate in turn, in the same process; the minimum of all rounds counts. Peers are
// imported if Node.js finds them: set NODE_PATH to a folder where npm has installed bloomfilter and bloom-filters.
import { createRequire } from "node:module";
import { parseArgs } from "node:util";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const { values } = parseArgs({ options: {
  keys: { type: "string", default: "1000000" }, rounds: { type: "string", default: "5" }, json: { type: "boolean" },
} });
const count = Number(values.keys);
const rounds = Number(values.rounds);
const here = dirname(fileURLToPath(import.meta.url));
const folder = process.env.BLOOMERY_PACKAGE ?? join(here, "../../../../build-web/package");
const { Filter, kernel } = await import(pathToFileURL(join(folder, "index.js")).href);
const slim = await import(pathToFileURL(join(folder, "slim.js")).href).catch(() => null);

const peer = async (name) => {
  try {
    return await import(pathToFileURL(createRequire(import.meta.url).resolve(name)).href);
  } catch {
    return null;
  }
};

// Strings as they come from a parser: one by one, not slices of one large string, nor pieces to be put together.
const encoder = new TextEncoder();
const decoder = new TextDecoder();
const parsed = (text) => decoder.decode(encoder.encode(text));
const words = Array.from({ length: count }, (_, i) => parsed(`user-${((i * 2654435761) >>> 0).toString(36)}-${i}`));
const absent = Array.from({ length: count }, (_, i) => parsed(`miss-${((i * 2654435761) >>> 0).toString(36)}-${i}`));
const mixed = words.map((key, i) => (i % 2 === 0 ? key : absent[i]));
const integers = BigUint64Array.from({ length: count }, (_, i) => BigInt(i) * 0x9e3779b97f4a7c15n);
const asked = integers.map((key, i) => (i % 2 === 0 ? key : key + 1n));

const candidates = [];
/** insert and ask take all keys; what they return is used, so that nothing is left out. */
const add = (name, keys, make, insert, ask, most = count) =>
  candidates.push({ name, keys: Math.min(most, keys), make, insert, ask });

for (const layout of ["split-8x64", "split-8x32", "split-16x32", "blocked", "classic"]) {
  add(`strings, many, ${layout}`, count, () => Filter.create({ items: count, rate: 0.01, layout }),
    (filter) => filter.addMany(words), (filter) => filter.hasMany(mixed)[5]);
  add(`integers, many, ${layout}`, count, () => Filter.create({ items: count, rate: 0.01, layout }),
    (filter) => filter.addMany(integers), (filter) => filter.hasMany(asked)[5]);
}
const single = (filter) => ({
  insert: () => {
    for (let i = 0; i < count; ++i) filter.add(words[i]);
  },
  ask: () => {
    let found = 0;
    for (let i = 0; i < count; ++i) found += filter.has(mixed[i]) ? 1 : 0;
    return found;
  },
});
const make = () => Filter.create({ items: count, rate: 0.01 });
add("strings, one by one", count, make, (filter) => single(filter).insert(), (filter) => single(filter).ask());
add("integers, one by one", count, make, (filter) => {
  for (let i = 0; i < count; ++i) filter.add(i);
}, (filter) => {
  let found = 0;
  for (let i = 0; i < count; ++i) found += filter.has(2 * i) ? 1 : 0;
  return found;
});
if (slim) {
  const small = () => slim.Filter.create({ items: count, rate: 0.01 });
  add("slim: strings, many", count, small, (filter) => filter.addMany(words), (filter) => filter.hasMany(mixed)[5]);
  add("slim: strings, one by one", count, small, (filter) => single(filter).insert(), (filter) => single(filter).ask());
}
const bloomfilter = await peer("bloomfilter");
if (bloomfilter) {
  const { BloomFilter } = bloomfilter;
  add("npm bloomfilter: strings, one by one", count,
    () => BloomFilter.withTargetError?.(count, 0.01) ?? new BloomFilter(count * 9.585, 7), (filter) => {
      for (let i = 0; i < count; ++i) filter.add(words[i]);
    }, (filter) => {
      let found = 0;
      for (let i = 0; i < count; ++i) found += filter.test(mixed[i]) ? 1 : 0;
      return found;
    });
}
const bloomFilters = await peer("bloom-filters");
if (bloomFilters) {
  const BloomFilter = bloomFilters.BloomFilter ?? bloomFilters.default.BloomFilter;
  const some = Math.min(count, 50000); // it is slow
  add("npm bloom-filters: strings, one by one", count, () => BloomFilter.create(count, 0.01), (filter) => {
    for (let i = 0; i < some; ++i) filter.add(words[i]);
  }, (filter) => {
    let found = 0;
    for (let i = 0; i < some; ++i) found += filter.has(mixed[i]) ? 1 : 0;
    return found;
  }, some);
}

/** Nanoseconds of a call: the smaller of the time on the clock and that of the processor, which a busy machine
 *  lengthens less. Both include everything that the call does. */
function timed(act) {
  const cpu = process.cpuUsage();
  const start = process.hrtime.bigint();
  used += act() ?? 0;
  const wall = Number(process.hrtime.bigint() - start);
  const { user, system } = process.cpuUsage(cpu);
  return Math.min(wall, 1000 * (user + system));
}

let used = 0;
for (let round = 0; round < rounds; ++round) {
  for (const one of candidates) {
    const filter = one.make();
    one.insertNs = Math.min(one.insertNs ?? Infinity, timed(() => one.insert(filter)) / one.keys);
    one.askNs = Math.min(one.askNs ?? Infinity, timed(() => one.ask(filter)) / one.keys);
    filter.dispose?.();
  }
}
if (values.json) {
  console.log(JSON.stringify({ keys: count, rounds, kernel: kernel(), node: process.version,
    results: candidates.map(({ name, insertNs, askNs }) => ({ name, insertNs, askNs })) }, null, 2));
} else {
  console.log(`${count} keys at 1 %, half of those asked are absent; ns per key, minimum of ${rounds} rounds; ${kernel()}`);
  for (const { name, insertNs, askNs } of candidates) {
    console.log(`${name.padEnd(42)} insert ${insertNs.toFixed(1).padStart(9)}   ask ${askNs.toFixed(1).padStart(9)}`);
  }
}
if (used === 0) throw new Error("nothing was found");
