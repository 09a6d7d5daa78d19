// The package apache-arrow reads the legacy stream of every golden file, with the same values.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { open } from "../index.js";
import { corpus, golden } from "./support.js";

const arrow = await import("apache-arrow").catch(() => null);
const skip = !arrow && "the package apache-arrow is not installed: npm ci";

test("apache-arrow reads the legacy stream of every golden file", { skip }, async () => {
  const failures = [];
  for (const { name, path, lines } of golden()) {
    const file = await open(readFileSync(path));
    try {
      const table = arrow.tableFromIPC(await file.legacyStream());
      assert.equal(table.numRows, lines.length);
      await compare(file, table);
    } catch (error) {
      failures.push(`${name}: ${error.message.split("\n").slice(0, 4).join(" ")}`);
    } finally {
      file.free();
    }
  }
  assert.equal(failures.slice(0, 20).join("\n"), "");
});

/** Compares the values of columns whose values both have as numbers, texts, bytes or lists of them. */
async function compare(file, table) {
  const rows = await file.rows({ as: "arrays" }).toArray();
  file.schema.fields.forEach((field, k) => {
    const same = comparison(field.type);
    if (!same || field.extension) return;
    const column = table.getChildAt(k);
    rows.forEach((row, i) => {
      const theirs = column?.get(i) ?? null;
      assert.ok(same(row[k], theirs), `${field.name} ${i}: ${show(row[k])} and ${show(theirs)}`);
    });
  });
}

const show = (value) => (typeof value === "bigint" ? `${value}n` : String(value));

const PLAIN = /^(u?int(8|16|32|64)|bool|float32|float64|utf8|large_utf8|utf8_view|null)$/;

/** How values of a type are compared; null if the package has another form for them. */
function comparison(type) {
  if (type.name === "dictionary") return comparison(type.values);
  if (type.name === "run_end_encoded") return comparison(type.children[1].type);
  // The package drops U+FEFF at the start of a text.
  const seen = (ours) => (typeof ours === "string" ? ours.replace(/^\ufeff/, "") : ours);
  if (PLAIN.test(type.name)) return (ours, theirs) => Object.is(seen(ours), theirs) || seen(ours) === theirs;
  if (/binary/.test(type.name)) {
    return (ours, theirs) => (ours === null ? theirs === null : theirs !== null && Buffer.compare(Buffer.from(ours), Buffer.from(theirs)) === 0);
  }
  if (/^(large_)?list(_view)?$|^fixed_size_list$/.test(type.name)) {
    const same = comparison(type.children[0].type);
    return same && ((ours, theirs) => (ours === null ? theirs === null : theirs !== null && theirs.length === ours.length && ours.every((item, i) => same(item, theirs.get(i)))));
  }
  return null;
}
