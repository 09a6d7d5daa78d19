// Damaged files and those of other formats, files that are saved, names, times with zones, and large files in viewer.html.
// node viewer_files.mjs BROWSER FOLDER PROGRAM [SHOTS]
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import { open, write } from "../../js/index.js";
import { Browser } from "./browser.mjs";
import { WATCH, serve } from "./measure.mjs";
import { VIEW, helpersOf } from "./viewer_page.mjs";

const [program, folder, arrowIpc, shots] = process.argv.slice(2);
const root = fileURLToPath(new URL("../..", import.meta.url));
const page = pathToFileURL(join(root, "js/viewer/viewer.html")).href;
const browser = await Browser.start(program);
const { text, texts, until, openPage, choose, closeAll, isDrawn, settle, type, pressEnter, press, shot } = helpersOf(browser, page, shots);

/** A Python that has pyarrow, or null. */
const python = [process.env.ARROW_PYTHON, join(root, "target/python-venv/bin/python"), "python3"].find(
  (name) => name && spawnSync(name, ["-c", "import pyarrow"]).status === 0,
) ?? null;

/** Numbers that look random, and are the same in every run. */
function randomOf(seed) {
  let state = seed;
  return (n) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * n);
  };
}

const N_BATCHES = 8;
const BATCH_ROWS = 500;

/** A file of 8 batches with numbers, text, and a dictionary. */
async function sample(container, compression) {
  const batches = Array.from({ length: N_BATCHES }, (_, k) => {
    const of = (make) => Array.from({ length: BATCH_ROWS }, (_, i) => make(k * BATCH_ROWS + i));
    return { id: of((i) => BigInt(i)), name: of((i) => (i % 7 === 3 ? null : `name ${i}`)), at: of((i) => new Date(i * 1e9)), tags: of((i) => [`tag ${i % 5}`]) };
  });
  const schema = { id: "int64", name: "utf8", at: 'timestamp(ms, "Europe/Oslo")', tags: "list<item: utf8>" };
  return Buffer.from(await write(batches, { schema, container, compression, metadata: { creator: "viewer test" } }));
}

/** Where the page saves: a file that is chosen, which keeps its pieces in the page. */
const PICKER = `
  window.saved = { pieces: [], isClosed: false };
  window.showSaveFilePicker = async ({ suggestedName }) => {
    window.saved = { name: suggestedName, pieces: [], isClosed: false };
    return {
      name: suggestedName,
      getFile: async () => new File(window.saved.pieces, suggestedName),
      createWritable: async () => ({
        write: async (bytes) => { window.saved.pieces.push(bytes); },
        close: async () => { window.saved.isClosed = true; },
        abort: async () => { window.saved.pieces = []; },
      }),
    };
  };`;

/** Saves the file that is shown. Returns what the page says, and the bytes; none if it saves nothing. */
async function save() {
  await browser.value(PICKER);
  await press((await text(".view:not([hidden]) .problems strong")) ? "Save the complete batches…" : "Save…");
  await until("/^(Saved|Nothing was saved)/.test(document.querySelector('.view:not([hidden]) .saving').textContent)", "a file that is saved");
  const told = await text(".view:not([hidden]) .saving");
  if (!told.startsWith("Saved")) return { told, bytes: null };
  const encoded = await browser.value(`new Response(new Blob(window.saved.pieces)).arrayBuffer().then((bytes) => {
    let text = "";
    for (const byte of new Uint8Array(bytes)) text += String.fromCharCode(byte);
    return btoa(text);
  })`);
  assert.equal(await browser.value("window.saved.isClosed"), true);
  return { told, name: await browser.value("window.saved.name"), bytes: Buffer.from(encoded, "base64") };
}

/** The rows of a file by other readers: our program, and pyarrow if it is there. */
function rowsByOthers(path) {
  const status = spawnSync(arrowIpc, ["validate", path], { encoding: "utf8" });
  assert.equal(status.status, 0, `${path}: ${status.stdout}${status.stderr}`);
  const counted = Number(execFileSync(arrowIpc, ["count", path], { encoding: "utf8" }).replace(/[^0-9]/g, ""));
  if (python === null) return counted;
  const code = `import pyarrow as pa, sys
path = sys.argv[1]
with pa.OSFile(path) as file:
    reader = pa.ipc.open_file(file) if file.read(6) == b"ARROW1" else pa.ipc.open_stream(pa.OSFile(path))
    table = reader.read_all()
table.validate(full=True)
print(table.num_rows)`;
  assert.equal(Number(execFileSync(python, ["-c", code, path], { encoding: "utf8" })), counted, path);
  return counted;
}

async function completeBatchesAreSaved() {
  const check = await openPage();
  for (const [container, compression] of [["file", null], ["file", "lz4"], ["stream", "lz4"]]) {
    const bytes = await sample(container, compression);
    const ending = container === "file" ? "arrow" : "arrows";
    const whole = join(folder, `whole.${ending}`);
    writeFileSync(whole, bytes);
    await choose(whole);
    const sound = await save();
    assert.match(sound.told, /^Saved 8 batches with 4,000 rows .* as whole\.complete\.arrows?\. Open itNothing was lost/);
    assert.equal(sound.name, `whole.complete.${ending}`);
    await closeAll();

    // Without its end: the footer, and a part of the last batch.
    const cut = join(folder, `cut.${ending}`);
    writeFileSync(cut, bytes.subarray(0, Math.floor(bytes.length * 0.7)));
    await choose(cut);
    assert.match(await text(".problems"), /^The (file|stream) is damaged\./);
    const saved = await save();
    assert.match(saved.told, /^Saved 5 batches with 2,500 rows .*Not saved: [0-9]+ loss/);
    if (container === "file" && compression === null) await shot("saved");
    const path = join(folder, `saved.${ending}`);
    writeFileSync(path, saved.bytes);
    assert.equal(rowsByOthers(path), 2500);
    // What was saved is opened.
    await press("Open it");
    await until("viewer_src_main.opened.length === 2 && !document.querySelector('[aria-busy]')", "the saved file");
    assert.equal(await browser.value(`${VIEW}.n_rows`), 2500);
    assert.equal(await text(".view:not([hidden]) .problems"), null);
    // Bodies are copied, and so are values.
    const [before, after] = [await open(bytes), await open(saved.bytes)];
    assert.equal(after.container, container);
    assert.deepEqual(await after.rows({ as: "json" }).toArray(), await before.rows({ as: "json", limit: 2500 }).toArray());
    assert.deepEqual(after.schema.metadata, before.schema.metadata);
    assert.ok(bytes.includes(saved.bytes.subarray(saved.bytes.length / 2, saved.bytes.length / 2 + 200)), "the body is another one");
    before.free();
    after.free();
    await closeAll();
  }
  check();
}

/** Where a browser has no files that pages may write, the file is downloaded. */
async function filesAreDownloaded() {
  const check = await openPage();
  await browser.command("Page.setDownloadBehavior", { behavior: "allow", downloadPath: folder });
  await browser.value("delete window.showSaveFilePicker; window.showSaveFilePicker = undefined");
  const path = join(folder, "download <b>.arrow");
  writeFileSync(path, (await sample("file", "lz4")).subarray(0, -100));
  await choose(path);
  await press("Save the complete batches…");
  const saved = join(folder, "download _b_.complete.arrow");
  await until("/^Saved 8 batches/.test(document.querySelector('.saving').textContent)", "a download");
  for (let i = 0; i < 100 && !existsSync(saved); i++) await new Promise((done) => setTimeout(done, 50));
  await new Promise((done) => setTimeout(done, 200));
  assert.equal(rowsByOthers(saved), 4000);
  rmSync(saved);
  check();
}

/** 20 damages of files that are in no corpus. */
async function damagedFilesDoNotStopThePage() {
  const check = await openPage();
  const bases = [await sample("file", null), await sample("file", "lz4"), await sample("stream", null)];
  const kinds = {
    truncated: (bytes, random) => bytes.subarray(0, random(bytes.length)),
    "bytes of the footer flipped": (bytes, random) => flipped(bytes, random, bytes.length - 1200, bytes.length, 6),
    "bytes of the schema flipped": (bytes, random) => flipped(bytes, random, 8, 500, 4),
    "a byte of a head flipped": (bytes, random) => {
      const heads = [];
      for (let at = bytes.indexOf("ffffffff", 600, "hex"); at >= 0; at = bytes.indexOf("ffffffff", at + 1, "hex")) heads.push(at);
      const head = heads[random(heads.length)];
      return flipped(bytes, random, head, Math.min(bytes.length, head + 200), 3);
    },
    "bytes of bodies flipped": (bytes, random) => flipped(bytes, random, 600, bytes.length - 1200, 40),
    "bytes are missing": (bytes, random) => {
      const at = random(bytes.length - 100);
      return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1 + random(90))]);
    },
    "zeros in the middle": (bytes, random) => {
      const damaged = Buffer.from(bytes);
      const at = random(bytes.length);
      return damaged.fill(0, at, Math.min(bytes.length, at + 4096));
    },
  };
  function flipped(bytes, random, from, to, n) {
    const damaged = Buffer.from(bytes);
    for (let i = 0; i < n; i++) damaged[from + random(to - from)] ^= 1 << random(8);
    return damaged;
  }
  const random = randomOf(70);
  const outcomes = { refused: 0, found: 0, damaged: 0, whole: 0, saved: 0 };
  const names = Object.keys(kinds);
  const sound = join(folder, "sound.arrow");
  writeFileSync(sound, bases[1]);
  for (let i = 0; i < 21; i++) {
    const name = names[i % names.length];
    const path = join(folder, `damaged ${i}.arrow`);
    const bytes = kinds[name](bases[Math.floor(i / names.length)], random);
    writeFileSync(path, bytes);
    await choose(path);
    if (await isRefused()) {
      assert.ok((await refusal()).length > 40, path);
      outcomes.refused++;
      const before = await browser.value("viewer_src_main.opened.length");
      await press("Look for complete batches");
      await until("!document.querySelector('[aria-busy]')", `batches of ${path}`);
      if ((await browser.value("viewer_src_main.opened.length")) > before) {
        outcomes.found++;
        assert.match(await text(".problems"), /Only its complete batches are shown/);
        await isDrawn();
      } else {
        assert.ok((await text("#problem")).length > 40);
      }
    } else {
      // All rows can be gone to, searched, and saved.
      await settle();
      await browser.value("document.querySelector('.view:not([hidden]) .grid').focus()");
      await browser.key("End", 2);
      await settle();
      if ((await browser.value(`${VIEW}.n_rows`)) > 0) await isDrawn();
      await type(".view:not([hidden]) .find input", "id >= 0");
      await press("List all matches");
      await until("/^[0-9,]+ match(es)? in [0-9,]+ rows?\\./.test(document.querySelector('.view:not([hidden]) .status').textContent) || document.querySelector('.view:not([hidden]) .status.bad')", `a list of ${path}`);
      const { told, bytes: saved } = await save();
      if (saved) {
        const after = await open(saved);
        assert.match(told, new RegExp(`^Saved ${after.numBatches}( of [0-9,]+)? batch`), path);
        const rows = await after.rows({ as: "arrays" }).toArray();
        assert.equal(rows.length, after.numRows, path);
        after.free();
        outcomes.saved++;
      }
      if ((await text(".view:not([hidden]) .problems")) || /Not saved/.test(told)) outcomes.damaged++;
      else outcomes.whole++;
    }
    await browser.value("document.querySelector('#problem button:last-child')?.click()");
    await closeAll();
    // The page works on with the next file.
    await choose(sound);
    assert.equal(await browser.value(`${VIEW}.n_rows`), N_BATCHES * BATCH_ROWS, `after ${path}`);
    await isDrawn();
    await closeAll();
    rmSync(path);
  }
  assert.ok(outcomes.damaged > 8 && outcomes.saved > 10, JSON.stringify(outcomes));
  check();
  return outcomes;
}

/** Whether rows of the file that was chosen last cannot be shown, and the reason. */
const isRefused = () => browser.value("!document.getElementById('problem').hidden || !viewer_src_main.opened.at(-1).view.file");
const refusal = async () => `${await text("#problem")}${await text(".view:not([hidden]) .problems")}`;

/** Files that were made to do harm are searched for complete batches, too. */
async function hostileFilesAreSearched() {
  const check = await openPage();
  const hostile = join(root, "testing/corpus/hostile");
  const [, ...cases] = readFileSync(join(hostile, "manifest.tsv"), "utf8").trimEnd().split("\n");
  const outcomes = { searched: 0, found: 0, other: 0 };
  for (const path of cases.map((line) => join(hostile, line.split("\t")[0])).filter(existsSync)) {
    await choose(path);
    const isOther = !(await refusal()).includes("Look for complete batches");
    if ((await isRefused()) && isOther) {
      outcomes.other++;
    } else if (await isRefused()) {
      outcomes.searched++;
      const before = await browser.value("viewer_src_main.opened.length");
      await press("Look for complete batches");
      await until("!document.querySelector('[aria-busy]')", `batches of ${path}`);
      if ((await browser.value("viewer_src_main.opened.length")) > before) outcomes.found++;
      else assert.ok((await text("#problem")).length > 30, path);
    }
    await browser.value("document.querySelector('#problem button:last-child')?.click()");
    await closeAll();
  }
  assert.ok(outcomes.searched > 50, JSON.stringify(outcomes));
  check();
  return outcomes;
}

/** Instants, and what clocks of the zone show. */
async function timesAreInTheirZone() {
  const check = await openPage();
  const second = (text) => BigInt(Date.parse(text)) / 1000n;
  const instants = [0n, second("2024-03-31T00:59:59Z"), second("2024-03-31T01:00:00Z"), second("2024-10-27T00:30:00Z"), second("2024-10-27T01:30:00Z"), 0n, -62_167_219_201n, 253_402_300_800n];
  const ticks = BigInt64Array.from({ length: 8 }, (_, i) => BigInt(i));
  const columns = {
    oslo: { values: BigInt64Array.from(instants), validity: Uint8Array.of(0b1101_1111) },
    mars: ticks, fixed: ticks, utc: ticks, naive: ticks,
    nested: Array.from({ length: 8 }, (_, i) => ({ at: new Date(i) })),
  };
  const schema = {
    oslo: 'timestamp(s, "Europe/Oslo")', mars: 'timestamp(us, "Mars/Phobos")', fixed: 'timestamp(ns, "-03:30")', utc: 'timestamp(ms, "UTC")', naive: "timestamp(ns)",
    nested: 'struct<at: timestamp(ms, "Asia/Kolkata")>',
  };
  const path = join(folder, "times.arrow");
  writeFileSync(path, await write(columns, { schema }));
  await choose(path);
  await isDrawn();
  const column = (k) => texts(`.row:not(.head):not([hidden]) .cell:nth-child(${k + 2})`);
  assert.deepEqual(await column(0), [
    "1970-01-01 01:00:00+01:00", "2024-03-31 01:59:59+01:00", "2024-03-31 03:00:00+02:00", "2024-10-27 02:30:00+02:00", "2024-10-27 02:30:00+01:00", "null",
    "0000-01-01 00:53:27+00:53:28", "+010000-01-01 01:00:00+01:00",
  ]);
  assert.equal((await column(1))[1], "1970-01-01 00:00:00.000001Z");
  assert.equal((await column(2))[1], "1969-12-31 20:30:00.000000001-03:30");
  assert.equal((await column(3))[1], "1970-01-01 00:00:00.001Z");
  assert.equal((await column(4))[1], "1970-01-01 00:00:00.000000001");
  assert.equal((await column(5))[1], "{at: 1970-01-01 05:30:00.001+05:30}");
  // A constant without an offset is in the zone of its column, as for the program.
  const cases = ["oslo >= '2024-03-31 03:00'", "oslo = '2024-03-31 02:30'", "oslo < '2024-03-31 02:30' and oslo > '2024-03-31'", "oslo = '2024-10-27 02:30'", "mars > '2024-03-31'",
    "fixed <= '1969-12-31 20:30:00.000000003'", "nested.at >= '1970-01-01 05:30:00.004'", "oslo > '2500-07-01' and oslo < '+012000-01-01'"];
  for (const where of cases) {
    await type(".find input", where);
    await press("List all matches");
    await until("document.querySelector('.status').textContent !== 'Searching…'", where);
    const ran = spawnSync(arrowIpc, ["count", path, "--where", where], { encoding: "utf8" });
    const status = await text(".status");
    if (ran.status === 0) assert.match(status, new RegExp(`^${ran.stdout.trim()} match(es)? in 8 rows`), where);
    else assert.ok(/^where: /.test(status) && ran.stderr.includes(status.replace("where: the predicate: ", "")), `${where}: ${status} / ${ran.stderr}`);
  }
  // The value on the side is in UTC, too, and says which zone it is.
  await browser.value("document.querySelector('.grid').focus()");
  await browser.key("Home", 2);
  await browser.key("Enter");
  await until("document.querySelector('aside:not([hidden]) pre')?.textContent === '1970-01-01 01:00:00+01:00'");
  assert.match(await text("aside"), /1970-01-01T00:00:00Z in UTC; time zone Europe\/Oslo/);
  await browser.key("Escape");
  await browser.value("document.querySelector('.grid').focus()");
  await browser.key("ArrowRight");
  await browser.key("Enter");
  await until("/the time zone \"Mars.Phobos\" is unknown here: times are in UTC/.test(document.querySelector('aside').textContent)");
  check();
}

/** A file of many batches, with or without their numbers of rows in the footer. */
async function manyBatches(name, n_rows, rowCounts) {
  const path = join(folder, name);
  const batches = Array.from({ length: 120 }, (_, k) => {
    const id = Float64Array.from({ length: n_rows }, (_, i) => k * n_rows + i);
    const half = id.map((i) => i / 2);
    return n_rows > 10_000 ? { id, half } : { id, half, name: Array.from(id, (i) => `row ${i}`) };
  });
  writeFileSync(path, await write(batches, { rowCounts }));
  return path;
}

const sum = (ranges) => ranges.reduce((total, [start, end]) => total + end - start, 0);

async function firstRowsAreThereBeforeAllAreCounted() {
  const check = await openPage();
  const path = await manyBatches("many.arrow", 30_000, "none");
  const { length } = readFileSync(path);
  await browser.value(WATCH);
  // When the first rows are drawn, most heads of batches are still to be read.
  await browser.value("document.getElementById('input').addEventListener('change', () => window.drawn().then(() => (window.atFirst = window.slices.length)), true)");
  await choose(path);
  await until("window.atFirst !== undefined");
  const atFirst = await browser.value("window.atFirst");
  assert.ok(atFirst < 60, `${atFirst} slices before the first rows`);
  assert.equal(await text(".facts span"), "3,600,000 rows");
  const slices = await browser.value("window.slices.splice(0)");
  assert.ok(slices.length < 150 && sum(slices) < 400_000, `${slices.length} slices, ${sum(slices)} of ${length} bytes`);
  // The last rows are reached, and one batch is read for them.
  await browser.key("End", 2);
  await until("document.querySelector('.row:not(.head):not([hidden]) .gutter').textContent.startsWith('3,599,9')", "the last rows");
  await isDrawn();
  assert.ok((await texts(".row:not(.head):not([hidden]) .cell")).includes("3599999.0"));
  const last = await browser.value("window.slices");
  const from = Math.min(...last.map(([start]) => start));
  assert.ok(last.length <= 12 && sum(last) < 100_000 && from > length * 0.99, `${last.length} slices: ${JSON.stringify(last)} of ${length}`);
  // A row that is not there yet is waited for.
  await closeAll();
  await choose(path);
  await type(".view:not([hidden]) .short", "3500001");
  await pressEnter();
  await until("[...document.querySelectorAll('.view:not([hidden]) .row:not(.head):not([hidden])')].some((row) => row.childNodes[1]?.textContent === '3500001.0')", "row 3,500,001");
  check();
}

/** Answers wait until no request has come for a while: those that wait together are one round trip. */
async function servedFilesNeedThreeRoundTrips() {
  const path = await manyBatches("served.arrow", 5000, "written");
  let trips = 0;
  let waiting = [];
  let timer;
  const wait = () =>
    new Promise((done) => {
      waiting.push(done);
      clearTimeout(timer);
      timer = setTimeout(() => {
        trips++;
        waiting.forEach((done) => done());
        waiting = [];
      }, 300);
    });
  const server = await serve([path], wait);
  try {
    await browser.open(`${server.origin}/viewer.html#served.arrow`);
    await until("viewer_src_main.opened.length === 1", "a file");
    await isDrawn();
    assert.equal(await text(".facts span"), "600,000 rows");
    assert.ok((await texts(".row:not(.head):not([hidden]) .cell")).includes("row 3"));
    const bytes = server.requests.reduce((total, { n_bytes }) => total + n_bytes, 0);
    assert.ok(trips <= 3 && server.requests.length <= 8 && bytes < 300_000, `${trips} round trips, ${server.requests.length} requests, ${bytes} bytes`);
    // Another part is one batch, and two round trips.
    [trips, server.requests.length] = [0, 0];
    await browser.value("document.querySelector('.grid').focus()");
    await browser.key("End", 2);
    await until("document.querySelector('.row:not(.head):not([hidden]) .gutter').textContent.startsWith('599,9')", "the last rows");
    await isDrawn();
    assert.ok(trips <= 3 && server.requests.length <= 8, `${trips} round trips, ${server.requests.length} requests for the last rows`);
    assert.ok(Math.min(...server.requests.map(({ start }) => start)) > readFileSync(path).length * 0.99, "more than one batch is read");
  } finally {
    await browser.open("about:blank");
    server.close();
  }
}

const NEEDS_NAME = new Set(["button", "textbox", "searchbox", "tab", "tablist", "grid", "listbox", "option", "columnheader", "rowheader", "complementary", "search", "tabpanel"]);

/** What a screen reader is told: everything that has such a role has a name, too. */
async function namesOf(state) {
  const { nodes } = await browser.command("Accessibility.getFullAXTree");
  const shown = nodes.filter(({ ignored, role }) => !ignored && NEEDS_NAME.has(role?.value));
  const nameless = shown.filter(({ name }) => !name?.value).map(({ role, backendDOMNodeId }) => `${role.value} ${backendDOMNodeId}`);
  assert.deepEqual(nameless, [], state);
  return shown.map(({ role, name }) => `${role.value}: ${name.value}`);
}

const pressTab = async (modifiers = 0) => {
  for (const type of ["keyDown", "keyUp"]) await browser.command("Input.dispatchKeyEvent", { type, key: "Tab", code: "Tab", windowsVirtualKeyCode: 9, modifiers });
};

async function keysAndScreenReadersReachEverything() {
  const path = join(folder, "sample.arrow");
  writeFileSync(path, await sample("file", null));
  for (const options of [{}, { width: 390, height: 780, isTouched: true }]) {
    const check = await openPage(options);
    await browser.command("Accessibility.enable");
    await namesOf("welcome");
    await choose(path);
    await isDrawn();
    await type(".find input", "id >= 100 and name is not null");
    await press("List all matches");
    await until("/matches in [0-9,]+ rows\\./.test(document.querySelector('.status').textContent)");
    await browser.value("document.querySelector('.grid').focus()");
    await browser.key("ArrowRight");
    await settle();
    const names = await namesOf("rows, and a list");
    for (const name of ["grid: Rows of sample.arrow", "columnheader: name utf8", "tab: Rows", "tab: Schema", "button: Next match", "button: Previous match", "button: Stop", "textbox: Find", "textbox: Row", "button: Close sample.arrow"]) {
      if (name !== "button: Stop") assert.ok(names.includes(name), `${name} is not in ${names.filter((text) => !/^(option|rowheader)/.test(text)).join("; ")}`);
    }
    assert.ok(names.some((name) => /^listbox: Matches: the first 1,000 of 3,343$/.test(name)), names.filter((name) => name.startsWith("listbox")).join());
    // The cell with the focus is told with its row and column.
    const active = await browser.value(`(() => {
      const cell = document.getElementById(document.querySelector(".grid").getAttribute("aria-activedescendant"));
      return [cell.textContent, cell.getAttribute("role"), cell.getAttribute("aria-colindex"), cell.closest("[role=row]").getAttribute("aria-rowindex")];
    })()`);
    assert.deepEqual(active.slice(1, 3), ["gridcell", "3"]);
    // The Tab key goes around the page, and stops at each of its parts once.
    await browser.value("document.activeElement.blur(); document.getElementById('choose').focus()");
    const reached = [];
    for (let i = 0; i < 40; i++) {
      reached.push(await browser.value("(document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent ?? '').slice(0, 40) || document.activeElement.id.replace(/^view[0-9]+-/, '') || document.activeElement.className"));
      await pressTab();
      if (await browser.value("document.activeElement === document.body || document.activeElement.id === 'choose'")) break;
    }
    for (const part of ["Open files…", "Open URL…", "Rows", "Save…", "row", "Go", "where", "Previous match", "Next match", "List all matches", "Rows of sample.arrow", "Close the list"]) {
      assert.ok(reached.includes(part), `Tab does not reach ${part}: ${reached.join("; ")}`);
    }
    assert.ok(reached.length < 25, `it goes in circles: ${reached.join("; ")}`);
    // Escape closes the list from inside, and the focus is in the table again.
    await browser.value("document.querySelector('.match-list').focus()");
    await browser.key("Escape");
    assert.deepEqual(await browser.value("[document.querySelector('.matches').hidden, document.activeElement.className]"), [true, "grid"]);
    // A value is shown and left by keys.
    await browser.key("Enter");
    await until("document.querySelector('aside:not([hidden])')");
    await namesOf("a value");
    await browser.key("Escape");
    assert.equal(await browser.value("document.activeElement.className"), "grid");
    assert.equal(await browser.value("document.documentElement.scrollWidth <= document.documentElement.clientWidth"), true, "the page scrolls to the side");
    check();
  }
}

/** The contrast of two colors, as WCAG 2 has it. */
function contrast(a, b) {
  const light = (color) => {
    const [r, g, b] = color.match(/[0-9.]+/g).map((part) => part / 255).map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const [high, low] = [light(a), light(b)].sort((a, b) => b - a);
  return (high + 0.05) / (low + 0.05);
}

async function textHasContrast() {
  const bytes = await sample("file", null);
  const path = join(folder, "contrast.arrow");
  writeFileSync(path, bytes.subarray(0, bytes.length / 2));
  for (const scheme of ["light", "dark"]) {
    const check = await openPage({ scheme });
    await choose(path);
    await isDrawn();
    await type(".find input", "id >= 100");
    await press("List all matches");
    await until("/matches in [0-9,]+ rows\\./.test(document.querySelector('.status').textContent)");
    await browser.key("ArrowDown");
    await until("document.querySelector('.row.found')");
    await save();
    const found = await browser.value(`[...document.querySelectorAll("body *")].flatMap((element) => {
      const isText = [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== "");
      if (!isText || !element.checkVisibility() || element.closest("script, style, [aria-hidden=true]")) return [];
      let ground = element;
      while (ground && /, 0\\)$|transparent/.test(getComputedStyle(ground).backgroundColor)) ground = ground.parentElement;
      return [[element.className + " " + element.textContent.slice(0, 20), getComputedStyle(element).color, getComputedStyle(ground ?? document.body).backgroundColor]];
    })`);
    assert.ok(found.length > 100, `${found.length} texts`);
    const weak = found.filter(([, text, ground]) => contrast(text, ground) < 4.5);
    assert.deepEqual([...new Set(weak.map(String))], [], scheme);
    check();
  }
}

/** Files of the same name, also a long one that is opened again, are told apart by their tabs. */
async function filesOfOneNameAreToldApart() {
  const check = await openPage();
  const [a, b] = ["a", "b"].map((name) => join(folder, name));
  for (const [path, n] of [[a, 1], [b, 2]]) {
    mkdirSync(path);
    writeFileSync(join(path, "people.arrow"), await write({ n: Int32Array.of(n) }));
  }
  const tabs = () => texts("#files [role=tab]");
  await choose(join(a, "people.arrow"), join(b, "people.arrow"), join(a, "people.arrow"));
  assert.deepEqual(await tabs(), ["people.arrow", "people.arrow (2)", "people.arrow (3)"]);
  assert.equal(await text("title"), "people.arrow (3) – Arrow files");
  assert.deepEqual(await browser.value("[...document.querySelectorAll('#files .close')].map((button) => button.getAttribute('aria-label'))"), ["Close people.arrow", "Close people.arrow (2)", "Close people.arrow (3)"]);
  await browser.value("document.querySelectorAll('#files .close')[1].click()");
  await choose(join(b, "people.arrow"));
  assert.deepEqual(await tabs(), ["people.arrow", "people.arrow (3)", "people.arrow (2)"]);
  assert.deepEqual(await browser.value(`${VIEW}.file.rows({ as: "json" }).toArray()`), ['{"n":2}']);
  await closeAll();
  const long = join(a, `${"long ".repeat(40)}.arrow`);
  writeFileSync(long, await write({ n: Int32Array.of(1) }));
  await choose(long, long);
  const isSeen = "(() => { const part = document.querySelectorAll('#files [role=tab]')[1].querySelector('span'); const tab = part.closest('.file').getBoundingClientRect(); return part.getBoundingClientRect().right <= tab.right && part.textContent; })()";
  assert.equal(await browser.value(isSeen), " (2)");
  await closeAll();
  check();
}

/** Complete batches are looked for in damaged files, and not in files of other formats. */
async function otherFormatsAreNamed() {
  const check = await openPage();
  const framed = (magic) => Buffer.concat([Buffer.from(magic), Buffer.alloc(5000, 7), Buffer.from(magic)]);
  const cases = [
    ["table.csv", Buffer.from("id,name\n1,ada\n".repeat(50)), /CSV/], ["lines.json", Buffer.from('{"id":1}\n'.repeat(50)), /JSON/], ["table.parquet", framed("PAR1"), /Parquet/],
    ["old.feather", framed("FEA1"), /Feather file of version 1/], ["table.arrow.gz", gzipSync(await sample("file", null)), /gzip/], ["empty.arrow", Buffer.alloc(0), /empty/],
  ];
  for (const [name, bytes, message] of cases) {
    const path = join(folder, name);
    writeFileSync(path, bytes);
    await choose(path);
    const told = await text("#problem");
    assert.match(told, message, name);
    assert.equal(told.split(name).length, 2, told);
    assert.deepEqual(await texts("#problem button"), ["Close"], name);
    assert.equal(await browser.value("viewer_src_main.opened.length"), 0, name);
    await press("Close");
  }
  // Such a file may be a damaged one.
  const path = join(folder, "unknown.arrow");
  writeFileSync(path, framed("what"));
  await choose(path);
  assert.deepEqual(await texts("#problem button"), ["Look for complete batches", "Close"]);
  check();
}

/** A file of many small batches is searched by few slices, and in a short time. */
async function smallBatchesAreSearched() {
  const check = await openPage();
  const path = join(folder, "small.arrow");
  writeFileSync(path, await write(Array.from({ length: 5000 }, (_, k) => ({ id: Int32Array.of(2 * k, 2 * k + 1), name: ["a", "b"] }))));
  const { length } = readFileSync(path);
  await browser.value(WATCH);
  await choose(path);
  await isDrawn();
  await until("!document.querySelector('[aria-busy]')");
  assert.equal(await text(".facts span"), "10,000 rows");
  await browser.value("window.slices.splice(0)");
  await type(".find input", "id >= 9990");
  for (const [name, told] of [["List all matches", "10 matches in 10,000 rows."], ["Next match", "Row 9,990."], ["Previous match", "No match before row 9,990."]]) {
    await press(name);
    await until(`document.querySelector('.status').textContent === ${JSON.stringify(told)}`, told);
    const slices = await browser.value("window.slices.splice(0)");
    assert.ok(slices.length < 20 && sum(slices) < 1.3 * length, `${name}: ${slices.length} slices, ${sum(slices)} of ${length} bytes`);
  }
  check();
}

/** The texts and attributes of the page that have controls, or change the order of others. */
const HIDDEN = `(() => {
  const RAW = /[\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f\\u061c\\u200b\\u200e\\u200f\\u2028-\\u202e\\u2060-\\u206f\\ufeff]/;
  const found = [];
  const nodes = document.createTreeWalker(document, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
  while (nodes.nextNode()) {
    const node = nodes.currentNode;
    if (node.nodeType === Node.TEXT_NODE && !node.parentElement.closest("script, style") && RAW.test(node.data)) found.push(node.data.slice(0, 80));
    for (const { name, value } of node.attributes ?? []) if (RAW.test(value)) found.push(name + "=" + value.slice(0, 80));
  }
  return found;
})()`;

/** Names and values that try to be something else, thousands of columns, and a text of a megabyte. */
async function strangeNamesAndWideTextAreText() {
  const markup = '</script><script>document.title="run"</script><img src=x onerror="document.title=1">';
  const names = [markup, "", "__proto__", "constructor", "اسم العمود", "~R~right to left", "x".repeat(100_000), "line\nbreak", "a\u0000b"];
  const wide = "w".repeat(1_000_000);
  const hebrew = "שלום עולם, 123 abc";
  const columns = Object.fromEntries(names.map((name, k) => [name, [markup, wide, hebrew, "\u202eabc", `${k}`]]));
  const metadata = { [markup]: markup, "\u202ekey": hebrew, lines: "a\u202eb\nc" };
  const path = join(folder, `names ${"‮"}<b>.arrow`);
  // The writer has no notation for such a name: it is put into the bytes.
  const bytes = Buffer.from(await write(columns, { metadata }));
  for (let at = bytes.indexOf("~R~"); at >= 0; at = bytes.indexOf("~R~", at)) bytes.write("\u202e", at);
  writeFileSync(path, bytes);
  for (const options of [{}, { width: 390, height: 780 }]) {
    const check = await openPage(options);
    await choose(path);
    await isDrawn();
    assert.match(await text("title"), /Arrow files$/);
    assert.equal(await browser.value("document.querySelectorAll('img, b, main script').length"), 0);
    const cells = await texts(".row:not(.head):not([hidden]) .cell:nth-child(2)");
    assert.equal(cells[0], markup);
    assert.ok(cells[1].length < 200, `${cells[1].length} characters in a cell`);
    assert.equal(cells[2], hebrew);
    assert.equal(cells[3], "\\u{202e}abc");
    assert.equal((await texts(".head .name"))[0], markup);
    assert.equal(await browser.value("document.documentElement.scrollWidth <= document.documentElement.clientWidth"), true, "the page scrolls to the side");
    // The whole text is on the side, and what is copied is whole.
    await browser.value("navigator.clipboard.writeText = async (text) => { window.copied = text; }");
    await browser.value("document.querySelector('.grid').focus()");
    await browser.key("ArrowDown");
    await browser.key("Enter");
    await until("/1,000,000 characters/.test(document.querySelector('aside:not([hidden])')?.textContent)");
    await press("Copy");
    await until("window.copied?.length === 1000000");
    await browser.key("Escape");
    await browser.value("document.querySelector('[role=tab][id$=schema-tab]').click()");
    assert.equal(await browser.value("document.querySelectorAll('img, b, main script').length"), 0);
    // Of a long name, the beginning is shown; the whole is in the title, and is copied.
    const long = await browser.value("[...document.querySelectorAll('.fields .key')].filter(({ textContent }) => textContent.startsWith('xxx')).map(({ textContent, title }) => [textContent.length, title])");
    assert.deepEqual(long, [[161, "x".repeat(100_000)]]);
    assert.ok((await texts(".schema pre")).includes("a\\u{202e}b\nc"), "lines of metadata stay");
    assert.deepEqual(await browser.value(HIDDEN), []);
    assert.ok((await browser.value("document.querySelector('.fields').textContent.length")) < 2000, "names in the schema are short");
    await press("Copy the name");
    await until("window.copied?.length === 100000");
    if (options.width) await shot("names-narrow");
    await browser.value("document.querySelector('[role=tab][id$=bytes-tab]').click()");
    await until("document.querySelector('.bytes-view .map')", "the map of bytes");
    assert.deepEqual(await browser.value(HIDDEN), []);
    check();
  }
  // Only the columns on the screen have elements and are read.
  const many = join(folder, "columns.arrow");
  const numbers = Float64Array.from({ length: 10 }, (_, i) => i);
  writeFileSync(many, await write(Object.fromEntries(Array.from({ length: 5000 }, (_, k) => [`column ${k}`, numbers]))));
  const check = await openPage();
  await choose(many);
  await isDrawn();
  assert.ok(await browser.value("document.querySelectorAll('.cell').length < 2000"));
  await browser.value("document.querySelector('.grid').focus()");
  await browser.key("End");
  await until("document.getElementById(document.querySelector('.grid').getAttribute('aria-activedescendant'))?.getAttribute('aria-colindex') === '5001'", "the last column");
  await isDrawn();
  assert.equal((await texts(".head .name")).at(-1), "column 4999");
  check();
}

const results = {};
try {
  if (python === null) console.log("SKIPPED what pyarrow reads of saved files: no Python with pyarrow");
  const tests = [
    completeBatchesAreSaved, filesAreDownloaded, damagedFilesDoNotStopThePage, hostileFilesAreSearched, timesAreInTheirZone, firstRowsAreThereBeforeAllAreCounted,
    servedFilesNeedThreeRoundTrips, smallBatchesAreSearched, keysAndScreenReadersReachEverything, textHasContrast, strangeNamesAndWideTextAreText,
    filesOfOneNameAreToldApart, otherFormatsAreNamed,
  ];
  const only = process.env.ONLY;
  for (const test of tests.filter(({ name }) => !only || name === only)) results[test.name] = (await test()) ?? "ok";
} finally {
  await browser.close();
}
console.log(results);
