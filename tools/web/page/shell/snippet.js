// Code with a button that copies it.
import { element } from "./elements.js";

/** A node with `set(text)`, to change the code in place. */
export function snippet(text, context, { label } = {}) {
  const { t } = context;
  const code = element("code", { lang: "en", translate: "no" }, text);
  const button = element("button", {
    type: "button", class: "button small copy",
    onclick: async () => {
      if (!(await context.copy(code.textContent))) return;
      button.textContent = t("shell.copied");
      setTimeout(() => { button.textContent = t("shell.copy"); }, 1500);
    },
  }, t("shell.copy"));
  const block = element("pre", { tabindex: 0, role: "region", "aria-label": label ?? t("shell.code") }, code);
  const node = element("div", { class: "snippet" }, block, button);
  node.set = (next) => { if (code.textContent !== next) code.textContent = next; };
  return node;
}
