// What the picture shows, in words: a heading, a sentence or two, and a tone ("plain", "good", "warning", "error").
import { share } from "./rate.js";
import { ended } from "./tour.js";

const MOST_NAMES = 2;

export function storyOf(scene, context, current = scene.current) {
  const { t } = context;
  const { view } = scene;
  if (!current) return { tone: "plain", title: t(`see.start.title.${view}`), body: startBody(scene, context) };
  if (current.type === "fill") return fillStory(scene, context);
  const event = current.events[0];
  const key = event.key;
  if (current.phase === 0)
    return { tone: "plain", title: t("see.hash.title", { key }), body: hashBody(scene, event, context) };
  if (current.phase === 1)
    return {
      tone: "plain",
      title: t("see.places.title", { key }),
      body: sentences([placesBody(scene, event, context), current.peek && t("see.peek")], context),
    };
  const story = view === "compare" ? compareStory(scene, context) : TOLD[event.type](scene, event, context);
  if (current.told && ended(scene)) story.body = sentences([story.body, t("see.end")], context);
  return story;
}

const list = (items, { t }) => items.join(t("see.comma"));
/** Chinese has no space between sentences. */
const sentences = (parts, { language }) => parts.filter(Boolean).join(language === "zh" ? "" : " ");
const quoted = (keys, context) =>
  list(
    keys.map((key) => context.t("see.quoted", { key })),
    context,
  );

function startBody(scene, { t, numbers }) {
  const { info } = scene.first;
  return t(`see.start.body.${scene.view}`, {
    bits: numbers.count(info.bitCount),
    k: info.hashCount,
    lines: info.bitCount / 512,
    keys: numbers.count(scene.size),
    rate: numbers.percent(info.targetRate ?? 0),
  });
}

function hashBody(scene, event, { t }) {
  if (scene.view === "scalable") return t("see.hash.scalable");
  if (scene.first.lineBits) return t("see.hash.lines");
  return t("see.hash.body", { k: scene.first.info.hashCount });
}

function placesBody(scene, event, context) {
  const { t } = context;
  if (scene.view === "compare") return t("see.places.compare");
  if (scene.view === "scalable")
    return t("see.places.scalable", { count: event.places.length, layers: event.answers.length });
  if (scene.first.lineBits) return t("see.places.lines", { line: event.line, k: scene.first.info.hashCount });
  const twice = scene.first.info.hashCount > event.places.length;
  const text = t(`see.places.${scene.view}`, { places: list(event.places, context) });
  return sentences([text, twice && t("see.places.twice")], context);
}

function fillStory(scene, context) {
  const { t, numbers } = context;
  const { current, first } = scene;
  const event = current.events[0];
  const values = {
    count: numbers.count(event.keys.length),
    keys: numbers.count(scene.keyCount),
    key: event.keys.at(-1),
    fill: numbers.percent(first.statistics().fillRatio),
    layers: first.groups.length,
  };
  const last = scene.points[0].at(-1);
  const body = [];
  if (event.grew) body.push(t("see.fill.grew", values));
  else if (scene.view === "window") body.push(t("see.fill.window", { lost: numbers.count(first.lost().length) }));
  else body.push(t("see.fill.body", values));
  if (last) {
    body.push(
      t("see.fill.measured", {
        measured: share(last.rate, numbers),
        computed: share(first.filter.rateAt(last.keys), numbers),
        asked: numbers.count(last.asked),
        at: numbers.count(last.keys),
      }),
    );
  }
  return {
    tone: event.grew ? "good" : "plain",
    title: t(`see.fill.title.${scene.full ? "end" : "more"}`, values),
    body: sentences(body, context),
  };
}

function toldAdd(scene, event, context) {
  const { t } = context;
  const { key } = event;
  const values = {
    key,
    k: event.places.length,
    fresh: event.changed.length,
    kept: event.places.length - event.changed.length,
  };
  const title = t("see.add.title", values);
  if (event.again && scene.view !== "counting")
    return { tone: "plain", title, body: t(`see.add.again.${scene.view === "window" ? "window" : "usual"}`, values) };
  if (scene.view === "counting") return { tone: "plain", title, body: t("see.add.counting", values) };
  if (scene.view === "window")
    return { tone: "plain", title, body: t(event.turned ? "see.add.turned" : "see.add.window", values) };
  if (scene.view === "scalable") {
    if (!event.fresh) return { tone: "warning", title, body: t("see.add.hidden", values) };
    return {
      tone: "plain",
      title,
      body: t(event.grew ? "see.add.grew" : "see.add.layer", { ...values, layer: scene.first.groups.length }),
    };
  }
  if (values.fresh === 0) return { tone: "warning", title, body: t("see.add.hidden", values) };
  return { tone: "plain", title, body: t(values.kept > 0 ? "see.add.some" : "see.add.all", values) };
}

function toldAsk(scene, event, context) {
  const { t, numbers } = context;
  const { key, verdict } = event;
  if (verdict === "present")
    return {
      tone: "good",
      title: t("see.ask.maybe", { key }),
      body: t(`see.ask.present.${scene.view === "window" ? "window" : "usual"}`),
    };
  if (verdict === "false-negative") {
    return { tone: "error", title: t("see.ask.no", { key }), body: t("see.ask.lost", { key, place: event.clear[0] }) };
  }
  if (verdict === "forgotten")
    return {
      tone: "plain",
      title: t("see.ask.no", { key }),
      body: t("see.ask.forgotten", { keys: numbers.count(scene.size) }),
    };
  if (verdict === "absent")
    return { tone: "plain", title: t("see.ask.no", { key }), body: absentBody(scene, event, context) };
  return { tone: "warning", title: t("see.ask.maybe", { key }), body: falsePositiveBody(scene, event, context) };
}

function absentBody(scene, event, context) {
  const { t } = context;
  if (scene.view === "scalable") return t("see.ask.absent.scalable", { layers: event.answers.length });
  if (event.clear.length === 0) return t("see.ask.absent.window");
  const unit = scene.view === "counting" || scene.view === "window" ? scene.view : "usual";
  const places = list(event.clear, context);
  return event.clear.length === 1
    ? t(`see.ask.absent.one.${unit}`, { key: event.key, places })
    : t(`see.ask.absent.more.${unit}`, { key: event.key, places });
}

function falsePositiveBody(scene, event, context) {
  const { t } = context;
  if (scene.view === "scalable") return t("see.ask.false.scalable", { layer: event.answers.at(-1).layer + 1 });
  const generations = scene.view === "window" ? scene.first.sharedGenerations(event.places) : undefined;
  const sources = event.places.map((place) => {
    const owners = scene.first.ownersOf(place, event.key, generations);
    const named = owners.slice(0, MOST_NAMES);
    const names = quoted(named, context);
    return t(owners.length > named.length ? "see.ask.by.more" : "see.ask.by.one", { place, names });
  });
  return t(scene.view === "window" ? "see.ask.false.window" : "see.ask.false.usual", {
    sources: list(sources, context),
  });
}

function toldRemove(scene, event, context) {
  const { t } = context;
  const { key, verdict } = event;
  if (verdict === "refused") {
    const body =
      event.clear.length > 0
        ? t("see.remove.refused.body", { places: list(event.clear, context) })
        : t("see.remove.refused.twice");
    return { tone: "plain", title: t("see.remove.refused", { key }), body };
  }
  if (verdict === "removed")
    return { tone: "plain", title: t("see.remove.title", { key }), body: t("see.remove.body") };
  const title = t("see.remove.wrong", { key });
  if (event.broken.length === 0) return { tone: "warning", title, body: t("see.remove.wrong.luck") };
  return {
    tone: "error",
    title,
    body: t("see.remove.wrong.broken", { key, broken: quoted(event.broken.slice(0, 5), context) }),
  };
}

/** Only counters can be taken down. */
function toldCannot(scene, event, context) {
  const { t } = context;
  const { key } = event;
  const title = t("see.remove.refused", { key });
  if (scene.view === "window") return { tone: "plain", title, body: t("see.cannot.window") };
  if (!event.member || event.shared.length === 0) return { tone: "plain", title, body: t("see.cannot.alone") };
  const place = event.shared[0];
  const owners = quoted(scene.first.ownersOf(place, key).slice(0, MOST_NAMES), context);
  return { tone: "warning", title, body: t("see.cannot.shared", { place, owners }) };
}

const TOLD = { add: toldAdd, ask: toldAsk, remove: toldRemove, cannot: toldCannot };

/** Three filters, one key: what differs. */
function compareStory(scene, context) {
  const { t } = context;
  const { type, key, events } = scene.current;
  if (type === "add") return { tone: "plain", title: t("see.add.title", { key }), body: t("see.compare.add") };
  if (type === "remove") {
    const counting = events.at(-1);
    const told = toldRemove({ ...scene, first: scene.models.at(-1), view: "counting" }, counting, context);
    return { ...told, body: sentences([told.body, t("see.compare.remove")], context) };
  }
  const answers = events.map((one) => one.maybe);
  const member = scene.first.members.has(key);
  const verdicts = events.map((one) => one.verdict);
  if (verdicts.includes("false-negative"))
    return { tone: "error", title: t("see.compare.lost", { key }), body: t("see.compare.lost.body") };
  if (member) return { tone: "good", title: t("see.ask.maybe", { key }), body: t("see.ask.present.usual") };
  if (!answers.includes(true)) return { tone: "plain", title: t("see.ask.no", { key }), body: t("see.compare.absent") };
  const wrong = scene.models.filter((_, i) => answers[i]).map((model) => t(`see.kind.${model.spec.kind}`));
  return {
    tone: "warning",
    title: t("see.compare.false", { key, kinds: list(wrong, context) }),
    body: t("see.compare.false.body"),
  };
}

/** What a cell is, and who set it. */
export function storyOfCell(model, place, context) {
  const { t } = context;
  const value = model.values[place];
  const { kind } = model.spec;
  const what =
    kind === "counting"
      ? t("see.cell.counter", { place, value })
      : kind === "window"
        ? t("see.cell.window", { place, count: value.toString(2).replaceAll("0", "").length })
        : t(value ? "see.cell.set" : "see.cell.clear", { place });
  if (value === 0) return what;
  const owners = model.ownersOf(place);
  if (owners.length === 0) return what;
  const names = quoted(owners.slice(0, MOST_NAMES), context);
  return sentences(
    [
      what,
      t(owners.length > MOST_NAMES ? "see.cell.by.more" : "see.cell.by.all", {
        names,
        more: owners.length - MOST_NAMES,
      }),
    ],
    context,
  );
}
