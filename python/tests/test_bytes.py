"""The bytes of batches: those that they hold, those that they refer to, and those of their messages; and copies that are refused."""

import io
import pickle
import socket
import threading

import arrow_ipc
import pyarrow as pa
import pytest


def rows(n):
    return pa.record_batch({"id": pa.array(range(n), pa.int64()), "name": [f"name {i}" for i in range(n)]})


def test_names_of_pyarrow():
    """Without nulls, the numbers are those of pyarrow, which leaves out the end of the last text, an offset of 4 bytes."""
    theirs = rows(1000)
    ours = arrow_ipc.RecordBatch(theirs)
    assert ours.nbytes == theirs.nbytes + 4
    assert ours.slice(10, 20).nbytes == theirs.slice(10, 20).nbytes + 4
    assert ours["name"][3:9].nbytes == theirs["name"][3:9].nbytes + 4
    assert ours["id"].get_total_buffer_size() == 8000
    # Of a slice, all of its memory counts, unless it is that of another library.
    own = ours.compact()
    assert own.slice(10, 20).get_total_buffer_size() == own.get_total_buffer_size() >= own.nbytes
    assert own.slice(10, 20).compact().get_total_buffer_size() < 2000


def test_lengths_of_messages():
    theirs = rows(1000)
    ours = arrow_ipc.RecordBatch(theirs)
    assert ours.encoded_nbytes(alignment=8) == pa.ipc.get_record_batch_size(theirs)
    assert ours.encoded_nbytes(compression="zstd") >= ours.encoded_nbytes(alignment=8)
    parts = ours.split_by_encoded_nbytes(5000)
    assert all(part.encoded_nbytes() <= 5000 for part in parts)
    assert arrow_ipc.concat(parts) == ours
    stream = io.BytesIO()
    arrow_ipc.write_stream(stream, ours, max_message_bytes=5000)
    stream.seek(0)
    with pa.ipc.open_stream(stream) as read:
        assert [batch.num_rows for batch in read] == [part.num_rows for part in parts]
    long = arrow_ipc.RecordBatch({"text": ["short", "long" * 1000]})
    with pytest.raises(arrow_ipc.ArrowIpcError, match="row 1 of the batch does not fit"):
        long.split_by_encoded_nbytes(1000)


def test_pieces_over_a_socket():
    """Batches in messages of limited length go over a socket to pyarrow, and come back."""
    ours, theirs = socket.socketpair()
    longest = []

    def answer():
        with theirs, theirs.makefile("rb") as received, theirs.makefile("wb") as sent:
            batches = []
            with pa.ipc.open_stream(received) as stream:
                for batch in stream:
                    longest.append(pa.ipc.get_record_batch_size(batch))
                    batches.append(batch)
            with pa.ipc.new_stream(sent, batches[0].schema) as writer:
                for batch in batches:
                    writer.write_batch(batch)

    peer = threading.Thread(target=answer)
    peer.start()
    data = arrow_ipc.RecordBatch(rows(10_000))
    with ours, ours.makefile("rwb") as connection:
        arrow_ipc.write_stream(connection, data, max_message_bytes=20_000)
        connection.flush()
        with arrow_ipc.read_stream(connection) as stream:
            assert arrow_ipc.concat(stream) == data
    peer.join()
    assert len(longest) > 10 and max(longest) <= 20_000


def test_refused_copies(tmp_path):
    plain, packed = tmp_path / "plain.arrow", tmp_path / "packed.arrow"
    data = rows(1000)
    arrow_ipc.write_file(plain, data)
    arrow_ipc.write_file(packed, data, compression="zstd")
    file = arrow_ipc.open(plain, memory_map=True, copies="refuse")
    assert file.batch(0) == arrow_ipc.RecordBatch(data)
    refusing = arrow_ipc.open(packed, memory_map=True, copies="refuse")
    for opened in (refusing, pickle.loads(pickle.dumps(refusing))):
        with pytest.raises(arrow_ipc.ArrowIpcError, match="the buffer is compressed") as raised:
            opened.batch(0)
        assert (raised.value.location.field, raised.value.location.role) == ("id", "values")
        assert "convert" in str(raised.value)
    with arrow_ipc.read_stream(plain.read_bytes()[8:], copies="refuse") as stream:
        assert next(stream).num_rows == 1000
    with pytest.raises(ValueError, match="copies is \"never\"; allowed: 'allow' or 'refuse'"):
        arrow_ipc.open(plain, copies="never")
