// Lists of names: formats, kinds, layouts.
import { structs } from "./structs.js";
import { need, ok, out, pointerOut, read, scoped, text, x } from "./wasm.js";

function names(nameAt) {
  need();
  const found = [];
  for (let i = 0, name; (name = text(nameAt(i))) !== null; ++i) found.push(name);
  return found;
}

let all = null;
export function formats() {
  all ??= names((i) => x.bloomery_format_name(i)).map((name) => scoped((scope) => {
    const at = scope.struct(structs.format);
    ok(x.bloomery_format_named(scope.text(name), at));
    return Object.freeze(read(structs.format, at));
  }));
  return [...all];
}
export const formatNamed = (name) => (all ?? formats()).find((one) => one.name === name);
/** How the users of a format usually encode keys, as the command does. */
export function usualEncoding(format) {
  const name = (format ?? "native").split(",")[0];
  return formatNamed(name)?.keys ?? "bytes";
}

export const kinds = () => names((i) => x.bloomery_kind_name(i));
export const layouts = () => names((i) => x.bloomery_layout_name(i));

export function detect(bytes) {
  if (!(bytes instanceof Uint8Array)) throw new TypeError("detect takes the bytes of a file, a Uint8Array");
  return scoped((scope) => {
    ok(x.bloomery_detect(scope.bytes(bytes), bytes.length, out));
    return text(pointerOut());
  });
}
