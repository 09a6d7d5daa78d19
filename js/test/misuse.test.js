// Wrong arguments, sources that lie, and numbers that JavaScript cannot hold are exceptions that say what is wrong.
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { before, test } from "node:test";

import { ArrowDate, ArrowFile, ArrowWriter, Batch, configure, createWriter, inspect, open, write } from "../index.js";
import { load } from "../src/wasm.js";

let bytes;
/** A file that the first request does not have as a whole. */
let large;

before(async () => {
  bytes = await write([{ id: Int32Array.of(1, 2, 3), name: ["a", null, "b"] }, { id: Int32Array.of(4), name: ["c"] }]);
  large = await write([{ id: Int32Array.from({ length: 100_000 }, (_, i) => i) }]);
});

const opened = () => open(bytes);
const batch = async () => (await opened()).batch(0);
const source = (read, length = bytes.length) => ({ length, read });
const part = (offset, n) => bytes.slice(offset, offset + n);
const transferred = (array) => {
  structuredClone(array.buffer, { transfer: [array.buffer] });
  return array;
};

/** Calls, with the code and the text of the exception. */
const CASES = {
  "no source": [() => open(), "misuse", /open takes/],
  "a promise": [() => open(Promise.resolve(bytes)), "misuse", /open takes/],
  "a response": [() => open(new Response(bytes)), "misuse", /open takes/],
  "a length that is a bigint": [() => open(source(part, 5n)), "misuse", /`length` .* not 5n/],
  "a length of 2^53": [() => open(source(part, 2 ** 53)), "misuse", /2⁵³ − 1, not 9007199254740992/],
  "a length that is no number": [() => open(source(part, "5")), "misuse", /not "5"/],
  "a length that is too great": [() => open(source((offset, n) => new Uint8Array(n), Number.MAX_SAFE_INTEGER)), "input", /./],
  "a source that returns nothing": [() => open(source(() => undefined)), "source", /returned no bytes/],
  "a source that throws a text": [() => open(source(() => { throw "no route"; })), "source", /"no route"/],
  "a source that rejects with nothing": [() => open(source(() => Promise.reject())), "source", /undefined/],
  "a source that returns less": [() => open(source((offset, n) => part(offset, n - 1))), "source", /instead of/],
  "a source that returns more": [() => open(source((offset, n) => new Uint8Array(n + 1))), "source", /instead of/],
  "a source that transfers": [() => open(source((offset, n) => transferred(part(offset, n)).buffer)), "source", /transferred|instead of/],
  "a length that is longer than the bytes": [() => open(source((offset, n) => { const all = new Uint8Array(n); all.set(part(offset, n)); return all; }, bytes.length + 99)), "input", /ARROW1/],
  "a length that is shorter": [() => open(source(part, bytes.length - 9)), "input", /ARROW1/],
  "an option of open that does not exist": [() => open(bytes, { countRow: false }), "misuse", /no option countRow/],
  "options that are none": [() => open(bytes, 7), "misuse", /options are an object/],
  "a limit that is no number": [() => open(bytes, { maxSlots: "many" }), "misuse", /maxSlots.*"many"/],
  "a limit that is a bigint": [() => open(bytes, { maxMemoryBytes: 5n }), "misuse", /maxMemoryBytes.*5n/],
  "no URL": [() => open("http://"), "misuse", /no URL/],
  "another protocol": [() => open("ftp://host/a.arrow"), "source", /ftp/],
  "a folder": [() => open(tmpdir()), "source", /not a regular file/],
  "a column that is a bigint": [async () => (await opened()).batch(0, { columns: [0n] }), "misuse", /no column 0n/],
  "a column that is a symbol": [async () => (await opened()).batch(0, { columns: [Symbol("x")] }), "misuse", /no column Symbol\(x\)/],
  "columns that are a text": [async () => (await opened()).batch(0, { columns: "id" }), "misuse", /in an array, not "id"/],
  "columns that are a number": [async () => (await opened()).batch(0, { columns: 7 }), "misuse", /in an array, not 7/],
  "a batch that is a bigint": [async () => (await opened()).batch(0n), "misuse", /0n is no index/],
  "batch −1": [async () => (await opened()).batch(-1), "misuse", /-1 is no index/],
  "batch 2 of 2": [async () => (await opened()).batch(2), "misuse", /2 is no index of a batch: there are 2/],
  "batch 2^32, which is 0 in 32 bits": [async () => (await opened()).batch(2 ** 32), "misuse", /4294967296 is no index/],
  "row counts to the end of numbers": [async () => (await opened()).rowCounts(0, Infinity), "misuse", /not from 0 to Infinity/],
  "row counts to 2^32, which is 0 in 32 bits": [async () => (await opened()).rowCounts(0, 2 ** 32), "misuse", /not from 0 to 4294967296/],
  "row counts from −1": [async () => (await opened()).rowCounts(-1, 1), "misuse", /not from -1 to 1/],
  "row counts from 2^32 to 2^32 + 1": [async () => (await opened()).rowCounts(2 ** 32, 2 ** 32 + 1), "misuse", /not from 4294967296/],
  "row counts of a fraction": [async () => (await opened()).rowCounts(0, 1.5, { isRead: false }), "misuse", /to 1.5/],
  "rows that are bigints": [async () => (await opened()).batch(0, { rows: [0n, 1n] }), "misuse", /first row/],
  "rows that are a number": [async () => (await opened()).batch(0, { rows: 5 }), "misuse", /first row/],
  "rows to 2^53": [async () => (await opened()).batch(0, { rows: [0, 2 ** 53] }), "misuse", /first row/],
  "rows after the last": [async () => (await opened()).batch(0, { rows: [0, 9] }), "misuse", /0\.\.9.* 3/],
  "rows after the last that match": [async () => (await opened()).matches(0, { where: "id > 0", rows: [2, 4] }), "misuse", /2\.\.4.* 3/],
  "row counts of batches after the last": [async () => (await opened()).rowCounts(0, 3), "misuse", /batches 0\.\.3.*2 batches/],
  "an option of row counts that does not exist": [async () => (await opened()).rowCounts(0, 1, { isread: false }), "misuse", /no option isread/],
  "a limit of an inspection that is a text": [() => inspect(bytes, { maxDownloadBytes: "many" }), "misuse", /maxDownloadBytes.*"many"/],
  "from a bigint": [async () => (await opened()).rows({ from: 3n }).toArray(), "misuse", /`from`/],
  "a limit of null": [async () => (await opened()).rows({ limit: null }).toArray(), "misuse", /`limit`/],
  "a form of another object": [async () => (await opened()).rows({ as: "constructor" }), "misuse", /`as` is/],
  "an option of rows that does not exist": [async () => (await opened()).rows({ colums: ["id"] }), "misuse", /no option colums/],
  "a condition that is an object": [async () => (await opened()).rows({ where: { id: 1 } }).toArray(), "misuse", /`where` is a text/],
  "a condition of a stream that is a number": [async () => (await opened()).legacyStream({ where: 7 }), "misuse", /`where` is a text/],
  "a column of a batch that is a bigint": [async () => (await batch()).column(0n), "misuse", /no column 0n/],
  "no column of a batch": [async () => (await batch()).column(), "misuse", /no column undefined/],
  "a form of a batch": [async () => (await batch()).toArray("x"), "misuse", /rows are/],
  "slots from −1": [async () => (await batch()).columns[0].toArray(-1, 2), "misuse", /slots are/],
  "a file of a constructor": [() => new ArrowFile(), "misuse", /made by `open`/],
  "a batch of a constructor": [() => new Batch(), "misuse", /made by/],
  "a writer of a constructor": [() => new ArrowWriter(), "misuse", /schema/],
  "modules that do not exist": [() => configure({ write: "a" }), "misuse", /no option write/],
  "nothing to write": [() => write(), "misuse", /a batch is an object/],
  "a number to write": [() => write(7), "misuse", /a batch is an object/],
  "a column that is null": [() => write({ a: null }), "misuse", /column a: values are/],
  "a column that is a text": [() => write({ a: "abc" }), "misuse", /column a: values are/],
  "a column that is a set": [() => write({ a: new Set([1]) }), "misuse", /column a: values are/],
  "a null in numbers of a column that has none": [() => write({ a: { values: Int32Array.of(1, 2), validity: Uint8Array.of(1) } }, { schema: [{ name: "a", type: "int32", nullable: false }] }), "misuse", /column "a": .*null/],
  "a null in values of a column that has none": [() => write({ a: [1, null] }, { schema: [{ name: "a", type: "int32", nullable: false }] }), "misuse", /column "a": .*null/],
  "columns of two lengths": [() => write({ a: [1], b: [1, 2] }), "misuse", /column b has 2 values/],
  "an integer that may have lost digits": [() => write({ a: [2 ** 53] }, { schema: { a: "int64" } }), "misuse", /expected an integer/],
  "an integer in a list that may have lost digits": [() => write({ a: [[2 ** 60]] }, { schema: { a: "list<item: uint64>" } }), "misuse", /expected an integer/],
  "an integer that is too large": [() => write({ a: [1n << 70n] }), "misuse", /expected an integer/],
  "a function": [() => write({ a: [() => 1] }, { schema: { a: "utf8" } }), "misuse", /a function is no value/],
  "a symbol": [() => write({ a: [Symbol("x")] }), "misuse", /no type for a symbol/],
  "an array in itself": [() => { const a = []; a.push(a); return write({ a }); }, "misuse", /64 levels/],
  "an array in itself, with a schema": [() => { const a = []; a.push(a); return write({ a }, { schema: { a: "list<item: int32>" } }); }, "misuse", /64 levels/],
  "an object in itself": [() => { const a = {}; a.a = a; return write({ a: [a] }); }, "misuse", /64 levels/],
  "half of a character": [() => write({ a: ["x\ud800y"] }), "misuse", /surrogate/],
  "half of a character in metadata": [() => write({ a: [1] }, { metadata: [["k", "x\ud800y"]] }), "misuse", /surrogate/],
  "half of a character in a condition": [async () => (await opened()).rows({ where: "name = 'x\ud800y'" }).toArray(), "misuse", /surrogate/],
  "bytes without a type as a list": [() => write({ a: [new DataView(new ArrayBuffer(3))] }, { schema: { a: "list<item: uint8>" } }), "misuse", /DataView is no value/],
  "a set as an object": [() => write({ a: [new Set([1])] }, { schema: { a: "struct<x: int32>" } }), "misuse", /Set is no value/],
  "an error as an object": [() => write({ a: [new Error("x")] }, { schema: { a: "struct<x: int32>" } }), "misuse", /Error is no value/],
  "memory that was transferred": [() => write({ a: transferred(new Int32Array(4)) }), "misuse", /cannot be read/],
  "a validity that is an array": [() => write({ a: { values: Int32Array.of(1, 2), validity: [1] } }), "misuse", /`validity` is a Uint8Array/],
  "a validity that is too short": [() => write({ a: { values: new Int32Array(20), validity: new Uint8Array(1) } }), "misuse", /a bit for each/],
  "metadata without a value": [() => write({ a: [1] }, { metadata: [["a", null]] }), "misuse", /pairs of texts/],
  "metadata without a key": [() => write({ a: [1] }, { metadata: [[null, "a"]] }), "misuse", /pairs of texts: nulls can be read, and not written/],
  "metadata with U+0000": [() => write({ a: [1] }, { metadata: { k: "a\0b" } }), "misuse", /U\+0000 can be read, and not written/],
  "metadata that is no pairs": [() => write({ a: [1] }, { metadata: ["ab"] }), "misuse", /pairs of texts/],
  "metadata of headers": [() => write({ a: [1] }, { metadata: new Headers({ owner: "ada" }) }), "misuse", /`metadata` is .*, not an object of Headers/],
  "metadata of a query": [() => write({ a: [1] }, { metadata: new URLSearchParams("owner=ada") }), "misuse", /not an object of URLSearchParams/],
  "metadata that is a set": [() => write({ a: [1] }, { metadata: new Set([["k", "v"]]) }), "misuse", /not an object of Set/],
  "metadata of an iterator": [() => write({ a: [1] }, { metadata: new Map([["k", "v"]]).entries() }), "misuse", /`metadata` is/],
  "metadata that is a date": [() => write({ a: [1] }, { metadata: new Date() }), "misuse", /not an object of Date/],
  "metadata that is a text": [() => write({ a: [1] }, { metadata: "k" }), "misuse", /not "k"/],
  "metadata of a field that is a set": [() => write({ a: [1] }, { schema: [{ name: "a", type: "int8", metadata: new Set([["k", "v"]]) }] }), "misuse", /not an object of Set/],
  "metadata of a field in a type that is a pattern": [() => write({ a: [[1]] }, { schema: [{ name: "a", type: { text: "list<item: int8>", children: [{ name: "item", metadata: /k/ }] } }] }), "misuse", /not an object of RegExp/],
  "a schema that is a set": [() => createWriter({ schema: new Set(["a"]) }), "misuse", /`schema` is .*, not an object of Set/],
  "a schema of an iterator": [() => createWriter({ schema: new Map([["a", "int8"]]).entries() }), "misuse", /`schema` is/],
  "a schema with a name that is a number": [() => createWriter({ schema: new Map([[1, "int8"]]) }), "misuse", /name of a field is a text, not 1/],
  "a schema that is null": [() => createWriter({ schema: null }), "misuse", /`schema` is/],
  "a schema that is a text": [() => write({ a: [1] }, { schema: "a: int32" }), "misuse", /`schema` is an object/],
  "a schema without a type": [() => write({ a: [1] }, { schema: [{ name: "a" }] }), "misuse", /a type is a text/],
  "a type with two lines": [() => write({ a: [1] }, { schema: { a: "int32\nb: int32" } }), "misuse", /a type is a text/],
  "a time with a zone in a column without one": [() => write({ t: [new ArrowDate(0n, "ms", "UTC")] }, { schema: { t: "timestamp(ms)" } }), "misuse", /column "t"/],
  "a time with more digits than its column": [() => write({ t: [new Date(1)] }, { schema: { t: "timestamp(s)" } }), "misuse", /column "t"/],
  "fields of a type that has others": [() => write({ a: [[1]] }, { schema: [{ name: "a", type: { text: "list<item: int8>", children: [{ name: "x" }] } }] }), "misuse", /has the fields "item", not "x"/],
  "fields of a type that has none": [() => write({ a: [1] }, { schema: [{ name: "a", type: { text: "int8", children: [{ name: "x" }] } }] }), "misuse", /"x"/],
  "fields of a type that are a text": [() => write({ a: [[1]] }, { schema: [{ name: "a", type: { text: "list<item: int8>", children: "item" } }] }), "misuse", /array of fields, not "item"/],
  "metadata of a field in a type without a value": [() => write({ a: [[1]] }, { schema: [{ name: "a", type: { text: "list<item: int8>", children: [{ name: "item", metadata: [["k", null]] }] } }] }), "misuse", /pairs of texts/],
  "a field in a type that is nullable elsewhere": [() => write({ a: [[1]] }, { schema: [{ name: "a", type: { text: "list<item: int8>", children: [{ name: "item", nullable: false }] } }] }), "misuse", /"item" is nullable/],
  "a batch that is null": [async () => (await createWriter({ schema: { a: "int32" } })).write(null), "misuse", /a batch is an object/],
  "batches of a generator": [() => write((function* () { yield { a: [1] }; })()), "misuse", /a batch is an object of columns by their names, not an object of no class/],
  "batches of an iterator": [() => write([{ a: [1] }].values()), "misuse", /a batch is an object/],
  "batches that come later": [() => write(Promise.resolve({ a: [1] })), "misuse", /not an object of Promise/],
  "a batch that is a map": [() => write([new Map([["a", [1]]])]), "misuse", /not an object of Map/],
  "a batch that is a generator, for a writer": [async () => (await createWriter({ schema: {} })).write((function* () {})()), "misuse", /a batch is an object/],
  "a number of rows that is not that of a column": [async () => (await createWriter({ schema: { a: "int32" } })).write({ a: [1] }, { numRows: 2 }), "misuse", /column a has 1 values, and `numRows` is 2/],
  "a number of rows that is none": [async () => (await createWriter({ schema: {} })).write({}, { numRows: -1 }), "misuse", /`numRows` is a whole number, not -1/],
  "more rows than a batch has": [async () => (await createWriter({ schema: {} })).write({}, { numRows: 2 ** 32 }), "misuse", /`numRows` is at most 4294967295/],
  "an option that all objects have": [() => write({ a: [1] }, { constructor: 1 }), "misuse", /no option constructor; there are schema/],
  "options of a writer that are none": [() => write({ a: [1] }, 7), "misuse", /options are an object/],
  "ordered dictionaries that differ": [() => write([{ d: ["x", "y"] }, { d: ["y", "x"] }], { schema: { d: "dictionary<int8, utf8, ordered>" } }), "misuse", /ordered dictionaries/],
  "no options of a writer": [() => createWriter(), "misuse", /schema/],
  "a date without a value": [() => new ArrowDate(), "misuse", /unit of a date/],
  "a unit that does not exist": [() => new ArrowDate(1n, "h"), "misuse", /not "h"/],
  "a date of a fraction": [() => new ArrowDate(1.5, "us"), "misuse", /whole number/],
};

for (const [name, [call, code, message]] of Object.entries(CASES)) {
  test(name, async () => {
    await assert.rejects(async () => call(), (error) => {
      assert.equal(error.name, "ArrowError", error.stack);
      assert.equal(error.code, code, error.message);
      assert.match(error.message, message);
      return true;
    });
  });
}

test("what is allowed", async () => {
  const file = await open(source((offset, n) => {
    const shared = new SharedArrayBuffer(n);
    new Uint8Array(shared).set(part(offset, n));
    return shared;
  }), null);
  assert.equal((await file.rows(null).toArray()).length, 4);
  assert.equal((await file.batch(0, { rows: null, columns: null })).numRows, 3);
  const { columns } = await file.batch(0);
  assert.deepEqual([columns[0].get(1.5), columns[0].get("1"), columns[0].get(9)], [null, null, null]);
  assert.deepEqual(columns[1].toArray(1, 1e9), [null, "b"]);
  assert.equal(String(new ArrowDate(1, "us")), "1970-01-01T00:00:00.000001");
  assert.deepEqual([...(await file.rowCounts(2, 2))], []);
  const notNull = { schema: [{ name: "n", type: "int32", nullable: false }] };
  assert.equal((await open(await write({ n: { values: Int32Array.of(1, 2), validity: Uint8Array.of(3) } }, notNull))).numRows, 2);
  const written = await open(await write({ n: { values: Int32Array.of(1, 2), validity: Uint8Array.of(2) }, big: [2 ** 60, 1e300] }));
  assert.deepEqual(await written.rows({ as: "arrays" }).toArray(), [[null, 2 ** 60], [2, 1e300]]);
  const members = await open(await write([new (class { a = [1]; })(), Object.assign(Object.create(null), { a: [2] })]));
  assert.deepEqual(await members.rows({ as: "arrays" }).toArray(), [[1], [2]]);
  const days = await open(await write({ d: [new Date(86_400_000)] }, { schema: { d: "date32" } }));
  assert.deepEqual(await days.rows({ as: "json" }).toArray(), ['{"d":"1970-01-02"}']);
});

test("reads at once, and a source that becomes slower", async () => {
  const file = await open(source(async (offset, n) => part(offset, n)));
  const reads = [file.batch(0), file.batch(1), file.rows().toArray(), file.rows({ where: "id > 2" }).toArray(), file.countRows()];
  const [first, second, rows, matching, n] = await Promise.all(reads);
  assert.deepEqual([first.numRows, second.numRows, rows.length, matching.length, n], [3, 1, 4, 2, 4]);
});

test("files that are freed while they are read", async () => {
  const slow = async () => {
    let wait = 0;
    const file = await open(source(async (offset, n) => {
      await new Promise((done) => setTimeout(done, wait));
      return part(offset, n);
    }));
    wait = 5;
    return file;
  };
  // Reads of one batch end; no other batch begins.
  const one = await slow();
  const reading = one.batch(0);
  one.free();
  assert.equal((await reading).numRows, 3);
  const file = await opened();
  await assert.rejects(async () => {
    for await (const row of file.rows({ from: 1, to: 3, as: "arrays" })) {
      assert.ok(row[0] === 2 || row[0] === 3);
      file.free();
    }
    for await (const _ of file.rows());
  }, { code: "misuse", message: /freed/ });
  const whole = await opened();
  await assert.rejects(async () => {
    for await (const _ of whole.rows()) whole.free();
  }, { code: "misuse", message: /freed/ });
  for (const use of [(file) => file.batch(0), (file) => file.legacyStream(), (file) => file.rows().toArray(), (file) => file.rows({ where: "id > 1" }).toArray()]) {
    await assert.rejects(use(whole), { code: "misuse", message: /freed/ });
  }
  // What waits for a module or for row counts says the same afterwards.
  const waiting = {
    matches: (file) => file.matches(0, { where: "id > 1" }),
    where: (file) => file.rows({ where: "id > 1" }).toArray(),
    from: (file) => file.rows({ from: 1 }).toArray(),
    legacy: (file) => file.legacyStream(),
    inspect: (file) => file.inspect(),
    statistics: (file) => file.statistics(),
  };
  for (const [name, use] of Object.entries(waiting)) {
    for (const isLoaded of [false, true]) {
      const file = await opened();
      if (isLoaded) await file.statistics();
      const result = use(file);
      file.free();
      await assert.rejects(result, { code: "misuse", message: "the file was freed" }, `${name} ${isLoaded}`);
    }
  }
  const pieces = await slow();
  await assert.rejects(async () => {
    for await (const _ of pieces.legacyChunks()) pieces.free();
  }, { code: "misuse", message: "the file was freed" });
  const folder = mkdtempSync(join(tmpdir(), "arrow-"));
  writeFileSync(join(folder, "a.arrow"), large);
  const onDisk = await open(join(folder, "a.arrow"));
  onDisk.free();
  await assert.rejects(onDisk.batch(0), { code: "misuse", message: /freed/ });
  rmSync(folder, { recursive: true });
});

test("memory that is gone after it was opened", async () => {
  const copy = large.slice();
  const file = await open(copy);
  transferred(copy);
  await assert.rejects(file.batch(0), { code: "changed", message: /memory was transferred/ });
  await assert.rejects(open(copy), { code: "misuse", message: /cannot be read/ });
});

test("no value stays in a module that was given it in vain", async () => {
  const module = await load("full");
  const given = [];
  const { give } = Object.getPrototypeOf(module);
  module.give = (...args) => (given.push(give.apply(module, args)), given.at(-1));
  assert.throws(() => module.giveAll([Uint8Array.of(1), null, { byteLength: 2 ** 31 }]), { code: "input" });
  assert.equal(given.length, 1);
  assert.throws(() => module.view(given[0]), { code: "misuse" });
  const file = await opened();
  await file.statistics();
  given.length = 0;
  await assert.rejects(file.rows({ columns: ["id"], where: "name = '\ud800'" }).toArray(), { code: "misuse" });
  assert.equal(given.length, 0);
  const writer = await createWriter({ schema: { a: "int32" } });
  given.length = 0;
  const validity = new Proxy(Uint8Array.of(1), { get: (bytes, name) => (name === "byteLength" ? 2 ** 31 : Reflect.get(bytes, name)) });
  assert.throws(() => writer.write({ a: { values: Int32Array.of(1), validity } }), { code: "input", message: /2147483648/ });
  assert.equal(given.length, 1);
  assert.throws(() => module.view(given[0]), { code: "misuse" });
  delete module.give;
  assert.ok(writer.write({ a: Int32Array.of(1) }).length > 0);
  file.free();
  writer.free();
});

test("an option that is undefined is not given", async () => {
  const written = await write({ a: Int32Array.of(1, 2) });
  const no = (...names) => Object.fromEntries(names.map((name) => [name, undefined]));
  const same = await write({ a: Int32Array.of(1, 2) }, no("schema", "container", "compression", "metadata", "rowCounts", "alignment", "maxMessageBytes", "of another program"));
  assert.deepEqual(same, written);
  const file = await open(written, no("countRows", "headers", "credentials", "signal", "startBytes", "maxDownloadBytes", "maxMemoryBytes", "maxFields"));
  assert.deepEqual(await file.rows(no("from", "to", "columns", "where", "limit", "trustStatistics", "as")).toArray(), [{ a: 1 }, { a: 2 }]);
  assert.equal((await file.batch(0, no("columns", "rows"))).numRows, 2);
  assert.equal((await file.matches(0, { where: "a > 1", ...no("columns", "rows") })).rows.length, 1);
  assert.ok((await file.legacyStream(no("columns", "where"))).length > 0);
  assert.ok((await file.inspect(no("name", "bodies"))).n_bytes > 0);
  assert.deepEqual(await file.rowCounts(0, 1, no("isRead")), Float64Array.of(2));
});

test("batches without columns have rows", async () => {
  const writer = await createWriter({ schema: {} });
  const file = await open(Buffer.concat([writer.write({}, { numRows: 3 }), writer.write({}, { numRows: undefined }), writer.write({}, { numRows: 2 }), writer.finish()]));
  assert.deepEqual([file.numRows, file.numBatches], [5, 3]);
  assert.deepEqual(await file.rows().toArray(), [{}, {}, {}, {}, {}]);
});

test("modules that cannot be loaded", async () => {
  const own = new URL("../wasm/full.wasm", import.meta.url);
  for (const full of ["file:///no/such/full.wasm", "http://127.0.0.1:1/full.wasm", "no-protocol://x/", "http://", new Uint8Array(10), new URL(import.meta.url)]) {
    configure({ full });
    await assert.rejects(write({ a: [1] }), { name: "ArrowError", code: "source", message: /wasm\/full\.wasm cannot be loaded: ./ }, String(full));
  }
  for (const full of [await WebAssembly.compile(readFileSync(own)), readFileSync(own), own, own.href]) {
    configure({ full });
    assert.ok((await write({ a: [1] })).length > 0);
  }
});

test("signals that are aborted", async () => {
  await assert.rejects(open(bytes, { signal: AbortSignal.abort() }), { name: "AbortError" });
  await assert.rejects(open("http://127.0.0.1:1/a.arrow", { signal: AbortSignal.abort(new Error("enough")) }), /enough/);
});
