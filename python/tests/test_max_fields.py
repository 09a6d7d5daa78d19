"""`set_max_fields` sets how many fields a schema may have, in reading and writing."""

import arrow_ipc
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
    before = arrow_ipc.set_max_fields(2)
    try:
        for call in calls:
            with pytest.raises(arrow_ipc.ArrowIpcError, match="3 (or more )?fields exceed the limit of 2") as raised:
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
