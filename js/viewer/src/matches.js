// The rows that match a condition, as a list below the table: their numbers, and the values of the columns in the condition.
import { count, counted, el, isolated, setText } from "./dom.js";
import { isNumber, preview } from "./preview.js";
import { cut } from "./shown.js";

/** The rows that are listed. More are counted. */
export const MOST_LISTED = 1000;

/** The columns of a condition that are shown. */
const MOST_COLUMNS = 12;

let n_lists = 0;

export class Matches {
  #id = `matches${n_lists++}`;
  #rows = [];
  #active = -1;
  #go;

  /** `go(row)` shows a row in the table, `leave()` gives the focus back to it. */
  constructor(go, leave) {
    this.#go = go;
    this.title = el("h2", { id: `${this.#id}-title` });
    this.note = el("span", { class: "quiet" });
    this.head = el("div", { class: "match match-head", "aria-hidden": "true" });
    this.list = el("div", {
      class: "match-list",
      role: "listbox",
      tabindex: 0,
      "aria-labelledby": `${this.#id}-title`,
      onkeydown: (event) => this.#key(event, leave),
      onclick: ({ target }) => {
        const item = target.closest("[role=option]");
        if (item) this.#choose([...this.list.children].indexOf(item));
      },
      ondblclick: leave,
    });
    const close = el("button", { type: "button", "aria-label": "Close the list", title: "Close (Escape)", onclick: () => this.close(leave) }, "✕");
    this.element = el(
      "section",
      { class: "matches", "aria-label": "Matches", hidden: true },
      el("div", { class: "bar" }, this.title, this.note, el("span", { class: "grow" }), close),
      el("div", { class: "match-table" }, this.head, this.list),
    );
  }

  get length() {
    return this.#rows.length;
  }

  /** Begins an empty list. */
  start(where) {
    this.#rows = [];
    this.#active = -1;
    this.head.replaceChildren();
    this.list.replaceChildren();
    this.list.removeAttribute("aria-activedescendant");
    this.note.replaceChildren(isolated(cut(where, 200), { class: "condition" }));
    this.tell(0);
    this.element.hidden = false;
  }

  /** Says how many rows match. */
  tell(found) {
    const left = found > MOST_LISTED ? `: the first ${count(MOST_LISTED)} of ${count(found)}` : "";
    setText(this.title, found > MOST_LISTED ? `Matches${left}` : counted(found, "match", "matches"));
  }

  /** Adds rows, with a batch of their columns. */
  add(rows, batch) {
    const columns = batch.columns.slice(0, MOST_COLUMNS);
    if (this.head.childNodes.length === 0) {
      const name = (column) => el("bdi", { class: isNumber(column.type) ? "number" : "" }, column.name === "" ? "(no name)" : cut(column.name));
      this.head.append(el("span", { class: "number" }, "Row"), ...columns.map(name));
      this.element.style.setProperty("--columns", columns.length);
    }
    const items = [];
    for (let i = 0; i < rows.length && this.#rows.length < MOST_LISTED; i++) {
      const values = columns.map((column) => {
        const text = preview(column, i, 100);
        const kind = isNumber(column.type) ? "number" : "";
        return el("bdi", { class: text === null ? `${kind} null` : kind }, text ?? "null");
      });
      items.push(el("div", { role: "option", class: "match", id: `${this.#id}-${this.#rows.length}`, "aria-selected": "false" }, el("span", { class: "number" }, count(rows[i])), ...values));
      this.#rows.push(rows[i]);
    }
    this.list.append(...items);
  }

  #choose(at) {
    if (at < 0 || at >= this.#rows.length) return;
    this.list.children[this.#active]?.setAttribute("aria-selected", "false");
    this.#active = at;
    const item = this.list.children[at];
    item.setAttribute("aria-selected", "true");
    this.list.setAttribute("aria-activedescendant", item.id);
    item.scrollIntoView({ block: "nearest" });
    this.#go(this.#rows[at]);
  }

  #key(event, leave) {
    const page = Math.max(1, Math.floor(this.list.clientHeight / 26) - 1);
    const last = this.#rows.length - 1;
    const to = {
      ArrowDown: this.#active + 1,
      ArrowUp: this.#active - 1,
      PageDown: this.#active + page,
      PageUp: this.#active - page,
      Home: 0,
      End: last,
    }[event.key];
    if (to !== undefined) {
      event.preventDefault();
      this.#choose(Math.max(0, Math.min(last, to)));
    } else if (event.key === "Enter") {
      event.preventDefault();
      if (this.#active < 0) this.#choose(0);
      leave();
    } else if (event.key === "Escape") {
      this.close(leave);
    }
  }

  close(leave) {
    this.element.hidden = true;
    leave();
  }
}
