"""The gold files of released versions of Arrow, from `ARROW_TEST_DATA`: pyarrow gets by our capsules what it reads itself."""

import os
from pathlib import Path

import arrow_ipc
import pyarrow as pa
import pytest


@pytest.mark.skipif("ARROW_TEST_DATA" not in os.environ, reason="ARROW_TEST_DATA is not set")
def test_gold_files():
    folder = Path(os.environ["ARROW_TEST_DATA"]) / "arrow-ipc-stream" / "integration"
    n_compared = 0
    for path in sorted(folder.glob("*/*")):
        if path.suffix not in (".stream", ".arrow_file"):
            continue
        is_stream = path.suffix == ".stream"
        ours = arrow_ipc.read_stream(path) if is_stream else arrow_ipc.open(path)
        theirs = (pa.ipc.open_stream if is_stream else pa.ipc.open_file)(path).read_all()
        found = pa.table(ours)
        found.validate()
        assert found.schema.equals(theirs.schema, check_metadata=True), path
        # By the eyes of both: theirs compares numbers, ours bits.
        assert found.equals(theirs), path
        assert arrow_ipc.concat(found).same_rows(arrow_ipc.concat(theirs)), path
        n_compared += 1
    assert n_compared > 100
