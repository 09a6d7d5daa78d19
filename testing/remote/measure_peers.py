"""What other libraries fetch: `measure_peers.py LIBRARY CASE URL` reads, and prints how many seconds that took."""

import sys
import time

library, case, url = sys.argv[1:]
COLUMNS = ["c7", "c50", "c93"]


def with_pyarrow():
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
                assert sum(file.get_batch(k).num_rows for k in range(file.num_record_batches)) > 1_000_000
            case "columns" | "all":
                assert file.read_all().num_rows > 1_000_000
            case "first-rows":
                assert file.get_batch(0).slice(0, 10).num_rows == 10
            case "one-batch":
                assert file.get_batch(500).num_rows == 1_049
        return time.perf_counter() - start


def with_polars():
    import polars as pl

    start = time.perf_counter()
    frame = pl.scan_ipc(url)
    match case:
        case "open":
            assert len(frame.collect_schema()) == 100
        case "count":
            assert frame.select(pl.len()).collect().item() > 1_000_000
        case "columns":
            assert frame.select(COLUMNS).collect().height > 1_000_000
        case "all":
            assert frame.collect().height > 1_000_000
        case "first-rows":
            assert frame.head(10).collect().height == 10
        case "one-batch":
            assert frame.slice(500 * 1_049, 1_049).collect().height == 1_049
    return time.perf_counter() - start


print({"pyarrow": with_pyarrow, "polars": with_polars}[library]())
