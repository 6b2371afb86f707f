// Serves build-web/site on 127.0.0.1. node serve.mjs [--port 8000] [--folder DIR]
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { createServer } from "node:http";
import { dirname, extname, join, normalize, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const types = { ".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8",
  ".wasm": "application/wasm", ".svg": "image/svg+xml", ".json": "application/json" };

const site = join(dirname(fileURLToPath(import.meta.url)), "../../build-web/site");

/** Starts a server; port 0 takes a free one. Returns { url, close() }. */
export async function serve({ folder = site, port = 0 } = {}) {
  const root = resolve(folder);
  const server = createServer(async (request, response) => {
    const refuse = (status) => response.writeHead(status).end();
    if (request.method !== "GET" && request.method !== "HEAD") return refuse(405);
    let path;
    try {
      path = normalize(join(root, decodeURIComponent(new URL(request.url, "http://localhost").pathname)));
    } catch {
      return refuse(400);
    }
    if (path !== root && !path.startsWith(root + sep)) return refuse(404);
    const found = await stat(path).catch(() => null);
    const file = found?.isDirectory() ? join(path, "index.html") : path;
    const facts = await stat(file).catch(() => null);
    if (!facts?.isFile()) return refuse(404);
    response.writeHead(200, { "content-type": types[extname(file)] ?? "application/octet-stream", "content-length": facts.size, "cache-control": "no-cache" });
    if (request.method === "HEAD") return response.end();
    createReadStream(file).pipe(response);
  });
  await new Promise((done, failed) => server.once("error", failed).listen(port, "127.0.0.1", done));
  return { url: `http://127.0.0.1:${server.address().port}/`,
    close: () => new Promise((done) => { server.closeAllConnections(); server.close(done); }) };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({ options: { port: { type: "string", default: "8000" }, folder: { type: "string", default: site } } });
  const { url } = await serve({ folder: values.folder, port: Number(values.port) });
  console.log(`${values.folder} at ${url}`);
}
