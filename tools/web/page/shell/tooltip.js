// A short explanation beside a control: on hover, on focus and on touch. Escape hides it.
import { element, freshId } from "./elements.js";

/** Gives `button` a tooltip; returns a node that contains both. */
export function tooltip(button, text) {
  const id = freshId("tip");
  const tip = element("span", { class: "tooltip", role: "tooltip", id, hidden: true }, text);
  const show = () => { tip.hidden = false; };
  const hide = () => { tip.hidden = true; };
  button.setAttribute("aria-describedby", id);
  const around = element("span", {
    class: "tooltip-around", onpointerenter: show, onpointerleave: hide, onfocusin: show, onfocusout: hide,
    onkeydown: (event) => { if (event.key === "Escape") hide(); },
  }, button, tip);
  button.addEventListener("click", () => show());
  return around;
}
