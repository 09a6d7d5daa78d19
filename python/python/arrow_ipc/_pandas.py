"""Converts data to pandas frames. pandas is imported when it is used."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Iterator, Sequence
from importlib import import_module
from typing import Any

from ._arrow_ipc import ArrowIpcError, File, RecordBatch, _free_memory

# The number of column groups. Converting this many groups needs little more memory than converting single columns.
N_PARTS = 8

# While the copied columns of a frame have fewer bytes, the memory from which they were copied is kept and reused.
KEPT_BYTES = 32 << 20


def to_pandas(data: Any, columns: Sequence[Any] = ()) -> Any:
    """Makes a frame of all columns. `columns` is empty, or contains all columns to read and convert them group by group."""
    try:
        pandas = import_module("pandas")
    except ImportError as error:
        raise ImportError("`to_pandas` needs the package pandas; `to_pydict` needs no other package") from error
    if not hasattr(pandas.DataFrame, "from_arrow"):
        # Before pandas 3.
        return import_module("pyarrow").table(data).to_pandas()
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
            _free_memory()
            n_copied_bytes = 0
        frames.append(_frame(pandas, part))
        n_copied_bytes += 0 if is_alone else frames[-1].memory_usage(index=False).sum()
    return pandas.concat(frames, axis=1)


def _frame(pandas: Any, data: Any) -> Any:
    """Makes a frame of all columns at once. If the data is invalid, raises an error with a location, which the error of pandas lacks."""
    try:
        return pandas.DataFrame.from_arrow(data)
    except (OSError, ValueError):
        try:
            if isinstance(data, RecordBatch):
                data.validate()
            elif isinstance(data, File):
                deque(data, 0)
        except ArrowIpcError as error:
            raise error from None
        raise


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
