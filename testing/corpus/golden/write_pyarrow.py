"""Writes the golden files of pyarrow into the folder `pyarrow-<version>` beside this script.

    write_pyarrow.py            writes them all
    write_pyarrow.py --check    writes nothing; fails where a file on disk differs from what would be written
    write_pyarrow.py --read DIR reads the golden files in DIR with pyarrow and compares them with their text

What the files of a case are is told in ../README.md.
"""

import sys
from pathlib import Path

import pyarrow as pa

from arrow_json import batch_rows
from arrow_text import json_string, schema_text
from pyarrow_cases import Case, all_cases, pairs_of

FOLDER = Path(__file__).parent / f"pyarrow-{pa.__version__}"
SUFFIXES = {"stream": ".arrows", "file": ".arrow"}
TABLE_HEAD = "case\tformats\tn_rows\tlevel\tabout\n"


def main(arguments):
    if arguments[:1] == ["--read"] and len(arguments) == 2:
        return report("differ from their text", list(check_folder(Path(arguments[1]))))
    if arguments not in ([], ["--check"]):
        sys.exit(__doc__)
    files = dict(golden_files())
    if arguments == ["--check"]:
        on_disk = {path.name: path.read_bytes() for path in FOLDER.iterdir()}
        names = sorted(files.keys() | on_disk.keys())
        return report("are stale", [name for name in names if files.get(name) != on_disk.get(name)])
    FOLDER.mkdir(exist_ok=True)
    for path in FOLDER.iterdir():
        path.unlink()
    for name, content in files.items():
        (FOLDER / name).write_bytes(content)
    print(f"{len(files)} files, {sum(map(len, files.values())):,} bytes in {FOLDER.name}")


def report(what, names):
    print("\n".join([*names, f"{len(names)} files {what}"]))
    sys.exit(1 if names else 0)


def golden_files():
    """(name, bytes) of every file of the folder."""
    table = TABLE_HEAD
    for case in all_cases():
        rows = [batch_rows(batch) for batch in case.batches]
        text = "".join(row + "\n" for batch in rows for row in batch)
        for kind in case.formats:
            content = write(case, kind)
            read_back = [row for batch in read(content, kind)[1] for row in batch_rows(batch)]
            assert read_back == [row for batch in rows for row in batch], f"{case.name} changes as a {kind}"
            yield case.name + SUFFIXES[kind], content
        yield f"{case.name}.json", text.encode("utf-8")
        yield f"{case.name}.schema", schema_text(case.schema).encode("utf-8")
        if metadata := metadata_text(case):
            yield f"{case.name}.metadata", metadata.encode("utf-8")
        n_rows = ",".join(str(len(batch)) for batch in rows) or "-"
        table += "\t".join([case.name, ",".join(case.formats), n_rows, case.level, case.about]) + "\n"
    yield "cases.tsv", table.encode("utf-8")


def write(case: Case, kind):
    for batch in case.batches:
        # The garbage beneath nulls is meant; what is not null must be sound.
        batch.validate(full=case.level == "strict")
    sink = pa.BufferOutputStream()
    options = pa.ipc.IpcWriteOptions(**case.options)
    if kind == "stream":
        writer = pa.ipc.new_stream(sink, case.schema, options=options)
    else:
        writer = pa.ipc.new_file(sink, case.schema, options=options, metadata=pairs_of(case.footer_metadata))
    with writer:
        for k, batch in enumerate(case.batches):
            writer.write_batch(batch, custom_metadata=pairs_of(case.batch_metadata.get(k)))
    return sink.getvalue().to_pybytes()


def read(content, kind):
    """The schema and the batches."""
    if kind == "stream":
        reader = pa.ipc.open_stream(content)
        return reader.schema, list(reader)
    reader = pa.ipc.open_file(content)
    return reader.schema, [reader.get_batch(k) for k in range(reader.num_record_batches)]


def metadata_text(case):
    """One line per place that carries custom metadata; empty where none does."""
    places = [('"at":"schema"', case.schema_metadata)]
    for path, pairs in case.field_metadata.items():
        places.append((f'"at":"field","path":[{",".join(map(json_string, path))}]', pairs))
    places += [(f'"at":"batch","index":{k}', pairs) for k, pairs in case.batch_metadata.items()]
    places.append(('"at":"footer"', case.footer_metadata))

    def line(place, pairs):
        inside = ",".join(f"[{json_string(key)},{json_string(value)}]" for key, value in pairs)
        return f'{{{place},"pairs":[{inside}]}}\n'

    return "".join(line(place, pairs) for place, pairs in places if pairs)


def check_folder(folder):
    """The names of the files that do not hold what their text says."""
    for row in (folder / "cases.tsv").read_text(encoding="utf-8").splitlines()[1:]:
        name, formats, n_rows, level, _ = row.split("\t")
        for kind in formats.split(","):
            path = folder / (name + SUFFIXES[kind])
            try:
                schema, batches = read(path.read_bytes(), kind)
                for batch in batches:
                    batch.validate(full=level == "strict")
                text = "".join(row + "\n" for batch in batches for row in batch_rows(batch))
                found = (schema_text(schema), text, ",".join(str(b.num_rows) for b in batches) or "-")
            except (pa.ArrowException, OSError, KeyError) as error:
                # A KeyError is the number of a type that has no class in Python: some intervals.
                found = None
                print(f"{path.name}: {error!r}")
            expected = [(folder / (name + suffix)).read_bytes().decode("utf-8") for suffix in (".schema", ".json")]
            if found != (*expected, n_rows):
                yield path.name


if __name__ == "__main__":
    main(sys.argv[1:])
