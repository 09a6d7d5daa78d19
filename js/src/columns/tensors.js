// Columns of tensors, whose JSON has the dimensions.
import { FixedListColumn, ListColumn } from "./lists.js";
import { StructColumn } from "./structs.js";

/** The most dimensions that are nested arrays. */
const MOST_DIMENSIONS = 32;

const isWhole = (n) => Number.isSafeInteger(n) && n >= 0;

/** The metadata of the extension type of a field; `undefined` or `null` if there is none. */
export const extensionText = ({ metadata }) => metadata.find(([key]) => key === "ARROW:extension:metadata")?.[1];

/** The metadata of the extension type of a field, as an object; `null` if it is none. */
export function extensionMetadata(field) {
  const text = extensionText(field);
  if (!text) return {};
  try {
    return Object(JSON.parse(text));
  } catch {
    return null;
  }
}

/**
 * A tensor of so many elements as nested arrays, in logical order; `null` if it has no such form. `shape` and `permutation` are of a
 * stranger, and may be anything. `item` writes an element.
 */
export function tensorJson(shape, permutation, n_items, item) {
  if (!Array.isArray(shape) || shape.length === 0 || shape.length > MOST_DIMENSIONS || !shape.every(isWhole)) return null;
  const order = permutation ?? shape.map((_, axis) => axis);
  const isPermutation = Array.isArray(order) && order.length === shape.length && shape.every((_, i) => order.includes(i));
  if (!isPermutation || n_items === 0 || shape.reduce((product, n) => product * n, 1) !== n_items) return null;
  const strides = shape.map((_, i) => shape.slice(i + 1).reduce((product, n) => product * n, 1));
  const level = (depth, at) => {
    if (depth === shape.length) return item(at);
    const axis = order[depth];
    return `[${Array.from({ length: shape[axis] }, (_, i) => level(depth + 1, at + i * strides[axis])).join(",")}]`;
  };
  return level(0, 0);
}

const isNested = (column) => "items" in column || "children" in column;

/** Values are the elements in the order of the storage. */
export class FixedTensorColumn extends FixedListColumn {
  #metadata;

  jsonText(i) {
    this.check(i, i + 1, true);
    this.#metadata ??= extensionMetadata(this.field) ?? {};
    const { shape, permutation } = this.#metadata;
    if (isNested(this.items)) return super.jsonText(i);
    return tensorJson(shape, permutation, this.size, (at) => this.items.json(i * this.size + at)) ?? super.jsonText(i);
  }
}

/** Values are objects of the storage. */
export class VariableTensorColumn extends StructColumn {
  #metadata;

  jsonText(i) {
    this.check(i, i + 1, true);
    const data = this.children.find(({ name }) => name === "data");
    const shape = this.children.find(({ name }) => name === "shape");
    this.#metadata ??= { found: extensionMetadata(this.field) };
    const { found } = this.#metadata;
    const isShape = shape instanceof FixedListColumn && shape.size <= MOST_DIMENSIONS && shape.items.type.name === "int32";
    if (!found || !isShape || !(data instanceof ListColumn) || !data.isValid(i) || isNested(data.items)) return super.jsonText(i);
    const [start, end] = data.range(i);
    return tensorJson(shape.get(i), found.permutation, end - start, (at) => data.items.json(start + at)) ?? super.jsonText(i);
  }
}
