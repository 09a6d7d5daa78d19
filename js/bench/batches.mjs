// Measures files of many small batches: node js/bench/batches.mjs [PACKAGE]. PACKAGE is the folder of another version of the package.
import { createWriteStream, mkdtempSync, openAsBlob, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

import { createWriter } from "../index.js";

const N_BATCHES = 200_000;
const { open } = await import(process.argv[2] ? pathToFileURL(resolve(process.argv[2], "index.js")) : "../index.js");

const folder = mkdtempSync(join(tmpdir(), "arrow-"));
const path = join(folder, "small.arrow");
const writer = await createWriter({ schema: { id: "int32", price: "float64", name: "utf8" } });
const sink = createWriteStream(path);
for (let k = 0; k < N_BATCHES; k++) {
  const id = Int32Array.of(3 * k, 3 * k + 1, 3 * k + 2);
  const bytes = writer.write({ id, price: Float64Array.from(id, (i) => i / 7), name: [`name ${k}`, "other", null] });
  if (!sink.write(bytes)) await new Promise((done) => sink.once("drain", done));
}
sink.end(writer.finish());
await new Promise((done) => sink.once("close", done));

const where = "id < 5";
const sources = { "in memory": () => readFileSync(path), "on disk": () => path, "a Blob": () => openAsBlob(path) };
const uses = {
  "rows()": async (file) => (await file.rows().toArray()).length,
  "rows({ where })": async (file) => (await file.rows({ where }).toArray()).length,
  "batch(i) of each": async (file) => {
    let n = 0;
    for (let i = 0; i < file.numBatches; i++) n += (await file.batch(i)).numRows;
    return n;
  },
  "matches(i) of each": async (file) => {
    let n = 0;
    for (let i = 0; i < file.numBatches; i++) n += (await file.matches(i, { where })).rows.length;
    return n;
  },
};
for (const [of, source] of Object.entries(sources)) {
  for (const [name, use] of Object.entries(uses)) {
    const file = await open(await source());
    const [cpu, start] = [process.cpuUsage(), performance.now()];
    const n = await use(file);
    const { user, system } = process.cpuUsage(cpu);
    console.log(`${of}, ${name}: ${n} rows, ${((performance.now() - start) / 1000).toFixed(1)} s, ${((user + system) / 1e6).toFixed(1)} s of processor time`);
    file.free();
  }
}
rmSync(folder, { recursive: true });
