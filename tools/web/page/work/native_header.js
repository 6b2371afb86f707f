// What the first page of a native file says besides the filter itself. docs/format.md specifies it.

export const HEADER = 4096;
const MAGIC = [0x89, 0x42, 0x4c, 0x4d, 0x0d, 0x0a, 0x1a, 0x0a];

export function isNative(bytes) {
  return bytes.length >= MAGIC.length && MAGIC.every((byte, i) => bytes[i] === byte);
}

/** Of a header that the library has accepted: nothing is checked here. */
export function readHeader(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, HEADER);
  // Two records of the state; the one with the larger generation is valid.
  const [even, odd] = [2560, 3072].map((at) => ({ generation: view.getBigUint64(at, true), at }));
  const state = odd.generation > even.generation ? odd.at : even.at;
  return {
    version: view.getUint32(8, true),
    kind: view.getUint16(16, true),
    comment: new TextDecoder().decode(bytes.subarray(256, 256 + view.getUint32(44, true))),
    payload: Number(view.getBigUint64(64, true)),
    secretKept: (view.getUint32(76, true) & 1) === 1,
    sealed: view.getBigUint64(state + 8, true) === 1n,
    bitsSet: Number(view.getBigUint64(state + 16, true)),
  };
}
