// Texts in the page's language.
import { element } from "./elements.js";

export const languages = ["en", "zh"];

/** The language to start with: chosen before, or the first of the browser's that we have. */
export function chooseLanguage(chosen, wanted) {
  if (languages.includes(chosen)) return chosen;
  for (const tag of wanted) {
    const language = tag.toLowerCase().split("-")[0];
    if (languages.includes(language)) return language;
  }
  return "en";
}

/** The text of a key, with its {values}. A key that is missing shows itself, so that it is noticed. */
export function makeTranslate(table) {
  return (key, values = {}) => {
    const text = table[key];
    if (text === undefined) return key;
    return text.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? String(values[name]) : whole));
  };
}

// The pieces of a text: plain, **bold**, `code`, {value}.
export function splitRich(text) {
  return text.split(/(\*\*.+?\*\*|`[^`]+`|\{\w+\})/).filter((piece) => piece !== "").map((piece) => {
    if (piece.startsWith("**")) return { kind: "bold", text: piece.slice(2, -2) };
    if (piece.startsWith("`")) return { kind: "code", text: piece.slice(1, -1) };
    if (/^\{\w+\}$/.test(piece)) return { kind: "value", text: piece.slice(1, -1) };
    return { kind: "plain", text: piece };
  });
}

function renderRich(text, values) {
  return splitRich(text).map(({ kind, text: inner }) => {
    if (kind === "bold") return element("strong", {}, renderRich(inner, values));
    if (kind === "code") return element("code", {}, inner.replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole));
    if (kind === "value") return values[inner] ?? `{${inner}}`;
    return inner;
  });
}

/** The same as a fragment with markup; values may be nodes. */
export function makeRich(table) {
  return (key, values = {}) => {
    const fragment = document.createDocumentFragment();
    for (const piece of renderRich(table[key] ?? key, values).flat(Infinity)) fragment.append(piece);
    return fragment;
  };
}
