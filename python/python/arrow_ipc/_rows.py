"""Python's own values as batches: their types are looked at, and the reader of lines of JSON makes arrays of them."""

import json
from datetime import date, datetime, time, timedelta, timezone
from decimal import Decimal

from ._arrow_ipc import Schema, _quoted, read_json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

    from ._arrow_ipc import Stream


def stream(data: "dict[str, Iterable[Any]] | list[dict[str, Any]]") -> "Stream":
    """A dict of columns, or a list of rows."""
    columns = _of_rows(data) if isinstance(data, list) else {name: _listed(values) for name, values in data.items()}
    for name in columns:
        if not isinstance(name, str):
            raise TypeError(f"names of columns are str, found {type(name)}")
    lengths = {name: len(values) for name, values in columns.items()}
    if len(set(lengths.values())) > 1:
        raise ValueError(f"columns have different lengths: {lengths}")
    kinds = {name: _kind(values, name) for name, values in columns.items()}
    schema = Schema.parse("\n".join(f"{_quoted(name)}: {_text(kind)}" for name, kind in kinds.items()))
    names = list(columns)
    encoded = [[_json(value, kinds[name]) for value in columns[name]] for name in names]
    lines = (json.dumps(dict(zip(names, row))) for row in zip(*encoded))
    return read_json("\n".join(lines).encode(), schema=schema, max_null_bytes=2**62)


def _listed(values: "Iterable[Any]") -> "list[Any]":
    """Numbers, truths and texts of NumPy become Python's; its times have units that are lost there."""
    if getattr(getattr(values, "dtype", None), "kind", "") in tuple("biufSU"):
        return list(values.tolist())  # type: ignore[attr-defined]
    return list(values)


def _of_rows(rows: "list[dict[str, Any]]") -> "dict[str, list[Any]]":
    for row in rows:
        if not isinstance(row, dict):
            raise TypeError(f"expected a list of dicts, found {type(row)} in it")
    names = dict.fromkeys(name for row in rows for name in row)
    return {name: [row.get(name) for row in rows] for name in names}


# The types of values, which become these; an int that is too long for one is one of the other.
_KINDS = {bool: "bool", float: "float64", str: "utf8", bytes: "binary", date: "date32", time: "time64(us)", timedelta: "duration(us)"}


def _kind(values: "list[Any]", name: str) -> "Any":
    """The type of all values: text, or a tuple of what it is and what is inside."""
    given = [value for value in values if value is not None]
    found = {type(value) for value in given}
    if not found:
        return "null"
    if found == {int}:
        return "int64" if max(given) < 2**63 else "uint64"
    if found == {int, float}:
        return "float64"
    if found == {Decimal}:
        scale = max(max(0, -int(value.as_tuple().exponent)) for value in given if value.is_finite())
        whole = max(value.adjusted() + 1 for value in given)
        digits = max(1, scale + max(whole, 0))
        return ("decimal", f"decimal128({digits}, {scale})" if digits <= 38 else f"decimal256({digits}, {scale})", scale)
    if found == {datetime}:
        zones = {value.tzinfo is not None for value in given}
        if len(zones) > 1:
            raise ValueError(f"{name}: some times have a zone, and some do not")
        return 'timestamp(us, "UTC")' if True in zones else "timestamp(us)"
    if found <= {list, tuple}:
        return ("list", _kind([item for value in given for item in value], name))
    if found == {dict}:
        fields = _of_rows(given)
        return ("struct", {field: _kind(items, f"{name}.{field}") for field, items in fields.items()})
    if len(found) == 1 and (only := found.pop()) in _KINDS:
        return _KINDS[only]
    names = ", ".join(sorted(kind.__name__ for kind in found)) or type(given[0]).__name__
    raise TypeError(f"{name}: no Arrow type for values of {names}: pass an object of a library with Arrow data")


def _text(kind: "Any") -> str:
    if isinstance(kind, str):
        return kind
    if kind[0] == "list":
        return f"list<item: {_text(kind[1])}>"
    if kind[0] == "decimal":
        return str(kind[1])
    return "struct<" + ", ".join(f"{_quoted(name)}: {_text(inner)}" for name, inner in kind[1].items()) + ">"


def _json(value: "Any", kind: "Any") -> "Any":
    """As `docs/JSON.md` has it."""
    if value is None:
        return None
    if isinstance(kind, tuple):
        if kind[0] == "list":
            return [_json(item, kind[1]) for item in value]
        if kind[0] == "decimal":
            return format(value, f".{kind[2]}f")
        return {name: _json(value.get(name), inner) for name, inner in kind[1].items()}
    if kind == "float64":
        value = float(value)
        return value if value - value == 0 else "NaN" if value != value else "Infinity" if value > 0 else "-Infinity"
    if kind == "binary":
        return value.hex()
    if kind == "duration(us)":
        return value // timedelta(microseconds=1)
    if kind == "time64(us)":
        return value.isoformat("microseconds")
    if kind == 'timestamp(us, "UTC")':
        return value.astimezone(timezone.utc).replace(tzinfo=None).isoformat("T", "microseconds") + "Z"
    if kind == "timestamp(us)":
        return value.isoformat("T", "microseconds")
    return value.isoformat() if kind == "date32" else value
