"""Other readers of a folder, at every moment of a write: they have all rows of a commit or none, also if writers are killed."""

import collections
import os
import random
import subprocess
import sys
import time

import arrow_ipc
import pyarrow as pa
import pyarrow.dataset as ds
import pytest

duckdb, polars = pytest.importorskip("duckdb"), pytest.importorskip("polars")

N_PARTS, N_ROWS = 3, 8
SCHEMA = pa.schema([("id", pa.int64())])
# The folder that a commit adds to the data set.
LAYOUTS = ["more-{}", "day={}"]

# Adds folders until it is killed.
WRITER = """
import itertools, sys
import arrow_ipc, pyarrow as pa
sys.path.insert(0, sys.argv[4])
from test_other_readers import append
for k in itertools.count(int(sys.argv[3])):
    append(sys.argv[1], sys.argv[2], k)
    print(k, flush=True)
"""

# Replaces a file until it is killed.
REPLACER = """
import itertools, sys
import arrow_ipc
for k in itertools.count(1):
    arrow_ipc.write_file(sys.argv[1], arrow_ipc.RecordBatch({"id": [k] * 50_000}))
    print(k, flush=True)
"""


def append(root, layout, k):
    writer = arrow_ipc.DatasetWriter(f"{root}/{layout.format(k)}", SCHEMA)
    ids = range(k * N_PARTS * N_ROWS, (k + 1) * N_PARTS * N_ROWS)
    writer.commit([writer.write(pa.table({"id": ids[part * N_ROWS : (part + 1) * N_ROWS]})) for part in range(N_PARTS)])


def by_duckdb(root):
    rows = ds.dataset(root, format="ipc")
    with duckdb.connect() as connection:
        connection.register("t", rows)
        return [i for (i,) in connection.sql("select id from t").fetchall()]


READERS = {
    "ours": lambda root: pa.table(arrow_ipc.dataset(root))["id"].to_pylist(),
    "pyarrow": lambda root: ds.dataset(root, format="ipc").to_table(columns=["id"])["id"].to_pylist(),
    "duckdb": by_duckdb,
    "polars": lambda root: polars.scan_ipc(root).select("id").collect()["id"].to_list(),
    "polars, by a pattern": lambda root: polars.scan_ipc(f"{root}/**/*.arrow").select("id").collect()["id"].to_list(),
}


def commits_of(ids):
    """The commits whose rows are there. All rows of each are there once."""
    assert len(set(ids)) == len(ids)
    found = collections.Counter(i // (N_PARTS * N_ROWS) for i in ids)
    assert set(found.values()) == {N_PARTS * N_ROWS}, found
    return set(found)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_commits(layout, tmp_path):
    root = tmp_path / "data"
    if layout == "more-{}":
        first = arrow_ipc.DatasetWriter(root, SCHEMA)
        first.commit([first.write(pa.table({"id": range(N_PARTS * N_ROWS)}))])
    else:
        append(root, layout, 0)
    chance, seen = random.Random(7), {name: {0} for name in READERS}
    for run in range(4):
        args = [str(root), layout, str(1 + run * 100_000), os.path.dirname(__file__)]
        with subprocess.Popen([sys.executable, "-c", WRITER, *args], stdout=subprocess.PIPE, text=True) as writing:
            try:
                writing.stdout.readline()
                end = time.monotonic() + chance.uniform(0.05, 0.4)
                while time.monotonic() < end:
                    for name, read in READERS.items():
                        found = commits_of(read(root))
                        assert seen[name] <= found, name
                        seen[name] = found
            finally:
                writing.kill()
            rest = [int(line) for line in writing.stdout.read().split()]
        # A process that was killed leaves nothing in the data set.
        for name, read in READERS.items():
            found = commits_of(read(root))
            assert seen[name] <= found and set(rest) <= found, name
    assert [path for path in root.rglob("*") if path.name.startswith((".", "_"))] == []


@pytest.mark.parametrize("name", READERS)
def test_a_file_is_replaced(name, tmp_path):
    """Its rows are those before or those after. polars refuses a folder that has the file that is not complete yet, and our reader a file
    that was replaced after it was opened."""
    root, seen = tmp_path / "data", 0
    root.mkdir()
    path = root / "a.arrow"
    arrow_ipc.write_file(path, {"id": [0] * 50_000})
    with subprocess.Popen([sys.executable, "-c", REPLACER, str(path)], stdout=subprocess.PIPE, text=True) as replacing:
        try:
            replacing.stdout.readline()
            for _ in range(20):
                try:
                    ids = READERS[name](root)
                except (OSError, polars.exceptions.PolarsError) as error:
                    expected = {"polars": "different file extensions", "ours": "has changed since"}
                    assert name in expected and expected[name] in str(error)
                    continue
                assert len(ids) == 50_000 and len(set(ids)) == 1 and ids[0] >= seen
                seen = ids[0]
        finally:
            replacing.kill()
