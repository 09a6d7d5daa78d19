#!/usr/bin/env python3
"""How reading scales: all batches of one compressed file, read by 1, 2, 4 … threads that share it.

    bench_threads.py [--megabytes 256] [--rounds 3]

Prints the best time of each number of threads. With as many cores as threads, twice the threads take half the time.
"""

import argparse
import io
import os
import time
from concurrent.futures import ThreadPoolExecutor

import arrow_ipc
import numpy as np
import pyarrow as pa


def content(n_megabytes):
    random = np.random.default_rng(7)
    batch = pa.record_batch({f"c{k}": pa.array(random.integers(0, 1 << 20, 65_536)) for k in range(10)})
    n_batches = max(1, n_megabytes * (1 << 20) // batch.nbytes)
    target = io.BytesIO()
    arrow_ipc.write_file(target, [batch] * n_batches, compression="zstd")
    return target.getvalue()


def seconds(file, n_threads):
    start = time.perf_counter()
    with ThreadPoolExecutor(n_threads) as pool:
        assert sum(pool.map(lambda k: file.batch(k).num_rows, range(file.num_batches))) == file.num_rows
    return time.perf_counter() - start


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--megabytes", type=int, default=256)
    parser.add_argument("--rounds", type=int, default=3)
    arguments = parser.parse_args()
    file = arrow_ipc.open(content(arguments.megabytes))
    print(f"{file.num_batches} batches, {os.cpu_count()} cores")
    n_threads = 1
    while n_threads <= 2 * (os.cpu_count() or 1):
        best = min(seconds(file, n_threads) for _ in range(arguments.rounds))
        print(f"{n_threads:3} threads {best * 1e3:9.1f} ms")
        n_threads *= 2


if __name__ == "__main__":
    main()
