// Loads the modules of WebAssembly, and calls their functions.
import { ArrowError, messageOf, optionsOf } from "./error.js";
import { textOf, utf8Of } from "./text.js";
import { isMemory } from "./typed.js";

// Both are written so that bundlers find the files.
const LOCATIONS = {
  read: () => new URL("../wasm/read.wasm", import.meta.url),
  full: () => new URL("../wasm/full.wasm", import.meta.url),
};

const given = {};
const modules = {};

/**
 * Says where the modules are, for programs that move files: each is a URL, bytes, or a `WebAssembly.Module`. Both are optional.
 */
export function configure(locations) {
  const { read, full } = optionsOf(locations, ["read", "full"]);
  for (const [name, value] of Object.entries({ read, full })) {
    if (value !== undefined) {
      given[name] = value;
      delete modules[name];
    }
  }
}

/** The module of this name, "read" or "full". It is loaded once, and again after it ended. */
export function load(name) {
  const known = modules[name];
  if (known && !known.ended) return known.promise;
  const entry = { ended: false };
  entry.promise = instantiate(name).then((instance) => new Module(instance.exports, () => (entry.ended = true)));
  // What failed is tried again by the next call.
  entry.promise.catch(() => (entry.ended = true));
  modules[name] = entry;
  return entry.promise;
}

async function instantiate(name) {
  const from = given[name] ?? LOCATIONS[name]();
  try {
    const code = from instanceof WebAssembly.Module ? from : await codeOf(from);
    const made = await WebAssembly.instantiate(code, {});
    return made instanceof WebAssembly.Instance ? made : made.instance;
  } catch (error) {
    if (error instanceof ArrowError) throw error;
    throw new ArrowError("source", `wasm/${name}.wasm cannot be loaded: ${messageOf(error)}`, { cause: error });
  }
}

/** The bytes of a module. */
async function codeOf(from) {
  if (isMemory(from) || ArrayBuffer.isView(from)) return from;
  // `import.meta.url` is only used with names, since bundlers take it for the location of a file.
  const url = from instanceof URL ? from : new URL(from, globalThis.document?.baseURI ?? globalThis.location?.href ?? workingFolder());
  if (url.protocol === "file:" && globalThis.process?.versions?.node) {
    const { readFile } = await nodeModule("fs/promises");
    return readFile(url);
  }
  const response = await fetch(url);
  if (!response.ok) throw new ArrowError("source", `${url}: the server answered ${response.status}`);
  return response.arrayBuffer();
}

function workingFolder() {
  return globalThis.process?.cwd ? `file://${encodeURI(globalThis.process.cwd())}/` : undefined;
}

/** A module of Node. Bundlers do not see its name. */
export async function nodeModule(name) {
  const found = globalThis.process?.getBuiltinModule?.(name);
  if (found) return found;
  const specifier = `node:${name}`;
  return import(/* @vite-ignore */ /* webpackIgnore: true */ specifier);
}

/** The codes of the classes of errors. The last one is of inputs of another format. */
const CODES = ["input", "misuse", "input"];
const OTHER_FORMAT = 2;

/** What a module says that has not enough memory left. It goes on, but would say so of everything. */
const NO_MEMORY = /^no memory for (\d+ bytes|a handle)$/;

/** The most bytes that a module takes at once: lengths have 31 bits there. */
const MOST_BYTES = 2 ** 31 - 1;

/** Refuses bytes that are too many for a module. */
export function checkLength(n_bytes) {
  if (n_bytes > MOST_BYTES) throw new ArrowError("input", `${n_bytes} bytes are needed at once, and WebAssembly takes at most ${MOST_BYTES}: read fewer rows or columns`);
}

/** The functions of a module. Handles are numbers; those that were freed are errors until many thousand others have been freed. */
export class Module {
  #exports;
  #onEnd;
  #ended = null;

  constructor(exports, onEnd) {
    this.#exports = exports;
    this.#onEnd = onEnd;
  }

  /** Calls a function that returns a number, and throws if it fails. */
  call(name, ...args) {
    const result = this.#run(name, args);
    if (result === -1) throw this.#failure();
    return result;
  }

  #run(name, args) {
    if (this.#ended) throw new ArrowError("module", "the module has ended: open the file again", { cause: this.#ended });
    try {
      return this.#exports[name](...args);
    } catch (error) {
      // Most likely, there is no memory left.
      throw this.#end(`no memory left: ${error.message}`, error);
    }
  }

  /** Ends the module, so that the next file is opened in another one. Returns the error. */
  #end(reason, cause) {
    const error = new ArrowError("module", `the module ended, since it has ${reason}`, { cause });
    this.#ended = cause ?? error;
    this.#onEnd();
    return error;
  }

  #failure() {
    const failed = this.#run("failure_class", []);
    const text = this.#run("failure_text", []);
    if (text === -1) return this.#end("no memory for the text of an error");
    const message = this.takeText(text);
    if (NO_MEMORY.test(message)) return this.#end(`${message}: open the file again`);
    return new ArrowError(CODES[failed] ?? "input", message, { isOtherFormat: failed === OTHER_FORMAT });
  }

  /** Whether there is a function of this name. */
  has(name) {
    return name in this.#exports;
  }

  get hasEnded() {
    return this.#ended !== null;
  }

  get buffer() {
    return this.#exports.memory.buffer;
  }

  free(handle) {
    if (!this.#ended) this.#run("value_free", [handle]);
  }

  /** The bytes of a handle, in the memory of the module: valid until the next call. */
  view(handle) {
    // Addresses are not negative here.
    const address = this.call("bytes_address", handle) >>> 0;
    return new Uint8Array(this.buffer, address, this.call("bytes_length", handle));
  }

  /** A copy of the bytes of an output, which is freed. */
  takeBytes(handle) {
    const bytes = this.view(handle).slice();
    this.free(handle);
    return bytes;
  }

  takeText(handle) {
    return textOf(this.takeBytes(handle));
  }

  /** Gives bytes to the module. */
  give(bytes, position = 0) {
    checkLength(bytes.byteLength);
    const handle = this.call("input_new", bytes.byteLength, position);
    try {
      this.view(handle).set(bytes);
    } catch (error) {
      this.free(handle);
      throw error;
    }
    return handle;
  }

  /** Gives several bytes to the module, all of them or none. For null there is no handle, but −1. */
  giveAll(parts) {
    const handles = [];
    try {
      for (const bytes of parts) handles.push(bytes === null ? -1 : this.give(bytes));
      return handles;
    } catch (error) {
      for (const handle of handles) if (handle >= 0) this.free(handle);
      throw error;
    }
  }

  giveText(text) {
    return this.give(utf8Of(text));
  }

  /** The numbers of the last result. */
  numbers() {
    const address = this.#run("numbers_address", []) >>> 0;
    return new Float64Array(this.buffer, address, this.call("numbers_length")).slice();
  }
}
