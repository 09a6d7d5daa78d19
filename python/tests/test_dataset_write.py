"""A data set that many write in parts, and one commits."""

import os
import pickle
import re
import signal
import subprocess
import sys
import threading
import time
import warnings

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
    parts = [pickle.loads(pickle.dumps(writer.write(task, table(10 * task)))) for task in (1, 0)]
    assert [(part.num_rows, part.num_bytes > 300, len(pickle.dumps(part)) < 200) for part in parts] == [(10, True, True)] * 2
    with pytest.raises(FileNotFoundError):
        arrow_ipc.dataset("data")
    # A task that runs again has its part already, and one that is not given is not there.
    again = writer.write(0, table(500))
    writer.write(7, table(70))
    assert writer.commit(iter([again, parts[0]])) == 1 == writer.commit([again, parts[0]])
    assert ids("data") == list(range(20))

    more = arrow_ipc.DatasetWriter("data", SCHEMA, mode="append")
    other = arrow_ipc.DatasetWriter("data", SCHEMA, mode="replace")
    assert more.commit([more.write(0, table(100).to_batches(5))]) == 2
    with pytest.raises(arrow_ipc.ArrowIpcError, match="commit"):
        other.commit([other.write(0, table(200))])
    other.abort()
    # Several sets, each with its manifest, are one.
    second = arrow_ipc.DatasetWriter("second", SCHEMA)
    second.commit([second.write(0, table(0))])
    assert arrow_ipc.dataset(["data", "second"]).count() == 40
    new = arrow_ipc.DatasetWriter("data", SCHEMA, mode="replace")
    assert new.commit([new.write(0, table(300), folder="day=2024-02-29")]) == 3
    assert pa.table(arrow_ipc.dataset("data"))["day"].unique().to_pylist() == [__import__("datetime").date(2024, 2, 29)]


def test_a_writer_is_for_one_commit(tmp_path):
    """Tasks of another commit would have the numbers, and so the parts, of the first."""
    writer = arrow_ipc.DatasetWriter(tmp_path / "data", SCHEMA, mode="append")
    with pytest.raises(OSError):
        writer.commit([pickle.loads(pickle.dumps(other)) for other in parts_that_are_gone(tmp_path)])
    parts = [writer.write(0, table(0))]
    assert writer.commit(parts) == 1
    for each in (writer, pickle.loads(pickle.dumps(writer))):
        with pytest.raises(arrow_ipc.ArrowIpcError, match="for one commit: another DatasetWriter writes more") as raised:
            each.write(0, table(10))
        assert raised.value.kind == "Committed"
        assert each.commit(parts) == 1
    assert ids(tmp_path / "data") == list(range(10))


def test_copies_of_a_writer_know_of_its_commit(tmp_path):
    """Those of workers were made before it. What such a task would write is not in the set, so it is an error."""
    writer = arrow_ipc.DatasetWriter(tmp_path / "data", SCHEMA, mode="append")
    copy = pickle.loads(pickle.dumps(writer))
    assert copy.commit([copy.write(0, table(0))]) == 1
    for each in (writer, pickle.loads(pickle.dumps(writer))):
        with pytest.raises(arrow_ipc.ArrowIpcError, match="has been committed already; begin another writer for another commit") as raised:
            each.write(0, table(10))
        assert (raised.value.kind, raised.value.category) == ("Committed", "misuse")
    assert ids(tmp_path / "data") == list(range(10))
    # A task that comes late in another round has a number of its own, and is added.
    assert writer.commit([writer.write(1, table(10))]) == 2
    assert ids(tmp_path / "data") == list(range(20))


def test_a_writer_after_it_gave_up(tmp_path):
    writer = arrow_ipc.DatasetWriter(tmp_path / "data", SCHEMA)
    writer.write(0, table(0))
    writer.abort()
    assert writer.commit([writer.write(0, table(10))]) == 1
    assert ids(tmp_path / "data") == list(range(10, 20))


INTERRUPTED = """
import itertools, signal, sys, threading
import arrow_ipc
batch = arrow_ipc.RecordBatch({"kind": arrow_ipc.Array(["a"], "dictionary")})
writer = arrow_ipc.DatasetWriter("data", batch.schema, dictionaries=sys.argv[1])
signal.signal(signal.SIGALRM, signal.default_int_handler)
try:
    signal.setitimer(signal.ITIMER_REAL, 0.2)
    # Calls nothing of Python.
    writer.write(0, itertools.repeat(batch, 300_000))
except KeyboardInterrupt:
    sys.exit(7)
"""


@pytest.mark.skipif(not hasattr(__import__("signal"), "setitimer"), reason="there are no alarms")
@pytest.mark.parametrize("dictionaries", ["unify", "replace"])
def test_interrupt(tmp_path, dictionaries):
    done = subprocess.run([sys.executable, "-c", INTERRUPTED, dictionaries], cwd=tmp_path, capture_output=True, timeout=120)
    assert done.returncode == 7, done.stderr
    assert [path for path in tmp_path.rglob("*") if path.name.startswith(("part-", "_attempt-"))] == []


def parts_that_are_gone(tmp_path):
    other = arrow_ipc.DatasetWriter(tmp_path / "other", SCHEMA)
    yield other.write(0, table(0))
    other.abort()


def test_dictionaries_that_differ(tmp_path):
    """As those of every table that was put together."""
    batches = [pa.record_batch({"kind": pa.array(kinds).dictionary_encode()}) for kinds in (["a", "b"], ["c", None], ["b", "a"])]
    table = pa.Table.from_batches(batches)
    writer = pickle.loads(pickle.dumps(arrow_ipc.DatasetWriter(tmp_path / "data", table.schema)))
    writer.commit([writer.write(0, table), writer.write(1, table.slice(0, 0)), writer.write(2, batches)])
    assert [kind for batch in arrow_ipc.dataset(tmp_path / "data") for kind in batch["kind"].to_pylist()] == ["a", "b", "c", None, "b", "a"] * 2
    for path in (tmp_path / "data").glob("*.arrow"):
        read = pa.ipc.open_file(path).read_all()
        assert read.num_rows == 0 or read["kind"].to_pylist() == ["a", "b", "c", None, "b", "a"]
    for dictionaries, n_rows in (("delta", 6), ("replace", None), ("error", None)):
        writer = arrow_ipc.DatasetWriter(tmp_path / dictionaries, table.schema, dictionaries=dictionaries)
        writer = pickle.loads(pickle.dumps(writer))
        if n_rows is None:
            with pytest.raises(arrow_ipc.ArrowIpcError, match="dictionary with id 0"):
                writer.write(0, table)
        else:
            assert writer.write(0, table).num_rows == n_rows


def test_batches_without_dictionaries_are_not_kept(tmp_path):
    """Each is written before the next is taken."""
    n_bytes = []

    def batches():
        for _ in range(20):
            n_bytes.append(pa.total_allocated_bytes())
            yield pa.record_batch([pa.nulls(100_000, pa.int64())], schema=SCHEMA)

    arrow_ipc.DatasetWriter(tmp_path / "data", SCHEMA).write(0, batches())
    assert max(n_bytes) - n_bytes[0] < 4 * 800_000


def test_a_killed_task(tmp_path):
    """It leaves nothing that is read; another attempt writes its part."""
    writer = arrow_ipc.DatasetWriter(tmp_path / "data", SCHEMA)
    text = """
import os, pickle, sys, arrow_ipc
writer = pickle.load(sys.stdin.buffer)
def batches():
    yield arrow_ipc.RecordBatch({"id": range(1000)})
    os.kill(os.getpid(), 9)
writer.write(0, batches())
"""
    done = subprocess.run([sys.executable, "-c", text], input=pickle.dumps(writer), capture_output=True)
    assert done.returncode == -9, done.stderr
    assert writer.commit([writer.write(0, table(0))]) == 1
    assert ids(tmp_path / "data") == list(range(10))
    files = [name for _, _, names in os.walk(tmp_path / "data") for name in names]
    assert len(files) == 1, files


def test_what_is_refused(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    arrow_ipc.write_file(tmp_path / "a.arrow", table(0))
    for function, error, text in [
        (lambda: arrow_ipc.DatasetWriter(tmp_path, SCHEMA), arrow_ipc.ArrowIpcError, "already"),
        (lambda: arrow_ipc.DatasetWriter("s3://bucket/x", SCHEMA), arrow_ipc.ArrowIpcError, "URL"),
        (lambda: arrow_ipc.DatasetWriter(tmp_path / "new", SCHEMA, mode="x"), ValueError, "unknown mode 'x'"),
        (lambda: arrow_ipc.DatasetWriter(tmp_path / "new", SCHEMA, compression="x"), ValueError, "compression"),
        (lambda: arrow_ipc.DatasetWriter(tmp_path / "new", SCHEMA, dictionaries="x"), ValueError, 'dictionaries is "x"'),
        (lambda: arrow_ipc.DatasetWriter(tmp_path / "new", 3), TypeError, "__arrow_c_schema__"),
        (lambda: arrow_ipc.DatasetWriter(tmp_path / "new", SCHEMA).write(0, table(0), folder="../x"), arrow_ipc.ArrowIpcError, "x"),
        (lambda: arrow_ipc.DatasetWriter(tmp_path / "new", SCHEMA).write(-1, table(0)), ValueError, "expected 0 or more, found -1"),
        (lambda: arrow_ipc.DatasetWriter(tmp_path / "new", SCHEMA).write(0, pa.table({"x": [1]})), arrow_ipc.ArrowIpcError, "x"),
        (lambda: arrow_ipc.DatasetWriter(tmp_path / "new", SCHEMA).commit([3]), TypeError, "parts are what `write` gives"),
    ]:
        with pytest.raises(error, match=text):
            function()
    assert not (tmp_path / "x").exists() and not (tmp_path / "s3:").exists()


def test_schemas_as_for_other_functions(tmp_path):
    writer = arrow_ipc.DatasetWriter(tmp_path / "data", {"id": "int64"})
    assert writer.commit([writer.write(0, table(0))]) == 1


def test_parts_that_are_gone_are_named(tmp_path):
    writer = arrow_ipc.DatasetWriter(tmp_path / "data", SCHEMA)
    writer.commit([writer.write(0, table(0))])
    (part,) = (tmp_path / "data").iterdir()
    os.remove(part)
    for function in [arrow_ipc.count, arrow_ipc.validate, arrow_ipc.stats]:
        with pytest.raises(arrow_ipc.ArrowIpcError, match=re.escape(f"{part}: the file does not exist, but the manifest")):
            function(tmp_path / "data")


def test_copies_are_read_and_parts_without_a_manifest_are_told(tmp_path):
    arrow_ipc.write_file(tmp_path / "data.arrow", table(0))
    (tmp_path / "data").mkdir()
    os.replace(tmp_path / "data.arrow", tmp_path / "data/a.arrow")
    writer = arrow_ipc.DatasetWriter(tmp_path / "data", SCHEMA, mode="append")
    writer.commit([writer.write(0, table(10))])
    arrow_ipc.write_file(tmp_path / "data/late.arrow", table(50))
    with pytest.warns(UserWarning, match="late.arrow: not in the data set"):
        assert arrow_ipc.dataset(tmp_path / "data").count() == 20
    for tool in [
        arrow_ipc.count,
        arrow_ipc.validate,
        arrow_ipc.stats,
        lambda folder: arrow_ipc.convert(folder, tmp_path / "all.arrow"),
        lambda folder: arrow_ipc.count(folder, where="id > 3"),
    ]:
        with pytest.warns(UserWarning, match="late.arrow: not in the data set") as warned:
            tool(tmp_path / "data")
        assert len(warned) == 1
        with pytest.warns(UserWarning, match="late.arrow: not in the data set") as warned:
            tool(tmp_path / "*/*.arrow")
        assert len(warned) == 1
    with pytest.warns(UserWarning, match="late.arrow: not in the data set"):
        assert arrow_ipc.dataset(tmp_path / "data/*.arrow").count() == 20
    with pytest.warns(UserWarning, match="late.arrow: not in the data set"), pytest.raises(FileNotFoundError, match="no files"):
        arrow_ipc.dataset(tmp_path / "data/l*.arrow")
    with warnings.catch_warnings(action="error"):
        assert arrow_ipc.dataset(tmp_path / "data/[ap]*.arrow").count() == 20
    os.remove(tmp_path / "data/late.arrow")
    # Copies have other times; a task knows the file by its length and the lengths of its batches.
    os.utime(tmp_path / "data/a.arrow", (0, 0))
    assert ids(tmp_path / "data") == list(range(20))
    tasks = pickle.loads(pickle.dumps(arrow_ipc.dataset(tmp_path / "data").split(1)))
    assert [i for task in tasks for batch in task for i in batch["id"].to_pylist()] == list(range(20))
    os.rename(tmp_path / "_data.manifests", tmp_path / "gone")
    with pytest.warns(UserWarning, match="no manifest lists its parts"):
        assert arrow_ipc.dataset(tmp_path / "data").count() == 20


def parts_written(folder, n_tasks, **options):
    """The version of a data set that gets a part from each task."""
    writer = arrow_ipc.DatasetWriter(folder, {"n": "int64"}, **options)
    return writer.commit([writer.write(task, {"n": [task]}) for task in range(n_tasks)])


def test_files_of_other_columns_are_not_compacted(tmp_path):
    (tmp_path / "data").mkdir()
    for name, rows in [("a", {"a": [1]}), ("b", {"b": ["x"]})]:
        arrow_ipc.write_file(tmp_path / "data" / f"{name}.arrow", rows)
    with pytest.raises(arrow_ipc.ArrowIpcError, match="the schema differs from the schema of the data set") as raised:
        arrow_ipc.compact(tmp_path / "data")
    said = re.search(r"split_file\(folder, \"new/\", (.*?)\)", raised.value.hint)
    arrow_ipc.split_file(tmp_path / "data", f"{tmp_path}/new/", **eval(f"dict({said[1]})"))
    assert arrow_ipc.compact(tmp_path / "new").n_after == 1
    assert arrow_ipc.dataset(tmp_path / "new").schema.names == ["a", "b"]
    # With other types, a data set is read and written again.
    arrow_ipc.write_file(tmp_path / "data" / "b.arrow", {"a": ["2"]})
    with pytest.raises(arrow_ipc.ArrowIpcError) as raised:
        arrow_ipc.compact(tmp_path / "data")
    assert "dataset(paths, schema={column: type})" in raised.value.hint and "write_file" in raised.value.hint
    arrow_ipc.write_file(tmp_path / "one.arrow", arrow_ipc.dataset(tmp_path / "data", schema={"a": "int64"}))
    assert arrow_ipc.open(tmp_path / "one.arrow")["a"].to_pylist() == [1, 2]


def test_compact(tmp_path):
    folder = tmp_path / "data"
    assert parts_written(folder, 3) == 1
    done = arrow_ipc.compact(folder)
    assert done.to_dict() == {"n_before": 3, "n_after": 1, "n_removed": 0, "n_lost_metadata": 0, "version": 2}
    assert "see the joined rows twice until compact(folder, expire=True) runs" in str(done)
    assert arrow_ipc.dataset(folder).count() == 3 and len(list(folder.glob("**/*.arrow"))) == 4
    again = arrow_ipc.compact(folder, expire=True, threads=1)
    assert (again.n_removed, again.version, str(again)) == (3, 2, "1 part in version 2: nothing to join\nremoved 1 earlier version and 3 files")
    assert arrow_ipc.concat(arrow_ipc.dataset(folder))["n"].to_pylist() == [0, 1, 2]
    assert len(list(folder.glob("**/*.arrow"))) == 1
    assert pickle.loads(pickle.dumps(again)) == again

    # Replaced parts stay until they are removed.
    parts_written(folder, 2, mode="replace")
    assert len(list(folder.glob("**/*.arrow"))) == 3
    assert arrow_ipc.compact(folder, target_bytes=2, expire=True, compression="zstd").n_removed == 1
    assert arrow_ipc.dataset(folder).count() == 2

    # Without a manifest, the files become parts.
    plain = tmp_path / "plain"
    plain.mkdir()
    for name in "ab":
        arrow_ipc.write_file(plain / f"{name}.arrow", {"n": [1]})
    first = str(arrow_ipc.compact(plain))
    assert 'from now on, its manifest says which files are read' in first and 'mode="append") adds rows' in first
    with pytest.raises(NotADirectoryError, match="found a file"):
        arrow_ipc.compact(plain / "a.arrow")
    with pytest.raises(FileNotFoundError, match="none"):
        arrow_ipc.compact(tmp_path / "none")


@pytest.mark.parametrize("expire", [False, True])
def test_interrupted_compaction(tmp_path, expire):
    """Nothing has changed, or all small files are joined."""
    parts_written(tmp_path / "whole", 60)
    begun = time.monotonic()
    arrow_ipc.compact(tmp_path / "whole", expire=expire)
    seconds = time.monotonic() - begun
    n_stopped = number = 0
    # More than five if the first of all took longer than others, so that the signals came too late.
    while number < 5 or (n_stopped < 2 and number < 30):
        folder = tmp_path / str(number)
        parts_written(folder, 60)
        before = sorted(folder.glob("**/*"))
        timer = threading.Timer(seconds * (number % 5) / 5, signal.raise_signal, [signal.SIGINT])
        is_done = False
        number += 1
        try:
            timer.start()
            arrow_ipc.compact(folder, expire=expire)
            is_done = True
            seconds /= 2
            timer.join()
            time.sleep(0.01)
        except KeyboardInterrupt:
            n_stopped += not is_done
        timer.join()
        after = sorted(folder.glob("**/*"))
        data = arrow_ipc.dataset(folder)
        assert len(data.files) in (1, 60) and arrow_ipc.concat(data)["n"].to_pylist() == list(range(60))
        assert after == before or len(data.files) == 1
        # No thread goes on.
        time.sleep(0.02)
        assert sorted(folder.glob("**/*")) == after
    assert n_stopped > 1


def test_writers_that_append_at_once(tmp_path):
    parts_written(tmp_path / "data", 1)
    barrier = threading.Barrier(3)

    def append(number):
        for task in range(5):
            writer = arrow_ipc.DatasetWriter(tmp_path / "data", {"n": "int64"}, mode="append")
            part = writer.write(0, {"n": [10 * number + task]})
            barrier.wait()
            writer.commit([part])

    threads = [threading.Thread(target=append, args=(number,)) for number in (1, 2, 3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    found = arrow_ipc.concat(arrow_ipc.dataset(tmp_path / "data"))["n"].to_pylist()
    assert sorted(found) == [0, *range(10, 15), *range(20, 25), *range(30, 35)]


def test_append_refuses_a_file_of_a_data_set(tmp_path):
    parts_written(tmp_path / "data", 1)
    (part,) = arrow_ipc.dataset(tmp_path / "data").files
    with pytest.raises(arrow_ipc.ArrowIpcError, match="inside the data set") as caught:
        arrow_ipc.append(part, {"n": [1]})
    assert "DatasetWriter" in caught.value.hint
    assert arrow_ipc.dataset(tmp_path / "data").count() == 1
