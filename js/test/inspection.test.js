// Inspections find what the program finds, and no input is a trap.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { test } from "node:test";
import { promisify } from "node:util";

import { inspect, open, write } from "../index.js";
import { BUFFERS, MESSAGES, mapOf } from "../viewer/src/bytes-model.js";
import { corpus, golden } from "./support.js";

const target = process.env.CARGO_TARGET_DIR ?? fileURLToPath(new URL("../../target", import.meta.url));
const program = ["debug", "release"].map((profile) => `${target}/${profile}/arrow-ipc`).find((path) => existsSync(path));
const run = promisify(execFile);

/** What the program writes of these files: the objects of each, by its path. */
async function written(paths, ...args) {
  const { stdout } = await run(program, [...args, ...paths], { maxBuffer: 1 << 29 }).catch((error) => error);
  const found = new Map();
  let objects = [];
  for (const line of stdout.split("\n").filter(Boolean)) {
    const { input, ...object } = JSON.parse(line);
    if (input !== undefined) found.set(input, (objects = []));
    objects.push(object);
  }
  return found;
}

/** Compares an inspection with what the program says of the same file. */
function compare(path, found, [explanation], objects) {
  // The modules have no rules of time zones.
  const findings = explanation.findings.filter(({ finding }) => finding !== "unknown_zone");
  assert.deepEqual(found.explanation, { ...explanation, findings }, path);
  const messages = objects.filter(({ what }) => what === "message");
  const { index, start, n_body_bytes, n_messages } = found.messages;
  if (n_messages.every((n) => n === 1)) {
    assert.deepEqual(index, messages.map((message) => message.index), path);
    assert.deepEqual(start, messages.map(({ position }) => position), path);
    assert.equal(n_body_bytes.length, messages.length);
  }
  const buffers = messages.flatMap((message) => message.buffers ?? []);
  const { n_buffers, field, role, start: starts } = found.buffers;
  const known = starts.map((start, i) => ({ start, role: role[i], i })).filter(({ i }) => field[i] !== null);
  if (n_buffers.every((n) => n === 1)) {
    assert.deepEqual(known.map(({ start, role }) => [start, role]), buffers.map(({ position, role }) => [position, role]), path);
  }
}

const skip = program ? false : "no program: cargo build -p fletching-arrow-ipc-cli";

test("golden files are inspected as by the program", { skip }, async () => {
  const paths = golden().map(({ path }) => path);
  const [explained, inspected] = await Promise.all([written(paths, "explain", "--json"), written(paths, "inspect", "--json", "--buffers")]);
  assert.ok(paths.length > 300, `${paths.length} files`);
  for (const path of paths) {
    const file = await open(readFileSync(path));
    const found = await file.inspect({ name: path });
    file.free();
    compare(path, found, explained.get(path), inspected.get(path));
    assert.deepEqual(found.damage, [], path);
    assert.equal(found.is_part, false);
  }
});

test("hostile files are inspected as by the program, or are exceptions", { skip }, async () => {
  const [, ...cases] = readFileSync(`${corpus}/hostile/manifest.tsv`, "utf8").trimEnd().split("\n");
  const paths = cases.map((line) => `${corpus}/hostile/${line.split("\t")[0]}`);
  const [explained, inspected] = await Promise.all([written(paths, "explain", "--json"), written(paths, "inspect", "--json", "--buffers")]);
  let n_damaged = 0;
  for (const path of paths) {
    let found;
    try {
      found = await inspect(readFileSync(path), { name: path });
    } catch (error) {
      assert.equal(error.code, "input", path);
      assert.equal(explained.get(path), undefined, path);
      continue;
    }
    compare(path, found, explained.get(path), inspected.get(path));
    if (found.damage.length > 0) n_damaged++;
  }
  assert.ok(n_damaged > 50, `${n_damaged} damaged`);
});

test("bodies are read only if they may be", async () => {
  const bytes = await write([{ id: new Float64Array(1 << 17) }, { id: new Float64Array(1 << 17) }]);
  let n_read = 0;
  const source = {
    length: bytes.length,
    read: (offset, n) => {
      n_read += n;
      return bytes.slice(offset, offset + n);
    },
  };
  const found = await inspect(source, { bodies: false });
  assert.equal(found.n_rows, 1 << 18);
  assert.ok(n_read < 100_000, `${n_read} of ${bytes.length} bytes`);
  assert.equal(found.explanation.columns[0].n_bytes, 1 << 21);
});

test("the decompressed lengths of bodies that are not read are unknown", async () => {
  const bytes = await write([{ id: new Float64Array(1 << 14), no: Int8Array.of(...new Array(1 << 14)) }], { compression: "lz4" });
  const [unread, read] = [await inspect(bytes, { bodies: false }), await inspect(bytes)];
  assert.equal(read.explanation.n_decompressed_bytes, 9 << 14);
  assert.deepEqual(read.explanation.columns.map((column) => column.n_decompressed_bytes), [8 << 14, 1 << 14]);
  assert.equal(unread.explanation.n_decompressed_bytes, null);
  assert.deepEqual(unread.explanation.columns.map((column) => column.n_decompressed_bytes), [null, null]);
  assert.deepEqual(unread.explanation.columns.map((column) => column.n_bytes), read.explanation.columns.map((column) => column.n_bytes));
  const batch = unread.messages.kind.indexOf("record batch");
  assert.deepEqual([unread.messages.codec[batch], unread.messages.n_decompressed_bytes[batch]], ["LZ4", null]);
  assert.deepEqual(unread.fields.n_decompressed_bytes, [null, null]);
  assert.ok(unread.buffers.n_decompressed_bytes.every((n) => n === null));
  // The page says so.
  for (const [found, isKnown] of [[unread, false], [read, true]]) {
    const { items } = mapOf(found);
    const of = (item) => Object.fromEntries(item.facts);
    const [message] = items[MESSAGES].filter(({ title }) => title.includes("record batch")).map(of);
    const buffers = items[BUFFERS].filter(({ title }) => title.endsWith(": values")).map(of);
    assert.equal(buffers.length, 2);
    for (const facts of [message, ...buffers]) {
      assert.equal(facts.decompressed !== "unknown", isKnown, JSON.stringify(facts));
      assert.equal("ratio" in facts, isKnown);
    }
  }
  // Bodies that are not compressed are whole.
  const plain = await inspect(await write({ id: new Float64Array(10) }), { bodies: false });
  assert.equal(plain.explanation.n_decompressed_bytes, plain.explanation.n_body_bytes);
  assert.deepEqual(plain.explanation.columns[0].n_decompressed_bytes, 80);
});

test("commands name the file", async () => {
  const bytes = await write({ id: new Float64Array(1 << 17) });
  const { explanation, commands } = await inspect(bytes, { name: "a b.arrow" });
  assert.deepEqual(explanation.findings.map(({ finding }) => finding), ["no_compression"]);
  assert.deepEqual(commands, ["arrow-ipc convert 'a b.arrow' OUT.arrow --compression zstd"]);
});

test("statistics have the values of columns", { skip }, async () => {
  const plain = await open(await write({ id: Int32Array.of(1) }));
  assert.deepEqual(await plain.statistics(), []);
  plain.free();
  const folder = mkdtempSync(join(tmpdir(), "statistics-"));
  try {
    const n = 60_000;
    const amounts = Array.from({ length: n }, (_, i) => (i % 7 === 0 ? null : i * 1.5));
    const columns = { at: Array.from({ length: n }, (_, i) => new Date(i * 1000)), amount: amounts };
    writeFileSync(`${folder}/plain.arrow`, await write(columns, { schema: { at: 'timestamp(ms, "UTC")', amount: "float64" } }));
    await run(program, ["convert", `${folder}/plain.arrow`, `${folder}/known.arrow`, "--statistics"]);
    const file = await open(`${folder}/known.arrow`);
    const [at, amount, ...others] = await file.statistics();
    file.free();
    assert.deepEqual(others, []);
    assert.deepEqual([at.position, at.nullCount, amount.position, amount.nullCount], [0, 0, 1, Math.ceil(n / 7)]);
    assert.deepEqual([at.min.get(0).getTime(), at.max.get(0).getTime()], [0, (n - 1) * 1000]);
    assert.deepEqual([amount.min.get(0), amount.max.get(0)], [1.5, (n - 1) * 1.5]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
