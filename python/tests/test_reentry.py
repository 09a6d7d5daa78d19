"""Python code that we call, and that uses what is at work: an error, and neither a wait for itself nor a crash."""

import subprocess
import sys

from children import LEAN

SETUP = LEAN + """
import faulthandler
import io

import arrow_ipc
import pyarrow as pa

faulthandler.dump_traceback_later(60, exit=True)
table = pa.table({"a": range(300_000)})
parts = table.to_batches(max_chunksize=100_000)
made = {}
for kind, write in {"file": arrow_ipc.write_file, "stream": arrow_ipc.write_stream}.items():
    target = io.BytesIO()
    write(target, parts)
    made[kind] = target.getvalue()


class Calling(io.BytesIO):
    call, is_in = None, False

    def read(self, n=-1):
        if self.call and not self.is_in:
            self.is_in = True
            try:
                self.call()
            finally:
                self.is_in = False
        return super().read(n)

    read1 = read

    def write(self, data):
        if self.call:
            self.call()
        return super().write(data)


def said(work):
    try:
        work()
    except (arrow_ipc.ArrowIpcError, OSError) as error:
        print("is in use" in str(error), end=" ")
    else:
        print(None, end=" ")
"""

AT_WORK = """
for inner in [next, arrow_ipc.Stream.close, pa.table]:
    for outer in [next, list]:
        source = Calling(made["stream"])
        stream = arrow_ipc.read_stream(source)
        source.call = lambda: inner(stream)
        said(lambda: outer(stream))
print()
for inner in [list, pa.table, lambda file: file.batch(0), lambda file: file.head(1)]:
    for outer in [list, pa.table, lambda file: file.batch(1)]:
        source = Calling(made["file"])
        file = arrow_ipc.open(source)
        source.call = lambda: inner(file)
        said(lambda: outer(file))
print()
target = Calling()
for inner in [lambda: writer.write(table), lambda: writer.close()]:
    writer = arrow_ipc.Writer(target, table.schema, container="stream")
    target.call = inner
    said(lambda: writer.write(table))
    target.call = None
    writer = arrow_ipc.Writer(target, table.schema, container="stream")

    def data():
        yield table
        inner()
        yield table

    said(lambda: writer.write(data()))
"""

# The other library gives up the interpreter's lock, inside of code that we called.
WITHOUT_THE_LOCK = """
def tables(source):
    for _ in range(3):
        yield pa.table(arrow_ipc.open(source(made["file"])))
        yield pa.table(arrow_ipc.read_stream(source(made["stream"])))

class Failing(Calling):
    def call(self):
        raise OSError("is in use, too")

for source in [Calling, bytes, bytearray]:
    target = io.BytesIO()
    arrow_ipc.write_file(target, tables(source))
    print(arrow_ipc.count(target).n_rows, end=" ")
opened = Failing(made["file"])
opened.call = None
file = arrow_ipc.open(opened)
del opened.call

def failing():
    yield pa.table(file)

said(lambda: arrow_ipc.write_file(io.BytesIO(), failing()))
"""


def output_of(script):
    done = subprocess.run([sys.executable, "-c", SETUP + script], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr[-2_000:]
    return [line.split() for line in done.stdout.splitlines()]


def test_what_is_at_work():
    assert output_of(AT_WORK) == [["True"] * 6, ["True"] * 12, ["True"] * 4]


def test_without_the_lock():
    assert output_of(WITHOUT_THE_LOCK) == [["1800000"] * 3 + ["True"]]
