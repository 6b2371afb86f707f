// Builds the page from page/ and the package in build-web/package/:
//   build-web/site/          index.html, main.js, style.css, bloomery.wasm, workers/
//   build-web/bloomery.html  all of it in one file, which works when opened from disk
// node build.mjs [--package DIR] [--out DIR]
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { gzipSync } from "node:zlib";
import esbuild from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const page = join(here, "page");
const partOrder = ["plan", "see", "open", "dedupe"];
const languages = ["en", "zh"];

const { values: options } = parseArgs({ options: {
  package: { type: "string", default: join(here, "../../build-web/package") },
  out: { type: "string", default: join(here, "../../build-web") },
} });
const packageFolder = resolve(options.package);
const out = resolve(options.out);

function fail(sentence) {
  console.error(sentence);
  process.exit(1);
}

// The package's entry for browsers.
function packageEntry() {
  const entry = join(packageFolder, "index.js");
  if (!existsSync(entry)) fail(`${entry} does not exist: build the package first, or name its folder with --package`);
  return entry;
}

function packageWasm() {
  return readFile(join(packageFolder, "bloomery.wasm")).catch((error) => fail(`${error.message}: build the package first`));
}

const partNames = partOrder.filter((name) => existsSync(join(page, name, "index.js")));

// "page-parts": the mount function of each part that exists, and the texts of both languages.
const partsPlugin = {
  name: "page-parts",
  setup(build) {
    build.onResolve({ filter: /^page-parts$/ }, () => ({ path: "page-parts", namespace: "page-parts" }));
    build.onLoad({ filter: /.*/, namespace: "page-parts" }, () => {
      const lines = partNames.map((name) => `import { mount as ${name} } from "./${name}/index.js";`);
      for (const language of languages) {
        for (const name of ["shell", ...partNames]) lines.push(`import ${language}_${name} from "./text/${language}/${name}.js";`);
      }
      const merged = languages.map((language) => `${language}: { ${["shell", ...partNames].map((name) => `...${language}_${name}`).join(", ")} }`);
      lines.push(`export const parts = { ${partNames.join(", ")} };`, `export const texts = { ${merged.join(", ")} };`);
      return { contents: lines.join("\n"), resolveDir: page };
    });
  },
};

async function bundle(entry, alias) {
  const result = await esbuild.build({
    entryPoints: [entry], bundle: true, write: false, minify: true, format: "iife", target: ["es2022"], charset: "utf8",
    alias: { bloomery: alias }, external: ["node:*", "module", "fs", "path", "url", "worker_threads", "crypto"],
    plugins: [partsPlugin], legalComments: "none", logLevel: "warning",
    // A classic script has no import.meta. We always give ready() its module, so this address is never read.
    define: { "import.meta.url": JSON.stringify("file:///bloomery/") },
  });
  return result.outputFiles[0].text;
}

async function styles() {
  const files = [join(page, "style.css"), ...["charts", ...partNames].map((name) => join(page, name, "style.css")).filter((file) => existsSync(file))];
  const text = (await Promise.all(files.map((file) => readFile(file, "utf8")))).join("\n");
  return (await esbuild.transform(text, { loader: "css", minify: true, charset: "utf8" })).code;
}

async function workers(alias) {
  const folder = join(page, "workers");
  if (!existsSync(folder)) return {};
  const names = (await readdir(folder)).filter((name) => name.endsWith(".js") && !name.startsWith("_"));
  return Object.fromEntries(await Promise.all(names.map(async (name) => [name.slice(0, -3), await bundle(join(folder, name), alias)])));
}

const hashOf = (text) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
// The end tag must not occur inside; in JavaScript this is the same text.
const inert = (script) => script.replaceAll("</script", "<\\/script").replaceAll("<!--", "<\\!--");

function policy({ scripts, styles: style, connect }) {
  const rules = ["default-src 'none'", `script-src ${scripts} 'wasm-unsafe-eval'`, `style-src ${style}`, "img-src 'self' data: blob:",
    `connect-src ${connect}`, "worker-src 'self' blob:", "base-uri 'none'", "form-action 'none'"];
  return `<meta http-equiv="Content-Security-Policy" content="${rules.join("; ")}">`;
}

function assemble(template, pieces) {
  return template.replace(/<!-- build: (\w+) -->/g, (whole, name) => pieces[name] ?? fail(`index.html: unknown mark ${whole}`));
}

const alias = packageEntry();
const [template, early, main, css, wasm, workerTexts] = await Promise.all([
  readFile(join(page, "index.html"), "utf8"), readFile(join(page, "shell/early.js"), "utf8").then((text) => esbuild.transform(text, { minify: true })).then((done) => done.code.trim()),
  bundle(join(page, "main.js"), alias), styles(), packageWasm(), workers(alias)]);

const site = join(out, "site");
await rm(site, { recursive: true, force: true });
await mkdir(join(site, "workers"), { recursive: true });
await Promise.all([
  writeFile(join(site, "index.html"), assemble(template, {
    policy: policy({ scripts: `'self' ${hashOf(early)}`, styles: "'self'", connect: "'self'" }),
    head: `<script>${early}</script>\n<link rel="preload" href="bloomery.wasm" as="fetch" type="application/wasm" crossorigin>\n<link rel="stylesheet" href="style.css">\n<script src="main.js" defer></script>`,
    body: "",
  })),
  writeFile(join(site, "main.js"), main), writeFile(join(site, "style.css"), css), writeFile(join(site, "bloomery.wasm"), wasm),
  ...Object.entries(workerTexts).map(([name, text]) => writeFile(join(site, "workers", `${name}.js`), text)),
]);

const inlineMain = inert(main);
const data = Object.entries(workerTexts).map(([name, text]) => `<script type="text/plain" id="worker-${name}">${inert(text)}</script>`);
const single = assemble(template, {
  policy: policy({ scripts: `${hashOf(early)} ${hashOf(inlineMain)}`, styles: hashOf(css), connect: "'none'" }),
  head: `<script>${early}</script>\n<style>${css}</style>`,
  body: `<script type="text/plain" id="bloomery-wasm">${gzipSync(wasm, { level: 9 }).toString("base64")}</script>\n${data.join("\n")}\n<script>${inlineMain}</script>`,
});
await writeFile(join(out, "bloomery.html"), single);

const size = (text) => `${(Buffer.byteLength(text) / 1024).toFixed(0)} KiB`;
console.log(`parts: ${partNames.join(", ")}; workers: ${Object.keys(workerTexts).join(", ") || "none"}`);
console.log(`site: main.js ${size(main)}, style.css ${size(css)}, bloomery.wasm ${size(wasm)} (${size(gzipSync(wasm))} gzip); bloomery.html ${size(single)}`);
