// The columns and rows of a file that are read.
import { ArrowError, misuse, shown, suggested } from "./error.js";
import { checkUnicode } from "./json.js";
import { positionsByName } from "./members.js";
import { utf8Of } from "./text.js";
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
      const zone = name === "" || n === MOST_ZONES ? null : zoneOf(name);
      // Etc/UTC, Zulu and the like have one offset, and no changes.
      const rules = zone && (zone.rules?.() ?? Float64Array.of(zone.offset, -Infinity));
      if (!rules) throw error;
      module.call("zone_add", ...module.giveAll([utf8Of(name), new Uint8Array(rules.buffer)]));
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
    const { first, repeated } = positionsByName(fields);
    if (!first.has(column)) {
      const refused = unsupported.find(({ name }) => name === column);
      if (refused) throw new ArrowError("input", refused.error);
      throw noColumn(column, fields.map(({ name }) => name));
    }
    if (repeated.has(column)) throw misuse(`several columns are called ${shown(column)}: select one by its position`);
    return first.get(column);
  });
}

/** The error of a column that there is not among columns of these names. */
export const noColumn = (column, names) => misuse(`there is no column ${shown(column)}: ${suggested(column, names, "columns")}`);

/** The number of cached selections of a file: a selection that reads batch after batch is made once. */
const MAX_CACHED = 4;

/** The selections of columns and rows of a file in a module. */
export class Selections {
  #module;
  #file;
  /** By columns and condition. The first is the one that was used longest ago. */
  #cached = new Map();

  constructor(module, file) {
    this.#module = module;
    this.#file = file;
  }

  /** The selection of columns by their positions, or all, and rows by a condition. It is in use until `release` is called. */
  take(columns, where) {
    const key = `${columns ?? "all"}\0${where}`;
    const selection = this.#cached.get(key) ?? this.#make(columns, where);
    selection.n_users++;
    this.#cached.delete(key);
    this.#cached.set(key, selection);
    if (this.#cached.size > MAX_CACHED) this.#drop(this.#cached.keys().next().value);
    return selection;
  }

  release(selection) {
    selection.n_users--;
    this.#freeUnused(selection);
  }

  /** Empties the cache. Selections in use are freed when they are released. */
  clear() {
    for (const key of [...this.#cached.keys()]) this.#drop(key);
  }

  #drop(key) {
    const selection = this.#cached.get(key);
    this.#cached.delete(key);
    selection.isCached = false;
    this.#freeUnused(selection);
  }

  #freeUnused({ handle, n_users, isCached }) {
    if (n_users === 0 && !isCached) this.#module.free(handle);
  }

  #make(columns, where) {
    const module = this.#module;
    const given = [columns && new Uint8Array(Uint32Array.from(columns).buffer), utf8Of(checkUnicode(where))];
    const handle = withZones(module, () => module.call("rows_new", this.#file, ...module.giveAll(given)));
    try {
      const fields = JSON.parse(module.takeText(module.call("rows_fields", handle)));
      return { module, handle, fields, n_users: 0, isCached: true };
    } catch (error) {
      module.free(handle);
      throw error;
    }
  }

  /** The positions of the columns that a condition reads. */
  columnsOf(where) {
    const selection = this.take([], where);
    try {
      if (selection.columns === undefined) {
        this.#module.call("rows_condition_columns", selection.handle);
        selection.columns = [...this.#module.numbers()];
      }
      return selection.columns;
    } finally {
      this.release(selection);
    }
  }
}
