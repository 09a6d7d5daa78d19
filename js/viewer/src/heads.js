// What is said of a column beside its name: its type, the statistics in the footer, and extension types in words.
import { counted } from "./dom.js";
import { preview } from "./preview.js";
import { cut } from "./shown.js";

/** The longest text of a bound in a head. */
const BOUND = 24;

/** The bounds and nulls of a column in words; empty if nothing is known. */
export function statisticsText(known, limit = BOUND) {
  if (!known) return "";
  const text = (bound) => (bound === null ? null : cut(preview(bound, 0, limit) ?? "null", limit));
  const [min, max] = [text(known.min), text(known.max)];
  const parts = [];
  if (min !== null && max !== null) parts.push(min === max ? `all ${min}` : `${min} … ${max}`);
  else if (min !== null) parts.push(`from ${min}`);
  else if (max !== null) parts.push(`to ${max}`);
  if (known.nullCount !== null) parts.push(known.nullCount === 0 ? "no nulls" : counted(known.nullCount, "null"));
  return parts.join(", ");
}

/** The second line of a head. */
export function headLine({ type, extension }, known) {
  const text = cut(type.text);
  const about = extension === null ? text : `${cut(extension)} · ${text}`;
  const statistics = statisticsText(known);
  return statistics === "" ? about : `${about} · ${statistics}`;
}

const WORDS = {
  "arrow.bool8": () => "booleans, one in a byte",
  "arrow.json": () => "JSON as text",
  "arrow.uuid": () => "UUIDs",
  "arrow.parquet.variant": () => "variants: values of any type",
  "arrow.timestamp_with_offset": () => "timestamps, each with its offset from UTC",
  "arrow.fixed_shape_tensor": ({ shape, dim_names }) =>
    Array.isArray(shape) ? `tensors of shape ${shape.join(" × ")}${Array.isArray(dim_names) ? ` (${dim_names.join(", ")})` : ""}` : "tensors of one shape",
  "arrow.variable_shape_tensor": ({ uniform_shape }) =>
    Array.isArray(uniform_shape) ? `tensors of ${counted(uniform_shape.length, "dimension")}` : "tensors of several shapes",
  "arrow.opaque": ({ type_name, vendor_name }) =>
    typeof type_name === "string" ? `values of the type ${type_name} of ${vendor_name}` : "values of a type that Arrow does not have",
};

/** An extension type in words: its meaning where it is known, otherwise its name. */
export function extensionWords({ extension, metadata }) {
  const words = Object.hasOwn(WORDS, extension) ? WORDS[extension] : null;
  if (words) {
    let text = words({});
    try {
      text = words(JSON.parse(metadata.find(([key]) => key === "ARROW:extension:metadata")?.[1] ?? "{}") ?? {});
    } catch {
      // They are no JSON, or their values are no texts and numbers. They are shown with the metadata.
    }
    return `${cut(text)} (${extension})`;
  }
  if (extension.startsWith("geoarrow.")) return `geometries of GeoArrow: ${cut(extension.slice(9))}`;
  return `extension ${cut(extension)}`;
}
