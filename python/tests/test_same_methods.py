"""Batches, files, streams and data sets have the same methods, and what they lack is told in their own words."""

import datetime
import decimal
import inspect
import pathlib
import re
import uuid

import arrow_ipc
import pytest
from arrow_ipc import _suggestions

pa = pytest.importorskip("pyarrow")
pl = pytest.importorskip("polars")
np = pytest.importorskip("numpy")
pandas = pytest.importorskip("pandas")
import pyarrow.compute  # noqa: E402
import pyarrow.parquet  # noqa: E402

ROWS = [
    {"id": k, "name": None if k % 4 == 0 else f"person {k}", "price": k * 2.5, "price_net": k * 2, "address": {"city": f"c{k % 3}", "zip": k}}
    for k in range(12)
]
NAMES = list(ROWS[0])
KINDS = ["batch", "file", "stream", "dataset"]


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "people.arrow"
    table = pa.Table.from_pylist(ROWS)
    arrow_ipc.write_file(path, table.to_batches(max_chunksize=5))
    arrow_ipc.write_stream(path.with_suffix(".arrows"), table.to_batches(max_chunksize=5))
    return path


def opened(kind, path):
    if kind == "stream":
        return arrow_ipc.read_stream(path.with_suffix(".arrows"))
    return {"batch": lambda: arrow_ipc.open(path)[:], "file": lambda: arrow_ipc.open(path), "dataset": lambda: arrow_ipc.dataset(path)}[kind]()


@pytest.mark.parametrize("kind", KINDS)
def test_columns(kind, path):
    for columns, expected in [
        (["price*"], ["price", "price_net"]),
        (["*e"], ["name", "price"]),
        (["price_net", "p*"], ["price_net", "price"]),
        (["*"], NAMES),
        (["id", "*"], NAMES),
        (["name"], ["name"]),
        ((name for name in ["id", "*_*"]), ["id", "price_net"]),
        ([], []),
    ]:
        selected = opened(kind, path).select(columns)
        assert type(selected) is type(opened(kind, path))
        assert selected.column_names == selected.schema.names == expected and selected.num_columns == len(expected)
        if expected:
            assert selected.to_pylist() == [{name: row[name] for name in expected} for row in ROWS]
    for columns, expected in [(["price*"], ["id", "name", "address"]), (["id", "name"], NAMES[2:]), ([], NAMES), (["*"], []), ([0, -1], NAMES[1:-1])]:
        dropped = opened(kind, path).drop(columns)
        assert dropped.column_names == expected
        if expected:
            assert dropped.to_pylist() == [{name: row[name] for name in expected} for row in ROWS]
    for method in "select", "drop":
        for columns, text in [(["x*"], "price"), (["prize"], "did you mean price"), (["address.*"], "only whole columns"), (["id", "id*x"], "did you mean id")]:
            with pytest.raises(KeyError) as raised:
                getattr(opened(kind, path), method)(columns)
            assert text in raised.value.hint, (method, columns)
        with pytest.raises(TypeError, match="pass a list"):
            getattr(opened(kind, path), method)("id")
        with pytest.raises((IndexError, TypeError)):
            getattr(opened(kind, path), method)([99])


def test_columns_of_selections(path):
    file = arrow_ipc.open(path)
    nested = file.select(["id", "address.city", "price"])
    assert nested.drop(["price"]).to_pylist()[1] == {"id": 1, "address": {"city": "c1"}} and nested.drop(["address"]).column_names == ["id", "price"]
    assert nested.drop([1]).drop(["id"]).column_names == ["price"] and file.select([0, 2]).drop(["id"]).column_names == ["price"]
    with pytest.raises(KeyError):
        file.select(["id"]).drop(["price"])
    assert arrow_ipc.open(path, columns=["p*", "address.zip"]).column_names == ["price", "price_net", "address"]
    assert file.batch(0, columns=["p*"]).column_names == arrow_ipc.dataset(path, columns=["p*"]).column_names == ["price", "price_net"]
    assert arrow_ipc.read_stream(path.with_suffix(".arrows"), columns=["*e"]).column_names == ["name", "price"]
    # A column that is called like a pattern, two of one name, and one with a dot.
    odd = arrow_ipc.RecordBatch(pa.record_batch([pa.array([k]) for k in range(5)], names=["a*", "ab", "b", "b", "x.y"]))
    assert odd.select(["a*"]).column_names == ["a*"] and odd.select(["a*", "ab"]).num_columns == 2
    assert odd.select(["x.*"]).to_pydict() == {"x.y": [4]} and odd.drop(["x*"]).num_columns == 4
    with pytest.raises(KeyError, match="b"):
        odd.select(["*b"])


def test_columns_of_one_name_are_dropped_by_position(tmp_path):
    table = pa.table([pa.array([1]), pa.array([2]), pa.array([{"x": 3, "y": 4}]), pa.array([5])], names=["a", "a", "s", "b"])
    path = tmp_path / "two.arrow"
    with pa.OSFile(str(path), "wb") as sink, pa.ipc.new_file(sink, table.schema) as writer:
        writer.write_table(table)
    two = arrow_ipc.open(path, columns=[0, 1])
    assert (two.drop([0]).to_pydict(), two.drop([1]).to_pydict()) == ({"a": [2]}, {"a": [1]})
    turned = arrow_ipc.open(path, columns=[3, 1, 0])
    assert turned.drop([1]).to_pydict() == {"b": [5], "a": [1]} and turned.drop([2, 0]).to_pydict() == {"a": [2]}
    # Two paths into one column, which is one column.
    paths = arrow_ipc.open(path, columns=["b", "s.y", "s.x"])
    assert paths.drop([0]).to_pylist() == [{"s": {"x": 3, "y": 4}}] and paths.drop([1]).to_pylist() == [{"b": 5}]


def test_batches_of_an_iterable_have_the_columns_of_the_first(tmp_path):
    """Columns are found by position, so batches with others are no rows of the same data."""
    first = pa.record_batch({"a": pa.array([1], pa.int64()), "b": pa.array([2], pa.int64())})
    turned = pa.record_batch({"b": pa.array([1], pa.int64()), "a": pa.array([20], pa.int64())})
    stream = arrow_ipc.Stream.from_arrow
    dest = tmp_path / "x.arrow"
    for read in [
        lambda batches: stream(batches).filter("a > 5").to_pylist(),
        lambda batches: stream(batches).select(["a"]).to_pylist(),
        lambda batches: stream(batches).drop(["a"]).to_pylist(),
        lambda batches: stream(batches).head(2).to_pylist(),
        lambda batches: stream(iter(batches)).to_pylist(),
        lambda batches: list(stream(batches)),
        lambda batches: pa.table(stream(batches)),
        lambda batches: arrow_ipc.write_file(dest, batches),
        lambda batches: arrow_ipc.write_file(dest, iter(batches)),
    ]:
        with pytest.raises((arrow_ipc.ArrowIpcError, pa.ArrowException, OSError), match='expected (the )?(name|field|column)?.*a.*found.*b|"b"'):
            read([first, turned])
    assert stream([first, first]).filter("a < 5").to_pydict() == {"a": [1, 1], "b": [2, 2]}
    # A writer gives the layout of its schema to the text of each.
    texts = [pa.record_batch({"t": pa.array(["x"], of)}) for of in (pa.string(), pa.large_string(), pa.string_view())]
    for wanted in ("t: utf8", "t: large_utf8", "t: utf8_view"):
        with arrow_ipc.Writer(dest, arrow_ipc.Schema.parse(wanted)) as writer:
            writer.write(texts)
            writer.write(iter(texts[::-1]))
        assert arrow_ipc.open(dest)[:].to_pydict() == {"t": ["x"] * 6}
    # Metadata may differ, as when batches are written.
    named = first.replace_schema_metadata({"k": "v"})
    assert stream([first, named]).filter("b > 1").to_pydict() == {"a": [1, 1], "b": [2, 2]}


CONDITIONS = {
    "id > 3": lambda row: row["id"] > 3,
    "name is null or price < 10": lambda row: row["name"] is None or row["price"] < 10,
    "name = 'person 7'": lambda row: row["name"] == "person 7",
    "address.city = 'c1' and id != 4": lambda row: row["address"]["city"] == "c1" and row["id"] != 4,
    "id > 100": lambda row: False,
    "id >= 0": lambda row: True,
}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("condition", CONDITIONS)
def test_filter(kind, condition, path):
    expected = list(filter(CONDITIONS[condition], ROWS))
    found = opened(kind, path).filter(condition)
    assert type(found) is (arrow_ipc.RecordBatch if kind in ("batch", "file") else type(opened(kind, path)))
    assert found.column_names == NAMES and found.to_pylist() == expected
    if kind == "dataset":
        assert opened(kind, path).where(condition).shape == (len(expected), 5)
    assert opened(kind, path).filter(condition).filter("price_net < 12").to_pylist() == [row for row in expected if row["price_net"] < 12]


@pytest.mark.parametrize("kind", KINDS)
def test_wrong_conditions(kind, path):
    data = opened(kind, path)
    for condition, error, text in [
        ("prize > 1", KeyError, "prize"),
        ("id >", ValueError, "at byte 4"),
        ("name > 3", ValueError, "name"),
        ("price > name", ValueError, "cannot be compared"),
        (pa.compute.field("id") > 1, TypeError, "expected a text such as"),
        (3, TypeError, "expected a text such as"),
        (None, TypeError, "expected a text such as"),
        (lambda row: True, TypeError, "expected a text such as"),
    ]:
        with pytest.raises(error, match=text):
            data.filter(condition)
    if kind != "batch":
        with pytest.raises(TypeError, match="expected a text such as"):
            data.filter([True] * 12)
    assert data.to_pylist() == ROWS


def test_masks(path):
    batch = arrow_ipc.open(path)[:]
    wanted = [k % 3 == 1 for k in range(12)]
    expected = [row for row, is_wanted in zip(ROWS, wanted) if is_wanted]
    masks = [wanted, tuple(wanted), np.array(wanted), pa.array(wanted), arrow_ipc.Array(wanted), pandas.Series(wanted), pl.Series(wanted), pa.chunked_array([wanted[:5], wanted[5:]])]
    for mask in [*masks, [each or None for each in wanted], arrow_ipc.open(path)["price"].to_numpy() % 7.5 == 2.5]:
        assert batch.filter(mask).to_pylist() == expected, mask
    assert batch[3:9].filter(wanted[3:9]).to_pylist() == expected[1:3] and batch[:0].filter([]).num_rows == 0
    for mask, error, text in [([True], ValueError, "1 slots, and the batch 12 rows"), ([1] * 12, TypeError, "has bools, found int64"), (np.ones(12), TypeError, "found float64"), (["x"] * 12, TypeError, "found utf8"), ([None] * 12, TypeError, "found null"), ([], ValueError, "0 slots")]:
        with pytest.raises(error, match=text):
            batch.filter(mask)


@pytest.mark.parametrize("kind", KINDS)
def test_first_rows_and_shape(kind, path):
    for n in (0, 1, 5, 7, 12, 100):
        first = opened(kind, path).head(n)
        assert type(first) is arrow_ipc.RecordBatch and first.to_pylist() == ROWS[:n]
    assert opened(kind, path).head().num_rows == 10 and opened(kind, path).filter("id > 3").head(2)["id"].to_pylist() == [4, 5]
    if kind != "stream":
        assert opened(kind, path).shape == (12, 5) and opened(kind, path).select(["id"]).shape == (12, 1)
    if kind in ("stream", "dataset"):
        with pytest.raises(ValueError, match="0 or more"):
            opened(kind, path).head(-1)


def test_first_rows_stay_in_a_stream(path):
    stream = opened("stream", path)
    assert [stream.head(7)["id"].to_pylist(), stream.head(2)["id"].to_pylist()] == [list(range(7)), [0, 1]]
    assert next(stream).num_rows == 5 and stream.head(1)["id"].to_pylist() == [5] and stream.head(100).num_rows == 7
    assert [batch["id"].to_pylist() for batch in stream] == [list(range(5, 10)), [10, 11]] and stream.head(3).num_rows == 0
    # What changes a stream takes its batches.
    stream = opened("stream", path)
    stream.head(1)
    assert stream.filter("id > 8").drop(["a*"]).to_pydict()["id"] == [9, 10, 11]
    for call in (lambda: next(stream), lambda: stream.head(1), lambda: stream.filter("id > 1"), stream.to_pydict, lambda: stream.select(["id"])):
        with pytest.raises(arrow_ipc.ArrowIpcError, match="given to another reader"):
            call()
    # A wrong call takes nothing.
    stream = opened("stream", path)
    with pytest.raises(KeyError):
        stream.select(["x*"])
    assert len(stream.to_pylist()) == 12
    stream.close()
    with pytest.raises(arrow_ipc.ArrowIpcError, match="closed"):
        stream.head(1)


@pytest.mark.parametrize("kind", KINDS)
def test_damage_is_an_error(kind, path):
    """Not fewer rows: in each conversion, and where the first rows have it."""
    whole = path.with_suffix(".arrows").read_bytes()
    content = whole[: whole.rindex(b"person 11") - 200]
    bad = path.with_name("bad.arrows")
    bad.write_bytes(content)
    if kind == "stream":
        data = opened(kind, bad)
        assert data.head(6).num_rows == 6
        with pytest.raises(arrow_ipc.ArrowIpcError):
            data.head(12)
        assert list(data) == []
    for method in ("to_pydict", "to_pylist", "to_pandas", "to_polars"):
        with pytest.raises(Exception) as raised:
            getattr(opened(kind, bad) if kind in ("stream", "dataset") else arrow_ipc.open(bad), method)()
        assert not isinstance(raised.value, AttributeError), (method, raised.value)


@pytest.mark.parametrize("kind", KINDS)
def test_conversions(kind, path):
    assert opened(kind, path).to_pylist() == ROWS
    assert opened(kind, path).to_pydict() == {name: [row[name] for row in ROWS] for name in NAMES}
    assert opened(kind, path).to_polars().to_dicts() == ROWS
    frame = opened(kind, path).to_pandas()
    assert frame.shape == (12, 5) and frame["id"].tolist() == list(range(12)) and frame["name"].isna().tolist() == [row["name"] is None for row in ROWS]
    for few in (opened(kind, path).filter("id > 100"), opened(kind, path).select(["id"])):
        assert few.to_polars().columns == (["id"] if few.num_columns == 1 else NAMES)


@pytest.mark.parametrize("kind", KINDS)
def test_types_that_polars_lacks(kind, tmp_path):
    path = tmp_path / "odd.arrow"
    odd = {
        "runs": pa.RunEndEncodedArray.from_arrays([1], [5]),
        "none": pa.array([[]], pa.list_(pa.int64(), 0)),
        "nested": pa.array([[[]]], pa.list_(pa.list_(pa.int64(), 0))),
        "bytes": pa.array([b""], pa.binary(0)),
    }
    for name, column in odd.items():
        table = pa.table({"id": [1], name: column})
        arrow_ipc.write_file(path, table)
        arrow_ipc.write_stream(path.with_suffix(".arrows"), table)
        with pytest.raises(TypeError, match=f"polars has no type for the column {name}"):
            opened(kind, path).to_polars()
        assert opened(kind, path).drop([name]).to_polars().rows() == [(1,)]


@pytest.mark.parametrize("kind", KINDS)
def test_a_set_has_no_order(kind, tmp_path):
    path = tmp_path / "few.arrow"
    arrow_ipc.write_file(path, {"a": [1], "b": [2], "c": [3]})
    arrow_ipc.write_stream(path.with_suffix(".arrows"), {"a": [1], "b": [2], "c": [3]})
    for columns in ({"a", "b"}, frozenset(["a", "b"])):
        with pytest.raises(TypeError, match="columns is a set, whose order differs in each process; pass a list of names"):
            opened(kind, path).select(columns)
        assert opened(kind, path).drop(columns).column_names == ["c"]


@pytest.mark.parametrize("kind", KINDS)
def test_notebooks(kind, tmp_path):
    path = tmp_path / "script.arrow"
    arrow_ipc.write_file(path, {"<script>": [1], "b": ["&"]})
    arrow_ipc.write_stream(path.with_suffix(".arrows"), {"<script>": [1], "b": ["&"]})
    html = opened(kind, path)._repr_html_()
    assert "&lt;script&gt;" in html and "<script>" not in html and "int64" in html and html.startswith("<table>") and html.endswith("2 columns</p>")
    many = arrow_ipc.RecordBatch({f"c{k}": [k] for k in range(40)})
    assert "the first 30 of 40 columns" in arrow_ipc.Stream.from_arrow(many)._repr_html_()
    file = arrow_ipc.open(path)
    file.close()
    assert file._repr_html_() == "<p>File: closed</p>"


# Names of pandas, polars and pyarrow: the hint names an expression here, which the test runs.
GUESSED = """columns names dtypes types width where query limit iloc loc take remove_column get_batch to_batches collect read_all to_table to_dict as_py
iterrows itertuples row to_numpy values to_csv write_csv to_json write_ndjson to_feather save write_stream to_parquet rename cast describe info sort
group_by groupby join unique with_columns fillna""".split()
OWN = {
    "batch": ["height", "nrows", "count_rows"],
    "file": ["height", "nrows", "count_rows"],
    "stream": ["shape", "num_rows", "count_rows", "height", "column", "tail", "iter_rows"],
    "dataset": ["num_rows", "count_rows", "height", "column", "tail", "iter_rows"],
}


def run(code, names):
    exec(f"{code}: batch.num_rows" if code.startswith("for ") else code, names)


@pytest.mark.parametrize("kind", KINDS)
def test_names_of_other_libraries(kind, path, tmp_path):
    is_other = {"batch": ["columns", "get_batch", "to_batches"], "dataset": ["where"]}.get(kind, [])
    for guess in [guess for guess in [*GUESSED, *OWN[kind]] if guess not in is_other]:
        data = opened(kind, path)
        assert not hasattr(data, guess), guess
        with pytest.raises(AttributeError) as raised:
            getattr(data, guess)
        text = str(raised.value)
        assert text.startswith(f"'arrow_ipc.{type(data).__name__}' object has no attribute '{guess}': "), text
        assert (raised.value.name, raised.value.obj) == (guess, data)
        hint = text.partition("': ")[2]
        codes = re.findall("`([^`]+)`", hint)
        assert codes, text
        for code in codes:
            names = {name: getattr(arrow_ipc, name) for name in arrow_ipc.__all__} | {"pyarrow": pa, "dest": tmp_path / "dest.arrow", "source": path, "name": "id", "old": "name", "new": "who", "type": "int16"}
            names[kind] = opened(kind, path)
            names.setdefault("batch", arrow_ipc.open(path).batch(0))
            run(code, names)
    # What nothing is known about is an error of Python's own words; a private name gets no hint.
    with pytest.raises(AttributeError, match=r"has no attribute 'nothing'$"):
        opened(kind, path).nothing
    assert not hasattr(opened(kind, path), "__dataframe__") and not hasattr(opened(kind, path), "_private")


@pytest.mark.parametrize("kind", KINDS)
def test_columns_as_attributes(kind, path):
    data = opened(kind, path)
    with pytest.raises(AttributeError) as raised:
        data.address
    code = re.findall("`([^`]+)`", str(raised.value))
    found = eval(code[0], {kind: data})
    assert found.to_pylist()[1] in ({"city": "c1", "zip": 1}, {"address": {"city": "c1", "zip": 1}})


def test_names_of_arrays(path):
    array = arrow_ipc.open(path)["price"]
    for guess in "name dtype size shape to_list tolist astype to_arrow to_pandas to_polars head sum mean min max unique is_null fill_null value_counts".split():
        with pytest.raises(AttributeError) as raised:
            getattr(array, guess)
        text = str(raised.value).partition("': ")[2]
        codes = [code for code in re.findall("`([^`]+)`", text) if code != "pyarrow.compute"]
        assert codes, guess
        for code in codes:
            assert eval(code, {"array": array, "pyarrow": pa, "polars": pl, "type": "float32"}) is not None
    with pytest.raises(AttributeError, match=r"^'arrow_ipc.Array' object has no attribute 'nothing'$"):
        array.nothing


COMPARED = [
    ("name", "person 7"), ("name", "it's \"so\""), ("id", 7), ("id", -3), ("price", 2.5), ("id", 10**30), ("price", decimal.Decimal("2.5")), ("at", datetime.date(2024, 2, 29)), ("at", datetime.datetime(2024, 2, 29, 12)), ("odd name", 3), ("is", True),
]


@pytest.mark.parametrize("column,value", COMPARED)
def test_comparisons_with_constants(column, value, tmp_path):
    """Not silently False: the error has a condition and a mask, which find the same rows."""
    at = [datetime.datetime(2024, 2, 29), datetime.datetime(2024, 2, 29, 12)]
    if isinstance(value, datetime.date) and not isinstance(value, datetime.datetime):
        at = [each.date() for each in at]
    batch = arrow_ipc.RecordBatch({"name": ["person 7", "it's \"so\""], "id": [7, -3], "price": [2.5, 1.0], "at": at, "odd name": [3, 4], "is": [True, False]})
    for compare in (lambda: batch[column] == value, lambda: batch[column] != value, lambda: value == batch[column]):
        with pytest.raises(TypeError) as raised:
            compare()
        condition, mask = re.match(r"the values of an array are not compared: `filter\((.*)\)` of a file.*, and `(.*)` is a mask", str(raised.value)).groups()
        rows = batch.filter(eval(mask, {"array": batch[column], "datetime": datetime, "Decimal": decimal.Decimal}))
        assert batch.filter(eval(condition)).equals(rows) and (rows.num_rows in (0, 1, 2))
    assert batch[column] != [value] and batch[column] != None and batch[column] in [batch[column]]  # noqa: E711


def test_comparisons_with_objects(path):
    array = arrow_ipc.open(path)["id"]
    for other in (None, [0], (), {}, object(), pytest, type, datetime.date, decimal.Decimal):
        assert (array == other) is False and (array != other) is True
    assert array == __import__("unittest.mock").mock.ANY
    for other in (b"x", datetime.timedelta(1), uuid.UUID(int=1), datetime.time(1)):
        with pytest.raises(TypeError, match="are not compared"):
            array == other  # noqa: B015
    # Libraries that compare arrays do so.
    assert (array == np.arange(12)).all() and (np.int64(3) == array).sum() == 1


def test_functions_of_other_libraries(path, tmp_path):
    for names, hint in _suggestions.MEMBERS.items():
        for name in names.split():
            with pytest.raises(AttributeError) as raised:
                getattr(arrow_ipc, name)
            assert str(raised.value) == f"module 'arrow_ipc' has no attribute '{name}': {hint}" and raised.value.name == name
    known = {name: getattr(arrow_ipc, name) for name in arrow_ipc.__all__}
    stream = path.with_suffix(".arrows")
    text = tmp_path / "t.csv"
    text.write_text("id\n1\n")
    lines = tmp_path / "t.jsonl"
    lines.write_text('{"id": 1}\n')
    for hint in _suggestions.MEMBERS.values():
        for code in re.findall("`([^`]+)`", hint):
            source = stream if code.startswith("read_stream") else text if code.startswith("read_csv") else lines if code.startswith("read_json") else path
            values = {"data": arrow_ipc.open(path).select(["id"])[:], "schema": {"id": "int64"}, "name": "id", "type": "int16", "values": [1], "sources": [path, path], "old": "id", "new": "key", "a": path, "b": path}
            dest = tmp_path / ("parts" if "split" in code else "dest.arrow")
            result = eval(code.replace("rows=…", "into=2"), known | values | {"source": source, "dest": dest})
            if hasattr(result, "close"):
                result.close()
    with pytest.raises(AttributeError, match=r"^module 'arrow_ipc' has no attribute 'nothing'$"):
        arrow_ipc.nothing
    assert not hasattr(arrow_ipc, "__wrapped__") and not hasattr(arrow_ipc, "__path_hooks__")


def test_errors_of_opening_have_the_path(path, tmp_path):
    content = path.read_bytes()
    for name, content, error in [
        ("cut.arrow", content[:500], arrow_ipc.ArrowIpcError),
        ("none.arrow", b"", arrow_ipc.ArrowIpcError),
        ("text.arrow", b"a,b\n1,2\n", arrow_ipc.ArrowIpcError),
        ("footer.arrow", content[:-30] + bytes(20) + content[-10:], arrow_ipc.ArrowIpcError),
        ("cut.arrows", path.with_suffix(".arrows").read_bytes()[:40], arrow_ipc.ArrowIpcError),
        ("cut.arrow.gz", __import__("gzip").compress(content[:500]), arrow_ipc.ArrowIpcError),
    ]:
        bad = tmp_path / name
        bad.write_bytes(content)
        for call in (arrow_ipc.open, arrow_ipc.read_stream, arrow_ipc.dataset, arrow_ipc.validate):
            for given in (bad, str(bad)):
                with pytest.raises(error) as raised:
                    list(call(given))
                assert name in str(raised.value), (call, raised.value)
    # Memory has no path.
    with pytest.raises(arrow_ipc.ArrowIpcError, match="^the bytes|^the file|^message|^expected"):
        arrow_ipc.open(b"abc")


def test_hints_for_patterns_of_text(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "texts").mkdir()
    for k in range(2):
        (tmp_path / f"texts/{k}.csv").write_text(f"a,b\n{k},2\n")
        (tmp_path / f"texts/{k}.jsonl").write_text(f'{{"a": {k}, "b": 2}}\n')
    for call in (lambda: arrow_ipc.dataset("texts"), lambda: arrow_ipc.convert("texts", "o.arrow")):
        with pytest.raises(FileNotFoundError) as raised:
            call()
        for code in re.findall("`([^`]+)`", raised.value.hint):
            found = eval(code.replace("folder", "texts"), {"read_csv": arrow_ipc.read_csv, "read_json": arrow_ipc.read_json})
            assert found.to_pydict() == {"a": [0, 1], "b": [2, 2]}
    for pattern in ("texts/*.csv", "texts/*.jsonl"):
        for call in (lambda: arrow_ipc.convert(pattern, "o.arrow"), lambda: arrow_ipc.dataset(pattern)):
            with pytest.raises((arrow_ipc.ArrowIpcError, ValueError)) as raised:
                call()
            (code,) = re.findall("`([^`]+)`", raised.value.hint)
            eval(code, {"write_file": arrow_ipc.write_file, "read_csv": arrow_ipc.read_csv, "read_json": arrow_ipc.read_json, "dest": "made.arrow", "source": pattern})
            assert arrow_ipc.open("made.arrow")["a"].to_pylist() == [0, 1]


# A call with an argument of another library, and the call with what its error says.
KEYWORDS = {
    "read_csv(text, sep=',')": "read_csv(text, delimiter=',')",
    "read_csv(text, dtype={'id': 'int8'})": "read_csv(text, types={'id': 'int8'})",
    "read_csv(text, usecols=['id'])": "read_csv(text).select(['id'])",
    "read_csv(text, nrows=1)": "read_csv(text).head(1)",
    "read_csv(text, na_values='x')": "read_csv(text, null='x')",
    "read_csv(text, skiprows=0)": "read_csv(text, skip=0)",
    "read_json(lines, lines=True)": "read_json(lines)",
    "read_stream(stream, mmap=True)": "read_stream(stream, memory_map=True)",
    "open(path, mmap=True)": "open(path, memory_map=True)",
    "open(path, where='id > 1')": "open(path).filter('id > 1')",
    "open(path, filter='id > 1')": "dataset(path, where='id > 1')",
    "open(path, usecols=['id'])": "open(path, columns=['id'])",
    "dataset(path, filter='id > 1')": "dataset(path, where='id > 1')",
    "count(path, filter='id > 1')": "count(path, where='id > 1')",
    "write_file(dest, data, codec='lz4')": "write_file(dest, data, compression='lz4')",
    "write_file(dest, data, compression_level=3)": "write_file(dest, data, compression='zstd:3')",
    "write_file(dest, data, mode='a')": "append(path, data)",
    "write_file(dest, data, chunk_size=5)": "convert(path, dest, batch_rows=5)",
    "write_stream(dest, data, codec='lz4')": "write_stream(dest, data, compression='lz4')",
    "write_file(dest, data, schema={'id': 'int8'})": "write_file(dest, RecordBatch({'id': [1]}, schema={'id': 'int8'}))",
    "write_csv(dest, data, header=False)": "write_csv(dest, data.select(['id']), no_header=True)",
    "write_csv(dest, data, sep=';')": "write_csv(dest, data.select(['id']), delimiter=';')",
    "write_json(dest, data, orient='records')": "write_json(dest, data)",
    "convert(path, dest, select=['id'])": "convert(path, dest, columns=['id'])",
    "convert(path, dest, exclude=['id'])": "convert(path, dest, columns=open(path).drop(['id']).column_names)",
    "convert(path, dest, limit=2)": "convert(path, dest, rows=(0, 2))",
    "convert(path, dest, dtype={'id': 'int8'})": "convert(path, dest, cast={'id': 'int8'})",
    "convert(path, dest, format='csv')": "convert(text, dest, from_='csv')",
    "diff(path, path, on='id')": "diff(path, path, key='id')",
    "split_file(path, parts, n=2)": "split_file(path, parts, into=2, container='file')",
    "split_file(path, parts, rows_per_file=4)": "split_file(path, parts, batch_rows=4, container='file')",
    "split_file(path, parts, partition_by=['price_net'])": "split_file(path, parts, by=['price_net'], container='file')",
}


@pytest.mark.parametrize("call", KEYWORDS)
def test_keywords_of_other_libraries(call, path, tmp_path):
    (tmp_path / "t.csv").write_text("id\n1\n")
    (tmp_path / "t.jsonl").write_text('{"id": 1}\n')
    names = {name: getattr(arrow_ipc, name) for name in arrow_ipc.__all__} | {"path": path, "stream": path.with_suffix(".arrows"), "text": tmp_path / "t.csv"}
    names |= {"lines": tmp_path / "t.jsonl", "dest": tmp_path / "dest.arrow", "parts": tmp_path / "parts", "data": arrow_ipc.open(path)}
    with pytest.raises(TypeError, match="unexpected keyword argument '.*': ") as raised:
        eval(call, names)
    helps = KEYWORDS[call]
    # The error has the argument or method that helps.
    said = str(raised.value).partition("': ")[2]
    words = re.findall(r"\w+(?==)|(?<=\.)\w+(?=\()", helps) or [helps.partition("(")[0]]
    assert any(word in said for word in words) or call.startswith(("write_json", "read_json")), (said, words)
    eval(helps, names)


def test_keywords_are_of_functions(path):
    """Each function of the table is one, and lacks the arguments that are said to be others."""
    source = (pathlib.Path(__file__).parents[1] / "src/suggestions/tables.rs").read_text()
    rows = re.findall(r'\(\s*"([^"]*)",\s*"([^"]*)",\s*"(?:[^"\\]|\\.)*",?\s*\)', source[source.index("const KEYWORDS") :])
    assert len(rows) > 40
    for functions, names in rows:
        for function in functions.split():
            for name in names.split():
                with pytest.raises(TypeError, match=f"unexpected keyword argument '{name}': ") as raised:
                    getattr(arrow_ipc, function)(path, path, **{name: None}) if function not in ("read_csv", "read_json", "read_stream", "open", "dataset", "count", "stats") else getattr(arrow_ipc, function)(path, **{name: None})
                # An argument that is said to help exists.
                for word in re.findall(r"`(\w+)=", str(raised.value)):
                    assert word in (inspect.signature(getattr(arrow_ipc, function)).parameters), (function, name, word)
    with pytest.raises(TypeError, match=r"unexpected keyword argument 'nothing'$"):
        arrow_ipc.open(path, nothing=1)


def test_names_of_schemas_and_writers(path, tmp_path):
    schema, names = arrow_ipc.open(path).schema, {"Schema": arrow_ipc.Schema, "Field": arrow_ipc.Field, "pyarrow": pa, "name": "id", "data": arrow_ipc.open(path)}
    with arrow_ipc.Writer(tmp_path / "w.arrow", schema) as writer:
        task = arrow_ipc.dataset(path).split()[0]
        for what, data, guesses in [
            ("schema", schema, "types dtypes columns to_dict num_fields append to_arrow empty_table"),
            ("field", schema["id"], "dtype data_type is_nullable fields with_name"),
            ("writer", writer, "write_batch write_table append finish"),
            ("task", task, "to_pandas to_polars head to_table"),
        ]:
            for guess in guesses.split():
                with pytest.raises(AttributeError) as raised:
                    getattr(data, guess)
                codes = [code for code in re.findall("`([^`]+)`", str(raised.value)) if "(" in code or "." in code or "[" in code]
                assert codes, (what, guess)
                for code in codes:
                    eval(code, names | {what: data})
            with pytest.raises(AttributeError, match=r"has no attribute 'nothing'$"):
                data.nothing
    assert arrow_ipc.open(tmp_path / "w.arrow").num_rows == 36
    with pytest.raises(TypeError, match="counted when they are read"):
        len(opened("stream", path))
    assert opened("stream", path) and len(list(opened("stream", path))) == 3
    for write in (arrow_ipc.write_file, arrow_ipc.write_csv, arrow_ipc.write_json):
        with pytest.raises(TypeError, match="a destination comes first"):
            write(arrow_ipc.open(path), "x.arrow")


def narrow_columns():
    """Rows of two batches whose values are together too many for the indices, or whose slots are for the run ends."""
    words = [pa.DictionaryArray.from_arrays(pa.array(range(70), pa.int8()), [f"{start}{k}" for k in range(70)]) for start in "ab"]
    nested = [pa.ListArray.from_arrays(list(range(71)), each) for each in words]
    dictionaries = pa.Table.from_batches([pa.record_batch({"w": each, "l": lists, "n": list(range(70))}) for each, lists in zip(words, nested)])
    runs = [pa.RunEndEncodedArray.from_arrays(pa.array([10_000, 20_000], pa.int16()), [k, k + 1]) for k in (0, 5)]
    return dictionaries, pa.Table.from_batches([pa.record_batch({"r": each, "n": list(range(20_000))}) for each in runs])


@pytest.mark.parametrize("kind", KINDS)
def test_rows_of_several_batches_that_need_wider_indices(kind, tmp_path):
    path = tmp_path / "narrow.arrows"
    for table in narrow_columns():
        arrow_ipc.write_stream(path, table)
        expected = table.to_pylist()
        assert opened(kind, path).to_pylist() == opened(kind, path).filter("n >= 0").to_pylist() == expected
        assert opened(kind, path).head(table.num_rows).to_pylist() == expected
        assert opened(kind, path).to_pydict() == table.to_pydict()
        first = table.column_names[0]
        whole = arrow_ipc.open(path)[:]
        assert whole[first].to_pylist() == arrow_ipc.Array(table[first]).to_pylist() == [row[first] for row in expected]
        assert str(whole.schema[first].type) == str(whole[first].type) != str(arrow_ipc.open(path).schema[first].type)
        assert pa.record_batch(whole).to_pylist() == expected
