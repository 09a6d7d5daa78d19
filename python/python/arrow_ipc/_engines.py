"""Packages of engines, which are imported when one asks for them."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from ._arrow_ipc import Dataset, dataset


def needed(name: str) -> Any:
    """A module of another package."""
    try:
        return import_module(name)
    except ImportError as error:
        raise ImportError(f"this needs the package {name.partition('.')[0]}") from error


def opened(source: Any, options: dict[str, Any]) -> Dataset:
    """A data set, or the one that paths name."""
    if not isinstance(source, Dataset):
        return dataset(source, **options)
    if options:
        raise TypeError(f"these are options of `arrow_ipc.dataset`, which has opened it: {', '.join(options)}")
    return source
