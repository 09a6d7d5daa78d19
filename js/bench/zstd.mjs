// Measures reading Zstandard beside the C library in Node, by kind of data: node --expose-gc js/bench/zstd.mjs PROGRAM, with Node 22.15 or later, which has the C
// library, and the program `arrow-ipc`, which writes the files.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import zlib from "node:zlib";

import { open, write } from "../index.js";

const [program] = process.argv.slice(2);
if (!program || !zlib.zstdCompressSync) throw new Error("usage: node zstd.mjs PROGRAM, with Node 22.15 or later");

const N_ROUNDS = 21;
const n = 500_000;
let state = 7n;
const random = () => Number((state = (state * 6364136223846793005n + 1442695040888963407n) & ((1n << 64n) - 1n)) >> 33n);
const words = ["Oslo", "Rome", "Kyiv", "Lima", "Bern", "Cairo", "Quito", "Hanoi"];
const column = (value) => Array.from({ length: n }, (_, i) => value(i));

const kinds = {
  "random numbers": Int32Array.from({ length: n }, random),
  zeros: new Int32Array(n),
  "ids, 0 1 2 …": Int32Array.from({ length: n }, (_, i) => i),
  "prices, two digits": Float64Array.from({ length: n }, () => (random() % 100_000) / 100),
  "integers below 50": Int32Array.from({ length: n }, () => random() % 50),
  "texts of 40 characters": column((i) => `a comment of some length about order ${i}`),
  "names of eight cities": column(() => words[random() % 8]),
};

const folder = mkdtempSync(join(tmpdir(), "zstd-"));
// The round that other work on the machine disturbed least.
const least = (times) => Math.min(...times);
console.log("| data | ratio | package, MB/s | the same without compression | C, MB/s | package ÷ C |\n|---|--:|--:|--:|--:|--:|");
for (const [name, values] of Object.entries(kinds)) {
  const plain = await write({ v: values });
  writeFileSync(join(folder, "plain.arrow"), plain);
  execFileSync(program, ["convert", join(folder, "plain.arrow"), "-o", join(folder, "zstd.arrow"), "--compression", "zstd:1"]);
  const packed = readFileSync(join(folder, "zstd.arrow"));
  const frame = zlib.zstdCompressSync(plain, { params: { [zlib.constants.ZSTD_c_compressionLevel]: 1 } });
  const read = (bytes) => async () => {
    const file = await open(bytes);
    const batch = await file.batch(0);
    file.free();
    return batch.numRows;
  };
  const runs = [read(packed), read(plain), async () => zlib.zstdDecompressSync(frame).length];
  const times = runs.map(() => []);
  for (let round = -2; round < N_ROUNDS; round++) {
    for (const [k, run] of runs.entries()) {
      globalThis.gc?.();
      const start = performance.now();
      await run();
      if (round >= 0) times[k].push(performance.now() - start);
    }
  }
  const [ours, without, c] = times.map(least);
  const speed = (ms) => (plain.length / 1e3 / ms).toFixed(0);
  console.log(`| ${name} | ${(plain.length / packed.length).toFixed(2)} | ${speed(ours)} | ${speed(without)} | ${speed(c)} | ${(c / ours).toFixed(2)} |`);
}
rmSync(folder, { recursive: true });
