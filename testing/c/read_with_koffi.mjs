// Reads a file in Node by the package koffi: node read_with_koffi.mjs LIBRARY FILE prints the batches, and the sum of the first
// column, which is int64.
import koffi from "koffi";

const [library, path] = process.argv.slice(2);
const lib = koffi.load(library);
const int64s = (...names) => Object.fromEntries(names.map((name) => [name, "int64_t"]));
const pointers = (...names) => Object.fromEntries(names.map((name) => [name, "void *"]));
koffi.struct("Error", { size: "size_t", code: "int", text: koffi.array("char", 1008, "String") });
koffi.struct("ArrowArray", {
  ...int64s("length", "null_count", "offset", "n_buffers", "n_children"),
  ...pointers("buffers", "children", "dictionary", "release", "private_data"),
});
const release = koffi.proto("void Release(void *)");
const open = lib.func("int aipc_reader_open(const char *path, void *options, size_t n, _Out_ void **out, _Inout_ Error *)");
const count = lib.func("int aipc_reader_n_batches(void *reader, _Out_ uint64_t *out, _Inout_ Error *)");
const read = lib.func("int aipc_reader_batch(void *reader, uint64_t index, void *out, _Inout_ Error *)");
const free = lib.func("void aipc_reader_free(void *reader)");
const call = (f, ...args) => {
  const error = { size: koffi.sizeof("Error"), code: 0, text: "" };
  if (f(...args, error)) throw new Error(error.text);
};
const reader = [null], n = [0];
call(open, path, null, 0, reader);
call(count, reader[0], n);
for (let i = 0; i < n[0]; i++) {
  const batch = koffi.alloc("ArrowArray", 1);
  call(read, reader[0], i, batch);
  const { children, length, release: callback } = koffi.decode(batch, "ArrowArray");
  const { buffers, offset } = koffi.decode(koffi.decode(children, "void *"), "ArrowArray");
  const values = koffi.decode(koffi.decode(buffers, 8, "void *"), Number(offset) * 8, "int64_t", Number(length));
  console.log(`${length} rows, sum ${[...values].map(Number).reduce((a, b) => a + b, 0)}`);
  koffi.call(callback, release, batch);
}
free(reader[0]);
