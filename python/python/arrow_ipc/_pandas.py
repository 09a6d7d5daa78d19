"""Data frames of pandas, which is imported when one asks for them."""

from __future__ import annotations

from importlib import import_module
from typing import Any


def to_pandas(data: Any) -> Any:
    try:
        pandas = import_module("pandas")
    except ImportError as error:
        raise ImportError("`to_pandas` needs the package pandas; `to_pydict` needs no other package") from error
    if hasattr(pandas.DataFrame, "from_arrow"):
        return pandas.DataFrame.from_arrow(data)
    # Before pandas 3.
    return import_module("pyarrow").table(data).to_pandas()
