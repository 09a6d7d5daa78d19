// What sources answer.
import { ArrowError, shown } from "./error.js";
import { isMemory } from "./typed.js";

/**
 * Reads from a source. What it throws is an error, or the reason why it was aborted, which may be anything; other values are the cause of an
 * error. Its bytes are as many as were asked for.
 */
export async function answered(source, start, end) {
  let bytes;
  try {
    bytes = await source.read(start, end);
  } catch (error) {
    if (source.signal?.aborted) throw source.signal.reason;
    if (error instanceof Error) throw error;
    throw new ArrowError("source", `the source failed: ${shown(error)}`, { cause: error });
  }
  return checked(bytes, end - start);
}

/** The bytes in an own copy. What is no memory, or has another length than is expected, stays, and is refused later. */
export function copied(bytes, expected) {
  const view = viewOf(bytes);
  return view?.byteLength === expected ? view.slice() : bytes;
}

/** A view of memory; null if it is none. */
function viewOf(bytes) {
  try {
    if (ArrayBuffer.isView(bytes)) return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    return isMemory(bytes) ? new Uint8Array(bytes) : null;
  } catch (error) {
    throw new ArrowError("source", `the source returned memory that was transferred: ${error.message}`, { cause: error });
  }
}

function checked(bytes, expected) {
  const view = viewOf(bytes);
  if (!view) throw new ArrowError("source", "the source returned no bytes: `read` returns an ArrayBuffer or a typed array");
  if (view.byteLength !== expected) {
    throw new ArrowError("source", `the source returned ${view.byteLength} bytes instead of ${expected}`);
  }
  return view;
}
