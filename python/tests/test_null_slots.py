"""`null_slots="zeros"` writes zeros instead of other bytes below nulls."""

import io

import arrow_ipc
import pyarrow as pa
import pytest

SECRET = b"SECRET!!"


def hidden():
    """Arrays with the secret below a null."""
    validity = pa.py_buffer(b"\x05")
    numbers = pa.py_buffer((1).to_bytes(8, "little") + SECRET + (3).to_bytes(8, "little"))
    offsets = pa.py_buffer(b"".join(n.to_bytes(4, "little") for n in [0, 1, 9, 10]))
    items = pa.array([1, int.from_bytes(SECRET, "little"), 3], pa.int64())
    lists = pa.py_buffer(b"".join(n.to_bytes(4, "little") for n in [0, 1, 2, 3]))
    return {
        "number": pa.Array.from_buffers(pa.int64(), 3, [validity, numbers]),
        "text": pa.Array.from_buffers(pa.string(), 3, [validity, offsets, pa.py_buffer(b"x" + SECRET + b"y")]),
        "list": pa.Array.from_buffers(pa.list_(pa.int64()), 3, [validity, lists], children=[items]),
        "struct": pa.Array.from_buffers(pa.struct({"x": pa.int64()}), 3, [validity], children=[items]),
    }


def in_turn(container):
    def write(dest, batch, **options):
        with arrow_ipc.Writer(dest, batch.schema, container=container, **options) as writer:
            writer.write(batch)

    return write


def converted(dest, batch, **options):
    content = io.BytesIO()
    arrow_ipc.write_stream(content, batch)
    arrow_ipc.convert(content.getvalue(), dest, container="file", **options)


WRITERS = {
    "write_file": arrow_ipc.write_file,
    "write_stream": arrow_ipc.write_stream,
    "Writer of a file": in_turn("file"),
    "Writer of a stream": in_turn("stream"),
    "convert": converted,
}


@pytest.mark.parametrize("writer", WRITERS)
@pytest.mark.parametrize("name", hidden())
def test_the_secret_is_not_written(name, writer):
    batch = pa.record_batch({name: hidden()[name]})
    for options, is_written in [({}, True), ({"null_slots": "keep"}, True), ({"null_slots": "zeros"}, False)]:
        target = io.BytesIO()
        WRITERS[writer](target, batch, **options)
        content = target.getvalue()
        assert (SECRET in content) == is_written, options
        read = arrow_ipc.open if arrow_ipc.inspect(content)["container"] == "file" else lambda source: arrow_ipc.concat(arrow_ipc.read_stream(source))
        assert read(content).to_pylist() == batch.to_pylist()


def test_wrong_words():
    with pytest.raises(ValueError, match="null_slots is \"zero\"; allowed: 'keep' or 'zeros'"):
        arrow_ipc.write_file(io.BytesIO(), {"a": [1]}, null_slots="zero")
    with pytest.raises(TypeError):
        arrow_ipc.convert(b"a\n1\n", io.BytesIO(), container="file", null_slots=0)
