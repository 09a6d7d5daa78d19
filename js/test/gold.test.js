// The files and streams of Arrow's releases, of both byte orders, have the values of the JSON beside them.
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";
import { gunzipSync } from "node:zlib";

import { ArrowDate, open } from "../index.js";
import { columnsOf } from "./integration.js";

const data = process.env.ARROW_TEST_DATA;
const root = `${data}/arrow-ipc-stream/integration`;
const folders = data ? readdirSync(root).sort() : [];

test("gold files have the values of their JSON", { skip: !data && "no ARROW_TEST_DATA" }, async (t) => {
  let n = 0;
  for (const folder of folders) {
    for (const name of readdirSync(`${root}/${folder}`).sort()) {
      const [, stem] = /^(.*)\.json\.gz$/.exec(name) ?? [];
      if (!stem) continue;
      const expected = JSON.parse(exact(gunzipSync(readFileSync(`${root}/${folder}/${name}`)).toString()));
      for (const end of ["arrow_file", "stream"]) {
        await t.test(`${folder}/${stem}.${end}`, () => compare(`${root}/${folder}/${stem}.${end}`, expected));
        n++;
      }
    }
  }
  assert.ok(folders.length >= 7 && n >= 140, `${n} files`);
});

/** Large integers as texts. */
const exact = (json) => json.replace(/(?<=[[,:]\s*)-?\d{16,}(?=\s*[,\]}])/g, '"$&"');

async function compare(path, document) {
  const file = await open(readFileSync(path));
  const columns = columnsOf(document);
  const n_rows = (document.batches ?? []).reduce((sum, { count }) => sum + count, 0);
  assert.equal(file.numRows, n_rows);
  assert.deepEqual(file.schema.fields.map(about), columns.map(({ field }) => documented(field)));
  assert.deepEqual(sorted(file.schema.metadata), pairs(document.schema.metadata));
  const rows = await file.rows({ as: "arrays" }).toArray();
  assert.equal(rows.length, n_rows);
  columns.forEach(({ field, values }, k) => {
    rows.forEach((row, i) => assert.deepStrictEqual(plain(row[k]), values[i], `${field.name} ${i}`));
  });
  file.free();
}

// Writers have keys in any order.
const sorted = (metadata) => metadata.toSorted();
const about = ({ name, nullable, metadata }) => ({ name, nullable, metadata: sorted(metadata) });
const documented = ({ name, nullable, metadata }) => ({ name, nullable, metadata: pairs(metadata) });
const pairs = (metadata) => sorted((metadata ?? []).map(({ key, value }) => [key, value]));

/** Dates as text of their number. */
function plain(value) {
  if (value instanceof ArrowDate) {
    return value.unit === "day" ? `${value.value} day` : `${value.value} ${value.unit} ${value.timezone}`;
  }
  if (Array.isArray(value)) return value.map(plain);
  if (value instanceof Map) return new Map(Array.from(value, ([key, item]) => [plain(key), plain(item)]));
  if (value !== null && typeof value === "object" && !(value instanceof Uint8Array)) {
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, plain(item)]));
  }
  return value;
}
