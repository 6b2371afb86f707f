// The entry for browsers and workers; it also works in Node.js from 20.16 on.
import { loadFrom } from "./load.js";

loadFrom({
  simd: new URL("./bloomery.wasm", import.meta.url),
  scalar: new URL("./bloomery.scalar.wasm", import.meta.url),
});
export * from "./main.js";
