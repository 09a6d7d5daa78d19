// The memory of the modules: what a file had there is free after it was freed, and a module that has none left is replaced.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";

import { configure, createWriter, open, write } from "../index.js";
import { load } from "../src/wasm.js";

const MODULES = { read: new URL("../wasm/read.wasm", import.meta.url), full: new URL("../wasm/full.wasm", import.meta.url) };

/** One batch, several, and one that is given in two parts. */
let one, several, long;

before(async () => {
  const numbers = new Float64Array(20_000);
  one = await write({ a: numbers });
  several = await write(Array.from({ length: 5 }, () => ({ a: numbers })));
  long = await write({ a: new Float64Array(70_000) });
});

after(() => configure(MODULES));

/** Iterations that are left where they stand, after so many steps. */
const LEFT = {
  "batches of one": [() => one, (file) => file.rows().batches(), 1],
  "batches of several": [() => several, (file) => file.rows().batches(), 2],
  "parts of a batch": [() => long, (file) => file.rows().batches(), 1],
  "rows, one by one": [() => one, (file) => file.rows()[Symbol.asyncIterator](), 1],
  "rows that match": [() => several, (file) => file.rows({ where: "a = 0" }).batches(), 2],
  "batches that are read ahead": [() => ({ length: several.length, read: async (offset, n) => several.slice(offset, offset + n) }), (file) => file.rows().batches(), 1],
  "a stream for others, at its start": [() => one, (file) => file.legacyChunks(), 1],
  "a stream for others": [() => one, (file) => file.legacyChunks(), 2],
};

for (const [name, [source, iterate, n_steps]] of Object.entries(LEFT)) {
  test(`freed with its file: ${name}`, async () => {
    const round = async () => {
      const file = await open(source());
      const iteration = iterate(file);
      for (let k = 0; k < n_steps; k++) assert.equal((await iteration.next()).done, false);
      file.free();
      return iteration;
    };
    const sizes = async () => (await Promise.all(["read", "full"].map(load))).map((module) => module.buffer.byteLength);
    for (let k = 0; k < 20; k++) await round();
    const before = await sizes();
    // A batch has at least 160 kB.
    for (let k = 0; k < 1000; k++) await round();
    assert.deepEqual(await sizes(), before);
  });
}

/** Frees in all modules as before, and notes the errors of values that were freed already, which `free` does not throw. Returns how to undo it. */
async function watched(errors) {
  const modules = await Promise.all(["read", "full"].map(load));
  for (const module of modules) {
    module.free = (handle) => {
      try {
        module.call("value_free", handle);
      } catch (error) {
        errors.push(error.message);
      }
    };
  }
  return () => modules.forEach((module) => delete module.free);
}

test("no value is freed twice, and no other one instead of it", async () => {
  for (const [name, [source, iterate, n_steps]] of Object.entries(LEFT)) {
    const errors = [];
    const undo = await watched(errors);
    const left = [];
    for (let k = 0; k < 100; k++) {
      const file = await open(source());
      left.push(iterate(file));
      for (let step = 0; step < n_steps; step++) await left.at(-1).next();
      file.free();
    }
    const other = await open(long);
    const reading = other.rows().batches();
    await reading.next();
    // Their `finally` comes now, when their handles may be those of other values.
    for (const iteration of left) await iteration.return();
    assert.equal((await reading.next()).value.numRows, 70_000 - 65_536, name);
    assert.equal((await reading.next()).done, true);
    other.free();
    undo();
    assert.deepEqual(errors, [], name);
  }
});

test("an iteration does not go on in a file that was freed", async () => {
  for (const [name, [source, iterate, n_steps]] of Object.entries(LEFT)) {
    const file = await open(source());
    const iteration = iterate(file);
    for (let k = 0; k < n_steps; k++) await iteration.next();
    file.free();
    // Rows that were read stay, and one batch is all of this file.
    const isDone = name === "rows, one by one" || name === "batches of one";
    if (isDone) await iteration.next();
    else await assert.rejects(iteration.next(), { code: "misuse", message: "the file was freed" }, name);
  }
});

/** A number of a module of WebAssembly, and where it ends. */
function numberAt(bytes, at) {
  let number = 0;
  for (let shift = 0; ; shift += 7) {
    const byte = bytes[at++];
    number |= (byte & 127) << shift;
    if (byte < 128) return [number, at];
  }
}

function numberBytes(number) {
  return number < 128 ? [number] : [(number & 127) | 128, ...numberBytes(number >> 7)];
}

/** A module whose memory has at most so many pages of 64 KiB. */
function withPages(bytes, n_pages) {
  const [MEMORY, HAS_MOST] = [5, 1];
  for (let at = 8; at < bytes.length; ) {
    const [length, start] = numberAt(bytes, at + 1);
    if (bytes[at] === MEMORY) {
      const section = [1, HAS_MOST, ...numberBytes(numberAt(bytes, start + 2)[0]), ...numberBytes(n_pages)];
      return Buffer.concat([bytes.subarray(0, at), Buffer.from([MEMORY, ...numberBytes(section.length), ...section]), bytes.subarray(start + length)]);
    }
    at = start + length;
  }
}

test("a module without memory is replaced", async () => {
  const n = 1_000_000;
  const large = await write({ a: new Float64Array(n) });
  const small = withPages(readFileSync(MODULES.read), 256);
  configure({ read: small, full: withPages(readFileSync(MODULES.full), 512) });
  const file = await open(large);
  const old = await load("read");
  await file.batch(0);
  const handles = [];
  const fill = (n_bytes) => {
    for (;;) handles.push(old.give(new Uint8Array(n_bytes)));
  };
  assert.throws(() => fill(n), { name: "ArrowError", code: "module", message: /no memory for 1000000 bytes: open the file again/ });
  assert.equal(old.hasEnded, true);
  await assert.rejects(file.batch(0), { code: "module", message: /open the file again/ });
  file.free();
  const again = await open(large);
  assert.notEqual(await load("read"), old);
  assert.equal((await again.batch(0)).numRows, n);
  again.free();
  // A batch is larger than the memory that is left.
  const writer = await createWriter({ schema: { a: "float64" } });
  assert.throws(() => writer.write({ a: new Float64Array(5 * n) }), { code: "module", message: /no memory for 40000000 bytes/ });
  writer.free();
  assert.ok((await write({ a: [1] })).length > 0);
});

test("a module that has no memory for the text of an error is replaced, too", async () => {
  configure({ read: withPages(readFileSync(MODULES.read), 64) });
  const old = await load("read");
  const fill = () => {
    for (;;) old.call("input_new", 0, 0);
  };
  assert.throws(fill, { name: "ArrowError", code: "module", message: /no memory for the text of an error/ });
  assert.notEqual(await load("read"), old);
});
