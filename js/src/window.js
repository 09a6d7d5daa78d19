// Reads that follow each other, such as those of many small batches, are one read of the source.
import { answered } from "./answers.js";

/** The least and the most that is read at once. It doubles each time a read follows another one. */
const LEAST_BYTES = 1 << 14;
const MOST_BYTES = 1 << 20;

/** The most bytes between reads that follow each other. They are read, too, which takes less time than another request. */
const GAP_BYTES = 1 << 16;

/** The same source, which reads ahead, or backward, and keeps what it has read last. */
export function withWindow(source) {
  const window = new Window(source);
  return { ...source, readNow: (start, end) => window.readNow(start, end), read: (start, end) => window.read(start, end) };
}

const isNear = (distance) => distance >= 0 && distance <= GAP_BYTES;

class Window {
  #source;
  /** The last request. */
  #last = { start: Infinity, end: -Infinity };
  /** What is read at once after the last request; 0 if that followed no other one. */
  #size = 0;
  /** The range that was read last, its bytes, which are null until they are there, and the promise of them. */
  #range = { start: 0, end: 0, bytes: null, reading: null };

  constructor(source) {
    this.#source = source;
  }

  #has(start, end) {
    return this.#range.start <= start && end <= this.#range.end;
  }

  /** The bytes of a range if they are there; otherwise null. */
  readNow(start, end) {
    const { bytes, start: first } = this.#range;
    if (bytes === null || !this.#has(start, end)) return null;
    this.#last = { start, end };
    return bytes.subarray(start - first, end - first);
  }

  /** The bytes of a range. */
  async read(start, end) {
    const last = this.#last;
    this.#last = { start, end };
    if (!this.#has(start, end)) {
      const isAfter = isNear(start - last.end);
      this.#size = isAfter || isNear(last.start - end) ? Math.min(MOST_BYTES, Math.max(LEAST_BYTES, 2 * this.#size)) : 0;
      if (end - start >= this.#size) return answered(this.#source, start, end);
      if (isAfter) this.#begin(start, Math.min(this.#source.length, start + this.#size));
      else this.#begin(Math.max(0, end - this.#size), end);
    }
    // Others that want the same bytes wait for the same read.
    const { start: first, reading } = this.#range;
    const bytes = await reading;
    // Perhaps the range can be read where the bytes beside it cannot.
    return bytes === null ? answered(this.#source, start, end) : bytes.subarray(start - first, end - first);
  }

  #begin(start, end) {
    const range = { start, end, bytes: null, reading: null };
    const failed = () => {
      this.#size = 0;
      range.end = range.start;
      return null;
    };
    // The source may use its memory again.
    range.reading = answered(this.#source, start, end).then((bytes) => (range.bytes = bytes.slice()), failed);
    this.#range = range;
  }
}
