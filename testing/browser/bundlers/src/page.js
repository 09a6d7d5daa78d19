// What the README of the package shows, in a page: everything below is a result that ../bundlers.mjs compares.
import { open, write } from "fletching-arrow-ipc";

async function results() {
  const bytes = await write({ id: Int32Array.of(1, 2, 3), name: ["ada", null, "bob"] }, { compression: "lz4" });
  const found = { written: bytes.length > 0 };
  const file = await open(new Blob([bytes]));
  found.rows = await file.rows().toArray();
  found.where = await file.rows({ where: "id > 1 and name is not null" }).toArray();
  found.stream = (await file.legacyStream()).length > 0;
  file.free();
  const remote = await open(new URL("people.arrow", document.baseURI));
  found.remote = [remote.numRows, (await remote.rows({ columns: ["name"], limit: 1 }).toArray())[0].name];
  remote.free();
  found.worker = await new Promise((resolve, reject) => {
    const worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
    worker.onmessage = ({ data }) => resolve(data);
    worker.onerror = (event) => reject(new Error(event.message || "the worker cannot be loaded"));
    worker.postMessage(bytes);
  });
  return found;
}

results().then(
  (found) => (globalThis.found = found),
  (error) => (globalThis.found = { error: String(error?.stack ?? error) }),
);
