"""Makes batches from Python values, whose types determine the types of columns."""

import bisect
import sys
from collections.abc import Mapping
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from itertools import chain
from uuid import UUID

from ._arrow_ipc import (
    Array,
    ArrowIpcError,
    Location,
    MonthDayNano,
    Schema,
    _array_of,
    _array_of_memory,
    _batch_of,
    _columns_of,
    _decimals_of,
    _escaped,
    _in_field,
    _lists_of,
    _maps_of,
    _quoted,
    _reinterpreted,
    _structs_of,
    _times_of,
    _types_of,
    _zones_of,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from ._arrow_ipc import Field, RecordBatch


def batch(data: "dict[str, Any] | list[dict[str, Any]]", schema: "Schema | None") -> "RecordBatch":
    """Makes a batch from a dict of columns, or from a list of rows. The columns get the types of `schema`, if it is given."""
    names = schema.names if schema else []
    given = _of_rows(data, names) if isinstance(data, list) else data
    for name in given:
        if not isinstance(name, str):
            raise TypeError(_escaped(f"names of columns are str, found {type(name)}"))
        _check_utf8(name)
    if data and not given:
        raise ValueError("rows without fields are not written: pass a schema that has columns")
    types = {field.name: field for field in schema.fields} if schema else {}
    columns = {name: _column(column, name, types.get(name)) for name, column in given.items()}
    lengths = {name: len(column) for name, column in columns.items()}
    if len(set(lengths.values())) > 1:
        raise ValueError(_escaped(f"columns have different lengths: {lengths}"))
    if schema and len(set(names)) == len(names):
        if unknown := next((name for name in columns if name not in types), None):
            # Raises the error for an unknown name, with a hint that lists similar names.
            schema.field(unknown)
        if missing := [name for name in names if name not in columns]:
            columns.update(dict.fromkeys(missing, Array([None] * max(lengths.values(), default=0))))
        columns = {name: _cast(columns[name], given.get(name), name, types[name]) for name in names}
    return _batch_of(list(columns.items()))


def _cast(column: "Array", values: "Any", name: str, to: "Field") -> "Array":
    # The last digits of a Python `float` have no meaning, so it may be rounded to a shorter type at any depth.
    rounds_floats = not _has_types(values) or (column.type == "float64" and to.type in ("float16", "float32"))
    if (_has_types(values) or not _is_of_numbers(values)) and (other := _reinterpreted(column, name, to)):
        _refuse(column, to, *other)
    try:
        return _in_field(column, to, rounds_floats)
    except ArrowIpcError as error:
        _put_in_column(error, name)
        raise


def _put_in_column(error: "ArrowIpcError", name: str) -> None:
    error.args = (f"{name}: {error}",)
    path = ".".join([_quoted(name, in_path=True), *filter(None, [error.location.field])])
    error.location = Location(field=path, slot=error.location.slot)


def _refuse(column: "Array", to: "Field", path: str, wanted: str) -> None:
    """Raises an error if values would change their meaning: text must not become numbers, and numbers must not become text."""
    row, value = next(((row, value) for row, value in enumerate(column) if value is not None), (0, None))
    found = f"{value!r:.100} in row {row} is {type(value)}" if path == to.name else f"values are {column.type}"
    instead = f"`Array(values).cast({to.type!r})` makes a column of them" if path == to.name else f"pass values of {wanted}"
    if wanted in ("utf8", "large_utf8", "utf8_view"):
        instead = "pass `str(value)`"
    raise TypeError(_escaped(f"{path}: {found}, and the type is {wanted}: {instead}"))


# The types of NumPy numbers and times.
_NUMBERS = {"i": "int", "u": "uint", "f": "float", "M": "timestamp", "m": "duration"}


def _column(values: "Any", name: str, to: "Field | None" = None) -> "Array":
    """Makes an array from values, which determine its type. Dicts and lists of pairs become maps only if the field `to` is a map."""
    if isinstance(values, Array):
        return values
    if _has_types(values):
        return Array.from_arrow(values)
    kind = getattr(getattr(values, "dtype", None), "kind", "")
    if kind in ("S", "T", "U") and len(values) == 0:
        return _array_of([], "binary" if kind == "S" else "utf8")
    values = _listed(values, name)
    if (numbers := _of_numpy(values)) is not None:
        return numbers
    dtype = getattr(values, "dtype", None)
    try:
        if getattr(dtype, "kind", "") in ("m", "M") and hasattr(dtype, "str"):
            return _times_of_numpy(values, name)
        return _made(values, name, to)
    except MixedTypes as error:
        raise TypeError(_escaped(f"{error}; {_mixed(values, name, to)}")) from None
    except ArrowIpcError as error:
        _put_in_column(error, name)
        raise
    except UnicodeEncodeError as error:
        error.reason = f"{error.reason} in a text of column {name}"
        raise


class MixedTypes(TypeError):
    """The values of a column have types that no Arrow type holds together."""


def _mixed(values: "list[Any]", name: str, to: "Field | None") -> str:
    """Says which row has a value of another type: the first that does not fit the field alone, or else the first that does not fit
    the rows before it."""

    def fits_alone(value: "Any", to: "Field") -> bool:
        try:
            _cast(_column([value], name, to), [value], name, to)
        except (TypeError, ValueError):
            return False
        return True

    def fits_before(row: int) -> bool:
        try:
            _made(values[: row + 1], name, to)
        except TypeError:
            return False
        return True

    # One row for each type is enough, and quick.
    rows = {type(value): row for row, value in reversed(list(enumerate(values))) if not _is_null(value)}
    if to and (row := min((row for row in rows.values() if not fits_alone(values[row], to)), default=None)) is not None:
        return f"{values[row]!r:.100} in row {row} is {type(values[row])}, and the type is {to.type}"
    # Rows that fit come first.
    row = bisect.bisect_left(range(len(values)), True, key=lambda row: not fits_before(row))
    return f"{values[row]!r:.100} in row {row} is {type(values[row])}" if len(rows) > 1 else f"the first of another type is in row {row}: {values[row]!r:.100}"


def _has_types(values: "Any") -> bool:
    """Whether the values are an array or column, of this or another library, and so have a type."""
    return hasattr(values, "__arrow_c_array__") or hasattr(values, "__arrow_c_stream__")


def _is_of_numbers(values: "Any") -> bool:
    """Whether values of NumPy or pandas are numbers, booleans or times. These are cast to the type of a schema."""
    return getattr(getattr(values, "dtype", None), "kind", "O") in "biufmM"


def _of_numpy(values: "Any") -> "Array | None":
    """Makes an array from numbers or times of NumPy, with their type. `None` for other values, and for times with nulls."""
    numpy = sys.modules.get("numpy")
    if numpy is None or not isinstance(values, numpy.ndarray) or hasattr(values, "mask"):
        return None
    kind, n_bytes = values.dtype.kind, values.dtype.itemsize
    if kind == "b":
        return _array_of_memory(numpy.packbits(values, bitorder="little"), "bool", len(values))
    unit = f"({values.dtype.str[4:-1]})" if kind in "mM" else str(8 * n_bytes)
    if kind not in _NUMBERS or n_bytes > 8 or (kind in "mM" and (unit not in ("(s)", "(ms)", "(us)", "(ns)") or numpy.isnat(values).any())):
        return None
    numbers = numpy.ascontiguousarray(values, values.dtype.newbyteorder("=")).view(f"u{n_bytes}")
    return _array_of_memory(numbers, _NUMBERS[kind] + unit, len(values))


def _times_of_numpy(values: "Any", name: str) -> "Array":
    unit = values.dtype.str[4:-1]
    is_date = values.dtype.kind == "M" and unit == "D"
    if not is_date and unit not in ("s", "ms", "us", "ns"):
        raise TypeError(_escaped(f"{name}: no Arrow type for {values.dtype}: use a unit of s, ms, us or ns"))
    text = "date32" if is_date else f"duration({unit})" if values.dtype.kind == "m" else f"timestamp({unit})"
    numbers = [None if value != value else number for value, number in zip(values, values.astype("int64").tolist())]
    return _array_of(numbers, text)


def _listed(values: "Any", name: str) -> "Any":
    """Makes a list of the values. Numbers and times of NumPy keep their classes, which have types and units."""
    kind = getattr(getattr(values, "dtype", None), "kind", "")
    if kind and getattr(values, "ndim", 1) != 1:
        raise TypeError(_escaped(f"{name}: a column has one dimension, found an array of {values.ndim}"))
    if kind in ("S", "U") or (kind in ("b", "i", "u", "f") and hasattr(values, "mask")):
        return list(values.tolist())
    if kind in ("b", "i", "u", "f", "m", "M") and hasattr(values, "__array_interface__"):
        return values
    # A pandas index contains a NumPy array, except an index of times with a zone.
    if kind in ("m", "M") and isinstance(values.dtype, sys.modules["numpy"].dtype) and hasattr(values, "to_numpy"):
        return values.to_numpy()
    if isinstance(values, (str, bytes, set, frozenset, Mapping)) or not hasattr(values, "__iter__"):
        advice = "; `df.to_dict('list')` of pandas gives lists" if isinstance(values, Mapping) else ""
        raise TypeError(_escaped(f"{name}: a column is a list of values, found {type(values)}; rows are a list of dicts{advice}"))
    return list(values)


def _of_rows(rows: "list[dict[str, Any]]", first: "Iterable[str]" = ()) -> "dict[str, list[Any]]":
    """Converts rows to columns. The columns in `first` come first."""
    for kind in _types_of(rows):
        if not issubclass(kind, dict):
            raise TypeError(_escaped(f"expected a list of dicts, found {kind} among the rows"))
    return _columns_of(rows, list(first))


# Python types, and the Arrow types that their values get. Not listed are those for which the values decide.
_KINDS = {
    bool: "bool",
    float: "float64",
    str: "utf8",
    bytes: "binary",
    date: "date32",
    time: "time64(us)",
    MonthDayNano: "interval(month_day_nano)",
}
_KNOWN = {*_KINDS, int, datetime, timedelta, Decimal, UUID, list, dict}


def _known(kind: type) -> type:
    """The built-in type from which a type is derived, also for numbers of NumPy. A named tuple counts as its own type, because its
    meaning is unknown."""
    if kind.__module__ == "numpy" and hasattr(kind, "dtype"):
        dtype = sys.modules["numpy"].dtype(kind)
        known = {"b": bool, "i": int, "u": int, "f": float, "S": bytes, "U": str}.get(dtype.kind, kind)
        # A `float` has fewer digits than a `longdouble`.
        return kind if known is float and dtype.itemsize > 8 else known
    return next((base for base in kind.__mro__ if base in _KNOWN), kind)


# The types of the pandas nulls: `pandas.NaT` for times, and `pandas.NA`.
_PANDAS_NULLS = ("NaTType", "NAType")


def _is_null(value: "Any") -> bool:
    """Whether a value is `None`, or a null of pandas."""
    return value is None or type(value).__name__ in _PANDAS_NULLS


def _zone(zone: "Any") -> str:
    """The name of a time zone of `zoneinfo` or pytz. UTC for all other zones, because their offsets may differ from row to row."""
    attribute = {"zoneinfo": "key", "pytz": "zone"}.get(type(zone).__module__.partition(".")[0], "")
    name = str(getattr(zone, attribute, None) or "UTC")
    return name if name.isascii() and all(char.isalnum() or char in "_+/-" for char in name) else "UTC"


def _check_utf8(name: str) -> None:
    try:
        name.encode()
    except UnicodeEncodeError:
        raise ValueError(f"{name!r}: names are UTF-8, and this name has half of a surrogate pair") from None


def _is_float(value: int) -> bool:
    try:
        return int(float(value)) == value
    except OverflowError:
        return False


def _made(values: "Any", name: str, to: "Field | None" = None) -> "Array":
    """Makes an array from values, whose types determine its type. Dicts and lists of pairs become maps only if the field `to` is a map."""
    inner = to.children if to else []
    if to and to.type.startswith(("dense_union<", "sparse_union<")):
        raise TypeError(_escaped(f"{name}: unions are not made of values of Python: pass an array of a library with Arrow data, such as pyarrow"))
    if to and to.type.startswith("map<"):
        return _maps(values, name, *inner[0].children)
    values = values if isinstance(values, list) else list(values)
    types = set(_types_of(values))
    if nulls := {kind for kind in types if kind.__name__ in _PANDAS_NULLS}:
        values = [None if type(value) in nulls else value for value in values]
    types -= {*nulls, type(None)}
    found = {_known(kind) for kind in types}
    if not found:
        return _array_of(values, "null")
    if found == {int}:
        return _integers(values, name)
    if found == {int, float}:
        # A `float` represents every integer up to 2**53. Larger integers are tested one by one.
        if inexact := [value for value in _given(values) if _known(type(value)) is int and not -(2**53) <= value <= 2**53 and not _is_float(value)]:
            raise ValueError(_escaped(f"{name}: {inexact[0]!r:.100} stands beside floats, and has too many digits for one: pass `Decimal`s"))
        return _array_of(values, "float64")
    if found == {Decimal} or found == {Decimal, int}:
        if types != {Decimal}:
            values = [value if value is None else Decimal(value if isinstance(value, Decimal) else int(value)) for value in values]
        decimals = _decimals_of(values)
        return _long_decimals(values, name) if decimals is None else decimals
    if found == {datetime}:
        zones = _zones_of(values)
        if len(zones) > 1 and any(zone is None for zone in zones):
            raise ValueError(_escaped(f"{name}: some times have a zone and some have none: give all of them a zone, or none"))
        if types != {datetime} and any(getattr(value, "nanosecond", 0) for value in _given(values)):
            raise ValueError(_escaped(f"{name}: nanoseconds of pandas would be lost: pass a `pandas.Series` of them"))
        if zones == [None]:
            return _times_of(values, "timestamp(us)")
        regions = set(map(_zone, zones))
        return _times_of(values, f'timestamp(us, "{regions.pop() if len(regions) == 1 else "UTC"}")')
    if found == {timedelta}:
        if types != {timedelta} and any(getattr(value, "nanoseconds", 0) for value in _given(values)):
            raise ValueError(_escaped(f"{name}: nanoseconds of pandas would be lost: pass a `pandas.Series` of them"))
        return _durations(values, name, to)
    if found == {time} and any(zone is not None for zone in _zones_of(values)):
        raise ValueError(_escaped(f"{name}: a time of day has no zone in Arrow: pass it without, or as a `datetime`"))
    if found <= {list, tuple}:
        items = list(chain.from_iterable(_given(values)))
        return _lists_of(values, _made(items, name, inner[0] if len(inner) == 1 else None))
    if found == {dict}:
        types_of_fields = {field.name: field for field in inner}
        # Members without a value in any row are null.
        columns = _columns_of(values, []) or {field: [None] * len(values) for field in types_of_fields}
        if unnamed := [field for field in columns if not isinstance(field, str)]:
            raise TypeError(_escaped(f"{name}: fields of structs have names of str, found {unnamed[0]!r:.100}; dicts are maps where a type or schema says so"))
        for field in columns:
            _check_utf8(field)
        return _structs_of(values, [(field, _made(items, f"{name}.{field}", types_of_fields.get(field))) for field, items in columns.items()])
    if found == {UUID}:
        return _in_field(_array_of(values, "uuid"), _UUID["value"], False)
    if len(found) == 1 and (only := next(iter(found))) in _KINDS:
        return (_times_of if only in (date, time) else _array_of)(values, _KINDS[only])
    names = ", ".join(sorted(kind.__name__ for kind in found))
    advice = "values of one type" if len(found) > 1 else "an object of a library with Arrow data"
    kinds = {kind.__name__ for kind in types}
    if kinds in ({"datetime64"}, {"timedelta64"}):
        advice = f"`numpy.array(values, '{kinds.pop()}[us]')`"
    elif kinds & {"longdouble", "float128"}:
        advice = "what `astype('float64')` gives"
    elif "ndarray" in kinds:
        advice = "lists, as `value.tolist()` gives"
    kind = MixedTypes if len(found) > 1 else TypeError
    raise kind(_escaped(f"{name}: no Arrow type for values of {names}: pass {advice}"))


def _given(values: "list[Any]") -> "list[Any]":
    """The values that are not `None`."""
    return [value for value in values if value is not None]


def _integers(values: "list[Any]", name: str) -> "Array":
    try:
        return _array_of(values, "int64")
    except OverflowError:
        least, greatest = int(min(_given(values))), int(max(_given(values)))
    if greatest >= 2**64 or least < (-(2**63) if greatest < 2**63 else 0):
        # Python refuses to write integers of more than 4300 digits.
        shown = [str(number) if -(10**100) < number < 10**100 else "one of more than 100 digits" for number in (least, greatest)]
        raise ValueError(_escaped(f"{name}: no type of integers holds all from {shown[0]} to {shown[1]}: pass `Decimal`s"))
    return _array_of(values, "uint64")


def _long_decimals(values: "list[Any]", name: str) -> "Array":
    """Makes an array of decimals of any number of digits, or says why they have none."""
    given = _given(values)
    if not all(value.is_finite() for value in given):
        raise ValueError(_escaped(f"{name}: decimals have no {next(value for value in given if not value.is_finite())}: pass `float`s"))
    scale = max(max(0, -int(value.as_tuple().exponent)) for value in given)
    whole = max(value.adjusted() + 1 for value in given)
    digits = max(1, scale + max(whole, 0))
    if digits > 76:
        raise ValueError(_escaped(f"{name}: decimals have at most 76 digits, and all of these need {digits}: pass `str`s"))
    texts = [value if value is None else format(value, f".{scale}f") for value in values]
    return _array_of(texts, "utf8").cast(f"decimal{128 if digits <= 38 else 256}({digits}, {scale})")


# The units of durations that hold every `timedelta`.
_UNITS = {"duration(s)": timedelta(seconds=1), "duration(ms)": timedelta(milliseconds=1)}


def _durations(values: "list[Any]", name: str, to: "Field | None") -> "Array":
    try:
        return _times_of(values, "duration(us)")
    except OverflowError:
        given = _given(values)
    # Seconds and milliseconds hold every `timedelta`.
    unit = _UNITS.get(to.type) if to else None
    if to is None or unit is None:
        long = next(value for value in given if not timedelta(microseconds=-(2**63)) <= value < timedelta(microseconds=2**63))
        raise ValueError(_escaped(f"{name}: {long!r} does not fit duration(us): the types duration(s) and duration(ms) hold it"))
    if parts := [value for value in given if value % unit]:
        raise ValueError(_escaped(f"{name}: {parts[0]!r} has a part that {to.type} cannot hold"))
    return _array_of([value if value is None else value // unit for value in values], to.type)


def _maps(values: "Any", name: str, key: "Field", item: "Field") -> "Array":
    """Makes a column of maps. Its values are dicts or lists of pairs."""
    maps = [None if _is_null(value) else _pairs(value, name) for value in values]
    pairs = list(chain.from_iterable(_given(maps)))
    keys, items = [each for each, _ in pairs], [each for _, each in pairs]
    return _maps_of(maps, _made(keys, f"{name}.key", key) if keys else _array_of([], "utf8"), _made(items, f"{name}.value", item))


def _pairs(value: "Any", name: str) -> "list[tuple[Any, Any]]":
    if isinstance(value, dict):
        return list(value.items())
    if not isinstance(value, (list, tuple)) or not all(isinstance(pair, (list, tuple)) and len(pair) == 2 for pair in value):
        raise TypeError(_escaped(f"{name}: a map is a dict or a list of pairs, found {value!r:.100}"))
    return [(key, item) for key, item in value]


_UUID = Schema.parse('value: fixed_size_binary(16)\n\nmetadata of field value:\n  "ARROW:extension:name": "arrow.uuid"\n  "ARROW:extension:metadata": ""')
