"""Bytes of strangers: an error or rows, and the database is usable after each."""

import os
import pathlib
import random

import duckdb
import pyarrow as pa
import pytest

ROOT = pathlib.Path(__file__).resolve().parents[3] / "testing/corpus"
DATA = os.environ.get("ARROW_TEST_DATA")
FOLDERS = [ROOT / "hostile", ROOT / "damaged", ROOT / "oddities", ROOT / "extra-validity", ROOT / "tensors", ROOT / "feather"]
if DATA:
    FOLDERS += [pathlib.Path(DATA, name) for name in ("arrow-ipc-stream", "arrow-ipc-file", "arrow-ipc-tensor-stream")]
FILES = [path for folder in FOLDERS for path in sorted(folder.rglob("*")) if path.is_file() and path.suffix not in (".gz", ".json", ".md", ".zip")]


def read(db, path):
    """The number of rows, or the text of the error."""
    path = str(path).replace("'", "''")
    try:
        # As text, which looks at each value. A file may have more rows than there is time.
        rows = db.sql(f"select columns(*)::varchar from read_arrow('{path}') limit 20000").fetchall()
    except (duckdb.Error, UnicodeDecodeError) as error:
        text = str(error)
        assert "INTERNAL" not in text and "FATAL" not in text and "panicked" not in text, (path, text)
        return text
    return len(rows)


def test_files(shared):
    n_errors = 0
    for path in FILES:
        n_errors += isinstance(read(shared, path), str)
        assert shared.sql("select 42").fetchall() == [(42,)], path
    assert n_errors > len(FILES) / 3


def seeds():
    """Small files of many types: golden ones, and one of extension types."""
    golden = ROOT / "golden/pyarrow-26.0.1"
    names = "every-type-one-row names-inside extensions dictionary-inside-nulls unions-sliced list-views-full run-ends-sliced views-nulls maps-sliced fixed-size-nulls loose-values"
    return [path for name in names.split() for path in sorted(golden.glob(f"{name}.arrow*"))]


@pytest.mark.parametrize("path", seeds(), ids=lambda path: path.name)
def test_damage(path, shared, tmp_path):
    """Bytes of a file that are changed, some at a time."""
    content = path.read_bytes()
    source = random.Random(path.name)
    changed = tmp_path / f"changed{path.suffix}"
    for _ in range(int(os.environ.get("N_DAMAGED", "60"))):
        data = bytearray(content)
        for _ in range(source.choice([1, 1, 2, 8])):
            data[source.randrange(len(data))] = source.choice([0, 1, 0x7F, 0x80, 0xFF, source.randrange(256)])
        changed.write_bytes(data if source.random() < 0.9 else data[: source.randrange(len(data))])
        read(shared, changed)
        assert shared.sql("select 42").fetchall() == [(42,)]


def test_names(db, tmp_path):
    """Names that DuckDB or a terminal takes for something else."""
    for names in (["a", "A"], ["", "b"], ["x\x1b[31m", "y"], ["a", "a"], ['"; drop table t; --', "b"]):
        path = tmp_path / "names.arrow"
        table = pa.Table.from_arrays([pa.array([1]), pa.array([2])], names=names)
        with pa.OSFile(str(path), "wb") as sink, pa.ipc.new_file(sink, table.schema) as writer:
            writer.write_table(table)
        found = read(db, path)
        assert found == 1 or "column" in found or "name" in found, (names, found)


def test_errors_control_no_terminal(db, tmp_path):
    path = tmp_path / "names.arrow"
    table = pa.table({"x\x1b[31m": pa.array([1], pa.decimal256(60, 0))})
    with pa.OSFile(str(path), "wb") as sink, pa.ipc.new_file(sink, table.schema) as writer:
        writer.write_table(table)
    found = read(db, path)
    assert "38 digits" in found and "\x1b" not in found and "u{1b}" in found


def test_errors_name_file_column_and_row(db, tmp_path):
    path = tmp_path / "late.arrow"
    late = pa.Array.from_buffers(pa.time32("s"), 1, [None, pa.py_buffer((90_000).to_bytes(4, "little"))])
    with pa.OSFile(str(path), "wb") as sink, pa.ipc.new_file(sink, pa.schema({"t": late.type})) as writer:
        writer.write_batch(pa.record_batch({"t": late}))
    assert f'{path}: column "t", row 0: the time 90000 is not within a day' in read(db, path)


def test_a_long_fixed_size_list_of_nulls(db, tmp_path):
    """Lists of lists whose items take no bytes, so that a small file has very many."""
    array = pa.nulls(1000 * 1000 * 4)
    for _ in range(2):
        array = pa.FixedSizeListArray.from_arrays(array, 1000)
    path = tmp_path / "deep.arrow"
    table = pa.table({"deep": array})
    with pa.OSFile(str(path), "wb") as sink, pa.ipc.new_file(sink, table.schema) as writer:
        writer.write_table(table)
    assert db.sql(f"select count(deep), sum(len(deep[1])) from read_arrow('{path}')").fetchall() == [(4, 4000)]
