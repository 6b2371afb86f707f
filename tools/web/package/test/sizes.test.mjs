// Sizes and rates are those of the command, although the engine computes the logarithms.
import assert from "node:assert/strict";
import { test } from "node:test";
import { api, packageFolder, run } from "./helpers.mjs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const slim = await import(pathToFileURL(join(packageFolder, "slim.js")).href);
const near = (a, b) => Math.abs(a - b) <= 1e-12 * Math.abs(b);

const items = [1, 3, 99, 12345, 999983, 1e8, 2 ** 32];
const rates = [0.5, 0.0123, 0.01, 0.001, 3.3e-5, 1e-6, 1e-9];
for (const layout of [undefined, ...api.layouts()]) {
  test(`plans of ${layout ?? "the planner"}`, () => {
    for (const n of items) {
      for (const p of rates) {
        const options = { items: n, rate: p, ...(layout && { layout }) };
        let expected;
        try {
          expected = JSON.parse(run(["plan", "--json", "-n", String(n), "-p", String(p),
            ...(layout ? ["--layout", layout] : [])]));
        } catch {
          assert.throws(() => api.plan(options), undefined, JSON.stringify(options));
          continue;
        }
        for (const plan of [api.plan, slim.plan]) {
          const found = plan(options);
          assert.deepEqual([found.layout, Number(found.bits), found.hashes, Number(found.itemCapacity)],
            [expected.layout, expected.bits, expected.hashes, expected.item_capacity], JSON.stringify(options));
          assert.ok(near(found.expectedRate, expected.expected_rate), `${found.expectedRate} ${JSON.stringify(expected)}`);
        }
      }
    }
  });
}
