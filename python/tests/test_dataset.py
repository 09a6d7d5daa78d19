"""Many files as one data set."""

import io
import os
import pickle
import re
import subprocess
import sys
from pathlib import Path

import arrow_ipc
import numpy as np
import pyarrow as pa
import pytest


@pytest.fixture
def data(tmp_path, monkeypatch):
    """Six files of 30 rows in three folders."""
    for k in range(6):
        path = tmp_path / "data" / f"day=2024-02-{27 + k // 2}" / f"city=Ro me{k % 2}" / f"{k}.arrow"
        path.parent.mkdir(parents=True)
        batches = pa.table({"id": range(30 * k, 30 * k + 30), "name": [f"n{i}" for i in range(30)]}).to_batches(10)
        arrow_ipc.write_file(path, batches)
    monkeypatch.chdir(tmp_path)
    return tmp_path / "data"


def ids(source):
    return [i for batch in source for i in batch["id"].to_pylist()]


def test_inputs(data):
    files = sorted(str(path) for path in data.rglob("*.arrow"))
    for source in (data, str(data), files, f"{data}/**/*.arrow", "data", "data/*/*/*.arrow"):
        found = arrow_ipc.dataset(source)
        assert [os.path.abspath(path) for path in found.files] == files
        assert found.schema.names == ["id", "name", "day", "city"]
        assert str(found.schema["day"].type) == "date32"
        assert ids(found) == list(range(180)) == ids(found.read())
        assert found.count() == 180
    assert repr(found).startswith("<arrow_ipc.Dataset: 6 files>\n")
    # What two inputs name is read twice.
    assert arrow_ipc.dataset([data / "day=2024-02-27", str(data)]).count() == 240


def test_columns_and_rows(data):
    found = arrow_ipc.dataset(data, columns=["city", "id"], where="day >= '2024-02-28' and id < 100 and city = 'Ro me0'")
    assert found.count() == 30
    assert pa.table(found).to_pylist() == [{"city": "Ro me0", "id": i} for i in range(60, 90)]
    rows = [i for i in range(180) if i // 30 >= 2 and i < 100 and i // 30 % 2 == 0]
    found = arrow_ipc.dataset(data).where("day >= '2024-02-28'").where("id < 100 and city = 'Ro me0'").select(["id"])
    assert ids(found) == rows and found.count() == len(rows)
    assert ids(arrow_ipc.dataset("data", where="id in (7, 170)", trust_statistics=True)) == [7, 170]
    with pytest.raises(KeyError):
        found.select(["nope"])
    with pytest.raises(KeyError, match="nope"):
        arrow_ipc.dataset(data, where="nope = 1")
    with pytest.raises(ValueError, match="where"):
        arrow_ipc.dataset(data, where="id >")
    wide = arrow_ipc.dataset(data, schema=pa.schema([("name", pa.large_utf8()), ("id", pa.int32()), ("more", pa.int8())]))
    assert pa.table(wide).slice(31, 1).drop(["day", "city"]).to_pylist() == [{"name": "n1", "id": 31, "more": None}]
    narrow = arrow_ipc.dataset(data, schema=pa.schema([("id", pa.int8())]))
    with pytest.raises(ValueError, match="128"):
        list(narrow)


PAIRS = [
    (pa.string(), pa.string_view(), "utf8"),
    (pa.string_view(), pa.string(), "utf8_view"),
    (pa.string(), pa.large_string(), "large_utf8"),
    (pa.dictionary(pa.int8(), pa.string()), pa.string(), "utf8"),
    (pa.dictionary(pa.int8(), pa.string()), pa.dictionary(pa.int32(), pa.string()), "dictionary<int32, utf8>"),
    (pa.int32(), pa.int64(), "int64"),
    (pa.timestamp("us"), pa.timestamp("ms"), "timestamp(us)"),
    (pa.list_(pa.int32()), pa.large_list(pa.int64()), "large_list<item: int64>"),
    (pa.null(), pa.int64(), "int64"),
]


@pytest.mark.parametrize("left, right, expected", PAIRS)
def test_files_with_other_encodings(tmp_path, left, right, expected):
    """Files of the same rows are one data set, whichever encoding their writers chose."""
    values = [[None, None] if pa.types.is_null(kind) else None for kind in (left, right)]
    one = ["a", "b"] if expected.endswith(("utf8", "utf8_view", "utf8>")) else [[1], [2]] if "list" in expected else [1, 2]
    arrays = [pa.array(given or one, kind.value_type if pa.types.is_dictionary(kind) else kind).cast(kind) for given, kind in zip(values, (left, right))]
    for name, array in zip("ab", arrays):
        arrow_ipc.write_file(tmp_path / f"{name}.arrow", pa.table({"c": array, "id": [1, 2]}))
    rows = [value for array in arrays for value in array.to_pylist()]
    for source in (tmp_path, f"{tmp_path}/*.arrow"):
        found = arrow_ipc.dataset(source)
        assert str(found.schema["c"].type) == expected
        assert pa.table(found)["c"].to_pylist() == rows
        assert arrow_ipc.count(source) == len(rows)
        assert found.where("c is not null").count() == sum(value is not None for value in rows)


def test_files_with_other_values(tmp_path):
    """Types without a wider type, and a value that the wider type lacks, are errors with a hint."""
    arrow_ipc.write_file(tmp_path / "a.arrow", pa.table({"c": ["x"], "n": [0.5]}))
    arrow_ipc.write_file(tmp_path / "b.arrow", pa.table({"c": [7], "n": [2**53 + 1]}))
    with pytest.raises(arrow_ipc.ArrowIpcError, match=r"b\.arrow: .*the type is int64; preceding schemas say utf8") as caught:
        arrow_ipc.dataset(tmp_path)
    assert "schema={column: type}" in caught.value.hint
    assert pa.table(arrow_ipc.dataset(tmp_path, schema={"c": "utf8"})).to_pylist() == [{"c": "x"}, {"c": "7"}]
    found = arrow_ipc.dataset(tmp_path, schema={"c": "utf8", "n": "float64"})
    assert ["x", "7"] == pa.table(found.select(["c"]))["c"].to_pylist()
    with pytest.raises(arrow_ipc.ArrowIpcError, match=r"""b\.arrow: batch 0: column "n": the value 9007199254740993""") as caught:
        list(found)
    assert "lossy=True" in caught.value.hint


def test_other_libraries(data):
    polars, duckdb = pytest.importorskip("polars"), pytest.importorskip("duckdb")
    found = arrow_ipc.dataset(data, where="city = 'Ro me1'")
    assert polars.DataFrame(found)["id"].sum() == sum(i for i in range(180) if i // 30 % 2)
    rows = found.to_pyarrow()
    assert duckdb.sql("select count(*), max(day)::varchar from rows").fetchall() == [(90, "2024-02-29")]


@pytest.mark.parametrize("target_bytes", [1, 1000, 100_000, 200_000, 1 << 40])
def test_tasks(data, target_bytes):
    found = arrow_ipc.dataset("data", columns=["id"], where="day > '2024-02-27' and id != 77")
    tasks = [pickle.loads(pickle.dumps(task)) for task in found.split(target_bytes)]
    assert [i for task in tasks for i in ids(task)] == [i for i in range(60, 180) if i != 77]
    assert sum(task.num_rows for task in tasks) == 120
    if target_bytes == 1:
        assert len(tasks) == 12
        for task in tasks:
            size = len(pickle.dumps(task)) - len(os.fsencode(task.files[0]))
            # With a path of a hundred bytes.
            assert size <= 200, size
    assert all(os.path.isabs(path) for task in tasks for path in task.files)


def test_tasks_of_files_that_differ(data):
    arrow_ipc.write_file(data / "more.arrow", pa.table({"note": ["x"], "id": [7]}))
    tasks = arrow_ipc.dataset(data).split(1)
    tables = [pa.table(pickle.loads(pickle.dumps(task))) for task in tasks]
    assert pa.concat_tables(tables).num_rows == 181
    assert tables[-1].to_pylist() == [{"id": 7, "name": None, "note": "x", "day": None, "city": None}]


def test_another_process_reads(data):
    task = pickle.dumps(arrow_ipc.dataset("data").split()[0])
    text = "import pickle, sys; print(sum(b.num_rows for b in pickle.loads(sys.stdin.buffer.read())))"
    done = subprocess.run([sys.executable, "-c", text], input=task, capture_output=True, check=True, cwd="/")
    assert done.stdout == b"180\n"


def test_files_that_change(data):
    found = arrow_ipc.dataset(data)
    [task] = found.split()
    files = found.files
    os.utime(files[2], (1, 1))
    stream = iter(task)
    batches = [next(stream) for _ in range(6)]
    for read in (list, arrow_ipc.concat, lambda data: arrow_ipc.write_file(io.BytesIO(), data)):
        with pytest.raises(OSError, match="has changed since"):
            read(found)
    with pytest.raises(OSError, match="has changed since") as raised:
        next(stream)
    assert files[2] in str(raised.value) and ids(batches) == list(range(60))
    os.unlink(files[0])
    with pytest.raises(FileNotFoundError) as raised:
        task.read()
    assert raised.value.filename == files[0]
    with pytest.raises(FileNotFoundError):
        list(found)


def test_what_is_no_data_set(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "empty").mkdir()
    for source in ("empty", "*.arrow", [], ["empty"]):
        with pytest.raises(FileNotFoundError, match="no files"):
            arrow_ipc.dataset(source)
    for source in ("absent.arrow", ["absent.arrow"]):
        with pytest.raises(FileNotFoundError) as raised:
            arrow_ipc.dataset(source)
        assert raised.value.filename == "absent.arrow"
    Path("a.arrow").write_bytes(b"no Arrow data at all")
    with pytest.raises(arrow_ipc.ArrowIpcError, match="a.arrow"):
        arrow_ipc.dataset("*")
    for source in (3, None, [3], b"data"):
        with pytest.raises(TypeError):
            arrow_ipc.dataset(source)
    with pytest.raises(ValueError, match="URL"):
        arrow_ipc.dataset(["https://example.org/a.arrow", "a.arrow"])
    arrow_ipc.write_file("a.arrow", pa.table({"a": [1]}))
    arrow_ipc.write_file("b.arrow", pa.table({"a": ["x"]}))
    with pytest.raises(arrow_ipc.ArrowIpcError, match="b.arrow.*does not fit"):
        arrow_ipc.dataset(".")
    with pytest.raises(TypeError, match="tasks"):
        pickle.dumps(arrow_ipc.dataset("a.arrow"))


def test_tools_take_data_sets(data, tmp_path):
    assert arrow_ipc.count("data").n_rows == 180
    assert arrow_ipc.count("data/**/*.arrow", where="day = '2024-02-28' and id > 70").n_rows == 49
    assert str(arrow_ipc.stats("data", columns=["day"]).columns[0]["max"]) == "2024-02-29"
    arrow_ipc.convert("data", "all.arrow", where="city = 'Ro me1'")
    assert arrow_ipc.open("all.arrow").num_rows == 90
    arrow_ipc.concat_files(["data", "data/day=2024-02-27"], "more.arrow", columns=["id"])
    assert arrow_ipc.open("more.arrow").num_rows == 240
    assert arrow_ipc.diff("data", "data").same


def test_counting_tells_its_progress_and_stops(tmp_path):
    for name in ("a", "b"):
        batches = [pa.record_batch({"id": range(k, k + 10)}) for k in range(5)]
        arrow_ipc.write_file(tmp_path / f"{name}.arrow", batches)
    for options in ({}, {"where": "id > 5"}):
        said = []
        n_rows = arrow_ipc.count(tmp_path, progress=lambda *args: said.append(args), **options).n_rows
        assert n_rows == arrow_ipc.dataset(tmp_path, **options).count()
        assert said[0] == (0, 10, "batches") and said[-1] == (10, 10, "batches") and said == sorted(said)
        assert len(said) >= (3 if options else 2)

    # Batches of more than 8 MiB are counted one after the other.
    batches = [pa.record_batch({"id": np.arange(1_100_000)})] * 4
    arrow_ipc.write_file(tmp_path / "large.arrow", batches)
    done = []

    def stop(n_done, *_):
        done.append(n_done)
        if n_done > 0:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        arrow_ipc.count(tmp_path / "large*.arrow", where="id > 5", progress=stop)
    assert done == [0, 1]
    assert arrow_ipc.dataset(tmp_path / "large.arrow", where="id >= 1000000").count() == 400_000

    # A file has its rows in the footer.
    said = []
    arrow_ipc.count(tmp_path / "a.arrow", progress=lambda *args: said.append(args))
    assert said == [(0, 5, "batches"), (5, 5, "batches")]


def test_columns_are_whole(tmp_path):
    arrow_ipc.write_file(tmp_path / "a.arrow", {"at": [{"x": 1}]})
    with pytest.raises(KeyError, match='"at.x"') as raised:
        arrow_ipc.dataset(tmp_path, columns=["at.x"])
    assert raised.value.hint.startswith("only whole columns can be named here: at; ")
    with pytest.raises(KeyError) as raised:
        arrow_ipc.dataset(tmp_path, columns=["nothing"])
    assert "whole columns" not in raised.value.hint


def test_paths_in_columns(tmp_path):
    """As the table in the README says."""
    path, dest = tmp_path / "a.arrow", tmp_path / "b.arrow"
    arrow_ipc.write_file(path, {"id": [1], "at": [{"x": 2, "y": 3}], "d.t": [4], "d": [{"t": 5}]})
    arrow_ipc.convert(path, tmp_path / "a.arrows")
    columns, batch = ["at.x"], arrow_ipc.open(path).batch(0)
    file, stream = arrow_ipc.open(path), arrow_ipc.read_stream(tmp_path / "a.arrows", columns=columns)
    for kept in [arrow_ipc.open(path, columns=columns)[:], file.select(columns)[:], file.batch(0, columns=columns), next(stream)]:
        assert kept.to_pylist() == [{"at": {"x": 2}}]
    for call in [arrow_ipc.convert, arrow_ipc.split_file, lambda path, *args, **options: arrow_ipc.concat_files([path], *args, **options)]:
        call(path, dest, columns=columns)
        assert arrow_ipc.open(dest)[:].to_pylist() == [{"at.x": 2}]
    assert arrow_ipc.stats(path, columns=columns).columns[0]["name"] == "at.x"
    for call in [lambda: arrow_ipc.dataset(path, columns=columns), lambda: arrow_ipc.dataset(path).select(columns), lambda: batch.select(columns)]:
        with pytest.raises(KeyError, match='"at.x"') as raised:
            call()
        said = re.findall(r"`(.*?)`|(convert\(.*?\))", raised.value.hint)
        assert eval(said[0][0], {"batch": batch}).to_pylist() == [2]
        eval(said[1][1], {"convert": arrow_ipc.convert, "source": path, "dest": dest})
        assert arrow_ipc.open(dest)["at.x"].to_pylist() == [2]
    # A column with a dot in its name is this column.
    arrow_ipc.convert(path, dest, columns=["d.t"])
    for data in [file.select(["d.t"]), arrow_ipc.dataset(path, columns=["d.t"]), batch.select(["d.t"]), arrow_ipc.open(dest)]:
        assert arrow_ipc.concat(data).to_pylist() == [{"d.t": 4}]


def test_names_and_indexes(tmp_path):
    arrow_ipc.write_file(tmp_path / "a.arrow", {"id": [1]})
    dataset, stream = arrow_ipc.dataset(tmp_path), arrow_ipc.Stream.from_arrow({"id": [1]})
    for data in (dataset, stream):
        assert "id" in data and "other" not in data
        with pytest.raises(TypeError, match="is not read by index"):
            data["id"]
    assert [batch.num_rows for batch in stream] == [1]


def test_streams_are_divided_like_files(tmp_path):
    polars = pytest.importorskip("polars")
    from arrow_ipc.polars import scan

    rows = [{"id": 10 * k + i, "word": f"w{k % 3}-{i}"} for k in range(6) for i in range(10)]
    schema = pa.schema({"id": pa.int64(), "word": pa.dictionary(pa.int32(), pa.utf8())})
    # Each batch has a dictionary of its own.
    batches = [pa.RecordBatch.from_pylist(rows[k : k + 10], schema) for k in range(0, 60, 10)]
    with pa.ipc.new_stream(tmp_path / "a.arrows", schema, options=pa.ipc.IpcWriteOptions(emit_dictionary_deltas=True)) as writer:
        for batch in batches:
            writer.write_batch(batch)
    data = arrow_ipc.dataset(tmp_path)
    assert data.count() == 60
    tasks = data.split(1)
    assert len(tasks) == 6
    for task, expected in reversed(list(zip(tasks, batches, strict=True))):
        assert pa.table(pickle.loads(pickle.dumps(task))).to_pylist() == expected.to_pylist()
    found = scan(data).filter(polars.col("id") >= 25).select("word").collect()
    assert found["word"].to_list() == [row["word"] for row in rows[25:]]
    assert data.to_pyarrow().to_table().to_pylist() == rows
    # Nothing is lost without notice.
    content = (tmp_path / "a.arrows").read_bytes()
    for wrong, said in [(content[:-100], "truncated"), (content + content, "bytes follow the end of the stream")]:
        (tmp_path / "a.arrows").write_bytes(wrong)
        with pytest.raises(arrow_ipc.ArrowIpcError, match=said):
            arrow_ipc.dataset(tmp_path)
