// How other systems encode keys before they hash them.
import { BloomeryError, shown } from "./errors.js";
import { need, text, x } from "./wasm.js";

let encodingNames = null;
export function encodings() {
  if (encodingNames === null) {
    need();
    encodingNames = [];
    for (let i = 0, name; (name = text(x.bloomery_key_encoding_name(i))) !== null; ++i) encodingNames.push(name);
  }
  return encodingNames;
}
/** The number of an encoding. */
export function encodingNamed(name) {
  const found = encodings().indexOf(name);
  if (found < 0) {
    throw new BloomeryError("bad_argument",
      `there is no key encoding ${shown(name)}; choose one of: ${encodingNames.join(", ")}`);
  }
  return found;
}
