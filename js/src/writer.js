// Writes columns of JavaScript as files and streams.
import { joined } from "./bytes.js";
import { ArrowError, checkSize, cut, misuse, optionsOf, shown, shownName } from "./error.js";
import { formOf } from "./forms.js";
import { quotedName } from "./hidden.js";
import { inferType } from "./infer.js";
import { checkUnicode, hasMembers, valueJson } from "./json.js";
import { positionsByName } from "./members.js";
import { utf8Of } from "./text.js";
import { elementType, isBytes } from "./typed.js";
import { load } from "./wasm.js";

const forgotten = new FinalizationRegistry(({ module, handle }) => {
  if (!module.hasEnded) module.free(handle);
});

/** The options of the module, by their names here. */
const NAMES = { rowCounts: "row_counts", maxMessageBytes: "max_message_bytes", alignment: "alignment" };

/** The rows of a batch that the module takes. */
const MOST_ROWS = 2 ** 32 - 1;

const OPTIONS = ["schema", "container", "compression", "metadata", ...Object.keys(NAMES)];

/**
 * Begins a file or stream. Options: `schema` (an object of types by names, or an array of fields of `name`, `type`,
 * `nullable` and `metadata`, where `children` of a type have the metadata of fields in it), `container` ("file" or "stream"), `compression` ("lz4" or null), `metadata` (pairs, or an object).
 */
export async function createWriter(options) {
  const module = await load("full");
  return new ArrowWriter(module, options);
}

/** All batches as bytes. `batches` is an object of columns, or an array of such objects. */
export async function write(batches, given) {
  const options = optionsOf(given, OPTIONS);
  const list = Array.isArray(batches) ? batches : [batches];
  list.forEach(checkBatch);
  if (list.length === 0 && !options.schema) throw misuse("without batches, `schema` says which columns there are");
  const schema = options.schema ?? inferSchema(list);
  const writer = await createWriter({ ...options, schema });
  try {
    const parts = list.map((columns) => writer.write(columns));
    parts.push(writer.finish());
    return joined(parts);
  } finally {
    writer.free();
  }
}

/** The types of the columns of the first batch in which each has a value. */
function inferSchema(batches) {
  return Object.fromEntries(
    Object.keys(batches[0]).map((name) => {
      const typeOf = (columns) => {
        const column = columnOf(columns, name);
        return column === undefined ? "null" : inferType(name, valuesOf(name, column).values);
      };
      const types = batches.map(typeOf);
      return [name, types.find((type) => type !== "null") ?? "null"];
    }),
  );
}

function checkBatch(columns) {
  const isObject = columns !== null && typeof columns === "object" && !isArray(columns);
  if (!isObject || !hasMembers(columns)) throw misuse(`a batch is an object of columns by their names, not ${shown(columns)}`);
}

/** A column of a batch. What all objects have is none. */
const columnOf = (columns, name) => (Object.hasOwn(columns, name) ? columns[name] : undefined);

/** The values of a column, and the bits that say which there are. */
function valuesOf(name, column) {
  const isPair = column !== null && typeof column === "object" && !isArray(column) && "values" in column;
  const { values, validity } = isPair ? column : { values: column };
  if (!isArray(values)) throw misuse(`column ${shownName(name)}: values are a typed array or an array, not ${shown(values)}`);
  if (validity !== undefined && !(isBytes(validity) && validity.length >= Math.ceil(values.length / 8))) {
    throw misuse(`column ${shownName(name)}: \`validity\` is a Uint8Array with a bit for each value`);
  }
  return { values, validity };
}

export class ArrowWriter {
  #module;
  #handle;
  #fields;
  #isFree = false;

  constructor(module, given) {
    const { schema, container = "file", compression = null, metadata = [], ...others } = optionsOf(given, OPTIONS);
    if (schema === undefined) throw misuse("`schema` says which columns there are");
    if (container !== "file" && container !== "stream") throw misuse('`container` is "file" or "stream"');
    if (compression !== "lz4" && compression !== null) throw misuse('`compression` is "lz4" or null; Zstandard is only read');
    this.#module = module;
    this.#fields = fieldsOf(schema);
    const options = { compression: compression ?? "none" };
    for (const [name, value] of Object.entries(others)) if (value !== undefined) options[NAMES[name]] = String(value);
    const lines = this.#fields.map(({ name, type, nullable }) => `${quotedName(name)}: ${type}${nullable ? "" : " not null"}`).join("\n");
    const parsed = JSON.parse(module.takeText(module.call("schema_fields", module.giveText(lines))));
    this.#fields.forEach((field, k) => {
      addMetadata(parsed[k], field.metadata, field.given);
      field.form = formOf(parsed[k]);
    });
    const ofFields = parsed.map(metadataText).join("");
    const texts = module.giveAll([lines, words(pairsOf(metadata)), ofFields, words(Object.entries(options))].map(utf8Of));
    this.#handle = module.call("writer_new", ...texts, container === "file" ? 1 : 0);
    forgotten.register(this, { module, handle: this.#handle }, this);
  }

  /**
   * Writes a batch, an object of columns by name: typed arrays, arrays of values, or `{ values, validity }`. Returns bytes. `numRows` is the
   * number of rows, which batches without columns have, too.
   */
  write(columns, options) {
    this.#check();
    checkBatch(columns);
    const { numRows } = optionsOf(options, ["numRows"]);
    if (numRows !== undefined) checkSize("numRows", numRows, MOST_ROWS);
    const module = this.#module;
    const { first } = positionsByName(this.#fields);
    const unknown = Object.keys(columns).find((name) => !first.has(name));
    if (unknown !== undefined) throw misuse(`the schema has no column ${shown(unknown)}`);
    let n_rows = numRows ?? null;
    try {
      for (const field of this.#fields) {
        const column = columnOf(columns, field.name);
        if (column === undefined) throw misuse(`there is no column ${shown(field.name)}`);
        const { values, validity } = valuesOf(field.name, column);
        n_rows ??= values.length;
        if (values.length !== n_rows) {
          throw misuse(`column ${shownName(field.name)} has ${values.length} values, and ${numRows === undefined ? "the first column" : "`numRows` is"} ${n_rows}`);
        }
        this.#push(field, values, validity);
      }
      // The first bytes are also those before the batch, unless it is refused.
      return module.takeBytes(module.call("writer_rows", this.#handle, n_rows ?? 0));
    } catch (error) {
      if (!module.hasEnded) module.call("writer_clear", this.#handle);
      throw error;
    }
  }

  #push({ name, type, form }, values, validity) {
    const module = this.#module;
    try {
      if (isSameLayout(elementType(values), type)) {
        const [numbers, bits] = module.giveAll([bytesOf(values), validity ?? null]);
        module.call("writer_numbers", this.#handle, numbers, bits, values.length);
        return;
      }
      const isValid = (i) => validity === undefined || ((validity[i >> 3] >> (i & 7)) & 1) === 1;
      const lines = Array.from(values, (value, i) => `{"v":${isValid(i) ? valueJson(value, form) : "null"}}\n`);
      module.call("writer_json", this.#handle, module.give(encoded(lines)));
    } catch (error) {
      throw error instanceof ArrowError ? error.within(`column ${shown(name)}`) : error;
    }
  }

  /** Ends the file or stream. Returns its last bytes. */
  finish() {
    this.#check();
    const bytes = this.#module.takeBytes(this.#module.call("writer_finish", this.#handle));
    this.free();
    return bytes;
  }

  #check() {
    if (this.#isFree) throw misuse("the writer has ended");
  }

  free() {
    if (this.#isFree) return;
    this.#isFree = true;
    forgotten.unregister(this);
    if (!this.#module.hasEnded) this.#module.free(this.#handle);
  }
}

Symbol.dispose && Object.defineProperty(ArrowWriter.prototype, Symbol.dispose, { value: ArrowWriter.prototype.free });

/** The characters of lines that are encoded at once. All lines may be longer than a text of JavaScript can be. */
const PIECE_CHARACTERS = 1 << 24;

/** Lines as UTF-8. */
function encoded(lines) {
  const parts = [];
  let first = 0;
  let n = 0;
  lines.forEach((line, i) => {
    if (n > 0 && n + line.length > PIECE_CHARACTERS) {
      parts.push(utf8Of(lines.slice(first, i).join("")));
      first = i;
      n = 0;
    }
    n += line.length;
  });
  parts.push(utf8Of(lines.slice(first).join("")));
  return joined(parts);
}

const isArray = (values) => Array.isArray(values) || elementType(values) !== undefined;

function bytesOf(values) {
  try {
    return new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
  } catch (error) {
    throw misuse(`the memory of the typed array cannot be read: ${error.message}`);
  }
}

const isWord = (word) => ["string", "number", "bigint", "boolean"].includes(typeof word);

function checkPairs(pairs) {
  for (const pair of pairs) {
    if (!(Array.isArray(pair) && pair.length === 2 && pair.every(isWord))) throw misuse("metadata is pairs of texts: nulls can be read, and not written");
    if (pair.some((word) => String(word).includes("\0"))) throw misuse("metadata with the character U+0000 can be read, and not written");
  }
}

/** Keys and values of metadata or options, each with NUL after it: the module is given no null, and no U+0000. */
function words(pairs) {
  checkPairs(pairs);
  return pairs.map(([key, value]) => checkUnicode(`${key}\0${value}\0`)).join("");
}

/** Types with the layout of a typed array, beside its own. */
const SAME_LAYOUT = {
  int32: /^(date32|time32\()/,
  int64: /^(date64$|time64\(|timestamp\(|duration\()/,
};

const isSameLayout = (element, type) => element !== undefined && (element === type || (SAME_LAYOUT[element]?.test(type) ?? false));

function fieldsOf(schema) {
  const types = Array.isArray(schema) ? null : entriesOf(schema);
  if (types === undefined) throw misuse(`\`schema\` is an object of types by names, or an array of fields, not ${shown(schema)}`);
  const fields = types === null ? schema : types.map(([name, type]) => ({ name, type }));
  return fields.map((field) => {
    const { name, type, nullable = true, metadata = [] } = optionsOf(field, FIELD_MEMBERS);
    const text = type?.text ?? type;
    if (typeof name !== "string") throw misuse(`the name of a field is a text, not ${shown(name)}`);
    // A line of the text of a schema is a field.
    if (typeof text !== "string" || /[\r\n]/.test(text)) throw misuse(`column ${shownName(name)}: a type is a text such as "int32", not ${shown(text)}`);
    return { name, type: text, nullable, metadata: pairsOf(metadata), given: type };
  });
}

/** The fields in a type. Those of a dictionary are those of its values. */
const childrenOf = (type) => type?.children ?? type?.values?.children ?? [];

/** Names in a message. */
const listed = (names) => (names.length > 20 ? `${names.slice(0, 20).map(shown).join(", ")} and ${names.length - 20} more` : names.map(shown).join(", "));

/** Gives a field its metadata, and those in its type theirs, as they are in the type that was given. */
function addMetadata(field, metadata, given) {
  const { type } = field;
  const children = childrenOf(given);
  const expected = childrenOf(type);
  checkPairs(metadata);
  field.metadata = metadata;
  field.extension = metadata.find(([key]) => key === "ARROW:extension:name")?.[1] ?? null;
  if (!Array.isArray(children)) throw misuse(`\`children\` of a type are an array of fields, not ${shown(children)}`);
  // A text alone has no fields here.
  if (children.length === 0) return;
  const names = children.map((child) => child?.name);
  if (names.length !== expected.length || names.some((name, k) => name !== expected[k].name)) {
    const has = expected.length === 0 ? "no fields" : `the fields ${listed(expected.map(({ name }) => name))}`;
    throw misuse(`the type ${cut(type.text)} has ${has}, not ${listed(names)}`);
  }
  const wrong = children.find(({ nullable }, k) => nullable !== undefined && nullable !== expected[k].nullable);
  if (wrong) throw misuse(`in the type ${cut(type.text)}, the field ${shown(wrong.name)} is ${wrong.nullable ? "not " : ""}nullable`);
  children.forEach((child, k) => addMetadata(expected[k], pairsOf(child.metadata ?? []), child.type));
}

/** Metadata of a field, and that of the fields in its type, with the numbers of both. */
function metadataText({ metadata, type }) {
  const own = `${metadata.length}\0${words(metadata)}`;
  const of = childrenOf(type).map(metadataText);
  return of.every((text) => text === NO_METADATA) ? `${own}0\0` : `${own}${of.length}\0${of.join("")}`;
}

const NO_METADATA = "0\x000\x00";

/** The members of a field of a schema. `extension` is in the metadata. */
const FIELD_MEMBERS = ["name", "type", "nullable", "metadata", "extension"];

/** Metadata as pairs. */
function pairsOf(metadata) {
  const pairs = Array.isArray(metadata) ? metadata : entriesOf(metadata ?? {});
  if (pairs === undefined) throw misuse(`\`metadata\` is an object or pairs of texts, not ${shown(metadata)}`);
  return pairs;
}

/** The names and values of an object or a map; undefined for everything else. */
function entriesOf(object) {
  if (object instanceof Map) return [...object];
  return object !== null && typeof object === "object" && hasMembers(object) ? Object.entries(object) : undefined;
}
