// The bytes of a file: what each column costs, what is odd and what mends it, damage, and the map of messages and buffers.
import { KIND_COLORS, LANES, MESSAGES, ROLE_COLORS, bytes, digits, mapOf, num, percent, ratio } from "./bytes-model.js";
import { stripOf } from "./bytes-strip.js";
import { tablesOf } from "./bytes-tables.js";
import { copy, count, counted, el, isolated, setText } from "./dom.js";
import { cut } from "./shown.js";

/** The columns, errors and findings that are shown at once. */
const COLUMNS_SHOWN = 12;
const REMARKS_SHOWN = 20;

let n_made = 0;

export class BytesView {
  #inspect;
  #map = null;
  #strip = null;
  #tables = null;
  #selected = null;
  #isEnded = false;

  /** `inspect()` resolves to an inspection. */
  constructor(inspect) {
    this.#inspect = inspect;
    this.element = el("div", { class: "bytes-view" });
  }

  /** Shows it, and inspects the file the first time. */
  async show() {
    if (this.#inspect === null) return;
    const inspect = this.#inspect;
    this.#inspect = null;
    this.element.replaceChildren(el("p", { class: "quiet note", role: "status" }, "The heads of all messages are read…"));
    try {
      const found = await inspect();
      if (this.#isEnded) return;
      this.found = found;
      this.#fill(found);
    } catch (error) {
      // What failed is tried again by the next call.
      this.#inspect = inspect;
      this.element.replaceChildren(el("p", { class: "bad note", role: "alert" }, error.message));
    }
  }

  #fill(found) {
    const remarks = [];
    if (found.is_part) remarks.push(el("p", { class: "remark" }, `Only the first ${counted(num(found.messages.n_messages.reduce((sum, n) => sum + num(n), 0)), "message")} are shown, since the metadata of all is longer than this page keeps. "arrow-ipc explain" reads all.`));
    const cost = el("section", { class: "cost", "aria-label": "Bytes by column" }, el("h2", {}, "What takes the bytes"), costTable(found));
    const odd = el("section", { class: "findings", "aria-label": "What is odd, and what mends it" }, el("h2", {}, "What is odd, and what mends it"), ...findingsOf(found));
    this.element.replaceChildren(...remarks, ...damageOf(found), el("div", { class: "pair" }, cost, odd), this.#mapSection(found));
  }

  #mapSection(found) {
    const map = (this.#map = mapOf(found));
    this.details = el("div", { class: "details", "aria-live": "polite", "aria-label": "The selection" });
    const legend = el("div", { class: "legend" });
    this.#strip = stripOf(map, { select: (item) => this.#select(item), colors: (colorOf) => fillLegend(legend, map, colorOf) });
    this.#tables = tablesOf(map, { select: (item) => this.#select(item, true), key: (event) => this.#key(event) }, `bytes-rows-${n_made++}`);
    const { strip, overview, label, tip } = this.#strip;
    strip.addEventListener("keydown", (event) => this.#key(event, true));
    const keys = el("p", { class: "quiet keys", id: `bytes-keys-${n_made}` }, "Rows are messages, columns and buffers. Wheel, pinch or ", key("+"), key("−"), " zoom; drag moves; ", key("←"), key("→"), " step, ", key("↑"), key("↓"), " change rows, ", key("Enter"), " zooms to the selection, ", key("Home"), " shows all.");
    strip.setAttribute("aria-describedby", keys.id);
    const button = (text, name, act) => el("button", { type: "button", "aria-label": name, title: name, onclick: act }, text);
    const bar = el(
      "div",
      { class: "bar" },
      el("h2", {}, "Map"),
      label,
      el("span", { class: "grow" }),
      button("−", "Zoom out", () => this.#strip.zoom(2)),
      button("+", "Zoom in", () => this.#strip.zoom(0.5)),
      button("Selection", "Zoom to the selection", () => this.#selected && this.#strip.zoomTo(this.#selected)),
      button("All", "Show all bytes", () => this.#strip.setWindow(0, map.total)),
    );
    this.#fillDetails();
    return el("section", { class: "map", "aria-label": "The bytes, to scale" }, bar, overview, strip, legend, ...joinedNote(found), this.details, keys, this.#tables.bar, this.#tables.rowsBox, tip);
  }

  #fillDetails() {
    const item = this.#selected;
    if (item === null) {
      this.details.replaceChildren(el("p", { class: "quiet" }, "Click a part of the map, or a row of the table below, to see what it is."));
      return;
    }
    const facts = item.facts.map(([name, value]) => el("div", {}, el("dt", {}, name), el("dd", {}, isolated(cut(value, 400)))));
    const meaning = item.meaning ? [el("p", { class: "quiet" }, item.meaning)] : [];
    this.details.replaceChildren(el("p", { class: "title" }, isolated(cut(item.title, 400))), ...meaning, el("dl", {}, ...facts));
  }

  #select(item, isFromTable = false) {
    this.#selected = item ?? null;
    this.#fillDetails();
    if (item && isFromTable) this.#strip.reveal(item);
    this.#tables.select(this.#selected);
    this.#strip.select(this.#selected);
  }

  #goTo(item) {
    if (!item) return;
    this.#select(item);
    this.#strip.reveal(item);
  }

  /** Steps to the item before or after the chosen one. */
  #step(by) {
    const lane = this.#map.items[this.#selected?.lane ?? MESSAGES];
    const at = this.#selected ? lane.indexOf(this.#selected) : by > 0 ? -1 : lane.length;
    this.#goTo(lane[Math.min(Math.max(at + by, 0), lane.length - 1)]);
  }

  #changeLane(by) {
    if (this.#selected === null) return this.#step(1);
    const { start, end, lane: from } = this.#selected;
    const lane = Math.min(Math.max(from + by, 0), LANES.length - 1);
    const items = this.#map.items[lane];
    const inside = items.filter((item) => item.start >= start && item.start < end);
    const next = inside.find((item) => item.end > item.start) ?? inside[0] ?? items.findLast((item) => item.start <= start);
    if (lane !== from) this.#goTo(next);
  }

  #key(event, isStrip = false) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const act = {
      "+": () => this.#strip.zoom(0.5),
      "=": () => this.#strip.zoom(0.5),
      "-": () => this.#strip.zoom(2),
      Home: () => this.#strip.setWindow(0, this.#map.total),
      Enter: () => this.#selected && this.#strip.zoomTo(this.#selected),
      Escape: () => this.#select(null),
      ...(isStrip && {
        ArrowLeft: () => this.#step(-1),
        ArrowRight: () => this.#step(1),
        ArrowUp: () => this.#changeLane(-1),
        ArrowDown: () => this.#changeLane(1),
      }),
    }[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  }

  end() {
    this.#isEnded = true;
    this.#strip?.end();
  }
}

const key = (name) => el("kbd", {}, name);

/** The errors and notes of an inspection. */
function damageOf({ damage, n_damage, notes }) {
  const shown = [
    ...damage.slice(0, REMARKS_SHOWN).map((text) => el("p", { class: "remark bad" }, "Damaged: ", isolated(text))),
    ...(num(n_damage) > REMARKS_SHOWN ? [el("p", { class: "remark bad" }, `${counted(num(n_damage) - Math.min(damage.length, REMARKS_SHOWN), "more error")} were found.`)] : []),
    ...notes.slice(0, REMARKS_SHOWN).map((text) => el("p", { class: "remark" }, "Note: ", isolated(text))),
  ];
  return shown.length === 0 ? [] : [el("section", { "aria-label": "Damage and notes", class: "damage" }, ...shown)];
}

/** Where neighbours are one item. */
function joinedNote({ messages, buffers }) {
  const of = (counts, one) => {
    const all = counts.reduce((sum, n) => sum + num(n), 0);
    return all > counts.length ? [`${counted(all, one)} in ${count(counts.length)} pieces`] : [];
  };
  const texts = [...of(messages.n_messages, "message"), ...of(buffers.n_buffers, "buffer")];
  return texts.length === 0 ? [] : [el("p", { class: "quiet" }, `Neighbours are drawn together: ${texts.join(", ")}.`)];
}

/** What each column takes, and all else; sorted by what a person chooses. */
function costTable(found) {
  const { columns, codecs, n_tensor_bytes, n_unknown_bytes, n_metadata_bytes, n_padding_bytes, n_other_bytes, n_body_bytes } = found.explanation;
  const total = num(found.n_bytes ?? n_body_bytes + n_metadata_bytes);
  if (total === 0) return el("p", { class: "quiet" }, "There are no bytes.");
  const hasCodec = codecs.length > 0;
  const rest = [
    ["tensors", n_tensor_bytes],
    ["bodies of unknown content", n_unknown_bytes],
    [found.container === "file" ? "metadata of messages, and the footer" : "metadata of messages", n_metadata_bytes],
    ["padding", n_padding_bytes],
    ["other bytes", n_other_bytes],
  ].filter(([, n]) => n > 0);
  const parts = columns.map(({ name, type, n_bytes, n_decompressed_bytes: whole }) => ({ name, type, n_bytes, whole }));
  const heads = [["Column", "name"], ["Type", "type"], ["Bytes", "n_bytes"], ...(hasCodec ? [["Ratio", "ratio"]] : []), ["Share", null]];
  let [by, isDown, isAll] = ["n_bytes", true, false];
  const head = el("tr");
  const body = el("tbody");
  const share = (n) => {
    const bar = el("meter", { class: "share", min: 0, max: total, "aria-hidden": "true" });
    bar.value = n;
    return el("td", { class: "shares" }, el("span", {}, percent(n, total)), bar);
  };
  const value = (part) => (by === "ratio" ? num(part.whole) / Math.max(part.n_bytes, 1) : part[by]);
  const fill = () => {
    head.replaceChildren(
      ...heads.map(([label, field]) => {
        const isNumber = field === "n_bytes" || field === "ratio";
        if (field === null) return el("th", { scope: "col" }, label);
        const isSorted = by === field;
        const sort = el("button", { type: "button" }, label + (isSorted ? (isDown ? " ▾" : " ▴") : ""));
        sort.addEventListener("click", () => {
          isDown = isSorted ? !isDown : isNumber;
          by = field;
          fill();
          head.children[heads.findIndex(([, other]) => other === field)].firstChild.focus();
        });
        return el("th", { scope: "col", class: isNumber ? "number" : "", "aria-sort": isSorted ? (isDown ? "descending" : "ascending") : "none" }, sort);
      }),
    );
    const sorted = [...parts].sort((a, b) => (value(a) < value(b) ? -1 : value(a) > value(b) ? 1 : 0) * (isDown ? -1 : 1));
    const seen = sorted.slice(0, isAll ? 1_000 : COLUMNS_SHOWN);
    const rows = seen.map(({ name, type, n_bytes, whole }) =>
      el(
        "tr",
        {},
        el("th", { scope: "row" }, isolated(name === "" ? "(no name)" : cut(name))),
        el("td", {}, el("code", { class: "type" }, cut(type, 60))),
        el("td", { class: "number", title: bytes(n_bytes) }, digits(n_bytes)),
        ...(hasCodec ? [el("td", { class: "number", title: whole === null ? "The decompressed length is unknown: no bytes of bodies were read" : `from ${bytes(whole)}` }, ratio(whole, n_bytes))] : []),
        share(n_bytes),
      ),
    );
    const span = hasCodec ? 5 : 4;
    if (!isAll && sorted.length > COLUMNS_SHOWN) {
      const left = sorted.slice(COLUMNS_SHOWN).reduce((sum, { n_bytes }) => sum + n_bytes, 0);
      const all = el("button", { type: "button", class: "link", onclick: () => { isAll = true; fill(); } }, `${counted(sorted.length - COLUMNS_SHOWN, "more column")}: ${bytes(left)}, ${percent(left, total)}`);
      rows.push(el("tr", {}, el("td", { colspan: span }, all)));
    } else if (sorted.length > seen.length) {
      rows.push(el("tr", {}, el("td", { colspan: span, class: "quiet" }, `${counted(sorted.length - seen.length, "more column")}: see the table of fields below`)));
    }
    for (const [what, n] of rest) {
      rows.push(el("tr", { class: "rest" }, el("td", { colspan: 2, class: "quiet" }, what), el("td", { class: "number" }, digits(n)), ...(hasCodec ? [el("td")] : []), share(n)));
    }
    body.replaceChildren(...rows);
  };
  fill();
  return el("div", { class: "wide" }, el("table", { class: "costs" }, el("thead", {}, head), body));
}

/** What is odd, with the commands that mend it. */
function findingsOf({ explanation: { findings }, commands, is_part }) {
  if (is_part) return [el("p", { class: "quiet" }, "Of a part, that is not known.")];
  if (findings.length === 0) return [el("p", {}, "Nothing is odd about its layout. ", el("code", {}, "arrow-ipc validate"), " checks its values.")];
  return findings.map(({ text }, i) => {
    const remark = el("div", { class: "finding" }, el("p", {}, isolated(cut(text, 2000))));
    const command = commands[i];
    if (command !== null) {
      const button = el("button", { type: "button", "aria-label": `Copy the command: ${cut(command)}` }, "Copy");
      button.addEventListener("click", async () => setText(button, (await copy(command)) ? "Copied" : "Not copied"));
      remark.append(el("div", { class: "command" }, el("code", { tabindex: 0 }, cut(command, 2000)), button));
    }
    return remark;
  });
}

function fillLegend(legend, { found: { messages, buffers, footer }, items }, colorOf) {
  const used = new Map();
  items[MESSAGES].forEach((item) => {
    if (item.table === 2) used.set(KIND_COLORS[messages.kind[item.row]] ?? "several", messages.kind[item.row]);
  });
  if (messages.start.length > 0) used.set("metadata", "metadata");
  for (const role of new Set(buffers.role)) used.set(ROLE_COLORS[role] ?? "several", role);
  if (buffers.start.length > 0) used.set("padding", "padding");
  if (footer) used.set("footer", "footer");
  if (items[MESSAGES].some((item) => item.color === "gap")) used.set("gap", "no message");
  legend.replaceChildren(
    ...[...used].map(([color, name]) => {
      const patch = el("i");
      patch.style.background = colorOf(color);
      return el("span", {}, patch, name);
    }),
  );
}
