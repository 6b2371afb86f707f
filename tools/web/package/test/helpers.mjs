// What the tests share: the package under test, the command to compare with, and the golden files.
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

export const root = join(dirname(fileURLToPath(import.meta.url)), "../../../..");
export const packageFolder = process.env.BLOOMERY_PACKAGE ?? join(root, "build-web/package");
export const command = process.env.BLOOMERY ?? join(root, "build/bloomery");
export const data = join(root, "tests/data");

if (!existsSync(join(packageFolder, "index.js"))) {
  throw new Error(`there is no package in ${packageFolder}: run tools/web/core/build.sh, or set BLOOMERY_PACKAGE`);
}
if (!existsSync(command)) {
  throw new Error(`there is no command ${command}: run ./dev build, or set BLOOMERY to its path`);
}
export const api = await import(pathToFileURL(join(packageFolder, "index.js")).href);

const folder = mkdtempSync(join(tmpdir(), "bloomery-web-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
export const temporary = (name) => join(folder, name);

/** Runs the command with lines as its input; its output as text. */
export function run(args, input = "") {
  return execFileSync(command, args, { input, encoding: "utf8", maxBuffer: 1 << 28 });
}
/** The same for a command that may fail: { status, stdout, stderr }. */
export const tryRun = (args, input = "") => spawnSync(command, args, { input, encoding: "utf8" });

export const words = (count, prefix = "key") => Array.from({ length: count }, (_, i) => `${prefix}-${i}`);
export const bits = (bitmap, count) =>
  Array.from({ length: count }, (_, i) => (bitmap[i >> 3] >> (i & 7)) & 1).join("");
export const hex = (text) => new Uint8Array(Buffer.from(text, "hex"));
export { readFileSync, writeFileSync };
export const fileBytes = (path) => new Uint8Array(readFileSync(path));
