// Rows that are read when they are asked for.
import { tooMuch } from "./columns/memory.js";
import { misuse } from "./error.js";
import { FORMS, extraBytes, made } from "./row_forms.js";

/** The bytes beside those of the file that values of a chunk take, if it has more than one row. */
const CHUNK_BYTES = 1 << 26;

/** Rows of batches, which a function returns as an async iterable. */
export class Rows {
  #batches;
  #as;
  #maxMemoryBytes;
  #fileBytes;

  /** `source` is that of the batches. */
  constructor(batches, { as = "objects" }, { maxMemoryBytes, length }) {
    if (!Object.hasOwn(FORMS, as)) throw misuse('`as` is "objects", "arrays" or "json"');
    this.#batches = batches;
    this.#as = as;
    this.#maxMemoryBytes = maxMemoryBytes;
    this.#fileBytes = length;
  }

  /** Arrays of rows, each of one batch or a part of it. */
  async *chunks() {
    yield* this.#chunksWithin(Infinity);
  }

  /** The chunks, whose values take at most so many bytes beside those of the file. */
  async *#chunksWithin(allowed) {
    const most = Math.min(this.#maxMemoryBytes, CHUNK_BYTES);
    // Each batch makes the texts of dictionaries and runs again. As many bytes of them as the file has, compressed or not, are free.
    // Those in JSON are charged as what shares bytes.
    let ownTexts = this.#fileBytes;
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
      if (this.#as === "json") continue;
      ownTexts -= batch.columns.reduce((sum, column) => sum + column.madeBytes, 0);
      if (allowed + Math.min(0, ownTexts) < 0) throw tooMuch(this.#maxMemoryBytes);
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
