"""Writers of data sets whose process is killed once, and what one reads at that time."""

import json
import os
import signal
from pathlib import Path

import arrow_ipc
import pyarrow as pa

# While a part is written, when it is complete, and with all parts.
POINTS = ("before the part", "after the part", "before the commit")
SCHEMA = pa.schema([("id", pa.int64())])
OLD = list(range(-10, 0))


def with_ten_rows(root):
    """A data set to which others add a folder `new`."""
    root.mkdir()
    arrow_ipc.write_file(root / "old.arrow", pa.table({"id": OLD}))
    return root


class Killing:
    """A `DatasetWriter` whose process is killed at a point, the first time that one comes there.

    Before that, the file `killed` beside the data set gets what a reader gets, and the number of files that it does not read.
    """

    def __init__(self, writer, point, root):
        self.writer, self.point, self.root = writer, point, Path(root).absolute()

    @property
    def schema(self):
        return self.writer.schema

    def write(self, batches):
        if isinstance(batches, pa.Table):
            batches = batches.to_reader()

        def all_of_them():
            yield from batches
            self.reach("before the part")

        part = self.writer.write(pa.RecordBatchReader.from_batches(batches.schema, all_of_them()))
        self.reach("after the part")
        return part

    def commit(self, parts):
        parts = list(parts)
        self.reach("before the commit")
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
            # Not in the data set, where some engines would read them.
            n_hidden = len(list(self.root.parent.glob(".*.parts/*.arrow")))
            json.dump({"n_hidden": n_hidden, "ids": ids_of(self.root)}, file)
        os.kill(os.getpid(), signal.SIGKILL)


def names_of(folder):
    return sorted(path.name for path in folder.iterdir())


def ids_of(root):
    return sorted(i for batch in arrow_ipc.dataset(root) for i in batch["id"])


def check_killed(root):
    """When a process was killed, there were new files, and readers had the old rows, and no others."""
    found = json.loads(root.with_name(f"{root.name}.killed").read_text())
    assert found["ids"] == OLD and found["n_hidden"] >= 1, found
