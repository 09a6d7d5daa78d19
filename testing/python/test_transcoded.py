"""Shows pyarrow what `convert`, `concat` and `split` make of its own files without decoding them.

    test_transcoded.py PROGRAM

Golden files of pyarrow are compressed, put into the other container, put together and cut apart. pyarrow has to read the same
rows.
"""

import pathlib
import subprocess
import sys
import tempfile

import pyarrow as pa

GOLDEN = pathlib.Path(__file__).parents[1] / "corpus/golden/pyarrow-26.0.1"
FORMS = [["--compression", codec] for codec in ["none", "lz4", "zstd"]] + [["--alignment", "8"], ["--alignment", "4096"]]


def read(path):
    """The rows, as text: NaN is equal to itself there."""
    with open(path, "rb") as file:
        opened = pa.ipc.open_stream(file) if path.suffix == ".arrows" else pa.ipc.open_file(file)
        table = opened.read_all()
        table.validate(full=True)
        return [repr(row) for row in table.to_pylist()]


def main(program):
    n_read, n_refused = 0, 0
    # The program waits until its output is on disk.
    memory = pathlib.Path("/dev/shm")
    with tempfile.TemporaryDirectory(dir=memory if memory.is_dir() else None) as folder:
        folder = pathlib.Path(folder)

        def run(*args):
            done = subprocess.run([program, *map(str, args)], capture_output=True, text=True, check=False)
            assert done.returncode in (0, 5), (args, done)
            return done.returncode == 0

        for number, source in enumerate(sorted(GOLDEN.glob("*.arrow*"))[::3]):
            try:
                rows = read(source)
            # What pyarrow or Python has no values for.
            except (pa.ArrowInvalid, NotImplementedError, OverflowError, ValueError):
                continue
            form = FORMS[number % len(FORMS)]
            half = len(rows) // 2
            for out in [folder / "out.arrow", folder / "out.arrows"]:
                commands = [
                    (rows, ["convert", source, "-o", out, *form]),
                    (rows, ["convert", "--unchecked", source, "-o", out, *form]),
                    (rows + rows, ["concat", source, source, "-o", out]),
                    (rows[half:], ["split", source, "-o", out, "--rows", f"{half}.."]),
                    (rows + rows, ["concat", source, source, "-o", out, "--batch-rows", "3"]),
                ]
                for expected, command in commands:
                    # Dictionaries that change have no place in a file.
                    if not run(*command):
                        assert out.suffix == ".arrow", command
                        n_refused += 1
                        continue
                    found = read(out)
                    assert found == expected, (command, found, expected)
                    n_read += 1
    assert n_read > 400 and n_refused < n_read / 10, (n_read, n_refused)
    print(f"{n_read} outputs of convert, concat and split were read by pyarrow, {n_refused} refused")


if __name__ == "__main__":
    main(sys.argv[1])
