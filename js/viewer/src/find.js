// Rows that match a condition. A file is searched in slices, so that a search has progress and can be stopped.

const SLICE_ROWS = 65_536;

/** The slices of batches between two rows, in their order. */
function* slices(starts, from, to) {
  for (let batch = 0; batch + 1 < starts.length; batch++) {
    const end = Math.min(starts[batch + 1], to);
    for (let first = Math.max(starts[batch], from); first < end; first += SLICE_ROWS) {
      yield [first, Math.min(first + SLICE_ROWS, end)];
    }
  }
}

/** The slices before a row, the last one first. */
function* slicesBefore(starts, to) {
  for (let batch = starts.length - 2; batch >= 0; batch--) {
    for (let end = Math.min(starts[batch + 1], to); end > starts[batch]; end -= SLICE_ROWS) {
      yield [Math.max(starts[batch], end - SLICE_ROWS), end];
    }
  }
}

/** The number of rows that match between two rows, at most `limit`. */
async function matches(file, where, from, to, limit) {
  let n = 0;
  for await (const batch of file.rows({ from, to, where, limit, columns: [] }).batches()) n += batch.numRows;
  return n;
}

/** The first row that matches, in a slice that has one. */
async function firstIn(file, where, from, to) {
  while (to - from > 1) {
    const middle = from + Math.floor((to - from) / 2);
    if ((await matches(file, where, from, middle, 1)) > 0) to = middle;
    else from = middle;
  }
  return from;
}

async function lastIn(file, where, from, to) {
  while (to - from > 1) {
    const middle = from + Math.floor((to - from) / 2);
    if ((await matches(file, where, middle, to, 1)) > 0) from = middle;
    else to = middle;
  }
  return from;
}

/**
 * Searches from a row on, or before it. Resolves to a row, or −1. `step(rows, errors)` is told how many rows were searched, and returns whether
 * to go on; parts that cannot be read are passed over.
 */
export async function findRow(file, starts, where, from, isForward, step) {
  const parts = isForward ? slices(starts, from, Infinity) : slicesBefore(starts, from);
  let searched = 0;
  const errors = [];
  for (const [start, end] of parts) {
    try {
      if ((await matches(file, where, start, end, 1)) > 0) {
        return isForward ? await firstIn(file, where, start, end) : await lastIn(file, where, start, end);
      }
    } catch (error) {
      if (error.code === "misuse") throw error;
      errors.push(error);
    }
    searched += end - start;
    if (!(await step(searched, errors))) return -1;
  }
  return -1;
}

/** Counts all rows that match. `step(rows, found, errors)` is as above. Resolves to whether all were searched. */
export async function countMatches(file, starts, where, step) {
  let searched = 0;
  let found = 0;
  const errors = [];
  for (const [start, end] of slices(starts, 0, Infinity)) {
    try {
      found += await matches(file, where, start, end, Infinity);
    } catch (error) {
      if (error.code === "misuse") throw error;
      errors.push(error);
    }
    searched += end - start;
    if (!(await step(searched, found, errors))) return false;
  }
  return true;
}
