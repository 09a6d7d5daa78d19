// Runs plans: fetches what they need, and takes their results.
import { checkLength } from "./wasm.js";

/**
 * Runs a plan. The result is a handle, or 0 if it is in the numbers of the module, which `finish` reads.
 * `plan` is a handle, which is freed, and `kind` the beginning of the names of its functions.
 */
export async function run(module, source, plan, finish = (handle) => handle, kind = "plan") {
  try {
    while (module.call(`${kind}_step`, plan) === 1) {
      const needed = module.numbers();
      // Nothing is fetched if a part of it is of no use.
      for (let i = 0; i < needed.length; i += 2) checkLength(needed[i + 1] - needed[i]);
      const ranges = [];
      for (let i = 0; i < needed.length; i += 2) {
        const [start, end] = [needed[i], needed[i + 1]];
        const bytes = source.readNow(start, end);
        if (bytes === null) ranges.push([start, end]);
        else provide(module, kind, plan, start, bytes);
      }
      if (ranges.length > 0) await fetchAll(module, source, kind, plan, ranges);
    }
    const handle = module.call(`${kind}_finish`, plan);
    plan = -1;
    return finish(handle);
  } finally {
    if (plan >= 0) module.free(plan);
  }
}

async function fetchAll(module, source, kind, plan, ranges) {
  let next = 0;
  const worker = async () => {
    while (next < ranges.length) {
      const [start, end] = ranges[next++];
      provide(module, kind, plan, start, await source.read(start, end));
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
