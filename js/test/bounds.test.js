// Files whose values share bytes: what is made of them is in proportion to the file, or an exception that names the limit.
import assert from "node:assert/strict";
import { before, test } from "node:test";

import { open, write } from "../index.js";
import { TextColumn } from "../src/columns/texts.js";
import { load } from "../src/wasm.js";

const BOUND = { name: "ArrowError", code: "input", message: /maxMemoryBytes|exceed the memory budget/ };

/** Replaces bytes that are there once. */
function patched(bytes, from, to) {
  const [old, now] = [from, to].map((array) => Buffer.from(array.buffer, array.byteOffset, array.byteLength));
  const copy = Buffer.from(bytes);
  const at = copy.indexOf(old);
  assert.ok(at >= 0 && copy.indexOf(old, at + 1) < 0, "the bytes are there once");
  now.copy(copy, at);
  return copy;
}

const counted = (n, value) => Int32Array.from({ length: n }, (_, i) => value(i));

/** Lists of one item each become lists of all items. */
function overlapping(bytes, n) {
  const wide = patched(bytes, counted(n, () => 1), counted(n, () => n));
  return patched(wide, counted(n, (i) => i), counted(n, () => 0));
}

const N = 20_000;
let lists;

before(async () => {
  const v = Array.from({ length: N }, (_, i) => [7 * i]);
  lists = overlapping(await write({ v }, { schema: { v: "list_view<item: int32>" } }), N);
});

test("lists that have all items each", async () => {
  const file = await open(lists);
  const { columns } = await file.batch(0);
  assert.equal(columns[0].get(9).length, N);
  assert.equal(columns[0].toArray(0, 10).length, 10);
  for (const call of [() => columns[0].toArray(), () => file.rows().toArray(), () => file.rows({ as: "json" }).toArray(), () => file.legacyStream()]) {
    await assert.rejects(async () => call(), BOUND);
  }
  await assert.rejects(async () => (await file.batch(0)).toArray(), BOUND);
  // Rows come in chunks of bounded memory.
  let n = 0;
  for await (const rows of file.rows().chunks()) {
    assert.ok(rows.length < 1000, `${rows.length} rows at once`);
    assert.equal(rows[0].v.length, N);
    if ((n += rows.length) > 2000) break;
  }
  assert.equal((await file.rows({ limit: 100, where: "v is not null" }).toArray()).length, 100);
  file.free();
});

test("the limit is set", async () => {
  const small = await open(lists, { maxMemoryBytes: 100_000 });
  const { columns } = await small.batch(0);
  for (const call of [() => columns[0].get(0), () => columns[0].json(0), () => columns[0].text(0), () => small.rows().toArray()]) {
    await assert.rejects(async () => call(), BOUND);
  }
  const large = await open(lists, { maxMemoryBytes: 1e9, maxSlots: 1e6 });
  assert.equal((await large.rows({ limit: 2500 }).toArray()).length, 2500);
});

test("lists of lists", async () => {
  const n = 2_000;
  const v = Array.from({ length: n }, (_, i) => [[i]]);
  const wide = (array) => BigInt64Array.from(array, BigInt);
  let bytes = await write({ v }, { schema: { v: "list_view<item: large_list_view<item: int16>>" } });
  bytes = patched(bytes, wide(counted(n, () => 1)), wide(counted(n, () => n)));
  bytes = patched(bytes, wide(counted(n, (i) => i)), wide(counted(n, () => 0)));
  bytes = patched(bytes, counted(n, () => 1), counted(n, () => n));
  bytes = patched(bytes, counted(n, (i) => i), counted(n, () => 0));
  const file = await open(bytes, { maxMemoryBytes: 50_000_000 });
  const { columns } = await file.batch(0);
  assert.throws(() => columns[0].get(0), BOUND);
  assert.throws(() => columns[0].json(0), BOUND);
  await assert.rejects(file.rows().toArray(), BOUND);
});

test("large values of dictionaries", async () => {
  const n = 3_000;
  // All rows have the first value.
  const repeated = async (type, values) => {
    const bytes = await write({ v: [values[0], ...Array(n - 1).fill(values[1])] }, { schema: { v: type } });
    return open(patched(bytes, counted(n, (i) => Math.min(i, 1)), counted(n, () => 0)));
  };
  for (const [type, values] of [["binary", [new Uint8Array(1 << 18), Uint8Array.of(1)]], ["utf8", ["x".repeat(1 << 18), "a"]]]) {
    const file = await repeated(`dictionary<int32, ${type}>`, values);
    await assert.rejects(file.rows({ as: "json" }).toArray(), BOUND);
    await assert.rejects(async () => (await file.batch(0)).toArray("json"), BOUND);
    const [first] = await file.rows({ limit: 1 }).toArray();
    assert.equal(first.v.length, 1 << 18);
    // All rows have one text, and each has bytes of its own.
    if (type === "utf8") assert.equal((await file.rows().toArray()).length, n);
    else await assert.rejects(file.rows().toArray(), BOUND);
    for await (const rows of file.rows({ as: "json" }).chunks()) {
      assert.ok(rows.length < 300, `${rows.length} rows at once`);
      break;
    }
    const stream = await file.legacyStream();
    assert.ok(stream.length < 1e6, "dictionaries stay");
    file.free();
  }
  // In lists, the other package has no dictionaries.
  const file = await repeated("list<item: dictionary<int32, utf8>>", [["x".repeat(1 << 18)], ["a"]]);
  await assert.rejects(file.legacyStream(), BOUND);
  await assert.rejects(file.rows({ as: "json" }).toArray(), BOUND);
  file.free();
});

test("views of the same bytes", async () => {
  const n = 3_000;
  const long = "y".repeat(1 << 18);
  const bytes = await write({ v: [long, ...Array(n - 1).fill("z")] }, { schema: { v: "utf8_view" } });
  const view = Buffer.from(Uint32Array.of(long.length, 0x79797979, 0, 0).buffer);
  const copy = Buffer.from(bytes);
  const at = copy.indexOf(view);
  assert.ok(at > 0);
  for (let i = 1; i < n; i++) view.copy(copy, at + 16 * i);
  const file = await open(copy);
  await assert.rejects(file.batch(0), BOUND);
  assert.equal((await file.batch(0, { rows: [0, 100] })).column("v").get(99), long);
  const more = await open(copy, { maxMemoryBytes: 1e9 });
  assert.equal((await more.batch(0)).column("v").get(n - 1), long);
});

test("slots of a dense union that are one slot of a child", async () => {
  const n = 3_000;
  const v = [{ a: Array(n).fill(7) }, ...Array.from({ length: n - 1 }, () => ({ a: [] }))];
  const bytes = await write({ v }, { schema: { v: "dense_union<0=a: list<item: int64>>" } });
  const file = await open(patched(bytes, counted(n, (i) => i), counted(n, () => 0)), { maxMemoryBytes: 1e7 });
  // Offsets of a dense union ascend, and may stay: each slot has the first list.
  await assert.rejects(file.rows().toArray(), BOUND);
  await assert.rejects(file.rows({ as: "json" }).toArray(), BOUND);
  assert.equal((await file.batch(0)).column("v").get(n - 1).a.length, n);
});

test("texts of list views in any order are decoded alone", async () => {
  const n = 2048;
  const texts = Array.from({ length: n }, (_, i) => String(i).padEnd(10_000, "-"));
  const bytes = await write({ v: texts.map((text) => [text]) }, { schema: { v: "list_view<item: utf8>" } });
  const at = (i) => (i % 2 === 0 ? i / 2 : n / 2 + (i - 1) / 2);
  const file = await open(patched(bytes, counted(n, (i) => i), counted(n, at)));
  const start = performance.now();
  const values = (await file.batch(0)).column("v").toArray();
  assert.ok(performance.now() - start < 3000, `${performance.now() - start} ms`);
  values.forEach(([text], i) => assert.ok(text === texts[at(i)]));
  file.free();
});

test("tensors whose metadata no tensor has are lists", { timeout: 20_000 }, async () => {
  const of = async (type, metadata, value, extension = "arrow.fixed_shape_tensor") => {
    const field = { name: "t", type, metadata: { "ARROW:extension:name": extension, "ARROW:extension:metadata": metadata } };
    const file = await open(await write({ t: [value] }, { schema: [field] }));
    const [row] = await file.rows({ as: "json" }).toArray();
    file.free();
    return row;
  };
  const two = "fixed_size_list<item: int8; 2>";
  assert.equal(await of(two, '{"shape":[2,1]}', [[1], [2]]), '{"t":[[1],[2]]}');
  assert.equal(await of(two, '{"shape":[2,1],"permutation":[1,0]}', [[1, 2]]), '{"t":[[1,2]]}');
  for (const metadata of [
    '{"shape":[-1,-2]}', '{"shape":[0.5,4]}', '{"shape":["2","1"]}', '{"shape":[[2],1]}', '{"shape":[null,2]}', '{"shape":{"length":1}}', '{"shape":2}', '{"shape":[]}',
    '{"shape":[2,1],"permutation":{"length":2}}', '{"shape":[2,1],"permutation":"10"}', '{"shape":[2,1],"permutation":[0,0]}', '{"shape":[2,1],"permutation":[0,1,1]}',
    '{"shape":[2,1],"permutation":7}', '{"shape":[1e308,1e308]}', `{"shape":[2${",1".repeat(100_000)}]}`, "7", "[", "null",
  ]) {
    assert.equal(await of(two, metadata, [1, 2]), '{"t":[1,2]}', metadata.slice(0, 100));
  }
  assert.equal(await of("fixed_size_list<item: int8; 1>", '{"shape":[1.4901161193847656e-8,67108864],"permutation":[1,0]}', [1]), '{"t":[1]}');
  const variable = (shape, value, metadata = "") => of(`struct<data: list<item: int8>, shape: ${shape}>`, metadata, { data: [1, 2], shape: value }, "arrow.variable_shape_tensor");
  const pair = "fixed_size_list<item: int32; 2>";
  assert.equal(await variable(pair, [2, 1]), '{"t":[[1],[2]]}');
  for (const [shape, value, json = JSON.stringify(value), metadata] of [
    [pair, [-1, -2]], [pair, [null, 2]], [pair, null], [pair, [2, 1], "[2,1]", '{"permutation":{}}'], [pair, [2, 1], "[2,1]", '{"permutation":[0,0]}'],
    ["fixed_size_list<item: int64; 2>", [2, 1]], ["list<item: int32>", [2, 1]], ["int32", 2], ["utf8", "21"], ["fixed_size_list<item: float64; 2>", [0.5, 4], "[0.5,4.0]"],
    ["fixed_size_list<item: utf8; 1>", ["2"]],
  ]) {
    assert.equal(await variable(shape, value, metadata), `{"t":{"data":[1,2],"shape":${json}}}`, `${shape} ${json}`);
  }
});

test("texts of dictionaries and runs that each batch makes again", async () => {
  const n = 100_000;
  for (const type of ["dictionary<int8, utf8>", "list<item: dictionary<int8, utf8>>", "struct<a: dictionary<int8, utf8>>"]) {
    const value = { d: "x".repeat(n), l: ["x".repeat(n)], s: { a: "x".repeat(n) } }[type[0]];
    const bytes = await write(Array.from({ length: 40 }, () => ({ v: [value] })), { schema: { v: type } });
    assert.ok(bytes.length < 2 * n, "the file has the text once");
    const small = await open(bytes, { maxMemoryBytes: 20 * n });
    await assert.rejects(small.rows().toArray(), BOUND, type);
    // Chunks need no more memory than one of them.
    let rows = 0;
    for await (const chunk of small.rows().chunks()) rows += chunk.length;
    assert.equal(rows, 40);
    assert.equal((await small.rows({ limit: 10 }).toArray()).length, 10);
    const large = await open(bytes, { maxMemoryBytes: 60 * n });
    assert.equal((await large.rows().toArray()).length, 40);
  }
  // One run is the value of rows in several chunks.
  const n_rows = 300_000;
  const runs = await write({ v: ["y".repeat(n), ...Array(n_rows - 1).fill("z")] }, { schema: { v: "run_end_encoded<run_ends: int32 not null, values: utf8>" } });
  const long = patched(runs, Int32Array.of(1, n_rows), Int32Array.of(n_rows - 1, n_rows));
  await assert.rejects((await open(long, { maxMemoryBytes: 72 * n_rows + 2 * n })).rows().toArray(), BOUND);
  assert.equal((await (await open(long, { maxMemoryBytes: 72 * n_rows + 5 * n })).rows().toArray()).length, n_rows);
  // What the file has for each batch is in proportion to it.
  const each = Array.from({ length: 40 }, (_, k) => ({ v: [String(k).padEnd(n, "z")] }));
  const own = await open(await write(each, { schema: { v: "dictionary<int8, utf8>" }, container: "stream" }), { maxMemoryBytes: n });
  assert.equal((await own.rows().toArray()).length, 40);
});

test("texts that are together longer than a text of JavaScript can be", () => {
  // The memory of zeros is not used before it is read.
  const bytes = new Uint8Array(2 ** 29 + 200);
  const head = { field: { name: "v" }, type: { name: "utf8" }, length: 3, validity: null, maxMemoryBytes: 1e9 };
  const column = new TextColumn(head, Int32Array.of(0, 100, 200, 2 ** 29 + 200), bytes, 0, true);
  assert.equal(column.get(0), "\0".repeat(100));
  assert.equal(column.text(1).length, 100);
  assert.throws(() => column.get(2), { name: "ArrowError", code: "input", message: /536870912 bytes is too long/ });
});

test("values that are larger than a module can address", async () => {
  const n = 64 * 193;
  const small = Buffer.from(await write({ v: new Int8Array(n).fill(7) }));
  for (const many of [2 ** 31, 2 ** 32, 2 ** 33]) {
    const bytes = Buffer.from(small);
    const [old, now] = [n, many].map((rows) => Buffer.from(BigInt64Array.of(BigInt(rows)).buffer));
    for (let at = 0; (at = bytes.indexOf(old, at)) >= 0; ) now.copy(bytes, at);
    const body = bytes.indexOf(Buffer.alloc(n, 7));
    const byteAt = (at) => (at < body ? bytes[at] : at < body + many ? 7 : bytes[at - many + n]);
    const read = (offset, length) => {
      assert.ok(length < 1e6, `${length} bytes are asked for`);
      return Uint8Array.from({ length }, (_, i) => byteAt(offset + i));
    };
    const file = await open({ length: bytes.length - n + many, read });
    assert.equal(file.numRows, many);
    await assert.rejects(file.batch(0), { name: "ArrowError", code: "input", message: new RegExp(`${many} bytes .* at most 2147483647`) });
    // Some rows can be read.
    assert.deepEqual((await file.batch(0, { rows: [many - 2, many] })).toArray(), [{ v: 7 }, { v: 7 }]);
    file.free();
  }
});

test("bytes that a module does not take", async () => {
  const module = await load("read");
  for (const byteLength of [2 ** 31, 2 ** 32, 2 ** 32 + 1]) assert.throws(() => module.give({ byteLength }), { name: "ArrowError", code: "input" });
  // The handle of what could not be given is freed.
  const freed = [];
  const { free } = Object.getPrototypeOf(module);
  module.free = (handle) => free.call(module, freed.push(handle) && handle);
  assert.throws(() => module.give({ byteLength: 1, length: 2 }), RangeError);
  delete module.free;
  assert.equal(freed.length, 1);
  assert.throws(() => module.view(freed[0]), { code: "misuse" });
});

test("values of a dictionary in any order are decoded alone", async () => {
  const n = 2048;
  const texts = Array.from({ length: n }, (_, i) => String(i).padEnd(10_000, "-"));
  // Neighbours are far from each other in the dictionary.
  const order = Array.from({ length: n }, (_, i) => (i % 2 === 0 ? i / 2 : n / 2 + (i - 1) / 2));
  const bytes = await write([{ v: texts }, { v: order.map((i) => texts[i]) }], { schema: { v: "dictionary<int16, utf8>" } });
  const file = await open(bytes, { maxMemoryBytes: 1e9 });
  const before = process.memoryUsage().rss;
  const start = performance.now();
  const values = (await file.batch(1)).column("v").toArray();
  const json = await file.rows({ from: n, as: "json" }).toArray();
  assert.ok(performance.now() - start < 3000, `${performance.now() - start} ms`);
  assert.ok(process.memoryUsage().rss - before < 1e9);
  order.forEach((i, k) => assert.ok(values[k] === texts[i] && json[k] === `{"v":"${texts[i]}"}`));
  file.free();
});

test("rows without columns", async () => {
  const n = 12_345;
  const bytes = Buffer.from(await write({ v: Array(n).fill(null) }, { schema: { v: "null" } }));
  const [old, now] = [n, 200_000_000].map((rows) => Buffer.from(BigInt64Array.of(BigInt(rows)).buffer));
  for (let at = 0; (at = bytes.indexOf(old, at)) >= 0; ) now.copy(bytes, at);
  const file = await open(bytes);
  const batch = await file.batch(0, { columns: [] });
  assert.equal(batch.numRows, 200_000_000);
  for (const as of ["objects", "arrays", "json"]) assert.throws(() => batch.toArray(as), BOUND);
  assert.equal((await file.batch(0, { columns: [], rows: [0, 10] })).toArray().length, 10);
});

test("chunks of a dense union need only their slots of its children", async () => {
  const n = 200_000;
  const v = Array.from({ length: n }, (_, i) => (i % 3 === 0 ? { b: `text ${i}` } : { a: i }));
  const file = await open(await write({ v }, { schema: { v: "dense_union<0=a: int32, 1=b: utf8, 2=c: list<item: int8>>" } }));
  assert.deepEqual((await file.rows().toArray()).map((row) => row.v), v);
  let first = 0;
  for await (const { columns: [column], numRows } of file.rows().batches()) {
    const n_slots = column.children.reduce((sum, child) => sum + child.length, 0);
    assert.ok(n_slots <= numRows, `${n_slots} slots for ${numRows} rows`);
    assert.deepEqual([column.get(0), column.get(numRows - 1)], [v[first], v[first + numRows - 1]]);
    first += numRows;
  }
  const { columns } = await file.batch(0, { rows: [100_000, 100_003] });
  assert.deepEqual(columns[0].toArray(), v.slice(100_000, 100_003));
  assert.deepEqual((await file.batch(0, { rows: [5, 5] })).columns[0].toArray(), []);
  file.free();
});

test("rows without bytes", async () => {
  const [n, many] = [12_345, 200_000_000];
  const bytes = Buffer.from(await write({ v: Array(n).fill(null) }, { schema: { v: "null" } }));
  const [old, now] = [n, many].map((rows) => Buffer.from(BigInt64Array.of(BigInt(rows)).buffer));
  for (let at = 0; (at = bytes.indexOf(old, at)) >= 0; ) now.copy(bytes, at);
  const file = await open(bytes);
  assert.equal(file.numRows, many);
  await assert.rejects(file.rows().toArray(), BOUND);
  await assert.rejects(async () => (await file.batch(0)).toArray(), BOUND);
  await assert.rejects(async () => (await file.batch(0)).column("v").toArray(), BOUND);
  const [row] = await file.rows({ from: many - 1 }).toArray();
  assert.deepEqual(row, { v: null });
  let seen = 0;
  for await (const rows of file.rows().chunks()) if ((seen += rows.length) > 1e6) break;
});

test("long names, which are in the text of each row", async () => {
  const n = 2_048;
  const long = "x".repeat(20_000);
  const plain = { names: { [long]: "null", b: "null" }, columns: { [long]: Array(n).fill(null), b: Array(n).fill(null) }, json: `{"${long}":null,"b":null}` };
  const inside = (type, value, json) => ({ names: { v: type }, columns: { v: Array(n).fill(value) }, json: `{"v":${json}}` });
  for (const { names, columns, json } of [
    plain,
    inside(`struct<${long}: int8>`, { [long]: 7 }, `{"${long}":7}`),
    inside(`dense_union<0=${long}: int8>`, { [long]: 7 }, `{"${long}":7}`),
    inside(`list<item: struct<${long}: int8>>`, [{ [long]: 7 }], `[{"${long}":7}]`),
    inside(`struct<a: sparse_union<0=${long}: int8>>`, { a: { [long]: 7 } }, `{"a":{"${long}":7}}`),
  ]) {
    const file = await open(await write(columns, { schema: names }), { maxMemoryBytes: 20_000_000 });
    await assert.rejects(file.rows({ as: "json" }).toArray(), BOUND, json.slice(0, 20));
    await assert.rejects(async () => (await file.batch(0)).toArray("json"), BOUND);
    for await (const rows of file.rows({ as: "json" }).chunks()) {
      assert.ok(rows.length <= 1_024, `${rows.length} rows at once`);
      assert.equal(rows[0], json);
      break;
    }
    assert.equal((await file.rows({ as: "json", limit: 900 }).toArray()).length, 900);
    // Objects share the names.
    assert.equal((await file.rows().toArray()).length, n);
    file.free();
  }
  const none = await open(await write({ v: [{ [long]: 7 }] }, { schema: { v: `struct<${long}: int8>` } }), { maxMemoryBytes: 10_000 });
  const column = (await none.batch(0)).column("v");
  for (const call of [() => column.json(0), () => column.text(0)]) assert.throws(call, BOUND);
});

test("names count, and not the values that they name", async () => {
  const n = 10_000;
  const text = "t".repeat(100);
  for (const length of [10, 62, 70]) {
    const name = "n".repeat(length);
    for (const [type, value] of [
      [`list<item: struct<${name}: utf8>>`, [{ [name]: text }]],
      [`fixed_size_list<item: struct<${name}: utf8>; 1>`, [{ [name]: text }]],
      [`dense_union<0=${name}: utf8>`, { [name]: text }],
      [`sparse_union<0=${name}: utf8>`, { [name]: text }],
    ]) {
      // Few bytes for each row are allowed, and all texts would be more.
      const file = await open(await write({ v: Array(n).fill(value) }, { schema: { v: type } }), { maxMemoryBytes: 90 * n });
      assert.equal((await file.rows({ as: "json" }).toArray()).length, n, `${type}: ${length}`);
      file.free();
    }
  }
});

test("row counts that are no exact numbers", async () => {
  const n = 12_345;
  const bytes = Buffer.from(await write({ v: Array(n).fill(null) }, { schema: { v: "null" }, container: "stream" }));
  const [old, now] = [BigInt(n), 2n ** 53n + 1n].map((rows) => Buffer.from(BigInt64Array.of(rows).buffer));
  for (let at = 0; (at = bytes.indexOf(old, at)) >= 0; ) now.copy(bytes, at);
  await assert.rejects(open(bytes), { name: "ArrowError", code: "input" });
  const file = await open(bytes, { countRows: false });
  await assert.rejects(file.countRows(), { code: "input" });
  await assert.rejects(file.batch(0), { name: "ArrowError" });
});

test("long names deep in types", async () => {
  const nested = (levels, name) => `${"struct<a: ".repeat(levels - 1)}struct<${name}: int8>${">".repeat(levels - 1)}`;
  const module = await load("read");
  const deep = await write({ v: [null] }, { schema: { v: nested(50, "x".repeat(100_000)) } });
  const before = module.buffer.byteLength;
  const start = performance.now();
  // The text of each type has those of all types in it.
  await assert.rejects(open(deep), { name: "ArrowError", code: "input", message: /names deep in types .* 50\d{5} bytes/ });
  assert.ok(performance.now() - start < 1000, `${performance.now() - start} ms`);
  assert.ok(module.buffer.byteLength - before < 1e7, `${module.buffer.byteLength - before} bytes`);
  // Many columns with short names.
  for (const level of ["list<item: ", "struct<a: "]) {
    const type = `${level.repeat(57)}int8${">".repeat(57)}`;
    const many = Object.fromEntries(Array.from({ length: 200 }, (_, k) => [`c${k}`, type]));
    const file = await open(await write(Object.fromEntries(Object.keys(many).map((name) => [name, [null]])), { schema: many }));
    assert.equal(file.schema.fields[199].type.text, type);
    file.free();
  }
  for (const type of [nested(60, "x".repeat(10_000)), nested(3, "x".repeat(1_000_000)), `struct<${Array.from({ length: 10_000 }, (_, k) => `name${k}: struct<a: list<item: int8>>`).join(", ")}>`]) {
    const file = await open(await write({ v: [null] }, { schema: { v: type } }));
    assert.equal(file.schema.fields[0].type.text, type);
    file.free();
  }
});

test("handles are used again", async () => {
  const module = await load("read");
  const freed = module.give(Uint8Array.of(1));
  module.free(freed);
  const before = module.buffer.byteLength;
  for (let i = 0; i < 4_000_000; i++) {
    const handle = module.call("input_new", 0, 0);
    // The text of the error is a value, too.
    if (i < 16_000) assert.throws(() => module.view(freed), { code: "misuse" });
    module.free(handle);
  }
  assert.ok(module.buffer.byteLength - before < 200_000, `${module.buffer.byteLength - before} bytes`);
  // Many at once.
  const many = Array.from({ length: 1000 }, (_, i) => module.give(Uint8Array.of(i)));
  many.forEach((handle, i) => assert.equal(module.view(handle)[0], i % 256));
  for (const handle of many) module.free(handle);
});

test("limits of the library", async () => {
  const bytes = await write({ a: [1, 2, 3], s: [{ b: { c: "x" } }, null, null] }, { compression: "lz4" });
  for (const [limits, message] of [
    [{ maxSlots: 2 }, /limit of 2/],
    [{ maxFields: 2 }, /2/],
    [{ maxDepth: 1 }, /1/],
    [{ maxMetadataBytes: 10 }, /limit of 10/],
    [{ maxBodyBytes: 10 }, /limit of 10/],
  ]) {
    const read = async () => (await open(bytes, limits)).rows().toArray();
    await assert.rejects(read(), { name: "ArrowError", code: "input", message });
  }
  const packed = await write({ a: new Int32Array(100_000) }, { compression: "lz4" });
  await assert.rejects((await open(packed, { maxDecompressedBytes: 1000 })).batch(0), { code: "input", message: /1000/ });
  const dictionary = await write({ v: ["x".repeat(100_000)] }, { schema: { v: "dictionary<int8, utf8>" } });
  await assert.rejects((await open(dictionary, { maxDictionaryBytes: 1000 })).batch(0), { code: "input", message: /1000/ });
});
