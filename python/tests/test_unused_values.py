"""`unused="remove"` leaves out the values of dictionaries that no row uses, also where all batches get one dictionary."""

import io

import arrow_ipc
import pyarrow as pa
import pytest

# More than any batch uses, and used ones at both ends.
VALUES = pa.array([f"value {k:03}" for k in range(1_000)])


def batches(*rows, ordered):
    """Batches that share one dictionary; each has these indices."""
    arrays = (pa.DictionaryArray.from_arrays(pa.array(indices, pa.int16()), VALUES, ordered=ordered) for indices in rows)
    return [pa.record_batch({"c": array}) for array in arrays]


def dictionaries(content):
    """The values of the dictionary, after a check that there is one message of it."""
    messages = [message for message in arrow_ipc.inspect(content)["messages"] if message["kind"] == "dictionary batch"]
    assert len(messages) == 1
    return arrow_ipc.open(content).batch(0)["c"].dictionary.to_pylist()


# Which rows each batch has, and the values that remain of an ordered dictionary, in its order.
ROWS = {
    "one batch": ([[7, None, 7]], [7]),
    "two batches": ([[999], [3]], [3, 999]),
    "the same values": ([[5, 6], [6, 5]], [5, 6]),
    "a batch of nulls": ([[4], [None], [2]], [2, 4]),
}


@pytest.mark.parametrize("ordered", [False, True])
@pytest.mark.parametrize("rows", ROWS)
def test_values_that_remain(rows, ordered):
    indices, remaining = ROWS[rows]
    data = batches(*indices, ordered=ordered)
    expected = [None if k is None else VALUES[k].as_py() for k in sum(indices, [])]
    writes = {
        "unify": lambda dest, data: arrow_ipc.write_file(dest, data, dictionaries="unify", unused="remove"),
        "by default": lambda dest, data: arrow_ipc.write_file(dest, data, unused="remove"),
        "of a file": lambda dest, data: arrow_ipc.write_file(dest, arrow_ipc.open(file(data)), unused="remove"),
        "convert": lambda dest, data: arrow_ipc.convert(file(data), dest, container="file", dictionaries="unify", unused="remove"),
    }
    for name, write in writes.items():
        target = io.BytesIO()
        write(target, data)
        found = dictionaries(target.getvalue())
        assert sorted(found) == [VALUES[k].as_py() for k in remaining], name
        # Ordered values keep their order.
        assert not ordered or found == sorted(found), name
        for read in [arrow_ipc.open(target.getvalue()).to_pydict(), pa.ipc.open_file(target.getvalue()).read_all().to_pydict()]:
            assert read == {"c": expected}, name


def file(data):
    target = io.BytesIO()
    arrow_ipc.write_file(target, data)
    return target.getvalue()


def test_ordered_categories_that_differ_in_part():
    """Each batch has some of the sizes, in the order of all."""
    sizes = ["S", "M", "L", "XL"]
    parts = [["S", "L"], ["L", "XL"], ["S", "M", "L"]]
    arrays = [pa.DictionaryArray.from_arrays(pa.array(range(len(part)), pa.int8()), pa.array(part), ordered=True) for part in parts]
    target = io.BytesIO()
    arrow_ipc.write_file(target, [pa.record_batch({"c": array}) for array in arrays])
    assert dictionaries(target.getvalue()) == sizes
    assert arrow_ipc.open(target.getvalue()).to_pydict()["c"] == sum(parts, [])


def test_streams():
    """Of a shared dictionary, a stream writes the values of all batches once."""
    target = io.BytesIO()
    arrow_ipc.write_stream(target, batches([999], [3], ordered=False), dictionaries="unify", unused="remove")
    messages = [message for message in arrow_ipc.inspect(target.getvalue())["messages"] if message["kind"] == "dictionary batch"]
    assert [message["n_rows"] for message in messages] == [2]
