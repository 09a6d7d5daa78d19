"""Calls of each tool, also for other processes."""

import io
import os

import arrow_ipc

# Each function that takes a source, as others call it.
TOOLS = {
    "count": lambda source, dest, **named: arrow_ipc.count(source, **named),
    "stats": lambda source, dest, **named: arrow_ipc.stats(source, **named),
    "explain": lambda source, dest, **named: arrow_ipc.explain(source, **named),
    "validate": lambda source, dest, **named: arrow_ipc.validate(source, **named),
    "inspect": lambda source, dest, **named: arrow_ipc.inspect(source, **named),
    "diff": lambda source, dest, **named: arrow_ipc.diff(source, source, **named),
    "convert": lambda source, dest, **named: arrow_ipc.convert(source, dest, **named),
    "concat_files": lambda source, dest, **named: arrow_ipc.concat_files([source, source], dest, **named),
    "split_file": lambda source, dest, **named: arrow_ipc.split_file(source, dest, **named),
    "recover": lambda source, dest, **named: arrow_ipc.recover(source, dest, **named),
}


def written_in_turn(source, dest):
    data = arrow_ipc.open(source)
    with arrow_ipc.Writer(dest, data.schema) as writer:
        writer.write(data)


def appended(source, dest):
    if not os.path.exists(dest):
        arrow_ipc.split_file(source, dest, batches=(0, 1))
    arrow_ipc.append(dest, source)


# What may take long.
LONG = TOOLS | {
    "append": appended,
    "read": lambda source, dest: arrow_ipc.open(source)[:],
    "column": lambda source, dest: arrow_ipc.open(source)["a"],
    "sample": lambda source, dest: arrow_ipc.open(source).sample(10_000, seed=1),
    "iterate": lambda source, dest: [len(batch) for batch in arrow_ipc.open(source)],
    "iter_rows": lambda source, dest: sum(1 for _ in arrow_ipc.open(source).iter_rows()),
    "read_stream": lambda source, dest: list(arrow_ipc.Stream.from_arrow(arrow_ipc.open(source))),
    "concat": lambda source, dest: arrow_ipc.concat(arrow_ipc.open(source)),
    "to_pylist": lambda source, dest: arrow_ipc.open(source)["b"].to_pylist(),
    "to_pylist of numbers": lambda source, dest: arrow_ipc.open(source)["a"].to_pylist(),
    "to_pydict": lambda source, dest: arrow_ipc.open(source).to_pydict(),
    "write_file": lambda source, dest: arrow_ipc.write_file(dest, arrow_ipc.open(source), compression="zstd"),
    "write_file of dicts": lambda source, dest: arrow_ipc.write_file(dest, [{"id": k, "name": str(k)} for k in range(20_000)]),
    "write_stream": lambda source, dest: arrow_ipc.write_stream(io.BytesIO(), arrow_ipc.open(source)),
    "Writer": written_in_turn,
    "write_csv": lambda source, dest: arrow_ipc.write_csv(io.BytesIO(), arrow_ipc.open(source)),
    "write_json": lambda source, dest: arrow_ipc.write_json(io.BytesIO(), arrow_ipc.open(source)),
    "count of a condition": lambda source, dest: arrow_ipc.count(source, where="b like '%1%'"),
}
