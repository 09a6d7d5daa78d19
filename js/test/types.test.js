// The types declare what the package exports, and the program in `types` uses all of it: `cargo xtask wasm` compiles it.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import * as exported from "../index.js";

const read = (name) => readFileSync(new URL(name, import.meta.url), "utf8");
const declared = [...read("../index.d.ts").matchAll(/^export (?:declare )?(class|function|const|interface|type) (\w+)/gm)];

test("the types declare what the package exports", () => {
  const values = declared.filter(([, kind]) => !["interface", "type"].includes(kind)).map(([, , name]) => name);
  assert.deepEqual([...new Set(values)].sort(), Object.keys(exported).sort());
});

test("classes have the members that are declared", () => {
  for (const [, body] of read("../index.d.ts").matchAll(/^export class (\w+ [^]*?)^\}/gm)) {
    const name = /^\w+/.exec(body)[0];
    const { prototype } = exported[name];
    const methods = [...body.matchAll(/^ {2}(\w+)\(/gm)].map(([, method]) => method).filter((method) => method !== "constructor");
    for (const method of methods) assert.equal(typeof prototype[method], "function", `${name}.${method}`);
  }
});

test("the program that is compiled uses every name", () => {
  const program = read("types/program.ts");
  for (const [, , name] of declared) assert.ok(new RegExp(`\\b${name}\\b`).test(program), name);
});
