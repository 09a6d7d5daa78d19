// Columns of indices, each of which selects one of a few values.
import { BooleanColumn } from "./booleans.js";
import { Column } from "./column.js";
import { Sums } from "./memory.js";
import { NumberColumn } from "./numbers.js";
import { TextColumn } from "./texts.js";

/** What a value takes beside its index. That is in the file, so that short values are in proportion to it. */
const longBytes = (values, at, asText) => Math.max(0, values.bytesOf(at, at + 1, asText) - 64);

/** A dictionary, or runs. */
export class EncodedColumn extends Column {
  /** The values that were used. */
  #known = [];
  #madeBytes = 0;
  #sums = new Sums();

  constructor(head, indices, base, values) {
    super(head);
    this.indices = indices;
    this.base = base;
    this.values = values;
  }

  /** The bytes of the texts that were made, of which each is the value of many slots. */
  get madeBytes() {
    return this.#madeBytes + this.values.madeBytes;
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
    const of = (i) => {
      if (!this.isValid(i)) return 8;
      return Math.max(8, longBytes(this.values, this.indices[i] - this.base, asText));
    };
    return this.#sums.between(start, end, asText, this.length, of);
  }

  value(i) {
    this.check(i, i + 1, false);
    const at = this.indices[i] - this.base;
    const { values } = this;
    // What can be changed is made for each slot.
    return values instanceof TextColumn ? this.#text(at) : values.value(at);
  }

  /** A text of the values, which is made once. They are asked for in any order, so that each is decoded alone. */
  #text(at) {
    if (this.#known[at] === undefined) {
      this.#known[at] = this.values.alone(at);
      this.#madeBytes += longBytes(this.values, at, false);
    }
    return this.#known[at];
  }

  plainText(i) {
    this.check(i, i + 1, true);
    const at = this.indices[i] - this.base;
    return this.values instanceof TextColumn ? this.#text(at) : this.values.plainText(at);
  }

  jsonText(i) {
    this.check(i, i + 1, true);
    const at = this.indices[i] - this.base;
    return this.values instanceof TextColumn ? this.values.jsonOf(this.#text(at)) : this.values.jsonText(at);
  }
}
