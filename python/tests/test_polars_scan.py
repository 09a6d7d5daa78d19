"""Data sets for polars: what a query asks for decides what is read."""

import datetime
import decimal

import arrow_ipc
import arrow_ipc.polars
import polars
import pyarrow as pa
import pytest
from polars import col

N = 20_000
# Each row is there so often: statistics take a small part of a file.
TIMES = 4


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    """Twenty batches of a thousand rows with statistics, in two folders."""
    root = tmp_path_factory.mktemp("set")
    for k in range(2):
        ids = range(10_000 * k, 10_000 * (k + 1))
        table = pa.table(
            {
                "id": ids,
                "it's \"a\" \\ name": ids,
                "text": [f"it's {i:05}" for i in ids],
                "maybe": [i if i >= 5_000 else None for i in ids],
                "float": [float("nan") if i == 7 else i / 2 for i in ids],
                "at": [datetime.datetime(2024, 1, 1) + datetime.timedelta(seconds=i) for i in ids],
                "date": [datetime.date(2000, 1, 1) + datetime.timedelta(days=i // 100) for i in ids],
                "price": pa.array([decimal.Decimal(i) for i in ids], pa.decimal128(9, 0)),
            }
        )
        (root / f"half={k}").mkdir()
        arrow_ipc.write_file(root / "plain.arrow", table.take([i // TIMES for i in range(10_000 * TIMES)]).combine_chunks().to_batches(1_000 * TIMES))
        arrow_ipc.convert(root / "plain.arrow", root / f"half={k}/a.arrow", statistics=True)
    (root / "plain.arrow").unlink()
    return arrow_ipc.dataset(root, trust_statistics=True)


# Conditions, and how many batches are read. They are made in the tests: polars starts threads for them, and other tests fork.
FILTERS = [
    (lambda: col("id") == 100, 1),
    (lambda: (col("id") >= 990) & (col("id") < 1010), 2),
    (lambda: (col("id") < 10) | (col("id") > 19_990), 2),
    (lambda: (col("id") < 10) | (col("id") * 2 == 39_000), 20),
    (lambda: (col("id") < 10) & (col("id") * 2 == 8), 1),
    (lambda: 500 > col("id"), 1),
    (lambda: col("id").is_between(3_500, 4_500), 2),
    (lambda: col("half") == 1, 10),
    (lambda: col('it\'s "a" \\ name') == 1_234, 1),
    (lambda: col("text") == "it's 01234", 1),
    (lambda: col("text") < "it's 01234", 2),
    (lambda: col("maybe").is_null(), 5),
    (lambda: col("maybe").is_not_null() & (col("half") == 0), 5),
    (lambda: col("at") < datetime.datetime(2024, 1, 1, 0, 10), 1),
    (lambda: col("date") == datetime.date(2000, 1, 2), 1),
    (lambda: col("date") != datetime.date(2000, 1, 2), 20),
    # These are left to polars.
    (lambda: ~(col("id") > 10), 20),
    (lambda: col("float") > 9_990.0, 20),
    (lambda: col("price") == decimal.Decimal(7), 20),
    (lambda: col("id").is_in([1, 2]), 20),
    (lambda: col("at") < datetime.datetime(2024, 1, 1), 0),
    (lambda: polars.lit(True), 20),
]


@pytest.mark.parametrize("k", range(len(FILTERS)))
def test_conditions(data, k):
    make, n_batches = FILTERS[k]
    predicate = make()
    whole = polars.DataFrame(data)
    found = arrow_ipc.polars.scan(data).filter(predicate)
    assert found.collect().equals(whole.filter(predicate), null_equal=True)
    assert found.select("text").collect().equals(whole.filter(predicate).select("text"))
    assert found.select(polars.len()).collect().item() == whole.filter(predicate).height
    part = arrow_ipc.polars._matching(data, predicate, whole.schema)
    # Reading counts batches of which no row matches, too.
    assert sum(task.num_rows for task in part.split()) <= n_batches * 1_000 * TIMES


def test_first_rows(data):
    scanned = arrow_ipc.polars.scan(data)
    assert scanned.head(1_500).select("id").collect()["id"].to_list() == [i // TIMES for i in range(1_500)]
    assert scanned.slice(60_000, 5).select("id").collect()["id"].to_list() == [15_000] * 4 + [15_001]
    assert scanned.filter(col("maybe").is_not_null()).head(5).collect()["id"].to_list() == [5_000] * 4 + [5_001]
    assert scanned.select(polars.len()).collect().item() == N * TIMES
    assert scanned.collect_schema()["half"] == polars.Int64


FIRST = [
    lambda rows: rows.head(2).filter(col("id") > 0),
    lambda rows: rows.filter(col("id") > 0).head(2),
    lambda rows: rows.head(5_000).filter(col("id") > 1_248).head(3),
    lambda rows: rows.filter(col("id") >= 990).head(50).filter(col("id") > 1_000),
    lambda rows: rows.head(60_000).filter((col("half") == 1) & (col("id") > 14_990)),
    lambda rows: rows.slice(3, 10).filter(col("id") > 1).head(2),
    lambda rows: rows.tail(10).filter(col("id") < 19_999),
    lambda rows: rows.head(0).filter(col("id") > 0),
    lambda rows: rows.head(5).filter(col("id") > 100),
]


@pytest.mark.parametrize("k", range(len(FIRST)))
def test_first_rows_and_conditions(data, k):
    """In the order of the query."""
    make = FIRST[k]
    assert make(arrow_ipc.polars.scan(data)).collect().equals(make(polars.DataFrame(data)), null_equal=True)


def test_types_that_compare_in_their_own_way(tmp_path):
    """Categories have an order, and a number beside a duration counts in the unit of polars."""
    frame = polars.DataFrame(
        {
            "id": range(6),
            "size": polars.Series(["small", "large", "medium"] * 2, dtype=polars.Enum(["small", "medium", "large"])),
            "category": polars.Series(["b", "a", "c"] * 2, dtype=polars.Categorical),
            "duration": polars.Series([datetime.timedelta(seconds=k) for k in range(6)], dtype=polars.Duration("ms")),
            "ms": polars.Series([datetime.datetime(2024, 1, 1, k) for k in range(6)], dtype=polars.Datetime("ms")),
            "us": polars.Series([datetime.datetime(2024, 1, 1, k) for k in range(6)], dtype=polars.Datetime("us")),
            "zone": polars.Series([datetime.datetime(2024, 1, 1, k) for k in range(6)], dtype=polars.Datetime("us", "UTC")),
            "date": [datetime.date(2024, 1, 1 + k) for k in range(6)],
            "time": [datetime.time(k) for k in range(6)],
            "decimal": polars.Series(range(6), dtype=polars.Decimal(9, 2)),
            "float": polars.Series(range(6), dtype=polars.Float32),
        }
    )
    table = pa.table(frame).cast(pa.schema([field if field.name != "duration" else field.with_type(pa.duration("s")) for field in frame.to_arrow().schema]))
    arrow_ipc.write_file(tmp_path / "plain.arrow", table)
    arrow_ipc.convert(tmp_path / "plain.arrow", tmp_path / "a.arrow", statistics=True)
    data = arrow_ipc.dataset(tmp_path / "a.arrow", trust_statistics=True)
    whole = polars.DataFrame(data)
    day = datetime.datetime(2024, 1, 1, 3)
    constants = {"size": ["medium"], "category": ["b"], "decimal": [2], "float": [2], "date": [19_725, day.date()], "time": [2, day.time()]}
    constants |= {"duration": [2, 2_000, datetime.timedelta(seconds=2)], "ms": [2, day], "us": [2, day, day.date()], "zone": [2]}
    for name, values in constants.items():
        for value in map(polars.lit, values):
            column = col(name)
            compared = [column == value, column != value, column < value, column <= value, column > value, value > column]
            for predicate in [*compared, column.is_between(value, value), (column > value) | (col("id") == 0)]:
                expected = whole.filter(predicate)
                assert arrow_ipc.polars.scan(data).filter(predicate).collect().equals(expected), str(predicate)
    found = arrow_ipc.polars._matching(data, col("size") == polars.lit("none of them"), whole.schema)
    assert found.count() == 0


def test_condition_of_the_set(data):
    few = arrow_ipc.polars.scan(data.where("id < 30").select(["id", "half"]))
    assert few.collect().height == 30 * TIMES and few.filter(col("id") % 2 == 0).collect().height == 15 * TIMES
    with pytest.raises(TypeError, match="options"):
        arrow_ipc.polars.scan(data, columns=["id"])


def test_a_predicate_of_another_form_is_left_to_polars(data, monkeypatch):
    monkeypatch.setattr(arrow_ipc.polars.json, "loads", lambda text: {"New": []})
    assert arrow_ipc.polars.scan(data).filter(col("id") == 3).collect().height == TIMES
    for odd in ({"BinaryExpr": {}}, {"BinaryExpr": {"op": "Eq", "left": {"Column": "id"}, "right": {"Literal": {"Scalar": "x"}}}}, {}):
        monkeypatch.setattr(arrow_ipc.polars.json, "loads", lambda text, odd=odd: odd)
        assert arrow_ipc.polars.scan(data).filter(col("id") == 3).collect().height == TIMES


def test_types_that_polars_has_not(tmp_path):
    columns = {
        "run_end_encoded": pa.RunEndEncodedArray.from_arrays(pa.array([2, 4], pa.int32()), pa.array(["a", "b"])),
        "list_view": pa.array([[1], [2, 3], [], None], pa.list_view(pa.int64())),
        "union": pa.UnionArray.from_sparse(pa.array([0, 1, 0, 1], pa.int8()), [pa.array(range(4)), pa.array(list("abcd"))]),
        "interval": pa.array([pa.MonthDayNano([1, 2, 3])] * 4),
        "decimal256": pa.array([decimal.Decimal(k) for k in range(4)], pa.decimal256(40, 0)),
        "decimal128": pa.array([decimal.Decimal(k * 100) for k in range(4)], pa.decimal128(5, -2)),
    }
    for name, column in columns.items():
        path = tmp_path / f"{name}.arrow"
        arrow_ipc.write_file(path, pa.table({"id": range(4), "odd": column}))
        with pytest.raises(TypeError, match=f"odd: .*{name}"):
            arrow_ipc.polars.scan(path)
        assert arrow_ipc.polars.scan(path, columns=["id"]).collect()["id"].to_list() == [0, 1, 2, 3]
    lists = pa.schema([("odd", pa.list_(pa.int64())), ("id", pa.int64())])
    cast = arrow_ipc.polars.scan(tmp_path / "list_view.arrow", schema=lists).collect()
    assert cast["odd"].to_list() == [[1], [2, 3], [], None]
    text = pa.schema([("odd", pa.string())])
    runs = arrow_ipc.polars.scan(tmp_path / "run_end_encoded.arrow", schema=text).select("odd").collect()
    assert runs["odd"].to_list() == ["a", "a", "b", "b"]
