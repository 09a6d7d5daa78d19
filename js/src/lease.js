// What an iteration has in a module.
import { misuse } from "./error.js";

/**
 * The selection of an iteration, and the values that it has between its steps. A program may leave an iteration where it stands, whose
 * `finally` never comes: these values are then freed with the file.
 */
export class Lease {
  #opened;
  #handles = new Set();
  #isOver = false;

  constructor(opened, columns, where) {
    this.#opened = opened;
    this.selection = opened.selections.take(columns, where);
    opened.leases.add(this);
  }

  /** Keeps a value, and returns its handle. What comes after the end is freed. */
  keep(handle) {
    if (this.#isOver) {
      this.#opened.module.free(handle);
      throw misuse("the file was freed");
    }
    this.#handles.add(handle);
    return handle;
  }

  /** Gives a value away, to a function that frees it, and returns its handle. */
  give(handle) {
    this.#handles.delete(handle);
    return handle;
  }

  /** Frees a value of this lease. */
  free(handle) {
    if (this.#handles.delete(handle)) this.#opened.module.free(handle);
  }

  /** Frees all values, once: later, their handles may be those of others. */
  end() {
    if (this.#isOver) return;
    this.#isOver = true;
    const { module, selections, leases } = this.#opened;
    for (const handle of this.#handles) module.free(handle);
    this.#handles.clear();
    selections.release(this.selection);
    leases.delete(this);
  }
}
