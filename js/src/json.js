// Values of JavaScript as JSON, from which columns are made: the form of crates/arrow-text/NOTATION.md.
import { misuse, shown } from "./error.js";
import { isBytes } from "./typed.js";
import { ArrowDate, hexText } from "./values.js";

/** The depth of types and values that is allowed. */
export const MAX_DEPTH = 64;

export const tooDeep = () => misuse(`values are nested more than ${MAX_DEPTH} levels deep`);

/** A value as JSON for a column of any type. `form` says what the type has in another way: see `formOf`. */
export function valueJson(value, form = null, depth = 0) {
  if (depth > MAX_DEPTH) throw tooDeep();
  if (value === null || value === undefined) return "null";
  switch (typeof value) {
    case "bigint":
      return String(value);
    case "number":
      if (!Number.isFinite(value)) return notFiniteJson(value, form);
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
    return JSON.stringify(form?.textOf?.(text) ?? text);
  }
  if (!form?.isList && isBytes(value)) return bytesJson(value, form);
  const inner = (of, inForm = null) => valueJson(of, inForm, depth + 1);
  if (value instanceof Map || (ArrayBuffer.isView(value) && "length" in value) || Array.isArray(value)) {
    const items = Array.from(value, (item, k) => inner(item, form?.ofItem?.(k, value)));
    return form?.nested?.(items) ?? `[${items.join(",")}]`;
  }
  if (!hasMembers(value)) throw misuse(`${shown(value)} is no value`);
  const members = Object.entries(value).filter(([, of]) => of !== undefined);
  return `{${members.map(([name, of]) => `${textJson(name)}:${inner(of, form?.ofMember?.(name))}`).join(",")}}`;
}

/** Whether an object is one of members. Iterators, maps, sets, buffers, promises, errors and others have none, and are not empty. */
export const hasMembers = (object) => Object.keys(object).length > 0 || isPlain(object);

/** Whether an object is of no class. Those of other pages have other prototypes. */
function isPlain(object) {
  const prototype = Object.getPrototypeOf(object);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

// Both are texts in JSON, which columns of other types would take for values.

function notFiniteJson(number, form) {
  if (!form?.isFloat) throw misuse(`${number} is a value of floating-point types alone`);
  return `"${number}"`;
}

function bytesJson(bytes, form) {
  if (!form?.isBytes) throw misuse("bytes are a value of binary types, or the numbers of a list: `new TextDecoder().decode(bytes)` makes a text of them");
  return `"${hexText(bytes)}"`;
}

function textJson(text) {
  const json = JSON.stringify(text);
  // Halves of surrogate pairs are the only characters that are written so.
  if (json.includes("\\ud")) checkUnicode(text);
  return json;
}

/** Refuses half of a surrogate pair, for which UTF-8 would have another character. Returns the text. */
export function checkUnicode(text) {
  if (/\p{Surrogate}/u.test(text)) throw misuse(`${shown(text)} has half of a surrogate pair, which UTF-8 does not have`);
  return text;
}
