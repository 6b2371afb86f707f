// The frame around the parts: head, address, language, theme, announcements; mounts a part when it is first shown.
import { element } from "./elements.js";
import { makeDescribeError } from "./errors.js";
import { makeFooter, makeHeader } from "./header.js";
import { chooseLanguage, makeRich, makeTranslate } from "./language.js";
import { makeWorker } from "./load.js";
import { recall, remember } from "./memory.js";
import { makeNumbers } from "./numbers.js";
import { makeState } from "./state.js";
import { startTheme } from "./theme.js";

export function startShell({ body, parts, texts, load, bloomery }) {
  const partNames = Object.keys(parts);
  const state = makeState(partNames, () => header.refresh());
  const start = state.read();
  let language = chooseLanguage(start.lang ?? recall("language"), navigator.languages ?? [navigator.language]);
  let wasm = null;
  const mounted = {};
  const lives = [];
  const motion = matchMedia("(prefers-reduced-motion: reduce)");

  const t = (key, values) => makeTranslate(texts[language])(key, values);
  const rich = (key, values) => makeRich(texts[language])(key, values);
  const live = (update) => { lives.push(update); update(); };
  const numbers = makeNumbers(t);
  const describeError = makeDescribeError(t);

  const voice = element("div", { class: "visually-hidden", "aria-live": "polite", role: "status" });
  function announce(text) {
    // The same sentence twice would not be read again.
    voice.textContent = voice.textContent === text ? `${text}\u00a0` : text;
  }
  async function copy(text) {
    const done = await navigator.clipboard.writeText(text).then(() => true, () => copyBySelection(text));
    announce(t(done ? "shell.copied" : "shell.copy_refused"));
    return done;
  }
  function download(name, content, type = "application/octet-stream") {
    const url = URL.createObjectURL(content instanceof Blob ? content : new Blob([content], { type }));
    element("a", { href: url, download: name }).click();
    setTimeout(() => URL.revokeObjectURL(url), 60_000);
  }
  function startWorker(name) {
    const worker = makeWorker(name);
    worker.postMessage({ type: "start", wasm, language });
    return worker;
  }

  const header = makeHeader({ t, live, partNames, hrefOf: state.hrefOf, switchLanguage, switchTheme: () => switchTheme() });
  const footer = makeFooter({ t, live, about: () => wasm && t("shell.about", { version: bloomery.version, kernel: bloomery.kernel() }) });
  const roots = Object.fromEntries(partNames.map((name) => [name,
    element("section", { class: `part part-${name}`, hidden: true, tabindex: -1 })]));
  const main = element("main", { id: "main" }, Object.values(roots));
  const skip = element("a", { class: "skip", href: "#main", onclick: (event) => { event.preventDefault(); roots[state.part()].focus(); } });
  live(() => {
    skip.textContent = t("shell.skip");
    document.documentElement.lang = t("shell.language_code");
    for (const name of partNames) roots[name].setAttribute("aria-label", t(`shell.part.${name}`));
  });
  const switchTheme = startTheme(() => {
    header.refresh();
    for (const part of Object.values(mounted)) part.setTheme?.();
  });

  function contextOf(name) {
    return { t, rich, numbers, bloomery, announce, copy, download, startWorker, describeError, element,
      state: state.of(name),
      get language() { return language; },
      get reducedMotion() { return motion.matches; } };
  }
  function mount(name) {
    roots[name].replaceChildren();
    try {
      mounted[name] = parts[name](roots[name], contextOf(name));
    } catch (error) {
      console.error(error);
      roots[name].replaceChildren(element("p", { class: "notice error" }, describeError(error)));
    }
  }
  function show({ part, query }) {
    const first = !mounted[part];
    for (const name of partNames) {
      const visible = name === part;
      if (roots[name].hidden === !visible) continue;
      roots[name].hidden = !visible;
      if (mounted[name]) mounted[name].setVisible?.(visible);
    }
    if (first) mount(part);
    else mounted[part].setState(query);
    document.title = t("shell.title", { part: t(`shell.part.${part}`) });
    header.refresh(part);
  }
  function switchLanguage() {
    language = language === "en" ? "zh" : "en";
    remember("language", language);
    for (const update of lives) update();
    for (const [name, part] of Object.entries(mounted)) {
      if (part.setLanguage) part.setLanguage();
      else {
        part.unmount();
        mount(name);
      }
    }
    document.title = t("shell.title", { part: t(`shell.part.${state.part()}`) });
  }

  // The body of the single file also holds the module and the workers, as data.
  body.prepend(skip, header.node, main, footer.node, voice);
  load().then((module) => {
    wasm = module;
    footer.refresh();
    show(start);
    addEventListener("hashchange", () => {
      const before = state.part();
      const next = state.read();
      show(next);
      if (next.part !== before) scrollTo(0, 0);
    });
    document.documentElement.dataset.ready = "yes";
    performance.mark("ready");
  }).catch((error) => {
    console.error(error);
    const key = location.protocol === "file:" ? "shell.load_failed_file" : "shell.load_failed";
    main.replaceChildren(element("p", { class: "notice error", role: "alert" }, t(key, { sentence: error.message })));
  });
}

// For files from disk, where some browsers refuse the clipboard interface.
function copyBySelection(text) {
  const area = element("textarea", { class: "visually-hidden", "aria-hidden": "true" });
  area.value = text;
  document.body.append(area);
  const before = document.activeElement;
  area.select();
  const done = document.execCommand("copy");
  area.remove();
  before?.focus?.();
  return done;
}
