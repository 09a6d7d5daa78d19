"""Writes streams and files of extension types over null, unions and runs, once with each of two versions of pyarrow:

    with pyarrow 25.0.1    write_pyarrow.py as-written
    with pyarrow 26.0.1    write_pyarrow.py as-specified

pyarrow up to 25 writes a validity buffer too many for each such field. Metadata V4 does not define runs, for which pyarrow
writes a validity buffer; the files of the same name in `as-specified` are of V5.
"""

import sys
from pathlib import Path

import pyarrow as pa


class Storage(pa.ExtensionType):
    """An extension type over any storage."""

    def __init__(self, storage):
        super().__init__(storage, "test.storage")

    def __arrow_ext_serialize__(self):
        return b""

    @classmethod
    def __arrow_ext_deserialize__(cls, storage, serialized):
        return cls(storage)


def ext(array):
    return pa.ExtensionArray.from_storage(Storage(array.type), array)


def list_of(items):
    return pa.ListArray.from_arrays(pa.array([0, 1, 3], pa.int32()), items)


def dictionary(values):
    return pa.DictionaryArray.from_arrays(pa.array([0, 1, 0], pa.int8()), values)


null = pa.nulls(3)
dense = pa.UnionArray.from_dense(
    pa.array([0, 1, 0], pa.int8()), pa.array([0, 0, 1], pa.int32()), [pa.array([1, 2]), pa.array(["a"])]
)
sparse = pa.UnionArray.from_sparse(
    pa.array([0, 1, 0], pa.int8()), [pa.array([1, 2, 3]), pa.array(["a", "b", "c"])]
)
runs = pa.RunEndEncodedArray.from_arrays(pa.array([2, 3], pa.int32()), pa.array(["x", "y"]))
numbers = pa.array([7, 8, 9])
views = pa.array(["v", "longer than twelve bytes", None]).cast(pa.string_view())
of_extensions = pa.UnionArray.from_sparse(pa.array([0, 1, 0], pa.int8()), [ext(null), ext(runs)])
struct = pa.StructArray.from_arrays([ext(null), ext(dense)], names=["a", "b"])
many = [ext(null), dense, ext(dense), runs, ext(runs), numbers, views, ext(null), ext(sparse)]

V5 = {
    "null": [ext(null), numbers],
    "dense-union": [numbers, ext(dense), numbers],
    "sparse-union": [numbers, ext(sparse), numbers],
    "runs": [numbers, ext(runs), numbers],
    "many": many,
    "in-lists": [list_of(ext(null)), list_of(ext(dense)), numbers[:2]],
    "in-struct": [ext(struct), numbers],
    "in-union": [ext(of_extensions), numbers],
    "dictionary-of-null": [dictionary(ext(pa.nulls(2))), numbers],
    "dictionary-of-union": [dictionary(ext(dense)), numbers],
    "dictionary-of-runs": [dictionary(ext(runs)), numbers],
    "dictionary-of-lists": [dictionary(list_of(ext(dense))), numbers],
    "extension-of-dictionary": [ext(dictionary(of_extensions)), numbers],
}
V4 = {
    "v4-unions": [ext(null), dense, ext(dense), numbers],
    "v4-runs": [runs, numbers, ext(runs), dense],
    "v4-many": many[:6],
}


def write(path, columns, version):
    batch = pa.record_batch(columns, names=[f"c{k}" for k in range(len(columns))])
    options = pa.ipc.IpcWriteOptions(metadata_version=version)
    new = pa.ipc.new_stream if path.suffix == ".arrows" else pa.ipc.new_file
    with pa.OSFile(str(path), "wb") as sink, new(sink, batch.schema, options=options) as writer:
        writer.write(batch)


def main(folder):
    as_written = folder.name == "as-written"
    assert pa.__version__ == ("25.0.1" if as_written else "26.0.1")
    folder.mkdir(exist_ok=True)
    for name, columns in V5.items():
        write(folder / f"{name}.arrows", columns, pa.ipc.MetadataVersion.V5)
    write(folder / "many.arrow", many, pa.ipc.MetadataVersion.V5)
    for name, columns in V4.items():
        version = pa.ipc.MetadataVersion.V4 if as_written else pa.ipc.MetadataVersion.V5
        write(folder / f"{name}.arrows", columns, version)


if __name__ == "__main__":
    main(Path(__file__).parent / sys.argv[1])
