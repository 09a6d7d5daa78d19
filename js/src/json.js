// Values of JavaScript as JSON, from which columns are made: the form of docs/JSON.md.
import { misuse, shown } from "./error.js";
import { ArrowDate, hexText } from "./values.js";

/** The depth of types and values that is allowed. */
export const MAX_DEPTH = 64;

export const tooDeep = () => misuse(`values are nested more than ${MAX_DEPTH} levels deep`);

/**
 * A value as JSON for a column of any type. `dates` says where in the type a `Date` has no zone: see `datesIn`.
 */
export function valueJson(value, dates = null, depth = 0) {
  if (depth > MAX_DEPTH) throw tooDeep();
  if (value === null || value === undefined) return "null";
  switch (typeof value) {
    case "bigint":
      return String(value);
    case "number":
      if (!Number.isFinite(value)) return `"${value}"`;
      // An integer from 2⁵³ on may have lost digits: with an exponent, it is a value of floating-point columns alone.
      if (Number.isInteger(value) && !Number.isSafeInteger(value)) return value.toExponential();
      return Object.is(value, -0) ? "-0" : String(value);
    case "boolean":
      return String(value);
    case "string":
      return textJson(value);
    case "function":
    case "symbol":
      throw misuse(`a ${typeof value} is no value`);
  }
  if (value instanceof ArrowDate) return JSON.stringify(value.toString());
  if (value instanceof Date) {
    if (Number.isNaN(value.getTime())) throw misuse("a date is invalid");
    const text = value.toISOString();
    return JSON.stringify(dates?.textOf?.(text) ?? text);
  }
  if (value instanceof Uint8Array) return `"${hexText(value)}"`;
  const inner = (of, inDates = null) => valueJson(of, inDates, depth + 1);
  if (value instanceof Map || (ArrayBuffer.isView(value) && "length" in value) || Array.isArray(value)) {
    return `[${Array.from(value, (item, k) => inner(item, dates?.ofItem?.(k, value))).join(",")}]`;
  }
  // Sets, buffers, promises, errors and others have no values as members.
  if (Object.keys(value).length === 0 && !isPlain(value)) throw misuse(`${shown(value)} is no value`);
  const members = Object.entries(value).filter(([, of]) => of !== undefined);
  return `{${members.map(([name, of]) => `${textJson(name)}:${inner(of, dates?.ofMember?.(name))}`).join(",")}}`;
}

/** Whether an object is of no class. Those of other pages have other prototypes. */
export function isPlain(object) {
  const prototype = Object.getPrototypeOf(object);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** The UTC date of a `Date` that is of a whole day. */
const dayOf = (text) => (text.endsWith("T00:00:00.000Z") ? text.slice(0, -"T00:00:00.000Z".length) : text);

const withoutZone = (text) => text.slice(0, -1);

/**
 * Where values of a type are written without a zone, so that a `Date` there is its UTC date or time: `textOf` makes that of its ISO text.
 * `ofItem` is the same of an item of an array, by its position and the array, and `ofMember` of a member of an object. Null if nowhere.
 */
export function datesIn(type) {
  const children = type.children ?? [];
  switch (type.name) {
    case "date32":
      return { textOf: dayOf };
    case "date64":
      return { textOf: withoutZone };
    case "timestamp":
      return type.timezone === null ? { textOf: withoutZone } : null;
    case "dictionary":
      return datesIn(type.values);
    case "run_end_encoded":
      return datesIn(children[1].type);
    case "map": {
      const ofEntry = datesIn(children[0].type);
      return ofEntry && { ofItem: () => ({ ofItem: ofEntry.ofPart }), ofMember: () => ofEntry.ofPart(1) };
    }
  }
  const found = children.map((child) => datesIn(child.type));
  if (found.every((dates) => dates === null)) return null;
  const members = new Map(children.map(({ name }, k) => [name, found[k]]));
  const ofMember = (name) => members.get(name);
  // Where names repeat, values of unions are pairs of type id and value, and those of structs pairs of name and value.
  if (type.mode !== undefined) return { ofMember, ofItem: (k, pair) => (k === 1 ? found[type.typeIds.indexOf(pair[0])] : null) };
  if (type.name !== "struct") return { ofItem: () => found[0] };
  return { ofMember, ofItem: (child) => ({ ofItem: (k) => (k === 1 ? found[child] : null) }), ofPart: (k) => found[k] };
}

function textJson(text) {
  const json = JSON.stringify(text);
  // Halves of surrogate pairs are the only characters that are written so.
  if (json.includes("\\ud")) checkUnicode(text);
  return json;
}

/** Refuses half of a surrogate pair, for which UTF-8 would have another character. Returns the text. */
export function checkUnicode(text) {
  if (/\p{Surrogate}/u.test(text)) throw misuse(`${JSON.stringify(text)} has half of a surrogate pair, which UTF-8 does not have`);
  return text;
}
