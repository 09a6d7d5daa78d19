"""Streams that follow each other: no rows are missing without notice."""

import gzip
import io

import arrow_ipc
import pyarrow as pa
import pytest


def stream(*rows):
    target = io.BytesIO()
    arrow_ipc.write_stream(target, [pa.record_batch({"a": [row]}) for row in rows])
    return target.getvalue()


ONE, OTHER = stream(1, 2), stream(3)
END = b"\xff\xff\xff\xff\0\0\0\0"


def check(source):
    """The rows of the first stream, and then the error."""
    batches = arrow_ipc.read_stream(source)
    assert [next(batches).to_pydict()["a"], next(batches).to_pydict()["a"]] == [[1], [2]]
    with pytest.raises(arrow_ipc.ArrowIpcError, match="another stream follows") as raised:
        next(batches)
    error = raised.value
    assert (error.kind, error.category) == ("MoreStreams", "misuse")
    assert "convert(source, dest)" in error.hint and "read_stream(file)" in error.hint
    assert list(batches) == []
    return error.location.byte_offset


def test_another_stream_is_an_error(tmp_path):
    for between in [b"", END, bytes(8), END + bytes(16)]:
        content = ONE + between + OTHER
        path = tmp_path / "two.arrows"
        path.write_bytes(content)
        assert check(content) == check(path) == check(str(path)) == check(path.as_uri()) == len(ONE + between)
        assert check(memoryview(content)) == len(ONE + between)
        check(gzip.compress(content))
        with pytest.raises(arrow_ipc.ArrowIpcError, match="another stream follows"):
            list(arrow_ipc.read_stream(path, memory_map=True))
    check(ONE + stream(3) * 3)


def test_other_libraries_and_functions_see_it(tmp_path):
    with pytest.raises(Exception, match="another stream follows"):
        pa.table(arrow_ipc.read_stream(ONE + OTHER))
    with pytest.raises(arrow_ipc.ArrowIpcError, match="another stream follows"):
        arrow_ipc.write_file(tmp_path / "x.arrow", arrow_ipc.read_stream(ONE + OTHER))
    assert not (tmp_path / "x.arrow").exists()
    with pytest.raises(arrow_ipc.ArrowIpcError, match="another stream follows"):
        arrow_ipc.concat(arrow_ipc.read_stream(ONE + OTHER))


def test_all_streams_can_be_read(tmp_path):
    """In the two ways that the hint names."""
    arrow_ipc.convert(ONE + OTHER, tmp_path / "all.arrow")
    assert arrow_ipc.open(tmp_path / "all.arrow").to_pydict() == {"a": [1, 2, 3]}
    file = io.BytesIO(ONE + OTHER)
    assert [[batch.to_pydict()["a"] for batch in arrow_ipc.read_stream(file)] for _ in range(2)] == [[[1], [2]], [[3]]]


def test_what_is_no_other_stream():
    """Zeros, more end markers and other bytes, as other functions read them."""
    for after in [b"", END, END * 3, bytes(4), bytes(1000), b"more", b"\0\0\0\0more", b"no stream at all"]:
        assert [batch.to_pydict()["a"] for batch in arrow_ipc.read_stream(ONE + after)] == [[1], [2]], after
    without_end = ONE.removesuffix(END)
    assert len(list(arrow_ipc.read_stream(without_end))) == 2


def test_a_damaged_stream_after_the_first():
    """It begins as a stream does."""
    with pytest.raises(arrow_ipc.ArrowIpcError):
        list(arrow_ipc.read_stream(ONE + OTHER[:20]))


def test_only_some_batches_are_read():
    """What nobody asks for is not looked at."""
    assert next(arrow_ipc.read_stream(ONE + OTHER)).to_pydict() == {"a": [1]}


def test_an_empty_input_is_called_empty(tmp_path):
    path = tmp_path / "empty.arrows"
    path.write_bytes(b"")
    sources = {"the bytes": b"", str(path): path, "the file-like object": io.BytesIO()}
    for name, source in sources.items():
        for read in [arrow_ipc.read_stream, arrow_ipc.open, arrow_ipc.count]:
            with pytest.raises(arrow_ipc.ArrowIpcError) as raised:
                read(source)
            text = f"{name}: the {'file' if source is path else 'input'} is empty"
            assert (str(raised.value), raised.value.kind, raised.value.category) == (text, "Empty", "truncated"), read
    # A stream that is cut is not empty.
    for cut in [ONE[:4], ONE[:20]]:
        with pytest.raises(arrow_ipc.ArrowIpcError) as raised:
            arrow_ipc.read_stream(cut)
        assert raised.value.kind == "Truncated"
