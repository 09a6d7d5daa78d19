"""Reads a file of 1 TB that exists nowhere, with pyarrow, through the server of the example `serve_planned_file`.

    test_planned_file.py SERVER

Tells how long it took. Only what was read, and how little of the file, is checked.
"""

import io
import subprocess
import sys
import time
import urllib.error
import urllib.request

import pyarrow as pa
import pyarrow.compute as pc

N_BATCHES = 20_000
N_ROWS = 62_500
N_COLUMNS = 100


class RemoteFile(io.RawIOBase):
    """A file on an HTTP server, of which ranges are asked for."""

    def __init__(self, url):
        self.url = url
        with urllib.request.urlopen(urllib.request.Request(url, method="HEAD")) as response:
            self.n_bytes = int(response.headers["Content-Length"])
        self.position = 0
        self.n_requests = 0
        self.n_read = 0

    def readable(self):
        return True

    def seekable(self):
        return True

    def tell(self):
        return self.position

    def seek(self, offset, whence=io.SEEK_SET):
        start = {io.SEEK_SET: 0, io.SEEK_CUR: self.position, io.SEEK_END: self.n_bytes}[whence]
        self.position = start + offset
        return self.position

    def read(self, n_bytes=-1):
        end = self.n_bytes if n_bytes < 0 else min(self.position + n_bytes, self.n_bytes)
        if end <= self.position:
            return b""
        content = self.ask(f"bytes={self.position}-{end - 1}")
        assert len(content) == end - self.position, (len(content), self.position, end)
        self.position = end
        self.n_requests += 1
        self.n_read += len(content)
        return content

    def ask(self, ranges):
        request = urllib.request.Request(self.url, headers={"Range": ranges})
        with urllib.request.urlopen(request) as response:
            assert response.status == 206, response.status
            return response.read()


def expected_columns(batch_idx):
    """What the example makes of the numbers of rows."""
    first = batch_idx * N_ROWS
    ids = pa.array(range(first, first + N_ROWS), pa.int64())
    names = pa.array(f"row {row:012}" for row in range(first, first + N_ROWS))
    flags = pa.array(None if row % 8 == 0 else row % 2 == 1 for row in range(N_ROWS))
    numbers = [pc.multiply(ids, pa.scalar(column, pa.int64())) for column in range(3, N_COLUMNS)]
    return [ids, names, flags, *numbers]


def check(url):
    # A suffix of the file: its magic.
    assert RemoteFile(url).ask("bytes=-6") == b"ARROW1"
    try:
        RemoteFile(url).ask("bytes=2000000000000-")
        raise AssertionError("the file has no such bytes")
    except urllib.error.HTTPError as error:
        assert error.code == 416, error

    start = time.perf_counter()
    file = RemoteFile(url)
    reader = pa.ipc.open_file(pa.PythonFile(file, mode="r"))
    opened = time.perf_counter()
    batch = reader.get_batch(N_BATCHES - 1)
    done = time.perf_counter()
    print(f"{file.n_bytes:,} bytes: opened in {opened - start:.3f} s, the last batch read in {done - opened:.3f} s, "
          f"{file.n_requests} requests for {file.n_read:,} bytes")

    assert file.n_bytes > 1_000_000_000_000 * 0.98, file.n_bytes
    assert reader.num_record_batches == N_BATCHES
    assert file.n_read < 100_000_000, file.n_read
    batch.validate(full=True)
    expected = expected_columns(N_BATCHES - 1)
    assert batch.num_columns == len(expected) and batch.num_rows == N_ROWS
    for name, column, values in zip(batch.schema.names, batch.columns, expected):
        assert column.equals(values), name
    # Another one, of which a few columns.
    options = pa.ipc.IpcReadOptions(included_fields=[1, 99])
    few = pa.ipc.open_file(pa.PythonFile(RemoteFile(url), mode="r"), options=options).get_batch(4_321)
    assert few.schema.names == ["name", "c99"]
    assert few.column(0)[5].as_py() == f"row {4_321 * N_ROWS + 5:012}"
    assert few.column(1)[N_ROWS - 1].as_py() == 99 * (4_322 * N_ROWS - 1)


def main(server):
    # It ends when its standard input does.
    with subprocess.Popen([server, "--serve"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        try:
            check(process.stdout.readline().strip())
        finally:
            process.stdin.close()
    assert process.returncode == 0, process.returncode
    print("a planned file: passed")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(sys.argv[1])
