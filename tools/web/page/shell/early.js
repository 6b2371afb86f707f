// Runs before the first paint, inline in the head: the theme must not flash.
(() => {
  let stored = null;
  try {
    stored = localStorage.getItem("bloomery.theme");
  } catch { /* storage is off, or the file was opened from disk */ }
  const dark = stored ? stored === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  document.documentElement.dataset.theme = dark ? "dark" : "light";
})();
