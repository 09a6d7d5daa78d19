"""Arrow streams and files: read only the needed bytes, validate, explain.

Exchanges batches without a copy with pyarrow, polars, pandas, duckdb, and every other library that has the Arrow PyCapsule
interface::

    import arrow_ipc, polars

    file = arrow_ipc.open("people.arrow").select(["name", "address.city"])
    frame = polars.DataFrame(file)
    arrow_ipc.write_file("copy.arrow", frame, compression="zstd")

``open`` and ``File`` are for files, ``read_stream`` and ``Stream`` for streams, and ``dataset`` for many files as one. ``write_file``,
``write_stream`` and ``Writer`` write files and streams; ``read_csv``, ``read_json``, ``write_csv`` and ``write_json`` are for text.
``async for`` reads batches in other threads. ``validate``, ``inspect``, ``diff``, ``convert``, ``count``, ``stats`` and ``explain`` read
a whole file or stream. ``concat_files`` joins files, ``split_file`` divides a file, ``append`` adds rows to a file, and ``recover``
copies the complete batches of a damaged file. ``plan`` computes the position of
each byte of a file before the values exist. An error is an ``ArrowIpcError`` with the position of the error, or a built-in exception
of Python.
"""

TYPE_CHECKING = False

from ._arrow_ipc import (
    Array,
    ArrowIpcError,
    Batches,
    Dataset,
    DatasetWriter,
    Field,
    File,
    Location,
    MonthDayNano,
    Part,
    Plan,
    PlannedData,
    RecordBatch,
    Schema,
    Stream,
    Task,
    UnsupportedError,
    Writer,
    __version__,
    _escaped,
    append,
    concat,
    concat_files,
    convert,
    count,
    dataset,
    diff,
    explain,
    inspect,
    open,
    plan,
    read_csv,
    read_json,
    read_stream,
    recover,
    set_max_fields,
    split_file,
    stats,
    validate,
    write_csv,
    write_file,
    write_json,
    write_stream,
)
from ._reports import (
    ConvertReport,
    CopyReport,
    CountReport,
    DiffReport,
    ExplainReport,
    InspectReport,
    RecoverReport,
    Report,
    StatsReport,
    ValidateReport,
)

_ELSEWHERE = {
    "read": "open, read_stream and dataset",
    "read_file": "open",
    "read_table": "open",
    "read_feather": "open",
    "read_ipc": "open",
    "open_file": "open",
    "scan_ipc": "dataset",
    "open_stream": "read_stream",
    "write": "write_file and write_stream",
    "write_table": "write_file",
    "write_dataset": "DatasetWriter, and split_file(path, folder, by=column)",
    "Table": "RecordBatch({\"id\": [1, 2]}), and write_file, which takes dicts of columns",
    "write_feather": "write_file",
    "schema": "Schema({\"id\": \"int64\"})",
    "field": "Field(\"id\", \"int64\")",
    "table": "RecordBatch({\"id\": [1, 2]}), and write_file, which takes dicts of columns",
    "record_batch": "RecordBatch({\"id\": [1, 2]})",
    "concat_tables": "concat",
    "array": "Array([1, 2])",
    "cat": "concat_files, and print(open(path).head())",
    "from_pandas": "write_file(dest, frame), and RecordBatch(frame)",
    "head": "open(path).head()",
    "info": "explain",
    "load": "open",
    "merge": "concat_files",
    "read_arrow": "open",
    "scan": "dataset",
    "split": "split_file",
}


if not TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        """Raises an error. If the name is one of another library, the error says what to use instead."""
        there_is = f": there is {_ELSEWHERE[name]}" if name in _ELSEWHERE else ""
        raise AttributeError(_escaped(f"module {__name__!r} has no attribute {name!r}{there_is}"), name=name)


__all__ = [
    "Array",
    "ArrowIpcError",
    "Batches",
    "ConvertReport",
    "CopyReport",
    "CountReport",
    "Dataset",
    "DatasetWriter",
    "DiffReport",
    "ExplainReport",
    "Field",
    "File",
    "InspectReport",
    "Location",
    "MonthDayNano",
    "Part",
    "Plan",
    "PlannedData",
    "RecordBatch",
    "RecoverReport",
    "Report",
    "Schema",
    "StatsReport",
    "Stream",
    "Task",
    "UnsupportedError",
    "ValidateReport",
    "Writer",
    "__version__",
    "append",
    "concat",
    "concat_files",
    "convert",
    "count",
    "dataset",
    "diff",
    "explain",
    "inspect",
    "open",
    "plan",
    "read_csv",
    "read_json",
    "read_stream",
    "recover",
    "set_max_fields",
    "split_file",
    "stats",
    "validate",
    "write_csv",
    "write_file",
    "write_json",
    "write_stream",
]
