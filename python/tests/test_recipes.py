"""Each recipe of the page runs, and prints what it says."""

import io
import re
import threading
from pathlib import Path

import arrow_ipc
import pyarrow as pa
import pytest
from range_server import Server

PAGE = (Path(__file__).resolve().parents[1] / "RECIPES.md").read_text(encoding="utf-8")
RECIPES = dict(section.split("\n", 1) for section in PAGE.split("\n## ")[1:])
REMOTE = "https://example.org/measured.arrow"


@pytest.fixture
def url():
    """A file on a server of this machine, in place of the one in the recipe."""
    table = pa.table({"time": range(100_000), "value": [k / 2 for k in range(100_000)], "note": ["a note"] * 100_000})
    target = io.BytesIO()
    arrow_ipc.write_file(target, table.to_batches(max_chunksize=10_000))
    server = Server()
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield server.put("measured.arrow", target.getvalue())
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.mark.parametrize("title", RECIPES)
def test_recipe(title, tmp_path, request, monkeypatch, capsys):
    (script,) = re.findall(r"```python\n(.*?)```", RECIPES[title], re.DOTALL)
    (expected,) = re.findall(r"```text\n(.*?)```", RECIPES[title], re.DOTALL)
    if REMOTE in script:
        script = script.replace(REMOTE, request.getfixturevalue("url"))
    # In this process, where the libraries have been imported.
    monkeypatch.chdir(tmp_path)
    exec(compile(script, "recipe.py", "exec"), {"__name__": "__main__"})
    assert tuple(capsys.readouterr()) == (expected, "")


def test_new_processes_may_run_the_script_again():
    for script in re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL):
        assert "ProcessPoolExecutor" not in script.split('if __name__ == "__main__":')[0]


def test_all_are_there():
    assert len(RECIPES) >= 8 and PAGE.count("```python") == len(RECIPES)
