// A copy of what is sound in a file: the complete batches, and what is lost between them.
import { closed, sourceOf } from "../../src/source.js";
import { load } from "../../src/wasm.js";

/** What the module says after a step. */
const END = 0;
const NEEDS = 1;

export class SoundCopy {
  #source;
  #module;
  #handle;

  /** Begins a copy of a file, as `open` takes it. */
  static async open(from) {
    const copy = new SoundCopy();
    copy.#source = await sourceOf(from, {});
    copy.#module = await load("full");
    copy.#handle = copy.#module.call("recovery_new", copy.#source.length);
    return copy;
  }

  /** The number of bytes of the input. */
  get length() {
    return this.#source.length;
  }

  /** The bytes of the copy, in pieces. `onRead(position)` is called where the input is read. */
  async *pieces(onRead) {
    const module = this.#module;
    for (let step; (step = module.call("recovery_step", this.#handle)) !== END; ) {
      const numbers = module.numbers();
      const [first, second] = numbers;
      if (step === NEEDS) {
        onRead(first);
        const bytes = this.#source.readNow(first, second) ?? (await this.#source.read(first, second));
        module.call("recovery_provide", this.#handle, first, module.give(bytes, first));
      } else {
        const { buffer } = module;
        const parts = [];
        for (let i = 0; i < numbers.length; i += 2) parts.push(new Uint8Array(buffer.slice(numbers[i], numbers[i] + numbers[i + 1])));
        yield* parts;
      }
    }
  }

  /** What was copied and what was lost: `{ container, numBatches, numRows, listedBatches, numLosses, losses }`. */
  report() {
    return JSON.parse(this.#module.takeText(this.#module.call("recovery_report", this.#handle)));
  }

  free() {
    if (!this.#module.hasEnded) this.#module.free(this.#handle);
    closed(this.#source);
  }
}
