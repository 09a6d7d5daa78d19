// Text as people see it: what is hidden in it, or changes the order of the rest, becomes signs and escapes.
import { cut as cutText } from "../../src/error.js";
import { withoutHidden } from "../../src/hidden.js";

const SYMBOLS = { "\n": "↵", "\r": "␍", "\t": "⇥" };

function sign(char) {
  const code = char.codePointAt(0);
  return SYMBOLS[char] ?? (code < 32 ? String.fromCharCode(0x2400 + code) : `\\u{${code.toString(16)}}`);
}

/** Text in one line. */
export const oneLine = (text) => withoutHidden(text, sign);

/** Text whose lines and columns stay. */
export const inLines = (text) => withoutHidden(text, (char) => (char === "\n" || char === "\t" ? char : sign(char)));

/** The beginning of a text that names something. */
export const cut = (text, limit = 160) => cutText(text, limit);
