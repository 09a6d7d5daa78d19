// Rows that match a condition. A file is searched in slices of batches, so that a search has progress and can be stopped.

/** The rows of the first slice. Slices grow while they take little time, since a compressed column is decompressed for each of them. */
const FIRST_ROWS = 65_536;
const MOST_ROWS = 4_194_304;
const SHORT_MS = 60;

/** The slices between two rows, of at most `size.rows`: `{ batch, first, rows }`, where `first` is the first row of the batch. */
export function* slices(starts, from, to, isForward, size) {
  const n_batches = starts.length - 1;
  for (let k = 0; k < n_batches; k++) {
    const batch = isForward ? k : n_batches - 1 - k;
    const first = starts[batch];
    let [low, high] = [Math.max(first, from), Math.min(starts[batch + 1], to)];
    while (low < high) {
      const n = Math.min(size.rows, high - low);
      const start = isForward ? low : high - n;
      if (isForward) low += n;
      else high -= n;
      yield { batch, first, rows: [start - first, start - first + n] };
    }
  }
}

/**
 * Searches between two rows, forward or backward. Yields `{ n_rows, rows, batch }` for each slice: how many rows it has, those that match, by
 * their numbers in the file, and the columns of `columns()`, or those of the condition if it returns nothing. A slice that cannot be read has
 * `error` instead.
 */
export async function* search(file, starts, where, { from = 0, to = Infinity, isForward = true, columns = () => [] }) {
  const size = { rows: FIRST_ROWS };
  for (const { batch, first, rows } of slices(starts, from, to, isForward, size)) {
    const n_rows = rows[1] - rows[0];
    const before = performance.now();
    try {
      const found = await file.matches(batch, { where, rows, columns: columns() });
      yield { n_rows, rows: found.rows.map((row) => row + first), batch: found.batch };
    } catch (error) {
      // The condition is wrong, or the module has ended: the next slice would say so, too.
      if (error.code !== "input") throw error;
      yield { n_rows, error };
    }
    if (performance.now() - before < SHORT_MS) size.rows = Math.min(MOST_ROWS, 2 * size.rows);
  }
}
