// Columns, of the words that the module gives: `columns.rs` writes them. Everything is copied out of the module's memory.
import { ArrowError, misuse, shown } from "./error.js";
import {
  ArrowDate,
  date64Text,
  dateText,
  decimalText,
  floatText,
  hexText,
  quoted,
  timeText,
  timestampText,
  uuidText,
  wideInteger,
} from "./values.js";

// A text may begin with U+FEFF.
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** The error of values that take more memory than is allowed. */
export const tooMuch = (most) =>
  new ArrowError("input", `values that share bytes take more than ${most} bytes (maxMemoryBytes): read fewer rows at once`);

/** Columns of these fields. */
export function readColumns(module, handle, fields, maxMemoryBytes) {
  const words = new Uint32Array(module.view(handle).slice().buffer);
  const reader = new Reader(words, module.buffer, maxMemoryBytes);
  return fields.map((field) => reader.column(field, field.type));
}

class Reader {
  #words;
  #buffer;
  #at = 0;

  constructor(words, buffer, maxMemoryBytes) {
    this.#words = words;
    this.#buffer = buffer;
    this.maxMemoryBytes = maxMemoryBytes;
  }

  word() {
    return this.#words[this.#at++];
  }

  copy(Numbers, address, length) {
    // Where there is nothing, the address means nothing.
    if (length === 0) return new Numbers(0);
    return new Numbers(this.#buffer.slice(address, address + length * Numbers.BYTES_PER_ELEMENT));
  }

  /** Bits, and the position of the first; null if there are none. */
  bits(length) {
    const address = this.word();
    const offset = this.word();
    return address === 0 ? null : new Bits(this.copy(Uint8Array, address, Math.ceil((offset + length) / 8)), offset);
  }

  column(field, type) {
    // Runs, and values of dictionaries, have the form of the field around them.
    if (type.name === "run_end_encoded") return this.array(field, type, type.children[1].type);
    if (type.name === "dictionary") return this.array(field, type, type.values);
    return this.array(field, type, null);
  }

  array(field, type, values) {
    const form = this.word();
    const length = this.word();
    const validity = this.bits(length);
    const head = { field, type, length, validity, maxMemoryBytes: this.maxMemoryBytes };
    switch (form) {
      case 0:
        return new NullColumn(head);
      case 1:
        return new BooleanColumn(head, this.bits(length));
      case 2: {
        const Numbers = NUMBERS[this.word()];
        const numbers = this.copy(Numbers, this.word(), length);
        const made = OF_NUMBERS[type.name] ?? NumberColumn;
        return isBool8(field, type) ? new Bool8Column(head, numbers) : new made(head, numbers);
      }
      case 3: {
        const width = this.word();
        const bytes = this.copy(Uint8Array, this.word(), length * width);
        if (field.extension === "arrow.uuid" && width === 16) return new UuidColumn(head, bytes, width);
        return new (OF_FIXED[type.name] ?? FixedColumn)(head, bytes, width);
      }
      case 4:
      case 5: {
        const offsets = this.copy(Int32Array, this.word(), length + 1);
        const address = this.word();
        const first = this.word();
        const isAscii = this.word() === 1;
        const bytes = this.copy(Uint8Array, address, length === 0 ? 0 : offsets[length] - first);
        if (form === 5) return new BinaryColumn(head, offsets, bytes, first);
        const made = field.extension === "arrow.json" ? JsonColumn : TextColumn;
        return new made(head, offsets, bytes, first, isAscii);
      }
      case 6: {
        const starts = this.copy(Uint32Array, this.word(), length);
        const ends = this.copy(Uint32Array, this.word(), length);
        const base = this.word();
        const item = type.children[0];
        const items = this.column(item, item.type);
        const made = type.name === "map" ? MapColumn : ListColumn;
        return new made(head, starts, ends, base, items);
      }
      case 7: {
        const size = this.word();
        const item = type.children[0];
        const made = field.extension === FIXED ? FixedTensorColumn : FixedListColumn;
        return new made(head, size, this.column(item, item.type));
      }
      case 8: {
        this.word();
        const children = (type.children ?? []).map((child) => this.column(child, child.type));
        return new (field.extension === VARIABLE ? VariableTensorColumn : StructColumn)(head, children);
      }
      case 9: {
        const children = this.copy(Uint8Array, this.word(), length);
        const slots = this.copy(Uint32Array, this.word(), length);
        this.word();
        return new UnionColumn(head, children, slots, (type.children ?? []).map((child) => this.column(child, child.type)));
      }
      case 10: {
        const indices = this.copy(Uint32Array, this.word(), length);
        const base = this.word();
        // The extension type of a field is one of its values.
        return new EncodedColumn(head, indices, base, this.column({ ...field, type: values }, values));
      }
      default:
        throw new ArrowError("module", `there is no form ${form}: the module is of another version`);
    }
  }
}

const isBool8 = (field, type) => field.extension === "arrow.bool8" && type.name === "int8";

class Bits {
  constructor(bytes, offset) {
    this.bytes = bytes;
    this.offset = offset;
  }

  get(i) {
    const at = this.offset + i;
    return ((this.bytes[at >> 3] >> (at & 7)) & 1) === 1;
  }
}

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

  /** The JSON of a slot: the form of docs/JSON.md. */
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

/** The sums of what slots take, for values and for texts. */
class Sums {
  #sums = [null, null];

  /** What the slots from `start` to before `end` take; `of` is what one takes. */
  between(start, end, asText, length, of) {
    const sums = (this.#sums[Number(asText)] ??= Sums.#of(length, of));
    return sums[end] - sums[start];
  }

  static #of(length, of) {
    const sums = new Float64Array(length + 1);
    for (let i = 0; i < length; i++) sums[i + 1] = sums[i] + of(i);
    return sums;
  }
}

class NullColumn extends Column {
  shares() {
    return true;
  }

  selects() {
    return false;
  }
}

class BooleanColumn extends Column {
  constructor(head, bits) {
    super(head);
    this.bits = bits;
  }

  value(i) {
    return this.bits.get(i);
  }

  jsonText(i) {
    return String(this.value(i));
  }
}

class NumberColumn extends Column {
  #numbers;

  constructor(head, numbers) {
    super(head);
    this.#numbers = numbers;
  }

  get numbers() {
    return this.#numbers;
  }

  value(i) {
    return this.#numbers[i];
  }

  jsonText(i) {
    return String(this.#numbers[i]);
  }
}

/** Numbers that are values of another kind in JavaScript. */
class PlainNumberColumn extends NumberColumn {
  toArray(start = 0, end = this.length) {
    if (this.validity === null) return Array.from(this.numbers.subarray(...this.slotRange(start, end)));
    return super.toArray(start, end);
  }
}

class FloatColumn extends PlainNumberColumn {
  jsonText(i) {
    const text = this.plainText(i);
    return Number.isFinite(this.numbers[i]) ? text : `"${text}"`;
  }

  plainText(i) {
    const width = this.type.name === "float16" ? 2 : this.numbers.BYTES_PER_ELEMENT;
    return floatText(this.numbers[i], width);
  }
}

class Bool8Column extends NumberColumn {
  value(i) {
    const number = this.numbers[i];
    return number === 0 ? false : number === 1 ? true : number;
  }

  jsonText(i) {
    return String(this.value(i));
  }
}

class Date32Column extends NumberColumn {
  value(i) {
    return new ArrowDate(this.numbers[i], "day");
  }

  plainText(i) {
    return dateText(this.numbers[i]);
  }

  jsonText(i) {
    return quoted(this.plainText(i));
  }
}

class Date64Column extends Date32Column {
  value(i) {
    return new ArrowDate(this.numbers[i], "ms");
  }

  plainText(i) {
    return date64Text(this.numbers[i]);
  }
}

class TimestampColumn extends Date32Column {
  value(i) {
    return new ArrowDate(this.numbers[i], this.type.unit, this.type.timezone);
  }

  plainText(i) {
    return timestampText(this.numbers[i], this.type.unit, this.type.timezone !== null);
  }
}

class TimeColumn extends NumberColumn {
  value(i) {
    return timeText(this.numbers[i], this.type.unit);
  }

  plainText(i) {
    return String(this.value(i));
  }

  jsonText(i) {
    const value = this.value(i);
    return typeof value === "string" ? quoted(value) : String(value);
  }
}

class IntervalColumn extends Column {
  jsonText(i) {
    const members = Object.entries(this.value(i)).map(([name, number]) => `"${name}":${number}`);
    return `{${members.join(",")}}`;
  }
}

class MonthsColumn extends IntervalColumn {
  #numbers;

  constructor(head, numbers) {
    super(head);
    this.#numbers = numbers;
  }

  get numbers() {
    return this.#numbers;
  }

  value(i) {
    return { months: this.#numbers[i] };
  }
}

class FixedIntervalColumn extends IntervalColumn {
  constructor(head, bytes, width) {
    super(head);
    this.view = new DataView(bytes.buffer);
    this.width = width;
  }

  value(i) {
    const at = i * this.width;
    const number = (k) => this.view.getInt32(at + 4 * k, true);
    if (this.width === 8) return { days: number(0), milliseconds: number(1) };
    return { months: number(0), days: number(1), nanoseconds: this.view.getBigInt64(at + 8, true) };
  }
}

class DecimalColumn extends Column {
  constructor(head, bytes, width) {
    super(head);
    this.view = new DataView(bytes.buffer);
    this.width = width;
  }

  value(i) {
    return decimalText(wideInteger(this.view, i * this.width, this.width), this.type.scale);
  }

  plainText(i) {
    return this.value(i);
  }
}

class FixedColumn extends Column {
  constructor(head, bytes, width) {
    super(head);
    this.bytes = bytes;
    this.width = width;
  }

  shares() {
    return this.width === 0;
  }

  bytesOf(start, end) {
    return (16 + this.width) * (end - start);
  }

  value(i) {
    return this.bytes.slice(i * this.width, (i + 1) * this.width);
  }

  plainText(i) {
    return hexText(this.value(i));
  }
}

class UuidColumn extends FixedColumn {
  value(i) {
    return uuidText(super.value(i));
  }

  plainText(i) {
    return this.value(i);
  }
}

class BinaryColumn extends Column {
  constructor(head, offsets, bytes, first) {
    super(head);
    this.offsets = offsets;
    this.bytes = bytes;
    this.first = first;
  }

  bytesOf(start, end) {
    return start === end ? 0 : 16 * (end - start) + this.offsets[end] - this.offsets[start];
  }

  value(i) {
    return this.bytes.slice(this.offsets[i] - this.first, this.offsets[i + 1] - this.first);
  }

  plainText(i) {
    return hexText(this.value(i));
  }
}

/** The slots whose text is decoded at once. */
const TEXT_BLOCK = 1024;

class TextColumn extends BinaryColumn {
  #isAscii;
  /** The text of the last block that was used, and its first slot. */
  #block = null;
  #blockStart = -1;

  constructor(head, offsets, bytes, first, isAscii) {
    super(head, offsets, bytes, first);
    this.#isAscii = isAscii;
  }

  value(i) {
    const { offsets } = this;
    if (!this.#isAscii) return decoder.decode(this.bytes.subarray(offsets[i] - this.first, offsets[i + 1] - this.first));
    const start = i - (i % TEXT_BLOCK);
    if (start !== this.#blockStart) {
      const end = Math.min(start + TEXT_BLOCK, this.length);
      this.#block = decoder.decode(this.bytes.subarray(offsets[start] - this.first, offsets[end] - this.first));
      this.#blockStart = start;
    }
    return this.#block.slice(offsets[i] - offsets[start], offsets[i + 1] - offsets[start]);
  }

  plainText(i) {
    return this.value(i);
  }

  jsonText(i) {
    return quoted(this.value(i));
  }
}

/** Text that is JSON. Its text is its value; its JSON is itself where it is an object, an array, a number or a boolean. */
class JsonColumn extends TextColumn {
  jsonText(i) {
    const text = this.value(i);
    if (/^[{[\-0-9tf]/.test(text) && !/[\u0000-\u001f\u007f-\u009f]|\s$/.test(text)) {
      try {
        JSON.parse(text);
        return text;
      } catch {
        // It is not JSON.
      }
    }
    return quoted(text);
  }
}

class ListColumn extends Column {
  #sums = new Sums();
  #overlaps = null;

  constructor(head, starts, ends, base, items) {
    super(head);
    this.starts = starts;
    this.ends = ends;
    this.base = base;
    this.items = items;
  }

  /** The items of a slot, as positions in `items`. */
  range(i) {
    const start = this.starts[i];
    const end = this.ends[i];
    return start === end ? [0, 0] : [start - this.base, end - this.base];
  }

  /** Whether lists have more items than there are. */
  get overlaps() {
    if (this.#overlaps === null) {
      let n = 0;
      for (let i = 0; i < this.length; i++) n += this.ends[i] - this.starts[i];
      this.#overlaps = n > this.items.length;
    }
    return this.#overlaps;
  }

  shares(asText) {
    return this.items.isSharing(asText) || this.overlaps;
  }

  bytesOf(start, end, asText) {
    const of = (i) => 16 + this.items.bytesOf(...this.range(i), asText);
    return this.#sums.between(start, end, asText, this.length, of);
  }

  value(i) {
    this.check(i, i + 1, false);
    return this.items.toArray(...this.range(i));
  }

  jsonText(i) {
    this.check(i, i + 1, true);
    const [start, end] = this.range(i);
    const items = [];
    for (let item = start; item < end; item++) items.push(this.items.json(item));
    return `[${items.join(",")}]`;
  }
}

class FixedListColumn extends ListColumn {
  constructor(head, size, items) {
    super(head, null, null, 0, items);
    this.size = size;
  }

  range(i) {
    return [i * this.size, (i + 1) * this.size];
  }

  get overlaps() {
    return this.size === 0;
  }

  bytesOf(start, end, asText) {
    return 16 * (end - start) + this.items.bytesOf(start * this.size, end * this.size, asText);
  }
}

const FIXED = "arrow.fixed_shape_tensor";
const VARIABLE = "arrow.variable_shape_tensor";

/** The metadata of the extension type of a field, as an object; `null` if it is none. */
function extensionMetadata(field) {
  const [, text] = field.metadata.find(([key]) => key === "ARROW:extension:metadata") ?? [];
  if (!text) return {};
  try {
    return Object(JSON.parse(text));
  } catch {
    return null;
  }
}

/** A tensor as nested arrays, in logical order; `null` if it has no such form. `item` writes an element. */
function tensorJson(shape, order, item) {
  const isPermutation = order.length === shape.length && shape.every((_, i) => order.includes(i));
  const n_items = shape.reduce((product, n) => product * n, 1);
  if (!isPermutation || shape.length === 0 || shape.length > 32 || n_items === 0) return null;
  const strides = shape.map((_, i) => shape.slice(i + 1).reduce((product, n) => product * n, 1));
  const level = (depth, at) => {
    if (depth === shape.length) return item(at);
    const axis = order[depth];
    return `[${Array.from({ length: shape[axis] }, (_, i) => level(depth + 1, at + i * strides[axis])).join(",")}]`;
  };
  return level(0, 0);
}

const isNested = (column) => "items" in column || "children" in column;

/** Values are the elements in the order of the storage. */
class FixedTensorColumn extends FixedListColumn {
  jsonText(i) {
    const { shape, permutation } = extensionMetadata(this.field) ?? {};
    const isShape = Array.isArray(shape) && shape.reduce((product, n) => product * n, 1) === this.size;
    if (!isShape || isNested(this.items)) return super.jsonText(i);
    const order = permutation ?? shape.map((_, axis) => axis);
    return tensorJson(shape, order, (at) => this.items.json(i * this.size + at)) ?? super.jsonText(i);
  }
}

class MapColumn extends ListColumn {
  #pairs(i) {
    const [start, end] = this.range(i);
    const [keys, values] = this.items.children;
    const pairs = [];
    for (let item = start; item < end; item++) pairs.push([keys.get(item), values.get(item)]);
    return pairs;
  }

  value(i) {
    this.check(i, i + 1, false);
    const pairs = this.#pairs(i);
    const map = new Map(pairs);
    // A map of Arrow may have a key twice.
    return map.size === pairs.length ? map : pairs;
  }

  jsonText(i) {
    this.check(i, i + 1, true);
    const [start, end] = this.range(i);
    const [keys, values] = this.items.children;
    const pairs = [];
    for (let item = start; item < end; item++) pairs.push(`[${keys.json(item)},${values.json(item)}]`);
    return `[${pairs.join(",")}]`;
  }
}

/** An object with these members, which may be called `__proto__`. */
export function emptyRow(names) {
  return JSON.parse(`{${names.map((name) => `${JSON.stringify(name)}:null`).join(",")}}`);
}

export const repeats = (names) => new Set(names).size < names.length;

class StructColumn extends Column {
  #names;
  #empty;

  constructor(head, children) {
    super(head);
    this.children = children;
    this.#names = children.map((child) => child.name);
    this.#empty = repeats(this.#names) ? null : emptyRow(this.#names);
  }

  shares(asText) {
    return this.children.length === 0 || this.children.some((child) => child.isSharing(asText));
  }

  bytesOf(start, end, asText) {
    return this.children.reduce((sum, child) => sum + child.bytesOf(start, end, asText), 16 * (end - start));
  }

  extraBytes(start, end, asText) {
    if (this.children.length === 0) return 16 * (end - start);
    return this.children.reduce((sum, child) => sum + child.extraBytes(start, end, asText), 0);
  }

  value(i) {
    this.check(i, i + 1, false);
    const { children } = this;
    if (this.#empty === null) return children.map((child) => [child.name, child.get(i)]);
    const row = { ...this.#empty };
    for (let k = 0; k < children.length; k++) row[this.#names[k]] = children[k].get(i);
    return row;
  }

  jsonText(i) {
    this.check(i, i + 1, true);
    const { children } = this;
    if (this.#empty === null) return `[${children.map((child) => `[${quoted(child.name)},${child.json(i)}]`).join(",")}]`;
    return `{${children.map((child) => `${quoted(child.name)}:${child.json(i)}`).join(",")}}`;
  }
}

/** Values are objects of the storage. */
class VariableTensorColumn extends StructColumn {
  jsonText(i) {
    const data = this.children.find(({ name }) => name === "data");
    const shape = this.children.find(({ name }) => name === "shape")?.get(i);
    const metadata = extensionMetadata(this.field);
    if (!metadata || !(data instanceof ListColumn) || !data.isValid(i) || !shape || isNested(data.items)) return super.jsonText(i);
    const [start, end] = data.range(i);
    if (shape.reduce((product, n) => product * n, 1) !== end - start) return super.jsonText(i);
    const order = metadata.permutation ?? shape.map((_, axis) => axis);
    return tensorJson(shape, order, (at) => data.items.json(start + at)) ?? super.jsonText(i);
  }
}

class UnionColumn extends Column {
  #sums = new Sums();

  constructor(head, selected, slots, children) {
    super(head);
    this.selected = selected;
    this.slots = slots;
    this.children = children;
    this.hasRepeats = repeats(children.map((child) => child.name));
  }

  /** Whether slots may select one slot of a child: those of a dense union need not ascend. */
  overlaps() {
    const last = this.children.map(() => -1);
    return this.selected.some((child, i) => {
      const before = last[child];
      last[child] = this.slots[i];
      return last[child] <= before;
    });
  }

  shares(asText) {
    return this.overlaps() || this.children.some((child) => child.isSharing(asText));
  }

  bytesOf(start, end, asText) {
    const of = (i) => 32 + this.children[this.selected[i]].bytesOf(this.slots[i], this.slots[i] + 1, asText);
    return this.#sums.between(start, end, asText, this.length, of);
  }

  value(i) {
    this.check(i, i + 1, false);
    const child = this.children[this.selected[i]];
    const value = child.get(this.slots[i]);
    if (this.hasRepeats) return [this.type.typeIds[this.selected[i]], value];
    const member = emptyRow([child.name]);
    member[child.name] = value;
    return member;
  }

  jsonText(i) {
    this.check(i, i + 1, true);
    const child = this.children[this.selected[i]];
    const value = child.json(this.slots[i]);
    return this.hasRepeats ? `[${this.type.typeIds[this.selected[i]]},${value}]` : `{${quoted(child.name)}:${value}}`;
  }
}

/** A dictionary, or runs. */
class EncodedColumn extends Column {
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

const NUMBERS = [
  Int8Array,
  Uint8Array,
  Int16Array,
  Uint16Array,
  Int32Array,
  Uint32Array,
  Float32Array,
  Float64Array,
  BigInt64Array,
  BigUint64Array,
];

const OF_NUMBERS = {
  int8: PlainNumberColumn,
  uint8: PlainNumberColumn,
  int16: PlainNumberColumn,
  uint16: PlainNumberColumn,
  int32: PlainNumberColumn,
  uint32: PlainNumberColumn,
  int64: PlainNumberColumn,
  uint64: PlainNumberColumn,
  duration: PlainNumberColumn,
  float16: FloatColumn,
  float32: FloatColumn,
  float64: FloatColumn,
  date32: Date32Column,
  date64: Date64Column,
  timestamp: TimestampColumn,
  time32: TimeColumn,
  time64: TimeColumn,
  interval: MonthsColumn,
};

const OF_FIXED = {
  decimal32: DecimalColumn,
  decimal64: DecimalColumn,
  decimal128: DecimalColumn,
  decimal256: DecimalColumn,
  interval: FixedIntervalColumn,
};
