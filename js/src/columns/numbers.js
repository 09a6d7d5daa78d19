// Columns of numbers.
import { decimalText, floatText, wideInteger } from "../values.js";
import { Column } from "./column.js";

export class NumberColumn extends Column {
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
export class PlainNumberColumn extends NumberColumn {
  toArray(start = 0, end = this.length) {
    if (this.validity !== null) return super.toArray(start, end);
    [start, end] = this.slotRange(start, end);
    const { numbers } = this;
    const values = new Array(end - start);
    for (let i = start; i < end; i++) values[i - start] = numbers[i];
    return values;
  }
}

export class FloatColumn extends PlainNumberColumn {
  jsonText(i) {
    const text = this.plainText(i);
    return Number.isFinite(this.numbers[i]) ? text : `"${text}"`;
  }

  plainText(i) {
    const width = this.type.name === "float16" ? 2 : this.numbers.BYTES_PER_ELEMENT;
    return floatText(this.numbers[i], width);
  }
}

export class Bool8Column extends NumberColumn {
  value(i) {
    const number = this.numbers[i];
    return number === 0 ? false : number === 1 ? true : number;
  }

  jsonText(i) {
    return String(this.value(i));
  }
}

export class DecimalColumn extends Column {
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
