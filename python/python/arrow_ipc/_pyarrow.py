"""Makes a pyarrow data set of a data set. Engines request columns and rows from it."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Iterator
from typing import Any

from ._arrow_ipc import Dataset, Task
from ._engines import needed

pyarrow = needed("pyarrow")
needed("pyarrow.compute"), needed("pyarrow.dataset"), needed("pyarrow.fs")
UnionDataset: Any = pyarrow.dataset.UnionDataset

# The number of bytes that a thread reads at once.
TARGET_BYTES = 16 << 20
REFUSED = "pyarrow itself cannot read data sets of arrow_ipc; their methods can"


def to_pyarrow(data: Dataset) -> Rows:
    return Rows(data, None, None)


class Rows(UnionDataset):  # type: ignore[misc]
    """The rows of a data set, or of one of its tasks, for which a filter is true.

    The base class gets a pyarrow data set of one file that does not exist. pyarrow functions that do not support this class then raise
    an error; without any data set, they would read invalid memory. `head` and `take` of pyarrow call `scanner` of this class.
    """

    def __init__(self, data: Dataset, filter: Any, task: Task | None) -> None:
        self._data, self._filter, self._task = data, filter, task
        schema = pyarrow.schema(data.schema)
        filesystem = pyarrow.fs.LocalFileSystem()
        absent = {"format": pyarrow.dataset.IpcFileFormat(), "filesystem": filesystem}
        super().__init__(schema, [pyarrow.dataset.FileSystemDataset.from_paths([REFUSED], schema=schema, **absent)])
        self._schema = self.physical_schema = schema
        # The known bounds of the values in each batch, by column.
        self._known: dict[str, list[Any]] = {}

    @property
    def children(self) -> Any:
        raise NotImplementedError("the data set has no children: `get_fragments()` has its parts")

    def replace_schema(self, schema: Any) -> Any:
        if schema.equals(self._schema):
            return self
        raise NotImplementedError("`arrow_ipc.dataset(..., schema=)` opens it with another schema")

    def filter(self, expression: Any) -> Rows:
        return Rows(self._data, self._both(expression), self._task)

    def get_fragments(self, filter: Any = None) -> Iterator[Rows]:
        """Parts that together have all rows for which the filter is true, and may have others. A part is filtered when it is scanned."""
        tasks = self._tasks(self._both(filter))
        return (Rows(self._data, self._filter, task) for task in tasks)

    def scanner(self, *args: Any, **options: Any) -> Any:
        return self._scan(self._given("scanner", args, options))

    def to_batches(self, *args: Any, **options: Any) -> Iterator[Any]:
        batches: Iterator[Any] = self._scan(self._given("to_batches", args, options)).to_batches()
        return batches

    def to_table(self, *args: Any, **options: Any) -> Any:
        return self._scan(self._given("to_table", args, options)).to_table()

    def count_rows(self, *args: Any, **options: Any) -> int:
        given = self._given("count_rows", args, options)
        if self._both(given.get("filter")) is None and self._task is None:
            return self._data.count()
        return sum(batch.num_rows for batch in self._scan({**given, "columns": []}).to_batches())

    def sort_by(self, sorting: Any, **options: Any) -> Any:
        return pyarrow.dataset.InMemoryDataset(self.to_table().sort_by(sorting, **options))

    def join(self, right_dataset: Any, keys: Any, *args: Any, **options: Any) -> Any:
        return pyarrow.dataset.InMemoryDataset(self.to_table().join(_table(right_dataset), keys, *args, **options))

    def join_asof(self, right_dataset: Any, on: Any, by: Any, tolerance: Any, *args: Any, **options: Any) -> Any:
        joined = self.to_table().join_asof(_table(right_dataset), on, by, tolerance, *args, **options)
        return pyarrow.dataset.InMemoryDataset(joined)

    def __reduce__(self) -> Any:
        return self._data.__reduce__()

    def _given(self, method: str, args: tuple[Any, ...], options: dict[str, Any]) -> dict[str, Any]:
        """Binds arguments to the names in the pyarrow method. The method of a part also accepts a schema before the columns."""
        base = pyarrow.dataset.Dataset if self._task is None else pyarrow.dataset.Fragment
        given: dict[str, Any] = inspect.signature(getattr(base, method)).bind(self, *args, **options).arguments
        del given["self"]
        if (schema := given.pop("schema", None)) is not None:
            self.replace_schema(schema)
        return given

    def _scan(self, options: dict[str, Any]) -> Any:
        columns, filter = options.pop("columns", None), self._both(options.pop("filter", None))
        wanted = self._needed(columns, filter)
        fields = [self._schema.field(name) for name in wanted]
        schema = pyarrow.schema(fields, self._schema.metadata)

        def reader() -> Any:
            # Reading must not need the interpreter: threads of pyarrow may still read after the interpreter has ended.
            source = self._chosen(filter) if self._task is None else self._task
            return pyarrow.RecordBatchReader.from_stream(source.select(wanted), schema)

        is_plain = filter is None and not isinstance(columns, dict)
        scan = PlainScan(reader, options, schema) if is_plain else Scan(reader, {**options, "columns": columns, "filter": filter})
        # Writers of pyarrow only accept pyarrow's own scanners, and pass these options. They scan once.
        return scan if options.keys() <= {"batch_size"} else scan.scanner

    def _both(self, filter: Any) -> Any:
        return filter if self._filter is None else self._filter if filter is None else self._filter & filter

    def _needed(self, columns: Any, filter: Any) -> list[str]:
        """The names of the columns that `columns` and `filter` use.

        pyarrow has no method for this. A column counts as used if its name is in the text of the expressions; a scan without rows checks
        that no column is missing.
        """
        names: list[str] = self._schema.names
        if columns is None:
            return names
        plain = [] if isinstance(columns, dict) else list(columns)
        expressions = [*(columns.values() if isinstance(columns, dict) else ()), *([] if filter is None else [filter])]
        if not expressions:
            return plain
        text = "\n".join(map(str, expressions))
        # A reference by position would find another column in a selection, so all columns are returned.
        if "FieldPath(" in text:
            return names
        wanted = [name for name in names if name in text or name in plain]
        schema = pyarrow.schema([self._schema.field(name) for name in wanted])
        try:
            pyarrow.dataset.Scanner.from_batches([], schema=schema, columns=columns, filter=filter)
        except (pyarrow.ArrowException, KeyError):
            return names
        return wanted

    def _chosen(self, filter: Any) -> Dataset:
        """The data set with only those batches in which the filter may be true for a row."""
        if filter is None:
            return self._data
        text = str(filter)
        known = [known for name in self._schema.names if name in text and (known := self._bounds(name))]
        if not known:
            return self._data
        guarantees = [_all(each) for each in zip(*known, strict=True)]
        parts = pyarrow.dataset.FileSystemDataset.from_paths(
            [str(k) for k in range(len(guarantees))],
            schema=self._schema,
            format=pyarrow.dataset.IpcFileFormat(),
            filesystem=pyarrow.fs.LocalFileSystem(),
            partitions=guarantees,
        )
        return self._data._only([int(part.path) for part in parts.get_fragments(filter)])

    def _tasks(self, filter: Any) -> list[Task]:
        return [self._task] if self._task is not None else self._chosen(filter).split(TARGET_BYTES)

    def _bounds(self, name: str) -> list[Any]:
        """The bounds of a column in each batch, as expressions with which pyarrow simplifies filters. Empty if no bounds are known."""
        if name not in self._known:
            found = self._data._bounds(name)
            self._known[name] = [] if found is None else _guarantees(self._schema.field(name), pyarrow.record_batch(found))
        return self._known[name]


class Scan:
    """Creates scanners of pyarrow. A pyarrow scanner can scan only once, so each method makes a new one."""

    def __init__(self, reader: Callable[[], Any], options: dict[str, Any]) -> None:
        self._reader, self._options = reader, options

    @property
    def scanner(self) -> Any:
        return pyarrow.dataset.Scanner.from_batches(self._reader(), **self._options)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.scanner, name)


class PlainScan(Scan):
    """Reads batches without a pyarrow scanner, which would take twice as long."""

    def __init__(self, reader: Callable[[], Any], options: dict[str, Any], schema: Any) -> None:
        super().__init__(reader, options)
        self.projected_schema = schema

    def to_reader(self) -> Any:
        return self._reader()

    def to_batches(self) -> Iterator[Any]:
        n_rows = self._options.get("batch_size")
        for batch in self._reader():
            for start in range(0, max(batch.num_rows, 1), n_rows or max(batch.num_rows, 1)):
                yield batch.slice(start, n_rows)


def _table(data: Any) -> Any:
    return data.to_table() if isinstance(data, pyarrow.dataset.Dataset) else data


def _all(expressions: tuple[Any, ...]) -> Any:
    first, *others = expressions
    for other in others:
        first &= other
    return first


def _guarantees(field: Any, known: Any) -> list[Any]:
    """For each batch, an expression that is true for all of its rows."""
    column, data_type = pyarrow.compute.field(field.name), field.type
    while pyarrow.types.is_dictionary(data_type) or pyarrow.types.is_run_end_encoded(data_type):
        data_type = data_type.value_type
    is_null, nulls = column.is_null(), known["nulls"].to_pylist()
    unknown = pyarrow.compute.scalar(True)
    if "min" not in known.schema.names:
        return [is_null if n == 2 else ~is_null if n == 0 else unknown for n in nulls]
    try:
        bounds = known["min"].cast(data_type), known["max"].cast(data_type)
    except pyarrow.ArrowException:
        return []
    found = []
    for least, greatest, n in zip(*bounds, nulls, strict=True):
        # If there may be a NaN, there is no greatest value, and comparisons are not true for all rows. A folder may also be named after
        # a NaN.
        is_open = pyarrow.types.is_floating(data_type) and (not greatest.is_valid or math.isnan(greatest.as_py()))
        sides = [] if is_open else [column >= least] * least.is_valid + [column <= greatest] * greatest.is_valid
        # 0.0 and -0.0 are equal, so equal bounds do not mean that all values are the same.
        if len(sides) == 2 and least == greatest and not pyarrow.types.is_floating(data_type):
            sides = [column == least]
        if n == 2:
            sides = [is_null]
        elif n == 1:
            sides = [side | is_null for side in sides]
        found.append(_all(tuple(sides)) if sides else unknown)
    return found
