// What columns of all types have.
import { misuse, shown } from "../error.js";
import { quoted } from "../values.js";
import { tooMuch } from "./memory.js";

/** A column of a batch, or the items or members of one. */
export class Column {
  #isSharing = [null, null];

  constructor({ field, type, length, validity, maxMemoryBytes }) {
    this.maxMemoryBytes = maxMemoryBytes;
    this.name = field.name;
    this.field = field;
    this.type = type;
    this.length = length;
    this.validity = validity;
  }

  /** Whether a slot has a value. */
  isValid(i) {
    return Number.isInteger(i) && i >= 0 && i < this.length && (this.validity === null || this.validity.get(i)) && this.selects(i);
  }

  /** The value of a slot; null if it has none. */
  get(i) {
    return this.isValid(i) ? this.value(i) : null;
  }

  /** The values of slots from `start` to before `end`, or to the last. */
  toArray(start = 0, end = this.length) {
    [start, end] = this.slotRange(start, end);
    this.check(start, end, false);
    const values = new Array(end - start);
    for (let i = start; i < end; i++) values[i - start] = this.get(i);
    return values;
  }

  /** The text of a slot, as `arrow-ipc cat` writes it; "null" if it has no value. */
  text(i) {
    return this.isValid(i) ? this.plainText(i) : "null";
  }

  /** The JSON of a slot: the form of crates/arrow-text/NOTATION.md. */
  json(i) {
    return this.isValid(i) ? this.jsonText(i) : "null";
  }

  /** The numbers of a column as a typed array, in which slots without a value have any number; null if there are none. */
  get numbers() {
    return null;
  }

  /** The number of slots without a value. */
  get nullCount() {
    let n = 0;
    for (let i = 0; i < this.length; i++) if (!this.isValid(i)) n++;
    return n;
  }

  *[Symbol.iterator]() {
    for (let i = 0; i < this.length; i++) yield this.get(i);
  }

  slotRange(start, end) {
    if (!(Number.isInteger(start) && start >= 0 && (Number.isInteger(end) || end === Infinity) && end >= 0)) {
      throw misuse(`slots are from a first one to before another one, not from ${shown(start)} to ${shown(end)}`);
    }
    end = Math.min(end, this.length);
    return [Math.min(start, end), end];
  }

  // A file can have bytes once for the values of many slots: lists that overlap, values of dictionaries, runs, and nulls without bytes.
  // What such values take is known before they are made.

  /** Whether values may take much more than their bytes in the file; `asText` is for texts of values. */
  shares() {
    return false;
  }

  /** About the bytes that the values of slots take. */
  bytesOf(start, end) {
    return 16 * (end - start);
  }

  /** The bytes that values take beside those of the file. */
  extraBytes(start, end, asText) {
    return this.isSharing(asText) ? this.bytesOf(start, end, asText) : 0;
  }

  /** The same as `shares`, which is asked once. */
  isSharing(asText) {
    const k = Number(asText);
    return (this.#isSharing[k] ??= this.shares(asText));
  }

  /** The bytes of texts that were made once for many slots. The columns of another batch make the same ones again. */
  get madeBytes() {
    return 0;
  }

  check(start, end, asText) {
    if (this.isSharing(asText) && this.extraBytes(start, end, asText) > this.maxMemoryBytes) throw tooMuch(this.maxMemoryBytes);
  }

  // What follows is for slots that are valid.

  selects() {
    return true;
  }

  plainText(i) {
    return this.jsonText(i);
  }

  jsonText(i) {
    return quoted(this.plainText(i));
  }
}
