// Opens files, also damaged ones: what is sound of them is shown.
import { open } from "../../index.js";

/** The length of the mark at the start of a file, with its padding: a stream follows it. */
const FILE_HEAD_BYTES = 8;

/** The batches of a damaged file whose errors are told. */
const MOST_PROBLEMS = 20;

/** The rows that are shown: their positions in pixels are exact. */
const MOST_ROWS = 2 ** 48;

/**
 * Resolves to `{ file, container, starts, problems, n_left_out, source }`: what the source is ("file", also if it is read like a stream), the
 * first row of each batch and the number of all rows, what is damaged, and the number of batches that have no rows since they cannot be read.
 */
export async function openAny(source) {
  const problems = [];
  let file;
  let isFile = false;
  try {
    file = await open(source, { countRows: false });
  } catch (error) {
    file = await withoutFooter(source, error);
    isFile = true;
    problems.push(`It is read without its footer: ${error.message}`);
  }
  const container = isFile ? "file" : file.container;
  let counts = null;
  try {
    await file.countRows();
    counts = file.batchStarts;
  } catch (error) {
    problems.push(error.message);
  }
  if (counts !== null && counts[file.numBatches] <= MOST_ROWS) return { file, container, starts: counts, problems, n_left_out: 0, source };
  const starts = new Float64Array(file.numBatches + 1);
  let n_unreadable = 0;
  for (let i = 0; i < file.numBatches; i++) {
    let n_rows = 0;
    try {
      n_rows = counts === null ? (await file.batch(i, { columns: [] })).numRows : counts[i + 1] - counts[i];
      if (starts[i] + n_rows > MOST_ROWS) throw new Error(`it says that it has ${n_rows} rows`);
    } catch (error) {
      n_rows = 0;
      n_unreadable++;
      if (n_unreadable <= MOST_PROBLEMS) problems.push(`Batch ${i} is left out: ${error.message}`);
    }
    starts[i + 1] = starts[i] + n_rows;
  }
  if (n_unreadable > MOST_PROBLEMS) problems.push(`${n_unreadable} batches are left out.`);
  return { file, container, starts, problems, n_left_out: n_unreadable, source };
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
