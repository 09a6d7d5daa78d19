"""Shows pyarrow files of other libraries that `append` has continued, and what `recover` makes of them without their footers.

    test_appended.py PROGRAM

Golden files of pyarrow and polars, and a file that pyarrow writes here. pyarrow has to read the rows of the file, twice if it was
appended to itself.
"""

import pathlib
import shutil
import subprocess
import sys
import tempfile

import pyarrow as pa

GOLDEN = pathlib.Path(__file__).parents[1] / "corpus/golden"


def read(path):
    """The rows, as text: NaN is equal to itself there."""
    with open(path, "rb") as file:
        opened = pa.ipc.open_stream(file) if path.suffix == ".arrows" else pa.ipc.open_file(file)
        table = opened.read_all()
        table.validate(full=True)
        return [repr(row) for row in table.to_pylist()]


def write(path):
    """Batches with NaN, nulls, nested values and a dictionary."""
    word = pa.array(["a", None, "b", "a"]).dictionary_encode()
    numbers = pa.array([1.5, float("nan"), None, -0.0])
    lists = pa.array([[1, None], [], None, [2]])
    batch = pa.record_batch({"word": word, "number": numbers, "list": lists})
    with pa.OSFile(str(path), "wb") as file, pa.ipc.new_file(file, batch.schema) as writer:
        for part in [batch, batch.slice(1, 2), batch.slice(4), batch]:
            writer.write_batch(part)


def main(program):
    n_read = 0
    # The program waits until its output is on disk.
    memory = pathlib.Path("/dev/shm")
    with tempfile.TemporaryDirectory(dir=memory if memory.is_dir() else None) as folder:
        folder = pathlib.Path(folder)
        written = folder / "written.arrow"
        write(written)

        def run(status, *args):
            done = subprocess.run([program, *map(str, args)], capture_output=True, text=True, check=False)
            assert done.returncode == status, (args, done)

        golden = [path for writer in ["pyarrow-26.0.1", "polars-2.1.0"] for path in sorted((GOLDEN / writer).glob("*.arrow"))]
        for source in [written, *golden[::3]]:
            try:
                rows = read(source)
            # What pyarrow or Python has no values for.
            except (pa.ArrowInvalid, NotImplementedError, OverflowError, ValueError):
                continue
            longer = folder / "longer.arrow"
            shutil.copyfile(source, longer)
            run(0, "append", longer, source)
            assert read(longer) == rows + rows, source
            # Messages of V4, which these files have, carry no compressed bodies.
            is_old = "legacy" in source.name
            run(5 if is_old else 0, "append", longer, source, "--compression", "zstd")
            assert read(longer) == (rows + rows if is_old else rows + rows + rows), source

            # Some files have their only schema in the footer.
            broken = folder / "broken"
            broken.write_bytes(source.read_bytes()[:-10])
            n_read += 2
            # Polars writes dictionaries after the batches that need them: only the footer says where.
            if "polars" in str(source) and "dictionary" in str(pa.ipc.open_file(source).schema):
                continue
            for out in [folder / "out.arrow", folder / "out.arrows"]:
                run(3, "recover", broken, "-o", out, "--schema", source)
                assert read(out) == rows, (source, out)
                n_read += 1
    assert n_read > 60, n_read
    print(f"pyarrow reads {n_read} files that were appended to or recovered")


if __name__ == "__main__":
    main(*sys.argv[1:])
