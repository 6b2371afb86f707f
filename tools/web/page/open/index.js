// The part Open: what is this file, how full is it, and is my key in it?
import { element, refill } from "../shell/elements.js";
import { takeFilesAnywhere } from "../work/drop_zone.js";
import { makeAsk, makeList, newQuestions } from "./ask.js";
import { makeChooser, newChoice } from "./chooser.js";
import { makeFacts } from "./facts.js";
import { makePicture } from "./picture.js";
import { Session } from "./session.js";
import { makeConvert, makeMerge, newWriting } from "./write.js";

export function mount(root, context) {
  const { t } = context;
  const session = new Session(context);
  const choice = newChoice();
  let current = null; // { opened, density, questions, writing }: what is open, and what was asked
  let panels = {};
  let chooser = null;
  let endDrops = takeFilesAnywhere((file) => chooser.take(file));
  const result = element("div", { class: "opened" });

  async function open(file, given) {
    close();
    const opened = await session.openFirst(file, given);
    current = { opened, density: {}, questions: newQuestions(), writing: newWriting() };
    showResult();
    count(current);
    context.announce(t("open.opened", { name: file.name, format: opened.format }));
  }
  function close() {
    if (!current) return;
    current.density.stop?.abort();
    current.questions.running?.abort();
    session.close(current.opened);
    current = null;
    showResult();
  }
  /** The picture and, for a file that is read in place, the statistics. */
  async function count(of) {
    const stop = new AbortController();
    Object.assign(of.density, { stop, share: 0, result: null, problem: null });
    panels.picture.refresh();
    try {
      const found = await session.call("density", { id: of.opened.id }, { signal: stop.signal,
        progress: (share) => { of.density.share = share; if (current === of) panels.picture.progress(); } });
      of.density.result = found;
      Object.assign(of.opened.facts, found.statistics);
      if (found.statistics && current === of) context.announce(t("open.counted"));
    } catch (error) {
      of.density.problem = error;
    }
    if (current !== of) return;
    panels.picture.refresh();
    panels.facts.refresh();
  }
  function showResult() {
    if (!current) {
      panels = {};
      refill(result);
      return;
    }
    const { opened, density, questions, writing } = current;
    panels = {
      facts: makeFacts(context, opened, () => chooser.askFormat(opened.format)),
      picture: makePicture(context, opened, density, () => count(current)),
      ask: makeAsk(context, opened, questions, session),
      list: makeList(context, opened, questions, session),
      merge: makeMerge(context, opened, writing, session),
      convert: makeConvert(context, opened, writing, session),
    };
    const column = (...names) => element("div", { class: "column" }, names.map((name) => panels[name].node));
    refill(result, panels.facts.node, column("picture", "merge", "convert"), column("ask", "list"));
  }
  /** For visitors without a file: a small filter, made here. */
  function example() {
    const filter = context.bloomery.Filter.create({ items: 1000, rate: 0.01 });
    filter.addMany(Array.from({ length: 800 }, (_, i) => `key-${i}`));
    const bytes = filter.toBytes();
    filter.dispose();
    chooser.take(new File([bytes], "example.bloom"));
  }
  function show() {
    chooser = makeChooser(context, choice, { label: t("open.drop"), hint: t("open.drop_hint"), name: "filter", open });
    refill(root,
      element("header", { class: "part-head" }, element("h1", {}, t("open.title")), element("p", { class: "lead" }, t("open.lead"))),
      chooser.node,
      element("p", { class: "small muted" }, t("open.example.question"), " ",
        element("button", { class: "button quiet small", type: "button", onclick: example }, t("open.example"))),
      result);
    showResult();
  }
  show();

  return {
    setState() {},
    setVisible(visible) {
      endDrops();
      if (visible) endDrops = takeFilesAnywhere((file) => chooser.take(file));
    },
    setLanguage: show,
    setTheme: () => panels.picture?.paint(),
    unmount() {
      endDrops();
      close();
      session.end();
    },
  };
}
