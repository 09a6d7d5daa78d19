// Files and streams that are open.
import { Batch } from "./batch.js";
import { batchesOf } from "./batches.js";
import { ArrowError, misuse, optionsOf, shown } from "./error.js";
import { FileHandles } from "./handles.js";
import { inspectSource, statisticsOf } from "./inspection.js";
import { legacyChunks, legacyStream } from "./legacy.js";
import { run } from "./plan.js";
import { Rows } from "./rows.js";
import { positionsOf, rangeOf } from "./selection.js";

/** An open file or stream. */
export class ArrowFile {
  #handles;
  /** The first row of each batch, and the number of all rows; null until they are counted. */
  #starts = null;

  constructor(handles, unreferencedBytes = null) {
    if (!(handles instanceof FileHandles)) throw misuse("a file is made by `open`");
    this.#handles = handles;
    const { module, handle } = handles.reading();
    const about = JSON.parse(module.takeText(module.call("file_describe", handle)));
    /** "file" or "stream". */
    this.container = about.container;
    /** The fields, and the metadata of the schema. */
    this.schema = { fields: about.fields, metadata: about.metadata, unsupported: about.unsupported };
    /** The metadata of the footer of a file, or of the schema message of a stream, as pairs. */
    this.metadata = about.containerMetadata;
    /** The number of bytes after the end marker of a stream, which are not read: perhaps another stream. */
    this.bytesAfterEnd = about.bytesAfterEnd;
    /** The bytes before the footer of a file that none of its blocks has, which are not read: `start`, `end`, and `isSecondFile`, as of `cat a.arrow b.arrow`. Or null. */
    this.unreferencedBytes = unreferencedBytes;
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
  async rowCounts(from = 0, to = this.numBatches, options) {
    const { isRead = true } = optionsOf(options, ["isRead"]);
    const { module, handle } = this.#handles.reading();
    // Others would become numbers of 32 bits.
    if (![from, to].every((n) => Number.isInteger(n) && n >= 0 && n < 2 ** 32)) {
      throw misuse(`batches are from a first one to before another one, not from ${shown(from)} to ${shown(to)}`);
    }
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
    return run(module, this.#handles.source, plan, () => module.numbers());
  }

  /** Checks that a stream is complete; a file is. */
  async checkEnd() {
    const { module, handle } = this.#handles.reading();
    await run(module, this.#handles.source, module.call("file_plan_check", handle));
  }

  /** Reads a batch: some of its columns, and rows from a first to before another one. */
  async batch(index, options) {
    const { columns, rows } = optionsOf(options, ["columns", "rows"]);
    const range = rangeOf(index, rows, this.numBatches);
    const positions = positionsOf(this.schema, columns);
    const { module, selections } = this.#handles.reading();
    const { source } = this.#handles;
    const selection = selections.take(positions, "");
    try {
      const handle = await run(module, source, module.call("rows_plan", selection.handle, index, ...range));
      try {
        return new Batch(module, handle, selection.fields, 0, module.call("batch_rows", handle), source.maxMemoryBytes);
      } finally {
        module.free(handle);
      }
    } finally {
      selections.release(selection);
    }
  }

  /**
   * Rows of all batches, as an async iterable of rows with `toArray()` and `chunks()`. Nothing is read before.
   * Options: `from` and `to` (rows of the file), `columns`, `where` (a condition), `limit` (the number of rows that are returned),
   * `trustStatistics` (whether bounds in the footer say which batches are left out), `as`: "objects", "arrays" or "json".
   */
  rows(given) {
    const options = optionsOf(given, ["from", "to", "columns", "where", "limit", "trustStatistics", "as"]);
    return new Rows(() => batchesOf(this, this.#handles, options), options, this.#handles.source);
  }

  /**
   * The rows of a batch that match `where`: `{ rows, batch }` has their numbers in that batch, and the columns of the condition, or those in
   * `columns`. `rows` is as in `batch`.
   */
  async matches(index, options) {
    const { where, columns, rows } = optionsOf(options, ["where", "columns", "rows"]);
    if (typeof where !== "string" || where === "") throw misuse('`where` is a text, such as "age > 40"');
    const range = rangeOf(index, rows, this.numBatches);
    const { module, selections } = await this.#handles.full();
    // It may have been freed in the meantime.
    this.#handles.reading();
    const { source } = this.#handles;
    const selection = selections.take(positionsOf(this.schema, columns) ?? selections.columnsOf(where), where);
    let handle = -1;
    try {
      handle = await run(module, source, module.call("rows_plan", selection.handle, index, ...range));
      module.call("rows_matching_at", selection.handle, handle);
      const found = module.numbers().map((row) => row + range[0]);
      const read = handle;
      handle = -1;
      handle = module.call("rows_matching", selection.handle, read);
      return { rows: found, batch: new Batch(module, handle, selection.fields, 0, found.length, source.maxMemoryBytes) };
    } finally {
      if (handle >= 0) module.free(handle);
      selections.release(selection);
    }
  }

  /**
   * The pieces of a stream with the same values that the package apache-arrow reads: without views, list views, runs, lists with
   * 64-bit offsets, compression, and dictionaries in nested columns. `columns` and `where` are as in `rows`.
   */
  legacyChunks(options) {
    return legacyChunks(this, this.#handles, options);
  }

  /** The same stream as one Uint8Array. */
  legacyStream(options) {
    return legacyStream(this, this.#handles, options);
  }

  /** Says where the bytes of the file are, what each column costs, and what is odd. Options: `name` and `bodies`. */
  async inspect(options) {
    const { module, handle } = await this.#handles.full();
    this.#handles.reading();
    return inspectSource(module, this.#handles.source, handle, options);
  }

  /** The statistics in the footer: `position`, `nullCount`, `min` and `max` (columns of one slot) of each column that has any. */
  async statistics() {
    const { module, handle } = await this.#handles.full();
    this.#handles.reading();
    return statisticsOf(module, handle, this.#handles.source.maxMemoryBytes);
  }

  /** Frees the memory of the file, and closes it. Batches that were read stay. */
  free() {
    if (this.#handles.free()) this.#starts = null;
  }
}

// Where the language has it, `using file = await open(…)` frees the file.
Symbol.dispose && Object.defineProperty(ArrowFile.prototype, Symbol.dispose, { value: ArrowFile.prototype.free });
