"""What must work where the package is installed, whatever else is there: `check_installed.py FOLDER`, with golden files."""

import subprocess
import sys
import tempfile
import urllib.request
from pathlib import Path

OTHERS = ("pyarrow", "polars", "pandas", "duckdb", "numpy")


def main(folder):
    # Before anything else is imported.
    check = "import sys; before = set(sys.modules); import arrow_ipc; print(*sorted(set(sys.modules) - before))"
    found = subprocess.run([sys.executable, "-I", "-c", check], check=True, capture_output=True, text=True).stdout.split()
    foreign = {name.partition(".")[0] for name in found} - {"arrow_ipc"} - sys.stdlib_module_names
    assert not foreign, f"the package imports {sorted(foreign)}"

    import arrow_ipc

    paths = sorted(folder.glob("*.arrow"))
    n_values = 0
    assert paths, f"no files in {folder}"
    for path in paths:
        arrow_ipc.validate(path)
        with tempfile.TemporaryDirectory() as place:
            arrow_ipc.write_stream(f"{place}/copy.arrows", arrow_ipc.open(path), compression="zstd")
            copy = arrow_ipc.concat(arrow_ipc.read_stream(f"{place}/copy.arrows"))
            assert copy.same_rows(arrow_ipc.concat(arrow_ipc.open(path))), path
        for batch in arrow_ipc.open(path):
            # Of other types Python cannot hold the extremes.
            plain = [column for column in batch.columns if column.type.startswith(("int", "uint", "float", "bool", "utf8", "binary"))]
            n_values += sum(len(column.to_pylist()) for column in plain)
    assert n_values > 0
    served(paths[0], Path(arrow_ipc.__file__).parent / "viewer.html")
    print(f"arrow_ipc {arrow_ipc.__version__}, Python {sys.version.split()[0]}: {len(paths)} files with {n_values} values, beside {beside()}")


def served(path, page):
    """The installed program serves the page of the package; without one, it says so."""
    program = [sys.executable, "-I", "-m", "arrow_ipc", "serve", str(path)]
    if not page.exists():
        refused = subprocess.run(program, capture_output=True, text=True)
        assert refused.returncode == 4 and str(page) in refused.stderr, refused
        return
    with subprocess.Popen(program, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as server:
        try:
            with urllib.request.urlopen(server.stdout.readline().partition("#")[0]) as answer:
                assert answer.read() == page.read_bytes(), page
        finally:
            server.kill()


def beside():
    """The versions of the other libraries that are there."""
    from importlib.metadata import PackageNotFoundError, version

    found = []
    for name in OTHERS:
        try:
            found.append(f"{name} {version(name)}")
        except PackageNotFoundError:
            continue
    return ", ".join(found) or "nothing"


if __name__ == "__main__":
    main(Path(sys.argv[1]))
