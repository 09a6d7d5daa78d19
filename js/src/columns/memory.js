// The memory of values that share bytes of the file.
import { ArrowError } from "../error.js";

/** The error of values that take more memory than is allowed. */
export const tooMuch = (most) =>
  new ArrowError("input", `values that share bytes take more than ${most} bytes (maxMemoryBytes): read fewer rows at once`);

/** What a name takes in each text of JSON that it is in. The file has it once. Short names do not count. */
export const longNameBytes = (quotedName) => Math.max(0, quotedName.length - 64);

/** What all these names take. */
export const longNamesBytes = (quotedNames) => quotedNames.reduce((sum, name) => sum + longNameBytes(name), 0);

/** The sums of what slots take, for values and for texts. */
export class Sums {
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
