"""Data sets for polars. A query reads only the columns and rows that it needs."""

from __future__ import annotations

import datetime
import json
import os
import re
from collections.abc import Callable, Iterator
from typing import Any

from ._arrow_ipc import Dataset, RecordBatch, Stream, Task, _escaped
from ._engines import needed, opened, prefetch
from ._zones import unknown_zone

# Types at which polars panics, or which it refuses.
_ABSENT = re.compile(
    r"run_end_encoded<|list_view<|_union<|interval\(|decimal256\(|decimal\d+\(\d+, -|fixed_size_binary\(0\)|fixed_size_list<.*; 0>"
)
_SIGNS = {"Eq": "=", "NotEq": "!=", "Lt": "<", "LtEq": "<=", "Gt": ">", "GtEq": ">="}
_MIRRORED = {"Eq": "Eq", "NotEq": "NotEq", "Lt": "Gt", "LtEq": "GtEq", "Gt": "Lt", "GtEq": "LtEq"}


# The number of bytes of files for a frame: polars filters each, which takes at least a tenth of a millisecond. At URLs, the threads wait
# most of the time, so there are more of them, and tasks are greater if they read few columns.
_LOCAL_BYTES, _MAX_LOCAL_THREADS = 16 << 20, 8
_REMOTE_BYTES, _REMOTE_THREADS = 8 << 20, 32


def scan(source: Any, **options: Any) -> Any:
    """A `polars.LazyFrame` of a data set, or of the data set that `arrow_ipc.dataset` opens with these arguments.

    Reads only the columns that a query needs. If the query needs only the first rows, reading stops after these. Comparisons of columns
    with constants decide which folders are read, and with `trust_statistics` also which batches. A condition on the first rows, as in
    `head(5).filter(…)`, does not have this effect.
    """
    polars, plugins = needed("polars"), needed("polars.io.plugins")
    data = opened(source, options)
    _check_types(data.schema, "`columns=` can leave it out, `schema=` cast it")
    types = _known_zones(polars, data.schema, lambda: polars.Schema(data))

    def frames(columns: list[str] | None, predicate: Any, n_rows: int | None, batch_size: int | None) -> Iterator[Any]:
        # If `n_rows` is set, the predicate only applies to the first rows, so the condition cannot select rows before.
        part = data if predicate is None or n_rows is not None else _matching(data, predicate, types)
        part = part if columns is None else part.select(columns)
        if n_rows is None:
            tasks, n_threads = _tasks(part, len(data.schema))
            yield from prefetch(tasks, lambda task: _matching_rows(polars.DataFrame(task), predicate), n_threads)
            return
        for batch in (batch for task in part.split(_LOCAL_BYTES) for batch in task):
            first = polars.DataFrame(batch)[:n_rows]
            n_rows -= first.height
            yield _matching_rows(first, predicate)
            if n_rows == 0:
                return

    return plugins.register_io_source(frames, schema=types, validate_schema=True, is_pure=True)


def frame(data: Any) -> Any:
    """A `polars.DataFrame` of all rows of a batch, file or stream."""
    polars = needed("polars")
    _check_types(data.schema, "`drop` leaves it out, the `cast` of its array makes another one")
    # polars would take the array of a batch, which joins its pieces.
    rows = Stream.from_arrow(data) if isinstance(data, RecordBatch) else data
    return _known_zones(polars, data.schema, lambda: polars.DataFrame(rows))


def _known_zones(polars: Any, schema: Any, make: Callable[[], Any]) -> Any:
    """What `make` returns. If polars does not know a time zone, raises an error that says of which column."""
    try:
        return make()
    except (polars.exceptions.ComputeError, polars.exceptions.PanicException) as error:
        of_zone = unknown_zone("polars", schema, lambda zone: f"time zone: '{zone}'" not in str(error))
        if of_zone is None:
            raise
        raise of_zone from None


def _check_types(schema: Any, advice: str) -> None:
    for field in schema:
        if _ABSENT.search(field.type):
            raise TypeError(_escaped(f"polars has no type for the column {field.name}: {field.type}; {advice}"))


def _tasks(part: Dataset, n_columns: int) -> tuple[list[Task], int]:
    """A task for each frame, and the number of threads that read them."""
    if any("://" in str(path) for path in part.files[:1]):
        return part.split(_REMOTE_BYTES * min(max(n_columns // max(len(part.schema), 1), 1), 8)), _REMOTE_THREADS
    return part.split(_LOCAL_BYTES), min(os.cpu_count() or 1, _MAX_LOCAL_THREADS)


def _matching_rows(frame: Any, predicate: Any) -> Any:
    return frame if predicate is None else frame.filter(predicate)


def _matching(data: Dataset, predicate: Any, types: Any) -> Dataset:
    """Selects rows by those parts of a predicate that can be translated. polars then applies the whole predicate."""
    try:
        condition = _condition(json.loads(predicate.meta.serialize(format="json")), types)
        return data if condition is None else data.where(condition)
    except (ArithmeticError, AttributeError, KeyError, TypeError, ValueError):
        return data


def _condition(tree: dict[str, Any], types: Any) -> str | None:
    """Translates a part of a predicate to a condition that is true for at least the same rows. `None` if this is impossible. `tree` is the
    JSON of the part."""
    [(kind, found)] = tree.items()
    if kind == "BinaryExpr":
        operator, sides = found["op"], (found["left"], found["right"])
        if operator in ("And", "Or"):
            parts = [_condition(side, types) for side in sides]
            if operator == "Or" and None in parts:
                return None
            return f" {operator.lower()} ".join(f"({part})" for part in parts if part) or None
        if operator in _SIGNS and "Literal" in sides[0]:
            operator, sides = _MIRRORED[operator], (sides[1], sides[0])
        if operator in _SIGNS and "Column" in sides[0] and "Literal" in sides[1]:
            value = _constant(sides[1]["Literal"], types[sides[0]["Column"]], operator)
            return None if value is None else f"{_column(sides[0])} {_SIGNS[operator]} {value}"
    elif kind == "Function" and "Boolean" in found["function"]:
        name, inputs = found["function"]["Boolean"], found["input"]
        if name in ("IsNull", "IsNotNull") and "Column" in inputs[0]:
            return f"{_column(inputs[0])} is {'not ' * (name == 'IsNotNull')}null"
        if name == {"IsBetween": {"closed": "Both"}} and "Column" in inputs[0]:
            low, high = (_constant(side["Literal"], types[inputs[0]["Column"]], "LtEq") for side in inputs[1:])
            return None if None in (low, high) else f"{_column(inputs[0])} between {low} and {high}"
    return None


def _column(tree: dict[str, Any]) -> str:
    return '"' + str(tree["Column"]).replace("\\", "\\\\").replace('"', '\\"') + '"'


def _constant(literal: dict[str, Any], data_type: Any, operator: str) -> str | None:
    """Writes a constant in a condition on a column of this type. `None` if polars compares such constants differently, for example because
    it rounds floating-point numbers."""
    [(kind, value)], name = literal[next(iter(literal))].items(), data_type.base_type().__name__
    if kind.startswith(("Int", "UInt")):
        return str(int(value)) if data_type.is_integer() else None
    # Categories are not compared in the order of their text.
    if kind == "String" and (name == "String" or operator in ("Eq", "NotEq")):
        text = str(value)
    elif kind == "Date" and name == "Date":
        text = (datetime.date(1970, 1, 1) + datetime.timedelta(days=value)).isoformat()
    elif kind == name == "Datetime" and (data_type.time_unit, data_type.time_zone, *value[1:]) == ("us", None, "Microseconds", None):
        text = (datetime.datetime(1970, 1, 1) + datetime.timedelta(microseconds=value[0])).isoformat()
    else:
        return None
    return "'" + text.replace("'", "''") + "'"
