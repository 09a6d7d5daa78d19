"""All that the program can, as functions: what they find is what the program prints; they end when they are told to, and leave nothing."""

import datetime
import gzip
import io
import json
import os
import pickle
import signal
import subprocess
import sys
import threading
import time
from decimal import Decimal
from pathlib import Path

import arrow_ipc
import pyarrow as pa
import pyarrow.csv
import pytest
from corpus import HOSTILE, cases
from how_often import IS_LONG
from test_defaults import program  # noqa: F401
from tool_calls import LONG, TOOLS


def printed(program, *args):
    return subprocess.run([program, *map(str, args)], capture_output=True, encoding="utf-8", check=True, env={**os.environ, "COLUMNS": "0"}).stdout


@pytest.fixture
def table():
    return pa.table({"id": range(30), "name": [None if k % 7 == 0 else f"person {k}" for k in range(30)]})


@pytest.fixture
def file(tmp_path, table):
    arrow_ipc.write_file(tmp_path / "people.arrow", table.to_batches(max_chunksize=10))
    return tmp_path / "people.arrow"


def test_reports_are_what_the_program_prints(file, program):  # noqa: F811
    by_command = [
        ("count", [], arrow_ipc.count(file)),
        ("stats", [], arrow_ipc.stats(file)),
        ("stats", ["--columns", "id", "--rows", "3..17"], arrow_ipc.stats(file, columns=["id"], rows=(3, 17))),
        ("explain", [], arrow_ipc.explain(file)),
        ("explain", ["--columns", "n*"], arrow_ipc.explain(file, columns=["n*"])),
        ("inspect", ["--json"], arrow_ipc.inspect(file)),
    ]
    for command, options, report in by_command:
        assert printed(program, command, file, *options).strip() == str(report), command
    for command, report in [("stats", arrow_ipc.stats(file)), ("explain", arrow_ipc.explain(file))]:
        as_json = json.loads(printed(program, command, file, "--json"))
        assert as_json.items() <= report.to_dict().items()
    assert arrow_ipc.count(file) == {"n_rows": 30, "n_batches": 3, "n_tensors": 0, "notes": []}
    assert str(arrow_ipc.validate(file)) == "30 rows in 3 batches"


def test_reports_are_objects(file):
    report = arrow_ipc.stats(file)
    assert report.columns[1]["null_count"] == report["columns"][1]["null_count"] == 5
    again = pickle.loads(pickle.dumps(report))
    assert (again, type(again), str(again)) == (report, arrow_ipc.StatsReport, str(report))
    assert repr(report) == f"<arrow_ipc.StatsReport>\n{report}" and type(report.to_dict()) is dict
    with pytest.raises(AttributeError, match="StatsReport has no 'nothing', but input, n_rows"):
        report.nothing  # noqa: B018


OPTIONS = [
    ({"columns": ["name", "id"]}, ["--columns", "name,id"]),
    ({"columns": ["n*"], "rename": {"name": "who"}}, ["--columns", "n*", "--rename", "name=who"]),
    ({"cast": {"id": "int16", "name": "large_utf8"}}, ["--cast", "id=int16", "--cast", "name=large_utf8"]),
    ({"cast": [("id", "decimal128(6, 1)")], "lossy": True}, ["--cast", "id=decimal128(6, 1)", "--lossy"]),
    ({"rows": (5, 25), "batch_rows": 7}, ["--rows", "5..25", "--batch-rows", "7"]),
    ({"row_counts": "written", "alignment": 8}, ["--row-counts", "--alignment", "8"]),
    ({"row_counts": "written", "compression": "zstd:3"}, ["--row-counts", "--compression", "zstd:3"]),
    ({"endianness": "big"}, ["--endian", "big"]),
    ({"where": "id >= 5 and name is not null"}, ["--where", "id >= 5 and name is not null"]),
    ({"where": "id < 20", "columns": ["name"], "rows": (1, 9)}, ["--where", "id < 20", "--columns", "name", "--rows", "1..9"]),
    ({"metadata_version": 4, "legacy_framing": True}, ["--metadata-version", "4", "--legacy-framing"]),
    ({"unused": "remove"}, ["--compact"]),
    ({"unused": "keep", "share_buffers": True, "unchecked": True}, ["--keep-unused", "--share-buffers", "--unchecked"]),
]


@pytest.mark.parametrize("k", range(len(OPTIONS)))
def test_convert_writes_what_the_program_writes(k, file, tmp_path, program):  # noqa: F811
    options, args = OPTIONS[k]
    ours, theirs = tmp_path / "ours.arrow", tmp_path / "theirs.arrow"
    assert arrow_ipc.convert(file, ours, **options).lost == []
    printed(program, "convert", file, theirs, *args)
    assert ours.read_bytes() == theirs.read_bytes()


def test_conditions(file, tmp_path, table, program):  # noqa: F811
    condition = "id > 3.5 and not (name like 'person 1%' or id in (7, 8))"
    kept = [id for id, name in zip(*table.select(["id", "name"]).to_pydict().values())
            if id > 3.5 and name is not None and not (name.startswith("person 1") or id in (7, 8))]
    target = tmp_path / "some.arrow"
    for write in [arrow_ipc.convert, arrow_ipc.split_file, lambda source, *rest, **options: arrow_ipc.concat_files([source], *rest, **options)]:
        write(file, target, where=condition)
        assert arrow_ipc.open(target)["id"].to_pylist() == kept
    arrow_ipc.append(target, file, where="id = 3")
    assert arrow_ipc.open(target)["id"].to_pylist() == [*kept, 3]
    assert arrow_ipc.count(file, where=condition).n_rows == len(kept)
    assert arrow_ipc.stats(file, where=condition, columns=["name"]).n_rows == len(kept)
    for wrong, error, text in [
        ("id >", ValueError, "where: at byte 4 of the condition: expected a number"),
        ("idd = 1", KeyError, "idd"),
        ("id = 'x'", ValueError, "in column id: not a value of int"),
    ]:
        for call in [arrow_ipc.count, arrow_ipc.stats, lambda source, where: arrow_ipc.convert(source, target, where=where)]:
            with pytest.raises(error, match=text):
                call(file, where=wrong)


def test_assembled_and_appended_with_changes(file, tmp_path, program):  # noqa: F811
    ours, theirs = tmp_path / "ours.arrow", tmp_path / "theirs.arrow"
    arrow_ipc.concat_files([file, file], ours, rows=(25, 40), columns=["id"], cast={"id": "int32"})
    printed(program, "concat", file, file, theirs, "--rows", "25..40", "--columns", "id", "--cast", "id=int32")
    assert ours.read_bytes() == theirs.read_bytes()
    arrow_ipc.append(ours, file, rows=(0, 3), columns=["id"], cast={"id": "int32"})
    printed(program, "append", theirs, file, "--rows", "0..3", "--columns", "id", "--cast", "id=int32")
    assert ours.read_bytes() == theirs.read_bytes()
    with pytest.raises(ValueError, match="of Arrow data, choose them before"):
        arrow_ipc.append(ours, arrow_ipc.open(file), rows=(0, 3))


@pytest.mark.parametrize("name", ["gz", "ZST"])
def test_text_is_compressed_by_its_name(name, file, tmp_path):
    rows, unpack = arrow_ipc.open(file), {"gz": gzip.decompress, "ZST": lambda packed: pa.input_stream(pa.py_buffer(packed), compression="zstd").read()}[name]
    for write, text in [(arrow_ipc.write_csv, "a.csv"), (arrow_ipc.write_json, "a.jsonl")]:
        write(tmp_path / text, rows)
        write(tmp_path / f"{text}.{name}", rows)
        assert unpack((tmp_path / f"{text}.{name}").read_bytes()) == (tmp_path / text).read_bytes()
    with pytest.raises(ValueError, match=r"a\.csv\.xz: text cannot be compressed as \.xz; use \.gz or \.zst"):
        arrow_ipc.write_csv(tmp_path / "a.csv.xz", rows)
    left = sorted(os.listdir(tmp_path))
    target = tmp_path / f"a.arrow.{name}"
    for write in [
        lambda: arrow_ipc.write_file(target, rows),
        lambda: arrow_ipc.write_stream(target, rows),
        lambda: arrow_ipc.convert(file, target, container="file"),
        lambda: arrow_ipc.concat_files([file], target, container="stream"),
        lambda: arrow_ipc.Writer(target, rows.schema, container="file"),
    ]:
        with pytest.raises(ValueError, match=rf"a\.arrow\.{name}: Arrow data is not compressed as a whole.* and a name without \.{name.lower()}"):
            write()
    assert sorted(os.listdir(tmp_path)) == left


def test_text_in_and_out(file, tmp_path, table, program):  # noqa: F811
    rows = arrow_ipc.open(file)
    text, lines = tmp_path / "people.csv", tmp_path / "people.jsonl"
    arrow_ipc.write_csv(text, rows)
    arrow_ipc.write_json(lines, rows)
    assert text.read_text() == printed(program, "cat", file, "--format", "csv")
    assert lines.read_text() == printed(program, "cat", file, "--format", "json")
    assert pa.csv.read_csv(text).column("id").to_pylist() == table.column("id").to_pylist()
    for again in [arrow_ipc.read_csv(text), arrow_ipc.read_json(lines), arrow_ipc.read_csv(gzip.compress(text.read_bytes()))]:
        assert pa.table(again).equals(table)
    for source in [text, lines, text.read_bytes(), io.BytesIO(lines.read_bytes())]:
        arrow_ipc.convert(source, tmp_path / "again.arrow")
        assert pa.table(arrow_ipc.open(tmp_path / "again.arrow")).equals(table)
        assert arrow_ipc.count(source).n_rows == arrow_ipc.stats(source).n_rows == 30
        assert arrow_ipc.diff(source, file).same is True
    printed(program, "convert", text, tmp_path / "theirs.arrow")
    arrow_ipc.convert(text, tmp_path / "ours.arrow")
    assert (tmp_path / "ours.arrow").read_bytes() == (tmp_path / "theirs.arrow").read_bytes()

    target = io.BytesIO()
    arrow_ipc.write_csv(target, rows[:1], delimiter=";", no_header=True)
    assert target.getvalue() == b"0;\n"
    (batch,) = arrow_ipc.read_csv(target.getvalue(), no_header=True, delimiter=";", null="0")
    assert batch.to_pylist() == [{"c0": None, "c1": None}]
    schema = arrow_ipc.Schema.parse("n: int8")
    with pytest.raises(arrow_ipc.ArrowIpcError, match="line 3") as raised:
        list(arrow_ipc.read_csv(b"n\n1\n1000\n", schema=schema))
    assert raised.value.kind == "Row"
    with pytest.raises(ValueError, match="are for text, but the source is Arrow data"):
        arrow_ipc.convert(file, tmp_path / "x.arrow", delimiter=";")
    with pytest.raises(ValueError, match='delimiter is "ab": it is not one ASCII character'):
        arrow_ipc.write_csv(io.BytesIO(), rows, delimiter="ab")
    assert not (tmp_path / "x.arrow").exists()


class Arriving(io.RawIOBase):
    """Gives some bytes at a time, and has no `seek`."""

    def __init__(self, content):
        self.content = content

    def read(self, n=-1):
        piece, self.content = self.content[: min(n, 1_000)], self.content[min(n, 1_000) :]
        return piece

    def seekable(self):
        return False


@pytest.mark.parametrize("name", ["gz", "zst"])
def test_compressed_as_a_whole(name, file, tmp_path, table, server):
    """By every way in: a path, bytes, a file-like object with `seek` and without, a URL."""
    pack = gzip.compress if name == "gz" else lambda content: pa.compress(content, codec="zstd", asbytes=True)

    def by_position(ending, content):
        path = tmp_path / f"people.{ending}.{name}"
        path.write_bytes(pack(content))
        return [path, str(path), pack(content), bytearray(pack(content)), io.BytesIO(pack(content)), server.put(path.name, pack(content))]

    def from_front(ending, content):
        return [*by_position(ending, content), Arriving(pack(content))]

    streamed, text, lines = io.BytesIO(), io.BytesIO(), io.BytesIO()
    arrow_ipc.write_stream(streamed, table)
    arrow_ipc.write_csv(text, table)
    arrow_ipc.write_json(lines, table)
    for source in by_position("arrow", file.read_bytes()):
        assert pa.table(arrow_ipc.open(source)).equals(table)
        assert arrow_ipc.open(source, columns=["id"])[-1:].to_pydict() == {"id": [29]}
    for source in from_front("arrows", streamed.getvalue()):
        assert pa.table(arrow_ipc.read_stream(source)).equals(table)
    for source in by_position("arrows", streamed.getvalue()):
        assert pa.table(arrow_ipc.open(source)).equals(table)
    for ending, content in [("arrow", file.read_bytes()), ("arrows", streamed.getvalue())]:
        for call, n_rows in [
            (arrow_ipc.count, lambda found: found.n_rows),
            (arrow_ipc.validate, lambda found: found.n_rows),
            (arrow_ipc.stats, lambda found: found.n_rows),
            (arrow_ipc.explain, lambda found: 30),
            (arrow_ipc.inspect, lambda found: sum(message.get("n_rows") or 0 for message in found.messages) or 30),
            (lambda source: arrow_ipc.recover(source, tmp_path / "sound.arrow"), lambda found: found.n_rows),
            (lambda source: arrow_ipc.convert(source, tmp_path / "sound.arrow"), lambda found: 30),
            (lambda source: arrow_ipc.diff(source, file), lambda found: 30 if found.same else 0),
            (lambda source: arrow_ipc.concat_files([source], tmp_path / "sound.arrow"), lambda found: 30),
            (lambda source: arrow_ipc.split_file(source, tmp_path / "sound.arrow"), lambda found: 30),
            (lambda source: arrow_ipc.append(file_of(tmp_path, table), source), lambda found: found.n_rows),
        ]:
            for source in from_front(ending, content):
                assert n_rows(call(source)) == 30, (call, ending, source)
    for ending, content, read in [("csv", text.getvalue(), arrow_ipc.read_csv), ("jsonl", lines.getvalue(), arrow_ipc.read_json)]:
        for source in from_front(ending, content):
            assert pa.table(read(source)).equals(table)
        for source in by_position(ending, content):
            assert arrow_ipc.count(source).n_rows == arrow_ipc.stats(source).n_rows == 30
            assert arrow_ipc.diff(source, file).same is True
            arrow_ipc.convert(source, tmp_path / "sound.arrow")
            assert pa.table(arrow_ipc.open(tmp_path / "sound.arrow")).equals(table)
    # What ends too early, and what is damaged.
    for source in by_position("arrow", file.read_bytes()[:-10]):
        with pytest.raises(arrow_ipc.ArrowIpcError):
            arrow_ipc.open(source)
    cut = pack(file.read_bytes())[:-9]
    for source in [cut, io.BytesIO(cut), server.put("cut", cut)]:
        with pytest.raises((arrow_ipc.ArrowIpcError, OSError)):
            arrow_ipc.open(source)
        with pytest.raises((arrow_ipc.ArrowIpcError, OSError)):
            list(arrow_ipc.read_stream(source))


def file_of(folder, table):
    arrow_ipc.write_file(folder / "more.arrow", table)
    return folder / "more.arrow"


def test_text_at_urls(server, table):
    text, lines = io.BytesIO(), io.BytesIO()
    arrow_ipc.write_csv(text, table.select(["id"]))
    arrow_ipc.write_json(lines, table)
    # The name says what one column of CSV is, which its content does not.
    one, all_ = server.put("one.csv", text.getvalue()) + "?key=3", server.put("lines", lines.getvalue())
    assert arrow_ipc.count(one).n_rows == arrow_ipc.count(all_).n_rows == 30
    assert pa.table(arrow_ipc.read_csv(one)).equals(table.select(["id"]))
    assert pa.table(arrow_ipc.read_json(all_)).equals(table)
    target = io.BytesIO()
    arrow_ipc.convert(one, target, container="file")
    assert arrow_ipc.open(target.getvalue())["id"].to_pylist() == list(range(30))


def test_form_of_text():
    """As in `convert` and `read_csv`."""
    text = b"1;x\n;-\n3;y\n"
    named = {"from_": "csv", "delimiter": ";", "no_header": True, "null": "-", "infer_rows": 2, "max_null_bytes": 1 << 20}
    assert arrow_ipc.count(text, **named).n_rows == 3
    assert [column["null_count"] for column in arrow_ipc.stats(text, **named).columns] == [1, 1]
    assert arrow_ipc.diff(text, text, **named, where="c0 > 1").same is True
    assert arrow_ipc.diff(text, text.replace(b"x", b"z"), **named, where="c0 > 1").same is True
    assert arrow_ipc.diff(text, text.replace(b"y", b"z"), **named, where="c0 > 1").same is False


@pytest.mark.parametrize("row_counts", ["none", "written"])
def test_row_counts(row_counts, file, table, tmp_path, program):  # noqa: F811
    """However a file is written: the bytes of the program."""
    options = {"none": [], "written": ["--row-counts"]}[row_counts]
    printed(program, "convert", file, tmp_path / "theirs.arrow", "--alignment", 8, *options)
    expected = (tmp_path / "theirs.arrow").read_bytes()
    named = {"row_counts": row_counts, "alignment": 8}
    ours = tmp_path / "ours.arrow"
    arrow_ipc.convert(file, ours, **named)
    assert ours.read_bytes() == expected
    arrow_ipc.write_file(ours, arrow_ipc.open(file), **named)
    assert ours.read_bytes() == expected
    with arrow_ipc.Writer(ours, arrow_ipc.open(file).schema, **named) as writer:
        writer.write(arrow_ipc.open(file))
    assert ours.read_bytes() == expected
    with pytest.raises(ValueError, match="row_counts is \"all\"; allowed: 'none' or 'written'"):
        arrow_ipc.Writer(ours, arrow_ipc.open(file).schema, row_counts="all")


def test_values_of_python_are_written(tmp_path):
    now = datetime.datetime(2026, 3, 1, 12, 30, 1, 250, tzinfo=datetime.timezone.utc)
    rows = [
        {"b": True, "i": -1, "u": 2**64 - 1, "f": 1.5, "s": 'gr"üße', "x": b"\x00\xff", "d": now.date(), "t": now.time(), "at": now,
         "naive": now.replace(tzinfo=None), "took": datetime.timedelta(days=-1, microseconds=3), "price": Decimal("12.50"),
         "tags": ["a", None], "who": {"name": "ada", "n": [1]}, "none": None},
        {"f": float("inf"), "price": Decimal("-0.005"), "who": {"name": None}, "tags": []},
        {},
    ]  # fmt: skip
    path = tmp_path / "rows.arrow"
    arrow_ipc.write_file(path, rows, row_counts="written")
    found = arrow_ipc.open(path)
    # pyarrow takes no integers of this length.
    expected = pa.Table.from_pylist([{**row, "u": None} for row in rows])
    assert [{**row, "u": None} for row in found.to_pylist()] == expected.to_pylist()
    assert found["u"].to_pylist() == [2**64 - 1, None, None]
    assert [field.type for field in found.schema][:8] == ["bool", "int64", "uint64", "float64", "utf8", "binary", "date32", "time64(us)"]
    arrow_ipc.write_file(path, {"a": [1, None], "b": ("x", "y")})
    assert arrow_ipc.open(path).to_pydict() == {"a": [1, None], "b": ["x", "y"]}
    for wrong, text in [
        ({"a": [1, "x"]}, "a: no Arrow type for values of int, str"),
        ({"a": [object()]}, "no Arrow type for values of object"),
        ({"a": [1], "b": []}, "columns have different lengths"),
        ({1: [1]}, "names of columns are str"),
        ([{"a": 1}, 3], "expected a list of dicts"),
        ({"a": [2**64]}, "a"),
    ]:
        with pytest.raises((TypeError, ValueError), match=text):
            arrow_ipc.write_file(tmp_path / "none.arrow", wrong)
    assert not (tmp_path / "none.arrow").exists()


def test_hints(file, table):
    polars = pytest.importorskip("polars")
    streamed = io.BytesIO()
    arrow_ipc.write_stream(streamed, table)
    for call, hint in [
        (lambda: arrow_ipc.read_stream(file), "`open` reads the file"),
        (lambda: arrow_ipc.open(b"something else"), "a file begins with ARROW1"),
        (lambda: arrow_ipc.open(gzip.compress(b"a")), "read_csv and read_json read compressed text"),
        (lambda: arrow_ipc.open(file.read_bytes()[:-30]), "recover saves the complete batches"),
        (lambda: arrow_ipc.validate(streamed.getvalue()[:-40]), "recover saves"),
        (lambda: arrow_ipc.validate(b"a,b\n1,2\n"), "read_csv reads it"),
        (lambda: arrow_ipc.validate(b'{"a": 1}'), "read_json reads"),
        (lambda: list(arrow_ipc.read_csv(b"n\n1\nx\n", infer_rows=1)), "infer_rows=\"all\" infers types from all rows"),
    ]:
        with pytest.raises(arrow_ipc.ArrowIpcError) as raised:
            call()
        assert hint in (raised.value.hint or ""), (raised.value, raised.value.hint)
        assert raised.value.__notes__ == [raised.value.hint]
        assert pickle.loads(pickle.dumps(raised.value)).hint == raised.value.hint
    with pytest.raises(TypeError, match=r"LazyFrame'> has no rows yet: pass what its `collect\(\)` gives"):
        arrow_ipc.write_file(io.BytesIO(), polars.LazyFrame({"a": [1]}))


@pytest.mark.parametrize("name", TOOLS)
def test_progress(name, file, tmp_path):
    said = []
    TOOLS[name](file, tmp_path / "out.arrow", progress=lambda *args: said.append(args))
    # The rows of a file are counted by its metadata alone.
    assert (said or name == "count") and {unit for _, _, unit in said} <= {"bytes", "batches"}
    assert all(total is None or done <= total for done, total, _ in said)
    os.unlink(tmp_path / "out.arrow") if (tmp_path / "out.arrow").exists() else None

    class Enough(BaseException):
        pass

    def stop(done, total, unit):
        raise Enough

    if said:
        with pytest.raises(Enough):
            TOOLS[name](file, tmp_path / "out.arrow", progress=stop)
    assert os.listdir(tmp_path) == ["people.arrow"]
    with pytest.raises(TypeError, match="progress is called with"):
        TOOLS[name](file, tmp_path / "out.arrow", progress=3)
    if said:
        with pytest.raises(TypeError):
            TOOLS[name](file, tmp_path / "out.arrow", progress=lambda: None)
    assert os.listdir(tmp_path) == ["people.arrow"]


def test_progress_of_text_counts_its_bytes(tmp_path):
    content = b"id,name\n" + b"1,ada\n" * 20_000
    for source in [content, tmp_path / "many.csv", gzip.compress(content)]:
        if isinstance(source, Path):
            source.write_bytes(content)
        said = []
        arrow_ipc.count(source, from_="csv", progress=lambda *args: said.append(args))
        n_bytes = len(source) if isinstance(source, bytes) else source.stat().st_size
        assert said[-1] == (n_bytes, n_bytes, "bytes")


# Each call again and again, until it is interrupted.
INTERRUPTED = """
import itertools, os, signal, sys, threading, time
import arrow_ipc
from tool_calls import LONG
source, dest = sys.argv[1:]
def interrupt():
    time.sleep(0.02)
    global at
    at = time.process_time()
    os.kill(os.getpid(), signal.SIGINT)
for name, call in LONG.items():
    try:
        threading.Thread(target=interrupt, daemon=True).start()
        while True:
            call(source, dest)
    except KeyboardInterrupt:
        print(name, time.process_time() - at, os.path.exists(dest))
    if os.path.exists(dest):
        # What a call has completed is complete.
        if not dest.endswith(".txt"):
            arrow_ipc.validate(dest)
        os.unlink(dest)
    assert os.listdir(os.path.dirname(source)) == ["long.arrow"], name
"""


def test_interrupted(tmp_path):
    batch = pa.record_batch({"a": range(5_000), "b": [str(k) for k in range(5_000)]})
    source, tests = tmp_path / "long.arrow", os.path.dirname(__file__)
    arrow_ipc.write_file(source, [batch] * 100, compression="lz4")
    child = [sys.executable, "-c", INTERRUPTED, source, tmp_path / "out.arrow"]
    slow = set(LONG)
    for _ in range(3):
        done = subprocess.run(child, capture_output=True, encoding="utf-8", timeout=300, env={**os.environ, "PYTHONPATH": tests})
        assert done.returncode == 0, done.stderr
        seconds = {line.rsplit(" ", 2)[0]: float(line.split()[-2]) for line in done.stdout.splitlines()}
        assert seconds.keys() == LONG.keys()
        # Of processors: the clock runs on while the machine does other things. A busy machine charges more now and then: the least counts.
        slow = {name for name in slow if seconds[name] >= 0.1}
        if not slow:
            break
    assert not slow, seconds


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="needs timers")
def test_inference_of_all_rows_is_interrupted():
    text = b"a,b\n" + b"1,x\n" * 4_000_000

    def stop(*_):
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, stop)
    try:
        for read in (arrow_ipc.read_csv, arrow_ipc.count):
            signal.setitimer(signal.ITIMER_REAL, 0.05)
            start = time.process_time()
            with pytest.raises(KeyboardInterrupt):
                read(text, infer_rows="all")
            assert time.process_time() - start < 0.5
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


HOSTILE_FILES = sorted(path for path in HOSTILE.iterdir() if path.suffix in (".arrow_file", ".stream"))


# The others take the files as they are in `test_hostile.py`; here they take them compressed.
ONLY_HERE = ("count", "stats", "explain", "read_csv", "read_json")


@pytest.mark.parametrize("name", [*TOOLS, "append", "read_csv", "read_json", "open", "read_stream"])
@pytest.mark.filterwarnings("ignore:.* are in none of its blocks")
def test_hostile(name, tmp_path):
    """Every hostile file: an exception of ours, or an answer."""
    others = {
        "append": lambda source, dest: arrow_ipc.append(sound, source),
        "read_csv": lambda source, dest: list(arrow_ipc.read_csv(source)),
        "read_json": lambda source, dest: list(arrow_ipc.read_json(source)),
        "open": lambda source, dest: list(arrow_ipc.open(source)),
        "read_stream": lambda source, dest: list(arrow_ipc.read_stream(source)),
    }
    sound, dest = tmp_path / "sound.arrow", tmp_path / "out.arrow"
    arrow_ipc.write_file(sound, {"a": [1]})
    before = sound.read_bytes()
    call = TOOLS.get(name) or others[name]
    n_refused = 0
    for path in HOSTILE_FILES:
        sources = [path] if name in ONLY_HERE or IS_LONG else []
        if path.stat().st_size < 4096:
            sources.append(gzip.compress(path.read_bytes(), 1))
        for source in sources:
            try:
                call(source, dest)
            except (arrow_ipc.ArrowIpcError, KeyError, OSError):
                n_refused += 1
            left = set(os.listdir(tmp_path)) - {"sound.arrow", "out.arrow"}
            assert not left, (path, left)
    assert HOSTILE_FILES and (n_refused or name in ("inspect", "explain"))
    assert name == "append" or sound.read_bytes() == before


class Odd(io.RawIOBase):
    """Gives what a file does not give."""

    def __init__(self, given):
        self.given = given

    def read(self, n=-1):
        return self.given(n)

    read1 = read

    def seekable(self):
        return False


def failing(n):
    raise ZeroDivisionError


@pytest.mark.parametrize("name", TOOLS)
def test_odd_objects(name, tmp_path):
    for given in [lambda n: b"ARROW1" * (n + 1), lambda n: "text", lambda n: None, lambda n: 3, failing]:
        with pytest.raises((arrow_ipc.ArrowIpcError, TypeError, ZeroDivisionError, OSError)):
            TOOLS[name](Odd(given), tmp_path / "out.arrow")
        assert os.listdir(tmp_path) == []


def test_golden_files_are_counted():
    for case in cases("pyarrow-26.0.1"):
        for kind in case.formats:
            assert arrow_ipc.count(case.path(kind)).n_rows == sum(case.n_rows)
            assert arrow_ipc.stats(case.path(kind)).n_rows == sum(case.n_rows)


def test_statistics(tmp_path):
    """Batches in which no row matches by the statistics in the footer are skipped, where these are trusted."""
    plain, known, out = (tmp_path / f"{name}.arrow" for name in ("plain", "known", "out"))
    arrow_ipc.write_file(plain, [pa.record_batch({"id": range(k, k + 10_000), "t": ["a text"] * 10_000}) for k in range(0, 100_000, 10_000)])
    arrow_ipc.convert(plain, known, statistics=True)
    assert plain.stat().st_size < known.stat().st_size < plain.stat().st_size * 1.03
    named = {"where": "id >= 99990", "trust_statistics": True}
    assert arrow_ipc.count(known, **named).n_rows == arrow_ipc.stats(known, **named).n_rows == arrow_ipc.count(plain, **named).n_rows == 10
    assert arrow_ipc.diff(known, plain, **named).same is True
    # The same bytes are written with what the package writes.
    arrow_ipc.write_file(out, arrow_ipc.open(plain), statistics=True)
    assert out.read_bytes() == known.read_bytes()
    with arrow_ipc.Writer(out, arrow_ipc.open(plain).schema, statistics=True) as writer:
        writer.write(arrow_ipc.open(plain))
    assert out.read_bytes() == known.read_bytes()
    with pytest.raises(ValueError, match="which a stream does not have"):
        arrow_ipc.Writer(out, arrow_ipc.open(plain).schema, container="stream", statistics=True)
    for write in [
        lambda: arrow_ipc.convert(known, out, **named),
        lambda: arrow_ipc.concat_files([known], out, **named),
        lambda: arrow_ipc.split_file(known, out, **named),
        lambda: (arrow_ipc.convert(known, out, rows=(0, 0)), arrow_ipc.append(out, known, **named)),
    ]:
        write()
        assert arrow_ipc.open(out)["id"].to_pylist() == list(range(99_990, 100_000))
    # A batch that is skipped is not even checked.
    damaged = known.read_bytes().replace(b"a text", b"\xff text", 1)
    assert arrow_ipc.count(damaged, **named).n_rows == 10
    assert arrow_ipc.stats(damaged, **named).columns[1]["null_count"] == 0
    with pytest.raises(arrow_ipc.ArrowIpcError, match="UTF-8"):
        arrow_ipc.stats(damaged, columns=["t"], where="id >= 99990")
    with pytest.raises(ValueError, match="trust_statistics needs where"):
        arrow_ipc.count(known, trust_statistics=True)


def test_metadata_of_the_program_is_read_by_pyarrow(tmp_path, program):  # noqa: F811
    rows = pa.table({"id": pa.array([b"0123456789abcdef"] * 2, pa.binary(16)), "place": [{"h": 1.0}] * 2, "word": pa.array(["x", "x"]).dictionary_encode()})
    rows = rows.replace_schema_metadata({"kept": "1", "old": "2"})
    changes = [
        "--set-metadata", "source=a=b", "--remove-metadata", "old", "--set-column-metadata", "place.h:unit=m", "--set-column-metadata",
        "word:\"k=1\"=v", "--set-column-metadata", "id:ARROW:extension:name=arrow.uuid",
    ]  # fmt: skip
    for suffix, new, read in [("arrow", pa.ipc.new_file, pa.ipc.open_file), ("arrows", pa.ipc.new_stream, pa.ipc.open_stream)]:
        theirs, ours = tmp_path / f"theirs.{suffix}", tmp_path / f"ours.{suffix}"
        with new(str(theirs), rows.schema) as writer:
            writer.write(rows)
        for command in ["convert", "concat"]:
            printed(program, command, theirs, "-o", ours, *changes)
            found = read(ours.read_bytes()).read_all()
            assert found.schema.metadata == {b"kept": b"1", b"source": b"a=b"}
            assert found.schema.field("place").type.field("h").metadata == {b"unit": b"m"}
            assert found.schema.field("word").metadata == {b"k=1": b"v"}
            assert found.schema.field("id").type == pa.uuid()
            assert found["place"].to_pylist() == rows["place"].to_pylist() and found["word"].to_pylist() == ["x", "x"]
            found.validate(full=True)
