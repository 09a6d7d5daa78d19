// Measures viewer.html with large files: the time until rows are there, slices or requests, and memory by the browser's own measure.
// node measure.mjs BROWSER FILE…
import { createReadStream, readFileSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { basename, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { Browser } from "./browser.mjs";

const DELAY_MS = 30;

/** Serves the page, isolated so that it may measure its memory, and ranges of files. Each answer waits for `wait()`. */
export async function serve(files, wait) {
  const requests = [];
  const page = fileURLToPath(new URL("../../js/viewer/viewer.html", import.meta.url));
  const server = createServer((request, response) => {
    const isolated = { "Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Embedder-Policy": "require-corp" };
    if (request.url === "/viewer.html") {
      response.writeHead(200, { "Content-Type": "text/html", ...isolated }).end(readFileSync(page));
      return;
    }
    const path = files.find((path) => `/${basename(path)}` === decodeURIComponent(request.url));
    if (!path) {
      response.writeHead(404).end();
      return;
    }
    const { size } = statSync(path);
    const [, from, to] = /^bytes=(\d*)-(\d*)$/.exec(request.headers.range ?? "") ?? [];
    if (from === undefined) {
      response.writeHead(400).end();
      return;
    }
    const start = from === "" ? Math.max(0, size - Number(to)) : Number(from);
    const end = from === "" || to === "" ? size : Math.min(size, Number(to) + 1);
    requests.push({ at: performance.now(), start, n_bytes: end - start });
    const headers = { "Content-Range": `bytes ${start}-${end - 1}/${size}`, "Content-Length": end - start, ETag: '"1"', "Accept-Ranges": "bytes" };
    wait().then(() => {
      response.writeHead(206, headers);
      createReadStream(path, { start, end: end - 1 }).pipe(response);
    });
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  return { origin: `http://127.0.0.1:${server.address().port}`, requests, close: () => server.close() };
}

/** The round trips of requests: those that begin before the first answer of others are in one. */
function roundTrips(requests, delay) {
  let trips = 0;
  let end = -Infinity;
  for (const { at } of requests) {
    if (at < end) continue;
    trips++;
    end = at + delay;
  }
  return trips;
}

/** Counts slices of files, and tells when the rows on the screen are there. */
export const WATCH = `
  window.slices = [];
  const slice = Blob.prototype.slice;
  Blob.prototype.slice = function (start, end) { window.slices.push([start, end]); return slice.call(this, start, end); };
  window.drawn = () => new Promise((done) => {
    const look = () => {
      const row = document.querySelector(".view:not([hidden]) .row:not(.head):not([hidden]) .cell:nth-child(2)");
      if (row && !document.querySelector(".view:not([hidden]) .waiting")) requestAnimationFrame(() => done(performance.now()));
      else requestAnimationFrame(look);
    };
    look();
  });
  document.getElementById("input").addEventListener("change", () => {
    const start = window.start = performance.now();
    window.first = null;
    window.drawn().then((end) => (window.first = end - start));
  }, true);`;

async function settled(browser, expression) {
  for (let i = 0; i < 3000; i++) {
    const value = await browser.value(expression);
    if (value !== null) return value;
    await new Promise((done) => setTimeout(done, 20));
  }
  throw new Error(`no ${expression}`);
}

const total = (slices) => slices.reduce((sum, [start, end]) => sum + end - start, 0);

async function measure(program, files) {
  const server = await serve(files, () => new Promise((done) => setTimeout(done, DELAY_MS)));
  const browser = await Browser.start(program);
  try {
    for (const file of files) {
      await browser.open(`${server.origin}/viewer.html`, { height: 900 });
      await browser.value(WATCH);
      await new Promise((done) => setTimeout(done, 1000));
      const { root } = await browser.command("DOM.getDocument");
      const { nodeId } = await browser.command("DOM.querySelector", { nodeId: root.nodeId, selector: "#input" });
      await browser.command("DOM.setFileInputFiles", { files: [file], nodeId });
      const first = await settled(browser, "window.first");
      const opened = await browser.value("window.slices.splice(0)");
      const counted = await browser.value("viewer_src_main.opened.at(-1).view.counted.then(() => performance.now() - window.start)");
      const counting = await browser.value("window.slices.splice(0)");
      const memory = async () => (await browser.value("performance.measureUserAgentSpecificMemory().then(({ bytes }) => bytes)")) / 1e6;
      const before = await memory();
      const middle = await browser.value(`(() => {
        const grid = document.querySelector(".view:not([hidden]) .grid");
        const start = performance.now();
        grid.scrollTop = (grid.scrollHeight - grid.clientHeight) / 2;
        return new Promise((done) => setTimeout(() => window.drawn().then((end) => done(end - start)), 50));
      })()`);
      const scrolled = await browser.value("window.slices.splice(0)");
      const after = await memory();
      // Jumps to 60 rows over all of the file.
      await browser.value(`(async () => {
        const grid = document.querySelector(".view:not([hidden]) .grid");
        for (let k = 1; k <= 60; k++) {
          grid.scrollTop = ((k * 37) % 61) / 61 * (grid.scrollHeight - grid.clientHeight);
          await new Promise((done) => setTimeout(done, 80));
          await window.drawn();
        }
      })()`);
      console.log(`${basename(file)}, ${(statSync(file).size / 1e9).toFixed(2)} GB on disk: first rows ${first.toFixed(0)} ms, ${opened.length} slices, ${total(opened)} bytes; all rows counted ${counted.toFixed(0)} ms, ${counting.length} slices; ` +
        `the middle ${middle.toFixed(0)} ms, ${scrolled.length} slices, ${total(scrolled)} bytes; memory ${before.toFixed(0)} MB, then ${after.toFixed(0)} MB, after 60 jumps ${(await memory()).toFixed(0)} MB`);

      server.requests.length = 0;
      const url = `${server.origin}/${basename(file)}`;
      const served = await browser.value(`(async () => {
        document.querySelectorAll(".file .close").forEach((button) => button.click());
        document.getElementById("url").value = ${JSON.stringify(url)};
        const start = performance.now();
        document.getElementById("address").requestSubmit();
        return (await window.drawn()) - start;
      })()`);
      const requests = [...server.requests];
      const bytes = requests.reduce((sum, { n_bytes }) => sum + n_bytes, 0);
      console.log(`  by HTTP at ${DELAY_MS} ms: first rows ${served.toFixed(0)} ms, ${requests.length} requests in ${roundTrips(requests, DELAY_MS)} round trips, ${bytes} bytes`);
    }
  } finally {
    await browser.close();
    server.close();
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [program, ...files] = process.argv.slice(2);
  await measure(program, files.map((file) => resolve(file)));
}
