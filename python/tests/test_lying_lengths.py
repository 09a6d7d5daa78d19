"""Sequences whose `__len__` is not the number of their items: no panic, and no memory for what is only promised."""

import sys
import traceback

import arrow_ipc
import pytest
from arrow_ipc import _arrow_ipc

HUGE = [sys.maxsize, 2**40]


def lying(items, length):
    """A sequence of these items with another length."""

    class Lying:
        def __len__(self):
            return length

        def __length_hint__(self):
            return length

        def __getitem__(self, k):
            return items[k]

        def __iter__(self):
            return iter(items)

    from collections.abc import Sequence

    Sequence.register(Lying)
    return Lying()


@pytest.fixture
def task(tmp_path):
    arrow_ipc.write_file(tmp_path / "a.arrow", {"a": [1, 2]})
    return arrow_ipc.dataset(tmp_path / "a.arrow").split()[0]


@pytest.mark.parametrize("length", [*HUGE, 0])
def test_tasks(task, length):
    """A pickle can name any class."""
    make, (files, columns, predicate, schema, cost) = task.__reduce__()
    assert cost is None
    path, version, batches, values = files[0]
    for parts in [
        (lying(files, length), columns, predicate, schema),
        ([(path, version, batches, lying(values, length))], columns, predicate, schema),
        (files, lying(["a"], length), predicate, schema),
    ]:
        assert [batch.to_pydict() for batch in make(*parts)] == [{"a": [1, 2]}]
    for wrong in [lying([1], length), 1, None]:
        with pytest.raises(TypeError):
            make(wrong, columns, predicate, schema)


@pytest.mark.parametrize("length", [*HUGE, 0])
def test_what_makes_values(length):
    array = arrow_ipc.Array([1])
    assert _arrow_ipc._structs_of([{"x": 1}], lying([("x", array)], length)).to_pylist() == [{"x": 1}]
    assert _arrow_ipc._columns_of([{"b": 1}], lying(["a"], length)) == {"a": [None], "b": [1]}
    assert _arrow_ipc._batch_of(lying([("x", array)], length)).to_pydict() == {"x": [1]}


@pytest.mark.parametrize("length", HUGE)
def test_public_calls(tmp_path, length):
    path = tmp_path / "a.arrow"
    arrow_ipc.write_file(path, {"a": [1], "b": [2]})
    names = lying(["a"], length)
    assert arrow_ipc.open(path, columns=names).schema.names == ["a"]
    assert arrow_ipc.dataset(path).select(names).schema.names == ["a"]
    assert arrow_ipc.dataset(lying([path], length)).count() == 1
    assert arrow_ipc.open(path).batch(0).select(names).to_pydict() == {"a": [1]}
    for call in [
        lambda: arrow_ipc.concat_files(lying([path], length), tmp_path / "b.arrow"),
        lambda: arrow_ipc.convert(path, tmp_path / "b.arrow", columns=names),
        lambda: arrow_ipc.append(path, lying([path], length)),
        lambda: list(arrow_ipc.read_csv(lying([b"a\n1\n"], length))),
        lambda: list(arrow_ipc.read_csv(b"a\n1\n", null=lying(["x"], length))),
        lambda: arrow_ipc.Array(lying([1], length)),
        lambda: arrow_ipc.RecordBatch({"a": lying([1], length)}),
        lambda: arrow_ipc.Schema(lying([("a", "int8")], length)),
        lambda: arrow_ipc.write_file(tmp_path / "c.arrow", lying([arrow_ipc.RecordBatch({"a": [1]})], length)),
    ]:
        try:
            call()
        except Exception as error:
            # A panic is no `Exception`. `list` of Python refuses memory for the length.
            assert not isinstance(error, MemoryError) or "list(values)" in traceback.format_exc()
