// What is shown of one file: its rows, its schema, and the value of the chosen cell.
import { BytesView } from "./bytes.js";
import { Blocks } from "./blocks.js";
import { byteSize, copy, count, counted, el, isolated, more, moveInTabs, setText } from "./dom.js";
import { search, slices } from "./find.js";
import { Grid } from "./grid.js";
import { Matches, MOST_LISTED } from "./matches.js";
import { resolved } from "./preview.js";
import { Saving } from "./save.js";
import { schemaView } from "./schema.js";
import { cut } from "./shown.js";
import { shownText } from "./times.js";
import { valueView } from "./value.js";

let n_views = 0;

export class View {
  /** The open file. */
  file;
  #starts;
  #blocks;
  #id = `view${n_views++}`;
  /** Counts searches, so that one that was stopped knows. */
  #search = 0;

  constructor(name, n_bytes, opened, inspect) {
    const { file, container, starts, source } = opened;
    this.opened = opened;
    this.file = file;
    this.#starts = starts;
    const { schema, numBatches } = file;
    this.#blocks = new Blocks(file, starts, () => this.#changed());
    const model = {
      name,
      n_rows: starts[numBatches],
      fields: schema.fields,
      cell: (row, position) => this.#blocks.cell(row, position),
      want: (from, to, positions) => this.#blocks.want(from, to, positions),
    };
    this.model = model;
    this.grid = new Grid(model, {
      open: (row, position) => this.#showValue(row, position),
      copy: (from, to, positions) => this.#copyCells(from, to, positions),
      say: (text) => this.#say(text),
    });
    const size = n_bytes === null ? [] : [byteSize(n_bytes)];
    const about = [counted(schema.fields.length, "column"), counted(numBatches, "batch", "batches"), container, ...size];
    this.rowFact = el("span");
    this.status = el("span", { class: "status", role: "status" });
    this.aside = el("aside", { class: "value", "aria-label": "Value", hidden: true });
    const rows = el("div", { class: "panel rows-panel", role: "tabpanel", id: `${this.#id}-rows`, "aria-labelledby": `${this.#id}-rows-tab` });
    this.note = el("p", { class: "quiet note" });
    this.matches = new Matches((row) => this.grid.find(row), () => this.grid.element.focus());
    const table = el("div", { class: "table" }, this.grid.element, this.aside);
    rows.append(this.#toolbar(), this.note, table, this.matches.element);
    const schemaPanel = el("div", { class: "panel", role: "tabpanel", id: `${this.#id}-schema`, "aria-labelledby": `${this.#id}-schema-tab`, hidden: true, tabindex: 0 });
    const goTo = (position) => {
      this.#show("rows");
      requestAnimationFrame(() => {
        this.grid.go(this.grid.active.row, position);
        this.grid.element.focus();
      });
    };
    this.fillSchema = () => schemaPanel.replaceChildren(schemaView(schema, file.metadata, container, goTo, model.statistics));
    this.bytes = new BytesView(inspect);
    const bytesPanel = el("div", { class: "panel", role: "tabpanel", id: `${this.#id}-bytes`, "aria-labelledby": `${this.#id}-bytes-tab`, hidden: true, tabindex: 0 }, this.bytes.element);
    this.panels = { rows, schema: schemaPanel, bytes: bytesPanel };
    this.tabs = Object.fromEntries([["rows", "Rows"], ["schema", "Schema"], ["bytes", "Bytes"]].map(([key, label]) => [key, this.#tab(key, label)]));
    const bar = el("div", { class: "bar about" }, el("div", { role: "tablist", "aria-label": "Parts", onkeydown: moveInTabs }, ...Object.values(this.tabs)));
    bar.append(el("p", { class: "facts" }, this.rowFact, ...about.map((fact) => el("span", {}, fact))));
    this.saving = new Saving(source, name, container);
    this.save = this.saving.button("Save…");
    bar.append(el("span", { class: "grow" }), this.save);
    this.element = el("section", { class: "view", "aria-label": name }, bar);
    const told = schema.unsupported.map(({ error }) => `This column is not shown: ${error}`);
    if (file.bytesAfterEnd > 0) {
      told.push(`${counted(file.bytesAfterEnd, "byte")} after the end of the stream are not shown, perhaps another stream. "arrow-ipc cat" reads streams that follow each other.`);
    }
    if (file.unreferencedBytes !== null) {
      const { start, end, isSecondFile } = file.unreferencedBytes;
      told.push(isSecondFile ? `A second file begins at byte ${count(start)}; only batches of the first are shown.`
        : `${counted(end - start, "byte")} from byte ${count(start)} to the footer are in none of its blocks, and not shown. "arrow-ipc recover" looks for batches in them.`);
    }
    if (told.length > 0) {
      const lines = more(told.length, (k) => el("p", {}, isolated(told[k])), { name: "p" });
      this.element.append(el("div", { class: "problems", role: "alert" }, ...lines));
    }
    this.element.append(this.saving.element, rows, schemaPanel, bytesPanel);
    this.#show("rows");
    this.#tell();
    /** Resolves when the rows of all batches are counted. */
    this.counted = this.#count();
  }

  get n_rows() {
    return this.model.n_rows;
  }

  /** Says how many rows there are, and what is damaged, as far as it is known. */
  #tell() {
    const { file, container, problems, n_omitted, isCounted } = this.opened;
    const n_rows = this.#starts[file.numBatches];
    if (n_rows !== this.model.n_rows) this.grid.setRows(n_rows);
    setText(this.rowFact, counted(n_rows, "row") + (isCounted ? "" : " so far…"));
    const none = file.schema.fields.length === 0 ? "There are no columns to show." : n_rows === 0 && isCounted ? "The file has no rows." : "";
    setText(this.note, none);
    this.note.hidden = none === "";
    if (problems.length === 0 || !isCounted) return;
    const n_batches = n_omitted > 0 ? `${count(file.numBatches - n_omitted)} of ${count(file.numBatches)} batches` : counted(file.numBatches, "batch", "batches");
    const what = `The ${container} is damaged. ${n_batches} with ${counted(n_rows, "row")} can be read.`;
    const head = el("p", { class: "bar" }, el("strong", {}, what), this.saving.button("Save the complete batches…"));
    const lines = el("ul", {}, ...more(problems.length, (k) => el("li", {}, isolated(problems[k]))));
    const why = el("details", { open: innerWidth > 700 }, el("summary", {}, "What is damaged"), lines);
    this.save.hidden = true;
    this.saving.element.before(el("div", { class: "problems", role: "alert" }, head, why));
  }

  /** Counts the rows that are not counted yet, when those on the screen are there. */
  async #count() {
    if (this.opened.isCounted) return;
    this.element.setAttribute("aria-busy", "true");
    await Promise.race([this.#blocks.first, new Promise((done) => setTimeout(done, 500))]);
    while (!this.opened.isCounted && !this.isEnded) {
      await this.opened.countSome();
      if (!this.isEnded) this.#tell();
    }
    this.element.removeAttribute("aria-busy");
  }

  /** Shows the statistics in the footer, which are read after the first rows. */
  async readStatistics() {
    try {
      const found = await this.file.statistics();
      if (this.isEnded || found.length === 0) return;
      this.model.statistics = new Map(found.map((known) => [known.position, known]));
      this.grid.fitHeads();
      if (this.hasSchema) this.fillSchema();
    } catch {
      // The page shows the file without them.
    }
  }

  #tab(key, label) {
    const tab = el("button", { type: "button", role: "tab", id: `${this.#id}-${key}-tab`, "aria-controls": `${this.#id}-${key}` }, label);
    tab.addEventListener("click", () => this.#show(key));
    return tab;
  }

  #show(key) {
    for (const [other, panel] of Object.entries(this.panels)) {
      panel.hidden = other !== key;
      this.tabs[other].setAttribute("aria-selected", other === key);
      this.tabs[other].tabIndex = other === key ? 0 : -1;
    }
    if (key === "bytes") this.bytes.show();
    if (key === "schema" && !this.hasSchema) {
      this.hasSchema = true;
      this.fillSchema();
    }
  }

  #toolbar() {
    const row = el("input", { type: "text", inputmode: "numeric", class: "short", placeholder: "0", id: `${this.#id}-row`, autocomplete: "off" });
    const go = el("form", { class: "tool" }, el("label", { for: row.id }, "Row"), row, el("button", { type: "submit" }, "Go"));
    go.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#goTo(row.value);
    });
    this.where = el("input", {
      type: "text",
      id: `${this.#id}-where`,
      placeholder: "amount > 100 and city = 'Oslo'",
      title: "A condition, as in arrow-ipc cat --where",
      spellcheck: "false",
      autocapitalize: "off",
      autocomplete: "off",
    });
    const button = (label, name, act) => el("button", { type: "button", "aria-label": name, title: name, onclick: act }, label);
    this.stop = el("button", { type: "button", hidden: true, onclick: () => this.#stop() }, "Stop");
    const find = el("form", { class: "tool find", role: "search", "aria-label": "Find rows" }, el("label", { for: this.where.id }, "Find"), this.where);
    find.append(
      button("↑", "Previous match", () => this.find(false)),
      el("button", { type: "submit", "aria-label": "Next match", title: "Next match" }, "↓"),
      button("List", "List all matches", () => this.list()),
      this.stop,
    );
    find.addEventListener("submit", (event) => {
      event.preventDefault();
      this.find(true);
    });
    this.where.addEventListener("keydown", (event) => {
      if (event.key === "Escape") this.#stop();
      if (event.key === "Enter" && event.shiftKey) {
        event.preventDefault();
        this.find(false);
      }
    });
    return el("div", { class: "bar tools" }, go, find, this.status);
  }

  #say(text, isBad = false) {
    setText(this.status, text);
    this.status.classList.toggle("bad", isBad);
  }

  async #goTo(text) {
    await this.#allCounted();
    const digits = text.replace(/[\s,_]/g, "");
    const row = Number(digits);
    if (digits === "" || !Number.isInteger(row) || row < 0 || row >= this.n_rows) {
      this.#say(this.n_rows === 0 ? "There are no rows." : `Rows are numbered from 0 to ${count(this.n_rows - 1)}.`, true);
      return;
    }
    this.#say("");
    this.grid.go(row, this.grid.active.column);
    this.grid.element.focus();
  }

  async #allCounted() {
    if (this.opened.isCounted) return;
    this.#say("Counting rows…");
    await this.counted;
  }

  /** Runs a search, of which one at most runs. `work` is told when it is to stop. */
  async #searching(work) {
    const where = this.where.value.trim();
    if (where === "") {
      this.#say("Write a condition first.", true);
      this.where.focus();
      return;
    }
    const search = ++this.#search;
    this.stop.hidden = false;
    this.#say("Searching…");
    // The page is drawn between the slices.
    let last = performance.now();
    const isGoing = async (text) => {
      if (performance.now() - last > 50) {
        if (search === this.#search) this.#say(text);
        await new Promise((done) => setTimeout(done));
        last = performance.now();
      }
      return search === this.#search;
    };
    try {
      await this.#allCounted();
      await work(where, isGoing, () => search === this.#search);
    } catch (error) {
      if (search === this.#search) this.#say(error.message, true);
    } finally {
      if (search === this.#search) this.stop.hidden = true;
    }
  }

  find(isForward) {
    return this.#searching(async (where, isGoing, isCurrent) => {
      const from = this.grid.active.row + (isForward && this.lastWhere === where ? 1 : 0);
      const all = isForward ? this.n_rows - from : from;
      const range = isForward ? { from } : { to: from };
      let [searched, unread, row] = [0, 0, -1];
      for await (const { n_rows, rows, error } of search(this.file, this.#starts, where, { ...range, isForward })) {
        if (error) unread++;
        else if (rows.length > 0) row = isForward ? rows[0] : rows.at(-1);
        searched += n_rows;
        if (row >= 0 || !(await isGoing(`Searched ${count(searched)} of ${count(all)} rows…`))) break;
      }
      if (!isCurrent()) return;
      const note = unread > 0 ? ` ${counted(unread, "part")} could not be read.` : "";
      if (row >= 0) {
        this.lastWhere = where;
        this.grid.find(row);
        this.#say(`Row ${count(row)}.${note}`);
      } else {
        this.#say(`No match ${isForward ? "from" : "before"} row ${count(from)}${isForward ? " on" : ""}.${note}`);
      }
    });
  }

  /** Lists the first rows that match, and counts all. */
  list() {
    return this.#searching(async (where, isGoing, isCurrent) => {
      const { matches } = this;
      let [found, searched, unread] = [0, 0, 0];
      // Beyond the list, no column is needed.
      const columns = () => (matches.length < MOST_LISTED ? undefined : []);
      for await (const { n_rows, rows, batch, error } of search(this.file, this.#starts, where, { columns })) {
        if (!isCurrent()) return;
        // A condition that is wrong does not close the list of another one.
        if (searched === 0) matches.start(where);
        if (error) unread++;
        else if (rows.length > 0) matches.add(rows, batch);
        found += rows?.length ?? 0;
        searched += n_rows;
        matches.tell(found);
        if (!(await isGoing(`${counted(found, "match", "matches")} in ${count(searched)} of ${count(this.n_rows)} rows…`))) break;
      }
      if (!isCurrent()) return;
      if (found > 0) matches.list.focus();
      this.#say(`${counted(found, "match", "matches")} in ${counted(this.n_rows, "row")}.${unread > 0 ? ` ${counted(unread, "part")} could not be read.` : ""}`);
    });
  }

  #stop() {
    if (this.stop.hidden) return;
    this.#search++;
    this.stop.hidden = true;
    this.#say(`Stopped. ${this.status.textContent}`);
  }

  /** Something was read. */
  #changed() {
    this.grid.draw();
    const { awaited } = this;
    if (!awaited || !this.model.cell(awaited.row, awaited.position)) return;
    this.awaited = null;
    const { row, column } = this.grid.active;
    if (row === awaited.row && column === awaited.position) this.#showValue(row, column);
  }

  #showValue(row, position) {
    const part = this.model.cell(row, position);
    const field = this.model.fields[position];
    // A value that is not read yet is shown when it is there, unless another cell is chosen before.
    this.awaited = part ? null : { row, position };
    if (!part || !field) return;
    const close = el("button", { type: "button", "aria-label": "Close", title: "Close (Escape)", onclick: () => this.#closeValue() }, "✕");
    const copied = el("button", { type: "button" }, "Copy");
    const text = () => (part.column.isValid(part.slot) ? shown(part.column, part.slot) : "");
    copied.addEventListener("click", async () => setText(copied, (await copy(text())) ? "Copied" : "Not copied"));
    const head = el("div", { class: "bar" }, el("h2", {}, isolated(field.name === "" ? "(no name)" : cut(field.name))), el("span", { class: "grow" }));
    if (part.column) head.append(copied);
    head.append(close);
    this.aside.replaceChildren(
      head,
      el("p", { class: "quiet" }, `Row ${count(row)} · `, el("code", { class: "type" }, cut(field.type.text, 400))),
      part.error ? el("p", { class: "bad" }, part.error.message) : valueView(part.column, part.slot),
    );
    this.aside.hidden = false;
    // The table is narrower now.
    this.grid.go(row, position);
    this.aside.onkeydown = (event) => {
      if (event.key === "Escape") this.#closeValue();
    };
    close.focus();
  }

  #closeValue() {
    this.aside.hidden = true;
    this.grid.element.focus();
  }

  async #copyCells(from, to, columns) {
    try {
      const lines = [];
      for (const { batch, rows } of slices(this.#starts, from, to, true, { rows: to - from })) {
        const { columns: read, numRows } = await this.file.batch(batch, { columns, rows });
        for (let i = 0; i < numRows; i++) lines.push(read.map((column) => cellText(column, i)).join("\t"));
      }
      const isOne = lines.length === 1 && columns.length === 1;
      const done = await copy(isOne ? lines[0] : `${lines.join("\n")}\n`);
      const what = counted(lines.length * columns.length, "cell");
      this.#say(done ? `${what} copied.` : "The browser does not allow copying here.", !done);
    } catch (error) {
      this.#say(error.message, true);
    }
  }

  end() {
    this.#search++;
    this.isEnded = true;
    this.saving.end();
    this.grid.end();
    this.bytes.end();
    this.#blocks.end();
    this.file.free();
  }
}

/** Text for a sheet: no value is an empty cell, and a text does not end its cell. */
function cellText(column, i) {
  return column.isValid(i) ? shown(column, i).replace(/[\t\r\n]+/g, " ") : "";
}

/** The text of a value, as cells show it. */
const shown = (column, i) => shownText(...resolved(column, i));
