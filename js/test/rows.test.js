// Rows, columns, conditions, writing, and what is freed.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { ArrowDate, createWriter, open, write } from "../index.js";
import { positionsOf } from "../src/selection.js";
import { golden } from "./support.js";

const people = async (options) =>
  open(
    await write(
      [
        { id: Int32Array.of(1, 2, 3), name: ["ada", null, "bob"], age: [36, 41, null] },
        { id: Int32Array.of(4, 5), name: ["eve", "zoë"], age: [50, 17] },
      ],
      options,
    ),
  );

test("conditions, ranges, limits and forms", async () => {
  const file = await people();
  const ids = async (options) => (await file.rows({ columns: ["id"], as: "arrays", ...options }).toArray()).flat();
  assert.deepEqual(await ids({}), [1, 2, 3, 4, 5]);
  assert.deepEqual(await ids({ where: "age > 36" }), [2, 4]);
  assert.deepEqual(await ids({ where: "age > 36 or name = 'zoë'", limit: 2 }), [2, 4]);
  assert.deepEqual(await ids({ where: "age > 36", from: 2 }), [4]);
  assert.deepEqual(await ids({ where: "age is null", trustStatistics: true }), [3]);
  assert.deepEqual(await ids({ from: 2, limit: 2 }), [3, 4]);
  assert.deepEqual(await ids({ from: 1, to: 2 }), [2]);
  assert.deepEqual(await ids({ from: 9 }), []);
  assert.deepEqual(await ids({ where: "age > 400" }), []);
  assert.deepEqual(await file.rows({ where: "id = 5", columns: ["name"] }).toArray(), [{ name: "zoë" }]);
  const seen = [];
  for await (const row of file.rows()) {
    seen.push(row.id);
    if (row.id === 4) break;
  }
  assert.deepEqual(seen, [1, 2, 3, 4]);
  for (const [options, message] of [
    [{ where: "aeg > 3" }, /aeg/],
    [{ where: "age >" }, /where/],
    [{ where: 7 }, /where/],
    [{ columns: ["none"] }, /no column "none"/],
    [{ columns: [9] }, /no column 9/],
    [{ from: -1 }, /from/],
    [{ as: "text" }, /objects/],
  ]) {
    await assert.rejects(async () => file.rows(options).toArray(), { code: "misuse", message });
  }
  await assert.rejects(file.batch(2), { message: /batch/ });
  await assert.rejects(file.batch(0, { rows: [0, 4] }));
  file.free();
  file.free();
  await assert.rejects(file.batch(0), { code: "misuse", message: /freed/ });
});

test("names that repeat, and names that are special", async () => {
  const found = golden().find(({ name }) => name.endsWith("pyarrow-26.0.1/names.arrow"));
  const file = await open(readFileSync(found.path));
  await assert.rejects(file.rows().toArray(), { code: "misuse", message: /repeat/ });
  const rows = await file.rows({ as: "arrays" }).toArray();
  assert.equal(rows[0].length, file.schema.fields.length);
  const odd = await open(await write({ ["__proto__"]: [1], constructor: [2], "a b": [3] }, { schema: [
    { name: "__proto__", type: "float64" }, { name: "constructor", type: "float64" }, { name: "a b", type: "float64" },
  ] }));
  const [row] = await odd.rows().toArray();
  assert.deepEqual(Object.keys(row), ["__proto__", "constructor", "a b"]);
  assert.equal(Object.getPrototypeOf(row), Object.prototype);
  assert.equal(Object.getOwnPropertyDescriptor(row, "__proto__").value, 1);
});

test("many columns by their names", async () => {
  const n = 20_000;
  let n_asked = 0;
  const fields = Array.from({ length: n }, (_, i) => ({ get name() { n_asked++; return `c${i}`; } }));
  const names = Array.from({ length: n }, (_, i) => `c${n - 1 - i}`);
  for (let k = 0; k < 3; k++) assert.deepEqual(positionsOf({ fields, unsupported: [] }, names), names.map((_, i) => n - 1 - i));
  assert.ok(n_asked < 2 * n, `${n_asked} names were asked for`);
  const file = await open(await write({ a: [1], b: [2], c: [3] }));
  const batch = await file.batch(0, { columns: ["c", 0] });
  assert.deepEqual([batch.column("c"), batch.column("a"), batch.column(0)].map((column) => column.get(0)), [3, 1, 3]);
  assert.throws(() => batch.column("b"), { code: "misuse", message: /no column "b"/ });
  file.free();
});

test("what is written is read back", async () => {
  const columns = {
    i8: Int8Array.of(-1, 2),
    u8: Uint8Array.of(1, 255),
    i64: BigInt64Array.of(-(1n << 63n), 1n),
    u64: BigUint64Array.of((1n << 64n) - 1n, 0n),
    f32: Float32Array.of(0.1, -0),
    f64: [NaN, Infinity],
    big: [1n << 40n, null],
    text: ["😀", ""],
    flag: [true, null],
    bytes: [Uint8Array.of(0, 255), null],
    at: [new Date(1_234), new Date(-1)],
    micros: [new ArrowDate(-1n, "us"), null],
    day: [new ArrowDate(-1, "day"), null],
    list: [[1, null], []],
    struct: [{ a: 1, b: "x" }, null],
    map: [new Map([["k", 1]]), new Map()],
    nothing: [null, null],
  };
  for (const options of [{}, { container: "stream" }, { compression: "lz4" }, { container: "stream", compression: "lz4" }]) {
    const file = await open(await write(columns, options));
    assert.equal(file.container, options.container ?? "file");
    const batch = await file.batch(0);
    for (const [name, values] of Object.entries(columns)) {
      assert.deepEqual(batch.column(name).toArray().map(plain), Array.from(values, plain), name);
    }
    assert.equal(String(batch.column("micros").get(0)), "1969-12-31T23:59:59.999999");
    assert.equal(String(batch.column("day").get(0)), "1969-12-31");
    file.free();
  }
});

const plain = (value) => (value instanceof Date ? value.getTime() : value);

test("fields that were read are written with their metadata and extension types", async () => {
  const uuid = "00112233-4455-6677-8899-aabbccddeeff";
  const fields = [
    { name: "id", type: "fixed_size_binary(16)", metadata: { "ARROW:extension:name": "arrow.uuid", "ARROW:extension:metadata": "" } },
    { name: "flag", type: "int8", metadata: [["ARROW:extension:name", "arrow.bool8"], ["unit", "none"]] },
    { name: "n", type: "int32", nullable: false },
  ];
  const first = await open(await write({ id: [uuid, null], flag: [true, false], n: Int32Array.of(1, 2) }, { schema: fields }));
  const rows = await first.rows().toArray();
  assert.deepEqual(rows, [{ id: uuid, flag: true, n: 1 }, { id: null, flag: false, n: 2 }]);
  const columns = Object.fromEntries(first.schema.fields.map(({ name }) => [name, rows.map((row) => row[name])]));
  const second = await open(await write(columns, { schema: first.schema.fields }));
  assert.deepEqual(second.schema.fields, first.schema.fields);
  assert.deepEqual(second.schema.fields.map(({ extension, nullable }) => [extension, nullable]), [["arrow.uuid", true], ["arrow.bool8", true], [null, false]]);
  assert.deepEqual(await second.rows().toArray(), rows);
  await assert.rejects(write(columns, { schema: [{ name: "id", type: "int32", nulable: true }] }), { code: "misuse", message: /no option nulable/ });
  first.free();
  second.free();
});

test("metadata and schemas may be maps", async () => {
  const metadata = new Map([["owner", "ada"], ["empty", ""]]);
  const children = [{ name: "item", metadata: new Map([["lang", "no"]]) }];
  const schema = [{ name: "tags", type: { text: "list<item: utf8>", children }, metadata }];
  const file = await open(await write({ tags: [["a"]] }, { schema, metadata }));
  assert.deepEqual(file.schema.metadata, [...metadata]);
  const [field] = file.schema.fields;
  assert.deepEqual([field.metadata, field.type.children[0].metadata], [[...metadata], [["lang", "no"]]]);
  const second = await open(await write({ n: [1], s: ["x"] }, { schema: new Map([["s", "utf8"], ["n", "int8"]]) }));
  assert.deepEqual(second.schema.fields.map(({ name, type }) => [name, type.text]), [["s", "utf8"], ["n", "int8"]]);
  const none = await open(await write({ a: [1] }, { metadata: new Map() }));
  assert.deepEqual(none.schema.metadata, []);
});

test("fields in types have metadata and extension types", async () => {
  const uuid = "00112233-4455-6677-8899-aabbccddeeff";
  const extension = { "ARROW:extension:name": "arrow.uuid", "ARROW:extension:metadata": "" };
  const struct = {
    text: "struct<id: fixed_size_binary(16), tags: list<item: utf8 not null>>",
    children: [
      { name: "id", metadata: extension },
      { name: "tags", metadata: [["a", "1"], ["a", "2"]], type: { text: "list<item: utf8 not null>", children: [{ name: "item", metadata: { unit: "none" } }] } },
    ],
  };
  const map = {
    text: "map<entries: struct<key: utf8 not null, value: int32> not null>",
    children: [{ name: "entries", type: { text: "", children: [{ name: "key" }, { name: "value", metadata: { unit: "m" } }] } }],
  };
  const dictionary = { text: "dictionary<int8, struct<x: int8>>", values: { text: "struct<x: int8>", children: [{ name: "x", metadata: { unit: "s" } }] } };
  const schema = [{ name: "s", type: struct, metadata: { own: "yes" } }, { name: "m", type: map }, { name: "d", type: dictionary }];
  const rows = [{ s: { id: uuid, tags: ["x"] }, m: new Map([["k", 1]]), d: { x: 7 } }];
  const columns = { s: [rows[0].s], m: [rows[0].m], d: [rows[0].d] };
  const first = await open(await write(columns, { schema }));
  const [s, m, d] = first.schema.fields;
  const of = ({ metadata, extension }) => [metadata, extension];
  assert.deepEqual(of(s), [[["own", "yes"]], null]);
  assert.deepEqual(s.type.children.map(of), [[Object.entries(extension), "arrow.uuid"], [[["a", "1"], ["a", "2"]], null]]);
  assert.deepEqual(of(s.type.children[1].type.children[0]), [[["unit", "none"]], null]);
  assert.deepEqual(m.type.children[0].type.children.map(of), [[[], null], [[["unit", "m"]], null]]);
  assert.deepEqual(d.type.values.children.map(of), [[[["unit", "s"]], null]]);
  assert.deepEqual(await first.rows().toArray(), rows);
  // What was read is written again as it is.
  const second = await open(await write(columns, { schema: first.schema.fields }));
  assert.deepEqual(second.schema.fields, first.schema.fields);
  assert.deepEqual(await second.rows().toArray(), rows);
});

test("values of runs have the form of their field, unless the field around has one", async () => {
  const named = (name) => {
    if (name === null) return [];
    const [extension, metadata] = name.split(" ");
    return [["ARROW:extension:name", extension], ["ARROW:extension:metadata", metadata ?? (name === "arrow.fixed_shape_tensor" ? '{"shape":[2,2]}' : "")]];
  };
  const runs = (type, own, around = null, name = "v") => ({
    name,
    metadata: named(around),
    type: { text: `run_end_encoded<run_ends: int32 not null, values: ${type}>`, children: [{ name: "run_ends" }, { name: "values", metadata: named(own) }] },
  });
  const list = { name: "v", type: { text: "list<item: run_end_encoded<run_ends: int32 not null, values: int8>>", children: [runs("int8", "arrow.bool8", null, "item")] } };
  const uuid = "00112233-4455-6677-8899-aabbccddeeff";
  const hex = uuid.replaceAll("-", "");
  // What `arrow-ipc cat` writes of the same files.
  for (const [field, value, json, read = value] of [
    [runs("fixed_size_binary(16)", "arrow.uuid"), uuid, `"${uuid}"`],
    [runs("int8", "arrow.bool8"), true, "true"],
    [runs("utf8", "arrow.json"), '{"a": 1}', '{"a": 1}'],
    [runs("fixed_size_list<item: int8; 4>", "arrow.fixed_shape_tensor"), [[1, 2], [3, 4]], "[[1,2],[3,4]]", [1, 2, 3, 4]],
    [runs("dictionary<int8, utf8>", "arrow.json"), "[1, 2]", "[1, 2]"],
    [runs("utf8", null, "arrow.json"), "[1]", "[1]"],
    [runs("utf8", "arrow.json", "arrow.json"), "[1]", "[1]"],
    [runs("utf8", "another.type", "arrow.json"), "[1]", "[1]"],
    [runs("utf8", "arrow.json", "another.type"), "[1]", "[1]"],
    [runs("utf8", "arrow.json", "arrow.bool8"), "[1]", "[1]"],
    [runs("fixed_size_binary(15)", "arrow.uuid"), hex.slice(2), `"${hex.slice(2)}"`, Uint8Array.from(Buffer.from(hex.slice(2), "hex"))],
    [list, [true, false], "[true,false]"],
    // Damaged metadata.
    [runs("fixed_size_binary(16)", "arrow.uuid x"), hex, `"${hex}"`, Uint8Array.from(Buffer.from(hex, "hex"))],
    [runs("int8", "arrow.bool8 x"), 1, "1"],
    [runs("utf8", "arrow.json x"), "[1]", '"[1]"'],
    [runs("utf8", "arrow.json [1]"), "[1]", '"[1]"'],
    [runs("utf8", "arrow.json {}"), "[1]", "[1]"],
    [runs("int8", "arrow.bool8", "arrow.bool8 x"), true, "true"],
    [{ name: "v", type: "int8", metadata: named("arrow.bool8 x") }, 1, "1"],
    [{ name: "v", type: "dictionary<int8, utf8>", metadata: named("arrow.json x") }, "[1]", '"[1]"'],
  ]) {
    const file = await open(await write({ v: [value, value, null] }, { schema: [field] }));
    const about = JSON.stringify(field);
    assert.deepEqual(await file.rows({ as: "json" }).toArray(), [`{"v":${json}}`, `{"v":${json}}`, '{"v":null}'], about);
    const column = (await file.batch(0)).column("v");
    assert.deepEqual(column.toArray(), [read, read, null], about);
    assert.deepEqual(column.field, file.schema.fields[0]);
    file.free();
  }
});

test("a struct without fields has an empty list of them", async () => {
  const file = await open(await write({ s: [{}, null] }, { schema: { s: "struct<>" } }));
  assert.deepEqual(file.schema.fields[0].type, { name: "struct", text: "struct<>", children: [] });
  assert.deepEqual(await file.rows().toArray(), [{ s: {} }, { s: null }]);
  assert.equal((await file.batch(0)).column("s").json(0), "{}");
});

test("a date in a column without a zone is its UTC date and time", async () => {
  const at = new Date("2024-02-29T23:59:58.123Z");
  const old = new Date(Date.UTC(-1, 0, 2));
  for (const [type, text] of [
    ["date64", "2024-02-29T23:59:58.123"],
    ["timestamp(ms)", "2024-02-29T23:59:58.123"],
    ["timestamp(us)", "2024-02-29T23:59:58.123000"],
    ["timestamp(ns)", "2024-02-29T23:59:58.123000000"],
  ]) {
    const file = await open(await write({ t: [at, null] }, { schema: { t: type } }));
    assert.deepEqual(await file.rows({ as: "json" }).toArray(), [`{"t":"${text}"}`, '{"t":null}']);
    assert.equal((await file.batch(0)).column("t").get(0).getTime(), at.getTime());
  }
  const seconds = await open(await write({ t: [new Date(5000), old] }, { schema: { t: "timestamp(s)" } }));
  assert.deepEqual((await seconds.rows().toArray()).map(({ t }) => t.getTime()), [5000, old.getTime()]);
  // Also in types of other types.
  const schema = {
    l: "list<item: timestamp(ms)>",
    m: "map<entries: struct<key: date32 not null, value: timestamp(s)> not null>",
    s: 'struct<a: date32, b: timestamp(ms), c: timestamp(ms, "UTC"), d: struct<e: fixed_size_list<item: timestamp(s); 1>>>',
    d: "dictionary<int8, timestamp(ms)>",
    u: "dense_union<0=a: timestamp(ms), 1=b: int8>",
  };
  const [day, second] = [new Date("2024-02-29"), new Date("2024-02-29T01:02:03Z")];
  const s = { a: day, b: at, c: at, d: { e: [second] } };
  const file = await open(await write({ l: [[at, null]], m: [new Map([[day, second]])], s: [s], d: [at], u: [{ a: at }] }, { schema }));
  assert.deepEqual(await file.rows({ as: "json" }).toArray(), [
    '{"l":["2024-02-29T23:59:58.123",null],"m":[["2024-02-29","2024-02-29T01:02:03"]],' +
      '"s":{"a":"2024-02-29","b":"2024-02-29T23:59:58.123","c":"2024-02-29T23:59:58.123Z","d":{"e":["2024-02-29T01:02:03"]}},' +
      '"d":"2024-02-29T23:59:58.123","u":{"a":"2024-02-29T23:59:58.123"}}',
  ]);
  const pairs = await open(await write({ m: [[[day, second]]] }, { schema: { m: schema.m } }));
  assert.deepEqual(await pairs.rows({ as: "json" }).toArray(), ['{"m":[["2024-02-29","2024-02-29T01:02:03"]]}']);
  // Where names repeat, values are pairs.
  const repeated = {
    s: 'struct<a: date32, a: timestamp(ms, "UTC"), b: list<item: timestamp(s)>>',
    u: 'sparse_union<5=a: timestamp(ms), 7=a: timestamp(ms, "UTC")>',
    m: "map<entries: struct<a: utf8 not null, a: date32> not null>",
  };
  const of = await write({ s: [[["a", day], ["a", at], ["b", [second]]], null], u: [[5, at], [7, at]], m: [{ x: day }, new Map([["x", day]])] }, { schema: repeated });
  assert.deepEqual(await (await open(of)).rows({ as: "json" }).toArray(), [
    '{"s":[["a","2024-02-29"],["a","2024-02-29T23:59:58.123Z"],["b",["2024-02-29T01:02:03"]]],"u":[5,"2024-02-29T23:59:58.123"],"m":[["x","2024-02-29"]]}',
    '{"s":null,"u":[7,"2024-02-29T23:59:58.123Z"],"m":[["x","2024-02-29"]]}',
  ]);
});

test("dictionaries of later batches are added in a file", async () => {
  const schema = { s: "dictionary<int8, utf8>" };
  const batches = [{ s: ["a", "b"] }, { s: ["b", "c", null] }, { s: ["a"] }, { s: ["d", "a"] }];
  for (const container of ["file", "stream"]) {
    const file = await open(await write(batches, { schema, container }));
    const found = (await file.rows().toArray()).map(({ s }) => s);
    assert.deepEqual(found, batches.flatMap(({ s }) => s));
    file.free();
  }
});

test("bytes after the end of a stream are counted", async () => {
  const stream = await write({ n: Int32Array.of(1) }, { container: "stream" });
  const two = new Uint8Array([...stream, ...stream]);
  const file = await open(two);
  assert.deepEqual([file.numRows, file.bytesAfterEnd], [1, stream.length]);
  const one = await open(stream);
  assert.equal(one.bytesAfterEnd, 0);
  file.free();
  one.free();
});

test("a second file and other bytes that no block has are told", async () => {
  const numbers = (n) => write(Array.from({ length: n }, () => ({ n: Int32Array.of(1, 2, 3) })));
  for (const [first, second] of [[1, 1], [20, 2], [2, 1]]) {
    const [a, b] = await Promise.all([numbers(first), numbers(second)]);
    const both = new Uint8Array([...a, ...b]);
    let n_reads = 0;
    const read = (start, end) => (n_reads++, both.slice(start, end));
    for (const source of [both, new Blob([both]), { length: both.length, read }]) {
      const file = await open(source);
      assert.deepEqual([file.numBatches, file.unreferencedBytes.start, file.unreferencedBytes.isSecondFile], [second, a.length, true]);
      file.free();
    }
    assert.ok(n_reads < 10, `${n_reads} reads`);
    const one = await open(a);
    assert.equal(one.unreferencedBytes, null);
    one.free();
    const footer = a.length - 10 - new DataView(a.buffer, a.byteOffset).getInt32(a.length - 10, true);
    const garbage = await open(new Uint8Array([...a.slice(0, footer), ...new Uint8Array(100).fill(7), ...a.slice(footer)]));
    assert.deepEqual(garbage.unreferencedBytes, { start: footer - 8, end: footer + 100, isSecondFile: false });
    garbage.free();
  }
  const stream = await open(await write({ n: [1] }, { container: "stream" }));
  assert.equal(stream.unreferencedBytes, null);
  stream.free();
});

test("names of any characters are written", async () => {
  const names = ["", "a b", '"', "\\", "\u0000", "\n", "\u007f", "\u0085", "\u2028", "\u202e", "\u2066x\u2069", "\u061c", "\u200f", "😀", "ü"];
  const file = await open(await write(Object.fromEntries(names.map((name, i) => [name, [{ [name]: i }]]))));
  assert.deepEqual(file.schema.fields.map(({ name }) => name), names);
  const row = (await file.rows().toArray())[0];
  names.forEach((name, i) => assert.deepEqual(row[name], { [name]: i }));
  file.free();
});

test("long columns of values are encoded in pieces", async () => {
  const v = Array.from({ length: 300 }, (_, k) => `${k}é`.padEnd(100_000, "x"));
  const { encode } = TextEncoder.prototype;
  let longest = 0;
  TextEncoder.prototype.encode = function (text) {
    longest = Math.max(longest, text.length);
    return encode.call(this, text);
  };
  let bytes;
  try {
    bytes = await write({ v });
  } finally {
    TextEncoder.prototype.encode = encode;
  }
  // All of them together may be longer than a text can be.
  assert.ok(longest > 100_000 && longest < 18_000_000, `${longest} characters at once`);
  const file = await open(bytes);
  assert.deepEqual((await file.batch(0)).column("v").toArray(), v);
  file.free();
});

test("a writer gives a file in pieces, and goes on after a wrong batch", async () => {
  const schema = { id: "int32", at: 'timestamp(ms, "UTC")', price: "decimal128(10, 2)", tags: "list<item: utf8>" };
  const writer = await createWriter({ schema, compression: "lz4", metadata: { owner: "ada" } });
  const parts = [];
  for (let k = 0; k < 3; k++) {
    assert.throws(() => writer.write({ id: [1], at: ["yesterday"], price: ["1"], tags: [null] }), { code: "misuse", message: /"at"/ });
    parts.push(writer.write({
      id: { values: Int32Array.of(k, 7), validity: Uint8Array.of(1) },
      at: BigInt64Array.of(5n, 6n),
      price: ["1.25", null],
      tags: [["a"], null],
    }));
  }
  assert.throws(() => writer.write({ id: [1] }), /no column "at"/);
  assert.throws(() => writer.write({ id: [1], at: [null, null], price: [null], tags: [null] }), /2 values/);
  assert.throws(() => writer.write({ id: [1], at: [null], price: [null], tags: [null], more: [1] }), /no column "more"/);
  parts.push(writer.finish());
  assert.throws(() => writer.finish(), /ended/);
  const file = await open(Buffer.concat(parts));
  assert.deepEqual(file.schema.metadata, [["owner", "ada"]]);
  assert.equal(file.numRows, 6);
  assert.deepEqual((await file.rows({ as: "json", from: 2, to: 4 }).toArray()), [
    '{"id":1,"at":"1970-01-01T00:00:00.005Z","price":"1.25","tags":["a"]}',
    '{"id":null,"at":"1970-01-01T00:00:00.006Z","price":null,"tags":null}',
  ]);
  for (const wrong of [{}, { schema: { a: "int99" } }, { schema, compression: "zstd" }, { schema, container: "feather" }, { schema, level: 3 }]) {
    await assert.rejects(createWriter(wrong), { code: "misuse" });
  }
  await assert.rejects(write({ a: [1, "x"] }), /two types/);
  await assert.rejects(write([]), /schema/);
});

test("a file is complete after its first batch was refused", async () => {
  for (const container of ["file", "stream"]) {
    const writer = await createWriter({ schema: { s: "utf8" }, maxMessageBytes: 400, container });
    assert.throws(() => writer.write({ s: ["x".repeat(1000)] }), { name: "ArrowError" });
    const parts = [writer.write({ s: ["a"] }), writer.finish()];
    const file = await open(Buffer.concat(parts));
    assert.deepEqual(await file.rows().toArray(), [{ s: "a" }], container);
    file.free();
    const empty = await createWriter({ schema: { s: "utf8" }, maxMessageBytes: 400, container });
    assert.throws(() => empty.write({ s: ["x".repeat(1000)] }), { name: "ArrowError" });
    assert.equal((await open(empty.finish())).numRows, 0, container);
  }
});

test("negative zero is a zero of integers, and keeps its sign elsewhere", async () => {
  const integers = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "decimal128(5, 2)"];
  for (const type of integers) {
    const file = await open(await write({ n: [-0, 7] }, { schema: { n: type } }));
    const [{ n }] = await file.rows().toArray();
    assert.ok(["0", "0.00"].includes(String(n)) && !Object.is(n, -0), `${type}: ${n}`);
  }
  for (const type of ["float16", "float32", "float64"]) {
    const file = await open(await write({ n: [-0, [-0][0]], l: [[-0], null] }, { schema: { n: type, l: `list<item: ${type}>` } }));
    const rows = await file.rows().toArray();
    assert.ok(Object.is(rows[0].n, -0) && Object.is(rows[1].n, -0) && Object.is(rows[0].l[0], -0), type);
  }
});

test("floats have the fewest digits that are read back, also at powers of two", async () => {
  const texts = ["1.2621775e-29", "1.5474251e26", "1.2379401e27", "-1.2379401e27", "0.1", "3.4028235e38"];
  const batch = await (await open(await write({ n: Float32Array.from(texts, Number) }))).batch(0);
  assert.deepEqual(texts.map((_, i) => batch.columns[0].text(i)), texts);
});

test("files that are opened and freed take no more memory", async () => {
  const bytes = await write({ id: Int32Array.from({ length: 200_000 }, (_, i) => i) }, { compression: "lz4" });
  const many = async (n) => {
    for (let k = 0; k < n; k++) {
      const file = await open(bytes);
      await file.batch(0);
      await file.rows({ where: "id = 7" }).toArray();
      file.free();
    }
  };
  await many(3);
  // Both modules: none of their memories is seen here, so that of the process is measured.
  const before = process.memoryUsage().rss;
  await many(60);
  globalThis.gc?.();
  assert.ok(process.memoryUsage().rss - before < 150e6);
});
