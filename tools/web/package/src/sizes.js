// The size of a Bloom filter that has not been made yet.
import { checkObject, checkText, layoutNamed, optionsIn, positive, whole } from "./options.js";
import { structs } from "./structs.js";
import { memory, ok, out, read, scoped, x } from "./wasm.js";

export function plan(options) {
  return scoped((scope) => {
    const at = scope.struct(structs.plan);
    ok(x.bloomery_plan_for(optionsIn(scope, options), at));
    const found = read(structs.plan, at);
    return {
      layout: found.layout, bits: found.bits, bytes: found.bytes, hashes: found.hashes, items: found.items,
      rate: found.rate, expectedRate: found.expected_rate, bitsPerItem: found.bits_per_item,
      itemCapacity: found.item_capacity, meetsRate: found.meets_rate,
    };
  });
}

export const required = (value, name) => {
  if (value === undefined || value === null) throw new TypeError(`${name} is missing`);
  return value;
};

const rateNames = new Set(["layout", "bits", "hashes", "items"]);
export function expectedRate(options) {
  checkObject(options, rateNames, "options");
  return scoped((scope) => {
    const layout = scope.text(required(checkText(layoutNamed(options.layout), "layout"), "layout"));
    const bits = required(positive(options.bits, "bits"), "bits");
    const hashes = required(positive(options.hashes, "hashes", 2n ** 32n - 1n), "hashes");
    const items = required(whole(options.items, "items"), "items");
    ok(x.bloomery_expected_rate(layout, BigInt(bits), Number(hashes), BigInt(items), out));
    return memory().data.getFloat64(out, true);
  });
}
