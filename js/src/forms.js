// Where in a type the values of JavaScript are written in another way than elsewhere.
import { extensionMetadata, tensorJson } from "./columns/tensors.js";
import { FIXED, VARIABLE, fieldOfValues } from "./columns.js";

/** The UTC date of a `Date` that is of a whole day. */
const dayOf = (text) => (text.endsWith("T00:00:00.000Z") ? text.slice(0, -"T00:00:00.000Z".length) : text);

const withoutZone = (text) => text.slice(0, -1);

const FLOAT = { isFloat: true };
const BYTES = { isBytes: true };
const DAY = { textOf: dayOf };
const LOCAL = { textOf: withoutZone };

const LEAVES = new Map([
  ...["float16", "float32", "float64"].map((name) => [name, FLOAT]),
  ...["binary", "large_binary", "binary_view", "fixed_size_binary"].map((name) => [name, BYTES]),
  ["date32", DAY],
  ["date64", LOCAL],
]);

/**
 * How values of a field are written; null if as everywhere. `textOf` makes the text of a `Date` of its ISO text, where it has no zone.
 * `isFloat` says that numbers may be NaN or infinite, `isBytes` that bytes are one value, and `isList` that they are the numbers of a list.
 * `ofItem` is the same of an item of an array, by its position and the array, and `ofMember` of a member of an object. `nested` makes the text
 * of an array of the texts of its items; null if it is as elsewhere.
 */
export function formOf(field) {
  const { type } = field;
  const children = type.children ?? [];
  switch (type.name) {
    case "timestamp":
      return type.timezone === null ? LOCAL : null;
    case "dictionary":
      return formOf(fieldOfValues(field, type, type.values));
    case "run_end_encoded":
      return formOf(fieldOfValues(field, type, children[1].type));
    case "map":
      return formOfMap(children[0].type.children.map(formOf));
    case "struct":
      return formOfStruct(field, children, children.map(formOf));
  }
  if (type.mode !== undefined) return formOfUnion(type, children.map(formOf));
  if (children.length === 0) return LEAVES.get(type.name) ?? null;
  const item = formOf(children[0]);
  return field.extension === FIXED ? formOfTensor(item, nestedBy(field)) : formOfList(item);
}

/** Most lists need nothing of each item. */
const formOfList = (item) => (item === null ? { isList: true } : { isList: true, ofItem: () => item });

/** Tensors of plain elements are lists of lists, of any depth here. Those of a fixed shape are also the list of their elements. */
function formOfTensor(element, nested) {
  if (element?.isList || element?.ofItem) return formOfList(element);
  const inner = { ...element, isList: !element?.isBytes, ofItem: () => inner };
  return { ...inner, nested };
}

/** Makes nested lists of the elements of a tensor, which are in the order of the storage when they are read. */
function nestedBy(field) {
  const { shape, permutation } = extensionMetadata(field) ?? {};
  const isNested = (texts) => texts.some((text) => text.startsWith("["));
  return (texts) => (isNested(texts) ? null : tensorJson(shape, permutation, texts.length, (at) => texts[at]));
}

const isNone = (form) => form === null;

function formOfMap([key, value]) {
  if (key === null && value === null) return null;
  const entry = { ofItem: (k) => (k === 0 ? key : value) };
  return { ofItem: () => entry, ofMember: () => value };
}

/** The forms of children by their names. */
function membersOf(children, forms) {
  const members = new Map(children.map(({ name }, k) => [name, forms[k]]));
  return (name) => members.get(name);
}

/** Where names repeat, values are pairs of name and value. Those of tensors may be lists. */
function formOfStruct({ extension }, children, forms) {
  if (forms.every(isNone)) return null;
  const data = extension === VARIABLE ? children.findIndex(({ name }) => name === "data") : -1;
  if (data >= 0) return { ...formOfTensor(forms[data].ofItem?.() ?? null), ofMember: membersOf(children, forms) };
  const pairs = forms.map((form) => ({ ofItem: (k) => (k === 1 ? form : null) }));
  return { ofMember: membersOf(children, forms), ofItem: (child) => pairs[child] };
}

/** Where names repeat, values are pairs of type id and value. */
function formOfUnion({ typeIds, children }, forms) {
  if (forms.every(isNone)) return null;
  return { ofMember: membersOf(children, forms), ofItem: (k, pair) => (k === 1 ? forms[typeIds.indexOf(pair[0])] : null) };
}
