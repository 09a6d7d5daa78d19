// Files and streams that are open, their batches and rows.
import { joined } from "./bytes.js";
import { emptyRow, readColumns, repeats, tooMuch } from "./columns.js";
import { ArrowError, misuse, optionsOf, shown } from "./error.js";
import { inspectSource, statisticsOf } from "./inspection.js";
import { run } from "./plan.js";
import { sourceOf } from "./source.js";
import { quoted } from "./values.js";
import { load } from "./wasm.js";
import { zoneOf } from "./zones.js";

/** The rows that are made of columns at once. */
const CHUNK_ROWS = 65_536;

/** The batches that are read ahead, of sources that are not in memory. */
const READ_AHEAD = 3;

/** Frees what a program has forgotten. */
const forgotten = new FinalizationRegistry(({ held, source }) => {
  release(held);
  closed(source);
});

/** Closes a source. Nobody waits for it. */
function closed(source) {
  Promise.resolve(source.close?.()).catch(() => {});
}

function release(held) {
  for (const { module, handle } of held.splice(0)) {
    if (!module.hasEnded) module.free(handle);
  }
}

/** The limits of reading, by their names here and in the module. */
const LIMITS = {
  maxMetadataBytes: "max_metadata_bytes",
  maxBodyBytes: "max_body_bytes",
  maxDecompressedBytes: "max_decompressed_bytes",
  maxDictionaryBytes: "max_dictionary_bytes",
  maxSlots: "max_slots",
  maxFields: "max_fields",
  maxDepth: "max_depth",
};

/** The greatest number of bytes that are made for values alone, because the file has them once for several slots. */
const MAX_MEMORY_BYTES = 1 << 29;

const SIZES = ["startBytes", "maxDownloadBytes", "maxMemoryBytes", ...Object.keys(LIMITS)];

const OPEN_OPTIONS = ["countRows", "headers", "credentials", "signal", ...SIZES];

/** Opens a file or a stream. */
export async function open(from, given) {
  const options = optionsOf(given, OPEN_OPTIONS);
  const limits = {};
  for (const name of SIZES) {
    const limit = options[name];
    if (limit === undefined) continue;
    if (!Number.isSafeInteger(limit) || limit < 0) throw misuse(`\`${name}\` is a whole number, not ${shown(limit)}`);
    if (name in LIMITS) limits[LIMITS[name]] = limit;
  }
  options.signal?.throwIfAborted();
  const source = await sourceOf(from, options);
  source.limits = Object.entries(limits).map(([name, limit]) => `${name}\0${limit}\0`).join("");
  source.maxMemoryBytes = options.maxMemoryBytes ?? MAX_MEMORY_BYTES;
  try {
    const file = new ArrowFile(source, await opened("read", source));
    if (options.countRows !== false) await file.countRows();
    return file;
  } catch (error) {
    await source.close?.();
    throw error;
  }
}

async function opened(name, source) {
  const module = await load(name);
  return { module, handle: await run(module, source, module.call("plan_open", source.length, source.kind, module.giveText(source.limits))) };
}

/** The first and the last row of a range in a batch, [0, -1] for all of them. */
function rangeOf(index, rows, n_batches) {
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

/** An open file or stream. */
export class ArrowFile {
  #source;
  /** The file in the modules: in that for reading, then perhaps in the other one. */
  #held;
  #full = null;
  #isFree = false;
  /** The first row of each batch, and the number of all rows; null until they are counted. */
  #starts = null;

  constructor(source, opened) {
    if (!opened?.module) throw misuse("a file is made by `open`");
    this.#source = source;
    this.#held = [opened];
    forgotten.register(this, { held: this.#held, source }, this);
    const { module, handle } = opened;
    const about = JSON.parse(module.takeText(module.call("file_describe", handle)));
    /** "file" or "stream". */
    this.container = about.container;
    /** The fields, and the metadata of the schema. */
    this.schema = { fields: about.fields, metadata: about.metadata, unsupported: about.unsupported };
    /** The metadata of the footer of a file, or of the schema message of a stream, as pairs. */
    this.metadata = about.containerMetadata;
    /** The number of bytes after the end marker of a stream, which are not read: perhaps another stream. */
    this.bytesAfterEnd = about.bytesAfterEnd;
    /** The number of record batches. */
    this.numBatches = module.call("file_batches", handle);
  }

  /** The number of rows; null until they are counted. */
  get numRows() {
    return this.#starts && this.#starts[this.numBatches];
  }

  /** The first row of each batch, and the number of all rows; null until they are counted. */
  get batchStarts() {
    return this.#starts;
  }

  #reading() {
    if (this.#isFree) throw misuse("the file was freed");
    return this.#held[0];
  }

  /** The file in the module with conditions and writers, which is loaded when it is first needed. */
  #withFull() {
    this.#reading();
    this.#full ??= opened("full", this.#source).then((opened) => {
      if (this.#isFree) {
        opened.module.free(opened.handle);
        throw misuse("the file was freed");
      }
      this.#held.push(opened);
      return opened;
    });
    // What failed is tried again by the next call.
    this.#full.catch(() => (this.#full = null));
    return this.#full;
  }

  /** Counts the rows of all batches, and checks that a stream is complete. Resolves to the number of rows. */
  async countRows() {
    if (this.#starts === null) {
      await this.checkEnd();
      const counts = await this.rowCounts();
      const starts = new Float64Array(counts.length + 1);
      counts.forEach((n, i) => (starts[i + 1] = starts[i] + n));
      if (starts[counts.length] > Number.MAX_SAFE_INTEGER) {
        throw new ArrowError("input", "the batches have more than 2⁵³ − 1 rows, which are no exact numbers of JavaScript");
      }
      this.#starts = starts;
    }
    return this.numRows;
  }

  /** The numbers of rows of batches; null if bytes are to be read for them, unless `isRead`. */
  async rowCounts(from = 0, to = this.numBatches, { isRead = true } = {}) {
    const { module, handle } = this.#reading();
    const plan = module.call("file_plan_counts", handle, from, to);
    if (!isRead) {
      try {
        // The plan goes on where it stood.
        if (module.call("plan_step", plan) === 1) {
          module.free(plan);
          return null;
        }
      } catch (error) {
        module.free(plan);
        throw error;
      }
    }
    return run(module, this.#source, plan, () => module.numbers());
  }

  /** Checks that a stream is complete; a file is. */
  async checkEnd() {
    const { module, handle } = this.#reading();
    await run(module, this.#source, module.call("file_plan_check", handle));
  }

  /** The positions of columns by names or positions; null for all. */
  #positions(columns) {
    if (columns === undefined || columns === null) return null;
    if (typeof columns === "string" || typeof columns[Symbol.iterator] !== "function") {
      throw misuse(`\`columns\` are names or positions in an array, not ${shown(columns)}`);
    }
    const { fields, unsupported } = this.schema;
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

  /** A selection of columns and rows in a module. */
  #select({ module, handle }, columns, where) {
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

  /** Reads a batch: some of its columns, and rows from a first to before another one. */
  async batch(index, options) {
    const { columns, rows } = optionsOf(options, ["columns", "rows"]);
    const range = rangeOf(index, rows, this.numBatches);
    const positions = this.#positions(columns);
    const { module, rows: selection, fields } = this.#select(this.#reading(), positions, "");
    try {
      const handle = await run(module, this.#source, module.call("rows_plan", selection, index, ...range));
      try {
        return new Batch(module, handle, fields, 0, module.call("batch_rows", handle), this.#source.maxMemoryBytes);
      } finally {
        module.free(handle);
      }
    } finally {
      module.free(selection);
    }
  }

  /**
   * Rows of all batches, as an async iterable of rows with `toArray()` and `chunks()`. Nothing is read before.
   * Options: `from` and `to` (rows of the file), `columns`, `where` (a condition), `limit` (the number of rows that are returned),
   * `trustStatistics` (whether bounds in the footer say which batches are left out), `as`: "objects", "arrays" or "json".
   */
  rows(given) {
    const options = optionsOf(given, ["from", "to", "columns", "where", "limit", "trustStatistics", "as"]);
    return new Rows(() => this.#batches(options), options, this.#source.maxMemoryBytes);
  }

  /** Batches of the rows of `rows`. */
  async *#batches({ from = 0, to = Infinity, columns, where, limit = Infinity, trustStatistics = false }) {
    for (const [name, value] of Object.entries({ from, to, limit })) {
      if (!(value >= 0) || !(Number.isInteger(value) || value === Infinity)) throw misuse(`\`${name}\` is a number of rows`);
    }
    const positions = this.#positions(columns);
    const hasCondition = where !== undefined && where !== null && where !== "";
    if (hasCondition && typeof where !== "string") throw misuse('`where` is a text, such as "age > 40"');
    const opened = hasCondition ? await this.#withFull() : this.#reading();
    const whole = from === 0 && to === Infinity && (hasCondition || limit === Infinity);
    if (!whole) await this.countRows();
    const { module, rows: selection, fields } = this.#select(opened, positions, hasCondition ? where : "");
    const source = this.#source;
    const ahead = [];
    try {
      let left = limit;
      // Without a condition, the limit says which rows are read.
      const stop = hasCondition ? to : Math.min(to, from + limit);
      const parts = this.#parts(from, stop, (i) => hasCondition && trustStatistics && module.call("rows_may_match", selection, i) === 0);
      const start = ({ index, range: [first, last] }) => {
        const reading = run(module, source, module.call("rows_plan", selection, index, first, last));
        // The error is thrown where the batch is awaited.
        reading.catch(() => {});
        return reading;
      };
      const n_ahead = source.readNow || source.length < 2 ? 1 : READ_AHEAD;
      while (left > 0) {
        while (ahead.length < n_ahead) {
          const { done, value } = parts.next();
          if (done) break;
          ahead.push(start(value));
        }
        if (ahead.length === 0) break;
        let handle = await ahead.shift();
        try {
          if (hasCondition) {
            const read = handle;
            handle = -1;
            handle = module.call("rows_matching", selection, read);
          }
          const n_rows = Math.min(left, module.call("batch_rows", handle));
          for (let first = 0; first < n_rows; first += CHUNK_ROWS) {
            yield new Batch(module, handle, fields, first, Math.min(CHUNK_ROWS, n_rows - first), source.maxMemoryBytes);
          }
          left -= n_rows;
        } finally {
          if (handle >= 0) module.free(handle);
        }
      }
    } finally {
      for (const { status, value } of await Promise.allSettled(ahead)) {
        if (status === "fulfilled") module.free(value);
      }
      if (!module.hasEnded) module.free(selection);
    }
  }

  /**
   * The rows of a batch that match `where`: `{ rows, batch }` has their numbers in that batch, and the columns of the condition, or those in
   * `columns`. `rows` is as in `batch`.
   */
  async matches(index, options) {
    const { where, columns, rows } = optionsOf(options, ["where", "columns", "rows"]);
    if (typeof where !== "string" || where === "") throw misuse('`where` is a text, such as "age > 40"');
    const range = rangeOf(index, rows, this.numBatches);
    const opened = await this.#withFull();
    const { module } = opened;
    const positions = this.#positions(columns) ?? this.#columnsOf(opened, where);
    const { rows: selection, fields } = this.#select(opened, positions, where);
    let handle = -1;
    try {
      handle = await run(module, this.#source, module.call("rows_plan", selection, index, ...range));
      module.call("rows_matching_at", selection, handle);
      const found = module.numbers().map((row) => row + range[0]);
      const read = handle;
      handle = -1;
      handle = module.call("rows_matching", selection, read);
      return { rows: found, batch: new Batch(module, handle, fields, 0, found.length, this.#source.maxMemoryBytes) };
    } finally {
      if (handle >= 0 && !module.hasEnded) module.free(handle);
      if (!module.hasEnded) module.free(selection);
    }
  }

  /** The positions of the columns that a condition reads. */
  #columnsOf(opened, where) {
    const { module } = opened;
    const { rows } = this.#select(opened, [], where);
    try {
      module.call("rows_condition_columns", rows);
      return [...module.numbers()];
    } finally {
      module.free(rows);
    }
  }

  /** The batches that have rows of a range, each with a range in it: [0, -1] for all rows. */
  *#parts(from, to, isLeftOut) {
    const starts = this.#starts;
    for (let index = 0; index < this.numBatches; index++) {
      this.#reading();
      let range = [0, -1];
      if (starts !== null) {
        const [first, end] = [starts[index], starts[index + 1]];
        if (first >= to) return;
        const [a, b] = [Math.max(from, first), Math.min(to, end)];
        if (a >= b) continue;
        if (a > first || b < end) range = [a - first, b - first];
      }
      if (!isLeftOut(index)) yield { index, range };
    }
  }

  /**
   * The pieces of a stream with the same values that the package apache-arrow reads: without views, list views, runs, lists with
   * 64-bit offsets, compression, and dictionaries in nested columns. `columns` and `where` are as in `rows`.
   */
  async *legacyChunks(options) {
    const { columns, where } = optionsOf(options, ["columns", "where"]);
    if (where !== undefined && where !== null && typeof where !== "string") throw misuse('`where` is a text, such as "age > 40"');
    const positions = this.#positions(columns);
    const { module, handle } = await this.#withFull();
    const { rows: selection } = this.#select({ module, handle }, positions, where ?? "");
    let writer = -1;
    try {
      writer = module.call("writer_of_rows", selection, handle);
      yield module.takeBytes(module.call("writer_start", writer));
      for (let index = 0; index < this.numBatches; index++) {
        let batch = await run(module, this.#source, module.call("rows_plan", selection, index, 0, -1));
        try {
          const read = batch;
          batch = -1;
          batch = module.call("rows_matching", selection, read);
          yield module.takeBytes(module.call("writer_batch", writer, batch, this.#source.maxMemoryBytes));
        } finally {
          if (batch >= 0 && !module.hasEnded) module.free(batch);
        }
      }
      yield module.takeBytes(module.call("writer_finish", writer));
    } finally {
      if (!module.hasEnded) {
        if (writer >= 0) module.free(writer);
        module.free(selection);
      }
    }
  }

  /** The same stream as one Uint8Array. */
  async legacyStream(options) {
    const parts = [];
    // Plain values may take more than those in the file: what they share, each of them has.
    const most = Math.max(this.#source.maxMemoryBytes, 16 * this.#source.length);
    let n = 0;
    for await (const part of this.legacyChunks(options)) {
      n += part.byteLength;
      if (n > most) throw new ArrowError("input", `the stream has more than ${most} bytes (maxMemoryBytes): legacyChunks gives it in pieces`);
      parts.push(part);
    }
    return joined(parts);
  }

  /** Says where the bytes of the file are, what each column costs, and what is odd. Options: `name` and `bodies`. */
  async inspect(options) {
    const { module, handle } = await this.#withFull();
    return inspectSource(module, this.#source, handle, options);
  }

  /** The statistics in the footer: `position`, `nullCount`, `min` and `max` (columns of one slot) of each column that has any. */
  async statistics() {
    const { module, handle } = await this.#withFull();
    return statisticsOf(module, handle, this.#source.maxMemoryBytes);
  }

  /** Frees the memory of the file, and closes it. Batches that were read stay. */
  free() {
    if (this.#isFree) return;
    this.#isFree = true;
    forgotten.unregister(this);
    release(this.#held);
    this.#starts = null;
    closed(this.#source);
  }
}

// Where the language has it, `using file = await open(…)` frees the file.
Symbol.dispose && Object.defineProperty(ArrowFile.prototype, Symbol.dispose, { value: ArrowFile.prototype.free });

/** Rows of a batch, with their columns. It is a copy, and needs no freeing. */
export class Batch {
  constructor(module, handle, fields, first, n_rows, maxMemoryBytes) {
    if (!module) throw misuse("a batch is made by the methods of a file");
    const described = module.call("batch_columns", handle, first, n_rows, maxMemoryBytes);
    try {
      this.columns = readColumns(module, described, fields, maxMemoryBytes);
    } finally {
      module.free(described);
    }
    this.fields = fields;
    this.numRows = n_rows;
  }

  /** The column with a name or at a position. */
  column(name) {
    const found = typeof name === "number" ? this.columns[name] : this.columns.find((column) => column.name === name);
    if (found) return found;
    throw misuse(`there is no column ${shown(name)}; there are ${this.columns.map((column) => column.name).join(", ")}`);
  }

  /** The rows, as `rows` of a file returns them. */
  toArray(as = "objects") {
    return made(this, as);
  }
}

/** Rows that are read when they are asked for. */
class Rows {
  #batches;
  #as;
  #maxMemoryBytes;

  constructor(batches, { as = "objects" }, maxMemoryBytes) {
    if (!Object.hasOwn(FORMS, as)) throw misuse('`as` is "objects", "arrays" or "json"');
    this.#batches = batches;
    this.#as = as;
    this.#maxMemoryBytes = maxMemoryBytes;
  }

  /** Arrays of rows, each of one batch or a part of it. */
  async *chunks() {
    yield* this.#chunksWithin(Infinity);
  }

  /** The chunks, whose values take at most so many bytes beside those of the file. */
  async *#chunksWithin(allowed) {
    const most = Math.min(this.#maxMemoryBytes, CHUNK_BYTES);
    for await (const batch of this.#batches()) {
      allowed -= extraBytes(batch, this.#as, 0, batch.numRows);
      if (allowed < 0) throw tooMuch(this.#maxMemoryBytes);
      for (let first = 0; first < batch.numRows; ) {
        // As many rows as do not take too much memory at once, and at least one.
        let n = batch.numRows - first;
        while (n > 1 && extraBytes(batch, this.#as, first, first + n) > most) n = Math.ceil(n / 2);
        yield made(batch, this.#as, first, first + n);
        first += n;
      }
    }
  }

  /** The same as columns. */
  batches() {
    return this.#batches();
  }

  async toArray() {
    const all = [];
    for await (const rows of this.#chunksWithin(this.#maxMemoryBytes)) {
      for (let i = 0; i < rows.length; i++) all.push(rows[i]);
    }
    return all;
  }

  async *[Symbol.asyncIterator]() {
    for await (const rows of this.chunks()) yield* rows;
  }
}

const FORMS = { objects, arrays, json };

/** The bytes beside those of the file that values of a chunk take, if it has more than one row. */
const CHUNK_BYTES = 1 << 26;

const ROW_BYTES = 64;

/** The bytes that the values of rows take beside those of the file, because they share these. */
function extraBytes({ columns }, as, start, end) {
  const asText = as === "json";
  const ofColumns = columns.reduce((sum, column) => sum + column.extraBytes(start, end, asText), 0);
  // Rows that have no bytes in the file are objects here.
  return columns.every((column) => column.isSharing(asText)) ? ofColumns + ROW_BYTES * (end - start) : ofColumns;
}

function made(batch, as, start = 0, end = batch.numRows) {
  const form = Object.hasOwn(FORMS, as) ? FORMS[as] : null;
  if (!form) throw misuse('rows are "objects", "arrays" or "json"');
  const [column] = batch.columns;
  if (column && extraBytes(batch, as, start, end) > column.maxMemoryBytes) throw tooMuch(column.maxMemoryBytes);
  return form(batch, start, end);
}

function objects({ columns, fields }, start, end) {
  const names = fields.map(({ name }) => name);
  if (repeats(names)) throw misuse('names of columns repeat: ask for rows as "arrays", or select columns by position');
  const empty = emptyRow(names);
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

function json({ columns, fields }, start, end) {
  const names = fields.map(({ name }) => quoted(name));
  const isPairs = repeats(names);
  const row = (i) => {
    const members = columns.map((column, k) => (isPairs ? `[${names[k]},${column.json(i)}]` : `${names[k]}:${column.json(i)}`));
    return isPairs ? `[${members.join(",")}]` : `{${members.join(",")}}`;
  };
  return Array.from({ length: end - start }, (_, i) => row(start + i));
}
