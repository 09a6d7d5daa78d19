// The table of rows: a grid that has elements only for what is on the screen.
import { count, el, setAttribute, setText } from "./dom.js";
import { headLine } from "./heads.js";
import { isNumber, kindOf, preview } from "./preview.js";
import { Scroll } from "./scroll.js";
import { cut } from "./shown.js";
import { zoneNote } from "./times.js";

const ROW = 28;
const HEAD = 46;
/** How near to the edge of a column the mouse makes it wider. */
const EDGE = 5;
const LEAST_WIDTH = 72;
const MOST_WIDTH = 340;
/** The width of a character of the table, about. */
const CHARACTER = 7.6;
const BOLD = 8.8;

/** The most cells that are copied at once. */
const MOST_COPIED = 200_000;

let n_grids = 0;

export class Grid {
  #scroll = new Scroll();
  #widths;
  /** Where each column starts, and the width of all. */
  #lefts;
  #measured = new Set();
  #rows = [];
  #isDrawing = false;
  #timer = 0;
  #id = `grid${n_grids++}`;
  /** The cell with the focus, and the other corner of the selection. */
  active = { row: 0, column: 0 };
  #anchor = { row: 0, column: 0 };
  #found = -1;
  /** What the mouse does while it is pressed: selects cells, or makes a column wider. */
  #drag = null;

  /**
   * `model` has `n_rows`, `fields`, `cell(row, position)`, `want(from, to, positions)`, `name`; `on.open(row, position)` shows a value,
   * `on.copy(from, to, positions)` copies values.
   */
  constructor(model, on) {
    this.model = model;
    this.on = on;
    const { fields, n_rows } = model;
    this.gutter = gutterOf(n_rows);
    this.#widths = fields.map(({ name, type }) =>
      clamp(Math.max(name.length * BOLD + 26, Math.min(type.text.length, 32) * 7 + 26), LEAST_WIDTH, MOST_WIDTH),
    );
    this.#place();
    this.head = el("div", { role: "row", class: "row head", "aria-rowindex": 1 });
    this.body = el("div", { role: "rowgroup", class: "rows" });
    this.layer = el("div", { class: "layer", role: "presentation" }, el("div", { role: "rowgroup" }, this.head), this.body);
    this.space = el("div", { class: "space", role: "presentation" });
    this.element = el(
      "div",
      {
        class: "grid",
        role: "grid",
        tabindex: 0,
        "aria-label": `Rows of ${model.name}`,
        "aria-rowcount": n_rows + 1,
        "aria-colcount": fields.length + 1,
        "aria-multiselectable": "true",
        onscroll: () => this.#scrolled(),
        onkeydown: (event) => this.#key(event),
        onpointerdown: (event) => this.#pressed(event),
        onpointermove: (event) => this.#dragged(event),
        onlostpointercapture: () => (this.#drag = null),
        onclick: (event) => this.#tapped(event),
        ondblclick: (event) => {
          if (this.#at(event)) this.on.open(this.active.row, this.active.column);
        },
        oncopy: (event) => {
          event.preventDefault();
          this.#copy();
        },
      },
      this.layer,
      this.space,
    );
    this.observer = new ResizeObserver(() => this.#resized());
    this.observer.observe(this.element);
  }

  /** Sets the number of rows, while they are counted. */
  setRows(n_rows) {
    this.model.n_rows = n_rows;
    this.element.setAttribute("aria-rowcount", n_rows + 1);
    this.gutter = gutterOf(n_rows);
    for (const row of [this.head, ...this.#rows]) {
      if (row.firstChild) row.firstChild.style.width = `${this.gutter}px`;
    }
    this.#place();
    this.#resized();
  }

  #place() {
    let left = this.gutter;
    this.#lefts = [...this.#widths.map((width) => (left += width) - width), left];
  }

  #resized() {
    const { clientWidth, clientHeight } = this.element;
    // Hidden elements have no size.
    if (clientHeight === 0) return;
    this.#scroll.set(this.model.n_rows * ROW + HEAD, clientHeight);
    this.space.style.width = `${this.#lefts.at(-1)}px`;
    this.space.style.height = `${this.#scroll.height}px`;
    this.layer.style.width = `${clientWidth}px`;
    this.layer.style.height = `${clientHeight}px`;
    this.element.scrollTop = this.#scroll.placed();
    this.draw();
  }

  #scrolled() {
    const place = this.#scroll.moved(this.element.scrollTop);
    if (place !== null) this.element.scrollTop = place;
    this.draw();
  }

  /** Draws in the next frame. */
  draw() {
    if (this.#isDrawing) return;
    this.#isDrawing = true;
    requestAnimationFrame(() => {
      this.#isDrawing = false;
      this.#drawNow();
    });
  }

  /** The rows and columns on the screen. */
  #window() {
    const { scrollLeft, clientWidth, clientHeight } = this.element;
    const { position } = this.#scroll;
    const first = Math.floor(position / ROW);
    const end = Math.min(this.model.n_rows, Math.ceil((position + clientHeight - HEAD) / ROW));
    const lefts = this.#lefts;
    let start = 0;
    while (start < this.#widths.length - 1 && lefts[start + 1] <= scrollLeft + this.gutter) start++;
    let stop = start;
    while (stop < this.#widths.length && lefts[stop] < scrollLeft + clientWidth) stop++;
    return { first, end, start, stop, scrollLeft, position };
  }

  #drawNow() {
    if (this.element.clientHeight === 0) return;
    const seen = this.#window();
    const { first, end, start, stop } = seen;
    const positions = Array.from({ length: stop - start }, (_, k) => start + k);
    if (this.#measure(first, end, positions)) {
      this.#place();
      this.space.style.width = `${this.#lefts.at(-1)}px`;
      this.draw();
      return;
    }
    this.#drawHead(seen, positions);
    const selection = this.#selection();
    let activeId = null;
    for (let k = 0; k < Math.max(this.#rows.length, end - first); k++) {
      const row = (this.#rows[k] ??= this.#newRow());
      const index = first + k;
      row.hidden = index >= end;
      if (row.hidden) continue;
      row.style.transform = `translateY(${index * ROW - seen.position + HEAD}px)`;
      row.setAttribute("aria-rowindex", index + 2);
      row.classList.toggle("found", index === this.#found);
      row.classList.toggle("odd", index % 2 === 1);
      const cells = row.childNodes;
      setText(cells[0], count(index));
      positions.forEach((position, n) => {
        const cell = cells[n + 1] ?? row.appendChild(el("div", { role: "gridcell", class: "cell" }));
        this.#drawCell(cell, index, position, seen.scrollLeft);
        const isActive = index === this.active.row && position === this.active.column;
        const isSelected = index >= selection.top && index <= selection.bottom && position >= selection.left && position <= selection.right;
        cell.classList.toggle("active", isActive);
        cell.classList.toggle("selected", isSelected);
        cell.setAttribute("aria-selected", isSelected);
        if (isActive) activeId = cell.id = `${this.#id}-${index}-${position}`;
        else cell.removeAttribute("id");
      });
      while (cells.length > positions.length + 1) row.lastChild.remove();
    }
    if (activeId) this.element.setAttribute("aria-activedescendant", activeId);
    else this.element.removeAttribute("aria-activedescendant");
    // While the bar is dragged, nothing is read.
    clearTimeout(this.#timer);
    const isFar = Math.abs(first - (this.lastFirst ?? first)) > 2 * (end - first);
    this.lastFirst = first;
    if (isFar) this.#timer = setTimeout(() => this.model.want(first, end, positions), 60);
    else this.model.want(first, end, positions);
  }

  #newRow() {
    const row = el("div", { role: "row", class: "row" }, el("div", { role: "rowheader", class: "cell number gutter", "aria-colindex": 1 }));
    row.firstChild.style.width = `${this.gutter}px`;
    this.body.append(row);
    return row;
  }

  #drawHead({ scrollLeft }, positions) {
    const cells = this.head.childNodes;
    if (cells.length === 0) {
      const corner = el("div", { role: "columnheader", class: "cell gutter", "aria-colindex": 1 }, "Row");
      corner.style.width = `${this.gutter}px`;
      this.head.append(corner);
    }
    positions.forEach((position, n) => {
      const cell =
        cells[n + 1] ??
        this.head.appendChild(el("div", { role: "columnheader", class: "cell" }, el("bdi", { class: "name" }), el("span", { class: "type" })));
      const { name, type } = this.model.fields[position];
      const text = headLine(this.model.fields[position], this.model.statistics?.get(position));
      setText(cell.firstChild, name === "" ? "(no name)" : cut(name));
      setText(cell.lastChild, text);
      const note = zoneNote(type);
      setAttribute(cell, "title", `${cut(name)}: ${text}${note === null ? "" : `; ${note}`}`);
      cell.classList.toggle("number", isNumber(type));
      this.#put(cell, position, scrollLeft);
    });
    while (cells.length > positions.length + 1) this.head.lastChild.remove();
  }

  /** Makes columns wide enough for their heads, which say more now. */
  fitHeads() {
    this.model.statistics.forEach((known, position) => {
      const { length } = headLine(this.model.fields[position], known);
      this.#widths[position] = clamp(length * 7 + 26, this.#widths[position], MOST_WIDTH);
    });
    this.#place();
    this.space.style.width = `${this.#lefts.at(-1)}px`;
    this.draw();
  }

  #put(cell, position, scrollLeft) {
    cell.style.transform = `translateX(${this.#lefts[position] - scrollLeft}px)`;
    cell.style.width = `${this.#widths[position]}px`;
    cell.setAttribute("aria-colindex", position + 2);
  }

  #drawCell(cell, row, position, scrollLeft) {
    this.#put(cell, position, scrollLeft);
    const part = this.model.cell(row, position);
    const { type } = this.model.fields[position];
    let kind = isNumber(type) ? "number" : "";
    let text = "";
    if (part === null) {
      kind = "waiting";
      text = "…";
    } else if (part.error) {
      kind = "bad";
      text = "unreadable";
    } else {
      const shown = preview(part.column, part.slot);
      if (shown === null) kind += " null";
      else if (kind === "") kind = { plain: "", bytes: "bytes" }[kindOf(part.column)] ?? "nested";
      text = shown ?? "null";
    }
    cell.className = `cell ${kind}`;
    setAttribute(cell, "title", part?.error ? part.error.message : "");
    if (kind === "" || kind === "nested") cell.dir = "auto";
    else cell.removeAttribute("dir");
    setText(cell, text);
  }

  /** Fits columns to the first values that are seen of them. */
  #measure(first, end, positions) {
    let isChanged = false;
    for (const position of positions) {
      if (this.#measured.has(position) || !this.model.cell(first, position)) continue;
      this.#measured.add(position);
      let longest = 0;
      for (let row = first; row < end; row++) {
        const part = this.model.cell(row, position);
        if (part?.column) longest = Math.max(longest, preview(part.column, part.slot, 60)?.length ?? 4);
      }
      const width = clamp(longest * CHARACTER + 26, this.#widths[position], MOST_WIDTH);
      isChanged ||= width !== this.#widths[position];
      this.#widths[position] = width;
    }
    return isChanged;
  }

  #selection() {
    const { active } = this;
    const anchor = this.#anchor;
    return {
      top: Math.min(active.row, anchor.row),
      bottom: Math.max(active.row, anchor.row),
      left: Math.min(active.column, anchor.column),
      right: Math.max(active.column, anchor.column),
    };
  }

  /** Moves the focus, and shows it. */
  go(row, column, isExtending = false) {
    const { n_rows, fields } = this.model;
    if (n_rows === 0 || fields.length === 0) return;
    this.active = { row: clamp(row, 0, n_rows - 1), column: clamp(column, 0, fields.length - 1) };
    if (!isExtending) this.#anchor = this.active;
    const { clientHeight, clientWidth, scrollLeft } = this.element;
    const height = clientHeight - HEAD;
    const top = this.active.row * ROW;
    const { position } = this.#scroll;
    if (top < position || top + ROW > position + height) {
      const isNear = Math.abs(top - position) < 2 * height;
      const place = isNear ? (top < position ? top : top + ROW - height) : top - height / 3;
      this.element.scrollTop = this.#scroll.go(place);
    }
    const left = this.#lefts[this.active.column];
    const right = left + this.#widths[this.active.column];
    if (left < scrollLeft + this.gutter) this.element.scrollLeft = left - this.gutter;
    else if (right > scrollLeft + clientWidth) this.element.scrollLeft = Math.min(left - this.gutter, right - clientWidth);
    this.draw();
  }

  /** Marks a row that was found, and goes to it. */
  find(row) {
    this.#found = row;
    if (row >= 0) this.go(row, this.active.column);
    else this.draw();
  }

  #key(event) {
    const { row, column } = this.active;
    const page = Math.max(1, Math.floor((this.element.clientHeight - HEAD) / ROW) - 1);
    const isAll = event.ctrlKey || event.metaKey;
    const { n_rows, fields } = this.model;
    const to = {
      ArrowUp: [isAll ? 0 : row - 1, column],
      ArrowDown: [isAll ? n_rows - 1 : row + 1, column],
      ArrowLeft: [row, isAll ? 0 : column - 1],
      ArrowRight: [row, isAll ? fields.length - 1 : column + 1],
      PageUp: [row - page, column],
      PageDown: [row + page, column],
      Home: [isAll ? 0 : row, 0],
      End: [isAll ? n_rows - 1 : row, fields.length - 1],
    }[event.key];
    if (to) {
      event.preventDefault();
      this.go(...to, event.shiftKey);
    } else if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      this.on.open(row, column);
    } else if (isAll && event.key.toLowerCase() === "c") {
      event.preventDefault();
      this.#copy();
    }
  }

  /** The row and column at a pointer, −1 for the numbers of rows; null if there is no cell. */
  #at(event, isOutside = false) {
    const box = this.element.getBoundingClientRect();
    const [x, y] = [event.clientX - box.left, event.clientY - box.top];
    // Bars are not cells.
    if (!isOutside && (x >= this.element.clientWidth || y >= this.element.clientHeight || y < HEAD)) return null;
    const row = Math.floor((y - HEAD + this.#scroll.position) / ROW);
    const across = x + this.element.scrollLeft;
    const column = x < this.gutter ? -1 : this.#lefts.findLastIndex((left) => left <= across);
    if (!isOutside && (row >= this.model.n_rows || column >= this.model.fields.length)) return null;
    return { row, column };
  }

  /** The column whose right edge is at a pointer in the head; −1 if there is none. */
  #edge(event) {
    const box = this.element.getBoundingClientRect();
    const [x, y] = [event.clientX - box.left, event.clientY - box.top];
    if (y >= HEAD || x < this.gutter) return -1;
    const across = x + this.element.scrollLeft;
    return this.#widths.findIndex((_, k) => Math.abs(this.#lefts[k + 1] - across) <= EDGE);
  }

  #pressed(event) {
    if (event.button !== 0 || event.pointerType === "touch") return;
    const edge = this.#edge(event);
    const cell = this.#at(event);
    if (edge >= 0) {
      this.#drag = { edge, from: event.clientX, width: this.#widths[edge] };
      event.preventDefault();
    } else if (cell) {
      this.#drag = { cell };
      this.#choose(cell, event.shiftKey);
    } else {
      return;
    }
    this.element.setPointerCapture(event.pointerId);
  }

  #dragged(event) {
    if (this.#drag === null) {
      this.head.classList.toggle("resizing", event.pointerType === "mouse" && this.#edge(event) >= 0);
    } else if (this.#drag.edge !== undefined) {
      const { edge, from, width } = this.#drag;
      this.#widths[edge] = clamp(width + event.clientX - from, 40, 4000);
      this.#measured.add(edge);
      this.#place();
      this.space.style.width = `${this.#lefts.at(-1)}px`;
      this.draw();
    } else {
      const { row, column } = this.#at(event, true);
      const last = this.#drag.cell.column < 0 ? this.model.fields.length - 1 : Math.max(0, column);
      if (this.#drag.cell.column < 0) this.#anchor = { row: this.#anchor.row, column: 0 };
      if (row !== this.active.row || last !== this.active.column) this.#extend(row, last, this.#drag.cell.column < 0);
    }
  }

  /** Extends the selection by the mouse. Whole rows do not scroll to their last column. */
  #extend(row, column, isRows) {
    const before = this.element.scrollLeft;
    this.go(row, column, true);
    if (isRows) this.element.scrollLeft = before;
  }

  #choose({ row, column }, isExtending) {
    if (column >= 0) {
      this.go(row, column, isExtending);
      return;
    }
    // A number of a row is its whole row.
    const { scrollLeft } = this.element;
    const from = isExtending ? this.#anchor.row : row;
    this.go(row, 0);
    this.#anchor = { row: from, column: this.model.fields.length - 1 };
    this.element.scrollLeft = scrollLeft;
    this.draw();
  }

  /** A finger chooses a cell, and shows the value of the chosen one. */
  #tapped(event) {
    const cell = event.pointerType === "touch" ? this.#at(event) : null;
    if (!cell) return;
    const isChosen = cell.row === this.active.row && cell.column === this.active.column;
    if (isChosen) this.on.open(cell.row, cell.column);
    else this.#choose(cell, false);
  }

  #copy() {
    const { top, bottom, left, right } = this.#selection();
    if ((bottom - top + 1) * (right - left + 1) > MOST_COPIED) {
      this.on.say(`At most ${count(MOST_COPIED)} cells are copied at once.`);
      return;
    }
    this.on.copy(top, bottom + 1, Array.from({ length: right - left + 1 }, (_, k) => left + k));
  }

  end() {
    this.observer.disconnect();
    clearTimeout(this.#timer);
  }
}

/** The width of the numbers of rows. */
const gutterOf = (n_rows) => Math.max(52, String(count(Math.max(0, n_rows - 1))).length * CHARACTER + 20);

const clamp = (number, least, most) => Math.max(least, Math.min(most, number));
