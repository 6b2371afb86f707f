// Scales of a chart: from values to places, and where the ticks are. No elements here, so that node can test it.

/** kind "log" or "linear"; domain [from, to]. at(value) is from 0 to 1, outside values too. */
export function makeScale(kind, [from, to]) {
  const forward = kind === "log" ? Math.log : (value) => value;
  const back = kind === "log" ? Math.exp : (value) => value;
  const start = forward(from);
  const width = forward(to) - start || 1;
  return {
    kind, domain: [from, to],
    at: (value) => (forward(value) - start) / width,
    value: (share) => back(start + share * width),
    ticks: (most) => (kind === "log" ? logTicks(from, to, most) : linearTicks(from, to, most)),
  };
}

/** Decades; with steps between them if there are few, every second or third if there are many. */
export function logTicks(from, to, most) {
  const first = Math.ceil(Math.log10(from) - 1e-9);
  const last = Math.floor(Math.log10(to) + 1e-9);
  for (const steps of [[1, 2, 5], [1, 3], [1]]) {
    const found = [];
    for (let decade = first - 1; decade <= last; decade += 1) {
      for (const step of steps) {
        const value = Number(`${step}e${decade}`);
        if (value >= from * (1 - 1e-9) && value <= to * (1 + 1e-9)) found.push(value);
      }
    }
    if (found.length <= most) return found;
  }
  const stride = Math.ceil((last - first + 1) / most);
  const found = [];
  for (let decade = last; decade >= first; decade -= stride) found.unshift(Number(`1e${decade}`));
  return found;
}

export function linearTicks(from, to, most) {
  const rough = (to - from) / most;
  const decade = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * decade).find((one) => one >= rough * (1 - 1e-9));
  const found = [];
  for (let at = Math.ceil(from / step - 1e-9); at * step <= to + step * 1e-9; at += 1) found.push(Number((at * step).toPrecision(12)));
  return found;
}

/** `count` values from `from` to `to`, evenly in the logarithm, and all of `also`; sorted, each once. */
export function logSamples(from, to, count, also = []) {
  const found = [];
  for (let at = 0; at < count; at += 1) found.push(from * (to / from) ** (at / (count - 1)));
  return [...new Set([...found, ...also].map((value) => Math.round(value)))].filter((value) => value >= 1).sort((a, b) => a - b);
}
