"""What the tests share."""

import gc
import io
import os

import pytest

import arrow_ipc
from range_server import Server


def pytest_configure():
    # The servers of the tests are here, also where a proxy leads to all others.
    os.environ["no_proxy"] = "127.0.0.1,localhost"


def pytest_addoption(parser):
    parser.addoption("--update-peers", action="store_true", help="write peers.tsv and PEERS.md")
    parser.addoption("--program", help="the program arrow-ipc, which writes by default what the package does")


def pytest_collection_modifyitems(items):
    """These tests come first, since they use polars in a fork of this process: when its threads have begun, it waits for them there for ever."""
    items.sort(key=lambda item: item.path.name != "test_peers.py")


@pytest.fixture(scope="module", autouse=True)
def collections_are_short():
    """Most objects are those of libraries, which stay: what there is before a module is not looked at in each collection."""
    gc.collect()
    gc.freeze()


def pytest_unconfigure():
    # Libraries tell what is left at the end.
    gc.unfreeze()


@pytest.fixture
def people():
    """A file in memory: three batches of three columns, one of them nested."""
    pa = pytest.importorskip("pyarrow")
    table = pa.table(
        {
            "id": pa.array(range(30), pa.int64()),
            "name": pa.array([None if k % 7 == 0 else f"person {k}" for k in range(30)]),
            "address": [{"city": f"c{k % 3}", "zip.code": k} for k in range(30)],
        }
    )
    target = io.BytesIO()
    arrow_ipc.write_file(target, table.to_batches(max_chunksize=10), metadata={"made": "here"})
    return target.getvalue()


@pytest.fixture
def server():
    """A server of ranges on loopback: `put` gives the URL of an object."""
    with Server().running() as server:
        yield server
