// Puts the npm package together: node build.mjs MODULES OUT VERSION
import { build } from "esbuild";
import { copyFileSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const [modules, out, version] = process.argv.slice(2);
const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, "../../..");

const common = {
  bundle: true,
  minify: true,
  lineLimit: 160, // so that a stack trace does not print all of it
  legalComments: "none",
  target: "es2022",
  define: { __VERSION__: JSON.stringify(version) },
  logLevel: "warning",
};
const entries = [
  { entry: "index.js", to: "index.js", format: "esm", platform: "neutral" },
  { entry: "index.node.js", to: "index.node.js", format: "esm", platform: "node" },
  { entry: "index.cjs.js", to: "index.cjs", format: "cjs", platform: "node" },
];
mkdirSync(out, { recursive: true });
await Promise.all(entries.map(({ entry, to, format, platform }) => build({
  ...common, format, platform, entryPoints: [join(here, "src", entry)], outfile: join(out, to),
})));

for (const name of ["bloomery.wasm"]) copyFileSync(join(modules, name), join(out, name));
copyFileSync(join(here, "index.d.ts"), join(out, "index.d.ts"));
