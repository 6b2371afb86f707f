// The entry for require().
import { webcrypto } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { loadFrom } from "./load.js";

loadFrom({
  simd: join(__dirname, "slim.wasm"),
  scalar: join(__dirname, "slim.scalar.wasm"),
}, { readFileSync, webcrypto });
export * from "./slim_main.js";
