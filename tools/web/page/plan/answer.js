// Everything that the part shows at once: the planned filter, the same in each layout, and what overfilling does.
import { optionsFor, overdetermined, overfillFactors, readQuestion } from "./question.js";

/** `refused` is the library's error if there is no such filter; the other members are then missing. */
export function answerOf(bloomery, query) {
  const question = readQuestion(query);
  const { options, problems, missing, twice, given } = question;
  if (Object.keys(problems).length || missing || twice) return { ...question, unclear: true };
  // Also if the numbers do not fit the chosen layout, they may fit another.
  const layouts = bloomery.layouts().map((layout) => planOf(bloomery, optionsFor(options, layout)));
  try {
    const plan = bloomery.plan(options);
    return { ...question, plan, layouts,
      // What was asked; if the rate follows from the rest, what comes out.
      rate: options.rate ?? plan.rate,
      contradicts: overdetermined(given) && !plan.meetsRate,
      overfill: overfillsOf(bloomery, plan) };
  } catch (error) {
    if (error?.name !== "BloomeryError") throw error;
    return { ...question, layouts, refused: error };
  }
}

function planOf(bloomery, options) {
  try {
    return { layout: options.layout, plan: bloomery.plan(options) };
  } catch (error) {
    if (error?.name !== "BloomeryError") throw error;
    return { layout: options.layout, refused: error };
  }
}

// The rates of the probes alone. plan() also counts collisions of digests, which matter at the lowest rates.
function overfillsOf(bloomery, { layout, bits, hashes, items: planned }) {
  const found = overfillFactors.map((factor) => ({ factor, items: Math.round(planned * factor) }));
  return found.filter(({ items }, at) => at === 0 || items > found[at - 1].items)
    .map(({ factor, items }) => ({ factor, items, rate: bloomery.expectedRate({ layout, bits, hashes, items }) }));
}

/** What another layout takes in place of the planned one, as a share of its memory: 0.05 is 5 % more. */
export function extraMemory(of, than) {
  return of.bytes / than.bytes - 1;
}
