"""Writes the rows of golden files with extension types as a reader has them that knows none of these: the values of their storage.

With pyarrow, by own code over its buffers. The files go to `stored/`, one for each case whose rows differ.
"""

import shutil
import sys
from pathlib import Path

import pyarrow as pa

HERE = Path(__file__).parent
GOLDEN = HERE.parent / "corpus/golden"
sys.path.insert(0, str(GOLDEN))

from arrow_json import record_text, value_texts  # noqa: E402
from golden_folder import SUFFIXES, read  # noqa: E402

shutil.rmtree(HERE / "stored", ignore_errors=True)
for table in sorted(GOLDEN.glob("*/cases.tsv")):
    for line in table.read_text(encoding="utf-8").splitlines()[1:]:
        name, kinds, *_ = line.split("\t")
        kind = kinds.split(",")[0]
        try:
            _, batches = read((table.parent / (name + SUFFIXES[kind])).read_bytes(), kind)
        except (pa.ArrowException, KeyError):
            continue
        lines = []
        for batch in batches:
            try:
                columns = [value_texts(column) for column in batch.columns]
            except (KeyError, ValueError, NotImplementedError):
                break
            lines += [record_text(batch.schema.names, [column[row] for column in columns]) for row in range(batch.num_rows)]
        else:
            text = "".join(line + "\n" for line in lines)
            if text != (table.parent / f"{name}.json").read_text(encoding="utf-8"):
                path = HERE / "stored" / table.parent.name / f"{name}.json"
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text, encoding="utf-8")
