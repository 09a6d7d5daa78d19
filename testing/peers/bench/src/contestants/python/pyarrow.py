"""The works of the bench with pyarrow: one or several ways to do each, by name, of which the fastest counts; and its outcome.
`worker.py` comes after this file."""

import os

import pyarrow as pa

VERSION = pa.__version__


class Absent(Exception):
    pass


def use_threads(job):
    return int(job["threads"]) > 1


def options_of(job):
    codec = {"": None, "LZ4": "lz4", "ZSTD": pa.Codec("zstd", 1), "ZSTD, level 3": pa.Codec("zstd", 3)}[job["codec"]]
    return pa.ipc.IpcWriteOptions(
        compression=codec, use_threads=use_threads(job), emit_dictionary_deltas=job["work"] == "grow"
    )


def new_memory(n_bytes):
    """Memory of the system's allocator to write to, as the other contestants have it."""
    return pa.py_buffer(bytearray(n_bytes + (1 << 20)))


def new_writer(sink, schema, job):
    new = pa.ipc.new_stream if job["container"] == "stream" else pa.ipc.new_file
    return new(sink, schema, options=options_of(job))


def to_stream(schema, batches):
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, schema, options=pa.ipc.IpcWriteOptions(emit_dictionary_deltas=True)) as writer:
        for batch in batches:
            writer.write_batch(batch)
    return sink.getvalue()


def reading(job):
    options = pa.ipc.IpcReadOptions(use_threads=use_threads(job))
    if job["from"] == "reader":
        raise Absent("reads memory in place")
    if job["take"] in ("column", "columns"):
        options.included_fields = [int(idx) for idx in job["idx"].split(",")]
    with open(job["input"], "rb") as file:
        memory = pa.py_buffer(file.read())
    is_stream = job["container"] == "stream"
    open_any = pa.ipc.open_stream if is_stream else pa.ipc.open_file
    # It checks only when it is told to; ours and arrow-rs do so by themselves.
    check = (lambda data: data.validate(full=True)) if job["checks"] == "default" else (lambda data: None)

    open_file = pa.memory_map if job["from"] == "map" else pa.OSFile

    def opened():
        source = memory if job["from"] == "memory" else open_file(job["input"])
        return open_any(source, options=options)

    def one(kept=None):
        batch = opened().get_batch(int(job["idx"]) if job["take"] == "batch" else 0)
        check(batch)
        if kept is not None:
            kept.append(batch)

    def each(kept=None):
        """Drops each batch, as the bench of Arrow C++ does."""
        reader = opened()
        for batch in reader if is_stream else map(reader.get_batch, range(reader.num_record_batches)):
            check(batch)
            if kept is not None and len(kept) < int(job["compared"]):
                kept.append(batch)
            del batch

    def all_at_once():
        check(opened().read_all())

    if job["take"] == "schema":
        works = {"schema": lambda: opened().schema}
    elif job["take"] in ("batch", "column"):
        works = {"get_batch": one}
    elif job["batches"] == "retained":
        works = {"read_all": all_at_once}
    else:
        works = {"each batch": each}
        # A loop in C++. Batches share memory that is there already, but for dictionaries that grow: each batch has a copy.
        if job["from"] in ("memory", "map") and job["growing"] == "no":
            works["read_all"] = all_at_once

    def outcome():
        kept = []
        if job["take"] != "schema":
            (one if job["take"] in ("batch", "column") else each)(kept)
        return to_stream(kept[0].schema if kept else opened().schema, kept)

    return works, outcome


def load(job):
    with open(job["plain"], "rb") as file:
        reader = pa.ipc.open_stream(pa.py_buffer(file.read()))
    return reader.schema, list(reader)


def parts(n_rows, n_parts):
    bounds = [n_rows * part // n_parts for part in range(n_parts + 1)]
    return [(start, end - start) for start, end in zip(bounds, bounds[1:])]


def writing(job):
    schema, batches = load(job)
    n_bytes = sum(batch.get_total_buffer_size() for batch in batches) * 2 + 4096 * len(batches) + 300 * len(schema)
    if job["what"] == "schema":
        batches = []
    elif job["what"] == "parts":
        n_parts = int(job["parts"])
        batches = [batch.slice(start, n_rows) for batch in batches for start, n_rows in parts(batch.num_rows, n_parts)]
        # Its writer writes all data of the views with each slice: room for that.
        n_bytes *= n_parts
    else:
        batches = [batch.slice(int(job["skip"])) for batch in batches]
    table = pa.Table.from_batches(batches, schema)

    def write_each(writer):
        for batch in batches:
            writer.write_batch(batch)

    def write_table(writer):
        if batches:
            writer.write_table(table)

    if job["to"] == "nowhere":
        raise Absent("has no encoder that writes nowhere")
    if job["to"] == "reused" and len(schema) > 100:
        raise Absent("cannot go on in memory without writing the schema again")
    memory = new_memory(n_bytes) if job["to"] in ("reused", "cleared") else None

    def new_sink():
        if job["to"] == "disk":
            return pa.OSFile(job["output"], "wb")
        return pa.FixedSizeBufferWriter(memory) if memory else pa.BufferOutputStream()

    def work(write_all, sink=None):
        sink = sink or new_sink()
        with new_writer(sink, schema, job) as writer:
            write_all(writer)
        sink.close()
        return sink

    def outcome():
        if job["to"] == "disk":
            work(write_each)
            with open(job["output"], "rb") as file:
                return pa.py_buffer(file.read())
        return work(write_each, pa.BufferOutputStream()).getvalue()

    # A loop in Python, and one in C++ that slices the columns of a table.
    return {"write_batch": lambda: work(write_each), "write_table": lambda: work(write_table)}, outcome


def load_growing(job):
    """The indices of each batch, with the number of its values, and the last values: each batch has a copy of its own."""
    with open(job["plain"], "rb") as file:
        reader = pa.ipc.open_stream(pa.py_buffer(file.read()))
    columns, values = [], None
    for batch in reader:
        column = batch.column(0)
        values = column.dictionary
        columns.append((column.indices, len(values)))
    return reader.schema, columns, values


def growing(job):
    schema, columns, last = load_growing(job)
    everything = [last, load_growing(job)[2]]
    n_copies = 1 if job["memory"] == "same" else 2
    renewed = []
    for idx, (indices, n_values) in enumerate(columns):
        column = pa.DictionaryArray.from_arrays(indices, everything[idx % n_copies].slice(0, n_values))
        renewed.append(pa.record_batch([column], schema=schema))

    memory = new_memory(2 * os.path.getsize(job["plain"]))

    def work(sink=None):
        sink = sink or pa.FixedSizeBufferWriter(memory)
        with new_writer(sink, schema, job) as writer:
            for batch in renewed:
                writer.write_batch(batch)
        return sink

    return {"write_batch": work}, lambda: work(pa.BufferOutputStream()).getvalue()


def shuffling(job):
    """Decodes and encodes the batches, without checks."""
    with open(job["input"], "rb") as file:
        memory = pa.py_buffer(file.read())
    n_outputs = int(job["outputs"])
    outputs = [new_memory(len(memory)) for _ in range(n_outputs)]
    options = pa.ipc.IpcReadOptions(use_threads=use_threads(job))

    def work(sinks=None):
        sinks = sinks or [pa.FixedSizeBufferWriter(output) for output in outputs]
        reader = pa.ipc.open_stream(memory, options=options)
        writers = [new_writer(sink, reader.schema, job) for sink in sinks]
        for idx, batch in enumerate(reader):
            writers[idx % n_outputs].write_batch(batch)
        for writer in writers:
            writer.close()
        return reader.schema

    def outcome():
        sinks = [pa.BufferOutputStream() for _ in range(n_outputs)]
        schema = work(sinks)
        streams = [list(pa.ipc.open_stream(sink.getvalue())) for sink in sinks]
        turns = range(max(map(len, streams)))
        return to_stream(schema, [stream[turn] for turn in turns for stream in streams if turn < len(stream)])

    return {"write_batch": work}, outcome


def with_threads(work):
    """The work with as many threads as the case says."""

    def begin(job):
        pa.set_cpu_count(int(job["threads"]))
        return work(job)

    return begin


WORKS = {name: with_threads(work) for name, work in {"read": reading, "write": writing, "grow": growing, "shuffle": shuffling}.items()}
