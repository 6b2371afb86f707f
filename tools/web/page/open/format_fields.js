// What the bytes of a format do not contain: the fields that the page asks for.

const hutool = ["default", "elf", "fnv", "hf", "hfip", "js", "pjw", "rs", "sdbm", "tianl"];
const choices = { "hash-type": ["", "0", "1", "2"], "word-bits": ["", "32", "64"],
  domains: ["", "int64", "utf8", "both"], funnel: ["", "utf8", "utf16le", "latin1", "chars", "bytes", "int", "long"] };

/** To read a file. `hint` names a text. */
const toRead = {
  redisson: { names: ["bits", "hashes", "items", "rate"], hint: "redisson" },
  "redisson-dump": { names: ["bits", "hashes", "items", "rate"], hint: "redisson" },
  hbase: { names: ["hashes", "hash-type"], hint: "hbase" },
  "hutool-bitset": { names: ["bits", "hashes", "size-argument"], hint: "hutool_bitset" },
  "parquet-file": { names: ["column", "row-group"], hint: "parquet_file" },
  ...Object.fromEntries(hutool.map((name) => [`hutool-${name}`, { names: ["bits", "word-bits"], hint: "hutool" }])),
};

/** To write one. */
const toWrite = { "guava-java": { names: ["funnel"], hint: "guava_java" }, milvus: { names: ["domains"], hint: "milvus" } };

function fieldsIn(table, format) {
  const { names = [], hint = null } = table[format] ?? {};
  return { fields: names.map((name) => ({ name, choices: choices[name] })), hint };
}

export const fieldsToRead = (format) => fieldsIn(toRead, format);
export const fieldsToWrite = (format) => fieldsIn(toWrite, format);

/** "redisson,bits=9585058,hashes=7": the format with those fields that are filled in, and with `more`, as typed. */
export function formatChoice(format, values, fields, more = "") {
  const parts = fields.map(({ name }) => [name, String(values[name] ?? "").trim()]).filter(([, value]) => value !== "");
  const extra = more.split(",").map((part) => part.trim()).filter(Boolean);
  return [format, ...parts.map(([name, value]) => `${name}=${value}`), ...extra].join(",");
}

/** The formats that the library's sentence names as candidates. */
export function candidatesIn(sentence, known) {
  const named = /may be one of: ([^;]*)/.exec(sentence)?.[1] ?? "";
  return named.split(/[,\s]+/).filter((name) => known.includes(name));
}
