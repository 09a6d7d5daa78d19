// Reads that follow each other, such as those of many small batches, are one read of the source.
import { answered } from "./answers.js";
import { joined } from "./bytes.js";

/** The least and the most that is read at once. It doubles each time a read follows others. */
const LEAST_BYTES = 1 << 14;
const MOST_BYTES = 1 << 20;

/** The most bytes between reads that follow each other. They are read, too, which takes less time than another request. */
const GAP_BYTES = 1 << 16;

/** After so many reads that follow each other in one direction, more is read at once: two or three may be near each other by chance. */
const MANY = 3;

/**
 * The same source, which prefetches forward or backward, and caches the last read. Bytes that are already in memory are in `inMemory` of the source:
 * parts with `start`, `end` and `bytes`.
 */
export function withWindow(source) {
  const window = new Window(source);
  return { ...source, readNow: (start, end) => window.readNow(start, end), read: (start, end) => window.read(start, end) };
}

const isNear = (distance) => distance >= 0 && distance <= GAP_BYTES;

const has = (part, start, end) => part.start <= start && end <= part.end;

const slice = ({ start: first, bytes }, start, end) => bytes.subarray(start - first, end - first);

/** Nothing was read, or that failed. */
const NOTHING = { start: Infinity, end: -Infinity };

class Window {
  #source;
  #inMemory;
  /** The last request, how many requests before it follow each other up to it, and whether forward. */
  #last = { ...NOTHING, n_following: 0, isForward: true };
  /** What is read at once, if the next request follows, too; 0 before there are many. */
  #size = 0;
  /** The range that was read last, its bytes, which are null until they are there, and the promise of null, or of `{ error }`. */
  #range = { ...NOTHING, bytes: null, reading: null };

  constructor(source) {
    this.#source = source;
    this.#inMemory = source.inMemory ?? [];
  }

  /** What is in memory. */
  #parts() {
    return this.#range.bytes === null ? this.#inMemory : [...this.#inMemory, this.#range];
  }

  /** Notes a request. Returns whether it follows many others, and how. */
  #follow(start, end) {
    const last = this.#last;
    const [after, before] = [start - last.end, last.start - end];
    const isForward = isNear(after);
    const follows = isForward || isNear(before);
    const n_following = !follows ? 0 : isForward === last.isForward ? last.n_following + 1 : 1;
    this.#last = { start, end, n_following, isForward };
    return { isOneOfMany: n_following >= MANY, isForward, gap: isForward ? after : before };
  }

  /** The bytes of a range if they are there; otherwise null. */
  readNow(start, end) {
    const part = this.#parts().find((part) => has(part, start, end));
    if (part === undefined) return null;
    this.#follow(start, end);
    return slice(part, start, end);
  }

  /** The bytes of a range. */
  async read(start, end) {
    const following = this.#follow(start, end);
    for (let isAlone = false; ; ) {
      const part = this.#parts().find((part) => has(part, start, end));
      if (part !== undefined) return slice(part, start, end);
      const range = this.#range;
      if (range.bytes === null && range.start < end && start < range.end) {
        // Others that want the same bytes wait for the same read.
        const failure = await range.reading;
        if (failure === null && has(range, start, end)) return slice(range, start, end);
        if (failure !== null && this.#isFinal(failure.error)) throw failure.error;
        // Perhaps the range can be read where the bytes beside it cannot.
        isAlone ||= failure !== null;
        continue;
      }
      const [first, last] = isAlone ? [start, end] : this.#extended(start, end, following);
      if (first === start && last === end) return this.#fetched(start, end);
      this.#begin(first, last);
    }
  }

  /** The range that is read for a request: up to what is in memory, and only more than the request if it has the next one, too. */
  #extended(start, end, { isOneOfMany, isForward, gap }) {
    this.#size = isOneOfMany ? Math.min(MOST_BYTES, Math.max(LEAST_BYTES, 2 * this.#size)) : 0;
    if (!isOneOfMany || this.#size < 2 * (end - start) + gap) return [start, end];
    const parts = this.#parts();
    if (isForward) return [start, Math.min(this.#source.length, start + this.#size, ...parts.map((part) => part.start).filter((at) => at >= end))];
    return [Math.max(0, end - this.#size, ...parts.map((part) => part.end).filter((at) => at <= start)), end];
  }

  #begin(start, end) {
    const range = { start, end, bytes: null, reading: null };
    const done = (bytes) => {
      range.bytes = bytes;
      return null;
    };
    const failed = (error) => {
      Object.assign(range, NOTHING);
      return { error };
    };
    range.reading = this.#fetched(start, end).then(done, failed);
    this.#range = range;
  }

  /** The bytes of a range, of which the source is asked only for those that are not in memory at its start and end. */
  async #fetched(start, end) {
    const parts = this.#parts();
    const before = parts.find((part) => part.start <= start && start < part.end);
    const from = before?.end ?? start;
    const after = parts.find((part) => part.start < end && end <= part.end);
    const to = Math.max(from, after?.start ?? end);
    try {
      const between = from < to ? await answered(this.#source, from, to) : new Uint8Array(0);
      if (from === start && to === end) return between;
      return joined([before ? slice(before, start, from) : null, between, after ? slice(after, to, end) : null].filter((part) => part !== null));
    } catch (error) {
      // What comes after it does not follow anything.
      this.#last = { ...NOTHING, n_following: 0, isForward: true };
      throw error;
    }
  }

  /** Whether the same error would come again. It may be any value, if it is the reason of an abortion. */
  #isFinal(error) {
    if (this.#source.signal?.aborted) return true;
    return error?.code === "changed" || error?.code === "misuse" || error?.name === "AbortError";
  }
}
