// One value, whole: text, bytes in hex, and nested values that unfold.
import { beginning } from "../../src/error.js";
import { count, counted, el, isolated, more } from "./dom.js";
import { shortName } from "./names.js";
import { bytesOf, kindOf, preview, resolved } from "./preview.js";
import { shownText, zoneNote } from "./times.js";

const MOST_CHARACTERS = 100_000;
const MOST_BYTES = 4096;

/** Shows the value of a slot. */
export function valueView(column, i) {
  if (!column.isValid(i)) return el("p", { class: "null" }, "null");
  const [values, slot] = resolved(column, i);
  switch (kindOf(values)) {
    case "list":
    case "map":
    case "struct":
    case "union":
      return el("ul", { class: "tree" }, ...members(values, slot));
    case "bytes":
      return dump(bytesOf(values, slot));
    default:
      return el("div", {}, el("pre", { class: "text", dir: "auto" }, whole(shownText(values, slot))), ...instant(values, slot));
  }
}

/** The same instant in UTC, and the zone. */
function instant(column, i) {
  const { name, timezone } = column.type;
  if (name !== "timestamp" || timezone === null) return [];
  const note = zoneNote(column.type) ?? `time zone ${timezone}`;
  return [el("p", { class: "quiet" }, isolated(`${column.text(i)} in UTC; ${note}`))];
}

const whole = (text) =>
  text.length <= MOST_CHARACTERS ? text : `${beginning(text, MOST_CHARACTERS)}… (${count(text.length)} characters; the first are shown)`;

function dump(bytes) {
  const lines = [];
  const shown = Math.min(bytes.length, MOST_BYTES);
  for (let at = 0; at < shown; at += 16) {
    const line = bytes.subarray(at, Math.min(at + 16, shown));
    const digits = Array.from(line, (byte) => byte.toString(16).padStart(2, "0")).join(" ");
    const letters = Array.from(line, (byte) => (byte >= 32 && byte < 127 ? String.fromCharCode(byte) : ".")).join("");
    lines.push(`${at.toString(16).padStart(6, "0")}  ${digits.padEnd(47)}  ${letters}`);
  }
  const note = bytes.length > shown ? `; the first ${count(shown)} are shown` : "";
  return el("div", {}, el("p", { class: "quiet" }, `${counted(bytes.length, "byte")}${note}`), el("pre", { class: "dump", dir: "ltr" }, lines.join("\n")));
}

/** The items of a list, or the members of another nested value. */
function members(column, i) {
  switch (kindOf(column)) {
    case "struct":
      return more(column.children.length, (k) => node(column.children[k].name, column.children[k], i));
    case "union": {
      const child = column.children[column.selected[i]];
      return [node(child.name, child, column.slots[i])];
    }
    case "map": {
      const [start, end] = column.range(i);
      const [keys, values] = column.items.children;
      return more(end - start, (k) => node(preview(keys, start + k, 80) ?? "null", values, start + k));
    }
    default: {
      const [start, end] = column.range(i);
      return more(end - start, (k) => node(String(k), column.items, start + k));
    }
  }
}

function node(name, column, i) {
  const label = shortName(name, { class: "key" });
  const isNested = column.isValid(i) && !["plain", "bytes"].includes(kindOf(column));
  const text = preview(column, i, 200);
  const value = text === null ? el("span", { class: "null" }, "null") : isolated(text, { class: "value" });
  if (!isNested) return el("li", {}, label, ": ", value);
  const [values, slot] = resolved(column, i);
  const details = el("details", {}, el("summary", {}, label, ": ", value));
  details.addEventListener("toggle", () => details.append(el("ul", { class: "tree" }, ...members(values, slot))), { once: true });
  return el("li", {}, details);
}
