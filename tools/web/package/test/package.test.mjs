// The package as it is published: packed, installed into an empty folder, and used from there.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, constants } from "node:zlib";
import { packageFolder, temporary } from "./helpers.mjs";

const folder = temporary("consumer");
const run = (file, ...args) => execFileSync(file, args, { cwd: folder, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });

before(() => {
  mkdirSync(folder);
  writeFileSync(join(folder, "package.json"), "{}");
  const [packed] = JSON.parse(run("npm", "pack", "--json", "--pack-destination", folder, packageFolder));
  run("npm", "install", "--offline", "--no-package-lock", "--no-audit", "--no-fund", join(folder, packed.filename));
});

test("import and require find the package, and both entries", () => {
  writeFileSync(join(folder, "a.mjs"), `
    import { Filter, kernel } from "bloomery";
    import * as slim from "bloomery/slim";
    const filter = Filter.create({ items: 10 });
    filter.add("a");
    console.log(filter.has("a"), kernel(), slim.Filter.fromBytes(filter.toBytes()).has("a"));`);
  writeFileSync(join(folder, "b.cjs"), `
    const { Filter, version } = require("bloomery");
    const slim = require("bloomery/slim");
    const filter = slim.Filter.create({ items: 10 });
    filter.add("a");
    console.log(Filter.fromBytes(filter.toBytes()).has("a"), version === require("bloomery/package.json").version);`);
  assert.equal(run("node", "a.mjs"), "true wasm_simd true\n");
  assert.equal(run("node", "b.cjs"), "true true\n");
});

test("an engine without vectors gets the scalar module, with the same bits", () => {
  writeFileSync(join(folder, "c.mjs"), `
    import { createHash } from "node:crypto";
    import { Filter, kernel } from "bloomery";
    import * as slim from "bloomery/slim";
    for (const layout of ["classic", "blocked", "split-8x32", "split-8x64", "split-16x32"]) {
      const filter = Filter.create({ items: 5000, rate: 0.01, layout });
      filter.addMany(Array.from({ length: 5000 }, (_, i) => "key " + i));
      filter.addMany(Uint32Array.from({ length: 999 }, (_, i) => i));
      const small = slim.Filter.fromBytes(filter.toBytes());
      console.log(createHash("sha256").update(filter.toBytes()).update(filter.hasMany(["key 1", 5, 5000, "no"]))
        .update(small.toBytes()).digest("hex"));
    }
    console.error(kernel(), slim.kernel());`);
  writeFileSync(join(folder, "without.cjs"), `
    const validate = WebAssembly.validate;
    WebAssembly.validate = (bytes) => bytes.length > 100 && validate(bytes);`);
  const output = (...flags) => execFileSync("node", [...flags, "c.mjs"], { cwd: folder, encoding: "utf8" });
  assert.equal(output("--require", "./without.cjs"), output());
  const told = execFileSync("bash", ["-c", "node --require ./without.cjs c.mjs 2>&1 >/dev/null"], { cwd: folder, encoding: "utf8" });
  assert.equal(told, "scalar scalar\n");
});

test("the examples of the README run", () => {
  const readme = readFileSync(join(packageFolder, "README.md"), "utf8");
  const examples = [...readme.matchAll(/```js\n(.*?)```/gs)].map((match) => match[1]);
  assert.ok(examples.length >= 4);
  for (const [i, code] of examples.entries()) {
    const expected = [...code.matchAll(/console\.log\(.*\);\s*\/\/ (true|false|\[.*\])/g)].map((match) => match[1]);
    writeFileSync(join(folder, `readme${i}.mjs`), code);
    assert.deepEqual(run("node", `readme${i}.mjs`).trim().split("\n"), expected, code);
  }
});

test("the types are strict", () => {
  const here = dirname(fileURLToPath(import.meta.url));
  writeFileSync(join(folder, "sample.ts"), readFileSync(join(here, "sample.ts"), "utf8"));
  const compiler = join(here, "../../node_modules/.bin/tsc");
  try {
    run(compiler, "--strict", "--noEmit", "--target", "es2022", "--module", "nodenext", "--moduleResolution", "nodenext",
      "--lib", "es2022,dom,esnext.disposable", "--skipLibCheck", "false", "sample.ts");
  } catch (error) {
    assert.fail(error.stdout + error.stderr);
  }
});

test("the modules grow no larger", () => {
  const size = (name) => brotliCompressSync(readFileSync(join(packageFolder, name)), {
    params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGWIN]: 24 } }).length;
  const full = size("bloomery.wasm") + size("index.js");
  const slim = size("slim.wasm") + size("slim.js");
  assert.ok(full <= 240_000, `the full package has ${full} bytes`);
  assert.ok(slim <= 60_000, `the slim package has ${slim} bytes`);
});
