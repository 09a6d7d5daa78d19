"""A data set that every engine reads, and what is in it."""

import datetime
import decimal
import os
import pathlib

import arrow_ipc
import pyarrow as pa
import pytest

# The extension has an environment of its own.
collect_ignore = ["duckdb"]
ROWS_OF_BATCH = 2000
N_ROWS = 12 * 4 * ROWS_OF_BATCH


def rows_of(k):
    """The rows of a file."""
    ids = range(4 * ROWS_OF_BATCH * k, 4 * ROWS_OF_BATCH * (k + 1))
    return pa.table(
        {
            "id": ids,
            "key": pa.array([i % 10 for i in ids], pa.int32()),
            "value": [i / 4 for i in ids],
            "name": [None if i % 7 == 0 else f"näme {i % 50}" for i in ids],
            "kind": pa.array(["red", "green", None] * len(ids)).slice(0, len(ids)).dictionary_encode(),
            "price": pa.array([decimal.Decimal(i) / 4 for i in ids], pa.decimal128(12, 2)),
            "moment": pa.array([datetime.datetime(2024, 1, 1) + datetime.timedelta(seconds=i) for i in ids], pa.timestamp("us")),
            "tags": [[i, None] if i % 3 else [] for i in ids],
        }
    )


@pytest.fixture(scope="session")
def data(tmp_path_factory):
    """Twelve files of four batches with statistics, in folders of days and names with spaces, quotes and equals signs."""
    root = tmp_path_factory.mktemp("set")
    for k in range(12):
        path = root / f"data/day=2024-02-{26 + k // 3}/part=\"{k:02}\" o'clock ä.arrow"
        path.parent.mkdir(parents=True, exist_ok=True)
        arrow_ipc.write_file(root / "plain.arrow", rows_of(k).to_batches(ROWS_OF_BATCH))
        arrow_ipc.convert(root / "plain.arrow", path, statistics=True)
    return root / "data"


@pytest.fixture(scope="session")
def expected(data):
    """All rows, by the package alone."""
    found = pa.table(arrow_ipc.dataset(data))
    assert found.num_rows == N_ROWS
    return found


@pytest.fixture
def changed(tmp_path):
    """Three files, one of which changes by `change` after it was planned."""
    for k in range(3):
        arrow_ipc.write_file(tmp_path / f"{k}.arrow", rows_of(k).to_batches(ROWS_OF_BATCH))
    path = tmp_path / "1.arrow"
    found = arrow_ipc.dataset(tmp_path)
    found.split()

    def change():
        path.write_bytes(path.read_bytes()[:-100])

    return found, change


def loopback_only():
    """Addresses other than loopback on which this process or its children listen, by what the kernel tells."""
    inodes = set()
    for process in pathlib.Path("/proc").iterdir():
        if process.name.isdigit() and is_ours(int(process.name)):
            for link in (process / "fd").glob("*"):
                try:
                    inodes.add(os.readlink(link))
                except OSError:
                    continue
    open_ones = []
    for name, loopback in (("tcp", "0100007F"), ("tcp6", "00000000000000000000000001000000")):
        for line in pathlib.Path(f"/proc/net/{name}").read_text().splitlines()[1:]:
            fields = line.split()
            address, is_listening = fields[1].split(":")[0], fields[3] == "0A"
            mapped = address == "0000000000000000FFFF00000100007F"
            if is_listening and address != loopback and not mapped and f"socket:[{fields[9]}]" in inodes:
                open_ones.append(fields[1])
    return open_ones


def is_ours(pid):
    while pid > 1:
        if pid == os.getpid():
            return True
        try:
            text = pathlib.Path(f"/proc/{pid}/stat").read_text()
        except OSError:
            return False
        pid = int(text.rpartition(")")[2].split()[1])
    return False
