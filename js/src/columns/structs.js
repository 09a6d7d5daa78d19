// Columns of structs.
import { emptyRow, repeats } from "../members.js";
import { quoted } from "../values.js";
import { Column } from "./column.js";
import { longNamesBytes } from "./memory.js";

export class StructColumn extends Column {
  #names;
  #empty;
  #quotedNames = null;
  #nameBytes = null;

  constructor(head, children) {
    super(head);
    this.children = children;
    this.#names = children.map((child) => child.name);
    this.#empty = repeats(this.#names) ? null : emptyRow(this.#names);
  }

  get madeBytes() {
    return this.children.reduce((sum, child) => sum + child.madeBytes, 0);
  }

  /** The names in JSON. */
  get #inJson() {
    return (this.#quotedNames ??= this.#names.map(quoted));
  }

  /** What the names take in each slot. */
  #bytesOfNames(asText) {
    return asText ? (this.#nameBytes ??= longNamesBytes(this.#inJson)) : 0;
  }

  shares(asText) {
    return this.children.length === 0 || this.#bytesOfNames(asText) > 0 || this.children.some((child) => child.isSharing(asText));
  }

  bytesOf(start, end, asText) {
    return this.children.reduce((sum, child) => sum + child.bytesOf(start, end, asText), (16 + this.#bytesOfNames(asText)) * (end - start));
  }

  extraBytes(start, end, asText) {
    if (this.children.length === 0) return 16 * (end - start);
    return this.children.reduce((sum, child) => sum + child.extraBytes(start, end, asText), this.#bytesOfNames(asText) * (end - start));
  }

  value(i) {
    this.check(i, i + 1, false);
    const { children } = this;
    if (this.#empty === null) return children.map((child) => [child.name, child.get(i)]);
    const row = { ...this.#empty };
    for (let k = 0; k < children.length; k++) row[this.#names[k]] = children[k].get(i);
    return row;
  }

  jsonText(i) {
    this.check(i, i + 1, true);
    const { children } = this;
    const names = this.#inJson;
    if (this.#empty === null) return `[${children.map((child, k) => `[${names[k]},${child.json(i)}]`).join(",")}]`;
    return `{${children.map((child, k) => `${names[k]}:${child.json(i)}`).join(",")}}`;
  }
}
