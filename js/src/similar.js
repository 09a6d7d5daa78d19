// Names that people may have meant: as `suggest_names` of the program says it.
import { quotedName } from "./hidden.js";

const MOST_SIMILAR = 5;
const MOST_LISTED = 20;

/** The longest names that are compared letter by letter. */
const MOST_CHARACTERS = 64;

/** What is said after a name that is not among these: similar names, or the first ones. `what` they are is said by `columns` or the like. */
export function suggestion(wanted, names, what, shorten) {
  const listed = (some) => some.map((name) => quotedName(shorten(name))).join(", ");
  const similar = typeof wanted === "string" ? similarNames(wanted, names) : [];
  if (similar.length === 1) return `did you mean ${listed(similar)}?`;
  if (similar.length > 1) return `did you mean ${listed(similar.slice(0, -1))} or ${listed(similar.slice(-1))}?`;
  if (names.length === 0) return `there are no ${what}`;
  const more = names.length > MOST_LISTED ? ` and ${names.length - MOST_LISTED} more` : "";
  return `the ${what} are: ${listed(names.slice(0, MOST_LISTED))}${more}`;
}

/** The names that differ only in case; if there are none, those that may be meant. */
function similarNames(wanted, names) {
  const inOtherCase = first(names, (name) => name.toLowerCase() === wanted.toLowerCase());
  return inOtherCase.length > 0 ? inOtherCase : first(names, (name) => isSimilar(wanted, name));
}

/** The first of the names for which this holds, each once. */
function first(names, holds) {
  const found = new Set();
  for (const name of names) {
    if (found.size === MOST_SIMILAR) break;
    if (holds(name)) found.add(name);
  }
  return [...found];
}

/** Whether a name that does not exist may be a misspelling or the beginning of another one. */
function isSimilar(wanted, other) {
  const [a, b] = [wanted.toLowerCase(), other.toLowerCase()];
  if (a === b || (a !== "" && b.startsWith(a))) return true;
  // No character has more than two units.
  if (Math.max(a.length, b.length) > 2 * MOST_CHARACTERS) return false;
  const [from, to] = [[...a], [...b]];
  const longer = Math.max(from.length, to.length);
  if (longer > MOST_CHARACTERS || Math.abs(from.length - to.length) > 2) return false;
  return n_edits(from, to) <= Math.min(Math.ceil(longer / 3), 2);
}

/** The number of characters that must be inserted, removed or replaced to turn one into the other. */
function n_edits(from, to) {
  const row = Array.from({ length: to.length + 1 }, (_, n) => n);
  from.forEach((char, i) => {
    let diagonal = i;
    row[0] = i + 1;
    to.forEach((other, k) => {
      const replaced = diagonal + (char === other ? 0 : 1);
      diagonal = row[k + 1];
      row[k + 1] = Math.min(replaced, diagonal + 1, row[k] + 1);
    });
  });
  return row.at(-1);
}
