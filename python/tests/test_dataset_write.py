"""A data set that many write in parts, and one commits."""

import os
import pickle
import subprocess
import sys

import arrow_ipc
import pyarrow as pa
import pytest

SCHEMA = pa.schema([("id", pa.int64())])


def table(first):
    return pa.table({"id": range(first, first + 10)})


def ids(path):
    return [i for batch in arrow_ipc.dataset(path) for i in batch["id"].to_pylist()]


def test_commit(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    writer = pickle.loads(pickle.dumps(arrow_ipc.DatasetWriter("data", SCHEMA, compression="zstd")))
    assert writer.schema.names == ["id"] and repr(writer) == f"<arrow_ipc.DatasetWriter of {tmp_path / 'data'}>"
    second, first = [pickle.loads(pickle.dumps(writer.write(table(n)))) for n in (10, 0)]
    assert all((part.num_rows, part.num_bytes > 300, len(pickle.dumps(part)) < 200) == (10, True, True) for part in (first, second))
    with pytest.raises(FileNotFoundError):
        arrow_ipc.dataset("data")
    # The part of a task that ran again is not passed, so it is removed.
    writer.write(table(0))
    copy = pickle.loads(pickle.dumps(writer))
    assert writer.commit(iter([first, second])) is None
    assert ids("data") == list(range(20)) and os.listdir() == ["data"]
    for each in (writer, copy, pickle.loads(pickle.dumps(writer))):
        for call in (lambda: each.write(table(0)), lambda: each.commit([first])):
            with pytest.raises(arrow_ipc.ArrowIpcError, match="has been committed or given up; another writer writes more") as raised:
                call()
            assert (raised.value.kind, raised.value.category) == ("Committed", "misuse")

    # A new folder inside of the data set adds rows.
    more = arrow_ipc.DatasetWriter("data/more", SCHEMA)
    more.commit([more.write(table(20).to_batches(5))])
    assert sorted(ids("data")) == list(range(30))
    days = arrow_ipc.DatasetWriter("days", SCHEMA)
    days.commit([days.write(table(10 * day), folder=f"day=2024-02-{day}") for day in (28, 29)])
    assert pa.table(arrow_ipc.dataset("days"))["day"].unique().to_pylist() == [__import__("datetime").date(2024, 2, day) for day in (28, 29)]


def test_a_writer_that_gives_up(tmp_path):
    writer = arrow_ipc.DatasetWriter(tmp_path / "data", SCHEMA)
    part = writer.write(table(0))
    writer.abort()
    with pytest.raises(arrow_ipc.ArrowIpcError, match="given up"):
        writer.commit([part])
    assert os.listdir(tmp_path) == []


INTERRUPTED = """
import itertools, signal, sys, threading
import arrow_ipc
batch = arrow_ipc.RecordBatch({"kind": arrow_ipc.Array(["a"], "dictionary")})
writer = arrow_ipc.DatasetWriter("data", batch.schema, dictionaries=sys.argv[1])
signal.signal(signal.SIGALRM, signal.default_int_handler)
try:
    signal.setitimer(signal.ITIMER_REAL, 0.2)
    # Calls nothing of Python.
    writer.write(itertools.repeat(batch, 300_000))
except KeyboardInterrupt:
    sys.exit(7)
"""


@pytest.mark.skipif(not hasattr(__import__("signal"), "setitimer"), reason="there are no alarms")
@pytest.mark.parametrize("dictionaries", ["unify", "replace"])
def test_interrupt(tmp_path, dictionaries):
    done = subprocess.run([sys.executable, "-c", INTERRUPTED, dictionaries], cwd=tmp_path, capture_output=True, timeout=120)
    assert done.returncode == 7, done.stderr
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []


def test_dictionaries_that_differ(tmp_path):
    """As those of every table that was put together."""
    batches = [pa.record_batch({"kind": pa.array(kinds).dictionary_encode()}) for kinds in (["a", "b"], ["c", None], ["b", "a"])]
    table = pa.Table.from_batches(batches)
    writer = pickle.loads(pickle.dumps(arrow_ipc.DatasetWriter(tmp_path / "data", table.schema)))
    writer.commit([writer.write(table), writer.write(table.slice(0, 0)), writer.write(batches)])
    assert [kind for batch in arrow_ipc.dataset(tmp_path / "data") for kind in batch["kind"].to_pylist()] == ["a", "b", "c", None, "b", "a"] * 2
    for path in (tmp_path / "data").glob("*.arrow"):
        read = pa.ipc.open_file(path).read_all()
        assert read.num_rows == 0 or read["kind"].to_pylist() == ["a", "b", "c", None, "b", "a"]
    for dictionaries, n_rows in (("delta", 6), ("replace", None), ("error", None)):
        writer = arrow_ipc.DatasetWriter(tmp_path / dictionaries, table.schema, dictionaries=dictionaries)
        writer = pickle.loads(pickle.dumps(writer))
        if n_rows is None:
            with pytest.raises(arrow_ipc.ArrowIpcError, match="dictionary with id 0"):
                writer.write(table)
        else:
            assert writer.write(table).num_rows == n_rows


def test_batches_without_dictionaries_are_not_kept(tmp_path):
    """Each is written before the next is taken."""
    n_bytes = []

    def batches():
        for _ in range(20):
            n_bytes.append(pa.total_allocated_bytes())
            yield pa.record_batch([pa.nulls(100_000, pa.int64())], schema=SCHEMA)

    arrow_ipc.DatasetWriter(tmp_path / "data", SCHEMA).write(batches())
    assert max(n_bytes) - n_bytes[0] < 4 * 800_000


def test_a_killed_task(tmp_path):
    """It leaves nothing that is read; another one writes its part."""
    writer = arrow_ipc.DatasetWriter(tmp_path / "data", SCHEMA)
    text = """
import os, pickle, sys, arrow_ipc
writer = pickle.load(sys.stdin.buffer)
def batches():
    yield arrow_ipc.RecordBatch({"id": range(1000)})
    os.kill(os.getpid(), 9)
writer.write(batches())
"""
    done = subprocess.run([sys.executable, "-c", text], input=pickle.dumps(writer), capture_output=True)
    assert done.returncode == -9, done.stderr
    writer.commit([writer.write(table(0))])
    assert ids(tmp_path / "data") == list(range(10))
    files = [name for _, _, names in os.walk(tmp_path) for name in names]
    assert len(files) == 1, files


def test_what_is_refused(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    arrow_ipc.write_file(tmp_path / "a.arrow", table(0))
    for function, error, text in [
        (lambda: arrow_ipc.DatasetWriter(tmp_path, SCHEMA), arrow_ipc.ArrowIpcError, "the folder is not empty"),
        (lambda: arrow_ipc.DatasetWriter("http://example.org/x", SCHEMA), ValueError, "servers of HTTP are not written to"),
        (lambda: arrow_ipc.DatasetWriter(tmp_path / "new", SCHEMA, compression="x"), ValueError, "compression"),
        (lambda: arrow_ipc.DatasetWriter(tmp_path / "new", SCHEMA, dictionaries="x"), ValueError, 'dictionaries is "x"'),
        (lambda: arrow_ipc.DatasetWriter(tmp_path / "new", 3), TypeError, "__arrow_c_schema__"),
        (lambda: arrow_ipc.DatasetWriter(tmp_path / "new", SCHEMA).write(table(0), folder="../x"), arrow_ipc.ArrowIpcError, "is not a path of folders"),
        (lambda: arrow_ipc.DatasetWriter(tmp_path / "new", SCHEMA).write(pa.table({"x": [1]})), arrow_ipc.ArrowIpcError, "x"),
        (lambda: arrow_ipc.DatasetWriter(tmp_path / "new", SCHEMA).commit([3]), TypeError, "parts are what `write` gives"),
    ]:
        with pytest.raises(error, match=text):
            function()
    assert not (tmp_path / "x").exists() and not (tmp_path / "s3:").exists()


def test_schemas_as_for_other_functions(tmp_path):
    writer = arrow_ipc.DatasetWriter(tmp_path / "data", {"id": "int64"})
    writer.commit([writer.write(table(0))])
    assert ids(tmp_path / "data") == list(range(10))
