"""Each recipe of the page runs, and prints what it says."""

import io
import re
import subprocess
import sys
from pathlib import Path

import arrow_ipc
import pyarrow as pa
import pytest

PAGE = (Path(__file__).resolve().parents[1] / "RECIPES.md").read_text(encoding="utf-8")
RECIPES = dict(section.split("\n", 1) for section in PAGE.split("\n## ")[1:])
REMOTE = "https://example.org/measured.arrow"


@pytest.fixture
def url(server):
    """A file on a server of this machine, in place of the one in the recipe."""
    table = pa.table({"time": range(100_000), "value": [k / 2 for k in range(100_000)], "note": ["a note"] * 100_000})
    target = io.BytesIO()
    arrow_ipc.write_file(target, table.to_batches(max_chunksize=10_000))
    return server.put("measured.arrow", target.getvalue())


@pytest.mark.parametrize("title", RECIPES)
def test_recipe(title, tmp_path, request, monkeypatch, capsys):
    (script,) = re.findall(r"```python\n(.*?)```", RECIPES[title], re.DOTALL)
    (expected,) = re.findall(r"```text\n(.*?)```", RECIPES[title], re.DOTALL)
    if REMOTE in script:
        script = script.replace(REMOTE, request.getfixturevalue("url"))
    monkeypatch.chdir(tmp_path)
    if "ProcessPoolExecutor" in script:
        # As on macOS and Windows.
        (tmp_path / "recipe.py").write_text(script, encoding="utf-8")
        # pyarrow would import them in each process, which takes ten times as long as the rest of it.
        for name in ("numpy", "pandas"):
            (tmp_path / f"{name}.py").write_text("raise ImportError")
        start = "import multiprocessing, runpy; multiprocessing.set_start_method('spawn'); runpy.run_path('recipe.py', run_name='__main__')"
        done = subprocess.run([sys.executable, "-c", start], capture_output=True, text=True, timeout=120)
        assert (done.stdout, done.stderr) == (expected, "")
        return
    # In this process, where the libraries have been imported.
    exec(compile(script, "recipe.py", "exec"), {"__name__": "__main__"})
    assert tuple(capsys.readouterr()) == (expected, "")


def test_all_are_there():
    assert len(RECIPES) >= 8 and PAGE.count("```python") == len(RECIPES)
