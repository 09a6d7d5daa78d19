"""What to do about damaged data: each hint names what helps, and nothing that fails."""

import io
import os

import arrow_ipc
import pyarrow as pa
import pytest
from corpus import ROOT

DAMAGED = ROOT / "testing" / "corpus" / "damaged"


def stream(*batches):
    target = io.BytesIO()
    arrow_ipc.write_stream(target, [pa.record_batch(batch) for batch in batches])
    return target.getvalue()


def refused(call, error=arrow_ipc.ArrowIpcError):
    with pytest.raises(error) as raised:
        call()
    return raised.value


def with_schema_of(content, other):
    """The schema message of `other`, before the batches of `content`."""
    first = [arrow_ipc.inspect(data)["messages"][1]["position"] for data in (content, other)]
    return other[: first[1]] + content[first[0] :]


def test_a_schema_that_fits_no_batch():
    content = stream({"a": [1], "b": ["x"]}, {"a": [2], "b": ["y"]})
    broken = with_schema_of(content, stream({"a": [1]}))
    error = refused(lambda: arrow_ipc.recover(broken, io.BytesIO(), container="stream"))
    assert (error.kind, error.category) == ("SchemaOfNoBatch", "malformed")
    assert error.hint.startswith("schema= of recover takes")
    target = io.BytesIO()
    schema = next(arrow_ipc.read_stream(content)).schema
    assert arrow_ipc.recover(broken, target, container="stream", schema=schema).n_rows == 2
    assert arrow_ipc.concat(arrow_ipc.read_stream(target.getvalue())).to_pydict() == {"a": [1, 2], "b": ["x", "y"]}
    # Another schema that does not fit needs no hint at the argument that gave it.
    error = refused(lambda: arrow_ipc.recover(broken, io.BytesIO(), container="stream", schema={"a": "int64"}))
    assert (error.kind, error.hint) == ("SchemaOfNoBatch", None)


def test_a_schema_of_zeros():
    path = DAMAGED / "zeros-over-schema.arrows"
    assert refused(lambda: arrow_ipc.recover(path, io.BytesIO(), container="stream")).hint.startswith("schema= of recover takes")


def test_a_schema_with_which_all_values_are_invalid():
    content = stream({"a": pa.array([b"\xff\xfe", b"\xfd"], pa.binary())})
    broken = with_schema_of(content, stream({"a": ["text"]}))
    found = arrow_ipc.recover(broken, target := io.BytesIO(), container="stream")
    assert (found.n_batches, arrow_ipc.count(target.getvalue())) == (0, 0)
    # The batch has the buffers that the schema needs, so its values may be damaged instead.
    assert found.hint is None and "hint" not in str(found)
    found = arrow_ipc.recover(broken, io.BytesIO(), container="stream", schema={"a": "binary"})
    assert (found.n_rows, len(found.lost), found.hint) == (2, 1, None) and "a schema is lost" in found.lost[0]


def test_doubtful_dictionaries():
    content = bytearray((DAMAGED / "one-wrong-value.arrows").read_bytes())
    # The metadata of the second batch.
    content[704:760] = b"\x11" * 56
    found = arrow_ipc.recover(bytes(content), io.BytesIO(), container="stream")
    assert found.n_rows == 2 and found.hint.startswith("keep_dictionaries=True also copies")
    found = arrow_ipc.recover(bytes(content), io.BytesIO(), container="stream", keep_dictionaries=True)
    assert (found.n_rows, found.hint) == (6, None)


def test_where_the_damage_is():
    content = stream({"a": ["x"] * 100}, {"a": ["y"] * 100})
    first, second = (arrow_ipc.inspect(content)["messages"][idx]["position"] for idx in (1, 2))
    cases = [
        # Nothing is saved, because the schema comes first.
        (content[:20], "truncated", "was the writer finished, and the copy complete?"),
        (content[: second + 100], "truncated", "was the writer finished, and the copy complete? recover saves the complete batches"),
        (content[:second] + content[:first] + content[second:], "malformed", "inspect shows the messages, recover saves the batches that can be read"),
        (content.replace(b"y" * 100, b"\xff" * 100), "malformed", "recover saves the batches that can be read"),
        (b"", "truncated", "was the writer finished, and the copy complete?"),
        (b"\xff\xff\xff\xff\0\0\0\0", "malformed", "if the start was overwritten, recover saves the complete batches after it"),
    ]
    for data, category, hint in cases:
        error = refused(lambda data=data: list(arrow_ipc.read_stream(data)))
        assert (error.category, error.hint) == (category, hint), error
    assert refused(lambda: arrow_ipc.read_stream(b"")).kind == "Empty"
    assert refused(lambda: arrow_ipc.read_stream(b"\xff\xff\xff\xff\0\0\0\0")).kind == "NoSchema"


def test_orders_that_contradict_each_other(tmp_path):
    arrays = [pa.DictionaryArray.from_arrays(pa.array([0], pa.int8()), pa.array(values), ordered=True) for values in [["a", "b"], ["b", "a"]]]
    opposite = [pa.record_batch({"w": array}) for array in arrays]
    unknown = [pa.record_batch({"w": pa.DictionaryArray.from_arrays(pa.array([0], pa.int8()), pa.array([word]), ordered=True)}) for word in "ab"]
    for batches, kind in [(opposite, "OppositeOrders"), (unknown, "UnknownOrder")]:
        error = refused(lambda batches=batches: arrow_ipc.write_file(tmp_path / "a.arrow", batches, dictionaries="unify"))
        assert (error.kind, error.category) == (kind, "misuse")
        assert error.hint.startswith("a stream can replace dictionaries: write_stream")
        target = io.BytesIO()
        arrow_ipc.write_stream(target, batches)
        error = refused(lambda target=target: arrow_ipc.convert(target.getvalue(), tmp_path / "a.arrow", dictionaries="unify"))
        assert error.kind == kind and 'container="stream"' in error.hint
        arrow_ipc.convert(target.getvalue(), tmp_path / "a.arrows", container="stream", dictionaries="replace")
    assert os.listdir(tmp_path) == ["a.arrows"]


def test_folders_that_are_not_new(tmp_path):
    arrow_ipc.write_file(tmp_path / "a.arrow", {"k": [1]})
    error = refused(lambda: arrow_ipc.DatasetWriter(tmp_path, {"k": "int64"}))
    assert (error.kind, error.category) == ("NotEmpty", "misuse") and "which may be inside another data set" in str(error)
