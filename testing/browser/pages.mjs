// Opens pages of `inspect --html`, which the tests of `arrow-ipc-tools` wrote, and uses them as a person would.
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
  for (const key of ["ArrowRight", "ArrowRight", "ArrowRight", "ArrowDown", "ArrowDown", "ArrowRight", "ArrowRight", "Enter"]) await browser.key(key);
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
  await browser.command("Input.dispatchMouseEvent", { type: "mouseWheel", x, y, deltaX: 0, deltaY: -800 });
  await settle();
  const [start, end] = await browser.value("[view.start, view.end]");
  assert.ok(end - start < await browser.value("TOTAL") / 2, `${start} ${end}`);
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
  const check = await open("cut");
  assert.match(await text("#remarks"), /^Damaged: cut: /);
  check();
}

async function keepShots() {
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
  for (const use of [columnsAreFound, stripsAreUsed, namesDoNotRun, damageIsShown]) await use();
  if (shots) await keepShots();
  console.log(`${n} pages are shown without errors; columns, strips, names and damage are as expected`);
} catch (error) {
  failure = error;
  console.error(error);
}
await browser.close();
process.exit(failure ? 1 : 0);
