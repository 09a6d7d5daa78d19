"""Slices with odd offsets, in both directions, of every type that pyarrow has; and random ones, from seeds."""

import copy
import io
import random

import arrow_ipc
import pyarrow as pa
import pytest
from corpus import cases
from peers import columns_by_type

from arrow_json import batch_rows

UNKNOWN_TO_PYARROW = ("interval(year_month)", "interval(day_time)")
COLUMNS = {name: place for name, place in columns_by_type().items() if name not in UNKNOWN_TO_PYARROW}


def rows(table):
    return [row for batch in table.to_batches() for row in batch_rows(batch)]


def test_slices_of_theirs():
    for name, (path, position) in COLUMNS.items():
        ours = arrow_ipc.concat(arrow_ipc.open(path).select([position]))
        theirs = pa.ipc.open_file(path).read_all().select([position]).combine_chunks().to_batches()[0]
        for start, n_rows in [(0, 11), (1, 7), (3, 8), (5, 1), (9, 2), (11, 0)]:
            taken = arrow_ipc.RecordBatch.from_arrow(theirs.slice(start, n_rows))
            taken.validate(strict=True)
            assert taken.same_rows(ours.slice(start, n_rows)), (name, start, n_rows)


def test_slices_of_ours():
    for name, (path, position) in COLUMNS.items():
        ours = arrow_ipc.concat(arrow_ipc.open(path).select([position]))
        expected = rows(pa.table(ours))
        for start, n_rows in [(1, 7), (3, 8), (5, 1), (9, 2), (11, 0)]:
            given = pa.record_batch(ours.slice(start, n_rows))
            given.validate(full=True)
            assert batch_rows(given) == expected[start : start + n_rows], (name, start, n_rows)
            # What they got is what they give back.
            assert arrow_ipc.RecordBatch.from_arrow(given).same_rows(ours.slice(start, n_rows)), name


@pytest.mark.parametrize("seed", range(5))
def test_random(seed):
    """Theirs, cut and joined at random, to ours and back: the same rows as text, and valid."""
    random_ = random.Random(seed)
    for case in cases("pyarrow-26.0.1", "random-") + cases("pyarrow-26.0.1", "sliced"):
        table = pa.ipc.open_stream(case.path("stream")).read_all()
        start = random_.randrange(table.num_rows + 1)
        cut = table.slice(start, random_.randrange(table.num_rows - start + 1))
        batches = cut.to_batches(max_chunksize=random_.randrange(1, 8))
        order = random_.choices(range(len(batches)), k=random_.randrange(1, 6)) if batches else []
        shuffled = pa.Table.from_batches([batches[k] for k in order], schema=table.schema)
        expected = rows(shuffled)
        # Batch by batch, and as one.
        back = pa.table(arrow_ipc.Stream.from_arrow(shuffled))
        back.validate(full=True)
        assert back.schema.equals(table.schema, check_metadata=True), case
        assert rows(back) == expected, case
        if batches:
            joined = pa.table(arrow_ipc.concat(shuffled))
            joined.validate(full=True)
            assert rows(joined) == expected, case


def test_rows_of_many_batches():
    """Slices find the batches of their rows, of which some are empty."""
    chance = random.Random(7)
    batches, first = [], 0
    for n_rows in (chance.choice([0, 0, 1, 2, 5]) for _ in range(200)):
        batches.append(pa.record_batch({"row": pa.array(range(first, first + n_rows), pa.int64()), "text": ["x"] * n_rows}))
        first += n_rows
    for write in (arrow_ipc.write_file, arrow_ipc.write_stream):
        sink = io.BytesIO()
        write(sink, batches)
        whole = arrow_ipc.open(sink.getvalue())
        rows = range(whole.num_rows)
        assert len(rows) == first
        for file in (whole, whole.select(["row"]), copy.copy(whole)):
            for _ in range(50):
                start, stop = chance.randrange(-first - 5, first + 5), chance.randrange(-first - 5, first + 5)
                assert file[start:stop]["row"].to_pylist() == list(rows[start:stop])
            assert file.rows(-3, 2**64)["row"].to_pylist() == list(rows[-3:])
            taken = file.sample(20, seed=chance.random())["row"].to_pylist()
            assert len(set(taken)) == 20 and taken == sorted(taken)


def test_numbers_of_any_size(people):
    """Numbers beyond 64 bits are past the end, as in slices of lists."""
    file = arrow_ipc.open(people)
    n_rows, n_batches = file.num_rows, file.num_batches
    for i in (n_batches, -n_batches - 1, 2**64, -(2**64)):
        for call in (file.batch, file.num_rows_of):
            with pytest.raises(IndexError, match=r"batch -?[0-9]+ is out of bounds; the file has"):
                call(i)
    with pytest.raises(IndexError, match=f"batch {-n_batches - 1} is out of bounds"):
        file.num_rows_of(-n_batches - 1)
    for rows in (file, file.batch(0)):
        for n, expected in ((2**64, len), (-(2**64), lambda _: 0)):
            assert rows.head(n).num_rows == expected(range(rows.num_rows))
            assert rows.tail(n).num_rows == expected(range(rows.num_rows))
        assert rows.rows(0, 2**70).num_rows == rows.num_rows
    with pytest.raises(TypeError):
        file.head("x")
    assert n_rows == file.num_rows


def test_many_columns_by_name():
    """Names are found whatever their order, and a name that is repeated is an error."""
    names = [f"k{k}" for k in range(300)]
    batch = arrow_ipc.RecordBatch({name: [k] for k, name in enumerate(names)}, dict.fromkeys(names, "int16"))
    shuffled = random.Random(3).sample(names, 200)
    assert batch.select(shuffled).column_names == shuffled
    assert batch.select([*shuffled, 7]).column_names == [*shuffled, "k7"]
    assert batch.drop(shuffled).column_names == [name for name in names if name not in set(shuffled)]
    with pytest.raises(KeyError, match="k301"):
        batch.select(["k0", "k301"])
    twice = arrow_ipc.RecordBatch(pa.record_batch([pa.array([1]), pa.array([2]), pa.array([3])], names=["a", "b", "a"]))
    assert twice.select(["b", 2]).column_names == ["b", "a"]
    with pytest.raises(KeyError):
        twice.select(["b", "a"])
    with pytest.raises(KeyError, match="c"):
        arrow_ipc.RecordBatch({"a": [1], "c": [2]}, {"a": "int8", "b": "int8"})


def test_rows_that_cannot_be_counted():
    """Rows of null columns take no bytes, so a few bytes may claim any number of them."""
    sink = io.BytesIO()
    arrow_ipc.write_file(sink, [pa.record_batch({"n": pa.nulls(0x0123456789)}) for _ in range(3)])
    claimed = sink.getvalue().replace((0x0123456789).to_bytes(8, "little"), (2**63 - 1).to_bytes(8, "little"))
    file = arrow_ipc.open(claimed)
    assert file.num_rows_of(2) == 2**63 - 1
    for call in (lambda: file.num_rows, lambda: file[-1:], lambda: file.sample(1), lambda: file.shape):
        with pytest.raises(arrow_ipc.ArrowIpcError, match="rows"):
            call()
