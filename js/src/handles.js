// An open file in the modules of WebAssembly.
import { misuse } from "./error.js";
import { run } from "./plan.js";
import { Selections } from "./selection.js";
import { closed } from "./source.js";
import { load } from "./wasm.js";

/** Frees what a program has forgotten. */
const forgotten = new FinalizationRegistry(({ held, source }) => {
  release(held);
  closed(source);
});

function release(held) {
  for (const { module, handle, selections, leases } of held.splice(0)) {
    // No iteration goes on: those that were left where they stand will never end.
    for (const lease of leases) lease.end();
    selections.clear();
    module.free(handle);
  }
}

/** Opens a source in the module of this name. */
async function opened(name, source) {
  const module = await load(name);
  const handle = await run(module, source, module.call("plan_open", source.length, source.kind, module.giveText(source.limits)));
  return { module, handle, selections: new Selections(module, handle), leases: new Set() };
}

/** The source of an open file, and its handles: that in the module for reading, then perhaps that in the other one. */
export class FileHandles {
  #held;
  #full = null;
  #isFree = false;

  constructor(source, reading) {
    this.source = source;
    this.#held = [reading];
    forgotten.register(this, { held: this.#held, source }, this);
  }

  static async open(source) {
    return new FileHandles(source, await opened("read", source));
  }

  /** The file in the module for reading. */
  reading() {
    if (this.#isFree) throw misuse("the file was freed");
    return this.#held[0];
  }

  /** Finds the bytes before the footer that none of its blocks has; null if there are none. Of most files, reads nothing. */
  async unreferencedBytes() {
    const { module, handle } = this.reading();
    const plan = module.call("file_plan_unreferenced", handle);
    const [start, end, isSecondFile] = await run(module, this.source, plan, () => module.numbers());
    return start === undefined ? null : { start, end, isSecondFile: isSecondFile === 1 };
  }

  /** The file in the module with conditions and writers, which is loaded when it is first needed. */
  full() {
    this.reading();
    this.#full ??= opened("full", this.source).then((opened) => {
      if (this.#isFree) {
        release([opened]);
        throw misuse("the file was freed");
      }
      this.#held.push(opened);
      return opened;
    });
    // What failed is tried again by the next call.
    this.#full.catch(() => (this.#full = null));
    return this.#full;
  }

  /** Frees the memory, and closes the source. Returns whether it was not freed before. */
  free() {
    if (this.#isFree) return false;
    this.#isFree = true;
    forgotten.unregister(this);
    release(this.#held);
    closed(this.source);
    return true;
  }
}
