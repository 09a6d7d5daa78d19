"""Damaged files, by seeds: an error, or data that pyarrow finds valid; never anything else."""

import random

import arrow_ipc
import pyarrow as pa
import pytest
from corpus import cases
from how_often import times

N_FILES = 400


def damaged(content, random_):
    """A few bytes changed, or the end cut off."""
    bytes_ = bytearray(content)
    if random_.random() < 0.1:
        return bytes(bytes_[: random_.randrange(len(bytes_))])
    for _ in range(random_.choice([1, 1, 2, 8])):
        bytes_[random_.randrange(len(bytes_))] = random_.choice([0, 1, 0x7F, 0x80, 0xFF, random_.randrange(256)])
    return bytes(bytes_)


@pytest.mark.parametrize("seed", range(times(2, 50)))
def test_damaged(seed):
    random_ = random.Random(seed)
    whole = [
        (kind, case.path(kind).read_bytes())
        for case in cases("pyarrow-26.0.1", "-nulls") + cases("arrow-rs-60.1.0", "sliced")
        for kind in case.formats
    ]
    n_refused = n_given = 0
    for _ in range(N_FILES):
        kind, content = random_.choice(whole)
        content = damaged(content, random_)
        read = arrow_ipc.read_stream if kind == "stream" else arrow_ipc.open
        try:
            batches = list(read(content, validation="strict"))
        except arrow_ipc.ArrowIpcError as error:
            assert error.category in ("truncated", "malformed", "limit_exceeded", "unsupported"), error
            n_refused += 1
            continue
        for batch in batches:
            try:
                given = pa.record_batch(batch)
            except (pa.ArrowInvalid, pa.ArrowNotImplementedError, KeyError, ValueError):
                # Metadata that it cannot take, such as names of extension types.
                continue
            given.validate(full=True)
            n_given += 1
        assert arrow_ipc.inspect(content, buffers=True)["container"] == kind
    assert n_refused > 5 and n_given > 5
