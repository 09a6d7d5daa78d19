"""Data sets for Ray Data: `ray.data.read_datasource(arrow_ipc.ray.Datasource("data/"))`, and `rows.write_datasink(arrow_ipc.ray.Datasink(…))`."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING, Any

from ._arrow_ipc import DatasetWriter, Part, Task
from ._engines import fitted, needed, opened

if TYPE_CHECKING:

    class _Datasource:
        def _get_data_columns(self) -> list[str] | None: ...

    class _Datasink: ...

else:
    _Datasource, _Datasink = needed("ray.data").Datasource, needed("ray.data").Datasink


class Datasource(_Datasource):
    """The rows of a data set, or of the data set that `arrow_ipc.dataset` opens with these arguments.

    A task reads about `target_bytes` bytes of files, batch by batch, and only the columns that Ray requests. Workers must find the files
    at the same paths. If a file has changed since it was opened, reading it is an error.
    """

    def __init__(self, source: Any, *, target_bytes: int = 64 << 20, **options: Any) -> None:
        super().__init__()
        # The attribute in which the base class stores the columns that Ray requests.
        self._projection_map: Any = None
        data = opened(source, options)
        self._schema = needed("pyarrow").schema(data.schema)
        self._tasks = data.split(target_bytes)

    def get_name(self) -> str:
        return "ArrowIpc"

    def supports_projection_pushdown(self) -> bool:
        return True

    def estimate_inmemory_data_size(self) -> int:
        return sum(self._n_bytes(task) for task in self._tasks)

    def get_read_tasks(self, parallelism: int, per_task_row_limit: int | None = None, data_context: Any = None) -> list[Any]:
        columns = self._columns()
        schema = needed("pyarrow").schema([self._schema.field(name) for name in columns])
        block, read = needed("ray.data.block").BlockMetadata, needed("ray.data.datasource").ReadTask
        found = []
        for task in self._tasks:
            n_rows = None if task._is_filtered else task.num_rows
            of_task = block(num_rows=n_rows, size_bytes=self._n_bytes(task), input_files=task.files, exec_stats=None)
            part = partial(_tables, task.select(columns))
            found.append(read(part, of_task, schema=schema, per_task_row_limit=per_task_row_limit))
        return found

    def _columns(self) -> list[str]:
        """The columns to read. There is at least one, because a Ray block without columns has no rows."""
        wanted = self._get_data_columns()
        return self._schema.names if wanted is None else list(wanted) or self._schema.names[:1]

    def _n_bytes(self, task: Task) -> int:
        """Estimates the number of bytes of the columns of a task, as if all columns had the same size."""
        return task.num_bytes * len(self._columns()) // max(len(self._schema), 1)


def _tables(task: Task) -> Iterator[Any]:
    pyarrow = needed("pyarrow")
    for batch in task:
        yield pyarrow.table(batch)


class Datasink(_Datasink):
    """Writes rows to a new folder, with one part for each task. Readers see the parts after all are written.

    `schema` is the schema of the rows, such as `rows.schema().base_schema`; `compression` is that of `arrow_ipc.DatasetWriter`.
    """

    def __init__(self, dest: Any, schema: Any, *, compression: str | None = None) -> None:
        self._writer = DatasetWriter(dest, schema, compression=compression)

    def get_name(self) -> str:
        return "ArrowIpc"

    def write(self, blocks: Any, ctx: Any) -> Part:
        pyarrow, accessor = needed("pyarrow"), needed("ray.data.block").BlockAccessor
        schema = pyarrow.schema(self._writer.schema)
        # Blocks without rows may have no columns, so they are left out.
        found = (table for block in blocks if (table := accessor.for_block(block).to_arrow()).num_rows > 0)
        batches = (batch for table in found for batch in fitted(table, schema))
        return self._writer.write(pyarrow.RecordBatchReader.from_batches(schema, batches))

    def on_write_complete(self, write_result: Any) -> None:
        # Readers find the schema in a part, also if there was no task.
        self._writer.commit(write_result.write_returns or [self.write([], None)])

    def on_write_failed(self, error: Exception) -> None:
        self._writer.abort()
