"""Writes Feather files of version 1 with pyarrow and pandas, and beside each its schema and rows as text.

The folder is `pyarrow-<version>`. The text comes from the arrays that are written, as that of the golden files does.
pyarrow writes a column of the null type as text, and no times of 64 bits.
"""

import datetime
import sys
import warnings
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pyarrow.feather

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "golden"))

from arrow_json import batch_rows  # noqa: E402
from arrow_text import schema_text  # noqa: E402

NUMBERS = [pa.int8(), pa.int16(), pa.int32(), pa.int64(), pa.uint8(), pa.uint16(), pa.uint32(), pa.uint64()]
UNITS = ["s", "ms", "us", "ns"]
INTEGERS = [1, 0, 7, 100, 3, 9, 127, 2, 5, 4, 6]
TEXTS = ["ada", "", "grace", "þ", "a text of more than twelve bytes", "x", "漢字", "y", "z", "\n", '"']


def every_type(nulls):
    """Columns of all types that this version has, of eleven rows."""

    def column(values, data_type):
        values = [None if nulls and k % 3 == 1 else value for k, value in enumerate(values)]
        return pa.array(values, data_type)

    columns = {str(number): column(INTEGERS, number) for number in NUMBERS}
    columns["bool"] = column([value % 2 == 0 for value in INTEGERS], pa.bool_())
    floats = [0.5, -0.0, float("inf"), float("-inf"), 1e30, 0.1, -2.5, 3.0, 1e-30, 65504.0, 8.0]
    columns |= {"float": column(floats, pa.float32()), "double": column(floats, pa.float64())}
    for text in [pa.string(), pa.large_string()]:
        columns[str(text)] = column(TEXTS, text)
    for binary in [pa.binary(), pa.large_binary()]:
        columns[str(binary)] = column([text.encode() + b"\0\xff" for text in TEXTS], binary)
    columns["date"] = column([value * 1000 - 5000 for value in INTEGERS], pa.date32())
    for unit in UNITS:
        moments = [value * 10**9 - 5 * 10**8 for value in INTEGERS]
        columns[f"timestamp_{unit}"] = column(moments, pa.timestamp(unit))
        columns[f"zoned_{unit}"] = column(moments, pa.timestamp(unit, "Europe/Paris"))
    columns["time_s"] = column([value * 600 for value in INTEGERS], pa.time32("s"))
    columns["time_ms"] = column([value * 600_001 for value in INTEGERS], pa.time32("ms"))
    return pa.table(columns)


def categories():
    """Indices of all types; text, long text, numbers and nulls as levels."""
    levels = {
        "text": pa.array(["low", "middle", "high"]),
        "long": pa.array(["low", "middle", "high"], pa.large_string()),
        "number": pa.array([10, 20, 30]),
        "null": pa.array(["low", None, "high"]),
        "unused": pa.array(["low", "middle", "high", "never"]),
    }
    columns = {}
    for k, number in enumerate(NUMBERS):
        for name, values in levels.items():
            codes = pa.array([0, 2, None, 1, 1], number)
            columns[f"{name}_{number}"] = pa.DictionaryArray.from_arrays(codes, values, ordered=k % 2 == 0)
    return pa.table(columns)


def data_frame():
    """What a user of pandas has, with its index and its metadata, which this version drops."""
    frame = pd.DataFrame(
        {
            "id": [1, 2, 3],
            "name": ["ada", None, "grace"],
            "grade": pd.Categorical(["b", "a", None], categories=["a", "b"], ordered=True),
            "day": [datetime.date(2016, 3, 29), None, datetime.date(2020, 4, 20)],
            "when": pd.to_datetime(["2016-03-29 12:00", None, "2020-04-20 08:30"]).tz_localize("America/New_York"),
            "share": [0.5, float("nan"), 1.0],
            "is_set": [True, False, True],
        }
    )
    return pa.Table.from_pandas(frame)


def cases():
    """Name, what is written, and what is in the file."""
    nulls, full = every_type(True), every_type(False)
    yield "every-type-nulls", nulls, nulls
    yield "every-type-full", full, full
    yield "every-type-sliced", nulls.slice(3, 5), nulls.slice(3, 5)
    yield "every-type-empty", nulls.slice(0, 0), nulls.slice(0, 0)
    yield "categories", categories(), categories()
    yield "nulls", pa.table({"null": pa.nulls(9)}), pa.table({"null": pa.nulls(9, pa.string())})
    yield "no-columns", pa.table({}), pa.table({})
    yield "data-frame", data_frame(), data_frame()
    # More rows than a batch has here; every third is null, and every second of the others true.
    yield "long", pa.table({"b": pa.array([None if k % 3 == 0 else k % 2 == 0 for k in range(70_000)])}), None


def main():
    warnings.simplefilter("ignore")
    folder = HERE / f"pyarrow-{pa.__version__}"
    folder.mkdir(exist_ok=True)
    for path in folder.iterdir():
        path.unlink()
    for name, written, content in cases():
        pa.feather.write_feather(written, str(folder / f"{name}.feather"), version=1)
        if content is not None:
            content = content.replace_schema_metadata(None)
            rows = [row for batch in content.combine_chunks().to_batches() for row in batch_rows(batch)]
            (folder / f"{name}.json").write_text("".join(row + "\n" for row in rows), encoding="utf-8", newline="\n")
            (folder / f"{name}.schema").write_text(schema_text(content.schema), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
