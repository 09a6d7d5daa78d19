// Streams that the package apache-arrow reads.
import { joined } from "./bytes.js";
import { ArrowError, misuse, optionsOf } from "./error.js";
import { Lease } from "./lease.js";
import { run } from "./plan.js";
import { positionsOf } from "./selection.js";

/** The pieces of a stream of these columns and rows. */
export async function* legacyChunks(file, handles, options) {
  const { columns, where } = optionsOf(options, ["columns", "where"]);
  if (where !== undefined && where !== null && typeof where !== "string") throw misuse('`where` is a text, such as "age > 40"');
  const positions = positionsOf(file.schema, columns);
  const opened = await handles.full();
  // The file may have been freed in the meantime.
  handles.reading();
  const { module } = opened;
  const lease = new Lease(opened, positions, where ?? "");
  const { selection } = lease;
  const { source } = handles;
  try {
    const writer = lease.keep(module.call("writer_of_rows", selection.handle, opened.handle));
    yield module.takeBytes(module.call("writer_start", writer));
    for (let index = 0; index < file.numBatches; index++) {
      handles.reading();
      const read = await run(module, source, module.call("rows_plan", selection.handle, index, 0, -1), (handle) => lease.keep(handle));
      handles.reading();
      const batch = lease.keep(module.call("rows_matching", selection.handle, lease.give(read)));
      const bytes = module.takeBytes(module.call("writer_batch", writer, batch, source.maxMemoryBytes));
      lease.free(batch);
      yield bytes;
    }
    handles.reading();
    yield module.takeBytes(module.call("writer_finish", writer));
  } finally {
    lease.end();
  }
}

/** The same stream as one array. */
export async function legacyStream(file, handles, options) {
  const { maxMemoryBytes, length } = handles.source;
  const parts = [];
  // Plain values may take more than those in the file: what they share, each of them has.
  const most = Math.max(maxMemoryBytes, 16 * length);
  let n = 0;
  for await (const part of legacyChunks(file, handles, options)) {
    n += part.byteLength;
    if (n > most) throw new ArrowError("input", `the stream has more than ${most} bytes (maxMemoryBytes): legacyChunks gives it in pieces`);
    parts.push(part);
  }
  return joined(parts);
}
