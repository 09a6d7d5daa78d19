// Columns, of the words that the module gives: `columns.rs` writes them. Everything is copied out of the module's memory.
import { BinaryColumn, FixedColumn, UuidColumn } from "./columns/binary.js";
import { Bits, BooleanColumn } from "./columns/booleans.js";
import { EncodedColumn } from "./columns/encoded.js";
import { FixedListColumn, ListColumn, MapColumn } from "./columns/lists.js";
import { NullColumn } from "./columns/nulls.js";
import { Bool8Column, DecimalColumn, FloatColumn, NumberColumn, PlainNumberColumn } from "./columns/numbers.js";
import { StructColumn } from "./columns/structs.js";
import { FixedTensorColumn, VariableTensorColumn, extensionText } from "./columns/tensors.js";
import { JsonColumn, TextColumn } from "./columns/texts.js";
import { Date32Column, Date64Column, FixedIntervalColumn, MonthsColumn, TimeColumn, TimestampColumn } from "./columns/times.js";
import { UnionColumn } from "./columns/unions.js";
import { ArrowError } from "./error.js";

/** Columns of these fields. */
export function readColumns(module, handle, fields, maxMemoryBytes) {
  const { buffer, byteOffset, byteLength } = module.view(handle);
  const words = copyOf(Uint32Array, buffer, byteOffset, byteLength / Uint32Array.BYTES_PER_ELEMENT);
  const reader = new Reader(words, module.buffer, maxMemoryBytes);
  return fields.map((field) => reader.column(field, field.type));
}

/** A copy of numbers in memory. */
function copyOf(Numbers, buffer, address, length) {
  // Where there is nothing, the address means nothing.
  if (length === 0) return new Numbers(0);
  // Of few numbers, this takes a small part of the time.
  if (address % Numbers.BYTES_PER_ELEMENT === 0) return new Numbers(new Numbers(buffer, address, length));
  return new Numbers(buffer.slice(address, address + length * Numbers.BYTES_PER_ELEMENT));
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
    return copyOf(Numbers, this.#buffer, address, length);
  }

  /** Bits, and the position of the first; null if there are none. */
  bits(length) {
    const address = this.word();
    const offset = this.word();
    return address === 0 ? null : new Bits(this.copy(Uint8Array, address, Math.ceil((offset + length) / 8)), offset);
  }

  column(field, type) {
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
        if (width === 16 && isOf("arrow.uuid", field)) return new UuidColumn(head, bytes, width);
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
        const made = isOf("arrow.json", field) ? JsonColumn : TextColumn;
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
        const children = type.children.map((child) => this.column(child, child.type));
        return new (field.extension === VARIABLE ? VariableTensorColumn : StructColumn)(head, children);
      }
      case 9: {
        const children = this.copy(Uint8Array, this.word(), length);
        const slots = this.copy(Uint32Array, this.word(), length);
        this.word();
        return new UnionColumn(head, children, slots, type.children.map((child) => this.column(child, child.type)));
      }
      case 10: {
        const indices = this.copy(Uint32Array, this.word(), length);
        const base = this.word();
        return new EncodedColumn(head, indices, base, this.column(fieldOfValues(field, type, values), values));
      }
      default:
        throw new ArrowError("module", `there is no form ${form}: the module is of another version`);
    }
  }
}

/**
 * The field of the values of a dictionary or of runs. The extension type of the field around them is theirs. Values of runs have a field of
 * their own, too, whose extension type counts if the one around it changes nothing.
 */
export function fieldOfValues(field, type, values) {
  const of = type.name === "run_end_encoded" && !hasForm(field, values) ? type.children[1] : field;
  return { ...field, type: values, extension: of.extension, metadata: of.metadata };
}

/** Whether an extension type changes the form of values of a type, which may be encoded. */
function hasForm(field, type) {
  if (type.name === "dictionary") return hasForm(field, type.values);
  if (type.name === "run_end_encoded") return hasForm(field, type.children[1].type);
  const storage = STORAGE.get(field.extension);
  return storage !== undefined && storage.includes(type.name) && (field.extension !== "arrow.uuid" || type.size === 16) && isOf(field.extension, field);
}

/** Whether a field has an extension type, whose metadata is not damaged. Columns of tensors look at their metadata themselves. */
function isOf(extension, field) {
  if (field.extension !== extension) return false;
  if (extension === FIXED || extension === VARIABLE) return true;
  const text = extensionText(field);
  if (!text) return true;
  if (extension !== "arrow.json") return false;
  try {
    return /^[\t\n\r ]*\{/.test(text) && JSON.parse(text) !== null;
  } catch {
    return false;
  }
}

const isBool8 = (field, type) => type.name === "int8" && isOf("arrow.bool8", field);
export const FIXED = "arrow.fixed_shape_tensor";
export const VARIABLE = "arrow.variable_shape_tensor";

/** The types that have another form with an extension type. */
const STORAGE = new Map([
  ["arrow.uuid", ["fixed_size_binary"]],
  ["arrow.bool8", ["int8"]],
  ["arrow.json", ["utf8", "large_utf8", "utf8_view"]],
  [FIXED, ["fixed_size_list"]],
  [VARIABLE, ["struct"]],
]);

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
