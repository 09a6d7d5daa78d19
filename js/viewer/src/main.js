// The page: its open files, and how they are opened.
import { configure, inspect } from "../../index.js";
import { DamagedView } from "./damaged.js";
import { el, isolated, moveInTabs, setAttribute } from "./dom.js";
import { distinct } from "./names.js";
import { openAny } from "./opening.js";
import { oneLine } from "./shown.js";
import { completeBatches } from "./save.js";
import { View } from "./view.js";

const byId = (id) => document.getElementById(id);
const list = byId("files");
const main = byId("main");
const welcome = byId("welcome");
const problem = byId("problem");

/** The open files: their tabs and views. */
export const opened = [];
let current = null;
let n_opened = 0;

/** The module, which is in the page. */
async function compiled() {
  const text = byId("module").textContent;
  const packed = Uint8Array.fromBase64 ? Uint8Array.fromBase64(text) : Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
  byId("module").remove();
  const bytes = new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip")));
  const module = await WebAssembly.compile(await bytes.arrayBuffer());
  configure({ read: module, full: module });
}
const ready = compiled();

/** What is wrong: texts, each with its buttons. */
let complaints = [];

/** Says what is wrong in place of what was said before; nothing is wrong if the text is empty. */
function complain(text, ...buttons) {
  complaints = [];
  if (text === "") showComplaints();
  else complainAlso(text, ...buttons);
}

/** Says what is wrong, too. */
function complainAlso(...parts) {
  complaints.push(parts);
  showComplaints();
}

function showComplaints() {
  problem.hidden = complaints.length === 0;
  const lines = complaints.flatMap(([text, ...buttons], k) => [...(k > 0 ? [el("br")] : []), isolated(text), " ", ...buttons]);
  const close = el("button", { type: "button", onclick: () => complain("") }, "Close");
  problem.replaceChildren(...lines, ...(problem.hidden ? [] : [close]));
}

/** Shows the complete batches of a file that cannot be opened. What is said of other files stays. */
async function addComplete(source, name, pressed) {
  const others = complaints.filter((parts) => !parts.includes(pressed));
  const say = (...own) => {
    complaints = [...others, ...own];
    showComplaints();
  };
  document.body.setAttribute("aria-busy", "true");
  try {
    const { file, losses } = await completeBatches(source, name, (text) => say([`${name}: ${text}`]));
    say();
    await add(file, ["Only its complete batches are shown. This is not:", ...losses]);
  } catch (error) {
    say([`${name}: ${error.message}`]);
  } finally {
    document.body.removeAttribute("aria-busy");
  }
}

/** A button that looks for the complete batches of a file. */
const looking = (source, name) => el("button", { type: "button", onclick: ({ currentTarget }) => addComplete(source, name, currentTarget) }, "Look for complete batches");

/** Opens a file or a URL, and shows it. `problems` are what is known to be damaged. */
async function add(source, problems = []) {
  const isUrl = typeof source === "string";
  const name = isUrl ? nameOf(source) : source.name;
  document.body.setAttribute("aria-busy", "true");
  try {
    await ready;
    const view = await viewOf(source, name, isUrl ? null : source.size, problems);
    const line = oneLine(name);
    const label = distinct(line, opened.map((other) => other.label));
    // What tells equal names apart is seen where a long one is cut, too.
    const parts = [isolated(line), ...(label === line ? [] : [el("span", {}, label.slice(line.length))])];
    const tab = el("button", { type: "button", role: "tab", title: isUrl ? source : name, id: `file-${n_opened}`, "aria-controls": `shown-${n_opened}` }, ...parts);
    view.element.id = `shown-${n_opened++}`;
    setAttribute(view.element, "aria-label", label);
    const entry = { view, tab, label };
    const close = el("button", { type: "button", class: "close", "aria-label": `Close ${label}`, onclick: () => remove(entry) }, "✕");
    entry.item = el("span", { class: "file", role: "presentation" }, tab, close);
    tab.addEventListener("click", () => show(entry));
    tab.addEventListener("keydown", (event) => {
      if (event.key === "Delete") remove(entry);
    });
    opened.push(entry);
    list.append(entry.item);
    main.append(view.element);
    show(entry);
    (view.grid ?? view).element.focus();
    view.readStatistics?.();
  } catch (error) {
    const isDamaged = error.code === "input" && !error.isOtherFormat && source.size !== 0;
    // The name is at the start of some messages already.
    const text = error.message.startsWith(`${name}: `) ? error.message : `${name}: ${error.message}`;
    complainAlso(text, ...(isDamaged ? [looking(source, name)] : []));
  } finally {
    document.body.removeAttribute("aria-busy");
  }
}

/** What is shown of a file. If nothing of it can be read as rows, its bytes are. */
async function viewOf(source, name, n_bytes, problems) {
  let found;
  try {
    found = await openAny(source, problems);
  } catch (error) {
    if (error.code !== "input" || error.isOtherFormat) throw error;
    let inspected;
    try {
      inspected = await inspect(source, { name });
    } catch (known) {
      // It says which other format it is.
      throw known.isOtherFormat ? known : error;
    }
    return new DamagedView(name, error, async () => inspected, looking(source, name));
  }
  // A damaged file is inspected as it is, and not without its footer.
  const again = () => (found.problems.length > 0 ? inspect(source, { name }) : found.file.inspect({ name }));
  return new View(name, n_bytes, found, again);
}

/** Opens sources. What is known to be wrong with others is said. */
async function addAll(sources, known = "") {
  complain(known);
  for (const source of sources) await add(source);
}

function nameOf(url) {
  const { pathname } = new URL(url, location.href);
  const last = pathname.split("/").filter(Boolean).at(-1) ?? url;
  try {
    return decodeURIComponent(last);
  } catch {
    return last;
  }
}

function show(entry) {
  current = entry;
  welcome.hidden = entry !== null;
  for (const other of opened) {
    const isShown = other === entry;
    other.view.element.hidden = !isShown;
    other.tab.setAttribute("aria-selected", isShown);
    other.tab.tabIndex = isShown ? 0 : -1;
    other.item.classList.toggle("shown", isShown);
  }
  document.title = entry ? `${entry.tab.textContent} – Arrow files` : "Arrow files";
  entry?.item.scrollIntoView({ block: "nearest", inline: "nearest" });
}

function remove(entry) {
  const at = opened.indexOf(entry);
  opened.splice(at, 1);
  entry.view.end();
  entry.view.element.remove();
  entry.item.remove();
  if (current === entry) show(opened[Math.min(at, opened.length - 1)] ?? null);
  (current?.tab ?? byId("choose")).focus();
}

list.addEventListener("keydown", moveInTabs);
main.addEventListener("openfile", ({ detail }) => addAll([detail]));
byId("choose").addEventListener("click", () => byId("input").click());
byId("input").addEventListener("change", ({ target }) => {
  addAll([...target.files]);
  target.value = "";
});

const address = byId("address");
byId("by-url").addEventListener("click", () => {
  address.hidden = !address.hidden;
  byId("by-url").setAttribute("aria-expanded", !address.hidden);
  if (!address.hidden) byId("url").focus();
});
address.addEventListener("submit", (event) => {
  event.preventDefault();
  const url = addressOf(byId("url").value.trim());
  if (url) addAll([url]);
  else complain("The address begins with http: or https:.");
});

/** An address of the web, as text; null if it is not one. */
function addressOf(text) {
  try {
    const url = new URL(text, location.href);
    return ["http:", "https:"].includes(url.protocol) ? url.href : null;
  } catch {
    return null;
  }
}

const hasFiles = (event) => event.dataTransfer?.types.includes("Files");
let depth = 0;
addEventListener("dragenter", (event) => {
  if (!hasFiles(event)) return;
  depth++;
  byId("drop").hidden = false;
});
addEventListener("dragleave", (event) => {
  if (!hasFiles(event)) return;
  depth = Math.max(0, depth - 1);
  byId("drop").hidden = depth === 0;
});
addEventListener("dragover", (event) => {
  if (hasFiles(event)) event.preventDefault();
});
addEventListener("drop", (event) => {
  if (!hasFiles(event)) return;
  event.preventDefault();
  depth = 0;
  byId("drop").hidden = true;
  addAll([...event.dataTransfer.files]);
});
addEventListener("keydown", (event) => {
  if (!(event.ctrlKey || event.metaKey) || event.altKey) return;
  if (event.key === "o") {
    event.preventDefault();
    byId("input").click();
  } else if (event.key === "f" && current?.view.where && !event.shiftKey) {
    event.preventDefault();
    current.view.tabs.rows.click();
    current.view.where.focus();
    current.view.where.select();
  }
});

// An address after # is opened: viewer.html#data/people.arrow. Several are separated by &; one with & is percent-encoded as a whole.
const given = location.hash.slice(1).split("&").filter(Boolean).map((text) => {
  try {
    return addressOf(/^https?%3a/i.test(text) ? decodeURIComponent(text) : text);
  } catch {
    return null;
  }
});
addAll(given.filter((url) => url !== null), given.includes(null) ? "The address after # is not one of http: or https:." : "");
