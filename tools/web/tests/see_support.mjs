// The built package, for tests of the model: build-web/package, or the folder in BLOOMERY_WEB_BUILD.
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import en from "../page/text/en/see.js";

const here = dirname(fileURLToPath(import.meta.url));
const folder = join(process.env.BLOOMERY_WEB_BUILD ?? join(here, "../../../build-web"), "package");
const manifest = join(folder, "package.json");
assert.ok(existsSync(manifest), `${manifest} does not exist: build the package first`);
const { exports: map, main } = JSON.parse(readFileSync(manifest, "utf8"));
const pick = (entry) => (typeof entry === "string" ? entry : entry && pick(entry.node ?? entry.import ?? entry.default));

export const bloomery = await import(pathToFileURL(join(folder, pick(map?.["."] ?? map) ?? main ?? "index.js")).href);
await bloomery.ready?.();

export const words = en["see.words"].split(" ");

/** Whether a count of hits is what a rate allows: four standard deviations, one miss in 15,000. */
export function assertBinomial(hits, asked, rate, what) {
  const expected = asked * rate;
  const bound = 4 * Math.sqrt(asked * rate * (1 - rate)) + 1;
  assert.ok(Math.abs(hits - expected) <= bound, `${what}: ${hits} of ${asked}, expected ${expected.toFixed(1)} ± ${bound.toFixed(1)}`);
}
