// Code that makes the planned filter, in five languages. `layout` is set only if the user chose one.

const types = { classic: "classic_filter", "split-8x32": "fast_filter", "split-8x64": "line_filter", "split-16x32": "deep_filter" };
const typeOf = (layout) => types[layout] ?? (layout?.startsWith("blocked") ? "blocked_filter" : "filter");
const commandLayout = (layout) => (layout.startsWith("blocked") ? "blocked" : layout);

function grouped(value, mark) {
  return String(value).replace(/\B(?=(\d{3})+$)/g, mark);
}

/** The arguments that remake the filter: bits and hashes if k was given, keys and memory if a size was, else keys and rate. */
function shapeOf({ plan, options }) {
  if (options.hashes) return { bits: plan.bits, hashes: plan.hashes };
  if (options.bytes || options.bits) return { bytes: plan.bytes, items: plan.items };
  return { items: plan.items, rate: plan.rate };
}

function cpp(question) {
  const shape = shapeOf(question);
  const arguments_ = shape.hashes ? `bits{${grouped(shape.bits, "'")}}, hashes{${shape.hashes}}`
    : shape.bytes ? `bytes{${grouped(shape.bytes, "'")}}, items{${grouped(shape.items, "'")}}`
      : `items{${grouped(shape.items, "'")}}, rate{${shape.rate}}`;
  const type = shape.hashes && !question.options.layout ? "filter" : typeOf(question.options.layout);
  return `#include <bloomery/bloomery.hpp>

using namespace bloomery;

${type} seen{${arguments_}};
if (seen.try_insert(key)) {     // true: definitely not seen before
    // ...
}
save(seen, "seen.bloom");`;
}

function commandShape(question) {
  const shape = shapeOf(question);
  const parts = shape.hashes ? [`--bits ${shape.bits}`, `-k ${shape.hashes}`]
    : shape.bytes ? [`-n ${shape.items}`, `--bytes ${shape.bytes}`]
      : [`-n ${shape.items}`, `-p ${shape.rate}`];
  if (question.options.layout) parts.unshift(`--layout ${commandLayout(question.options.layout)}`);
  return parts.join(" ");
}

function command(question) {
  return `bloomery create ${commandShape(question)} seen.bloom
bloomery add  seen.bloom < keys.txt       # one key per line
bloomery test seen.bloom apple pear
bloomery grep -v seen.bloom < more.txt    # only lines that are not in it`;
}

function redis({ plan }) {
  return `# In a plain Redis, without a module
bloomery create --redis redis://127.0.0.1:6379 -n ${plan.items} -p ${plan.rate} seen
bloomery add    --redis redis://127.0.0.1:6379 seen < keys.txt

# With the module: redis-server --loadmodule ./build/bloomery.so
redis-cli BF.RESERVE seen ${plan.rate} ${plan.items}
redis-cli BF.ADD     seen apple
redis-cli BF.EXISTS  seen pear`;
}

function python(question) {
  const shape = shapeOf(question);
  const parts = shape.hashes ? [`bits=${grouped(shape.bits, "_")}`, `hashes=${shape.hashes}`]
    : shape.bytes ? [grouped(shape.items, "_"), `nbytes=${grouped(shape.bytes, "_")}`]
      : [grouped(shape.items, "_"), String(shape.rate)];
  if (question.options.layout) parts.push(`layout="${commandLayout(question.options.layout)}"`);
  return `from bloomery import Filter

seen = Filter(${parts.join(", ")})
if seen.add("apple"):           # True: it was certainly new
    ...
seen.update(["pear", "plum"])   # many at once is faster
seen.save("seen.bloom")`;
}

function javascript(question) {
  const shape = shapeOf(question);
  const parts = Object.entries(shape).map(([name, value]) => `${name}: ${grouped(value, "_")}`);
  if (shape.rate) parts.splice(0, parts.length, `items: ${grouped(shape.items, "_")}`, `rate: ${shape.rate}`);
  if (question.options.layout) parts.push(`layout: "${question.options.layout}"`);
  return `import { Filter } from "bloomery";

const seen = Filter.create({ ${parts.join(", ")} });
if (seen.tryAdd("apple")) {     // true: it was definitely new
  // ...
}
seen.addMany(["pear", "plum"]); // many at once is faster
const bytes = seen.toBytes();   // the file that the command and the libraries read`;
}

export const snippetMakers = { cpp, command, redis, python, javascript };
