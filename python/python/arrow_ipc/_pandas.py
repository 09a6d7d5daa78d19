"""Converts data to pandas frames. pandas is imported when it is used."""

from __future__ import annotations

import json
import re
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from typing import Any

from ._arrow_ipc import ArrowIpcError, File, RecordBatch, _escaped
from ._zones import unknown_zone

# The number of column groups. Converting this many groups needs little more memory than converting single columns.
N_PARTS = 8

# While the copied columns of a frame have fewer bytes, the memory from which they were copied is kept and reused.
KEPT_BYTES = 32 << 20

# Up to this number, `float64` holds every integer.
_EXACT = 2**53


def to_pandas(data: Any, columns: Sequence[Any] = ()) -> Any:
    """Makes a frame of all columns. `columns` is empty, or contains all columns to read and convert them group by group."""
    try:
        pandas = import_module("pandas")
    except ImportError as error:
        raise ImportError("`to_pandas` needs the package pandas; `to_pydict` needs no other package") from error
    try:
        return _of_columns(pandas, data, columns)
    except (KeyError, ValueError) as error:
        # Of a zone that pyarrow does not find, it says that packages with zones are absent.
        is_of_zone = not isinstance(error, ArrowIpcError) and re.search("zone|pytz", f"{type(error)} {error}", re.IGNORECASE)
        of_zone = unknown_zone("pandas", data.schema, _is_zone) if is_of_zone else None
        if of_zone is None:
            raise
        raise of_zone from None


def _is_zone(zone: str) -> bool:
    try:
        import_module("pyarrow").lib.string_to_tzinfo(zone)
        return True
    except (KeyError, ValueError):
        return False


def _of_columns(pandas: Any, data: Any, columns: Sequence[Any]) -> Any:
    if not hasattr(pandas.DataFrame, "from_arrow"):
        # Before pandas 3.
        return _converted(import_module("pyarrow").table(data))
    schema = data.schema
    if _has_index(schema.metadata.get("pandas")):
        columns = ()
    parts = [data.select(part) for part in _parts([field.type for field in schema], columns)]
    # A selection may have another order of columns than the schema.
    if len(parts) < 2 or [field for part in parts for field in part.schema] != list(schema):
        return _frame(pandas, data)
    frames, n_copied_bytes = [], 0
    for part in parts:
        is_alone = _is_alone(part.schema[0].type)
        if is_alone and n_copied_bytes > KEPT_BYTES:
            # The columns so far were copied. Their memory cannot be reused for text, so it is freed.
            data._free_memory()
            n_copied_bytes = 0
        frames.append(_frame(pandas, part))
        n_copied_bytes += 0 if is_alone else frames[-1].memory_usage(index=False).sum()
    return pandas.concat(frames, axis=1)


def _frame(pandas: Any, data: Any) -> Any:
    """Makes a frame of all columns at once. If the data is invalid, raises an error with a location, which the error of pandas lacks."""
    try:
        return _converted(import_module("pyarrow").table(data), pandas.DataFrame.from_arrow)
    except (OSError, ValueError):
        try:
            if isinstance(data, RecordBatch):
                data.validate()
            elif isinstance(data, File):
                deque(data, 0)
        except ArrowIpcError as error:
            raise error from None
        raise


def _converted(table: Any, convert: Callable[[Any], Any] = lambda table: table.to_pandas()) -> Any:
    """Makes a frame of a pyarrow table. Where pyarrow would change integers of 64 bits, because nulls beside them make floating-point numbers
    of them, a column has the type Int64 or UInt64 of pandas. If such integers are in lists, structs or maps, they are Python integers."""
    inexact = [position for position, column in enumerate(table.columns) if _loses_digits(column)]
    frame = convert(table)
    if not inexact:
        return frame
    index = _index_of(table.schema.metadata)
    # The frame has its other columns in the order of the table.
    positions = [position for position, name in enumerate(table.column_names) if name not in index]
    for position in inexact:
        column = table.column(position)
        if position not in positions:
            name = table.column_names[position]
            text = f"the index {name!r} has values of {column.type} beside nulls that do not fit float64, which has NaN: `to_pydict()` gives them as they are"
            raise ValueError(_escaped(text))
        frame.isetitem(positions.index(position), _series(column).set_axis(frame.index))
    return frame


def _series(column: Any) -> Any:
    pyarrow, pandas = import_module("pyarrow"), import_module("pandas")
    if pyarrow.types.is_run_end_encoded(column.type):
        column = import_module("pyarrow.compute").run_end_decode(column)
    types = {pyarrow.int64(): pandas.Int64Dtype(), pyarrow.uint64(): pandas.UInt64Dtype()}
    return column.to_pandas(types_mapper=types.get, integer_object_nulls=True)


def _loses_digits(column: Any) -> bool:
    """Whether a column has integers, beside nulls, that `float64` does not hold. The values of a dictionary stay integers."""
    if import_module("pyarrow").types.is_dictionary(column.type) or not _has_long_integers(column.type):
        return False
    compute = import_module("pyarrow.compute")
    found: dict[tuple[int, ...], list[Any]] = {}
    for chunk in column.chunks:
        _add_integers(chunk, False, (), found)
    for leaves in found.values():
        if any(has_nulls for _, has_nulls in leaves):
            bounds = [compute.min_max(values) for values, _ in leaves if len(values) > values.null_count]
            if any(bound["min"].as_py() < -_EXACT or bound["max"].as_py() > _EXACT for bound in bounds):
                return True
    return False


def _has_long_integers(data_type: Any) -> bool:
    types = import_module("pyarrow").types
    if types.is_int64(data_type) or types.is_uint64(data_type):
        return True
    if types.is_dictionary(data_type) or types.is_run_end_encoded(data_type):
        return _has_long_integers(data_type.value_type)
    storage = getattr(data_type, "storage_type", None)
    children = [data_type.field(k).type for k in range(data_type.num_fields)] if storage is None else [storage]
    return any(map(_has_long_integers, children))


def _add_integers(array: Any, has_nulls: bool, path: tuple[int, ...], found: dict[tuple[int, ...], list[Any]]) -> None:
    """Adds all integers of 64 bits in an array, by the path of children, and whether nulls are beside them. Items that no list refers to
    count, too."""
    types = import_module("pyarrow").types
    data_type = array.type
    if hasattr(array, "storage"):
        return _add_integers(array.storage, has_nulls, path, found)
    has_nulls = has_nulls or array.null_count > 0
    if types.is_int64(data_type) or types.is_uint64(data_type):
        found.setdefault(path, []).append((array, has_nulls))
    elif types.is_dictionary(data_type):
        _add_integers(array.dictionary, has_nulls, path, found)
    elif types.is_run_end_encoded(data_type):
        _add_integers(array.values, has_nulls, path, found)
    elif types.is_struct(data_type):
        for k in range(data_type.num_fields):
            _add_integers(array.field(k), has_nulls, (*path, k), found)
    elif types.is_map(data_type):
        for k, children in enumerate((array.keys, array.items)):
            _add_integers(children, False, (*path, k), found)
    elif types.is_nested(data_type) and hasattr(array, "values"):
        _add_integers(array.values, False, (*path, 0), found)


def _index_of(metadata: Any) -> list[str]:
    """The columns that pyarrow makes the index of a frame, according to the metadata."""
    try:
        columns = json.loads((metadata or {}).get(b"pandas", b"{}")).get("index_columns", [])
        return [column for column in columns if isinstance(column, str)]
    except (ValueError, AttributeError, TypeError):
        return []


def _parts(types: list[str], columns: Sequence[Any]) -> Iterator[list[Any]]:
    """Groups of columns to convert together. A text column is a group of its own. The frame shares its memory, and would otherwise need
    that of the whole group."""
    part: list[Any] = []
    for column, data_type in zip(columns, types, strict=False):
        is_alone = _is_alone(data_type)
        if part and (is_alone or len(part) >= -(-len(columns) // N_PARTS)):
            yield part
            part = []
        part.append(column)
        if is_alone:
            yield part
            part = []
    if part:
        yield part


def _is_alone(data_type: str) -> bool:
    return "utf8" in data_type


def _has_index(metadata: str | None) -> bool:
    """Whether columns are the index of the frame, according to the metadata. True if the metadata is invalid."""
    try:
        found = json.loads(metadata or "{}").get("index_columns", [])
        return not all(isinstance(column, dict) for column in found)
    except (ValueError, AttributeError, TypeError):
        return True
