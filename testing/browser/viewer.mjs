// Opens files in viewer.html from disk, and uses the page as a person would.
// node viewer.mjs BROWSER FOLDER PROGRAM [SHOTS]
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { write } from "../../js/index.js";
import { golden, rowsOf } from "../../js/test/support.js";
import { Browser } from "./browser.mjs";
import { CELL, VIEW, helpersOf } from "./viewer_page.mjs";

const [program, folder, arrowIpc, shots] = process.argv.slice(2);
const root = fileURLToPath(new URL("../..", import.meta.url));
const page = pathToFileURL(join(root, "js/viewer/viewer.html")).href;
const browser = await Browser.start(program);
const { text, texts, until, openPage, choose, closeAll, isDrawn, settle, type, pressEnter, shot } = helpersOf(browser, page, shots);

async function goldenFilesHaveTheirRows() {
  const check = await openPage();
  const files = golden();
  assert.ok(files.length > 300, `${files.length} files`);
  for (const { name, path, lines } of files) {
    await choose(path);
    const rows = await browser.value(`${VIEW}.file.rows({ as: "json" }).toArray()`);
    assert.deepEqual(rows, lines, name);
    assert.equal(await browser.value(`${VIEW}.n_rows`), lines.length, name);
    assert.equal(await text(".problems"), null, name);
    if (lines.length > 0 && (await browser.value(`${VIEW}.model.fields.length`)) > 0) {
      await isDrawn();
      assert.deepEqual(await texts(".cell.bad"), [], name);
    }
    await closeAll();
  }
  check();
  return files.length;
}

/** These are refused whole, and each of their parts can be read. */
const IN_PARTS = ["batch-null-2e62.stream", "comp-bomb-lz4-shared.stream", "fsl-size-zero-2e62.stream"];

async function hostileFilesAreErrors() {
  const check = await openPage();
  const hostile = join(root, "testing/corpus/hostile");
  const [, ...cases] = readFileSync(join(hostile, "manifest.tsv"), "utf8").trimEnd().split("\n");
  const paths = cases.map((line) => join(hostile, line.split("\t")[0])).filter(existsSync);
  assert.ok(paths.length > 100, `${paths.length} files`);
  let refused = 0;
  for (const path of paths) {
    await browser.value("document.querySelector('#problem button:last-child')?.click()");
    await choose(path);
    const isRefused = (await rowsOf(readFileSync(path))).error !== undefined;
    const isWhole = !isRefused || IN_PARTS.some((name) => path.endsWith(`/${name}`));
    if (!isWhole && !(await text("#problem")) && !(await text(".problems"))) {
      // It opens, and a part of it is unreadable.
      await until("document.querySelector('.view:not([hidden]) .cell.bad')", `an error in ${path}`);
    }
    if (isRefused) refused++;
    await closeAll();
  }
  assert.ok(refused > paths.length / 2, `${refused} of ${paths.length} are refused`);
  // More rows than a browser can place are left out, and the page goes on.
  await browser.value("document.querySelector('#problem button:last-child')?.click()");
  await choose(join(hostile, "batch-null-2e62.stream"));
  assert.match(await text(".problems"), /Batch 0 is left out: .* 4611686018427387904 rows exceed the limit/);
  await closeAll();
  const [{ path, lines }] = golden().filter(({ name }) => /every-type/.test(name));
  await browser.value("document.querySelector('#problem button:last-child')?.click()");
  await choose(path);
  assert.deepEqual(await browser.value(`${VIEW}.file.rows({ as: "json" }).toArray()`), lines);
  check();
  return paths.length;
}

const MILLION = 1_000_000;

/** A file of ten million rows, in a hundred batches. */
async function largeFile() {
  const path = join(folder, "large.arrow");
  const batches = Array.from({ length: 100 }, (_, k) => {
    const id = new BigInt64Array(100_000);
    const amount = new Float64Array(100_000);
    for (let i = 0; i < 100_000; i++) [id[i], amount[i]] = [BigInt(k * 100_000 + i), ((k * 100_000 + i) % 1000) / 4];
    return { id, amount };
  });
  writeFileSync(path, await write(batches));
  return path;
}

async function largeFilesAreReadInParts() {
  const check = await openPage();
  const path = await largeFile();
  await browser.value(`(() => {
    window.reads = [];
    const slice = Blob.prototype.slice;
    Blob.prototype.slice = function (start, end) { window.reads.push([start, end]); return slice.call(this, start, end); };
  })()`);
  await choose(path);
  await isDrawn();
  assert.match(await text(".facts"), /10,000,000 rows.*2 columns.*100 batches/);
  await browser.value("window.reads.length = 0");
  // The bar is dragged to the middle.
  await browser.value("(() => { const grid = document.querySelector('.grid'); grid.scrollTop = (grid.scrollHeight - grid.clientHeight) / 2; })()");
  await until("document.querySelector('.row:not(.head):not([hidden]) .gutter').textContent.startsWith('4,999') || document.querySelector('.row:not(.head):not([hidden]) .gutter').textContent.startsWith('5,000')");
  await isDrawn();
  const reads = await browser.value("window.reads");
  const n_bytes = reads.reduce((sum, [start, end]) => sum + end - start, 0);
  assert.ok(reads.length <= 6 && n_bytes < 200_000, `${reads.length} reads of ${n_bytes} bytes: ${JSON.stringify(reads)}`);
  assert.ok(Math.max(...reads.map(([, end]) => end)) - Math.min(...reads.map(([start]) => start)) < 2 * 1_700_000, "more than one batch is read");
  const [row, id] = await browser.value("[...document.querySelectorAll('.row:not(.head):not([hidden])')].map((row) => [row.childNodes[0].textContent, row.childNodes[1].textContent])[0]");
  assert.equal(id, row.replaceAll(",", ""));
  // The wheel moves by some rows there, and the bar stays.
  const [x, y] = [300, 400];
  await browser.wheel(x, y, 280);
  const next = Number(row.replaceAll(",", "")) + 10;
  await until(`Math.abs(Number(document.querySelector('.row:not(.head):not([hidden]) .gutter').textContent.replaceAll(',', '')) - ${next}) <= 1`, "10 rows further");
  for (let i = 0; i < 40; i++) await browser.wheel(x, y, 280);
  await until(`Number(document.querySelector('.row:not(.head):not([hidden]) .gutter').textContent.replaceAll(',', '')) - ${next} >= 390`, "400 rows further");
  // The first and the last row are reached exactly.
  await type(".short", "9999999");
  await pressEnter();
  await until("[...document.querySelectorAll('.row:not(.head):not([hidden])')].some((row) => row.childNodes[1]?.textContent === '9999999')", "the last row");
  await browser.key("Home", 2);
  await until("document.querySelector('.row:not(.head):not([hidden]) .gutter').textContent === '0'", "the first row");
  await type(".short", "10_000_000");
  await pressEnter();
  await until("document.querySelector('.status').textContent.startsWith('Rows are numbered from 0 to 9,999,999')");

  // A condition finds its rows, in both directions.
  await type(".find input", "id > 7654320 and amount = 0.25");
  await pressEnter();
  await until("/^Row 7,655,001/.test(document.querySelector('.status').textContent)", "the next match");
  await until("/^7,655,001/.test(document.querySelector('.row.found')?.textContent)", "the row that was found");
  await pressEnter();
  await until("/^Row 7,656,001/.test(document.querySelector('.status').textContent)", "the match after it");
  await browser.value("document.querySelector('[aria-label=\"Previous match\"]').click()");
  await until("/^Row 7,655,001/.test(document.querySelector('.status').textContent)", "the match before it");
  await browser.value("document.querySelector('[aria-label=\"Previous match\"]').click()");
  await until("/^No match before row 7,655,001/.test(document.querySelector('.status').textContent)", "no match");
  await type(".find input", "amount = 0.25");
  await browser.value("document.querySelector('[aria-label=\"List all matches\"]').click()");
  await until("/^10,000 matches in 10,000,000 rows/.test(document.querySelector('.status').textContent)", "a count");
  assert.equal(await text(".matches h2"), "Matches: the first 1,000 of 10,000");
  assert.equal(await browser.value("document.querySelectorAll('.match-list .match').length"), 1000);
  assert.deepEqual(await texts(".match-list .match:nth-child(3) > *"), ["2,001", "0.25"]);
  // Keys and clicks go to a row that is listed.
  for (let i = 0; i < 3; i++) await browser.key("ArrowDown");
  await until("/^2,001/.test(document.querySelector('.row.found')?.textContent)", "the row of the third match");
  await browser.key("End");
  await until("/^999,001/.test(document.querySelector('.row.found')?.textContent)", "the row of the last match that is listed");
  await browser.value("document.querySelector('.match-list .match').click()");
  await until("/^1[^0-9,]?/.test(document.querySelector('.row.found')?.textContent)", "the row of the first match");
  await browser.key("Enter");
  assert.equal(await browser.value("document.activeElement.className"), "grid");
  await browser.value("document.querySelector('[aria-label=\"List all matches\"]').click()");
  await until("/matches in [0-9,]+ of/.test(document.querySelector('.status').textContent)", "progress");
  await browser.value("[...document.querySelectorAll('.find button')].find((button) => button.textContent === 'Stop').click()");
  assert.match(await text(".status"), /^Stopped/);
  await type(".find input", "amont = 1");
  await pressEnter();
  await until("/amont/.test(document.querySelector('.status.bad')?.textContent)", "an error of the condition");
  assert.ok(await browser.value("document.querySelectorAll('.row').length < 100"), "rows out of sight are in the document");
  const { usedSize } = await browser.command("Runtime.getHeapUsage");
  assert.ok(usedSize < 50 * MILLION, `${usedSize} bytes`);
  check();
}

async function truncatedFilesShowWhatIsWhole() {
  const check = await openPage();
  const bytes = readFileSync(join(folder, "large.arrow"));
  const path = join(folder, "cut.arrow");
  writeFileSync(path, bytes.subarray(0, bytes.length / 2));
  await choose(path);
  await isDrawn();
  assert.match(await text(".problems"), /^The file is damaged\. 50 batches with 5,000,000 rows can be read\./);
  const n_rows = await browser.value(`${VIEW}.n_rows`);
  assert.ok(n_rows >= 4_900_000 && n_rows <= 5_000_000, `${n_rows} rows`);
  assert.equal((await texts(CELL))[0], "0");
  await shot("damaged");
  check();
}

const MARKUP = '<img src=x onerror="document.title=1">';

/** Nested values, right-to-left text, names that try to be markup, and a schema. */
async function mixedFile() {
  const path = join(folder, "mixed.arrow");
  const n = 400;
  const of = (make) => Array.from({ length: n }, (_, i) => make(i));
  const cities = ["Oslo", "Rome", "القاهرة", "תל אביב", "São Paulo", "東京", null];
  const columns = {
    id: of((i) => i * 37),
    city: of((i) => cities[i % cities.length]),
    amount: of((i) => (i % 11 === 5 ? null : Math.round(i * 1234.567) / 100)),
    at: of((i) => new Date(1_700_000_000_000 + i * 86_400_123)),
    is_open: of((i) => i % 3 === 0),
    tags: of((i) => Array.from({ length: i % 5 }, (_, k) => `tag ${k}`)),
    place: of((i) => ({ lat: i / 7, names: [{ lang: "en", text: `Place ${i}` }] })),
    digest: of((i) => Uint8Array.from({ length: 20 }, (_, k) => (i * 31 + k * 17) % 256)),
    note: of((i) => (i % 4 === 0 ? "two\nlines" : i === 1 ? "x".repeat(5000) : null)),
    [MARKUP]: of(() => MARKUP),
  };
  const schema = {
    id: "int32", city: "utf8", amount: "decimal128(12, 2)", at: 'timestamp(ms, "Europe/Oslo")', is_open: "bool", tags: "list<item: utf8>",
    place: "struct<lat: float64, names: list<item: struct<lang: utf8, text: utf8>>>", digest: "binary", note: "utf8", [MARKUP]: "utf8",
  };
  columns.amount = columns.amount.map((amount) => amount?.toFixed(2) ?? null);
  const metadata = { creator: "viewer test", html: MARKUP, long: "long ".repeat(200) };
  writeFileSync(path, await write(columns, { schema, metadata, compression: "lz4" }));
  return path;
}

async function valuesAreShown() {
  const path = await mixedFile();
  for (const [name, options] of [["light", {}], ["dark", { scheme: "dark" }], ["narrow", { width: 390, height: 780, isTouched: true }]]) {
    const check = await openPage(options);
    await shot(`welcome-${name}`);
    await choose(path, golden()[0].path);
    assert.equal(await browser.value("document.querySelectorAll('.file').length"), 2);
    await browser.value("document.querySelector('.file [role=tab]').click()");
    await isDrawn();
    await shot(`rows-${name}`);
    assert.equal(await browser.value("document.documentElement.scrollWidth <= document.documentElement.clientWidth"), true, "the page scrolls to the side");
    const rtl = await browser.value("[...document.querySelectorAll('.cell')].find((cell) => cell.textContent.startsWith('القاهرة'))?.dir ?? null");
    if (name !== "narrow") assert.equal(rtl, "auto");
    // Keys go to a nested value, open it, and come back.
    await browser.value("document.querySelector('.view:not([hidden]) .grid').focus()");
    for (let i = 0; i < 6; i++) await browser.key("ArrowRight");
    for (let i = 0; i < 3; i++) await browser.key("ArrowDown");
    await isDrawn();
    const nested = '{lat: 0.42857142857142855, names: [{lang: "en", text: "Place 3"}]}';
    await until(`document.getElementById(document.querySelector('.grid').getAttribute('aria-activedescendant'))?.textContent === ${JSON.stringify(nested)}`);
    await browser.key("Enter");
    await until("document.querySelector('aside:not([hidden])')");
    await browser.value("document.querySelector('aside details summary').click()");
    await until("[...document.querySelectorAll('aside .tree .tree .key')].some((key) => key.textContent === '0')", "items");
    await shot(`value-${name}`);
    await browser.key("Escape");
    assert.equal(await browser.value("document.activeElement === document.querySelector('.grid') && document.querySelector('aside').hidden"), true);
    await browser.key("ArrowRight");
    await settle();
    await isDrawn();
    await browser.key("Enter");
    await until("/^000000  5d 6e/.test(document.querySelector('aside .dump')?.textContent)", "bytes");
    await browser.key("Escape");
    await browser.value("document.querySelector('[role=tab][id$=schema-tab]').click()");
    assert.ok((await texts(".fields > li > .field .key")).includes(MARKUP));
    assert.match(await text(".schema"), /viewer test/);
    await shot(`schema-${name}`);
    check();
  }
}

async function cellsAreCopied() {
  const check = await openPage();
  await browser.value("navigator.clipboard.writeText = async (text) => { window.copied = text; }");
  await choose(join(folder, "mixed.arrow"));
  await isDrawn();
  await browser.key("ArrowDown", 8);
  await browser.key("ArrowRight", 8);
  await browser.key("c", 2);
  await until("window.copied !== undefined");
  assert.equal(await browser.value("window.copied"), "0\tOslo\n37\tRome\n");
  // The mouse selects, too, and makes a column wider.
  const box = (selector) => browser.value(`(() => { const { left, right, top } = document.querySelector(${JSON.stringify(selector)}).getBoundingClientRect(); return [left, right, top]; })()`);
  const drag = async (from, to) => {
    const move = (type, [x, y]) => browser.command("Input.dispatchMouseEvent", { type, x, y, button: "left", buttons: 1, clickCount: 1 });
    await move("mousePressed", from);
    await move("mouseMoved", to);
    await move("mouseReleased", to);
    await settle();
  };
  const [left, , top] = await box(".row:not(.head) .cell:nth-child(2)");
  const [cityLeft, cityRight] = await box(".row:not(.head) .cell:nth-child(3)");
  await drag([left + 5, top + 33], [cityLeft + 5, top + 61]);
  await browser.value("window.copied = undefined");
  await browser.key("c", 2);
  await until("window.copied !== undefined");
  assert.equal(await browser.value("window.copied"), "37\tRome\n74\tالقاهرة\n");
  const [, , headTop] = await box(".head");
  await drag([cityRight - 1, headTop + 10], [cityRight + 59, headTop + 10]);
  assert.equal((await box(".row:not(.head) .cell:nth-child(3)"))[1], cityRight + 60);
  await browser.value("window.copied = undefined");
  // A number of a row is its whole row.
  await browser.click(10, top + 5);
  await settle();
  await browser.key("c", 2);
  await until("window.copied !== undefined");
  assert.match(await browser.value("window.copied"), /^0\tOslo\t0\.00\t2023-11-14 23:13:20\.000\+01:00\ttrue\t\[\]\t/);
  check();
}

async function servedFilesAreShown() {
  const odd = join(folder, "a b#%&é.arrow");
  const [{ path, lines }] = golden().filter(({ name }) => /every-type/.test(name));
  writeFileSync(odd, readFileSync(path));
  const server = spawn(arrowIpc, ["serve", "--viewer", join(root, "js/viewer/viewer.html"), odd, join(folder, "large.arrow")]);
  try {
    const url = await new Promise((done, failed) => {
      server.stdout.once("data", (bytes) => done(bytes.toString().trim()));
      server.once("exit", () => failed(new Error("the server ended")));
    });
    await browser.open(url);
    await until("viewer_src_main.opened.length === 2 && !document.querySelector('[aria-busy]')", "both files");
    assert.deepEqual(await texts(".file [role=tab]"), ["a b#%&é.arrow", "large.arrow"]);
    assert.deepEqual(await browser.value(`viewer_src_main.opened[0].view.file.rows({ as: "json" }).toArray()`), lines);
    assert.equal(await text(".view:not([hidden]) .facts span"), "10,000,000 rows");
    await isDrawn();
    // Another file in its place is an error.
    const bytes = readFileSync(join(folder, "large.arrow"));
    bytes[bytes.length / 2] ^= 1;
    writeFileSync(join(folder, "large.arrow"), bytes);
    await type(".view:not([hidden]) .short", "5000000");
    await pressEnter();
    await until("/has changed since it was opened/.test(document.querySelector('.view:not([hidden]) .cell.bad')?.title)", "an error of the change");
    const allowed = new URL(url);
    const complaints = browser.complaints(url).filter((text) => !text.startsWith(`a request of ${allowed.origin}/`) && !/412|416/.test(text));
    assert.deepEqual(complaints, []);
    await browser.open("about:blank");
  } finally {
    server.kill();
  }
}

const results = {};
try {
  const tests = [
    valuesAreShown, cellsAreCopied, largeFilesAreReadInParts, truncatedFilesShowWhatIsWhole,
    servedFilesAreShown, hostileFilesAreErrors, goldenFilesHaveTheirRows,
  ];
  for (const test of tests) results[test.name] = (await test()) ?? "ok";
} finally {
  await browser.close();
}
console.log(results);
