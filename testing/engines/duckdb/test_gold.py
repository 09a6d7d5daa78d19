"""The values of gold files: as DuckDB gets them from pyarrow or, where DuckDB reads those wrong or not at all, as pyarrow has them."""

import decimal
import os
import pathlib
import re

import duckdb
import pyarrow as pa
import pytest

ROOT = pathlib.Path(__file__).resolve().parents[3]
GOLD = sorted(path for path in (ROOT / "testing/corpus/golden").rglob("*") if path.suffix in (".arrow", ".arrows"))
DATA = os.environ.get("ARROW_TEST_DATA")
if DATA:
    GOLD += sorted(path for path in pathlib.Path(DATA, "arrow-ipc-stream/integration").rglob("*") if path.suffix in (".arrow_file", ".stream"))

# What DuckDB says of values that it does not have.
REFUSED = [
    "Arrow map contains duplicate key",
    "Arrow map contains a null key|Arrow map contains NULL",
    "the time [-0-9]+ is not within a day",
    "the decimal has more than [0-9]+ digits",
    "means (minus )?infinity in DuckDB",
    "is before the first that DuckDB has",
    "the text .* is not JSON",
    r"does not fit (decimal128\(|timestamp\(us.*\)|duration\(us\)|date32)",
    "would lose digits as date32",
    "decimals of DuckDB have at most 38 digits",
    "unions of DuckDB have at least one field",
]
# Values that DuckDB has, and its package for Python has not.
NOT_IN_PYTHON = r"Python int too large|Could not convert Timestamp\(M?S\) to Timestamp\(US\)|date value out of range|year .* is out of range|out of range|must have magnitude"


def table_of(path):
    with pa.memory_map(str(path)) as source:
        is_file = source.read(6) == b"ARROW1"
        source.seek(0)
        return (pa.ipc.open_file(source) if is_file else pa.ipc.open_stream(source)).read_all()


def rows_of(connection, query, **tables):
    """Rows, or the error."""
    try:
        for name, table in tables.items():
            connection.register(name, table)
        return connection.sql(query).fetchall()
    except (duckdb.Error, OverflowError, ValueError) as error:
        return error


def has_inner_dictionary(of, inside=False):
    """DuckDB takes the indices for the values if such a dictionary comes from pyarrow."""
    if pa.types.is_dictionary(of):
        return inside or has_inner_dictionary(of.value_type, True)
    if pa.types.is_run_end_encoded(of):
        return has_inner_dictionary(of.value_type, True)
    return any(has_inner_dictionary(of.field(k).type, True) for k in range(of.num_fields))


def has_list_without_items(of):
    """DuckDB makes an `ARRAY` of such a list from pyarrow, which it cannot sort; the extension makes a `LIST`."""
    of = of.storage_type if isinstance(of, pa.BaseExtensionType) else of
    is_one = pa.types.is_fixed_size_list(of) and of.list_size == 0
    return is_one or any(has_list_without_items(of.field(k).type) for k in range(of.num_fields))


def has_days_and_milliseconds(of):
    """DuckDB takes such intervals from pyarrow for a number of milliseconds, and pyarrow has no class for them: see `test_values.py`."""
    of = of.storage_type if isinstance(of, pa.BaseExtensionType) else of
    return str(of) == "day_time_interval" or any(has_days_and_milliseconds(of.field(k).type) for k in range(of.num_fields))


def plain(value, of):
    """A value of Python that does not depend on who made it."""
    if value is None:
        return None
    if pa.types.is_dictionary(of) or pa.types.is_run_end_encoded(of):
        return plain(value, of.value_type)
    if pa.types.is_map(of):
        entries = value.items() if isinstance(value, dict) else value
        return {repr(plain(key, of.key_type)): plain(item, of.item_type) for key, item in entries}
    if isinstance(value, (list, tuple)):
        item = of.value_type if hasattr(of, "value_type") else None
        return [plain(each, item) for each in value] if item is not None else repr(value)
    if isinstance(value, dict):
        return {name: plain(item, of.field(name).type) for name, item in value.items()}
    if isinstance(value, decimal.Decimal):
        return value.normalize()
    return value


class Native:
    """DuckDB's own reading of pyarrow's tables, which may make a database unusable."""

    def __init__(self):
        self.connection = duckdb.connect()

    def rows(self, table):
        found = rows_of(self.connection, "from given", given=table)
        if "INTERNAL" in str(found) or "FATAL" in str(found):
            self.connection = duckdb.connect()
        return found


NATIVE = Native()


def check_column(name, table, rows):
    """Compares a column by itself. Returns what it was compared with."""
    if isinstance(rows, Exception):
        text = str(rows)
        assert "INTERNAL" not in text and "FATAL" not in text, text
        assert re.search(NOT_IN_PYTHON, text) or f'column "{name}"' in text and re.search("|".join(REFUSED), text), text
        return "refused"
    own = table.schema.field(0).type
    if has_days_and_milliseconds(own):
        return "nothing"
    theirs = NATIVE.rows(table)
    if not isinstance(theirs, Exception) and not has_inner_dictionary(own) and not has_list_without_items(own):
        if repr(rows) == repr(theirs):
            return "DuckDB"
        raise AssertionError(f"{own}: {rows[:3]} {theirs[:3]}")
    try:
        expected = table.column(0).to_pylist()
    except ValueError as error:
        assert "Nanosecond" in str(error)
        return "nothing"
    assert repr([plain(row[0], own) for row in rows]) == repr([plain(value, own) for value in expected]), own
    return "pyarrow"


@pytest.mark.parametrize("path", GOLD, ids=lambda path: "/".join(path.parts[-2:]))
def test_gold(path, shared, tmp_path):
    table = table_of(path)
    whole = rows_of(shared, f"from read_arrow('{path}')")
    if table.num_columns == 0:
        assert "the files have no columns" in str(whole)
        return
    if not isinstance(whole, Exception) and repr(whole) == repr(NATIVE.rows(table)):
        return
    assert "INTERNAL" not in str(whole) and "FATAL" not in str(whole)
    for k in range(table.num_columns):
        one = table.select([k])
        alone = tmp_path / "one.arrows"
        with pa.OSFile(str(alone), "wb") as sink, pa.ipc.new_stream(sink, one.schema) as writer:
            writer.write_table(one)
        check_column(one.schema.names[0], one, rows_of(shared, f"from read_arrow('{alone}')"))
