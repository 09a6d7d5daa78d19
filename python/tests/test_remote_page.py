"""The scripts of the page about stores run, and print what it says."""

import importlib
import re
from pathlib import Path

import arrow_ipc
import pytest
from arrow_ipc import _stores
from stores import s3_store

PAGE = (Path(__file__).resolve().parents[1] / "REMOTE.md").read_text(encoding="utf-8")


def test_scripts(monkeypatch, capsys):
    with s3_store(monkeypatch):
        for script in re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL):
            exec(compile(script, "REMOTE.md", "exec"), {})
        (expected,) = re.findall(r"```text\n(.*?)```", PAGE, re.DOTALL)
        assert tuple(capsys.readouterr()) == (expected, "")
        polars, engine = pytest.importorskip("polars"), importlib.import_module("arrow_ipc.polars")
        scanned = engine.scan("s3://sales/days/").filter(polars.col("id") == 7).collect()
        assert scanned.height == 2
        assert arrow_ipc.dataset("s3://sales/days/").to_pyarrow().count_rows() == 2_000


def test_credentials_of_the_page_are_those_of_errors():
    for advice in _stores.CREDENTIALS.values():
        for name in re.findall(r"[A-Z]+_[A-Z_]+|`gcloud[^`]*`", advice):
            assert name in PAGE, name
