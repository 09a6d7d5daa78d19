// What sources answer.
import { ArrowError, shown } from "./error.js";

/** Whether something is memory. */
export const isMemory = (from) =>
  from instanceof ArrayBuffer || (globalThis.SharedArrayBuffer !== undefined && from instanceof SharedArrayBuffer);

/** Reads from a source. What it throws is an error, other values are the cause of one, and its bytes are as many as were asked for. */
export async function answered(source, start, end) {
  let bytes;
  try {
    bytes = await source.read(start, end);
  } catch (error) {
    if (error instanceof Error) throw error;
    throw new ArrowError("source", `the source failed: ${shown(error)}`, { cause: error });
  }
  return checked(bytes, end - start);
}

function checked(bytes, expected) {
  let view = null;
  try {
    if (ArrayBuffer.isView(bytes)) view = new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    else if (isMemory(bytes)) view = new Uint8Array(bytes);
  } catch (error) {
    throw new ArrowError("source", `the source returned memory that was transferred: ${error.message}`, { cause: error });
  }
  if (!view) throw new ArrowError("source", "the source returned no bytes: `read` returns an ArrayBuffer or a typed array");
  if (view.byteLength !== expected) {
    throw new ArrowError("source", `the source returned ${view.byteLength} bytes instead of ${expected}`);
  }
  return view;
}
