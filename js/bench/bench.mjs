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
const theirs = {
  rows: (table) => table.toArray().map((row) => row.toJSON()).length,
  column: (name) => (table) => {
    let sum = 0;
    for (const { values } of table.getChild(name).data) for (let k = 0; k < values.length; k++) sum += values[k];
    return sum;
  },
  strings: (name) => (table) => {
    let n = 0;
    for (const text of table.getChild(name).toArray()) n += text.length;
    return n;
  },
};

const nothing = () => 0;
const cases = [
  ["open a file of 20 batches of 100 columns", "wide", nothing, nothing],
  ["one column of a hundred, as numbers", "wide", ours.column("c42"), theirs.column("c42")],
  ["all rows as objects", "plain", ours.rows, theirs.rows],
  ["a column of strings", "plain", ours.strings("comment"), theirs.strings("comment")],
  ["a column of short strings", "plain", ours.strings("city"), theirs.strings("city")],
  ["a column of Greek strings", "greek", ours.strings("text"), theirs.strings("text")],
  ["LZ4: one column of six, as numbers", "lz4", ours.column("price"), theirs.column("price")],
  ["LZ4: all rows as objects", "lz4", ours.rows, theirs.rows],
];

console.log(`| opening, and then | ours | apache-arrow | ratio |\n|---|--:|--:|--:|`);
for (const [name, file, our, their] of cases) {
  const bytes = files[file];
  const times = [[], []];
  const results = [];
  for (let round = -2; round < N_ROUNDS; round++) {
    for (const side of [0, 1]) {
      globalThis.gc?.();
      const start = performance.now();
      if (side === 0) {
        const opened = await open(bytes);
        results[0] = await our(opened);
        if (round >= 0) times[0].push(performance.now() - start);
        opened.free();
      } else {
        results[1] = await their(arrow.tableFromIPC(bytes));
        if (round >= 0) times[1].push(performance.now() - start);
      }
    }
  }
  if (results[0] !== results[1]) throw new Error(`${name}: ${results}`);
  const [a, b] = times.map((list) => list.sort((x, y) => x - y)[N_ROUNDS >> 1]);
  console.log(`| ${name} | ${a.toFixed(2)} ms | ${b.toFixed(2)} ms | ${(b / a).toFixed(2)} |`);
}
