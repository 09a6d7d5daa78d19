"""The golden files that other implementations wrote, with their content as text, and the hostile ones."""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
GOLDEN = ROOT / "testing" / "corpus" / "golden"
HOSTILE = ROOT / "testing" / "corpus" / "hostile"

# Rows and schemas of pyarrow as text: own code over raw buffers.
sys.path.insert(0, str(GOLDEN))


class Case:
    """A golden case: the same batches as a file and as a stream, with what they hold."""

    def __init__(self, folder, row):
        self.folder = folder
        self.name, formats, n_rows, self.level = row.split("\t")[:4]
        self.formats = formats.split(",")
        self.n_rows = [] if n_rows == "-" else [int(n) for n in n_rows.split(",")]

    def path(self, kind):
        return self.folder / (self.name + {"stream": ".arrows", "file": ".arrow"}[kind])

    @property
    def schema(self):
        return (self.folder / f"{self.name}.schema").read_text(encoding="utf-8")

    @property
    def rows(self):
        return (self.folder / f"{self.name}.json").read_bytes().decode("utf-8").split("\n")[:-1]

    def __repr__(self):
        return f"{self.folder.name}/{self.name}"


def cases(folders="*", names=""):
    found = []
    for folder in sorted(GOLDEN.glob(folders)):
        table = folder / "cases.tsv"
        if table.exists():
            lines = table.read_text(encoding="utf-8").splitlines()[1:]
            found += [Case(folder, line) for line in lines if names in line.split("\t")[0]]
    assert found, f"no golden cases in {folders}"
    return found
