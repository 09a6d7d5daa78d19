// Bytes of UTF-8 as text, and text as such bytes.
import { ArrowError } from "./error.js";

const encoder = new TextEncoder();
// A text may begin with U+FEFF.
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

export const utf8Of = (text) => encoder.encode(text);

/** The text of bytes. Texts of JavaScript have fewer than 2²⁹ characters in Node and Chrome, and 2³⁰ in Firefox. */
export function textOf(bytes) {
  try {
    return decoder.decode(bytes);
  } catch (error) {
    throw new ArrowError("input", `a text of ${bytes.byteLength} bytes is too long for JavaScript: ${error.message}`, { cause: error });
  }
}
