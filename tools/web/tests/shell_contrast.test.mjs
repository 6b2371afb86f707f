// The colours of both themes keep the contrasts of WCAG AA.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

const css = readFileSync(new URL("../page/style.css", import.meta.url), "utf8");
const colours = (selector) => {
  const block = css.slice(css.indexOf(selector)).match(/\{([\s\S]*?)\n\}/)[1];
  return Object.fromEntries([...block.matchAll(/--([\w-]+):\s*(#[0-9a-f]{6})\b/g)].map((found) => [found[1], found[2]]));
};
const themes = { light: colours(":root {"), dark: colours(":root[data-theme=\"dark\"]") };

function luminance(hex) {
  const [r, g, b] = [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16) / 255).map((one) => (one <= 0.03928 ? one / 12.92 : ((one + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
function contrast(a, b) {
  const [high, low] = [luminance(a), luminance(b)].sort((x, y) => y - x);
  return (high + 0.05) / (low + 0.05);
}

const texts = [["ink", ["ground", "surface", "sunken", "ember-soft", "good-soft", "warning-soft", "error-soft"]], ["ink-soft", ["ground", "surface", "sunken", "ember-soft"]],
  ["ember", ["ground", "surface", "ember-soft"]], ["on-ember", ["ember"]], ["good", ["surface", "good-soft"]], ["warning", ["surface", "warning-soft"]], ["error", ["surface", "error-soft"]]];
const shapes = [["line-strong", ["ground", "surface"]], ["steel", ["surface"]], ...[1, 2, 3, 4, 5].map((at) => [`series-${at}`, ["surface", "ember-soft"]])];

for (const [theme, found] of Object.entries(themes)) {
  test(`${theme}: text has a contrast of at least 4.5`, () => {
    for (const [ink, grounds] of texts) for (const ground of grounds) assert.ok(contrast(found[ink], found[ground]) >= 4.5, `${ink} on ${ground}: ${contrast(found[ink], found[ground]).toFixed(2)}`);
  });
  test(`${theme}: shapes have a contrast of at least 3`, () => {
    for (const [ink, grounds] of shapes) for (const ground of grounds) assert.ok(contrast(found[ink], found[ground]) >= 3, `${ink} on ${ground}: ${contrast(found[ink], found[ground]).toFixed(2)}`);
  });
}
test("both themes define the same colours", () => assert.deepEqual(Object.keys(themes.dark).sort(), Object.keys(themes.light).sort()));
