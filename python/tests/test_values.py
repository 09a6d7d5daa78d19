"""Values of arrays as Python's objects, beside those that pyarrow gives; slices, sequences, NumPy, and what Python cannot hold."""

import collections
import datetime
import io
import json
import os
import random
import re
import signal
import subprocess
import sys
import time
import uuid
import zoneinfo
from collections.abc import Sequence
from decimal import Decimal
from pathlib import Path

import arrow_ipc
import numpy
import pandas
import polars as pl
import pyarrow as pa
import pytest
from corpus import HOSTILE, cases
from how_often import times
from peers import columns_by_type


def column(values, type_=None):
    array = values if isinstance(values, pa.Array) else pa.array(values, type_)
    return arrow_ipc.RecordBatch.from_arrow(pa.record_batch({"c": array}))["c"]


def said(call):
    """What a call gives, or the kind of the error that it raises."""
    try:
        return call()
    except arrow_ipc.ArrowIpcError as error:
        return error.kind
    except (ValueError, OverflowError, NotImplementedError, KeyError):
        return "refused"


def same(a, b):
    """Equal, of the same types; NaN is the same as NaN, and a timestamp of pandas without nanoseconds the same as one of Python."""
    if type(a) is type(b) and type(a) in (int, str, bytes, bool, type(None)):
        return a == b
    if isinstance(b, (pandas.Timestamp, pandas.Timedelta)) and not (b.nanosecond if isinstance(b, pandas.Timestamp) else b.nanoseconds):
        b = b.to_pydatetime() if isinstance(b, pandas.Timestamp) else b.to_pytimedelta()
    if isinstance(a, (list, tuple)) and isinstance(b, (list, tuple)):
        return len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(same(a[key], b[key]) for key in a)
    if isinstance(a, datetime.datetime) and isinstance(b, datetime.datetime):
        return str(a) == str(b) and a.fold == b.fold
    if isinstance(a, float) and isinstance(b, float):
        return a == b or (a != a and b != b)
    return type(a) is type(b) and a == b


def files():
    """Golden files, and the gold files of `ARROW_TEST_DATA`, if there are any."""
    paths = [case.path(kind) for case in cases() for kind in case.formats]
    if "ARROW_TEST_DATA" in os.environ:
        gold = Path(os.environ["ARROW_TEST_DATA"]) / "arrow-ipc-stream" / "integration"
        paths += [path for path in sorted(gold.glob("*/*")) if path.suffix in (".stream", ".arrow_file")]
    return paths


def test_beside_pyarrow():
    """What differs is a value that Python cannot hold, and intervals of types that pyarrow does not know."""
    n_compared, refused = 0, collections.Counter()
    for path in files():
        is_stream = path.suffix in (".stream", ".arrows")
        try:
            theirs = (pa.ipc.open_stream if is_stream else pa.ipc.open_file)(path).read_all()
        except (pa.ArrowException, KeyError, ValueError):
            continue
        ours = [batch for batch in (arrow_ipc.read_stream if is_stream else arrow_ipc.open)(path) if len(batch)]
        pairs = zip(ours, [batch for batch in theirs.to_batches() if len(batch)], strict=theirs.num_columns > 0)
        columns = [(a.column(k), b.select([k])) for a, b in pairs for k in range(theirs.num_columns)]
        for array, other in columns:
            found, expected = said(array.to_pylist), said(lambda other=other: other.column(0).to_pylist())
            n_compared += 1
            if same(found, expected):
                assert not isinstance(found, list) or same(list(array), found), path
                continue
            if isinstance(found, str):
                refused[found] += 1
                # Nothing that Python holds is refused.
                assert found == "RepeatedName" or not all_held(other.column(0)), (path, array.type)
            else:
                assert array.type.startswith("interval(") and expected == "refused", (path, array.type, found, expected)
    assert n_compared > 1_000
    assert refused.keys() <= {"NotInPython", "RepeatedName"} and all(refused.values())


def all_held(theirs):
    """Whether pyarrow gives only what is exactly the value: what it rounds becomes another value when it comes back."""
    given = said(theirs.to_pylist)
    if given == "refused" or has_pandas(given):
        return False
    return said(lambda: pa.array(given, theirs.type).equals(theirs)) is True


def has_pandas(value):
    if isinstance(value, (list, tuple)):
        return any(map(has_pandas, value))
    if isinstance(value, dict):
        return any(map(has_pandas, value.values()))
    return isinstance(value, (pandas.Timestamp, pandas.Timedelta))


def test_extension_types():
    ids = [uuid.uuid4(), None]
    stored = pa.array([one and one.bytes for one in ids], pa.binary(16))
    assert column(pa.ExtensionArray.from_storage(pa.uuid(), stored)).to_pylist() == ids
    assert column(stored).to_pylist() == stored.to_pylist()
    flags = pa.ExtensionArray.from_storage(pa.bool8(), pa.array([1, 0, None, -3], pa.int8()))
    assert column(flags).to_pylist() == flags.to_pylist() == [True, False, None, True]
    # Inside of others, and as a dictionary.
    nested = pa.StructArray.from_arrays([pa.ExtensionArray.from_storage(pa.uuid(), stored)], ["id"])
    assert column(nested).to_pylist() == [{"id": ids[0]}, {"id": None}]


def test_values_of_our_own():
    """Values that come back as they were made, alone and inside of others, with the same types in each place."""
    id_, interval = uuid.uuid4(), arrow_ipc.MonthDayNano(14, -3, 5)
    for values, type_ in (
        ([id_, None], "fixed_size_binary(16)"),
        ([[id_, None], None, []], "list<item: fixed_size_binary(16)>"),
        ([{"a b": id_, "n": 1}, None], 'struct<"a b": fixed_size_binary(16), n: int64>'),
        ([[{"in": [id_]}]], "list<item: struct<in: list<item: fixed_size_binary(16)>>>"),
        ([interval, None], "interval(month_day_nano)"),
        ([[interval], [None]], "list<item: interval(month_day_nano)>"),
    ):
        array = arrow_ipc.Array(values)
        assert (array.type, array.field.name, array.to_pylist()) == (type_, "", values)
        assert arrow_ipc.RecordBatch({"a.b": values})["a.b"].to_pylist() == values
        target = io.BytesIO()
        arrow_ipc.write_file(target, [{"c": value} for value in values])
        assert arrow_ipc.open(target)["c"].to_pylist() == values
    assert arrow_ipc.Array([id_]).field.extension_name == "arrow.uuid"
    with pytest.raises(TypeError, match="values: no Arrow type for values of UUID, bytes"):
        arrow_ipc.Array([id_, id_.bytes])
    for text in ("abc", b"abc", 5):
        with pytest.raises(TypeError, match="a list of values"):
            arrow_ipc.Array(text)


def test_columns_of_numpy():
    """Each type of numbers and of times stays what it is, from each layout of memory."""
    for name in ("i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8", "?", ">i4", ">f8", "M8[s]", "M8[ns]", "m8[us]"):
        values = numpy.arange(6).astype("i8" if name[0] in "mM" else "i4").astype(name)
        values.setflags(write=True)
        for part in (values, values[::-2], values[1:1], numpy.asfortranarray(values.reshape(2, 3))[:, 1]):
            array = arrow_ipc.Array(part)
            expected = pa.array(part.astype(part.dtype.newbyteorder("=")))
            assert pa.array(array).equals(expected), (name, part)
        array = arrow_ipc.Array(values)
        values[:] = values[::-1].copy()
        assert pa.array(array).equals(pa.array(values[::-1].astype(values.dtype.newbyteorder("=")))), "a copy"
    assert arrow_ipc.Array(numpy.array([0, "NaT"], "M8[ms]")).to_pylist() == [datetime.datetime(1970, 1, 1), None]
    assert arrow_ipc.Array(numpy.ma.array([1, 2], mask=[False, True])).to_pylist() == [1, None]
    for kind in ("M8[s]", "M8[us]", "m8[ms]"):
        assert arrow_ipc.Array(numpy.ma.array(numpy.array([1, 2], kind), mask=[False, True])).to_pylist()[1] is None
    assert arrow_ipc.Array(numpy.array(["a", "b"])).to_pylist() == ["a", "b"]
    assert arrow_ipc.Array([numpy.float32(0.5), None, numpy.float16(2)]).to_pylist() == [0.5, None, 2.0]
    assert arrow_ipc.Array([numpy.bool_(True), None]).to_pylist() == [True, None]
    assert arrow_ipc.Array([numpy.int8(-1), 2**40]).to_pylist() == [-1, 2**40]


def test_times_of_pandas_keep_their_nanoseconds():
    pandas = pytest.importorskip("pandas")
    exact = pandas.DatetimeIndex(["2020-01-01 00:00:00.000000001"])
    for values in [exact, pandas.Series(exact), exact.array]:
        array = arrow_ipc.Array(values)
        assert (array.type, int(array.to_numpy()[0]) % 1000) == ("timestamp(ns)", 1)
    spans = arrow_ipc.Array(pandas.TimedeltaIndex([1, None]))
    assert (spans.type, spans.null_count, int(spans.to_numpy(zero_copy_only=False)[0])) == ("duration(ns)", 1, 1)
    assert arrow_ipc.Array(pandas.DatetimeIndex(["2020-01-01"], tz="UTC")).type.endswith('"UTC")')
    with pytest.raises(ValueError, match="nanoseconds of pandas would be lost"):
        arrow_ipc.Array([pandas.Timedelta(1)])


def test_values_that_have_an_array_at_once():
    """Beside pyarrow: the same types and values, with nulls and extremes."""
    for values in (
        [True, None, False], [2**63 - 1, -(2**63), None], [2**64 - 1, 0, None], [1.5, None, float("inf"), 1e-320], ["", None, "naïve", "\U0001f600"],
        [b"", None, b"\x00\xff"], [1, 2.5, None], [0, -0.0],
    ):  # fmt: skip
        has_float, is_long = float in map(type, values), any(v == 2**64 - 1 for v in values)
        theirs = pa.array([float(v) if v is not None and has_float else v for v in values], pa.uint64() if is_long else None)
        assert pa.array(arrow_ipc.Array(values)).equals(theirs), values
        assert arrow_ipc.Array([values]).to_pylist() == [theirs.to_pylist()]
    for values in ([2**60 + 1, 2.5], [[0.5], [2**53 + 1]], [10**400, 1.0]):
        with pytest.raises(ValueError, match="too many digits"):
            arrow_ipc.Array(values)
    assert arrow_ipc.Array([2**60, 2.5]).to_pylist() == [2.0**60, 2.5]


def test_columns_of_a_schema():
    """Values of Python have the types of the schema, and are null where there are none, if they may be."""
    schema = arrow_ipc.Schema([arrow_ipc.Field("id", "int16", nullable=False), ("f", "float32"), ("t", "utf8"), ("u", pa.uuid())])
    id_ = uuid.uuid4()
    target = io.BytesIO()
    with arrow_ipc.Writer(target, schema, container="stream") as writer:
        writer.write([{"id": 1, "f": 1.1, "u": id_}, {"t": "x", "id": 2}])
        writer.write({"t": pandas.Series(["y"]), "id": numpy.array([3])})
        writer.write([])
        with pytest.raises(arrow_ipc.ArrowIpcError, match="does not fit the schema") as caught:
            writer.write(pandas.DataFrame({"t": ["y"], "id": [3]}))
        assert caught.value.hint.startswith("`RecordBatch({name: data[name]")
        for rows, words in (
            ([{"id": None}], "id: 1 of the values are null"),
            ([{"t": "x"}], "id: 1 of the values are null"),
            ([{"id": 2**20}], "id: .*does not fit int16"),
            ([{"id": 1, "f": 1e300}], "f: .*does not fit float32"),
        ):
            with pytest.raises(ValueError, match=words):
                writer.write(rows)
    target.seek(0)
    found = arrow_ipc.concat(arrow_ipc.read_stream(target))
    assert found.schema == schema and found["id"].to_pylist() == [1, 2, 3] and found["t"].to_pylist() == [None, "x", "y"]
    assert found["f"].to_pylist() == [float(numpy.float32(1.1)), None, None] and found["u"].to_pylist() == [id_, None, None]


POINT = {"lon": 13.4, "lat": 52.5}
PLACE = "struct<latitude: float64, longitude: float64>"


@pytest.mark.parametrize(
    "type_, value",
    [
        (PLACE, POINT),
        (f"list<item: {PLACE}>", [POINT]),
        (f"struct<pos: {PLACE}>", {"pos": POINT}),
        (f"map<entries: struct<key: utf8 not null, value: {PLACE}> not null>", {"home": POINT}),
        ("struct<lat: float64, longitude: float64>", POINT),
    ],
)
def test_fields_of_structs_are_found_by_name(type_, value, tmp_path):
    """No value gets the name of another field, wherever the struct stands."""
    words = r"which has no field `lon`"
    path = tmp_path / "a.arrow"
    arrow_ipc.write_file(path, arrow_ipc.RecordBatch({"p": arrow_ipc.Array([], type_)}))
    sets = arrow_ipc.DatasetWriter(tmp_path / "set", {"p": type_})
    with arrow_ipc.Writer(tmp_path / "b.arrow", {"p": type_}) as writer:
        for write in (
            writer.write,
            lambda rows: writer.write({"p": [row["p"] for row in rows]}),
            lambda rows: arrow_ipc.append(path, rows),
            lambda rows: sets.write(rows),
            lambda rows: arrow_ipc.Array([row["p"] for row in rows], type_),
        ):
            with pytest.raises(arrow_ipc.ArrowIpcError, match=words) as caught:
                write([{"p": value}])
            assert caught.value.kind == "Unsupported" and "longitude" in str(caught.value)
    if "map" not in type_:
        with pytest.raises(arrow_ipc.ArrowIpcError, match=words) as caught:
            arrow_ipc.Array([value]).cast(type_)
        assert caught.value.hint.startswith("fields of structs are found by their names, and a cast leaves out none: `open(path, columns=")
    assert arrow_ipc.open(path).num_rows == 0


def test_fields_of_structs_may_be_in_any_order_and_left_out():
    assert arrow_ipc.Array([{"b": 1, "a": 2}, {"a": 3}], "struct<a: int8, b: int8, c: utf8>").to_pylist() == [
        {"a": 2, "b": 1, "c": None},
        {"a": 3, "b": None, "c": None},
    ]


@pytest.mark.parametrize("short", ["float16", "float32"])
def test_floats_are_rounded_at_all_depths(short):
    """A float of Python is not meant to have more digits than the type; a number of another library is."""
    rounded = float(numpy.dtype(short).type(0.1))
    nested = {
        short: (0.1, rounded),
        f"list<item: {short}>": ([0.1, None], [rounded, None]),
        f"fixed_size_list<item: {short}; 2>": ([0.1, 0.5], [rounded, 0.5]),
        f"struct<x: {short}, y: list<item: {short}>>": ({"x": 0.1, "y": [0.1]}, {"x": rounded, "y": [rounded]}),
        f"map<entries: struct<key: utf8 not null, value: {short}> not null>": ({"a": 0.1}, [("a", rounded)]),
        f"dictionary<int8, {short}>": (0.1, rounded),
    }
    for type_, (value, expected) in nested.items():
        assert arrow_ipc.Array([value, None], type_).to_pylist() == [expected, None]
        target = io.BytesIO()
        with arrow_ipc.Writer(target, {"c": type_}, container="file") as writer:
            writer.write([{"c": value}])
            if "map" not in type_ and type_ != short:
                other = {"c": arrow_ipc.Array([value])}
                with pytest.raises(arrow_ipc.ArrowIpcError, match="would lose digits") as caught:
                    writer.write(other)
                assert "`array.cast(type, lossy=True)`" in caught.value.hint
        assert arrow_ipc.open(target.getvalue())["c"].to_pylist() == [expected]
    for call in (lambda: arrow_ipc.Array([[1e300]], f"list<item: {short}>"), lambda: arrow_ipc.Array([1e300], short)):
        with pytest.raises(arrow_ipc.ArrowIpcError, match=f"does not fit {short}"):
            call()
    for other in (pa.array([0.1]), arrow_ipc.Array([0.1])):
        with pytest.raises(arrow_ipc.ArrowIpcError, match=f"would lose digits as {short}"):
            arrow_ipc.Array(other, short)
    with pytest.raises(arrow_ipc.ArrowIpcError, match="would lose digits as int8"):
        arrow_ipc.Array([[1.5]], "list<item: int8>")


MOMENT = datetime.datetime(2024, 2, 29, 12)


def runs(values):
    return f"run_end_encoded<run_ends:int32,values:{values}>"


@pytest.mark.parametrize(
    ("value", "refused", "taken"),
    [
        ("9", "int64 uint8 float32 decimal128(9,2) bool date32 time64(us) timestamp(us) duration(us) dictionary<int8,int64> " + runs("int64"), "utf8 large_utf8 binary dictionary<int8,utf8> " + runs("utf8")),
        (1, "utf8 utf8_view dictionary<int8,utf8> " + runs("utf8"), "int8 uint64 float32 decimal128(9,2) timestamp(us) duration(us)"),
        (1.5, "utf8", "float16 decimal128(9,2)"),
        (True, "int8 int64 float64 utf8", "bool dictionary<int8,bool> " + runs("bool")),
        (b"9", "", "utf8 large_binary"),
        (Decimal("1.5"), "utf8", "decimal128(9,2) float64"),
        (MOMENT, "int64 utf8", "timestamp(s)"),
        (MOMENT.date(), "utf8", "timestamp(ms) date64"),
        (MOMENT.time(), "int64 utf8", "time32(s)"),
        (datetime.timedelta(1), "int64 utf8", "duration(s)"),
        (uuid.UUID(int=5), "utf8", "fixed_size_binary(16)"),
    ],
)
def test_values_keep_their_meaning(value, refused, taken):
    """Text is no number, and a number no text: as in pyarrow, only a cast converts them."""
    for to in refused.split():
        with arrow_ipc.Writer(io.BytesIO(), {"c": to}, container="stream") as writer:
            for call in (
                lambda: writer.write([{}, {"c": value}]),
                lambda: writer.write({"c": [None, value]}),
                lambda: arrow_ipc.Array([None, value], to),
                lambda: arrow_ipc.Array((None, value), to),
            ):
                with pytest.raises(TypeError, match=re.escape(f"in row 1 is {type(value)}, and the type is ")) as caught:
                    call()
                assert repr(value) in str(caught.value)
        with pytest.raises(TypeError, match="is|are"):
            arrow_ipc.Array([[value]], f"list<item: {to}>")
        with pytest.raises(TypeError, match=r"^values\.a: "):
            arrow_ipc.Array([{"a": value}], f"struct<a: {to}>")
    for to in taken.split():
        found = arrow_ipc.Array([None, value], to)
        assert found[0] is None and arrow_ipc.Array([[value]], f"list<item: {to}>").cast(f"list<item: {to}>")[0] is not None
    if refused and not isinstance(value, (str, uuid.UUID)):
        # What the error says to write.
        assert arrow_ipc.Array([value]).cast(refused.split()[0])[0] is not None
    assert arrow_ipc.Array([True], pa.bool8()).to_pylist() == [True] and arrow_ipc.Array(["a", "a"], "dictionary").type == "dictionary<int32, utf8>"
    assert arrow_ipc.Array([uuid.UUID(int=5)], "dictionary").to_pylist() == [uuid.UUID(int=5)]


def test_arrays_of_numpy_have_types():
    """They are cast, as columns of other libraries are."""
    numpy, nanoseconds = pytest.importorskip("numpy"), "2024-01-01T00:00:00.123456789"
    assert arrow_ipc.Array(numpy.array([True, False]), "int8").to_pylist() == [1, 0]
    assert arrow_ipc.Array(numpy.array([nanoseconds], "M8[ns]"), "int64").to_pylist() == [1704067200123456789]
    with pytest.raises(TypeError, match="'1' in row 0"):
        arrow_ipc.Array(numpy.array(["1"]), "int8")


def test_whole_floats_are_exact_as_decimals():
    array = arrow_ipc.Array([2.0**62, -(2.0**62), 1e23, None])
    assert array.cast("decimal128(38, 0)").to_pylist() == [Decimal(2**62), Decimal(-(2**62)), Decimal(int(1e23)), None]
    assert arrow_ipc.Array([2.0**30]).cast("float32").cast("decimal128(10, 0)")[0] == 2**30
    assert arrow_ipc.Array([0.1]).cast("decimal128(3, 1)")[0] == Decimal("0.1")
    with pytest.raises(arrow_ipc.ArrowIpcError, match="would lose digits"):
        arrow_ipc.Array([0.25]).cast("decimal128(3, 1)")
    assert arrow_ipc.Array([0.25]).cast("decimal128(3, 1)", lossy=True)[0] == Decimal("0.2")


def test_what_a_time_loses_has_its_name(tmp_path):
    """A zone and a day are no digits; each hint names functions that have the argument."""
    now = datetime.datetime(2024, 2, 29, 12, tzinfo=datetime.timezone.utc)
    path = tmp_path / "a.arrow"
    arrow_ipc.write_file(path, {"at": [now]})
    with arrow_ipc.Writer(tmp_path / "b.arrow", {"at": "timestamp(us)"}) as writer:
        for call in (
            lambda: writer.write([{"at": now}]),
            lambda: list(arrow_ipc.dataset(path, schema={"at": "timestamp(us)"})),
            lambda: arrow_ipc.Array([now], "timestamp(us)"),
        ):
            with pytest.raises(arrow_ipc.ArrowIpcError, match=r"would lose its zone as timestamp\(us\)") as caught:
                call()
            assert caught.value.hint.startswith("`array.cast(type, lossy=True)` and `convert(")
    with pytest.raises(arrow_ipc.ArrowIpcError, match="would lose its day as time64"):
        arrow_ipc.Array([now.replace(tzinfo=None)]).cast("time64(us)")
    assert arrow_ipc.Array([now]).cast("timestamp(us)", lossy=True)[0] == now.replace(tzinfo=None)


def test_maps_of_a_schema():
    """Dicts and lists of pairs are maps where a schema says so; what is read is written again."""
    schema = arrow_ipc.Schema({"m": pa.map_(pa.string(), pa.int16()), "n": pa.map_(pa.int8(), pa.list_(pa.uuid()))})
    id_ = uuid.uuid4()
    rows = [{"m": {"a": 1, "b": None}, "n": [(1, [id_]), (1, None)]}, {"m": None, "n": {}}]
    target = io.BytesIO()
    with arrow_ipc.Writer(target, schema, container="file") as writer:
        writer.write(rows)
        writer.write(rows[1:])
    found = arrow_ipc.open(target).to_pylist()
    assert found[0] == {"m": [("a", 1), ("b", None)], "n": [(1, [id_]), (1, None)]} and found[1:] == [{"m": None, "n": []}] * 2
    again = io.BytesIO()
    with arrow_ipc.Writer(again, schema, container="file") as writer:
        writer.write(found)
        with pytest.raises(TypeError, match="m: a map is a dict or a list of pairs"):
            writer.write([{"m": [1, 2]}])
    assert arrow_ipc.open(again).to_pylist() == found


def test_intervals():
    found = column([(1, -2, 3), None], pa.month_day_nano_interval()).to_pylist()
    assert found == [(1, -2, 3), None] and type(found[0]) is arrow_ipc.MonthDayNano
    assert found[0].months == 1 and found[0]._fields == ("months", "days", "nanoseconds")


def test_zones():
    seconds = [0, 1720000000, 1729987200, 1729990800]
    for zone in ("UTC", "Europe/Berlin", "+01:00", "-05:30", "America/New_York"):
        theirs = pa.array(seconds, pa.timestamp("s", zone))
        found = column(theirs).to_pylist()
        assert same(found, theirs.to_pylist()), zone
        assert [value.timestamp() for value in found] == seconds
    # The hour that there is twice.
    twice = column(seconds[2:], pa.timestamp("s", "Europe/Berlin")).to_pylist()
    assert [value.fold for value in twice] == [0, 1] and twice[0].hour == twice[1].hour == 2


def test_unknown_zone():
    schema = arrow_ipc.Schema.parse('t: timestamp(s, "Nowhere/At all")')
    stored = column([0], pa.int64())
    moved = arrow_ipc.RecordBatch.from_arrow(
        pa.record_batch([pa.array([0], pa.timestamp("s", "Nowhere/At all"))], names=["t"])
    )["t"]
    assert moved.type == schema[0].type and stored.type == "int64"
    with pytest.raises(arrow_ipc.ArrowIpcError, match=r"is not known: `cast` to") as raised:
        moved.to_pylist()
    assert raised.value.kind == "UnknownTimeZone" and raised.value.category == "unsupported"
    assert moved.cast('timestamp(s, "utc")').to_pylist() == moved.cast('timestamp(s, "UTC")').to_pylist()
    assert moved.cast('timestamp(s, "UTC")').to_pylist() == [datetime.datetime(1970, 1, 1, tzinfo=zoneinfo.ZoneInfo("UTC"))]


def test_nanoseconds():
    for type_ in (pa.timestamp("ns"), pa.time64("ns"), pa.duration("ns")):
        array = column([1_000, 1_001], type_)
        assert array[:1].to_pylist() == pa.array([1_000], type_).cast(type_).to_pylist()
        with pytest.raises(arrow_ipc.ArrowIpcError, match=r"`to_numpy\(zero_copy_only=False\)`.*`cast`") as raised:
            array.to_pylist()
        assert (raised.value.kind, raised.value.category) == ("NotInPython", "unsupported")
        assert raised.value.location.slot == 1
        # As the text says.
        assert array.to_numpy(zero_copy_only=False).view("i8").tolist() == [1_000, 1_001]
        with pytest.raises(arrow_ipc.ArrowIpcError):
            array.cast(array.type.replace("ns", "us"))
        assert array.cast(array.type.replace("ns", "us"), lossy=True).to_pylist() == [array[0], array[0]]


def test_decimals():
    values = [Decimal("1.50"), None, Decimal("-0.01")]
    found = column(values, pa.decimal128(5, 2)).to_pylist()
    assert list(map(str, found)) == ["1.50", "None", "-0.01"]
    assert [str(value) for value in column([Decimal("5E+2")], pa.decimal128(5, -2))] == ["5E+2"]


def test_sequence():
    array = column([3, None, 5, 3])
    assert isinstance(array, Sequence) and len(array) == 4 and not column([], pa.int8())
    assert [array[k] for k in range(-4, 4)] == [3, None, 5, 3] * 2
    assert array[numpy.int64(2)] == 5 and array[True] is None
    assert list(array) == array.to_pylist() == [3, None, 5, 3] and list(reversed(array)) == [3, 5, None, 3]
    assert 5 in array and None in array and 4 not in array
    assert array.index(3) == 0 and array.index(3, 1) == 3 and array.index(3, -1) == 3 and array.count(3) == 2
    for call in (lambda: array.index(4), lambda: array.index(3, 1, 3)):
        with pytest.raises(ValueError, match="is not in the array"):
            call()
    for slot in (4, -5, 2**70, -(2**70)):
        with pytest.raises((IndexError, TypeError)):
            array[slot]
    with pytest.raises(IndexError, match="slot 4 is out of bounds; the array has 4 slots"):
        array[4]
    with pytest.raises(TypeError, match="by a number or a slice, found <class 'str'>"):
        array["a"]


def test_slices_share_memory():
    numbers = list(range(100))
    array = column(numbers, pa.int32())
    start = numpy.asarray(array).ctypes.data
    for cut in (slice(None), slice(3, 50), slice(-5, None), slice(50, 3), slice(0, 10**9), slice(None, None, 2), slice(None, None, -3)):
        part = array[cut]
        assert part.to_pylist() == numbers[cut] and part.field == array.field
        if part and cut.step in (None, 1):
            assert numpy.asarray(part).ctypes.data == start + 4 * numbers[cut][0]
    with pytest.raises(ValueError, match="zero"):
        array[::0]


def test_slices_of_each_type():
    for name, (path, position) in columns_by_type().items():
        array = arrow_ipc.concat(arrow_ipc.open(path).select([position])).column(0)
        whole = said(array.to_pylist)
        if not isinstance(whole, list):
            continue
        for cut in (slice(1, 8), slice(5, 6), slice(3, 3), slice(None, None, -2)):
            assert same(array[cut].to_pylist(), whole[cut]), (name, cut)
        assert same([array[slot] for slot in range(len(array))], whole), name


def test_to_numpy():
    for name in ("i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8"):
        type_ = pa.from_numpy_dtype(name)
        values = numpy.arange(5).astype(type_.to_pandas_dtype())
        array = column(pa.array(values, type_))
        found = array.to_numpy()
        assert found.dtype == values.dtype and found.tolist() == values.tolist() and not found.flags.writeable
        view = memoryview(array)
        # Views of Python 3.11 do not read halves.
        assert name == "f2" or view.tolist() == values.tolist()
        assert view.format == values.dtype.char.replace("l", "q").replace("L", "Q") and view.readonly and view.itemsize == values.itemsize
        assert memoryview(array[:0]).tolist() == [] and array[:0].to_numpy().dtype == values.dtype
        assert numpy.shares_memory(found, array.to_numpy())
        # One null.
        array = column(pa.array([*values.tolist(), None], type_))
        with pytest.raises(arrow_ipc.ArrowIpcError, match="1 of 6 slots are null"):
            array.to_numpy()
        found = array.to_numpy(zero_copy_only=False)
        assert found.dtype == (name if name in ("f2", "f4") else "f8") and found[:5].tolist() == values.tolist() and numpy.isnan(found[5])
        with pytest.raises(BufferError, match="1 of 6 slots are null"):
            memoryview(array)
    for unit in ("s", "ms", "us", "ns"):
        for type_, dtype in ((pa.timestamp(unit, "UTC"), "M8"), (pa.duration(unit), "m8")):
            theirs = pa.array([0, None, 2**62], type_)
            found = column(theirs).to_numpy(zero_copy_only=False)
            expected = theirs.to_numpy(zero_copy_only=False)
            assert found.dtype == expected.dtype == f"{dtype}[{unit}]" and numpy.array_equal(found, expected, equal_nan=True)
            assert numpy.asarray(column(theirs[2:])).dtype == f"{dtype}[{unit}]"
    times = column([0, 1], pa.time32("ms"))
    assert times.to_numpy(zero_copy_only=False).dtype == "m8[ms]"
    with pytest.raises(ValueError, match="needs a copy"):
        times.to_numpy()
    days = pa.array([0, -1, None], pa.date32())
    assert numpy.array_equal(column(days).to_numpy(zero_copy_only=False), days.to_numpy(zero_copy_only=False), equal_nan=True)
    # What NumPy does not have becomes what Python has.
    for theirs in (pa.array([[1], None]), pa.array(["a", None]), pa.array([True, None]), pa.array([Decimal(1)])):
        assert column(theirs).to_numpy(zero_copy_only=False).tolist() == theirs.to_pylist()
        with pytest.raises(arrow_ipc.ArrowIpcError, match=r"zero_copy_only=False"):
            column(theirs).to_numpy()
    assert column([True, False]).to_numpy(zero_copy_only=False).dtype == bool
    encoded = pa.array([1.5, 2.5, None, 1.5]).dictionary_encode()
    assert numpy.array_equal(column(encoded).to_numpy(zero_copy_only=False), [1.5, 2.5, numpy.nan, 1.5], equal_nan=True)
    # Nothing is rounded.
    assert column([2**53, None]).to_numpy(zero_copy_only=False)[0] == 2**53
    with pytest.raises(ValueError, match="do not fit float64"):
        column([2**53 + 1, None]).to_numpy(zero_copy_only=False)


def test_sums_of_small_integers_beside_nulls():
    """As `float16` they would be infinite."""
    for type_, value in ((pa.int8(), 100), (pa.uint8(), 200), (pa.int16(), 30_001), (pa.uint16(), 60_001)):
        for theirs in (pa.array([value] * 1_000 + [None], type_), pa.array([value] * 1_000 + [None], type_).dictionary_encode()):
            found = numpy.asarray(column(theirs))
            assert found.dtype == "f8" and numpy.nansum(found) == 1_000 * value


def test_bool8():
    def truths(values):
        return column(pa.ExtensionArray.from_storage(pa.bool8(), pa.array(values, pa.int8())))

    whole = truths([0, 1, 1])
    for found in (whole.to_pylist(), list(whole), list(reversed(whole))[::-1], whole.to_numpy().tolist(), numpy.asarray(whole).tolist()):
        assert repr(found) == "[False, True, True]"
    assert whole.to_numpy().dtype == bool and numpy.shares_memory(whole.to_numpy(), whole.to_numpy())
    with pytest.raises(BufferError):
        memoryview(whole)
    # Other bytes are true, and no bytes of NumPy's.
    other = truths([0, 1, -2])
    assert other.to_pylist() == [False, True, True]
    assert numpy.asarray(other).view("u1").tolist() == [0, 1, 1]
    with pytest.raises(ValueError, match="other than 0 and 1"):
        other.to_numpy()
    beside = truths([0, 1, -2, None])
    assert repr(numpy.asarray(beside).tolist()) == repr(beside.to_pylist()) == "[False, True, True, None]"


def test_hints_are_true():
    """What errors say that keeps the values does, and nothing is said that fails again."""
    for type_, value in ((pa.date32(), -10**6), (pa.date64(), 1), (pa.time32("s"), 86_400), (pa.timestamp("s"), -(10**11)), (pa.duration("s"), 2**60)):
        storage = pa.array([value], pa.int32() if type_.bit_width == 32 else pa.int64())
        array = column(storage.view(type_))
        with pytest.raises(arrow_ipc.ArrowIpcError, match=r"`to_numpy\(zero_copy_only=False\)`") as raised:
            array.to_pylist()
        assert raised.value.kind == "NotInPython" and "cast" not in str(raised.value)
        assert array.to_numpy(zero_copy_only=False).astype("i8").tolist() == [value]


def test_lists_are_never_seen_with_empty_places():
    """Others have their turn while a list is made; to read an empty place ends the process."""
    program = """
import gc, threading, arrow_ipc
N = 100_000
texts = arrow_ipc.Array(["abc"] * N)
done = False
def watch():
    while not done:
        for seen in gc.get_objects():
            if type(seen) is list and len(seen) == N:
                seen[-1]
watching = threading.Thread(target=watch)
watching.start()
for _ in range(4):
    assert texts.to_pylist()[-1] == "abc"
done = True
watching.join()
"""
    subprocess.run([sys.executable, "-c", program], check=True)


def test_array_protocol():
    array = column([1, 2])
    assert numpy.shares_memory(numpy.asarray(array), array.to_numpy())
    assert not numpy.shares_memory(numpy.array(array), array.to_numpy())
    assert array.__array__(copy=True).flags.writeable and not array.__array__().flags.writeable
    assert array.__array__(dtype="f4").dtype == "f4"
    with pytest.raises(ValueError):
        array.__array__(dtype="f4", copy=False)
    with pytest.raises(ValueError):
        numpy.asarray(column([1, None]), copy=False)
    assert numpy.asarray(column(["a", None])).tolist() == ["a", None]


def test_buffers_outlive():
    view = memoryview(column(list(range(1_000)), pa.int64()))
    other = column(list(range(5_000)))
    del other
    assert view[999] == 999 and view.obj.to_pylist()[-1] == 999
    with pytest.raises(TypeError, match="read-only"):
        view[0] = 1
    assert arrow_ipc.RecordBatch.from_arrow(pa.record_batch([pa.array(numpy.asarray(view))], names=["c"])).num_rows == 1_000


def many_values(n_lists, items):
    """A list view whose slots refer to the same items."""
    zeros, sizes = pa.array([0] * n_lists, pa.int64()), pa.array([len(items)] * n_lists, pa.int64())
    return column(pa.LargeListViewArray.from_arrays(zeros, sizes, items))


def test_values_in_proportion():
    """What slots share may be more than there is memory: one call makes so many values for each byte, and `repr` is short."""
    array = many_values(8_000, pa.array([1] * 8_000, pa.int8()))
    # Sixteen bytes of text count as much as a number, and are made in a fraction of the time.
    words = many_values(8_000, pa.DictionaryArray.from_arrays(numpy.zeros(1_000, numpy.int8), ["x" * 10_000]))
    started = time.process_time()
    for many in (words, array)[: times(1, 2)]:
        with pytest.raises(arrow_ipc.ArrowIpcError, match="take some of its slots") as raised:
            many.to_pylist()
        assert (raised.value.kind, raised.value.category) == ("TooManyValues", "limit_exceeded")
    assert len(repr(array)) < 10_000 and time.process_time() - started < 20
    assert array[5] == [1] * 8_000 and array[:3].to_pylist() == [[1] * 8_000] * 3
    iterator = iter(array)
    assert len(next(iterator)) == 8_000 == len(next(iterator))
    # Nothing but nulls: no memory at all.
    items = pa.Array.from_buffers(pa.null(), 2**31 - 1, [None])
    nulls = column(pa.FixedSizeListArray.from_arrays(items, len(items)))
    with pytest.raises(arrow_ipc.ArrowIpcError, match="take some"):
        nulls[0]
    texts = pa.DictionaryArray.from_arrays(numpy.zeros(1_000_000, numpy.int8), ["x" * 100_000])
    with pytest.raises(arrow_ipc.ArrowIpcError, match="take some"):
        column(texts).to_pylist()


def test_numbers_by_either_way():
    """Numbers without nulls are converted by views of them, all others one by one."""
    for name in ("i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8"):
        numbers = (numpy.arange(70_000) % 100).astype(name)
        array = column(pa.array(numbers))
        assert array.to_pylist() == numbers.tolist() and array[3:].to_pylist() == numbers[3:].tolist()
        assert column(pa.array([*numbers.tolist(), None], pa.from_numpy_dtype(name))).to_pylist() == [*numbers.tolist(), None]


def test_interrupt():
    """Many values can be interrupted, and other threads go on meanwhile."""
    script = """
import signal, sys, threading, time
import arrow_ipc
array = arrow_ipc.Array(range(200_000), "int64").cast("timestamp(us)")
turns = []
def take_turns():
    while True:
        turns.append(time.monotonic())
        time.sleep(0.001)
threading.Thread(target=take_turns, daemon=True).start()
# By the clock of the processor: others may have it meanwhile.
signal.signal(signal.SIGPROF, signal.default_int_handler)
signal.setitimer(signal.ITIMER_PROF, 0.2)
try:
    while True:
        array.to_pylist()
except KeyboardInterrupt:
    sys.exit(7 if len(turns) > 3 else 8)
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, timeout=300)
    assert done.returncode == 7, done.stderr


def test_interrupt_of_one_call(tmp_path):
    """A call over a batch of half a million rows or more is interrupted: it takes several times as long as the system takes to tell."""
    script = """
import os, signal, time
import arrow_ipc

def calls_over(n_rows):
    numbers = arrow_ipc.Array(range(n_rows))
    batch = arrow_ipc.RecordBatch({"numbers": numbers, "texts": numbers.cast("utf8")})
    many = arrow_ipc.RecordBatch({"numbers": numbers})
    calls = {name: batch[name].to_pylist for name in batch.schema.names}
    return calls | {"columns": batch.to_pydict, "rows": lambda: arrow_ipc.write_json("out.jsonl", many)}

# What is built for speed has more rows.
for n_rows in (1 << 19, 1 << 21):
    calls = calls_over(n_rows)
    start = time.process_time()
    calls["numbers"]()
    if time.process_time() - start > 0.06:
        break
signal.signal(signal.SIGPROF, signal.default_int_handler)
for name, call in calls.items():
    start = time.process_time()
    call()
    took = time.process_time() - start
    # By the clock of the processor, which does not run on while others have it.
    signal.setitimer(signal.ITIMER_PROF, took / 5)
    start = time.process_time()
    try:
        call()
    except KeyboardInterrupt:
        print(name, (time.process_time() - start) / took)
print(*os.listdir())
"""
    done = subprocess.run([sys.executable, "-c", script], cwd=tmp_path, capture_output=True, text=True, timeout=60)
    *lines, left = done.stdout.splitlines()
    parts = {name: float(part) for name, part in map(str.split, lines)}
    assert list(parts) == ["numbers", "texts", "columns", "rows"], done.stderr
    assert max(parts.values()) < 0.7, parts
    # The file that was complete.
    assert left == "out.jsonl"


def test_rows(people):
    batch = arrow_ipc.open(people).batch(0)
    theirs = pa.record_batch(batch)
    assert batch.to_pylist() == theirs.to_pylist() and batch.to_pydict() == theirs.to_pydict()
    assert batch[:0].to_pylist() == [] and batch[:0].to_pydict() == {"id": [], "name": [], "address": []}
    twice = arrow_ipc.RecordBatch.from_arrow(pa.record_batch([pa.array([1])] * 2, names=["a", "a"]))
    for call in (twice.to_pylist, twice.to_pydict, column(pa.StructArray.from_arrays([[1], [2]], ["a", "a"])).to_pylist):
        with pytest.raises(arrow_ipc.ArrowIpcError, match="several fields are called \"a\"") as raised:
            call()
        assert raised.value.kind == "RepeatedName"
    # A batch without columns has rows, too.
    assert batch.select([]).to_pylist() == [{}] * 10 and batch.select([]).to_pydict() == {}


@pytest.mark.filterwarnings("ignore:.* are in none of its blocks")
def test_hostile():
    """Each hostile file, by its values: an exception of ours, or values."""
    n_values = 0
    for path in sorted(HOSTILE.iterdir()):
        for read in (arrow_ipc.open, arrow_ipc.read_stream):
            for validation in ("content", "structure"):
                try:
                    for batch in read(path, validation=validation):
                        for position in range(batch.num_columns):
                            array = batch.column(position)
                            repr(array)
                            try:
                                n_values += len(array.to_pylist())
                                n_values += sum(1 for _ in array[:100])
                            except arrow_ipc.ArrowIpcError:
                                assert len(repr(array)) < 100_000
                except arrow_ipc.ArrowIpcError:
                    pass
    assert n_values > 100


def test_many_arrays_leave_nothing():
    array = column([[1, 2], None, [3]])
    numbers = column([1, 2, 3])

    def work():
        array[1:].to_pylist(), list(array), memoryview(numbers).tolist(), numbers.to_numpy(), repr(array)

    def held():
        return int(Path("/proc/self/statm").read_text().split()[1])

    for _ in range(500):
        work()
    before = held()
    for _ in range(2_000):
        work()
    assert held() - before < 400


@pytest.mark.parametrize("type_", [pa.string(), pa.large_string(), pa.string_view()])
def test_texts_of_all_lengths(type_):
    """Of ASCII and of others, short and long, with nulls between them, from any slot on."""
    random = numpy.random.default_rng(7)
    pieces = ["", "a", "ab", "x" * 15, "y" * 16, "z" * 70, "\x00", "\x7f", None]
    for more in ([], ["é"], ["😀 and more", None, None], ["long " * 10_000]):
        words = [pieces[k] for k in random.integers(0, len(pieces), 5_000)]
        for text in more:
            for k in random.integers(0, len(words), 4):
                words[k] = text
        array = column(pa.array(words, type_))
        assert array.to_pylist() == words and list(array) == words
        for start in (0, 1, 510, 511, 512, 513, 1_023, 1_024, 4_999):
            assert array[start:].to_pylist() == words[start:] and array[start : start + 600].to_pylist() == words[start : start + 600]
    assert column(pa.array(["one"] * 3, type_))[1:2].to_pylist() == ["one"] and column(pa.array([], type_)).to_pylist() == []


def test_texts_of_nulls_that_cut_characters():
    """Null slots may have any bytes, also a part of a character, and texts with them are not ASCII."""
    offsets = pa.py_buffer(numpy.array([0, 1, 2, 4, 5], dtype="i4").tobytes())
    for text in ("aébc".encode(), b"abcde"):
        array = pa.StringArray.from_buffers(4, offsets, pa.py_buffer(text), pa.py_buffer(b"\x09"))
        if text.isascii():
            assert column(array).to_pylist() == array.to_pylist() == ["a", None, None, "e"]
        else:
            # 'é' is in slots 1 and 2, which are null.
            assert column(array).to_pylist() == array.to_pylist() == ["a", None, None, "c"]


def test_maps_inside_of_others():
    """Dicts inside of lists, structs and maps are maps where the type says so."""
    inner = "map<entries: struct<key: utf8 not null, value: int8> not null>"
    lists = arrow_ipc.Array([[{"a": 1}, {}], None, [{"b": None, "c": 3}, None]], f"list<item: {inner}>")
    assert lists.to_pylist() == [[[("a", 1)], []], None, [[("b", None), ("c", 3)], None]]
    structs = arrow_ipc.Array([{"m": {"a": 1}, "s": {"x": 1}}], f"struct<m: {inner}, s: struct<x: int8>>")
    assert structs.to_pylist() == [{"m": [("a", 1)], "s": {"x": 1}}]
    maps = arrow_ipc.Array([{1: {"a": 2}}], f"map<entries: struct<key: int8 not null, value: {inner}> not null>")
    assert maps.to_pylist() == [[(1, [("a", 2)])]]
    schema = arrow_ipc.Schema({"m": pa.list_(pa.map_(pa.string(), pa.int16()))})
    target = io.BytesIO()
    with arrow_ipc.Writer(target, schema, container="file") as writer:
        writer.write([{"m": [{"a": 1}]}, {"m": None}])
    assert arrow_ipc.open(target).to_pylist() == [{"m": [[("a", 1)]]}, {"m": None}]


def test_dicts_with_other_keys_than_names():
    with pytest.raises(TypeError, match="values: fields of structs have names of str, found 1; dicts are maps where a type or schema says so"):
        arrow_ipc.Array([{1: 2}])
    with pytest.raises(TypeError, match="c.d: fields of structs"):
        arrow_ipc.RecordBatch({"c": [{"d": {None: 2}}]})


def test_long_casts_in_parts():
    """Casts from and to text go some slots after the other, and errors name slots of the whole array."""
    n_slots = 150_000
    numbers = arrow_ipc.Array(numpy.arange(n_slots))
    texts = numbers.cast("utf8")
    assert len(texts) == n_slots and texts[0] == "0" and texts[65_536] == "65536" and texts[-1] == "149999"
    assert texts.cast("int64") == numbers
    wrong = texts.to_pylist()
    wrong[140_000] = "x"
    with pytest.raises(arrow_ipc.ArrowIpcError, match="slot 140000"):
        arrow_ipc.Array(wrong).cast("int64")
    encoded = arrow_ipc.Array(["a", "b"] * (n_slots // 2)).cast("dictionary<int32, utf8>")
    assert encoded.cast("utf8").to_pylist()[-2:] == ["a", "b"]


def test_types_of_python_and_of_other_libraries():
    """Each is the type that its values have."""
    integers = arrow_ipc.Array([1, 2])
    cases = [
        (int, "int64"), (float, "float64"), (str, "utf8"), (bool, "bool"), (numpy.int8, "int8"), (numpy.dtype("uint16"), "uint16"),
        (numpy.float32, "float32"), (pl.Int16, "int16"), (pl.Float64(), "float64"), (pandas.Int32Dtype(), "int32"), (pandas.StringDtype(), "large_utf8"),
        (pa.int8(), "int8"), (pl.String, "utf8_view"),
    ]
    for given, expected in cases:
        assert arrow_ipc.Field("x", given).type == expected, given
        assert arrow_ipc.Schema({"x": given})["x"].type == expected
        if given is not bool:
            assert integers.cast(given).type == expected
    for given, expected in [
        (bytes, "binary"), (datetime.date, "date32"), (datetime.datetime, "timestamp(us)"), (datetime.timedelta, "duration(us)"),
        (datetime.time, "time64(us)"), (numpy.dtype("datetime64[ns]"), "timestamp(ns)"), (pl.Datetime("ms", "UTC"), 'timestamp(ms, "UTC")'),
        (pl.List(pl.Int8), "large_list<item: int8>"), (numpy.bool_, "bool"), (numpy.str_, "utf8"),
    ]:
        assert arrow_ipc.Field("x", given).type == expected, given
    for given in [5, None, b"int8", [int], list, dict, pl.Object, pl.List(pl.Object), pl.Struct({"a": pl.Object}), object, Decimal, numpy.object_, numpy.zeros(2), pl.Series([1]), pl, lambda: 1]:
        with pytest.raises(TypeError, match="expected a text such as"):
            arrow_ipc.Field("x", given)
    text = arrow_ipc.read_csv(b"zip,n\n07,1\n", types={"zip": str, "n": numpy.int8})
    assert next(text).to_pydict() == {"zip": ["07"], "n": [1]}


def test_uuids_are_cast_to_text_and_back():
    known = [uuid.UUID(int=7), None, uuid.UUID("12345678-1234-5678-1234-567812345678")]
    column = arrow_ipc.Array(known)
    text = column.cast("utf8")
    assert text.to_pylist() == [None if value is None else str(value) for value in known]
    assert text.field.extension_name is None and text.cast(pa.uuid()).to_pylist() == known
    assert column.cast(pa.uuid()).to_pylist() == known and column.cast("dictionary").to_pylist() == known
    for made, to in [([known], "list<item: utf8>"), ([{"u": known[0]}], "struct<u: utf8>")]:
        inside = arrow_ipc.Array(made).cast(to)
        assert inside.to_pylist() == json.loads(json.dumps(made, default=str))
        back = pa.list_(pa.uuid()) if isinstance(made[0], list) else pa.struct([("u", pa.uuid())])
        assert inside.cast(back).to_pylist() == made
    batch = arrow_ipc.RecordBatch({"u": [str(known[0])]}, pa.schema([("u", pa.uuid())]))
    assert batch["u"].to_pylist() == known[:1]


def test_zones_of_python_are_kept():
    berlin, tokyo = zoneinfo.ZoneInfo("Europe/Berlin"), zoneinfo.ZoneInfo("Asia/Tokyo")
    hours = datetime.timezone(-datetime.timedelta(hours=3, minutes=30))
    with (Path(zoneinfo.TZPATH[0]) / "Asia/Tokyo").open("rb") if zoneinfo.TZPATH else io.BytesIO() as data:
        odd = zoneinfo.ZoneInfo.from_file(data, key='a"b\ud800') if zoneinfo.TZPATH else hours
    cases = [
        ([berlin, berlin], "Europe/Berlin"), ([berlin, tokyo], "UTC"), ([hours], "UTC"), ([odd], "UTC"), ([datetime.timezone.utc], "UTC"),
        ([datetime.timezone(datetime.timedelta(seconds=1))], "UTC"), ([zoneinfo.ZoneInfo("UTC")], "UTC"),
    ]
    for zones, expected in cases:
        values = [datetime.datetime(2024, 7, 1, 12, tzinfo=zone) for zone in zones]
        found = arrow_ipc.Array([*values, None])
        assert found.type == f'timestamp(us, "{expected}")'
        assert found.to_pylist() == [*values, None]
        assert arrow_ipc.Array([{"at": value} for value in values]).type == f"struct<at: {found.type}>"
    stamps = [pandas.Timestamp("2024-07-01 12:00", tz="Europe/Berlin")]
    assert arrow_ipc.Array(stamps).type == 'timestamp(us, "Europe/Berlin")' and arrow_ipc.Array(stamps)[0] == stamps[0]
    utc = arrow_ipc.Array(values := [datetime.datetime(2024, 7, 1, 12, tzinfo=berlin)], 'timestamp(us, "UTC")')
    assert utc.type == 'timestamp(us, "UTC")' and utc.to_pylist() == values


def test_lists_of_values_become_what_pyarrow_makes_of_them():
    """Of random values with nulls, alone, in lists and in dicts."""
    chance = random.Random(27)
    epoch, day = datetime.datetime(1970, 1, 1), datetime.timedelta(days=1)
    zones = [datetime.timezone.utc, zoneinfo.ZoneInfo("Europe/Berlin"), datetime.timezone(datetime.timedelta(hours=-3, minutes=7))]

    def moment():
        return datetime.datetime.min + (datetime.datetime.max - datetime.datetime.min - 2 * day) * chance.random() + day

    makes = {
        "date32": lambda: moment().date(),
        "time64(us)": lambda: moment().time(),
        "duration(us)": lambda: moment() - epoch,
        "timestamp(us)": moment,
        'timestamp(us, "UTC")': lambda: moment().replace(tzinfo=zones[chance.randrange(3)], fold=chance.randrange(2)),
        "decimal128(20, 3)": lambda: Decimal(chance.randrange(-(10**19), 10**19)).scaleb(-3),
        "interval(month_day_nano)": lambda: arrow_ipc.MonthDayNano(*(chance.randrange(-(2**31), 2**31) for _ in range(3))),
        "uuid": lambda: uuid.UUID(int=chance.randrange(2**128)),
    }
    for name, make in makes.items():
        values = [make() if chance.random() < 0.8 else None for _ in range(200)]
        type_of = None if name != "interval(month_day_nano)" else pa.month_day_nano_interval()
        made = arrow_ipc.Array(values)
        assert made.to_pylist() == values, name
        if name != "uuid":
            # pyarrow takes the zone of the first value.
            expected = pa.array(values, type_of)
            assert pa.array(made).cast(expected.type).equals(expected), name
        for nested in ([{"a": [value]} for value in values], [[{"b": value}, None] for value in values]):
            assert arrow_ipc.Array(nested).to_pylist() == nested, name
    for values in ([[1], None, [], [2, None]], [[["x"]], [[], None]], [{"a": None}, None, {"b": [{}]}], [[]], [None]):
        assert arrow_ipc.Array(values).to_pylist() == pa.array(values).to_pylist()
    maps = arrow_ipc.Array([{"k": 1}, None, {}, [("k", None), ("l", 2)]], "map<utf8, int64>")
    assert pa.array(maps).equals(pa.array([[("k", 1)], None, [], [("k", None), ("l", 2)]], pa.map_(pa.string(), pa.int64())))
    with pytest.raises(arrow_ipc.ArrowIpcError, match="key"):
        arrow_ipc.Array([{None: 1}], "map<utf8, int64>")


def test_numbers_beside_decimals_and_numbers_without_a_type():
    assert arrow_ipc.Array([Decimal("1.5"), numpy.int64(3)]).to_pylist() == [Decimal("1.5"), Decimal("3.0")]
    assert arrow_ipc.Array([Decimal("1.5"), 0, None, 10**20]).to_pylist() == [Decimal("1.5"), Decimal("0.0"), None, Decimal(10**20)]
    rows = arrow_ipc.RecordBatch([{"p": Decimal("1.5")}, {"p": 0}], {"p": "decimal128(10, 2)"})
    assert rows["p"].to_pylist() == [Decimal("1.50"), Decimal("0.00")]
    # A `float` has fewer digits.
    if numpy.dtype(numpy.longdouble).itemsize > 8:
        wide = numpy.array([2**63 + 1], dtype=numpy.longdouble)
        for values in [wide, list(wide)]:
            with pytest.raises(TypeError, match="longdouble|float128"):
                arrow_ipc.Array(values)
        with pytest.raises(TypeError, match="expected a text such as"):
            arrow_ipc.Field("x", numpy.longdouble)
    with pytest.raises(ValueError, match=r"duration\(us\)"):
        arrow_ipc.Array([datetime.timedelta.max])


def test_nulls_inside_of_encodings_are_nulls():
    for array in [
        pa.DictionaryArray.from_arrays([0, 1], ["a", None]),
        pa.RunEndEncodedArray.from_arrays([2, 3], pa.array(["a", None])),
        pa.UnionArray.from_sparse(pa.array([0, 0], pa.int8()), [pa.array([1, None])]),
    ]:
        required = arrow_ipc.Schema([arrow_ipc.Field("x", array.type, nullable=False)])
        with pytest.raises(arrow_ipc.ArrowIpcError, match="which x: .* not null does not allow"):
            arrow_ipc.RecordBatch({"x": array}, required)
        assert arrow_ipc.RecordBatch({"x": array[:1]}, required).num_rows == 1


def test_metadata_of_extension_types():
    field = arrow_ipc.Schema(pa.schema([("u", pa.uuid())]))["u"]
    assert field.with_metadata({"a": "b"}).extension_name == "arrow.uuid"
    changed = field.with_metadata({"ARROW:extension:metadata": "z"})
    assert changed.extension_name == "arrow.uuid" and changed.metadata["ARROW:extension:metadata"] == "z"
    assert field.with_metadata({"ARROW:extension:name": "mine"}).metadata == {"ARROW:extension:name": "mine"}


def test_what_a_cast_does_not_change_is_shared():
    n_slots = 100_000
    text = arrow_ipc.Array(pa.array(["x" * 100] * n_slots))
    addresses = [[buffer and buffer.address for buffer in pa.array(column).buffers()] for column in (text, text.cast("utf8"))]
    assert addresses[0] == addresses[1]
    wide = arrow_ipc.Array(pa.array([*range(n_slots), None]))
    assert wide.cast("utf8").to_pylist() == [*map(str, range(n_slots)), None]
    with pytest.raises(arrow_ipc.ArrowIpcError, match=f"in slot {n_slots - 1} ") as raised:
        arrow_ipc.Array(pa.array([*map(str, range(n_slots - 1)), "x"])).cast("int64")
    assert raised.value.location.slot == n_slots - 1


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="needs timers")
@pytest.mark.parametrize("to", ["utf8", "dictionary<int32, float64>", "struct<a: utf8>"])
def test_long_casts_are_stopped(to):
    """Also casts inside of structs, and to dictionaries."""

    def floats(n_slots):
        made = pa.array(numpy.random.default_rng(1).random(n_slots))
        return arrow_ipc.Array(pa.StructArray.from_arrays([made], ["a"]) if to.startswith("struct") else made)

    # As many as take about half a second, however fast the build and the machine are.
    few = floats(20_000)
    start = time.perf_counter()
    few.cast(to)
    column = floats(min(max(int(10_000 / (time.perf_counter() - start)), 100_000), 4_000_000))
    raised = []

    def stop(*_):
        raised.append(time.process_time())
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, stop)
    start = time.process_time()
    signal.setitimer(signal.ITIMER_REAL, 0.05)
    try:
        with pytest.raises(KeyboardInterrupt):
            column.cast(to)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    # The handler ran while the cast did.
    assert raised and raised[0] - start < 1


def test_dictionaries():
    values = pa.array(["red", "blue", None, "red", "red"])
    for encoded in (
        values.dictionary_encode(),
        pa.DictionaryArray.from_arrays(pa.array([1, None, 0, 2, 1], pa.uint8()), pa.array(["a", None, "c"], pa.large_string()), ordered=True),
        pa.array([], pa.dictionary(pa.int64(), pa.float64())),
    ):
        for theirs in (encoded, encoded[1:4], encoded[3:]):
            ours = arrow_ipc.Array(theirs)
            assert pa.array(ours.indices).equals(theirs.indices) and pa.array(ours.dictionary).equals(theirs.dictionary)
    ids = arrow_ipc.Array([uuid.UUID(int=5), uuid.UUID(int=5)], "dictionary")
    assert (ids.indices.to_pylist(), ids.dictionary.to_pylist()) == ([0, 0], [uuid.UUID(int=5)])
    plain = arrow_ipc.Array(["a"])
    for name in ("indices", "dictionary"):
        assert not hasattr(plain, name)
        with pytest.raises(AttributeError, match="not dictionary-encoded"):
            getattr(plain, name)


def test_empty_arrays_of_numpy_keep_their_type():
    for dtype, expected in (("U5", "utf8"), ("S3", "binary"), ("i2", "int16"), ("M8[us]", "timestamp(us)")):
        assert arrow_ipc.Array(numpy.array([], dtype)).type == expected
        assert arrow_ipc.RecordBatch({"a": numpy.array([], dtype)}).schema["a"].type == expected


def test_structs_with_fields_of_one_name():
    """Only a value is an error, since it does not fit a dict: without values there is nothing to say."""
    pair = pa.StructArray.from_arrays([pa.array([1, 2]), pa.array([3, 4])], ["x", "x"])
    array = arrow_ipc.Array(pair)
    assert array[:0].to_pylist() == []
    nulls = arrow_ipc.Array(pa.array([None, None], pair.type))
    assert nulls.to_pylist() == [None, None]
    lists = arrow_ipc.Array(pa.ListArray.from_arrays([0, 0, 2], pair))
    assert lists[:1].to_pylist() == [[]]
    for call in [array.to_pylist, lists.to_pylist, lambda: array[0], lambda: list(array)]:
        with pytest.raises(arrow_ipc.ArrowIpcError, match='several fields are called "x"'):
            call()
    batch = arrow_ipc.RecordBatch(pa.record_batch([pa.array([1]), pa.array([2])], ["x", "x"]))
    assert batch.slice(0, 0).to_pylist() == []
    # A dict of columns would have only one of them.
    for call in [batch.to_pylist, batch.to_pydict, batch.slice(0, 0).to_pydict]:
        with pytest.raises(arrow_ipc.ArrowIpcError, match='several fields are called "x"'):
            call()
