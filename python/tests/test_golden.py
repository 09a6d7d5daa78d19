"""What other implementations wrote is read as its text says, by the eyes of pyarrow over our capsules."""

import io

import arrow_ipc
import pyarrow as pa
import pytest
from corpus import cases

from arrow_json import batch_rows


def open_any(case, kind):
    path = case.path(kind)
    return arrow_ipc.open(path) if kind == "file" else arrow_ipc.read_stream(path)


def rows_of(reader, level):
    """The rows as text, from pyarrow's batches, whose content it has checked."""
    rows = []
    for batch in pa.RecordBatchReader.from_stream(reader):
        batch.validate(full=level == "strict")
        rows += batch_rows(batch)
    return rows


def has_unknown_to_pyarrow(schema):
    """Types that pyarrow has no class for. Rows as text are whole; `test_peers.py` reads the other columns of these."""
    return any(f"interval({unit})" in field.type for field in schema.fields for unit in ["year_month", "day_time"])


@pytest.mark.parametrize("kind", ["file", "stream"])
@pytest.mark.parametrize(
    "folder", ["pyarrow-26.0.1", "polars-2.1.0", "nanoarrow-0.9.0", "apache-arrow-js-21.2.0", "arrow-rs-60.1.0"]
)
def test_rows(folder, kind):
    n_read = 0
    for case in cases(folder):
        if kind not in case.formats:
            continue
        reader = open_any(case, kind)
        assert str(arrow_ipc.Schema.parse(case.schema)) == str(reader.schema).split("\n\nmetadata")[0], case
        if has_unknown_to_pyarrow(reader.schema):
            continue
        assert rows_of(reader, case.level) == case.rows, case
        n_read += 1
    assert n_read > 0 or kind == "file", f"no {kind} of {folder} was read"


def test_written_again():
    """Read, written, and read again: the same rows, as file and as stream, compressed or not."""
    for case in cases("arrow-rs-60.1.0", "sliced") + cases("pyarrow-26.0.1", "nested"):
        expected = arrow_ipc.concat(arrow_ipc.read_stream(case.path("stream")))
        for compression in [None, "lz4", "zstd:3"]:
            target = io.BytesIO()
            arrow_ipc.write_stream(target, arrow_ipc.read_stream(case.path("stream")), compression=compression)
            found = arrow_ipc.concat(arrow_ipc.read_stream(target.getvalue()))
            assert found.same_rows(expected), case
        target = io.BytesIO()
        batches = list(arrow_ipc.read_stream(case.path("stream")))
        arrow_ipc.write_file(target, batches, dictionaries="unify")
        assert arrow_ipc.concat(arrow_ipc.open(target.getvalue())).same_rows(expected), case
