// The JavaScript library as a reader: `node read_js.mjs PATH` prints the rows of a stream or file as lossless JSON, one line each.
// NODE_MODULES says where the packages are. Values come from the buffers by own code, where the library's would round them.

import { createRequire } from "node:module";
import { readFileSync } from "node:fs";

// One line says what is wrong.
process.on("uncaughtException", (error) => {
  console.error(`${error.name}: ${error.message}`);
  process.exit(1);
});

const require = createRequire(`${process.env.NODE_MODULES}/`);
const arrow = require("apache-arrow");
const { Type, CompressionType } = arrow;

if (process.argv[2] === "--version") {
  console.log(JSON.parse(readFileSync(`${process.env.NODE_MODULES}/apache-arrow/package.json`, "utf8")).version);
  process.exit(0);
}

// The library leaves codecs to its users. Not all of npm know frames with checksums of blocks, as polars writes them.
arrow.compressionRegistry.set(CompressionType.LZ4_FRAME, { decode: (bytes) => Uint8Array.from(require("lz4-napi").decompressFrameSync(Buffer.from(bytes))) });
arrow.compressionRegistry.set(CompressionType.ZSTD, { decode: (bytes) => require("fzstd").decompress(bytes).slice() });

const reader = arrow.RecordBatchReader.from(readFileSync(process.argv[2]));
reader.open({ autoDestroy: false });
const lines = [];
for (const batch of reader) {
  const columns = batch.schema.fields.map((field, k) => [field.name, batch.data.children[k]]);
  for (let row = 0; row < batch.numRows; row++) {
    lines.push(record(columns.map(([name, data]) => [name, text(data, row)])));
  }
}
process.stdout.write(lines.map((line) => `${line}\n`).join(""));

function record(pairs) {
  const names = pairs.map(([name]) => name);
  return new Set(names).size < names.length
    ? `[${pairs.map(([name, value]) => `[${string(name)},${value}]`).join(",")}]`
    : `{${pairs.map(([name, value]) => `${string(name)}:${value}`).join(",")}}`;
}

function string(value) {
  // The library has null for an empty name.
  const escaped = JSON.stringify(value ?? "").replace(/\\b/g, "\\u0008").replace(/\\f/g, "\\u000c");
  return escaped.replace(/[\u007f-\u009f]/g, (char) => `\\u00${char.charCodeAt(0).toString(16)}`);
}

// The text of a slot.
function text(data, slot) {
  const { type, values, valueOffsets, children } = data;
  const items = (child, start, end) => {
    const texts = [];
    for (let k = offset(start); k < offset(end); k++) {
      texts.push(text(child, k));
      // The library has a vector as long as the offsets say, with `undefined` for all that is not there.
      if (k >= child.length) break;
    }
    return texts;
  };
  if (type.typeId === Type.Union || type.mode !== undefined && data.typeIds) {
    const k = type.typeIdToChildIndex[data.typeIds[slot]];
    const value = text(children[k], valueOffsets && type.mode === 1 ? valueOffsets[slot] : slot);
    const names = type.children.map((field) => field.name);
    return new Set(names).size < names.length ? `[${data.typeIds[slot]},${value}]` : `{${string(names[k])}:${value}}`;
  }
  if (type.typeId === Type.Null || (data.nullBitmap?.length > 0 && !(data.nullBitmap[slot >> 3] & (1 << (slot & 7))))) return "null";
  const bytes = () => values.subarray(offset(valueOffsets[slot]), offset(valueOffsets[slot + 1]));
  switch (type.typeId) {
    case Type.Bool: return String((values[slot >> 3] & (1 << (slot & 7))) !== 0);
    case Type.Int: return String(values[slot]);
    case Type.Float: return float(type.precision === 0 ? widened(values[slot]) : values[slot], type.precision);
    case Type.Utf8: case Type.LargeUtf8: return string(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes()));
    case Type.Binary: case Type.LargeBinary: return `"${Buffer.from(bytes()).toString("hex")}"`;
    case Type.FixedSizeBinary: return `"${Buffer.from(values.subarray(slot * type.byteWidth, (slot + 1) * type.byteWidth)).toString("hex")}"`;
    case Type.Decimal: {
      const n = type.bitWidth / 32;
      return `"${decimal(values.subarray(slot * n, (slot + 1) * n), type.scale)}"`;
    }
    case Type.Date: return type.unit === 0 ? `"${date(values[slot])}"` : `"${date64(BigInt(values[slot]))}"`;
    case Type.Time: return time(BigInt(values[slot]), digitsOf(type.unit));
    case Type.Timestamp: return `"${timestamp(values[slot], digitsOf(type.unit))}${type.timezone ? "Z" : ""}"`;
    case Type.Duration: return String(values[slot]);
    case Type.Interval: {
      if (type.unit === 0) return `{"months":${values[slot]}}`;
      if (type.unit === 1) return `{"days":${values[2 * slot]},"milliseconds":${values[2 * slot + 1]}}`;
      const view = new DataView(values.buffer, values.byteOffset + 16 * slot, 16);
      return `{"months":${view.getInt32(0, true)},"days":${view.getInt32(4, true)},"nanoseconds":${view.getBigInt64(8, true)}}`;
    }
    case Type.Utf8View: return string(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(viewed(data, slot)));
    case Type.BinaryView: return `"${Buffer.from(viewed(data, slot)).toString("hex")}"`;
    case Type.List: case Type.LargeList: return `[${items(children[0], valueOffsets[slot], valueOffsets[slot + 1]).join(",")}]`;
    case Type.FixedSizeList: return `[${items(children[0], slot * type.listSize, (slot + 1) * type.listSize).join(",")}]`;
    case Type.Struct: return record(type.children.map((field, k) => [field.name, text(children[k], slot)]));
    case Type.Map: {
      const [keys, values_] = children[0].children;
      const [start, end] = [valueOffsets[slot], valueOffsets[slot + 1]];
      const found = items(values_, start, end);
      return `[${items(keys, start, end).map((key, k) => `[${key},${found[k]}]`).join(",")}]`;
    }
    case Type.Dictionary: return selected(data.dictionary, Number(values[slot]));
    default: throw new Error(`no text for the type ${type}`);
  }
}

// An offset as a number. As in the library, one that no number holds exactly is an error.
function offset(found) {
  if (typeof found === "bigint" && (found < Number.MIN_SAFE_INTEGER || found > Number.MAX_SAFE_INTEGER)) {
    throw new TypeError(`the offset ${found} is no safe number`);
  }
  return Number(found);
}

// The bytes of a view.
function viewed({ values, variadicBuffers }, slot) {
  const view = new DataView(values.buffer, values.byteOffset + 16 * slot, 16);
  const n = view.getInt32(0, true);
  if (n <= 12) return new Uint8Array(values.buffer, values.byteOffset + 16 * slot + 4, n);
  const start = view.getInt32(12, true);
  return variadicBuffers[view.getInt32(8, true)].subarray(start, start + n);
}

// The text of a value of a dictionary, which has one piece for each message.
function selected(dictionary, index) {
  for (const piece of dictionary.data) {
    if (index < piece.length) return text(piece, index);
    index -= piece.length;
  }
  throw new Error("an index beyond its dictionary");
}

// The number whose 16 bits these are.
function widened(bits) {
  const [exponent, fraction] = [(bits >> 10) & 31, bits & 1023];
  const size = exponent === 31 ? (fraction ? NaN : Infinity) : exponent === 0 ? fraction * 2 ** -24 : (1024 + fraction) * 2 ** (exponent - 25);
  return bits & 0x8000 ? -size : size;
}

function digitsOf(unit) {
  return [0, 3, 6, 9][unit];
}

function split(value, by) {
  const rest = ((value % by) + by) % by;
  return [(value - rest) / by, rest];
}

function date(days) {
  const [cycle, inCycle] = split(BigInt(days) + 719_468n, 146_097n);
  let day = inCycle;
  let year = (day - day / 1_460n + day / 36_524n - day / 146_096n) / 365n;
  day -= 365n * year + year / 4n - year / 100n;
  let month = (5n * day + 2n) / 153n;
  day -= (153n * month + 2n) / 5n;
  year += 400n * cycle + (month >= 10n ? 1n : 0n);
  month += month < 10n ? 3n : -9n;
  const inside = year >= 0n && year <= 9999n;
  const sign = inside ? "" : year < 0n ? "-" : "+";
  const digits = String(year < 0n ? -year : year).padStart(inside ? 4 : 6, "0");
  return `${sign}${digits}-${String(month).padStart(2, "0")}-${String(day + 1n).padStart(2, "0")}`;
}

function clock(ticks, digits) {
  const [seconds, fraction] = split(ticks, 10n ** BigInt(digits));
  const two = (n) => String(n).padStart(2, "0");
  return `${two(seconds / 3600n)}:${two((seconds / 60n) % 60n)}:${two(seconds % 60n)}${digits ? `.${String(fraction).padStart(digits, "0")}` : ""}`;
}

function time(ticks, digits) {
  const inside = ticks >= 0n && ticks < 86_400n * 10n ** BigInt(digits);
  return inside ? `"${clock(ticks, digits)}"` : String(ticks);
}

function timestamp(ticks, digits) {
  const [days, rest] = split(ticks, 86_400n * 10n ** BigInt(digits));
  return `${date(days)}T${clock(rest, digits)}`;
}

function date64(ms) {
  const [days, rest] = split(ms, 86_400_000n);
  return rest === 0n ? date(days) : timestamp(ms, 3);
}

function decimal(words, scale) {
  let value = 0n;
  for (let k = words.length - 1; k >= 0; k--) value = (value << 32n) | BigInt(words[k] >>> 0);
  const bits = BigInt(words.length * 32);
  value = BigInt.asIntN(Number(bits), value);
  if (scale <= 0) return String(value * 10n ** BigInt(-scale));
  const digits = String(value < 0n ? -value : value).padStart(scale + 1, "0");
  return `${value < 0n ? "-" : ""}${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}

// The shortest digits of the width; plain from 0.0001 to below 1e16, else with an exponent.
function float(value, precision) {
  if (Number.isNaN(value)) return '"NaN"';
  if (!Number.isFinite(value)) return value > 0 ? '"Infinity"' : '"-Infinity"';
  const sign = value < 0 || Object.is(value, -0) ? "-" : "";
  if (value === 0) return `${sign}0.0`;
  const [mantissa, exponentText] = shortest(Math.abs(value), precision).split("e");
  const digits = mantissa.replace(".", "");
  const exponent = Number(exponentText);
  if (exponent < -4 || exponent >= 16) return `${sign}${digits[0]}${digits.length > 1 ? "." : ""}${digits.slice(1)}e${exponent}`;
  if (exponent < 0) return `${sign}0.${"0".repeat(-exponent - 1)}${digits}`;
  const integer = digits.slice(0, exponent + 1).padEnd(exponent + 1, "0");
  return `${sign}${integer}.${digits.slice(exponent + 1) || "0"}`;
}

function shortest(value, precision) {
  if (precision === 2) return value.toExponential();
  const narrow = precision === 1 ? Math.fround : (number) => half(number);
  for (let n = 0; n < 17; n++) {
    const found = rounded(value, n);
    if (narrow(Number(found)) === value) return found.replace(/\.?0+e/, "e");
  }
  return value.toExponential();
}

// With `n` digits after the point. Half way between two texts, `toExponential` gives the greater one, and this the even one.
function rounded(value, n) {
  const greater = value.toExponential(n);
  const [digits, exponent] = value.toExponential(n + 1).split("e");
  const kept = digits.slice(0, -1).replace(/\.$/, "");
  const isHalf = digits.endsWith("5") && Number(`${digits}e${exponent}`) === value;
  return isHalf && Number(kept.at(-1)) % 2 === 0 ? `${kept}e${exponent}` : greater;
}

// The nearest number of 16 bits.
function half(value) {
  if (value >= 65_520) return Infinity;
  const step = 2 ** Math.max(Math.floor(Math.log2(value)) - 10, -24);
  const [lower, rest] = [Math.floor(value / step), value / step - Math.floor(value / step)];
  const up = rest > 0.5 || (rest === 0.5 && lower % 2 === 1);
  return (lower + (up ? 1 : 0)) * step;
}
