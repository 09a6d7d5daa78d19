"""The example of the README runs, and that of the first page of the project."""

import re
from pathlib import Path

README = Path(__file__).resolve().parents[1] / "README.md"


def test_example(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (example,) = re.findall(r"```python\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)
    names = {}
    exec(compile(example, "README.md", "exec"), names)
    assert names["cities"]["address"].to_list() == [{"city": "London"}, {"city": "New York"}]
    assert names["last"].num_rows == 1
    said = capsys.readouterr().out
    assert "name: utf8_view" in said and "no Arrow data WrongContainer Location()" in said


def test_example_of_the_project(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    page = README.parents[1] / "README.md"
    (example,) = re.findall(r"```python\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)
    names = {}
    exec(compile(example, "README.md", "exec"), names)
    assert names["file"].num_rows == 3
    lines = capsys.readouterr().out.splitlines()
    assert lines[:2] == ["['ada', None, 'grace']", "shape: (2, 2)"]
