"""No text from outside controls a terminal: not one of a server, and no path, URL, name, value or condition."""

import ast
import io
import re
import socket
import threading
import traceback
import warnings
from pathlib import Path

import arrow_ipc
import pyarrow as pa
import pytest

# Title, colour, bell, cursor, the same by one byte, a reversal of the text, an invisible character.
HOSTILE = "\x1b]0;pwned\x07\x1b[31m\r\x9b2J\u202e\u200bx"
HIDDEN = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e\u200b]")


def check(error):
    """All that a traceback shows of an error is harmless, and still has the text."""
    shown = "".join(traceback.format_exception_only(error))
    # With the causes, but without the lines of the test and of the package.
    chain, causes = error, []
    while chain is not None:
        causes += [str(chain), *getattr(chain, "__notes__", []), str(getattr(chain, "hint", ""))]
        chain = None if chain.__suppress_context__ and chain.__cause__ is None else chain.__cause__ or chain.__context__
    for text in [shown, *causes, repr(getattr(error, "location", None))]:
        assert not HIDDEN.search(text), repr(text)


def serve(reply):
    """A server that gives each request these bytes."""
    server = socket.socket()
    server.bind(("127.0.0.1", 0))
    server.listen(20)

    def run():
        while True:
            try:
                connection, _ = server.accept()
            except OSError:
                return
            try:
                connection.recv(4096)
                connection.sendall(reply)
                connection.close()
            except OSError:
                pass

    threading.Thread(target=run, daemon=True).start()
    return server


RANGE = b"HTTP/1.1 206 OK\r\nContent-Range: bytes 0-%d/%d\r\n"
REPLIES = {
    "status": (b"\x1b]0;pwned\x07\x1b[31mEVIL\r\n\r\n", OSError, r"BadStatusLine: .*EVIL"),
    "version": (b"HTTP/9.9\x1b[31m 200 OK\r\n\r\n", OSError, r"UnknownProtocol: HTTP/9.9"),
    "tag": (RANGE % (0, 1) + b'ETag: "\x1b[31m"\r\nContent-Length: 1\r\n\r\nx', ValueError, "no Arrow data"),
    "range": (b"HTTP/1.1 206 OK\r\nContent-Range: \x1b[31m/1\r\nContent-Length: 1\r\n\r\nx", OSError, "does not answer ranges"),
    "chunk": (RANGE % (99, 100) + b'ETag: "1"\r\nTransfer-Encoding: chunked\r\n\r\n\x1b[31mzz\r\n', OSError, "IncompleteRead"),
    "redirect to a scheme": (b"HTTP/1.1 302 OK\r\nLocation: \x1b[31mfoo://x\x1b]0;a\x07/\r\nContent-Length: 0\r\n\r\n", ValueError, "a URL has no"),
    "redirect to a path": (b"HTTP/1.1 302 OK\r\nLocation: http://127.0.0.1:1/\x1b[31m\r\nContent-Length: 0\r\n\r\n", ValueError, "a URL has no"),
    "redirect to a host": (b"HTTP/1.1 302 OK\r\nLocation: http://\x9b31m/\r\nContent-Length: 0\r\n\r\n", ValueError, None),
    "redirect to no host": (b"HTTP/1.1 302 OK\r\nLocation: http://[\x1b[31m/\r\nContent-Length: 0\r\n\r\n", ValueError, None),
    "redirect to a port": (b"HTTP/1.1 302 OK\r\nLocation: http://a:\x9b31m/\r\nContent-Length: 0\r\n\r\n", ValueError, None),
    "redirect to compatible forms": ("HTTP/1.1 302 OK\r\nLocation: http://a\u2100\x9b/\r\nContent-Length: 0\r\n\r\n".encode(), Exception, None),
    "reason": (b"HTTP/1.1 403 \x1b[31mno\r\nContent-Length: 0\r\n\r\n", PermissionError, "status 403"),
}


@pytest.mark.parametrize("case", REPLIES)
def test_answers_of_a_server(case, monkeypatch):
    monkeypatch.setattr("arrow_ipc._remote.PAUSES", (0,))
    reply, kind, text = REPLIES[case]
    with serve(reply) as server:
        url = f"http://127.0.0.1:{server.getsockname()[1]}/a.arrow"
        for read in [arrow_ipc.open, arrow_ipc.count, arrow_ipc.read_stream]:
            with pytest.raises(Exception) as raised:
                read(url)
            check(raised.value)
        with pytest.raises(kind, match=text):
            arrow_ipc.open(url)


def test_errors_of_other_file_systems(monkeypatch):
    """fsspec and its packages put paths, and the words of servers, into their errors."""
    fsspec = pytest.importorskip("fsspec")

    class Lying(fsspec.AbstractFileSystem):
        protocol = "lying"

        def info(self, path, **options):
            try:
                raise RuntimeError(f"the server says {HOSTILE}")
            except RuntimeError as error:
                raise FileNotFoundError(f"{path}: {HOSTILE}") from error

        ls = info

    fsspec.register_implementation("lying", Lying, clobber=True)
    for read in [arrow_ipc.open, arrow_ipc.dataset]:
        with pytest.raises(Exception) as raised:
            read(f"lying://{HOSTILE}/a")
        check(raised.value)


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    arrow_ipc.write_file("a.arrow", {"a": [1]})
    arrow_ipc.write_file("named.arrow", {HOSTILE: ["x"], "a": [1]})
    Path("text.csv").write_text("a\n1\n")
    Path(f"{HOSTILE}.csv").write_text("a,b\n1\n")
    Path(f"{HOSTILE}.arrow").write_bytes(b"\x1b[31m no Arrow data")
    Path(f"{HOSTILE}.json").write_text('[{"a": 1} {"a": 2}]')
    Path(f"{HOSTILE}.arrows").write_bytes(b"")
    return tmp_path


def a_struct(name, value):
    return pa.StructArray.from_arrays([pa.array([value])], [name])


CALLS = [
    *(lambda path=path, read=getattr(arrow_ipc, name): read(path) for name in ["open", "read_stream", "dataset", "read_csv", "read_json", "count", "validate",
        "inspect", "stats", "explain"] for path in [f"/absent/{HOSTILE}", f"{HOSTILE}.arrow", f"http://{HOSTILE}/x", f"http://h/{HOSTILE}", f"x://{HOSTILE}"]),
    lambda: list(arrow_ipc.read_csv(f"{HOSTILE}.csv")),
    lambda: list(arrow_ipc.read_json(f"{HOSTILE}.json")),
    lambda: arrow_ipc.read_stream(f"{HOSTILE}.arrows"),
    lambda: arrow_ipc.open("a.arrow", columns=[HOSTILE]),
    lambda: arrow_ipc.open("a.arrow", validation=HOSTILE),
    lambda: arrow_ipc.dataset("a.arrow", columns=[HOSTILE]),
    lambda: arrow_ipc.dataset("a.arrow", where=f"a = '{HOSTILE}'"),
    lambda: arrow_ipc.dataset("a.arrow", schema={HOSTILE: HOSTILE}),
    lambda: arrow_ipc.count("a.arrow", where=HOSTILE),
    lambda: arrow_ipc.count("a.arrow", where=f'"{HOSTILE}" = 1'),
    lambda: arrow_ipc.convert("a.arrow", f"out/{HOSTILE}/x"),
    lambda: arrow_ipc.convert("a.arrow", f"out/{HOSTILE}/x.arrow"),
    lambda: arrow_ipc.convert("a.arrow", f"{HOSTILE}.csv.gz"),
    lambda: arrow_ipc.convert("a.arrow", "out.arrow", container=HOSTILE),
    lambda: arrow_ipc.convert("a.arrow", "out.arrow", compression=HOSTILE),
    lambda: arrow_ipc.convert("a.arrow", "out.arrow", cast={"a": HOSTILE}),
    lambda: arrow_ipc.convert("a.arrow", "out.arrow", cast={HOSTILE: "int8"}),
    lambda: arrow_ipc.convert("named.arrow", "out.arrow", cast={HOSTILE: "int8"}),
    lambda: arrow_ipc.convert("a.arrow", "out.arrow", rename={"a": HOSTILE, HOSTILE: "a"}),
    lambda: arrow_ipc.convert("text.csv", "out.arrow", types={HOSTILE: "int8"}),
    lambda: arrow_ipc.convert("text.csv", "out.arrow", encoding=HOSTILE),
    lambda: arrow_ipc.convert("text.csv", "out.arrow", delimiter=HOSTILE),
    lambda: arrow_ipc.convert("text.csv", "out.arrow", **{HOSTILE: 1}),
    lambda: arrow_ipc.concat_files(["a.arrow", f"{HOSTILE}.arrow"], "out.arrow"),
    lambda: arrow_ipc.concat_files("a.arrow" + HOSTILE, "out.arrow"),
    lambda: arrow_ipc.split_file("a.arrow", f"{HOSTILE}/b/c", into=2),
    lambda: arrow_ipc.split_file("a.arrow", "parts", by=HOSTILE),
    lambda: arrow_ipc.append("a.arrow", "named.arrow"),
    lambda: arrow_ipc.append(f"{HOSTILE}.arrow", "a.arrow"),
    lambda: arrow_ipc.diff("a.arrow", f"{HOSTILE}.arrow"),
    lambda: arrow_ipc.diff("a.arrow", "a.arrow", by=HOSTILE),
    lambda: arrow_ipc.recover(f"/absent/{HOSTILE}", "out.arrow"),
    lambda: arrow_ipc.write_file(f"/absent/{HOSTILE}/x", {"a": [1]}),
    lambda: arrow_ipc.write_file("x.arrow", HOSTILE),
    lambda: arrow_ipc.write_file("x.arrow", f"{HOSTILE}.arrow"),
    lambda: arrow_ipc.write_file("x.arrow", {HOSTILE: [1, "a"]}),
    lambda: arrow_ipc.write_file("x.arrow", {HOSTILE: [1], "b": [1, 2]}),
    lambda: arrow_ipc.write_file("x.arrow", {"a": [1]}, dictionaries=HOSTILE),
    lambda: arrow_ipc.write_file("x.arrow", {"a": [1]}, **{HOSTILE: 1}),
    lambda: arrow_ipc.write_csv("a.arrow", f"{HOSTILE}/x.csv"),
    lambda: arrow_ipc.write_json("named.arrow", io.StringIO()),
    lambda: arrow_ipc.Writer(f"x{HOSTILE}", {"a": "int8"}),
    lambda: arrow_ipc.DatasetWriter(f"/absent/{HOSTILE}", {"a": "int8"}, dictionaries=HOSTILE),
    lambda: arrow_ipc.DatasetWriter(f"/absent/{HOSTILE}/x/y", {"a": "int8"}),
    lambda: arrow_ipc.Schema({"a": HOSTILE}),
    lambda: arrow_ipc.Schema({HOSTILE: "int9"}),
    lambda: arrow_ipc.Schema([HOSTILE]),
    lambda: arrow_ipc.Schema(HOSTILE),
    lambda: arrow_ipc.Schema.parse(HOSTILE),
    lambda: arrow_ipc.Schema({HOSTILE: "int8"})["b" + HOSTILE],
    lambda: arrow_ipc.Field(HOSTILE, HOSTILE),
    lambda: arrow_ipc.Array([HOSTILE]).cast("int8"),
    lambda: arrow_ipc.Array([HOSTILE]).cast(HOSTILE),
    lambda: arrow_ipc.Array([HOSTILE], "int8"),
    lambda: arrow_ipc.Array([HOSTILE, 1]),
    lambda: arrow_ipc.Array([{HOSTILE: 1}, {HOSTILE: "a"}]),
    lambda: arrow_ipc.Array([HOSTILE]).index(HOSTILE + "y"),
    lambda: arrow_ipc.RecordBatch({HOSTILE: [1]}).column("b" + HOSTILE),
    lambda: arrow_ipc.RecordBatch({HOSTILE: [1]})[HOSTILE + "y"],
    lambda: arrow_ipc.RecordBatch({HOSTILE: {1, 2}}),
    lambda: arrow_ipc.RecordBatch({HOSTILE: [2**70]}),
    lambda: arrow_ipc.RecordBatch([{HOSTILE: 1}, {HOSTILE: "a"}]),
    lambda: arrow_ipc.RecordBatch({"a": [1]}, schema={HOSTILE: "int8"}),
    lambda: arrow_ipc.RecordBatch({HOSTILE: [HOSTILE]}, schema={HOSTILE: "int8"}),
    lambda: arrow_ipc.RecordBatch(pa.record_batch([pa.array([1]), pa.array([2])], [HOSTILE, HOSTILE])).to_pylist(),
    lambda: arrow_ipc.Array(a_struct(HOSTILE, 2**62).cast(pa.struct([(HOSTILE, pa.timestamp("s"))]))).to_pylist(),
    lambda: arrow_ipc.RecordBatch({"a": [1]}).__arrow_c_stream__(pa.schema([(HOSTILE, pa.int8())]).__arrow_c_schema__()),
    lambda: arrow_ipc.concat([arrow_ipc.RecordBatch({"a": [1]}), arrow_ipc.RecordBatch({HOSTILE: [1]})]),
    lambda: arrow_ipc.stats("named.arrow").columns["b" + HOSTILE],
    lambda: arrow_ipc.stats("named.arrow")["b" + HOSTILE],
]


FAILED = []


@pytest.mark.parametrize("number", range(len(CALLS)))
def test_arguments(number, here):
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        try:
            CALLS[number]()
        except Exception as error:
            check(error)
            FAILED.append(number)
    assert all(not HIDDEN.search(str(warning.message)) for warning in warned)
    # A few calls succeed, such as those that read a name and have nothing to say.
    assert number + 1 - len(FAILED) <= 5


def test_what_other_libraries_show():
    """Their errors have only the text of ours."""
    name = HOSTILE.replace("\r", "")
    stream = arrow_ipc.read_csv(f"{name}\n1\nx\n".encode(), types={name: "int8"}, delimiter=",")
    with pytest.raises(Exception) as raised:
        pa.table(stream)
    assert not HIDDEN.search(str(raised.value)), repr(str(raised.value))


def test_one_place_escapes():
    """Each exception of the package gets its text from the one function that escapes: `exception` in Rust, `_escaped` in Python."""
    root = Path(__file__).resolve().parents[1]
    for path in (root / "src").rglob("*.rs"):
        made = re.findall(r"\w+::new_err\(.*|PyErr::(?:new|warn)\b.*|PyErr::from\((?!self|failure|Failure).*", path.read_text(encoding="utf-8"))
        allowed = {
            # Of numbers and a path, which `OSError` shows as its `repr`, and a constant.
            "error.rs": r"PyOSError::new_err\(\(code, reason\(error, code\)\)\).*|PyOSError::new_err\(text\), location\).*",
            "exceptions.rs": ".*",
            # Of a text that is escaped before.
            "parts.rs": r"PyErr::from\(Error::new\(error\.kind\(\), text\)\)\.into\(\)",
            "write.rs": r"PyErr::warn\(py, &py.get_type::<PyResourceWarning>\(\), TEXT, 1\).*",
        }.get(path.name, "(?!)")
        assert all(re.fullmatch(allowed, line) for line in made), (path, made)

    def is_plain(text):
        if isinstance(text, ast.JoinedStr):
            return all(part.conversion == ord("r") for part in text.values if isinstance(part, ast.FormattedValue))
        return isinstance(text, ast.Constant) or isinstance(text, ast.Call) and getattr(text.func, "id", "") == "_escaped"

    n_raised = 0
    for path in (root / "python" / "arrow_ipc").glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call) and node.exc.args:
                assert is_plain(node.exc.args[0]), f"{path.name}:{node.lineno}"
                n_raised += 1
    assert n_raised > 40


def test_what_is_escaped():
    from arrow_ipc._arrow_ipc import _escaped

    for text, expected in [
        ("plain – ünïcode 東京", "plain – ünïcode 東京"),
        ("\x1b[31m\x07\r\n\t", "\\u{1b}[31m\\u{7}\\r\\n\\t"),
        ("a\u202eb\u200bc", "a\\u{202e}b\\u{200b}c"),
        ("back\\slash", "back\\slash"),
        ("half \ud800", "half \ufffd\ufffd\ufffd"),
    ]:
        assert _escaped(text) == expected
        assert _escaped(expected) == expected
