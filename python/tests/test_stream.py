"""Streams: read as they come, and handed on."""

import io
import os
import socket
import threading

import arrow_ipc
import pyarrow as pa
import pytest


@pytest.fixture
def table():
    return pa.table({"id": list(range(6)), "word": pa.array(list("ababcc")).dictionary_encode()})


@pytest.fixture
def stream(table):
    target = io.BytesIO()
    arrow_ipc.write_stream(target, table.to_batches(max_chunksize=2), metadata={"k": "v"})
    return target.getvalue()


def test_whatever_is_read(stream, table, tmp_path):
    path = tmp_path / "words.arrows"
    path.write_bytes(stream)
    with open(path, "rb") as buffered, open(path, "rb", buffering=0) as raw:
        for source in [str(path), path, stream, bytearray(stream), io.BytesIO(stream), buffered, raw]:
            reader = arrow_ipc.read_stream(source)
            assert reader.metadata == {"k": "v"}
            assert reader.schema.names == ["id", "word"]
            assert [batch.num_rows for batch in reader] == [2, 2, 2]
            assert list(reader) == []


def test_columns(stream):
    reader = arrow_ipc.read_stream(stream, columns=["word"])
    assert reader.schema.names == ["word"]
    assert pa.table(reader).column("word").to_pylist() == list("ababcc")


def test_taken_once(stream, table):
    reader = arrow_ipc.read_stream(stream)
    first = next(reader)
    assert pa.table(reader).num_rows == 4
    with pytest.raises(arrow_ipc.ArrowIpcError, match="were given to another reader") as raised:
        pa.table(reader)
    assert (raised.value.kind, raised.value.category) == ("AlreadyTaken", "misuse")
    with pytest.raises(arrow_ipc.ArrowIpcError):
        next(reader)
    assert first.num_rows == 2


def test_closing(stream):
    with arrow_ipc.read_stream(stream) as reader:
        next(reader)
    with pytest.raises(arrow_ipc.ArrowIpcError, match="the stream is closed"):
        next(reader)
    with pytest.raises(arrow_ipc.ArrowIpcError, match="the stream is closed"):
        reader.__arrow_c_stream__()


def test_a_live_stream_gives_what_has_arrived(table):
    """Batches come out of a pipe before its other end is closed."""
    read_end, write_end = os.pipe()
    go_on = threading.Event()

    def write():
        with open(write_end, "wb") as target, arrow_ipc.Writer(target, table.schema, container="stream") as writer:
            for batch in table.to_batches(max_chunksize=3):
                writer.write(batch)
                target.flush()
                assert go_on.wait(30)

    writer = threading.Thread(target=write)
    writer.start()
    with open(read_end, "rb") as source:
        reader = arrow_ipc.read_stream(source)
        assert next(reader).num_rows == 3
        go_on.set()
        assert next(reader).num_rows == 3
        assert list(reader) == []
    writer.join()


def test_from_arrow(table):
    reader = arrow_ipc.Stream.from_arrow(table)
    assert reader.schema == arrow_ipc.Schema.from_arrow(table.schema)
    assert pa.table(reader).equals(table)
    batches = table.to_batches(max_chunksize=2)
    assert pa.table(arrow_ipc.Stream.from_arrow(iter(batches))).equals(table)
    assert arrow_ipc.RecordBatch.from_arrow(batches[0]).num_rows == 2
    with pytest.raises(arrow_ipc.ArrowIpcError, match="found several"):
        arrow_ipc.RecordBatch.from_arrow(batches)
    assert arrow_ipc.concat(batches).num_rows == 6


def test_truncated(stream):
    """A truncated stream is an error, but where it ends between messages, as legacy streams do."""
    n_errors = 0
    for n_bytes in range(0, len(stream) - 8):
        try:
            assert sum(batch.num_rows for batch in arrow_ipc.read_stream(stream[:n_bytes])) <= 6
        except arrow_ipc.ArrowIpcError as error:
            assert error.category in ("truncated", "malformed"), error
            n_errors += 1
    assert n_errors > len(stream) - 20


def test_another_readers_error_is_the_text_of_ours(stream):
    """A stream that fails half way, as others see it through the C interface."""
    at = stream.rindex(b"c" * 1)
    cut = arrow_ipc.read_stream(stream[: at - 40])
    with pytest.raises((pa.ArrowInvalid, OSError), match="truncated"):
        pa.table(cut)


@pytest.mark.parametrize("compression", ["none", "lz4"])
def test_streams_one_after_the_other(compression):
    """Of a file-like object, nothing is read beyond the end of the stream."""
    target, sizes = io.BytesIO(), (1, 70_000)
    for n_rows in sizes:
        arrow_ipc.write_stream(target, {"id": list(range(n_rows)), "name": [f"n{k}" for k in range(n_rows)]}, compression=compression)
    content = target.getvalue() + b"and more"
    ours, theirs = socket.socketpair()
    sender = threading.Thread(target=lambda: (theirs.sendall(content), theirs.close()))
    sender.start()
    with ours, ours.makefile("rb") as buffered:
        for source in [io.BytesIO(content), io.BufferedReader(io.BytesIO(content)), buffered]:
            for n_rows in sizes:
                assert arrow_ipc.concat(arrow_ipc.read_stream(source))["id"].to_pylist() == list(range(n_rows))
            assert source.read() == b"and more"
    sender.join()


def test_streams_on_an_unbuffered_connection():
    ours, theirs = socket.socketpair()
    with ours, theirs, ours.makefile("rb", buffering=0) as received, theirs.makefile("wb") as sent:
        # Each answer needs the question before it, so reading too far would wait for ever.
        for k in range(3):
            arrow_ipc.write_stream(sent, {"k": [k]})
            sent.flush()
            assert arrow_ipc.concat(arrow_ipc.read_stream(received)).to_pylist() == [{"k": k}]
