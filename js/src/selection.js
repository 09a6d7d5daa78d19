// The columns and rows of a file that are read.
import { ArrowError, misuse, shown } from "./error.js";
import { zoneOf } from "./zones.js";

/** The first and the last row of a range in a batch, [0, -1] for all of them. */
export function rangeOf(index, rows, n_batches) {
  if (!Number.isInteger(index) || index < 0 || index >= n_batches) throw misuse(`${shown(index)} is no index of a batch: there are ${n_batches}`);
  if (rows === undefined || rows === null) return [0, -1];
  const [start, end] = Array.isArray(rows) ? rows : [];
  if (!(Number.isSafeInteger(start) && Number.isSafeInteger(end) && start >= 0 && end >= start)) {
    throw misuse("`rows` is an array of a first row and the row after the last");
  }
  return [start, end];
}

/** The time zones of one condition. */
const MOST_ZONES = 64;

/** Calls a function, again if it needs the rules of time zones, which constants of conditions without an offset are in. */
function withZones(module, call) {
  for (let n = 0; ; n++) {
    try {
      return call();
    } catch (error) {
      const name = error.code === "misuse" && module.has("zone_wanted") ? module.takeText(module.call("zone_wanted")) : "";
      const rules = name === "" || n === MOST_ZONES ? null : zoneOf(name)?.rules?.();
      if (!rules) throw error;
      module.call("zone_add", module.giveText(name), module.give(new Uint8Array(rules.buffer)));
    }
  }
}

/** The positions of columns of a schema by names or positions; null for all. */
export function positionsOf({ fields, unsupported }, columns) {
  if (columns === undefined || columns === null) return null;
  if (typeof columns === "string" || typeof columns[Symbol.iterator] !== "function") {
    throw misuse(`\`columns\` are names or positions in an array, not ${shown(columns)}`);
  }
  return Array.from(columns, (column) => {
    if (typeof column === "number") {
      if (Number.isInteger(column) && column >= 0 && column < fields.length) return column;
      throw misuse(`there is no column ${column}; there are ${fields.length}`);
    }
    const first = fields.findIndex(({ name }) => name === column);
    if (first < 0) {
      const refused = unsupported.find(({ name }) => name === column);
      if (refused) throw new ArrowError("input", refused.error);
      throw misuse(`there is no column ${shown(column)}; there are ${fields.map(({ name }) => name).join(", ")}`);
    }
    if (fields.some(({ name }, i) => name === column && i > first)) {
      throw misuse(`several columns are called ${shown(column)}: select one by its position`);
    }
    return first;
  });
}

/** A selection of columns and rows in a module: its handle `rows`, and the fields. */
export function select({ module, handle }, columns, where) {
  const rows = withZones(module, () => {
    const given = columns === null ? -1 : module.giveWords(columns);
    return module.call("rows_new", handle, given, module.giveText(where));
  });
  try {
    return { module, rows, fields: JSON.parse(module.takeText(module.call("rows_fields", rows))) };
  } catch (error) {
    module.free(rows);
    throw error;
  }
}

/** The positions of the columns that a condition reads. */
export function columnsOfCondition(opened, where) {
  const { module, rows } = select(opened, [], where);
  try {
    module.call("rows_condition_columns", rows);
    return [...module.numbers()];
  } finally {
    module.free(rows);
  }
}
