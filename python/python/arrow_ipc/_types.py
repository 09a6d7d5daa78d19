"""Converts types of Python, NumPy, pandas and polars to the Arrow type that their values get."""

from __future__ import annotations

import datetime
import uuid
from importlib import import_module
from typing import Any

from ._arrow_ipc import Array

_EXAMPLES: dict[Any, Any] = {
    bool: False,
    int: 0,
    float: 0.0,
    str: "",
    bytes: b"",
    datetime.date: datetime.date.min,
    datetime.datetime: datetime.datetime.min,
    datetime.time: datetime.time.min,
    datetime.timedelta: datetime.timedelta(0),
    uuid.UUID: uuid.UUID(int=0),
}


def _has_objects(given: Any, of_polars: Any) -> bool:
    """Whether a polars type contains Python objects, at any depth. These have no Arrow type."""
    inner = [getattr(given, "inner", None), *(field.dtype for field in getattr(given, "fields", ()))]
    return bool(given == of_polars) or any(_has_objects(each, of_polars) for each in inner if each is not None)


def values_of(given: Any) -> Array | None:
    """An array of values of this type; `None` if the type is unknown."""
    is_class = isinstance(given, type)
    name = str((given if is_class else type(given)).__module__).partition(".")[0]
    if name not in ("numpy", "pandas", "polars"):
        return Array([_EXAMPLES[given]]) if is_class and given in _EXAMPLES else None
    library = import_module(name)
    try:
        if name == "numpy":
            is_type = (is_class or isinstance(given, library.dtype)) and library.dtype(given).kind != "O"
            return Array(library.zeros(1, given)) if is_type else None
        if name == "polars":
            is_type = (is_class or isinstance(given, library.DataType)) and not _has_objects(given, library.Object)
        else:
            is_type = isinstance(given, library.api.extensions.ExtensionDtype)
        return Array(library.Series([], dtype=given)) if is_type else None
    except (TypeError, ValueError):
        # A class that is not a type of values, or a type that Arrow does not have.
        return None
