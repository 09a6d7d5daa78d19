// Rows of a batch: as objects, as arrays, or as texts of JSON.
import { longNamesBytes, tooMuch } from "./columns/memory.js";
import { misuse } from "./error.js";
import { emptyRow, repeats } from "./members.js";
import { quoted } from "./values.js";

export const FORMS = { objects, arrays, json };

const ROW_BYTES = 64;

/** The bytes that the values of rows take beside those of the file, because they share these. */
export function extraBytes({ columns, fields }, as, start, end) {
  const asText = as === "json";
  const ofColumns = columns.reduce((sum, column) => sum + column.extraBytes(start, end, asText), asText ? jsonRowOf(fields).nameBytes * (end - start) : 0);
  // Rows that have no bytes in the file are objects here.
  return columns.every((column) => column.isSharing(asText)) ? ofColumns + ROW_BYTES * (end - start) : ofColumns;
}

/** Rows of a batch in a form. */
export function made(batch, as, start = 0, end = batch.numRows) {
  const form = Object.hasOwn(FORMS, as) ? FORMS[as] : null;
  if (!form) throw misuse('rows are "objects", "arrays" or "json"');
  const { maxMemoryBytes } = batch;
  if (extraBytes(batch, as, start, end) > maxMemoryBytes) throw tooMuch(maxMemoryBytes);
  return form(batch, start, end);
}

/** The names of fields, and an object with them, for the batches of a selection. */
const rowsOf = new WeakMap();

function rowOf(fields) {
  const known = rowsOf.get(fields);
  if (known) return known;
  const names = fields.map(({ name }) => name);
  if (repeats(names)) throw misuse('names of columns repeat: ask for rows as "arrays", or select columns by position');
  const row = { names, empty: emptyRow(names) };
  rowsOf.set(fields, row);
  return row;
}

function objects({ columns, fields }, start, end) {
  const { names, empty } = rowOf(fields);
  const numRows = end - start;
  const rows = new Array(numRows);
  for (let i = 0; i < numRows; i++) rows[i] = { ...empty };
  columns.forEach((column, k) => {
    const name = names[k];
    const values = column.toArray(start, end);
    for (let i = 0; i < numRows; i++) rows[i][name] = values[i];
  });
  return rows;
}

function arrays({ columns }, start, end) {
  const numRows = end - start;
  const rows = Array.from({ length: numRows }, () => new Array(columns.length));
  columns.forEach((column, k) => {
    const values = column.toArray(start, end);
    for (let i = 0; i < numRows; i++) rows[i][k] = values[i];
  });
  return rows;
}

/** The names of fields in JSON, for the batches of a selection. */
const jsonRowsOf = new WeakMap();

function jsonRowOf(fields) {
  const known = jsonRowsOf.get(fields);
  if (known) return known;
  const names = fields.map(({ name }) => quoted(name));
  const row = { names, isPairs: repeats(names), nameBytes: longNamesBytes(names) };
  jsonRowsOf.set(fields, row);
  return row;
}

function json({ columns, fields }, start, end) {
  const { names, isPairs } = jsonRowOf(fields);
  const row = (i) => {
    const members = columns.map((column, k) => (isPairs ? `[${names[k]},${column.json(i)}]` : `${names[k]}:${column.json(i)}`));
    return isPairs ? `[${members.join(",")}]` : `{${members.join(",")}}`;
  };
  return Array.from({ length: end - start }, (_, i) => row(start + i));
}
