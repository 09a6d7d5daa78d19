"""Errors say what, where, and what a caller can do: for each hostile file one that is no crash."""

import io

import arrow_ipc
import numpy as np
import pyarrow as pa
import pytest
from corpus import HOSTILE

CATEGORIES = {"truncated", "malformed", "limit_exceeded", "unsupported", "misuse"}


def read_all(path):
    if path.suffix == ".stream":
        return list(arrow_ipc.read_stream(path))
    return list(arrow_ipc.open(path))


@pytest.mark.filterwarnings("ignore:.* are in none of its blocks")
def test_hostile_files():
    """Each is read, or refused with an error that has a kind and a place."""
    paths = sorted(HOSTILE.iterdir())
    refused = []
    for path in paths:
        try:
            read_all(path)
        except arrow_ipc.ArrowIpcError as error:
            assert error.category in CATEGORIES, path
            assert error.kind.isidentifier() and error.kind[0].isupper(), path
            assert str(error) and isinstance(error.location, arrow_ipc.Location), path
            refused.append(path.name)
    assert len(refused) > len(paths) // 2


@pytest.mark.parametrize(
    ("name", "kind", "place"),
    [
        ("utf8-invalid.stream", "NotUtf8", "field"),
        ("offsets-decreasing.stream", "OffsetsDecrease", "slot"),
        ("batch-buffers-none.stream", "BufferCount", "message"),
        ("file-block-offset-far.arrow_file", "BlockOutOfFile", None),
        ("dict-index-past.stream", "IndexOutOfRange", "role"),
    ],
)
def test_places(name, kind, place):
    with pytest.raises(arrow_ipc.ArrowIpcError) as raised:
        read_all(HOSTILE / name)
    assert raised.value.kind == kind
    assert place is None or getattr(raised.value.location, place) is not None
    assert place is None or f"{place}=" in repr(raised.value.location)


def test_they_are_value_errors():
    with pytest.raises(ValueError, match="no Arrow data"):
        arrow_ipc.open(b"not an Arrow file")
    with pytest.raises(arrow_ipc.ArrowIpcError, match="expected an Arrow IPC"):
        arrow_ipc.read_stream(b"not an Arrow stream at all")


def test_sources_that_fail():
    target = io.BytesIO()
    arrow_ipc.write_file(target, pa.table({"a": [1]}))
    content = target.getvalue()

    class Failing(io.BytesIO):
        def read(self, n=-1):
            raise ConnectionResetError("gone")

        read1 = read

    for read in [arrow_ipc.open, arrow_ipc.read_stream]:
        with pytest.raises(ConnectionResetError, match="gone"):
            read(Failing(content))

    class Text(io.StringIO):
        pass

    with pytest.raises(TypeError, match="text and not bytes"):
        arrow_ipc.open(Text("some text"))
    with pytest.raises(TypeError, match="text and not bytes"):
        arrow_ipc.read_stream(Text("some text"))

    for lent in [bytearray, memoryview]:
        kind = type("Lending", (io.BytesIO,), {"read": lambda self, n=-1, lent=lent: lent(io.BytesIO.read(self, n))})
        assert arrow_ipc.open(kind(content))[:].to_pydict() == {"a": [1]}

    class Generous(io.BytesIO):
        def read(self, n=-1):
            return super().read(n) + b"more"

    with pytest.raises(TypeError, match="gave"):
        arrow_ipc.open(Generous(content))

    class Shrinking(io.BytesIO):
        def seek(self, position, whence=0):
            return super().seek(position, whence) + (1000 if whence == 2 else 0)

    with pytest.raises(OSError):
        arrow_ipc.open(Shrinking(content))
    for source in [3, None, [content]]:
        with pytest.raises(TypeError, match="expected a path, a URL"):
            arrow_ipc.open(source)


def test_options_of_reading():
    with pytest.raises(TypeError, match="memory_map needs a path"):
        arrow_ipc.open(io.BytesIO(), memory_map=True)
    invalid = HOSTILE / "utf8-invalid.stream"
    deferred = list(arrow_ipc.read_stream(invalid, validation="structure"))
    with pytest.raises(arrow_ipc.ArrowIpcError, match="UTF-8"):
        for batch in deferred:
            batch.validate()
    with pytest.raises(arrow_ipc.ArrowIpcError) as raised:
        list(arrow_ipc.read_stream(HOSTILE / "decimal-value-over.stream", validation="strict"))
    assert raised.value.kind == "DecimalPrecision"
    assert list(arrow_ipc.read_stream(HOSTILE / "decimal-value-over.stream"))


def test_metadata_that_is_not_utf8():
    """No value needs it, so all rows are read. Its bytes are kept; what is shown of them is escaped."""
    schema = pa.schema([("a", pa.int64())], metadata={b"k": b"\xff"})
    theirs = io.BytesIO()
    with pa.ipc.new_file(theirs, schema) as writer:
        writer.write_table(pa.table({"a": [1]}, schema=schema))
    ours = arrow_ipc.open(theirs)
    assert ours.to_pylist() == [{"a": 1}] and ours.schema.metadata == {"k": r"not UTF-8: \xff"}
    with pytest.raises(arrow_ipc.ArrowIpcError, match="custom metadata is not UTF-8") as raised:
        arrow_ipc.open(theirs, validation="strict")
    assert (raised.value.kind, "escaped" in raised.value.hint) == ("NotUtf8", True)
    again = io.BytesIO()
    arrow_ipc.write_file(again, ours)
    assert pa.ipc.open_file(again).schema.metadata == {b"k": b"\xff"}


def stream_of(data):
    stream = io.BytesIO()
    arrow_ipc.write_stream(stream, data)
    return stream.getvalue()


@pytest.mark.parametrize(
    ("call", "kind", "text"),
    [
        (lambda to: arrow_ipc.write_file(to, {"a": [np.datetime64("2020-01-01"), None]}), TypeError, r"pass `numpy.array\(values, 'datetime64\[us\]'\)`"),
        (lambda to: arrow_ipc.write_file(to, [{"a": np.zeros(2)}]), TypeError, r"values of ndarray: pass lists, as `value.tolist\(\)`"),
        (lambda to: arrow_ipc.write_file(to, {"a\ud800": [1]}), ValueError, "half of a surrogate pair"),
        (lambda to: arrow_ipc.write_file("https://example.org/a.arrow", {"a": [1]}), ValueError, "https://example.org/a.arrow: servers of HTTP are not written to"),
        (lambda to: arrow_ipc.split_file(stream_of({"a": [1]}), "s3://bucket/a", into=1), ValueError, "s3://bucket/a: expected a path: this call writes to no URL"),
        (lambda to: arrow_ipc.write_file(to, {"s": [{"\ud800": 1}]}), ValueError, "half of a surrogate pair"),
        (lambda to: arrow_ipc.write_file(to, [{}, {}]), ValueError, "rows without fields"),
        (lambda to: arrow_ipc.read_stream(stream_of({"a": [1]}))["a"], TypeError, r"`stream.select\(\[name\]\)`"),
        (lambda to: arrow_ipc.Field("a", "int8").with_metadata(None), TypeError, "metadata is a dict of str to str"),
        (lambda to: arrow_ipc.write_csv("http://example.org/a.csv", {"a": [1]}), ValueError, "servers of HTTP are not written to"),
        (lambda to: arrow_ipc.append("s3://bucket/a.arrow", {"a": [1]}), ValueError, "this call writes to no URL"),
        (lambda to: arrow_ipc.convert(stream_of({"a": [1]}), to.with_name("a.csv.gz")), ValueError, "`write_csv` and `write_json` write text"),
        (lambda to: arrow_ipc.read_json(b'{"a": NaN}'), arrow_ipc.ArrowIpcError, 'malformed JSON: expected "NaN", found NaN'),
        (lambda to: arrow_ipc.read_json(b'{"a": -Infinity}'), arrow_ipc.ArrowIpcError, 'expected "-Infinity", found -Infinity'),
        (lambda to: arrow_ipc.read_csv(b"a\n1\n", types={"a": "dictionary"}), arrow_ipc.ArrowIpcError, "as `dictionary<int32, utf8>`"),
        (lambda to: arrow_ipc.count(stream_of({"a": [1], "b": [2]}), where="a > c"), ValueError, 'no field is named "c"; text needs quotes: write "c"'),
        (lambda to: arrow_ipc.count(stream_of({"a": [1]}), where="a = None"), ValueError, 'text needs quotes: write "None"'),
    ],
)
def test_they_say_what_to_write(call, kind, text, tmp_path):
    with pytest.raises(kind, match=text):
        call(tmp_path / "a.arrow")
    assert list(tmp_path.iterdir()) == []
    # What they say to write is right.
    assert arrow_ipc.Array(np.array([np.datetime64("2020-01-01"), None], "datetime64[us]")).null_count == 1
    assert arrow_ipc.read_json(b'{"a": "NaN"}', types={"a": "float64"}).schema["a"].type == "float64"
    assert arrow_ipc.Field("a", "dictionary<int32, utf8>").type.startswith("dictionary<")


def test_what_is_unsupported_is_not_implemented():
    path = HOSTILE / "framing-version-v3.stream"
    with pytest.raises(NotImplementedError) as raised:
        read_all(path)
    assert isinstance(raised.value, arrow_ipc.UnsupportedError) and isinstance(raised.value, arrow_ipc.ArrowIpcError)
    assert raised.value.category == "unsupported" and raised.value.kind and raised.value.location is not None


def test_all_errors_have_a_hint_and_a_location(tmp_path):
    """Those that are classes of Python, too."""
    arrow_ipc.write_file(tmp_path / "a.arrow", {"a": [1]})
    file = arrow_ipc.open(tmp_path / "a.arrow")
    twice = arrow_ipc.concat(pa.record_batch([pa.array([1]), pa.array([2])], names=["a", "a"]))
    calls = [
        (lambda: arrow_ipc.open(tmp_path / "none.arrow"), FileNotFoundError, None),
        (lambda: arrow_ipc.open(tmp_path), IsADirectoryError, "dataset"),
        (lambda: arrow_ipc.dataset(str(tmp_path / "*.ipc")), FileNotFoundError, "read_csv"),
        (lambda: file["b"], KeyError, "did you mean a?"),
        (lambda: file["A"], KeyError, "a"),
        (lambda: twice["a"], KeyError, "take positions"),
        (lambda: file.batch(7), IndexError, None),
        (lambda: file.select([7]), IndexError, None),
        (lambda: arrow_ipc.dataset(tmp_path).select(["b"]), KeyError, "did you mean a?"),
    ]
    for call, kind, hint in calls:
        with pytest.raises(kind) as raised:
            call()
        assert isinstance(raised.value.location, arrow_ipc.Location), raised.value
        found = raised.value.hint
        assert found is None if hint is None else hint in found, (raised.value, found)


def test_locations_in_text_and_in_casts(tmp_path):
    arrow_ipc.write_file(tmp_path / "a.arrow", {"a.b": [1.0, 1.5], "s": [{"c": "1"}, {"c": "x"}]})
    calls = [
        (lambda: list(arrow_ipc.read_csv(b"a,b\n1,2\nx,3\n", types={"a": "int64"})), {"line": 3, "field": "a"}),
        (lambda: list(arrow_ipc.read_csv(b"a,b\n1,2\n3\n")), {"line": 3}),
        (lambda: list(arrow_ipc.read_json(b'{"a":[1]}\n{"a":["x"]}\n', schema={"a": "list<item: int64>"})), {"line": 2, "field": "a.item"}),
        (lambda: list(arrow_ipc.read_json(b'[{"a":1},{"a":"x"}]', schema={"a": "int64"})), {"field": "a"}),
        (lambda: arrow_ipc.Array(["1", "x"]).cast("int64"), {"slot": 1}),
        (lambda: arrow_ipc.Array([1.0, 1.5]).cast("int64"), {"slot": 1}),
        (lambda: arrow_ipc.Array([["1", "x"]]).cast("list<item: int64>"), {"field": "item", "slot": 1}),
        (lambda: arrow_ipc.convert(tmp_path / "a.arrow", tmp_path / "b.arrow", cast={"a.b": "int64"}), {"block": ("record batch", 0), "field": '"a.b"', "slot": 1}),
        (lambda: arrow_ipc.convert(tmp_path / "a.arrow", tmp_path / "b.arrow", cast={"s": "struct<c: int64>"}), {"block": ("record batch", 0), "field": "s.c", "slot": 1}),
    ]
    for call, place in calls:
        with pytest.raises(arrow_ipc.ArrowIpcError) as raised:
            call()
        assert raised.value.location == arrow_ipc.Location(**place), raised.value


def test_names_in_conditions_of_data_sets(tmp_path):
    arrow_ipc.write_file(tmp_path / "a.arrow", {"alpha": [1]})
    for call in [lambda: arrow_ipc.dataset(tmp_path, where="alpa > 1"), lambda: arrow_ipc.dataset(tmp_path).where("alpa = 1")]:
        with pytest.raises(KeyError, match='no field is named "alpa"') as raised:
            call()
        assert raised.value.hint == "did you mean alpha?"
