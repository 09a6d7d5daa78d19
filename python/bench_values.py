"""Processor time of `to_pylist` and of a loop over an array, beside pyarrow: best and median of runs that are interleaved."""

import gc
import statistics
import sys
import time

import arrow_ipc
import pyarrow as pa

N_RUNS = int(sys.argv[1]) if len(sys.argv) > 1 else 5
WORDS = [f"string number {k}" for k in range(1_000_000)]
CASES = {
    "10 M `int64`": lambda: pa.array(range(10_000_000)),
    "1 M `utf8`": lambda: pa.array(WORDS),
    "1 M `timestamp(us)`": lambda: pa.array(range(1_000_000), pa.timestamp("us")),
    '1 M `timestamp(us, "Europe/Berlin")`': lambda: pa.array(range(0, 10**12, 10**6), pa.timestamp("us", "Europe/Berlin")),
    "1 M `list<int64>` of 3": lambda: pa.array([[1, 2, 3]] * 1_000_000),
    "1 M `struct` of 2": lambda: pa.array([{"a": 1, "b": "x"}] * 1_000_000),
    "1 M `decimal128(25, 2)`": lambda: pa.array(range(1_000_000)).cast(pa.decimal128(25, 2)),
    "1 M `dictionary` of 100 texts": lambda: pa.array([f"w{k % 100}" for k in range(1_000_000)]).dictionary_encode(),
}


def seconds(work):
    before = time.process_time()
    made = work()
    taken = time.process_time() - before
    del made
    return taken


def loop(array):
    for _ in array:
        pass


gc.disable()
print("| values | `to_pylist` ms | a loop ms | pyarrow's `to_pylist` ms |\n|---|--:|--:|--:|")
for name, make in CASES.items():
    theirs = make()
    ours = arrow_ipc.RecordBatch.from_arrow(pa.record_batch({"c": theirs}))["c"]
    works = [ours.to_pylist, lambda ours=ours: loop(ours), theirs.to_pylist]
    runs = list(zip(*[[seconds(work) * 1_000 for work in works] for _ in range(N_RUNS)], strict=True))
    print(f"| {name} | " + " | ".join(f"{min(times):.0f} ({statistics.median(times):.0f})" for times in runs) + " |")
