"""Values against literals: `test_gold.py` compares with DuckDB's own reading of Arrow data, which has faults of its own."""

import datetime
import json
import pathlib

import duckdb
import numpy as np
import pyarrow as pa
import pytest

ROOT = pathlib.Path(__file__).resolve().parents[3]
INTERVALS = sorted((ROOT / "testing/corpus/golden").glob("*/intervals-*.arrow*"))
DAY = 86_400_000


def of(data_type, numbers, valid=0xFF):
    """An array of these numbers as they are, also in null slots."""
    return pa.Array.from_buffers(data_type, len(numbers), [pa.py_buffer(bytes([valid])), pa.py_buffer(np.array(numbers, "i8").tobytes())])


@pytest.fixture
def read(db, tmp_path):
    def rows(array, what="x"):
        path = tmp_path / "x.arrow"
        batch = pa.record_batch({"x": array})
        with pa.OSFile(str(path), "wb") as sink, pa.ipc.new_file(sink, batch.schema) as writer:
            writer.write_batch(batch)
        return [row[0] for row in db.sql(f"select {what} from read_arrow('{path}')").fetchall()]

    return rows


def parts_of(value):
    """Months, days and microseconds of an interval in the form of JSON."""
    if value is None:
        return None
    nanoseconds = value.get("milliseconds", 0) * 1_000_000 + value.get("nanoseconds", 0)
    microseconds = abs(nanoseconds) // 1000
    return value.get("months", 0), value.get("days", 0), -microseconds if nanoseconds < 0 else microseconds


@pytest.mark.parametrize("path", INTERVALS, ids=lambda path: "/".join(path.parts[-2:]))
def test_intervals(shared, path):
    """The JSON beside each file has the values: pyarrow has no class for two of the types."""
    rows = [json.loads(line) for line in path.with_suffix(".json").read_text().splitlines()]
    for name in ("c0", "c1", "c2"):
        query = f"""select datepart('year', i) * 12 + datepart('month', i), datepart('day', i),
            datepart('hour', i) * 3600000000 + datepart('minute', i) * 60000000 + datepart('microsecond', i)
            from (select {name} as i from read_arrow('{path}'))"""
        found = [None if row[0] is None else row for row in shared.sql(query).fetchall()]
        assert found == [parts_of(row[name]) for row in rows] and len(found) > 5, name


def test_dates_of_milliseconds(read):
    days = [0, 1, -1, 20_000, -106_752]
    epoch = datetime.date(1970, 1, 1)
    assert read(of(pa.date64(), [day * DAY for day in days])) == [epoch + datetime.timedelta(day) for day in days]
    # What is in null slots does not matter.
    assert read(of(pa.date64(), [DAY, -1], valid=1)) == [epoch + datetime.timedelta(1), None]
    assert read(pa.array([[DAY]], pa.list_(pa.int64())).cast(pa.list_(pa.date64())), "x[1]") == [epoch + datetime.timedelta(1)]
    for number, text in [(371_085_174_374_400_000, "does not fit date32"), (-1, "would lose digits as date32"), (DAY + 1, "would lose digits as date32")]:
        with pytest.raises(duckdb.Error, match=f'column "x".*{text}'):
            read(of(pa.date64(), [number]))


def test_timestamps_with_zones(read):
    numbers = [-1, -999, 1999, -1001, 1 << 62]
    assert read(of(pa.timestamp("ns", "UTC"), numbers), "epoch_ns(x)") == numbers
    for unit in ("s", "ms", "us"):
        assert read(of(pa.timestamp(unit, "UTC"), [-7, 1 << 62], valid=1), "epoch_us(x)") == [-7 * {"s": 1_000_000, "ms": 1000, "us": 1}[unit], None]


def test_durations(read):
    """What is in null slots does not matter."""
    for unit, microseconds in [("s", 1_000_000), ("ms", 1000), ("us", 1)]:
        found = read(of(pa.duration(unit), [5, 1 << 62, -7], valid=0b101), "epoch_us(x)")
        assert found == [5 * microseconds, None, -7 * microseconds], unit
    for unit in ("s", "ms"):
        with pytest.raises(duckdb.Error, match='column "x".*does not fit duration'):
            read(of(pa.duration(unit), [1 << 62]))
    assert read(of(pa.duration("ns"), [1999, -1999]), "epoch_us(x)") == [1, -1]


def test_dictionaries_of_numbers(read):
    values = pa.array([10, 20, 30], pa.int64())
    indices = pa.array([2, None, 0, 1, None], pa.int8())
    assert read(pa.DictionaryArray.from_arrays(indices, values)) == [30, None, 10, 20, None]
    assert read(pa.DictionaryArray.from_arrays(indices.drop_null(), values)) == [30, 10, 20]
