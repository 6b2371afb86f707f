// What the package exports.
import { need, randomBytes, text, x } from "./wasm.js";

export { ready } from "./load.js";
export { BloomeryError } from "./errors.js";
export { Filter } from "./filter.js";
export { RemoteFilter } from "./remote.js";
export { advise, expectedRate, plan, planOfKind, plansOfOthers, redisCost } from "./plan.js";
export { detect, formats, kinds, layouts } from "./formats.js";
import { encodings as allEncodings } from "./keys.js";

export const encodings = () => [...allEncodings()];
export const randomSecret = () => randomBytes(16);
export const version = __VERSION__;
export function kernel() {
  need();
  return text(x.bloomery_kernel());
}
