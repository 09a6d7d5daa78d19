"""Prints the table of testing/engines/RESULTS.md: DuckDB over the extension, over a data set of pyarrow, and over Parquet.

measure.py EXTENSION FOLDER [REPEATS]     makes 24 files of 200,000 rows in FOLDER, once; run with a release build of the extension. If
FOLDER/statistics has what `arrow-ipc convert --statistics` makes of FOLDER/arrow, statistics are measured, too.

Each number is the least of the repeats: processor seconds of the query, peak memory of the process, bytes asked of the system by `read` and
`pread` (what is mapped does not count). Only ratios mean something on a machine that does other things.
"""

import json
import pathlib
import re
import resource
import subprocess
import sys
import time

N_FILES, N_ROWS = 24, 200_000
QUERIES = {
    "count": "select count(*) from t",
    "two": "select sum(i0), key from t group by key order by key limit 1",
    "range": "select sum(f0), count(s0) from t where id between 4000000 and 4100000",
    "texts": "select count(distinct s0), max(s1) from t",
    "words": "select d0, count(*) from t group by d0 order by d0 limit 1",
    "all": "select sum(id), sum(key), {}, max(s0), max(s1), max(d0), max(ts) from t".format(", ".join(f"sum({name}{j})" for name, n in (("i", 8), ("f", 6)) for j in range(n))),
}


def make(folder):
    import numpy as np
    import pyarrow as pa
    import pyarrow.parquet

    for k in range(N_FILES):
        plain, parquet = (folder / f"{name}/part-{k:03}.{name}" for name in ("arrow", "parquet"))
        if parquet.exists():
            continue
        plain.parent.mkdir(parents=True, exist_ok=True)
        parquet.parent.mkdir(parents=True, exist_ok=True)
        random, first = np.random.default_rng(k), k * N_ROWS
        columns = {"id": np.arange(first, first + N_ROWS), "key": (np.arange(N_ROWS) % 100).astype(np.int32)}
        columns |= {f"i{j}": random.integers(0, 1_000_000, N_ROWS) for j in range(8)}
        columns |= {f"f{j}": random.random(N_ROWS) for j in range(6)}
        columns |= {f"s{j}": np.char.add("name-", random.integers(0, 100_000, N_ROWS).astype(str)) for j in range(2)}
        table = pa.table(columns)
        table = table.append_column("d0", pa.array(np.array(["red", "green", "blue", "black"])[random.integers(0, 4, N_ROWS)]).dictionary_encode())
        table = table.append_column("ts", pa.array(1_700_000_000_000_000 + np.arange(first, first + N_ROWS) * 1000, pa.timestamp("us")))
        with pa.OSFile(str(plain), "wb") as sink, pa.ipc.new_file(sink, table.schema) as writer:
            writer.write_table(table, max_chunksize=50_000)
        pyarrow.parquet.write_table(table, parquet, row_group_size=50_000)


def run(extension, folder, reader, query):
    import duckdb

    db = duckdb.connect(config={"allow_unsigned_extensions": "true"})
    if reader == "ours":
        db.execute(f"load '{extension}'")
        table = f"read_arrow('{folder}/arrow')"
    elif reader == "ours, condition":
        db.execute(f"load '{extension}'")
        table = f"read_arrow('{folder}/arrow', condition := 'id >= 4000000 and id <= 4100000')"
    elif reader == "ours, statistics":
        db.execute(f"load '{extension}'")
        table = f"read_arrow('{folder}/statistics', condition := 'id >= 4000000 and id <= 4100000', trust_statistics := true)"
    elif reader == "parquet":
        table = f"read_parquet('{folder}/parquet/*.parquet')"
    else:
        import pyarrow.dataset

        db.register("t", pyarrow.dataset.dataset(f"{folder}/arrow", format="ipc"))
        table = None
    if table:
        db.execute(f"create view t as from {table}")
    read = lambda: int(re.search(r"rchar: (\d+)", pathlib.Path("/proc/self/io").read_text())[1])
    n_read, cpu, wall = read(), time.process_time(), time.perf_counter()
    answer = db.sql(QUERIES[query]).fetchall()
    cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000
    answer = [round(value, 0) if isinstance(value, float) else str(value) for value in answer[0]]
    print(json.dumps({"cpu": cpu, "wall": wall, "peak": peak, "read": (read() - n_read) / 1e6, "answer": answer}))


def copy(extension, folder, writer):
    """Writes all rows, which come from Parquet."""
    import duckdb
    import pyarrow as pa

    db = duckdb.connect(config={"allow_unsigned_extensions": "true"})
    db.execute(f"load '{extension}'")
    source, target = f"read_parquet('{folder}/parquet/*.parquet')", pathlib.Path(folder) / f"written.{writer}"
    cpu, wall = time.process_time(), time.perf_counter()
    if writer == "pyarrow":
        reader = db.sql(f"from {source}").to_arrow_reader(122_880)
        with pa.OSFile(str(target), "wb") as sink, pa.ipc.new_file(sink, reader.schema) as output:
            for batch in reader:
                output.write_batch(batch)
    elif writer == "parquet":
        db.execute(f"copy (from {source}) to '{target}' (format parquet)")
    else:
        db.execute(f"copy (select t from {source} t) to '{target}' (format arrow, container file, compression {'none' if writer == 'ours' else 'zstd'})")
    cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000
    print(f"| copy | {writer} | {cpu:.2f} | {wall:.2f} | {peak:.0f} | {target.stat().st_size / 1e6:.0f} written |", flush=True)
    target.unlink()


if __name__ == "__main__":
    if len(sys.argv) < 5:
        make(pathlib.Path(sys.argv[2]))
        n_repeats = int(sys.argv[3]) if len(sys.argv) > 3 else 3
        print("| query | reader | CPU s | s | peak MB | read MB |\n|---|---|--:|--:|--:|--:|")
        for query in QUERIES:
            readers = ["ours", "pyarrow", "parquet"] + (["ours, condition"] if query == "range" else [])
            if query == "range" and (pathlib.Path(sys.argv[2]) / "statistics").exists():
                readers.append("ours, statistics")
            found = {reader: [] for reader in readers}
            for _ in range(n_repeats):
                for reader in readers:
                    done = subprocess.run([sys.executable, __file__, sys.argv[1], sys.argv[2], reader, query], capture_output=True, text=True)
                    assert done.returncode == 0, done.stderr
                    found[reader].append(json.loads(done.stdout))
            assert len({str(runs[0]["answer"]) for runs in found.values()}) == 1, found
            for reader, runs in found.items():
                least = {name: min(each[name] for each in runs) for name in ("cpu", "wall", "peak", "read")}
                print(f"| {query} | {reader} | {least['cpu']:.2f} | {least['wall']:.2f} | {least['peak']:.0f} | {least['read']:.0f} |", flush=True)
        for writer in ["ours", "ours-zstd", "parquet", "pyarrow"] * n_repeats:
            subprocess.run([sys.executable, __file__, sys.argv[1], sys.argv[2], "copy", writer], check=True)
    elif sys.argv[3] == "copy":
        copy(sys.argv[1], sys.argv[2], sys.argv[4])
    else:
        run(*sys.argv[1:])
