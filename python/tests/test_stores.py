"""Files in stores: S3 by `s3fs`, and other file systems of `fsspec`."""

import io

import arrow_ipc
import pytest
from stores import s3_store

pa = pytest.importorskip("pyarrow")


@pytest.fixture(scope="module")
def s3():
    with pytest.MonkeyPatch.context() as monkeypatch, s3_store(monkeypatch) as store:
        yield store


@pytest.fixture(scope="module")
def table():
    return pa.table({f"c{k}": pa.array(range(k, 20_000 + k), pa.int64()) for k in range(20)})


@pytest.fixture(scope="module")
def content(table):
    """Four batches of 20 columns, 3.2 MB."""
    target = io.BytesIO()
    arrow_ipc.write_file(target, table.to_batches(max_chunksize=5_000))
    return target.getvalue()


def test_files_of_s3_are_read_under_the_condition_of_their_etag(s3, table, content):
    s3.pipe("sales/wide.arrow", content)
    s3.test_calls.clear()
    file = arrow_ipc.open("s3://sales/wide.arrow")
    assert pa.table(file.select(["c2", "c11"])).equals(table.select(["c2", "c11"]))
    # What the file is, once, and otherwise only ranges.
    assert s3.test_calls.count("head_object") == 1
    assert set(s3.test_calls) == {"head_object", "get_object"} and len(s3.test_calls) <= 16, s3.test_calls
    other = bytearray(content)
    other[1_000] ^= 1
    s3.pipe("sales/wide.arrow", bytes(other))
    with pytest.raises(OSError, match="wide.arrow: changed while being read"):
        file.batch(0)
    s3.rm("sales/wide.arrow")
    with pytest.raises(FileNotFoundError, match="s3://sales/wide.arrow"):
        file.batch(1)
    with pytest.raises(FileNotFoundError, match="s3://sales/wide.arrow"):
        arrow_ipc.open("s3://sales/wide.arrow")
    with pytest.raises(FileNotFoundError, match="s3://none/wide.arrow"):
        arrow_ipc.open("s3://none/wide.arrow")


def test_files_of_s3_without_conditions(s3, table, content, monkeypatch):
    """An `s3fs` that does not read under a condition: the tags are compared."""
    from s3fs.core import S3File

    s3.pipe("sales/old.arrow", content)
    init = S3File.__init__

    def without(self, *given, **named):
        init(self, *given, **named)
        self.read_kw = {}

    monkeypatch.setattr(S3File, "__init__", without)
    file = arrow_ipc.open("s3://sales/old.arrow")
    assert pa.table(file).equals(table)
    s3.pipe("sales/old.arrow", content[:-8] + content[-16:-8])
    with pytest.raises(OSError, match="changed while being read: size and tags"):
        file.batch(0)
