"""Measures `convert` on a file of 1 GB, interleaved with `cp` and pyarrow: wall time, processor time, peak memory.

    bench_convert.py PROGRAM [FOLDER] [ROUNDS]

The folder gets 4 GB. `convert` waits until its output is on disk; `cp` and pyarrow do not.
"""

import os
import pathlib
import subprocess
import sys
import tempfile
import time

N_ROWS = 1 << 18
N_BYTES = 1_000_000_000

RECOMPRESS = """
import sys, pyarrow as pa
source = pa.ipc.open_file(pa.OSFile(sys.argv[1]))
options = pa.ipc.IpcWriteOptions(compression="zstd")
with pa.ipc.new_file(sys.argv[2], source.schema, options=options) as sink:
    for number in range(source.num_record_batches):
        sink.write_batch(source.get_batch(number))
"""


def batch(number, random):
    """Numbers in order, of few values and random ones, times, floats, text, and numbers with nulls."""
    import numpy as np
    import pyarrow as pa

    words = np.array([f"customer {word:05d} of the east" for word in range(5000)])
    ids = np.arange(number * N_ROWS, (number + 1) * N_ROWS, dtype=np.int64)
    columns = {
        "id": ids,
        "price": random.integers(0, 100_000, N_ROWS) / 100,
        "kind": random.integers(0, 50, N_ROWS).astype(np.int32),
        "time": 1_600_000_000_000_000 + ids * 1000 + random.integers(0, 1000, N_ROWS),
        "noise": random.standard_normal(N_ROWS).astype(np.float32),
        "name": words[random.integers(0, 5000, N_ROWS)],
        "count": pa.array(random.integers(0, 1000, N_ROWS), mask=random.random(N_ROWS) < 0.1),
    }
    return pa.record_batch([pa.array(column) for column in columns.values()], names=list(columns))


def make(folder):
    """In a process of its own: the most memory that a process had counts for those that it starts."""
    import numpy as np
    import pyarrow as pa

    raw, lz4 = pathlib.Path(folder) / "raw.arrow", pathlib.Path(folder) / "lz4.arrow"
    random = np.random.default_rng(1)
    first = batch(0, random)
    options = pa.ipc.IpcWriteOptions(compression="lz4")
    with pa.ipc.new_file(raw, first.schema) as plain, pa.ipc.new_file(lz4, first.schema, options=options) as packed:
        for number in range(N_BYTES // first.nbytes):
            made = batch(number, random)
            plain.write_batch(made)
            packed.write_batch(made)


def measure(command):
    start = time.monotonic()
    process = subprocess.Popen(command)
    _, status, usage = os.wait4(process.pid, 0)
    assert status == 0, command
    return time.monotonic() - start, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def main(program, folder=None, n_rounds=3):
    with tempfile.TemporaryDirectory(dir=folder) as folder:
        folder = pathlib.Path(folder)
        raw, lz4 = folder / "raw.arrow", folder / "lz4.arrow"
        subprocess.run([sys.executable, __file__, "--make", folder], check=True)
        stream, file = folder / "out.arrows", folder / "out.arrow"
        convert = [program, "convert"]
        works = {
            "raw, file to stream": {
                "cp": ["cp", raw, stream],
                "convert": [*convert, raw, "-o", stream],
                "convert --unchecked": [*convert, "--unchecked", raw, "-o", stream],
            },
            "LZ4 to ZSTD": {
                "pyarrow": [sys.executable, "-c", RECOMPRESS, lz4, file],
                "convert": [*convert, lz4, "-o", file, "--compression", "zstd"],
                "convert --unchecked": [*convert, "--unchecked", lz4, "-o", file, "--compression", "zstd"],
            },
        }
        for work, commands in works.items():
            found = {name: [] for name in commands}
            for _ in range(int(n_rounds)):
                for name, command in commands.items():
                    found[name].append(measure([str(word) for word in command]))
            for name, runs in found.items():
                wall, cpu, memory = (min(run[0] for run in runs), min(run[1] for run in runs), max(run[2] for run in runs))
                print(f"{work:22} {name:20} {wall:6.2f} s  {cpu:6.2f} s of processor  {memory:5.0f} MB")


if __name__ == "__main__":
    make(sys.argv[2]) if sys.argv[1] == "--make" else main(*sys.argv[1:])
