// Compiled, not run: uses every declaration once.
import {
  advise, BloomeryError, detect, encodings, expectedRate, Filter, formats, kernel, kinds, layouts, plan, planOfKind,
  plansOfOthers, randomSecret, ready, redisCost, RemoteFilter, version,
} from "bloomery";
import type { ErrorCode, Info, Key, Keys, PackedKeys, Plan, Statistics } from "bloomery";
import * as slim from "bloomery/slim";

export async function sample(file: Blob): Promise<string[]> {
  await ready(new URL("https://example.org/bloomery.wasm"));
  const filter: Filter = Filter.create({ items: 10n, rate: 0.01, layout: "split-8x64", secret: randomSecret() });
  const keys: Key[] = ["a", 1, 2n, new Uint8Array(3)];
  const packed: PackedKeys = { data: new Uint8Array(5), offsets: new Int32Array([0, 5]) };
  const all: Keys[] = [keys, packed, new BigUint64Array(2), new Set(["a"]), new Int8Array(1)];
  for (const some of all) filter.addMany(some);
  const known: boolean = filter.has("a") && filter.tryAdd(5) && filter.delete(5n);
  const bitmap: Uint8Array = filter.hasMany(keys);
  const counts: Float64Array = filter.countMany(keys);
  const left: string[] = filter.absent(["a", "b"]);
  const info: Info = filter.info();
  const now: Statistics = filter.statistics();
  const reason: string | null = filter.whyIncompatible(filter.copy());
  filter.encoding = encodings()[0] ?? "bytes";
  filter.toBytes("guava");
  const again = Filter.fromBytes(filter.toBytes({ comment: "x" }), { largestBytes: 1e6 });
  const cascade = Filter.cascade(["a"], ["b"], { seed: 5 });
  const remote = await RemoteFilter.open(file, { encoding: "bytes" });
  const { density } = await remote.statistics({ cells: 10, progress: (share: number) => void share });
  const planned: Plan = plan({ items: 5 });
  const rate: number = expectedRate({ ...planned, items: 5 });
  const others = plansOfOthers({ items: 5, rate: 0.5 }).map((one) => one.refused ?? one.system);
  const cost: number = redisCost({ items: 5, rate: 0.5 }).total_bytes + redisCost({ bits: 5, hashes: 5 }).shards;
  const size: number = planOfKind("counting", { items: 5, rate: 0.5 }).bytes;
  try {
    detect(new Uint8Array(5));
  } catch (error) {
    if (error instanceof BloomeryError) {
      const code: ErrorCode = error.code;
      console.log(code, error.message);
    }
  }
  const small: slim.Filter = slim.Filter.create({ items: 5 });
  small.merge(slim.Filter.fromBytes(again.toBytes()));
  // @ts-expect-error: null is not a key
  filter.add(null);
  // @ts-expect-error: an unknown layout
  Filter.create({ items: 5, layout: "nonsense" });
  // @ts-expect-error: made by create
  new Filter();
  // @ts-expect-error: slim has plain filters only
  slim.Filter.create({ items: 5, kind: "counting" });
  for (const one of [filter, cascade, remote, small]) one.dispose();
  return [...left, ...others, ...kinds(), ...layouts(), ...formats().map((one) => one.name), version, kernel(),
    String([known, bitmap, counts, info.seed, now.items, reason, density, rate, cost, size, advise("items=5")])];
}
