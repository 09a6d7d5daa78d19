"""The example of the README runs."""

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
