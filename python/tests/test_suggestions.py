"""Wrong first guesses: the error says in Python's words what is expected, and its hint what helps."""

import collections
import dataclasses
import datetime
import gzip
import io
import re
import types
import uuid
from decimal import Decimal
from pathlib import Path

import arrow_ipc
import pandas
import pyarrow as pa
import pyarrow.compute as pc
import pytest


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "people.arrow"
    arrow_ipc.write_file(path, {"id": [1, 2], "name": ["ada", "grace"]})
    return path


def text_of(call, kind=Exception):
    with pytest.raises(kind) as raised:
        call()
    notes = getattr(raised.value, "__notes__", [])
    text = "\n".join([str(raised.value), *notes])
    assert "r#" not in text and "is not an instance of" not in text and "invalid zero" not in text, text
    return text


def test_conditions_that_are_no_text(path):
    condition = pc.field("price") > 10
    for call in [
        lambda: arrow_ipc.dataset(path, where=condition),
        lambda: arrow_ipc.dataset(path).where(condition),
        lambda: arrow_ipc.count(path, where=condition),
        lambda: arrow_ipc.stats(path, where=condition),
        lambda: arrow_ipc.diff(path, path, where=condition),
        lambda: arrow_ipc.convert(path, "x.arrow", where=condition),
    ]:
        text = text_of(call, TypeError)
        assert 'expected a text such as "price > 10 and name is not null"' in text and "Expression" in text


def test_arguments_of_other_types(path, tmp_path):
    assert "expected 1 or more, found 0" in text_of(lambda: arrow_ipc.open(path, threads=0), ValueError)
    target = tmp_path / "x.arrow"
    for call in [
        lambda: arrow_ipc.write_file(target, {"a": [1]}, compression=3),
        lambda: arrow_ipc.write_stream(target, {"a": [1]}, compression=3),
        lambda: arrow_ipc.Writer(target, {"a": "int8"}, compression=3),
        lambda: arrow_ipc.convert(path, target, compression=3),
        lambda: arrow_ipc.append(path, path, compression=3),
        lambda: arrow_ipc.concat_files([path], target, compression=3),
        lambda: arrow_ipc.split_file(path, target, compression=3),
        lambda: arrow_ipc.DatasetWriter(tmp_path / "set", {"a": "int8"}, compression=3),
    ]:
        assert "compression: expected 'none', 'lz4', 'zstd', or 'zstd:3' with a level, found <class 'int'>" in text_of(call, TypeError)
    assert "no_header=True" in text_of(lambda: arrow_ipc.read_csv(b"1,2\n", header=None), TypeError)


@dataclasses.dataclass
class Row:
    id: int


def test_rows_that_are_no_dicts(path):
    """The error has the words that make rows of them."""
    pair = collections.namedtuple("pair", "id name")
    for rows, words in [
        ([(1, "ada")], "[dict(zip(names, row)) for row in rows]"),
        ([[1, "ada"]], "[dict(zip(names, row)) for row in rows]"),
        ([pair(1, "ada")], "[row._asdict() for row in rows]"),
        ([Row(1)], "[dataclasses.asdict(row) for row in rows]"),
        ([types.MappingProxyType({"id": 1})], "[dict(row) for row in rows]"),
        (types.MappingProxyType({"id": [1]}), "`dict(data)`"),
        (({"id": 1},), "`list(rows)`"),
        ([1, 2], 'a column alone needs a name: `{"name": values}`'),
    ]:
        with arrow_ipc.Writer(path, {"id": "int64", "name": "utf8"}) as writer:
            for call in (lambda rows=rows: arrow_ipc.write_file(path, rows), lambda rows=rows: arrow_ipc.RecordBatch(rows), lambda rows=rows: writer.write(rows)):
                assert words in text_of(call, TypeError)
    text = text_of(lambda: arrow_ipc.write_file(path, ({"id": k} for k in range(2))), TypeError)
    recipe = re.search('the recipe "(.*)" does', text)
    assert recipe and f"## {recipe[1]}\n" in (Path(__file__).resolve().parents[1] / "RECIPES.md").read_text()
    assert "`Writer(dest, schema)` and `list(itertools.islice(rows, 10_000))`" in text


def test_lengths_and_dicts(path):
    data = arrow_ipc.dataset(path)
    assert "`dataset.count()` counts them, `dataset.files` has the paths" in text_of(lambda: len(data), TypeError)
    assert data and data.count() == 2 and len(data.files) == 1 and sum(batch.num_rows for batch in list(data)) == 2
    assert {name: field.type for name, field in dict(data.schema).items()} == {"id": "int64", "name": "utf8"}
    assert arrow_ipc.Schema(dict(data.schema)) == data.schema


def test_words_of_wrong_types(path, tmp_path):
    """Not in the words of Rust, wherever an argument is taken."""
    file = arrow_ipc.open(path)
    batch, target = file[:], tmp_path / "x.arrow"
    for word in ["dictionaries", "unused", "row_counts"]:
        text = text_of(lambda word=word: arrow_ipc.write_file(target, file, **{word: 3}), TypeError)
        assert "expected str, found <class 'int'>" in text and f"'{word}'" in text
    for call in [
        lambda: arrow_ipc.write_file(target, file, statistics="yes"),
        lambda: arrow_ipc.open(path, memory_map=1),
        lambda: arrow_ipc.validate(path, strict=1),
        lambda: batch["id"].cast("int8", lossy=1),
        lambda: batch["id"].to_numpy(zero_copy_only=0),
        lambda: batch.equals(batch, metadata="all"),
    ]:
        assert "expected bool, found <class" in text_of(call, TypeError)
    for call in [lambda: arrow_ipc.Schema.parse(3), lambda: arrow_ipc.Field(3, "int8"), lambda: 3 in batch, lambda: arrow_ipc.stats(path, columns=["id", 1])]:
        assert "expected str, found <class 'int'>" in text_of(call, TypeError)
    assert "a column is a name or a position, found <class 'NoneType'>" in text_of(lambda: batch.column(None), TypeError)
    assert "expected an `arrow_ipc.RecordBatch`" in text_of(lambda: batch.same_rows([1]), TypeError)
    assert "expected an `arrow_ipc.Array`" in text_of(lambda: batch["id"].same_values([1]), TypeError)
    assert "expected an `arrow_ipc.Field`" in text_of(lambda: file.schema["id"].equals("id"), TypeError)
    assert "metadata is a dict of str to str" in text_of(lambda: arrow_ipc.write_file(target, file, metadata=[1]), TypeError)
    writer = arrow_ipc.DatasetWriter(tmp_path / "set", {"a": "int8"})
    assert "parts are what `write` gives, found <class 'int'>" in text_of(lambda: writer.commit([1]), TypeError)
    writer.abort()


def test_equals_of_other_libraries(path):
    file = arrow_ipc.open(path)
    batch = file[:]
    other = pa.record_batch(batch)
    assert "`arrow_ipc.RecordBatch(other)` makes one" in text_of(lambda: batch.equals(other), TypeError)
    assert "`arrow_ipc.Array.from_arrow(other)` makes one" in text_of(lambda: batch["id"].equals(other["id"]), TypeError)
    assert "`arrow_ipc.Schema(other)` makes one" in text_of(lambda: batch.schema.equals(other.schema), TypeError)
    assert batch.equals(arrow_ipc.RecordBatch(other)) and batch.schema.equals(arrow_ipc.Schema(other.schema))
    assert batch["id"].equals(arrow_ipc.Array.from_arrow(other["id"]))
    assert batch != other and batch["id"] != other["id"]
    # Schemas and fields are compared.
    assert batch.schema == other.schema and other.schema == batch.schema and not batch.schema != other.schema
    assert batch.schema[0] == other.schema.field(0) and other.schema.field(0) == batch.schema[0] != other.schema.field(1)
    assert batch.schema != other and batch.schema != pa.schema([("id", "int8")]) and batch.schema[0] != pa.int64() and batch.schema != other.schema.with_metadata({"k": "v"})


def test_encodings_by_other_names():
    for name in ["latin1", "latin-1", "Latin-1", "ISO-8859-1"]:
        assert next(arrow_ipc.read_csv("n\ngrün\n".encode("latin1"), encoding=name))["n"][0] == "grün"
    assert next(arrow_ipc.read_csv("n\ngrün\n".encode(), encoding="UTF8"))["n"][0] == "grün"
    assert "allowed: 'utf-8'" in text_of(lambda: arrow_ipc.read_csv(b"n\n1\n", encoding="ebcdic"), ValueError)
    assert 'encoding="latin1"' in text_of(lambda: list(arrow_ipc.read_csv("n\ngrün\n".encode("latin1"))))


def test_hints_that_help(path, tmp_path):
    for name, bytes_ in [("some.csv.gz", gzip.compress(b"id\n1\n"))]:
        (tmp_path / name).write_bytes(bytes_)
        text = text_of(lambda name=name: arrow_ipc.open(tmp_path / name), arrow_ipc.ArrowIpcError)
        assert "read_csv and read_json read compressed text" in text and "neither Arrow data" not in text

    many = b"a,b\n1,2\n1,2,3\n"
    text = text_of(lambda: list(arrow_ipc.read_csv(many, ragged="pad")), arrow_ipc.ArrowIpcError)
    assert 'ragged="skip"' in text and "pad" not in text
    assert 'ragged="pad"' in text_of(lambda: list(arrow_ipc.read_csv(b"a,b\n1,2\n1\n")), arrow_ipc.ArrowIpcError)
    text = text_of(lambda: list(arrow_ipc.read_csv(b"a\nx\n", schema={"a": "int8"})), arrow_ipc.ArrowIpcError)
    assert 'types={"a": "utf8"} reads the column as utf8; without types= and schema=' in text

    times = tmp_path / "times.arrow"
    arrow_ipc.write_file(times, pa.table({"at": pa.array([1, 2], pa.timestamp("us")), "n": [1, 2]}))
    text = text_of(lambda: arrow_ipc.split_file(times, tmp_path / "parts", by="at"), arrow_ipc.ArrowIpcError)
    assert 'cast={column: "date32"} with lossy=True makes days of them' in text and "--" not in text
    arrow_ipc.split_file(times, tmp_path / "parts", by="at", cast={"at": "date32"}, lossy=True)

    text = text_of(lambda: arrow_ipc.append(path, times), arrow_ipc.ArrowIpcError)
    assert "columns=, rename= and cast= change the columns" in text and "RecordBatch({name" not in text
    text = text_of(lambda: arrow_ipc.append(path, pa.table({"n": [1]})), arrow_ipc.ArrowIpcError)
    assert "RecordBatch({name" in text


def test_extension_types_by_name():
    for name, given in [("uuid", pa.uuid()), ("json", pa.json_()), ("bool8", pa.bool8())]:
        assert pa.schema(arrow_ipc.Schema({"u": name})).field("u").type == given
    ids = [uuid.UUID(int=1), None]
    for given in ("uuid", uuid.UUID):
        batch = arrow_ipc.RecordBatch({"u": ids}, {"u": given})
        assert batch.schema["u"].extension_name == "arrow.uuid" and batch["u"].to_pylist() == ids


def test_types_with_other_names():
    for given, meant in [("float", "float64"), ("int", "int64"), ("i4", "int32"), ("f8", "float64")]:
        assert f'"{meant}"' in text_of(lambda: arrow_ipc.Schema({"a": given}), arrow_ipc.ArrowIpcError)
    union = {"u": "dense_union<0=i: int64, 1=s: utf8>"}
    assert "pass an array of a library" in text_of(lambda: arrow_ipc.RecordBatch({"u": [1, "a"]}, union), TypeError)


def test_names_of_columns_as_text(path):
    """In SQL, double quotes are those of names. Here they are also those of text, so the error shows both."""
    batch = {"ship": ["a", "b"], "bill": ["a", "c"]}
    arrow_ipc.write_file(path, batch)
    for where in ['ship = "bill"', 'bill != "ship"']:
        text = text_of(lambda: arrow_ipc.count(path, where=where), arrow_ipc.ArrowIpcError)
        assert "as a column, write" in text and "as text, write '" in text
    assert arrow_ipc.count(path, where="ship = bill") == 1
    assert arrow_ipc.count(path, where="ship = 'bill'") == 0
    assert arrow_ipc.count(path, where='ship = "b"') == 1


def test_many_texts(tmp_path):
    (tmp_path / "b.csv").write_text("id,name\n2,bo\n")
    (tmp_path / "a.csv").write_text("id,name\n1,al\n")
    (tmp_path / "c.jsonl").write_text('{"id": 3}\n')
    expected = [{"id": 1, "name": "al"}, {"id": 2, "name": "bo"}]
    files = [tmp_path / "a.csv", str(tmp_path / "b.csv")]
    for source in (str(tmp_path / "*.csv"), tmp_path / "*.csv", files, tuple(files), [file.read_bytes() for file in map(Path, files)]):
        assert arrow_ipc.concat(arrow_ipc.read_csv(source)).to_pylist() == expected, source
    assert arrow_ipc.concat(arrow_ipc.read_json([tmp_path / "c.jsonl"] * 2)).to_pylist() == [{"id": 3}] * 2
    # The columns of the first are those of all.
    (tmp_path / "d.csv").write_text("id,name\nx,bo\n")
    rows = arrow_ipc.read_csv(str(tmp_path / "[ad].csv"))
    assert next(rows).num_rows == 1
    with pytest.raises(arrow_ipc.ArrowIpcError, match="d.csv: line 2"):
        next(rows)
    assert list(rows) == []
    rows = arrow_ipc.read_csv([files[0], tmp_path / "d.csv", files[1]])
    assert next(rows).num_rows == 1
    with pytest.raises(arrow_ipc.ArrowIpcError, match="d.csv"):
        next(rows)
    assert [next(rows, None), next(rows, None)] == [None, None]
    assert arrow_ipc.concat(arrow_ipc.read_csv([*files, tmp_path / "d.csv"], types={"id": "utf8"}))["id"].to_pylist() == ["1", "2", "x"]
    # Other columns: which file, which columns, and what to do.
    (tmp_path / "e.csv").write_text("id,city,town\n3,oslo,x\n")
    for first, last in [(files[0], "e.csv"), (tmp_path / "e.csv", "a.csv")]:
        rows = arrow_ipc.read_csv([first, tmp_path / last])
        assert next(rows).num_rows == 1
        with pytest.raises(arrow_ipc.ArrowIpcError) as raised:
            next(rows)
        lacks = "name" if last == "e.csv" else "city"
        assert f"{last}: line 1: the header lacks the column" in str(raised.value) and f'"{lacks}"' in str(raised.value)
        assert str(first) in raised.value.hint and "dataset([...])" in raised.value.hint
    arrow_ipc.convert(files[0], tmp_path / "a.arrow")
    arrow_ipc.convert(tmp_path / "e.csv", tmp_path / "e.arrow")
    both = arrow_ipc.dataset([str(tmp_path / "a.arrow"), str(tmp_path / "e.arrow")])
    assert [row["city"] for batch in both for row in batch.to_pylist()] == [None, "oslo"]
    (tmp_path / "e.csv").unlink()
    # Empty files have no columns.
    assert arrow_ipc.concat(arrow_ipc.read_csv([b"", files[0], b"", files[1]])).to_pylist() == expected
    assert "is empty" in text_of(lambda: arrow_ipc.read_csv([b"", b""]), arrow_ipc.ArrowIpcError)
    (tmp_path / "deep" / "er").mkdir(parents=True)
    (tmp_path / "deep" / "er" / "[x].csv").write_text("id,name\n7,ed\n")
    (tmp_path / "deep" / "folder.csv").mkdir()
    for source in ("deep/**/*.csv", "deep/**", "deep/er/[x].csv"):
        assert arrow_ipc.concat(arrow_ipc.read_csv(str(tmp_path / source)))["id"].to_pylist() == [7], source
    arrow_ipc.write_file(tmp_path / "x.arrow", {"id": [1]})
    with pytest.raises(arrow_ipc.ArrowIpcError, match="x.arrow: this is Arrow data"):
        list(arrow_ipc.read_csv([files[0], tmp_path / "x.arrow"]))
    with pytest.raises(FileNotFoundError):
        arrow_ipc.read_csv(str(tmp_path / "none-*.csv"))
    assert "empty" in text_of(lambda: arrow_ipc.read_csv([]), ValueError)
    missing = arrow_ipc.read_csv([files[0], tmp_path / "none.csv"])
    assert next(missing).num_rows == 1
    with pytest.raises(FileNotFoundError):
        next(missing)


def test_hints_of_text_and_sets(tmp_path):
    mixed = b'{"a":1}\n{"a":"x"}\n'
    assert 'types={"a": "utf8"} reads all its values' in text_of(lambda: arrow_ipc.read_json(mixed, infer_rows="all"), arrow_ipc.ArrowIpcError)
    assert arrow_ipc.concat(arrow_ipc.read_json(mixed, types={"a": "utf8"}))["a"].to_pylist() == ["1", "x"]


def test_unknown_names(path, tmp_path):
    assert "unexpected keyword argument 'nothing'" in text_of(lambda: arrow_ipc.open(path, nothing=1), TypeError)
    assert "write_file makes a file" in text_of(lambda: arrow_ipc.append(tmp_path / "not.arrow", {"a": [1]}), FileNotFoundError)
    assert "into= and target_bytes=" in text_of(lambda: arrow_ipc.split_file(path, tmp_path / "few", rows=1), TypeError)
    assert arrow_ipc.diff(path, path, key="id").same


def test_extremes_are_values(tmp_path):
    """As texts, 9.5 would be greater than 10.0."""
    day, instant = datetime.date(2024, 2, 29), datetime.datetime(2024, 2, 29, 12, tzinfo=datetime.timezone.utc)
    columns = {
        "day": ([day, None, day + datetime.timedelta(1)], "date32"),
        "price": ([Decimal("10.00"), Decimal("9.50"), None], "decimal128(5, 2)"),
        "at": ([None, instant, instant], 'timestamp(us, "UTC")'),
        "took": ([datetime.timedelta(1)] * 3, "duration(ms)"),
        "name": (["b", "a", None], "utf8"),
        "infinite": ([float("inf"), 1.5, None], "float64"),
    }
    batch = arrow_ipc.RecordBatch({name: values for name, (values, _) in columns.items()}, {name: type for name, (_, type) in columns.items()})
    arrow_ipc.write_file(tmp_path / "a.arrow", batch)
    found = arrow_ipc.stats(tmp_path / "a.arrow").columns
    for name, (values, _) in columns.items():
        known = [value for value in values if value is not None]
        assert (found[name]["min"], found[name]["max"]) == (min(known), max(known)), name
    # Python has no nanoseconds.
    arrow_ipc.write_file(tmp_path / "b.arrow", pa.table({"ns": pa.array([0, 1], pa.timestamp("ns"))}))
    found = arrow_ipc.stats(tmp_path / "b.arrow").columns["ns"]
    assert (found["min"], found["max"]) == ("1970-01-01T00:00:00.000000000", "1970-01-01T00:00:00.000000001")


def test_interrupted_appends(tmp_path):
    """What an appender leaves that was killed: the old footer again at the end, after bytes of the new batch."""
    log = tmp_path / "log.arrow"
    arrow_ipc.write_file(log, {"i": [1]})
    content = log.read_bytes()
    n_footer = int.from_bytes(content[-10:-6], "little") + 10
    log.write_bytes(content[:-n_footer] + b"half of a batch." * 4 + content[-n_footer:])
    assert "an append that is still running, or was interrupted" in text_of(lambda: arrow_ipc.validate(log), arrow_ipc.ArrowIpcError)
    with pytest.warns(UserWarning, match="72 bytes from byte .* to the footer are in none of its blocks"):
        assert arrow_ipc.open(log).to_pylist() == [{"i": 1}]
    arrow_ipc.append(log, {"i": [2]})
    arrow_ipc.validate(log)
    assert arrow_ipc.open(log)["i"].to_pylist() == [1, 2]


def test_notes_are_printed(tmp_path):
    arrow_ipc.write_file(tmp_path / "b.arrow", {"n": [1, 2], "b": [True, False]})
    made = arrow_ipc.split_file(tmp_path / "b.arrow", tmp_path / "set", by="b")
    assert "readers of the data set find utf8" in str(made)
    assert str(arrow_ipc.convert(tmp_path / "b.arrow", tmp_path / "c.arrow")) == "no losses"


def test_the_index_of_a_frame_is_a_column(tmp_path):
    arrow_ipc.write_file(tmp_path / "a.arrow", {"a": [1], "b": ["x"]})
    frame = pandas.DataFrame({"a": [5], "b": ["q"]}, index=[7])
    with pytest.raises(ValueError) as caught:
        arrow_ipc.append(tmp_path / "a.arrow", frame)
    assert "__index_level_0__" in caught.value.hint and "`frame.reset_index(drop=True)`" in caught.value.hint
    arrow_ipc.append(tmp_path / "a.arrow", frame.reset_index(drop=True))
    assert arrow_ipc.open(tmp_path / "a.arrow")["b"].to_pylist() == ["x", "q"]


def test_data_sets_are_no_sources_and_keys_have_columns(tmp_path):
    path = tmp_path / "n.arrow"
    arrow_ipc.write_file(path, {"n": [1, 2]})
    rows = arrow_ipc.dataset(path, where="n > 1")
    for source in [rows, rows.split(1)[0]]:
        for function in [arrow_ipc.count, arrow_ipc.stats, arrow_ipc.open]:
            with pytest.raises(TypeError, match="where=") as caught:
                function(source)
            assert "its rows are an `Iterable` of batches" in str(caught.value)
    assert arrow_ipc.count(path, where="n > 1").n_rows == 1
    arrow_ipc.write_csv(tmp_path / "n.csv", rows)
    assert (tmp_path / "n.csv").read_text() == "n\n2\n"
    with pytest.raises(ValueError, match="a key has at least one column"):
        arrow_ipc.diff(path, path, key=[])


def test_guesses_of_a_first_day(path, tmp_path):
    """What people try that know pandas and pyarrow; what the error names instead works."""
    file, batch, array = (opened := arrow_ipc.open(path)), opened.batch(0), opened["id"]
    # A mask of a condition.
    for call, sign in [(lambda: array > 1, ">"), (lambda: array <= 1, "<="), (lambda: file[array > 1], ">"), (lambda: 1 < array, ">")]:
        text = text_of(call, TypeError)
        assert f'filter("id {sign} 1")' in text and f"[value {sign} 1 for value in array]" in text
    assert array == opened["id"] and not array != opened["id"] and array != None and array != [1, 2] and array != object()  # noqa: E711
    assert arrow_ipc.dataset(path, where="id > 1").count() == int((array.to_numpy() > 1).sum()) == 1
    text = text_of(lambda: arrow_ipc.Writer(tmp_path / "x.arrow", pandas.DataFrame({"id": [1]})), TypeError)
    assert "`RecordBatch(data).schema`" in text
    arrow_ipc.convert(path, tmp_path / "rows.arrow", batch_rows=1, rename={"id": "key"})
    assert [part.column_names for part in arrow_ipc.open(tmp_path / "rows.arrow")] == [["key", "name"]] * 2
    for type_, words in [("category", "`dictionary<int32, utf8>`"), ("datetime64[ns]", "`timestamp(us)`"), ("timestamp", "`timestamp(us)`"), ("duration", "`duration(us)`")]:
        assert words in text_of(lambda: array.cast(type_), arrow_ipc.ArrowIpcError)
    frame = pandas.DataFrame({"id": [1]}, index=["a"])
    arrow_ipc.write_csv(tmp_path / "x.csv", frame.reset_index(drop=True))
    assert (tmp_path / "x.csv").read_text() == "id\n1\n"


def test_structs_are_cast_by_the_names_of_their_fields(tmp_path):
    array = arrow_ipc.Array([{"a": 1, "b": "x"}, None])
    assert array.cast("struct<b: large_utf8, a: int8, c: int64>").to_pylist() == [{"b": "x", "a": 1, "c": None}, None]
    path = tmp_path / "s.arrow"
    arrow_ipc.write_file(path, {"s": array})
    arrow_ipc.convert(path, tmp_path / "t.arrow", cast={"s": "struct<a: int8, b: utf8, c: bool>"})
    assert arrow_ipc.open(tmp_path / "t.arrow").schema["s"].type == "struct<a: int8, b: utf8, c: bool>"
    with pytest.raises(arrow_ipc.ArrowIpcError, match="which has no field `b`") as caught:
        array.cast("struct<a: int64>")
    assert '`open(path, columns=["s.x"])` reads the struct `s` with its field `x` alone' in caught.value.hint
    alone = arrow_ipc.open(path, columns=["s.a"])["s"]
    assert (alone.type, alone.cast("struct<a: int8>").to_pylist()) == ("struct<a: int64>", [{"a": 1}, None])
    assert arrow_ipc.open(path).batch(0)["s.a"].to_pylist() == [1, None]


def test_numbers_of_threads(path, tmp_path):
    """All functions take 1 thread or more."""
    csv = tmp_path / "x.csv"
    csv.write_text("a\n1\n")
    for call in [
        lambda n: arrow_ipc.open(path, threads=n),
        lambda n: arrow_ipc.dataset(path, threads=n),
        lambda n: arrow_ipc.validate(path, threads=n),
        lambda n: arrow_ipc.stats(path, threads=n),
        lambda n: arrow_ipc.convert(path, tmp_path / "y.arrow", threads=n),
        lambda n: arrow_ipc.read_csv(csv, threads=n),
        lambda n: arrow_ipc.read_json(csv, threads=n),
    ]:
        assert "expected 1 or more, found 0" in text_of(lambda: call(0), ValueError)
        assert "expected 1 or more, found -1" in text_of(lambda: call(-1), ValueError)


def test_what_no_path_is(path):
    """A text that is not Unicode is no path and no name."""
    for call in [
        lambda: arrow_ipc.open("\ud800.arrow"),
        lambda: arrow_ipc.write_file("\ud800.arrow", {"a": [1]}),
        lambda: arrow_ipc.open(path).batch(0)["\ud800"],
    ]:
        with pytest.raises(UnicodeEncodeError):
            call()
    with pytest.raises(ValueError, match="a: no type of integers holds all from 1 to one of more than 100 digits"):
        arrow_ipc.RecordBatch({"a": [1, 2**100_000]})


def test_a_source_that_would_block(path):
    class Silent(io.RawIOBase):
        def readable(self):
            return True

        def readinto(self, memory):
            return None

    with pytest.raises(BlockingIOError, match="gave None"):
        arrow_ipc.read_stream(Silent())
