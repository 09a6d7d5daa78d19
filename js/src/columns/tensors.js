// Columns of tensors, whose JSON has the dimensions.
import { FixedListColumn, ListColumn } from "./lists.js";
import { StructColumn } from "./structs.js";

/** The metadata of the extension type of a field, as an object; `null` if it is none. */
function extensionMetadata(field) {
  const [, text] = field.metadata.find(([key]) => key === "ARROW:extension:metadata") ?? [];
  if (!text) return {};
  try {
    return Object(JSON.parse(text));
  } catch {
    return null;
  }
}

/** A tensor as nested arrays, in logical order; `null` if it has no such form. `item` writes an element. */
function tensorJson(shape, order, item) {
  const isPermutation = order.length === shape.length && shape.every((_, i) => order.includes(i));
  const n_items = shape.reduce((product, n) => product * n, 1);
  if (!isPermutation || shape.length === 0 || shape.length > 32 || n_items === 0) return null;
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
  jsonText(i) {
    const { shape, permutation } = extensionMetadata(this.field) ?? {};
    const isShape = Array.isArray(shape) && shape.reduce((product, n) => product * n, 1) === this.size;
    if (!isShape || isNested(this.items)) return super.jsonText(i);
    const order = permutation ?? shape.map((_, axis) => axis);
    return tensorJson(shape, order, (at) => this.items.json(i * this.size + at)) ?? super.jsonText(i);
  }
}

/** Values are objects of the storage. */
export class VariableTensorColumn extends StructColumn {
  jsonText(i) {
    const data = this.children.find(({ name }) => name === "data");
    const shape = this.children.find(({ name }) => name === "shape")?.get(i);
    const metadata = extensionMetadata(this.field);
    if (!metadata || !(data instanceof ListColumn) || !data.isValid(i) || !shape || isNested(data.items)) return super.jsonText(i);
    const [start, end] = data.range(i);
    if (shape.reduce((product, n) => product * n, 1) !== end - start) return super.jsonText(i);
    const order = metadata.permutation ?? shape.map((_, axis) => axis);
    return tensorJson(shape, order, (at) => data.items.json(start + at)) ?? super.jsonText(i);
  }
}
