"""Shows the samples that `write-samples` wrote to other implementations, and what these rewrite to our program.

    test_peers.py SAMPLES PROGRAM

SAMPLES has a folder for each variant of the options.

Each reader has to find in a sample what its text says. What a reader lacks is listed with it; a type that is listed
and read all the same is a failure, too, so that the list stays true.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
from contextlib import contextmanager
from pathlib import Path

import nanoarrow
import nanoarrow.ipc  # noqa: F401, makes ArrayStream read IPC
import polars
import pyarrow as pa

sys.path.insert(0, str(Path(__file__).parent.parent / "corpus" / "golden"))

from arrow_json import batch_rows  # noqa: E402
from arrow_text import schema_text  # noqa: E402
from golden_folder import SUFFIXES, read  # noqa: E402


class Sample:
    """A sample as one variant of the options wrote it; the variant is the name of the folder."""

    def __init__(self, folder, row):
        self.variant = folder.name
        self.name, kinds, n_rows, _, _ = row.split("\t")
        self.kinds = kinds.split(",")
        self.n_rows = [] if n_rows == "-" else [int(n) for n in n_rows.split(",")]
        # By the defaults.
        self.plain_stream = folder.parent / "default" / (self.name + SUFFIXES["stream"])
        self.paths = {kind: folder / (self.name + suffix) for kind, suffix in SUFFIXES.items()}
        self.schema = (folder / f"{self.name}.schema").read_text(encoding="utf-8")
        self.rows = (folder / f"{self.name}.json").read_bytes().decode("utf-8").split("\n")[:-1]


class Different(Exception):
    """What was read is not what was written."""


def expect_equal(what, found, expected):
    if found == expected:
        return
    if isinstance(expected, list):
        pairs = zip(found, expected)
        first = next((pair for pair in pairs if pair[0] != pair[1]), (len(found), len(expected)))
        found, expected = first
    raise Different(f"{what}\n    found    {found}\n    expected {expected}")


def expect_content(sample, schema, batches):
    expect_equal("schema", schema_text(schema), sample.schema)
    expect_equal("rows", [row for batch in batches for row in batch_rows(batch)], sample.rows)


# What Arrow C++ makes of the extension types that it knows, in the order of the sample, as it shows them.
EXTENSIONS = [
    ("arrow.bool8", pa.bool8()),
    ("arrow.uuid", pa.uuid()),
    ("arrow.json", pa.json_(pa.string())),
    ("arrow.json", pa.json_(pa.large_string())),
    ("arrow.opaque", pa.opaque(pa.null(), "varray", "Oracle")),
    ("arrow.opaque", pa.opaque(pa.binary(), 'ö"\n\u202e', "")),
    ("arrow.fixed_shape_tensor", pa.fixed_shape_tensor(pa.float32(), [2, 3])),
    ("arrow.fixed_shape_tensor",
     pa.fixed_shape_tensor(pa.float32(), [2, 3], dim_names=["rows", 'ö"\n'], permutation=[1, 0])),
    # No class in Python, so its text has to do.
    ("arrow.variable_shape_tensor", "extension<arrow.variable_shape_tensor[value_type=float, ndim=2]>"),
    ("arrow.variable_shape_tensor",
     "extension<arrow.variable_shape_tensor[value_type=float, ndim=2, uniform_shape=[null,4]]>"),
    # Types that it does not know stay what they are stored as, and keep their name.
    ("arrow.parquet.variant", None),
    ("arrow.timestamp_with_offset", None),
    ("example.unheard_of", None),
]


def expect_extensions(schema):
    expect_equal("number of extension types", len(schema), len(EXTENSIONS))
    for field, (name, expected) in zip(schema, EXTENSIONS):
        if expected is None:
            expect_equal(field.name, field.metadata[b"ARROW:extension:name"].decode(), name)
            expect_equal(field.name, isinstance(field.type, pa.BaseExtensionType), False)
        else:
            expect_equal(field.name, field.type.extension_name, name)
            expect_equal(field.name, str(field.type) if isinstance(expected, str) else field.type, expected)


# --- readers ---


class PyArrow:
    kinds = ("stream", "file")
    # Types that are not read as they were written: how they are found in the text of a schema, and what is said.
    lacks = [
        (r"interval\((year_month|day_time)\)", r"KeyError: 2[12]"),  # they have no class in Python
        (r'timestamp\(\w+, ""\)', r"Different: schema"),  # an empty time zone is read as none
        (r"run_end_encoded<[^<]*, values: \w+ not null>", r"Different: schema"),  # values become nullable
    ]
    # The same for variants: variant, name and format of samples, types there, and what is said.
    lacks_in_variants = [
        (r"delta/(dictionary-of-structs.*-built-(full|nulls)|every-type|late-dictionaries)/stream",
         r"dictionary<\w+, \w+<.*dictionary<", r"delta dictionary with an unresolved nested dictionary"),
        (r"foreign-.*", r"(binary|utf8)_view", r"Swapping endianness of (binary|string)_view"),
        (r"foreign-.*", r"run_end_encoded<", r"swapping endianness of run-end encoded"),
    ]
    lacks_by_chance = []
    # An error that garbage beneath nulls may cause, where anything may lie.
    garbage_error = None

    def check(self, sample, kind):
        schema, batches = read(sample.paths[kind].read_bytes(), kind)
        for batch in batches:
            batch.validate(full=True)
        expect_equal("rows of batches", [batch.num_rows for batch in batches], sample.n_rows)
        expect_content(sample, schema, batches)
        if sample.name == "extensions":
            expect_extensions(schema)

    def rewrite(self, sample, kind, path):
        """Writes what it has read, and tells the rows of that."""
        schema, batches = read(sample.paths[kind].read_bytes(), kind)
        new = pa.ipc.new_stream if kind == "stream" else pa.ipc.new_file
        with new(path, schema) as writer:
            for batch in batches:
                writer.write_batch(batch)
        return sample.rows


class PyArrowColumns(PyArrow):
    """Leaves out the columns of types that it lacks, so that the rest of a wide schema is looked at."""

    lacks = []
    # Columns that are left out are swapped all the same.
    lacks_in_variants = [row for row in PyArrow.lacks_in_variants if row[0].startswith("foreign-")]

    def check(self, sample, kind):
        fields = sample.schema.splitlines()
        known = [k for k, field in enumerate(fields) if not lacks_of(PyArrow, sample, kind, field)]
        options = pa.ipc.IpcReadOptions(included_fields=known)
        if kind == "stream":
            reader = pa.ipc.open_stream(sample.paths[kind].read_bytes(), options=options)
            batches = list(reader)
        else:
            reader = pa.ipc.open_file(sample.paths[kind].read_bytes(), options=options)
            batches = [reader.get_batch(k) for k in range(reader.num_record_batches)]
        expect_equal("schema", schema_text(reader.schema).splitlines(), [fields[k] for k in known])
        rows = [members(row) for batch in batches for row in batch_rows(batch)]
        expected = [[row[k] for k in known] for row in map(members, sample.rows)]
        expect_equal("rows", rows, expected)

    rewrite = None


def members(row):
    """Names and values of a JSON object, the numbers as they are written."""
    keep = {"parse_int": str, "parse_float": str}
    return list(json.loads(row, **keep).items())


class NanoArrow:
    # It reads no files. Its arrays are looked at by way of pyarrow.
    kinds = ("stream",)
    lacks = PyArrow.lacks[:2] + [
        (r"(binary|utf8)_view", r"View not yet supported"),
        (r"list_view<", r"ListView not yet supported"),
        (r"run_end_encoded<", r"RunEndEncoded not yet supported"),
        (r"fixed_size_binary\(0\)", r"ArrowSchemaSetTypeFixedSize"),
    ]
    # It takes dictionaries that are compressed as they are, those of Arrow C++ too, and unions in dictionaries for such
    # of V4.
    lacks_in_variants = [
        (r"(?!v4|legacy).*", r"dictionary<\w+, \w+_union<", r"pre-1.0.0 Union array"),
        (r"(foreign-)?(lz4|zstd)/.*", r"dictionary<\w+, (?!null|bool|int64|decimal)",
         r"ArrowInvalid: .*Expected|Different: rows"),
        (r"delta/replaced-dictionaries/.*", r"", r"Dictionary concatenation is not yet supported"),
        # The default policy, too, writes a dictionary that grows in the same memory as deltas.
        (r"(?!unified).*/growing-dictionaries/.*", r"", r"Dictionary concatenation is not yet supported"),
    ]
    # What need not show: bytes that are taken for others may be the same.
    lacks_by_chance = [
        (r"(foreign-)?(lz4|zstd)/.*", r"dictionary<\w+, (bool|int64|decimal)",
         r"ArrowInvalid: .*Expected|Different: rows"),
    ]
    garbage_error = None
    rewrite = None

    def check(self, sample, kind):
        stream = nanoarrow.ArrayStream.from_path(sample.paths[kind])
        reader = pa.RecordBatchReader.from_stream(stream)
        expect_content(sample, reader.schema, list(reader))


class Polars:
    kinds = ("stream", "file")
    lacks = [
        (r"interval\(", r"Interval|DaysMs|interval|month_day_nano"),
        (r"_union<", r"Union"),
        (r"list_view<|run_end_encoded<", r"not yet implemented"),
        (r"decimal256", r"Int256|JoinError"),
        (r"decimal\d+\(\d+, -", r"NegativeFooterLength"),
        (r"decimal128\(1, 5\)", r"scale must be less|JoinError"),
        (r"fixed_size_binary\(0\)", r"FixedSizeBinaryArray expects a positive size"),
        (r"; 0>", r"Cannot read zero sized arrays"),
        (r"struct<a: .*, a: ", r"Duplicate|JoinError"),
        (r"struct<timestamp: ", r"out-of-range datetime"),  # timestamps far from now in a struct, with a zone
    ]
    # Views are not swapped: they point anywhere, or it is their lengths that are wrong.
    lacks_in_variants = [
        (r"delta/((ordered-)?dictionary-of-(?!null).*|fixed-size-list-of-structs)-built-(full|nulls)/stream", r"",
         r"delta dictionary batches not supported"),
        (r"delta/late-dictionaries/stream", r"", r"delta dictionary batches not supported"),
        (r"delta/replaced-dictionaries/.*", r"", r"delta dictionary batches not supported"),
        (r"(?!unified).*/growing-dictionaries/stream", r"", r"delta dictionary batches not supported"),
        (r"delta/growing-dictionaries/file", r"", r"delta dictionary batches not supported"),
        (r"(v4|legacy)/dictionary-values-(sparse|dense)-unions/stream", r"", r"out-of-spec: InvalidBuffer"),
        # Only bits are read, and what has no bytes.
        (r"foreign-lz4/(?!(null|bool|struct-of-nothing|fixed-size-list-of-2-required-booleans)-|no-columns).*",
         r"", r"Reading compressed and big endian|equal number|validity mask|JoinError"),
        (r"foreign-endian/(?!.*-all-null|dictionary-values-utf8-views).*", r"(binary|utf8)_view", r"unreachable|view|JoinError"),
    ]
    lacks_by_chance = [
        (r"foreign-endian/(.*-all-null|dictionary-values-utf8-views).*", r"(binary|utf8)_view", r"unreachable|view|JoinError"),
    ]
    garbage_error = r"view index out of bounds|invalid utf8|dictionary key"

    def check(self, sample, kind):
        frame = self.read(sample, kind)
        # It has fewer types than the format, so its own conversion says what is to be expected.
        with open(sample.plain_stream, "rb") as stream:
            expected = polars.from_arrow(pa.ipc.open_stream(stream).read_all())
        if not frame.equals(expected):
            raise Different(f"frame\n    found    {frame}\n    expected {expected}")

    def rewrite(self, sample, kind, path):
        frame = self.read(sample, kind)
        if kind == "stream":
            frame.write_ipc_stream(path)
        else:
            frame.write_ipc(path)
        # Of types of its own, which pyarrow is asked about.
        _, batches = read(path.read_bytes(), kind)
        return [row for batch in batches for row in batch_rows(batch)]

    def read(self, sample, kind):
        if kind == "file" and sample.variant == "row-counts":
            return self.read_counted(sample)
        reads = polars.read_ipc_stream if kind == "stream" else polars.read_ipc
        return reads(sample.paths[kind])

    def read_counted(self, sample):
        """By the row counts of the footer, which it believes."""
        # Its `len()` of such a frame fails, for files of its own too.
        frame = polars.scan_ipc(sample.paths["file"], _record_batch_statistics=True)
        n_rows = sum(sample.n_rows)
        whole = frame.collect()
        expect_equal("number of rows", whole.height, n_rows)
        for start in range(0, n_rows, max(1, n_rows // 5)):
            part = frame.slice(start, 3).collect()
            if not part.equals(whole.slice(start, 3)):
                raise Different(f"rows from {start} on\n    found    {part}\n    expected {whole.slice(start, 3)}")
        return whole


# --- tests ---


def main(folder, program):
    samples = []
    for table in sorted(folder.glob("*/cases.tsv")):
        rows = table.read_text(encoding="utf-8").splitlines()[1:]
        samples += [Sample(table.parent, row) for row in rows]
    with silent_panics():
        outcomes = [*all_outcomes(samples, program), *outcomes_of_forms(program)]
    failures = [f"FAILED {place}: {error}" for place, error in outcomes if error is not None]
    print("\n".join([*failures, f"{len(outcomes) - len(failures)} passed, {len(failures)} failed"]))
    sys.exit(1 if failures or not outcomes else 0)


def all_outcomes(samples, program):
    """What was done, and what is wrong with it or None."""
    for reader in (PyArrow(), PyArrowColumns(), NanoArrow(), Polars()):
        for sample in samples:
            if isinstance(reader, PyArrowColumns) and not sample.name.startswith("every-type"):
                continue
            for kind in reader.kinds:
                if kind not in sample.kinds:
                    continue
                for what, error in outcomes_of(reader, sample, kind, program):
                    name = f"{sample.variant}/{sample.name}"
                    yield f"{type(reader).__name__}: {name} as a {kind} is {what}", error


# Streams of a form that some readers refuse, and those that refuse what `convert` makes of it.
FORMS = {
    "map-entries-nullable": [],
    "map-keys-nullable": [],
    "no-fields-vector": [],
    "no-index-type": [],
    "dictionary-id-minus-1": ["pyarrow"],
}

# In a process of its own, since not all refuse with an exception: nanoarrow needs an index type, and does not look.
READ_STREAM = """
import io, sys
name, path = sys.argv[1:]
data = open(path, "rb").read()
if name == "pyarrow":
    import pyarrow as pa
    pa.ipc.open_stream(data).read_all().validate(full=True)
elif name == "polars":
    import polars
    polars.read_ipc_stream(io.BytesIO(data))
else:
    import nanoarrow, nanoarrow.ipc
    nanoarrow.ArrayStream.from_readable(io.BytesIO(data)).read_all()
"""


def outcomes_of_forms(program):
    """Whether the notes of `validate` name those that refuse a form, and no others."""
    crashes = {("nanoarrow", "no-index-type")}
    with tempfile.TemporaryDirectory() as folder:
        for name, refused in FORMS.items():
            stream = Path(__file__).parent.parent / "corpus" / "oddities" / f"{name}.arrows"
            converted = Path(folder) / "converted.arrows"
            subprocess.run([program, "convert", stream, "-o", converted], capture_output=True, check=True)
            for path, also in ((stream, crashes), (converted, set())):
                told = subprocess.run([program, "validate", "--json", path], capture_output=True, check=True)
                notes = json.loads(told.stdout)["portability"]
                for reader in ("pyarrow", "polars", "nanoarrow"):
                    command = [sys.executable, "-c", READ_STREAM, reader, path]
                    is_read = subprocess.run(command, capture_output=True, check=False).returncode == 0
                    is_noted = any(note.startswith(reader) for note in notes) or (reader, name) in also
                    error = None if is_read != is_noted else f"is read: {is_read}, notes: {notes}"
                    if path == converted and not is_read and reader not in refused:
                        error = "is refused, though it was converted"
                    yield f"{reader}: {name} as {path.name}", error


def outcomes_of(reader, sample, kind, program):
    error = error_of(reader.check, sample, kind)
    lacks = lacks_of(reader, sample, kind, sample.schema)
    known = [*lacks, *lacks_in(reader.lacks_by_chance, sample, kind, sample.schema)]
    if reader.garbage_error is not None and sample.name.endswith("-garbage"):
        known.append(reader.garbage_error)
    if error is not None and any(re.search(lack, error) for lack in known):
        yield "refused", None
    elif error is None and lacks and sum(sample.n_rows) > 0:
        # Without rows, not all that is lacking shows.
        yield "read", f"though the table says: {lacks[0]}"
    else:
        yield "read", error
        # What it makes of its arrays is the same in all variants.
        if error is None and reader.rewrite is not None and sample.variant == "default":
            yield "rewritten", error_of(check_rewritten, reader, sample, kind, program)


def lacks_of(reader, sample, kind, types):
    rows = [(".*", *row) for row in reader.lacks] + reader.lacks_in_variants
    return lacks_in(rows, sample, kind, types)


def lacks_in(rows, sample, kind, types):
    place = f"{sample.variant}/{sample.name}/{kind}"
    return [error for places, pattern, error in rows if re.fullmatch(places, place) and re.search(pattern, types)]


def check_rewritten(reader, sample, kind, program):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / ("rewritten" + SUFFIXES[kind])
        rows = reader.rewrite(sample, kind, path)
        command = [program, "cat", "--format", "json", path]
        shown = subprocess.run(command, capture_output=True, encoding="utf-8", check=False)
    if shown.returncode != 0:
        raise Different(f"our program says: {shown.stderr}")
    expect_equal("rows", shown.stdout.split("\n")[:-1], rows)


def error_of(check, *arguments):
    try:
        check(*arguments)
    except (KeyboardInterrupt, SystemExit):
        raise
    except BaseException as error:  # polars raises panics, which are no Exceptions
        return f"{type(error).__name__}: {error}"
    return None


@contextmanager
def silent_panics():
    """Panics of polars write to standard error before they are raised, some later, from other threads."""
    before = os.dup(2)
    with open(os.devnull, "wb") as nothing:
        os.dup2(nothing.fileno(), 2)
    try:
        yield
    finally:
        os.dup2(before, 2)
        os.close(before)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(Path(sys.argv[1]), Path(sys.argv[2]))
