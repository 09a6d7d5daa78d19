"""Processor time of `to_pylist` and of a loop over an array, and of making an array of values, beside pyarrow: best and median of runs
that are interleaved."""

import datetime
import gc
import statistics
import sys
import time
import uuid
import zoneinfo
from decimal import Decimal

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
N_MADE = 100_000
START = datetime.datetime(2020, 1, 1)
BERLIN = zoneinfo.ZoneInfo("Europe/Berlin")
MADE = {
    "`time`": lambda k: datetime.time(k % 24, k % 60, k * 7 % 60, k * 13 % 1_000_000),
    "`timedelta`": lambda k: datetime.timedelta(k % 1000 - 500, k % 86_400, k * 11 % 1_000_000),
    "`date`": lambda k: datetime.date.fromordinal(700_000 + k % 40_000),
    "`datetime` of `zoneinfo`": lambda k: (START + datetime.timedelta(seconds=k * 1001, microseconds=k)).replace(tzinfo=BERLIN),
    "`float`": lambda k: k / 2,
    "`str`": lambda k: f"text {k}",
    "`int`": lambda k: k,
    "`list` of 3 `int`": lambda k: [k, k + 1, k + 2],
    "`datetime`": lambda k: START + datetime.timedelta(seconds=k * 1001, microseconds=k),
    "`dict` of 2": lambda k: {"a": k, "b": "x"},
    "`datetime` of UTC": lambda k: (START + datetime.timedelta(seconds=k * 1001)).replace(tzinfo=datetime.timezone.utc),
    "`UUID`": lambda k: uuid.UUID(int=k << 70 | k),
    "`Decimal`": lambda k: Decimal(k).scaleb(-2),
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
print("| 100,000 values | `Array(values)` ms | pyarrow's `array(values)` ms | ratio |\n|---|--:|--:|--:|")
for name, value in MADE.items():
    values = [value(k) for k in range(N_MADE)]
    works = [lambda values=values: arrow_ipc.Array(values), lambda values=values: pa.array(values)]
    ours, theirs = zip(*[[seconds(work) * 1_000 for work in works] for _ in range(3 * N_RUNS)], strict=True)
    cells = " | ".join(f"{min(times):.1f} ({statistics.median(times):.1f})" for times in (ours, theirs))
    print(f"| {name} | {cells} | {min(ours) / min(theirs):.2f} |")
print()
print("| values | `to_pylist` ms | a loop ms | pyarrow's `to_pylist` ms |\n|---|--:|--:|--:|")
for name, make in CASES.items():
    theirs = make()
    ours = arrow_ipc.RecordBatch.from_arrow(pa.record_batch({"c": theirs}))["c"]
    works = [ours.to_pylist, lambda ours=ours: loop(ours), theirs.to_pylist]
    runs = list(zip(*[[seconds(work) * 1_000 for work in works] for _ in range(N_RUNS)], strict=True))
    print(f"| {name} | " + " | ".join(f"{min(times):.0f} ({statistics.median(times):.0f})" for times in runs) + " |")
