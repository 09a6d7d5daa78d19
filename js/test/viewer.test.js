// Parts of the page viewer.html that need no browser. `testing/browser` tests the page as a whole.
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";
import { gzipSync } from "node:zlib";

import { el, setAttribute, setText } from "../viewer/src/dom.js";
import { Blocks } from "../viewer/src/blocks.js";
import { extensionWords } from "../viewer/src/heads.js";
import { preview } from "../viewer/src/preview.js";
import { schemaView } from "../viewer/src/schema.js";
import { cut } from "../viewer/src/shown.js";

test("extension types whose parameters are no texts and numbers have words, too", () => {
  const words = (extension, metadata) => extensionWords({ extension, metadata: metadata === undefined ? [] : [["ARROW:extension:metadata", metadata]] });
  const tensor = "arrow.fixed_shape_tensor";
  assert.equal(words(tensor, '{"shape":[2,3]}'), `tensors of shape 2 × 3 (${tensor})`);
  for (const metadata of [undefined, '{"shape":[{"toString":1,"valueOf":1}]}', "[", "null", "7"]) {
    assert.equal(words(tensor, metadata), `tensors of one shape (${tensor})`, metadata);
  }
  const opaque = '{"type_name":"t","vendor_name":{"toString":1}}';
  assert.equal(words("arrow.opaque", opaque), "values of a type that Arrow does not have (arrow.opaque)");
});

test("text that is cut does not end with half of a character", () => {
  assert.equal(cut(`${"x".repeat(159)}👩👩`), `${"x".repeat(159)}…`);
  assert.equal(cut(`${"x".repeat(158)}👩👩`), `${"x".repeat(158)}👩…`);
  assert.equal(cut("xx👩", 3), "xx…");
  const column = { type: { name: "utf8" }, field: {}, isValid: () => true, text: () => "xx👩y" };
  assert.equal(preview(column, 0, 3), "xx…");
});

/** As much of an element as a tree of fields needs. */
class Element {
  children = [];
  attributes = {};
  listeners = {};
  value = "";

  setAttribute(name, value) {
    this.attributes[name] = value;
  }

  addEventListener(name, act) {
    this.listeners[name] = act;
  }

  append(...children) {
    this.children.push(...children);
  }

  replaceChildren(...children) {
    this.children = children;
  }

  removeAttribute(name) {
    delete this.attributes[name];
  }

  remove() {}

  get text() {
    return this.children.map((child) => child.text ?? child).join("");
  }

  get n_elements() {
    return this.children.reduce((sum, child) => sum + (child.n_elements ?? 0), 1);
  }

  /** The elements in this one for which a function is true. */
  all(isWanted) {
    const inside = this.children.flatMap((child) => child.all?.(isWanted) ?? []);
    return isWanted(this) ? [this, ...inside] : inside;
  }
}

test("hidden characters are signs and escapes in every text and attribute", (t) => {
  globalThis.document = { createElement: (name) => Object.assign(new Element(), { name }) };
  t.after(() => delete globalThis.document);
  const hostile = "a\u202eb\u0000c\nd\te\u00ad\u{e0041}";
  const shown = "a\\u{202e}b␀c↵d⇥e\\u{ad}\\u{e0041}";
  const made = el("button", { title: hostile, "aria-label": hostile, hidden: true }, hostile, el("b", {}, hostile));
  assert.deepEqual(made.attributes, { title: shown, "aria-label": shown, hidden: "" });
  assert.deepEqual([made.children[0], made.children[1].text], [shown, shown]);
  assert.equal(el("pre", {}, hostile).text, "a\\u{202e}b␀c\nd\te\\u{ad}\\u{e0041}");
  const text = { textContent: "" };
  setText(text, hostile);
  assert.equal(text.textContent, shown);
  setAttribute(made, "title", hostile);
  assert.equal(made.attributes.title, shown);
  // Joiners and selectors stay where they change what is seen.
  assert.equal(el("p", {}, "می\u200cخواهم 👩\u200d🚀").text, "می\u200cخواهم 👩\u200d🚀");
  // No other file of the page writes text or titles.
  const folder = new URL("../viewer/src/", import.meta.url);
  const WRITES = /textContent = |innerText|innerHTML|insertAdjacent|createTextNode|\.title = (?!el\()|placeholder = |\.setAttribute\("(title|aria-label|alt)"|fillText\((?!oneLine\(|digits\()/;
  for (const file of readdirSync(folder).filter((file) => file !== "dom.js")) {
    for (const line of readFileSync(new URL(file, folder), "utf8").split("\n")) {
      // The title of the document is made of a tab, whose text is escaped.
      assert.ok(!WRITES.test(line) || line.includes("document.title = "), `${file}: ${line}`);
    }
  }
});

test("a schema of any size has a bounded number of elements", (t) => {
  globalThis.document = { createElement: (name) => Object.assign(new Element(), { name }) };
  t.after(() => delete globalThis.document);
  const field = (name, type, metadata = []) => ({ name, type, nullable: true, extension: null, metadata });
  const pairs = (n) => Array.from({ length: n }, (_, k) => [`key ${k}`, "value"]);
  const plain = { name: "int8", text: "int8" };
  const nested = (depth) => ({ name: "struct", text: "struct", children: Array.from({ length: 5 }, (_, k) => field(`f${k}`, depth === 0 ? plain : nested(depth - 1))) });
  const view = (fields, metadata = []) => schemaView({ fields, metadata }, metadata, "file", () => {});
  const schemas = {
    metadata: view([], pairs(100_000)),
    "metadata of fields": view(Array.from({ length: 500 }, () => field("a", plain, pairs(1000)))),
    children: view([field("a", nested(6))]),
    "fields with children": view(Array.from({ length: 500 }, () => field("a", nested(2)))),
  };
  for (const [name, { n_elements }] of Object.entries(schemas)) assert.ok(n_elements < 40_000, `${name}: ${n_elements} elements`);
  // What is small is unfolded.
  const small = view([field("a", nested(1), pairs(2))]);
  const details = (of) => of.all(({ name }) => name === "details");
  assert.equal(details(small).length, 6);
  assert.ok(details(small).every(({ open }) => open));
  // What is not unfolded at first is so when a person unfolds it.
  const folded = details(schemas.children).find(({ open }) => !open);
  const before = folded.n_elements;
  folded.listeners.toggle();
  assert.ok(folded.n_elements > before + 5 && folded.n_elements < 40_000);
});

test("cells that could not be had are asked for again later, and those that are damaged are not", async (t) => {
  let now = 1000;
  t.mock.method(performance, "now", () => now);
  const state = { code: "source", n_reads: 0 };
  const batch = async () => {
    state.n_reads++;
    if (state.code !== null) throw Object.assign(new Error("no route"), { code: state.code });
    return { columns: [{}] };
  };
  for (const code of ["source", "input"]) {
    Object.assign(state, { code, n_reads: 0 });
    // The page asks again for what is on the screen when something was read.
    const want = () => blocks.want(0, 10, [0]);
    const blocks = new Blocks({ batch }, [0, 10], () => want());
    const settled = () => new Promise((done) => setTimeout(done, 5));
    want();
    await settled();
    assert.equal(blocks.cell(0, 0).error.message, "no route");
    assert.equal(state.n_reads, 1, "it is not asked for again at once");
    now += 10_000;
    state.code = null;
    want();
    await settled();
    assert.equal(blocks.cell(0, 0).error === undefined, code === "source", code);
    assert.equal(state.n_reads, code === "source" ? 2 : 1);
  }
});

test("all that is wrong is said", async (t) => {
  const elements = new Map();
  const getElementById = (id) => {
    if (!elements.has(id)) elements.set(id, new Element());
    return elements.get(id);
  };
  const page = {
    document: { createElement: (name) => Object.assign(new Element(), { name }), getElementById, body: new Element() },
    location: { hash: "#nowhere:a.arrow", href: "http://127.0.0.1/viewer.html" },
    addEventListener() {},
  };
  Object.assign(globalThis, page);
  t.after(() => Object.keys(page).forEach((name) => delete globalThis[name]));
  const module = readFileSync(new URL("../wasm/full.wasm", import.meta.url));
  getElementById("module").textContent = gzipSync(module, { level: 1 }).toString("base64");
  await import("../viewer/src/main.js");
  const problem = getElementById("problem");
  assert.match(problem.text, /^The address after # is not one of http: or https:\./);
  assert.equal(problem.hidden, false);
  const named = (name) => Object.assign(new Blob(["id,name\n1,ada\n"]), { name });
  const choose = async (...names) => {
    getElementById("input").listeners.change({ target: { files: names.map(named) } });
    for (let i = 0; i < 1000 && !problem.text.includes(names.at(-1)); i++) await new Promise((done) => setTimeout(done, 10));
  };
  await choose("first.csv", "second.csv");
  assert.match(problem.text, /^first\.csv: .*second\.csv: .*Close$/);
  await choose("third.csv");
  assert.match(problem.text, /^third\.csv: /);
  problem.all(({ name }) => name === "button").at(-1).listeners.click();
  assert.deepEqual([problem.hidden, problem.text], [true, ""]);
});
