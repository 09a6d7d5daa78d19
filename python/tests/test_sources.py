"""Every kind of source by every function that reads one: the same rows, or an error that says which function reads it."""

import contextlib
import datetime
import gzip
import io
import mmap
import os
import pickle
import signal
import threading
import warnings
from pathlib import Path

import arrow_ipc
import pyarrow as pa
import pytest
from how_often import IS_LONG
from range_server import Server

ROWS = [{"id": k, "name": None if k % 3 == 1 else f"n{k}"} for k in range(20)]
TITLED = b"Sales of May\n\nday;sum\na;1\nb;2\n"

# The number of rows that each finds.
READERS = {
    "open": lambda source, out: arrow_ipc.open(source).num_rows,
    "open of columns": lambda source, out: len(arrow_ipc.open(source, columns=["name"])["name"]),
    "read_stream": lambda source, out: sum(map(len, arrow_ipc.read_stream(source))),
    "count": lambda source, out: arrow_ipc.count(source).n_rows,
    "count of a condition": lambda source, out: arrow_ipc.count(source, where="id >= 0").n_rows,
    "stats": lambda source, out: arrow_ipc.stats(source).n_rows,
    "explain": lambda source, out: arrow_ipc.explain(source).n_rows,
    "validate": lambda source, out: arrow_ipc.validate(source).n_rows,
    "inspect": lambda source, out: len(ROWS) * (not arrow_ipc.inspect(source).damage),
    "diff": lambda source, out: len(ROWS) * arrow_ipc.diff(source, out / "all.arrow").same,
    "convert": lambda source, out: arrow_ipc.convert(source, out / "o.arrow") is None or arrow_ipc.open(out / "o.arrow").num_rows,
    "concat_files": lambda source, out: arrow_ipc.concat_files([source], out / "o.arrow") is None or arrow_ipc.open(out / "o.arrow").num_rows,
    "split_file": lambda source, out: arrow_ipc.split_file(source, out / "o.arrow") is None or arrow_ipc.open(out / "o.arrow").num_rows,
    "recover": lambda source, out: arrow_ipc.recover(source, out / "o.arrow").n_rows,
    "append": lambda source, out: arrow_ipc.append(out / "more.arrow", source).n_rows,
}


class ReadOnly:
    """A file-like object that goes forward alone, as a socket does."""

    def __init__(self, content):
        self.file = io.BytesIO(content)

    def read(self, n):
        return self.file.read(n)


def compressed(content):
    return {".gz": gzip.compress(content), ".zst": pa.Codec("zstd").compress(content, asbytes=True)}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("sources")
    table = pa.Table.from_pylist(ROWS)
    arrow_ipc.write_file(folder / "all.arrow", table.to_batches(max_chunksize=7))
    arrow_ipc.write_stream(folder / "all.arrows", table.to_batches(max_chunksize=7))
    for name in ("all.arrow", "all.arrows"):
        for suffix, content in compressed((folder / name).read_bytes()).items():
            (folder / (name + suffix)).write_bytes(content)
    for k in range(2):
        os.makedirs(folder / f"days/day=2024-02-0{k + 1}")
        arrow_ipc.write_file(folder / f"days/day=2024-02-0{k + 1}/part.arrow", table.slice(10 * k, 10))
    return folder


@pytest.fixture(scope="module")
def server():
    with Server().running() as server:
        yield server


@pytest.mark.parametrize("read", [arrow_ipc.open, arrow_ipc.count, arrow_ipc.validate, arrow_ipc.stats], ids=lambda read: read.__name__)
@pytest.mark.parametrize("suffix", [".gz", ".zst"])
def test_compressed_data_that_is_cut_is_damaged(folder, suffix, read):
    """As what callers do with damaged files: no error of the system."""
    packed = (folder / f"all.arrow{suffix}").read_bytes()
    for source in [packed[: len(packed) // 2], io.BytesIO(packed[:-3])]:
        with pytest.raises(arrow_ipc.ArrowIpcError, match="compressed data is truncated") as caught:
            read(source)
        assert (caught.value.kind, caught.value.category, caught.value.hint) == ("Decompression", "malformed", "was the copy complete?")


def mapped(path):
    with open(path, "rb") as file:
        return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)


SOURCES = {
    "str": lambda path, server: str(path),
    "pathlib": lambda path, server: path,
    "URL": lambda path, server: server.put(path.name, path.read_bytes()),
    "bytes": lambda path, server: path.read_bytes(),
    "bytearray": lambda path, server: bytearray(path.read_bytes()),
    "memoryview": lambda path, server: memoryview(path.read_bytes()),
    "a buffer of pyarrow": lambda path, server: pa.py_buffer(path.read_bytes()),
    "a map": lambda path, server: mapped(path),
    "a file": lambda path, server: open(path, "rb"),
    "BytesIO": lambda path, server: io.BytesIO(path.read_bytes()),
    "a file of pyarrow": lambda path, server: pa.OSFile(str(path)),
    "a pipe": lambda path, server: ReadOnly(path.read_bytes()),
}


def names_of(kind):
    """What is compressed is of each kind that is read in a way of its own."""
    names = ["all.arrow", "all.arrows"]
    if IS_LONG or kind in ("str", "URL", "bytes", "a file", "a pipe"):
        names += ["all.arrow.gz", "all.arrow.zst", "all.arrows.gz", "all.arrows.zst"]
    return names


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning", "ignore::ResourceWarning")
@pytest.mark.parametrize(("kind", "name"), [(kind, name) for kind in SOURCES for name in names_of(kind)])
def test_sources(kind, name, folder, server, tmp_path):
    (tmp_path / "all.arrow").write_bytes((folder / "all.arrow").read_bytes())
    # One of the readers appends to it.
    arrow_ipc.write_file(tmp_path / "more.arrow", pa.Table.from_pylist(ROWS))
    is_file, n_refused = ".arrows" not in name, 0
    for reader, read in READERS.items():
        source = SOURCES[kind](folder / name, server)
        try:
            assert read(source, tmp_path) == len(ROWS), reader
        except (arrow_ipc.ArrowIpcError, OSError, TypeError, AttributeError) as error:
            n_refused += 1
            # A pipe cannot be read by position, and a file is no stream.
            is_other = is_file and reader == "read_stream"
            assert (is_other and "`open` reads the file" in (getattr(error, "hint", None) or "")) or (reader.startswith("open") and kind == "a pipe"), reader
    assert n_refused == is_file + 2 * (kind == "a pipe")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes")
def test_open_says_what_reads_pipes(folder, tmp_path):
    content, fifo = (folder / "all.arrow").read_bytes(), tmp_path / "fifo"
    os.mkfifo(fifo)

    def write(target):
        with contextlib.suppress(BrokenPipeError), open(target, "wb") as pipe:
            pipe.write(content)

    def pipe(**options):
        read_end, write_end = os.pipe()
        write(write_end)
        return os.fdopen(read_end, "rb", **options)

    writer = threading.Thread(target=write, args=(fifo,))
    writer.start()
    for source in (fifo, pipe(), pipe(buffering=0), ReadOnly(content)):
        with pytest.raises((OSError, AttributeError)) as raised:
            arrow_ipc.open(source)
        assert "`read_stream` and the tools do that" in raised.value.hint and raised.value.__notes__ == [raised.value.hint]
        if hasattr(source, "fileno"):
            source.close()
    writer.join()
    with pipe() as source:
        assert arrow_ipc.open(source.read()).num_rows == len(ROWS)


# A folder, a pattern, and a list are data sets.
SETS = {
    "a folder": lambda folder: folder / "days",
    "a folder as str": lambda folder: str(folder / "days"),
    "a pattern": lambda folder: str(folder / "days/*/*.arrow"),
    "a deep pattern": lambda folder: str(folder / "days/**/*.arrow"),
    "a list": lambda folder: sorted((folder / "days").glob("*/*.arrow")),
    "an iterator": lambda folder: iter(sorted((folder / "days").glob("*/*.arrow"))),
    "a list of folders and patterns": lambda folder: [str(folder / "days/day=2024-02-01"), str(folder / "days/day=2024-02-02/*")],
}


@pytest.mark.parametrize("kind", SETS)
def test_sets(kind, folder, tmp_path):
    data = arrow_ipc.dataset(SETS[kind](folder))
    assert data.count() == len(pa.table(data)) == len(ROWS)
    assert [row["id"] for batch in data for row in batch.to_pylist()] == list(range(20))
    if kind in ("a folder", "a folder as str"):
        assert [str(field) for field in data.schema][2:] == ["day: date32"]
    source = SETS[kind](folder)
    if isinstance(source, (str, Path)):
        assert arrow_ipc.count(source).n_rows == arrow_ipc.stats(source).n_rows == len(ROWS)
        assert arrow_ipc.convert(source, tmp_path / "o.arrow").lost == [] and arrow_ipc.open(tmp_path / "o.arrow").num_rows == len(ROWS)
        assert arrow_ipc.validate(source).n_rows == len(ROWS)
    for read in (arrow_ipc.open, arrow_ipc.read_stream) if kind != "an iterator" else ():
        with pytest.raises((OSError, TypeError)) as caught:
            read(source)
        assert "dataset" in str(caught.value) + (getattr(caught.value, "hint", None) or "")


def test_folders_are_columns(folder):
    data = arrow_ipc.dataset(folder / "days", where="day = '2024-02-02'", columns=["id", "day"])
    rows = arrow_ipc.concat(data).to_pylist()
    assert rows == [{"id": k, "day": datetime.date(2024, 2, 2)} for k in range(10, 20)]


# What is found out about text is a warning, whoever reads it.
OF_TEXT = {
    "read_csv": lambda source, out: list(arrow_ipc.read_csv(source)),
    "count": lambda source, out: arrow_ipc.count(source),
    "stats": lambda source, out: arrow_ipc.stats(source),
    "diff": lambda source, out: arrow_ipc.diff(source, source),
    "convert": lambda source, out: arrow_ipc.convert(source, out / "o.arrow"),
}


@pytest.mark.parametrize("reader", OF_TEXT)
def test_notes_of_text_are_warnings(reader, tmp_path):
    (tmp_path / "titled.csv").write_bytes(TITLED)
    with pytest.warns(UserWarning, match="are taken for a title"):
        OF_TEXT[reader](tmp_path / "titled.csv", tmp_path)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        # Who turns warnings into errors gets one, and nothing is written.
        (tmp_path / "o.arrow").unlink(missing_ok=True)
        with pytest.raises(UserWarning, match="are taken for a title"):
            OF_TEXT[reader](tmp_path / "titled.csv", tmp_path)
        assert not (tmp_path / "o.arrow").exists()
        (tmp_path / "plain.csv").write_bytes(b"day,sum\na,1\nb,2\n")
        OF_TEXT[reader](tmp_path / "plain.csv", tmp_path)


def test_compressed_files_are_named(tmp_path):
    """Where inputs are not decompressed, the error says what they are."""
    path = tmp_path / "a.arrow"
    arrow_ipc.write_file(path, {"id": [1]})
    content = path.read_bytes()
    # Without a name in it, gzip begins with what could be a length.
    for compressed, name in [(gzip.compress(content), "gzip"), (pa.compress(content, codec="zstd", asbytes=True), "Zstandard")]:
        path.write_bytes(compressed)
        for call in [lambda: arrow_ipc.dataset(path), lambda: arrow_ipc.append(path, {"id": [1]})]:
            with pytest.raises(arrow_ipc.ArrowIpcError, match="a.arrow: expected an Arrow IPC file( or stream)?, found no Arrow data") as raised:
                call()
            assert raised.value.hint == f"this is compressed by {name}: convert decompresses it into another file"
        assert path.read_bytes() == compressed


@pytest.mark.parametrize("read", [arrow_ipc.read_csv, arrow_ipc.read_json])
def test_folders_are_no_text(read, tmp_path):
    with pytest.raises(IsADirectoryError) as raised:
        read(tmp_path)
    assert raised.value.filename == str(tmp_path)


@contextlib.contextmanager
def interrupted():
    """Work that a signal ends. It has a handler, as Ctrl-C has one, which raises."""

    def stop(*_):
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, 0.05)
    try:
        with pytest.raises(KeyboardInterrupt):
            yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes")
@pytest.mark.parametrize("reader", ["open", "read_stream", "count", "validate", "inspect", "convert", "append", "read_csv"])
def test_waiting_for_a_pipe_can_be_interrupted(reader, tmp_path):
    """Nobody writes to the pipe."""
    os.mkfifo(tmp_path / "pipe")
    calls = {**READERS, "read_csv": lambda source, out: arrow_ipc.read_csv(source)}
    arrow_ipc.write_file(tmp_path / "more.arrow", {"id": [1]})

    with interrupted():
        calls[reader](tmp_path / "pipe", tmp_path)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes")
def test_pipes_are_read(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    content = io.BytesIO()
    arrow_ipc.write_stream(content, ROWS)
    for read in [lambda: arrow_ipc.concat(arrow_ipc.read_stream(tmp_path / "pipe")).num_rows, lambda: arrow_ipc.count(tmp_path / "pipe").n_rows]:
        writer = threading.Thread(target=(tmp_path / "pipe").write_bytes, args=(content.getvalue(),))
        writer.start()
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            assert read() == len(ROWS)
        writer.join()


WRITERS = {
    "write_stream": lambda pipe, path: arrow_ipc.write_stream(pipe, ROWS),
    "write_csv": lambda pipe, path: arrow_ipc.write_csv(pipe, ROWS),
    "Writer": lambda pipe, path: arrow_ipc.Writer(pipe, {"id": "int64"}, container="stream").close(),
    "convert": lambda pipe, path: arrow_ipc.convert(path, pipe, container="stream"),
}


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes")
@pytest.mark.parametrize("writer", WRITERS)
def test_pipes_are_written(writer, tmp_path):
    """The writer waits for a reader: other threads go on, and Ctrl-C ends the waiting."""
    os.mkfifo(tmp_path / "pipe")
    arrow_ipc.write_file(tmp_path / "more.arrow", ROWS)

    with interrupted():
        WRITERS[writer](tmp_path / "pipe", tmp_path / "more.arrow")
    thread = threading.Thread(target=WRITERS[writer], args=(tmp_path / "pipe", tmp_path / "more.arrow"))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        thread.start()
        # The other thread waits without the lock of the interpreter.
        content = (tmp_path / "pipe").read_bytes()
        thread.join()
    if writer == "write_csv":
        assert content.startswith(b"id")
    else:
        assert arrow_ipc.concat(arrow_ipc.read_stream(content)).num_rows == (0 if writer == "Writer" else len(ROWS))


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes")
def test_readers_of_pipes_that_go_at_once(tmp_path):
    """The writer ends, with an error or without: it does not wait for a second reader."""
    os.mkfifo(tmp_path / "pipe")
    for _ in range(50):
        reader = threading.Thread(target=lambda: os.close(os.open(tmp_path / "pipe", os.O_RDONLY)))
        reader.start()
        with contextlib.suppress(BrokenPipeError):
            arrow_ipc.write_stream(tmp_path / "pipe", ROWS)
        reader.join()
    for call in [lambda: arrow_ipc.append(tmp_path / "pipe", ROWS), lambda: arrow_ipc.open(tmp_path / "pipe", memory_map=True)]:
        with pytest.raises(ValueError, match="pipe: .* files, and this is a named pipe"):
            call()


def test_urls_of_local_files(tmp_path):
    """A file at such a URL is a file at a path: it is pickled, mapped and read by several threads, without another package."""
    path = tmp_path / "a b.arrow"
    arrow_ipc.write_file(path, {"id": [1, 2]})
    url = path.as_uri()
    assert "%20" in url
    for way in (url, url.replace("file:", "FILE:")):
        with arrow_ipc.open(way, memory_map=True) as file:
            assert pickle.loads(pickle.dumps(file))["id"].to_pylist() == [1, 2]
        assert arrow_ipc.count(way).n_rows == 2 and arrow_ipc.validate(way)
    assert arrow_ipc.dataset(url).count() == arrow_ipc.dataset([url]).count() == 2
    for wrong in ("file://server/a.arrow", url + "?x=1", url + "#x"):
        with pytest.raises(ValueError, match="a URL of a local file is file:///path"):
            arrow_ipc.open(wrong)
    with pytest.raises(FileNotFoundError, match="none.arrow"):
        arrow_ipc.open((tmp_path / "none.arrow").as_uri())
