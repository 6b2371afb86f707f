// The offsets in structs.js are those of the C++ compiler.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { structs } from "../src/structs.js";
import { packageFolder } from "./helpers.mjs";

for (const name of ["bloomery.wasm", "bloomery.scalar.wasm"]) {
  test(`the structures of ${name}`, () => {
    const module = new WebAssembly.Module(readFileSync(join(packageFolder, name)));
    const imports = {};
    for (const one of WebAssembly.Module.imports(module)) (imports[one.module] ??= {})[one.name] = () => 0;
    const { exports } = new WebAssembly.Instance(module, imports);
    exports._initialize();
    const out = exports.malloc(8);
    assert.equal(exports.web_structs(out), 0);
    const bytes = new Uint8Array(exports.memory.buffer);
    const at = new DataView(exports.memory.buffer).getUint32(out, true);
    const told = JSON.parse(new TextDecoder().decode(bytes.subarray(at, bytes.indexOf(0, at))));
    const ours = Object.fromEntries(Object.entries(structs).map(([struct, { size, fields }]) => [struct, {
      size, fields: Object.fromEntries(Object.entries(fields).map(([field, [offset]]) => [field, offset])),
    }]));
    assert.deepEqual(ours, told);
  });
}
