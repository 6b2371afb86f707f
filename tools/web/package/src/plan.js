// Sizes, without making a filter.
import { shown } from "./errors.js";
import { checkObject, checkRate, checkText, layoutNamed, optionsIn, positive, whole } from "./options.js";
import { structs } from "./structs.js";
import { json, memory, ok, out, read, scoped, x } from "./wasm.js";

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

const required = (value, name) => {
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

const goalNames = new Set(["items", "rate"]);
/** items and rate of a goal. */
function goalIn(options) {
  checkObject(options, goalNames, "options");
  return [BigInt(required(positive(options.items, "items"), "items")), required(checkRate(options.rate), "rate")];
}

export function plansOfOthers(options) {
  const [items, rate] = goalIn(options);
  return scoped(() => json(x.web_plans_of_others(items, rate, out)));
}

export function planOfKind(kind, options) {
  const [items, rate] = goalIn(options);
  const name = required(checkText(kind, "kind"), "kind");
  return scoped((scope) => json(x.web_plan_of_kind(scope.text(name), items, rate, out)));
}

const redisNames = new Set(["bits", "hashes", "items", "rate", "largestBitmap"]);
const usualBitmap = 8 << 20;
export function redisCost(options) {
  checkObject(options, redisNames, "options");
  if (options.items !== undefined) { // split into bitmaps
    const [items, rate] = goalIn({ items: options.items, rate: options.rate });
    const largest = positive(options.largestBitmap, "largestBitmap") ?? usualBitmap;
    return scoped(() => json(x.web_redis_split(items, rate, BigInt(largest), out)));
  }
  const bits = required(positive(options.bits, "bits"), "bits");
  const hashes = required(positive(options.hashes, "hashes", 2n ** 32n - 1n), "hashes");
  return scoped(() => json(x.web_redis_cost(BigInt(bits), Number(hashes), out)));
}

export function advise(situation) {
  return scoped((scope) => json(x.bloomery_advise(scope.text(situationText(situation)), out)));
}

function situationText(situation) {
  if (typeof situation === "string") return checkText(situation, "a situation");
  if (situation === null || typeof situation !== "object") {
    throw new TypeError(`a situation is a string such as "items=10M,rate=0.1%", or an object, not ${shown(situation)}`);
  }
  return Object.entries(situation).filter(([, value]) => value !== undefined).map(([name, value]) => {
    const said = typeof value === "boolean" ? (value ? "yes" : "no") : String(value);
    if (/[,\0]/.test(said)) throw new TypeError(`the value of ${name} must not contain a comma`);
    return `${name}=${said}`;
  }).join(",");
}
