// Names of fields, and objects with members that are called so.

/** An object with these members, which may be called `__proto__`. */
export function emptyRow(names) {
  return JSON.parse(`{${names.map((name) => `${JSON.stringify(name)}:null`).join(",")}}`);
}

/** The positions of names among fields, by the fields. */
const positions = new WeakMap();

/** The first position of each name among fields, and the names that repeat. They are found once for an array of fields. */
export function positionsByName(fields) {
  const known = positions.get(fields);
  if (known) return known;
  const found = { first: new Map(), repeated: new Set() };
  fields.forEach(({ name }, i) => (found.first.has(name) ? found.repeated.add(name) : found.first.set(name, i)));
  positions.set(fields, found);
  return found;
}

export const repeats = (names) => new Set(names).size < names.length;
