"""Slices with odd offsets, in both directions, of every type that pyarrow has; and random ones, from seeds."""

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
