// Values are written as those of their type, or refused.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { runInNewContext } from "node:vm";

import { configure, open, write } from "../index.js";

/** The JSON of a value that was written in a column of a type, or of a field. */
async function written(type, value) {
  const field = typeof type === "string" ? { name: "v", type } : { name: "v", ...type };
  const file = await open(await write({ v: [value] }, { schema: [field] }));
  const [row] = await file.rows({ as: "json" }).toArray();
  file.free();
  return row.slice('{"v":'.length, -1);
}

const named = (name, metadata = "") => [["ARROW:extension:name", name], ["ARROW:extension:metadata", metadata]];
const map = (key, value) => `map<entries: struct<key: ${key} not null, value: ${value}> not null>`;
const tensor = (item, shape, size) => ({ type: `fixed_size_list<item: ${item}; ${size}>`, metadata: named("arrow.fixed_shape_tensor", `{"shape":[${shape}]}`) });
const variable = (item) => ({ type: `struct<data: list<item: ${item}>, shape: fixed_size_list<item: int32; 2>>`, metadata: named("arrow.variable_shape_tensor") });
const runs = (values) => `run_end_encoded<run_ends: int32 not null, values: ${values}>`;

const hi = new TextEncoder().encode("hi");
const sixteen = Uint8Array.from({ length: 16 }, (_, i) => i);

test("bytes are values of binary types, and numbers of lists", async () => {
  for (const [type, value, json] of [
    ["binary", hi, '"6869"'],
    ["large_binary", Buffer.from("hi"), '"6869"'],
    ["binary_view", hi, '"6869"'],
    ["fixed_size_binary(2)", hi, '"6869"'],
    [{ type: "fixed_size_binary(16)", metadata: named("arrow.uuid") }, sixteen, '"00010203-0405-0607-0809-0a0b0c0d0e0f"'],
    ["dictionary<int8, binary>", hi, '"6869"'],
    [runs("binary"), hi, '"6869"'],
    [{ type: { text: runs("fixed_size_binary(16)"), children: [{ name: "run_ends" }, { name: "values", metadata: named("arrow.uuid") }] } }, sixteen, '"00010203-0405-0607-0809-0a0b0c0d0e0f"'],
    ["struct<a: utf8, b: binary>", { a: "x", b: hi }, '{"a":"x","b":"6869"}'],
    ["struct<a: binary, a: utf8>", [["a", hi], ["a", "x"]], '[["a","6869"],["a","x"]]'],
    [map("binary", "binary"), new Map([[hi, hi]]), '[["6869","6869"]]'],
    [map("utf8", "binary"), { x: hi }, '[["x","6869"]]'],
    ["dense_union<0=a: binary, 1=b: utf8>", { a: hi }, '{"a":"6869"}'],
    ["dense_union<3=a: utf8, 5=a: binary>", [5, hi], '[5,"6869"]'],
    ["list<item: binary>", [hi, null], '["6869",null]'],
    ["list<item: list<item: binary>>", [[hi]], '[["6869"]]'],
    ["list<item: uint8>", hi, "[104,105]"],
    ["large_list<item: uint8>", hi, "[104,105]"],
    ["list_view<item: int64>", hi, "[104,105]"],
    ["large_list_view<item: uint8>", hi, "[104,105]"],
    ["fixed_size_list<item: uint8; 2>", Buffer.from("hi"), "[104,105]"],
    ["list<item: list<item: uint8>>", [hi, []], "[[104,105],[]]"],
    ["struct<a: list<item: uint8>>", { a: hi }, '{"a":[104,105]}'],
    [tensor("uint8", [2, 2], 4), [hi, hi], "[[104,105],[104,105]]"],
    [tensor("binary", [2, 1], 2), [[hi], [hi]], '[["6869"],["6869"]]'],
    [variable("uint8"), [hi, hi], "[[104,105],[104,105]]"],
    [variable("uint8"), { data: hi, shape: [2, 1] }, "[[104],[105]]"],
  ]) {
    assert.equal(await written(type, value), json, JSON.stringify(type));
  }
  for (const [type, value] of [
    ["utf8", hi],
    ["large_utf8", Buffer.from("hi")],
    ["utf8_view", hi],
    ["dictionary<int32, utf8>", hi],
    [runs("utf8"), hi],
    ["struct<a: binary, b: utf8>", { b: hi }],
    ["struct<a: binary, a: utf8>", [["a", hi], ["a", hi]]],
    [map("utf8", "binary"), new Map([[hi, hi]])],
    [map("binary", "utf8"), new Map([[hi, hi]])],
    ["dense_union<0=a: binary, 1=b: utf8>", { b: hi }],
    ["dense_union<3=a: utf8, 5=a: binary>", [3, hi]],
    ["list<item: utf8>", [hi]],
    ["decimal128(10, 0)", Uint8Array.of(0x12)],
    ["uint8", Uint8Array.of(7)],
    ["date32", hi],
    [{ type: "utf8", metadata: named("arrow.json") }, hi],
    [{ type: "utf8", metadata: named("arrow.json") }, { a: hi }],
  ]) {
    await assert.rejects(written(type, value), { code: "misuse", message: /column "v": bytes are a value of binary types/ }, JSON.stringify(type));
  }
});

test("NaN and infinities are values of floating-point types", async () => {
  for (const [type, value, json] of [
    ["float16", NaN, '"NaN"'],
    ["float32", Infinity, '"Infinity"'],
    ["float64", -Infinity, '"-Infinity"'],
    ["dictionary<int8, float64>", NaN, '"NaN"'],
    [runs("float32"), NaN, '"NaN"'],
    ["list<item: float64>", [1.5, NaN], '[1.5,"NaN"]'],
    ["list<item: float64>", Float32Array.of(NaN, 1.5), '["NaN",1.5]'],
    ["struct<a: utf8, b: float64>", { a: "x", b: NaN }, '{"a":"x","b":"NaN"}'],
    [map("float64", "float64"), new Map([[1, NaN]]), '[[1.0,"NaN"]]'],
    ["dense_union<0=a: float64>", { a: NaN }, '{"a":"NaN"}'],
    [tensor("float64", [2, 1], 2), [[NaN], [1]], '[["NaN"],[1.0]]'],
    [tensor("list<item: float64>", [1], 1), [[NaN]], '[["NaN"]]'],
    [variable("float64"), [[NaN, 1]], '[["NaN",1.0]]'],
    [variable("float64"), { data: [NaN, 1], shape: [1, 2] }, '[["NaN",1.0]]'],
  ]) {
    assert.equal(await written(type, value), json, JSON.stringify(type));
  }
  for (const [type, value] of [
    ["utf8", NaN],
    ["dictionary<int8, utf8>", -Infinity],
    ["binary", NaN],
    ["list<item: utf8>", Float64Array.of(NaN)],
    ["struct<a: float64, b: utf8>", { b: Infinity }],
    [map("utf8", "float64"), new Map([[NaN, NaN]])],
    ["dense_union<0=a: float64, 1=b: utf8>", { b: NaN }],
    ["decimal128(10, 2)", NaN],
    ["int32", NaN],
    ["timestamp(ms)", NaN],
    [{ type: "utf8", metadata: named("arrow.json") }, [NaN]],
  ]) {
    await assert.rejects(written(type, value), { code: "misuse", message: /column "v": (NaN|-?Infinity) is a value of floating-point types alone/ }, JSON.stringify(type));
  }
  await assert.rejects(write({ a: Float64Array.of(NaN) }, { schema: { a: "utf8" } }), { code: "misuse" });
  const file = await open(await write({ a: Float64Array.of(NaN) }, { schema: { a: "float32" } }));
  assert.deepEqual(await file.rows().toArray(), [{ a: NaN }]);
  file.free();
});

test("tensors are written as nested lists, and as they are read", async () => {
  const of = (shape, permutation, item = "int8") => {
    const text = JSON.stringify({ shape, permutation });
    return { type: `fixed_size_list<item: ${item}; ${shape.reduce((a, b) => a * b)}>`, metadata: named("arrow.fixed_shape_tensor", text) };
  };
  const six = [1, 2, 3, 4, 5, 6];
  for (const [type, value, json] of [
    [of([2, 3]), six, "[[1,2,3],[4,5,6]]"],
    [of([2, 3]), Int32Array.from(six), "[[1,2,3],[4,5,6]]"],
    [of([2, 3]), Uint8Array.from(six), "[[1,2,3],[4,5,6]]"],
    [of([2, 3], [1, 0]), six, "[[1,4],[2,5],[3,6]]"],
    [of([1, 2, 3], [2, 0, 1]), six, "[[[1,4]],[[2,5]],[[3,6]]]"],
    [of([2, 3]), [null, 2, 3, 4, 5, null], "[[null,2,3],[4,5,null]]"],
    [of([1, 4]), [[1, 2, 3, 4]], "[[1,2,3,4]]"],
    [of([1, 4]), [1, 2, 3, 4], "[[1,2,3,4]]"],
    [of([4, 1]), [Int8Array.of(1), [2], [3], [4]], "[[1],[2],[3],[4]]"],
    [of([3]), [1, 2, 3], "[1,2,3]"],
    [of([2, 1], [1, 0], "float64"), [NaN, 1], '[["NaN",1.0]]'],
    [of([2, 1], undefined, "binary"), [hi, hi], '[["6869"],["6869"]]'],
    [of([2, 1], undefined, "timestamp(ms)"), [new Date(0), null], '[["1970-01-01T00:00:00.000"],[null]]'],
    [{ ...of([2, 2]), type: "dictionary<int8, fixed_size_list<item: int8; 4>>" }, [1, 2, 3, 4], "[[1,2],[3,4]]"],
    [{ ...of([2, 2]), type: runs("fixed_size_list<item: int8; 4>") }, [1, 2, 3, 4], "[[1,2],[3,4]]"],
    [{ type: { text: "list<item: fixed_size_list<item: int8; 4>>", children: [{ ...of([2, 2]), name: "item", type: undefined }] } }, [[1, 2, 3, 4], [[5, 6], [7, 8]]], "[[[1,2],[3,4]],[[5,6],[7,8]]]"],
    // Damaged metadata: the form of the storage.
    [{ ...of([2, 2]), metadata: named("arrow.fixed_shape_tensor", "{") }, [1, 2, 3, 4], "[1,2,3,4]"],
    [{ ...of([2, 2]), metadata: named("arrow.fixed_shape_tensor", '{"shape":[5,1]}') }, [1, 2, 3, 4], "[1,2,3,4]"],
  ]) {
    assert.equal(await written(type, value), json, JSON.stringify(type));
    // What was read is written again.
    const first = await open(await write({ v: [value] }, { schema: [{ name: "v", ...type }] }));
    const again = await open(await write({ v: (await first.batch(0)).column("v").toArray() }, { schema: first.schema.fields }));
    assert.deepEqual(await again.rows({ as: "json" }).toArray(), [`{"v":${json}}`]);
    assert.deepEqual(again.schema.fields, first.schema.fields);
  }
  await assert.rejects(written(of([2, 3]), [1, 2, 3]), { code: "misuse", message: /column "v"/ });
});

test("bigints are int64, or uint64 if one needs it", async () => {
  const [half, most] = [2n ** 63n, 2n ** 64n - 1n];
  for (const [values, type] of [
    [[1n, half], "uint64"],
    [[half, null, 0n], "uint64"],
    [[most], "uint64"],
    [[0n, half - 1n], "int64"],
    [[-half, half - 1n], "int64"],
    [[half - 1n, -1n, 0n], "int64"],
    [[[1n], [half]], "list<item: uint64>"],
    [[BigUint64Array.of(half), [1n]], "list<item: uint64>"],
    [[[1n], BigInt64Array.of(-1n)], "list<item: int64>"],
    [[{ a: half, b: -1n }, { a: 1n, b: 1n }], "struct<a: uint64, b: int64>"],
    [[new Map([[1n, 2n]]), new Map([[half, 2n]])], "map<entries: struct<key: uint64 not null, value: int64> not null>"],
  ]) {
    const file = await open(await write({ v: values }));
    assert.equal(file.schema.fields[0].type.text, type);
    const plain = (value) => (ArrayBuffer.isView(value) ? [...value] : value);
    assert.deepEqual((await file.rows().toArray()).map(({ v }) => v), values.map(plain));
    file.free();
  }
  for (const values of [[-1n, half], [half, 0n, -1n], [1n, half, -1n]]) {
    await assert.rejects(write({ v: values }), { code: "misuse", message: /column v: some integers fit only int64, and others only uint64/ });
  }
  await assert.rejects(write({ v: [1n, "x"] }), { code: "misuse", message: /of two types, int64 and utf8/ });
  await assert.rejects(write({ v: [half, 1.5] }), { code: "misuse", message: /of two types, uint64 and float64/ });
});

test("typed arrays of other classes and realms are columns and values", async () => {
  const other = (code) => runInNewContext(code);
  class Own extends Int32Array {}
  for (const [column, type] of [
    [Buffer.from([1, 2]), "uint8"],
    [Own.of(1, 2), "int32"],
    [other("Float64Array.of(1, 2)"), "float64"],
    [other("Uint8Array.of(1, 2)"), "uint8"],
    [other("[1, 2]"), "float64"],
    [{ values: other("Int16Array.of(1, 2)"), validity: other("Uint8Array.of(3)") }, "int16"],
  ]) {
    const file = await open(await write({ v: column }));
    assert.equal(file.schema.fields[0].type.text, type);
    assert.deepEqual((await file.rows().toArray()).map(({ v }) => v), [1, 2]);
    file.free();
  }
  const rows = { list: [Own.of(1, 2), other("Int32Array.of(1, 2)")], bytes: [Buffer.from("hi"), other("Uint8Array.of(104, 105)")] };
  const file = await open(await write(rows));
  assert.deepEqual(await file.rows({ as: "json" }).toArray(), Array(2).fill('{"list":[1,2],"bytes":"6869"}'));
  file.free();
});

test("memory of other realms is a source", async () => {
  const bytes = await write({ a: [1] });
  const memory = (name) => {
    const copy = runInNewContext(`new ${name}(${bytes.length})`);
    new Uint8Array(copy).set(bytes);
    return copy;
  };
  for (const name of ["ArrayBuffer", "SharedArrayBuffer", "Uint8Array"]) {
    const from = name === "Uint8Array" ? runInNewContext("(memory) => new Uint8Array(memory)")(memory("ArrayBuffer")) : memory(name);
    for (const source of [from, { length: bytes.length, read: (offset, n) => from.slice(offset, offset + n) }]) {
      const file = await open(source);
      assert.deepEqual(await file.rows().toArray(), [{ a: 1 }], name);
      file.free();
    }
  }
  const module = readFileSync(new URL("../wasm/read.wasm", import.meta.url));
  const read = runInNewContext("(n) => new ArrayBuffer(n)")(module.length);
  new Uint8Array(read).set(module);
  configure({ read });
  assert.equal((await open(bytes)).numRows, 1);
});

test("types that were read are types of columns", async () => {
  const first = await open(await write({ l: [[1n]], d: ["x"] }, { schema: { l: "list<item: int64>", d: "dictionary<int8, utf8>" } }));
  const types = first.schema.fields.map(({ name, type }) => [name, type]);
  for (const schema of [Object.fromEntries(types), new Map(types)]) {
    const second = await open(await write({ l: [[2n]], d: [null] }, { schema }));
    assert.deepEqual(second.schema.fields, first.schema.fields);
    second.free();
  }
  first.free();
});
