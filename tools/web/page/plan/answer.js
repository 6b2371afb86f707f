// Everything that the part shows at once: the planned filter, the same in each layout, and what overfilling does.
import { optionsFor, overdetermined, overfillFactors, readQuestion } from "./question.js";

/** `refused` is the library's error if there is no such filter; the other members are then missing. */
export function answerOf(bloomery, query) {
  const question = readQuestion(query);
  const { options, problems, missing, twice, given } = question;
  if (Object.keys(problems).length || missing || twice) return { ...question, unclear: true };
  try {
    const plan = bloomery.plan(options);
    return { ...question, plan,
      // What was asked; if the rate follows from the rest, what comes out.
      rate: options.rate ?? plan.rate,
      contradicts: overdetermined(given) && !plan.meetsRate,
      layouts: bloomery.layouts().map((layout) => planOf(bloomery, optionsFor(options, layout))),
      overfill: overfillFactors.map((factor) => overfilled(bloomery, plan, factor)) };
  } catch (error) {
    if (error?.name !== "BloomeryError") throw error;
    return { ...question, refused: error };
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

function overfilled(bloomery, plan, factor) {
  const items = Math.round(plan.items * factor);
  const { layout, bits, hashes } = plan;
  return { factor, items, rate: bloomery.expectedRate({ layout, bits, hashes, items }) };
}

/** What another layout takes in place of the planned one, as a share of its memory: 0.05 is 5 % more. */
export function extraMemory(of, than) {
  return of.bytes / than.bytes - 1;
}
