"""The program beside pyarrow and DuckDB: the same work, by whole processes.

    python testing/python/bench_program.py PROGRAM FOLDER [ROUNDS]

Makes 13.8 million rows in FOLDER, 1 GB plain and 4.5 GB in all, unless they are there. Each round runs both programs one after the other. Prints
the least and the median of the times by the clock and of processor time, and the most memory. Both processes start anew:
that of Python takes a third of a second.
"""

import os
import statistics
import sys
import time
from pathlib import Path

N_BATCHES, N_ROWS = 240, 57_500
WORDS = "ada grace barbara edsger donald alan tony niklaus margaret katherine linus ken dennis bjarne guido yukihiro"


def make() -> None:
    import numpy as np
    import pyarrow as pa
    import pyarrow.csv
    import pyarrow.parquet

    random = np.random.default_rng(1)
    words = np.array(WORDS.split())

    def batch(first: int) -> pa.RecordBatch:
        numbers = random.integers(0, 1_000_000, N_ROWS)
        notes = [f"row {number} of {words[number % 16]}" for number in numbers.tolist()]
        at = 1_700_000_000_000_000 + np.arange(first, first + N_ROWS) * 1_000_000
        columns = {
            "id": pa.array(np.arange(first, first + N_ROWS, dtype=np.int64)),
            "name": pa.array(words[random.integers(0, 16, N_ROWS)]),
            "note": pa.array(notes, mask=random.random(N_ROWS) < 0.05),
            "price": pa.array(np.round(random.random(N_ROWS) * 1000, 2)),
            "measure": pa.array(random.normal(size=N_ROWS), mask=random.random(N_ROWS) < 0.02),
            "qty": pa.array(random.integers(0, 100, N_ROWS).astype(np.int32)),
            "flag": pa.array(random.random(N_ROWS) < 0.3),
            "at": pa.array(at + random.integers(0, 1_000_000, N_ROWS), type=pa.timestamp("us")),
            "day": pa.array((19_000 + random.integers(0, 2_000, N_ROWS)).astype(np.int32), type=pa.date32()),
        }
        return pa.record_batch(list(columns.values()), names=list(columns))

    batches = [batch(idx * N_ROWS) for idx in range(N_BATCHES)]
    table = pa.Table.from_batches(batches)
    for codec in (None, "lz4", "zstd"):
        options = pa.ipc.IpcWriteOptions(compression=codec)
        name = codec or "plain"
        with pa.ipc.new_file(f"{name}.arrow", table.schema, options=options) as writer:
            for batch in batches:
                writer.write_batch(batch)
        with pa.ipc.new_file(f"{name}-one.arrow", table.schema, options=options) as writer:
            writer.write_batch(table.combine_chunks().to_batches()[0])
    pa.parquet.write_table(table, "rows.parquet")
    pa.csv.write_csv(table.slice(0, 1_500_000), "rows.csv")


def run(command: list[str]) -> tuple[float, float, float, int]:
    """Seconds by the clock, seconds of processor time, MiB of memory, status."""
    begin = time.perf_counter()
    child = os.fork()
    if child == 0:
        nothing = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nothing, 1)
        os.dup2(nothing, 2)
        os.execvp(command[0], command)
    _, status, usage = os.wait4(child, 0)
    seconds = time.perf_counter() - begin
    return seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, os.waitstatus_to_exitcode(status)


def pyarrow(code: str) -> list[str]:
    return [sys.executable, "-c", "import pyarrow as pa, pyarrow.ipc as ipc\n" + code]


def duckdb(query: str) -> list[str]:
    code = f"import duckdb\nc = duckdb.connect()\nc.execute('set threads=2')\nc.execute({query!r}).fetchall()"
    return [sys.executable, "-c", code]


def each(name: str, work: str) -> str:
    return f"r = ipc.open_file('{name}')\nfor i in range(r.num_record_batches): r.get_batch(i){work}"


RECOMPRESS = """
r = ipc.open_file('lz4.arrow')
w = ipc.new_file('peer.arrow', r.schema, options=ipc.IpcWriteOptions(compression='zstd'))
for i in range(r.num_record_batches): w.write_batch(r.get_batch(i))
w.close()"""
SAME = "a, b = (ipc.open_file(f).read_all() for f in ('plain.arrow', 'zstd.arrow'))\nassert a.equals(b)"
TO_CSV = """
import pyarrow.csv as csv
r = ipc.open_file('plain.arrow')
w = csv.CSVWriter('/dev/null', r.schema)
for i in range(r.num_record_batches): w.write_batch(r.get_batch(i))
w.close()"""
FROM_CSV = """
import pyarrow.csv as csv
t = csv.read_csv('rows.csv')
w = ipc.new_file('peer.arrow', t.schema)
w.write_table(t)
w.close()"""

CASES: list[tuple[str, list[str], dict[str, list[str]]]] = [
    ("first rows, plain", ["head", "plain.arrow"], {}),
    ("first rows, LZ4", ["head", "lz4.arrow"], {}),
    ("first rows, ZSTD", ["head", "zstd.arrow"], {}),
    ("first rows of one batch, plain", ["head", "plain-one.arrow"], {}),
    ("first rows of one batch, LZ4", ["head", "lz4-one.arrow"], {}),
    ("the same, one column", ["head", "--columns", "id", "lz4-one.arrow"], {}),
    ("first rows of one batch, ZSTD", ["head", "zstd-one.arrow"], {}),
    ("last rows of one batch, LZ4", ["tail", "lz4-one.arrow"], {}),
    ("sample of one batch, ZSTD", ["sample", "-n", "10", "zstd-one.arrow"], {}),
    ("count", ["count", "plain.arrow"], {"pyarrow": pyarrow(each("plain.arrow", ".num_rows"))}),
    ("validate, plain", ["validate", "plain.arrow"], {"pyarrow": pyarrow(each("plain.arrow", ".validate(full=True)"))}),
    ("validate, ZSTD", ["validate", "zstd.arrow"], {"pyarrow": pyarrow(each("zstd.arrow", ".validate(full=True)"))}),
    ("validate one batch, plain", ["validate", "plain-one.arrow"], {}),
    ("validate one batch, LZ4", ["validate", "lz4-one.arrow"], {}),
    ("validate one batch, ZSTD", ["validate", "zstd-one.arrow"], {}),
    ("LZ4 to ZSTD", ["convert", "--compression", "zstd", "lz4.arrow", "-o", "ours.arrow"], {"pyarrow": pyarrow(RECOMPRESS)}),
    ("one batch, LZ4 to ZSTD", ["convert", "--compression", "zstd", "lz4-one.arrow", "-o", "ours.arrow"], {}),
    ("equal? plain and ZSTD", ["diff", "--quiet", "plain.arrow", "zstd.arrow"], {"pyarrow": pyarrow(SAME)}),
    (
        "to CSV",
        ["cat", "--format", "csv", "plain.arrow"],
        {
            "pyarrow": pyarrow(TO_CSV),
            "duckdb": duckdb("copy (from 'rows.parquet') to '/dev/null' (format csv)"),
        },
    ),
    (
        "CSV to Arrow",
        ["convert", "rows.csv", "-o", "ours.arrow"],
        {"pyarrow": pyarrow(FROM_CSV), "duckdb": duckdb("create table t as from 'rows.csv'")},
    ),
    ("statistics of all columns", ["stats", "plain.arrow"], {"duckdb": duckdb("summarize from 'rows.parquet'")}),
    ("statistics of one batch, ZSTD", ["stats", "zstd-one.arrow"], {}),
]


def shown(runs: list[tuple[float, float, float, int]]) -> str:
    assert all(status == 0 for *_, status in runs), "a program has failed"
    seconds = [run[0] for run in runs]
    processor, memory = [run[1] for run in runs], max(run[2] for run in runs)
    return (
        f"{min(seconds):.3f} s, median {statistics.median(seconds):.3f}, "
        f"processor {min(processor):.3f} s, median {statistics.median(processor):.3f}, {memory:.0f} MiB"
    )


def main() -> None:
    program, folder = Path(sys.argv[1]).resolve(), Path(sys.argv[2])
    n_rounds = int(sys.argv[3]) if len(sys.argv) > 3 else 5
    folder.mkdir(parents=True, exist_ok=True)
    os.chdir(folder)
    if not Path("rows.csv").exists():
        make()
    for name, arguments, peers in CASES:
        commands = {"ours": [str(program), *arguments], **peers}
        runs: dict[str, list[tuple[float, float, float, int]]] = {who: [] for who in commands}
        for _ in range(n_rounds):
            for who, command in commands.items():
                for output in ("ours.arrow", "peer.arrow"):
                    Path(output).unlink(missing_ok=True)
                runs[who].append(run(command))
        for who, found in runs.items():
            print(f"{name:32} {who:8} {shown(found)}", flush=True)


if __name__ == "__main__":
    main()
