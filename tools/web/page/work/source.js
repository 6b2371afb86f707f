// The bytes of a file, piece by piece; unpacked if it is packed with gzip.
import { Said } from "./rpc.js";

const PIECE = 4 * 2 ** 20;

export function isGzip(head) {
  return head[0] === 0x1f && head[1] === 0x8b && head[2] === 8;
}

/** Gives { bytes, read }: `read` is how much of the file itself was read so far. */
export async function* pieces(file, signal) {
  if (isGzip(new Uint8Array(await readable(file.slice(0, 3).arrayBuffer())))) {
    yield* unpacked(file, signal);
    return;
  }
  // The next piece is read while this one is worked on.
  let next = file.size > 0 ? file.slice(0, PIECE).arrayBuffer() : null;
  for (let at = 0; at < file.size; at += PIECE) {
    signal?.throwIfAborted();
    const bytes = new Uint8Array(await readable(next));
    const end = at + PIECE;
    next = end < file.size ? file.slice(end, end + PIECE).arrayBuffer() : null;
    next?.catch(() => {}); // reported when it is awaited
    yield { bytes, read: Math.min(end, file.size) };
  }
}

async function readable(promise) {
  try {
    return await promise;
  } catch (error) {
    throw new Said("unreadable", { why: error.message });
  }
}

export async function* unpacked(file, signal) {
  if (typeof DecompressionStream === "undefined") throw new Said("no_gzip");
  let read = 0;
  const counter = new TransformStream({
    transform(chunk, controller) {
      read += chunk.length;
      controller.enqueue(chunk);
    },
  });
  const reader = file.stream().pipeThrough(counter).pipeThrough(new DecompressionStream("gzip")).getReader();
  // Small chunks are joined: a call into the filter for each would cost more than the lines.
  let held = [];
  let size = 0;
  try {
    for (;;) {
      signal?.throwIfAborted();
      const { done, value } = await damaged(reader.read());
      if (!done) {
        held.push(value);
        size += value.length;
      }
      if (size > 0 && (done || size >= PIECE / 4)) {
        yield { bytes: joined(held, size), read };
        held = [];
        size = 0;
      }
      if (done) return;
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}

async function damaged(promise) {
  try {
    return await promise;
  } catch (error) {
    throw new Said("bad_gzip", { why: error.message });
  }
}

function joined(chunks, size) {
  if (chunks.length === 1) return chunks[0];
  const all = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    all.set(chunk, at);
    at += chunk.length;
  }
  return all;
}
