// Columns of bits.
import { Column } from "./column.js";

export class Bits {
  constructor(bytes, offset) {
    this.bytes = bytes;
    this.offset = offset;
  }

  get(i) {
    const at = this.offset + i;
    return ((this.bytes[at >> 3] >> (at & 7)) & 1) === 1;
  }
}

export class BooleanColumn extends Column {
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
