// Columns of dates, times and intervals.
import { ArrowDate, date64Text, dateText, quoted, timeText, timestampText } from "../values.js";
import { Column } from "./column.js";
import { NumberColumn } from "./numbers.js";

export class Date32Column extends NumberColumn {
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

export class Date64Column extends Date32Column {
  value(i) {
    return new ArrowDate(this.numbers[i], "ms");
  }

  plainText(i) {
    return date64Text(this.numbers[i]);
  }
}

export class TimestampColumn extends Date32Column {
  value(i) {
    return new ArrowDate(this.numbers[i], this.type.unit, this.type.timezone);
  }

  plainText(i) {
    return timestampText(this.numbers[i], this.type.unit, this.type.timezone !== null);
  }
}

export class TimeColumn extends NumberColumn {
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

export class MonthsColumn extends IntervalColumn {
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

export class FixedIntervalColumn extends IntervalColumn {
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
