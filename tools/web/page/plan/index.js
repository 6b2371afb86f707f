// Plan: give any two or three of keys, rate, memory, bits and k; the rest follows.
import { makeAdvice } from "./advice.js";
import { answerOf } from "./answer.js";
import { makeCode } from "./code.js";
import { makeCurves } from "./curves.js";
import { makeInputs } from "./inputs.js";
import { makeKinds } from "./kinds.js";
import { makeLayouts } from "./layouts.js";
import { makeOthers } from "./others.js";
import { makeRedis } from "./redis.js";
import { makeResult } from "./result.js";

const start = { keys: "10M", rate: "1%" };

export function mount(root, context) {
  const { t, element } = context;
  let query = {};
  let answer = null;
  let pending = 0;

  const inputs = makeInputs(context, change);
  const result = makeResult(context, change, inputs.focus);
  // Cheap views follow each key press; the others come one by one after it, so that typing stays fluent.
  const layouts = makeLayouts(context, change);
  const costly = [makeCurves(context), makeCode(context, change), makeAdvice(context, change), makeKinds(context), makeRedis(context), makeOthers(context)];
  const [curves, , , , , others] = costly;
  const results = element("div", { class: "plan-results stack" });
  const share = element("button", { type: "button", class: "button small", onclick: async () => {
    if (!(await context.copy(context.state.url()))) return;
    share.textContent = t("plan.link_copied");
    setTimeout(() => { share.textContent = t("plan.copy_link"); }, 1500);
  } }, t("plan.copy_link"));
  const reset = element("button", { type: "button", class: "button small quiet", onclick: () => { change({ ...start }); inputs.focus("keys"); } }, t("plan.reset"));
  const question = element("div", { class: "card plan-question" }, element("h2", { class: "visually-hidden" }, t("plan.question")), inputs.node, result.node, element("div", { class: "row" }, share, reset));
  root.append(element("header", { class: "plan-intro" }, element("h1", {}, t("plan.title")), element("p", { class: "lead" }, t("plan.lead"))),
    element("div", { class: "plan-columns" }, element("div", { class: "plan-side" }, question), results));

  function change(next) {
    query = Object.fromEntries(Object.entries(next).filter(([, value]) => value !== "" && value !== undefined));
    context.state.replace(query);
    show();
  }
  function show() {
    clearTimeout(pending);
    answer = answerOf(context.bloomery, query);
    inputs.update(query, answer);
    result.update(query, answer);
    results.classList.toggle("stale", !answer.plan);
    layouts.node.classList.toggle("current", Boolean(answer.layouts));
    if (answer.layouts) {
      if (!layouts.node.isConnected) results.prepend(layouts.node);
      layouts.update(query, answer);
    }
    if (!answer.plan) return;
    const queue = [...costly];
    const current = answer;
    const step = async () => {
      const view = queue.shift();
      // Each appears when it is filled, below the others, so that nothing on the screen moves.
      if (!view.node.isConnected) results.append(view.node);
      await view.update(query, answer);
      if (answer !== current) return;
      pending = queue.length ? setTimeout(step, 0) : 0;
      root.toggleAttribute("data-complete", !queue.length);
    };
    root.removeAttribute("data-complete");
    pending = setTimeout(step, 0);
  }
  function setState(next) {
    query = Object.keys(next).length ? { ...next } : { ...start };
    show();
  }
  setState(context.state.get());

  return {
    setState,
    unmount: () => {
      clearTimeout(pending);
      curves.destroy();
      others.destroy();
    },
  };
}
