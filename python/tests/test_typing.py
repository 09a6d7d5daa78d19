"""The stubs say what is there: the package itself is checked strictly, and a script whose wrong lines are all found."""

import subprocess
import sys

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
for value in column:
    print(value)
for row in file.iter_rows():
    print(row["id"])
file[0]  # wrong
rows[0]  # wrong
column["id"]  # wrong
rows.head("1")  # wrong
file.nothing  # wrong
column.to_numpy(True)  # wrong
arrow_ipc.open("x", validation="none")  # wrong
wrong: int = column.cast("int8")  # wrong
{rows: 1}  # wrong
'''


def mypy(*args):
    pytest.importorskip("mypy")
    done = subprocess.run([sys.executable, "-m", "mypy", "--strict", "--no-error-summary", *args], capture_output=True, text=True)
    return done.stdout.splitlines()


def test_package():
    parts = ("", "._async", "._memory", "._numpy", "._pandas")
    assert mypy(*(word for part in parts for word in ("-m", f"arrow_ipc{part}"))) == []


def test_script(tmp_path):
    path = tmp_path / "script.py"
    path.write_text(SCRIPT)
    wrong = {k for k, line in enumerate(SCRIPT.splitlines(), 1) if "# wrong" in line}
    found = {int(line.split(":")[1]) for line in mypy(path) if ": error: " in line}
    # That batches have no hash is seen by other checkers.
    hashed = {k for k, line in enumerate(SCRIPT.splitlines(), 1) if line.startswith("{rows")}
    assert found | hashed == wrong
