// Where bytes come from. A source has `kind` (what requests cost, as the module knows it), `length`, `readNow(start, end)`, which returns
// bytes that are in memory or null, and, if not all of them are, `read(start, end)`, which returns a promise. Sources that are made here have
// `readNow` only if all bytes are in memory; otherwise `inMemory` has the bytes that are, and the window implements `readNow` with them.
import { copied } from "./answers.js";
import { joined } from "./bytes.js";
import { ArrowError, cut, messageOf, misuse, shown } from "./error.js";
import { isMemory } from "./typed.js";
import { nodeModule } from "./wasm.js";
import { withWindow } from "./window.js";

const MEMORY = 0;
const SLICE = 1;
const SERVER = 2;

/** The bytes at the end of a file that the first request to a server asks for: as many as the module does, with their alignment. */
const TAIL_BYTES = (1 << 16) + 64;

/** The greatest length of a file that is read whole, if its server sends no ranges. */
const MAX_DOWNLOAD_BYTES = 1 << 28;

/** Whether all bytes of a source are in memory. */
export const isInMemory = ({ kind }) => kind === MEMORY;

/** Makes a source of what `open` was given. */
export async function sourceOf(from, options) {
  const source = await plainSourceOf(from, options);
  return isInMemory(source) ? source : withWindow(source);
}

/** Closes a source. That this failed would hide why it is closed, and nobody waits for files that are freed. */
export async function closed(source) {
  try {
    await source.close?.();
  } catch {
    // What was read stays.
  }
}

async function plainSourceOf(from, options) {
  if (isMemory(from)) return memory(() => new Uint8Array(from));
  if (ArrayBuffer.isView(from)) return memory(() => new Uint8Array(from.buffer, from.byteOffset, from.byteLength));
  if (globalThis.Blob && from instanceof Blob) return blob(from);
  if (typeof from === "string" || from instanceof URL) return atAddress(from, options);
  if (from && typeof from.read === "function") return custom(from);
  throw misuse(
    "open takes an ArrayBuffer, a typed array, a Blob or File, a URL, or an object with `length` and `read(offset, n)`",
  );
}

/** Memory, which could be transferred or made smaller after it was given. */
function memory(view) {
  let bytes;
  try {
    bytes = view();
  } catch (error) {
    throw misuse(`the memory cannot be read: ${error.message}`);
  }
  const length = bytes.byteLength;
  const readNow = (start, end) => {
    if (bytes.byteLength < end) throw new ArrowError("changed", "the memory was transferred or made smaller since it was opened");
    return bytes.subarray(start, end);
  };
  return { kind: MEMORY, length, readNow };
}

function blob(from) {
  const read = async (start, end) => {
    try {
      return await from.slice(start, end).arrayBuffer();
    } catch (error) {
      // A browser says no more of a file that was changed.
      throw new ArrowError("changed", `the file can no longer be read: ${error.message}`, { cause: error });
    }
  };
  return { kind: SLICE, length: from.size, read };
}

function custom(from) {
  if (!Number.isSafeInteger(from.length) || from.length < 0) {
    throw misuse(`\`length\` of a source is a whole number from 0 to 2⁵³ − 1, not ${shown(from.length)}`);
  }
  // It may use its memory again for the next read, which can begin before these bytes are used.
  const read = (start, end) => {
    const taken = (bytes) => copied(bytes, end - start);
    const answer = from.read(start, end - start);
    return typeof answer?.then === "function" ? Promise.resolve(answer).then(taken) : taken(answer);
  };
  return { kind: SLICE, length: from.length, read, close: from.close ? () => from.close() : undefined };
}

async function atAddress(from, options) {
  const isNode = globalThis.process?.versions?.node !== undefined;
  let url = from;
  if (!(from instanceof URL)) {
    const isWeb = /^[a-z][a-z0-9+.-]+:/i.test(from);
    if (!isWeb && isNode) return path(from);
    const base = globalThis.document?.baseURI ?? globalThis.location?.href;
    try {
      url = new URL(from, base);
    } catch {
      throw misuse(`${shown(from)} is no URL`);
    }
  }
  if (url.protocol === "file:" && isNode) return path(url);
  if (url.protocol === "blob:" && isNode) {
    // `fetch` of some versions of Node leaves out the last byte of each range of such a URL.
    const found = (await nodeModule("buffer")).resolveObjectURL?.(url.href);
    if (found) return blob(found);
  }
  return server(url.href, options);
}

/** A file of Node. */
async function path(from) {
  const { open } = await nodeModule("fs/promises");
  const file = await open(from, "r").catch((error) => {
    throw new ArrowError("source", error.message, { cause: error });
  });
  const before = await file.stat({ bigint: true });
  if (!before.isFile()) {
    await file.close();
    throw new ArrowError("source", `${from}: not a regular file, of which ranges can be read`);
  }
  let isClosed = false;
  const isSame = (now) => now.size === before.size && now.mtimeNs === before.mtimeNs;
  const read = async (start, end) => {
    const bytes = new Uint8Array(end - start);
    let n = 0;
    let now;
    try {
      while (n < bytes.length) {
        const { bytesRead } = await file.read(bytes, n, bytes.length - n, start + n);
        if (bytesRead === 0) break;
        n += bytesRead;
      }
      now = await file.stat({ bigint: true });
    } catch (error) {
      if (isClosed) throw misuse("the file was freed");
      throw new ArrowError("source", `${from}: ${error.message}`, { cause: error });
    }
    if (n < bytes.length || !isSame(now)) throw new ArrowError("changed", `${from}: the file has changed since it was opened`);
    return bytes;
  };
  const close = () => {
    isClosed = true;
    return file.close();
  };
  return { kind: SLICE, length: Number(before.size), read, close };
}

/** A file of a server. The first request asks for its end, and tells its length and version. */
async function server(url, options) {
  const base = { headers: options.headers, credentials: options.credentials, signal: options.signal };
  const ask = async (headers) => {
    try {
      return await fetch(url, { ...base, cache: "no-store", headers: { ...headersOf(options.headers), ...headers } });
    } catch (error) {
      if (options.signal?.aborted) throw options.signal.reason;
      throw new ArrowError("source", `${url}: ${messageOf(error)}`, { cause: error });
    }
  };
  const refused = (response) => new ArrowError("source", `${url}: the server answered ${response.status} ${response.statusText}`.trim());

  // The first bytes, if they are wanted, are asked for at the same time as the last ones.
  const early = options.startBytes > 0 ? ask({ Range: `bytes=0-${options.startBytes - 1}` }) : null;
  // If the server sends no ranges, the first answer has all bytes.
  const dropEarly = () => early?.then((response) => response.body?.cancel()).catch(() => {});
  early?.catch(() => {});
  const first = await ask({ Range: `bytes=-${TAIL_BYTES}` });
  if (first.status === 416) {
    // Some servers say so of an empty file, and some of ranges from the end.
    dropEarly();
    const whole = await ask({});
    if (!whole.ok) throw refused(whole);
    const bytes = await download(url, whole, options);
    return memory(() => bytes);
  }
  if (!first.ok) {
    dropEarly();
    throw refused(first);
  }
  const total = first.status === 206 ? contentRange(first) : null;
  const isTail = total !== null && total.end === total.length && total.length - total.start <= TAIL_BYTES;
  if (!isTail || first.headers.has("content-encoding")) {
    // It sends no ranges, or others than it was asked for, or does not let this page see which it has sent.
    dropEarly();
    if (first.status === 206) first.body?.cancel().catch(() => {});
    const whole = first.status === 206 ? await ask({}) : first;
    if (!whole.ok) throw refused(whole);
    const bytes = await download(url, whole, options);
    return memory(() => bytes);
  }
  const { start: tailStart, length } = total;
  const tail = await bodyOf(url, first, length - tailStart, options.signal);
  if (tail.byteLength !== length - tailStart) {
    throw new ArrowError("source", `${url}: the server sent ${tail.byteLength} bytes instead of ${length - tailStart}`);
  }
  const etag = first.headers.get("etag");
  const modified = first.headers.get("last-modified");
  const changed = () => new ArrowError("changed", `${url}: the file has changed since it was opened`);
  const condition = etag && !etag.startsWith("W/") ? { "If-Match": etag } : {};

  if (tailStart === 0) dropEarly();
  const head = tailStart > 0 && early ? await startOf(url, early, { length, etag, modified, n: Math.min(length, options.startBytes) }) : null;

  const inMemory = [{ start: tailStart, end: length, bytes: tail }];
  if (head) inMemory.push({ start: 0, end: head.byteLength, bytes: head });

  const read = async (start, end) => {
    const response = await ask({ Range: `bytes=${start}-${end - 1}`, ...condition });
    if (response.status === 412 || response.status === 416) throw changed();
    if (!response.ok) throw refused(response);
    const found = response.status === 206 ? contentRange(response) : null;
    const now = response.headers;
    if ((etag && now.get("etag") !== etag) || (modified && now.get("last-modified") !== modified)) throw changed();
    if (!found) throw new ArrowError("source", `${url}: the server no longer sends ranges`);
    if (found.length !== length) throw changed();
    if (found.start !== start || found.end !== end) throw new ArrowError("source", `${url}: the server sent another range than ${start}-${end - 1}`);
    return bodyOf(url, response, end - start, options.signal);
  };
  return { kind: SERVER, length, read, inMemory, signal: options.signal, parallel: 6 };
}

/** The first bytes of a file, if they are of the same version as its end; otherwise null. */
async function startOf(url, early, { length, etag, modified, n }) {
  try {
    const response = await early;
    const found = response.status === 206 ? contentRange(response) : null;
    const isSame = response.headers.get("etag") === etag && response.headers.get("last-modified") === modified;
    if (found?.start === 0 && found.end === n && found.length === length && isSame) return await bodyOf(url, response, n);
    await response.body?.cancel();
  } catch {
    // They are read again.
  }
  return null;
}

function headersOf(headers) {
  return headers ? Object.fromEntries(new Headers(headers)) : {};
}

/** What `Content-Range` says; `null` if it is not there, or the length is unknown. */
function contentRange(response) {
  const match = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(response.headers.get("content-range") ?? "");
  const [start, end, length] = match ? [Number(match[1]), Number(match[2]) + 1, Number(match[3])] : [0, 0, 0];
  if (!Number.isSafeInteger(length) || start > end || end > length) {
    throw new ArrowError("source", `the server sent the range ${cut(match[0])}, which no file has`);
  }
  return match && { start, end, length };
}

/** The bytes of a response, of which there are at most `n`: more bytes from a server are dropped. */
function bodyOf(url, response, n, signal) {
  const more = () => new ArrowError("source", `${url}: the server sent more than the ${n} bytes of the range`);
  return limited(url, response, n, more, signal);
}

/** The bytes of a response. If there are more than `most`, throws what `over` makes. */
async function limited(url, response, most, over, signal) {
  try {
    return await bytesWithin(response, most, over);
  } catch (error) {
    if (error instanceof ArrowError) throw error;
    if (signal?.aborted) throw signal.reason;
    throw new ArrowError("source", `${url}: ${messageOf(error)}`, { cause: error });
  }
}

async function bytesWithin(response, most, over) {
  const parts = [];
  let n = 0;
  // Some answers have no body.
  const reader = response.body?.getReader();
  while (reader) {
    const { done, value } = await reader.read();
    if (done) break;
    n += value.byteLength;
    if (n > most) {
      await reader.cancel();
      throw over();
    }
    parts.push(value);
  }
  return joined(parts);
}

async function download(url, response, options) {
  const limit = options.maxDownloadBytes ?? MAX_DOWNLOAD_BYTES;
  const over = (n) =>
    new ArrowError(
      "source",
      `${url}: the server sends no ranges, and the file has ${n} bytes; at most ${limit} are read whole (maxDownloadBytes)`,
    );
  const declared = Number(response.headers.get("content-length") ?? 0);
  if (declared > limit) {
    await response.body?.cancel().catch(() => {});
    throw over(declared);
  }
  return limited(url, response, limit, () => over(`more than ${limit}`), options.signal);
}
