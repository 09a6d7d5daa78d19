"""Kills `append` at random moments, and opens the file as other libraries do; lets two append in turn, and opens it meanwhile.

    test_killed_append.py PROGRAM [KILLS] [SECONDS] [FOLDER]

pyarrow and polars have to open the file after each kill, with its old rows or all. The folder is one of a disk, so that the program
waits for it. While two programs append, pyarrow may take the length of the file before it is cut and read after it: such failures
are counted, and have to be gone when the file is opened again. Where the machine is busy, there may be some in a row.
"""

import pathlib
import random
import struct
import subprocess
import sys
import tempfile
import threading
import time

import polars as pl
import pyarrow as pa


def write(path, n_batches, first=0, n_columns=1):
    schema = pa.schema([(f"n{column}", pa.int64()) for column in range(n_columns)])
    with pa.OSFile(str(path), "wb") as file, pa.ipc.new_file(file, schema) as writer:
        for number in range(first, first + n_batches):
            writer.write_batch(pa.record_batch([pa.array([number])] * n_columns, schema=schema))


def numbers(path):
    """What the batches hold, read by pyarrow; polars has to read the same."""
    with open(path, "rb") as file:
        found = pa.ipc.open_file(file).read_all()["n0"].to_pylist()
    assert pl.read_ipc(path, columns=["n0"])["n0"].to_list() == found
    return found


def check_gaps(folder):
    """The ends that an appender makes for a moment: other bytes follow the content of the footer."""
    path = folder / "gap.arrow"
    write(path, 10, n_columns=20)
    bytes = path.read_bytes()
    (length,) = struct.unpack("<i", bytes[-10:-6])
    footer = len(bytes) - 10 - length
    for gap in [0, 1, 54, 4_096, 100_000, 20 << 20]:
        filler = bytes[:gap].ljust(gap, b"\0")
        tail = struct.pack("<i", len(bytes) + gap - footer) + b"ARROW1"
        path.write_bytes(bytes + filler + tail)
        assert numbers(path) == list(range(10)), gap


def kill(program, folder, n_kills):
    choices, n_kept, seconds = random.Random(36), {"old": 0, "new": 0}, 0.0
    path, more = folder / "log.arrow", folder / "more.arrow"
    for number in range(n_kills):
        # Some footers are longer than a page.
        n_old, n_new, n_columns = choices.choice([1, 10, 400]), choices.choice([1, 20, 200]), choices.choice([1, 40])
        write(path, n_old, n_columns=n_columns)
        write(more, n_new, n_old, n_columns)
        start = time.monotonic()
        with subprocess.Popen([program, "append", path, more], stderr=subprocess.DEVNULL) as appending:
            # Some are not killed, so that it is known how long it takes.
            if number % 10 > 0:
                time.sleep(choices.random() * seconds)
                appending.kill()
        if number % 10 == 0:
            seconds = time.monotonic() - start
        found = numbers(path)
        assert found in (list(range(n_old)), list(range(n_old + n_new))), (number, len(found))
        n_kept["old" if len(found) == n_old else "new"] += 1
    return n_kept


def open_meanwhile(program, folder, n_seconds):
    path, more = folder / "log.arrow", folder / "more.arrow"
    write(path, 300, n_columns=20)
    write(more, 3, 300, n_columns=20)
    is_over = threading.Event()

    def append():
        while not is_over.is_set():
            # Refused with status 4 while the other one is at work.
            done = subprocess.run([program, "append", path, more], stderr=subprocess.DEVNULL, check=False)
            assert done.returncode in (0, 4), done

    appending = [threading.Thread(target=append) for _ in range(2)]
    for thread in appending:
        thread.start()
    n_opened, n_again, n_rows, end = 0, 0, 300, time.monotonic() + n_seconds
    try:
        while time.monotonic() < end:
            for attempt in range(20):
                try:
                    with open(path, "rb") as file:
                        n_batches = pa.ipc.open_file(file).num_record_batches
                    break
                except (pa.ArrowInvalid, OSError):
                    n_again += 1
                    assert attempt < 19, "it fails again and again"
            assert n_batches >= n_rows, (n_batches, n_rows)
            n_opened, n_rows = n_opened + 1, n_batches
            if n_opened % 10 == 0:
                subprocess.run([program, "count", path], stdout=subprocess.DEVNULL, check=True)
    finally:
        is_over.set()
        for thread in appending:
            thread.join()
    return n_opened, n_again, n_rows - 300


def main(program, n_kills="20", n_seconds="1", folder=None):
    with tempfile.TemporaryDirectory(dir=folder) as folder:
        folder = pathlib.Path(folder)
        check_gaps(folder)
        n_kept = kill(program, folder, int(n_kills))
        n_opened, n_again, n_appended = open_meanwhile(program, folder, float(n_seconds))
    print(f"pyarrow and polars open files after {n_kills} kills: {n_kept['old']} had the old rows, {n_kept['new']} all")
    print(f"pyarrow opened {n_opened} times while {n_appended} batches were appended, {n_again} times once more")


if __name__ == "__main__":
    main(*sys.argv[1:])
