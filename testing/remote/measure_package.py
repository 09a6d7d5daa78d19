"""What the Python package and polars fetch of 50 files from a server that delays each answer by 30 ms, beside polars with the same rows in Parquet: seconds, requests, megabytes and
new connections, the best of three runs. `target/python-venv/bin/python testing/remote/measure_package.py [CONNECTIONS]`"""

import asyncio
import json
import random
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

DELAY_SECONDS, N_FILES, N_ROWS, N_COLUMNS = 0.03, 50, 50_000, 11


def serve(root):
    """Serves the files below a folder, and at `/seen` the numbers since the last look, until the process is killed."""
    files = {f"/{file.relative_to(root)}": file.read_bytes() for file in root.rglob("*.*")}
    seen = {"requests": 0, "bytes": 0, "connections": 0}

    async def answer(head, writer):
        (method, path, _), content = head[0].split(), b""
        if path == "/seen":
            content = json.dumps(seen).encode()
            seen.update(dict.fromkeys(seen, 0))
            return writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % len(content) + content)
        await asyncio.sleep(DELAY_SECONDS)
        content, status, extra = files[path], 200, "Accept-Ranges: bytes\r\n"
        n_bytes = len(content)
        if spans := [line.partition("bytes=")[2] for line in head if line.lower().startswith("range:")]:
            first, _, last = spans[0].partition("-")
            start, end = (int(first), min(int(last) + 1, n_bytes)) if first else (max(n_bytes - int(last), 0), n_bytes)
            content, status, extra = content[start:end], 206, f"Content-Range: bytes {start}-{end - 1}/{n_bytes}\r\n"
        seen["requests"] += 1
        seen["bytes"] += 0 if method == "HEAD" else len(content)
        tags = 'ETag: "1"\r\nLast-Modified: Thu, 01 Jan 2026 00:00:00 GMT'
        writer.write(f"HTTP/1.1 {status} OK\r\n{tags}\r\n{extra}Content-Length: {len(content)}\r\n\r\n".encode())
        writer.write(b"" if method == "HEAD" else content)

    async def talk(reader, writer):
        seen["connections"] += 1
        try:
            while True:
                await answer((await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n"), writer)
        except (asyncio.IncompleteReadError, ConnectionError):
            writer.close()

    async def run():
        server = await asyncio.start_server(talk, "127.0.0.1", 0, backlog=1000)
        print(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}", flush=True)
        await server.serve_forever()

    asyncio.run(run())


def make_files(root):
    import arrow_ipc
    import pyarrow as pa
    import pyarrow.parquet

    values = pa.array([random.getrandbits(40) for _ in range(N_ROWS)], pa.int64())

    def table(day):
        ids = pa.array(range(day * N_ROWS, (day + 1) * N_ROWS), pa.int64())
        return pa.table({"id": ids} | {f"c{k}": values for k in range(1, N_COLUMNS)})

    writer = arrow_ipc.DatasetWriter(root / "data", table(0).schema)
    writer.commit(writer.write(table(day).to_batches(max_chunksize=5_000), folder=f"day={day}") for day in range(N_FILES))
    for day in range(N_FILES):
        folder = root / "parquet" / f"day={day}"
        folder.mkdir(parents=True)
        pa.parquet.write_table(table(day), folder / "a.parquet", row_group_size=5_000)
    arrow_ipc.write_file(root / "small.arrow", table(0).select(["id", "c1"]).to_batches(max_chunksize=50))


def cases(urls, parquet, small):
    import arrow_ipc
    import polars
    import pyarrow as pa

    def matching(where):
        return pa.table(arrow_ipc.dataset(urls, where=where, columns=["c7"], trust_statistics=True))

    opened = []
    schema = arrow_ipc.open(urls[0]).schema
    day, ids = polars.col("day") == 3, polars.col("id").is_between(1_000_000, 1_000_100)
    yield "open", lambda: opened.append(arrow_ipc.dataset(urls))
    yield "one column", lambda: pa.table(opened[0].select(["c7"]))
    yield "all columns", lambda: pa.table(opened[0])
    yield "one day", lambda: matching("day = 3")
    yield "head(10)", lambda: arrow_ipc.dataset(urls).head(10)
    yield "head(10), schema=", lambda: arrow_ipc.dataset(urls, schema=schema).head(10)
    yield "count", lambda: arrow_ipc.dataset(urls).count()
    yield "id range", lambda: matching("id between 1000000 and 1000100")
    yield "a column of 1,000 small batches", lambda: arrow_ipc.open(small)["c1"].to_pylist()
    for name, scan in [
        ("polars", lambda: polars.scan_ipc(urls, hive_partitioning=True)),
        ("Parquet", lambda: polars.scan_parquet(parquet, hive_partitioning=True)),
    ]:
        yield f"{name}: one column", lambda scan=scan: scan().select("c7").collect()
        yield f"{name}: all columns", lambda scan=scan: scan().collect()
        yield f"{name}: one day", lambda scan=scan: scan().filter(day).select("c7").collect()
        yield f"{name}: head(10)", lambda scan=scan: scan().head(10).collect()
        yield f"{name}: count", lambda scan=scan: scan().select(polars.len()).collect()
        yield f"{name}: id range", lambda scan=scan: scan().filter(ids).select("c7").collect()
    yield "polars: a column of 1,000 small batches", lambda: polars.scan_ipc(small).select("c1").collect()


def measure(root, url):
    def seen():
        return json.loads(urllib.request.urlopen(f"{url}/seen").read())

    files = [sorted(root.glob(f"{folder}/**/*.*")) for folder in ("data", "parquet")]
    data, parquet = ([f"{url}/{file.relative_to(root)}" for file in kind] for kind in files)
    for name, read in cases(data, parquet, f"{url}/small.arrow"):
        runs = []
        for _ in range(3):
            seen()
            start = time.perf_counter()
            read()
            seconds, found = time.perf_counter() - start, seen()
            # One connection is that of the look.
            runs.append((seconds, found["requests"], found["bytes"] / 1e6, found["connections"] - 1))
        seconds, n_requests, megabytes, _ = min(runs)
        print(f"{name:40} {seconds:6.2f} s {n_requests:5} requests {megabytes:7.1f} MB {max(run[3] for run in runs):4} connections")


if sys.argv[1:2] == ["serve"]:
    serve(Path(sys.argv[2]))
else:
    if len(sys.argv) > 1:
        import arrow_ipc._connections

        arrow_ipc._connections.MAX_CONNECTIONS = int(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        make_files(Path(folder))
        server = subprocess.Popen([sys.executable, __file__, "serve", folder], stdout=subprocess.PIPE, text=True)
        try:
            measure(Path(folder), server.stdout.readline().strip())
        finally:
            server.kill()
            server.communicate()
