"""The works of the bench with polars, on one thread: the ways to do each, and its outcome, as in `pyarrow.py`. It makes views of
text that it reads, and has no other checks than those of its readers. pyarrow gives it the batches, and takes its outcomes,
outside of what is measured. `worker.py` comes after this file."""

import functools
import io

import polars as pl
import pyarrow as pa

VERSION = pl.__version__


class Absent(Exception):
    pass


def load(job):
    with open(job["plain"], "rb") as file:
        reader = pa.ipc.open_stream(pa.py_buffer(file.read()))
    if any(pa.types.is_dictionary(field.type) for field in reader.schema):
        raise Absent("has one dictionary for all batches")
    return reader.schema, list(reader)


def as_stream(table, schema, lengths):
    """The rows as a stream of these types, with batches of these lengths."""
    table = table.cast(schema).combine_chunks()
    sink, start = pa.BufferOutputStream(), 0
    with pa.ipc.new_stream(sink, schema) as writer:
        for n_rows in lengths:
            writer.write_table(table.slice(start, n_rows))
            start += n_rows
    if start != table.num_rows:
        raise Absent(f"has {table.num_rows} rows instead of {start}")
    return sink.getvalue()


def reading(job):
    schema, batches = load(job)
    lengths = [batch.num_rows for batch in batches]
    if job["take"] not in ("all", "columns") or job["batches"] == "retained":
        raise Absent("reads whole files")
    columns = [int(idx) for idx in job["idx"].split(",")] if job["take"] == "columns" else None
    if columns:
        schema = pa.schema([schema.field(idx) for idx in columns])
    with open(job["input"], "rb") as file:
        memory = file.read()
    read = pl.read_ipc_stream if job["container"] == "stream" else pl.read_ipc

    def work(source):
        return read(source, columns=columns)

    def scan(source):
        frame = pl.scan_ipc(source)
        return (frame.select(pl.nth(columns)) if columns else frame).collect(engine="streaming")

    # It maps the file of a path, and copies a stream that it is given in memory.
    sources = {} if job["from"] == "reader" else {"a path": job["input"]}
    if job["from"] in ("memory", "reader"):
        sources["bytes"] = memory
    works = {}
    for name, source in sources.items():
        works[f"{read.__name__} of {name}"] = functools.partial(work, source)
        if job["container"] == "file":
            works[f"scan_ipc of {name}"] = functools.partial(scan, source)
    return works, lambda: as_stream(work(job["input"]).to_arrow(compat_level=pl.CompatLevel.oldest()), schema, lengths)


def parts(n_rows, n_parts):
    bounds = [n_rows * part // n_parts for part in range(n_parts + 1)]
    return [(start, end - start) for start, end in zip(bounds, bounds[1:])]


def writing(job):
    schema, batches = load(job)
    if job["codec"] == "ZSTD":
        raise Absent("writes Zstandard with level 3")
    if job["what"] == "schema" or job["to"] != "cleared":
        raise Absent("writes whole files")
    frames = [pl.from_arrow(pa.Table.from_batches([batch]), rechunk=False) for batch in batches]
    lengths = [batch.num_rows for batch in batches]
    if job["what"] == "parts":
        slices = [(frame, *part) for frame in frames for part in parts(len(frame), int(job["parts"]))]
        frames = [frame.slice(start, n_rows) for frame, start, n_rows in slices]
        lengths = [n_rows for _, _, n_rows in slices]
    frame = pl.concat(frames, rechunk=False)
    compression = {"": "uncompressed", "LZ4": "lz4", "ZSTD, level 3": "zstd"}[job["codec"]]
    memory = io.BytesIO()

    def write(sink):
        if job["container"] == "stream":
            return frame.write_ipc_stream(sink, compression=compression)
        return frame.write_ipc(sink, compression=compression, record_batch_size=lengths[0])

    def work(sink=memory):
        sink.seek(0)
        write(sink)
        return sink

    def outcome():
        written = work(io.BytesIO()).getvalue()
        open_any = pa.ipc.open_stream if job["container"] == "stream" else pa.ipc.open_file
        table = open_any(written).read_all()
        # One stream has one batch. That is as much to copy, but there are other buffers to compress, and no slices.
        is_other_work = job["codec"] or job["what"] == "parts"
        if is_other_work and len(table.column(0).chunks) != len(lengths):
            raise Absent("joins the batches of a stream")
        return as_stream(table, schema, lengths), len(written)

    # To memory that was written before, and to new memory.
    return {"to BytesIO": work, "to None": lambda: write(None)}, outcome


WORKS = {"read": reading, "write": writing}
