"""What is shared, what is copied, and how long it lives."""

import gc
import mmap
import os
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


def test_what_is_shared(content, tmp_path):
    path = tmp_path / "numbers.arrow"
    path.write_bytes(content)
    with open(path, "rb") as file:
        read_only = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        copy_on_write = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_COPY)
    numbers = np.frombuffer(bytearray(content), dtype=np.uint8)
    frozen = numbers.view()
    frozen.flags.writeable = False
    truly_frozen = np.frombuffer(content, dtype=np.uint8)
    for memory, shared in [
        (content, True),
        (memoryview(content), True),
        (memoryview(content)[:], True),
        (read_only, True),
        (memoryview(read_only), True),
        (pa.py_buffer(content), True),
        (truly_frozen, True),
        # What can be written to is copied, also where one looks at it through a view that cannot write.
        (bytearray(content), False),
        (memoryview(bytearray(content)).toreadonly(), False),
        (copy_on_write, False),
        (numbers, False),
        (frozen, False),
        (memoryview(frozen), False),
    ]:
        assert is_shared(arrow_ipc.open(memory), memory) == shared, type(memory)
        assert pa.table(arrow_ipc.open(memory)).column("n").to_pylist()[-1] == N - 1


def test_streams_in_memory_are_shared(content):
    target = pa.BufferOutputStream()
    arrow_ipc.write_stream(target, arrow_ipc.open(content))
    stream = target.getvalue().to_pybytes()
    assert is_shared(arrow_ipc.read_stream(stream), stream)


def test_what_is_not_contiguous_is_refused(content):
    with pytest.raises(BufferError):
        arrow_ipc.open(memoryview(content)[::2])


def test_a_change_after_the_copy_is_not_seen(content):
    memory = bytearray(content)
    file = arrow_ipc.open(memory)
    memory[:] = bytes(len(memory))
    assert pa.table(file).column("n").to_pylist() == list(range(N))


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
        column = pa.array(file[0]["n"])
        batch = file[0]
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
        lambda: file[0].__arrow_c_array__(),
        lambda: file[0]["t"].__arrow_c_array__(),
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
