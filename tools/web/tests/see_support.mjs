// The built package, for tests of the model: build-web/package, or the folder in BLOOMERY_WEB_BUILD.
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import en from "../page/text/en/see.js";

const here = dirname(fileURLToPath(import.meta.url));
const build = process.env.BLOOMERY_WEB_BUILD ?? join(here, "../../../build-web");
const entry = join(build, "package/index.node.js");
assert.ok(existsSync(entry), `${entry} does not exist: build the package first`);

export const bloomery = await import(pathToFileURL(entry).href);
await bloomery.ready();

export const words = en["see.words"].split(" ");

/** Whether a count of hits is what a rate allows: four standard deviations, one miss in 15,000. */
export function assertBinomial(hits, asked, rate, what) {
  const expected = asked * rate;
  const bound = 4 * Math.sqrt(asked * rate * (1 - rate)) + 1;
  assert.ok(Math.abs(hits - expected) <= bound, `${what}: ${hits} of ${asked}, expected ${expected.toFixed(1)} ± ${bound.toFixed(1)}`);
}
