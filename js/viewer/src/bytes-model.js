// What the map of bytes shows: the items of three lanes.

/** The lanes of the map. */
export const MESSAGES = 0;
export const COLUMNS = 1;
export const BUFFERS = 2;
export const LANES = ["messages", "columns", "buffers"];

const MEANINGS = {
  validity: "One bit a slot: set where the slot is not null.",
  values: "Values of a fixed width, or indices into a dictionary.",
  offsets: "Where each slot begins in the bytes or the child.",
  sizes: "How long each slot of a list view is.",
  "type ids": "Which child of a union each slot is in.",
  views: "Views of 16 bytes: short values, or where long ones are.",
  bytes: "The bytes of values, one after the other.",
  "variadic data": "Bytes that views refer to.",
  "several buffers": "Small buffers beside each other, shown as one.",
  body: "A body whose buffers are not known.",
};
/** The colours of roles, as properties of the style. */
export const ROLE_COLORS = {
  validity: "validity", values: "values", offsets: "offsets", sizes: "sizes", "type ids": "type-ids", views: "views", bytes: "bytes",
  "variadic data": "variadic", "several buffers": "several", body: "body",
};
export const KIND_COLORS = {
  schema: "schema", "dictionary batch": "dictionary", "record batch": "batch", tensor: "tensor", "sparse tensor": "tensor",
};

export const num = (value) => Number(value ?? 0);
export const digits = (value) => String(value).replace(/\B(?=(\d{3})+(?!\d))/g, ",");
export function bytes(value) {
  let size = num(value);
  if (size < 10_000) return `${digits(value)} byte${size === 1 ? "" : "s"}`;
  const units = ["kB", "MB", "GB", "TB", "PB", "EB"];
  let unit = -1;
  while (size >= 1000 && unit < units.length - 1) [size, unit] = [size / 1000, unit + 1];
  return `${digits(value)} bytes (${size.toPrecision(3)} ${units[unit]})`;
}
export const percent = (part, whole) => (whole > 0 ? `${((100 * part) / whole).toFixed(part * 100 < whole ? 2 : 1)} %` : "–");
/** What was not read is null, and unknown. */
export const UNKNOWN = "unknown";
export const ratio = (whole, part) => (whole === null ? UNKNOWN : num(part) > 0 ? `${(num(whole) / num(part)).toFixed(2)} : 1` : "–");
/** What compressed bytes become. */
const decompressed = (whole, part) => [["decompressed", whole === null ? UNKNOWN : bytes(whole)], ...(whole === null ? [] : [["ratio", ratio(whole, part)]])];

const FLAGS = { is_raw: "not compressed in a compressed body", has_no_nulls: "not needed: no slot is null", is_shared: "shares bytes with another buffer" };

/** What is to be said of a buffer. */
export const flagsOf = (found, idx) => Object.keys(FLAGS).filter((flag) => found.buffers[flag][idx]).map((flag) => FLAGS[flag]);

/** The items of the lanes of an inspection, the number of all bytes, and names. */
export function mapOf(found) {
  const items = [[], [], []];
  function add(lane, item) {
    items[lane].push(Object.assign(item, { lane }));
    return item;
  }
  const missing = (value) => (num(value) > 0 ? [["missing", `${bytes(value)}: the input ends before them`]] : []);
  const position = (start, end) => [["offset", digits(start)], ["length", bytes(end - start)], ["end", digits(end)]];

  // The first step of a path.
  const columnOf = (path) => path.match(/^"(?:[^"\\]|\\.)*"?|^[^.]*/)[0];
  function fieldName(idx, path = found.fields.path[idx]) {
    if (idx === null) return "";
    const dictionary = found.fields.dictionary[idx];
    return path + (dictionary === null ? "" : ` (values of dictionary ${dictionary})`);
  }

  function messageName(group) {
    const { index, kind, n_messages } = found.messages;
    const count = num(n_messages[group]);
    if (count > 1) return `${digits(count)} × ${kind[group]}`;
    return index[group] === null ? `${kind[group]}, only in the footer` : `message ${index[group]}: ${kind[group]}`;
  }

  function addMessage(group) {
    const M = found.messages;
    const [start, end] = [num(M.start[group]), num(M.end[group])];
    const facts = [...position(start, end), ["metadata", bytes(M.n_metadata_bytes[group])], ["body", bytes(M.n_body_bytes[group])]];
    if (num(M.n_rows[group]) > 0 || / batch$/.test(M.kind[group])) facts.push(["rows", digits(M.n_rows[group])]);
    if (M.codec[group]) {
      facts.push(["compression", M.codec[group]], ...decompressed(M.n_decompressed_bytes[group], M.n_body_bytes[group]));
    }
    facts.push(...missing(M.n_missing_bytes[group]));
    if (M.note[group]) facts.push(["note", M.note[group]]);
    const color = KIND_COLORS[M.kind[group]] ?? "several";
    add(MESSAGES, { start, end, color, title: messageName(group), facts, table: 2, row: group });
    if (num(M.n_messages[group]) > 1) return;
    const metadata = { start, end: start + num(M.n_metadata_bytes[group]), color: "metadata", title: `metadata of ${messageName(group)}` };
    metadata.facts = position(metadata.start, metadata.end);
    metadata.meaning = "The lengths, and where the buffers are: a flatbuffer, with its length before it.";
    add(COLUMNS, { ...metadata });
    add(BUFFERS, metadata);
  }

  function addPiece(idx, group) {
    const B = found.buffers;
    const [start, field, last] = [num(B.start[idx]), B.field[idx], B.last_field[idx]];
    const end = start + num(B.n_spanned_bytes[idx]);
    const role = B.role[idx];
    const count = num(B.n_buffers[idx]);
    const title = field === null ? role : field === last ? `${fieldName(field)}: ${role}` : `${fieldName(field)} … ${fieldName(last)}: ${role}`;
    const facts = position(start, end);
    if (field !== null && field === last) facts.push(["type", found.fields.type[field]]);
    if (count > 1) facts.push(["buffers", digits(count)], ["their bytes", bytes(B.n_bytes[idx])]);
    if (found.messages.codec[group] !== null) facts.push(...decompressed(B.n_decompressed_bytes[idx], B.n_bytes[idx]));
    if (count === 1) facts.push(["aligned to", start % 64 === 0 ? "64 bytes" : start % 8 === 0 ? "8 bytes" : "less than 8 bytes"]);
    facts.push(...missing(B.n_missing_bytes[idx]), ["padding after it", bytes(B.n_padding_bytes[idx])], ["in", messageName(group)]);
    facts.push(...flagsOf(found, idx).map((text) => ["note", text]));
    const padding = field === last || count === 1 ? num(B.n_padding_bytes[idx]) : 0;
    add(BUFFERS, { start, end, padding, color: ROLE_COLORS[role] ?? "several", title, facts, meaning: MEANINGS[role], table: 0, row: idx, group });
    addToColumn(idx, group, start, end + padding);
  }

  // The pieces of a column beside each other are one item of its lane.
  function addToColumn(idx, group, start, end) {
    const F = found.fields;
    const [field, last] = [found.buffers.field[idx], found.buffers.last_field[idx]];
    if (field === null) return;
    const column = F.column_idx[field] === F.column_idx[last] ? F.column_idx[field] : null;
    const before = items[COLUMNS].at(-1);
    if (before && before.group === group && before.column === column && before.dictionary === F.dictionary[field]) {
      // What is empty may be after the end of an input that is cut off.
      if (end > start) before.end = Math.max(before.end, end);
      before.start = Math.min(before.start, start);
      before.last = last;
      return;
    }
    add(COLUMNS, {
      start, end, group, column, first: field, last, dictionary: F.dictionary[field],
      color: column === null ? "several" : column,
      get title() {
        if (column !== null) return fieldName(this.first, columnOf(F.path[this.first]));
        return fieldName(this.first) + (this.first === this.last ? "" : ` … ${fieldName(this.last)}`);
      },
      get facts() {
        const isWhole = column !== null && F.path[this.first] === columnOf(F.path[this.first]);
        const column_facts = column === null ? [] : [["column", digits(column)], ...(isWhole ? [["type", F.type[this.first]]] : [])];
        return [...position(this.start, this.end), ...column_facts, ["in", messageName(group)]];
      },
      get table() { return 1; },
      get row() { return this.first; },
    });
  }

  function build() {
    const isFile = found.container === "file";
    const mark = (start, end, title, meaning, color = "mark") => {
      const item = { start, end, title, meaning, color, facts: position(start, end) };
      LANES.forEach((_, lane) => add(lane, { ...item }));
    };
    if (isFile) mark(0, 8, "magic", "ARROW1 and two zeros, with which files begin.");
    let piece = 0;
    found.messages.kind.forEach((_, group) => {
      addMessage(group);
      for (; found.buffers.message[piece] === group; piece++) addPiece(piece, group);
    });
    const { position: ends, is_marked } = found.ends;
    if (!isFile) ends.forEach((end, idx) => { if (is_marked[idx]) mark(num(end) - 8, num(end), "end marker", "Ends a stream."); });
    if (found.footer) {
      const start = num(found.footer.position);
      const end = start + num(found.footer.n_bytes);
      mark(start, end, "footer", "The schema again, and where each batch is.", "footer");
      mark(end, end + 10, "end of the file", "The length of the footer, and ARROW1.");
    }
    // Those that begin together stay in the order of their message.
    items.forEach((lane) => lane.sort((a, b) => a.start - b.start));
    let covered = 0;
    const total = num(found.n_bytes ?? items[MESSAGES].reduce((end, item) => Math.max(end, item.end), 0));
    const gaps = [];
    for (const item of [...items[MESSAGES], { start: total, end: total }]) {
      if (item.start > covered) gaps.push([covered, Math.min(item.start, total)]);
      covered = Math.max(covered, item.end);
    }
    for (const [start, end] of gaps.filter(([start, end]) => end > start)) {
      if (found.footer && end === num(found.footer.position)) mark(start, end, "before the footer", "The end marker of the stream inside, and padding.");
      else mark(start, end, "bytes of no message", "Padding, or damage.", "gap");
    }
    items.forEach((lane) => lane.sort((a, b) => a.start - b.start));
    return Math.max(total, 1);
  }
  return { found, items, total: build(), messageName, fieldName };
}
