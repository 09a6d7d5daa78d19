"""How many requests and connections a read takes, over a server that is far away."""

import io

import arrow_ipc
import pytest

pa = pytest.importorskip("pyarrow")

# The cost of requests is given, so the numbers of requests are the same on each machine.
FAR = {"request_ms": 30, "bytes_per_second": 25_000_000}
N_FILES, N_BATCHES, N_ROWS = 50, 5, 5_000
# The limit for a host, which all files and threads of a process share.
MAX_CONNECTIONS = 16


def written(batches, **options):
    target = io.BytesIO()
    arrow_ipc.write_file(target, batches, **options)
    return target.getvalue()


def day_table(day):
    first = day * N_BATCHES * N_ROWS
    ids = pa.array(range(first, first + N_BATCHES * N_ROWS), pa.int64())
    return pa.table({"id": ids, "price": ids.cast("float64"), "city": pa.array(["Oslo", "Rome"] * (len(ids) // 2))})


@pytest.fixture(scope="module")
def days():
    """The files of 50 days: without row counts, and with statistics, which imply row counts."""
    tables = [day_table(day).to_batches(max_chunksize=N_ROWS) for day in range(N_FILES)]
    return [written(table) for table in tables], [written(table, statistics=True) for table in tables]


@pytest.fixture
def urls(server, days):
    return [server.put(f"sales/day={day}/a.arrow", content) for day, content in enumerate(days[0])]


@pytest.fixture
def urls_with_statistics(server, days):
    return [server.put(f"sales/day={day}/b.arrow", content) for day, content in enumerate(days[1])]


def check(server, max_requests):
    assert len(server.seen) <= max_requests, server.seen
    assert server.n_connections <= MAX_CONNECTIONS
    server.reset()


def test_one_day_opens_one_file(server, urls):
    sales = arrow_ipc.dataset(urls, where="day = 31", **FAR)
    check(server, 1)
    assert sales.count() == N_BATCHES * N_ROWS
    check(server, 3)
    assert pa.table(sales).num_rows == N_BATCHES * N_ROWS
    assert {path for path, *_ in server.seen} == {"/sales/day=31/a.arrow"}
    check(server, 2)


def test_first_rows_open_the_first_file(server, urls):
    sales = arrow_ipc.dataset(urls, schema=arrow_ipc.open(urls[0]).schema, **FAR)
    server.reset()
    assert sales.head(10).to_pydict()["id"] == list(range(10))
    check(server, 4)
    # Without a schema, opening reads all footers, and nothing else.
    sales = arrow_ipc.dataset(urls, **FAR)
    check(server, N_FILES)
    assert sales.head(10).to_pydict()["id"] == list(range(10))
    check(server, 3)


def test_rows_are_counted_by_footers(server, urls, urls_with_statistics):
    sales = arrow_ipc.dataset(urls_with_statistics, **FAR)
    assert sales.count() == N_FILES * N_BATCHES * N_ROWS
    check(server, N_FILES)
    # Without row counts, the metadata of the batches is read, once.
    sales = arrow_ipc.dataset(urls, **FAR)
    assert sales.count() == N_FILES * N_BATCHES * N_ROWS
    check(server, 3 * N_FILES)
    assert sum(task.num_rows for task in sales.split()) == N_FILES * N_BATCHES * N_ROWS
    check(server, 0)


def test_statistics_leave_out_batches(server, urls_with_statistics):
    first = 17 * N_BATCHES * N_ROWS + 100
    where = f"id between {first} and {first + 9}"
    sales = arrow_ipc.dataset(urls_with_statistics, where=where, trust_statistics=True, **FAR)
    assert pa.table(sales)["id"].to_pylist() == list(range(first, first + 10))
    check(server, N_FILES + 3)


def test_a_scan_reads_each_footer_once(server, urls):
    sales = arrow_ipc.dataset(urls, columns=["id"], **FAR)
    check(server, N_FILES)
    for _ in range(2):
        ids = pa.table(sales)["id"]
        assert (len(ids), ids[-1].as_py()) == (N_FILES * N_BATCHES * N_ROWS, N_FILES * N_BATCHES * N_ROWS - 1)
        # Metadata, the first time, and columns.
        check(server, 3 * N_FILES)


@pytest.fixture(scope="module")
def small_batches():
    """A thousand batches of 16 KB."""
    table = pa.table({"v": pa.array(range(1_000_000), pa.int64()), "w": pa.array(range(1_000_000), pa.int64())})
    return written(table.to_batches(max_chunksize=1_000))


# Each reader, and the largest number of its requests after opening.
READERS = {
    "column": (lambda file: file["v"].to_pylist(), 5),
    "column of a selection": (lambda file: file[["v"]]["v"].to_pylist(), 5),
    "all rows": (lambda file: file[:].num_rows, 5),
    "half": (lambda file: file[1_500:500_500].num_rows, 60),
    "from the end": (lambda file: file[-250_500:-500].num_rows, 5),
    "head": (lambda file: file.head(100_500).num_rows, 20),
    "tail": (lambda file: file.tail(100_500).num_rows, 20),
    "rows": (lambda file: file.rows(1_500, 200_500).num_rows, 40),
    "sample": (lambda file: file.sample(50, seed=1).num_rows, 5),
    "num_rows": (lambda file: file.num_rows, 5),
    "to_pylist": (lambda file: len(file[["v"]].to_pylist()), 5),
    "to_pydict": (lambda file: len(file[["v"]].to_pydict()["v"]), 5),
    "iter_rows": (lambda file: sum(1 for _ in file[["v"]].iter_rows()), 5),
    "filter": (lambda file: file.filter("v > 999990").num_rows, 5),
    "batches": (lambda file: sum(batch.num_rows for batch in file), 5),
    "pyarrow": (lambda file: pa.table(file).num_rows, 5),
}


@pytest.mark.parametrize("name", READERS)
def test_no_reader_makes_a_request_for_each_batch(server, small_batches, name):
    url = server.put("small.arrow", small_batches)
    file = arrow_ipc.open(url, **FAR)
    check(server, 2)
    read, max_requests = READERS[name]
    read(file)
    check(server, max_requests)


def test_a_count_and_a_read_fetch_small_batches_once(server, small_batches):
    file = arrow_ipc.open(server.put("small.arrow", small_batches), **FAR)
    assert file.num_rows == 1_000_000
    check(server, 10)
    assert file["v"].to_pylist()[-1] == 999_999
    assert file[["w"]][500:600].to_pydict() == {"w": list(range(500, 600))}
    check(server, 0)


def test_a_stream_is_walked_once(server):
    target = io.BytesIO()
    table = pa.table({"v": pa.array(range(200_000), pa.int64())})
    arrow_ipc.write_stream(target, table.to_batches(max_chunksize=2_000))
    url = server.put("log.arrows", target.getvalue())
    file = arrow_ipc.open(url, **FAR)
    assert (file.num_batches, file.container) == (100, "stream")
    check(server, 10)
    for columns in [None, ["v"]]:
        file = arrow_ipc.open(url, columns=columns, validation="strict", **FAR)
        assert file.num_batches == 100
        check(server, 1)
        assert file.batch(77)["v"].to_pylist()[0] == 154_000
        check(server, 2)
    # Another version is another stream.
    target = io.BytesIO()
    arrow_ipc.write_stream(target, table.slice(100).to_batches(max_chunksize=2_000))
    server.put("log.arrows", target.getvalue(), ETag='"2"')
    assert arrow_ipc.open(url, **FAR).batch(0)["v"].to_pylist()[0] == 100


def test_streams_that_differ_in_the_query_are_others(server):
    """Also if they have the same length and the same etag."""
    for name in ["aa", "bb"]:
        target = io.BytesIO()
        arrow_ipc.write_stream(target, pa.table({name: [1, 2, 3]}))
        server.put(f"get?id={name}", target.getvalue())
    for name in ["aa", "bb", "aa", "bb"]:
        assert arrow_ipc.open(f"{server.url}/get?id={name}", **FAR).schema.names == [name]
