// The tab "Bytes" of viewer.html, and statistics in the heads of columns, in a browser.
// node bytes.mjs BROWSER FOLDER PROGRAM [SHOTS]
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { inspect, write } from "../../js/index.js";
import { golden } from "../../js/test/support.js";
import { Browser } from "./browser.mjs";

const [program, folder, arrowIpc, shots] = process.argv.slice(2);
const root = fileURLToPath(new URL("../..", import.meta.url));
const page = pathToFileURL(join(root, "js/viewer/viewer.html")).href;
const browser = await Browser.start(program);
const SHOWN = ".view:not([hidden])";
const FOUND = "viewer_src_main.opened.at(-1).view.bytes.found";
const value = (expression) => browser.value(expression);
const text = (selector) => value(`document.querySelector(${JSON.stringify(selector)})?.textContent ?? null`);
const texts = (selector) => value(`[...document.querySelectorAll(${JSON.stringify(selector)})].map((element) => element.textContent)`);
const settle = () => value("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))");

async function until(expression, what = expression) {
  for (let i = 0; i < 500; i++) {
    if (await value(expression)) return;
    await new Promise((done) => setTimeout(done, 20));
  }
  assert.fail(`it never happened: ${what}; the page says ${await value("document.body.innerText.slice(0, 1000)")}`);
}

async function openPage(options) {
  await browser.open(page, options);
  return () => assert.deepEqual(browser.complaints(page), []);
}

/** Opens a file as a person does. Returns whether it is open. */
async function choose(path) {
  await value("document.querySelectorAll('.file .close, #problem button:last-child').forEach((button) => button.click())");
  const { root } = await browser.command("DOM.getDocument");
  const { nodeId } = await browser.command("DOM.querySelector", { nodeId: root.nodeId, selector: "#input" });
  await browser.command("DOM.setFileInputFiles", { files: [path], nodeId });
  await until("!document.body.hasAttribute('aria-busy') && (viewer_src_main.opened.length === 1 || !document.getElementById('problem').hidden)", path);
  return value("viewer_src_main.opened.length === 1");
}

/** Shows the tab. Returns what the page says instead, if it cannot inspect the file. */
async function showBytes(path) {
  await value(`document.querySelector("${SHOWN} [id$=bytes-tab]")?.click()`);
  await until(`document.querySelector("${SHOWN} .map, ${SHOWN} .bytes-view > .bad")`, `the bytes of ${path}`);
  return text(`${SHOWN} .bytes-view > .bad`);
}

const goldenNamed = (name) => golden().find(({ path }) => path.endsWith(name)).path;

async function goldenFilesHaveMaps() {
  const check = await openPage();
  const files = golden().filter((_, i) => i % 4 === 0);
  for (const { path } of files) {
    assert.ok(await choose(path), path);
    assert.equal(await showBytes(path), null, path);
    const expected = await inspect(readFileSync(path));
    assert.deepEqual(await value(`${FOUND}.explanation.columns`), expected.explanation.columns, path);
    assert.deepEqual(await value(`${FOUND}.buffers.start`), expected.buffers.start, path);
    assert.deepEqual(await texts(`${SHOWN} .finding p`), expected.explanation.findings.map((finding) => finding.text), path);
    assert.equal(await text(`${SHOWN} .damage`), null, path);
  }
  check();
  return files.length;
}

async function costsAreSorted() {
  const check = await openPage();
  const path = join(folder, "wide.arrow");
  const columns = Object.fromEntries(Array.from({ length: 20 }, (_, k) => [`c${k}`, new Float64Array(100)]));
  writeFileSync(path, await write({ small: new Uint8Array(100), large: new Float64Array(100), ...columns }));
  await choose(path);
  await showBytes(path);
  const names = () => texts(`${SHOWN} .costs tbody th`);
  assert.equal((await names()).length, 12);
  assert.match(await text(`${SHOWN} .costs .link`), /^10 more columns: /);
  await value(`document.querySelector("${SHOWN} .costs .link").click()`);
  assert.equal((await names()).length, 22);
  assert.equal((await names()).at(-1), "small");
  const sort = (k) => value(`document.querySelectorAll("${SHOWN} .costs thead button")[${k}].click()`);
  await sort(2);
  assert.equal((await names())[0], "small");
  await sort(0);
  assert.deepEqual(await names(), [...(await names())].sort());
  assert.deepEqual(await value(`[...document.querySelectorAll("${SHOWN} .costs thead th")].map((head) => head.ariaSort)`), ["ascending", "none", "none", null]);
  const shares = await value(`[...document.querySelectorAll("${SHOWN} .costs meter")].map((share) => share.value)`);
  const total = await value(`Number(${FOUND}.n_bytes)`);
  assert.equal(shares.reduce((sum, n) => sum + n, 0), total);
  check();
}

async function commandsAreCopied() {
  const check = await openPage();
  const path = join(folder, "a plain file.arrow");
  writeFileSync(path, await write({ id: new Float64Array(1 << 17) }));
  await choose(path);
  await showBytes(path);
  const command = "arrow-ipc convert 'a plain file.arrow' OUT.arrow --compression zstd";
  assert.deepEqual(await texts(`${SHOWN} .command code`), [command]);
  await value(`(window.copied = null, document.addEventListener("copy", () => (window.copied = getSelection().toString() || document.activeElement.value)), document.querySelector("${SHOWN} .command button").click())`);
  await until(`/^(Copied|Not copied)$/.test(document.querySelector("${SHOWN} .command button").textContent)`);
  // It does what the page says.
  execFileSync("sh", ["-c", command.replace("arrow-ipc", `'${arrowIpc}'`)], { cwd: folder });
  assert.ok(readFileSync(join(folder, "OUT.arrow")).length < 10_000);
  check();
}

const selected = () => text(`${SHOWN} .details .title`);
const windowShown = async () => {
  await settle();
  const shown = await text(`${SHOWN} .window`);
  return shown.startsWith("all") ? null : shown.match(/[\d,]+/g).slice(0, 2).map((number) => Number(number.replaceAll(",", "")));
};

async function mapsAreUsed() {
  const check = await openPage({ height: 1400 });
  await choose(goldenNamed("pyarrow-26.0.1/compressed-zstd-long.arrow"));
  await showBytes();
  await until(`document.querySelectorAll("${SHOWN} .legend span").length > 5`, "a legend");
  assert.deepEqual((await texts(`${SHOWN} .legend span`)).slice(0, 3), ["schema", "dictionary batch", "record batch"]);
  await settle();
  // Something is drawn in each lane.
  const colors = await value(`(() => {
    const strip = document.querySelector("${SHOWN} .strip");
    const { width, height } = strip;
    const { data } = strip.getContext("2d").getImageData(0, 0, width, height);
    const color = (x, y) => data.slice((y * width + x) * 4, (y * width + x) * 4 + 3).join();
    return [40, 88, 136].map((y) => new Set(Array.from({ length: width }, (_, x) => color(x, y))).size);
  })()`);
  assert.ok(colors.every((n) => n >= 3), `${colors}`);
  // Keys step over messages, and into their columns and buffers.
  await value(`document.querySelector("${SHOWN} .strip").focus()`);
  await browser.key("ArrowRight");
  assert.equal(await selected(), "magic");
  await browser.key("ArrowRight");
  await browser.key("ArrowRight");
  assert.equal(await selected(), "message 1: dictionary batch");
  await browser.key("ArrowDown");
  assert.match(await selected(), /^metadata of message 1/);
  await browser.key("Home");
  assert.equal(await windowShown(), null);
  await browser.key("Enter");
  const zoomed = await windowShown();
  assert.ok(zoomed !== null && zoomed[1] > zoomed[0], `${zoomed}`);
  await browser.key("Escape");
  assert.equal(await selected(), null);
  await browser.key("Home");
  // A click selects, and the wheel zooms where the mouse is.
  const box = await value(`(({ x, y, width }) => [x, y, width])(document.querySelector("${SHOWN} .strip").getBoundingClientRect())`);
  await browser.click(box[0] + box[2] * 0.4, box[1] + 140);
  await settle();
  assert.match(await selected(), /: bytes$/);
  await browser.wheel(box[0] + box[2] * 0.4, box[1] + 140, -240);
  await until(`/^bytes/.test(document.querySelector("${SHOWN} .window").textContent)`, "a smaller window");
  const [start, end] = await windowShown();
  const total = await value(`Number(${FOUND}.n_bytes)`);
  assert.ok(start <= total * 0.4 && end >= total * 0.4 && end - start < total * 0.9, `${start} ${end}`);
  check();
}

async function rowsOfTablesAreFiltered() {
  const check = await openPage({ height: 1400 });
  await choose(goldenNamed("polars-2.1.0/every-type-all-null.arrow"));
  await showBytes();
  const n = await value(`${FOUND}.buffers.start.length`);
  await value(`document.querySelector("${SHOWN} .map [role=tab]").click()`);
  assert.equal(await text(`${SHOWN} .map .bar [role=status]`), `${n} of ${n}`);
  await value(`(() => { const filter = document.querySelector("${SHOWN} .map input"); filter.value = "validity c1"; filter.dispatchEvent(new Event("input")); })()`);
  const rows = await texts(`${SHOWN} .rows tbody tr:not(.space)`);
  assert.ok(rows.length > 0 && rows.length < n && rows.every((row) => /validity/.test(row)), `${rows}`);
  await value(`document.querySelector("${SHOWN} .rows tbody tr:not(.space) td").click()`);
  assert.match(await selected(), /^c1\d*: validity$/);
  await value(`document.querySelector("${SHOWN} .rows").focus()`);
  await browser.key("ArrowDown");
  assert.equal(await value(`document.querySelector("${SHOWN} .rows tr.selected").ariaSelected`), "true");
  check();
}

async function namesStayText() {
  const check = await openPage({ height: 1400 });
  const name = "</script><script>window.stolen = 1</script><img src=x onerror='window.stolen = 1'><!--";
  const path = join(folder, "<img src=x onerror=alert(1)>.arrow");
  writeFileSync(path, await write({ [name]: new Float64Array(1 << 17) }, { metadata: { [name]: name } }));
  await choose(path);
  await settle();
  await showBytes();
  assert.match((await texts(`${SHOWN} .costs tbody th`))[0], /^<\/script><script>window.stolen/);
  assert.match(await text(`${SHOWN} .command code`), /^arrow-ipc convert '<img src=x onerror=alert\(1\)>.arrow' OUT.arrow/);
  await value(`document.querySelector("${SHOWN} .rows tbody tr:not(.space) td").click()`);
  assert.match(await text(`${SHOWN} .details`), /<img src=x/);
  assert.equal(await value("document.images.length + document.querySelectorAll('.view script').length"), 0);
  assert.equal(await value("window.stolen ?? null"), null);
  check();
}

async function damageIsListed() {
  const check = await openPage();
  const bytes = readFileSync(goldenNamed("pyarrow-26.0.1/rows-300.arrow"));
  const path = join(folder, "cut.arrow");
  writeFileSync(path, bytes.subarray(0, bytes.length * 0.6));
  assert.ok(await choose(path));
  await showBytes(path);
  const expected = await inspect(readFileSync(path), { name: "cut.arrow" });
  assert.ok(expected.damage.length > 0);
  assert.deepEqual(await texts(`${SHOWN} .remark.bad`), expected.damage.map((error) => `Damaged: ${error}`));
  assert.deepEqual(await texts(`${SHOWN} .command code`), expected.commands.filter((command) => command !== null));
  assert.match((await texts(`${SHOWN} .command code`))[0], /^arrow-ipc recover cut.arrow OUT.arrow/);
  check();
}

async function hostileFilesAreInspected() {
  const check = await openPage();
  const hostile = join(root, "testing/corpus/hostile");
  const [, ...cases] = readFileSync(join(hostile, "manifest.tsv"), "utf8").trimEnd().split("\n");
  let n = 0;
  for (const line of cases) {
    const path = join(hostile, line.split("\t")[0]);
    if (!existsSync(path) || !(await choose(path))) continue;
    let expected = null;
    try {
      expected = await inspect(readFileSync(path), { name: path.slice(hostile.length + 1) });
    } catch (error) {
      assert.equal(error.code, "input", path);
    }
    const said = await showBytes(path);
    assert.equal(said === null, expected !== null, `${path}: ${said}`);
    if (said !== null) continue;
    assert.deepEqual(await value(`[${FOUND}.damage, ${FOUND}.explanation.n_rows]`), [expected.damage, expected.explanation.n_rows], path);
    n++;
  }
  assert.ok(n > 50, `${n} files`);
  check();
  return n;
}

async function statisticsAreInHeads() {
  const check = await openPage();
  const csv = join(folder, "statistics.csv");
  const lines = Array.from({ length: 60_000 }, (_, i) => `n${i % 977},${i % 7 === 0 ? "" : i * 1.5},2024-01-${String((i % 28) + 1).padStart(2, "0")}`);
  writeFileSync(csv, `name,amount,at\n${lines.join("\n")}\n`);
  const path = join(folder, "statistics.arrow");
  execFileSync(arrowIpc, ["convert", csv, path, "--statistics"]);
  await choose(path);
  await until(`/no nulls/.test(document.querySelector("${SHOWN} .head").textContent)`, "statistics");
  const expected = ["utf8 · n0 … n99, no nulls", "float64 · 1.5 … 89998.5, 8,572 nulls", "date32 · 2024-01-01 … 2024-01-28, no nulls"];
  assert.deepEqual(await texts(`${SHOWN} .head .type`), expected);
  assert.equal(await value(`document.querySelector("${SHOWN} .head").offsetHeight`), 46);
  await value(`document.querySelector("${SHOWN} [id$=schema-tab]").click()`);
  assert.deepEqual(await texts(`${SHOWN} .known`), expected.map((line) => line.split(" · ")[1]));
  // Fields have them, too.
  await showBytes(path);
  const heads = await texts(`${SHOWN} .rows thead button`);
  const cells = await texts(`${SHOWN} .rows tbody tr:nth-child(3) td`);
  assert.deepEqual([cells[heads.indexOf("min")], cells[heads.indexOf("max")]], ["1.5", "89998.5"]);
  check();
}

async function keepShots() {
  const some = [["light", {}], ["dark", { scheme: "dark" }], ["narrow", { width: 400, isTouched: true }]];
  for (const [name, options] of some) {
    await openPage({ height: 1300, ...options });
    await choose(goldenNamed("polars-2.1.0/every-type-all-null.arrow"));
    await showBytes();
    await settle();
    writeFileSync(join(shots, `bytes-${name}.png`), await browser.screenshot());
  }
}

const results = {};
try {
  const tests = [
    costsAreSorted, commandsAreCopied, mapsAreUsed, rowsOfTablesAreFiltered, namesStayText, damageIsListed, statisticsAreInHeads, hostileFilesAreInspected,
    goldenFilesHaveMaps,
  ];
  for (const test of tests) results[test.name] = (await test()) ?? "ok";
  if (shots) await keepShots();
} finally {
  await browser.close();
}
console.log(results);
