// Writes the filter again: in another format, or merged with a second one.
import { element, freshId, refill } from "../shell/elements.js";
import { say } from "../work/say.js";
import { makeChooser, newChoice, parameterField } from "./chooser.js";
import { isOverfilled } from "./facts.js";
import { fieldsToWrite, formatChoice } from "./format_fields.js";

export function newWriting() {
  return { target: "native", values: {}, targets: undefined, problem: null, choice: newChoice(), operation: "merge", merged: null };
}

const endings = { native: "bloom", "go-json": "json", "go-fnv-json": "json", cassandra: "db", "cassandra-old": "db", "guava-java": "ser" };

export function fileName(name, format) {
  const stem = (name || "merged").replace(/\.[^.]*$/, "");
  return `${stem}.${endings[format] ?? (format ? `${format}.bin` : "bin")}`;
}

export function makeConvert(context, opened, model, session) {
  const { t, bloomery } = context;
  const id = freshId("open-target");
  const fieldsPlace = element("div", { class: "fields" });
  const problem = element("div", { role: "alert" });
  const all = bloomery.formats().filter((one) => one.writable);
  const select = element("select", { id, name: "target", onchange: () => { model.target = select.value; showFields(); } });

  function options() {
    const option = ({ name }) => element("option", { value: name, selected: name === model.target }, `${name} — ${t(`open.what.${name}`)}`);
    const possible = model.targets ? all.filter((one) => model.targets.includes(one.name)) : [];
    // One whose parameters are missing could not be tried.
    const others = all.filter((one) => !possible.includes(one));
    refill(select, possible.length > 0 && element("optgroup", { label: t("open.convert.possible") }, possible.map(option)),
      element("optgroup", { label: t(possible.length > 0 ? "open.convert.others" : "open.format.all") }, others.map(option)));
  }
  function showFields() {
    const { fields, hint } = fieldsToWrite(model.target);
    refill(fieldsPlace, fields.map((field) => parameterField(context, field, model.values)),
      hint && element("p", { class: "hint wide" }, t(`open.needs.${hint}`)));
    refill(problem);
  }
  async function convert(event) {
    event.preventDefault();
    refill(problem);
    try {
      const format = formatChoice(model.target, model.values, fieldsToWrite(model.target).fields);
      const { bytes } = await session.call("save", { id: opened.id, format });
      context.download(fileName(opened.name, model.target), bytes);
      context.announce(t("open.saved"));
    } catch (error) {
      refill(problem, element("p", { class: "notice error" }, say(error, context)));
    }
  }
  options();
  showFields();
  if (model.targets === undefined) {
    model.targets = null;
    session.call("targets", { id: opened.id }).then((found) => { model.targets = found; options(); }, () => {});
  }
  return { node: element("section", { class: "card convert-card" }, element("h2", {}, t("open.convert")),
    element("p", { class: "muted" }, t("open.convert.lead")),
    element("form", { class: "stack", onsubmit: convert },
      element("div", { class: "field" }, element("label", { for: id }, t("open.convert.to")), select),
      fieldsPlace,
      element("div", { class: "row" }, element("button", { class: "button", type: "submit" }, t("open.convert.save")))),
    problem) };
}

export function makeMerge(context, opened, model, session) {
  const { t, numbers } = context;
  const place = element("div", { class: "stack" });

  async function merge(file, choice) {
    session.close(model.merged);
    model.merged = null;
    show();
    const other = await session.open(file, choice);
    try {
      const merged = await session.call("merge", { id: opened.id, other: other.id, operation: model.operation });
      model.merged = { ...merged, other: file.name, operation: model.operation };
    } finally {
      session.close(other);
    }
    show();
    context.announce(sentence());
  }
  function sentence() {
    const { facts, other, operation } = model.merged;
    const values = { first: opened.name, second: other, fill: numbers.percent(facts.fill_ratio, 2), rate: numbers.rate(facts.expected_rate) };
    return t(operation === "merge" ? "open.merge.result" : "open.merge.result_both", values);
  }
  async function save() {
    const { bytes } = await session.call("save", { id: model.merged.id });
    context.download(fileName(model.operation === "merge" ? "merged" : "common", model.merged.format), bytes);
  }
  function show() {
    refill(place, model.merged && [
      element("p", { class: "notice good" }, sentence()),
      isOverfilled(model.merged.facts) &&
        element("p", { class: "notice warning" }, t("open.overfilled",
          { items: numbers.count(model.merged.facts.estimated_items), capacity: numbers.count(model.merged.facts.item_capacity) })),
      element("div", { class: "row" }, element("button", { class: "button", type: "button", onclick: save }, t("open.merge.save")))]);
  }
  show();
  const pick = (value, label) => element("label", {}, element("input", { type: "radio", name: "operation", value,
    checked: model.operation === value, onchange: () => { model.operation = value; if (model.choice.file) chooser.again(); } }), element("span", {}, label));
  const chooser = makeChooser(context, model.choice,
    { label: t("open.merge.drop"), hint: t("open.merge.hint"), name: "second", open: merge });
  return { node: element("section", { class: "card merge-card" }, element("h2", {}, t("open.merge")),
    element("fieldset", { class: "segmented" }, element("legend", {}, t("open.merge.operation")),
      pick("merge", t("open.merge.union")), pick("intersect", t("open.merge.both"))),
    chooser.node, place) };
}
