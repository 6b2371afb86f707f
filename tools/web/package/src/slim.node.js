// The entry for Node.js.
import { webcrypto } from "node:crypto";
import { readFileSync } from "node:fs";
import { loadFrom } from "./load.js";

loadFrom({
  simd: new URL("./slim.wasm", import.meta.url),
  scalar: new URL("./slim.scalar.wasm", import.meta.url),
}, { readFileSync, webcrypto });
export * from "./slim_main.js";
