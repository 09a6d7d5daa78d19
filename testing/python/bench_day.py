"""The program beside pyarrow, polars and DuckDB: text in and out, conditions on rows, statistics, and rows that are paired by a key.

    python testing/python/bench_day.py PROGRAM FOLDER [ROUNDS]

Makes 8 million rows in FOLDER as Arrow files (plain and ZSTD), CSV of 1 GB and lines of JSON of 1.5 GB, and two files of 10 million
rows in different orders, unless they are there. Each round runs all programs one after the other. Prints the least of the
times by the clock and of processor time, and the most memory of a process. Python starts in a fifth to half a second.
"""

import os
import sys
from pathlib import Path

from bench_program import run

N_ROWS, N_BATCH, N_KEYS = 8_000_000, 100_000, 10_000_000


def make(program: str) -> None:
    import numpy as np
    import pyarrow as pa
    import pyarrow.csv as csv

    random = np.random.default_rng(77)
    cities = np.array(["Oslo", "Rome", "Paris", "Bergen", "São Paulo", "New York, NY"])
    items = np.array([f"item-{number:05}" for number in range(30_000)])

    def batch(first: int) -> pa.RecordBatch:
        pairs = zip(items[random.integers(0, len(items), N_BATCH)].tolist(), random.integers(0, 99, N_BATCH).tolist(), strict=True)
        columns = {
            "id": pa.array(np.arange(first, first + N_BATCH, dtype=np.int64) * 7 + 1000),
            "city": pa.array(cities[random.integers(0, len(cities), N_BATCH)]),
            "amount": pa.array(np.round(random.exponential(200, N_BATCH), 2)),
            "note": pa.array([f"{item} sold with {percent}% off" for item, percent in pairs], mask=random.random(N_BATCH) < 0.1),
            "when": pa.array(1_600_000_000_000_000 + random.integers(0, 10**14, N_BATCH), type=pa.timestamp("us")),
            "day": pa.array(random.integers(15_000, 20_000, N_BATCH).astype(np.int32), type=pa.date32()),
            "ok": pa.array(random.random(N_BATCH) < 0.5),
            "code": pa.array(random.integers(-500, 500, N_BATCH).astype(np.int32), mask=random.random(N_BATCH) < 0.02),
            "rate": pa.array(random.normal(size=N_BATCH)),
        }
        return pa.record_batch(list(columns.values()), names=list(columns))

    schema = batch(0).schema
    zstd = pa.ipc.IpcWriteOptions(compression="zstd")
    with (
        pa.ipc.new_file("plain.arrow", schema) as plain,
        pa.ipc.new_file("zstd.arrow", schema, options=zstd) as packed,
        csv.CSVWriter("rows.csv", schema) as text,
    ):
        for first in range(0, N_ROWS, N_BATCH):
            rows = batch(first)
            for writer in (plain, packed, text):
                writer.write_batch(rows)
    assert os.spawnl(os.P_WAIT, program, program, "convert", "plain.arrow", "-o", "rows.jsonl") == 0

    a = pa.table({"id": random.permutation(N_KEYS), "a": random.integers(0, 1000, N_KEYS), "b": random.random(N_KEYS)})
    b = a.take(pa.array(random.permutation(N_KEYS)[: N_KEYS - 10_000]))
    changed = b["a"].to_numpy().copy()
    changed[:1000] += 1
    for name, table in (("a.arrow", a), ("b.arrow", b.set_column(1, "a", pa.array(changed)))):
        with pa.ipc.new_file(name, table.schema) as writer:
            writer.write_table(table, max_chunksize=N_BATCH)


def pyarrow(code: str) -> list[str]:
    return [sys.executable, "-c", f"import pyarrow as pa, pyarrow.csv as csv, pyarrow.json as json, pyarrow.dataset as ds\n{code}"]


def polars(code: str) -> list[str]:
    return [sys.executable, "-c", f"import polars as pl\n{code}"]


def duckdb(query: str, *names: str) -> list[str]:
    """A query over Arrow files by the names of these, as DuckDB reads them: by pyarrow."""
    files = "\n".join(f"{name} = ds.dataset('{name}.arrow', format='ipc')" for name in names)
    return [sys.executable, "-c", f"import duckdb, pyarrow.dataset as ds\nduckdb.sql('set threads=2')\n{files}\nduckdb.execute({query!r}).fetchall()"]


WRITE = "w = pa.ipc.new_file('peer.arrow', r.schema)\nfor b in r: w.write_batch(b)\nw.close()"
WRITE_TABLE = "w = pa.ipc.new_file('peer.arrow', r.schema)\nw.write_table(r)\nw.close()"
JOIN = (
    "select count(*) filter (a.id is null), count(*) filter (b.id is null), "
    "count(*) filter (a.a is distinct from b.a or a.b is distinct from b.b) from a full outer join b on a.id = b.id"
)
JOINED = """
a, b = pl.scan_ipc('a.arrow'), pl.scan_ipc('b.arrow').with_columns(there=pl.lit(1))
changed = (pl.col('a') != pl.col('a_right')) | (pl.col('b') != pl.col('b_right'))
a.join(b, on='id', how='full').select(x=pl.col('id').is_null().sum(), y=pl.col('there').is_null().sum(), z=changed.sum()).collect()"""

CASES: list[tuple[str, list[str], dict[str, list[str]]]] = [
    (
        "CSV to Arrow",
        ["convert", "rows.csv", "-o", "ours.arrow"],
        {
            "pyarrow, in batches": pyarrow(f"r = csv.open_csv('rows.csv')\n{WRITE}"),
            "pyarrow, as a whole": pyarrow(f"r = csv.read_csv('rows.csv')\n{WRITE_TABLE}"),
            "polars": polars("pl.scan_csv('rows.csv', try_parse_dates=True).sink_ipc('peer.arrow')"),
            "DuckDB": duckdb("create table t as from 'rows.csv'"),
        },
    ),
    (
        "Arrow to CSV",
        ["convert", "plain.arrow", "-o", "ours.csv"],
        {
            "pyarrow": pyarrow(
                "r = pa.ipc.open_file(pa.memory_map('plain.arrow'))\nw = csv.CSVWriter('peer.csv', r.schema)\n"
                "for i in range(r.num_record_batches): w.write_batch(r.get_batch(i))\nw.close()"
            ),
            "polars": polars("pl.scan_ipc('plain.arrow').sink_csv('peer.csv')"),
            "DuckDB": duckdb("copy (from plain) to 'peer.csv'", "plain"),
        },
    ),
    (
        "JSON to Arrow",
        ["convert", "rows.jsonl", "-o", "ours.arrow"],
        {
            "pyarrow": pyarrow(f"r = json.read_json('rows.jsonl')\n{WRITE_TABLE}"),
            "polars": polars("pl.scan_ndjson('rows.jsonl').sink_ipc('peer.arrow')"),
            "DuckDB": duckdb("create table t as from read_json('rows.jsonl', format='newline_delimited')"),
        },
    ),
    (
        "Arrow to JSON",
        ["convert", "plain.arrow", "-o", "ours.jsonl"],
        {
            "polars": polars("pl.scan_ipc('plain.arrow').sink_ndjson('peer.jsonl')"),
            "DuckDB": duckdb("copy (from plain) to 'peer.json'", "plain"),
        },
    ),
    *(
        (
            f"count --where, {name}",
            ["count", f"{name}.arrow", "--where", "amount > 990"],
            {
                "pyarrow": pyarrow(f"ds.dataset('{name}.arrow', format='ipc').count_rows(filter=ds.field('amount') > 990)"),
                "polars": polars(f"pl.scan_ipc('{name}.arrow').filter(pl.col('amount') > 990).select(pl.len()).collect()"),
                "DuckDB": duckdb(f"select count(*) from {name} where amount > 990", name),
            },
        )
        for name in ("plain", "zstd")
    ),
    *(
        (
            f"convert --where, {name}",
            ["convert", f"{name}.arrow", "-o", "ours.arrow", "--where", "amount > 990"],
            {
                "pyarrow": pyarrow(
                    f"s = ds.dataset('{name}.arrow', format='ipc').scanner(filter=ds.field('amount') > 990)\nr = s.to_reader()\n{WRITE}"
                ),
                "polars": polars(f"pl.scan_ipc('{name}.arrow').filter(pl.col('amount') > 990).sink_ipc('peer.arrow')"),
            },
        )
        for name in ("plain", "zstd")
    ),
    (
        "stats",
        ["stats", "plain.arrow"],
        {"polars": polars("pl.scan_ipc('plain.arrow').describe()"), "DuckDB": duckdb("summarize from plain", "plain")},
    ),
    ("diff --key", ["diff", "--key", "id", "a.arrow", "b.arrow"], {"polars": polars(JOINED), "DuckDB": duckdb(JOIN, "a", "b")}),
]


def main() -> None:
    program, folder = Path(sys.argv[1]).resolve(), Path(sys.argv[2])
    n_rounds = int(sys.argv[3]) if len(sys.argv) > 3 else 2
    folder.mkdir(parents=True, exist_ok=True)
    os.chdir(folder)
    if not Path("b.arrow").exists():
        make(str(program))
    for name, arguments, peers in CASES:
        commands = {"ours": [str(program), *arguments], **peers}
        runs: dict[str, list[tuple[float, float, float, int]]] = {who: [] for who in commands}
        for _ in range(n_rounds):
            for who, command in commands.items():
                runs[who].append(run(command))
        for who, found in runs.items():
            # `diff` ends with 1 if there are differences.
            assert all(status == int(who == "ours" and name == "diff --key") for *_, status in found), f"{who} has failed"
            seconds, processor, memory = (choose(values) for choose, values in zip((min, min, max), zip(*(r[:3] for r in found))))
            print(f"{name:24} {who:19} {seconds:6.2f} s, processor {processor:6.2f} s, {memory:5.0f} MiB", flush=True)


if __name__ == "__main__":
    main()
