"""A data set as one of pyarrow: every method of its base classes, and what engines push down."""

import datetime
import decimal
import pathlib
import pickle
import shutil
import subprocess
import sys

import arrow_ipc
import pytest
from children import LEAN

pa = pytest.importorskip("pyarrow")
pc = pytest.importorskip("pyarrow.compute")
ds = pytest.importorskip("pyarrow.dataset")

# What may be called of both classes, and of both the whole and a part. Run in a process of its own: it must not crash.
EVERY_METHOD = """
import sys
import arrow_ipc, pyarrow as pa, pyarrow.compute as pc, pyarrow.dataset as ds
schema = pa.schema([("id", pa.int64())])
of_dataset = {
    "count_rows": lambda x: x.count_rows(filter=pc.field("id") < 7),
    "filter": lambda x: x.filter(pc.field("id") < 7).count_rows(),
    "get_fragments": lambda x: sum(part.count_rows() for part in x.get_fragments()),
    "head": lambda x: x.head(3, columns=["id"]).num_rows,
    "join": lambda x: x.join(pa.table({"id": [1]}), "id").count_rows(),
    "join_asof": lambda x: x.join_asof(x.filter(pc.field("id") < 3).to_table(columns=["id"]), on="id", by=[], tolerance=1).count_rows(),
    "partition_expression": lambda x: x.partition_expression.equals(pc.scalar(True)),
    "replace_schema": lambda x: x.replace_schema(schema),
    "scanner": lambda x: x.scanner(columns=["id"]).to_table().num_rows,
    "schema": lambda x: x.schema.names,
    "sort_by": lambda x: x.sort_by([("id", "descending")]).head(1)["id"].to_pylist(),
    "take": lambda x: x.take([3, 1])["id"].to_pylist(),
    "to_batches": lambda x: sum(batch.num_rows for batch in x.to_batches(batch_size=7)),
    "to_table": lambda x: x.to_table(columns={"double": pc.field("id") * 2})["double"][-1].as_py(),
    "children": lambda x: x.children,
}
of_scanner = {
    "count_rows": lambda x: x.count_rows(),
    "dataset_schema": lambda x: x.dataset_schema.names,
    "from_batches": lambda x: type(x).from_batches([], schema=schema).count_rows(),
    "from_dataset": lambda x: ds.Scanner.from_dataset(rows).to_table(),
    "from_fragment": lambda x: ds.Scanner.from_fragment(rows),
    "head": lambda x: x.head(3).num_rows,
    "projected_schema": lambda x: x.projected_schema.names,
    "scan_batches": lambda x: sum(tagged.record_batch.num_rows for tagged in x.scan_batches()),
    "take": lambda x: x.take([3, 1])["id"].to_pylist(),
    "to_batches": lambda x: sum(batch.num_rows for batch in x.to_batches()),
    "to_reader": lambda x: x.to_reader().read_all().num_rows,
    "to_table": lambda x: x.to_table().num_rows,
}
for known, base in ((of_dataset, ds.Dataset), (of_scanner, ds.Scanner)):
    assert {name for name in dir(base) if not name.startswith("_")} <= set(known), dir(base)
others = {
    "copy": lambda: ds.write_dataset(rows, "copy", format="parquet") or ds.dataset("copy").count_rows(),
    "copy of a part": lambda: ds.write_dataset(next(rows.get_fragments()), "part", format="parquet"),
    "union": lambda: ds.dataset([rows, rows]).count_rows(),
    "acero": lambda: pa.table(rows.scanner(use_threads=False).to_reader()).num_rows,
    "declaration": lambda: __import__("pyarrow.acero").acero.Declaration("scan", __import__("pyarrow.acero").acero.ScanNodeOptions(rows)).to_table(),
    "private": lambda: rows._scanner_options({}),
    "hash": lambda: rows == rows and hash(rows) and repr(rows) is not None,
}
def call(name, function, *args):
    try:
        print(name, function(*args), flush=True)
    except Exception as error:
        print(name, type(error).__name__, str(error).split("\\n")[0], flush=True)
rows = arrow_ipc.dataset("data").to_pyarrow()
for what, find in (("whole", lambda: rows), ("part", lambda: next(rows.get_fragments()))):
    for name, function in of_dataset.items():
        call(f"{what} {name}", function, find())
    for name, function in of_scanner.items():
        call(f"{what} scan {name}", function, find().scanner())
        call(f"{what} scanner {name}", function, find().scanner(filter=pc.field("id") < 7))
for name, function in others.items():
    call(name, function)
"""
NOT_THERE = "FileNotFoundError [Errno 2] Failed to open local file 'pyarrow itself cannot read data sets of arrow_ipc; their methods can'. Detail: [errno 2] No such file or directory"


def test_every_method(tmp_path):
    (tmp_path / "data").mkdir()
    for k in range(3):
        arrow_ipc.write_file(tmp_path / f"data/{k}.arrow", pa.table({"id": range(10 * k, 10 * k + 10), "n": [1] * 10}))
    done = subprocess.run([sys.executable, "-c", LEAN + EVERY_METHOD], cwd=tmp_path, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    said = {}
    for line in done.stdout.splitlines():
        name = next(name for n in (4, 3, 2, 1) if (name := " ".join(line.split()[:n])) in EXPECTED)
        said[name] = line.removeprefix(name + " ")
    assert said == EXPECTED


# Each leaves rows that nobody reads, which threads of pyarrow go on reading when the interpreter ends.
EARLY = {
    "head": "rows.head(3)",
    "take": "rows.take([1, 2])",
    "head of a part": "next(rows.get_fragments()).head(2)",
    "head of a scanner": "rows.scanner().head(2)",
    "one batch": "next(rows.to_batches(filter=pc.field('id') > 5))",
    "one batch of a reader": "rows.scanner(filter=pc.field('id') > 5).to_reader().read_next_batch()",
}


@pytest.fixture(scope="module")
def long_files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("long")
    numbers = pa.array(range(200_000))
    batches = pa.table({"id": numbers, "a": numbers, "b": numbers}).to_batches(max_chunksize=20_000)
    arrow_ipc.write_file(folder / "0.arrow", batches)
    for k in range(1, 4):
        shutil.copy(folder / "0.arrow", folder / f"{k}.arrow")
    return folder


@pytest.mark.parametrize("code", EARLY.values(), ids=EARLY.keys())
def test_processes_that_read_some_rows_end(long_files, code):
    text = f"import arrow_ipc, pyarrow.compute as pc\nrows = arrow_ipc.dataset('.').to_pyarrow()\nprint({code}.num_rows > 0)"
    done = subprocess.run([sys.executable, "-c", LEAN + text], cwd=long_files, capture_output=True, text=True, timeout=300)
    assert (done.returncode, done.stdout, done.stderr) == (0, "True\n", "")


REFUSED = "NotImplementedError `arrow_ipc.dataset(..., schema=)` opens it with another schema"
OF_DATASET = {
    "count_rows": "7",
    "filter": "7",
    "get_fragments": "30",
    "head": "3",
    "join": "30",
    "join_asof": "30",
    "partition_expression": "True",
    "replace_schema": REFUSED,
    "scanner": "30",
    "schema": "['id', 'n']",
    "sort_by": "[29]",
    "take": "[3, 1]",
    "to_batches": "30",
    "to_table": "58",
    "children": "NotImplementedError the data set has no children: `get_fragments()` has its parts",
}
OF_SCANNER = {
    "count_rows": ("30", "7"),
    "dataset_schema": ("['id', 'n']",) * 2,
    "from_batches": tuple(f"AttributeError type object '{name}' has no attribute 'from_batches'" for name in ("PlainScan", "Scan")),
    "from_dataset": (NOT_THERE,) * 2,
    "from_fragment": ("TypeError Argument 'fragment' has incorrect type (expected pyarrow._dataset.Fragment, got Rows)",) * 2,
    "head": ("3", "3"),
    "projected_schema": ("['id', 'n']",) * 2,
    "scan_batches": ("30", "7"),
    "take": ("[3, 1]",) * 2,
    "to_batches": ("30", "7"),
    "to_reader": ("30", "7"),
    "to_table": ("30", "7"),
}
EXPECTED = {f"{what} {name}": said for what in ("whole", "part") for name, said in OF_DATASET.items()}
EXPECTED |= {f"{what} scan {name}": said[0] for what in ("whole", "part") for name, said in OF_SCANNER.items()}
EXPECTED |= {f"{what} scanner {name}": said[1] for what in ("whole", "part") for name, said in OF_SCANNER.items()}
EXPECTED |= {"copy": "30", "copy of a part": "None", "union": NOT_THERE, "acero": "30", "declaration": NOT_THERE}
EXPECTED |= {"private": "{}", "hash": "True"}


# Each row is there so often: statistics take a small part of a file.
TIMES = 400


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    """Six files of three batches of ten rows with statistics, in folders of days."""
    tmp_path = tmp_path_factory.mktemp("set")
    for k in range(6):
        path = tmp_path / f"data/day=2024-02-{27 + k // 2}/{k}.arrow"
        path.parent.mkdir(parents=True, exist_ok=True)
        first = 30 * k
        table = pa.table(
            {
                "id": range(first, first + 30),
                "name": pa.array([f"n{i:03}" for i in range(first, first + 30)]).dictionary_encode(),
                "maybe": [i if i % 3 or k == 5 else None for i in range(first, first + 30)],
                "never": pa.array([None] * 30, pa.int32()),
                "float": [float("nan") if i == 7 else -float(i) for i in range(first, first + 30)],
                "price": pa.array([decimal.Decimal(i) / 4 for i in range(first, first + 30)], pa.decimal128(10, 2)),
                "at": pa.array([datetime.datetime(2024, 1, 1) + datetime.timedelta(hours=i) for i in range(first, first + 30)]),
                "nested": [{"x": i} for i in range(first, first + 30)],
                "a (b) = 'c'": range(30),
            }
        )
        table = table.take([i // TIMES for i in range(30 * TIMES)])
        arrow_ipc.write_file(tmp_path / "plain.arrow", table.combine_chunks().to_batches(10 * TIMES))
        arrow_ipc.convert(tmp_path / "plain.arrow", path, statistics=True)
    return tmp_path / "data"


@pytest.fixture(scope="module")
def whole(written):
    return pa.table(arrow_ipc.dataset(written))


@pytest.fixture
def data(written, tmp_path):
    return pathlib.Path(shutil.copytree(written, tmp_path / "data"))


FILTERS = [
    (pc.field("id") == 100, 10),
    ((pc.field("id") >= 58) & (pc.field("id") < 62), 20),
    (pc.field("id").isin([3, 170]), 20),
    (pc.field("id") > 1000, 0),
    (~(pc.field("id") < 170), 10),
    ((pc.field("id") == 3) | (pc.field("maybe") == 170), 20),
    (pc.field("maybe").is_null(), 150),
    (pc.field("never").is_valid(), 0),
    (pc.field("never") == 1, 0),
    (pc.field("day") == datetime.date(2024, 2, 28), 60),
    ((pc.field("day") > datetime.date(2024, 2, 28)) & (pc.field("id") < 125), 10),
    (pc.field("day").isin([datetime.date(2024, 2, 27), datetime.date(2030, 1, 1)]), 60),
    # Where a NaN is, more may match.
    (~(pc.field("float") < 0), 10),
    (~(pc.field("float") >= -150), 40),
    (pc.field("price") > decimal.Decimal(44), 10),
    (pc.field("at") < datetime.datetime(2024, 1, 1, 5), 10),
    # These have no bounds that pyarrow takes: all is read.
    (pc.field("name") == "n007", 180),
    (pc.field("nested", "x") == 7, 180),
    (pc.field("a (b) = 'c'") == 7, 60),
    (pc.field("id") + 1 == 8, 180),
]


def shown(table):
    """NaN equals NaN here: floats are compared by their bits."""
    bits = [chunk.view(pa.int64()) for chunk in table["float"].chunks]
    return table.drop("float").append_column("bits of float", pa.chunked_array(bits, pa.int64()))


@pytest.mark.parametrize("k", range(len(FILTERS)))
def test_batches_are_left_out(written, whole, k):
    expression, n_read = FILTERS[k]
    rows = arrow_ipc.dataset(written, trust_statistics=True).to_pyarrow()
    assert shown(rows.to_table(filter=expression)) == shown(whole.filter(expression))
    assert sum(task.num_rows for task in rows._tasks(expression)) == n_read * TIMES
    assert rows.to_table(columns=["never", "id"], filter=expression) == whole.filter(expression).select(["never", "id"])
    assert rows.count_rows(expression) == rows.filter(expression).count_rows() == whole.filter(expression).num_rows
    parts = list(rows.get_fragments(expression))
    found = [part.scanner(rows.schema, columns=["id"], filter=expression, batch_size=1000) for part in parts]
    assert sum(scanner.count_rows() for scanner in found) == whole.filter(expression).num_rows
    # Only folders are believed without being told.
    n_all = 60 if "day" in str(expression) else 180
    untrusted = arrow_ipc.dataset(written).to_pyarrow()
    assert sum(task.num_rows for task in untrusted._tasks(expression)) == n_all * TIMES
    assert shown(untrusted.to_table(filter=expression)) == shown(whole.filter(expression))


def test_columns(data):
    rows = arrow_ipc.dataset(data, where="id >= 20", columns=["id", "day", "a (b) = 'c'"]).to_pyarrow()
    assert rows.schema.names == ["id", "day", "a (b) = 'c'"]
    assert rows.to_table().num_rows == rows.count_rows() == 160 * TIMES
    assert rows.to_table(columns=[]).num_rows == 160 * TIMES
    assert rows.to_table(columns=["a (b) = 'c'"], filter=pc.field("id") == 33).to_pylist() == [{"a (b) = 'c'": 3}] * TIMES
    assert rows.to_table(columns={"x": pc.field("id") + 1, "y": pc.field("day")}).num_rows == 160 * TIMES
    assert rows._needed({"x": pc.field("id") + 1}, pc.field("day").is_null()) == ["id", "day"]
    assert rows._needed(["id"], pc.field(1).is_null()) == ["id", "day", "a (b) = 'c'"]
    assert max(batch.num_rows for batch in rows.to_batches(batch_size=300)) == 300
    for wrong in (["nope"], {"x": pc.field("nope")}):
        with pytest.raises((KeyError, pa.ArrowInvalid), match="nope"):
            rows.to_table(columns=wrong)
    with pytest.raises(pa.ArrowInvalid, match="nope"):
        rows.to_table(filter=pc.field("nope") == 1)
    with pytest.raises(TypeError, match="pickle its tasks"):
        pickle.dumps(rows)


def test_arguments_by_position(data):
    """As pyarrow's own sets, and their parts, take them."""
    found = arrow_ipc.dataset(data, columns=["id", "name", "day"])
    rows = found.to_pyarrow()
    expected = ds.dataset(pa.table(found))
    high = pc.field("id") > 170
    calls = [
        ("to_table", ["id"], high),
        ("to_table", {"x": pc.field("id") + 1}),
        ("scanner", ["name"], high, 1000),
        ("to_batches", ["id"], None, 1000),
        ("head", 2, ["id"], high),
        ("head", 2, None),
        ("take", [1, 5], ["day", "id"]),
        ("take", [1, 5], ["id"], high),
        ("count_rows", high, 1000),
        ("count_rows",),
    ]

    def shown(found):
        if isinstance(found, int):
            return found
        found = found.to_table() if hasattr(found, "to_table") else found
        return found if isinstance(found, pa.Table) else pa.Table.from_batches(list(found))

    for method, *args in calls:
        assert shown(getattr(rows, method)(*args)) == shown(getattr(expected, method)(*args)), (method, args)
    part, whole = next(rows.get_fragments()), next(expected.get_fragments())
    n_rows = part.count_rows()
    assert max(batch.num_rows for batch in rows.to_batches(["id"], None, 1000)) == 1000
    for method, *args in calls:
        # What a part has are the first rows of the whole, which is one part in memory.
        args = [rows.schema, *args] if method.startswith(("to", "sc")) else args
        if method in ("head", "take"):
            args[-1:] = [None] if args[-1] is high else args[-1:]
            assert shown(getattr(part, method)(*args)) == shown(getattr(whole, method)(*args)), (method, args)
        elif method != "count_rows":
            assert shown(getattr(part, method)(*args)).schema == shown(getattr(whole, method)(*args)).schema
    assert part.count_rows(pc.field("id") < 3) == 3 * TIMES and n_rows > 0
    for wrong in (lambda: rows.to_table(["id"], columns=["id"]), lambda: rows.head(), lambda: rows.scanner(nope=1)):
        with pytest.raises(TypeError, match=r"multiple values|at least 1 positional|unexpected keyword"):
            wrong()
    with pytest.raises(NotImplementedError, match="schema="):
        part.to_table(pa.schema([("id", pa.int32())]))


def test_scanners_scan_again(data):
    """Each method of a scanner gives all rows, and what can only be used once is an error the second time."""
    rows = arrow_ipc.dataset(data).to_pyarrow()
    few = pc.field("id") < 10
    for scanner, n_rows in ((rows.scanner(columns=["id"]), 180), (rows.scanner(filter=few), 10), (rows.scanner(columns={"x": pc.field("id")}), 180)):
        for _ in range(2):
            assert scanner.to_table().num_rows == n_rows * TIMES
            assert scanner.count_rows() == n_rows * TIMES
            assert scanner.to_reader().read_all().num_rows == n_rows * TIMES
            assert sum(batch.num_rows for batch in scanner.to_batches()) == n_rows * TIMES
            assert scanner.head(5).num_rows == 5
    once = rows.scanner(use_threads=False)
    assert once.to_table().num_rows == 180 * TIMES
    with pytest.raises(pa.ArrowInvalid, match="already"):
        once.to_table()


def test_zeros_of_both_signs(tmp_path):
    zeros = pa.table({"x": [0.0, -0.0] * 20_000})
    arrow_ipc.write_file(tmp_path / "plain.arrow", zeros.to_batches(10_000))
    arrow_ipc.convert(tmp_path / "plain.arrow", tmp_path / "a.arrow", statistics=True)
    rows = arrow_ipc.dataset(tmp_path / "a.arrow", trust_statistics=True).to_pyarrow()
    x, expected = pc.field("x"), ds.dataset(zeros)
    assert rows._bounds("x")
    for each in (x == 0.0, x == -0.0, x < 0.0, pc.atan2(x, pc.scalar(-1.0)) > 0, pc.atan2(x, pc.scalar(-1.0)) < 0, x.isin([-0.0]), x.isin([0.0])):
        assert rows.count_rows(each) == expected.count_rows(each), str(each)


def test_columns_by_position(tmp_path):
    table = pa.table({"zz": range(10), "yy": range(100, 110), "n": [{"x": i % 2} for i in range(10)]})
    arrow_ipc.write_file(tmp_path / "a.arrow", table)
    rows, expected = arrow_ipc.dataset(tmp_path / "a.arrow").to_pyarrow(), ds.dataset(table)
    for options in [
        {"columns": ["yy"], "filter": pc.field(0) > 3},
        {"columns": ["zz"], "filter": (pc.field(1) > 103) & (pc.field("zz") < 8)},
        {"columns": {"x": pc.field(0), "b": pc.field("yy")}},
        {"columns": {"x": pc.field("n", 0)}, "filter": pc.field("yy") > 104},
    ]:
        assert rows.to_table(**options) == expected.to_table(**options)
        assert rows.filter(pc.field(1) > 105).to_table(**options) == expected.filter(pc.field(1) > 105).to_table(**options)


def test_folders_of_nan(tmp_path):
    """Nothing is known by a comparison with a NaN."""
    schema = pa.schema([("id", pa.int64()), ("x", pa.float64())])
    for x in ("nan", "1.5", "inf"):
        (tmp_path / f"x={x}").mkdir()
        arrow_ipc.write_file(tmp_path / f"x={x}/a.arrow", pa.table({"id": [1, 2]}))
    rows = arrow_ipc.dataset(tmp_path, schema=schema).to_pyarrow()
    expected = ds.dataset(pa.table(arrow_ipc.dataset(tmp_path, schema=schema)))
    x = pc.field("x")
    filters = [x.is_null(nan_is_null=True), x.is_null(), x.is_valid(), ~x.is_null(nan_is_null=True), x.is_nan()]
    filters += [x == 1.5, x != 1.5, x < 2, ~(x < 2), x > 2, x >= float("nan"), x == float("nan"), x.isin([float("nan"), 1.5])]
    assert [rows.count_rows(each) for each in filters] == [expected.count_rows(each) for each in filters]
    assert rows.count_rows(filters[0]) == 2


def test_engines(data):
    duckdb, polars = pytest.importorskip("duckdb"), pytest.importorskip("polars")
    rows = arrow_ipc.dataset(data, trust_statistics=True).to_pyarrow()
    with duckdb.connect() as connection:
        connection.register("t", rows)
        answer = connection.sql("select sum(id), max(name), count(*) from t where day = '2024-02-28' and id % 2 = 0").fetchall()
        assert answer == [(sum(range(60, 120, 2)) * TIMES, "n118", 30 * TIMES)]
        assert connection.sql("select count(*) from t").fetchall() == [(180 * TIMES,)]
        assert connection.sql("select id from t where nested.x = 7 or name = 'n009'").fetchall() == [(7,)] * TIMES + [(9,)] * TIMES
        connection.sql(f"copy (from t) to '{data}/cold.parquet'")
        assert connection.sql(f"select sum(id) from '{data}/cold.parquet'").fetchall() == [(sum(range(180)) * TIMES,)]
        # In their order, though several threads read.
        assert [i for (i,) in connection.sql("select id from t").fetchall()] == [k // TIMES for k in range(180 * TIMES)]
    few = polars.scan_pyarrow_dataset(rows).filter(polars.col("id") > 177).select("id", "day").collect()
    assert few["id"].to_list() == [178] * TIMES + [179] * TIMES


def test_files_that_change(data):
    duckdb = pytest.importorskip("duckdb")
    rows = arrow_ipc.dataset(data).to_pyarrow()
    changed = data / "day=2024-02-28/2.arrow"
    changed.write_bytes(changed.read_bytes()[:-20])
    for read in (rows.to_table, lambda: rows.to_table(filter=pc.field("id") > 0), lambda: rows.head(100 * TIMES)):
        with pytest.raises(OSError, match=r"2\.arrow.*has changed since"):
            read()
    with duckdb.connect() as connection:
        connection.register("t", rows)
        with pytest.raises(duckdb.Error, match=r"2\.arrow"):
            connection.sql("select sum(id) from t").fetchall()


STOPPED = """
import gc, threading
from arrow_ipc._engines import prefetch

def convert(number):
    if number > 0:
        dropped.wait()
        gc.collect()
    return number

gc.disable()
for _ in range(5):
    dropped = threading.Event()
    reading = prefetch(range(50), convert, 2)
    next(reading)
    cycle = [reading]
    cycle.append(cycle)
    del cycle, reading
    dropped.set()
"""


def test_readers_that_are_dropped():
    """Also where a thread of their own collects them."""
    done = subprocess.run([sys.executable, "-c", STOPPED], capture_output=True, text=True, timeout=120)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_a_reader_that_stops(data):
    batches = arrow_ipc.dataset(data).to_pyarrow().to_batches()
    assert next(batches).num_rows == 10 * TIMES
    batches.close()
