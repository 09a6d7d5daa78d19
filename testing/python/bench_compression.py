"""Measures how Arrow C++ writes and reads compressed bodies: the data of `testing/peers/src/compression_contests.rs`, on one
thread. Reading is measured without and with a check of contents: we and arrow-rs check, C++ does so only when it is asked to.
Prints medians of processor time; compare them with those of `bench-peers` from the same minute.

    python testing/python/bench_compression.py [WORD...]
"""

import sys
import time

import numpy as np
import pyarrow as pa

N_LARGE = (64 << 10, 8)
N_SMALL = (512, 100)
N_BATCHES = 8


def mixed(k):
    with np.errstate(over="ignore"):
        k = k * np.uint64(0x9E3779B97F4A7C15)
        return ((k ^ (k >> np.uint64(29))) * np.uint64(0xBF58476D1CE4E5B9)) >> np.uint64(20)


def rows(n_rows, column_idx):
    return np.arange(n_rows, dtype=np.uint64) + np.uint64(column_idx)


def sorted_integers(n_rows, column_idx):
    return pa.array(np.cumsum((mixed(rows(n_rows, column_idx)) % np.uint64(1000)).astype(np.int64)))


def floats(n_rows, column_idx):
    k = rows(n_rows, column_idx)
    return pa.array((mixed(k) ^ mixed(k * np.uint64(31) + np.uint64(7))).astype(np.float64) / 3.0)


def text(n_rows, column_idx):
    numbers = mixed(rows(n_rows, column_idx)) % np.uint64(1000)
    return pa.array([f"a word of plain letters {number}" for number in numbers])


SETS = [
    ("sorted i64, 512 KiB", sorted_integers, N_LARGE),
    ("f64, 512 KiB", floats, N_LARGE),
    ("text, 1.6 MiB", text, N_LARGE),
    ("sorted i64, 4 KiB", sorted_integers, N_SMALL),
    ("text, 13 KiB", text, N_SMALL),
]


def median(work, n_rounds=15):
    times = []
    for _ in range(n_rounds):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return sorted(times)[n_rounds // 2] * 1e6 / N_BATCHES


def write(batch, options):
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, batch.schema, options=options) as writer:
        for _ in range(N_BATCHES):
            writer.write_batch(batch)
    return sink.getvalue()


def read(stream, checks=False):
    with pa.ipc.open_stream(stream, options=pa.ipc.IpcReadOptions(use_threads=False)) as reader:
        for batch in reader:
            if checks:
                batch.validate(full=True)
            del batch


def main():
    words = sys.argv[1:]
    pa.set_cpu_count(1)
    works = []
    for name, column, (n_rows, n_columns) in SETS:
        columns = [column(n_rows, idx) for idx in range(n_columns)]
        batch = pa.record_batch(columns, names=[f"column {idx}" for idx in range(n_columns)])
        for codec in ["lz4", "zstd"]:
            level = 1 if codec == "zstd" else None
            options = pa.ipc.IpcWriteOptions(compression=pa.Codec(codec, level), use_threads=False)
            stream = write(batch, options)
            works.append((f"write {codec.upper()}: {name}", lambda b=batch, o=options: write(b, o), batch.nbytes))
            works.append((f"read {codec.upper()}: {name}", lambda s=stream: read(s), batch.nbytes))
            works.append((f"read and check {codec.upper()}: {name}", lambda s=stream: read(s, True), batch.nbytes))
    print("| work | C++ | GB/s |\n|---|--:|--:|")
    for name, work, n_bytes in sorted(works, key=lambda row: row[0], reverse=True):
        if not words or any(word in name for word in words):
            micros = median(work)
            print(f"| {name} | {micros:.1f}µs | {n_bytes / micros / 1000:.2f} |")


main()
