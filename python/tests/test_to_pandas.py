"""Frames of pandas have the values of the file: integers beside nulls are not rounded."""

import io

import arrow_ipc
import pandas as pd
import pyarrow as pa
import pytest

# One more than `float64` holds.
BIG = 2**53 + 1
GREATEST = 2**64 - 1


def lists(kind, values):
    return pa.array([values, None, [1]], kind)


CASES = {
    "int64": (pa.array([BIG, None]), "Int64"),
    "negative": (pa.array([-BIG, None]), "Int64"),
    "uint64": (pa.array([GREATEST, None], pa.uint64()), "UInt64"),
    "runs": (pa.RunEndEncodedArray.from_arrays([1, 2], pa.array([BIG, None])), "Int64"),
    "whole": (pa.array([BIG, 1]), "int64"),
    "small": (pa.array([2**53, None]), "float64"),
    "nulls": (pa.array([None, None], pa.int64()), "float64"),
    "int32": (pa.array([2**31 - 1, None], pa.int32()), "float64"),
    "list": (lists(pa.list_(pa.int64()), [BIG, None]), "object"),
    "large list": (lists(pa.large_list(pa.uint64()), [GREATEST, None]), "object"),
    "list view": (lists(pa.list_view(pa.int64()), [BIG, None]), "object"),
    "fixed list": (pa.array([[BIG, None], None], pa.list_(pa.int64(), 2)), "object"),
    "list of lists": (pa.array([[[BIG, None], None]]), "object"),
    "null in another row": (pa.array([[BIG], [None]]), "object"),
    "struct": (pa.array([{"a": BIG}, {"a": None}, None]), "object"),
    "struct of list": (pa.array([{"a": [BIG, None]}]), "object"),
    "list of structs": (pa.array([[{"a": BIG}, {"a": None}]]), "object"),
    "map": (pa.array([[("k", BIG), ("l", None)]], pa.map_(pa.utf8(), pa.int64())), "object"),
    "dictionary": (pa.array([BIG, None]).dictionary_encode(), "category"),
    "list of dictionary": (pa.ListArray.from_arrays([0, 2], pa.array([BIG, None]).dictionary_encode()), "object"),
    "timestamp(ns)": (pa.array([100 * BIG + 1, None], pa.timestamp("ns")), "datetime64[ns]"),
    "duration(ns)": (pa.array([100 * BIG + 1, None], pa.duration("ns")), "timedelta64[ns]"),
    "decimal": (pa.array([str(BIG), None]).cast(pa.decimal128(20, 0)), "object"),
}


def plain(value):
    """The value in objects of Python, with `None` for each null."""
    if hasattr(value, "tolist") and getattr(value, "ndim", 0):
        return [plain(item) for item in value]
    if isinstance(value, dict):
        return {name: plain(item) for name, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if value is None or value is pd.NA or value is pd.NaT or value != value:
        return None
    return int(value) if isinstance(value, float) and value.is_integer() else value.item() if hasattr(value, "item") else value


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("n_batches", [1, 2])
def test_values(name, n_batches):
    array, dtype = CASES[name]
    # In two batches, the null and the integer are in different ones.
    batches = [pa.record_batch({"before": [0] * len(part), "c": part, "c2": ["x"] * len(part)}) for part in ([array] if n_batches == 1 else [array[:1], array[1:]])]
    target = io.BytesIO()
    arrow_ipc.write_file(target, batches)
    file = arrow_ipc.open(target.getvalue())
    for frame in [file.to_pandas(), arrow_ipc.concat(file).to_pandas()]:
        assert str(frame["c"].dtype) == dtype
        assert list(frame.columns) == ["before", "c", "c2"]
        expected = array.to_pandas().tolist() if "(" in name else array.to_pylist()
        assert plain(frame["c"].tolist()) == plain(expected)


def test_columns_of_one_name_and_an_index():
    batch = pa.record_batch([pa.array([BIG, None]), pa.array([1, None]), pa.array([None, BIG])], ["a", "b", "a"])
    frame = arrow_ipc.RecordBatch(batch).to_pandas()
    assert [str(dtype) for dtype in frame.dtypes] == ["Int64", "float64", "Int64"]
    assert frame.iloc[0, 0] == frame.iloc[1, 2] == BIG

    indexed = pd.DataFrame({"x": pd.array([BIG, None], "Int64"), "y": [1.5, 2]}, index=["r", "s"])
    table = pa.Table.from_pandas(indexed)
    found = arrow_ipc.RecordBatch(table).to_pandas()
    assert list(found.index) == ["r", "s"] and found.loc["r", "x"] == BIG and pd.isna(found.loc["s", "x"])

    keyed = pa.Table.from_pandas(indexed.set_index("x"))
    with pytest.raises(ValueError, match="the index 'x' has values of int64 beside nulls that do not fit float64"):
        arrow_ipc.RecordBatch(keyed).to_pandas()
    found = arrow_ipc.RecordBatch(pa.Table.from_pandas(indexed.reset_index(names="k").set_index(["k", "y"]))).to_pandas()
    assert found.index.names == ["k", "y"]
    assert found["x"].iloc[0] == BIG


def test_to_numpy_refuses():
    """As before: an array has no dtype with nulls for them."""
    with pytest.raises(ValueError, match="do not fit float64"):
        arrow_ipc.Array(pa.array([BIG, None])).to_numpy(zero_copy_only=False)
