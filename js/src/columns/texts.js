// Columns of texts.
import { textOf } from "../text.js";
import { quoted } from "../values.js";
import { BinaryColumn } from "./binary.js";

/** The slots whose text is decoded at once. */
const TEXT_BLOCK = 1024;

/** The most bytes that are decoded at once, of several texts. Texts of JavaScript are not of any length. */
const MOST_BLOCK_BYTES = 1 << 24;

export class TextColumn extends BinaryColumn {
  #isAscii;
  /** The text of the last block that was used, and its first slot. */
  #block = "";
  #blockStart = -1;
  /** How many of its texts were used. */
  #n_used = 0;
  /** The lengths of earlier blocks of which few texts were used: each of these keeps its block in memory. */
  #unused = 0;

  constructor(head, offsets, bytes, first, isAscii) {
    super(head, offsets, bytes, first);
    this.#isAscii = isAscii;
  }

  value(i) {
    const { offsets } = this;
    if (!this.#isAscii) return this.alone(i);
    const start = i - (i % TEXT_BLOCK);
    if (start !== this.#blockStart) {
      // Texts in any order, such as those of list views, would decode blocks again and again.
      if (this.#unused > this.bytes.length) return this.alone(i);
      const end = Math.min(start + TEXT_BLOCK, this.length);
      if (offsets[end] - offsets[start] > MOST_BLOCK_BYTES) return this.alone(i);
      if (this.#n_used < TEXT_BLOCK / 4) this.#unused += this.#block.length;
      this.#block = textOf(this.bytes.subarray(offsets[start] - this.first, offsets[end] - this.first));
      this.#blockStart = start;
      this.#n_used = 0;
    }
    this.#n_used++;
    return this.#block.slice(offsets[i] - offsets[start], offsets[i + 1] - offsets[start]);
  }

  /** The text of a slot, without those beside it, which would stay in memory with it. */
  alone(i) {
    return textOf(this.bytes.subarray(this.offsets[i] - this.first, this.offsets[i + 1] - this.first));
  }

  plainText(i) {
    return this.value(i);
  }

  jsonText(i) {
    return this.jsonOf(this.value(i));
  }

  /** The JSON of a text of this column. */
  jsonOf(text) {
    return quoted(text);
  }
}

/** Text that is JSON. Its text is its value; its JSON is itself where it is an object, an array, a number or a boolean. */
export class JsonColumn extends TextColumn {
  jsonOf(text) {
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
