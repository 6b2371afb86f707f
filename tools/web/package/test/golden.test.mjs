// Files that are kept in tests/data give the answers that they gave when they were made.
import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { api, bits, data, fileBytes, hex, readFileSync, run, temporary, tryRun, words, writeFileSync } from "./helpers.mjs";

const { Filter } = api;
const secret = hex("efcdab89674523011032547698badcfe");

for (const name of readdirSync(join(data, "native"))) {
  test(`${name} answers as in the command`, () => {
    const path = join(data, "native", name);
    const bytes = fileBytes(path);
    const options = name === "v1-keyed.bloom" ? { secret } : {};
    const filter = Filter.fromBytes(bytes, options);
    // The command reads a secret as two numbers in hexadecimal.
    writeFileSync(temporary("secret"), "0123456789abcdeffedcba9876543210\n");
    const more = name === "v1-keyed.bloom" ? ["--secret-file", temporary("secret")] : [];
    const info = JSON.parse(run(["info", "--json", ...more, path]));
    assert.equal(filter.info().kind, info.kind);
    if (info.layout) assert.equal(filter.info().layout, info.layout);
    const keys = [...words(3000), ...Array.from({ length: 6000 }, (_, i) => String(i))];
    const found = new Set(tryRun(["grep", "--key", "bytes", ...more, path], keys.join("\n") + "\n").stdout.split("\n"));
    assert.deepEqual(new Set(filter.possible(keys)), new Set([...found].filter((key) => key !== "")));
    if (name !== "v1-open.bloom" && name !== "v1-mapped.bloom") { // those were changed in place
      const comment = info.comment ?? "";
      const again = filter.toBytes({ ...(comment ? { comment } : {}), keepSecret: name === "v1-secret.bloom" });
      assert.equal(Buffer.compare(again, bytes), 0, "written again, the bytes differ");
    }
  });
}

// The manifests: what other systems answered.
const asHex = (key) => hex(key);
const number = (key) => BigInt(typeof key === "object" ? key.long : key);
const same = (key) => key;
const funnels = { byteArray: ["bytes", asHex], integer: ["i32le", number], long: ["i64le", number],
  unencodedChars: ["utf16le", same], string_utf8: ["utf8", same], string_utf16le: ["utf16le-text", same],
  string_latin1: ["latin1", same], sequential_integer: ["i32le", null], sequential_string_utf8: ["utf8", null] };

/** How the files of a case are read: [file, format, encoding, how a key is written]. */
const readers = {
  cassandra: (one) => [[one.file, "cassandra", "bytes", asHex], [one.old_format_file, "cassandra-old", "bytes", asHex]],
  datasketches: (one) => [[one.file, "datasketches", "bytes", asHex]],
  dcso: (one) => (one.gzip ? [] : [[one.file, "dcso", "bytes", same]]),
  "go-bloom-v2.0.0-fnv": (one) => [[one.file, "go-fnv", "bytes", asHex], [one.json, "go-fnv-json", "bytes", asHex],
    [one.gob_stream, "go-fnv-gob", "bytes", asHex]],
  "go-bloom-v3": (one) => [[one.file, "go", "bytes", asHex], [one.json, "go-json", "bytes", asHex],
    [one.gob_stream, "go-gob", "bytes", asHex]],
  "guava-31.1": (one) => [[one.file, undefined, ...funnels[one.funnel]]],
  "guava-33.4plus": (one) => [[one.file, undefined, ...funnels[one.funnel]]],
  hbase: (one) => [[one.file, `hbase,hashes=${one.hash_count},hash-type=${one.hash_type}`, "bytes", asHex]],
  hadoop: (one) => [[one.file, one.counting ? "hadoop-counting" : "hadoop", "bytes", asHex]],
  hutool: (one) => [[one.file, `hutool-bitset,bits=${one.bits},hashes=${one.k}`, "utf16le", same]],
  leveldb: (one) => [[one.file, "leveldb", "bytes", asHex]],
  parquet: (one) => [[one.file, "parquet-bitset", ...({ binary: ["bytes", asHex], int32: ["i32le", number],
    int64: ["i64le", number] }[one.type_name] ?? ["bytes", (key) => hex(key).reverse()])]], // IEEE bits as a number
  redisson: (one) => ["file", "dump_file"].filter((name) => one[name]).map((name) => [one[name],
    `redisson${name === "file" ? "" : "-dump"},bits=${one.size},hashes=${one.hashIterations}`, ...codecs[one.codec]]),
  rocksdb: (one) => [[one.file, one.format_version >= 5 ? "rocksdb-5" : "rocksdb", "bytes", asHex]],
  spark: (one) => [[one.file, undefined, ...{ long: ["int", number], string: ["utf8", same],
    binary: ["bytes", asHex] }[one.key_type]]],
};
const codecs = { StringCodec: ["utf8", same], Kryo5Codec: ["kryo5", same], ByteArrayCodec: ["bytes", asHex] };

for (const [peer, read] of Object.entries(readers)) {
  test(`the files of ${peer} answer as they did there`, () => {
    const folder = join(data, "foreign", peer);
    const manifest = JSON.parse(readFileSync(join(folder, "manifest.json"), "utf8"));
    let asked = 0;
    for (const one of manifest.cases) {
      if (!one.file || !one.answers || (one.type && !["redis", "bitset"].includes(one.type))) continue;
      const probes = one.probes ?? manifest.cases.find((other) => other.id === "hashes").rows.map((row) => row[0]);
      for (const [file, format, encoding, written] of read(one)) {
        if (!file || !written) continue;
        const filter = Filter.fromBytes(fileBytes(join(folder, file)), { format, encoding });
        const pairs = probes.map((probe, i) => [probe, Number(one.answers[i])])
          .filter(([probe, answer]) => (peer !== "redisson" || typeof probe === "string") && !Number.isNaN(answer));
        const keys = pairs.map(([probe]) => written(probe));
        assert.equal(bits(filter.hasMany(keys), keys.length), pairs.map(([, answer]) => answer).join(""),
          `${file} of ${peer}`);
        keys.slice(0, 20).forEach((key, i) => assert.equal(filter.has(key), pairs[i][1] === 1));
        asked += keys.length;
      }
    }
    assert.ok(asked > 100, `only ${asked} answers were compared`);
  });
}

test("the filters of RedisBloom answer as they did there", () => {
  const folder = join(data, "foreign", "redisbloom");
  const manifest = JSON.parse(readFileSync(join(folder, "manifest.json"), "utf8"));
  for (const one of manifest.cases.filter((each) => each.header_file)) {
    const all = Buffer.concat([readFileSync(join(folder, one.header_file)), readFileSync(join(folder, one.bits_file))]);
    const filter = Filter.fromBytes(new Uint8Array(all), { format: "redisbloom" });
    assert.equal(bits(filter.hasMany(one.probes.map(asHex)), one.probes.length), one.answers, one.id);
  }
});

test("the filters of Milvus answer as they did there", () => {
  const folder = join(data, "foreign", "milvus");
  const manifest = JSON.parse(readFileSync(join(folder, "manifest.json"), "utf8"));
  const texts = (list) => list.map((key) => Buffer.from(key, "hex").toString());
  for (const one of manifest.cases.filter((each) => each.file)) {
    const bytes = fileBytes(join(folder, one.file));
    const filter = Filter.fromBytes(bytes);
    assert.equal(bits(filter.hasMany(one.int_probes.map(BigInt)), one.int_probes.length), one.int_answers, one.id);
    assert.equal(bits(filter.hasMany(one.text_probes.map(asHex)), one.text_probes.length), one.text_answers, one.id);
    if (one.n === "0") continue; // no filter is made for no keys
    const made = Filter.create({ items: Number(one.n), rate: one.p, format: "milvus" });
    one.ints.forEach((key) => made.add(BigInt(key)));
    texts(one.texts).forEach((key) => made.add(key));
    assert.equal(Buffer.compare(made.toBytes({ format: "milvus" }), bytes), 0, one.id);
  }
});

test("a compressed filter is refused with a sentence", () => {
  const folder = join(data, "foreign", "dcso");
  const manifest = JSON.parse(readFileSync(join(folder, "manifest.json"), "utf8"));
  const packed = manifest.cases.find((one) => one.gzip);
  assert.throws(() => Filter.fromBytes(fileBytes(join(folder, packed.file)), { format: "dcso" }),
    (error) => error instanceof api.BloomeryError && /gzip|compressed/.test(error.message));
});
