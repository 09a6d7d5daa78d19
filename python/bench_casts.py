"""Processor time of `Array.cast` and of conditions on rows, beside pyarrow on one thread: best of runs that are interleaved."""

import gc
import random
import sys
import tempfile
import time

import arrow_ipc
import pyarrow as pa
import pyarrow.dataset as ds

N_RUNS = int(sys.argv[1]) if len(sys.argv) > 1 else 7
N = 1_000_000
random.seed(7)
pa.set_cpu_count(1)
INTEGERS = [random.randrange(-(10**12), 10**12) for _ in range(N)]
SMALL = pa.array([random.randrange(100_000) for _ in range(N)])
DAYS = pa.array([random.randrange(20_000) for _ in range(N)], pa.int32()).cast(pa.date32())
TIMES = pa.array([random.randrange(2 * 10**15) for _ in range(N)], pa.timestamp("us"))
FLOATS = pa.array([random.gauss(0, 1000) for _ in range(N)])
PRICES = pa.array([random.randrange(10**6) / 100 for _ in range(N)])
FLAGS = pa.array([random.random() < 0.5 for _ in range(N)])
AMOUNTS = SMALL.cast(pa.decimal128(20, 0)).cast(pa.decimal128(25, 2))
WORDS = [f"string number {random.randrange(1000)}" for _ in range(N)]
TEXT = pa.utf8()
CASTS = [
    ("utf8, 1,000 distinct", pa.array(WORDS), pa.dictionary(pa.int32(), TEXT)),
    ("utf8, all distinct", pa.array([f"string number {k}" for k in range(N)]), pa.dictionary(pa.int32(), TEXT)),
    ("dictionary", pa.array(WORDS).dictionary_encode(), TEXT),
    ("utf8", pa.array(WORDS), pa.large_utf8()),
    ("utf8", pa.array(WORDS), pa.string_view()),
    ("utf8_view", pa.array(WORDS).cast(pa.string_view()), TEXT),
    ("int64", pa.array(INTEGERS), TEXT),
    ("int64, small", SMALL, TEXT),
    ("float64", FLOATS, TEXT),
    ("float64, prices", PRICES, TEXT),
    ("float32", FLOATS.cast(pa.float32()), TEXT),
    ("bool", FLAGS, TEXT),
    ("date32", DAYS, TEXT),
    ("timestamp(us)", TIMES, TEXT),
    ("decimal128(25, 2)", AMOUNTS, TEXT),
    ("utf8", pa.array(INTEGERS).cast(TEXT), pa.int64()),
    ("utf8, prices", PRICES.cast(TEXT), pa.float64()),
    ("utf8", FLAGS.cast(TEXT), pa.bool_()),
    ("utf8", DAYS.cast(TEXT), pa.date32()),
    ("utf8", TIMES.cast(TEXT), pa.timestamp("us")),
    ("utf8, prices", PRICES.cast(TEXT), pa.decimal128(25, 2)),
    ("int64", SMALL, pa.int32()),
    ("int32", SMALL.cast(pa.int32()), pa.int64()),
    ("int64", SMALL, pa.float64()),
    ("float64", SMALL.cast(pa.float64()), pa.int64()),
    ("float64", FLOATS.cast(pa.float32()).cast(pa.float64()), pa.float32()),
    ("int64", SMALL, pa.decimal128(25, 2)),
    ("decimal128(25, 2)", AMOUNTS, pa.int64()),
    ("decimal128(25, 2)", AMOUNTS, pa.float64()),
    ("float64, prices", PRICES, pa.decimal128(25, 2)),
    ("timestamp(ms)", TIMES.cast(pa.timestamp("ms"), safe=False), pa.timestamp("us")),
    ("timestamp(ns)", TIMES.cast(pa.timestamp("s"), safe=False).cast(pa.timestamp("ns")), pa.timestamp("us")),
    ("date32", DAYS, pa.timestamp("us")),
]


def seconds(work):
    before = time.process_time()
    made = work()
    taken = time.process_time() - before
    del made
    return taken


def row(name, ours, theirs):
    runs = zip(*[[seconds(work) * 1_000 for work in (ours, theirs)] for _ in range(N_RUNS)], strict=True)
    our_time, their_time = map(min, runs)
    print(f"| {name} | {our_time:.1f} | {their_time:.1f} | {our_time / their_time:.2f} |", flush=True)


gc.disable()
print("| a million values | ms | pyarrow ms | ratio |\n|---|--:|--:|--:|")
for name, theirs, to in CASTS:
    ours = arrow_ipc.RecordBatch.from_arrow(pa.record_batch({"c": theirs}))["c"]
    # The types of pyarrow are types for both.
    row(f"{name} to {to}", lambda o=ours, t=to: o.cast(t), lambda a=theirs, t=to: a.cast(t))
with tempfile.TemporaryDirectory() as folder:
    columns = {"w": pa.array(WORDS), "i": SMALL}
    for column, values in columns.items():
        table = pa.table({column: values})
        with pa.ipc.new_file(f"{folder}/{column}.arrow", table.schema) as file:
            file.write_table(table, max_chunksize=1 << 16)
    for column, n_values in [("w", 1), ("w", 2), ("w", 5), ("w", 20), ("w", 200), ("i", 5)]:
        listed = [f"string number {k * 37 % 1200}" if column == "w" else k * 37 for k in range(n_values)]
        where = f"{column} in ({', '.join(map(repr, listed))})"
        path = f"{folder}/{column}.arrow"

        def ours(path=path, where=where):
            return list(arrow_ipc.dataset(path, where=where, threads=1).read())

        def theirs(path=path, column=column, listed=listed):
            found = ds.dataset(path, format="ipc")
            return found.to_table(filter=ds.field(column).isin(listed), use_threads=False)

        assert sum(len(batch[column]) for batch in ours()) == theirs().num_rows
        row(f"`{column} in` {n_values} {'texts' if column == 'w' else 'integers'}", ours, theirs)
