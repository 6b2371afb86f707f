// The address of the page, shared by the parts: each keeps its parameters while another part is shown.
import { readAddress, writeAddress } from "./address.js";

// Safari allows a hundred changes in thirty seconds.
const pause = 350;

export function makeState(partNames, changed) {
  const queries = Object.fromEntries(partNames.map((name) => [name, {}]));
  let part = partNames[0];
  let timer = 0;

  const href = () => writeAddress(part, queries[part]);
  function flush() {
    clearTimeout(timer);
    timer = 0;
    if (location.hash !== href()) history.replaceState(null, "", href());
  }
  function read() {
    const found = readAddress(location.hash);
    const { lang, ...query } = found.query;
    if (partNames.includes(found.part)) part = found.part;
    queries[part] = query;
    return { part, query, lang };
  }
  addEventListener("pagehide", flush);

  return {
    read,
    flush,
    part: () => part,
    hrefOf: (name) => writeAddress(name, queries[name]),
    url: () => { flush(); return location.href; },
    of: (name) => ({
      get: () => ({ ...queries[name] }),
      link: writeAddress,
      url: () => { flush(); return location.href; },
      replace(query) {
        queries[name] = Object.fromEntries(Object.entries(query)
          .filter(([, value]) => value !== undefined && value !== null && value !== "")
          .map(([key, value]) => [key, String(value)]));
        changed(name);
        if (name === part && !timer) timer = setTimeout(flush, pause);
      },
    }),
  };
}
