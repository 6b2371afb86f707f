// Where a worker writes: a file that the user picked, the browser's private files, or the parts of a Blob.
import { Said } from "./rpc.js";

const PART = 8 * 2 ** 20;
const PREFIX = "bloomery-";

/** Collects small writes; `out` has write(bytes), close() and abort(). */
class Buffered {
  #buffer = new Uint8Array(PART);
  #at = 0;
  #out;
  written = 0;

  constructor(out) {
    this.#out = out;
  }

  /** A promise only if something had to be written, so that a loop need not wait for each line. */
  write(bytes) {
    this.written += bytes.length;
    if (this.#at + bytes.length > PART) return this.#overflow(bytes);
    this.#buffer.set(bytes, this.#at);
    this.#at += bytes.length;
    return null;
  }

  async #overflow(bytes) {
    await this.#flush();
    if (bytes.length > PART / 2) await this.#put(bytes.slice());
    else this.write(bytes), (this.written -= bytes.length);
  }

  async #flush() {
    if (this.#at === 0) return;
    const full = this.#buffer.subarray(0, this.#at);
    this.#at = 0;
    await this.#put(full);
  }

  async #put(bytes) {
    try {
      await this.#out.write(bytes);
    } catch (error) {
      if (error.said) throw error;
      throw new Said("unwritable", { why: error.message });
    }
  }

  async close() {
    await this.#flush();
    try {
      return await this.#out.close();
    } catch (error) {
      throw new Said("unwritable", { why: error.message });
    }
  }

  async abort() {
    this.#at = 0;
    await Promise.resolve(this.#out.abort()).catch(() => {});
  }
}

/** The browser keeps the parts of a Blob on disk, if there are many. */
function blobParts() {
  let parts = [];
  return {
    write(bytes) {
      parts.push(new Blob([bytes]));
    },
    close() {
      return { place: "blob", blob: new Blob(parts) };
    },
    abort() {
      parts = [];
    },
  };
}

async function privateFile(folder) {
  const name = `${PREFIX}${Date.now()}-${Math.random().toString(36).slice(2)}`;
  const handle = await folder.getFileHandle(name, { create: true });
  const access = await handle.createSyncAccessHandle();
  let at = 0;
  return {
    write(bytes) {
      const written = access.write(bytes, { at });
      at += written;
      if (written < bytes.length) throw new Said("storage_full");
    },
    async close() {
      access.flush();
      access.close();
      return { place: "private", blob: await handle.getFile(), name };
    },
    async abort() {
      access.close();
      await folder.removeEntry(name);
    },
  };
}

async function pickedFile(handle) {
  const stream = await handle.createWritable();
  return {
    write: (bytes) => stream.write(bytes),
    async close() {
      await stream.close();
      return { place: "picked", name: handle.name };
    },
    // What was in the file before stays: the browser replaces it only on close().
    abort: () => stream.abort(),
  };
}

/** Removes what an earlier visit left: a page that is closed cannot tidy up. */
async function removeOld(folder) {
  const yesterday = Date.now() - 24 * 3600 * 1000;
  for await (const name of folder.keys()) {
    if (name.startsWith(PREFIX) && Number(name.slice(PREFIX.length).split("-")[0]) < yesterday) {
      await folder.removeEntry(name).catch(() => {});
    }
  }
}

/** The best place that there is. `expected`: about how many bytes will come; small results stay in memory. */
export async function openSink({ handle, expected = 0 }) {
  if (handle) return new Buffered(await pickedFile(handle));
  if (expected > 64 * 2 ** 20 && globalThis.navigator?.storage?.getDirectory) {
    try {
      const folder = await navigator.storage.getDirectory();
      await removeOld(folder);
      const { quota = 0, usage = 0 } = (await navigator.storage.estimate?.()) ?? {};
      if (quota - usage > 1.1 * expected) return new Buffered(await privateFile(folder));
    } catch {
      // A page opened from disk has no private files.
    }
  }
  return new Buffered(blobParts());
}

export async function removePrivate(name) {
  const folder = await navigator.storage.getDirectory();
  await folder.removeEntry(name).catch(() => {});
}
