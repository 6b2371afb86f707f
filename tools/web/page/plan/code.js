// The snippets, one tab for each language.
import { snippet } from "../shell/snippet.js";
import { tabs } from "../shell/tabs.js";
import { snippetMakers } from "./snippets.js";

export function makeCode(context, change) {
  const { t, element } = context;
  let query = {};
  const names = Object.keys(snippetMakers);
  const views = Object.fromEntries(names.map((name) => [name, snippet("", context, { label: t(`plan.code.${name}`) })]));
  const bar = tabs(names.map((name) => ({ id: name, label: t(`plan.code.${name}`), panel: views[name] })), {
    label: t("plan.code.title"), onselect: (code) => change({ ...query, code: code === names[0] ? "" : code }) });
  const node = element("section", { class: "card plan-code" }, element("h2", { id: "plan-code" }, t("plan.code.title")), bar.node);
  function update(next, answer) {
    query = next;
    bar.select(query.code ?? names[0]);
    for (const name of names) views[name].set(snippetMakers[name]({ plan: answer.plan, options: answer.options }));
  }
  return { node, update };
}
