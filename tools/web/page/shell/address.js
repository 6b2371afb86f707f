// The part and its parameters in the address, after the #: "#plan?keys=10M&rate=1%25".

export function readAddress(hash) {
  const text = hash.startsWith("#") ? hash.slice(1) : hash;
  const at = text.indexOf("?");
  const part = at < 0 ? text : text.slice(0, at);
  const query = {};
  if (at >= 0) {
    for (const [key, value] of new URLSearchParams(text.slice(at + 1))) {
      if (value !== "") query[key] = value;
    }
  }
  return { part, query };
}

// Only what would be misread is escaped, so that people can read and edit the address.
function escape(text) {
  return text.replace(/[%&=#+?\s"<>\\^`{|}]|[^\x20-\x7e]/gu, (found) => encodeURIComponent(found));
}

export function writeAddress(part, query = {}) {
  const pairs = Object.entries(query)
    .filter(([, value]) => value !== undefined && value !== null && value !== "")
    .map(([key, value]) => `${escape(key)}=${escape(String(value))}`);
  return pairs.length ? `#${part}?${pairs.join("&")}` : `#${part}`;
}
