// Inspections find what the program finds, and no input is a trap.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { test } from "node:test";
import { promisify } from "node:util";

import { inspect, open, write } from "../index.js";
import { corpus, golden } from "./support.js";

const target = process.env.CARGO_TARGET_DIR ?? fileURLToPath(new URL("../../target", import.meta.url));
const program = ["debug", "release"].map((profile) => `${target}/${profile}/arrow-ipc`).find((path) => existsSync(path));
const run = promisify(execFile);

/** What the program writes, whatever its status. */
async function written(...args) {
  try {
    return (await run(program, args, { maxBuffer: 1 << 28 })).stdout;
  } catch (error) {
    return error.stdout ?? "";
  }
}

/** Compares an inspection with what the program says of the same file. */
async function compare(path, found) {
  const explained = await written("explain", "--json", path);
  // Of what is no Arrow data, the program says nothing.
  if (explained === "") return false;
  assert.deepEqual(found.explanation, JSON.parse(explained), path);
  const lines = (await written("inspect", "--json", "--buffers", path)).trimEnd().split("\n").map((line) => JSON.parse(line));
  const messages = lines.filter(({ what }) => what === "message");
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
  return true;
}

test("golden files are inspected as by the program", { skip: program ? false : "no program: cargo build -p fletching-arrow-ipc-cli" }, async () => {
  let n = 0;
  for (const { path } of golden()) {
    const file = await open(readFileSync(path));
    const found = await file.inspect({ name: path });
    file.free();
    n += (await compare(path, found)) ? 1 : 0;
    assert.deepEqual(found.damage, [], path);
    assert.equal(found.is_part, false);
  }
  assert.ok(n > 300, `${n} files`);
});

test("hostile files are inspected as by the program, or are exceptions", { skip: program ? false : "no program: cargo build -p fletching-arrow-ipc-cli" }, async () => {
  const [, ...cases] = readFileSync(`${corpus}/hostile/manifest.tsv`, "utf8").trimEnd().split("\n");
  let n_damaged = 0;
  for (const line of cases) {
    const path = `${corpus}/hostile/${line.split("\t")[0]}`;
    let found;
    try {
      found = await inspect(readFileSync(path), { name: path });
    } catch (error) {
      assert.equal(error.code, "input", path);
      assert.equal(await written("explain", "--json", path), "", path);
      continue;
    }
    await compare(path, found);
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

test("commands name the file", async () => {
  const bytes = await write({ id: new Float64Array(1 << 17) });
  const { explanation, commands } = await inspect(bytes, { name: "a b.arrow" });
  assert.deepEqual(explanation.findings.map(({ finding }) => finding), ["no_compression"]);
  assert.deepEqual(commands, ["arrow-ipc convert 'a b.arrow' OUT.arrow --compression zstd"]);
});

test("statistics have the values of columns", async () => {
  const found = [];
  for (const folder of readdirSync(`${corpus}/golden`)) {
    for (const name of existsSync(`${corpus}/golden/${folder}/cases.tsv`) ? readdirSync(`${corpus}/golden/${folder}`) : []) {
      if (!/statistic/.test(name) || !/\.arrow$/.test(name)) continue;
      const file = await open(readFileSync(`${corpus}/golden/${folder}/${name}`));
      found.push(...(await file.statistics()));
      file.free();
    }
  }
  for (const { min, max, position } of found) {
    assert.ok(Number.isInteger(position));
    for (const bound of [min, max]) if (bound !== null) assert.equal(bound.length, 1);
  }
  const plain = await open(await write({ id: Int32Array.of(1) }));
  assert.deepEqual(await plain.statistics(), []);
  plain.free();
});
