// The entry for Node.js.
import { webcrypto } from "node:crypto";
import { readFileSync } from "node:fs";
import { loadFrom } from "./load.js";

loadFrom({
  simd: new URL("./bloomery.wasm", import.meta.url),
  scalar: new URL("./bloomery.scalar.wasm", import.meta.url),
}, { readFileSync, webcrypto });
export * from "./main.js";
