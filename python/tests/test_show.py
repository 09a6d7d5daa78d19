"""`repr` and `_repr_html_`: rows as the program prints them, short whatever the values are, and harmless."""

import html.parser
import shutil
import subprocess
import uuid

import arrow_ipc
import pyarrow as pa
import pytest
from corpus import HOSTILE
from how_often import IS_LONG


def batch(columns):
    return arrow_ipc.RecordBatch.from_arrow(pa.record_batch(columns))


def test_rows_as_the_program_prints_them(people, tmp_path, request):
    found = arrow_ipc.concat(arrow_ipc.open(people))
    lines = repr(found).splitlines()
    assert lines[0] == "<arrow_ipc.RecordBatch: 30 rows, 3 columns>" and lines[-1] == "… 20 more rows" and len(lines) == 15
    program = request.config.getoption("--program")
    if program:
        path = tmp_path / "people.arrow"
        path.write_bytes(people)
        said = subprocess.run([program, "head", "--format", "table", path], capture_output=True, text=True, check=True)
        assert said.stdout.splitlines()[:-1] == lines[1:-1]
    assert repr(found["id"]).startswith("<arrow_ipc.Array: 30 slots>\n   id\nint64\n-----\n    0\n    1\n")


def test_files_are_not_read(people):
    assert repr(arrow_ipc.open(people)).splitlines()[:2] == ["<arrow_ipc.File: 3 batches>", "id: int64"]


def test_short_and_harmless():
    evil = "<script>alert('x')</script> & \x1b[31m \u202e\0"
    wide = {f"{evil}{k}": pa.array([evil * 50] * 12) for k in range(500)}
    long_name = {"n" * 1_000_000: [1]}
    deep = pa.array([[[["x" * 10_000] * 100] * 10]])
    for columns in (wide, long_name, {"d": deep}, {"n": pa.nulls(10**9)}):
        found = batch(columns)
        for text in (repr(found), found._repr_html_(), repr(found.column(0)), found.column(0)._repr_html_()):
            assert len(text) < 100_000
            assert not set("\x1b\u202e\0") & set(text)
        assert "<script" not in found._repr_html_() + found.column(0)._repr_html_()
    file = arrow_ipc.Stream.from_arrow(batch(wide))
    assert len(repr(file)) < 10_000 and "… 470 more" in repr(file)


class Tags(html.parser.HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.open, self.cells = [], []
        self.feed(text)
        self.close()
        assert not self.open

    def handle_starttag(self, tag, attrs):
        assert tag in ("table", "thead", "tbody", "tr", "th", "td", "p", "br", "small", "i")
        assert not attrs or (tag in ("th", "td") and attrs in ([("style", "text-align:left")], [("style", "text-align:right")]))
        if tag != "br":
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.cells.append(data)


def test_extension_types_as_the_program_prints_them(tmp_path, request):
    """A UUID with hyphens, a flag as a word; in dictionaries, lists and structs, too."""
    ids, flags = (pa.array([bytes(range(16))], pa.binary(16)), pa.uuid()), (pa.array([1], pa.int8()), pa.bool8())
    ids, flags = (pa.ExtensionArray.from_storage(kind, stored) for stored, kind in (ids, flags))
    pair = pa.StructArray.from_arrays([ids, flags], ["id", "flag"])
    found = batch({"id": ids, "flag": flags, "pair": pair, "ids": pa.FixedSizeListArray.from_arrays(ids, 1)})
    text = "00010203-0405-0607-0809-0a0b0c0d0e0f"
    expected = [text, "true", f'{{"id":"{text}","flag":true}}', f'["{text}"]']
    assert Tags(found._repr_html_()).cells[-5:] == [*expected, "1 row, 4 columns"]
    assert Tags(found["pair.id"]._repr_html_()).cells[-2] == text and found["pair.id"].to_pylist() == [uuid.UUID(text)]
    narrow = found.select(["id", "flag"])
    assert repr(narrow).splitlines()[-1].split() == expected[:2]
    assert repr(found["flag"]).splitlines()[-1].split() == ["true"]
    program = request.config.getoption("--program")
    if program:
        path = tmp_path / "found.arrow"
        arrow_ipc.write_file(path, narrow)
        said = subprocess.run([program, "head", "--format", "table", path], capture_output=True, text=True, check=True)
        assert said.stdout.splitlines()[:4] == repr(narrow).splitlines()[1:]


def test_html(people):
    found = arrow_ipc.open(people).batch(0)
    cells = Tags(found._repr_html_()).cells
    assert cells[:4] == ["id", "int64", "name", "utf8"] and "person 9" in cells and cells[-1] == "10 rows, 3 columns"
    quoted = batch({"<b>": ['a & b < c > "d" \'e\'']})
    assert Tags(quoted._repr_html_()).cells[:3] == ["<b>", "utf8", 'a & b < c > "d" \'e\'']
    assert Tags(found[:0]._repr_html_()).cells[-1] == "0 rows, 3 columns"
    assert Tags(found["id"][:1]._repr_html_()).cells[-1] == "1 row, 1 column"


CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)


@pytest.mark.skipif(not IS_LONG or CHROMIUM is None, reason="takes seconds, and needs a Chromium: ARROW_IPC_LONG=1")
def test_html_in_a_browser(tmp_path):
    """What a browser makes of it: cells, and nothing that runs or is loaded."""
    evil = ["<script>document.title = 'ran'</script>", "<img src=x onerror=\"document.title = 'ran'\">", "</td></table><h1>out</h1>", "&lt;b&gt; &amp;"]
    found = batch({evil[0]: evil, "n": [1, 2, 3, None]})
    page = tmp_path / "page.html"
    page.write_text(f"<!doctype html><meta charset=utf-8><title>shown</title><body>{found._repr_html_()}<p>below</p>", encoding="utf-8")
    command = [CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={tmp_path / 'profile'}", "--dump-dom", page.as_uri()]
    dom = subprocess.run(command, capture_output=True, encoding="utf-8", check=True, timeout=120).stdout
    body = dom.partition("<body>")[2].partition("</body>")[0].strip()
    assert "<title>shown</title>" in dom and body == found._repr_html_().replace("&quot;", '"').replace("&#39;", "'") + "<p>below</p>"


def test_html_of_nulls_numbers_and_many_columns():
    mixed = batch({"n": [1, None], "t": ["null", None], "l": [[1, None], None], "s": [{"a": "<i>"}, {"a": None}]})
    shown = mixed._repr_html_()
    Tags(shown)
    # A null is marked, and a text that says the same is not.
    assert shown.count("<i>null</i>") == 3 and '<td style="text-align:left">&quot;null&quot;</td>' in shown and "&lt;i&gt;" in shown
    assert '<th style="text-align:right">n<br>' in shown and '<th style="text-align:left">t<br>' in shown
    assert '<td style="text-align:right">1</td>' in shown
    wide = batch({f"c{k}": list(range(12)) for k in range(100)})
    cells = Tags(wide._repr_html_()).cells
    assert cells[-1] == "the first 10 of 12 rows, the first 30 of 100 columns" and "c29" in cells and "c30" not in cells
    assert len(wide[:11]["c0"]._repr_html_()) < 2_000


@pytest.mark.filterwarnings("ignore:.* are in none of its blocks")
def test_hostile():
    for path in sorted(HOSTILE.iterdir()):
        for read in (arrow_ipc.open, arrow_ipc.read_stream):
            try:
                for found in read(path, validation="structure"):
                    assert len(repr(found)) < 100_000
                    Tags(found._repr_html_())
            except arrow_ipc.ArrowIpcError:
                pass


def test_values_that_nobody_checked():
    """What is shown says what is wrong, and does not fail."""
    n_wrong = 0
    for path in sorted(HOSTILE.glob("*.stream")):
        try:
            for found in arrow_ipc.read_stream(path, validation="structure"):
                n_wrong += "its values are not valid" in repr(found)
                assert ("its values are not valid" in repr(found)) == ("its values are not valid" in found._repr_html_())
        except arrow_ipc.ArrowIpcError:
            pass
    if n_wrong == 0:
        pytest.skip("no hostile file has rows that are shown and are not valid")


def test_a_repr_is_python():
    """Of a schema with characters that are not assigned, not printed, or quotes: `eval` gives the same one."""
    from arrow_ipc import Field, Location, Schema

    for name in ["\u0378", "a\U0003fffe", "\x00" + "1", "\x85\x9b", "\u200b\u202e", "e\u0301", "\u0301", "quote\"'\\", "\ue000", "東京 👩\u200d🚀", "\n\t\r", "\U000e0041"]:
        schema = Schema({name: "int8", "b": f"struct<{arrow_ipc._arrow_ipc._quoted(name)}: utf8>"})
        assert eval(repr(schema["b"]), {"Field": lambda text: Schema.parse(text)["b"]}) == schema["b"]
        assert eval(repr(schema), {"Schema": Schema.parse}) == schema, name
        place = Location(field=name)
        assert eval(repr(place), {"Location": Location}) == place, name
    assert repr(Schema({"e\u0301": "int8"})) == 'Schema("\\"e\u0301\\": int8")'
