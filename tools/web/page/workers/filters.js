// The worker of the part Open.
import * as bloomery from "bloomery";
import { ask, askList } from "../work/asking.js";
import { Filters } from "../work/filters.js";
import { serve } from "../work/rpc.js";

const filters = new Filters(bloomery);

serve(({ wasm }) => bloomery.ready(wasm), {
  open: (params) => filters.open(params),
  density: (params, control) => filters.density(params, control),
  ask: (params) => ask(filters.get(params.id), params),
  list: (params, control) => askList(filters.get(params.id), params, control),
  merge: (params) => filters.merge(params),
  targets: (params) => filters.targets(params),
  save: (params) => filters.save(params),
  close: (params) => filters.close(params),
});
