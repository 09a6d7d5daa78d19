// Browsers scroll over some millions of pixels at most. A table of more rows scrolls exactly near both ends and where the wheel
// moves it, and in proportion where the bar is dragged.

const MOST_PIXELS = 8_000_000;
/** Near the ends, a pixel is a pixel. */
const EXACT = 100_000;
/** How far the bar may be from its place. */
const MOST_DRIFT = 2000;

export class Scroll {
  #last = 0;

  constructor() {
    this.set(0, 0);
  }

  /** Sets the height of all rows, and of the window. */
  set(total, window) {
    this.most = Math.max(0, total - window);
    this.window = window;
    this.height = Math.min(total, MOST_PIXELS);
    this.mostBar = Math.max(0, this.height - window);
    this.position = Math.min(this.position ?? 0, this.most);
  }

  /** Where the bar is for a position in the rows. */
  barOf(position) {
    if (this.most <= this.mostBar || position <= EXACT) return position;
    if (position >= this.most - EXACT) return this.mostBar - (this.most - position);
    return EXACT + ((position - EXACT) / (this.most - 2 * EXACT)) * (this.mostBar - 2 * EXACT);
  }

  positionOf(bar) {
    if (this.most <= this.mostBar || bar <= EXACT) return bar;
    if (bar >= this.mostBar - EXACT) return this.most - (this.mostBar - bar);
    return EXACT + ((bar - EXACT) / (this.mostBar - 2 * EXACT)) * (this.most - 2 * EXACT);
  }

  /** The bar was moved. Returns where it is to be, or null if it is right. */
  moved(bar) {
    const delta = bar - this.#last;
    this.#last = bar;
    const isStep = Math.abs(delta) <= 2 * this.window;
    this.position = Math.min(this.most, Math.max(0, isStep ? this.position + delta : this.positionOf(bar)));
    return Math.abs(bar - this.barOf(this.position)) > MOST_DRIFT ? this.placed() : null;
  }

  /** Goes to a position. Returns where the bar is to be. */
  go(position) {
    this.position = Math.min(this.most, Math.max(0, position));
    return this.placed();
  }

  placed() {
    this.#last = Math.round(this.barOf(this.position));
    return this.#last;
  }
}
