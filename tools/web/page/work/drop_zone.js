// A place to drop a file: also a file input, so that the keyboard and a touch reach it.
import { element } from "../shell/elements.js";

export function makeDropZone({ label, hint, name, onfile }) {
  const input = element("input", {
    type: "file",
    name,
    onchange: () => {
      const file = input.files[0];
      input.value = ""; // choosing the same file again must be noticed
      if (file) onfile(file);
    },
  });
  const over = (on) => (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    zone.classList.toggle("over", on);
  };
  const zone = element(
    "label",
    {
      class: "drop",
      ondragenter: over(true),
      ondragover: over(true),
      ondragleave: over(false),
      ondrop: (event) => {
        over(false)(event);
        const file = event.dataTransfer?.files[0];
        if (!file) return;
        event.stopPropagation();
        onfile(file);
      },
    },
    element("span", { class: "drop-label" }, label),
    hint && element("span", { class: "drop-hint muted small" }, hint),
    input,
  );
  return zone;
}

function hasFiles(event) {
  return [...(event.dataTransfer?.types ?? [])].includes("Files");
}

/** Takes files that are dropped beside a zone or pasted anywhere: otherwise the browser would leave the page and show
 *  the file. Returns a function that ends it. */
export function takeFilesAnywhere(onfile) {
  const over = (event) => hasFiles(event) && event.preventDefault();
  const drop = (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    if (event.dataTransfer.files[0]) onfile(event.dataTransfer.files[0]);
  };
  const paste = (event) => {
    const file = event.clipboardData?.files[0];
    if (!file) return;
    event.preventDefault();
    onfile(file);
  };
  addEventListener("dragover", over);
  addEventListener("drop", drop);
  addEventListener("paste", paste);
  return () => {
    removeEventListener("dragover", over);
    removeEventListener("drop", drop);
    removeEventListener("paste", paste);
  };
}
