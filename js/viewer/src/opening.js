// Opens files, also damaged ones: what is sound of them is shown.
import { open } from "../../index.js";

/** The length of the mark at the start of a file, with its padding: a stream follows it. */
const FILE_HEAD_BYTES = 8;

/** The bytes at the start of a file at a URL that are read with its end: the head of the first batch is among them. */
const START_BYTES = 65_536;

/** The batches of a damaged file whose errors are told. */
const MOST_PROBLEMS = 20;

/** The rows that are shown: their positions in pixels are exact. */
const MOST_ROWS = 2 ** 48;

/** The batches whose rows are counted at once, beginning with the first alone. */
const MOST_COUNTED = 256;

/** Resolves to an opened file when the rows of its first batch are counted. `problems` are known before. */
export async function openAny(source, problems = []) {
  let file;
  let isFile = false;
  try {
    file = await open(source, { countRows: false, startBytes: START_BYTES });
  } catch (error) {
    file = await withoutFooter(source, error);
    isFile = true;
    problems.push(`It is read without its footer: ${error.message}`);
  }
  const opened = new Opened(source, file, isFile ? "file" : file.container, problems);
  await opened.countSome();
  return opened;
}

/** An open file, whose rows are counted while its first ones are shown. */
class Opened {
  /** What is damaged. */
  problems;
  /** The first row of each batch, and the number of all rows that are counted. */
  starts;
  /** The number of batches that have no rows, since they cannot be read. */
  n_omitted = 0;
  #next = 0;
  #isEnded = false;

  /** `container` is what the source is: "file", also if it is read like a stream. */
  constructor(source, file, container, problems) {
    Object.assign(this, { source, file, container, problems });
    this.starts = new Float64Array(file.numBatches + 1);
  }

  /** Whether the rows of all batches are counted. */
  get isCounted() {
    return this.#next === this.file.numBatches && this.#isEnded;
  }

  /** Counts the rows of some batches: of all of them, if the footer says how many they have. */
  async countSome() {
    const { file } = this;
    const { numBatches } = file;
    const from = this.#next;
    const to = Math.min(numBatches, from === 0 ? 1 : Math.min(8 * from, from + MOST_COUNTED));
    let counts = null;
    let end = to;
    try {
      counts = from === 0 ? await file.rowCounts(0, numBatches, { isRead: false }) : null;
      if (counts !== null) end = numBatches;
      counts ??= await file.rowCounts(from, to);
    } catch {
      // One of them has an error.
    }
    for (let i = from; i < end; i++) {
      this.starts[i + 1] = this.starts[i] + (counts === null ? await this.#countOne(i) : this.#checked(i, counts[i - from]));
    }
    // Those that are not counted yet have no rows.
    this.starts.fill(this.starts[end], end + 1);
    this.#next = end;
    if (end < numBatches) return;
    try {
      await file.checkEnd();
    } catch (error) {
      this.problems.push(error.message);
    }
    if (this.n_omitted > MOST_PROBLEMS) this.problems.push(`${this.n_omitted} batches are left out.`);
    this.#isEnded = true;
  }

  async #countOne(i) {
    try {
      return this.#checked(i, (await this.file.batch(i, { columns: [] })).numRows);
    } catch (error) {
      return this.#leaveOut(i, error.message);
    }
  }

  #checked(i, n_rows) {
    return this.starts[i] + n_rows <= MOST_ROWS ? n_rows : this.#leaveOut(i, `it says that it has ${n_rows} rows`);
  }

  #leaveOut(i, why) {
    this.n_omitted++;
    if (this.n_omitted <= MOST_PROBLEMS) this.problems.push(`Batch ${i} is left out: ${why}`);
    return 0;
  }
}

/** Opens the stream that is in a file. Throws the first error if there is none. */
async function withoutFooter(source, error) {
  if (!(source instanceof Blob) || error.code !== "input" || source.size <= FILE_HEAD_BYTES) throw error;
  const head = new TextDecoder().decode(await source.slice(0, 6).arrayBuffer());
  if (head !== "ARROW1") throw error;
  try {
    return await open(source.slice(FILE_HEAD_BYTES), { countRows: false });
  } catch {
    throw error;
  }
}
