"""Nested fields by their paths, in batches and files; and where a value is that Python cannot hold."""

import asyncio
import io

import arrow_ipc
import pyarrow as pa
import pytest

TABLE = pa.table(
    {
        "address": pa.array([{"city": "a", "at": {"x": 1}}, None, {"city": "c", "at": None}]),
        "stops": pa.array([[{"n": 1}], [], [{"n": 2}, {"n": 3}]]),
        "a.b": [1, 2, 3],
        "a": pa.array([{"b": 10}] * 3),
    }
)


def opened(table=TABLE):
    target = io.BytesIO()
    arrow_ipc.write_file(target, table.to_batches(max_chunksize=2))
    return arrow_ipc.open(target.getvalue())


def both():
    file = opened()
    return [file, arrow_ipc.concat(file)]


@pytest.mark.parametrize("thing", both(), ids=["file", "batch"])
def test_paths(thing):
    assert thing["address.city"].to_pylist() == ["a", None, "c"]
    assert thing["address.at.x"].to_pylist() == thing.column("address.at.x").to_pylist() == [1, None, None]
    assert thing["address.city"].field.name == "city" and thing["address.city"].type == "utf8"
    # Through a list, it is the same list of them.
    assert thing[f"stops.{TABLE.schema.field('stops').type.value_field.name}.n"].to_pylist() == [[1], [], [2, 3]]
    # A column of this name is meant first; a quoted step is a name alone.
    assert thing["a.b"].to_pylist() == [1, 2, 3]
    assert thing['"a"."b"'].to_pylist() == thing['a."b"'].to_pylist() == [10, 10, 10]
    for wrong in ["address.zip", "addres.city", "address.city.more", "address.", ".", "a..b"]:
        with pytest.raises(KeyError):
            thing[wrong]


def test_paths_of_selected_columns():
    file = opened().select(["address.city", "stops"])
    assert file["address.city"].to_pylist() == ["a", None, "c"]
    with pytest.raises(KeyError, match="x|at"):
        file["address.at.x"]


def test_names_that_several_columns_have():
    twice = arrow_ipc.concat(pa.record_batch([pa.array([{"n": 1}]), pa.array([{"n": 2}])], names=["a", "a"]))
    for name in ["a", "a.n"]:
        with pytest.raises(KeyError, match='2 fields are named "a"') as raised:
            twice[name]
        assert raised.value.hint == "`column(0)` and `select([0, 1])` take positions"
    assert twice.column(1).to_pylist() == [{"n": 2}]


NANOSECONDS = pa.array([1_500, 1], pa.timestamp("ns"))


@pytest.mark.parametrize(
    ("column", "path"),
    [
        (NANOSECONDS, "c"),
        (pa.StructArray.from_arrays([pa.StructArray.from_arrays([NANOSECONDS], ["in"])], ["of"]), "c.of.in"),
        (pa.ListArray.from_arrays([0, 1, 2], NANOSECONDS), "c.item"),
        (pa.MapArray.from_arrays([0, 1, 2], ["k", "k"], NANOSECONDS), "c.entries.value"),
        (NANOSECONDS.dictionary_encode(), "c"),
        (pa.UnionArray.from_dense(pa.array([0, 0], pa.int8()), pa.array([0, 1], pa.int32()), [NANOSECONDS], ["u"]), "c.u"),
    ],
    ids=["plain", "struct", "list", "map", "dictionary", "union"],
)
def test_where_a_value_is_that_python_cannot_hold(column, path):
    batch = arrow_ipc.concat(pa.record_batch({"b": [1, 2], "c": column}))
    for call in (batch.to_pydict, batch.to_pylist, batch["c"].to_pylist, lambda: list(batch["c"]), lambda: batch["c"][1]):
        with pytest.raises(arrow_ipc.ArrowIpcError, match=f"field `{path}`, slot ") as raised:
            call()
        assert (raised.value.kind, raised.value.location.field) == ("NotInPython", path)


def test_async_with():
    async def use():
        async with opened() as file:
            rows = [batch.num_rows async for batch in file]
        target = io.BytesIO()
        arrow_ipc.write_stream(target, TABLE)
        async with arrow_ipc.read_stream(target.getvalue()) as stream:
            n_batches = len([batch async for batch in stream])
        return rows, file.closed, n_batches, stream

    rows, closed, n_batches, stream = asyncio.run(use())
    assert (rows, closed, n_batches) == ([2, 1], True, 1)
    with pytest.raises(arrow_ipc.ArrowIpcError, match="closed"):
        next(stream)
