"""Data sets for Daft: `arrow_ipc.daft.source("data/").read()` reads a frame, `frame.write_sink(arrow_ipc.daft.sink("data/"))` writes one."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Iterator
from itertools import chain
from typing import TYPE_CHECKING, Any

from ._arrow_ipc import DatasetWriter, Part, Task
from ._engines import fitted, needed, opened

_sink: Any = needed("daft.io.sink")
if TYPE_CHECKING:

    class _DataSource: ...

    class _DataSourceTask: ...

    class _DataSink: ...

else:
    _DataSource, _DataSourceTask = needed("daft.io.source").DataSource, needed("daft.io.source").DataSourceTask
    _DataSink = _sink.DataSink


def source(source: Any, *, target_bytes: int = 64 << 20, **options: Any) -> Source:
    """A `daft.io.source.DataSource` of a data set, or of the data set that `arrow_ipc.dataset` opens with these arguments.

    A task reads about `target_bytes` bytes of files, and only the columns that Daft requests. If Daft requests only the first rows, and
    there is no condition, only the tasks for these rows run. Dictionary-encoded columns are decoded, because Daft has no dictionaries.
    """
    data, pyarrow = opened(source, options), needed("pyarrow")
    plain = [field.with_type(_decoded(pyarrow, field.type)) for field in pyarrow.schema(data.schema)]
    return Source(data.split(target_bytes), pyarrow.schema(plain))


def _decoded(pyarrow: Any, data_type: Any) -> Any:
    return data_type.value_type if pyarrow.types.is_dictionary(data_type) else data_type


class Source(_DataSource):
    """The rows of a data set."""

    def __init__(self, tasks: list[Task], schema: Any) -> None:
        self._tasks, self._schema = tasks, schema

    @property
    def name(self) -> str:
        return "ArrowIpc"

    @property
    def schema(self) -> Any:
        return _schema(self._schema)

    async def get_tasks(self, pushdowns: Any) -> AsyncIterator[Any]:
        wanted = set(self._schema.names if pushdowns.columns is None else pushdowns.columns)
        if pushdowns.filters is not None:
            wanted |= pushdowns.filter_required_column_names()
        columns = [name for name in self._schema.names if name in wanted]
        # If there is a condition, the number of matching rows is unknown before they are read.
        is_filtered = pushdowns.filters is not None or any(task._is_filtered for task in self._tasks)
        n_left = None if is_filtered else pushdowns.limit
        for task in self._tasks:
            yield _Task(task.select(columns), needed("pyarrow").schema([self._schema.field(name) for name in columns]))
            if n_left is not None:
                n_left -= task.num_rows
                if n_left <= 0:
                    return


class _Task(_DataSourceTask):
    def __init__(self, task: Task, schema: Any) -> None:
        self._task, self._schema = task, schema

    @property
    def schema(self) -> Any:
        return _schema(self._schema)

    async def read(self) -> AsyncIterator[Any]:
        pyarrow, batches = needed("pyarrow"), needed("daft.recordbatch").RecordBatch
        for batch in self._task:
            yield batches.from_arrow_record_batches([pyarrow.record_batch(batch).cast(self._schema)], self._schema)


def _schema(schema: Any) -> Any:
    return needed("daft.schema").Schema.from_pyarrow_schema(schema)


def sink(dest: Any, schema: Any, *, compression: str | None = None) -> Sink:
    """A `daft.io.sink.DataSink` that writes a new folder, with one part for each call that has rows, or one part without rows. Readers
    see the parts after all are written.

    `schema` is the schema of the rows, such as `frame.schema().to_pyarrow_schema()`; `compression` is that of `arrow_ipc.DatasetWriter`.
    """
    return Sink(DatasetWriter(dest, schema, compression=compression))


class Sink(_DataSink):
    """A data set that is being written."""

    def __init__(self, writer: DatasetWriter) -> None:
        self._writer = writer

    def name(self) -> str:
        return "ArrowIpc"

    def schema(self) -> Any:
        return _schema(needed("pyarrow").schema([("num_rows", needed("pyarrow").int64())]))

    def write(self, micropartitions: Iterator[Any]) -> Iterator[Any]:
        pyarrow = needed("pyarrow")
        schema = pyarrow.schema(self._writer.schema)
        batches = (batch for part in micropartitions for batch in fitted(part.to_arrow(), schema) if batch.num_rows > 0)
        for first in batches:
            part = self._written(chain([first], batches))
            yield _sink.WriteResult(result=part, bytes_written=part.num_bytes, rows_written=part.num_rows)

    def finalize(self, write_results: list[Any]) -> Any:
        # Readers find the schema in a part, also if there are no rows.
        parts: list[Part] = [each.result for each in write_results] or [self._written([])]
        self._writer.commit(parts)
        return needed("daft.recordbatch").MicroPartition.from_pydict({"num_rows": [sum(part.num_rows for part in parts)]})

    def _written(self, batches: Iterable[Any]) -> Part:
        pyarrow = needed("pyarrow")
        return self._writer.write(pyarrow.RecordBatchReader.from_batches(pyarrow.schema(self._writer.schema), batches))
