export { open, ArrowFile, Batch } from "./src/file.js";
export { Column } from "./src/columns.js";
export { ArrowDate } from "./src/values.js";
export { ArrowError } from "./src/error.js";
export { inspect } from "./src/inspection.js";
export { configure } from "./src/wasm.js";
export { ArrowWriter, createWriter, write } from "./src/writer.js";
