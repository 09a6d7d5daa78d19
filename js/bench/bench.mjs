// Measures beside the package apache-arrow, in one process, in turn: node --expose-gc js/bench/bench.mjs
import * as arrow from "apache-arrow";
import lz4 from "lz4js";

import { open, write } from "../index.js";

const N_ROUNDS = 9;

arrow.compressionRegistry?.set(arrow.CompressionType.LZ4_FRAME, { decode: (bytes) => lz4.decompress(bytes) });

const n_rows = 100_000;
const words = ["Oslo", "Rome", "Kyiv", "Lima", "Bern", "Cairo", "Quito", "Hanoi"];

const table = (k) => ({
  id: Int32Array.from({ length: n_rows }, (_, i) => n_rows * k + i),
  price: Float64Array.from({ length: n_rows }, (_, i) => i / 7),
  amount: BigInt64Array.from({ length: n_rows }, (_, i) => BigInt(i) * 1000n),
  city: Array.from({ length: n_rows }, (_, i) => words[(i * 7) % 8]),
  comment: Array.from({ length: n_rows }, (_, i) => `a comment of some length about order ${i}`),
  flag: Array.from({ length: n_rows }, (_, i) => (i % 10 === 0 ? null : i % 3 === 0)),
});
const wide = (k) => Object.fromEntries(Array.from({ length: 100 }, (_, c) => [`c${c}`, Float64Array.from({ length: 20_000 }, (_, i) => i * c + k)]));
const greek = { text: Array.from({ length: n_rows }, (_, i) => `τιμή ${i}`) };

const files = {
  plain: await write([table(0), table(1)]),
  lz4: await write([table(0), table(1)], { compression: "lz4" }),
  wide: await write(Array.from({ length: 20 }, (_, k) => wide(k))),
  greek: await write(greek),
};

const ours = {
  rows: async (file) => (await file.rows().toArray()).length,
  column: (name) => async (file) => {
    let sum = 0;
    for (let i = 0; i < file.numBatches; i++) {
      const { numbers } = (await file.batch(i, { columns: [name] })).column(name);
      for (let k = 0; k < numbers.length; k++) sum += numbers[k];
    }
    return sum;
  },
  strings: (name) => async (file) => {
    let n = 0;
    for (let i = 0; i < file.numBatches; i++) for (const text of (await file.batch(i, { columns: [name] })).column(name).toArray()) n += text.length;
    return n;
  },
};
// What apache-arrow can do in several ways, of which the fastest counts: a table of all batches, or a reader that drops each.
const whole = (work) => (bytes) => work(arrow.tableFromIPC(bytes));
const inBatches = (work) => (bytes) => {
  let result = 0;
  for (const batch of arrow.RecordBatchReader.from(bytes)) result += work(batch);
  return result;
};
const both = (work) => ({ "tableFromIPC": whole(work), "RecordBatchReader": inBatches(work) });
const theirs = {
  opened: { "tableFromIPC": whole(() => 0), "RecordBatchReader": (bytes) => (arrow.RecordBatchReader.from(bytes).open(), 0) },
  rows: {
    "tableFromIPC": whole((table) => table.toArray().map((row) => row.toJSON()).length),
    ...Object.fromEntries(
      Object.entries(
        both((rows) => {
          const objects = [];
          for (const row of rows) objects.push(row.toJSON());
          return objects.length;
        }),
      ).map(([name, work]) => [`${name}, each row`, work]),
    ),
  },
  column: (name) =>
    both((rows) => {
      let sum = 0;
      for (const { values } of rows.getChild(name).data) for (let k = 0; k < values.length; k++) sum += values[k];
      return sum;
    }),
  strings: (name) => ({
    ...both((rows) => {
      let n = 0;
      for (const text of rows.getChild(name).toArray()) n += text.length;
      return n;
    }),
    "RecordBatchReader, each text": inBatches((batch) => {
      let n = 0;
      for (const text of batch.getChild(name)) n += text.length;
      return n;
    }),
  }),
};

const nothing = () => 0;
const cases = [
  ["open a file of 20 batches of 100 columns", "wide", nothing, theirs.opened],
  ["one column of a hundred, as numbers", "wide", ours.column("c42"), theirs.column("c42")],
  ["all rows as objects", "plain", ours.rows, theirs.rows],
  ["a column of strings", "plain", ours.strings("comment"), theirs.strings("comment")],
  ["a column of short strings", "plain", ours.strings("city"), theirs.strings("city")],
  ["a column of Greek strings", "greek", ours.strings("text"), theirs.strings("text")],
  ["LZ4: one column of six, as numbers", "lz4", ours.column("price"), theirs.column("price")],
  ["LZ4: all rows as objects", "lz4", ours.rows, theirs.rows],
];

console.log(`| opening, and then | ours | apache-arrow | ratio | fastest way of apache-arrow |\n|---|--:|--:|--:|---|`);
for (const [name, file, our, their] of cases) {
  const bytes = files[file];
  const ways = ["ours", ...Object.keys(their)];
  const times = ways.map(() => []);
  const results = [];
  for (let round = -2; round < N_ROUNDS; round++) {
    for (const [side, way] of ways.entries()) {
      globalThis.gc?.();
      const start = performance.now();
      const opened = side === 0 ? await open(bytes) : undefined;
      results[side] = opened ? await our(opened) : their[way](bytes);
      if (round >= 0) times[side].push(performance.now() - start);
      opened?.free();
    }
  }
  if (results.some((result) => result !== results[0])) throw new Error(`${name}: ${results}`);
  const [a, ...rest] = times.map((list) => list.sort((x, y) => x - y)[N_ROUNDS >> 1]);
  const b = Math.min(...rest);
  console.log(`| ${name} | ${a.toFixed(2)} ms | ${b.toFixed(2)} ms | ${(b / a).toFixed(2)} | ${ways[1 + rest.indexOf(b)]} |`);
}
