// What a cell shows of a value: its beginning. Only as much is made as is shown.

import { cut, oneLine } from "./shown.js";
import { shownText } from "./times.js";

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** The column and slot that has the value of a slot: that of the dictionary or run. */
export function resolved(column, i) {
  while ("indices" in column) {
    const at = column.indices[i] - column.base;
    column = column.values;
    i = at;
  }
  return [column, i];
}

/** What a value is made of: "list", "map", "struct", "union", "bytes" or "plain". */
export function kindOf(column) {
  if ("indices" in column) return kindOf(column.values);
  if ("selected" in column) return "union";
  if ("items" in column) return column.type.name === "map" ? "map" : "list";
  if ("children" in column) return "struct";
  return column.type.name.includes("binary") && column.bytes && column.field.extension !== "arrow.uuid" ? "bytes" : "plain";
}

/** Whether numbers are compared by their digits, so that they stand at the right. */
export function isNumber(type) {
  const { name } = type.name === "dictionary" ? type.values : type.name === "run_end_encoded" ? type.children[1].type : type;
  return /^(u?int|float|decimal|duration)/.test(name);
}

/** The bytes of a slot of binary or text. */
export function bytesOf(column, i) {
  if (column.offsets) return column.bytes.subarray(column.offsets[i] - column.first, column.offsets[i + 1] - column.first);
  return column.bytes.subarray(i * column.width, (i + 1) * column.width);
}

export const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join(" ");

/** The beginning of the text of a slot, of about `limit` characters; null if it has no value. */
export function preview(column, i, limit = 160) {
  if (!column.isValid(i)) return null;
  const [values, slot] = resolved(column, i);
  const out = { text: "", limit };
  write(values, slot, out, false);
  return cut(out.text, limit);
}

function write(column, i, out, isInside) {
  if (out.text.length > out.limit) return;
  if (!column.isValid(i)) {
    out.text += "null";
    return;
  }
  [column, i] = resolved(column, i);
  switch (kindOf(column)) {
    case "list": {
      const [start, end] = column.range(i);
      sequence(out, "[", "]", start, end, (item) => write(column.items, item, out, true));
      return;
    }
    case "map": {
      const [start, end] = column.range(i);
      const [keys, values] = column.items.children;
      sequence(out, "{", "}", start, end, (item) => {
        write(keys, item, out, true);
        out.text += ": ";
        write(values, item, out, true);
      });
      return;
    }
    case "struct":
      sequence(out, "{", "}", 0, column.children.length, (k) => {
        out.text += `${oneLine(column.children[k].name)}: `;
        write(column.children[k], i, out, true);
      });
      return;
    case "union": {
      const child = column.children[column.selected[i]];
      out.text += `${oneLine(child.name)}: `;
      write(child, column.slots[i], out, true);
      return;
    }
    case "bytes": {
      const bytes = bytesOf(column, i);
      out.text += bytes.length === 0 ? "(no bytes)" : hex(bytes.subarray(0, out.limit));
      return;
    }
    default: {
      // Of a long text, only the beginning is decoded.
      const isLong = column.offsets && column.offsets[i + 1] - column.offsets[i] > 4 * out.limit;
      const text = isLong ? decoder.decode(bytesOf(column, i).subarray(0, 4 * out.limit)) : shownText(column, i);
      out.text += isInside && column.offsets ? `"${oneLine(text)}"` : oneLine(text);
    }
  }
}

function sequence(out, open, close, start, end, item) {
  out.text += open;
  for (let k = start; k < end && out.text.length <= out.limit; k++) {
    if (k > start) out.text += ", ";
    item(k);
  }
  out.text += close;
}
