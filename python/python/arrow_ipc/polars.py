"""Data sets for polars, which says which columns and rows it needs."""

from __future__ import annotations

import datetime
import json
from collections.abc import Iterator
from typing import Any

from ._arrow_ipc import Dataset
from ._engines import ahead, needed, opened

# What polars ends with a panic at.
_ABSENT = ("run_end_encoded<", "list_view<", "_union<", "interval(")
_SIGNS = {"Eq": "=", "NotEq": "!=", "Lt": "<", "LtEq": "<=", "Gt": ">", "GtEq": ">="}
_MIRRORED = {"Eq": "Eq", "NotEq": "NotEq", "Lt": "Gt", "LtEq": "GtEq", "Gt": "Lt", "GtEq": "LtEq"}


def scan(source: Any, **options: Any) -> Any:
    """A `polars.LazyFrame` of a data set, or of what `arrow_ipc.dataset` opens with these arguments.

    Only columns that a query needs are read, and of the first rows no more than it asks for. What it compares with constants decides which
    folders and, with `trust_statistics`, which batches are read.
    """
    polars, plugins = needed("polars"), needed("polars.io.plugins")
    data = opened(source, options)
    for field in data.schema:
        if any(name in field.type for name in _ABSENT):
            raise TypeError(f"polars has no type for the column {field.name}: {field.type}; `columns=` can leave it out, `schema=` cast it")

    def frames(columns: list[str] | None, predicate: Any, n_rows: int | None, batch_size: int | None) -> Iterator[Any]:
        part = data if predicate is None else _matching(data, predicate)
        part = part if columns is None else part.select(columns)
        for frame in ahead(part.split(16 << 20), polars.DataFrame, None if n_rows is None else 1):
            found = frame if predicate is None else frame.filter(predicate)
            if n_rows is not None:
                found = found.head(n_rows)
                n_rows -= found.height
            yield found
            if n_rows == 0:
                return

    return plugins.register_io_source(frames, schema=polars.Schema(data), validate_schema=True, is_pure=True)


def _matching(data: Dataset, predicate: Any) -> Dataset:
    """Leaves out rows by what is understood of a predicate; polars has the last word."""
    try:
        condition = _condition(json.loads(predicate.meta.serialize(format="json")))
        return data if condition is None else data.where(condition)
    except (ArithmeticError, AttributeError, KeyError, TypeError, ValueError):
        return data


def _condition(tree: dict[str, Any]) -> str | None:
    """A condition that holds for all rows of this part of a predicate, in its form as JSON; `None` if it is not understood."""
    [(kind, found)] = tree.items()
    if kind == "BinaryExpr":
        operator, sides = found["op"], (found["left"], found["right"])
        if operator in ("And", "Or"):
            parts = [_condition(side) for side in sides]
            if operator == "Or" and None in parts:
                return None
            return f" {operator.lower()} ".join(f"({part})" for part in parts if part) or None
        if operator in _SIGNS and "Literal" in sides[0]:
            operator, sides = _MIRRORED[operator], (sides[1], sides[0])
        if operator in _SIGNS and "Column" in sides[0] and "Literal" in sides[1]:
            value = _constant(sides[1]["Literal"])
            return None if value is None else f"{_column(sides[0])} {_SIGNS[operator]} {value}"
    elif kind == "Function" and "Boolean" in found["function"]:
        name, inputs = found["function"]["Boolean"], found["input"]
        if name in ("IsNull", "IsNotNull") and "Column" in inputs[0]:
            return f"{_column(inputs[0])} is {'not ' * (name == 'IsNotNull')}null"
        if name == {"IsBetween": {"closed": "Both"}} and "Column" in inputs[0]:
            low, high = (_constant(side["Literal"]) for side in inputs[1:])
            return None if None in (low, high) else f"{_column(inputs[0])} between {low} and {high}"
    return None


def _column(tree: dict[str, Any]) -> str:
    name: str = tree["Column"]
    return '"' + name.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _constant(literal: dict[str, Any]) -> str | None:
    """What is exactly the same in a condition: no floating-point numbers, which polars rounds to the type of the column."""
    [(kind, value)] = literal[next(iter(literal))].items()
    if kind.startswith(("Int", "UInt")):
        return str(int(value))
    if kind in ("String", "Date", "Datetime"):
        text = value
        if kind == "Date":
            text = (datetime.date(1970, 1, 1) + datetime.timedelta(days=value)).isoformat()
        elif kind == "Datetime":
            ticks, unit, zone = value
            if zone is not None or unit != "Microseconds":
                return None
            text = (datetime.datetime(1970, 1, 1) + datetime.timedelta(microseconds=ticks)).isoformat()
        return "'" + str(text).replace("'", "''") + "'"
    return None
