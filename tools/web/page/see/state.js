// What the address says: the view, its size and hash functions, and the keys, if they are few.
import { CHOICES, VIEWS, allowed } from "./design.js";

const MOST_KEYS = 30;
const MOST_TEXT = 600;

export function readState(query) {
  const view = VIEWS.includes(query.kind) ? query.kind : "classic";
  const number = (text) => (text === undefined ? NaN : Number(text));
  const keys = (query.keys ?? "")
    .split(",")
    .filter(Boolean)
    .slice(0, MOST_KEYS)
    .map((text) => {
      try {
        return decodeURIComponent(text);
      } catch {
        return text; // a lone percent sign, typed by hand
      }
    });
  const lines = query.lines === undefined ? view === "compare" : query.lines === "yes";
  return { view, ...allowed(view, number(query.size), number(query.hashes)), lines, keys };
}

export function writeState(scene, lines) {
  const { view, size, hashes, first } = scene;
  const usual = CHOICES[view];
  const keys = [...first.members.keys()];
  const text = keys.map(encodeURIComponent).join(",");
  return {
    kind: view === "classic" ? undefined : view,
    size: size === usual.size ? undefined : String(size),
    hashes: hashes === usual.hashes || hashes === null ? undefined : String(hashes),
    lines: lines === (view === "compare") ? undefined : lines ? "yes" : "no",
    keys: keys.length > 0 && keys.length <= MOST_KEYS && text.length <= MOST_TEXT ? text : undefined,
  };
}
