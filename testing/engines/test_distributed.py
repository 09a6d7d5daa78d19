"""Dask with workers that are killed, files that change, and writes that fail."""

import os
import pickle
import signal
import subprocess
import sys
import time

import arrow_ipc
import arrow_ipc.dask
import dask
import dask.dataframe
import pandas as pd
import pyarrow as pa
import pytest
from conftest import N_ROWS, loopback_only
from dask.distributed import Client, LocalCluster
from killing import OLD, POINTS, Killing, check_killed, ids_of, names_of, with_ten_rows


@pytest.fixture(scope="module")
def client(tmp_path_factory):
    folder = tmp_path_factory.mktemp("dask")
    with (
        LocalCluster(n_workers=2, threads_per_worker=1, host="127.0.0.1", dashboard_address=None, local_directory=str(folder)) as cluster,
        Client(cluster) as client,
    ):
        yield client
        assert loopback_only() == []


def test_all_rows(data, expected, client):
    frame = arrow_ipc.dask.read(data, target_bytes=1)
    assert frame.npartitions == 48
    found = frame.compute()
    assert pa.Table.from_pandas(found, schema=expected.schema, preserve_index=False).equals(expected)
    assert frame.dtypes["price"] == pd.ArrowDtype(pa.decimal128(12, 2))


def test_columns_go_down(data, client):
    frame = arrow_ipc.dask.read(data, target_bytes=1)[["key"]]
    [read] = [each for each in frame.optimize(fuse=False).expr.walk() if type(each).__name__.startswith("FromMap")]
    assert list(read.columns) == ["key"]
    assert frame.sum().compute()["key"] == sum(range(10)) * N_ROWS // 10


def test_conditions_of_the_set(data, client):
    assert len(arrow_ipc.dask.read(data, where="id < 5", trust_statistics=True).compute()) == 5
    assert arrow_ipc.dask.read(data, where="day > '2030-01-01'").compute().shape == (0, 9)


def test_a_killed_worker(data, tmp_path, client):
    """The rows are all there once, and one part for each task."""
    marker = tmp_path / "killed"

    def slow(frame):
        if len(frame) and frame["id"].iloc[0] == 24_000:
            try:
                marker.touch(exist_ok=False)
            except FileExistsError:
                return frame
            os.kill(os.getpid(), signal.SIGKILL)
        return frame

    frame = arrow_ipc.dask.read(data, columns=["id", "name"], target_bytes=1)
    arrow_ipc.dask.write(frame.map_partitions(slow, meta=frame._meta), tmp_path / "out")
    assert marker.exists()
    written = arrow_ipc.dataset(tmp_path / "out")
    assert len(written.files) == 48
    assert [i for batch in written for i in batch["id"].to_pylist()] == list(range(N_ROWS))
    arrow_ipc.dask.write(frame.partitions[:1], tmp_path / "out/more")
    assert arrow_ipc.dataset(tmp_path / "out").count() == N_ROWS + 2000


@pytest.mark.parametrize("point", POINTS[:2])
def test_a_worker_killed_while_it_writes(point, tmp_path, client, monkeypatch):
    """Another worker writes the part again, and there is nothing else."""
    root = with_ten_rows(tmp_path / "out")
    monkeypatch.setattr(arrow_ipc.dask, "DatasetWriter", lambda *args, **options: Killing(arrow_ipc.DatasetWriter(*args, **options), point, root))
    frame = dask.dataframe.from_pandas(pd.DataFrame({"id": range(4000)}), npartitions=4)
    arrow_ipc.dask.write(frame, root / "new")
    check_killed(root)
    assert ids_of(root) == [*OLD, *range(4000)]
    assert names_of(root) == ["new", "old.arrow"] and len(names_of(root / "new")) == 4


def test_a_write_that_fails(data, tmp_path, client):
    def fail(frame):
        raise ValueError("no")

    frame = arrow_ipc.dask.read(data, columns=["id"], target_bytes=1 << 20)
    with pytest.raises(ValueError, match="no"):
        arrow_ipc.dask.write(frame.map_partitions(fail, meta=frame._meta), tmp_path / "out")
    with pytest.raises(FileNotFoundError):
        arrow_ipc.dataset(tmp_path / "out")
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []


def files_below(folder):
    return [path for path in folder.rglob("*") if path.is_file()]


def test_a_write_that_fails_while_others_write(data, tmp_path, client):
    """What they write is removed, too."""

    def some(frame):
        if len(frame) and frame["id"].iloc[0] == 0:
            raise ValueError("no")
        time.sleep(0.3)
        return frame

    frame = arrow_ipc.dask.read(data, columns=["id"], target_bytes=1).partitions[:12]
    with pytest.raises(ValueError, match="no"):
        arrow_ipc.dask.write(frame.map_partitions(some, meta=frame._meta), tmp_path / "out")
    time.sleep(1)
    # Those that write may take long on a busy machine.
    end = time.monotonic() + 120
    while files_below(tmp_path) and time.monotonic() < end:
        time.sleep(0.1)
    assert files_below(tmp_path) == []


@pytest.mark.parametrize("scheduler", ["workers", "threads"])
def test_a_commit_that_fails(scheduler, tmp_path, client):
    """Somebody else commits meanwhile."""

    def interfere(frame):
        writer = arrow_ipc.DatasetWriter(tmp_path / "out", pa.schema([("id", pa.int64())]))
        writer.commit([writer.write(pa.table({"id": [7]}))])
        return frame

    frame = dask.dataframe.from_pandas(pd.DataFrame({"id": [1, 2, 3]}), npartitions=1)
    with dask.config.set({} if scheduler == "workers" else {"scheduler": "threads"}):
        with pytest.raises(OSError, match="the folder is not empty"):
            arrow_ipc.dask.write(frame.map_partitions(interfere, meta=frame._meta), tmp_path / "out")
    assert pa.table(arrow_ipc.dataset(tmp_path / "out")).to_pydict() == {"id": [7]}
    assert len([path for path in files_below(tmp_path) if path.name.startswith("part-")]) == 1


ALONE = """
import arrow_ipc.dask, dask.dataframe, distributed, pandas as pd
def fail(frame):
    raise ValueError("no")
frame = dask.dataframe.from_pandas(pd.DataFrame({"id": [1, 2, 3]}), npartitions=3)
try:
    arrow_ipc.dask.write(frame.map_partitions(fail, meta=frame._meta), "out")
except ValueError as error:
    print(error)
"""


def test_a_write_that_fails_without_workers(tmp_path):
    """Though `distributed` has been imported."""
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", ALONE], cwd=tmp_path, capture_output=True, text=True, timeout=120)
    assert (done.returncode, done.stdout, files_below(tmp_path)) == (0, "no\n", []), done.stderr


def test_columns_that_the_schema_has_not(tmp_path):
    frame = dask.dataframe.from_pandas(pd.DataFrame({"id": [1], "x": [2]}), npartitions=1)
    for name, text in (("id", "the schema has no column 'x'"), ("y", "the rows have no column 'y'")):
        with pytest.raises(ValueError, match=text):
            arrow_ipc.dask.write(frame, tmp_path / "out", schema=pa.schema([(name, pa.int64())]))
    assert not (tmp_path / "out").exists()


def test_files_that_change(changed, client):
    data, change = changed
    frame = arrow_ipc.dask.read(data, target_bytes=1)
    change()
    with pytest.raises(OSError, match=r"1\.arrow.*has changed since"):
        frame.compute()


def test_tasks_are_small(data):
    tasks = arrow_ipc.dataset(data, columns=["id"], where="id > 7").split(1)
    assert max(len(pickle.dumps(task)) for task in tasks) <= 300
