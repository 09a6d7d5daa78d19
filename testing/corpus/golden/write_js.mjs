// Writes what write_js.py asks for with the JavaScript library; NODE_PATH says where that is.
//
//     node write_js.mjs FOLDER
//
// FOLDER has `jobs.json` and the streams that it names, which are read and written anew. What values of JavaScript are
// built into follows, listed in `built.json` with the text of its rows, which is made before anything is written.

import { createRequire } from "node:module";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { builtCases } from "./js_cases.mjs";

const require = createRequire(import.meta.url);
const arrow = require("apache-arrow");

// The library stores what a codec does not make shorter as it is, marked by a length of -1. These never do. Before what a
// codec makes shorter, version 21.2.0 writes the length that it has then, not the one that it had, so others refuse it.
const { CompressionType } = arrow;
const CODECS = { lz4: CompressionType.LZ4_FRAME, zstd: CompressionType.ZSTD };
const longer = (magic) => ({ encode: (bytes) => new Uint8Array([...magic, ...bytes, 0, 0, 0, 0]) });
arrow.compressionRegistry.set(CODECS.lz4, longer([0x04, 0x22, 0x4d, 0x18, 0x40, 0x40, 0xc0]));
arrow.compressionRegistry.set(CODECS.zstd, longer([0x28, 0xb5, 0x2f, 0xfd]));

const folder = process.argv[2];
for (const job of JSON.parse(readFileSync(join(folder, "jobs.json"), "utf8"))) {
  for (const kind of job.formats) {
    // Read once for each: dictionaries that grow share what they have, and lose nothing.
    const reader = arrow.RecordBatchReader.from(readFileSync(join(folder, `${job.source}.source`)));
    reader.open({ autoDestroy: false });
    const batches = [...reader];
    write(job.name, kind, reader.schema, batches, job);
  }
}
const listed = [];
for (const { name, about, formats, schema, batches, rows, ...options } of builtCases(arrow)) {
  listed.push({ name, about, formats, rows: rows.map((batch) => batch.map(text)) });
  formats.forEach((kind) => write(name, kind, schema, batches(), options));
}
writeFileSync(join(folder, "built.json"), JSON.stringify(listed));

function write(name, kind, schema, batches, options) {
  const Writer = kind === "stream" ? arrow.RecordBatchStreamWriter : arrow.RecordBatchFileWriter;
  const writer = new Writer({
    compressionType: options.compression ? CODECS[options.compression] : null,
    writeLegacyIpcFormat: options.legacy === true,
  });
  writer.reset(undefined, schema);
  batches.forEach((batch) => writer.write(batch));
  writer.finish();
  writeFileSync(join(folder, name + (kind === "stream" ? ".arrows" : ".arrow")), writer.toUint8Array(true));
}

// A value as JSON. Numbers that are no integers must be such that JSON has them as they are; bytes are hexadecimal.
function text(value) {
  if (typeof value === "bigint") return String(value);
  if (value instanceof Uint8Array) return `"${Buffer.from(value).toString("hex")}"`;
  if (Array.isArray(value)) return `[${value.map(text).join(",")}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  return `{${Object.entries(value).map(([name, inner]) => `${JSON.stringify(name)}:${text(inner)}`).join(",")}}`;
}
