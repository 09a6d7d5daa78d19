// Columns of bytes.
import { hexText, uuidText } from "../values.js";
import { Column } from "./column.js";

export class FixedColumn extends Column {
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

export class UuidColumn extends FixedColumn {
  value(i) {
    return uuidText(super.value(i));
  }

  plainText(i) {
    return this.value(i);
  }
}

export class BinaryColumn extends Column {
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
