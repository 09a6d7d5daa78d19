"""What is meant by functions and classes that other libraries have under other names."""

from __future__ import annotations

from ._arrow_ipc import _escaped

MEMBERS = {
    "read load read_file read_table read_feather read_ipc read_arrow open_file FileReader RecordBatchFileReader": "`open(source)`",
    "open_stream read_ipc_stream StreamReader RecordBatchStreamReader": "`read_stream(source)`",
    "scan scan_ipc scan_arrow open_dataset read_dataset": "`dataset(source)`",
    "write write_table write_feather write_ipc write_arrow save to_file": "`write_file(dest, data)`",
    "write_ipc_stream": "`write_stream(dest, data)`",
    "new_file new_stream FileWriter StreamWriter RecordBatchFileWriter RecordBatchStreamWriter": "`Writer(dest, schema)`",
    "schema read_schema": "`open(source).schema` is that of a file, and `Schema({name: type})` makes one",
    "field": "`Field(name, type)`",
    "array": "`Array(values)`",
    "Table table record_batch from_dict from_pydict from_pylist from_pandas from_polars from_arrow": "`RecordBatch(data)` is made of a dict, of rows, and of data of other libraries",
    "concat_tables concat_batches": "`concat(data)` joins batches in memory",
    "merge merge_files join_files cat": "`concat_files(sources, dest)`",
    "split": "`split_file(source, dest, rows=…)`",
    "to_csv": "`write_csv(dest, data)`",
    "from_csv scan_csv": "`read_csv(source)`",
    "to_json write_ndjson write_jsonl": "`write_json(dest, data)`",
    "from_json scan_ndjson read_ndjson read_jsonl": "`read_json(source)`",
    "info metadata show": "`inspect(source)` shows messages, and `open(source)` the columns",
    "describe summary statistics": "`stats(source)`",
    "head": "`open(source).head(5)`",
    "filter where query": "`dataset(source, where=\"price > 10\")`",
    "check verify": "`validate(source)`",
    "compare": "`diff(a, b)`",
    "count_rows num_rows row_count": "`count(source)`",
    "repair fix": "`recover(source, dest)`",
    "cast rename select": "`convert(source, dest, columns=[name], rename={old: new}, cast={name: type})`",
}


def advice(name: str) -> str:
    """The end of an error about the name."""
    for names, text in MEMBERS.items():
        if name in names.split():
            return _escaped(f": {text}")
    return ""
