"""A Python library as a reader: `serve.py LIBRARY` reads lines `KIND<tab>PATH` and answers each with a line of JSON.

Each file is read in a process of its own, which is forked after the library has been imported. The answer says how it ended, and where
its rows are, one line of lossless JSON each: {"end": "rows", "rows": PATH}, or {"end": "error" | "signal" | "status" | "time" | "absent",
"text": …}.
"""

import importlib.metadata
import json
import os
import re
import resource
import signal
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "corpus/golden"))

# As in run.py.
MOST_TEXT = 20_000
SECONDS, CLOCK_SECONDS, MEMORY_BYTES = 10, 180, 4 << 30
# Not 2, with which Go ends when it panics.
NO_READER = 77


class NoReader(Exception):
    """The library has no reader of this kind."""


class Unprintable(Exception):
    """An array claims more rows or items than can be printed. This counts as refused, like all that fails when values are printed."""


def pyarrow():
    import pyarrow as pa

    def read(kind, path):
        with pa.OSFile(path) as source:
            if kind == "stream":
                batches = list(pa.ipc.open_stream(source))
            else:
                file = pa.ipc.open_file(source)
                batches = [file.get_batch(k) for k in range(file.num_record_batches)]
        for batch in batches:
            # What the library documents for data that nobody trusts.
            batch.validate(full=True)
        return batches

    return read


def polars():
    import polars
    import pyarrow as pa

    def read(kind, path):
        frame = (polars.read_ipc_stream if kind == "stream" else polars.read_ipc)(path)
        table = frame.to_arrow(compat_level=polars.CompatLevel.newest())
        return cast(table, original(kind, Path(path).read_bytes())).to_batches()

    def original(kind, content):
        try:
            return (pa.ipc.open_stream if kind == "stream" else pa.ipc.open_file)(content).schema
        except (pa.ArrowException, KeyError, OSError):
            return None

    def cast(table, schema):
        """The columns in the types of the file, where these hold the values of polars: it has fewer types."""
        # A table that is made of no columns has no rows.
        if schema is None or not table.columns:
            return table
        columns = []
        for column, field in zip(table.columns, schema, strict=True):
            try:
                columns.append(in_type(column, field.type))
            except (pa.ArrowException, KeyError):
                columns.append(column)
        return pa.Table.from_arrays(columns, names=schema.names)

    def in_type(column, data_type):
        # The numbers are the same, and a cast from timestamps changes those far from 1970 without an error.
        if pa.types.is_date64(data_type) and column.type == pa.timestamp("ms"):
            column = column.cast(pa.int64())
        return column.cast(data_type)

    return read


def nanoarrow():
    import nanoarrow.ipc
    import pyarrow as pa

    def read(kind, path):
        if kind == "file":
            raise NoReader("nanoarrow has no reader of files")
        with nanoarrow.ipc.InputStream.from_path(path) as source:
            return list(pa.RecordBatchReader.from_stream(nanoarrow.c_array_stream(source)))

    return read


def duckdb():
    import duckdb

    connection = duckdb.connect()
    connection.execute("load nanoarrow")

    def read(kind, path):
        return connection.execute("from read_arrow(?)", [path]).to_arrow_table().to_batches()

    return read


def arrow_go():
    import adbc_driver_flightsql
    import adbc_driver_flightsql.dbapi as sql
    import flight
    import pyarrow as pa  # noqa: F401  Before the forks.

    def read(kind, path):
        if kind == "file":
            raise NoReader("Flight has no files")
        try:
            server, address = flight.serve(Path(path).read_bytes())
        except flight.NoMessages as error:
            raise NoReader(f"Flight sends whole messages only: {error}") from None
        with sql.connect(address, autocommit=True) as connection, connection.cursor() as cursor:
            cursor.execute("all rows")
            return list(cursor.fetch_record_batch())

    # The driver says which modules it is made of.
    driver = Path(adbc_driver_flightsql._driver_path()).read_bytes()
    read.version = re.search(rb"\tgithub.com/apache/arrow-go/v\d+\tv([0-9.]+)\t", driver)[1].decode()
    return read


LIBRARIES = {"pyarrow": pyarrow, "polars": polars, "nanoarrow": nanoarrow, "duckdb": duckdb, "arrow-go": arrow_go}


def child(read, kind, path, out):
    from arrow_json import batch_rows

    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS + 1))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    # What the library writes when it ends is its text.
    os.dup2(out.fileno(), 2)
    try:
        try:
            batches = read(kind, path)
            try:
                rows = [row for batch in batches for row in batch_rows(batch)]
            except MemoryError:
                raise Unprintable("an array has too many slots to be printed") from None
        except KeyError as error:
            # The number of a type for which pyarrow has no class in Python: some intervals. Other keys are those of its errors.
            if type(error) is not KeyError or not isinstance(error.args[0], int):
                raise
            raise NoReader(f"pyarrow has no class for the type {error}") from None
    except NoReader as error:
        out.write(str(error).encode())
        out.flush()
        os._exit(NO_READER)
    except BaseException as error:  # noqa: BLE001  polars panics with a class of its own.
        out.write(f"{type(error).__name__}: {error}".encode("utf-8", "replace"))
        out.flush()
        os._exit(1)
    # Warnings are not rows.
    out.seek(0)
    out.truncate()
    out.write("".join(row + "\n" for row in rows).encode("utf-8", "surrogatepass"))
    out.flush()
    os._exit(0)


def answer(read, kind, path, out):
    out.seek(0)
    out.truncate()
    process = os.fork()
    if process == 0:
        child(read, kind, path, out)
    end = time.monotonic() + CLOCK_SECONDS
    pause = 0.001
    while True:
        found, status = os.waitpid(process, os.WNOHANG)
        if found:
            break
        if time.monotonic() > end:
            os.kill(process, signal.SIGKILL)
            os.waitpid(process, 0)
            return {"end": "time", "text": f"no end after {CLOCK_SECONDS} s by the clock"}
        time.sleep(pause)
        pause = min(pause * 1.5, 0.05)
    n_bytes = os.fstat(out.fileno()).st_size
    # The start and the end of it: Go prints the reason first, and its goroutines after it.
    half = MOST_TEXT // 2
    text = os.pread(out.fileno(), half, 0) + os.pread(out.fileno(), half, max(n_bytes - half, half))
    text = text.decode("utf-8", "replace")
    if os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGXCPU:
        return {"end": "time", "text": f"no end after {SECONDS} s of the processor"}
    if os.WIFSIGNALED(status):
        return {"end": "signal", "text": f"signal {os.WTERMSIG(status)} {text}"}
    if os.WEXITSTATUS(status) == 0:
        return {"end": "rows", "rows": out.name}
    end = {1: "error", NO_READER: "absent"}.get(os.WEXITSTATUS(status))
    return {"end": end, "text": text} if end else {"end": "status", "text": f"status {os.WEXITSTATUS(status)} {text}"}


def main(name):
    read = LIBRARIES[name]()
    import arrow_json  # noqa: F401  Before the forks.

    print(json.dumps({"version": getattr(read, "version", None) or importlib.metadata.version(name)}), flush=True)
    with tempfile.NamedTemporaryFile() as out:
        for line in sys.stdin:
            kind, path = line.rstrip("\n").split("\t")
            print(json.dumps(answer(read, kind, path, out)), flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
