"""Random malformed CSV beside Python's `csv`: the same rows, or an error of both."""

import csv
import datetime
import decimal
import gzip
import io
import json
import re
import random
import warnings
from pathlib import Path
from typing import Any

import arrow_ipc
import polars
import pyarrow as pa
import pytest
from how_often import times

PIECES = ["a", "b c", "1", "é", " ", '"', '""', ",", ",", ";", "\n", "\n", "\r\n", "#", "x,y\n", '"p\nq",r\n']


def of_python(text: str, n_cells: int) -> list[list[str]] | None:
    try:
        rows = list(csv.reader(io.StringIO(text, newline=""), strict=True))
    except csv.Error:
        return None
    return [row for row in rows if len(row) == n_cells]


def of_arrow(text: str, n_cells: int, **options: object) -> list[list[str]] | None:
    types = {f"c{n}": "utf8" for n in range(n_cells)}
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            stream = arrow_ipc.read_csv(
                text.encode(), no_header=True, delimiter=",", null="", skip=0, ragged="skip", types=types, **options
            )
            return [[cell or "" for cell in row.values()] for batch in stream for row in batch.to_pylist()]
    except arrow_ipc.ArrowIpcError:
        return None


@pytest.mark.parametrize("seed", range(times(50, 1_000)))
def test_rows_are_those_of_python(seed: int) -> None:
    rng = random.Random(seed)
    n_cells = rng.randint(1, 3)
    # The first row says how many columns there are.
    first = ",".join(["z"] * n_cells) + "\n"
    for _ in range(20):
        text = first + "".join(rng.choices(PIECES, k=rng.randint(0, 12)))
        assert of_arrow(text, n_cells) == of_python(text, n_cells), repr(text)


@pytest.mark.filterwarnings("ignore:cells begin and end with '")
def test_written_by_python_in_any_dialect() -> None:
    rng = random.Random(7)
    cells = ["", "a", 'say "hi"', "x,y", "two\nlines", "é", " space ", "007", "NA", "#", "'", ";", "\t"]
    for case in range(100):
        delimiter = rng.choice([",", ";", "\t", "|"])
        n_cells = rng.randint(2, 5)
        rows = [[rng.choice(cells) for _ in range(n_cells)] for _ in range(rng.randint(1, 8))]
        text = io.StringIO()
        dialect = {"delimiter": delimiter, "lineterminator": rng.choice(["\n", "\r\n"])}
        writer = csv.writer(text, quoting=rng.choice([csv.QUOTE_MINIMAL, csv.QUOTE_ALL]), **dialect)
        names = [f"n{n}" for n in range(n_cells)]
        writer.writerows([names, *rows])
        data = text.getvalue().encode()
        stream = arrow_ipc.read_csv(data, delimiter=delimiter, types=dict.fromkeys(names, "utf8"))
        found = [[cell or "" for cell in row.values()] for batch in stream for row in batch.to_pylist()]
        assert found == rows, (case, data)


def test_what_is_found_is_told(tmp_path: Path) -> None:
    with pytest.warns(UserWarning, match="lines 1 to 2 are taken for a title"):
        titled = arrow_ipc.read_csv(b"Sales\n\nday;sum\na;1,5\n", decimal=",")
    assert next(titled).to_pylist() == [{"day": "a", "sum": 1.5}]
    with pytest.warns(UserWarning, match="taken for a row"):
        rows = arrow_ipc.read_csv(b"1,ada\n2,bob\n")
    assert next(rows).column("c1").to_pylist() == ["ada", "bob"]
    skipped = arrow_ipc.read_csv(b"a,b\n1,2\n3\n", ragged="skip")
    with pytest.warns(UserWarning, match="1 row with another number of cells is skipped, on line 3"):
        assert sum(len(batch.to_pylist()) for batch in skipped) == 1
    paths = [tmp_path / "a.csv", tmp_path / "b.csv"]
    for path in paths:
        path.write_bytes(b"a,b\n1,2\n3\n")
    with pytest.warns(UserWarning, match="is skipped, on line 3") as warned:
        assert len(arrow_ipc.concat(arrow_ipc.read_csv(paths, ragged="skip"))) == 2
    assert [str(warning.message).split(": ")[0] for warning in warned] == [str(path) for path in paths]
    report = arrow_ipc.convert(b"a,b\n1,2\n3\n", io.BytesIO(), from_="csv", container="stream", ragged="skip")
    assert "on line 3" in str(report.lost)
    for look, n_notes in [(arrow_ipc.count, 1), (arrow_ipc.stats, 1), (lambda text, **options: arrow_ipc.diff(text, text, **options), 2)]:
        with pytest.warns(UserWarning, match="1 row with another number of cells is skipped, on line 3"):
            report = look(b"a,b\n1,2\n3\n", ragged="skip")
        assert len(report.notes) == n_notes and "on line 3" in report.notes[0]
        with warnings.catch_warnings(), pytest.raises(UserWarning, match="on line 3"):
            warnings.simplefilter("error")
            look(b"a,b\n1,2\n3\n", ragged="skip")
    latin = arrow_ipc.read_csv("n,v\n1,grün\n".encode("latin1"), encoding="latin1", infer_rows="all", types={"n": "utf8"})
    assert next(latin).to_pylist() == [{"n": "1", "v": "grün"}]
    assert arrow_ipc.count(b'[{"a": 1},\n{"a": 2}]').n_rows == 2
    for wrong in [{"ragged": "cut"}, {"comment": "##"}, {"encoding": "ebcdic"}, {"infer_rows": "some"}, {"decimal": "1"}]:
        with pytest.raises(ValueError, match=str(*wrong.values())):
            arrow_ipc.read_csv(b"a,b\n1,2\n", **wrong)


def test_names_may_be_numbers() -> None:
    cases = [
        (b"item,11\na,1\n", {"11": "int8"}, {"item": "a", "11": 1}),
        (b"item,11\na,1\n", {"item": "utf8"}, {"item": "a", "11": 1}),
        (b"city,2023,2024\nOslo,1,2\n", {}, {"city": "Oslo", "2023": 1, "2024": 2}),
        (b"city,2023,2024\nOslo,1,2\n", {"2023": "float64"}, {"city": "Oslo", "2023": 1.0, "2024": 2}),
    ]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for text, types, row in cases:
            assert next(arrow_ipc.read_csv(text, types=types)).to_pylist() == [row], text
    # Years in all rows are values.
    with pytest.warns(UserWarning, match="header=True takes it for names"):
        rows = next(arrow_ipc.read_csv(b"ada,1990\nbob,1985\n")).to_pylist()
    assert rows == [{"c0": "ada", "c1": 1990}, {"c0": "bob", "c1": 1985}]


def test_rows_may_end_with_a_delimiter(tmp_path: Path) -> None:
    rows = [{"a": 1, "b": 2}, {"a": 3, "b": None}]
    text = b"a,b\n1,2,\n3,,\n"
    for options in [{}, {"ragged": "skip"}, {"ragged": "pad"}, {"schema": arrow_ipc.Schema.parse("a: int8\nb: int8")}, {"delimiter": ",", "header": True}]:
        with pytest.warns(UserWarning, match="all rows end with ','"):
            assert next(arrow_ipc.read_csv(text, **options)).to_pylist() == rows, options
    paths = [tmp_path / "a.csv", tmp_path / "b.csv"]
    for path in paths:
        path.write_bytes(text)
    with pytest.warns(UserWarning, match="all rows end with ','"):
        assert arrow_ipc.concat(arrow_ipc.read_csv(paths)).to_pylist() == rows * 2
    # Text in the last cell is never lost, and the hint leads to a call that reads the rows.
    for wrong in [b"a,b\n1,2,\n3,4,5\n", b"a,b\n" + b"1,2,\n" * 400 + b"1,2,3\n"]:
        with warnings.catch_warnings(), pytest.raises(arrow_ipc.ArrowIpcError, match="expected 2 cells, found 3"):
            warnings.simplefilter("ignore")
            list(arrow_ipc.read_csv(wrong))
    with pytest.raises(arrow_ipc.ArrowIpcError) as raised:
        list(arrow_ipc.read_csv(b"a,b\n1,2\n3,,\n"))
    assert 'ragged="pad"' in raised.value.hint
    assert next(arrow_ipc.read_csv(b"a,b\n1,2\n3,,\n", ragged="pad")).to_pylist() == rows


def test_dates_may_have_a_time() -> None:
    expected = [datetime.datetime(2024, 12, 31, 17, 7), datetime.datetime(2024, 12, 31), None, datetime.datetime(2024, 12, 31, 0, 7, 9)]
    for dates, text in [
        ("mdy", "t,n\n12/31/2024 5:07 PM,1\n12/31/2024,1\n,1\n12/31/2024 12:07:09 am,1\n"),
        ("dmy", "t,n\n31.12.2024 17:07:00,1\n31.12.2024,1\n,1\n31.12.2024 0:07:09,1\n"),
        ("ymd", "t,n\n2024/12/31 05:07 p.m.,1\n2024-12-31,1\n,1\n2024-12-31 00:07:09,1\n"),
    ]:
        for types in [{}, {"t": "timestamp(s)"}, {"t": "timestamp(ns)"}]:
            assert next(arrow_ipc.read_csv(text.encode(), dates=dates, types=types))["t"].to_pylist() == expected, (dates, types)
    for dates, example in [("mdy", "02/29/2024"), ("dmy", "29/02/2024"), ("ymd", "2024/02/29")]:
        for data_type, what in [("timestamp(s)", f"a timestamp such as {example} 12:34:56"), ("date32", f"a date such as {example}")]:
            with pytest.warns(UserWarning, match=f'dates="{dates}" changes nothing'), pytest.raises(arrow_ipc.ArrowIpcError, match=what):
                list(arrow_ipc.read_csv(b"t\n12/31.2024\n", dates=dates, types={"t": data_type}))


class Pipe:
    """A file-like object without `seek`."""

    def __init__(self, data: bytes) -> None:
        self.rest = io.BytesIO(data)

    def read(self, n: int = -1) -> bytes:
        return self.rest.read(n)


def test_errors_of_streams_have_the_hints_of_files(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    names = "id,v\n"
    cases = [(names + "1,2\n" * 1500 + "x,2\n", 'infer_rows="all"'), (names + "1,2\n" * 1500 + "1\n", 'ragged="pad"')]
    for text, hint in cases:
        path.write_text(text)
        for source in [lambda: path, text.encode, lambda: io.BytesIO(text.encode()), lambda: Pipe(text.encode())]:
            with pytest.raises(arrow_ipc.ArrowIpcError) as raised:
                list(arrow_ipc.read_csv(source(), infer_rows=1_000))
            assert hint in raised.value.hint
            # Other libraries only get a text.
            readers = [pa.table, lambda stream: pa.RecordBatchReader.from_stream(stream).read_all(), polars.DataFrame]
            for read in readers:
                with pytest.raises((OSError, ValueError, polars.exceptions.PolarsError), match="line [0-9]+: ") as raised:
                    read(arrow_ipc.read_csv(source(), infer_rows=1_000))
                assert "\nhint: " in str(raised.value) and hint in str(raised.value)
    # The hint of a list names the first file.
    path.write_text("a\n1\n")
    with pytest.raises(OSError, match="hint: the columns of all are those of .*a.csv"):
        pa.table(arrow_ipc.read_csv([path, b"b\n1\n"]))


def test_texts_with_only_names_have_the_types_of_the_others(tmp_path):
    (tmp_path / "1.csv").write_text("id,name\n")
    (tmp_path / "2.csv").write_text("")
    (tmp_path / "3.csv").write_text("id,name\n1,a\n")
    (tmp_path / "4.csv").write_text("id,name\n")
    paths = [tmp_path / f"{k}.csv" for k in (1, 2, 3, 4)]
    for sources in [paths, str(tmp_path / "*.csv"), [path.read_bytes() for path in paths]]:
        rows = arrow_ipc.read_csv(sources)
        assert str(rows.schema["id"].type) == "int64"
        assert [row for batch in rows for row in batch.to_pylist()] == [{"id": 1, "name": "a"}]
    for sources in [[paths[0]], [paths[0], paths[1]], [paths[1], paths[0]], [paths[0], paths[3]]]:
        rows = arrow_ipc.read_csv(sources)
        assert rows.schema.names == ["id", "name"] and list(rows) == []
    assert arrow_ipc.read_csv([b"a,b\n", b"b,a\n"][:1] * 2).schema.names == ["a", "b"]
    with pytest.raises(arrow_ipc.ArrowIpcError, match="empty"):
        arrow_ipc.read_csv([paths[1], paths[1]])
    # A note is told once for each text.
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        assert len(list(arrow_ipc.read_csv([b"sep=;\na;b\n1;2\n", b"a;b\n3;4\n"]))) == 2
    assert len(told) <= 1, [str(each.message) for each in told]
    # Other names are still an error, although no row has them.
    (tmp_path / "1.csv").write_text("key,name\n")
    with pytest.raises(arrow_ipc.ArrowIpcError, match="key"):
        list(arrow_ipc.read_csv(paths))


def test_other_formats_are_no_text(tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet")
    parquet.write_table(pytest.importorskip("pyarrow").table({"a": [1]}), tmp_path / "a.parquet")
    for read in [arrow_ipc.read_csv, arrow_ipc.read_json]:
        with pytest.raises(arrow_ipc.ArrowIpcError, match="Parquet"):
            read(tmp_path / "a.parquet")


def test_text_in_another_form_is_told() -> None:
    rows = b'\xef\xbb\xbf {"a":1,"b":2}\n{"a":3,"b":4}\n'
    with pytest.warns(UserWarning, match="the text looks like JSON: read_json reads it"):
        arrow_ipc.read_csv(rows)
    with pytest.warns(UserWarning, match="looks like JSON"):
        arrow_ipc.read_csv(b'[{"a":1}]\n')
    with pytest.warns(UserWarning, match="looks like HTML"):
        list(arrow_ipc.read_csv(b"\n<HTML lang=en>\n"))
    with pytest.warns(UserWarning, match="the text looks like CSV: read_csv reads it"), pytest.raises(arrow_ipc.ArrowIpcError):
        arrow_ipc.read_json(b"a,b\n1,2\n")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        list(arrow_ipc.read_csv(b"[a],[b]\n1,2\n"))
        list(arrow_ipc.read_json(rows))


def test_utf_16_needs_no_byte_order_mark(tmp_path: Path) -> None:
    rows = [{"id": 1, "name": "ada"}, {"id": 2, "name": "grün"}]
    for encoding in ["utf-16", "utf-16-le", "utf-16-be"]:
        text = "id,name\n1,ada\n2,grün\n".encode(encoding)
        path = tmp_path / f"{encoding}.txt"
        path.write_bytes(text)
        for source in [text, path]:
            assert next(arrow_ipc.read_csv(source)).to_pylist() == rows, encoding
            assert arrow_ipc.count(source) == 2, encoding
    with pytest.raises(arrow_ipc.ArrowIpcError, match="the first bytes are UTF-16, little-endian"):
        arrow_ipc.read_csv("id,name\n1,ada\n".encode("utf-16-le"), encoding="latin1")


def test_text_of_a_pipe_is_read_as_the_hint_says(tmp_path: Path) -> None:
    class Pipe(io.RawIOBase):
        def __init__(self, text: bytes) -> None:
            self.text = io.BytesIO(text)

        def readable(self) -> bool:
            return True

        def readinto(self, to: Any) -> int:
            return self.text.readinto(to)

    for text, form in [(b"id,name\n1,ada\n", "csv"), (b'{"id":1}\n{"id":2}\n', "jsonl")]:
        with pytest.raises(arrow_ipc.ArrowIpcError, match="neither an Arrow IPC file nor a stream") as raised:
            arrow_ipc.convert(Pipe(text), tmp_path / "a.arrow")
        assert f'of a pipe, with from_="{form}"' in raised.value.hint
        arrow_ipc.convert(Pipe(text), tmp_path / "a.arrow", from_=form)
        assert arrow_ipc.open(tmp_path / "a.arrow").num_rows == text.count(b"1,ada") + text.count(b"id\":")


def hint_of(read: Any) -> str:
    """The hint of the error that the call raises."""
    with warnings.catch_warnings(), pytest.raises(arrow_ipc.ArrowIpcError) as raised:
        warnings.simplefilter("ignore")
        list(read())
    return raised.value.hint


def test_who_follows_a_hint_reads_the_text() -> None:
    longer = b"id,v\n" + b"1,2\n" * 1500
    title = b"Report of Q1,,\nby me\nagain,x\n\na,b,c\n1,2,3\n"
    cases: list[tuple[Any, dict[str, Any], str, dict[str, Any]]] = [
        # Only the first text is inferred.
        ([b"id,v\n1,2\n", b"id,v\n2,2.5\n"], {}, 'types={"v": "float64"}', {"types": {"v": "float64"}}),
        (longer + b"1,2.5\n", {"infer_rows": 1_000}, 'types={"v": "float64"}', {"types": {"v": "float64"}}),
        (longer + b"1,2.5\n", {"infer_rows": 1_000}, 'infer_rows="all"', {"infer_rows": "all"}),
        (b"t\n31.12.2024\n", {"types": {"t": "date32"}}, 'dates="dmy"', {"dates": "dmy"}),
        (b"t\n2024/12/31\n", {"types": {"t": "timestamp(s)"}}, 'dates="ymd"', {"dates": "ymd"}),
        (b"a;b\n1,5;2\n", {"types": {"a": "float64"}}, 'decimal=","', {"decimal": ","}),
        (b"a;b\n1.234,5;2\n", {"types": {"a": "float64"}}, 'decimal=",", thousands="."', {"decimal": ",", "thousands": "."}),
        (b"a;b\n1 234;2\n", {"types": {"a": "int64"}}, 'thousands=" "', {"thousands": " "}),
        (longer.replace(b",", b";") + b"1;2,5\n", {"infer_rows": 1_000}, 'decimal=",", types={"v": "float64"}', {"decimal": ",", "types": {"v": "float64"}}),
        (title, {}, "skip=N", {"skip": 4}),
        (b"a,b\n1,2\n3,4, \n", {}, 'ragged="pad"', {"ragged": "pad"}),
        (b"a,b\n1,2\n# note\n", {}, 'comment="#"', {"comment": "#"}),
        (b'{"a": true}\n{"a": 1}\n', {"from_": "jsonl"}, 'types={"a": "utf8"}', {"types": {"a": "utf8"}}),
        (b'{"a": [1]}\n{"a": 2}\n', {"from_": "jsonl"}, 'types={"a": "json"}', {"types": {"a": "json"}}),
        (b'{"a": {"b": 1, "b": 2}}\n', {"from_": "jsonl"}, 'types={"a": "json"}', {"types": {"a": "json"}}),
        (b'{"a": 1}\n' * 1500 + b'{"a": {}}\n', {"from_": "jsonl"}, 'types={"a": "json"}', {"types": {"a": "json"}}),
    ]
    for text, options, words, more in cases:
        if "from_" in options:
            read = lambda **more: arrow_ipc.read_json(text, **more)
        else:
            read = lambda **more: arrow_ipc.read_csv(text, **{**options, **more})
        assert words in hint_of(read), (text[-40:], hint_of(read))
        assert sum(len(batch) for batch in read(**more)) > 0
    # The hint for a type that does not help is another one.
    assert 'types={"a": "json"}' in hint_of(lambda: arrow_ipc.read_json(b'{"a": [1]}\n{"a": 2}\n', types={"a": "utf8"}))
    for text in [cases[0][0], [b"id,v\n1,2\n", longer + b"x,2\n"]]:
        assert "infer_rows" not in hint_of(lambda text=text: arrow_ipc.read_csv(text))
    texts = [b'{"a": 1}\n', b'{"a": 1, "b": 2}\n']
    assert "dataset([...])" in hint_of(lambda: arrow_ipc.read_json(texts))
    for text in [title, b"Report\nby me, and you\n\na,b,c\n1,2,3\n4,5\n"]:
        assert hint_of(lambda text=text: arrow_ipc.read_csv(text, skip=0)).startswith("skip=N")


def test_rows_may_be_taken_for_names(tmp_path: Path) -> None:
    path = tmp_path / "people.csv"
    path.write_bytes(b"ada,rome\nbob,oslo\n")
    for read in [lambda **more: arrow_ipc.read_csv(path.read_bytes(), types={"customer": "utf8", **more.pop("types", {})}, **more),
                 lambda **more: arrow_ipc.convert(path, tmp_path / "a.arrow", columns=["customer"], **more)]:
        with pytest.raises(KeyError) as raised:
            read()
        assert raised.value.hint == "the columns are: ada, rome; if these are values of the first row, no_header=True reads it as c0, c1 and so on"
        with pytest.raises(KeyError) as raised:
            read(no_header=True)
        assert raised.value.hint == "the columns are: c0, c1"
    # These lines have names, or a name is similar.
    for text, name in [(b"ada,rome\nbob,1\n", "customer"), (b"ada,rome\nbob,oslo\n", "adda")]:
        with pytest.raises(KeyError) as raised:
            arrow_ipc.read_csv(text, types={name: "utf8"})
        assert "no_header" not in raised.value.hint


def test_repeated_names_of_json_are_told(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text('{"a": 1}\n{"a": 3, "a": 4}\n')
    with pytest.raises(arrow_ipc.ArrowIpcError, match="line 2, byte 12: field `a`: the field is repeated") as raised:
        list(arrow_ipc.read_json(path))
    said = re.search("`(write_file.*)`", raised.value.hint)
    assert said
    dest = tmp_path / "a.arrow"
    eval(said[1], {"write_file": arrow_ipc.write_file, "json": json, "open": lambda path: path.read_text().splitlines(), "dest": dest, "path": path})
    assert arrow_ipc.open(dest)["a"].to_pylist() == [1, 4]


def test_pairs_of_json_need_a_schema(tmp_path: Path) -> None:
    data = pa.table([[1, 3], [2, 4]], ["id", "id"])
    path = tmp_path / "pairs.jsonl"
    arrow_ipc.write_json(path, data)
    assert path.read_text().startswith('[["id",1],["id",2]]')
    hint = hint_of(lambda: arrow_ipc.read_json(path))
    assert "read_json(source, schema=Schema([(name, type), ...]))" in hint
    again = arrow_ipc.read_json(path, schema=arrow_ipc.Schema([("id", "int64"), ("id", "int64")]))
    assert pa.table(again).equals(data)


def test_hints_of_values_can_be_followed() -> None:
    """Of each type and value that does not fit it: what the hint says reads the value, or gives another hint."""
    values = ["1,234", "1,234.5", "1.234,5", "1 234", "1 234,5", "1,5", "-0", "1.5", "0", "31/12/2024", "12/31/2024", "2024/12/31"]
    values += ["31.12.2024 10:00", "2024/12/31 10:00", "31/12/2024 10:00 PM", "x", "99999999999999999999", "1e5", "NaN", ""]
    kinds = ["int8", "uint64", "float64", "decimal128(9, 2)", "bool", "date32", "timestamp(s)", 'timestamp(s, "UTC")', "time32(s)"]
    n_followed = 0
    for kind in kinds:
        for value in values:
            text = f"a;b\n{value};1\n".encode()
            seen: set[str] = set()
            options: dict[str, Any] = {"types": {"a": kind}, "delimiter": ";"}
            while len(seen) < 3:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    try:
                        list(arrow_ipc.read_csv(text, **options))
                        break
                    except arrow_ipc.ArrowIpcError as error:
                        hint = error.hint
                assert hint not in seen, (kind, value, hint)
                seen.add(hint)
                said = re.match(r"(.*?) reads (such|the column)", hint)
                assert said, (kind, value, hint)
                more = eval(f"dict({said[1]})")
                options = {**options, **more, "types": {**options["types"], **more.get("types", {})}}
                n_followed += 1
            else:
                raise AssertionError((kind, value, seen))
    assert n_followed > 100


def test_columns_in_another_order_are_named(tmp_path: Path) -> None:
    for name, rows in [("a", {"x": [1], "y": ["a"]}), ("b", {"y": ["b"], "x": [2]}), ("c", {"x": ["3"], "y": ["c"]})]:
        arrow_ipc.write_file(tmp_path / f"{name}.arrow", rows)
    both = [tmp_path / "a.arrow", tmp_path / "b.arrow"]
    with pytest.raises(arrow_ipc.ArrowIpcError) as raised:
        arrow_ipc.concat_files(both, tmp_path / "out.arrow")
    assert "columns=" in raised.value.hint and "cast" not in raised.value.hint
    arrow_ipc.concat_files(both, tmp_path / "out.arrow", columns=["x", "y"])
    assert arrow_ipc.open(tmp_path / "out.arrow")["x"].to_pylist() == [1, 2]
    with pytest.raises(arrow_ipc.ArrowIpcError) as raised:
        arrow_ipc.concat_files([both[0], tmp_path / "c.arrow"], tmp_path / "out.arrow")
    assert "cast=" in raised.value.hint


def test_numbers_and_dates_that_stay_text_are_told() -> None:
    cases: list[tuple[bytes, dict[str, Any], str, dict[str, Any]]] = [
        (b"a,b\n1,2\n", {"delimiter": ";"}, """no line contains ';', but ',' divides all lines: delimiter="," takes it""", {"a,b": "1,2"}),
        (b"a;b\n1,5;2\n", {}, 'the cells in column 1 are not read as numbers; if they are numbers, decimal="," reads them', {"a": "1,5", "b": 2}),
        (b"a;b\n1.234,5;2\n", {}, 'decimal=",", thousands="." reads them', {"a": "1.234,5", "b": 2}),
        (b"a;b\n1 234,5;2\n", {}, 'decimal=",", thousands=" " reads them', {"a": "1 234,5", "b": 2}),
        (b"a;b\n1.234,5;2\n", {"decimal": ","}, 'if they are numbers, thousands="." reads them', {"a": "1.234,5", "b": 2}),
        (b"a;b\n1 234;2\n", {"decimal": ","}, 'if they are numbers, thousands=" " reads them', {"a": "1 234", "b": 2}),
        (b"Staff\nname; city\nada; london\n", {}, "if it is a title, skip=1 reads the lines below it", {"Staff": "name; city"}),
        (b"t,n\n31/12/2024,1\n", {"dates": "mdy"}, 'dates="dmy" reads them', {"t": "31/12/2024", "n": 1}),
        (b"a,b\n'x',1\n'z',2\n", {}, """quote="'" reads it as a quote""", {"a": "'x'", "b": 1}),
        (b"t,n\nx,1\n", {"dates": "mdy"}, 'no cell of the first rows is a date: dates="mdy" changes nothing', {"t": "x", "n": 1}),
    ]
    for text, options, words, row in cases:
        with pytest.warns(UserWarning, match=words):
            assert next(arrow_ipc.read_csv(text, **options)).to_pylist()[0] == row
        # What the note says has an effect, and is said no more.
        named = re.search(r"((?:delimiter|decimal|thousands|dates|quote|skip)=.*?) (?:reads|takes)", words)
        if named and "nothing" not in words:
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                assert next(arrow_ipc.read_csv(text, **{**options, **eval(f"dict({named[1]})")})).to_pylist()[0] != row, text
    # The lines of a single column are numbers.
    for text in [b"x\n1,5\n2,5\n", b"x\n1,5\n2\n"]:
        with pytest.warns(UserWarning, match='if they are numbers, decimal="," reads them'), pytest.raises(arrow_ipc.ArrowIpcError):
            list(arrow_ipc.read_csv(text))
        assert next(arrow_ipc.read_csv(text, decimal=","))["x"].to_pylist()[0] == 1.5
    # No delimiter is offered that does not divide the lines evenly.
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for text in [b"tags\nred;blue;x\ngreen;red\n", b"sql\nselect 1;\nselect 2;\n"]:
            assert arrow_ipc.concat(arrow_ipc.read_csv(text)).num_columns == 1
    # Where the type is given, the value is read as the type says.
    assert next(arrow_ipc.read_csv(b"a;b\n1,5;2\n", types={"a": "utf8"})).to_pylist() == [{"a": "1,5", "b": 2}]
    iso = arrow_ipc.read_csv(b"t,n\n2024-01-31 03:04 PM,1\n", dates="mdy")
    assert next(iso)["t"].to_pylist() == [datetime.datetime(2024, 1, 31, 15, 4)]


def test_booleans_may_be_digits_if_their_type_is_given() -> None:
    text = b"a,b\n0,1\n1,\n"
    for options in [{"types": {"a": "bool", "b": "bool"}}, {"schema": {"a": "bool", "b": "bool"}}]:
        rows = next(arrow_ipc.read_csv(text, **options)).to_pylist()
        assert rows == [{"a": False, "b": True}, {"a": True, "b": None}], options
    assert str(arrow_ipc.read_csv(text).schema["a"].type) == "int64"
    assert 'types={"a": "bool"}' in hint_of(lambda: arrow_ipc.read_csv(b"a,b\ntrue,1\n1,1\n", infer_rows=1))


def test_ranges_of_matching_rows_may_be_empty(tmp_path: Path) -> None:
    path, out = tmp_path / "a.arrow", tmp_path / "out.arrow"
    arrow_ipc.write_file(path, {"id": [1, 2, 3]})
    for options in [{"where": "id > 2", "rows": slice(1, 5)}, {"where": "id > 9", "rows": (4, 9)}]:
        arrow_ipc.convert(path, out, **options)
        assert arrow_ipc.open(out).num_rows == 0, options
        arrow_ipc.split_file(path, out, **options)
        assert arrow_ipc.open(out).num_rows == 0, options
        assert arrow_ipc.stats(path, **options).n_rows == 0, options
        assert arrow_ipc.diff(path, path, **options).same is True, options
        arrow_ipc.append(out, path, **options)
        assert arrow_ipc.open(out).num_rows == 0, options
    for call in [lambda: arrow_ipc.convert(path, out, rows=(4, 9)), lambda: arrow_ipc.append(out, path, rows=(4, 9))]:
        with pytest.raises(arrow_ipc.ArrowIpcError, match="no row 4: there are 3 rows"):
            call()


def test_numbers_are_written_with_a_decimal_comma(tmp_path: Path) -> None:
    data = pa.table(
        {
            "f": [1.5, -2.0e-300, float("nan"), None],
            "d": pa.array([decimal.Decimal("1234.50"), None, None, None], pa.decimal128(9, 2)),
            "e": pa.array([0.25, 0.25, None, 1.0]).dictionary_encode(),
            "i": [1, 2, 3, 4],
            "t": [datetime.time(1, 2, 3, 500_000)] * 4,
            "s": ["a.b", "1.5", "x;y", ""],
            "l": [[1.5], [], None, None],
        }
    )
    path = tmp_path / "a.csv"
    arrow_ipc.write_csv(path, data, delimiter=";", decimal=",")
    assert path.read_text().splitlines()[1] == '1,5;1234,50;0,25;1;01:02:03.500000;a.b;[1.5]'
    schema = arrow_ipc.read_csv(path, delimiter=";", decimal=",").schema
    assert [str(schema[name].type) for name in "fde"] == ["float64"] * 3
    for delimiter in [";", ","]:
        arrow_ipc.write_csv(path, data, delimiter=delimiter, decimal=",")
        again = pa.table(arrow_ipc.read_csv(path, schema=data.schema, delimiter=delimiter, decimal=","))
        assert again.drop_columns("f").equals(data.drop_columns("f"))
        assert str(again["f"].to_pylist()) == str(data["f"].to_pylist())
    assert path.read_text().splitlines()[1].startswith('"1,5","1234,50","0,25",1,')
    for wrong in ["1", "-", "e", ",,"]:
        with pytest.raises((ValueError, TypeError)):
            arrow_ipc.write_csv(path, data, decimal=wrong)


def test_text_begins_at_the_position_of_a_file(tmp_path: Path) -> None:
    text = b"a title, first\na,b\n1,2\n"
    (tmp_path / "a.csv").write_bytes(text)
    with io.BytesIO(text) as memory, open(tmp_path / "a.csv", "rb") as buffered, open(tmp_path / "a.csv", "rb", buffering=0) as raw:
        for file in (memory, buffered, raw):
            file.readline()
            assert next(arrow_ipc.read_csv(file)).to_pylist() == [{"a": 1, "b": 2}]
            assert not file.closed
    lines = io.BytesIO(b'{"no": 1}\n{"a": "\xe4"}\n')
    lines.readline()
    assert next(arrow_ipc.read_json(lines, encoding="latin1")).to_pylist() == [{"a": "\xe4"}]
    # At the end, there is nothing to read.
    memory = io.BytesIO()
    arrow_ipc.write_csv(memory, {"a": [1]})
    with pytest.raises(arrow_ipc.ArrowIpcError, match="empty"):
        arrow_ipc.read_csv(memory)
    memory.seek(0)
    assert next(arrow_ipc.read_csv(memory)).to_pylist() == [{"a": 1}]
    # A compressed text, and several.
    packed = io.BytesIO(b"x" + gzip.compress(b"a\n1\n"))
    packed.read(1)
    assert next(arrow_ipc.read_csv(packed)).to_pylist() == [{"a": 1}]
    second = io.BytesIO(b"#\na,b\n3,4\n")
    second.readline()
    rows = arrow_ipc.read_csv([b"a,b\n1,2\n", second])
    assert [row for batch in rows for row in batch.to_pylist()] == [{"a": 1, "b": 2}, {"a": 3, "b": 4}]
