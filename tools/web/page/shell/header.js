// The head and the foot of the page.
import { element, svg } from "./elements.js";
import { currentTheme } from "./theme.js";

// A furnace: a chimney of steel and the glow at its mouth.
function mark() {
  return svg("svg", { viewBox: "0 0 24 24", width: 24, height: 24, "aria-hidden": "true", class: "mark" },
    svg("path", { class: "mark-steel", d: "M8.2 2h7.6l.9 7.2 3 11.3a1.2 1.2 0 0 1-1.2 1.5h-13a1.2 1.2 0 0 1-1.2-1.5l3-11.3z" }),
    svg("path", { class: "mark-ember", d: "M12 10.4c.5 2 3.2 3.1 3.2 6a3.2 3.2 0 0 1-6.4 0c0-1.5.8-2.3 1.4-3.1.3.7.7 1 1.1 1.1.5-1.2.1-2.6.7-4z" }));
}

function themeIcon() {
  return svg("svg", { viewBox: "0 0 24 24", width: 20, height: 20, "aria-hidden": "true", class: "icon" },
    svg("circle", { cx: 12, cy: 12, r: 8, fill: "none", stroke: "currentColor", "stroke-width": 2 }),
    svg("path", { d: "M12 4a8 8 0 0 1 0 16z", fill: "currentColor" }));
}

/** live(update) runs update now and whenever the language changes. */
export function makeHeader({ t, live, partNames, hrefOf, switchLanguage, switchTheme }) {
  const links = Object.fromEntries(partNames.map((name) => {
    const link = element("a", { href: `#${name}` });
    live(() => { link.textContent = t(`shell.part.${name}`); });
    return [name, link];
  }));
  const language = element("button", { type: "button", class: "button quiet small", onclick: switchLanguage });
  const theme = element("button", { type: "button", class: "button quiet small icon-button", onclick: switchTheme }, themeIcon());
  const nav = element("nav", {}, element("ul", {}, partNames.map((name) => element("li", {}, links[name]))));
  const brand = element("a", { class: "brand", href: `#${partNames[0]}`, translate: "no" }, mark(), element("span", {}, "bloomery"));
  live(() => {
    language.textContent = t("shell.other_language");
    language.lang = t("shell.other_language_code");
    nav.setAttribute("aria-label", t("shell.parts"));
    refresh();
  });
  function refresh(current) {
    for (const name of partNames) {
      links[name].setAttribute("href", hrefOf(name));
      if (current) links[name].removeAttribute("aria-current");
      if (name === current) links[name].setAttribute("aria-current", "page");
    }
    const label = t(currentTheme() === "dark" ? "shell.to_light" : "shell.to_dark");
    theme.setAttribute("aria-label", label);
    theme.title = label;
  }
  const node = element("header", { class: "head" },
    element("div", { class: "head-inner" }, brand, nav, element("div", { class: "head-tools" }, language, theme)));
  return { node, refresh };
}

export function makeFooter({ t, live, about }) {
  const promise = element("p", {});
  const facts = element("p", { class: "muted" });
  live(() => {
    promise.textContent = t("shell.promise");
    facts.textContent = about() ?? "";
  });
  return { node: element("footer", { class: "foot" }, element("div", { class: "foot-inner" }, promise, facts)),
    refresh: () => { facts.textContent = about() ?? ""; } };
}
