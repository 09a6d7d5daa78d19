// Objects with members that are called as fields are.

/** An object with these members, which may be called `__proto__`. */
export function emptyRow(names) {
  return JSON.parse(`{${names.map((name) => `${JSON.stringify(name)}:null`).join(",")}}`);
}

export const repeats = (names) => new Set(names).size < names.length;
