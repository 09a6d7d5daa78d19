"""Files in stores: S3 by `s3fs`, and other file systems of `fsspec`."""

import io
import pickle
from random import Random

import arrow_ipc
import pytest
from how_often import times
from stores import before_calls_of_s3, s3_store

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


@pytest.fixture(scope="module")
def sales(s3):
    """A data set of four days in S3, with files that are none of it."""
    for day in range(1, 5):
        target = io.BytesIO()
        arrow_ipc.write_file(target, {"id": [day * 10 + k for k in range(3)]})
        s3.pipe(f"sales/by day/day={day}/part.arrow", target.getvalue())
    for other in ("_SUCCESS", "day=1/_part.arrow", "day=2/.part.arrow", "day=2/notes.txt", "_old/a.arrow"):
        s3.pipe(f"sales/by day/{other}", b"no Arrow data")
    return [f"s3://sales/by day/day={day}/part.arrow" for day in range(1, 5)]


def test_data_sets_of_s3_are_listed(s3, sales):
    for source in ("s3://sales/by day/", "s3://sales/by day", "s3://sales/by day/*", "s3://sales/by day/**/*.arrow", "s3://sales/*/day=[1-4]", sales):
        data = arrow_ipc.dataset(source)
        assert data.files == sales, source
        assert data.where("day = 3").to_pydict() == {"id": [30, 31, 32], "day": [3] * 3}
    assert arrow_ipc.dataset(["s3://sales/by day/day=4", "s3://sales/by day/day=1/*"]).files == [sales[3], sales[0]]
    assert arrow_ipc.dataset("s3://sales/by day/day=?/part.arrow", where="day = 2", columns=["id"]).to_pydict() == {"id": [20, 21, 22]}
    s3.test_calls.clear()
    arrow_ipc.dataset("s3://sales/by day/")
    # The listing says what each file is.
    assert s3.test_calls.count("list_objects_v2") == 1 and "head_object" not in s3.test_calls
    # What is there now, not what was listed before.
    s3.pipe("sales/by day/day=5/part.arrow", s3.cat("sales/by day/day=4/part.arrow"))
    assert len(arrow_ipc.dataset("s3://sales/by day/").files) == 5
    s3.rm("sales/by day/day=5", recursive=True)
    assert len(arrow_ipc.dataset("s3://sales/by day/").files) == 4


def test_a_file_that_changes_after_it_was_listed(s3, content):
    s3.pipe("sales/listed/a.arrow", content)
    arrow_ipc.dataset("s3://sales/listed/")
    (url,) = arrow_ipc._listing.files_of("s3://sales/listed/")
    s3.pipe("sales/listed/a.arrow", content[:-8] + content[-16:-8])
    s3.dircache["sales/listed"] = [{**s3.info("sales/listed/a.arrow"), "ETag": '"0"'}]
    with pytest.raises(OSError, match="a.arrow: changed while being read"):
        arrow_ipc.open(url)
    # The next time, it is asked for.
    s3.pipe("sales/listed/a.arrow", content)
    assert arrow_ipc.open(url).num_rows == 20_000


def test_folders_without_arrow_files_and_incomplete_ones(s3, sales):
    for source in ("s3://sales/none/", "s3://sales/by day/*.arrow", "s3://sales/**/none"):
        with pytest.raises(FileNotFoundError, match="s3://sales.*no Arrow files") as raised:
            arrow_ipc.dataset(source)
        assert isinstance(raised.value.location, arrow_ipc.Location)
    for source in ("s3://nobody/", "s3://nobody/*.arrow"):
        with pytest.raises(FileNotFoundError, match="s3://nobody/"):
            arrow_ipc.dataset(source)
    s3.pipe("sales/half/a.arrow", b"")
    s3.pipe("sales/half/arrow-ipc-incomplete.arrow", b"")
    with pytest.raises(OSError, match="the folder is incomplete"):
        arrow_ipc.dataset("s3://sales/half/")


def test_servers_of_http_list_no_files(server, content):
    for path in ("", "/", "/data/", "/*.arrow"):
        with pytest.raises(ValueError, match="pass a list of the URLs"):
            arrow_ipc.dataset(server.url + path)
    assert arrow_ipc.dataset([server.put("a.arrow", content)]).count() == 20_000
    assert not any(path == "/" for path, *_ in server.seen)


def test_errors_name_what_is_missing(monkeypatch):
    s3fs = pytest.importorskip("s3fs")
    s3fs.S3FileSystem.clear_instance_cache()
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_PROFILE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    monkeypatch.setenv("HOME", "/nowhere")
    monkeypatch.setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:9")
    for opening in (arrow_ipc.open, arrow_ipc.dataset):
        with pytest.raises(PermissionError, match="s3://bucket/a.arrow: .*AWS_ACCESS_KEY_ID"):
            opening("s3://bucket/a.arrow")
    with pytest.raises(PermissionError, match="s3://bucket/a/: .*AWS_ACCESS_KEY_ID"):
        arrow_ipc.dataset("s3://bucket/a/")
    s3fs.S3FileSystem.clear_instance_cache()
    with pytest.raises(ValueError, match="nonsense"):
        arrow_ipc.dataset("nonsense://a/")
    import_module = arrow_ipc._stores.importlib.import_module

    def without(name, *given):
        if name == missing:
            raise ImportError(name)
        return import_module(name, *given)

    monkeypatch.setattr("importlib.import_module", without)
    for missing, url, needed in (
        ("fsspec.core", "s3://bucket/a/", "s3 need the package s3fs: `pip install s3fs`"),
        ("fsspec.core", "memory://a/", "memory need the package fsspec"),
        ("gcsfs", "gs://bucket/a/", "gs need the package gcsfs"),
        ("adlfs", "az://bucket/a/", "az need the package adlfs"),
    ):
        with pytest.raises(ImportError, match=needed):
            arrow_ipc.dataset(url)


def test_secrets_are_not_in_errors(s3):
    with pytest.raises(OSError, match="s3://bucket/a/") as raised:
        arrow_ipc.dataset("s3://ada:secret@bucket/a/")
    assert "secret" not in str(raised.value)


NAMES = ["a", "b=1", "_h", ".h", "c[1]", "a.arrow", "b.ipc", "x.txt", "_x.arrow", "day=2", "a.arrows"]
PATTERNS = ["*", "**", "?", "a*", "*.arrow", "_*", ".*", "[ab]*", "b=1", "a", "[!a]*", "a.arrow", "*=*", "c[1]"]


@pytest.mark.parametrize("seed", range(times(20, 2)))
def test_patterns_select_what_they_select_of_local_folders(tmp_path, seed):
    fsspec = pytest.importorskip("fsspec")
    memory, random = fsspec.filesystem("memory"), Random(seed)
    target = io.BytesIO()
    arrow_ipc.write_file(target, {"a": [1]})
    for tree in range(3):
        local, remote = tmp_path / str(tree), f"/trees/{seed}/{tree}"
        for _ in range(random.randrange(1, 9)):
            parts = [random.choice(NAMES) for _ in range(random.randrange(1, 4))]
            file = local.joinpath(*parts)
            if not any(above.is_file() for above in file.parents) and not file.is_dir():
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_bytes(target.getvalue())
                memory.pipe("/".join([remote, *parts]), target.getvalue())
        for _ in range(12):
            pattern = "/".join(random.choice(PATTERNS) for _ in range(random.randrange(4)))
            # Of a URL with the name of a file, nothing is asked before it is opened.
            if not (pattern.endswith(".arrow") and "*" not in pattern):
                assert selected(local / pattern, local) == selected(f"memory:/{remote}/{pattern}", f"memory:/{remote}"), pattern


def selected(source, root):
    try:
        return [file.removeprefix(str(root)).replace("\\", "/") for file in arrow_ipc.dataset(source).files]
    except (FileNotFoundError, NotADirectoryError):
        return None


def unfinished(s3):
    """The uploads to the bucket that were begun and not ended."""
    return s3.call_s3("list_multipart_uploads", Bucket="sales").get("Uploads", [])


def test_files_are_written_to_s3(s3, table, tmp_path):
    s3.test_calls.clear()
    arrow_ipc.write_file("s3://sales/new/few.arrow", {"id": [1, 2]}, row_counts="written")
    # Small files are one request.
    assert [call for call in s3.test_calls if "upload" in call or "put" in call] == ["put_object"]
    assert arrow_ipc.open("s3://sales/new/few.arrow").to_pydict() == {"id": [1, 2]}
    arrow_ipc.write_file("s3://sales/new/few.arrow", {"id": [3]})
    assert arrow_ipc.open("s3://sales/new/few.arrow").to_pydict() == {"id": [3]}
    arrow_ipc.write_stream("s3://sales/new/few.arrows", {"id": [4]})
    assert pa.table(arrow_ipc.read_stream("s3://sales/new/few.arrows")).to_pydict() == {"id": [4]}
    with arrow_ipc.Writer("s3://sales/new/two.arrow", table.schema) as writer:
        writer.write(table[:5_000])
        writer.write(table[5_000:])
        assert not s3.exists("sales/new/two.arrow")
    assert pa.table(arrow_ipc.open("s3://sales/new/two.arrow")).equals(table)
    # Several parts, from a file to a file.
    wide = pa.table({"x": pa.array(range(900_000), pa.int64())})
    arrow_ipc.write_file(tmp_path / "wide.arrow", wide)
    s3.test_calls.clear()
    arrow_ipc.convert(tmp_path / "wide.arrow", "s3://sales/new/wide.arrow", row_counts="written")
    assert s3.test_calls.count("complete_multipart_upload") == 1
    assert arrow_ipc.open("s3://sales/new/wide.arrow").num_rows == 900_000
    arrow_ipc.write_csv("s3://sales/new/few.csv.gz", {"id": [5]})
    assert arrow_ipc.read_csv("s3://sales/new/few.csv.gz").to_pydict() == {"id": [5]}
    assert not unfinished(s3)


def failing(batches):
    yield from batches
    raise KeyError("no more")


@pytest.mark.parametrize("n_rows", [10, 900_000])
def test_an_error_leaves_nothing_in_s3(s3, n_rows):
    batch = pa.record_batch({"x": pa.array(range(n_rows), pa.int64())})
    url, n_calls = f"s3://sales/failed/{n_rows}.arrow", len(s3.test_calls)
    with pytest.raises(KeyError):
        arrow_ipc.write_file(url, failing([batch]))
    with pytest.raises(KeyError), arrow_ipc.Writer(url, batch.schema) as writer:
        writer.write(batch)
        raise KeyError("no more")
    with pytest.warns(ResourceWarning, match="was not closed"):
        writer = arrow_ipc.Writer(url, batch.schema)
        writer.write(batch)
        del writer
    assert ("create_multipart_upload" in s3.test_calls[n_calls:]) is (n_rows > 10)
    s3.invalidate_cache()
    assert not s3.exists(url) and not unfinished(s3)
    # What was there stays.
    arrow_ipc.write_file(url, {"x": [1]})
    with pytest.raises(KeyError):
        arrow_ipc.write_file(url, failing([batch]))
    assert arrow_ipc.open(url).to_pydict() == {"x": [1]}
    s3.rm(url)


def test_an_upload_that_fails_leaves_nothing(s3, monkeypatch):
    def refuse(method):
        if method in ("put_object", "complete_multipart_upload"):
            raise PermissionError("Access Denied")

    before_calls_of_s3(monkeypatch, refuse)
    for n_rows in 10, 900_000:
        with pytest.raises(PermissionError, match="s3://sales/refused.arrow: Access Denied: .*AWS_ACCESS_KEY_ID"):
            arrow_ipc.write_file("s3://sales/refused.arrow", {"x": pa.array(range(n_rows), pa.int64())})
    assert not unfinished(s3)
    with pytest.raises(FileNotFoundError, match="s3://nobody/a.arrow"):
        arrow_ipc.write_file("s3://nobody/a.arrow", {"x": pa.array(range(900_000), pa.int64())})


def test_other_file_systems_rename_a_complete_file(table):
    memory = pytest.importorskip("fsspec").filesystem("memory")
    arrow_ipc.write_file("memory://written/a.arrow", table)
    assert pa.table(arrow_ipc.open("memory://written/a.arrow")).equals(table)
    with pytest.raises(KeyError):
        arrow_ipc.write_file("memory://written/a.arrow", failing(table.to_batches()))
    with pytest.raises(KeyError):
        arrow_ipc.write_stream("memory://written/b.arrows", failing(table.to_batches()))
    assert memory.find("/written") == ["/written/a.arrow"]
    with arrow_ipc.Writer("memory://written/c.arrow", table.schema) as writer:
        writer.write(table)
        # Readers of the folder see nothing of it yet.
        assert arrow_ipc.dataset("memory://written/").files == ["memory://written/a.arrow"]
    assert arrow_ipc.dataset("memory://written/").count() == 40_000


def test_urls_of_local_files_are_written(tmp_path):
    arrow_ipc.write_file((tmp_path / "a b.arrow").as_uri(), {"a": [1]})
    assert arrow_ipc.open(tmp_path / "a b.arrow").num_rows == 1


SCHEMA = [("id", "int64")]


def ids(first):
    return {"id": list(range(first, first + 10))}


@pytest.fixture(params=["s3://sales/sets", "memory://sets"])
def folder(request, s3):
    """A folder in S3 and in memory, and its file system."""
    import fsspec

    fs, path = fsspec.url_to_fs(request.param)
    yield request.param, fs, path
    if fs.exists(path):
        fs.rm(path, recursive=True)


def test_data_sets_are_written_to_stores(folder):
    url, fs, path = folder
    writer = pickle.loads(pickle.dumps(arrow_ipc.DatasetWriter(f"{url}/days/", SCHEMA, compression="zstd")))
    assert repr(writer) == f"<arrow_ipc.DatasetWriter of {url}/days>"
    second, first = [pickle.loads(pickle.dumps(writer.write(ids(n), folder=f"day={n}"))) for n in (10, 0)]
    assert (first.num_rows, first.num_bytes > 300) == (10, True)
    with pytest.raises(FileNotFoundError):
        arrow_ipc.dataset(f"{url}/")
    # The part of a task that ran again is not passed, so it is removed.
    writer.write(ids(0))
    copy = pickle.loads(pickle.dumps(writer))
    writer.commit(iter([first, second, first]))
    data = arrow_ipc.dataset(f"{url}/days/")
    assert data.files == [f"{url}/days/day=0/part-00000000.arrow", f"{url}/days/day=10/part-00000001.arrow"]
    assert data.count() == 20 and data.where("day = 10").count() == 10
    fs.invalidate_cache()
    assert len(fs.find(path)) == 2
    for each in (writer, copy):
        for call in (lambda: each.write(ids(0)), lambda: each.commit([first])):
            with pytest.raises(arrow_ipc.ArrowIpcError, match="has been committed or given up") as raised:
                call()
            assert raised.value.kind == "Committed"
    with pytest.raises(arrow_ipc.ArrowIpcError, match="not empty") as raised:
        arrow_ipc.DatasetWriter(f"{url}/days", SCHEMA)
    more = arrow_ipc.DatasetWriter(f"{url}/days/more", SCHEMA)
    more.commit([more.write(ids(20))])
    assert len(arrow_ipc.dataset(f"{url}/days").files) == 3


def test_data_sets_in_stores_that_are_given_up(folder):
    url, fs, path = folder
    writer = arrow_ipc.DatasetWriter(f"{url}/a", SCHEMA)
    part = writer.write(ids(0))
    for wrong, below in ((pa.table({"other": [1]}), ""), (ids(0), "../out"), (ids(0), "_hidden")):
        with pytest.raises(arrow_ipc.ArrowIpcError):
            writer.write(wrong, folder=below)
    writer.abort()
    with pytest.raises(arrow_ipc.ArrowIpcError, match="given up"):
        writer.commit([part])
    fs.invalidate_cache()
    assert not fs.exists(path) or fs.find(path) == []
    writer = arrow_ipc.DatasetWriter(f"{url}/a", SCHEMA)
    with pytest.raises(arrow_ipc.ArrowIpcError, match="part"):
        writer.commit([part])
    arrow_ipc.write_file(f"{url}/a/x.arrow", ids(0))
    with pytest.raises(arrow_ipc.ArrowIpcError, match="not empty"):
        writer.commit([writer.write(ids(0))])
    writer.abort()


def test_an_error_of_a_commit_publishes_nothing(folder, monkeypatch):
    url, fs, path = folder
    writer = arrow_ipc.DatasetWriter(f"{url}/b", SCHEMA)
    parts = [writer.write(ids(0)), writer.write(ids(10))]
    # fsspec has no other way to move a file of these.
    name = "cp_file"
    move, seen = getattr(fs, name), []

    def once(source, target, *given, **named):
        if target.endswith("part-00000001.arrow"):
            # Readers do not take the half for the whole.
            with pytest.raises(OSError, match="the folder is incomplete"):
                arrow_ipc.dataset(f"{url}/b/")
            seen.append(target)
            raise OSError("no more")
        return move(source, target, *given, **named)

    with monkeypatch.context() as patched:
        patched.setattr(fs, name, once)
        with pytest.raises(OSError, match="no more"):
            writer.commit(parts)
    assert seen
    fs.invalidate_cache()
    assert not fs.exists(f"{path}/b") or fs.find(f"{path}/b") == []
    writer.commit(parts)
    assert arrow_ipc.dataset(f"{url}/b/").count() == 20


def test_data_sets_need_a_store_and_a_folder(s3):
    with pytest.raises(ValueError, match="servers of HTTP are not written to"):
        arrow_ipc.DatasetWriter("http://example.org/data/", SCHEMA)
    with pytest.raises(ValueError, match="needs a folder in the bucket, such as s3://sales/sales"):
        arrow_ipc.DatasetWriter("s3://sales/", SCHEMA)
    # No bucket is made by accident.
    with pytest.raises(FileNotFoundError, match="s3://nobody/data"):
        arrow_ipc.DatasetWriter("s3://nobody/data", SCHEMA)
    assert s3.ls("") == ["sales"]
