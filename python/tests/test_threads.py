"""Several threads at once. How reading scales is measured by `bench_threads.py`; here the results count."""

import functools
import io
import threading
from concurrent.futures import ThreadPoolExecutor

import arrow_ipc
import pyarrow as pa
import pytest

N_THREADS = 8


@pytest.fixture(scope="module")
def content():
    target = io.BytesIO()
    table = pa.table({"n": list(range(8000)), "word": pa.array(["a", "b", "c", "d"] * 2000).dictionary_encode()})
    arrow_ipc.write_file(target, table.to_batches(max_chunksize=100), compression="lz4")
    return target.getvalue()


@pytest.mark.parametrize("source", ["memory", "path", "map", "file"])
def test_one_file(source, content, tmp_path):
    path = tmp_path / "words.arrow"
    path.write_bytes(content)
    file = open(path, "rb")
    opened = {
        "memory": lambda: arrow_ipc.open(content),
        "path": lambda: arrow_ipc.open(path),
        "map": lambda: arrow_ipc.open(path, memory_map=True),
        "file": lambda: arrow_ipc.open(file),
    }[source]()
    expected = [pa.record_batch(batch) for batch in arrow_ipc.open(content)]

    def read(thread):
        order = range(thread, thread + opened.num_batches)
        return {k % opened.num_batches: pa.record_batch(opened.batch(k % opened.num_batches)) for k in order}

    with ThreadPoolExecutor(N_THREADS) as pool:
        for found in pool.map(read, range(N_THREADS)):
            assert [found[k] for k in range(len(expected))] == expected
    file.close()


def test_one_iterator(content):
    """Each batch goes to one of the threads that share an iterator."""
    for batches in [iter(arrow_ipc.open(content)), arrow_ipc.Stream.from_arrow(arrow_ipc.open(content))]:
        with ThreadPoolExecutor(N_THREADS) as pool:
            rows = list(pool.map(lambda _, batches=batches: sum(batch.num_rows for batch in batches), range(N_THREADS)))
        assert sum(rows) == 8000


def test_others_go_on_meanwhile(content):
    """A thread that reads does not hold the lock of the interpreter: a source that waits for another thread gets its turn."""
    may_read = threading.Event()

    class Waiting(io.BytesIO):
        def read(self, n=-1):
            assert may_read.wait(30)
            return super().read(n)

    with ThreadPoolExecutor(2) as pool:
        opened = pool.submit(arrow_ipc.open, Waiting(content))
        # While that thread waits in the middle of opening, this one opens, reads and writes.
        assert arrow_ipc.open(content).num_rows == 8000
        arrow_ipc.write_file(io.BytesIO(), arrow_ipc.open(content))
        may_read.set()
        assert opened.result(30).num_rows == 8000


def test_writers(content):
    def write(_):
        target = io.BytesIO()
        arrow_ipc.write_file(target, arrow_ipc.open(content), compression="zstd")
        return target.getvalue()

    with ThreadPoolExecutor(N_THREADS) as pool:
        first, *others = pool.map(write, range(N_THREADS))
    assert all(other == first for other in others)


def test_one_writer(content):
    target = io.BytesIO()
    batches = list(arrow_ipc.open(content))
    with arrow_ipc.Writer(target, arrow_ipc.open(content).schema, container="file") as writer, ThreadPoolExecutor(N_THREADS) as pool:
        list(pool.map(writer.write, batches))
    assert arrow_ipc.open(target.getvalue()).num_rows == 8000


@functools.cache
def large(n_batches=13):
    """A file whose batches are worth a thread each, with a dictionary; and where the bodies of the batches begin."""
    n_rows = 40_000
    words = pa.array(["a", "b", "c", "d"] * (n_rows // 4)).dictionary_encode()
    batches = [
        pa.record_batch({"n": pa.array(range(k, k + n_rows), pa.int64()), "word": words, "t": ["text"] * n_rows})
        for k in range(n_batches)
    ]
    target = io.BytesIO()
    arrow_ipc.write_file(target, batches)
    return target.getvalue(), batches


@pytest.mark.parametrize("threads", [1, 2, 3, 8, None])
def test_batches_for_others_are_in_order(threads, tmp_path):
    content, batches = large()
    path = tmp_path / "large.arrow"
    path.write_bytes(content)
    for source in [content, path, io.BytesIO(content)]:
        file = arrow_ipc.open(source, threads=threads)
        assert list(pa.RecordBatchReader.from_stream(file)) == batches
        columns = file.select(["word", "n"])
        assert pa.table(columns).equals(pa.Table.from_batches(batches).select(["word", "n"]))
        # Those that nobody takes are no harm.
        assert next(iter(pa.RecordBatchReader.from_stream(file))).equals(batches[0])


def test_an_error_comes_in_its_place():
    content, batches = large()
    found = arrow_ipc.inspect(content, buffers=True)
    bodies = [message for message in found["messages"] if message["kind"] == "record batch"]
    (text,) = [b for b in bodies[7]["buffers"] if b["field"] == "t" and b["role"] == "bytes"]
    damaged = bytearray(content)
    damaged[text["position"] + 5] = 0xFF
    for threads in [1, 2, 8]:
        reader = pa.RecordBatchReader.from_stream(arrow_ipc.open(bytes(damaged), threads=threads))
        read = []
        with pytest.raises(OSError, match="record batch 7.*UTF-8"):
            for batch in reader:
                read.append(batch)
        assert read == batches[:7]


def test_numbers_of_threads():
    content, _ = large(1)
    for threads in [0, -1]:
        with pytest.raises((ValueError, OverflowError)):
            arrow_ipc.open(content, threads=threads)
