// Where the bytes of a file are, what each column costs, and what is odd; and the statistics in a footer.
import { readColumns } from "./columns.js";
import { checkSize, misuse, optionsOf, shown } from "./error.js";
import { run } from "./plan.js";
import { closed, sourceOf } from "./source.js";
import { load } from "./wasm.js";

/** Servers are asked for no parts of bodies. */
const SERVER = 2;

/**
 * Inspects a file or a stream, which may be damaged. `options` are those of `open`, `name` (of the file in commands), and `bodies`: whether
 * a few bytes of bodies are read.
 */
export async function inspect(from, given) {
  const { name, bodies, ...options } = optionsOf(given, ["name", "bodies", "headers", "credentials", "signal", "maxDownloadBytes"]);
  if (options.maxDownloadBytes !== undefined) checkSize("maxDownloadBytes", options.maxDownloadBytes);
  const source = await sourceOf(from, options);
  try {
    return await inspectSource(await load("full"), source, -1, { name, bodies });
  } finally {
    await closed(source);
  }
}

/** Inspects a source; `handle` is that of an open file, or −1. */
export async function inspectSource(module, source, handle, options) {
  const { name = "FILE", bodies = source.kind !== SERVER } = optionsOf(options, ["name", "bodies"]);
  if (typeof name !== "string") throw misuse(`\`name\` is a text, not ${shown(name)}`);
  const plan = module.call("inspection_new", module.giveText(name), source.length, bodies ? 1 : 0, handle);
  return tables(JSON.parse(await run(module, source, plan, (output) => module.takeText(output), "inspection")));
}

/** In a column, an array says how many times more the value before it comes. */
function expanded(column) {
  const all = [];
  for (const value of column) {
    if (!Array.isArray(value)) all.push(value);
    else for (let n = value[0], last = all.at(-1); n > 0; n--) all.push(last);
  }
  return all;
}

/** Numbers from differences to the one before: a sum of 0 is null, of 1 is 0. */
function fromDifferences(column) {
  let sum = 0;
  return column.map((difference) => ((sum += difference) === 0 ? null : sum - 1));
}

function tables(found) {
  const { ends, messages, fields, buffers } = found;
  for (const table of [ends, messages, fields, buffers]) {
    for (const name of Object.keys(table)) table[name] = expanded(table[name]);
  }
  found.damage = expanded(found.damage);
  found.notes = expanded(found.notes);
  messages.index = fromDifferences(messages.index);
  messages.start = fromDifferences(messages.start);
  fields.column_idx = fromDifferences(fields.column_idx);
  buffers.message = messages.n_pieces.flatMap((n, message) => new Array(Number(n)).fill(message));
  buffers.field = fromDifferences(buffers.field);
  buffers.last_field = buffers.field.map((field, i) => (field === null ? null : field + buffers.n_more_fields[i]));
  buffers.role = buffers.role.map((role) => buffers.roles[role]);
  let after = 0;
  buffers.start = buffers.gap.map((gap, i) => {
    const start = after + gap;
    after = start + Number(buffers.n_spanned_bytes[i]) + Number(buffers.n_padding_bytes[i]);
    return start;
  });
  ["is_raw", "has_no_nulls", "is_shared"].forEach((flag, bit) => (buffers[flag] = buffers.flags.map((flags) => (flags & (1 << bit)) !== 0)));
  delete messages.n_pieces;
  for (const name of ["gap", "n_more_fields", "roles", "flags"]) delete buffers[name];
  return found;
}

/** The statistics in the footer of an open file, one for each column that has any. */
export function statisticsOf(module, handle, maxMemoryBytes) {
  const { columns, min, max } = JSON.parse(module.takeText(module.call("file_statistics", handle)));
  const bounds = [min, max].map((fields, isMax) => {
    if (fields.length === 0) return [];
    const batch = module.call("file_bounds", handle, isMax);
    try {
      const described = module.call("batch_columns", batch, 0, 1, maxMemoryBytes);
      try {
        return readColumns(module, described, fields, maxMemoryBytes);
      } finally {
        module.free(described);
      }
    } finally {
      module.free(batch);
    }
  });
  return columns.map(({ position, nullCount, hasMin, hasMax }) => ({
    position,
    nullCount,
    min: hasMin ? bounds[0].shift() : null,
    max: hasMax ? bounds[1].shift() : null,
  }));
}
