// What the package exports.
import { need, randomBytes, text, x } from "./wasm.js";

export { ready } from "./load.js";
export { BloomeryError } from "./errors.js";
export { Filter } from "./filter.js";
export { RemoteFilter } from "./remote.js";
export { advise, planOfKind, plansOfOthers, redisCost } from "./plan.js";
export { expectedRate, plan } from "./sizes.js";
export { detect, formats, kinds, layouts } from "./formats.js";
import { encodings as allEncodings } from "./encodings.js";

export const encodings = () => [...allEncodings()];
export const randomSecret = () => randomBytes(16);
export const version = __VERSION__;
export function kernel() {
  need();
  return text(x.bloomery_kernel());
}
