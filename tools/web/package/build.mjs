// Puts the npm package together: node build.mjs MODULES OUT VERSION
import { build } from "esbuild";
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const [modules, out, version] = process.argv.slice(2);
const here = dirname(fileURLToPath(import.meta.url));

const common = {
  bundle: true,
  minify: true,
  lineLimit: 160, // so that a stack trace does not print all of it
  legalComments: "none",
  target: "es2022",
  define: { __VERSION__: JSON.stringify(version) },
  logLevel: "warning",
};
const entries = ["index", "slim"].flatMap((name) => [
  { entry: `${name}.js`, to: `${name}.js`, format: "esm", platform: "neutral" },
  { entry: `${name}.node.js`, to: `${name}.node.js`, format: "esm", platform: "node" },
  { entry: `${name}.cjs.js`, to: `${name}.cjs`, format: "cjs", platform: "node" },
]);
mkdirSync(out, { recursive: true });
await Promise.all(entries.map(({ entry, to, format, platform }) => build({
  ...common, format, platform, entryPoints: [join(here, "src", entry)], outfile: join(out, to),
})));

for (const name of ["bloomery.wasm", "bloomery.scalar.wasm", "slim.wasm", "slim.scalar.wasm"]) {
  copyFileSync(join(modules, name), join(out, name));
}
for (const name of ["index.d.ts", "slim.d.ts"]) {
  copyFileSync(join(here, name), join(out, name));
  copyFileSync(join(here, name), join(out, name.replace(".d.ts", ".d.cts")));
}
copyFileSync(join(here, "README.md"), join(out, "README.md"));
copyFileSync(join(here, "../../../LICENSE"), join(out, "LICENSE"));
const manifest = JSON.parse(readFileSync(join(here, "package.json"), "utf8"));
writeFileSync(join(out, "package.json"), JSON.stringify({ ...manifest, version }, null, 2) + "\n");
