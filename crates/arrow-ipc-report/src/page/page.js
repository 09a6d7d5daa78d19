// Puts the parts together: headline, details of the selection, mouse and keyboard.
const byId = (id) => document.getElementById(id);

function fillHeadline() {
  document.title = `${DATA.name} – Arrow IPC`;
  byId("name").textContent = DATA.name;
  const sum = (list) => list.reduce((all, value) => all + num(value), 0);
  const n = (value, word) => `${digits(value)} ${word}${value === 1 ? "" : word.endsWith("ch") ? "es" : "s"}`;
  const parts = [`${DATA.container ?? "input"}${DATA.n_bytes === null ? "" : ` of ${bytes(DATA.n_bytes)}`}`];
  if (DATA.schema) {
    parts.push(n(DATA.schema.n_columns, "column"), `metadata ${DATA.schema.version}, ${DATA.schema.endianness}-endian`);
  }
  const others = [[num(DATA.n_truncated_batches), "truncated"], [num(DATA.n_unreadable_batches), "unreadable"]].filter(([count]) => count > 0);
  const incomplete = others.map(([count, word]) => `${digits(count)} ${word}`).join(" and ");
  if (DATA.container !== null) parts.push(n(DATA.n_batches, "batch") + (incomplete && `, and ${incomplete}`), n(DATA.n_rows, "row"));
  const codecs = [...new Set(M.codec.filter(Boolean))];
  if (codecs.length) parts.push(`${codecs.join(" and ")}, ${ratio(sum(M.n_decompressed_bytes), sum(M.n_body_bytes))}`);
  const padding = sum(B.n_padding_bytes);
  if (DATA.container !== null) parts.push(`padding ${percent(padding, TOTAL)}`);
  const unneeded = sum(F.n_unneeded_bytes);
  if (unneeded > 0) parts.push(`not needed ${percent(unneeded, TOTAL)}`);
  byId("summary").replaceChildren(...parts.map((part) => element("span", part)));
  const remarks = [
    ...DATA.damage.map((error) => element("p", `Damaged: ${error}`, "remark bad")),
    ...DATA.notes.map((note) => element("p", `Note: ${note}`, "remark")),
  ];
  if (DATA.n_damage > DATA.damage.length) remarks.push(element("p", `and ${digits(DATA.n_damage - DATA.damage.length)} more`, "remark bad"));
  byId("remarks").replaceChildren(...remarks);
  byId("remarks").hidden = remarks.length === 0;
}

// A button beside each command copies it. Where the browser forbids that, it selects the command.
function addCopyButtons() {
  document.querySelectorAll(".command").forEach((command) => {
    const button = element("button", "Copy");
    button.type = "button";
    button.addEventListener("click", async () => {
      getSelection().selectAllChildren(command);
      try {
        await navigator.clipboard.writeText(command.textContent);
        button.textContent = "Copied";
      } catch {
        button.textContent = "Selected";
      }
    });
    command.after(button);
  });
}

function fillMetadata() {
  const pairs = [...(DATA.schema?.metadata ?? []), ...(DATA.schema?.message_metadata ?? []), ...(DATA.footer?.metadata ?? [])];
  const facts = element("dl");
  facts.append(...pairs.slice(0, 12).map(([key, value]) => fact(cut(key ?? "–", 60), cut(value ?? "–", 120))));
  byId("metadata").append(facts);
  byId("metadata").hidden = pairs.length === 0;
}

function fillLegend() {
  const used = new Map();
  items[MESSAGES].forEach((item) => { if (item.table === 2) used.set(KIND_COLORS[M.kind[item.row]] ?? "several", M.kind[item.row]); });
  if (M.start.length) used.set("metadata", "metadata");
  new Set(B.role).forEach((role) => used.set(ROLE_COLORS[role], B.roles[role]));
  if (B.start.length) used.set("padding", "padding");
  if (DATA.footer) used.set("footer", "footer");
  if (items[MESSAGES].some((item) => item.color === "gap")) used.set("gap", "no message");
  byId("legend").replaceChildren(...[...used].map(([color, name]) => {
    const entry = element("span");
    const patch = element("i");
    patch.style.background = colorOf(color);
    entry.append(patch, name);
    return entry;
  }));
}

function fillDetails() {
  const box = byId("details");
  if (!selected) {
    box.replaceChildren(element("p", "Click a part of the strip or a row of the table to see what it is.", "quiet"));
    return;
  }
  const facts = element("dl");
  facts.append(...selected.facts.map(([name, value]) => fact(name, value)));
  const parts = [element("p", selected.title, "title")];
  if (selected.meaning) parts.push(element("p", selected.meaning, "quiet"));
  box.replaceChildren(...parts, facts);
}
const cut = (words, n) => (words.length > n ? `${words.slice(0, n)}…` : words);
function fact(name, value) {
  const row = element("div");
  row.append(element("dt", name), element("dd", value));
  return row;
}

function select(item, { isFromTable = false } = {}) {
  selected = item;
  fillDetails();
  if (item && isFromTable) reveal(item);
  if (item && item.table === shown.table) scrollToRow(item.row);
  fillBody();
  redraw();
}

function step(by) {
  const lane = items[selected?.lane ?? MESSAGES];
  const at = selected ? lane.indexOf(selected) : by > 0 ? -1 : lane.length;
  const next = lane[Math.min(Math.max(at + by, 0), lane.length - 1)];
  if (next) { select(next); reveal(next); }
}
function changeLane(by) {
  if (!selected) return step(1);
  const lane = Math.min(Math.max(selected.lane + by, 0), LANES.length - 1);
  const [start, end] = [selected.start, selected.end];
  const inside = items[lane].filter((item) => item.start >= start && item.start < end);
  const next = inside.find((item) => item.end > item.start) ?? inside[0] ?? items[lane].findLast((item) => item.start <= start);
  if (next && lane !== selected.lane) { select(next); reveal(next); }
}
function stepRow(by) {
  if (!shown.rows.length) return;
  const at = selected && selected.table === shown.table ? shown.rows.indexOf(selected.row) : -1;
  const item = TABLES[shown.table].item(shown.rows[Math.min(Math.max(at + by, 0), shown.rows.length - 1)]);
  if (item) select(item, { isFromTable: true });
}

const ZOOM_KEYS = {
  "+": () => zoom(0.5), "=": () => zoom(0.5), "-": () => zoom(2), Home: () => setWindow(0, TOTAL),
  Enter: () => selected && zoomTo(selected), Escape: () => select(null),
};
const STRIP_KEYS = {
  ...ZOOM_KEYS, ArrowLeft: () => step(-1), ArrowRight: () => step(1), ArrowUp: () => changeLane(-1), ArrowDown: () => changeLane(1),
};
const TABLE_KEYS = {
  ...ZOOM_KEYS, ArrowUp: () => stepRow(-1), ArrowDown: () => stepRow(1), PageUp: () => stepRow(-12), PageDown: () => stepRow(12),
};
function listen(target, keys) {
  target.addEventListener("keydown", (event) => {
    if (event.target !== target || event.ctrlKey || event.metaKey || event.altKey || !keys[event.key]) return;
    event.preventDefault();
    keys[event.key]();
  });
}

function listenToStrip() {
  const tip = byId("tip");
  const offset = (event) => view.start + ((event.clientX - strip.getBoundingClientRect().left) / strip.clientWidth) * (view.end - view.start);
  strip.addEventListener("wheel", (event) => {
    const span = view.end - view.start;
    const aside = Math.abs(event.deltaX) > Math.abs(event.deltaY) ? event.deltaX : event.shiftKey ? event.deltaY : 0;
    const by = (aside / strip.clientWidth) * span;
    const isChanged = aside ? setWindow(view.start + by, view.end + by) : zoom(1.0018 ** event.deltaY, offset(event));
    // Else the page scrolls.
    if (isChanged) event.preventDefault();
  }, { passive: false });
  // The mouse or fingers that are down; of more than two fingers, the first two.
  const pointers = new Map();
  let drag = null;
  const grip = () => {
    const [a, b = a] = pointers.values();
    return { x: (a.clientX + b.clientX) / 2, distance: Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY), n: pointers.size };
  };
  const hold = () => {
    const isMoved = (drag?.isMoved ?? false) || pointers.size > 1;
    drag = pointers.size ? { ...grip(), start: view.start, end: view.end, isMoved } : null;
  };
  strip.addEventListener("pointerdown", (event) => {
    pointers.set(event.pointerId, event);
    hold();
    strip.setPointerCapture(event.pointerId);
  });
  strip.addEventListener("pointermove", (event) => {
    if (pointers.has(event.pointerId)) {
      pointers.set(event.pointerId, event);
      const { x, distance } = grip();
      const left = strip.getBoundingClientRect().left;
      const span = possibleSpan((drag.end - drag.start) * (drag.distance > 8 && distance > 8 ? drag.distance / distance : 1));
      const held = drag.start + ((drag.x - left) / strip.clientWidth) * (drag.end - drag.start);
      const start = held - ((x - left) / strip.clientWidth) * span;
      drag.isMoved ||= Math.abs(drag.x - x) > 3;
      if (drag.isMoved) setWindow(start, start + span);
    }
    const item = drag?.isMoved ? null : itemAt(event);
    tip.hidden = !item;
    if (!item) return;
    tip.textContent = `${item.title}\n${digits(item.start)} – ${digits(item.end)}, ${bytes(item.end - item.start)}`;
    tip.style.left = `${Math.min(event.clientX + 14, innerWidth - tip.offsetWidth - 8)}px`;
    tip.style.top = `${event.clientY + 18}px`;
  });
  const release = (event) => {
    if (!pointers.delete(event.pointerId)) return;
    if (event.type === "pointerup" && !drag.isMoved) select(itemAt(event));
    hold();
  };
  // A finger that scrolls the page is cancelled here.
  strip.addEventListener("pointerup", release);
  strip.addEventListener("pointercancel", release);
  strip.addEventListener("pointerleave", () => { tip.hidden = true; });
  strip.addEventListener("dblclick", () => selected && zoomTo(selected));
  const move = (event) => {
    if (!event.buttons) return;
    const at = ((event.clientX - overview.getBoundingClientRect().left) / overview.clientWidth) * TOTAL;
    const half = (view.end - view.start) / 2;
    setWindow(at - half, at + half);
  };
  overview.addEventListener("pointerdown", (event) => { overview.setPointerCapture(event.pointerId); move(event); });
  overview.addEventListener("pointermove", move);
}

function start() {
  readColors();
  fillHeadline();
  addCopyButtons();
  fillMetadata();
  fillLegend();
  fillDetails();
  TABLES.forEach((table, idx) => {
    const tab = element("button", table.name);
    tab.type = "button";
    tab.setAttribute("role", "tab");
    tab.addEventListener("click", () => showTable(idx));
    byId("tabs").append(tab);
  });
  showTable(F.path.length ? 1 : 2);
  filter.addEventListener("keydown", (event) => {
    if (event.key !== "ArrowDown") return;
    event.preventDefault();
    rowsBox.focus();
    stepRow(0);
  });
  filter.addEventListener("input", () => { rowsBox.scrollTop = 0; refill(); });
  rowsBox.addEventListener("scroll", () => requestAnimationFrame(fillBody));
  body.addEventListener("click", (event) => {
    const row = event.target.closest("tr");
    const item = row?.dataset.idx === undefined ? null : TABLES[shown.table].item(Number(row.dataset.idx));
    if (item) select(item, { isFromTable: true });
  });
  listenToStrip();
  listen(strip, STRIP_KEYS);
  listen(rowsBox, TABLE_KEYS);
  document.addEventListener("keydown", (event) => {
    if (event.key !== "/" || event.target === filter) return;
    event.preventDefault();
    filter.focus();
  });
  byId("in").addEventListener("click", () => zoom(0.5));
  byId("out").addEventListener("click", () => zoom(2));
  byId("all").addEventListener("click", () => setWindow(0, TOTAL));
  byId("to-selected").addEventListener("click", () => selected && zoomTo(selected));
  addEventListener("resize", redraw);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => { readColors(); fillLegend(); redraw(); });
  draw();
}
start();
