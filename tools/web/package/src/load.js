// Loads the module: by itself in Node.js, by ready() elsewhere.
import { BloomeryError, shown } from "./errors.js";
import { attach, imports, isLoaded, onFirstUse, useCrypto } from "./wasm.js";

// The smallest module with an instruction on vectors: engines without them reject it.
const vectors = new Uint8Array([
  0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11,
]);
const hasVectors = () => WebAssembly.validate(vectors);

let places = null; // where the two modules are: { simd, scalar }, as URLs or paths
let readFile = null; // of Node.js

/** Called by each entry of the package. */
export function loadFrom(found, node) {
  places = found;
  if (node) {
    readFile = node.readFileSync;
    useCrypto(node.webcrypto);
  }
  onFirstUse(loadNow);
}

const best = () => (hasVectors() ? places.simd : places.scalar);

/** Node.js reads the file at once; nothing where there are no files. */
function loadNow() {
  if (readFile === null) {
    const builtin = globalThis.process?.getBuiltinModule;
    if (typeof builtin !== "function") return;
    readFile = builtin("node:fs").readFileSync;
    useCrypto(builtin("node:crypto").webcrypto);
  }
  attach(new WebAssembly.Instance(new WebAssembly.Module(readFile(best())), imports));
}

let loading = null;
export function ready(source) {
  if (isLoaded()) return Promise.resolve();
  loading ??= load(source).catch((error) => {
    loading = null;
    throw error;
  });
  return loading;
}

async function load(source) {
  if (source === undefined) {
    loadNow();
    if (isLoaded()) return;
    source = best();
  }
  const found = await source;
  if (found instanceof WebAssembly.Module) {
    attach(await WebAssembly.instantiate(found, imports));
  } else if (ArrayBuffer.isView(found) || found instanceof ArrayBuffer) {
    attach((await WebAssembly.instantiate(found, imports)).instance);
  } else if (typeof found === "string" || found instanceof URL) {
    await fromResponse(await fetch(found), found);
  } else if (typeof found?.arrayBuffer === "function") {
    await fromResponse(found, found.url);
  } else {
    throw new TypeError(`ready takes a URL, bytes, a Response or a WebAssembly.Module, not ${shown(found)}`);
  }
}

async function fromResponse(response, url) {
  if (!response.ok) {
    throw new BloomeryError("io_error", `cannot load ${url}: the server answered ${response.status}`);
  }
  // Compiling while it loads needs the right media type, which not every server sends.
  const streams = response.headers.get("content-type")?.startsWith("application/wasm");
  const { instance } = streams
    ? await WebAssembly.instantiateStreaming(response, imports)
    : await WebAssembly.instantiate(await response.arrayBuffer(), imports);
  attach(instance);
}
