"""The examples in the docstrings and the README run, each with a file `people.arrow`."""

import doctest
import functools
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


def signature_of(value):
    return inspect.signature(value.__func__ if isinstance(value, staticmethod) else value)


@functools.cache
def described(name):
    """The arguments that a docstring names, alone in backticks or with a value, or of which it says which function describes them."""
    doc = re.sub(r"(?m)^>>> [^\0]*", "", doc_of(DOCUMENTED[name]))
    arguments = list(signature_of(DOCUMENTED[name]).parameters)
    found = set(re.findall(r"`(\w+)(?:=[^`]*)?`", doc)) & set(arguments)
    for first, last in re.findall(r"`(\w+)`\s+to\s+`(\w+)`", doc):
        if first in arguments:
            found.update(arguments[arguments.index(first) : arguments.index(last) + 1])
    # What is as for another function is an argument of it, too, and described there.
    for said, other in re.findall(r"([^.;]*?)\s+as\s+for\s+`(\w+)`", doc):
        other = other if other in DOCUMENTED else f"{name.split('.')[0]}.{other}"
        ranges = re.findall(r"`(\w+)`\s+to\s+`(\w+)`", said)
        if re.search(r"arguments\s+are(\s+the\s+same)?$", said):
            found |= described(other) & set(arguments)
        elif ranges and said.endswith("are"):
            [(first, last)] = ranges
            inside = arguments[arguments.index(first) : arguments.index(last) + 1]
            assert [each for each in inside if each not in described(other)] == [], (name, other)
    return found


def test_arguments():
    """Each argument of a function is described, or its docstring says which other function describes it."""
    n_functions = 0
    for name, value in DOCUMENTED.items():
        is_function = inspect.isroutine(value) or isinstance(value, staticmethod)
        is_made_here = isinstance(value, type) and issubclass(value, (arrow_ipc.Report, BaseException))
        if is_made_here or not (is_function or isinstance(value, type)):
            continue
        try:
            parameters = signature_of(value).parameters.values()
        except ValueError:
            # The class has no constructor.
            continue
        parameters = [each for each in parameters if each.name != "self"]
        needed = [each for each in parameters if each.default is each.empty]
        if "." in name and len(needed) == 1:
            # The first sentence about a method is about what it takes.
            parameters.remove(needed[0])
        # Attributes have docstrings of their own.
        wanted = [each.name for each in parameters if not hasattr(value, each.name)]
        assert [each for each in wanted if each not in described(name)] == [], name
        n_functions += bool(parameters)
    assert n_functions >= 50


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
