// Rows that match, and conditions with times of a zone.
import assert from "node:assert/strict";
import { test } from "node:test";

import { open, write } from "../index.js";
import { load } from "../src/wasm.js";
import { zoneOf } from "../src/zones.js";

test("the rows of a batch that match have their numbers and the columns of the condition", async () => {
  const ids = Int32Array.from({ length: 100 }, (_, i) => i);
  const parts = [0, 100].map((first) => ({ id: ids.map((i) => i + first), name: Array.from(ids, (i) => (i % 10 === 0 ? null : `n${i % 10}`)), other: ids }));
  const file = await open(await write(parts));
  const { rows, batch } = await file.matches(1, { where: "id >= 150 and name = 'n7'" });
  assert.deepEqual([...rows], [57, 67, 77, 87, 97]);
  assert.deepEqual(batch.toArray(), [157, 167, 177, 187, 197].map((id) => ({ id, name: "n7" })));
  const part = await file.matches(0, { where: "name is null", rows: [35, 62], columns: ["other"] });
  assert.deepEqual([...part.rows], [40, 50, 60]);
  assert.deepEqual(part.batch.column("other").toArray(), [40, 50, 60]);
  assert.equal((await file.matches(0, { where: "id < 0" })).rows.length, 0);
  await assert.rejects(file.matches(0, { where: "" }), { code: "misuse" });
  await assert.rejects(file.matches(0, { where: "nowhere = 1" }), { code: "misuse" });
  await assert.rejects(file.matches(2, { where: "id = 1" }), /2/);
  file.free();
});

test("what is asked batch by batch is selected once", async () => {
  const file = await open(await write(Array.from({ length: 50 }, (_, k) => ({ id: Int32Array.of(k, k + 1), name: ["a", "b"] }))));
  const made = {};
  const undo = [];
  for (const name of ["read", "full"]) {
    const module = await load(name);
    const { call } = module;
    made[name] = 0;
    module.call = (of, ...args) => {
      if (of === "rows_new") made[name]++;
      return call.call(module, of, ...args);
    };
    undo.push(() => delete module.call);
  }
  const found = [];
  for (let k = 0; k < file.numBatches; k++) {
    for (const row of (await file.matches(k, { where: "id = 7" })).rows) found.push([k, row]);
    assert.equal((await file.batch(k, { columns: ["name"] })).columns.length, 1);
  }
  assert.deepEqual(found, [[6, 1], [7, 0]]);
  // The columns of the condition are selected alone, too.
  assert.deepEqual(made, { read: 1, full: 2 });
  // Selections that are not used any more are made again, and those in use stay.
  const reading = file.rows({ columns: ["id"] }).chunks();
  await reading.next();
  for (const columns of [["id", "name"], ["name", "id"], [], [0, 1], [1]]) await file.batch(0, { columns });
  assert.equal((await reading.next()).value[0].id, 1);
  await reading.return();
  file.free();
  undo.forEach((back) => back());
});

// What the program has for the same conditions, by the database of `jiff`. The instants are seconds.
test("times without an offset are in the zone of their column", async () => {
  const instant = (text) => BigInt(Date.parse(text)) / 1000n;
  const at = BigInt64Array.of(...["2024-03-31T00:59:59Z", "2024-03-31T01:00:00Z", "2024-10-27T00:00:00Z", "2024-10-27T01:00:00Z", "2024-10-27T02:00:00Z"].map(instant));
  const file = await open(await write({ at }, { schema: { at: 'timestamp(s, "Europe/Oslo")' } }));
  const found = async (where) => [...(await file.matches(0, { where })).rows];
  assert.deepEqual(await found("at < '2024-03-31 02:30'"), [0]);
  assert.deepEqual(await found("at >= '2024-03-31 02:30'"), [1, 2, 3, 4]);
  assert.deepEqual(await found("at = '2024-03-31 02:30'"), []);
  assert.deepEqual(await found("at = '2024-03-31 03:00'"), [1]);
  assert.deepEqual(await found("at = '2024-10-27 03:00'"), [4]);
  assert.deepEqual(await found("at >= '2024-10-27' and at < '2024-10-28'"), [2, 3, 4]);
  assert.equal((await file.rows({ where: "at = '2024-10-27 03:00'" }).toArray()).length, 1);
  await assert.rejects(found("at = '2024-10-27 02:30'"), /occurs twice.*\+02:00.*\+01:00/);
  file.free();
  const unknown = await open(await write({ at }, { schema: { at: 'timestamp(s, "Mars/Phobos")' } }));
  await assert.rejects(unknown.matches(0, { where: "at > '2024-03-31'" }), { code: "misuse", message: /Mars/ });
  assert.equal((await unknown.matches(0, { where: "at > '2024-03-31T00:00:00Z'" })).rows.length, 5);
  unknown.free();
});

test("times without an offset are in UTC by its other names", async () => {
  const at = BigInt64Array.of(0n, 3600n, 7200n);
  for (const name of ["UTC", "Etc/UTC", "Etc/UCT", "UCT", "Zulu", "Etc/Zulu", "Universal", "GMT", "Etc/GMT", "Etc/GMT0", "Greenwich", "+00:00"]) {
    const file = await open(await write({ at }, { schema: { at: `timestamp(s, "${name}")` } }));
    const { rows } = await file.matches(0, { where: "at >= '1970-01-01 01:00'" });
    assert.deepEqual([...rows], [1, 2], name);
    file.free();
  }
});

test("the changes of a zone are those at which Intl has another offset", () => {
  // Freetown had four days between two changes, and Tucuman twelve; Lord Howe moves by half an hour; the rules of Casablanca end.
  for (const name of ["Europe/Oslo", "America/New_York", "Australia/Lord_Howe", "America/Argentina/Tucuman", "Africa/Casablanca", "Asia/Kolkata", "Asia/Gaza"]) {
    const zone = zoneOf(name);
    const [first, repeatsFrom, ...numbers] = zone.rules();
    const changes = Array.from({ length: numbers.length / 2 }, (_, k) => [numbers[2 * k], numbers[2 * k + 1]]);
    let before = first;
    for (const [at, offset] of changes) {
      assert.equal(zone.offsetAt(BigInt(at - 1)), before, `${name} before ${at}`);
      assert.equal(zone.offsetAt(BigInt(at)), offset, `${name} at ${at}`);
      before = offset;
    }
    // At other instants, it is the offset after the last change.
    let seed = 7;
    for (let i = 0; i < 2000; i++) {
      seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
      const at = -4_100_000_000 + Math.floor((seed / 2 ** 32) * 20_000_000_000);
      const last = changes.findLast(([from]) => from <= at);
      assert.equal(zone.offsetAt(BigInt(at)), last?.[1] ?? first, `${name} at ${at}`);
    }
    assert.equal(repeatsFrom === -Infinity, ["America/Argentina/Tucuman", "Africa/Casablanca", "Asia/Kolkata"].includes(name), name);
  }
  assert.equal(zoneOf("+05:30").offsetAt(0n), 19_800);
  assert.equal(zoneOf("-23:59").offsetAt(0n), -86_340);
  for (const name of ["", "+5:30", "+24:00", "+05:60", "+0530", "+05", "05:30", "fixed", "localtime", "Factory", "Nowhere/Atall", "é", "x".repeat(1000)]) assert.equal(zoneOf(name), null, name);
});
