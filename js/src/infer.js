// The types of values of JavaScript, in the text form of schemas.
import { cut, misuse, shown, shownName } from "./error.js";
import { quotedName, quotedText } from "./hidden.js";
import { MAX_DEPTH, tooDeep } from "./json.js";
import { elementType, isBytes } from "./typed.js";
import { ArrowDate } from "./values.js";

/** The type of a column by its values. */
export function inferType(name, values) {
  const typed = elementType(values);
  if (typed) return typed;
  return text(name, kindOf(name, values, 0));
}

// A kind is the text of a type, null for nothing but nulls, or an object for nested types.

/** The kind of integers that int64 and uint64 have. */
const INT64_OR_UINT64 = "int64 or uint64";

const BIGINTS = ["int64", "uint64"];

function kindOfBigint(value) {
  if (value < 0n) return "int64";
  return value < 1n << 63n ? INT64_OR_UINT64 : "uint64";
}

function kindOf(name, values, depth) {
  let kind = null;
  for (const value of values) kind = both(name, kind, kindOfValue(name, value, depth));
  return kind;
}

function kindOfValue(name, value, depth) {
  if (depth > MAX_DEPTH) throw tooDeep();
  if (value === null || value === undefined) return null;
  switch (typeof value) {
    case "boolean":
      return "bool";
    case "bigint":
      return kindOfBigint(value);
    case "number":
      return "float64";
    case "string":
      return "utf8";
  }
  if (value instanceof ArrowDate) return value.unit === "day" ? "date32" : stampType(value);
  if (value instanceof Date) return 'timestamp(ms, "UTC")';
  if (isBytes(value)) return "binary";
  const typed = elementType(value);
  if (typed) return { item: typed };
  if (Array.isArray(value)) return { item: kindOf(name, value, depth + 1) };
  if (value instanceof Map) return { key: kindOf(name, value.keys(), depth + 1), value: kindOf(name, value.values(), depth + 1) };
  if (Object.getPrototypeOf(value) === Object.prototype || Object.getPrototypeOf(value) === null) {
    return { members: new Map(Object.entries(value).map(([member, of]) => [member, kindOfValue(name, of, depth + 1)])) };
  }
  throw misuse(`column ${shownName(name)}: there is no type for ${typeof value === "object" ? shown(value) : `a ${typeof value}`}`);
}

const stampType = ({ unit, timezone }) => (timezone === null ? `timestamp(${unit})` : `timestamp(${unit}, ${quotedText(timezone)})`);

function both(name, a, b) {
  if (a === null || b === null) return a ?? b;
  if (typeof a === "object" && typeof b === "object") {
    if (a.members && b.members) {
      const members = new Map(a.members);
      for (const [member, kind] of b.members) members.set(member, both(name, members.get(member) ?? null, kind));
      return { members };
    }
    if ("item" in a && "item" in b) return { item: both(name, a.item, b.item) };
    if ("key" in a && "key" in b) return { key: both(name, a.key, b.key), value: both(name, a.value, b.value) };
  }
  if (a === b) return a;
  if (a === INT64_OR_UINT64 && BIGINTS.includes(b)) return b;
  if (b === INT64_OR_UINT64 && BIGINTS.includes(a)) return a;
  if (BIGINTS.includes(a) && BIGINTS.includes(b)) throw misuse(`column ${shownName(name)}: some integers fit only int64, and others only uint64`);
  throw misuse(`column ${shownName(name)}: the values are of two types, ${cut(text(name, a))} and ${cut(text(name, b))}: give a schema`);
}

function text(name, kind) {
  if (kind === null) return "null";
  if (kind === INT64_OR_UINT64) return "int64";
  if (typeof kind === "string") return kind;
  if ("item" in kind) return `list<item: ${text(name, kind.item)}>`;
  if ("key" in kind) {
    return `map<entries: struct<key: ${text(name, kind.key)} not null, value: ${text(name, kind.value)}> not null>`;
  }
  const members = [...kind.members].map(([member, of]) => `${quotedName(member)}: ${text(name, of)}`);
  return `struct<${members.join(", ")}>`;
}
