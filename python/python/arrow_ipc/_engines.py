"""Imports packages of query engines when they are used, and prepares data sets for them."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from importlib import import_module
from typing import Any, TypeVar

from ._arrow_ipc import Dataset, _escaped, dataset

T = TypeVar("T")
R = TypeVar("R")


def needed(name: str) -> Any:
    """Imports a module of another package. The error names the package if it is not installed."""
    try:
        return import_module(name)
    except ImportError as error:
        raise ImportError(_escaped(f"this function needs the package {name.partition('.')[0]}")) from error


def opened(source: Any, options: dict[str, Any]) -> Dataset:
    """Returns the data set `source`, or opens the paths `source` as a data set with these options."""
    if not isinstance(source, Dataset):
        return dataset(source, **options)
    if options:
        raise TypeError(_escaped(f"options belong to the call of `arrow_ipc.dataset` that opened the data set: {', '.join(options)}"))
    return source


def check_names(names: Iterable[Any], schema: Any) -> None:
    """Raises an error unless rows and schema have the same columns. Columns that the schema lacks would be dropped without a warning."""
    given = list(map(str, names))
    extra, absent = ([name for name in these if name not in those] for these, those in ((given, schema.names), (schema.names, given)))
    if extra or absent:
        unnamed = [f"the schema has no column {name!r}" for name in extra] + [f"the rows have no column {name!r}" for name in absent]
        raise ValueError(_escaped("; ".join(unnamed)))


def fitted(table: Any, schema: Any) -> list[Any]:
    """Splits a pyarrow table into batches with the columns of the schema. The table must have these columns, in any order."""
    check_names(table.column_names, schema)
    batches: list[Any] = table.select(schema.names).cast(schema).to_batches()
    return batches


def prefetch(tasks: Sequence[T], read: Callable[[T], R], n_threads: int) -> Iterator[R]:
    """Yields the results of all tasks, in order. Each thread reads one task. At most one result more than there are threads waits."""
    if min(n_threads, len(tasks)) <= 1:
        yield from map(read, tasks)
        return
    pool, reading = ThreadPoolExecutor(n_threads), deque[Future[R]]()
    try:
        for task in tasks:
            reading.append(pool.submit(read, task))
            if len(reading) > n_threads:
                yield reading.popleft().result()
        while reading:
            yield reading.popleft().result()
    finally:
        # Does not wait: the garbage collector may run this in a thread of the pool.
        pool.shutdown(wait=False, cancel_futures=True)
