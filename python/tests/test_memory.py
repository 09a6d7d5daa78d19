"""What is shared, what is copied, and how long it lives."""

import ctypes
import gc
import io
import mmap
import os
import pickle
import sys
import threading

import arrow_ipc
import numpy as np
import polars as pl
import pyarrow as pa
import pytest

N = 10_000


@pytest.fixture(scope="module")
def content(tmp_path_factory):
    """A file with numbers and text."""
    table = pa.table({"n": np.arange(N, dtype=np.int64), "t": [f"text {k}" for k in range(N)], "b": [b"x" * 20] * N})
    path = tmp_path_factory.mktemp("memory") / "numbers.arrow"
    arrow_ipc.write_file(path, table)
    return path.read_bytes()


def place_of(memory):
    """Where the bytes of an object are: start and end."""
    array = np.frombuffer(memory, dtype=np.uint8)
    return array.ctypes.data, array.ctypes.data + len(array)


def addresses(reader):
    return [
        buffer.address
        for column in pa.table(reader).columns
        for chunk in column.chunks
        for buffer in chunk.buffers()
        if buffer is not None and buffer.size > 0
    ]


def is_shared(reader, memory):
    start, end = place_of(memory)
    inside = [start <= address < end for address in addresses(reader)]
    assert all(inside) or not any(inside)
    return all(inside)


class Subclass(bytes):
    """A kind of `bytes`, which from Python 3.12 on may lend other bytes than its own."""

    def __buffer__(self, flags):
        return memoryview(bytearray(self))


class SaysSo:
    """Lends bytes that change, from Python 3.12 on, and says that they are those of `bytes`."""

    def __init__(self, memory):
        self.memory, self.obj, self.base = memory, bytes(memory), bytes(memory)

    def __buffer__(self, flags):
        return memoryview(self.memory).toreadonly()


def frozen(memory):
    """An array that is not writable, and can be made so again."""
    array = np.frombuffer(memory, dtype=np.uint8)
    array.flags.writeable = False
    return array


SHARED = {
    "bytes": lambda content: content,
    "memoryview": memoryview,
    "part of a memoryview": lambda content: memoryview(bytes(64) + content + bytes(8))[64:-8],
    "memoryview of a memoryview": lambda content: memoryview(memoryview(content)[:]),
    "memoryview in two dimensions": lambda content: memoryview(content + bytes(-len(content) % 8)).cast("B", (-(-len(content) // 8), 8)),
    "PickleBuffer": pickle.PickleBuffer,
    "memoryview of a PickleBuffer": lambda content: memoryview(pickle.PickleBuffer(memoryview(content))),
    "array": lambda content: np.frombuffer(content, dtype=np.uint8),
    "view of an array": lambda content: memoryview(np.frombuffer(memoryview(content), dtype=np.uint8)[:]),
}

# What lends bytes that Python code can change, most of it as read-only.
COPIED = {
    "bytearray": lambda memory: memory,
    "memoryview": memoryview,
    "read-only memoryview": lambda memory: memoryview(memory).toreadonly(),
    "PickleBuffer": lambda memory: pickle.PickleBuffer(memoryview(memory).toreadonly()),
    "memoryview of a PickleBuffer": lambda memory: memoryview(pickle.PickleBuffer(memoryview(memory).toreadonly())),
    "array": lambda memory: np.frombuffer(memory, dtype=np.uint8),
    "array that is not writable": frozen,
    "view of an array that is not writable": lambda memory: frozen(memory).view(),
    "memoryview of an array that is not writable": lambda memory: memoryview(frozen(memory)),
    "PickleBuffer of an array": lambda memory: pickle.PickleBuffer(frozen(memory)),
    "ctypes": lambda memory: memoryview((ctypes.c_char * len(memory)).from_buffer(memory)).toreadonly(),
    "pyarrow.Buffer": pa.py_buffer,
    "slice of a pyarrow.Buffer": lambda memory: pa.py_buffer(memory).slice(0),
    "pyarrow.Buffer of a view": lambda memory: pa.py_buffer(memoryview(memory).toreadonly()),
    "pyarrow.Buffer at an address": lambda memory: pa.foreign_buffer(place_of(memory)[0], len(memory), memory),
    "pyarrow.Buffer of bytes": lambda memory: pa.py_buffer(bytes(memory)),
    "kind of bytes": Subclass,
}
# These are copies themselves.
OF_THEIR_OWN = ["pyarrow.Buffer of bytes", "kind of bytes"]
if sys.version_info >= (3, 12):
    COPIED["object with __buffer__"] = SaysSo


def as_stream(content):
    target = io.BytesIO()
    arrow_ipc.write_stream(target, arrow_ipc.open(content))
    return target.getvalue()


@pytest.mark.parametrize("lender", SHARED)
@pytest.mark.parametrize("container", ["file", "stream"])
def test_what_is_shared(content, container, lender):
    if container == "stream":
        memory = SHARED[lender](as_stream(content))
        assert is_shared(arrow_ipc.read_stream(memory), memory)
    # Padded: a file ends with its footer.
    elif lender != "memoryview in two dimensions":
        memory = SHARED[lender](content)
        assert is_shared(arrow_ipc.open(memory), memory)
        assert pa.table(arrow_ipc.open(memory)).column("n").to_pylist()[-1] == N - 1


@pytest.mark.parametrize("lender", COPIED)
@pytest.mark.parametrize("container", ["file", "stream"])
def test_what_is_copied_does_not_change(content, container, lender):
    """Neither what was read by then nor what is read afterwards."""
    memory = bytearray(content if container == "file" else as_stream(content))
    expected = pa.table(arrow_ipc.open(content))
    lent = COPIED[lender](memory)
    read = arrow_ipc.open(lent) if container == "file" else arrow_ipc.read_stream(lent)
    first = read.batch(0) if container == "file" else None
    before = first and pa.record_batch(first).to_pylist()
    assert not is_shared(read if container == "file" else arrow_ipc.read_stream(lent), memory)
    memory[:] = b"\x7f" * len(memory)
    assert bytes(lent) == bytes(memory) or lender in OF_THEIR_OWN
    assert first is None or pa.record_batch(first).to_pylist() == before
    assert pa.table(read).equals(expected)


def test_views_that_change_are_not_read_out_of_bounds(content):
    """As was tried: text that is checked, offsets that grow afterwards."""
    memory = bytearray(content)
    file = arrow_ipc.open(pickle.PickleBuffer(memoryview(memory).toreadonly()))
    batch = file.batch(0)
    memory[:] = b"\x7f" * len(memory)
    assert pa.record_batch(batch).column("t")[N - 1].as_py() == f"text {N - 1}"
    array = np.frombuffer(bytearray(content), dtype=np.uint8)
    array.flags.writeable = False
    file = arrow_ipc.open(array)
    array.flags.writeable = True
    array[:] = 0x7F
    assert pa.table(file).column("t")[N - 1].as_py() == f"text {N - 1}"


def maps(path):
    with open(path, "r+b") as file:
        yield mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        yield mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_COPY)
        yield mmap.mmap(file.fileno(), 0)


def test_a_map_is_read_as_a_file(content, tmp_path):
    """What is read of it is copied, and only that; it has no position that others could move."""
    path = tmp_path / "numbers.arrow"
    path.write_bytes(content)
    for memory in maps(path):
        for lent in [memory, memoryview(memory), memoryview(memory).toreadonly(), np.frombuffer(memory, np.uint8)]:
            memory.seek(5)
            file = arrow_ipc.open(lent)
            batch = file.batch(0)
            assert not is_shared(file, memory)
            assert memory.tell() == 5
            arrow_ipc.validate(lent)
            assert arrow_ipc.diff(lent, content)["same"]
            # It changes under the batch, as any process can do that.
            with open(path, "r+b") as file:
                file.write(b"\x7f" * len(content))
            assert pa.record_batch(batch).column("t")[N - 1].as_py() == f"text {N - 1}"
            path.write_bytes(content)
    path.write_bytes(as_stream(content))
    for memory in maps(path):
        assert not is_shared(arrow_ipc.read_stream(memory), memory)
        assert pa.table(arrow_ipc.read_stream(memory)).equals(pa.table(arrow_ipc.open(content)))


def test_what_is_shared_by_a_promise(content, tmp_path):
    path = tmp_path / "numbers.arrow"
    for read, bytes_of in [(arrow_ipc.open, content), (arrow_ipc.read_stream, as_stream(content))]:
        path.write_bytes(bytes_of)
        read_only, copy_on_write, writable = maps(path)
        for memory in [bytes_of, read_only, memoryview(read_only), pa.py_buffer(bytes_of), np.memmap(path, mode="r")]:
            assert is_shared(read(memory, memory_map=True), memory), type(memory)
            assert pa.table(read(memory, memory_map=True)).num_rows == N
        # What can be written to is not what anybody promises to leave alone.
        for memory in [copy_on_write, writable, bytearray(bytes_of), np.frombuffer(bytearray(bytes_of), np.uint8)]:
            with pytest.raises(BufferError, match="memory_map needs read-only bytes"):
                read(memory, memory_map=True)
        for source in [io.BytesIO(bytes_of), "https://example.org/a.arrow", 3]:
            with pytest.raises(TypeError, match="memory_map needs a path"):
                read(source, memory_map=True)
        assert pa.table(read(path, memory_map=True)).num_rows == N
    with pytest.raises(FileNotFoundError):
        arrow_ipc.read_stream(tmp_path / "nothing", memory_map=True)


def test_what_is_not_contiguous_is_refused(content):
    with pytest.raises(BufferError):
        arrow_ipc.open(memoryview(content)[::2])


def test_files_of_python_are_read_without_a_second_copy(content, tmp_path):
    """The bytes that `read` gave are those of the columns."""
    given = []

    class Watched:
        def __init__(self, file):
            self.file = file

        def seek(self, *args):
            return self.file.seek(*args)

        def read(self, n):
            given.append(self.file.read(n))
            return given[-1]

    path = tmp_path / "numbers.arrow"
    path.write_bytes(content)
    with open(path, "rb") as file:
        opened = arrow_ipc.open(Watched(file)).select(["n"])
        (address,) = addresses(opened)
        places = [place_of(piece) for piece in given]
        assert any(start <= address < end for start, end in places)
        # Of the file, little more than this column was read.
        assert sum(map(len, given)) < N * 8 + (128 << 10)


def test_others_memory_is_shared():
    numbers = np.arange(N, dtype=np.int64)
    table = pa.table({"n": pa.array(numbers)})
    start, end = place_of(numbers.view(np.uint8))
    (address,) = addresses(arrow_ipc.concat(table))
    assert start <= address < end
    frame = pl.DataFrame({"n": numbers})
    (address,) = addresses(arrow_ipc.concat(frame))
    assert address == frame["n"].to_numpy().ctypes.data


def test_memory_outlives_the_file(content):
    # A copy that nobody else refers to.
    memory = bytes(bytearray(content))
    n_references = sys.getrefcount(memory)
    with arrow_ipc.open(memory) as file:
        column = pa.array(file.batch(0)["n"])
        batch = file.batch(0)
    del file
    gc.collect()
    assert sys.getrefcount(memory) > n_references
    del batch
    part = column.slice(5, 10)
    del column
    gc.collect()
    assert sys.getrefcount(memory) > n_references
    assert part.to_pylist() == list(range(5, 15))
    del part
    gc.collect()
    assert sys.getrefcount(memory) == n_references


def test_few_rows_may_let_go_of_many(content):
    memory = bytes(bytearray(content))
    n_references = sys.getrefcount(memory)
    batch = arrow_ipc.open(memory).batch(0).slice(5, 10)
    few, texts = batch.compact(), batch["t"].compact()
    assert pa.record_batch(few).equals(pa.record_batch(batch))
    assert few.same_rows(batch) and pa.array(texts).to_pylist() == [f"text {k}" for k in range(5, 15)]
    assert sys.getrefcount(memory) > n_references
    del batch
    gc.collect()
    assert sys.getrefcount(memory) == n_references


def test_it_is_given_back_from_other_threads(content):
    memory = bytes(bytearray(content))
    n_references = sys.getrefcount(memory)
    held = [pa.table(arrow_ipc.open(memory)) for _ in range(4)]
    threads = [threading.Thread(target=held.pop) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    gc.collect()
    assert sys.getrefcount(memory) == n_references


@pytest.mark.skipif(not os.path.exists("/proc/self/maps"), reason="maps are listed on Linux")
def test_a_map_is_closed_with_the_last_buffer(content, tmp_path):
    path = tmp_path / "mapped.arrow"
    path.write_bytes(content)

    def is_mapped():
        with open("/proc/self/maps", encoding="utf-8") as maps:
            return str(path) in maps.read()

    file = arrow_ipc.open(path, memory_map=True)
    assert is_mapped()
    column = pa.table(file.select(["n"])).column("n")
    del file
    gc.collect()
    assert is_mapped()
    # Replacing the file leaves the map as it is.
    other = tmp_path / "other.arrow"
    other.write_bytes(b"")
    os.rename(other, path)
    assert column.to_pylist()[-1] == N - 1
    del column
    gc.collect()
    assert not is_mapped()
    # By default files are not mapped.
    path.write_bytes(content)
    file = arrow_ipc.open(path)
    assert file.num_rows == N and not is_mapped()


def test_capsules_give_back_what_they_hold(content):
    """Each release callback runs once, whoever drops it: the object that lends the bytes ends where it began."""
    memory = bytes(bytearray(content))
    n_references = sys.getrefcount(memory)
    file = arrow_ipc.open(memory)
    for give in [
        lambda: file.__arrow_c_stream__(),
        lambda: file.batch(0).__arrow_c_array__(),
        lambda: file.batch(0)["t"].__arrow_c_array__(),
        lambda: pa.RecordBatchReader.from_stream(file),
        lambda: next(iter(pa.RecordBatchReader.from_stream(file))),
        lambda: arrow_ipc.Stream.from_arrow(pa.RecordBatchReader.from_stream(file)),
        lambda: arrow_ipc.Stream.from_arrow(pa.table(file)),
        lambda: arrow_ipc.concat([file, file]),
        lambda: pl.DataFrame(file),
    ]:
        for _ in range(3):
            kept = give()
            del kept
    del file
    gc.collect()
    assert sys.getrefcount(memory) == n_references
