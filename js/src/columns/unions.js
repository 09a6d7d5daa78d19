// Columns of unions.
import { emptyRow, repeats } from "../members.js";
import { quoted } from "../values.js";
import { Column } from "./column.js";
import { Sums, longNameBytes } from "./memory.js";

export class UnionColumn extends Column {
  #sums = new Sums();
  #extraSums = new Sums();
  #overlaps = null;
  #quotedNames = null;

  constructor(head, selected, slots, children) {
    super(head);
    this.selected = selected;
    this.slots = slots;
    this.children = children;
    this.hasRepeats = repeats(children.map((child) => child.name));
  }

  /** Whether slots may select one slot of a child: those of a dense union need not ascend. */
  get overlaps() {
    return (this.#overlaps ??= this.#isOverlapping());
  }

  #isOverlapping() {
    const last = this.children.map(() => -1);
    return this.selected.some((child, i) => {
      const before = last[child];
      last[child] = this.slots[i];
      return last[child] <= before;
    });
  }

  get madeBytes() {
    return this.children.reduce((sum, child) => sum + child.madeBytes, 0);
  }

  /** The name of a child in JSON. Repeated names are not written. */
  #inJson(child) {
    this.#quotedNames ??= this.children.map(({ name }) => (this.hasRepeats ? "" : quoted(name)));
    return this.#quotedNames[child];
  }

  /** What the name of a child takes in a slot that selects it. */
  #bytesOfName(child, asText) {
    return asText ? longNameBytes(this.#inJson(child)) : 0;
  }

  shares(asText) {
    return this.overlaps || this.children.some((_, child) => this.#bytesOfName(child, asText) > 0) || this.children.some((child) => child.isSharing(asText));
  }

  bytesOf(start, end, asText) {
    const of = (i) => 32 + this.#bytesOfName(this.selected[i], asText) + this.children[this.selected[i]].bytesOf(this.slots[i], this.slots[i] + 1, asText);
    return this.#sums.between(start, end, asText, this.length, of);
  }

  extraBytes(start, end, asText) {
    if (!this.isSharing(asText) || this.overlaps) return super.extraBytes(start, end, asText);
    const of = (i) => this.#bytesOfName(this.selected[i], asText) + this.children[this.selected[i]].extraBytes(this.slots[i], this.slots[i] + 1, asText);
    return this.#extraSums.between(start, end, asText, this.length, of);
  }

  value(i) {
    this.check(i, i + 1, false);
    const child = this.children[this.selected[i]];
    const value = child.get(this.slots[i]);
    if (this.hasRepeats) return [this.type.typeIds[this.selected[i]], value];
    const member = emptyRow([child.name]);
    member[child.name] = value;
    return member;
  }

  jsonText(i) {
    this.check(i, i + 1, true);
    const child = this.children[this.selected[i]];
    const value = child.json(this.slots[i]);
    return this.hasRepeats ? `[${this.type.typeIds[this.selected[i]]},${value}]` : `{${this.#inJson(this.selected[i])}:${value}}`;
  }
}
