// The interval of a measured share (Wilson 1927), which stays between 0 and 1 also for few or no hits.

/** @returns {{low: number, high: number}} */
export function interval(hits, asked, deviations = 1.96) {
  if (asked === 0) return { low: 0, high: 1 };
  const share = hits / asked;
  const square = (deviations * deviations) / asked;
  const centre = (share + square / 2) / (1 + square);
  const half = (deviations / (1 + square)) * Math.sqrt((share * (1 - share)) / asked + square / (4 * asked));
  return { low: hits === 0 ? 0 : Math.max(0, centre - half), high: hits === asked ? 1 : Math.min(1, centre + half) };
}

/** A rate in words of the page: with one decimal, or exactly if that would be 0.0 %. */
export const share = (rate, numbers) => (rate > 0 && rate < 0.001 ? numbers.rate(rate) : numbers.percent(rate));
