// How each place of the key at hand is marked.

const MOST_CHANGES = 8; // of a run of keys; more would be a swarm

/** place → "probe" before it happens, then what it meant. */
export function rolesOf(event, phase) {
  const roles = new Map();
  if (!event || phase === 0) return roles;
  if (event.type === "fill") {
    if (event.changed.length <= MOST_CHANGES) for (const place of event.changed) roles.set(place, "fresh");
    return roles;
  }
  const changed = new Set(event.changed);
  const clear = new Set(event.clear ?? []);
  for (const place of event.places) {
    if (phase === 1) roles.set(place, "probe");
    else if (event.type === "add") roles.set(place, changed.has(place) ? "fresh" : "kept");
    else if (event.type === "remove" && event.verdict !== "refused") roles.set(place, "down");
    else if (event.type === "cannot" && event.shared.includes(place)) roles.set(place, "borrowed");
    else roles.set(place, clear.has(place) ? "clear" : event.verdict === "false-positive" ? "borrowed" : "found");
  }
  return roles;
}

/** The cells as they are at this phase: a change shows only in the last one. */
export function valuesOf(event, phase, model) {
  if (!event) return model.values;
  return phase < 2 && event.before ? event.before : event.after;
}
