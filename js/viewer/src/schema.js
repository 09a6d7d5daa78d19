// The schema as a tree: names, types, nullability, and metadata.
import { beginning } from "../../src/error.js";
import { count, counted, el, isolated, ITEMS, more, setText } from "./dom.js";
import { extensionWords, statisticsText } from "./heads.js";
import { copyOfName, shortName } from "./names.js";
import { cut } from "./shown.js";

/** The fields that are shown at once. */
const FIELDS = 500;

/** Fields with at most so many children are unfolded. */
const OPEN_FIELDS = 12;

/** The children and pairs of metadata that are unfolded at once. */
const UNFOLDED = 2000;

/** `go(position)` shows a column in the table. `statistics` are those in the footer, by positions. */
export function schemaView(schema, metadata, container, go, statistics = new Map()) {
  const search = el("input", { type: "search", placeholder: "Find a column", "aria-label": "Find a column by its name", spellcheck: "false" });
  const note = el("span", { class: "quiet", role: "status" });
  const list = el("ul", { class: "tree fields", "aria-label": "Columns" });
  const fill = () => {
    const sought = search.value.toLowerCase();
    const found = [];
    schema.fields.forEach((field, position) => {
      if (field.name.toLowerCase().includes(sought)) found.push(position);
    });
    const shown = found.slice(0, FIELDS);
    const budget = { left: UNFOLDED };
    list.replaceChildren(...shown.map((position) => fieldItem(schema.fields[position], budget, () => go(position), statistics.get(position))));
    const left = found.length > shown.length ? `, the first ${count(shown.length)} are shown` : "";
    setText(note, `${count(found.length)} of ${counted(schema.fields.length, "column")}${left}`);
  };
  search.addEventListener("input", fill);
  fill();
  const footer = container === "file" ? [metadataView("Metadata of the footer", metadata)] : [];
  return el("div", { class: "schema" }, el("div", { class: "bar" }, search, note), list, metadataView("Metadata of the schema", schema.metadata), ...footer);
}

/** `budget` is what may still be unfolded. */
function fieldItem(field, budget, go, known) {
  const { name, type, nullable, extension } = field;
  const label = shortName(name === "" ? "(no name)" : name, { class: "key" });
  const line = [
    go ? el("button", { type: "button", class: "link", title: "Show in the table", onclick: go }, label) : label,
    ...copyOfName(name),
    // The tree shows the rest of a nested type.
    el("code", { class: "type" }, type.children ? type.name : cut(type.text)),
    el("span", { class: "quiet" }, nullable ? "nullable" : "not null"),
  ];
  if (extension !== null) line.push(el("span", { class: "tag" }, isolated(extensionWords(field))));
  const statistics = statisticsText(known, 80);
  if (statistics !== "") line.push(el("span", { class: "known", title: "By the statistics in the footer" }, isolated(statistics)));
  const head = el("span", { class: "field" }, ...line);
  const children = childrenOf(type);
  const about = [];
  if (children.length > 0) about.push(counted(children.length, "field"));
  if (field.metadata.length > 0) about.push("metadata");
  if (about.length === 0) return el("li", {}, head);
  // A button in a summary would do two things at once.
  const details = el("details", {}, el("summary", {}, about.join(", ")));
  const fill = (budget) => {
    const items = children.length > 0 ? more(children.length, (k) => fieldItem(children[k], budget)) : [];
    if (field.metadata.length > 0) items.push(el("li", {}, pairs(field.metadata)));
    details.append(el("ul", { class: "tree" }, ...items));
  };
  const n = children.length + Math.min(field.metadata.length, ITEMS);
  if (children.length <= OPEN_FIELDS && n <= budget.left) {
    budget.left -= n;
    fill(budget);
    details.open = true;
  } else {
    details.addEventListener("toggle", () => fill({ left: UNFOLDED }), { once: true });
  }
  return el("li", {}, head, details);
}

function childrenOf(type) {
  if (type.name === "dictionary") {
    const field = (name, of) => ({ name, type: of, nullable: true, extension: null, metadata: [] });
    return type.values.children ? [field("values", type.values)] : [];
  }
  return type.children ?? [];
}

function metadataView(title, metadata) {
  const body = metadata.length === 0 ? el("p", { class: "quiet" }, "none") : pairs(metadata);
  return el("section", {}, el("h2", {}, title), body);
}

function pairs(metadata) {
  const shown = (text) => (text === null ? el("span", { class: "null" }, "null") : long(text));
  const pair = ([key, value]) => el("div", {}, el("dt", {}, shortName(key ?? "null"), ...copyOfName(key ?? "")), el("dd", {}, shown(value)));
  return el("dl", {}, ...more(metadata.length, (k) => pair(metadata[k]), { name: "div" }));
}

function long(text) {
  if (text.length <= 300) return el("pre", { dir: "auto" }, text);
  const summary = el("summary", {}, isolated(beginning(text, 120)), `… (${count(text.length)} characters)`);
  const details = el("details", {}, summary);
  details.addEventListener("toggle", () => details.append(el("pre", { dir: "auto" }, text)), { once: true });
  return details;
}
