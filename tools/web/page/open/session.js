// The worker of this part and the filters that it has open.
import { Caller } from "../work/rpc.js";

const SMALL = 32 * 2 ** 20;

export class Session {
  #context;
  #caller = null;
  #grown = false;

  constructor(context) {
    this.#context = context;
  }

  /** Opens the file that everything else is about. The memory of a WebAssembly module never shrinks, so after a large
   *  file there is a new worker. */
  async openFirst(file, choice) {
    if (this.#grown) this.end();
    this.#grown = file.size > SMALL;
    return this.call("open", { file, ...choice });
  }

  open(file, choice) {
    this.#grown ||= file.size > SMALL;
    return this.call("open", { file, ...choice });
  }

  async call(method, params, control) {
    this.#caller ??= new Caller(this.#context.startWorker("filters"));
    const caller = this.#caller;
    try {
      return await caller.call(method, params, control);
    } catch (error) {
      // After a crash the next call gets a new worker.
      if (error.code === "lost" || error.code === "out_of_memory") this.#end(caller);
      throw error;
    }
  }

  close(opened) {
    if (opened && this.#caller) this.call("close", { id: opened.id }).catch(() => {});
  }

  end() {
    if (this.#caller) this.#end(this.#caller);
  }

  #end(caller) {
    if (this.#caller === caller) this.#caller = null;
    caller.terminate();
    this.#grown = false;
  }
}
