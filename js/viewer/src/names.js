// Names of fields and files, which may be long, or equal.
import { copy, el, isolated, setText } from "./dom.js";
import { cut, oneLine } from "./shown.js";

/** A name in one line. Of a long one, the beginning is shown, and the title has the whole. */
export function shortName(name, attributes = {}) {
  const line = oneLine(name);
  const shown = cut(line);
  return isolated(shown, shown === line ? attributes : { ...attributes, title: name });
}

/** A button that copies a name that is not shown whole; none for others. */
export function copyOfName(name) {
  const line = oneLine(name);
  if (cut(line) === line) return [];
  const button = el("button", { type: "button", class: "link" }, "Copy the name");
  button.addEventListener("click", async () => setText(button, (await copy(name)) ? "Copied" : "Not copied"));
  return [button];
}

/** A name that none of the others is: `people.arrow (2)` for the second of two files. */
export function distinct(name, others) {
  for (let n = 1; ; n++) {
    const found = n === 1 ? name : `${name} (${n})`;
    if (!others.includes(found)) return found;
  }
}
