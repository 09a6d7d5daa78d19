"""Errors of wrong calls and wrong data name what helps, and what they name works."""

import datetime
import io
import json
import os
import pickle
import re
import threading
import warnings

import arrow_ipc
import pyarrow as pa
import pytest


@pytest.fixture(autouse=True)
def in_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def refused(call, kind=Exception):
    with pytest.raises(kind) as caught:
        call()
    return caught.value


def warned(call):
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        call()
    return [str(one.message) for one in said]


@pytest.mark.parametrize("text", ["a\n1\n2\n", "a,b\n1,2\n3,4\n"])
def test_patterns_of_csv_are_for_read_csv(text):
    with open("x1.csv", "w") as file:
        file.write(text)
    for call in [
        lambda: arrow_ipc.count("*.csv"),
        lambda: arrow_ipc.stats("x?.csv"),
        lambda: arrow_ipc.convert("*.csv", "q.arrow"),
        lambda: arrow_ipc.dataset("*.csv"),
    ]:
        assert "read_csv reads it, also a list or a pattern" in refused(call, arrow_ipc.ArrowIpcError).hint
    for call in [
        lambda: arrow_ipc.count("*.csv", from_="csv"),
        lambda: arrow_ipc.convert("*.csv", "q.arrow", from_="csv"),
    ]:
        assert "read_csv and read_json take patterns" in refused(call, FileNotFoundError).hint
    assert arrow_ipc.concat(arrow_ipc.read_csv("*.csv")).num_rows == 2


def test_long_durations():
    longest, values = datetime.timedelta.max.days, [datetime.timedelta(days=999999999), None, datetime.timedelta(seconds=-1)]
    assert longest == 999999999
    for unit in ["s", "ms"]:
        array = arrow_ipc.Array(values, f"duration({unit})")
        assert array.to_pylist() == values
        assert pa.array(array) == pa.array(values, pa.duration(unit))
        assert arrow_ipc.RecordBatch([{"d": value} for value in values], {"d": f"duration({unit})"})["d"].to_pylist() == values
    text = str(refused(lambda: arrow_ipc.Array(values), ValueError))
    assert text.endswith("the types duration(s) and duration(ms) hold it")
    exact = [values[0] + datetime.timedelta(milliseconds=1)]
    assert "has a part that duration(s) cannot hold" in str(refused(lambda: arrow_ipc.Array(exact, "duration(s)"), ValueError))
    assert arrow_ipc.Array(exact, "duration(ms)").to_pylist() == exact


def test_folders_of_a_dictionary_have_its_type():
    batch = arrow_ipc.RecordBatch({"k": arrow_ipc.Array(["x", "y", None], "dictionary"), "n": [1, 2, 3]})
    arrow_ipc.write_file("all.arrow", batch)
    arrow_ipc.split_file("all.arrow", "split", by="k")
    schema = arrow_ipc.open("all.arrow").schema
    rows = arrow_ipc.dataset("split", schema=schema)
    assert rows.schema == schema
    assert sorted(row["n"] for row in arrow_ipc.concat(rows).to_pylist()) == [1, 2, 3]
    assert {row["k"]: row["n"] for row in arrow_ipc.concat(rows).to_pylist()} == {"x": 1, "y": 2, None: 3}
    for condition, n_rows in [("k = 'x'", 1), ("k is null", 1), ("k > 'a'", 2), ("k = 'z'", 0)]:
        assert rows.where(condition).count() == n_rows, condition
    tasks = [pickle.loads(pickle.dumps(task)) for task in rows.split(2)]
    assert sum(batch.num_rows for task in tasks for batch in task) == 3
    assert pa.table(rows).column("k").type == pa.dictionary(pa.int32(), pa.string())
    numbers = arrow_ipc.Array([7, 8], "dictionary<int8, int16>")
    arrow_ipc.write_file("numbers.arrow", {"k": numbers, "n": [1, 2]})
    arrow_ipc.split_file("numbers.arrow", "numbers", by="k")
    of_numbers = arrow_ipc.dataset("numbers", schema=arrow_ipc.open("numbers.arrow").schema)
    assert arrow_ipc.concat(of_numbers)["k"].to_pylist() == [7, 8]
    os.rename("numbers/k=7", "numbers/k=x")
    assert "is not of type dictionary<int8, int16>" in str(
        refused(lambda: arrow_ipc.concat(arrow_ipc.dataset("numbers", schema=of_numbers.schema)))
    )


def test_data_with_other_types_than_the_first():
    first, data = pa.table({"a": ["x"]}), pa.table({"a": pa.array(["y"], pa.large_string()), "b": [1]})
    written = "RecordBatch({name: data[name] for name in schema.names}, schema)"
    error = refused(lambda: arrow_ipc.write_file("q.arrow", [first, data]), arrow_ipc.ArrowIpcError)
    assert error.hint.startswith(f"`{written}`")
    names = {"RecordBatch": arrow_ipc.RecordBatch, "data": data, "schema": arrow_ipc.RecordBatch(first).schema}
    arrow_ipc.write_file("q.arrow", [first, eval(written, names)])
    assert arrow_ipc.open("q.arrow").to_pydict() == {"a": ["x", "y"]}
    writer = arrow_ipc.DatasetWriter("set", {"a": "utf8"})
    assert refused(lambda: writer.write(data)).hint == error.hint
    writer.commit([writer.write(eval(written, names | {"schema": writer.schema}))])
    assert arrow_ipc.dataset("set").count() == 1


@pytest.mark.parametrize(
    "text, hint, mended",
    [
        (b'{"a":NaN}\n', "the writer must write the name in quotes", b'{"a":"NaN"}\n'),
        (b'{"a":1,}\n', "no comma before ] and }", b'{"a":1}\n'),
        (b"{'a':1}\n", "names in double quotes", b'{"a":1}\n'),
        (b'{"a":"\\ud800"}\n', "halves of characters", b'{"a":"\\ufffd"}\n'),
        (b'[{"a":1},]', "with commas only between them", b'[{"a":1}]'),
    ],
)
def test_what_is_no_json(text, hint, mended):
    assert hint in refused(lambda: arrow_ipc.concat(arrow_ipc.read_json(text)), arrow_ipc.ArrowIpcError).hint
    assert arrow_ipc.concat(arrow_ipc.read_json(mended)).num_rows == 1


def test_numbers_of_json_that_no_type_holds():
    hint = refused(lambda: arrow_ipc.read_json(b'{"a":1e400}\n'), arrow_ipc.ArrowIpcError).hint
    assert hint.startswith('types={"a": "utf8"}') and "infer_rows" not in hint
    assert arrow_ipc.concat(arrow_ipc.read_json(b'{"a":1e400}\n', types={"a": "utf8"})).to_pydict() == {"a": ["1e400"]}
    nested = b'{"a":{"b":[1e400]}}\n'
    assert 'types={"a": "json"}' in refused(lambda: arrow_ipc.read_json(nested)).hint
    assert arrow_ipc.concat(arrow_ipc.read_json(nested, types={"a": "json"}))["a"].to_pylist() == ['{"b":[1e400]}']
    text = str(refused(lambda: arrow_ipc.concat(arrow_ipc.read_json(b"[[1,2]]"))))
    assert "each row is an object" in text and "without brackets" not in text


def followed(read, text, **given):
    """Reads a text with the first argument that the hint names."""
    hint = refused(lambda: arrow_ipc.concat(read(text, **given)), arrow_ipc.ArrowIpcError).hint
    name, value = re.match(r"(\w+)=(\{.*?\}|\".*?\") reads", hint).groups()
    value = eval(value)
    given[name] = given.get(name, {}) | value if isinstance(value, dict) else value
    return name, value, arrow_ipc.concat(read(text, **given))


def test_dates_among_timestamps():
    read = followed(arrow_ipc.read_csv, b"d\n2024-01-01\n2024-01-01 10:00\n", types={"d": "timestamp(us)"})
    assert read[:2] == ("dates", "ymd")
    assert read[2]["d"].to_pylist() == [datetime.datetime(2024, 1, 1), datetime.datetime(2024, 1, 1, 10)]


@pytest.mark.parametrize(
    "first, later, wanted",
    [
        ("2024-01-01 10:00:00.5", "2024-01-01 10:00:00.123456789", "timestamp(ns)"),
        ("2024-01-01 10:00:00.5Z", "2024-01-01 10:00:00.123456789Z", 'timestamp(ns, "UTC")'),
        ("2024-01-01 10:00:00.5+01:00", "2024-01-01 10:00:00.123456789+01:00", 'timestamp(ns, "UTC")'),
        ("10:00:00.5", "10:00:00.123456789", "time64(ns)"),
        ("2024-01-01 10:00:00.5", "1024-01-01 10:00:00.123456789", "utf8"),
        ("2024-01-01 10:00:00.5", "2024-01-01 10:00:00.1234567890", "utf8"),
    ],
)
def test_nanoseconds_after_the_rows_that_are_looked_at(first, later, wanted):
    text = "\n".join(["t,n", *(f"{row},1" for row in [first] * 1_000 + [later])])
    name, value, batch = followed(arrow_ipc.read_csv, text.encode(), infer_rows=1_000)
    assert (name, value, batch.num_rows) == ("types", {"t": wanted}, 1_001)
    kind = "time64(us)" if wanted == "time64(ns)" else 'timestamp(us, "UTC")' if "UTC" in wanted else "timestamp(us)"
    name, value, batch = followed(arrow_ipc.read_json, json.dumps({"t": later}).encode(), types={"t": kind})
    assert (name, value, batch.num_rows) == ("types", {"t": wanted}, 1)


def test_numbers_of_json_for_timestamps():
    for wanted in ["timestamp(s)", 'timestamp(s, "UTC")']:
        name, value, batch = followed(arrow_ipc.read_json, b'{"t":1704067200}\n{"t":null}\n', types={"t": wanted})
        assert (name, value) == ("types", {"t": "int64"})
        assert batch["t"].cast(wanted)[0].timestamp() in (1704067200.0, datetime.datetime(2024, 1, 1).timestamp())


def test_a_title_above_the_names():
    text = b"Kontoauszug;;;\nKonto 1;;;\nBuchung;Betrag;W;Text\n01.02.2024;-1,5;EUR;Miete\n02.02.2024;2,5;EUR;Gehalt\n"
    for skip in [0, 1]:
        notes = warned(lambda: arrow_ipc.read_csv(text, skip=skip))
        assert any(f"if it is a title, skip={skip + 1} reads the lines below it" in note for note in notes), notes
    read = arrow_ipc.read_csv(text, skip=2, decimal=",", dates="dmy")
    assert read.schema.names == ["Buchung", "Betrag", "W", "Text"] and [batch.num_rows for batch in read] == [2]


def test_patterns_are_for_columns():
    arrow_ipc.write_file("n.arrow", {"x": [1], "y": [2]})
    for name in ["*", "x*z"]:
        hint = refused(lambda: arrow_ipc.convert("n.arrow", "q.arrow", cast={name: "int8"}), KeyError).hint
        assert "patterns are for columns=" in hint
    cast = re.search(r"`cast=(.*)`", hint).group(1)
    cast = eval(cast, {"open": arrow_ipc.open, "source": "n.arrow"})
    arrow_ipc.convert("n.arrow", "q.arrow", cast={name: "int8" for name in cast})
    assert {field.type for field in arrow_ipc.open("q.arrow").schema} == {"int8"}
    assert arrow_ipc.stats("n.arrow", columns=["x"]).columns["x"]["n_distinct"] == 1


@pytest.mark.parametrize(
    "url", ["http://127.0.0.1:9/a b.arrow", "http://127.0.0.1:9/ä.arrow", "http://127.0.0.1:9/a.arrow?q=a b", "http://a b/x.arrow"]
)
def test_urls_that_can_never_work_are_refused_at_once(url, monkeypatch):
    monkeypatch.setattr("arrow_ipc._remote.PAUSES", (60,))
    assert "urllib.parse.quote" in str(refused(lambda: arrow_ipc.open(url), ValueError))


def test_memory_maps_are_of_files():
    assert "this is a URL" in str(refused(lambda: arrow_ipc.open("http://127.0.0.1:9/a.arrow", memory_map=True), TypeError))


def test_a_server_without_tags():
    import http.server
    import urllib.request

    target = io.BytesIO()
    arrow_ipc.write_file(target, {"x": list(range(50_000))})
    whole = target.getvalue()

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            asked = self.headers.get("Range")
            start = max(len(whole) - int(asked.partition("=-")[2]), 0) if asked else 0
            self.send_response(206 if asked else 200)
            if asked:
                self.send_header("Content-Range", f"bytes {start}-{len(whole) - 1}/{len(whole)}")
            self.send_header("Content-Length", str(len(whole) - start))
            self.end_headers()
            self.wfile.write(whole[start:])

        def log_message(self, *_):
            pass

    with http.server.HTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        url = f"http://127.0.0.1:{server.server_port}/x.arrow"
        try:
            assert "pass `urllib.request.urlopen(url).read()`" in str(refused(lambda: arrow_ipc.open(url), OSError))
            assert arrow_ipc.open(urllib.request.urlopen(url).read()).num_rows == 50_000
        finally:
            server.shutdown()
            thread.join()


@pytest.mark.parametrize(
    "rows, wanted, expected",
    [
        ([1, "x"], "int64", "'x' in row 1 is <class 'str'>, and the type is int64"),
        (["x", 1], "int64", "'x' in row 0 is <class 'str'>, and the type is int64"),
        ([None, "x", 1], "utf8", "1 in row 2 is <class 'int'>, and the type is utf8"),
        ([1, 2, "x"], None, "'x' in row 2 is <class 'str'>"),
        ([[1], [2, "x"], [3]], None, "in row 1: [2, 'x']"),
        ([{"b": 1}, {"b": None}, {"b": "x"}], None, "in row 2: {'b': 'x'}"),
    ],
)
def test_mixed_values_name_the_row(rows, wanted, expected):
    given = {"a": wanted} if wanted else None
    for call in [
        lambda: arrow_ipc.RecordBatch([{"a": value} for value in rows], given),
        lambda: arrow_ipc.Array(rows, wanted),
    ]:
        text = str(refused(call, TypeError))
        assert "no Arrow type for values of int, str" in text and expected in text


def test_mixed_values_of_a_writer_name_the_row():
    rows = [{"a": k} for k in range(5_000)]
    rows[4_321] = {"a": "x"}
    with arrow_ipc.Writer("w.arrow", {"a": "int64"}) as writer:
        assert "a: no Arrow type" in (text := str(refused(lambda: writer.write(rows), TypeError)))
    assert "'x' in row 4321 is <class 'str'>, and the type is int64" in text


def test_types_of_python_without_arguments():
    import decimal

    for kind, wanted in [(decimal.Decimal, "decimal128(10, 2)"), (list, "list<item: int64>"), (dict, "struct<x: int64, y: utf8>")]:
        assert f'"{wanted}"' in str(refused(lambda: arrow_ipc.Schema({"h": kind}), TypeError))
        assert len(arrow_ipc.Schema({"h": wanted})) == 1


def test_statistics_that_are_not_written_are_told():
    batches = pa.table({"i": range(20_000), "c": range(20_000)}).to_batches(max_chunksize=1_000)
    [text] = warned(lambda: arrow_ipc.write_file("small.arrow", batches, statistics=True))
    assert "no statistics were written" in text and "batches are small" in text

    def write(batches, **given):
        with arrow_ipc.Writer("w.arrow", arrow_ipc.RecordBatch(batches[0]).schema, **given) as writer:
            for batch in batches:
                writer.write(batch)

    assert warned(lambda: write(batches, statistics=True)) == [text]
    assert warned(lambda: write(batches)) == []
    assert warned(lambda: arrow_ipc.write_file("few.arrow", [{"a": 1}], statistics=True)) == []
    # Larger batches, as the text says.
    large = pa.table({"i": range(200_000), "c": range(200_000)}).to_batches(max_chunksize=50_000)
    assert warned(lambda: arrow_ipc.write_file("large.arrow", large, statistics=True)) == []
    assert "statistics" in str(arrow_ipc.explain("large.arrow"))
    for rewrite in [
        lambda: arrow_ipc.convert("large.arrow", "to.arrow"),
        lambda: arrow_ipc.concat_files(["large.arrow"], "to.arrow"),
        lambda: arrow_ipc.split_file("large.arrow", "to.arrow", rows=(0, 100_000)),
    ]:
        [note] = rewrite().notes
        assert note.endswith("the footer has statistics, which are not copied: `convert(source, dest, statistics=True)` writes those of the output")
    assert arrow_ipc.convert("large.arrow", "to.arrow", statistics=True).notes == []
    assert "statistics" in str(arrow_ipc.explain("to.arrow"))


def test_progress_of_several_inputs_is_one_work():
    batches = pa.table({"a": range(100)}).to_batches(max_chunksize=25)
    arrow_ipc.write_file("a.arrow", batches)
    arrow_ipc.write_file("b.arrow", batches[:2])
    arrow_ipc.write_stream("s.arrows", batches)

    def calls(function, *given, **others):
        seen = []
        function(*given, progress=lambda *call: seen.append(call), **others)
        return seen

    for others in [{}, {"compression": "lz4"}, {"where": "a >= 0"}, {"batch_rows": 10}]:
        seen = calls(arrow_ipc.concat_files, ["a.arrow", "b.arrow"], "to.arrow", **others)
        assert [(n_done, n_total) for n_done, n_total, _ in seen] == sorted((n_done, 6) for n_done, *_ in seen)
        assert seen[0] == (0, 6, "batches") and seen[-1] == (6, 6, "batches")
    n_bytes = os.path.getsize("s.arrows")
    seen = calls(arrow_ipc.concat_files, ["s.arrows", "s.arrows"], "to.arrow")
    assert {call[1:] for call in seen} == {(2 * n_bytes, "bytes")} and seen[-1][0] > n_bytes and seen == sorted(seen)
    # Bytes and batches have no common total.
    assert {call[1] for call in calls(arrow_ipc.concat_files, ["s.arrows", "a.arrow"], "to.arrow")} == {n_bytes, 4}
    seen = calls(arrow_ipc.split_file, "a.arrow", "parts", into=2)
    of_parts = [call for call in seen if call[1] == 8]
    assert of_parts[0][0] == 0 and of_parts[-1][0] == 8 and of_parts == sorted(of_parts)


def test_rows_as_the_table_of_the_readme_says():
    arrow_ipc.write_file("n.arrow", {"x": [1, 2, 3]})
    batch = arrow_ipc.open("n.arrow").batch

    def convert(source, rows):
        arrow_ipc.convert(source, "to.arrow", rows=rows)
        return arrow_ipc.open("to.arrow")["x"].to_pylist()

    def append(source, rows):
        arrow_ipc.write_file("to.arrow", {"x": [0]})
        arrow_ipc.append("to.arrow", source, rows=rows)
        return arrow_ipc.open("to.arrow")["x"].to_pylist()[1:]

    def written(function, *given, rows):
        function(*given, "to.arrow", rows=rows)
        return arrow_ipc.open("to.arrow")["x"].to_pylist()

    tools = {
        "convert": lambda rows: convert("n.arrow", rows),
        "concat_files": lambda rows: written(arrow_ipc.concat_files, ["n.arrow"], rows=rows),
        "split_file": lambda rows: written(arrow_ipc.split_file, "n.arrow", rows=rows),
        "append": lambda rows: append("n.arrow", rows),
        "stats": lambda rows: list(range(1, 4))[-arrow_ipc.stats("n.arrow", rows=rows).n_rows :],
        "diff": lambda rows: [2, 3] if arrow_ipc.diff("n.arrow", "n.arrow", rows=rows).same else [],
    }
    for name, read in tools.items():
        for rows in [(1, 9), range(1, 9), slice(1, 9), slice(1, None), (1, 3)]:
            assert read(rows) == [2, 3], (name, rows)
        for rows in [slice(-1, None), (-1, 3)]:
            assert isinstance(refused(lambda: read(rows)), (ValueError, IndexError)), (name, rows)
        for rows in [(5, 6), slice(5, 6)]:
            assert refused(lambda: read(rows), arrow_ipc.ArrowIpcError).kind == "PastEnd", (name, rows)
    arrow_ipc.convert("n.arrow", "to.arrow", rows=(5, 6), where="x > 1")
    assert arrow_ipc.open("to.arrow").num_rows == 0
    for rows, expected in [(slice(-1, None), [3]), (slice(1, 9), [2, 3]), (slice(5, 6), []), ((1, 3), [2, 3])]:
        assert batch(0, rows=rows)["x"].to_pylist() == expected
    for rows in [(1, 9), range(1, 9), (5, 6), (-1, 3)]:
        refused(lambda: batch(0, rows=rows), IndexError)


def test_a_stream_that_breaks_off_between_messages():
    target = io.BytesIO()
    arrow_ipc.write_stream(target, pa.table({"n": range(100)}).to_batches(max_chunksize=50))
    whole = target.getvalue()
    second = [message["position"] for message in arrow_ipc.inspect(whole).messages if message["kind"] == "record batch"][1]
    assert sum(batch.num_rows for batch in arrow_ipc.read_stream(whole[:second])) == 50
    assert arrow_ipc.validate(whole, require_end=True).n_rows == 100
    refused(lambda: arrow_ipc.validate(whole[:second], require_end=True), arrow_ipc.ArrowIpcError)
