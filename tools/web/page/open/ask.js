// Asks the filter for keys: one at a time, or a list.
import { element, freshId, refill } from "../shell/elements.js";
import { makeDropZone } from "../work/drop_zone.js";
import { isStopped, say } from "../work/say.js";

const SHOWN = 12;

export function newQuestions() {
  return { key: "", answers: [], list: "", crlf: false, result: null, problem: null, running: null, share: 0 };
}

/** A choice of how keys become bytes, for both panels. */
function encodingField({ t, bloomery }, opened) {
  const id = freshId("open-encoding");
  const select = element("select", { id, name: "encoding", onchange: () => { opened.encoding = select.value; } },
    bloomery.encodings().map((name) => element("option", { value: name, selected: name === opened.encoding },
      `${name} — ${t(`open.key.${name}`)}`)));
  return element("div", { class: "field" }, element("label", { for: id }, t("open.encoding")), select,
    element("p", { class: "hint" }, t("open.encoding.hint")));
}

export function makeAsk(context, opened, model, session) {
  const { t } = context;
  const answers = element("ul", { class: "answers", "aria-label": t("open.answers") });
  const id = freshId("open-key");
  const input = element("input", { id, name: "key", type: "text", autocomplete: "off", autocapitalize: "off", spellcheck: "false",
    value: model.key, oninput: () => { model.key = input.value; } });

  async function ask(event) {
    event.preventDefault();
    const { key } = model;
    let answer;
    try {
      [answer] = await session.call("ask", { id: opened.id, keys: [key], encoding: opened.encoding });
    } catch (error) {
      answer = error;
    }
    model.answers.unshift({ key, answer });
    model.answers.length = Math.min(SHOWN, model.answers.length);
    show();
    context.announce(answers.firstChild.textContent);
    input.select();
  }
  function show() {
    const line = ({ key, answer }) => {
      const name = element("span", { class: "mono answer-key" }, key === "" ? t("open.empty_key") : key);
      if (answer === true) return element("li", { class: "maybe" }, element("b", {}, t("open.maybe")), " ", name);
      if (answer === false) return element("li", { class: "no" }, element("b", {}, t("open.definitely_not")), " ", name);
      return element("li", { class: "refused" }, element("b", {}, t("open.not_asked")), " ", name,
        element("p", { class: "small" }, typeof answer === "string" ? t("open.key_refused", { sentence: answer }) : say(answer, context)));
    };
    refill(answers, model.answers.map(line));
  }
  show();
  return { node: element("section", { class: "card ask-card" }, element("h2", {}, t("open.ask")),
    element("form", { class: "stack", onsubmit: ask },
      encodingField(context, opened),
      element("div", { class: "field" }, element("label", { for: id }, t("open.key")),
        element("div", { class: "row joined" }, input, element("button", { class: "button primary", type: "submit" }, t("open.ask.button"))))),
    answers) };
}

export function makeList(context, opened, model, session) {
  const { t, numbers } = context;
  const place = element("div", { class: "stack" });
  const id = freshId("open-list");
  const area = element("textarea", { id, name: "list", rows: 5, spellcheck: "false", autocapitalize: "off", value: model.list,
    oninput: () => { model.list = area.value; } });

  async function ask(file) {
    model.running?.abort();
    const running = new AbortController();
    Object.assign(model, { running, result: null, problem: null, share: 0 });
    show();
    try {
      model.result = await session.call("list", { id: opened.id, file, encoding: opened.encoding, options: { crlf: model.crlf } },
        { signal: running.signal, progress: ({ share }) => { model.share = share; model.onprogress?.(); } });
      model.result.stem = (file.name ?? "list").replace(/\.(txt|gz)$/g, "");
    } catch (error) {
      if (model.running !== running) return;
      model.problem = error;
    }
    if (model.running === running) model.running = null;
    model.onchange?.();
    if (model.result) context.announce(summary(model.result));
    else context.announce(isStopped(model.problem) ? t("open.list.stopped") : say(model.problem, context));
  }
  function summary({ lines, maybe, no }) {
    return t("open.list.result", { lines: numbers.count(lines), maybe: numbers.count(maybe), no: numbers.count(no) });
  }
  function save(kind, blob) {
    const button = element("button", { class: "button", type: "button", disabled: blob.size === 0,
      onclick: () => context.download(`${model.result.stem}.${kind}.txt`, blob, "text/plain") },
    kind === "maybe" ? t("open.list.save_maybe") : t("open.list.save_no"));
    return button;
  }
  function show() {
    if (model.running) {
      refill(place, element("progress", { class: "progress", max: 1, value: model.share, "aria-label": t("open.list.running") }),
        element("div", { class: "row" }, element("button", { class: "button small", type: "button", onclick: () => model.running.abort() }, t("open.stop"))));
    } else if (model.problem) {
      refill(place, element("p", { class: isStopped(model.problem) ? "notice" : "notice error", role: "alert" },
        isStopped(model.problem) ? t("open.list.stopped") : say(model.problem, context)));
    } else if (model.result) {
      const { lines, maybe, no, refused, why, maybeLines, noLines } = model.result;
      const bar = element("div", { class: "split-bar", "aria-hidden": "true" }, element("span", { class: "maybe" }), element("span", { class: "no" }));
      bar.firstChild.style.flexGrow = maybe;
      bar.lastChild.style.flexGrow = no;
      refill(place, element("p", { class: "list-result" }, summary(model.result)), lines > 0 && bar,
        refused > 0 && element("p", { class: "notice warning" }, t("open.list.refused", { count: numbers.count(refused), sentence: why })),
        element("div", { class: "row" }, save("maybe", maybeLines.blob), save("no", noLines.blob)));
    } else refill(place);
  }
  model.onchange = show;
  model.onprogress = () => {
    const bar = place.querySelector("progress");
    if (bar) bar.value = model.share;
  };
  show();
  const crlf = element("input", { type: "checkbox", name: "crlf", checked: model.crlf, onchange: () => { model.crlf = crlf.checked; } });
  return { node: element("section", { class: "card list-card" }, element("h2", {}, t("open.list")),
    element("form", { class: "stack", onsubmit: (event) => { event.preventDefault(); ask(new Blob([area.value])); } },
      element("div", { class: "field" }, element("label", { for: id }, t("open.list.paste")), area),
      element("label", { class: "check" }, crlf, element("span", {}, t("open.list.crlf"))),
      element("div", { class: "row" }, element("button", { class: "button", type: "submit" }, t("open.list.ask")))),
    makeDropZone({ label: t("open.list.drop"), hint: t("open.list.drop_hint"), name: "list-file", onfile: ask }),
    place) };
}
