// Text of strangers in exceptions: what is hidden in it becomes escapes, as Rust writes them, and its length is bounded.
import assert from "node:assert/strict";
import { test } from "node:test";
import { inspect as nodeText } from "node:util";

import { ArrowError, createWriter, open, write } from "../index.js";
import { shown, suggested } from "../src/error.js";
import { quotedName, quotedText } from "../src/hidden.js";
import { load } from "../src/wasm.js";

/** Parts above U+FFFF. */
const PARTS = [[0x1bc00, 0x1bcff], [0x1d100, 0x1d1ff], [0x1f000, 0x1fbff], [0xe0000, 0xe1000]];

/** Texts around a character: what it is alone, and whether joiners and selectors after it are seen. */
function around(code) {
  const char = String.fromCodePoint(code);
  const isAlone = code > 0xffff && !(code >= 0x1f000 && code <= 0x1fbff);
  // Of characters that this version of Node does not know, Rust may know that they are letters.
  return isAlone || /\p{Cn}/u.test(char) ? `a${char}` : `a${char}a${char}\u200d${char}\u200c\u200c${char}\ufe0f\u200d${char}\ufe0e`;
}

test("quotes and escapes are those of Rust, for every character", async () => {
  const module = await load("full");
  // All planes, and every character of those parts that have hidden ones.
  const isHalf = (code) => code >= 0xd800 && code <= 0xdfff;
  const isTried = (code) => !isHalf(code) && (code < 0x10000 || code % 251 === 0 || PARTS.some(([first, last]) => code >= first && code <= last));
  const PIECE = 0x4000;
  for (let first = 0; first <= 0x10ffff; first += PIECE) {
    let text = "";
    for (let code = first; code < first + PIECE; code++) if (isTried(code)) text += around(code);
    const quoted = quotedText(text);
    // A time zone may be any text. The module reads it, and writes it again.
    const [{ type }] = JSON.parse(module.takeText(module.call("schema_fields", module.giveText(`${quotedName(text)}: timestamp(s, ${quoted})`))));
    assert.equal(type.timezone, text === "" ? null : text);
    if (type.text !== `timestamp(s, ${quoted})`) {
      const at = [...quoted].findIndex((char, i) => char !== [...type.text.slice("timestamp(s, ".length)][i]);
      assert.fail(`from U+${first.toString(16)}: ${[...quoted].slice(at - 8, at + 8).join("")} and ${type.text.slice(at, at + 24)}`);
    }
  }
});

test("names and texts are quoted", () => {
  const cases = [
    ["first_name", "first_name"],
    ["first name", '"first name"'],
    ["", '""'],
    ['say "hi"\n', '"say \\"hi\\"\\n"'],
    ["a\\b", '"a\\\\b"'],
    ["\u{e0041}", '"\\udb40\\udc41"'],
    ["x\ud800y", '"x\\ud800y"'],
    ["👩\u200d🚀", '"👩\u200d🚀"'],
  ];
  for (const [name, text] of cases) assert.equal(quotedName(name), text);
});

test("an unknown name has similar names after it, or the first ones", () => {
  const names = ["name", "Name 2", "amount", "x,y", "twice", "twice"];
  const cases = [
    ["nmae", "did you mean name?"],
    ["NAME", "did you mean name?"],
    ["nam", 'did you mean name or "Name 2"?'],
    ["amout", "did you mean amount?"],
    ["twice_1", "did you mean twice?"],
    ["zzz", 'the columns are: name, "Name 2", amount, "x,y", twice, twice'],
    [7, 'the columns are: name, "Name 2", amount, "x,y", twice, twice'],
  ];
  for (const [wanted, text] of cases) assert.equal(suggested(wanted, names, "columns"), text);
  assert.equal(suggested("a", [], "columns"), "there are no columns");
  const many = Array.from({ length: 100_000 }, (_, i) => `column ${i}`);
  assert.match(suggested("zzz", many, "columns"), /^the columns are: "column 0", .*"column 19" and 99980 more$/);
});

/** Controls of terminals, of lines and of direction, what is invisible, and half of a character. */
const HOSTILE = "\u001b]0;title\u0007\u0000\r\n\u009b31m\u202e\u2066\u200b\u2028\ufeff\u{e0041}";

/** What no text for people has. */
const RAW = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\u{e0000}-\u{e0fff}]/u;

function checkText(name, error) {
  assert.ok(error instanceof ArrowError, `${name}: ${error}`);
  assert.ok(!RAW.test(error.message) && !error.message.includes("\n"), `${name}: ${JSON.stringify(error.message)}`);
  assert.ok(error.message.length < 10_000, `${name}: ${error.message.length} characters`);
  // Node shows the stack and the causes of an exception that is not caught.
  const text = nodeText(error);
  assert.ok(!RAW.test(text), `${name}: ${JSON.stringify(text)}`);
  return true;
}

test("exceptions show no hidden characters and no endless names", async () => {
  const long = HOSTILE + "x".repeat(20_000);
  const fields = [HOSTILE, `${HOSTILE}2`, long, "a"].map((name) => ({ name, type: "int8" }));
  const written = HOSTILE.replace("\0", "");
  const metadata = [[written, written], ["ARROW:extension:name", written]];
  const columns = Object.fromEntries(fields.map(({ name }) => [name, [1]]));
  const bytes = await write(columns, { schema: fields.map((field) => ({ ...field, metadata })), metadata });
  const file = await open(bytes);
  const batch = await file.batch(0);
  const writer = await createWriter({ schema: fields });
  const nested = { text: "list<item: int8>", children: [{ name: long }] };
  const calls = {
    "a column of a batch": () => batch.column(HOSTILE + HOSTILE),
    "a column of a file": () => file.batch(0, { columns: [`${long}9`] }),
    "columns of rows": () => file.rows({ columns: [`${HOSTILE} `] }).toArray(),
    "a condition on a column": () => file.rows({ where: `"${HOSTILE}3" > 1` }).toArray(),
    "a condition on no column": () => file.rows({ where: `${JSON.stringify(`${long}9`)} > 1` }).toArray(),
    "a condition that is no condition": () => file.rows({ where: HOSTILE }).toArray(),
    "a zone in a condition": () => file.rows({ where: `a > ${long}` }).toArray(),
    "an option": () => open(bytes, { [HOSTILE]: 1 }),
    "a long option": () => open(bytes, { [long]: 1 }),
    "an option of a writer": () => createWriter({ schema: fields, [HOSTILE]: 1 }),
    "a value of an option": () => createWriter({ schema: fields, alignment: HOSTILE }),
    "a limit": () => open(bytes, { maxSlots: long }),
    "a function as a limit": () => open(bytes, { maxSlots: () => HOSTILE }),
    "a symbol as a column": () => file.batch(0, { columns: [Symbol(HOSTILE)] }),
    "a class of a strange name": () => open(bytes, { maxSlots: { constructor: { name: HOSTILE } } }),
    "a column that is missing": () => writer.write({ [HOSTILE]: [1] }),
    "a column that is unknown": () => writer.write({ ...columns, [`${long}2`]: [1] }),
    "a column of another length": () => writer.write({ ...columns, [long]: [1, 2] }),
    "a value of a column": () => writer.write({ ...columns, [HOSTILE]: [HOSTILE] }),
    "values of two types": () => write({ [HOSTILE]: [1, "a"] }),
    "members of two types": () => write({ a: [{ [long]: 1 }, { [long]: "a" }] }),
    "a value without a type": () => write({ [long]: [() => 1] }),
    "a type": () => write({ a: [1] }, { schema: { [long]: HOSTILE } }),
    "a type of one line": () => write({ a: [1] }, { schema: { a: `int8 ${HOSTILE.replace(/[\r\n]/g, "")}` } }),
    "children of a type": () => write({ a: [[1]] }, { schema: [{ name: HOSTILE, type: nested }] }),
    "half of a character": () => write({ a: [`${HOSTILE}\ud800`] }),
    "a path": () => open(`/no such folder/${HOSTILE.replace("\0", "")}`),
    "a path with NUL": () => open(`/no such folder/${HOSTILE}`),
    "an address": () => open(`http://${HOSTILE}`),
    "an address of nobody": () => open(`http://127.0.0.1:9/${long}`),
    "headers": () => open("http://127.0.0.1:9/", { headers: { [HOSTILE]: HOSTILE } }),
    "a source that throws text": () => open({ length: 100, read: () => { throw long; } }),
    "a source that throws": () => open({ length: 100, read: () => { throw new ArrowError("source", long, { cause: new Error(HOSTILE, { cause: new Error(HOSTILE) }) }); } }),
    "a length": () => open({ length: HOSTILE, read: () => null }),
    "a file that is cut off": () => open(bytes.slice(0, -20)),
  };
  for (const [name, call] of Object.entries(calls)) {
    await assert.rejects(async () => call(), (error) => checkText(name, error), name);
  }
  // The errors of damage have names, too.
  let n_errors = 0;
  for (let at = 8; at < bytes.length; at += Math.ceil(bytes.length / 99)) {
    const damaged = bytes.slice();
    damaged[at] ^= 0xff;
    try {
      const file = await open(damaged);
      for await (const { columns } of file.rows().batches()) columns.forEach((column) => column.toArray());
      file.free();
    } catch (error) {
      n_errors++;
      checkText(`byte ${at}`, error);
    }
  }
  assert.ok(n_errors > 0);
});

test("values in messages are short", () => {
  assert.equal(shown("x".repeat(300)), `"${"x".repeat(200)}…"`);
  assert.equal(shown(10n ** 300n).length, 202);
  assert.equal(shown(() => 1), "a function");
  assert.equal(shown(`${"x".repeat(199)}👩`), `"${"x".repeat(199)}…"`);
});

test("errors that are several ones show no hidden characters, either", () => {
  const clean = new AggregateError([new Error("no"), "text", 7], "none");
  assert.equal(new ArrowError("source", "", { cause: clean }).cause, clean);
  const inner = new AggregateError([new RangeError(HOSTILE)], HOSTILE);
  const named = Object.assign(new Error("a"), { name: HOSTILE, code: "E1" });
  const cause = new AggregateError([new Error(HOSTILE), HOSTILE, "x".repeat(20_000), inner, named], "none", { cause: new Error(HOSTILE) });
  const error = new ArrowError("source", "none", { cause });
  checkText("several errors", error);
  assert.ok(error.cause instanceof AggregateError);
  assert.deepEqual(error.cause.errors.map((one) => one.code), [undefined, undefined, undefined, undefined, "E1"]);
  // As many as there are, few are shown, also if they contain each other.
  const many = new AggregateError(Array.from({ length: 1000 }, () => new Error(HOSTILE)), HOSTILE);
  many.errors.unshift(many);
  const shownMany = new ArrowError("source", "none", { cause: many });
  checkText("many errors", shownMany);
  const count = ({ cause: own, errors = [] }) => 1 + (own ? count(own) : 0) + errors.reduce((sum, one) => sum + count(one), 0);
  assert.ok(count(shownMany.cause) < 12, `${count(shownMany.cause)} errors`);
});

test("whatever a cause is, and whatever its members are, no text of it is raw or long", () => {
  const long = HOSTILE.repeat(2000);
  const throws = Object.defineProperty(new Error(""), "message", { get: () => assert.fail(long) });
  const causes = [
    { message: long },
    [long],
    new Error("a", { cause: { message: long } }),
    Object.assign(new Error("a"), { code: long }),
    Object.assign(new Error("a"), { name: long }),
    Object.assign(new Error(""), { message: Symbol("a") }),
    throws,
    new AggregateError([{ message: long }], "a"),
  ];
  for (const [i, cause] of causes.entries()) checkText(`cause ${i}`, new ArrowError("source", "none", { cause }));
});

test("whatever fetch throws, the exception is one of this package", async () => {
  const { fetch } = globalThis;
  try {
    for (const thrown of [null, undefined, 7, Object.assign(new Error(""), { message: Symbol("a") }), { message: HOSTILE }]) {
      globalThis.fetch = () => Promise.reject(thrown);
      await assert.rejects(open("http://h/x"), (error) => checkText("what fetch throws", error) && error.code === "source");
    }
  } finally {
    globalThis.fetch = fetch;
  }
  for (const signal of ["x", {}]) await assert.rejects(open(new Uint8Array(8), { signal }), { code: "misuse", message: /options.signal is/ });
});
