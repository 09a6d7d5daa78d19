// Every golden file and stream of the test data has the rows that its writer wrote down, and every hostile one is an exception.
import assert from "node:assert/strict";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { test } from "node:test";

import { open } from "../index.js";
import { corpus, golden, rowsOf } from "./support.js";

for (const { name, path, lines } of golden()) {
  test(`golden ${name}`, async () => {
    const file = await open(readFileSync(path));
    const rows = await file.rows({ as: "json" }).toArray();
    assert.equal(rows.length, lines.length);
    assert.equal(file.numRows, lines.length);
    rows.forEach((row, i) => assert.equal(row, lines[i], `row ${i}`));
    file.free();
  });
}

test("values have the same text as the JSON of their columns", async () => {
  for (const { path } of golden()) {
    const file = await open(readFileSync(path));
    for (let i = 0; i < file.numBatches; i++) {
      const batch = await file.batch(i);
      for (const column of batch.columns) {
        assert.equal(column.toArray().length, column.length);
        const nulls = column.toArray().filter((value) => value === null).length;
        assert.equal(nulls, column.nullCount, `${path} ${column.name}`);
      }
    }
    file.free();
  }
});

test("rows of a range are those of all rows", async () => {
  for (const { name, path, lines } of golden().filter(({ name }) => /every-type|nested|views|random/.test(name))) {
    const file = await open(readFileSync(path));
    for (const [from, to] of [[0, 1], [1, 4], [3, 3], [lines.length - 1, lines.length + 5], [2, Infinity]]) {
      if (from < 0) continue;
      const rows = await file.rows({ from, to, as: "json" }).toArray();
      assert.deepEqual(rows, lines.slice(from, to), `${name} ${from} ${to}`);
    }
    file.free();
  }
});

/** These have more rows than a module with addresses of 32 bits can count. */
const TOO_LARGE = new Set(["batch-null-2e62.stream", "fsl-size-zero-2e62.stream", "ree-length-2e40.stream"]);

test("hostile files are exceptions, and the module goes on working", async () => {
  const [, ...cases] = readFileSync(`${corpus}/hostile/manifest.tsv`, "utf8").trimEnd().split("\n");
  const sound = golden()[0];
  let n = 0;
  for (const line of cases) {
    const [name, , , here] = line.split("\t");
    const found = await rowsOf(readFileSync(`${corpus}/hostile/${name}`));
    // Tensors between batches are skipped here.
    if (name === "framing-tensor-in-stream.stream") continue;
    if (TOO_LARGE.has(name)) {
      assert.match(found.error.message, /rows exceed the limit|rows; at most 2⁵³ − 1/, name);
    } else if (here === "ok") {
      assert.ok(found.rows, `${name}: ${found.error}`);
    } else {
      assert.ok(found.error, `${name} is ${here}`);
      assert.equal(found.error.name, "ArrowError", `${name}: ${found.error.stack}`);
      assert.equal(found.error.code, "input", `${name}: ${found.error.message}`);
      assert.notEqual(found.error.message, "");
      n++;
    }
    // The same module reads what is sound.
    if (n % 20 === 0) assert.deepEqual((await rowsOf(readFileSync(sound.path))).rows, sound.lines);
  }
  assert.ok(n > 150, `${n} are refused`);
});

const data = process.env.ARROW_TEST_DATA;

test("what fuzzers found is read or an exception", { skip: !data && "no ARROW_TEST_DATA" }, async () => {
  for (const folder of ["arrow-ipc-file", "arrow-ipc-stream"]) {
    for (const name of readdirSync(`${data}/${folder}`)) {
      const path = `${data}/${folder}/${name}`;
      if (!statSync(path).isFile()) continue;
      const { error } = await rowsOf(readFileSync(path));
      if (error) assert.equal(error.code, "input", `${name}: ${error.stack}`);
    }
  }
});
