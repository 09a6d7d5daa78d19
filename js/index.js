export { open } from "./src/open.js";
export { ArrowFile } from "./src/file.js";
export { Batch } from "./src/batch.js";
export { Column } from "./src/columns/column.js";
export { ArrowDate } from "./src/values.js";
export { ArrowError } from "./src/error.js";
export { inspect } from "./src/inspection.js";
export { configure } from "./src/wasm.js";
export { ArrowWriter, createWriter, write } from "./src/writer.js";
