"""Writers of data sets whose process is killed once, and what one reads at that time."""

import json
import os
import signal
from pathlib import Path

import arrow_ipc
import pyarrow as pa

# With the rows of a part written, before it has its name; with its name; and with all parts, before the manifest.
POINTS = ("before the name", "after the name", "before the manifest")
SCHEMA = pa.schema([("id", pa.int64())])
OLD = list(range(-10, 0))


def with_ten_rows(root):
    """A set to which others append."""
    writer = arrow_ipc.DatasetWriter(root, SCHEMA)
    writer.commit([writer.write(0, pa.table({"id": OLD}))])
    return root


class Killing:
    """A `DatasetWriter` whose process is killed at a point, the first time that one comes there.

    Before that, the file `killed` beside the set gets what there is: files that have no name yet, parts, manifests, and what a reader gets.
    """

    def __init__(self, writer, point, root):
        self.writer, self.point, self.root = writer, point, Path(root).absolute()

    @property
    def schema(self):
        return self.writer.schema

    def write(self, task, batches):
        if isinstance(batches, pa.Table):
            batches = batches.to_reader()

        def all_of_them():
            yield from batches
            self.reach("before the name")

        part = self.writer.write(task, pa.RecordBatchReader.from_batches(batches.schema, all_of_them()))
        self.reach("after the name")
        return part

    def commit(self, parts):
        parts = list(parts)
        self.reach("before the manifest")
        return self.writer.commit(parts)

    def abort(self):
        self.writer.abort()

    def reach(self, point):
        if point != self.point:
            return
        try:
            file = open(f"{self.root}.killed", "x")
        except FileExistsError:
            return
        with file:
            beside = names_of(self.root.with_name(f"_{self.root.name}.manifests"))
            json.dump({"beside": beside, "parts": names_of(self.root), "ids": ids_of(self.root)}, file)
        os.kill(os.getpid(), signal.SIGKILL)


def names_of(folder):
    return sorted(path.name for path in folder.iterdir())


def ids_of(root):
    return sorted(i for batch in arrow_ipc.dataset(root) for i in batch["id"])


def check_killed(root, point):
    """What there was when a process was killed: at this point, and readers had the old rows, and no others."""
    found = json.loads(root.with_name(f"{root.name}.killed").read_text())
    n_attempts, n_manifests = (sum(name.startswith(start) for name in found["beside"]) for start in ("_attempt-", "0000"))
    n_new = len(found["parts"]) - 1
    assert (found["ids"], n_manifests) == (OLD, 1), found
    if point == "before the name":
        assert n_attempts >= 1, found
    elif point == "after the name":
        assert n_new >= 1, found
    else:
        assert (n_attempts, n_new >= 1) == (0, True), found
