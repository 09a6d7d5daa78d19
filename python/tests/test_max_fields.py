"""`set_max_fields` sets how many fields a schema may have, in reading and writing."""

import arrow_ipc
import pyarrow as pa
import pytest

DATA = {"a": [1], "b": [2], "c": [3]}


def test_fields_are_limited(tmp_path):
    path, stream, other = tmp_path / "few.arrow", tmp_path / "few.arrows", tmp_path / "other.arrow"
    arrow_ipc.write_file(path, DATA)
    arrow_ipc.write_stream(stream, DATA)
    calls = [
        lambda: arrow_ipc.open(path),
        lambda: arrow_ipc.read_stream(stream),
        lambda: arrow_ipc.dataset(tmp_path),
        lambda: arrow_ipc.validate(stream),
        lambda: arrow_ipc.convert(stream, other),
        lambda: arrow_ipc.write_file(other, DATA),
    ]
    # Of other libraries, too. A dictionary has one field.
    table = pa.table(DATA)
    pair = pa.table({"a": pa.array(["x"]).dictionary_encode(), "b": [1]})
    struct = pa.array([{"a": 1, "b": 2}])
    calls += [
        lambda: arrow_ipc.Stream.from_arrow(table),
        lambda: arrow_ipc.RecordBatch(table.to_batches()[0]),
        lambda: arrow_ipc.Schema.from_arrow(table.schema),
        lambda: arrow_ipc.Array(struct),
        lambda: arrow_ipc.Array(pa.chunked_array([struct])),
    ]
    before = arrow_ipc.set_max_fields(2)
    try:
        assert arrow_ipc.Stream.from_arrow(pair).to_pydict() == {"a": ["x"], "b": [1]}
        for call in calls:
            with pytest.raises(arrow_ipc.ArrowIpcError, match="3 (or more )?fields exceed the limit of 2|has more than 2 fields") as raised:
                call()
            assert raised.value.category == "limit_exceeded"
            assert raised.value.hint == "set_max_fields(n) allows more"
        assert arrow_ipc.set_max_fields(2**64 - 1) == 2
        for call in calls:
            call()
        for wrong in (0, -1, 2**64):
            with pytest.raises(ValueError, match="expected|too large"):
                arrow_ipc.set_max_fields(wrong)
    finally:
        arrow_ipc.set_max_fields(before)
