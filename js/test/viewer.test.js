// Parts of the page viewer.html that need no browser. `testing/browser` tests the page as a whole.
import assert from "node:assert/strict";
import { test } from "node:test";

import { extensionWords } from "../viewer/src/heads.js";
import { schemaView } from "../viewer/src/schema.js";

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
