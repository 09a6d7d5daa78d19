"""Does the works of the bench with pyarrow, on one thread, and measures them: what it is asked over standard input, one line
each, words separated by tabs, and what it answers on standard output. `ok` begins an answer, `no` a reason."""

import os
import sys
import time


class Absent(Exception):
    pass


def options_of(job):
    codec = {"": None, "LZ4": "lz4", "ZSTD": pa.Codec("zstd", 1)}[job["codec"]]
    return pa.ipc.IpcWriteOptions(
        compression=codec, use_threads=False, emit_dictionary_deltas=job["work"] == "grow"
    )


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
    options = pa.ipc.IpcReadOptions(use_threads=False)
    if job["from"] == "reader":
        raise Absent("reads memory in place")
    if job["take"] == "column":
        options.included_fields = [int(job["idx"])]
    with open(job["input"], "rb") as file:
        memory = pa.py_buffer(file.read())
    is_stream = job["container"] == "stream"
    open_any = pa.ipc.open_stream if is_stream else pa.ipc.open_file
    # It checks only when it is told to; the others do so by themselves.
    check = (lambda data: data.validate(full=True)) if job["checks"] == "default" else (lambda data: None)

    def work(kept=None):
        source = memory if job["from"] == "memory" else pa.OSFile(job["input"])
        reader = open_any(source, options=options)
        if job["take"] == "schema":
            return reader.schema
        if job["take"] in ("batch", "column"):
            idx = int(job["idx"]) if job["take"] == "batch" else 0
            batch = reader.get_batch(idx)
            check(batch)
            if kept is not None:
                kept.append(batch)
        elif kept is None and (job["batches"] == "kept" or job["from"] == "memory" and job["growing"] == "no"):
            # Loops in C++. Batches share memory that is there already, but for dictionaries that grow: each batch has a copy.
            check(reader.read_all())
        else:
            batches = reader if is_stream else map(reader.get_batch, range(reader.num_record_batches))
            for batch in batches:
                check(batch)
                if kept is not None and len(kept) < int(job["compared"]):
                    kept.append(batch)
        return reader.schema

    def outcome():
        kept = []
        schema = work(kept)
        return to_stream(kept[0].schema if kept else schema, kept)

    return work, outcome


def load(job):
    with open(job["plain"], "rb") as file:
        reader = pa.ipc.open_stream(pa.py_buffer(file.read()))
    return reader.schema, list(reader)


def writing(job):
    schema, batches = load(job)
    n_bytes = sum(batch.get_total_buffer_size() for batch in batches) * 2 + 4096 * len(batches) + 300 * len(schema)
    batches = [batch.slice(int(job["skip"])) for batch in batches] if job["what"] == "batches" else []
    # With one batch, the call of Python for it is nothing; many are written by a loop in C++.
    table = pa.Table.from_batches(batches, schema)

    def write_all(writer):
        if len(batches) == 1:
            writer.write_batch(batches[0])
        elif batches:
            writer.write_table(table)

    if job["to"] == "reused" and len(schema) > 100:
        raise Absent("cannot go on in memory without writing the schema again")
    memory = pa.allocate_buffer(n_bytes + (1 << 20)) if job["to"] == "reused" else None

    def new_sink():
        if job["to"] == "disk":
            return pa.OSFile(job["output"], "wb")
        return pa.FixedSizeBufferWriter(memory) if memory else pa.BufferOutputStream()

    def work(sink=None):
        sink = sink or new_sink()
        with new_writer(sink, schema, job) as writer:
            write_all(writer)
        sink.close()
        return sink

    def outcome():
        if job["to"] == "disk":
            work()
            with open(job["output"], "rb") as file:
                return pa.py_buffer(file.read())
        return work(pa.BufferOutputStream()).getvalue()

    return work, outcome


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

    memory = pa.allocate_buffer(2 * os.path.getsize(job["plain"]) + (1 << 20))

    def work(sink=None):
        sink = sink or pa.FixedSizeBufferWriter(memory)
        with new_writer(sink, schema, job) as writer:
            for batch in renewed:
                writer.write_batch(batch)
        return sink

    return work, lambda: work(pa.BufferOutputStream()).getvalue()


WORKS = {"read": reading, "write": writing, "grow": growing}


def answer(words, state):
    if words[0] == "version":
        return pa.__version__
    if words[0] == "enter":
        job = dict(word.split("=", 1) for word in words[1:])
        state[:] = WORKS[job["work"]](job)
    elif words[0] == "leave":
        state.clear()
    elif words[0] == "outcome":
        with open(words[1], "wb") as file:
            file.write(state[1]())
    elif words[0] == "run":
        work = state[0]
        processor, wall = time.process_time_ns(), time.perf_counter_ns()
        for _ in range(int(words[1])):
            work()
        wall = time.perf_counter_ns() - wall
        return f"{time.process_time_ns() - processor}\t{wall}"
    return ""


try:
    import pyarrow as pa

    pa.set_cpu_count(1)
    missing = None
except ImportError as error:
    missing = f"no pyarrow: {error}"

state = []
for line in sys.stdin:
    try:
        if missing:
            raise Absent(missing)
        print("ok", answer(line.rstrip("\n").split("\t"), state), sep="\t")
    except Exception as error:
        print("no", " ".join(str(error).split()), sep="\t")
