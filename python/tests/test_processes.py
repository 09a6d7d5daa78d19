"""A fork, and the end of the interpreter, while threads read: a defined end, each time."""

import subprocess
import sys

import arrow_ipc
import pyarrow as pa
import pytest
from children import LEAN

CLASSES = LEAN + """
import asyncio, io, os, sys, threading, time
import arrow_ipc

path = sys.argv[1]

class Slow(io.BytesIO):
    def read(self, n=-1):
        time.sleep(0.001)
        return super().read(n)

    def write(self, data):
        time.sleep(0.001)
        return super().write(data)

"""

PRELUDE = """
def slowly(batches):
    for batch in batches:
        time.sleep(0.001)
        yield batch

with open(path, "rb") as file:
    content = file.read()

def read():
    while True:
        source = {"path": lambda: path, "memory": lambda: content, "file": lambda: Slow(content)}[sys.argv[2]]()
        file = arrow_ipc.open(source, threads=2)
        list(file)
        arrow_ipc.concat(file)
        arrow_ipc.write_file(Slow(), slowly(list(file)), compression="zstd")

started = threading.Event()
def run():
    started.set()
    read()

threads = [threading.Thread(target=run, daemon=True) for _ in range(4)]
for thread in threads:
    thread.start()
started.wait()
time.sleep(0.02)
"""

# The child has the threads' memory as it was, and none of the threads.
FORK = """
file = arrow_ipc.open(path)
file.load_dictionaries()
for k in range(20):
    child = os.fork()
    if child == 0:
        rows = arrow_ipc.concat(arrow_ipc.open(path, threads=2)).num_rows + file.batch(0).num_rows
        target = io.BytesIO()
        arrow_ipc.write_file(target, file, compression="lz4")
        os._exit(0 if rows == 5_000 and arrow_ipc.open(target.getvalue()).num_rows == 4_000 else 1)
    assert os.waitpid(child, 0)[1] == 0
    time.sleep(0.002)
print("done")
os._exit(0)
"""

# A thread gives up the interpreter's lock only where it must, and there the process forks while all is used for the first time.
FIRST = """
import arrow_ipc._engines, arrow_ipc._rows, collections, signal

sys.setswitchinterval(1)

def use():
    target = Slow()
    arrow_ipc.write_file(target, [{"a": 1, "t": "x"}], metadata=collections.UserDict({"k": "v"}))
    file = arrow_ipc.open(target)
    assert list(file["a"]) == file["a"].to_pylist() == shared.to_pylist() == [1]
    stream = Slow()
    arrow_ipc.write_stream(stream, file)
    assert len(arrow_ipc.concat(arrow_ipc.read_stream(io.BytesIO(stream.getvalue())))) == 1
    assert memoryview(file["a"]).tolist() == [1]
    try:
        arrow_ipc.open(b"nothing of ours")
    except arrow_ipc.ArrowIpcError as error:
        assert error.hint

shared = arrow_ipc.RecordBatch({"a": [1]})["a"]
may_go = threading.Event()
first = threading.Thread(target=lambda: may_go.wait() and use())
first.start()
children = []
while not may_go.is_set() or first.is_alive():
    may_go.set()
    child = os.fork()
    if child == 0:
        signal.alarm(60)
        use()
        os._exit(0)
    children.append(child)
    time.sleep(0.0001)
ends = [os.waitpid(child, 0)[1] for child in children]
print(ends if any(ends) else "done")
os._exit(0)
"""

# Both processes have the same position in the file.
WRITER = """
dest = os.path.join(os.path.dirname(path), "written.arrow")
with arrow_ipc.Writer(dest, {"n": "int64"}) as writer:
    writer.write({"n": [1]})
    child = os.fork()
    if child == 0:
        for call in (lambda: writer.write({"n": [2]}), writer.close):
            try:
                call()
                os._exit(1)
            except arrow_ipc.ArrowIpcError as error:
                assert error.kind == "Forked"
        # The exception ends the block.
        try:
            with writer:
                raise KeyError
        except KeyError:
            pass
        del writer
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0
    writer.write({"n": [3]})
assert arrow_ipc.open(dest)["n"].to_pylist() == [1, 3]
print("done")
"""

# The thread that has its turn is not in the child.
TURN = """
import signal

target = io.BytesIO()
arrow_ipc.write_stream(target, arrow_ipc.open(path))
is_in, may_go = threading.Event(), threading.Event()

class Waiting(io.BytesIO):
    def read(self, n=-1):
        if threading.current_thread() is not threading.main_thread():
            is_in.set()
            may_go.wait()
        return super().read(n)

    read1 = read

stream = arrow_ipc.read_stream(Waiting(target.getvalue()))
threading.Thread(target=lambda: next(stream), daemon=True).start()
is_in.wait()
child = os.fork()
if child == 0:
    signal.alarm(60)
    try:
        next(stream)
    except arrow_ipc.ArrowIpcError as error:
        os._exit(0 if error.kind == "Forked" and "open it again" in str(error) else 1)
    os._exit(2)
assert os.waitpid(child, 0)[1] == 0
may_go.set()
assert len(list(stream)) in (3, 4)
print("done")
os._exit(0)
"""

# Threads that read ahead are not in the child, which must neither wait for them in calls nor when it drops the stream.
AHEAD = """
import signal
import pyarrow

folder = os.path.dirname(path)
# A thread reads 65,536 rows at once.
text, lines = os.path.join(folder, "big.csv"), os.path.join(folder, "big.jsonl")
with open(text, "w") as out:
    out.write("n\\n" + "1\\n" * 80_000)
with open(lines, "w") as out:
    out.write('{"n": 1}\\n' * 80_000)
data = arrow_ipc.dataset(path)
makes = {
    "csv": lambda: arrow_ipc.read_csv(text),
    "json": lambda: arrow_ipc.read_json(lines),
    "iter": lambda: iter(data),
    "read": lambda: data.read(),
    "c stream": lambda: pyarrow.RecordBatchReader.from_stream(data),
    "c stream of csv": lambda: pyarrow.RecordBatchReader.from_stream(arrow_ipc.read_csv(text)),
}
for name, make in makes.items():
    for is_begun in (False, True):
        stream = make()
        if is_begun:
            next(stream)
        child = os.fork()
        if child == 0:
            signal.alarm(60)
            # Who asks again does not take the stream for complete.
            for _ in range(2):
                try:
                    next(stream)
                    os._exit(2)
                except arrow_ipc.ArrowIpcError as error:
                    if error.kind != "Forked" or "open it again" not in str(error):
                        os._exit(3)
                except pyarrow.ArrowInvalid as error:
                    if "open it again" not in str(error):
                        os._exit(4)
                except OSError as error:
                    if "open it again" not in str(error):
                        os._exit(5)
            del stream
            next(make())
            os._exit(0)
        assert os.waitpid(child, 0)[1] == 0, (name, is_begun)
        next(stream)
        del stream
print("done")
os._exit(0)
"""

EXIT = """
async def use():
    async for batch in arrow_ipc.open(path):
        break

asyncio.run(use())
kept = [arrow_ipc.open(path).batch(0), arrow_ipc.open(content), iter(arrow_ipc.open(Slow(content)))]
print("done")
"""


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    path = tmp_path_factory.mktemp("processes") / "words.arrow"
    table = pa.table({"n": list(range(4_000)), "word": pa.array(["a", "b", "c", "d"] * 1_000).dictionary_encode()})
    arrow_ipc.write_file(path, table.to_batches(max_chunksize=1_000))
    return path


def run(script, *args):
    command = [sys.executable, "-W", "ignore", "-c", CLASSES + script, *map(str, args)]
    return subprocess.run(command, capture_output=True, text=True, timeout=300)


@pytest.mark.skipif(sys.platform == "win32", reason="there is no fork")
@pytest.mark.parametrize("source", ["path", "memory", "file"])
def test_fork_while_threads_read(path, source):
    done = run(PRELUDE + FORK, path, source)
    assert (done.returncode, done.stdout, done.stderr) == (0, "done\n", "")


@pytest.mark.skipif(sys.platform == "win32", reason="there is no fork")
@pytest.mark.parametrize("script", [FIRST, TURN, AHEAD, WRITER], ids=["first use", "turn", "ahead", "writer"])
def test_fork_while_a_thread(script, path):
    done = run(script, path)
    assert (done.returncode, done.stdout, done.stderr) == (0, "done\n", "")


@pytest.mark.parametrize("source", ["path", "memory", "file"])
def test_exit_while_threads_read(path, source):
    for _ in range(3):
        done = run(PRELUDE + EXIT, path, source)
        assert (done.returncode, done.stdout, done.stderr) == (0, "done\n", "")
