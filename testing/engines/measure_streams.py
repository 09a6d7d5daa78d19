"""Prints what reading streams as files costs, for testing/engines/RESULTS.md: the program and the package beside pyarrow, polars and `datasets`.

measure_streams.py PROGRAM FOLDER [REPEATS]     makes 1.3 GB in FOLDER, once; needs numpy, pyarrow and `datasets`, leaves out what else is not installed

measure_streams.py --bytes FILE     only bytes: of batch 700 of `stream.arrows`, and of slices in memory, held, referred and encoded

Each run is a process of its own. Before it, the input leaves the system's cache (`posix_fadvise`; the directory and the extents of the file
may stay). Printed is the run with the least time: milliseconds, for Python without imports; megabytes that were asked of the system by `read`
and `pread`; megabytes that the disk delivered, by reads and by pages of memory maps; the peak of memory, for Python above its imports.
"""

import importlib.util
import io
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time

N_BATCHES, N_ROWS = 1000, 1 << 16
SET_ROWS = 4_000_000
MIDDLE = 700 * N_ROWS
WORK = ("count", "middle", "tail", "column", "all")


def make(folder):
    """`stream.arrows` has 1,000 batches of 1 MiB. `sparse.arrows` is 4 GiB: the heads of 4,000 such batches, and holes for bodies."""
    folder.mkdir(parents=True, exist_ok=True)
    stream, sparse, parts = (folder / name for name in ("stream.arrows", "sparse.arrows", "set"))
    if not sparse.exists():
        import numpy as np
        import pyarrow as pa

        random = np.random.default_rng(1)
        schema, ends = pa.schema({"id": pa.int64(), "value": pa.float64()}), []
        with open(stream, "wb") as sink, pa.ipc.new_stream(sink, schema) as writer:
            for first in range(0, N_BATCHES * N_ROWS, N_ROWS):
                columns = [np.arange(first, first + N_ROWS), random.random(N_ROWS)]
                writer.write_batch(pa.record_batch(list(map(pa.array, columns)), schema=schema))
                ends.append(sink.tell())
        with open(stream, "rb") as source, open(sparse, "wb") as sink:
            n_bytes = ends[1] - ends[0]
            sink.write(source.read(ends[0] - n_bytes))
            head = source.read(n_bytes - 16 * N_ROWS)
            for _ in range(4 * N_BATCHES):
                sink.write(head)
                sink.seek(16 * N_ROWS, os.SEEK_CUR)
            sink.write(b"\xff\xff\xff\xff\0\0\0\0")
    if not parts.exists():
        import datasets
        import numpy as np

        text = [f"the text of row {row}" for row in range(SET_ROWS)]
        columns = {"id": np.arange(SET_ROWS), "value": np.random.default_rng(1).random(SET_ROWS), "text": text}
        datasets.Dataset.from_dict(columns).save_to_disk(parts, num_shards=1)
    return stream, sparse, next(parts.glob("*.arrow"))


def arrow_ipc(work, path, threads=1):
    import arrow_ipc

    file = arrow_ipc.open(path, threads=threads)
    match work:
        case "count":
            return file.num_rows
        case "middle":
            return file.rows(MIDDLE, MIDDLE + 10)["id"][0]
        case "tail":
            return file.tail(5).num_rows
        case "column":
            return sum(batch.num_rows for batch in file.select(["id"]))
        case "all":
            return sum(batch.num_rows for batch in file)


def arrow_ipc_2(work, path):
    return arrow_ipc(work, path, threads=2)


def pyarrow(work, path, open_path=None):
    import pyarrow as pa

    options = pa.ipc.IpcReadOptions(included_fields=[0]) if work == "column" else None
    with (open_path or pa.OSFile)(str(path)) as source, pa.ipc.open_stream(source, options=options) as reader:
        match work:
            case "middle":
                first = 0
                for batch in reader:
                    if first + batch.num_rows > MIDDLE:
                        return batch.slice(MIDDLE - first, 10)["id"][0].as_py()
                    first += batch.num_rows
            case "tail":
                for batch in reader:
                    last = batch
                return last.slice(last.num_rows - 5).num_rows
            case _:
                return sum(batch.num_rows for batch in reader)


def pyarrow_mapped(work, path):
    import pyarrow as pa

    return pyarrow(work, path, pa.memory_map)


def polars(work, path):
    import polars as pl

    match work:
        case "count":
            return pl.read_ipc_stream(path).height
        case "middle":
            return pl.read_ipc_stream(path).slice(MIDDLE, 10)["id"][0]
        case "tail":
            return pl.read_ipc_stream(path).tail(5).height
        case "column":
            return pl.read_ipc_stream(path, columns=["id"]).height
        case "all":
            return pl.read_ipc_stream(path).height


def datasets(work, path):
    import datasets

    data = datasets.load_from_disk(path.parent)
    match work:
        case "count":
            return len(data)
        case "tail":
            return len(data[len(data) - 5 : len(data)]["id"])
        case "column":
            return sum(len(batch["id"]) for batch in data.select_columns(["id"]).with_format("arrow").iter(1 << 16))
        case "all":
            return sum(len(batch["id"]) for batch in data.with_format("arrow").iter(1 << 16))


def batch_bytes(path):
    """Bytes that are read for a batch of an open stream, and those of slices in memory beside pyarrow."""
    import arrow_ipc
    import pyarrow as pa

    file = arrow_ipc.open(path)
    whole, column = (measured(lambda opened=opened: opened.batch(700).encoded_nbytes()) for opened in (file, file.select(["value"])))
    print(f"\nbatch 700: {whole['asked']:.6f} MB read of a message of {whole['answer']} bytes; one column: {column['asked']:.6f} MB")
    print("\n| 1,000 rows of 65,536 | held | pyarrow | referred | pyarrow | encoded | written | pyarrow |\n|---|--:|--:|--:|--:|--:|--:|--:|")
    text = [f"the text of row {row}" for row in range(N_ROWS)]
    for column in (pa.array(range(N_ROWS)), pa.array(text), pa.array(text, pa.string_view())):
        theirs = pa.record_batch([column], names=["column"])
        with pa.BufferOutputStream() as sink, pa.ipc.new_stream(sink, theirs.schema) as writer:
            writer.write_batch(theirs)
        stream = sink.getvalue()
        ours, theirs = arrow_ipc.open(stream).batch(0)[1000:2000], theirs[1000:2000]
        with io.BytesIO() as sink:
            arrow_ipc.write_stream(sink, ours)
            *_, message = pa.ipc.MessageReader.open_stream(sink.getvalue())
        written = 8 + len(message.metadata) + len(message.body)
        cells = [ours.get_total_buffer_size(), theirs.get_total_buffer_size(), ours.nbytes, theirs.nbytes]
        cells += [ours.encoded_nbytes(), written, pa.ipc.get_record_batch_size(theirs)]
        print(f"| {column.type} | {' | '.join(map(str, cells))} |")


LIBRARIES = {
    "arrow_ipc": ("arrow_ipc", arrow_ipc),
    "arrow_ipc, 2 threads": ("arrow_ipc", arrow_ipc_2),
    "pyarrow": ("pyarrow", pyarrow),
    "pyarrow, mapped": ("pyarrow", pyarrow_mapped),
    "polars": ("polars", polars),
    "datasets": ("datasets", datasets),
}
ARGUMENTS = {
    "count": ["count"],
    "middle": ["cat", "--rows", f"{MIDDLE}..{MIDDLE + 10}"],
    "tail": ["tail", "-n", "5"],
}


def bytes_of(key):
    """Bytes of this process, and of its children that have ended."""
    return int(re.search(rf"^{key}: (\d+)", pathlib.Path("/proc/self/io").read_text(), re.MULTILINE)[1])


def peak_mb():
    return int(re.search(r"VmHWM:\s+(\d+)", pathlib.Path("/proc/self/status").read_text())[1]) / 1e3


def measured(run, *args):
    before, start = [bytes_of("rchar"), bytes_of("read_bytes")], time.perf_counter()
    answer = run(*args)
    seconds = time.perf_counter() - start
    asked, disk = (bytes_of(key) - n for key, n in zip(("rchar", "read_bytes"), before, strict=True))
    return {"ms": seconds * 1e3, "asked": asked / 1e6, "disk": disk / 1e6, "answer": answer}


def child(library, work, path):
    """Runs in a process of its own."""
    module, run = LIBRARIES[library]
    importlib.import_module(module)
    before = peak_mb()
    found = measured(run, work, pathlib.Path(path))
    print(json.dumps(found | {"mb": peak_mb() - before}))


def program(name, work, path):
    with subprocess.Popen([name, *ARGUMENTS[work], path], stdout=subprocess.DEVNULL) as running:
        _, status, used = os.wait4(running.pid, 0)
        running.returncode = os.waitstatus_to_exitcode(status)
    assert running.returncode == 0, (name, work, path)
    return used.ru_maxrss / 1e3


def run_once(reader, work, path, is_cached):
    with open(path, "rb") as file:
        os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
    if is_cached:
        program(is_cached, "count", path)
    if reader not in LIBRARIES:
        found = measured(program, reader, work, path)
        return found | {"mb": found.pop("answer")}
    done = subprocess.run([sys.executable, "-W", "ignore", __file__, "--child", reader, work, path], capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(done.stderr[-2000:])
    return json.loads(done.stdout.splitlines()[-1])


def table(rows, path, repeats):
    print(f"\n{path.name}, {path.stat().st_size / 1e6:.0f} MB\n\n| work | reader | ms | asked MB | disk MB | peak MB |\n|---|---|--:|--:|--:|--:|")
    for work, reader, is_cached in rows:
        runs = [run_once(reader, work, path, is_cached) for _ in range(repeats)]
        least = min(runs, key=lambda run: run["ms"])
        name = reader if reader in LIBRARIES else "program"
        name += " (heads cached)" if is_cached else ""
        print(f"| {work} | {name} | {least['ms']:.1f} | {least['asked']:.2f} | {least['disk']:.2f} | {least['mb']:.0f} |", flush=True)


def main():
    name, folder, *rest = sys.argv[1:]
    name, repeats = shutil.which(name) or name, int(rest[0]) if rest else 3
    stream, sparse, part = make(pathlib.Path(folder).resolve())
    installed = [library for library, (module, _) in LIBRARIES.items() if importlib.util.find_spec(module)]
    for path in (stream, part):
        rows = []
        for work in WORK:
            readers = [name] * (work in ARGUMENTS) + installed
            # One of them reads only sets, and the set has no such rows.
            rows += [(work, each, None) for each in readers if path == part or each != "datasets"] if path == stream or work != "middle" else []
        table(rows, path, repeats)
    table([("tail", name, None), ("tail", name, name), ("count", name, None), ("count", name, name)], sparse, repeats)
    if "arrow_ipc" in installed:
        batch_bytes(stream)


if __name__ == "__main__":
    if sys.argv[1] == "--child":
        child(*sys.argv[2:])
    elif sys.argv[1] == "--bytes":
        batch_bytes(pathlib.Path(sys.argv[2]))
    else:
        main()
