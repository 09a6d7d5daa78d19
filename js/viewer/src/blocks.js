// The parts of columns that are in memory: some hundred rows of one column each. Only what is on the screen is read.

/** The rows that are read at once. Where a read takes long, more of them are: a compressed column is read and decompressed whole. */
const SIZES = [256, 2048, 16_384];
const LONG_MS = 120;

/** The bytes that are kept, about. */
const MOST_BYTES = 48_000_000;

/** The bytes of one part besides those of its values. */
const PART_BYTES = 4096;

/** The time after a failure from which on what could not be had, such as from a server, is asked for again where it is wanted. */
const AGAIN_MS = 2000;

export class Blocks {
  #file;
  #starts;
  #onChange;
  /** By size, batch, block and column: `{ column, bytes }`, or `{ error, bytes }`. The first is the one that was used longest ago. */
  #parts = new Map();
  #bytes = 0;
  /** How many sizes are in use; the last of them is read. */
  #n_sizes = 1;
  #wanted = [];
  /** When something could not be read for the last time. */
  #failedAt = 0;
  #isReading = false;
  #isEnded = false;
  #firstIsRead;

  constructor(file, starts, onChange) {
    this.#file = file;
    this.#starts = starts;
    this.#onChange = onChange;
    /** Resolves when something was read. */
    this.first = new Promise((done) => (this.#firstIsRead = done));
  }

  /** The batch of a row. */
  #batchOf(row) {
    const starts = this.#starts;
    let low = 0;
    let high = starts.length - 1;
    while (high - low > 1) {
      const middle = (low + high) >>> 1;
      if (starts[middle] <= row) low = middle;
      else high = middle;
    }
    return low;
  }

  /** The key of the part of a column that is read, the part, and the slot of a row in it. An error only if no part has the row. */
  #find(batch, inBatch, position) {
    let failed = null;
    for (let k = this.#n_sizes - 1; k >= 0; k--) {
      const block = Math.floor(inBatch / SIZES[k]);
      const key = `${SIZES[k]}/${batch}/${block}/${position}`;
      const part = this.#parts.get(key);
      if (!part) continue;
      const found = { key, part, slot: inBatch - block * SIZES[k] };
      if (!part.error) return found;
      failed ??= found;
    }
    return failed;
  }

  /** The part of a column, `{ column }` or `{ error }`, and the slot of a row in it; null if it is not read yet. */
  cell(row, position) {
    const batch = this.#batchOf(row);
    const found = this.#find(batch, row - this.#starts[batch], position);
    return found && { ...found.part, slot: found.slot };
  }

  /** Says which rows and columns are on the screen. What was wanted before and is not there yet is not read. */
  want(from, to, positions) {
    this.#wanted = [];
    const size = SIZES[this.#n_sizes - 1];
    for (let row = from; row < to; ) {
      const batch = this.#batchOf(row);
      const inBatch = row - this.#starts[batch];
      const block = Math.floor(inBatch / size);
      const end = Math.min((block + 1) * size, this.#starts[batch + 1] - this.#starts[batch]);
      const last = Math.min(end, to - this.#starts[batch]) - 1;
      const missing = [];
      for (const position of positions) {
        let isMissing = false;
        // Smaller parts may have some of the rows.
        for (let at = inBatch; ; at = Math.min(last, at + SIZES[0])) {
          const found = this.#find(batch, at, position);
          if (found) this.#use(found);
          isMissing ||= found === null || this.#isOver(found.part);
          if (at === last) break;
        }
        if (isMissing) missing.push(position);
      }
      if (missing.length > 0) this.#wanted.push({ batch, block, size, positions: missing });
      row = this.#starts[batch] + end;
    }
    this.#read();
  }

  /** Whether a part is an error that may be gone by now. Those in the bytes of a file stay. */
  #isOver({ error }) {
    return error !== undefined && error.code !== "input" && performance.now() - this.#failedAt > AGAIN_MS;
  }

  #use({ key, part }) {
    this.#parts.delete(key);
    this.#parts.set(key, part);
  }

  async #read() {
    if (this.#isReading) return;
    this.#isReading = true;
    while (this.#wanted.length > 0 && !this.#isEnded) {
      const before = performance.now();
      await this.#readPart(this.#wanted.shift());
      // The first read also waits for what the page does when a file is opened.
      if (this.hasRead && performance.now() - before > LONG_MS) this.#n_sizes = Math.min(SIZES.length, this.#n_sizes + 1);
      this.hasRead = true;
      this.#firstIsRead();
      if (!this.#isEnded) this.#onChange();
    }
    this.#isReading = false;
  }

  async #readPart({ batch, block, size, positions }) {
    const n_rows = this.#starts[batch + 1] - this.#starts[batch];
    const rows = [block * size, Math.min((block + 1) * size, n_rows)];
    const key = (position) => `${size}/${batch}/${block}/${position}`;
    try {
      const { columns } = await this.#file.batch(batch, { columns: positions, rows });
      positions.forEach((position, k) => this.#keep(key(position), { column: columns[k], bytes: PART_BYTES + bytesOf(columns[k]) }));
    } catch (error) {
      this.#failedAt = performance.now();
      // The other columns may be sound.
      if (positions.length === 1) this.#keep(key(positions[0]), { error, bytes: PART_BYTES });
      else for (const position of positions) await this.#readPart({ batch, block, size, positions: [position] });
    }
  }

  #keep(key, part) {
    this.#bytes += part.bytes - (this.#parts.get(key)?.bytes ?? 0);
    this.#parts.set(key, part);
    // What was read last stays, however large it is.
    while (this.#bytes > MOST_BYTES && this.#parts.size > 1) {
      const [oldest, { bytes }] = this.#parts.entries().next().value;
      this.#parts.delete(oldest);
      this.#bytes -= bytes;
    }
  }

  end() {
    this.#isEnded = true;
    this.#parts.clear();
  }
}

/** The bytes of a column in memory: its typed arrays, and those of the columns in it. */
function bytesOf(column) {
  let bytes = column.numbers?.byteLength ?? 0;
  for (const value of Object.values(column)) {
    if (ArrayBuffer.isView(value)) bytes += value.byteLength;
  }
  for (const child of [column.items, column.values, ...(column.children ?? [])]) {
    if (child?.type) bytes += bytesOf(child);
  }
  return bytes;
}
