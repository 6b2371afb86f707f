// What bloomery/slim exports.
import { need, randomBytes, text, x } from "./wasm.js";

export { ready } from "./load.js";
export { BloomeryError } from "./errors.js";
export { Filter } from "./slim_filter.js";
export { expectedRate, plan } from "./sizes.js";

export const randomSecret = () => randomBytes(16);
export const version = __VERSION__;
export function kernel() {
  need();
  return text(x.bloomery_kernel());
}
