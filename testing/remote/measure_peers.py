"""What other libraries fetch: `measure_peers.py LIBRARY CASE URL` reads, and prints how many seconds that took, or `None` if there
is no short way to do it."""

import os
import sys
import tempfile
import time

library, case, url = sys.argv[1:]
COLUMNS = ["c7", "c50", "c93"]


def with_pyarrow():
    """`None` where it has no short way."""
    if case not in ("open", "count", "columns", "all", "first-rows", "one-batch", "stream"):
        return None
    import fsspec
    import pyarrow as pa

    # Without a cache, which reads at least 5 MB ahead.
    with fsspec.filesystem("http").open(url, cache_type="none") as source:
        start = time.perf_counter()
        options = pa.ipc.IpcReadOptions(included_fields=[7, 50, 93]) if case == "columns" else None
        file = pa.ipc.open_file(pa.PythonFile(source), options=options)
        match case:
            case "open":
                assert len(file.schema) == 100
            case "count":
                assert sum(file.get_batch(k).num_rows for k in range(file.num_record_batches)) > 60_000
            case "columns" | "all":
                assert file.read_all().num_rows > 1_000_000
            case "first-rows":
                assert file.get_batch(0).slice(0, 10).num_rows == 10
            case "one-batch":
                assert file.get_batch(500).num_rows == 1_049
            case "stream":
                with tempfile.TemporaryFile() as sink, pa.ipc.new_stream(sink, file.schema) as writer:
                    for k in range(file.num_record_batches):
                        writer.write_batch(file.get_batch(k))
        return time.perf_counter() - start


def with_polars():
    import polars as pl

    start = time.perf_counter()
    frame = pl.scan_ipc(url)
    match case:
        case "open":
            assert len(frame.collect_schema()) == 100
        case "count":
            assert frame.select(pl.len()).collect().item() > 60_000
        case "columns":
            assert frame.select(COLUMNS).collect().height > 1_000_000
        case "all":
            assert frame.collect().height > 1_000_000
        case "first-rows":
            assert frame.head(10).collect().height == 10
        case "one-batch":
            assert frame.slice(500 * 1_049, 1_049).collect().height == 1_049
        case "head":
            assert frame.select("c10").head(10).collect().height == 10
        case "head-all":
            assert frame.head(10).collect().height == 10
        case "tail":
            assert frame.select("c10").tail(10).collect().height == 10
        case "slice":
            assert frame.select("c10").slice(500_000, 10).collect().height == 10
        case "slice-all":
            assert frame.slice(30_000, 10).collect().height == 10
        case "csv":
            frame.select("c10").collect().write_csv(os.devnull)
        case "stats":
            assert frame.select(["c10", "c50", "c90"]).collect().describe().height > 4
        case "stats-all":
            assert frame.collect().describe().height > 4
        case "stream":
            with tempfile.TemporaryFile() as sink:
                frame.collect().write_ipc_stream(sink)
        case "three":
            with tempfile.TemporaryFile() as sink:
                frame.select(["c10", "c50", "c90"]).collect().write_ipc(sink)
        case _:
            return None
    return time.perf_counter() - start


def with_datafusion():
    """`None` where it is not installed: `pip install datafusion`."""
    try:
        from datafusion import SessionContext
        from datafusion.object_store import AmazonS3
    except ImportError:
        return None
    # Its store for HTTP wants TLS. The server has the same objects in what looks like a bucket.
    endpoint, name = url.rsplit("/", 1)
    keys = {"access_key_id": "test", "secret_access_key": "test"}
    store = AmazonS3(bucket_name="bucket", region="us-east-1", endpoint=endpoint, allow_http=True, **keys)
    start = time.perf_counter()
    context = SessionContext()
    context.register_object_store("s3://", store, "bucket")
    context.sql(f"CREATE EXTERNAL TABLE data STORED AS ARROW LOCATION 's3://bucket/{name}'").collect()

    def select(what):
        return sum(batch.num_rows for batch in context.sql(f"SELECT {what}").collect())

    match case:
        case "open":
            assert len(context.table("data").schema()) == 100
        case "count":
            assert context.sql("SELECT count(*) FROM data").collect()[0][0][0].as_py() > 1_000_000
        case "columns":
            assert select(f"{', '.join(COLUMNS)} FROM data") > 1_000_000
        case "all":
            assert select("* FROM data") > 1_000_000
        case "first-rows":
            assert select("* FROM data LIMIT 10") == 10
        case "one-batch":
            assert select("* FROM data LIMIT 1049 OFFSET 524500") == 1_049
    return time.perf_counter() - start


print({"pyarrow": with_pyarrow, "polars": with_polars, "datafusion": with_datafusion}[library](), flush=True)
# Threads of libraries that still wait for a connection would abort a process that ends as usual.
os._exit(0)
