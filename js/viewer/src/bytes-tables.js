// Tables of buffers, fields and messages, which sort and filter. Only the rows that are in sight are in the document.
import { BUFFERS, COLUMNS, MESSAGES, UNKNOWN, digits, flagsOf, num, percent, ratio } from "./bytes-model.js";
import { el, moveInTabs, setText } from "./dom.js";

const ROW_HEIGHT = 28;

// What a row has to contain: words, and of what is in quotes, all of it as whole words.
function wantedOf(text) {
  return [...text.matchAll(/"([^"]*)("?)|[^\s"]+/g)].map(([word, quoted, end]) => {
    if (!end || !quoted) return (row) => row.includes(quoted ?? word);
    const whole = new RegExp(`(?<![\\p{L}\\p{N}_])${quoted.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&")}(?![\\p{L}\\p{N}_])`, "u");
    return (row) => whole.test(row);
  });
}

/** Makes the tables of a map. `on.select(item)` is called where a row is chosen; `on.key(event)` for keys that move nothing here. */
export function tablesOf(map, on, id) {
  const { found, items, total, messageName, fieldName } = map;
  const head = el("thead");
  const body = el("tbody");
  const rowsBox = el("div", { class: "rows", tabindex: 0, role: "tabpanel", id, "aria-label": "Rows" }, el("table", {}, head, body));
  const filter = el("input", {
    type: "search", placeholder: 'Filter: validity "column 7"', "aria-label": "Filter rows by words; those in quotes belong together", autocomplete: "off", spellcheck: "false",
  });
  const note = el("span", { class: "quiet", role: "status" });
  let selected = null;

  const text = (name, get) => ({ name, get, show: get, isNumber: false });
  const count = (name, get) => ({ name, get: (idx) => num(get(idx)), show: (idx) => digits(get(idx) ?? UNKNOWN), isNumber: true });
  const share = (name, part, whole) => ({
    name, isNumber: true,
    get: (idx) => (num(whole(idx)) > 0 ? num(part(idx)) / num(whole(idx)) : -1),
    show: (idx) => ratio(part(idx), whole(idx)),
  });
  const ofBytes = (name, part) => ({ name, isNumber: true, get: (idx) => num(part(idx)), show: (idx) => percent(num(part(idx)), total) });

  const [B, F, M] = [found.buffers, found.fields, found.messages];
  const itemOfPiece = new Map(items[BUFFERS].filter((item) => item.table === 0).map((item) => [item.row, item]));
  const itemOfField = new Map(items[COLUMNS].filter((item) => item.table === 1).reverse().map((item) => [item.row, item]));
  for (const item of [...items[BUFFERS]].reverse()) if (item.table === 0 && B.field[item.row] !== null) itemOfField.set(B.field[item.row], itemOfField.get(B.field[item.row]) ?? item);
  const itemOfMessage = new Map(items[MESSAGES].filter((item) => item.table === 2).map((item) => [item.row, item]));

  const hasCodec = M.codec.some((codec) => codec !== null);
  // What is not compressed is whole.
  const wholeOf = (idx) => (M.codec[B.message[idx]] === null ? B.n_bytes[idx] : B.n_decompressed_bytes[idx]);
  const onlyIf = (wanted, columns) => (wanted ? columns : []);
  const TABLES = [
    {
      name: "Buffers", n: B.start.length, item: (idx) => itemOfPiece.get(idx),
      columns: [
        count("offset", (idx) => B.start[idx]), text("field", (idx) => itemOfPiece.get(idx).title.replace(/: [^:]*$/, "")),
        text("role", (idx) => B.role[idx]), count("bytes", (idx) => B.n_bytes[idx]), ofBytes("share", (idx) => B.n_bytes[idx]),
        ...onlyIf(hasCodec, [count("decompressed", wholeOf), share("ratio", wholeOf, (idx) => B.n_bytes[idx])]),
        count("padding", (idx) => B.n_padding_bytes[idx]), text("message", (idx) => messageName(itemOfPiece.get(idx).group)),
        text("note", (idx) => [...flagsOf(found, idx), ...(num(B.n_missing_bytes[idx]) ? ["truncated"] : [])].join("; ")),
      ],
    },
    {
      name: "Fields", n: F.path.length, item: (idx) => itemOfField.get(idx),
      columns: [
        text("field", fieldName), text("type", (idx) => F.type[idx]), count("bytes", (idx) => F.n_bytes[idx]), ofBytes("share", (idx) => F.n_bytes[idx]),
        ...onlyIf(hasCodec, [count("decompressed", (idx) => F.n_decompressed_bytes[idx]), share("ratio", (idx) => F.n_decompressed_bytes[idx], (idx) => F.n_bytes[idx])]),
        count("padding", (idx) => F.n_padding_bytes[idx]), count("not needed", (idx) => F.n_unneeded_bytes[idx]),
        count("buffers", (idx) => F.n_buffers[idx]), count("slots", (idx) => F.n_slots[idx]), count("nulls", (idx) => F.null_count[idx]),
        ...onlyIf(F.min, [text("min", (idx) => F.min[idx] ?? "–"), text("max", (idx) => F.max[idx] ?? "–")]),
      ],
    },
    {
      name: "Messages", n: M.start.length, item: (idx) => itemOfMessage.get(idx),
      columns: [
        text("message", messageName), count("offset", (idx) => M.start[idx]), count("metadata", (idx) => M.n_metadata_bytes[idx]),
        count("body", (idx) => M.n_body_bytes[idx]), ofBytes("share", (idx) => num(M.n_metadata_bytes[idx]) + num(M.n_body_bytes[idx])),
        count("rows", (idx) => M.n_rows[idx]),
        ...onlyIf(hasCodec, [text("codec", (idx) => M.codec[idx] ?? ""), share("ratio", (idx) => M.n_decompressed_bytes[idx], (idx) => M.n_body_bytes[idx])]),
        text("note", (idx) => M.note[idx]),
      ],
    },
  ];
  const shown = { table: F.path.length ? 1 : 2, rows: [], column: null, isDown: false };

  function sortedRows() {
    const table = TABLES[shown.table];
    const wanted = wantedOf(filter.value.toLowerCase());
    const texts = table.columns.filter((column) => !column.isNumber);
    const rows = [];
    for (let idx = 0; idx < table.n; idx++) {
      const all = wanted.length ? texts.map((column) => column.get(idx)).join(" ").toLowerCase() : "";
      if (wanted.every((isIn) => isIn(all))) rows.push(idx);
    }
    if (shown.column !== null) {
      const { get, isNumber } = table.columns[shown.column];
      const keys = new Map(rows.map((idx) => [idx, get(idx)]));
      const compare = isNumber ? (a, b) => a - b : (a, b) => (a < b ? -1 : a > b ? 1 : 0);
      rows.sort((a, b) => (shown.isDown ? -1 : 1) * compare(keys.get(a), keys.get(b)) || a - b);
    }
    return rows;
  }

  function fillHead() {
    const row = el("tr");
    TABLES[shown.table].columns.forEach((column, idx) => {
      const cell = el("th", { class: column.isNumber ? "number" : "", scope: "col" });
      const isSorted = shown.column === idx;
      cell.setAttribute("aria-sort", isSorted ? (shown.isDown ? "descending" : "ascending") : "none");
      const button = el("button", { type: "button" }, column.name + (isSorted ? (shown.isDown ? " ▾" : " ▴") : ""));
      button.addEventListener("click", () => {
        shown.isDown = isSorted ? !shown.isDown : column.isNumber;
        shown.column = idx;
        refill();
      });
      cell.append(button);
      row.append(cell);
    });
    head.replaceChildren(row);
  }

  function fillBody() {
    const table = TABLES[shown.table];
    const first = Math.max(0, Math.floor(rowsBox.scrollTop / ROW_HEIGHT) - 10);
    const last = Math.min(shown.rows.length, first + Math.ceil(rowsBox.clientHeight / ROW_HEIGHT) + 20);
    const space = (n) => {
      const row = el("tr", { class: "space" });
      row.append(el("td"));
      row.firstChild.style.height = `${n * ROW_HEIGHT}px`;
      return row;
    };
    const rows = shown.rows.slice(first, last).map((idx) => {
      const isSelected = selected && selected.table === shown.table && selected.row === idx;
      const row = el("tr", isSelected ? { class: "selected", "aria-selected": "true" } : {});
      row.dataset.idx = idx;
      row.append(...table.columns.map((column) => el("td", column.isNumber ? { class: "number" } : { dir: "auto" }, column.show(idx))));
      return row;
    });
    body.replaceChildren(space(first), ...rows, space(shown.rows.length - last));
  }

  function refill() {
    shown.rows = sortedRows();
    setText(note, `${digits(shown.rows.length)} of ${digits(TABLES[shown.table].n)}`);
    fillHead();
    fillBody();
  }

  function scrollToRow(idx) {
    const at = shown.rows.indexOf(idx);
    if (at < 0) return;
    const top = at * ROW_HEIGHT;
    if (top < rowsBox.scrollTop || top + 2 * ROW_HEIGHT > rowsBox.scrollTop + rowsBox.clientHeight - ROW_HEIGHT) {
      rowsBox.scrollTop = Math.max(0, top - rowsBox.clientHeight / 2);
    }
  }

  function showTable(idx) {
    Object.assign(shown, { table: idx, column: null, isDown: false });
    rowsBox.scrollTop = 0;
    tabs.forEach((tab, at) => {
      tab.setAttribute("aria-selected", at === idx);
      tab.tabIndex = at === idx ? 0 : -1;
    });
    refill();
  }

  const tabs = TABLES.map((table, idx) => el("button", { type: "button", role: "tab", "aria-controls": id, onclick: () => showTable(idx) }, table.name));
  const bar = el("div", { class: "bar" }, el("div", { role: "tablist", "aria-label": "Tables", onkeydown: moveInTabs }, ...tabs), el("span", { class: "grow" }), note, filter);

  function stepRow(by) {
    if (!shown.rows.length) return;
    const at = selected && selected.table === shown.table ? shown.rows.indexOf(selected.row) : -1;
    const item = TABLES[shown.table].item(shown.rows[Math.min(Math.max(at + by, 0), shown.rows.length - 1)]);
    if (item) on.select(item);
  }
  const steps = { ArrowUp: -1, ArrowDown: 1, PageUp: -12, PageDown: 12 };
  rowsBox.addEventListener("keydown", (event) => {
    if (event.target !== rowsBox || event.ctrlKey || event.metaKey || event.altKey) return;
    if (!steps[event.key]) return on.key(event);
    event.preventDefault();
    stepRow(steps[event.key]);
  });
  filter.addEventListener("keydown", (event) => {
    if (event.key !== "ArrowDown") return;
    event.preventDefault();
    rowsBox.focus();
    stepRow(0);
  });
  filter.addEventListener("input", () => {
    rowsBox.scrollTop = 0;
    refill();
  });
  rowsBox.addEventListener("scroll", () => requestAnimationFrame(fillBody));
  body.addEventListener("click", (event) => {
    const row = event.target.closest("tr");
    const item = row?.dataset.idx === undefined ? null : TABLES[shown.table].item(Number(row.dataset.idx));
    if (item) on.select(item);
  });
  showTable(shown.table);
  return {
    bar, rowsBox, filter, shown, refill,
    select: (item) => {
      selected = item;
      if (item && item.table === shown.table) scrollToRow(item.row);
      fillBody();
    },
  };
}
