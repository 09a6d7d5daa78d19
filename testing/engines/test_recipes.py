"""Each script of ENGINES.md runs, all in one folder, and prints what it says; nothing listens but on loopback."""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import threading

import pytest
from conftest import loopback_only

HERE = pathlib.Path(__file__).resolve().parent
PAGE = (HERE.parents[1] / "python/ENGINES.md").read_text(encoding="utf-8")
START, *SECTIONS = PAGE.split("\n## ")
RECIPES = dict(section.split("\n", 1) for section in SECTIONS)
# A network of its own, with nothing in it but loopback.
ALONE = ["unshare", "--net", "--map-root-user", "sh", "-c", 'ip link set lo up && exec "$@"', "sh"]
ENVIRONMENT = {"RAY_USAGE_STATS_ENABLED": "0", "RAY_AUTH_MODE": "disabled", "SPARK_LOCAL_IP": "127.0.0.1", "SPARK_LOCAL_HOSTNAME": "127.0.0.1"}


def script_of(text):
    (script,) = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    return script


def why_not(title):
    if title == "Spark" and shutil.which("java") is None:
        return "there is no Java"
    if title in ("Ray Data", "Spark") and subprocess.run([*ALONE, "true"], capture_output=True).returncode != 0:
        return "no network of its own can be made here"
    return None


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """With the data that the recipes read."""
    made = tmp_path_factory.mktemp("recipes")
    (made / "start.py").write_text(script_of(START), encoding="utf-8")
    subprocess.run([sys.executable, "start.py"], cwd=made, check=True)
    return made


@pytest.mark.parametrize("title", RECIPES)
def test_recipe(title, folder):
    if reason := why_not(title):
        pytest.skip(f"SKIPPED: {title}: {reason}")
    (expected,) = re.findall(r"```text\n(.*?)```", RECIPES[title], re.DOTALL)
    (folder / "recipe.py").write_text(script_of(RECIPES[title]), encoding="utf-8")
    environment = {**os.environ, **ENVIRONMENT, "PYTHONPATH": str(HERE), "PYSPARK_PYTHON": sys.executable}
    command = [sys.executable, "recipe.py"]
    alone = title in ("Ray Data", "Spark")
    if alone:
        command = [*ALONE, *command]
    running = subprocess.Popen(command, cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    found, stop = set(), threading.Event()

    def watch():
        while not stop.wait(0.2):
            found.update(loopback_only())

    watcher = threading.Thread(target=watch)
    watcher.start()
    try:
        out, err = running.communicate(timeout=300)
    finally:
        stop.set()
        watcher.join()
        running.kill()
    assert running.returncode == 0, err[-3000:]
    assert out == expected, err[-3000:]
    assert alone or not found, found
    # What attempts and parts that nobody committed leave.
    leftovers = [path.name for path in folder.rglob("*") if path.name.endswith((".parts", ".tmp"))]
    assert leftovers == []


def test_all_are_there():
    assert len(RECIPES) == 7 and PAGE.count("```python") == len(RECIPES) + 1
