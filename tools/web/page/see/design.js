// The filters that can be shown, and how to make one of exactly the size that was asked for.

export const KINDS = ["classic", "blocked", "split", "counting", "scalable", "window"];
export const VIEWS = [...KINDS, "compare"];

const powers = (from, to) => {
  const all = [];
  for (let size = from; size <= to; size *= 2) all.push(size);
  return all;
};

/** For each view: sizes (bits, counters or keys), the size at first, hash functions that can be chosen. */
export const CHOICES = {
  classic: { sizes: powers(16, 4096), size: 32, hashes: 3 },
  blocked: { sizes: powers(512, 4096), size: 1024, hashes: 4 },
  split: { sizes: powers(512, 4096), size: 1024, hashes: null },
  counting: { sizes: powers(16, 4096), size: 32, hashes: 3 },
  scalable: { sizes: null, size: 1000, hashes: null },
  window: { sizes: [14, 28, 56, 112], size: 14, hashes: null },
  compare: { sizes: powers(512, 4096), size: 1024, hashes: 4 },
};
export const MOST_HASHES = 8;

const SCALABLE_RATE = 0.1;
const WINDOW_RATE = 0.05;

const found = new Map();

/** A counting filter is made from keys and a rate: the ones that give this many counters and hashes. */
function countingOptions(bloomery, bits, hashes) {
  const name = `${bits}/${hashes}`;
  if (found.has(name)) return found.get(name);
  const usual = Math.round((bits * Math.LN2) / hashes);
  for (const items of [usual, usual - 1, usual + 1, usual - 2, usual + 2]) {
    const rate = items > 0 ? searchRate(bloomery, items, bits, hashes) : null;
    if (rate === null) continue;
    const options = { kind: "counting", items, rate };
    found.set(name, options);
    return options;
  }
  throw new RangeError(`no counting filter has ${bits} counters and ${hashes} hashes`);
}

/** Bisects on the logarithm of the rate: a lower rate takes more counters, or more hashes in as many. */
function searchRate(bloomery, items, bits, hashes) {
  let low = Math.log(1e-12);
  let high = Math.log(0.999);
  for (let i = 0; i < 60; i += 1) {
    const middle = (low + high) / 2;
    const made = bloomery.Filter.create({ kind: "counting", items, rate: Math.exp(middle) });
    const { bitCount, hashCount } = made.info();
    made.dispose();
    if (bitCount === bits && hashCount === hashes) return Math.exp(middle);
    if (bitCount > bits || (bitCount === bits && hashCount > hashes)) low = middle;
    else high = middle;
  }
  return null;
}

const OPTIONS = {
  classic: (_, { size, hashes }) => ({ bits: size, hashes, layout: "classic" }),
  blocked: (_, { size, hashes }) => ({ bits: size, hashes, layout: "blocked" }),
  split: (_, { size }) => ({ bits: size, hashes: 8, layout: "split-8x64" }),
  counting: (bloomery, { size, hashes }) => countingOptions(bloomery, size, hashes),
  scalable: () => ({ kind: "scalable", items: 1000, rate: SCALABLE_RATE }),
  window: (_, { size }) => ({ kind: "window", items: size, rate: WINDOW_RATE }),
};

export function makeFilter(bloomery, spec) {
  return bloomery.Filter.create(OPTIONS[spec.kind](bloomery, spec));
}

/** The filters of a view, side by side or one alone. */
export function specsOf(view, size, hashes) {
  if (view !== "compare") return [{ kind: view, size, hashes }];
  return ["classic", "blocked", "counting"].map((kind) => ({ kind, size, hashes }));
}

/** The nearest allowed size and number of hashes: for values from the address. */
export function allowed(view, size, hashes) {
  const choice = CHOICES[view];
  const nearest = (list, value) => list.reduce((a, b) => (Math.abs(b - value) < Math.abs(a - value) ? b : a));
  const wanted = Number.isFinite(size) ? size : choice.size;
  const k = Number.isFinite(hashes) ? Math.round(hashes) : choice.hashes;
  return {
    size: choice.sizes ? nearest(choice.sizes, wanted) : choice.size,
    hashes: choice.hashes === null ? null : Math.min(MOST_HASHES, Math.max(1, k)),
  };
}

/** How many keys the chart goes up to. */
export function mostKeys(spec, info) {
  if (spec.kind === "scalable") return 7000;
  if (spec.kind === "window") return spec.size * 4;
  return Math.max(4, Math.round((1.6 * info.bitCount * Math.LN2) / info.hashCount));
}
