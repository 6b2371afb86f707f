// Sizes of other kinds and in other systems, and advice.
import { shown } from "./errors.js";
import { checkObject, checkRate, checkText, positive } from "./options.js";
import { required } from "./sizes.js";
import { json, out, scoped, x } from "./wasm.js";

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
