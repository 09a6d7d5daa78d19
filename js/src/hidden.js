// Text of strangers that people see: what is invisible, or changes how other characters are shown, becomes escapes. The characters are those
// of `arrow_schema::HiddenChars`, and the notations those of `QuotedText` and `QuotedName`.

/** Characters that are hidden, if not always. Halves of surrogate pairs are texts of JavaScript alone. */
const HIDDEN =
  /[\u0000-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ud800-\udfff\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}]/u;

/** Emoji and other pictographs, after which selectors of variations change what is shown. */
const PICTOGRAPH =
  /[\u00a9\u00ae\u203c\u2049\u2122\u2139\u2194-\u21aa\u231a-\u23ff\u24c2\u25aa-\u27bf\u2934\u2935\u2b05-\u2b55\u3030\u303d\u3297\u3299\u{1f000}-\u{1faff}]/u;

/** Letters of the scripts in which joiners change what is shown, and signs that join consonants. */
const JOINED = /(?=[\u0620-\u0dff\u0f00-\u109f\u1780-\u17ff])[\p{Alphabetic}\p{N}]|[\u0900-\u0dff\ufe0f]/u;

const JOINERS = "\u200c\u200d";
const SELECTORS = "\ufe0e\ufe0f";

/** Whether a character that may be hidden is seen after another one. */
function isSeenAfter(before, char) {
  if (JOINERS.includes(char)) return JOINED.test(before) || PICTOGRAPH.test(before);
  return SELECTORS.includes(char) && PICTOGRAPH.test(before);
}

/** The text with what `escape` makes of each hidden character. */
export function withoutHidden(text, escape) {
  if (!HIDDEN.test(text)) return text;
  let out = "";
  let before = "";
  for (const char of text) {
    const isHidden = HIDDEN.test(char) && !isSeenAfter(before, char);
    out += isHidden ? escape(char) : char;
    before = isHidden ? "" : char;
  }
  return out;
}

/** Characters with a short escape. */
const SHORT = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/** A character in JSON: `\n`, `\u202e`, and two of these above U+FFFF. */
export const inJson = (char) => SHORT[char] ?? Array.from({ length: char.length }, (_, i) => `\\u${char.charCodeAt(i).toString(16).padStart(4, "0")}`).join("");

/** A text in quotes, as JSON. */
export const quotedText = (text) => `"${withoutHidden(text.replace(/["\\]/g, "\\$&"), inJson)}"`;

/** A name: in quotes, if it is more than letters, digits and `_`. */
export const quotedName = (name) => (/^[A-Za-z_][A-Za-z0-9_]*$/.test(name) ? name : quotedText(name));
