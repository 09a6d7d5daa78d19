#!/usr/bin/env python3
"""What is done every day, beside pyarrow: processor time, and the peak of memory above the imports, each in processes of its own.

    bench_beside.py [--megabytes 512] [--rounds 5] [--folder FOLDER]

Both take turns; of each the best and the median processor time are printed, and the largest peak. Files are in the system's cache.
Reading 2 of 50 columns into polars and pandas has more contestants in `bench_select.py`. Needs Linux, for the peak.
"""

import argparse
import io
import json
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from bench_select import NUMBER, TEXT, kilobytes, read_ours, read_pyarrow, write

N_FILES = 1_000


def iterate_ours(folder, **options):
    import arrow_ipc

    return sum(batch.num_rows for batch in arrow_ipc.open(folder / "fifty.arrow", **options))


def iterate_deferred(folder):
    """Without the content, at which pyarrow does not look either."""
    return iterate_ours(folder, validation="structure")


def iterate_pyarrow(folder):
    import pyarrow as pa

    with pa.OSFile(str(folder / "fifty.arrow")) as source:
        file = pa.ipc.open_file(source)
        n_rows = 0
        for k in range(file.num_record_batches):
            batch = file.get_batch(k)
            n_rows += batch.num_rows
        return n_rows


def open_ours(folder):
    import arrow_ipc

    return sum(len(arrow_ipc.open(path).batch(0)) for path in sorted(folder.glob("small*")))


def open_pyarrow(folder):
    import pyarrow as pa

    n_rows = 0
    for path in sorted(folder.glob("small*")):
        with pa.OSFile(str(path)) as source:
            n_rows += pa.ipc.open_file(source).get_batch(0).num_rows
    return n_rows


def polars_ours(folder):
    import polars

    return len(polars.DataFrame(read_ours(folder / "fifty.arrow")))


def polars_pyarrow(folder):
    import polars

    return len(polars.DataFrame(read_pyarrow(str(folder / "fifty.arrow"))))


def pandas_ours(folder):
    import pandas

    return len(read_ours(folder / "fifty.arrow").to_pandas())


def pandas_pyarrow(folder):
    import pandas

    return len(read_pyarrow(str(folder / "fifty.arrow")).to_pandas())


def rows_ours(folder, **options):
    """All rows, which stay in their batches."""
    import arrow_ipc

    return len(arrow_ipc.open(folder / "fifty.arrow", **options)[:])


def rows_pyarrow(folder):
    import pyarrow as pa

    return len(pa.ipc.open_file(pa.OSFile(str(folder / "fifty.arrow"))).read_all())


def mapped_ours(folder):
    return rows_ours(folder, memory_map=True)


def mapped_pyarrow(folder):
    import pyarrow as pa

    return len(pa.ipc.open_file(pa.memory_map(str(folder / "fifty.arrow"))).read_all())


class Nowhere(io.RawIOBase):
    """Where bytes are counted."""

    n_bytes = 0

    def writable(self):
        return True

    def write(self, data):
        self.n_bytes += len(data)
        return len(data)

    def tell(self):
        return self.n_bytes


def zstd_ours(table):
    import arrow_ipc

    arrow_ipc.write_file(Nowhere(), table, compression="zstd:1")


def zstd_pyarrow(table):
    import pyarrow as pa

    options = pa.ipc.IpcWriteOptions(compression=pa.Codec("zstd", 1), use_threads=False)
    with pa.PythonFile(Nowhere(), "wb") as out, pa.ipc.new_file(out, table.schema, options=options) as writer:
        writer.write_table(table)


def values(array):
    return len(array.to_pylist())


def table_of(folder):
    """Some numbers and text, with pyarrow."""
    import pyarrow as pa

    with pa.OSFile(str(folder / "fifty.arrow")) as source:
        options = pa.ipc.IpcReadOptions(included_fields=list(range(10)))
        return pa.ipc.open_file(source, options=options).read_all()


def integers(_):
    import pyarrow as pa

    return pa.array(range(10_000_000))


def texts(_):
    import pyarrow as pa

    return pa.array([f"string number {k}" for k in range(1_000_000)])


def taken(array):
    import arrow_ipc
    import pyarrow as pa

    return arrow_ipc.RecordBatch.from_arrow(pa.record_batch({"c": array}))["c"]


# What is made before the clock starts, ours and theirs.
CASES = {
    f"{NUMBER} and {TEXT} of 50 columns into polars": (lambda folder: folder, polars_ours, polars_pyarrow),
    f"{NUMBER} and {TEXT} of 50 columns into pandas": (lambda folder: folder, pandas_ours, pandas_pyarrow),
    "iterating a file, all columns": (lambda folder: folder, iterate_ours, iterate_pyarrow),
    "iterating a file, content not checked": (lambda folder: folder, iterate_deferred, iterate_pyarrow),
    "all rows, `file[:]` and `read_all`": (lambda folder: folder, rows_ours, rows_pyarrow),
    "all rows of a mapped file": (lambda folder: folder, mapped_ours, mapped_pyarrow),
    "`to_pylist` of 10 M integers": (integers, lambda array: values(taken(array)), values),
    "`to_pylist` of 1 M texts": (texts, lambda array: values(taken(array)), values),
    "writing ZSTD, level 1, 10 columns": (table_of, zstd_ours, zstd_pyarrow),
    f"opening {N_FILES:,} files, one batch each": (lambda folder: folder, open_ours, open_pyarrow),
}


def work(name, who, folder):
    """One run in this process."""
    import arrow_ipc  # noqa: F401
    import pandas  # noqa: F401
    import polars
    import pyarrow  # noqa: F401

    polars.thread_pool_size()
    made = CASES[name][0](Path(folder))
    # The peak so far is forgotten.
    Path("/proc/self/clear_refs").write_text("5", encoding="ascii")
    before, start = kilobytes("VmRSS"), time.process_time()
    CASES[name][1 + (who == "pyarrow")](made)
    print(json.dumps({"cpu": time.process_time() - start, "kilobytes": kilobytes("VmHWM") - before}))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--megabytes", type=int, default=512)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--folder")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(arguments.folder or temporary)
        if not (folder / "fifty.arrow").exists():
            write(str(folder / "fifty.arrow"), arguments.megabytes, None)
            for k in range(N_FILES):
                write_small(folder / f"small{k}.arrow")
        print("| work | ms | pyarrow's | peak MB | pyarrow's |\n|---|--:|--:|--:|--:|")
        for name in CASES:
            runs = {"arrow_ipc": [], "pyarrow": []}
            for _ in range(arguments.rounds):
                for who, found in runs.items():
                    command = [sys.executable, __file__, "--work", name, who, str(folder)]
                    found.append(json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout))
            times = [[run["cpu"] * 1e3 for run in found] for found in runs.values()]
            shown = " | ".join(f"{min(each):.0f} ({statistics.median(each):.0f})" for each in times)
            peaks = " | ".join(f"{max(run['kilobytes'] for run in found) / 1e3:.0f}" for found in runs.values())
            print(f"| {name} | {shown} | {peaks} |", flush=True)


def write_small(path):
    import arrow_ipc
    import pyarrow as pa

    arrow_ipc.write_file(path, pa.table({"id": list(range(100)), "name": ["ada"] * 100, "value": [1.5] * 100}))


if __name__ == "__main__":
    if sys.argv[1:2] == ["--work"]:
        work(*sys.argv[2:])
    else:
        main()
