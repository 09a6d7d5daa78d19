"""Several threads at once. How reading scales is measured by `bench_threads.py`; here the results count."""

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
        order = range(thread, thread + len(opened))
        return {k % len(opened): pa.record_batch(opened.batch(k % len(opened))) for k in order}

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
    with arrow_ipc.Writer(target, arrow_ipc.open(content).schema) as writer, ThreadPoolExecutor(N_THREADS) as pool:
        list(pool.map(writer.write, batches))
    assert arrow_ipc.open(target.getvalue()).num_rows == 8000
