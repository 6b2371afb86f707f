// The part Dedupe: lines once, in order, of a text file of any size.
import { element, refill } from "../shell/elements.js";
import { makeDropZone, takeFilesAnywhere } from "../work/drop_zone.js";
import { separatorByte } from "../work/keys.js";
import { Caller, Said } from "../work/rpc.js";
import { isStopped, say } from "../work/say.js";
import { fromQuery, makeOptions, toQuery } from "./options.js";
import { makeProgress, makeResult } from "./outcome.js";

const LARGE = 256 * 2 ** 20; // from here on, writing straight to a file is suggested

export function mount(root, context) {
  const { t, numbers } = context;
  const model = { options: fromQuery(context.state.get()), file: null, direct: false, running: null, progress: null, result: null, problem: null };
  const canPick = typeof globalThis.showSaveFilePicker === "function";
  let caller = null;
  let endDrops = takeFilesAnywhere(take);
  const place = element("div", { class: "outcome stack" });
  const chosen = element("div", { class: "chosen" });
  let progress = null;

  function take(file) {
    if (model.running) return;
    forget();
    model.file = file;
    model.direct = canPick && file.size >= LARGE;
    model.result = null;
    model.problem = null;
    showChosen();
    showOutcome();
    context.announce(t("dedupe.chosen", { name: file.name, size: numbers.bytes(file.size) }));
  }
  /** What was asked, checked: throws what is said to the user. */
  function params() {
    const { mode, rate, crlf, ignoreCase, field, separator } = model.options;
    const number = field.trim() === "" ? 0 : Number(field);
    if (!Number.isInteger(number) || number < 0 || (field.trim() !== "" && number === 0)) throw new Said("bad_field", { typed: field });
    const byte = separatorByte(separator);
    if (byte === null) throw new Said("bad_separator", { typed: separator });
    return { file: model.file, mode, rate: numbers.parseRate(rate), options: { crlf, ignoreCase, field: number, separator: byte } };
  }
  function outputName() {
    return `${model.file.name.replace(/\.gz$/, "").replace(/\.([^.]*)$/, "")}.${model.options.mode}.txt`;
  }
  async function start(event) {
    event.preventDefault();
    if (model.running || !model.file) return;
    forget();
    model.result = null;
    model.problem = null;
    const stop = new AbortController();
    try {
      const wanted = params();
      if (model.direct) {
        wanted.handle = await pick(outputName());
        if (!wanted.handle) return showOutcome();
      }
      model.running = stop;
      model.progress = { share: 0, lines: 0, distinct: 0, seconds: 0 };
      showOutcome();
      place.querySelector("button").focus(); // the start button is disabled now; this also scrolls to the progress
      caller ??= new Caller(context.startWorker("dedupe"));
      model.result = await caller.call("dedupe", wanted, { signal: stop.signal, progress: (now) => {
        model.progress = now;
        progress?.update();
      } });
      model.result.rate = wanted.rate;
      model.result.stored = model.result.name;
      model.result.name = wanted.handle?.name ?? outputName();
    } catch (error) {
      model.problem = error;
    }
    model.running = null;
    // The filter may have grown, and the memory of a module does not shrink.
    caller?.terminate();
    caller = null;
    const focused = place.contains(document.activeElement);
    showOutcome();
    if (focused) place.querySelector("[tabindex]")?.focus();
    if (model.result) context.announce(t("dedupe.done", { lines: numbers.count(model.result.lines), distinct: numbers.count(model.result.distinct) }));
    else context.announce(isStopped(model.problem) ? t("dedupe.stopped") : say(model.problem, context));
  }
  async function pick(suggestedName) {
    try {
      return await globalThis.showSaveFilePicker({ suggestedName });
    } catch (error) {
      if (isStopped(error)) return null; // the user closed the dialog
      throw error;
    }
  }
  /** Removes the private file of the last result: its bytes count against what this page may store. */
  function forget() {
    if (model.result?.place !== "private") return;
    const worker = new Caller(context.startWorker("dedupe"));
    worker.call("forget", { name: model.result.stored }).catch(() => {}).finally(() => worker.terminate());
  }

  function showChosen() {
    const { file } = model;
    refill(chosen, file && element("p", {}, t("dedupe.file"), " ", element("strong", { class: "file-name" }, file.name), ` (${numbers.bytes(file.size)})`),
      file && canPick && element("label", { class: "check" }, element("input", { type: "checkbox", name: "direct", checked: model.direct,
        onchange: (event) => { model.direct = event.target.checked; } }), element("span", {}, t("dedupe.direct"))),
      element("div", { class: "row" }, element("button", { class: "button primary", type: "submit", disabled: !file || model.running !== null }, t("dedupe.start")),
        !file && element("span", { class: "muted small" }, t("dedupe.no_file"))));
  }
  function showOutcome() {
    showChosen();
    progress = model.running ? makeProgress(context, model, () => model.running.abort()) : null;
    if (progress) refill(place, progress.node);
    else if (model.problem) {
      refill(place, element("p", { class: isStopped(model.problem) ? "notice" : "notice error", role: "alert", tabindex: -1 },
        isStopped(model.problem) ? t("dedupe.stopped") : say(model.problem, context)));
    } else if (model.result) refill(place, makeResult(context, model));
    else refill(place);
  }
  function paste() {
    const area = element("textarea", { rows: 5, name: "text", spellcheck: "false", "aria-label": t("dedupe.paste"), autocapitalize: "off" });
    return element("details", { class: "more" }, element("summary", {}, t("dedupe.paste")),
      element("div", { class: "stack" }, area, element("div", { class: "row" }, element("button", { class: "button", type: "button",
        onclick: () => take(new File([area.value], "pasted.txt")) }, t("dedupe.paste.use")))));
  }
  function show() {
    const changed = () => context.state.replace(toQuery(model.options));
    refill(root,
      element("header", { class: "part-head" }, element("h1", {}, t("dedupe.title")), element("p", { class: "lead" }, t("dedupe.lead"))),
      makeDropZone({ label: t("dedupe.drop"), hint: t("dedupe.drop_hint"), name: "text-file", onfile: take }),
      paste(),
      element("form", { class: "card stack", onsubmit: start, novalidate: true }, makeOptions(context, model, changed), chosen),
      place);
    showOutcome();
  }
  show();

  return {
    setState(query) {
      if (model.running) return;
      model.options = fromQuery(query);
      show();
    },
    setVisible(visible) {
      endDrops();
      if (visible) endDrops = takeFilesAnywhere(take);
    },
    setLanguage: show,
    unmount() {
      endDrops();
      caller?.terminate();
    },
  };
}
