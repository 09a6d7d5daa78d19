"""Arrays that are made of Python values: how much Python code runs for them, values at the limits, and errors with their column."""

import collections
import datetime
import enum
import sys
import uuid
import zoneinfo
from decimal import Decimal

import arrow_ipc
import numpy
import pandas
import pytest

BERLIN = zoneinfo.ZoneInfo("Europe/Berlin")
START = datetime.datetime(2024, 10, 27)
MAKES = {
    "integers": lambda k: k,
    "floats": lambda k: k / 2,
    "texts": str,
    "dates": lambda k: datetime.date.fromordinal(1 + k),
    "times": lambda k: datetime.time(k % 24, k % 60, 59, 999_999 - k),
    "durations": lambda k: datetime.timedelta(k - 1000, k, k),
    "timestamps": lambda k: START + datetime.timedelta(microseconds=k),
    "timestamps of UTC": lambda k: (START + datetime.timedelta(seconds=k)).replace(tzinfo=datetime.timezone.utc),
    "timestamps of a zone": lambda k: (START + datetime.timedelta(minutes=k)).replace(tzinfo=BERLIN),
    "lists": lambda k: [k, None, k + 1],
    "structs": lambda k: {"a": k, "b": "x", "day": datetime.date(2024, 1, 1)},
    "UUIDs": lambda k: uuid.UUID(int=k << 70 | k),
    "decimals": lambda k: Decimal(k).scaleb(-(k % 5)),
    "intervals": lambda k: arrow_ipc.MonthDayNano(k, -k, k),
}


@pytest.mark.parametrize("name", MAKES)
def test_no_function_of_python_runs_for_each_value(name):
    """Such functions took most of the time: up to fifty times that of pyarrow."""
    values = [MAKES[name](k) if k % 7 else None for k in range(2_000)]
    n_calls = 0

    def count(_, event, called):
        nonlocal n_calls
        n_calls += event == "call"

    # The first call imports modules.
    arrow_ipc.Array(values)
    before = sys.getprofile()
    sys.setprofile(count)
    try:
        made = arrow_ipc.Array(values)
    finally:
        sys.setprofile(before)
    assert n_calls < 200
    assert made.to_pylist() == values
    assert [row["c"] for row in arrow_ipc.RecordBatch([{"c": value} for value in values]).to_pylist()] == values


class Day(datetime.date):
    """A class that is derived from a date, with other attributes."""

    __slots__ = ()


class Moment(datetime.datetime):
    def __sub__(self, other):
        raise AssertionError("methods of derived classes are not called")

    __rsub__ = __sub__


class NoOffset(datetime.tzinfo):
    def utcoffset(self, _):
        return None


def test_values_of_derived_classes_and_at_the_limits():
    day, moment = Day(2024, 2, 29), Moment(2024, 2, 29, 12, 30, 1, 5)
    assert arrow_ipc.Array([day, None]).to_pylist() == [datetime.date(2024, 2, 29), None]
    assert arrow_ipc.Array([moment]).to_pylist() == [datetime.datetime(2024, 2, 29, 12, 30, 1, 5)]
    zoned = arrow_ipc.Array([moment.replace(tzinfo=BERLIN)])
    assert (zoned.type, str(zoned[0])) == ('timestamp(us, "Europe/Berlin")', "2024-02-29 12:30:01.000005+01:00")
    # A time in the hour that exists twice.
    twice = [datetime.datetime(2024, 10, 27, 2, 30, tzinfo=BERLIN, fold=fold) for fold in (0, 1)]
    assert [value.fold for value in arrow_ipc.Array(twice).to_pylist()] == [0, 1]
    assert arrow_ipc.Array(twice).cast("int64").to_pylist() == [1729989000000000, 1729992600000000]
    # A zone without an offset counts as that of the system.
    unknown = datetime.datetime(2024, 2, 29, 12, tzinfo=NoOffset())
    assert arrow_ipc.Array([unknown])[0] == unknown.astimezone(datetime.timezone.utc)
    for limits in (
        [datetime.date.min, datetime.date.max],
        [datetime.time.min, datetime.time.max],
        [datetime.datetime.min, datetime.datetime.max],
        [value.replace(tzinfo=datetime.timezone.utc) for value in (datetime.datetime.min, datetime.datetime.max)],
        [datetime.timedelta(microseconds=2**63 - 1), datetime.timedelta(microseconds=1 - 2**63)],
        [-(2**63), 2**63 - 1],
        [0, 2**64 - 1],
        [uuid.UUID(int=0), uuid.UUID(int=2**128 - 1)],
    ):
        assert arrow_ipc.Array([None, *limits]).to_pylist() == [None, *limits]
    # Zones that are equal, and not the same object.
    many = [START.replace(tzinfo=datetime.timezone(datetime.timedelta(minutes=k % 3))) for k in range(1_000)]
    assert arrow_ipc.Array(many).to_pylist() == many
    stamps = [pandas.Timestamp("2024-02-29 12:00:00.000001", tz="Europe/Berlin"), pandas.NaT]
    assert arrow_ipc.Array(stamps).to_pylist() == [stamps[0].to_pydatetime(), None]
    assert arrow_ipc.Array([pandas.Timedelta(days=-1, microseconds=2), None]).to_pylist() == [datetime.timedelta(days=-1, microseconds=2), None]


@pytest.mark.parametrize(
    ("texts", "type_"),
    [
        (["0"], "decimal128(1, 0)"),
        (["-0.00", "0"], "decimal128(3, 2)"),
        (["0.00"], "decimal128(2, 2)"),
        (["0E+5"], "decimal128(6, 0)"),
        (["1E+3", "-2.5"], "decimal128(5, 1)"),
        (["1E-7", "12"], "decimal128(9, 7)"),
        (["-00012.300"], "decimal128(5, 3)"),
        (["9" * 38, "-" + "9" * 38], "decimal128(38, 0)"),
        (["0." + "0" * 37 + "1"], "decimal128(38, 38)"),
        (["1", "0." + "0" * 37 + "1"], "decimal256(39, 38)"),
        (["9" * 39], "decimal256(39, 0)"),
        (["1E+75"], "decimal256(76, 0)"),
        (["1E-76"], "decimal256(76, 76)"),
    ],
)
def test_decimals_get_the_least_type(texts, type_):
    values = [Decimal(text) for text in texts]
    made = arrow_ipc.Array([None, *values])
    assert (made.type, made.to_pylist()) == (type_, [None, *values])
    for value, again in zip(values, made.to_pylist()[1:], strict=True):
        assert value.is_zero() or (value.as_tuple().sign, int(value)) == (again.as_tuple().sign, int(again))


@pytest.mark.parametrize("texts", [["NaN"], ["1", "-Infinity"], ["sNaN"], ["1E+76"], ["1", "1E-76"], ["1E+999999"]])
def test_decimals_without_a_type(texts):
    with pytest.raises(ValueError, match="c: decimals have"):
        arrow_ipc.RecordBatch({"c": [Decimal(text) for text in texts]})


def test_rows_are_dicts_of_any_kind():
    class Key(str):
        pass

    ordered = collections.OrderedDict(b=1, a=2)
    ordered.move_to_end("b")
    rows = [ordered, {"c": 3, "a": 4}, collections.defaultdict(int, {"b": 5}), {Key("c"): 6, "".join(["a"]): 7}, {}]
    made = arrow_ipc.RecordBatch(rows)
    assert (made.schema.names, made.to_pylist()) == (["a", "b", "c"], [{name: row.get(name) for name in "abc"} for row in rows])
    assert arrow_ipc.Array([None, *rows]).to_pylist() == [None, *({name: row.get(name) for name in "abc"} for row in rows)]
    for rows, words in (
        ([{"a": 1}, None], "found <class 'NoneType'> among the rows"),
        ([{"a": 1}, 5], "found <class 'int'> among the rows"),
        ([{1: 1}], "names of columns are str, found <class 'int'>"),
    ):
        with pytest.raises(TypeError, match=words):
            arrow_ipc.RecordBatch(rows)

    class Clears:
        """A key that changes its dict when it is compared."""

        def __hash__(self):
            return hash("a")

        def __eq__(self, other):
            row.clear()
            return False

    row = {Clears(): 1, "b": 2}
    with pytest.raises(TypeError, match="names of columns are str"):
        arrow_ipc.RecordBatch([{"a": 1}, row])


def test_integers_of_other_classes():
    class Code(enum.IntEnum):
        A = 5

    assert arrow_ipc.Array([Code.A, numpy.int8(3), True + 1, None]).to_pylist() == [5, 3, 2, None]
    with pytest.raises(ValueError, match="c: no type of integers holds all from -1 to 18446744073709551615"):
        arrow_ipc.RecordBatch({"c": [-1, 2**64 - 1]})


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ([None, arrow_ipc.MonthDayNano(2**31, 0, 0)], r"c: the value MonthDayNano\(.*2147483648.*\) in slot 1 does not fit interval\(month_day_nano\)"),
        ([None, arrow_ipc.MonthDayNano(0, 0, 2**63)], "c: the value MonthDayNano.* in slot 1 does not fit interval"),
        (numpy.array([0, 2**40], "M8[D]"), "c: the value 1099511627776 in slot 1 does not fit date32"),
        ([[], [None, arrow_ipc.MonthDayNano(0, -(2**40), 0)]], "c: the value MonthDayNano.* in slot 1 does not fit interval"),
    ],
)
def test_integers_that_are_too_large_for_days_and_intervals(values, words, tmp_path):
    """They were an `OverflowError` without a column."""
    for make in (
        lambda: arrow_ipc.RecordBatch({"c": values}),
        lambda: arrow_ipc.write_file(tmp_path / "a.arrow", {"c": values}),
        lambda: arrow_ipc.RecordBatch([{"c": value} for value in values]) if isinstance(values, list) else arrow_ipc.RecordBatch({"c": values}),
    ):
        with pytest.raises(arrow_ipc.ArrowIpcError, match=words) as caught:
            make()
        error = caught.value
        assert (error.kind, error.location.field, error.location.slot) == ("OutOfRange", "c", 1)
    with pytest.raises(arrow_ipc.ArrowIpcError, match=words.removeprefix("c")):
        arrow_ipc.Array(values)


def test_numbers_of_json_that_are_too_large_name_their_field():
    for text, field, hint in (
        ('{"a": 1e400}', "a", "types={\"a\": \"utf8\"} reads"),
        ('{"b": {"a": [0, -1e400]}}', "b.a.item", "types={\"b\": \"json\"} reads"),
    ):
        with pytest.raises(arrow_ipc.ArrowIpcError, match=f"line 2, byte .*field `{field}`: expected a number that fits") as caught:
            arrow_ipc.read_json(('{"a": 1}\n' + text).encode())
        assert caught.value.location.field == field and caught.value.hint.startswith(hint)
        column, type_ = field[0], hint.split('"')[3]
        read = arrow_ipc.read_json(('{"a": 1}\n' + text).encode(), types={column: type_})
        assert "1e400" in str(next(iter(read))[column].to_pylist()[1])
