// Makes elements. Text goes in as text nodes, so nothing that a user or a file contains becomes markup.

const svgSpace = "http://www.w3.org/2000/svg";

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === false || value === null || value === undefined) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (name === "value" && "value" in node) node.value = value;
    else node.setAttribute(name, value === true ? "" : String(value));
  }
  for (const child of children.flat(Infinity)) {
    if (child === null || child === undefined || child === false) continue;
    node.append(child instanceof Node ? child : String(child));
  }
  return node;
}

export function element(tag, attributes, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

export function svg(tag, attributes, ...children) {
  return fill(document.createElementNS(svgSpace, tag), attributes, children);
}

/** An id that is free in the page, for `for` and `aria-describedby`. */
let ids = 0;
export function freshId(stem) {
  ids += 1;
  return `${stem}-${ids}`;
}

/** Puts these children in the place of all others. */
export function refill(node, ...children) {
  node.replaceChildren();
  return fill(node, {}, children);
}
