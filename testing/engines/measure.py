"""Prints the table of testing/engines/RESULTS.md: engines over their own readers of Arrow files and over the package.

measure.py FOLDER [REPEATS]     makes 64 files of 200,000 rows in FOLDER, once; run with a release build of the package
measure.py FOLDER workers [REPEATS]     only one worker of Dask beside two
measure.py FOLDER small     only the bytes that are read of small files for a condition that one of them satisfies
measure.py FOLDER http [REPEATS]     only three of 100 columns of 64 files over HTTP, with answers after 30 ms, and once after 1 s

Each number is the least of the repeats: processor seconds of the query, without imports; peak memory of the process; bytes asked of the
system by `read` and `pread` (what is mapped does not count). Only ratios mean something on a machine that does other things.
"""

import json
import multiprocessing
import os
import pathlib
import pickle
import subprocess
import sys
import threading
import time

import arrow_ipc
import numpy as np
import pyarrow as pa
from queries import n_read

N_FILES, N_ROWS = 64, 200_000
HERE = pathlib.Path(__file__).resolve().parent


def make(folder):
    for k in range(N_FILES):
        for name in ("plain", "statistics", "zstd"):
            (folder / name).mkdir(parents=True, exist_ok=True)
        plain = folder / f"plain/part-{k:03}.arrow"
        if (folder / f"zstd/part-{k:03}.arrow").exists():
            continue
        random, first = np.random.default_rng(k), k * N_ROWS
        columns = {"id": np.arange(first, first + N_ROWS), "key": (np.arange(N_ROWS) % 100).astype(np.int32)}
        columns |= {f"i{j}": random.integers(0, 1_000_000, N_ROWS) for j in range(8)}
        columns |= {f"f{j}": random.random(N_ROWS) for j in range(6)}
        columns |= {f"s{j}": np.char.add("name-", random.integers(0, 100_000, N_ROWS).astype(str)) for j in range(2)}
        table = pa.table(columns)
        colors = np.array(["red", "green", "blue", "black"])[random.integers(0, 4, N_ROWS)]
        table = table.append_column("d0", pa.array(colors).dictionary_encode())
        moments = 1_700_000_000_000_000 + np.arange(first, first + N_ROWS) * 1000
        table = table.append_column("ts", pa.array(moments, pa.timestamp("us")))
        arrow_ipc.write_file(plain, table.to_batches(max_chunksize=50_000))
        arrow_ipc.convert(plain, folder / f"statistics/{plain.name}", statistics=True)
        arrow_ipc.convert(plain, folder / f"zstd/{plain.name}", compression="zstd")


def run(*args):
    done = subprocess.run([sys.executable, "-W", "ignore", HERE / "queries.py", *map(str, args)], capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(done.stderr[-2000:])
    return json.loads(done.stdout.splitlines()[-1])


def table(folder, repeats):
    print("| engine, query | reader | CPU s | peak MB (after imports) | read MB |\n|---|---|---|---|---|")
    for engine in ("datafusion", "duckdb", "polars"):
        for query in ("two", "all", "range", "count"):
            found = {"native": [], "ours": []}
            for _ in range(repeats):
                # Interleaved, since other things run.
                found["native"].append(run(engine, "native", query, folder / "plain"))
                found["ours"].append(run(engine, "ours", query, folder / "statistics"))
            assert found["native"][0]["answer"] == found["ours"][0]["answer"], (engine, query)
            for reader, runs in found.items():
                least = {name: min(each[name] for each in runs) for name in ("run_s", "peak_mb", "before_mb", "read_mb")}
                memory = f"{least['peak_mb']:.0f} ({least['before_mb']:.0f})"
                print(f"| {engine}, {query} | {reader} | {least['run_s']:.2f} | {memory} | {least['read_mb']:.0f} |", flush=True)


def plans(folder, n_files=10_000):
    """Footers of files that are links to a small one."""
    many = folder / "many"
    if not (many / f"{n_files - 1:05}.arrow").exists():
        many.mkdir(exist_ok=True)
        arrow_ipc.write_file(many / "00000.arrow", pa.table({"n": [1, 2, 3, 4], "x": list("abcd")}), row_counts="written")
        for k in range(1, n_files):
            os.link(many / "00000.arrow", many / f"{k:05}.arrow")
    wall, start = time.perf_counter(), time.process_time()
    data = arrow_ipc.dataset(many)
    opened, wall = time.process_time() - start, time.perf_counter() - wall
    start = time.process_time()
    tasks = data.split(1)
    split = time.process_time() - start
    pickled = pickle.dumps(tasks[-1])
    start = time.process_time()
    for task in tasks[:1000]:
        pickle.loads(pickle.dumps(task)).select(["n"])
    each = (time.process_time() - start) / 1000
    print(f"{n_files} footers: {opened:.2f} s of processors, {wall:.2f} s; {len(tasks)} tasks in {split:.3f} s; "
          f"{len(pickled)} bytes pickled, {each * 1e6:.0f} µs of Python for each")


def numbers(n_columns, first, n_rows):
    """Columns that do not get smaller."""
    random = np.random.default_rng(first)
    columns = {f"c{k}": random.integers(0, 1 << 62, n_rows) for k in range(1, n_columns)}
    return pa.table({"id": np.arange(first, first + n_rows), **columns})


def small(folder, n_files=64, n_rows=37_500):
    """Files of 6 MB, and the bytes that are read for the rows of one of them, beside the bytes of these rows."""
    root = folder / "small"
    if not root.exists():
        files = [numbers(20, k * n_rows, n_rows) for k in range(n_files)]
        writer = arrow_ipc.DatasetWriter(root, files[0].schema)
        writer.commit(writer.write(file.to_batches(max_chunksize=n_rows // 4)) for file in files)
    last = (n_files - 1) * n_rows
    for columns in (["c3"], ["c3", "c7"], [f"c{k}" for k in range(1, 20)]):
        before = n_read()
        data = arrow_ipc.dataset(root, where=f"id >= {last}", trust_statistics=True).select(columns)
        found = sum(batch.num_rows for batch in data)
        assert found == n_rows
        # Those of the condition count, too.
        ratio = (n_read() - before) / (8 * n_rows * (len(columns) + 1))
        print(f"one of {n_files} files of 6 MB, {len(columns) + 1} of 20 columns: {ratio:.2f} times the bytes of its rows")


def serve(pipe, contents, delay):
    """Serves contents, each answer after a delay. Tells and forgets what was asked for, as often as anything is received."""
    sys.path.insert(0, str(HERE.parents[1] / "python/tests"))
    import range_server

    answers = []

    class Delayed(range_server.Handler):
        def send_header(self, name, value):
            if name == "Content-Length":
                self.n_bytes = int(value)
            super().send_header(name, value)

        def do_GET(self):
            start = time.monotonic()
            time.sleep(delay)
            super().do_GET()
            answers.append((time.monotonic(), start, self.n_bytes))

    with range_server.Server() as server:
        server.RequestHandlerClass = Delayed
        threading.Thread(target=server.serve_forever, daemon=True).start()
        pipe.send([server.put(name, content) for name, content in contents.items()])
        while pipe.recv():
            pipe.send(sorted(answers))
            answers.clear()


def http(folder, repeats, delay, n_files=64, n_rows=50_000):
    """Files of 100 columns."""
    table = numbers(100, 0, n_rows)
    path = folder / "http.arrow"
    arrow_ipc.write_file(path, table, row_counts="written")
    contents = {f"data/{k:08}.arrow": path.read_bytes() for k in range(n_files)}
    ours, theirs = multiprocessing.Pipe()
    process = multiprocessing.get_context("fork").Process(target=serve, args=(theirs, contents, delay), daemon=True)
    process.start()
    urls, found = ours.recv(), []
    for _ in range(repeats):
        wall, cpu = time.perf_counter(), time.process_time()
        data = arrow_ipc.dataset(urls).select(["c3", "c50", "c97"])
        assert sum(batch.num_rows for batch in data) == n_files * n_rows
        wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
        ours.send(True)
        answers, n_in_turn, last = ours.recv(), 0, 0.0
        # Of requests at the same time, the one that is answered first.
        for end, start, _ in answers:
            if start >= last:
                n_in_turn, last = n_in_turn + 1, end
        n_bytes = sum(n_bytes for _, _, n_bytes in answers) / (n_files * n_rows * 3 * 8)
        found.append((wall, cpu, n_bytes, len(answers), n_in_turn))
    wall, cpu, n_bytes, n_requests, n_in_turn = min(found)
    print(f"3 of 100 columns of {n_files} files over HTTP, {delay * 1000:.0f} ms: {wall:.2f} s ({cpu:.2f} s of processors), "
          f"{n_bytes:.3f} times their bytes, {n_requests} requests, at most {n_in_turn} one after the other")
    ours.send(False)
    process.join()


def limit_threads():
    """Of libraries in a worker, which would take the processors of others: each worker is one thread of Dask."""
    pa.set_cpu_count(1)
    pa.set_io_thread_count(1)


def workers(folder, repeats, target_bytes=16 << 20):
    """The same sum over compressed files by one worker of Dask and by two, one run after the other; each worker uses one thread."""
    import arrow_ipc.dask
    from dask.distributed import Client, LocalCluster

    found = {1: [], 2: []}
    for _ in range(repeats):
        for n_workers, runs in found.items():
            with (
                LocalCluster(n_workers=n_workers, threads_per_worker=1, host="127.0.0.1", dashboard_address=None) as cluster,
                Client(cluster) as client,
            ):
                client.run(limit_threads)
                frame = arrow_ipc.dask.read(folder / "zstd", target_bytes=target_bytes)
                frame[["key"]].sum().compute()
                start, before = time.perf_counter(), sum(client.run(time.process_time).values())
                frame.select_dtypes("number").sum().compute()
                cpu = sum(client.run(time.process_time).values()) - before
                runs.append((time.perf_counter() - start, cpu))
    (one, one_cpu), (two, two_cpu) = (min(runs) for runs in found.values())
    print(f"Dask, zstd, tasks of {target_bytes >> 20} MiB: {one:.1f} s by one worker ({one_cpu:.1f} s of processors), {two:.1f} s by two ({two_cpu:.1f} s): {one / two:.2f} times")


if __name__ == "__main__":
    place, what = pathlib.Path(sys.argv[1]), sys.argv[2:]
    n_repeats = int(what[-1]) if what and what[-1].isdecimal() else 3
    if what[:1] == ["small"]:
        small(place)
    elif what[:1] == ["http"]:
        http(place, n_repeats, 0.03)
        # So long that nothing else takes time: this tells which requests wait for others, also on a busy machine.
        http(place, 1, 1.0)
    else:
        make(place)
        if what[:1] != ["workers"]:
            table(place, n_repeats)
            plans(place)
        workers(place, n_repeats)
