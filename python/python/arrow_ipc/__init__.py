"""Arrow streams and files: read only the needed bytes, validate, explain.

Exchanges batches without a copy with pyarrow, polars, pandas, duckdb, and every other library that has the Arrow PyCapsule
interface::

    import arrow_ipc, polars

    file = arrow_ipc.open("people.arrow").select(["name", "address.city"])
    frame = polars.DataFrame(file)
    arrow_ipc.write_file("copy.arrow", frame, compression="zstd")

``open`` and ``File`` read files and streams by position, ``read_stream`` and ``Stream`` read a stream from its start, and ``dataset`` many files as one. ``write_file``,
``write_stream`` and ``Writer`` write files and streams; ``read_csv``, ``read_json``, ``write_csv`` and ``write_json`` are for text.
``async for`` reads batches in other threads. ``validate``, ``inspect``, ``diff``, ``convert``, ``count``, ``stats`` and ``explain`` read
a whole file or stream. ``concat_files`` joins files, ``split_file`` divides a file, ``append`` adds rows to a file, and ``recover``
copies the complete batches of a damaged file. An error is an ``ArrowIpcError`` with the position of the error, or a built-in exception
of Python.
"""

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
    RecordBatch,
    Schema,
    Stream,
    Task,
    UnsupportedError,
    Writer,
    __version__,
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


def _absent(name: str) -> object:
    import sys

    from ._arrow_ipc import _escaped
    from ._suggestions import advice

    raise AttributeError(_escaped(f"module {__name__!r} has no attribute {name!r}{advice(name)}"), name=name, obj=sys.modules[__name__])


# Type checkers would accept every name if they saw this function.
globals()["__getattr__"] = _absent
