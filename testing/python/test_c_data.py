"""Shows documents of the integration tests to pyarrow through the C data interface, and takes them back.

    test_c_data.py LIBRARY DOCUMENTS

LIBRARY is the shared library of `testing/integration-c-data`, DOCUMENTS a folder of `generate-integration-json`. pyarrow imports each
schema and batch and checks them; then it exports them, as they are and as a slice of a longer batch, so that all arrays have offsets, and
the library compares them with the document.
"""

import ctypes
import gc
import json
import sys
from pathlib import Path

import pyarrow as pa

# Structures of the interface have at most this many bytes.
STRUCTURE_BYTES = 80

# What pyarrow refuses, and a part of its error.
NOT_THERE = {"generated_nested_runs": "nested run-end encoded array"}


class Library:
    """The functions of the shared library; errors are raised with their texts."""

    def __init__(self, path):
        self.functions = ctypes.CDLL(str(path))
        self.functions.arrow_c_data_integration_bytes_allocated.restype = ctypes.c_int64

    def call(self, name, document, *arguments):
        function = self.functions[f"arrow_c_data_integration_{name}"]
        function.restype = ctypes.c_void_p
        error = function(ctypes.c_char_p(str(document).encode()), *arguments)
        if error:
            text = ctypes.string_at(error).decode()
            self.functions.arrow_c_data_integration_free_error(ctypes.c_void_p(error))
            raise ValueError(text)

    def n_bytes(self):
        gc.collect()
        return self.functions.arrow_c_data_integration_bytes_allocated()


class Structure:
    """Memory for a structure of either side."""

    def __init__(self):
        self.memory = ctypes.create_string_buffer(STRUCTURE_BYTES)
        self.address = ctypes.addressof(self.memory)

    def pointer(self):
        return ctypes.c_void_p(self.address)


def imported(library, document, idx):
    """A batch of the document, as pyarrow imports it from the library."""
    schema, array = Structure(), Structure()
    library.call("export_schema_from_json", document, schema.pointer())
    library.call("export_batch_from_json", document, ctypes.c_int(idx), array.pointer())
    batch = pa.RecordBatch._import_from_c(array.address, schema.address)
    batch.validate(full=True)
    return batch


def compare(library, document, idx, batch):
    """Gives a batch to the library, which compares it with the document."""
    array = Structure()
    batch._export_to_c(array.address)
    library.call("import_batch_and_compare_to_json", document, ctypes.c_int(idx), array.pointer())


def check_schema(library, document):
    schema = Structure()
    library.call("export_schema_from_json", document, schema.pointer())
    found = pa.Schema._import_from_c(schema.address)
    found._export_to_c(schema.address)
    library.call("import_schema_and_compare_to_json", document, schema.pointer())


def check(library, document):
    """How many batches of a document went there and back."""
    check_schema(library, document)
    n_batches = len(json.loads(document.read_text())["batches"])
    for idx in range(n_batches):
        batch = imported(library, document, idx)
        compare(library, document, idx, batch)
        # Three times the batch in one, of which the second is given.
        longer = pa.Table.from_batches([batch] * 3).combine_chunks().to_batches() if batch.num_rows else []
        if len(longer) == 1:
            compare(library, document, idx, longer[0].slice(batch.num_rows, batch.num_rows))
    return n_batches


def main(library_path, folder):
    library = Library(library_path)
    documents = sorted(Path(folder).glob("*.json"))
    if len(documents) < 20:
        raise SystemExit(f"{len(documents)} documents in {folder}")
    failures, n_batches = [], 0
    for document in documents:
        before = library.n_bytes()
        try:
            n_batches += check(library, document)
            error = None
        except (ValueError, pa.ArrowException, NotImplementedError) as raised:
            error = str(raised)
        expected = NOT_THERE.get(document.stem)
        if (error is None) != (expected is None) or (error and expected not in error):
            failures.append(f"{document.name}: {error or 'is read; take it off the list'}")
        left = library.n_bytes() - before
        if left and error is None:
            failures.append(f"{document.name}: {left} bytes are left")
    if failures:
        raise SystemExit("\n".join(failures))
    print(f"{n_batches} batches of {len(documents)} documents went to pyarrow and back through the C data interface.")


if __name__ == "__main__":
    main(*sys.argv[1:])
