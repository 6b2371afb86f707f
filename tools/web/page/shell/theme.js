// Light and dark: the system's choice until the user makes another.
import { recall, remember } from "./memory.js";

const system = matchMedia("(prefers-color-scheme: dark)");

export function currentTheme() {
  return document.documentElement.dataset.theme;
}

function apply(theme, changed) {
  if (theme === currentTheme()) return;
  document.documentElement.dataset.theme = theme;
  changed();
}

/** Follows the system; returns a function that switches to the other theme. */
export function startTheme(changed) {
  system.addEventListener("change", () => {
    if (!recall("theme")) apply(system.matches ? "dark" : "light", changed);
  });
  return () => {
    const theme = currentTheme() === "dark" ? "light" : "dark";
    remember("theme", (theme === "dark") === system.matches ? null : theme);
    apply(theme, changed);
  };
}
