// Where the module and the workers come from: files beside the page, or elements of the page when it is a single file.
// A file opened from disk cannot read its neighbours, so the single file contains everything.
import { ready } from "bloomery";

async function unpack(base64) {
  const packed = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).arrayBuffer();
}

async function compileFile() {
  const response = await fetch("bloomery.wasm");
  if (!response.ok) throw new Error(`bloomery.wasm: HTTP ${response.status}`);
  // A server with the wrong MIME type is not a reason to fail.
  if (response.headers.get("content-type") === "application/wasm") return WebAssembly.compileStreaming(response);
  return WebAssembly.compile(await response.arrayBuffer());
}

/** Compiles the module and makes the package ready; returns the module, for workers. */
export async function loadModule() {
  const inline = document.getElementById("bloomery-wasm");
  const module = inline ? await WebAssembly.compile(await unpack(inline.textContent.trim())) : await compileFile();
  await ready(module);
  return module;
}

const blobs = new Map();

export function makeWorker(name) {
  const inline = document.getElementById(`worker-${name}`);
  if (!inline) return new Worker(`workers/${name}.js`);
  if (!blobs.has(name)) {
    blobs.set(name, URL.createObjectURL(new Blob([inline.textContent], { type: "text/javascript" })));
  }
  return new Worker(blobs.get(name));
}
