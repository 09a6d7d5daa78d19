"""A folder of golden files: written, compared with what is there, and read by pyarrow.

    SCRIPT            writes all files of the folder
    SCRIPT --check    writes nothing; fails where a file on disk differs from what would be written
    SCRIPT --read DIR reads the golden files in DIR with pyarrow and compares them with their text

What the files of a case are is told in ../README.md.
"""

import sys
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa

from arrow_json import batch_rows
from arrow_text import schema_text

SUFFIXES = {"stream": ".arrows", "file": ".arrow"}
TABLE_HEAD = "case\tformats\tn_rows\tlevel\tabout\n"


@dataclass
class Written:
    """What a library wrote of one case, by format, and what that holds: rows as text, one list for each batch."""

    name: str
    about: str
    schema: str
    rows: list
    contents: dict
    level: str = "strict"
    metadata: str = ""

    def files(self):
        """(name, bytes) of each file of the case."""
        text = "".join(row + "\n" for batch in self.rows for row in batch)
        for kind, content in self.contents.items():
            yield self.name + SUFFIXES[kind], content
        yield f"{self.name}.json", text.encode("utf-8")
        yield f"{self.name}.schema", self.schema.encode("utf-8")
        if self.metadata:
            yield f"{self.name}.metadata", self.metadata.encode("utf-8")

    def row(self):
        """The line of `cases.tsv`."""
        n_rows = ",".join(str(len(batch)) for batch in self.rows) or "-"
        return "\t".join([self.name, ",".join(self.contents), n_rows, self.level, self.about]) + "\n"


def main(arguments, name, cases):
    """`cases` is a function that makes what is `Written`; `name` is that of the folder beside this script."""
    folder = Path(__file__).parent / name
    if arguments[:1] == ["--read"] and len(arguments) == 2:
        return report("differ from their text", list(check_folder(Path(arguments[1]))))
    if arguments not in ([], ["--check"]):
        sys.exit(__doc__)
    files, table = {}, TABLE_HEAD
    for case in cases():
        files |= case.files()
        table += case.row()
    files["cases.tsv"] = table.encode("utf-8")
    if arguments == ["--check"]:
        on_disk = {path.name: path.read_bytes() for path in folder.iterdir()}
        names = sorted(files.keys() | on_disk.keys())
        return report(f"of {name} are stale", [name for name in names if files.get(name) != on_disk.get(name)])
    folder.mkdir(exist_ok=True)
    for path in folder.iterdir():
        path.unlink()
    for name, content in files.items():
        (folder / name).write_bytes(content)
    print(f"{len(files)} files, {sum(map(len, files.values())):,} bytes in {folder.name}")


def report(what, names):
    print("\n".join([*names, f"{len(names)} files {what}"]))
    sys.exit(1 if names else 0)


def read(content, kind):
    """The schema and the batches."""
    if kind == "stream":
        reader = pa.ipc.open_stream(content)
        return reader.schema, list(reader)
    reader = pa.ipc.open_file(content)
    return reader.schema, [reader.get_batch(k) for k in range(reader.num_record_batches)]


def content_of(content, kind, level="strict"):
    """The text of the schema, and the rows of each batch, as pyarrow reads them."""
    schema, batches = read(content, kind)
    for batch in batches:
        batch.validate(full=level == "strict")
    return schema_text(schema), [batch_rows(batch) for batch in batches]


def check_folder(folder):
    """The names of the files that do not hold what their text says."""
    for row in (folder / "cases.tsv").read_text(encoding="utf-8").splitlines()[1:]:
        name, formats, n_rows, level, _ = row.split("\t")
        for kind in formats.split(","):
            path = folder / (name + SUFFIXES[kind])
            try:
                schema, rows = content_of(path.read_bytes(), kind, level)
                text = "".join(row + "\n" for batch in rows for row in batch)
                found = (schema, text, ",".join(str(len(batch)) for batch in rows) or "-")
            except (pa.ArrowException, OSError, KeyError) as error:
                # A KeyError is the number of a type that has no class in Python: some intervals.
                found = None
                print(f"{path.name}: {error!r}")
            expected = [(folder / (name + suffix)).read_bytes().decode("utf-8") for suffix in (".schema", ".json")]
            if found != (*expected, n_rows):
                yield path.name
