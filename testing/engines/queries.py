"""Runs one query by one engine, over its own reader of Arrow files or over the package, and prints what it took.

queries.py ENGINE native|ours two|all|count|range FOLDER
"""

import importlib
import json
import os
import sys
import time

NUMBERS = ["id", "key", *(f"i{k}" for k in range(8)), *(f"f{k}" for k in range(6))]
SUMS = ", ".join(f"sum({name}) {name}" for name in NUMBERS)
SQL = {
    "two": "select key, sum(i0) s, count(*) n from t group by key order by key",
    "all": f"select {SUMS}, max(s0) s0, max(s1) s1, max(ts) ts, count(d0) d0 from t",
    "count": "select count(*) n from t",
    "range": "select sum(i0) s, count(*) n from t where id >= 6400000 and id < 6450000",
}


def datafusion(reader, sql, folder):
    from datafusion import SessionConfig, SessionContext

    session = SessionContext(SessionConfig().with_target_partitions(2))
    if reader == "native":
        session.register_arrow("t", f"{folder}/", file_extension=".arrow")
    else:
        session.register_dataset("t", ours(folder).to_pyarrow())
    return lambda: list(zip(*session.sql(sql).to_pydict().values(), strict=True))


def duckdb(reader, sql, folder):
    import duckdb
    import pyarrow.dataset

    connection = duckdb.connect()
    connection.execute("set threads = 2")
    data = pyarrow.dataset.dataset(folder, format="ipc") if reader == "native" else ours(folder).to_pyarrow()
    connection.register("t", data)
    return lambda: connection.sql(sql).fetchall()


def polars(reader, sql, folder):
    import polars

    if reader == "native":
        rows = polars.scan_ipc(f"{folder}/*.arrow")
    else:
        import arrow_ipc.polars

        rows = arrow_ipc.polars.scan(ours(folder))
    return lambda: polars.SQLContext(t=rows).execute(sql).collect(engine="streaming").rows()


def ours(folder):
    import arrow_ipc

    return arrow_ipc.dataset(folder, trust_statistics=True)


def n_read():
    """Bytes that this process has asked of the system by `read` and `pread`."""
    with open("/proc/self/io") as file:
        return int(file.read().split()[1])


def peak_kb():
    with open("/proc/self/status") as file:
        return next(int(line.split()[1]) for line in file if line.startswith("VmHWM"))


def main():
    engine, reader, query, folder = sys.argv[1:]
    for name in (engine, "pyarrow.dataset", "arrow_ipc.polars"):
        importlib.import_module(name)
    imported = peak_kb()
    start, before = time.process_time(), n_read()
    run = {"datafusion": datafusion, "duckdb": duckdb, "polars": polars}[engine](reader, SQL[query], folder)
    opened, wall = time.process_time(), time.perf_counter()
    rows = run()
    wall, ran = time.perf_counter() - wall, time.process_time()
    peak = peak_kb()
    answer = [round(float(value), -3) if isinstance(value, float) else str(value) for value in rows[0]]
    print(json.dumps({"open_s": opened - start, "run_s": ran - opened, "wall_s": wall, "peak_mb": peak / 1000, "before_mb": imported / 1000, "read_mb": (n_read() - before) / 1e6, "answer": answer}))


if __name__ == "__main__":
    main()
