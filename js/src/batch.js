// Batches.
import { readColumns } from "./columns.js";
import { misuse } from "./error.js";
import { positionsByName } from "./members.js";
import { made } from "./row_forms.js";
import { noColumn } from "./selection.js";

/** Rows of a batch, with their columns. It is a copy, and needs no freeing. */
export class Batch {
  constructor(module, handle, fields, first, n_rows, maxMemoryBytes) {
    if (!module) throw misuse("a batch is made by the methods of a file");
    const described = module.call("batch_columns", handle, first, n_rows, maxMemoryBytes);
    try {
      this.columns = readColumns(module, described, fields, maxMemoryBytes);
    } finally {
      module.free(described);
    }
    this.fields = fields;
    this.numRows = n_rows;
    this.maxMemoryBytes = maxMemoryBytes;
  }

  /** The column with a name or at a position. */
  column(name) {
    const found = this.columns[typeof name === "number" ? name : positionsByName(this.fields).first.get(name)];
    if (found) return found;
    throw noColumn(name, this.columns.map((column) => column.name));
  }

  /** The rows, as `rows` of a file returns them. */
  toArray(as = "objects") {
    return made(this, as);
  }
}
