"""Data sets for Dask. Each partition of a data frame is a task when it is read, and a part when it is written."""

from __future__ import annotations

import sys
from typing import Any

from ._arrow_ipc import DatasetWriter, Part, Task
from ._engines import check_names, needed, opened


def read(source: Any, *, target_bytes: int = 32 << 20, **options: Any) -> Any:
    """A `dask.dataframe.DataFrame` of a data set, or of the data set that `arrow_ipc.dataset` opens with these arguments.

    A partition has about `target_bytes` bytes in files. Its types are Arrow types (`pandas.ArrowDtype`). Workers must find the files at
    the same paths. They read only the columns that Dask requests. If a file has changed since this call, reading it is an error.
    """
    frames, pyarrow = needed("dask.dataframe"), needed("pyarrow")
    data = opened(source, options)
    tasks = data.split(target_bytes)
    meta = _frame(pyarrow.schema(data.schema).empty_table())
    if not tasks:
        return frames.from_pandas(meta, npartitions=1)
    return frames.from_map(_read, tasks, meta=meta, label="read-arrow-ipc", enforce_metadata=False)


def _read(task: Task, columns: list[str] | None = None) -> Any:
    """Reads a partition. Dask passes the requested columns as the argument `columns`."""
    return _frame(needed("pyarrow").table(task if columns is None else task.select(columns)))


def write(frame: Any, dest: Any, *, schema: Any = None, compression: str | None = None) -> None:
    """Writes a `dask.dataframe.DataFrame` without its index to a new folder, with one part for each partition.

    Readers see the parts after all are written. `compression` is that of `arrow_ipc.DatasetWriter`. `schema` is by default
    the schema of the empty frame. If a partition is computed twice, for example because a worker was killed, it is written once. If a
    partition fails, all parts are removed after all partitions have ended.
    """
    pyarrow, dask = needed("pyarrow"), needed("dask")
    if schema is None:
        schema = pyarrow.Schema.from_pandas(frame._meta, preserve_index=False).remove_metadata()
    check_names(frame.columns, pyarrow.schema(schema))
    writer = DatasetWriter(dest, schema, compression=compression)
    writing: Any = ()
    try:
        # If there are workers, this starts them.
        writing = dask.persist(*(dask.delayed(_write, pure=False)(writer, part) for part in frame.to_delayed()))
        writer.commit(dask.compute(*writing))
    except BaseException:
        try:
            distributed = sys.modules.get("distributed")
            if distributed and (futures := distributed.futures_of(writing)):
                distributed.wait(futures)
        finally:
            writer.abort()
        raise


def _write(writer: DatasetWriter, frame: Any) -> Part:
    pyarrow = needed("pyarrow")
    table = pyarrow.Table.from_pandas(frame, schema=pyarrow.schema(writer.schema), preserve_index=False)
    return writer.write(table.replace_schema_metadata(None))


def _frame(table: Any) -> Any:
    return table.to_pandas(types_mapper=needed("pandas").ArrowDtype)
