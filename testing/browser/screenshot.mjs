// Draws docs/viewer.png: node screenshot.mjs BROWSER FOLDER, where FOLDER takes the files that are shown.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { write } from "../../js/index.js";
import { Browser } from "./browser.mjs";
import { helpersOf } from "./viewer_page.mjs";

const [program, folder] = process.argv.slice(2);
const root = fileURLToPath(new URL("../..", import.meta.url));
const page = pathToFileURL(join(root, "js/viewer/viewer.html")).href;

/** Orders, with right-to-left text, times of a zone, nulls and nested values. */
async function orders() {
  const cities = ["Oslo", "Zürich", "Rome", "القاهرة", "São Paulo", "תל אביב", null];
  const batches = Array.from({ length: 5 }, (_, k) => {
    const of = (make) => Array.from({ length: 20_000 }, (_, i) => make(k * 20_000 + i));
    return {
      city: of((i) => cities[(i * 5 + (i >> 3)) % cities.length]),
      amount: of((i) => (i % 13 === 5 ? null : (((i * 79.19) % 1000) + 0.01).toFixed(2))),
      at: of((i) => new Date(1_711_640_000_000 + i * 3_600_123)),
      place: of((i) => ({ lat: (i % 90) / 2, names: [{ lang: "en", text: `Place ${i}` }, { lang: "no", text: `Sted ${i}` }] })),
    };
  });
  const schema = {
    city: "utf8", amount: "decimal128(12, 2)", at: 'timestamp(ms, "Europe/Oslo")',
    place: "struct<lat: float64, names: list<item: struct<lang: utf8, text: utf8>>>",
  };
  const path = join(folder, "orders.arrow");
  writeFileSync(path, await write(batches, { schema, compression: "lz4" }));
  const people = join(folder, "people.arrows");
  writeFileSync(people, await write({ name: ["ada"] }, { container: "stream" }));
  return [path, people];
}

const browser = await Browser.start(program);
try {
  const { choose, isDrawn, openPage, press, type, until } = helpersOf(browser, page, null);
  const check = await openPage({ width: 1320, height: 640 });
  await choose(...(await orders()));
  await browser.value("document.querySelector('.file [role=tab]').click()");
  await isDrawn();
  await type(".view:not([hidden]) .find input", "amount > 990 and city = 'Rome' and at >= '2024-04-01'");
  await press("List all matches");
  await until("/matches in [0-9,]+ rows\\./.test(document.querySelector('.view:not([hidden]) .status').textContent)");
  await browser.key("ArrowDown");
  await browser.key("ArrowDown");
  await browser.value("document.querySelector('.view:not([hidden]) .grid').focus()");
  for (let i = 0; i < 3; i++) await browser.key("ArrowRight");
  await browser.key("Enter");
  await until("document.querySelector('aside:not([hidden]) details')");
  await browser.value("document.querySelector('aside details summary').click()");
  await until("document.querySelector('aside .tree .tree details summary')");
  await browser.value("document.querySelector('aside .tree .tree details summary').click()");
  await isDrawn();
  await new Promise((done) => setTimeout(done, 300));
  writeFileSync(join(root, "docs/viewer.png"), await browser.screenshot());
  check();
} finally {
  await browser.close();
}
