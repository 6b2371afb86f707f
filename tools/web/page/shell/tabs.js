// Tabs: one panel at a time. Arrow keys, Home and End move between the tabs.
import { element, freshId } from "./elements.js";

/** items: [{ id, label, panel }]; returns { node, select(id), selected() }. */
export function tabs(items, { label, selected = items[0].id, onselect } = {}) {
  let current = selected;
  const stem = freshId("tab");
  const buttons = items.map((item) => element("button", {
    type: "button", role: "tab", class: "tab", id: `${stem}-${item.id}`, "aria-controls": `${stem}-${item.id}-panel`,
    onclick: () => choose(item.id, false),
  }, item.label));
  const panels = items.map((item) => element("div", {
    role: "tabpanel", class: "tab-panel", id: `${stem}-${item.id}-panel`, "aria-labelledby": `${stem}-${item.id}`,
  }, item.panel));

  function show() {
    items.forEach((item, at) => {
      const on = item.id === current;
      buttons[at].setAttribute("aria-selected", String(on));
      buttons[at].tabIndex = on ? 0 : -1;
      panels[at].hidden = !on;
    });
  }
  function choose(id, focus) {
    current = id;
    show();
    if (focus) buttons[items.findIndex((item) => item.id === id)].focus();
    onselect?.(id);
  }

  const list = element("div", {
    class: "tab-list", role: "tablist", "aria-label": label,
    onkeydown: (event) => {
      const at = items.findIndex((item) => item.id === current);
      const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: items.length - 1 }[event.key];
      if (to === undefined) return;
      event.preventDefault();
      choose(items[(to + items.length) % items.length].id, true);
    },
  }, buttons);
  show();
  const known = (id) => items.some((item) => item.id === id);
  return {
    node: element("div", { class: "tabs" }, list, panels),
    select: (id) => { if (known(id)) { current = id; show(); } },
    selected: () => current,
  };
}
