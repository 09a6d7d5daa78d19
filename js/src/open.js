// Opens files and streams.
import { checkSize, misuse, optionsOf, shown } from "./error.js";
import { ArrowFile } from "./file.js";
import { FileHandles } from "./handles.js";
import { closed, sourceOf } from "./source.js";

/** The limits of reading, by their names here and in the module. */
const LIMITS = {
  maxMetadataBytes: "max_metadata_bytes",
  maxBodyBytes: "max_body_bytes",
  maxDecompressedBytes: "max_decompressed_bytes",
  maxDictionaryBytes: "max_dictionary_bytes",
  maxSlots: "max_slots",
  maxFields: "max_fields",
  maxDepth: "max_depth",
};

/** The greatest number of bytes that are made for values alone, because the file has them once for several slots. */
const MAX_MEMORY_BYTES = 1 << 29;

const SIZES = ["startBytes", "maxDownloadBytes", "maxMemoryBytes", ...Object.keys(LIMITS)];

const OPEN_OPTIONS = ["countRows", "headers", "credentials", "signal", ...SIZES];

/** Opens a file or a stream. */
export async function open(from, given) {
  const options = optionsOf(given, OPEN_OPTIONS);
  const limits = {};
  for (const name of SIZES) {
    const limit = options[name];
    if (limit === undefined) continue;
    checkSize(name, limit);
    if (name in LIMITS) limits[LIMITS[name]] = limit;
  }
  if (options.signal !== undefined && !(options.signal instanceof AbortSignal)) throw misuse(`options.signal is ${shown(options.signal)}; an AbortSignal is expected`);
  options.signal?.throwIfAborted();
  const source = await sourceOf(from, options);
  source.limits = Object.entries(limits).map(([name, limit]) => `${name}\0${limit}\0`).join("");
  source.maxMemoryBytes = options.maxMemoryBytes ?? MAX_MEMORY_BYTES;
  let handles = null;
  try {
    handles = await FileHandles.open(source);
    const file = new ArrowFile(handles, await handles.unreferencedBytes());
    if (options.countRows !== false) await file.countRows();
    return file;
  } catch (error) {
    // The handles close the source.
    if (handles) handles.free();
    else await closed(source);
    throw error;
  }
}
