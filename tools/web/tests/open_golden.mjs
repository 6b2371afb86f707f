// The golden files of tests/data, as a user would open them: { path, name, bytes, format, secret } with the format as it
// must be named, or "" if the bytes tell.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { execFileSync } from "node:child_process";
import { basename, dirname, extname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "../../..");
const data = join(root, "tests/data");
export const command = process.env.BLOOMERY ?? join(root, "build/bloomery");
if (!existsSync(command)) throw new Error(`${command} does not exist: build the command first, or name it in BLOOMERY`);

/** What the command prints; its errors go to the test. */
export function bloomery(...words) {
  return execFileSync(command, words, { maxBuffer: 2 ** 30, stdio: ["ignore", "pipe", "pipe"] });
}

function manifest(folder) {
  return JSON.parse(readFileSync(join(data, "foreign", folder, "manifest.json"))).cases;
}

const fileCase = (folder, name) => manifest(folder).find((one) => one.file === name || one.dump_file === name);

const named = {
  cassandra: (name) => (name.includes(".old.") ? "cassandra-old" : "cassandra"),
  "go-bloom-v2.0.0-fnv": (name) => ({ ".json": "go-fnv-json", ".gob": "go-fnv-gob" }[extname(name)] ?? "go-fnv"),
  "go-bloom-v3": (name) => ({ ".json": "go-json", ".gob": "go-gob" }[extname(name)] ?? "go"),
  hbase: (name) => `hbase,hashes=${fileCase("hbase", name).hash_count},hash-type=${fileCase("hbase", name).hash_type}`,
  hutool: (name) => `hutool-bitset,bits=${fileCase("hutool", name).bits},hashes=${fileCase("hutool", name).k}`,
  leveldb: () => "leveldb",
  parquet: () => "parquet-bitset",
  redisson(name) {
    const { size, hashIterations } = fileCase("redisson", name);
    return `${name.endsWith(".dump") ? "redisson-dump" : "redisson"},bits=${size},hashes=${hashIterations}`;
  },
  rocksdb: (name) => (name === "b10_n0_fv5.bin" ? "rocksdb-5" : ""),
};

const secrets = { "v1-keyed.bloom": "0123456789abcdeffedcba9876543210" }; // that of tests/format/golden.cpp

function golden(path, format = "") {
  const name = basename(path);
  return { path, name, bytes: readFileSync(path), format, secret: secrets[name] };
}

function foreign(folder) {
  const names = readdirSync(join(data, "foreign", folder)).filter((name) => name !== "manifest.json" && extname(name) !== "");
  if (folder === "redisbloom") return []; // their chunks are in two files
  return names.map((name) => golden(join(data, "foreign", folder, name), named[folder]?.(name)));
}

export function goldenFiles() {
  const native = readdirSync(join(data, "native")).map((name) => golden(join(data, "native", name)));
  const folders = readdirSync(join(data, "foreign"), { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const parquet = [golden(join(data, "parquet/one.parquet")), golden(join(data, "parquet/several.parquet"), "parquet-file,column=name,row-group=1")];
  return [...native, ...folders.flatMap((entry) => foreign(entry.name)), ...parquet];
}

/** The chunks of BF.SCANDUMP, one after the other. */
export function redisBloomDumps() {
  return manifest("redisbloom").map(({ id, header_file: header, bits_file: bits }) => ({ name: `${id}.bin`, format: "",
    bytes: Buffer.concat([header, bits].map((name) => readFileSync(join(data, "foreign/redisbloom", name)))) }));
}
