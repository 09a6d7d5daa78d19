#!/usr/bin/env python3
"""Reads 2 of 50 columns of a file into polars and pandas: this package against pyarrow, each in processes of its own.

    bench_select.py [--megabytes 1024] [--rounds 5] [--file PATH] [--compression lz4]

The file has 50 columns, of which every fifth is text, in batches of 65,536 rows. Processes of all contestants take turns; of each
the best and the median time are printed, from before the file is opened until the frame is there, the time of processors, and
the largest peak of resident memory above what the imports took. The file is in the system's cache. Needs Linux, for the peak.
"""

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

N_COLUMNS, N_ROWS = 50, 65_536
NUMBER, TEXT = "c21", "c25"

# What is read, by whom, and into what.
CONTESTANTS = {
    "pyarrow, open_file + read": "read_pyarrow",
    "pyarrow, from a memory map": "read_pyarrow_mapped",
    "arrow_ipc": "read_ours",
    "arrow_ipc, from a memory map": "read_ours_mapped",
    "arrow_ipc, deferred validation": "read_ours_deferred",
}


def read_pyarrow(path):
    import pyarrow as pa

    with pa.OSFile(path) as source:
        schema = pa.ipc.open_file(source).schema
        wanted = [schema.get_field_index(name) for name in (NUMBER, TEXT)]
        return pa.ipc.open_file(source, options=pa.ipc.IpcReadOptions(included_fields=wanted)).read_all()


def read_pyarrow_mapped(path):
    import pyarrow as pa

    with pa.memory_map(path) as source:
        schema = pa.ipc.open_file(source).schema
        wanted = [schema.get_field_index(name) for name in (NUMBER, TEXT)]
        return pa.ipc.open_file(source, options=pa.ipc.IpcReadOptions(included_fields=wanted)).read_all()


def read_ours(path, **options):
    import arrow_ipc

    return arrow_ipc.open(path, **options).select([NUMBER, TEXT])


def read_ours_mapped(path):
    return read_ours(path, memory_map=True)


def read_ours_deferred(path):
    return read_ours(path, validation="structure")


def into_polars(batches):
    import polars

    return polars.DataFrame(batches)


def into_pandas(batches):
    import pandas

    return pandas.DataFrame.from_arrow(batches)


def into_pyarrow(batches):
    import pyarrow

    return pyarrow.table(batches)


def work(contestant, into, path):
    """One read in this process: seconds, and kilobytes of peak memory above the imports."""
    import arrow_ipc  # noqa: F401
    import pandas  # noqa: F401
    import polars
    import pyarrow  # noqa: F401

    polars.thread_pool_size()
    # The peak so far is forgotten.
    Path("/proc/self/clear_refs").write_text("5", encoding="ascii")
    before = kilobytes("VmHWM")
    start, cpu_start = time.perf_counter(), time.process_time()
    frame = globals()[f"into_{into}"](globals()[contestant](path))
    seconds, cpu_seconds = time.perf_counter() - start, time.process_time() - cpu_start
    peak = kilobytes("VmHWM")
    print(json.dumps({"seconds": seconds, "cpu": cpu_seconds, "kilobytes": peak - before, "n_rows": len(frame)}))


def kilobytes(name):
    """A line of the process's status."""
    lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    (line,) = (line for line in lines if line.startswith(f"{name}:"))
    return int(line.split()[1])


def write(path, n_megabytes, compression):
    import numpy as np
    import pyarrow as pa

    random = np.random.default_rng(7)
    words = np.array([f"word {k} of some length" for k in range(5_000)])
    columns = {}
    for k in range(N_COLUMNS):
        if k % 5 == 0:
            columns[f"c{k}"] = pa.array(words[random.integers(0, len(words), N_ROWS)])
        else:
            columns[f"c{k}"] = pa.array(random.integers(0, 1 << 40, N_ROWS))
    batch = pa.record_batch(columns)
    n_batches = max(1, n_megabytes * (1 << 20) // batch.nbytes)
    options = pa.ipc.IpcWriteOptions(compression=compression)
    with pa.ipc.new_file(path, batch.schema, options=options) as writer:
        for _ in range(n_batches):
            writer.write_batch(batch)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--megabytes", type=int, default=1024)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--file", help="where the file is, or is written if there is none")
    parser.add_argument("--compression")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(arguments.file or Path(folder) / "fifty.arrow")
        if not path.exists():
            write(str(path), arguments.megabytes, arguments.compression)
        print(f"{path.stat().st_size / 1e6:.0f} MB, {arguments.rounds} rounds")
        for into in ("pyarrow", "polars", "pandas"):
            compare(into, path, arguments.rounds)


def compare(into, path, n_rounds):
    with open(path, "rb") as file:
        while file.read(1 << 20):  # into the system's cache
            pass
    runs = {name: [] for name in CONTESTANTS}
    for _ in range(n_rounds):
        for name, contestant in CONTESTANTS.items():
            command = [sys.executable, __file__, "--work", contestant, into, str(path)]
            runs[name].append(json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout))
    (n_rows,) = {run["n_rows"] for results in runs.values() for run in results}
    print(f"\ninto {into}, {n_rows:,} rows            best ms   median ms   median CPU ms   peak MB")
    for name, results in runs.items():
        times = [run["seconds"] * 1e3 for run in results]
        cpu = statistics.median(run["cpu"] * 1e3 for run in results)
        peak = max(run["kilobytes"] for run in results) / 1e3
        print(f"  {name:34} {min(times):8.1f} {statistics.median(times):11.1f} {cpu:15.1f} {peak:9.0f}")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--work"]:
        work(*sys.argv[2:])
    else:
        main()
