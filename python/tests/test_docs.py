"""The examples in the docstrings and the README run, each with a file `people.arrow`."""

import doctest
import inspect
import io
import re
from pathlib import Path

import arrow_ipc
import pyarrow as pa
import pytest


def documented():
    """All public names, and all public methods of classes."""
    for name in arrow_ipc.__all__:
        value = getattr(arrow_ipc, name)
        if isinstance(value, str):
            continue
        yield name, value
        if isinstance(value, type):
            yield from ((f"{name}.{part}", found) for part, found in vars(value).items() if not part.startswith("_"))


DOCUMENTED = dict(documented())


def doc_of(value):
    return inspect.getdoc(value.__func__ if isinstance(value, staticmethod) else value) or ""


def test_docstrings():
    """Each says what it is, and shows it."""
    assert [name for name, value in DOCUMENTED.items() if ">>> " not in doc_of(value)] == []
    assert len(DOCUMENTED) > 100


def test_arguments():
    """Each argument of a function is explained, or its docstring says which other function explains it."""
    for name, value in DOCUMENTED.items():
        if not inspect.isbuiltin(value) or "arguments are" in doc_of(value):
            continue
        arguments, doc = list(inspect.signature(value).parameters), doc_of(value)
        explained = set(re.findall(r"`(\w+)", doc))
        for first, last in re.findall(r"`(\w+)`\s+to\s+`(\w+)`", doc):
            if first in arguments:
                explained.update(arguments[arguments.index(first) : arguments.index(last)])
        assert [each for each in arguments if each not in explained] == [], name


README = Path(__file__).resolve().parents[1] / "README.md"
EXAMPLES = {name: doc_of(value) for name, value in DOCUMENTED.items()}
EXAMPLES |= {f"README {k}": text for k, text in enumerate(README.read_text().split("```pycon\n")[1:])}


@pytest.fixture(scope="module")
def written():
    """The rows as a file and as a stream."""
    people, file, stream = pa.table({"id": [1, 2, 3], "name": ["ada", None, "grace"]}), io.BytesIO(), io.BytesIO()
    arrow_ipc.write_file(file, people)
    arrow_ipc.write_stream(stream, people)
    return {"people.arrow": file.getvalue(), "people.arrows": stream.getvalue()}


@pytest.mark.parametrize("name", EXAMPLES)
def test_examples(name, written, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for path, content in written.items():
        Path(path).write_bytes(content)
    globs = {"arrow_ipc": arrow_ipc}
    test = doctest.DocTestParser().get_doctest(EXAMPLES[name].split("```")[0], globs, name, None, 0)
    said = []
    assert doctest.DocTestRunner(verbose=False).run(test, out=said.append).failed == 0, "".join(said)
