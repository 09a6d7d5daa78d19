"""An engine that gets a data set itself reads all of it: the data set says so once, and names what the engine could push down into."""

import warnings

import arrow_ipc
import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest


@pytest.fixture
def data(tmp_path):
    arrow_ipc.write_file(tmp_path / "a.arrow", {"a": [1, 2, 3], "b": [4, 5, 6]})
    return arrow_ipc.dataset(tmp_path)


def test_duckdb_is_told_once(data):
    query = "select sum(a) from data where b > 4"
    with pytest.warns(UserWarning, match=r"all columns and rows .* `dataset\.to_pyarrow\(\)`") as warned:
        assert duckdb.sql(query).fetchall() == [(5,)]
    assert len(warned) == 1
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert duckdb.sql(query).fetchall() == [(5,)]
        connection = duckdb.connect()
        connection.register("registered", data)
        assert connection.sql("select count(*) from registered").fetchall() == [(3,)]
    # Another selection is another data set.
    data = data.select(["a"])
    with pytest.warns(UserWarning, match="to_pyarrow"):
        assert duckdb.sql("select sum(a) from data").fetchall() == [(6,)]


def test_what_it_names_is_quiet(data):
    rows = data.to_pyarrow()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert duckdb.sql("select sum(a) from rows where b > 4").fetchall() == [(5,)]


def test_libraries_that_take_all_are_not_told(data, tmp_path):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert pa.table(data).num_rows == len(pl.DataFrame(data)) == len(pd.DataFrame.from_arrow(data)) == 3
        arrow_ipc.write_file(tmp_path / "copy.arrow", data)
        arrow_ipc.concat(data)
        assert data.__arrow_c_stream__() is not None


def test_a_caller_without_a_name(data):
    """What is looked at is the frame of the caller, which may have no module."""
    assert eval("data.__arrow_c_stream__()", {"data": data, "__name__": 1}) is not None
    assert eval("data.__arrow_c_stream__()", {"data": data}) is not None
    with pytest.warns(UserWarning, match="to_pyarrow"):
        eval("data.__arrow_c_stream__()", {"data": data, "__name__": "datafusion.context"})
