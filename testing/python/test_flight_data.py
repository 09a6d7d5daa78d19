"""The other side of `crates/arrow/examples/frame_flight_data.rs`: pyarrow reads the framed messages, and sends its own back."""

import os
import socket
import struct
import subprocess
import sys

import pyarrow as pa

APP_METADATA = b"from the application"
LENGTHS = struct.Struct("<QQQ")


def received(connection):
    """Headers, metadata of the application, and bodies, until the program has sent all."""
    with connection.makefile("rb") as incoming:
        while lengths := incoming.read(LENGTHS.size):
            yield [incoming.read(length) for length in LENGTHS.unpack(lengths)]


def encapsulated(header, body):
    """A message as it is in a stream."""
    header += b"\0" * (-len(header) % 8)
    return struct.pack("<Ii", 0xFFFFFFFF, len(header)) + header + body


def framed(table):
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table)
    for message in pa.ipc.MessageReader.open_stream(sink.getvalue()):
        header, body = message.metadata.to_pybytes(), message.body.to_pybytes()
        yield LENGTHS.pack(len(header), len(APP_METADATA), len(body)) + header + APP_METADATA + body


def main(example):
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.settimeout(60)
        address = "{}:{}".format(*listener.getsockname())
        with subprocess.Popen([example], env=os.environ | {"PEER": address}, stdout=subprocess.PIPE, text=True) as program:
            connection, _ = listener.accept()
            with connection:
                messages = list(received(connection))
                # The schema and the dictionary come first.
                assert len(messages) > 5 and {metadata for _, metadata, _ in messages[1:]} == {APP_METADATA}
                assert max(len(header) + len(body) for header, _, body in messages) <= 16 << 10
                stream = b"".join(encapsulated(header, body) for header, _, body in messages)
                table = pa.ipc.open_stream(stream).read_all()
                table.validate(full=True)
                assert table["id"].to_pylist() == list(range(10_000))
                assert table["city"].combine_chunks().cast(pa.string()).to_pylist() == ["Oslo", "Lima"] * 5_000
                for message in framed(table):
                    connection.sendall(message)
                connection.shutdown(socket.SHUT_WR)
                said = program.stdout.read()
        assert program.returncode == 0 and said.endswith("batches\n"), (program.returncode, said)


main(sys.argv[1])
