"""Bytes that are no JSON, or not of their encoding: a kind of text, the name of the input, a hint that helps."""

import gzip
import io

import arrow_ipc
import pytest

JSON = "each row of JSON is an object on a line of its own"
# Bytes, whether they are read as JSON, the text after the name of the input, where it is, the start of the hint.
CASES = [
    (b'[{"a":1} {"a":2}]', "malformed JSON: expected a comma or the end of the array of rows, at byte 9", 9, JSON),
    (b'[{"a":1},,{"a":2}]', "malformed JSON: expected a row, at byte 9", 9, JSON),
    (b'[{"a":1}', "the array of rows has no end, at byte 8", 8, "] stands after the last row"),
    (b"\xff\xfea\0\n\0\x3d\xd8", "the text ends inside a character of UTF-16, at byte 8", 8, "was the copy complete?"),
    (b"\xff\xfea\0\n\0\x00\xdc1\0", "half of a pair of surrogates is no character of UTF-16, at byte 7", 7, "encoding="),
]


@pytest.mark.parametrize("case", range(len(CASES)))
def test_kind_name_and_hint(case, tmp_path):
    content, text, position, hint = CASES[case]
    read = arrow_ipc.read_json if content.startswith(b"[") else arrow_ipc.read_csv
    path = tmp_path / "rows.txt"
    path.write_bytes(content)
    sources = {"the bytes": content, "the file-like object": io.BytesIO(content), str(path): path}
    for name, source in sources.items():
        for use in [lambda source: list(read(source)), lambda source: arrow_ipc.convert(source, tmp_path / "out.arrow")]:
            if hasattr(source, "seek"):
                source.seek(0)
            with pytest.raises(arrow_ipc.ArrowIpcError) as raised:
                use(source)
            error = raised.value
            assert str(error) == f"{name}: {text}"
            assert (error.kind, error.category, error.location.byte_offset) == ("Row", "malformed", position)
            assert error.hint.startswith(hint), error.hint


def test_another_encoding():
    with pytest.raises(arrow_ipc.ArrowIpcError) as raised:
        arrow_ipc.read_csv("a\n1\n".encode("utf-16"), encoding="utf-8")
    assert str(raised.value) == "the bytes: the first bytes are UTF-16, little-endian, not UTF-8; omit encoding="
    assert (raised.value.kind, raised.value.hint) == ("Row", None)


def test_damaged_compression(tmp_path):
    """Such data keeps its kind, and has the name of the input, too."""
    text = gzip.compress(b"a\n" + b"1\n" * 10_000)
    for damaged, reason in [(text[:-9], "the compressed data is truncated"), (text + b"more", "other bytes follow its end")]:
        for name, source in {"the bytes": damaged, "the file-like object": io.BytesIO(damaged)}.items():
            with pytest.raises(arrow_ipc.ArrowIpcError, match=reason) as raised:
                list(arrow_ipc.read_csv(source))
            assert str(raised.value).startswith(f"{name}: "), raised.value
            assert (raised.value.kind, raised.value.hint) == ("Decompression", "was the copy complete?")


def test_rows_of_text_are_counted_whatever_their_values(tmp_path):
    """As by the program: only types that were given are checked."""
    late = "x,t\n" + f"1,{'a' * 1_000}\n" * 8_500 + "y,1.5\n"
    (tmp_path / "late.csv").write_text(late)
    assert arrow_ipc.count(tmp_path / "late.csv").n_rows == 8_501
    with pytest.raises(arrow_ipc.ArrowIpcError, match="line 8502"):
        arrow_ipc.count(tmp_path / "late.csv", types={"x": "int64"})
    with pytest.raises(arrow_ipc.ArrowIpcError, match="line 8502"):
        arrow_ipc.count(tmp_path / "late.csv", where="x = 1")
    (tmp_path / "mixed.jsonl").write_text('{"a":1}\n{"a":[{}],"b":"x"}\n')
    assert arrow_ipc.count(tmp_path / "mixed.jsonl").n_rows == 2
    (tmp_path / "ragged.csv").write_text("x,t\n1,2\ny\n")
    with pytest.raises(arrow_ipc.ArrowIpcError, match="line 3"):
        arrow_ipc.count(tmp_path / "ragged.csv")
