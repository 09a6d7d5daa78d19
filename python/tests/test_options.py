"""The options of the program and the arguments of the package are the same, with the same defaults; `program_options.tsv` says which is which."""

import contextlib
import inspect
import os
import re
import subprocess
from pathlib import Path

import arrow_ipc
import pytest
from test_defaults import program  # noqa: F401

# A command, the function here, an option of the program and its argument here: one of both may be `-`, and then the last column says why.
ROWS = [line.split("\t") for line in (Path(__file__).parent / "program_options.tsv").read_text(encoding="utf-8").splitlines()[1:]]
FUNCTIONS = {command: function for command, function, *_ in ROWS}
# Of each function: what takes part in Python alone.
OF_PYTHON = {"progress"}
# How the program is called, how it shows colours, and what `set_max_fields` sets for the process.
OF_PROGRAM = {"--help", "--color", "--json", "--max-fields"}


def described(program, command):  # noqa: F811
    """The long options of a command, and what is said of each."""
    env = {**os.environ, "COLUMNS": "0"}
    said = subprocess.run([program, command, "--help"], capture_output=True, encoding="utf-8", check=True, env=env).stdout
    _, *parts = re.split(r"^(?:  -\w, |      )(--[a-z-]+)", said, flags=re.MULTILINE)
    return {option: " ".join(text.split()) for option, text in zip(parts[::2], parts[1::2], strict=True)}


def parameters(function):
    found = inspect.signature(getattr(arrow_ipc, function)).parameters.values()
    return {parameter.name: parameter.default for parameter in found if parameter.kind is parameter.KEYWORD_ONLY}


def test_table():
    assert all(len(row) == 5 and (row[4] or "-" not in row[2:4]) for row in ROWS)
    for command, function in FUNCTIONS.items():
        told = {row[3] for row in ROWS if row[0] == command} - {"-"}
        assert told == parameters(function).keys() - OF_PYTHON, function


@pytest.mark.parametrize("command", FUNCTIONS)
def test_options(command, program):  # noqa: F811
    said = described(program, command)
    assert {row[2] for row in ROWS if row[0] == command} - {"-"} == said.keys() - OF_PROGRAM
    defaults = parameters(FUNCTIONS[command])
    for _, _, option, argument, why in (row for row in ROWS if row[0] == command and "-" not in row[2:4]):
        default = defaults[argument]
        assert why or option == "--" + argument.rstrip("_").replace("_", "-"), (option, argument)
        # Nothing is said of switches, and what is looked for has no default.
        if isinstance(default, (int, str)) and not isinstance(default, bool) and not why:
            assert f"[default: {default}]" in said[option], (option, default)
        else:
            assert default in (None, False) or why, (option, default)


@pytest.mark.parametrize("name", ["append", "concat_files", "convert", "count", "diff", "read_csv", "split_file", "stats"])
def test_arguments_that_several_functions_have(name, tmp_path):
    """What the signature says is taken, with the same default, and nothing else is."""
    function, defaults = getattr(arrow_ipc, name), parameters(name)
    assert re.match(r"[A-Z]", function.__doc__) and len(defaults) > 6
    path = tmp_path / "few.csv"

    def call(**arguments):
        path.write_bytes(b"id\n1\n")
        source = [path] if name == "concat_files" else path
        arrow_ipc.write_file(tmp_path / "few.arrow", {"id": [1]})
        others = {"diff": [path], "read_csv": []}.get(name, [tmp_path / "few.arrow"] if name not in ("count", "stats") else [])
        return function(source, *others, **arguments)

    with pytest.raises(TypeError, match=rf"^{name}\(\) got an unexpected keyword argument 'wher'$"):
        call(wher="id > 1")
    for argument, default in defaults.items():
        # Arrow data is needed for some, and an error of the data is no error of the call.
        with contextlib.suppress(arrow_ipc.ArrowIpcError):
            call(**{argument: default})
        with pytest.raises((TypeError, ValueError)):
            call(**{argument: object()})
    for argument in {"lossy", "where", "delimiter", "skip", "max_null_bytes"} & defaults.keys():
        with pytest.raises(TypeError, match=rf"while processing '{argument}'$|^{argument}: expected"):
            call(**{argument: object()})
