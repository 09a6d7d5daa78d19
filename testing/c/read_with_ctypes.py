"""Reads files by ctypes alone, and passes the batches to pyarrow, which must find the values that it reads itself."""

import ctypes
import sys
from pathlib import Path

import pyarrow as pa
import pyarrow.ipc

library = ctypes.CDLL(sys.argv[1])


class Error(ctypes.Structure):
    _fields_ = [("size", ctypes.c_size_t), ("code", ctypes.c_int), ("text", ctypes.c_char * 1008)]


def call(name: str, *args: object) -> None:
    error = Error(size=ctypes.sizeof(Error))
    if getattr(library, name)(*args, ctypes.byref(error)):
        raise RuntimeError(error.text.decode())


def read(path: Path) -> pa.Table:
    reader = ctypes.c_void_p()
    call("aipc_reader_open", str(path).encode(), None, ctypes.c_size_t(0), ctypes.byref(reader))
    stream = (ctypes.c_void_p * 5)()
    call("aipc_reader_stream", reader, stream)
    library.aipc_reader_free(reader)
    return pa.RecordBatchReader._import_from_c(ctypes.addressof(stream)).read_all()


def write(table: pa.Table, path: Path) -> None:
    writer, stream = ctypes.c_void_p(), (ctypes.c_void_p * 5)()
    call("aipc_writer_create", str(path).encode(), None, None, ctypes.c_size_t(0), ctypes.byref(writer))
    table.to_reader()._export_to_c(ctypes.addressof(stream))
    call("aipc_writer_write_stream", writer, stream)
    call("aipc_writer_finish", writer)
    library.aipc_writer_free(writer)


def pyarrow_reads(path: Path) -> pa.Table | None:
    """None if pyarrow refuses the file."""
    try:
        with pa.OSFile(str(path)) as file:
            is_file = path.suffix == ".arrow_file"
            return (pa.ipc.open_file(file) if is_file else pa.ipc.open_stream(file)).read_all()
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError, OSError):
        return None


if len(sys.argv) < 3:
    print("SKIPPED: gold files with pyarrow: ARROW_TEST_DATA is not set")
    sys.exit()
folder = Path(sys.argv[2]) / "arrow-ipc-stream" / "integration"
copy = Path(sys.argv[1]).parent / "ctypes-copy.arrows"
n_same, refused = 0, []
for path in sorted([*folder.rglob("*.arrow_file"), *folder.rglob("*.stream")]):
    expected = pyarrow_reads(path)
    if expected is None:
        refused.append(path.name)
        continue
    found = read(path)
    found.validate()
    # NaN differs from itself, so texts are compared, too.
    assert found.schema.equals(expected.schema, check_metadata=True), path
    assert found.equals(expected) or found.to_pylist().__repr__() == expected.to_pylist().__repr__(), path
    write(expected, copy)
    again = pyarrow_reads(copy)
    assert again is not None and (again.equals(expected) or repr(again.to_pylist()) == repr(expected.to_pylist())), path
    n_same += 1
copy.unlink(missing_ok=True)
print(f"{n_same} gold files are the same by ctypes in pyarrow, which refuses {len(refused)}")
