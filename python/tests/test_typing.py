"""The stubs say what is there: the package itself is checked strictly, and a script whose wrong lines are all found."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = '''
import arrow_ipc

file = arrow_ipc.open("people.arrow")
column: arrow_ipc.Array = file["id"]
rows: arrow_ipc.RecordBatch = file[2:5]
narrow: arrow_ipc.File = file[["id"]]
of_batch: arrow_ipc.Array = rows["id"]
few: arrow_ipc.RecordBatch = rows[["id"]]
dicts: list[dict[str, object]] = rows.to_pylist()
part: arrow_ipc.Array = column[1:]
names: list[str] = [field.name for field in file.schema]
whole: bool = rows == few
total = sum(column)
narrow_column: arrow_ipc.Array = column.cast(file.schema["id"])
report: arrow_ipc.StatsReport = arrow_ipc.stats("people.csv", delimiter=";", where="id > 1", columns=["id"])
least: dict[str, object] = report.columns["id"]
many: bool = arrow_ipc.count("people.arrow") > 3
arrow_ipc.convert("a.csv", "b.arrow", types={"id": "int8"}, cast={"id": file.schema["id"]}, lossy=True, encoding="latin1")
made: arrow_ipc.Schema = arrow_ipc.Schema.from_arrow({"id": "int8", "at": "date32"})
arrow_ipc.write_file("few.arrow", [{"id": 1, "tags": ["a"]}, {"id": 2}])
arrow_ipc.write_file("few.arrow", [{"a": 1}, {"a": None}])
arrow_ipc.write_stream("few.arrows", {"a": [1, None], "b": ["x", "y"]})
arrow_ipc.write_json("few.jsonl", {"a": [1, None], "b": [{"c": 1}, None]})
arrow_ipc.write_csv("few.csv", iter([rows, few]))
with arrow_ipc.Writer("few.arrow", made) as writer:
    writer.write([{"id": 1, "at": None}])
    writer.write({"id": (1, 2), "at": column})
columns = {"a": [1, None], "b": ["x", "y"]}
arrow_ipc.write_file("few.arrow", columns)
kinds: dict[str, list[int]] = {"a": [1]}
arrow_ipc.append("few.arrow", kinds)
lines: list[dict[str, int]] = [{"a": 1}]
single: arrow_ipc.RecordBatch = arrow_ipc.RecordBatch(lines)
weight = arrow_ipc.Field("weight", "float64", metadata={"unit": "kg"})
weight = weight.with_metadata({**weight.metadata, "more": "1"})
mixed: arrow_ipc.Schema = arrow_ipc.Schema([weight, ("id", "int64"), ("n", int)])
arrow_ipc.RecordBatch({"weight": [1.5], "id": [1]}, [weight, ("id", "int64")])
arrow_ipc.Writer("few.arrow", [weight, ("id", "int64")]).close()
column.cast(float).cast("int8")
arrow_ipc.read_csv("people.csv", types={"zip": str, "n": "int8"})
for value in column:
    print(value)
print(memoryview(column), bytes(column))
for row in file.iter_rows():
    print(row["id"])
file[0]  # wrong
arrow_ipc.open(5)  # wrong
rows[0]  # wrong
column["id"]  # wrong
rows.head("1")  # wrong
file.nothing  # wrong
column.to_numpy(True)  # wrong
arrow_ipc.open("x", validation="none")  # wrong
wrong: int = column.cast("int8")  # wrong
column.cast(8)  # wrong
arrow_ipc.Schema([weight, 5])  # wrong
arrow_ipc.count("people.csv", delimeter=";")  # wrong
arrow_ipc.convert("a.csv", "b.arrow", lossy="yes")  # wrong
report.n_row  # wrong
arrow_ipc.write_file("few.arrow", 3)  # wrong
arrow_ipc.write_file("few.arrow", "people.arrow")  # wrong
{rows: 1}  # wrong
'''


# Pyright asks the first Python of the path for its packages, and is there itself if it is installed beside it.
PATH = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])


def run(*command):
    return subprocess.run(command, capture_output=True, text=True, check=False, env={**os.environ, "PATH": PATH})


def mypy(*args):
    pytest.importorskip("mypy")
    return run(sys.executable, "-m", "mypy", "--strict", "--no-error-summary", *args).stdout.splitlines()


def pyright(*args):
    """The findings of a program of Node: of npm, or of a package of Python that gets it when it is first called."""
    program = shutil.which("pyright", path=PATH)
    found = program and run(program, "--outputjson", *args).stdout
    if not program or (not found and run(program, "--version").returncode != 0):
        pytest.skip("SKIPPED: types by pyright: there is no program of this name that runs (`npm install --global pyright`)")
    return json.loads(found)


def wrong_lines():
    return {k for k, line in enumerate(SCRIPT.splitlines(), 1) if "# wrong" in line}


@pytest.fixture
def script(tmp_path):
    path = tmp_path / "script.py"
    path.write_text(SCRIPT)
    return path


def test_package_by_mypy():
    parts = ("", "._async", "._memory", "._numpy", "._pandas", "._engines", "._pyarrow", ".daft", ".dask", ".polars", ".ray")
    assert mypy(*(word for part in parts for word in ("-m", f"arrow_ipc{part}"))) == []


def test_script_by_mypy(script):
    found = {int(line.split(":")[1]) for line in mypy(script) if ": error: " in line}
    # That batches have no hash is seen by other checkers.
    hashed = {k for k, line in enumerate(SCRIPT.splitlines(), 1) if line.startswith("{rows")}
    assert found | hashed == wrong_lines()


def test_package_by_pyright():
    """Every public name has a type that is known."""
    found = pyright("--verifytypes", "arrow_ipc", "--ignoreexternal")["typeCompleteness"]
    unknown = [symbol["name"] for symbol in found["symbols"] if symbol["isExported"] and not symbol["isTypeKnown"]]
    assert (unknown, found["completenessScore"]) == ([], 1.0)


def test_script_by_pyright(script):
    (script.parent / "pyrightconfig.json").write_text('{"typeCheckingMode": "strict"}')
    found = pyright("--project", str(script.parent))["generalDiagnostics"]
    assert {each["range"]["start"]["line"] + 1 for each in found if each["severity"] == "error"} == wrong_lines()
