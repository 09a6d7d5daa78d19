// The parts of columns that are in memory: some hundred rows of one column each. Only what is on the screen is read.

/** The rows that are read at once. */
const BLOCK_ROWS = 256;

/** The parts that are kept. */
const MOST_PARTS = 600;

export class Blocks {
  #file;
  #starts;
  #onChange;
  /** By batch, block and column: a column, or an error. The first is the one that was used longest ago. */
  #parts = new Map();
  #wanted = [];
  #isReading = false;
  #isEnded = false;

  constructor(file, starts, onChange) {
    this.#file = file;
    this.#starts = starts;
    this.#onChange = onChange;
  }

  /** The batch of a row, its block, and its place there. */
  place(row) {
    const starts = this.#starts;
    let low = 0;
    let high = starts.length - 1;
    while (high - low > 1) {
      const middle = (low + high) >>> 1;
      if (starts[middle] <= row) low = middle;
      else high = middle;
    }
    const inBatch = row - starts[low];
    const block = Math.floor(inBatch / BLOCK_ROWS);
    return { batch: low, block, slot: inBatch - block * BLOCK_ROWS };
  }

  /** The part of a column, `{ column }` or `{ error }`, and the slot of a row in it; null if it is not read yet. */
  cell(row, position) {
    const { batch, block, slot } = this.place(row);
    const part = this.#parts.get(`${batch}/${block}/${position}`);
    return part ? { ...part, slot } : null;
  }

  /** Says which rows and columns are on the screen. What was wanted before and is not there yet is not read. */
  want(from, to, positions) {
    this.#wanted = [];
    for (let row = from; row < to; ) {
      const { batch, block, slot } = this.place(row);
      const missing = [];
      for (const position of positions) {
        const key = `${batch}/${block}/${position}`;
        const part = this.#parts.get(key);
        if (part) {
          this.#parts.delete(key);
          this.#parts.set(key, part);
        } else {
          missing.push(position);
        }
      }
      if (missing.length > 0) this.#wanted.push({ batch, block, positions: missing });
      const end = this.#starts[batch + 1] - this.#starts[batch];
      row += Math.min(BLOCK_ROWS, end - block * BLOCK_ROWS) - slot;
    }
    this.#read();
  }

  async #read() {
    if (this.#isReading) return;
    this.#isReading = true;
    while (this.#wanted.length > 0 && !this.#isEnded) {
      const { batch, block, positions } = this.#wanted.shift();
      await this.#readPart(batch, block, positions);
      if (!this.#isEnded) this.#onChange();
    }
    this.#isReading = false;
  }

  async #readPart(batch, block, positions) {
    const n_rows = this.#starts[batch + 1] - this.#starts[batch];
    const rows = [block * BLOCK_ROWS, Math.min((block + 1) * BLOCK_ROWS, n_rows)];
    try {
      const { columns } = await this.#file.batch(batch, { columns: positions, rows });
      positions.forEach((position, k) => this.#keep(`${batch}/${block}/${position}`, { column: columns[k] }));
    } catch (error) {
      // The other columns may be sound.
      if (positions.length === 1) this.#keep(`${batch}/${block}/${positions[0]}`, { error });
      else for (const position of positions) await this.#readPart(batch, block, [position]);
    }
  }

  #keep(key, part) {
    this.#parts.set(key, part);
    while (this.#parts.size > MOST_PARTS) this.#parts.delete(this.#parts.keys().next().value);
  }

  end() {
    this.#isEnded = true;
    this.#parts.clear();
  }
}
