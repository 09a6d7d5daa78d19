// Opens pages of `inspect --html`, which the tests of `arrow-ipc-report` wrote, and uses them as a person would.
// node pages.mjs BROWSER PAGES [SHOTS]
import assert from "node:assert/strict";
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { Browser } from "./browser.mjs";

const [program, folder, shots] = process.argv.slice(2);
const browser = await Browser.start(program);
const text = (selector) => browser.value(`document.querySelector(${JSON.stringify(selector)}).textContent`);
const settle = () => browser.value("new Promise((done) => requestAnimationFrame(() => setTimeout(done, 50)))");
const center = (selector) => browser.value(`(() => {
  const element = document.querySelector(${JSON.stringify(selector)});
  element.scrollIntoView({ block: "center" });
  const box = element.getBoundingClientRect();
  return [box.x + box.width / 2, box.y + box.height / 2];
})()`);
async function click(selector) {
  await browser.click(...await center(selector));
  await settle();
}
async function press(...keys) {
  for (const key of keys) await browser.key(key);
  await settle();
}
const shownBytes = () => browser.value("[view.start, view.end]");
async function open(name, options) {
  const url = pathToFileURL(join(folder, `${name}.html`)).href;
  await browser.open(url, options);
  return () => assert.deepEqual(browser.complaints(url), [], name);
}

// No page says anything but what it shows, in light and in dark, whatever its input is.
async function pagesAreQuiet() {
  const names = readdirSync(folder).filter((name) => name.endsWith(".html")).map((name) => name.slice(0, -5)).sort();
  assert.ok(names.length > 500, `${names.length} pages`);
  const some = names.filter((name, idx) => idx % 12 === 0 || /hostile-names|columns-10000|messages-6000|buffers-1000/.test(name));
  for (const [idx, name] of some.entries()) {
    const check = await open(name, { scheme: idx % 2 ? "dark" : "light" });
    assert.equal(await text("#name"), name);
    check();
  }
  return some.length;
}

// The page begins with what most people look for, and a command is copied or at least selected.
async function overviewsComeFirst() {
  const check = await open("people-cut");
  const heads = await browser.value("[...document.querySelectorAll('main h2')].map((head) => head.textContent)");
  assert.deepEqual(heads.slice(0, 4), ["Bytes by column", "What is odd, and what mends it", "First rows", "Map"]);
  assert.match(await text("#findings .command"), /^arrow-ipc recover - OUT\.arrow$/);
  await click("#findings .command + button");
  assert.match(await text("#findings .command + button"), /^(Copied|Selected)$/);
  assert.equal(await browser.value("getSelection().toString()"), await text("#findings .command"));
  check();
}

async function columnsAreFound() {
  const check = await open("columns-10000");
  assert.equal(await text("#found"), "10,000 of 10,000");
  assert.ok(await browser.value("document.querySelectorAll('#rows tbody tr').length") < 100, "rows out of sight are in the document");
  await browser.value("document.getElementById('rows').scrollTop = 28 * 7000");
  await settle();
  const shown = await text("#rows tbody");
  assert.match(shown, /column_07000/);
  await browser.key("/");
  await browser.command("Input.insertText", { text: "column_09876" });
  await settle();
  assert.equal(await text("#found"), "1 of 10,000");
  await click("#rows tbody tr:not(.space) td");
  assert.match(await text("#details"), /column_09876/);
  assert.match(await text("#window"), /^bytes .* of all$/);
  await click("#all");
  assert.match(await text("#window"), /^all /);
  // By keyboard: from the first message to its neighbour, and down to the column and the buffer below.
  await browser.value("document.getElementById('strip').focus()");
  await browser.key("Escape");
  await press("ArrowRight", "ArrowRight", "ArrowRight", "ArrowDown", "ArrowDown", "ArrowRight", "ArrowRight", "Enter");
  await settle();
  assert.match(await text("#details .title"), /^column_00000: values$/);
  await browser.key("Home");
  await click("#tabs button:first-child");
  await browser.value("filter.value = ''; filter.dispatchEvent(new Event('input'))");
  assert.equal(await text("#found"), "20,000 of 20,000");
  await click("#rows thead th:nth-child(4) button");
  assert.equal(await browser.value("document.querySelector('#rows thead th:nth-child(4)').getAttribute('aria-sort')"), "descending");
  check();
}

async function stripsAreUsed() {
  const check = await open("buffers-1000");
  const [x, y] = await center("#strip");
  const box = await browser.value("document.getElementById('strip').getBoundingClientRect().toJSON()");
  await browser.click(x, box.y + 40);
  await settle();
  assert.match(await text("#details .title"), /^message \d+: record batch$/);
  assert.equal(await browser.value("document.getElementById('tip').hidden"), false);
  await browser.wheel(x, y, -800);
  await settle();
  const [start, end] = await browser.value("[view.start, view.end]");
  assert.ok(end - start < await browser.value("TOTAL") / 2, `${start} ${end}`);
  check();
}

// Each item that keys lead to is seen whole with its neighbours, however long it is, and in the order of the bytes.
async function stepsKeepTheView() {
  const check = await open("people");
  await browser.value("document.getElementById('strip').focus()");
  await press("ArrowRight", "ArrowDown", "ArrowDown");
  const titles = [];
  for (let before = await shownBytes(), n = 0; n < 60; n++) {
    await press("ArrowRight");
    const [start, end] = await shownBytes();
    const item = await browser.value("({ start: selected.start, end: selected.end, title: selected.title })");
    titles.push(item.title);
    assert.ok(item.start >= start && item.end <= end, `${item.title} is outside of ${start} to ${end}`);
    const part = (item.end - item.start) / (end - start);
    if (item.start === item.end) assert.ok(end - start >= (before[1] - before[0]) * 0.999, `${item.title} changes the scale`);
    else assert.ok(part > 0.004 && part <= 0.51, `${item.title} has ${part} of the strip`);
    before = [start, end];
  }
  const at = titles.indexOf("id: values");
  assert.deepEqual(titles.slice(at - 1, at + 3), ["id: validity", "id: values", "address: validity", "address.zip: validity"]);
  await press("ArrowUp");
  assert.match(await text("#details .title"), /^column \d+$/);
  // A column is shown under its own name, whatever is in it.
  const columns = await browser.value("items[COLUMNS].filter((item) => item.table === 1).map((item) => item.title)");
  assert.equal(columns.length, 3 * 123);
  assert.deepEqual(columns.slice(0, 4), ["id", "address", '"a.b"', "column 0"]);
  check();
}

// What has no bytes hides nothing: the strip shows values, not the empty validity before each.
async function emptyIsNotSeen() {
  for (const width of [400, 1280]) {
    const check = await open("people", { width });
    const pixels = await browser.value("[...strip.getContext('2d').getImageData(strip.width / 2, LANE_TOP[BUFFERS] + 20, 40, 1).data]");
    const [r, g, b] = [0, 1, 2].map((part) => pixels.filter((_, idx) => idx % 4 === part).reduce((sum, n) => sum + n, 0) / 40);
    assert.ok(b > r + 40 && b > g + 20, `at ${width}, values are shown as ${[r, g, b]}`);
    check();
  }
}

// Labels can be read on every colour that a page has.
async function labelsAreRead() {
  for (const scheme of ["light", "dark"]) {
    const check = await open("people", { scheme });
    const least = await browser.value(`(() => {
      const g = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
      const luminance = (color) => {
        g.fillStyle = color;
        g.fillRect(0, 0, 1, 1);
        const [r, g_, b] = [...g.getImageData(0, 0, 1, 1).data].map((part) => part / 255).map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
        return 0.2126 * r + 0.7152 * g_ + 0.0722 * b;
      };
      const all = [...ROLE_COLORS, ...Object.values(KIND_COLORS), "metadata", "mark", "footer", "gap", ...Array(360).keys()];
      return Math.min(...all.map((color) => {
        const [a, b] = [luminance(colorOf(color)), luminance(inkOn(g, colorOf(color)))].sort((a, b) => a - b);
        return (b + 0.05) / (a + 0.05);
      }));
    })()`);
    assert.ok(least >= 4.5, `${scheme}: ${least} : 1`);
    check();
  }
}

async function rowsAreFiltered() {
  const check = await open("people");
  const found = async (words) => {
    await browser.value(`(filter.value = ${JSON.stringify(words)}, filter.dispatchEvent(new Event("input")), 0)`);
    return Number((await text("#found")).split(" ")[0]);
  };
  assert.ok(await found("column 4") > 20);
  assert.ok(await found('"column 4') > 10);
  assert.equal(await found('"column 4"'), 1);
  assert.equal(await found('"address.zip" utf8'), 1);
  assert.equal(await found('"(column 4"'), 0);
  assert.equal(await found('""'), 125);
  // From the filter to the first row, and on.
  assert.ok(await found("column 4") > 20);
  await browser.value("filter.focus()");
  await press("ArrowDown");
  assert.equal(await browser.value("document.activeElement.id"), "rows");
  assert.equal(await text("#rows tr.selected td"), "column 4");
  await press("ArrowDown");
  assert.equal(await text("#rows tr.selected td"), "column 14");
  check();
}

// The page scrolls where the strip has nothing more to show.
async function wheelsScroll() {
  const check = await open("people", { height: 500 });
  const [x, y] = await center("#strip");
  const scrolled = () => browser.value("scrollY");
  const [all, before] = [await shownBytes(), await scrolled()];
  await browser.wheel(x, y, 200);
  await settle();
  assert.deepEqual(await shownBytes(), all);
  assert.ok(await scrolled() > before, "the page stands");
  const [inX, inY] = await center("#strip");
  const there = await scrolled();
  await browser.wheel(inX, inY, -400);
  await settle();
  const [start, end] = await shownBytes();
  assert.ok(end - start < all[1] * 0.6, `${start} ${end}`);
  assert.equal(await scrolled(), there);
  // As near as it gets: the window does not drift.
  for (let n = 0; n < 12; n++) await browser.wheel(inX, inY, -2000);
  await settle();
  const near = await shownBytes();
  assert.ok(near[1] - near[0] <= 16.001);
  await browser.wheel(inX, inY, -2000);
  await settle();
  assert.deepEqual(await shownBytes(), near);
  check();
}

async function fingersAreUnderstood() {
  const check = await open("people", { width: 400, height: 760, isTouched: true });
  const tops = await browser.value("['out', 'in', 'to-selected', 'all'].map((id) => document.getElementById(id).getBoundingClientRect().top)");
  assert.equal(new Set(tops).size, 1, `buttons at ${tops}`);
  assert.ok(await browser.value("document.documentElement.scrollWidth") <= 400, "wider than the screen");
  const scrolled = () => browser.value("scrollY");
  const all = await shownBytes();
  // Up: the page scrolls.
  let [x, y] = await center("#strip");
  const before = await scrolled();
  await browser.touch(...[0, 20, 60, 110, 160].map((by) => [[x, y - by]]));
  await settle();
  assert.ok(await scrolled() > before + 50, "the page stands");
  assert.deepEqual(await shownBytes(), all);
  // Apart: the strip zooms, and what was under the fingers stays there.
  [x, y] = await center("#strip");
  const there = await scrolled();
  const offset = () => browser.value(`view.start + (${x} - strip.getBoundingClientRect().left) / strip.clientWidth * (view.end - view.start)`);
  const held = await offset();
  await browser.touch(...[20, 40, 60, 80].map((by) => [[x - by, y], [x + by, y]]));
  await settle();
  const [start, end] = await shownBytes();
  assert.ok(Math.abs((end - start) / (all[1] / 4) - 1) < 0.05, `${start} ${end}`);
  assert.ok(Math.abs(await offset() - held) < (end - start) / 100, `${held} has moved`);
  assert.equal(await text("#details .title, #details .quiet"), "Click a part of the strip or a row of the table to see what it is.");
  // Sideways: it moves.
  await browser.touch(...[0, 20, 50, 80].map((by) => [[x - by, y]]));
  await settle();
  const moved = await shownBytes();
  assert.ok(moved[0] > start && Math.abs(moved[1] - moved[0] - (end - start)) < 1, `${moved}`);
  assert.equal(await scrolled(), there);
  // A tap selects.
  await browser.touch([[x, y]]);
  await settle();
  assert.match(await text("#details .title"), /./);
  assert.equal(await browser.value("selected !== null"), true);
  check();
}

async function namesDoNotRun() {
  const check = await open("hostile-names");
  assert.equal(await browser.value("window.stolen"), undefined);
  assert.equal(await browser.value("document.images.length + document.scripts.length"), 2);
  assert.match(await text("#rows tbody"), /<\/script><script>window.stolen/);
  await click("#rows tbody tr:not(.space) td");
  assert.match(await text("#details"), /<img src=x/);
  assert.equal(await browser.value("window.stolen"), undefined);
  check();
  // The policy, by the browser's own word: neither markup nor scripts can be made of text, and nothing is loaded.
  const tries = `(async () => {
    const refused = [];
    document.addEventListener("securitypolicyviolation", (event) => refused.push(event.effectiveDirective));
    try { document.body.innerHTML += "<b>markup</b>"; refused.push("none"); } catch { }
    const script = document.createElement("script");
    try { script.text = "window.stolen = 1"; document.body.append(script); } catch { }
    try { await fetch("https://example.org/"); refused.push("none"); } catch { }
    await new Promise((done) => setTimeout(done, 50));
    return [window.stolen === undefined, refused.includes("none"), refused.includes("connect-src")];
  })()`;
  assert.deepEqual(await browser.value(tries), [true, false, true]);
}

async function damageIsShown() {
  let check = await open("cut");
  assert.match(await text("#remarks"), /^Damaged: message 2 at byte \d+: the body is truncated/);
  check();
  check = await open("people-cut");
  const parts = await browser.value("[...document.querySelectorAll('#summary span')].map((part) => part.textContent)");
  assert.ok(parts.includes("2 batches, and 1 truncated") && parts.includes("2,000 rows"), `${parts}`);
  const shares = await browser.value("F.n_bytes.concat(M.n_metadata_bytes).reduce((sum, n) => sum + num(n), 0) / TOTAL");
  assert.ok(shares > 0.9 && shares <= 1, `${shares}`);
  assert.ok(await browser.value("items.every((lane) => lane.every((item) => item.end + (item.padding ?? 0) <= TOTAL || item.start === item.end))"));
  await click("#tabs button:last-child");
  assert.match(await text("#rows tbody"), /truncated/);
  check();
  check = await open("no-bytes");
  assert.equal(await text("#remarks"), "Damaged: the input is empty");
  assert.equal(await text("#summary"), "input of 0 bytes");
  assert.equal(await text("#window"), "all 0 bytes");
  check();
  check = await open("no-head");
  assert.match(await text("#remarks"), /^Damaged: neither/);
  check();
}

// Metadata has a place of its own, and the bounds of the footer stand in the table of fields.
async function boundsAreShown() {
  const check = await open("bounds");
  assert.match(await text("#metadata"), /^\nMetadata\nwhopeople/);
  assert.match(await text("#details"), /^Click a part .*\.$/);
  const names = await browser.value("[...document.querySelectorAll('#rows thead button')].map((name) => name.textContent)");
  const cells = await browser.value("[...document.querySelectorAll('#rows tbody tr:not(.space) td')].map((cell) => cell.textContent)");
  assert.deepEqual([names.indexOf("min"), names.indexOf("max")].map((at) => cells[at]), ["-3", "7"]);
  check();
}

// Labels of the axis are whole, and none is written over another.
async function axesAreRead() {
  for (const width of [400, 900, 1280]) {
    const check = await open("people", { width });
    for (const part of [1, 0.37, 0.011]) {
      const labels = await browser.value(`(() => {
        setWindow(TOTAL * (1 - ${part}) / 2, TOTAL * (1 + ${part}) / 2);
        const [fill, seen] = [CanvasRenderingContext2D.prototype.fillText, []];
        CanvasRenderingContext2D.prototype.fillText = function (label, x, y) {
          if (y === 4) seen.push([x, x + this.measureText(label).width]);
          fill.call(this, label, x, y);
        };
        draw();
        CanvasRenderingContext2D.prototype.fillText = fill;
        return seen;
      })()`);
      const room = await browser.value("strip.clientWidth");
      assert.ok(labels.length > 1 || width === 400, `${labels}`);
      let free = 0;
      for (const [left, right] of labels) {
        assert.ok(left >= free && right <= room, `${left} to ${right} of ${room}, after ${free}`);
        free = right;
      }
    }
    check();
  }
}

async function keepShots() {
  const some = [["people-cut", {}], ["bounds", {}], ["people", { scheme: "dark" }], ["no-bytes", { height: 700 }], ["people", { width: 400, height: 900, isTouched: true }]];
  for (const [name, options] of some) {
    await open(name, options);
    writeFileSync(join(shots, `${name}${options.width ? "-narrow" : ""}.png`), await browser.screenshot());
  }
  for (const scheme of ["light", "dark"]) {
    await open("compressed-zstd-long.arrow", { scheme, height: 1000 });
    const [x] = await center("#strip");
    const box = await browser.value("document.getElementById('strip').getBoundingClientRect().toJSON()");
    await browser.click(x, box.y + 140);
    await settle();
    writeFileSync(join(shots, `inspect-${scheme}.png`), await browser.screenshot());
  }
}

let failure = null;
try {
  const n = await pagesAreQuiet();
  const uses = [overviewsComeFirst, columnsAreFound, stripsAreUsed, stepsKeepTheView, emptyIsNotSeen, labelsAreRead, rowsAreFiltered, wheelsScroll, fingersAreUnderstood, namesDoNotRun, damageIsShown, boundsAreShown, axesAreRead];
  for (const use of uses) await use();
  if (shots) await keepShots();
  console.log(`${n} pages are shown without errors; columns, strips, steps, labels, filters, wheels, fingers, names, damage, bounds and axes are as expected`);
} catch (error) {
  failure = error;
  console.error(error);
}
await browser.close();
process.exit(failure ? 1 : 0);
