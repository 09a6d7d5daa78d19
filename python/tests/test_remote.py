"""Files at URLs: only what is needed is fetched, one version of it, and no wrong answer becomes data."""

import io
import os
import pickle
import threading
import urllib.parse
from pathlib import Path

import arrow_ipc
import pytest
from how_often import times

pa = pytest.importorskip("pyarrow")


@pytest.fixture(autouse=True)
def no_pauses(monkeypatch):
    monkeypatch.setattr("arrow_ipc._remote.PAUSES", (0, 0, 0))


@pytest.fixture(scope="module")
def wide():
    """Four batches of 20 columns, 3.2 MB."""
    table = pa.table({f"c{k}": pa.array(range(k, 20_000 + k), pa.int64()) for k in range(20)})
    target = io.BytesIO()
    arrow_ipc.write_file(target, table.to_batches(max_chunksize=5_000))
    return table, target.getvalue()


def test_only_what_is_needed_is_fetched(server, wide):
    table, content = wide
    file = arrow_ipc.open(server.put("wide.arrow", content))
    assert len(server.seen) == 1
    assert file.schema.names == table.schema.names
    assert file.num_rows == 20_000
    n_requests = len(server.seen)
    assert n_requests <= 6
    batch = pa.record_batch(file.batch(2, columns=["c7"], rows=slice(10, 12)))
    assert batch.to_pydict() == {"c7": [10_017, 10_018]}
    server.reset()
    # Metadata of all batches by a few requests, and then all bodies by a few.
    assert pa.table(file).equals(table)
    assert len(server.seen) <= 10, server.seen
    server.reset()
    assert [batch.num_rows for batch in file] == [5_000] * 4
    assert len(server.seen) <= 10, server.seen
    assert list(arrow_ipc.open(server.url + "/wide.arrow", columns=["c3"]).schema.names) == ["c3"]


def test_streams_and_tools(server, wide, tmp_path):
    table, content = wide
    target = io.BytesIO()
    arrow_ipc.write_stream(target, table)
    stream = server.put("wide.arrows", target.getvalue())
    file = server.put("wide.arrow", content)
    assert pa.table(arrow_ipc.read_stream(stream)).equals(table)
    arrow_ipc.validate(file)
    arrow_ipc.validate(stream)
    assert arrow_ipc.inspect(file)["n_bytes"] == len(content)
    assert not arrow_ipc.diff(file, stream)["differences"]
    arrow_ipc.convert(file, tmp_path / "copy.arrows", container="stream")
    assert pa.table(arrow_ipc.read_stream(tmp_path / "copy.arrows")).equals(table)


def test_a_stream_is_read_by_position(server, wide):
    table, content = wide
    target = io.BytesIO()
    arrow_ipc.write_stream(target, table.to_batches(max_chunksize=5_000))
    stream = server.put("wide.arrows", target.getvalue())
    file = arrow_ipc.open(stream)
    assert (file.num_batches, file.container) == (4, "stream")
    index = file.index()
    server.reset()
    file = arrow_ipc.open(stream, index=index)
    assert (file.num_rows, len(server.seen)) == (20_000, 2)
    assert pa.record_batch(file.batch(2, columns=["c7"])).to_pydict() == {"c7": list(range(10_007, 15_007))}
    assert len(server.seen) <= 5
    with pytest.raises(arrow_ipc.ArrowIpcError, match="index"):
        arrow_ipc.open(server.put("people.arrows", target.getvalue()[:500]), index=index)
    server.put("none.arrows", b"")
    with pytest.raises(arrow_ipc.ArrowIpcError):
        arrow_ipc.open(f"{server.url}/none.arrows", index=index)


# What becomes of a fault in a request after the first one: the right data, or an error with these words.
FAULTS = {
    "fewer": "the answer has",
    "more": "the answer has",
    "closed": None,
    "no answer": None,
    "other tag": "changed while being read",
    "other range": "the range 'bytes",
    "other length": "the range 'bytes",
    "whole": "status 200",
    416: "status 416",
    404: "status 404",
    403: "status 403",
    503: None,
}


@pytest.mark.parametrize("fault", FAULTS)
def test_wrong_answers_never_become_data(server, wide, fault):
    table, content = wide
    url = server.put("wide.arrow", content)
    for faults in ({0: fault}, {1: fault}, {2: fault}, {"always": fault}):
        server.reset(faults)
        try:
            file = arrow_ipc.open(url, columns=["c1", "c18"])
            found = pa.Table.from_batches([pa.record_batch(file.batch(k)) for k in range(file.num_batches)])
        except OSError as error:
            assert faults != {1: fault} or (FAULTS[fault] and FAULTS[fault] in str(error)), error
            assert url in str(error), error
            assert isinstance(error.location, arrow_ipc.Location) and error.hint is None, error
            assert 1 not in faults or "bytes " in str(error), error
        else:
            assert found.equals(table.select(["c1", "c18"]))
            assert "always" not in faults
            assert FAULTS[fault] is None or faults != {1: fault}
    server.reset({"always": 503})
    with pytest.raises(OSError, match="status 503"):
        arrow_ipc.open(url)
    # Once, and three times again.
    assert len(server.seen) == 4


DATES = [f"Thu, 01 Jan 2026 00:00:0{k} GMT" for k in (0, 1)]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ({"ETag": '"1"'}, {"ETag": '"2"'}),
        ({"ETag": 'W/"1"'}, {"ETag": 'W/"2"'}),
        ({"Last_Modified": DATES[0]}, {"Last_Modified": DATES[1]}),
        ({"ETag": 'W/"1"'}, {"Last_Modified": DATES[1]}),
    ],
)
def test_changes_are_errors(server, wide, before, after):
    table, content = wide
    file = arrow_ipc.open(server.put("wide.arrow", content, **before))
    assert pa.record_batch(file.batch(0)).equals(table.slice(0, 5_000).to_batches()[0])
    server.put("wide.arrow", content, **after)
    with pytest.raises(OSError, match="changed while being read"):
        file.batch(1)


def test_untagged_files_are_refused(server, wide):
    with pytest.raises(OSError, match="a change could not be noticed"):
        arrow_ipc.open(server.put("wide.arrow", wide[1], X="1"))


def test_names_and_secrets(server, wide):
    table, content = wide
    server.put("a%20b.arrow", content)
    url = server.url.replace("://", "://ada:secret@")
    file = arrow_ipc.open(f"{url}/a%20b.arrow?signature=secret#x")
    assert server.seen == [("/a%20b.arrow?signature=secret", "bytes=-65600", "Basic YWRhOnNlY3JldA==")]
    server.reset({"always": 403})
    with pytest.raises(PermissionError) as raised:
        file.batch(0)
    assert "secret" not in str(raised.value)
    server.reset()
    assert arrow_ipc.open(f"{server.url}/moved/a%20b.arrow").num_rows == 20_000
    with pytest.raises(FileNotFoundError):
        arrow_ipc.open(f"{server.url}/none.arrow")
    with pytest.raises(arrow_ipc.ArrowIpcError):
        arrow_ipc.open(server.put("empty", b""))
    with pytest.raises(OSError, match="more attempts"):
        arrow_ipc.open("http://127.0.0.1:1/a")
    with pytest.raises(FileNotFoundError):
        arrow_ipc.open("c:/no/such/file")


def test_threads(server, wide):
    table, content = wide
    file = arrow_ipc.open(server.put("wide.arrow", content))
    results = [None] * 4

    def read(k):
        results[k] = pa.record_batch(file.batch(k))

    threads = [threading.Thread(target=read, args=(k,)) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert pa.Table.from_batches(results).equals(table)


def test_requests_run_beside_each_other():
    # Nobody goes on before all 20 are there.
    all_there = threading.Barrier(20, timeout=120)

    def fetch(item):
        all_there.wait()
        return item

    assert arrow_ipc._remote.parallel(fetch, range(20), 64) == list(range(20))
    assert arrow_ipc._remote.parallel(lambda item: threading.active_count(), range(20), 1) == [threading.active_count()] * 20


def test_missing_threads_change_nothing(monkeypatch):
    n_started, start = [0], threading.Thread.start

    def start_three(thread):
        n_started[0] += 1
        if n_started[0] > 3:
            raise RuntimeError("can't start new thread")
        start(thread)

    monkeypatch.setattr(threading.Thread, "start", start_three)
    for max_threads in (64, 64, 1):
        assert arrow_ipc._remote.parallel(lambda item: item * 2, range(20), max_threads) == list(range(0, 40, 2))

    def fail(item):
        raise OSError(f"item {item}")

    with pytest.raises(OSError, match="item 0"):
        arrow_ipc._remote.parallel(fail, range(20), 64)


def test_file_systems_of_fsspec(wide):
    fsspec = pytest.importorskip("fsspec")
    table, content = wide
    memory = fsspec.filesystem("memory")
    memory.pipe("/wide.arrow", content)
    file = arrow_ipc.open("memory://wide.arrow")
    assert pa.table(file.select(["c2"])).equals(table.select(["c2"]))
    memory.pipe("/wide.arrow", content)
    with pytest.raises(OSError, match="changed while being read"):
        file.batch(0)
    with pytest.raises(FileNotFoundError):
        arrow_ipc.open("memory://none.arrow")
    with pytest.raises(ValueError, match="nonsense"):
        arrow_ipc.open("nonsense://none.arrow")


@pytest.fixture(scope="module")
def parts(tmp_path_factory):
    """A set of six parts in two folders, and the names of its files."""
    folder = tmp_path_factory.mktemp("parts")
    writer = arrow_ipc.DatasetWriter(folder / "data", pa.schema([("id", pa.int64()), ("name", pa.string())]))
    parts = []
    for task in range(6):
        ids = range(task * 1000, (task + 1) * 1000)
        table = pa.table({"id": list(ids), "name": [f"name {id}" for id in ids]})
        # A value that stands escaped in the name of the folder, and that once more in the URL.
        parts.append(writer.write(table, folder=f"city=A%2FB {task % 2}"))
    writer.commit(parts)
    names = [Path(file).relative_to(folder) for file in arrow_ipc.dataset(folder / "data").files]
    return folder, names


@pytest.fixture
def served(server, parts):
    """The set, and its files at URLs."""
    folder, names = parts
    return folder / "data", [server.put(urllib.parse.quote(str(name), safe="/="), (folder / name).read_bytes()) for name in names]


def test_data_sets_at_urls(server, served):
    local, urls = served
    expected = pa.table(arrow_ipc.dataset(local))
    by_id = [("id", "ascending")]
    for source in (urls, list(reversed(urls))):
        remote = arrow_ipc.dataset(source)
        assert remote.count() == 6000
        assert pa.table(remote).sort_by(by_id).equals(expected.sort_by(by_id))
        some = remote.where("city = 'A/B 1' and id >= 3500").select(["name"])
        assert some.count() == 1500, source
        assert {name.as_py() for name in pa.table(some)["name"]} == {f"name {id}" for id in [*range(3500, 4000), *range(5000, 6000)]}
        # Tasks go to other processes, and need nothing but themselves.
        tasks = [pickle.loads(pickle.dumps(task)) for task in some.split(1)]
        assert sum(pa.table(task).num_rows for task in tasks) == 1500
    server.reset()
    remote = arrow_ipc.dataset(urls)
    n_opening = len(server.seen)
    assert remote.count() == 6000 and len(server.seen) == n_opening
    # Nothing is read of files that a folder leaves out.
    pa.table(remote.where("city = 'A/B 1'"))
    assert {path.partition("part-")[0] for path, *_ in server.seen[n_opening:]} <= {"/data/city=A%252FB%201/"}


def test_batches_beside_each_other_are_fetched_together(server):
    """Of 40 batches of 20 columns, what a condition needs. Each request brings something of several batches, as the cost of requests says."""
    rows = pa.table({f"c{k}": pa.array([value * k % 1_000 for value in range(40_000)], pa.int64()) for k in range(20)})
    target = io.BytesIO()
    arrow_ipc.write_file(target, rows.to_batches(max_chunksize=1_000), row_counts="written")
    url = server.put("small.arrow", target.getvalue())
    expected = pa.table({"c9": rows["c9"]}).filter(pa.compute.equal(rows["c2"], 8))

    def n_requests(**cost):
        server.reset()
        data = arrow_ipc.dataset(url, **cost).where("c2 = 8").select(["c9"])
        assert pa.table(data).equals(expected)
        n, n_bytes = len(server.seen), sum(answered(each[1], len(target.getvalue())) for each in server.seen)
        server.reset()
        tasks = pickle.loads(pickle.dumps(data.split()))
        assert pa.concat_tables(map(pa.table, tasks)).equals(expected)
        return n, n_bytes, len(server.seen)

    n_default, _, _ = n_requests()
    assert n_default <= 20
    slow, fast = n_requests(request_ms=10_000, bytes_per_second=10**9), n_requests(request_ms=0.1, bytes_per_second=10**6)
    # Pickled tasks know the cost, too.
    assert slow[0] <= 5 and slow[2] <= 5 and fast[0] > 40 and fast[2] > 40
    assert fast[1] < slow[1] / 4
    # The same for one file, also after pickling.
    for cost, is_few in ({"request_ms": 10_000}, True), ({"request_ms": 0.1, "bytes_per_second": 10**6}, False):
        file = arrow_ipc.open(url, columns=["c2", "c9"], **cost)
        for opened in file, pickle.loads(pickle.dumps(file)):
            server.reset()
            assert pa.table(opened).num_rows == 40_000
            assert (len(server.seen) < 10) is is_few, server.seen


def answered(span, n_all):
    """The number of bytes that a request asks for."""
    first, _, last = span.removeprefix("bytes=").partition("-")
    return int(last) + 1 - int(first) if first else min(int(last), n_all)


def test_costs_of_requests_are_numbers_and_for_servers(server, served, tmp_path):
    _, urls = served
    arrow_ipc.write_file(tmp_path / "a.arrow", {"a": [1]})
    for opening, url in (arrow_ipc.open, urls[0]), (arrow_ipc.dataset, urls):
        for cost in {"request_ms": -1}, {"request_ms": float("nan")}, {"request_ms": float("inf")}, {"bytes_per_second": 0}, {"bytes_per_second": -5}:
            with pytest.raises(ValueError):
                opening(url, **cost)
        for cost in {"request_ms": "30"}, {"bytes_per_second": 2.5}:
            with pytest.raises(TypeError):
                opening(url, **cost)
        with pytest.raises(TypeError, match="is no URL"):
            opening(tmp_path / "a.arrow", request_ms=30)
        assert opening(url, request_ms=0).schema == opening(url).schema


def test_data_sets_at_urls_that_change(server, served):
    _, urls = served
    remote = arrow_ipc.dataset(urls)
    task = remote.split()[0]
    path = "/" + urls[2].partition("//")[2].partition("/")[2]
    content, _ = server.objects[path]
    server.objects[path] = (content[:-8] + content[-16:-8], {"ETag": '"2"'})
    for reading in (lambda: list(pickle.loads(pickle.dumps(task))), lambda: arrow_ipc.dataset(urls)):
        with pytest.raises((OSError, arrow_ipc.ArrowIpcError), match="part-"):
            reading()
    # Of small files all is there since the set was opened: one version, as of a file that is open.
    assert pa.table(remote).num_rows == 6000
    del server.objects[path]
    with pytest.raises(FileNotFoundError, match="part-"):
        arrow_ipc.dataset(urls)
    with pytest.raises(FileNotFoundError) as raised:
        arrow_ipc.dataset(f"http://ada:secret@{server.url.partition('//')[2]}/none.arrow?signature=secret")
    assert "secret" not in str(raised.value) and "none.arrow" in str(raised.value)


def test_data_sets_in_file_systems_of_fsspec(served):
    fsspec = pytest.importorskip("fsspec")
    local, _ = served
    memory = fsspec.filesystem("memory")
    urls = []
    for file in sorted(local.rglob("*.arrow")):
        memory.pipe(f"/served/{file.relative_to(local.parent)}", file.read_bytes())
        urls.append(f"memory://served/{file.relative_to(local.parent)}")
    assert pa.table(arrow_ipc.dataset(urls)).equals(pa.table(arrow_ipc.dataset(local)))
    with pytest.raises(FileNotFoundError):
        arrow_ipc.dataset("memory://served/none")


@pytest.mark.parametrize("fault", FAULTS)
def test_wrong_answers_never_become_rows_of_data_sets(server, served, fault):
    local, urls = served
    expected = pa.table(arrow_ipc.dataset(local)).sort_by("id")
    for at in (*range(0, 30, times(7, 1)), "always"):
        server.reset({at: fault})
        try:
            found = pa.table(arrow_ipc.dataset(urls))
        except (OSError, arrow_ipc.ArrowIpcError):
            continue
        assert found.sort_by("id").equals(expected), (fault, at)
        # What is repeated may succeed. A tag that all answers have is one version.
        assert at != "always" or fault == "other tag", fault


def test_rows_are_counted_by_a_few_requests(server):
    """The metadata of all batches is requested at once."""
    target = io.BytesIO()
    arrow_ipc.write_file(target, [pa.record_batch({"id": pa.array([batch] * 3), "text": ["x" * 20_000] * 3}) for batch in range(60)])
    for count in (lambda file: file.num_rows, lambda file: file.sample(1, seed=1), lambda file: file[-1:]):
        file = arrow_ipc.open(server.put("many.arrow", target.getvalue()), request_ms=1, bytes_per_second=10**9)
        count(file)
        server.reset()
        assert file.num_rows == 180
        assert len(server.seen) == 0
        server.reset()
    file = arrow_ipc.open(server.put("many.arrow", target.getvalue()), request_ms=100, bytes_per_second=10**9)
    server.reset()
    assert file[-2:]["id"].to_pylist() == [59, 59]
    assert len(server.seen) <= 10, server.seen


def test_a_file_after_a_file_is_told(server, wide, recwarn):
    _, content = wide
    both = server.put("both.arrow", content * 2)
    one = server.put("one.arrow", content)
    said = f"both.arrow: a second file begins at byte {len(content)}; only batches of the first are read"
    arrow_ipc.dataset([one])
    assert len(recwarn) == 0
    server.reset()
    with pytest.warns(UserWarning, match=said) as warned:
        data = arrow_ipc.dataset([both + "?signature=secret", one])
    assert "secret" not in str(warned[0].message)
    assert data.count() == 40_000
    # The footer says where to look.
    assert len(server.seen) <= 12, server.seen
    with pytest.warns(UserWarning, match="a second file begins"):
        arrow_ipc.open(both)
    with pytest.warns(UserWarning, match="; so it is in 1 more file"):
        arrow_ipc.dataset([both, server.put("again.arrow", content * 2)])
