// Calls from the page to a worker, with progress and a way to stop. Errors keep their code and their sentence.

/** In the worker: serves `methods`, each (params, { progress, signal }) => result. A result made by `moved` is moved
 *  instead of copied. */
export function serve(start, methods) {
  const running = new Map();
  let started;
  self.addEventListener("message", async ({ data }) => {
    if (data.type === "start") {
      started = start(data);
      started.catch(() => {}); // each call reports it
      return;
    }
    if (data.type === "stop") {
      running.get(data.id)?.abort();
      return;
    }
    const { id, method, params } = data;
    const controller = new AbortController();
    running.set(id, controller);
    try {
      await started;
      const progress = (value) => self.postMessage({ id, progress: value });
      const result = await methods[method](params, { progress, signal: controller.signal });
      self.postMessage({ id, result }, result?.[TRANSFER] ?? []);
    } catch (error) {
      self.postMessage({ id, error: flattened(error) });
    } finally {
      running.delete(id);
    }
  });
}

const TRANSFER = Symbol("transfer");
export function moved(result, buffers) {
  Object.defineProperty(result, TRANSFER, { value: buffers });
  return result;
}

function flattened(error) {
  const { name = "Error", code, said, format } = error ?? {};
  return { name, code, said, format, message: String(error?.message ?? error) };
}

/** An error of a worker, as the page sees it: `said` names one of the texts `open.work.…`, with its values. */
export class WorkerError extends Error {
  constructor(flat) {
    super(flat.message);
    this.name = flat.name;
    this.code = flat.code;
    this.said = flat.said;
    this.format = flat.format;
  }
}

/** An error that the page says in its own words. */
export class Said extends Error {
  constructor(key, values = {}) {
    super(key);
    this.said = [key, values];
  }
}

/** In the page: the other end. */
export class Caller {
  #worker;
  #calls = new Map();
  #next = 1;

  constructor(worker) {
    this.#worker = worker;
    worker.addEventListener("message", ({ data }) => {
      const call = this.#calls.get(data.id);
      if (!call) return;
      if ("progress" in data) return call.progress?.(data.progress);
      this.#calls.delete(data.id);
      if (data.error) call.reject(new WorkerError(data.error));
      else call.resolve(data.result);
    });
    const lost = (event) => {
      event.preventDefault?.();
      this.#drop(new WorkerError({ name: "WorkerError", code: "lost", message: event.message ?? "", said: ["lost", {}] }));
    };
    worker.addEventListener("error", lost);
    worker.addEventListener("messageerror", lost);
  }

  call(method, params, { progress, signal, transfer = [] } = {}) {
    const id = this.#next++;
    return new Promise((resolve, reject) => {
      this.#calls.set(id, { resolve, reject, progress });
      signal?.addEventListener("abort", () => this.#worker?.postMessage({ type: "stop", id }));
      this.#worker.postMessage({ id, method, params }, transfer);
    });
  }

  /** Calls that are under way are refused with an AbortError. */
  terminate() {
    this.#worker.terminate();
    this.#drop(new WorkerError({ name: "AbortError", code: "stopped", message: "stopped" }));
  }

  #drop(error) {
    for (const call of this.#calls.values()) call.reject(error);
    this.#calls.clear();
  }
}
