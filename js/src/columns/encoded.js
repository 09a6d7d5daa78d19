// Columns of indices, each of which selects one of a few values.
import { BooleanColumn } from "./booleans.js";
import { Column } from "./column.js";
import { Sums } from "./memory.js";
import { NumberColumn } from "./numbers.js";
import { TextColumn } from "./texts.js";

/** A dictionary, or runs. */
export class EncodedColumn extends Column {
  /** The values that were used. */
  #known = [];
  #sums = new Sums();

  constructor(head, indices, base, values) {
    super(head);
    this.indices = indices;
    this.base = base;
    this.values = values;
  }

  selects(i) {
    return this.values.isValid(this.indices[i] - this.base);
  }

  shares(asText) {
    // Of texts, all slots have one value.
    if (this.type.name === "run_end_encoded" || this.values.isSharing(asText)) return true;
    return asText || !(this.values instanceof TextColumn || this.values instanceof NumberColumn || this.values instanceof BooleanColumn);
  }

  bytesOf(start, end, asText) {
    if (!asText && this.values instanceof TextColumn) return 8 * (end - start);
    // Indices are in the file, so that short values are in proportion to it.
    const of = (i) => {
      if (!this.isValid(i)) return 8;
      const at = this.indices[i] - this.base;
      return Math.max(8, this.values.bytesOf(at, at + 1, asText) - 64);
    };
    return this.#sums.between(start, end, asText, this.length, of);
  }

  value(i) {
    this.check(i, i + 1, false);
    const at = this.indices[i] - this.base;
    const { values } = this;
    // What can be changed is made for each slot.
    if (!(values instanceof TextColumn)) return values.value(at);
    return (this.#known[at] ??= values.value(at));
  }

  plainText(i) {
    this.check(i, i + 1, true);
    return this.values.plainText(this.indices[i] - this.base);
  }

  jsonText(i) {
    this.check(i, i + 1, true);
    return this.values.jsonText(this.indices[i] - this.base);
  }
}
