// The worker of the part Dedupe.
import * as bloomery from "bloomery";
import { dedupe } from "../work/dedupe.js";
import { serve } from "../work/rpc.js";
import { removePrivate } from "../work/sink.js";

serve(({ wasm }) => bloomery.ready(wasm), {
  dedupe: (params, control) => dedupe(bloomery, params, control),
  forget: ({ name }) => removePrivate(name),
});
