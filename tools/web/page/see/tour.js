// The story that "Step" tells about each kind: what happens next, chosen from the bits as they are. A false positive,
// for example, is looked for among the words, with the filter itself.

const CANDIDATES = 600;

const add = (scene) => ({ type: "add", key: scene.freshWord() });
const askFirst = (scene) => ({ type: "ask", key: scene.first.members.keys().next().value ?? scene.word(0) });
const crowd = (scene, count) =>
  scene.full ? null : { type: "fill", count: count ?? Math.max(1, Math.ceil(scene.mostKeys / 20)), stay: true };

/** The first key of the story, also if it was deleted since. */
const askGone = (scene) => ({ type: "ask", key: scene.shown[0] ?? scene.word(0) });

function strangers(scene) {
  const keys = [];
  for (let i = 0; i < CANDIDATES; i += 1) {
    const key = scene.word(i);
    if (!scene.first.members.has(key) && !scene.shown.includes(key)) keys.push(key);
  }
  return keys;
}

function askAbsent(scene) {
  const absent = scene.first.filter.absent(strangers(scene));
  // The clearest case: all its bits but one are set.
  const { values, places } = scene.first;
  const clear = (key) => places.of(key).filter((at) => values[at] === 0).length;
  const best = scene.first.layers
    ? absent[0]
    : absent.slice(0, 60).reduce((a, b) => (clear(b) < clear(a) && clear(b) > 0 ? b : a), absent[0]);
  return best && { type: "ask", key: best };
}

function falsePositives(scene) {
  return scene.first.filter.possible(strangers(scene));
}

function askFalsePositive(scene) {
  const found = falsePositives(scene);
  const { places, info, layers } = scene.first;
  // The clearest case: as many places as it has hashes.
  const key = found.find((one) => layers || places.of(one).length === info.hashCount) ?? found[0];
  return key ? { type: "ask", key } : crowd(scene);
}

/** A second key that shares a counter with the first, so that the counter shows 2. */
function addSharing(scene) {
  const { first } = scene;
  const taken = new Set([...first.members.keys()].flatMap((key) => first.places.of(key)));
  const shared = (key) => first.places.of(key).filter((at) => taken.has(at)).length;
  const key = strangers(scene)
    .slice(0, 120)
    .find((one) => shared(one) > 0 && !first.filter.has(one));
  return { type: "add", key: key ?? scene.freshWord() };
}

const removeFirst = (scene) => {
  const [key] = scene.first.members.keys();
  return key && { type: "remove", key };
};

/** Deletes a key that was never added and that the filter believes in: a counter that was 1 goes to 0. A key with one
 *  place twice would need 2 there, and be refused. */
function removeWrongly(scene) {
  const { first } = scene;
  const key = falsePositives(scene).find(
    (one) =>
      first.places.of(one).length === first.info.hashCount && first.places.of(one).some((at) => first.values[at] === 1),
  );
  return key ? { type: "remove", key } : crowd(scene);
}

function askBroken(scene) {
  const [key] = scene.first.lost();
  return key && { type: "ask", key };
}

function forget(scene) {
  return scene.first.lost().length > 0 ? null : crowd(scene, scene.first.perGeneration);
}

const grow = (layers) => (scene) => (scene.first.groups.length >= layers ? null : crowd(scene, 250));

const STORIES = {
  classic: [add, add, askFirst, askAbsent, add, add, askFalsePositive],
  blocked: [add, add, askFirst, askAbsent, askFalsePositive],
  split: [add, add, askFirst, askAbsent, askFalsePositive],
  counting: [add, addSharing, removeFirst, askGone, askFirst, add, add, removeWrongly, askBroken],
  scalable: [add, grow(2), add, askAbsent, grow(3), askFirst],
  window: [add, add, askFirst, forget, askBroken, askFalsePositive],
  compare: [add, add, askAbsent, askFalsePositive],
};

/** What happens next, or null at the end of the story. `stay`: the same part of the story comes again. */
export function nextAction(scene) {
  const story = STORIES[scene.view];
  while (scene.tourAt < story.length) {
    const action = story[scene.tourAt](scene);
    if (action) return action;
    scene.tourAt += 1;
  }
  return null;
}

/** Whether the story has told everything. */
export const ended = (scene) => scene.tourAt >= STORIES[scene.view].length;
