// The key of a line: the line itself, or a field of it, without case. Works on bytes; see lines.js.

const NEWLINE = 10;
const RETURN = 13;
const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const encoder = new TextEncoder();

/** Lower case of UTF-8. Bytes that are not UTF-8 only have their ASCII letters changed. */
function lowered(key) {
  let text;
  try {
    text = strict.decode(key);
  } catch {
    return null;
  }
  return encoder.encode(text.toLowerCase());
}

function isPlain(options) {
  return !options.crlf && !options.ignoreCase && !options.field;
}

/** Makes the keys of batches of lines, as packed keys for the filter.
 *  options: crlf (a carriage return before the newline and a byte order mark at the start of the input are not part of
 *  the key), ignoreCase, field (from 1; a line without it has an empty key), separator (one byte; default: tab),
 *  bare: leave the newline out although nothing else is asked, for filters that others filled. */
export class KeyMaker {
  #options;
  #data = new Uint8Array(1 << 16);
  #offsets = new Uint32Array(1 << 16);
  #first = true;

  constructor(options = {}) {
    this.#options = { separator: 9, ...options };
  }

  /** Valid until the next call. */
  of(batch) {
    // If the key is the whole line, its newline may be part of the key: it is in every key, and nothing is copied.
    if (isPlain(this.#options) && !this.#options.bare) return { data: batch.data, offsets: batch.offsets };
    const first = this.#first;
    this.#first = false;
    if (this.#offsets.length < batch.count + 1) this.#offsets = new Uint32Array(batch.count + 1);
    // Lower case can be longer: by half for U+023A and some others.
    const room = batch.data.length * (this.#options.ignoreCase ? 2 : 1);
    if (this.#data.length < room) this.#data = new Uint8Array(room);
    let at = 0;
    for (let i = 0; i < batch.count; ++i) {
      this.#offsets[i] = at;
      at = this.#append(batch.data, batch.offsets[i], batch.offsets[i + 1], at, first && i === 0);
    }
    this.#offsets[batch.count] = at;
    return { data: this.#data.subarray(0, at), offsets: this.#offsets.subarray(0, batch.count + 1) };
  }

  #append(data, start, end, at, isFirst) {
    const { crlf, ignoreCase, field, separator } = this.#options;
    if (data[end - 1] === NEWLINE) --end;
    if (crlf) {
      if (end > start && data[end - 1] === RETURN) --end;
      if (isFirst && end - start >= 3 && data[start] === 0xef && data[start + 1] === 0xbb && data[start + 2] === 0xbf) {
        start += 3;
      }
    }
    for (let skipped = 1; field && skipped < field; ++skipped) {
      while (start < end && data[start] !== separator) ++start;
      if (start === end) break;
      ++start;
    }
    const to = this.#data;
    let ascii = true;
    for (let i = start; i < end; ++i) {
      const byte = data[i];
      if (field && byte === separator) {
        end = i;
        break;
      }
      if (byte >= 0x80) ascii = false;
      to[at + i - start] = ignoreCase && byte >= 65 && byte <= 90 ? byte + 32 : byte;
    }
    if (ignoreCase && !ascii) {
      const key = lowered(data.subarray(start, end));
      if (key !== null) {
        to.set(key, at);
        return at + key.length;
      }
    }
    return at + end - start;
  }
}

/** The byte that separates fields, from what somebody typed: one character, or \t. Null if it is not one byte. */
export function separatorByte(text) {
  if (text === "" || text === "\\t") return 9;
  const bytes = encoder.encode(text);
  return bytes.length === 1 && bytes[0] !== NEWLINE ? bytes[0] : null;
}
