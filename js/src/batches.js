// Batches of the rows that are asked for, one after the other.
import { Batch } from "./batch.js";
import { misuse } from "./error.js";
import { Lease } from "./lease.js";
import { run } from "./plan.js";
import { positionsOf } from "./selection.js";
import { isInMemory } from "./source.js";

/** The rows that are made of columns at once. */
const CHUNK_ROWS = 65_536;

/** The number of prefetched batches, for sources that are not in memory. */
const MAX_PREFETCHED = 3;

/** Batches of the rows of `rows`. */
export async function* batchesOf(file, handles, { from = 0, to = Infinity, columns, where, limit = Infinity, trustStatistics = false }) {
  for (const [name, value] of Object.entries({ from, to, limit })) {
    if (!(value >= 0) || !(Number.isInteger(value) || value === Infinity)) throw misuse(`\`${name}\` is a number of rows`);
  }
  const positions = positionsOf(file.schema, columns);
  const hasCondition = where !== undefined && where !== null && where !== "";
  if (hasCondition && typeof where !== "string") throw misuse('`where` is a text, such as "age > 40"');
  const opened = hasCondition ? await handles.full() : handles.reading();
  const whole = from === 0 && to === Infinity && (hasCondition || limit === Infinity);
  if (!whole) await file.countRows();
  // The file may have been freed in the meantime.
  handles.reading();
  const { module } = opened;
  const lease = new Lease(opened, positions, hasCondition ? where : "");
  const { selection } = lease;
  const { source } = handles;
  const pending = [];
  try {
    let left = limit;
    // Without a condition, the limit says which rows are read.
    const stop = hasCondition ? to : Math.min(to, from + limit);
    const parts = partsOf(file, handles, from, stop, (i) => hasCondition && trustStatistics && module.call("rows_may_match", selection.handle, i) === 0);
    const start = ({ index, range: [first, last] }) => {
      const reading = run(module, source, module.call("rows_plan", selection.handle, index, first, last), (handle) => lease.keep(handle));
      // The error is thrown where the batch is awaited.
      reading.catch(() => {});
      return reading;
    };
    const n_prefetched = isInMemory(source) ? 1 : MAX_PREFETCHED;
    while (left > 0) {
      while (pending.length < n_prefetched) {
        const { done, value } = parts.next();
        if (done) break;
        pending.push(start(value));
      }
      if (pending.length === 0) break;
      let handle = await pending.shift();
      handles.reading();
      if (hasCondition) handle = lease.keep(module.call("rows_matching", selection.handle, lease.give(handle)));
      const n_rows = Math.min(left, module.call("batch_rows", handle));
      for (let first = 0; first < n_rows; first += CHUNK_ROWS) {
        handles.reading();
        const batch = new Batch(module, handle, selection.fields, first, Math.min(CHUNK_ROWS, n_rows - first), source.maxMemoryBytes);
        // The last step may never come.
        if (first + CHUNK_ROWS >= n_rows) lease.free(handle);
        yield batch;
      }
      lease.free(handle);
      left -= n_rows;
    }
  } finally {
    await Promise.allSettled(pending);
    lease.end();
  }
}

/** The batches that have rows of a range, each with a range in it: [0, -1] for all rows. */
function* partsOf({ numBatches, batchStarts: starts }, handles, from, to, isLeftOut) {
  for (let index = 0; index < numBatches; index++) {
    handles.reading();
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
