// Every kind of source gives the same rows, reads little, and notices changes.
import assert from "node:assert/strict";
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";

import { ArrowError, inspect, open, write } from "../index.js";
import { load } from "../src/wasm.js";
import { withWindow } from "../src/window.js";
import { golden } from "./support.js";

const cases = golden().filter(({ name }) => /pyarrow.*(every-type-full|many-batches|dictionary-deltas-many|nested-full)\./.test(name));
const rows = async (file) => {
  const found = await file.rows({ as: "json" }).toArray();
  file.free();
  return found;
};

/** A file of ten batches whose columns are too long for the first request. */
let large;

before(async () => {
  assert.ok(cases.length >= 4);
  const batch = (k) => ({
    id: Int32Array.from({ length: 40_000 }, (_, i) => 40_000 * k + i),
    half: Float64Array.from({ length: 40_000 }, (_, i) => i / 2),
    name: Array.from({ length: 40_000 }, (_, i) => `name ${i % 1000}`),
  });
  large = await write(Array.from({ length: 10 }, (_, k) => batch(k)), { rowCounts: "written" });
});

test("memory of all kinds, blobs and custom sources", async () => {
  for (const { path, lines, name } of cases) {
    const bytes = readFileSync(path);
    const buffer = new ArrayBuffer(bytes.length + 3);
    new Uint8Array(buffer).set(bytes, 3);
    const copy = Uint8Array.from(bytes);
    const shared = new SharedArrayBuffer(bytes.length);
    new Uint8Array(shared).set(bytes);
    const sources = [
      bytes,
      copy.buffer,
      shared,
      new Uint8Array(buffer, 3),
      new DataView(copy.buffer),
      new Blob([bytes]),
      path,
      pathToFileURL(path),
      String(pathToFileURL(path)),
      { length: bytes.length, read: (offset, n) => copy.slice(offset, offset + n) },
      { length: bytes.length, read: async (offset, n) => copy.buffer.slice(offset, offset + n) },
    ];
    for (const [k, source] of sources.entries()) assert.deepEqual(await rows(await open(source)), lines, `${name} ${k}`);
  }
});

test("sources that are none, or fail, or send something else", async () => {
  for (const wrong of [null, 7, {}, { length: 5 }, { length: -1, read() {} }, []]) {
    await assert.rejects(open(wrong), { code: "misuse" });
  }
  await assert.rejects(open("/no/such/file.arrow"), { code: "source" });
  const length = large.length;
  await assert.rejects(open({ length, read: () => new Uint8Array(3) }), { code: "source", message: /3 bytes instead of/ });
  await assert.rejects(open({ length, read: () => "text" }), { code: "source" });
  await assert.rejects(open({ length, read: () => Promise.reject(new Error("no route")) }), /no route/);
  await assert.rejects(open(new Uint8Array(0)), { code: "input" });
});

test("files of other formats are told from damaged ones", async () => {
  const framed = (magic) => Buffer.concat([Buffer.from(magic), Buffer.alloc(1000, 7), Buffer.from(magic)]);
  for (const magic of ["PAR1", "FEA1"]) await assert.rejects(open(framed(magic)), { code: "input", isOtherFormat: true });
  const others = { Parquet: framed("PAR1"), CSV: Buffer.from("id,name\n1,ada\n"), JSON: Buffer.from('{"id":1}\n'), gzip: Buffer.from("1f8b0800000000000003", "hex"), ZIP: Buffer.from("PK\x03\x04") };
  for (const [name, bytes] of Object.entries(others)) {
    await assert.rejects(inspect(bytes), { code: "input", isOtherFormat: true, message: new RegExp(name) });
  }
  const damaged = [large.slice(0, 100_000), framed("what"), Buffer.from(large.slice(0, 1000)).fill(7, 0, 8)];
  for (const bytes of damaged) await assert.rejects(open(bytes), { code: "input", isOtherFormat: false });
  await assert.rejects(open(), { code: "misuse", isOtherFormat: false });
});

test("little is read of a large file", async () => {
  let n = 0;
  const read = (offset, length) => {
    n += length;
    return large.slice(offset, offset + length);
  };
  const file = await open({ length: large.length, read });
  assert.ok(n < 70_000, `${n} bytes to open`);
  assert.equal(file.numRows, 400_000);
  n = 0;
  const [row] = await file.rows({ from: 234_567, to: 234_568, columns: ["id", "half"] }).toArray();
  assert.deepEqual(row, { id: 234_567, half: 34_567 / 2 });
  // Ranges that are near each other are one request.
  assert.ok(n < 400_000, `${n} bytes for a row`);
  n = 0;
  const { numbers } = (await file.batch(3, { columns: ["id"] })).column("id");
  assert.ok(numbers instanceof Int32Array && numbers[7] === 120_007);
  assert.ok(n < 400_000, `${n} bytes for a column of a batch`);
  file.free();
});

/** A file of small batches, a source that counts what it reads, and what it has read. */
async function smallBatches(more = {}) {
  const bytes = await write(Array.from({ length: 4000 }, (_, k) => ({ id: Int32Array.of(k), name: [`name ${k}`] })));
  const reads = [];
  const read = (offset, n) => {
    reads.push(n);
    return bytes.slice(offset, offset + n);
  };
  const file = await open({ length: bytes.length, read, ...more });
  reads.length = 0;
  return { bytes, file, reads };
}

test("small batches that follow each other are few reads, forward and backward", async () => {
  const { bytes, file, reads } = await smallBatches();
  const where = "id >= 3990";
  const uses = {
    rows: async () => (await file.rows().toArray()).length,
    where: async () => 3990 + (await file.rows({ where }).toArray()).length,
    batches: async (order) => {
      let n = 0;
      for (const k of order) n += (await file.batch(k)).numRows;
      return n;
    },
    matches: async (order) => {
      let n = 3990;
      for (const k of order) n += (await file.matches(k, { where })).rows.length;
      return n;
    },
    legacy: async () => (await (await open(await file.legacyStream())).rows().toArray()).length,
  };
  const order = Array.from({ length: file.numBatches }, (_, k) => k);
  for (const [name, use] of Object.entries(uses)) {
    for (const some of ["batches", "matches"].includes(name) ? [order, order.toReversed?.() ?? [...order].reverse()] : [order]) {
      assert.equal(await use(some), 4000, name);
      const n_bytes = reads.reduce((sum, n) => sum + n, 0);
      assert.ok(reads.length < 20, `${name}: ${reads.length} reads`);
      assert.ok(n_bytes < 1.2 * bytes.length, `${name}: ${n_bytes} of ${bytes.length} bytes`);
      // What is read ahead is bounded.
      assert.ok(Math.max(...reads) <= 1 << 20, `${name}: ${Math.max(...reads)} bytes at once`);
      reads.length = 0;
    }
  }
  // What does not follow is read alone.
  for (const k of [2000, 500, 3000, 10, 2500, 1000]) await file.batch(k);
  assert.ok(Math.max(...reads) < 2000, `${Math.max(...reads)} bytes for a batch`);
  file.free();
});

test("what is read ahead does no harm where it cannot be read", async () => {
  const { bytes } = await smallBatches();
  // Inside of the body of a batch.
  const broken = Buffer.from(bytes).indexOf("name 2000");
  let isBroken = false;
  const read = (offset, n) => {
    if (isBroken && offset < broken + 1 && offset + n > broken) throw new Error("a bad sector");
    return bytes.slice(offset, offset + n);
  };
  const file = await open({ length: bytes.length, read });
  isBroken = true;
  const unread = [];
  for (let k = 0; k < file.numBatches; k++) {
    await file.batch(k).then(
      ({ columns }) => assert.equal(columns[0].get(0), k),
      (error) => unread.push(error.message),
    );
  }
  assert.deepEqual(unread, ["a bad sector"]);
  file.free();
});

/** A source of bytes, and the ranges that were asked for. It throws what `wrong` makes, if that is there. */
function recorded(bytes) {
  const ranges = [];
  const state = { wrong: null };
  const read = async (offset, n) => {
    ranges.push([offset, offset + n]);
    if (state.wrong !== null) throw state.wrong();
    return bytes.slice(offset, offset + n);
  };
  return { source: { length: bytes.length, read }, ranges, state };
}

const sum = (ranges) => ranges.reduce((n, [start, end]) => n + end - start, 0);

function assertOnce(ranges, name) {
  const sorted = [...ranges].sort(([a], [b]) => a - b);
  sorted.forEach(([start], i) => i > 0 && assert.ok(start >= sorted[i - 1][1], `${name}: bytes from ${start} on are read twice`));
}

test("no byte of batches that follow each other is read twice", async () => {
  const batches = (n, n_rows) => Array.from({ length: n }, () => ({ a: new Float64Array(n_rows), b: new Float64Array(n_rows) }));
  for (const [n, n_rows] of [[2000, 10], [300, 500], [40, 20_000], [12, 60_000]]) {
    const bytes = await write(batches(n, n_rows));
    const { source, ranges } = recorded(bytes);
    const file = await open(source);
    const order = Array.from({ length: n }, (_, k) => k);
    const each = (order) => async () => {
      for (const k of order) await file.batch(k);
    };
    for (const [name, use] of Object.entries({ rows: () => file.rows().toArray(), forward: each(order), backward: each(order.reverse()) })) {
      ranges.length = 0;
      await use();
      // What the last use has read is still there.
      assertOnce(ranges, `${n} batches, ${name}`);
      assert.ok(sum(ranges) <= bytes.length);
    }
    file.free();
  }
});

test("batches in any order are read alone", async () => {
  const { source, ranges } = recorded((await smallBatches()).bytes);
  const file = await open(source);
  const each = async (order) => {
    ranges.length = 0;
    for (const k of order) await file.batch(k);
    return sum(ranges);
  };
  const n = file.numBatches;
  const alone = await each(Array.from({ length: n }, (_, k) => (k * 1601) % n));
  let seed = 1;
  const random = () => (seed = (seed * 48_271) % 2_147_483_647) % n;
  const n_bytes = await each(Array.from({ length: n }, random));
  assert.ok(n_bytes < 1.1 * alone, `${n_bytes} bytes, and ${alone} if nothing is read ahead`);
  file.free();
});

test("what fails is asked for once", async () => {
  const { source, ranges, state } = recorded((await smallBatches()).bytes);
  const errors = [
    // Only the first read, which is larger than its batch, is tried again for the batch alone.
    { wrong: () => new Error("no route"), most: 301 },
    { wrong: () => new ArrowError("changed", "it is another"), most: 300 },
    { wrong: () => new DOMException("stopped", "AbortError"), most: 300 },
  ];
  for (const { wrong, most } of errors) {
    const file = await open(source);
    for (let k = 0; k < 100; k++) await file.batch(k);
    state.wrong = wrong;
    ranges.length = 0;
    let n_failed = 0;
    for (let k = 100; n_failed < 300; k++) await file.batch(k).catch(() => n_failed++);
    assert.ok(ranges.length <= most, `${wrong().message}: ${ranges.length} requests`);
    state.wrong = null;
    assert.equal((await file.batch(3500)).columns[0].get(0), 3500);
    file.free();
  }
});

test("a read around the place where more could not be read", { timeout: 10_000 }, async () => {
  let isBroken = false;
  const read = async (start, end) => {
    if (isBroken) throw new Error("no route");
    return new Uint8Array(end - start).fill(7);
  };
  const source = withWindow({ length: 1 << 20, read });
  for (let at = 0; at < 3000; at += 1000) await source.read(at, at + 1000);
  isBroken = true;
  await assert.rejects(source.read(3000, 4000), /no route/);
  isBroken = false;
  assert.deepEqual(await source.read(2500, 5000), new Uint8Array(2500).fill(7));
});

test("a source may use its memory again", async () => {
  const { bytes } = await smallBatches();
  const scratch = new Uint8Array(bytes.length);
  const read = async (offset, n) => {
    scratch.set(bytes.subarray(offset, offset + n));
    const answer = scratch.subarray(0, n);
    setTimeout(() => scratch.fill(255));
    return answer;
  };
  const file = await open({ length: bytes.length, read });
  for (let k = 0; k < 500; k++) {
    assert.deepEqual((await file.batch(k)).toArray(), [{ id: k, name: `name ${k}` }]);
    if (k % 50 === 0) await new Promise((done) => setTimeout(done, 1));
  }
  file.free();
});

test("a source may use its memory again while others wait", async () => {
  const n = 200_000;
  const columns = Object.fromEntries(["a", "b", "c", "d", "e", "f"].map((name, k) => [name, new Float64Array(n).fill(k)]));
  const bytes = await write(columns);
  const scratch = new Uint8Array(bytes.length);
  let n_reads = 0;
  const reads = {
    view: (offset, n) => (scratch.set(bytes.subarray(offset, offset + n)), scratch.subarray(0, n)),
    // These have memory of their own until they are there.
    promise: async (offset, n) => {
      const answer = bytes.slice(offset, offset + n);
      await null;
      // When the promise has been taken, but before its bytes are used.
      queueMicrotask(() => queueMicrotask(() => queueMicrotask(() => answer.fill(255))));
      return answer;
    },
  };
  for (const [kind, read] of Object.entries(reads)) {
    const file = await open({ length: bytes.length, read: (...args) => (n_reads++, read(...args)) });
    n_reads = 0;
    const batch = await file.batch(0, { columns: ["a", "c", "e"] });
    assert.ok(n_reads >= 3, `${kind}: ${n_reads} reads`);
    for (const [name, k] of [["a", 0], ["c", 2], ["e", 4]]) assert.ok(batch.column(name).numbers.every((number) => number === k), `${kind}: ${name}`);
    file.free();
  }
});

test("a file that changes is an error", async () => {
  const folder = mkdtempSync(join(tmpdir(), "arrow-"));
  const path = join(folder, "a.arrow");
  writeFileSync(path, large);
  const file = await open(path);
  appendFileSync(path, "x");
  await assert.rejects(file.batch(0), { code: "changed" });
  file.free();
  rmSync(folder, { recursive: true });
});

// A server of ranges.

let server;
let address;
let state;

before(async () => {
  server = createServer((request, response) => {
    state.requests.push(request.headers);
    const { bytes, etag, mode } = state;
    const headers = { etag, "last-modified": "Thu, 01 Jan 2026 00:00:00 GMT" };
    if (mode === "error") return response.writeHead(503).end();
    if (request.headers["if-match"] && request.headers["if-match"] !== etag) return response.writeHead(412).end();
    const [, start, end] = /^bytes=(\d*)-(\d*)$/.exec(request.headers.range ?? "") ?? [];
    if (mode === "whole" || start === undefined) {
      if (mode !== "chunked") headers["content-length"] = bytes.length;
      return response.writeHead(200, headers).end(bytes);
    }
    const first = start === "" ? Math.max(0, bytes.length - Number(end)) : Number(start);
    const last = start === "" ? bytes.length - 1 : Math.min(Number(end), bytes.length - 1);
    if (bytes.length === 0) return response.writeHead(416).end();
    if (mode === "another start" && first === 0) headers.etag = '"another"';
    if (mode === "another time of the start" && first === 0) headers["last-modified"] = "Fri, 02 Jan 2026 00:00:00 GMT";
    const part = bytes.subarray(first, mode === "short" ? last : last + 1);
    response.writeHead(206, { ...headers, "content-range": `bytes ${first}-${last}/${bytes.length}` }).end(part);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  address = `http://127.0.0.1:${server.address().port}/a.arrow`;
});

after(() => server.close());

const serve = (bytes, mode = "ranges", etag = '"1"') => (state = { bytes, mode, etag, requests: [] });

test("URLs: ranges, few requests, and one version", async () => {
  for (const { path, lines } of cases) {
    serve(readFileSync(path));
    assert.deepEqual(await rows(await open(address)), lines);
    serve(readFileSync(path), "whole");
    assert.deepEqual(await rows(await open(new URL(address))), lines);
  }
  serve(large);
  const file = await open(address);
  assert.equal(state.requests.length, 1, "to open");
  await file.batch(0, { columns: ["id"], rows: [0, 10] });
  assert.ok(state.requests.length <= 3, `${state.requests.length} requests to the first rows`);
  assert.equal(state.requests.at(-1)["if-match"], '"1"');
  state.etag = '"2"';
  await assert.rejects(file.batch(1), { code: "changed" });
  file.free();
  // Without a strong tag, the answers are compared.
  serve(large, "ranges", 'W/"1"');
  const weak = await open(address);
  state.etag = 'W/"2"';
  await assert.rejects(weak.batch(1), { code: "changed" });
  weak.free();
});

test("URLs: the start of a file that is requested with its end", async () => {
  const first = async (startBytes) => {
    const file = await open(address, { startBytes });
    const { columns } = await file.batch(0, { columns: ["id"], rows: [0, 10] });
    assert.deepEqual([...columns[0].numbers], [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    return file;
  };
  serve(large);
  (await first(65_536)).free();
  assert.equal(state.requests.length, 2, "the end and the start");
  assert.ok(state.requests.some(({ range }) => range === "bytes=0-65535"));
  // It is not used if it is of another version, and not needed if the server sends no ranges, or all of the file.
  for (const mode of ["another start", "another time of the start"]) {
    serve(large, mode);
    (await first(65_536)).free();
    assert.ok(state.requests.length > 2, `${mode}: it is read again`);
  }
  for (const mode of ["whole", "chunked"]) {
    serve(large, mode);
    (await first(1000)).free();
  }
  serve(readFileSync(cases[0].path));
  assert.deepEqual(await rows(await open(address, { startBytes: 65_536 })), cases[0].lines);
});

test("URLs: what came with the end and the start is not requested again", async () => {
  const bytes = await write(Array.from({ length: 1000 }, (_, k) => ({ id: new Int32Array(100).fill(k), name: new Array(100).fill("") })));
  serve(bytes);
  const file = await open(address, { startBytes: 100_000, countRows: false });
  const tailStart = bytes.length - (65_536 + 64);
  const each = async (from, to) => {
    state.requests.length = 0;
    for (let k = from; k < to; k++) assert.equal((await file.batch(k)).columns[0].get(0), k);
    return state.requests.map(({ range }) => /(\d+)-(\d+)/.exec(range).slice(1).map(Number));
  };
  const n = file.numBatches;
  assert.deepEqual(await each(0, 80), []);
  assert.deepEqual(await each(n - 20, n), []);
  const ranges = (await each(0, n)).map(([start, last]) => [start, last + 1]);
  assert.ok(ranges.length > 0 && ranges.length < 10, `${ranges.length} requests`);
  for (const [start, end] of ranges) assert.ok(start >= 100_000 && end <= tailStart, `${start} to ${end}`);
  assertOnce(ranges, "all batches");
  file.free();
});

test("rows of some batches", async () => {
  // Their heads are far from the end of the file.
  const parts = [40_000, 50_000, 60_000].map((n) => ({ a: new Float64Array(n) }));
  const [uncounted, counted] = [await open(await write(parts), { countRows: false }), await open(large)];
  assert.equal(await uncounted.rowCounts(0, 3, { isRead: false }), null);
  assert.deepEqual([...(await uncounted.rowCounts())], [40_000, 50_000, 60_000]);
  assert.deepEqual([...(await uncounted.rowCounts(1, 2))], [50_000]);
  assert.deepEqual([...(await counted.rowCounts(0, 2, { isRead: false }))], [40_000, 40_000]);
  await assert.rejects(counted.rowCounts(0, 11));
  await counted.checkEnd();
  const cut = (await write([{ a: [1] }, { a: [2] }], { container: "stream" })).slice(0, -20);
  const damaged = await open(cut, { countRows: false });
  await assert.rejects(damaged.checkEnd(), { code: "input" });
  for (const file of [uncounted, counted, damaged]) file.free();
});

test("URLs: servers without ranges, with a limit, and servers that fail", async () => {
  serve(large, "whole");
  await assert.rejects(open(address, { maxDownloadBytes: 100_000 }), { code: "source", message: /sends no ranges.*maxDownloadBytes/ });
  assert.equal((await open(address, { maxDownloadBytes: large.length })).numRows, 400_000);
  serve(large, "error");
  await assert.rejects(open(address), { code: "source", message: /503/ });
  serve(large, "short");
  await assert.rejects(open(address));
  serve(Buffer.alloc(0));
  await assert.rejects(open(address), { code: "input" });
  serve(large);
  const file = await open(address);
  state.mode = "error";
  await assert.rejects(file.batch(2), { code: "source", message: /503/ });
  // The next request is answered.
  state.mode = "ranges";
  assert.equal((await file.batch(2)).numRows, 40_000);
  file.free();
  await assert.rejects(open("http://127.0.0.1:1/a.arrow"), { code: "source" });
});

/** Runs with a server that answers by a function, and ends it. */
async function withServer(answer, use) {
  const server = createServer(answer);
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  try {
    await use(`http://127.0.0.1:${server.address().port}/a.arrow`);
  } finally {
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  }
}

test("URLs of blobs", async () => {
  const url = URL.createObjectURL(new Blob([large]));
  const file = await open(url);
  assert.equal(file.numRows, 400_000);
  assert.deepEqual(await file.rows({ from: 399_999, as: "arrays" }).toArray(), [[399_999, 39_999 / 2, "name 999"]]);
  const other = await open(new URL(url));
  assert.equal((await other.batch(3, { columns: ["id"] })).columns[0].get(1), 120_001);
  URL.revokeObjectURL(url);
  await assert.rejects(open(url), { code: "source" });
  file.free();
  other.free();
});

test("an answer of another range than was asked for is an error", async () => {
  const answer = (request, response) => {
    const [, first, last] = /bytes=(\d*)-(\d*)/.exec(request.headers.range);
    const [start, end] = first === "" ? [large.length - Number(last), large.length] : [Number(first), Number(last) + 1];
    // As many bytes as were asked for, said to end elsewhere.
    const said = first === "" ? end - 1 : end;
    response.writeHead(206, { "content-range": `bytes ${start}-${said}/${large.length}` }).end(large.subarray(start, end));
  };
  await withServer(answer, async (url) => {
    const file = await open(url, { countRows: false });
    await assert.rejects(file.batch(0), { code: "source", message: /the server sent another range than/ });
    file.free();
  });
});

test("an answer that is shorter than its range is an error", async () => {
  const answer = (request, response) => {
    const [, first, last] = /bytes=(\d*)-(\d*)/.exec(request.headers.range);
    const [start, end] = first === "" ? [large.length - Number(last), large.length] : [Number(first), Number(last) + 1];
    const isShort = first !== "" || last === "";
    response.writeHead(206, { "content-range": `bytes ${start}-${end - 1}/${large.length}` });
    response.end(large.subarray(start, isShort ? end - 1 : end));
  };
  await withServer(answer, async (url) => {
    const file = await open(url, { countRows: false });
    await assert.rejects(file.batch(0), { code: "source", message: /returned \d+ bytes instead of \d+/ });
    file.free();
  });
});

test("an answer that breaks off is an error of the source", async () => {
  const answer = (request, response) => {
    response.writeHead(200, { "content-length": 100_000 });
    response.write(Buffer.alloc(1000), () => setTimeout(() => response.destroy(), 10));
  };
  await withServer(answer, async (url) => {
    await assert.rejects(open(url), { name: "ArrowError", code: "source", message: /a\.arrow: ./ });
    const signal = AbortSignal.timeout(5);
    await assert.rejects(open(url, { signal }), (error) => error === signal.reason);
  });
});

test("an answer without an end is cut at the end of its range", async () => {
  let n_sent = 0;
  const answer = (request, response) => {
    response.writeHead(206, { "content-range": "bytes 0-65535/65536" });
    const more = () => {
      while (!response.destroyed && n_sent < 1 << 28) {
        n_sent += 1 << 16;
        if (!response.write(Buffer.alloc(1 << 16))) return response.once("drain", more);
      }
    };
    more();
  };
  await withServer(answer, (url) => assert.rejects(open(url), { code: "source", message: /sent more than the 65536 bytes/ }));
  assert.ok(n_sent < 1 << 27, `${n_sent} bytes were sent`);
});

test("an answer with another range than the end is a file that is read whole, up to the limit", async () => {
  const n = 50_000_000;
  let n_sent = 0;
  const endless = (response, length) => {
    const more = () => {
      while (!response.destroyed && n_sent < length) {
        n_sent += 1 << 16;
        if (!response.write(Buffer.alloc(1 << 16))) return response.once("drain", more);
      }
      response.end();
    };
    more();
  };
  for (const range of [`bytes 0-${n - 1}/${n}`, `bytes ${n - 65_600}-${n - 2}/${n}`, `bytes 0-65599/${n}`]) {
    n_sent = 0;
    const answer = (request, response) => {
      if (request.headers.range) response.writeHead(206, { "content-range": range });
      else response.writeHead(200);
      endless(response, n);
    };
    await withServer(answer, (url) => assert.rejects(open(url, { maxDownloadBytes: 1000 }), { code: "source", message: /maxDownloadBytes/ }));
    // What is in buffers of the network is not kept.
    assert.ok(n_sent < n / 2, `${n_sent} bytes were sent`);
  }
  for (const range of ["bytes 9-3/100", "bytes 0-100/100"]) {
    const answer = (request, response) => response.writeHead(206, { "content-range": range }).end(Buffer.alloc(10));
    await withServer(answer, (url) => assert.rejects(open(url), { code: "source", message: /which no file has/ }));
  }
  // Some servers take the length from the end for a position.
  const start = (request, response) => {
    if (request.headers.range) response.writeHead(206, { "content-range": `bytes 0-65600/${large.length}` }).end(large.subarray(0, 65_601));
    else response.writeHead(200).end(large);
  };
  await withServer(start, async (url) => assert.equal((await open(url)).numRows, 400_000));
});

test("a source is closed once, also if rows cannot be counted", async () => {
  const bytes = await write([{ a: [1] }, { a: [2] }], { container: "stream" });
  for (const [n, isOpened] of [[bytes.length - 20, true], [50, false]]) {
    let n_closed = 0;
    const cut = bytes.slice(0, n);
    const source = { length: n, read: (offset, n) => cut.slice(offset, offset + n), close: () => n_closed++ };
    if (isOpened) {
      const file = await open(source, { countRows: false });
      file.free();
      assert.equal(n_closed, 1);
      n_closed = 0;
    }
    const module = await load("read");
    const { call, free } = module;
    const [described, freed] = [[], []];
    module.call = (name, ...args) => {
      if (name === "file_describe") described.push(args[0]);
      return call.call(module, name, ...args);
    };
    module.free = (handle) => {
      freed.push(handle);
      free.call(module, handle);
    };
    await assert.rejects(open(source), { code: "input" });
    delete module.call;
    delete module.free;
    assert.equal(n_closed, 1);
    assert.equal(described.length, isOpened ? 1 : 0);
    assert.ok(described.every((file) => freed.includes(file)), "the file is freed");
  }
});

test("a source that cannot be closed hides nothing", async () => {
  const bytes = await write({ a: [1] });
  const fail = () => {
    throw new Error("close failed");
  };
  for (const close of [fail, async () => fail(), () => Promise.reject()]) {
    const source = { length: bytes.length, read: (offset, n) => bytes.slice(offset, offset + n), close };
    const file = await open(source);
    file.free();
    assert.equal((await inspect(source)).container, "file");
    const damaged = { ...source, length: 50 };
    await assert.rejects(open(damaged), { name: "ArrowError", code: "input" });
    const lost = { ...source, read: () => Promise.reject(new Error("no route")) };
    await assert.rejects(open(lost), /no route/);
    await assert.rejects(inspect(lost), /no route/);
  }
});

test("an answer without a body is an error", async () => {
  await withServer(
    (request, response) => response.writeHead(204).end(),
    (url) => assert.rejects(open(url), { code: "input", message: /empty|no bytes|too short|0 bytes/i }),
  );
});

test("what is aborted fails with the reason, also before an answer", async () => {
  const reason = new Error("enough");
  await withServer(() => {}, async (url) => {
    const controller = new AbortController();
    setTimeout(() => controller.abort(reason), 20);
    await assert.rejects(open(url, { signal: controller.signal }), (error) => error === reason);
  });
});

test("the reason of an abortion may be anything", async () => {
  const bytes = await write(Array.from({ length: 40 }, (_, k) => ({ id: Int32Array.from({ length: 2000 }, (_, i) => 2000 * k + i) })));
  const reads = {
    batch: (file) => file.batch(3),
    rows: (file) => file.rows().toArray(),
    "rows that match": (file) => file.rows({ where: "id > 1" }).toArray(),
    // Reads that follow each other are one, for which others wait.
    many: (file) => Promise.any([0, 1, 2, 3, 4, 5, 6, 7].map((k) => file.batch(k))).catch(({ errors }) => Promise.reject(new Set(errors).size === 1 ? errors[0] : errors)),
  };
  for (const reason of ["enough", { why: "enough" }, null, 0, new Error("enough")]) {
    for (const [name, read] of Object.entries(reads)) {
      let isOpen = false;
      const answer = (request, response) => {
        const [, first, last] = /^bytes=(\d*)-(\d*)$/.exec(request.headers.range);
        const [start, end] = first === "" ? [Math.max(0, bytes.length - Number(last)), bytes.length] : [Number(first), Number(last) + 1];
        const send = () => response.writeHead(206, { "content-range": `bytes ${start}-${end - 1}/${bytes.length}` }).end(bytes.subarray(start, end));
        if (!isOpen) send();
      };
      await withServer(answer, async (url) => {
        const controller = new AbortController();
        const file = await open(url, { signal: controller.signal });
        await file.statistics();
        isOpen = true;
        setTimeout(() => controller.abort(reason), 20);
        const failed = await read(file).then(() => assert.fail(name), (error) => ({ error }));
        assert.equal(failed.error, reason, name);
        // Also afterwards.
        assert.equal((await read(file).then(() => assert.fail(name), (error) => ({ error }))).error, reason, name);
        file.free();
      });
    }
  }
});
