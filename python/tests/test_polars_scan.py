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
    part = arrow_ipc.polars._matching(data, predicate)
    # Reading counts batches of which no row matches, too.
    assert sum(task.num_rows for task in part.split()) <= n_batches * 1_000 * TIMES


def test_first_rows(data):
    scanned = arrow_ipc.polars.scan(data)
    assert scanned.head(1_500).select("id").collect()["id"].to_list() == [i // TIMES for i in range(1_500)]
    assert scanned.slice(60_000, 5).select("id").collect()["id"].to_list() == [15_000] * 4 + [15_001]
    assert scanned.filter(col("maybe").is_not_null()).head(5).collect()["id"].to_list() == [5_000] * 4 + [5_001]
    assert scanned.select(polars.len()).collect().item() == N * TIMES
    assert scanned.collect_schema()["half"] == polars.Int64


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
