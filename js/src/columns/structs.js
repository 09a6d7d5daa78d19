// Columns of structs.
import { emptyRow, repeats } from "../members.js";
import { quoted } from "../values.js";
import { Column } from "./column.js";

export class StructColumn extends Column {
  #names;
  #empty;

  constructor(head, children) {
    super(head);
    this.children = children;
    this.#names = children.map((child) => child.name);
    this.#empty = repeats(this.#names) ? null : emptyRow(this.#names);
  }

  get madeBytes() {
    return this.children.reduce((sum, child) => sum + child.madeBytes, 0);
  }

  shares(asText) {
    return this.children.length === 0 || this.children.some((child) => child.isSharing(asText));
  }

  bytesOf(start, end, asText) {
    return this.children.reduce((sum, child) => sum + child.bytesOf(start, end, asText), 16 * (end - start));
  }

  extraBytes(start, end, asText) {
    if (this.children.length === 0) return 16 * (end - start);
    return this.children.reduce((sum, child) => sum + child.extraBytes(start, end, asText), 0);
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
    if (this.#empty === null) return `[${children.map((child) => `[${quoted(child.name)},${child.json(i)}]`).join(",")}]`;
    return `{${children.map((child) => `${quoted(child.name)}:${child.json(i)}`).join(",")}}`;
  }
}
