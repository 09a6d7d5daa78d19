// Runs plans: fetches what they need, and takes their results.
import { ArrowError, shown } from "./error.js";
import { isMemory } from "./source.js";

/**
 * Runs a plan. The result is a handle, or 0 if it is in the numbers of the module, which `finish` reads.
 * `plan` is a handle, which is freed, and `kind` the beginning of the names of its functions.
 */
export async function run(module, source, plan, finish = (handle) => handle, kind = "plan") {
  try {
    while (module.call(`${kind}_step`, plan) === 1) {
      const needed = module.numbers();
      if (source.readNow) {
        for (let i = 0; i < needed.length; i += 2) provide(module, kind, plan, needed[i], source.readNow(needed[i], needed[i + 1]));
      } else {
        await fetchAll(module, source, kind, plan, needed);
      }
    }
    const handle = module.call(`${kind}_finish`, plan);
    plan = -1;
    return finish(handle);
  } finally {
    if (plan >= 0) module.free(plan);
  }
}

async function fetchAll(module, source, kind, plan, needed) {
  const ranges = [];
  for (let i = 0; i < needed.length; i += 2) ranges.push([needed[i], needed[i + 1]]);
  let next = 0;
  const worker = async () => {
    while (next < ranges.length) {
      const [start, end] = ranges[next++];
      provide(module, kind, plan, start, checked(await answered(source, start, end), end - start));
    }
  };
  const workers = Array.from({ length: Math.min(source.parallel ?? 4, ranges.length) }, worker);
  try {
    await Promise.all(workers);
  } catch (error) {
    next = ranges.length;
    // The plan is freed only when nobody provides for it any more.
    await Promise.allSettled(workers);
    throw error;
  }
}

function provide(module, kind, plan, start, bytes) {
  module.call(`${kind}_provide`, plan, start, module.give(bytes, start));
}

/** What a source answers. What it throws is an error, and other values are the cause of one. */
async function answered(source, start, end) {
  try {
    return await source.read(start, end);
  } catch (error) {
    if (error instanceof Error) throw error;
    throw new ArrowError("source", `the source failed: ${shown(error)}`, { cause: error });
  }
}

function checked(bytes, expected) {
  let view = null;
  try {
    if (ArrayBuffer.isView(bytes)) view = new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    else if (isMemory(bytes)) view = new Uint8Array(bytes);
  } catch (error) {
    throw new ArrowError("source", `the source returned memory that was transferred: ${error.message}`, { cause: error });
  }
  if (!view) throw new ArrowError("source", "the source returned no bytes: `read` returns an ArrayBuffer or a typed array");
  if (view.byteLength !== expected) {
    throw new ArrowError("source", `the source returned ${view.byteLength} bytes instead of ${expected}`);
  }
  return view;
}
