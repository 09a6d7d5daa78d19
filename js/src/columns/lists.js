// Columns of lists, of which a map is one.
import { Column } from "./column.js";
import { Sums } from "./memory.js";

export class ListColumn extends Column {
  #sums = new Sums();
  #extraSums = new Sums();
  #overlaps = null;

  constructor(head, starts, ends, base, items) {
    super(head);
    this.starts = starts;
    this.ends = ends;
    this.base = base;
    this.items = items;
  }

  /** The items of a slot, as positions in `items`. */
  range(i) {
    const start = this.starts[i];
    const end = this.ends[i];
    return start === end ? [0, 0] : [start - this.base, end - this.base];
  }

  /** Whether lists have more items than there are. */
  get overlaps() {
    if (this.#overlaps === null) {
      let n = 0;
      for (let i = 0; i < this.length; i++) n += this.ends[i] - this.starts[i];
      this.#overlaps = n > this.items.length;
    }
    return this.#overlaps;
  }

  get madeBytes() {
    return this.items.madeBytes;
  }

  shares(asText) {
    return this.items.isSharing(asText) || this.overlaps;
  }

  bytesOf(start, end, asText) {
    const of = (i) => 16 + this.items.bytesOf(...this.range(i), asText);
    return this.#sums.between(start, end, asText, this.length, of);
  }

  extraBytes(start, end, asText) {
    if (!this.isSharing(asText) || this.overlaps) return super.extraBytes(start, end, asText);
    return this.#extraSums.between(start, end, asText, this.length, (i) => this.items.extraBytes(...this.range(i), asText));
  }

  value(i) {
    this.check(i, i + 1, false);
    return this.items.toArray(...this.range(i));
  }

  jsonText(i) {
    this.check(i, i + 1, true);
    const [start, end] = this.range(i);
    const items = [];
    for (let item = start; item < end; item++) items.push(this.items.json(item));
    return `[${items.join(",")}]`;
  }
}

export class FixedListColumn extends ListColumn {
  constructor(head, size, items) {
    super(head, null, null, 0, items);
    this.size = size;
  }

  range(i) {
    return [i * this.size, (i + 1) * this.size];
  }

  get overlaps() {
    return this.size === 0;
  }

  bytesOf(start, end, asText) {
    return 16 * (end - start) + this.items.bytesOf(start * this.size, end * this.size, asText);
  }
}

export class MapColumn extends ListColumn {
  #pairs(i) {
    const [start, end] = this.range(i);
    const [keys, values] = this.items.children;
    const pairs = [];
    for (let item = start; item < end; item++) pairs.push([keys.get(item), values.get(item)]);
    return pairs;
  }

  value(i) {
    this.check(i, i + 1, false);
    const pairs = this.#pairs(i);
    const map = new Map(pairs);
    // A map of Arrow may have a key twice.
    return map.size === pairs.length ? map : pairs;
  }

  jsonText(i) {
    this.check(i, i + 1, true);
    const [start, end] = this.range(i);
    const [keys, values] = this.items.children;
    const pairs = [];
    for (let item = start; item < end; item++) pairs.push(`[${keys.json(item)},${values.json(item)}]`);
    return `[${pairs.join(",")}]`;
  }
}
