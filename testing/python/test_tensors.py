"""Shows the tensors that `write-samples` wrote to pyarrow, and the sparse ones to the Arrow C++ inside of it.

    test_tensors.py FOLDER

Each has to be read as its text says.
"""

import json
import shutil
import subprocess
import sys
import tempfile
import warnings
from pathlib import Path

import numpy as np
import pyarrow as pa

sys.path.insert(0, str(Path(__file__).parent.parent / "corpus" / "tensors"))

from write_tensors import build, shape_text, sparse_text, type_text  # noqa: E402

# What Arrow C++ makes something else of, by how names begin. If one is right all the same, that is a failure, too, so
# that the list stays true.
WRONG = ("sparse-coo-columns-",)  # making them dense, coordinates in columns are taken for coordinates in rows


def read_dense(path):
    with pa.OSFile(str(path)) as source:
        tensor = pa.ipc.read_tensor(source)
        if source.tell() != path.stat().st_size:
            raise ValueError(f"{source.tell()} of {path.stat().st_size} bytes are read")
    return tensor


def dense_text(tensor):
    """As it was read: strides are not those that it would be written with."""
    array = tensor.to_numpy()
    values = [value.tobytes().hex() for value in array.flatten(order="C")]
    names = [name or None for name in tensor.dim_names] or None
    line = {"kind": "dense", "type": type_text(array.dtype), "shape": shape_text(array, names)}
    return {**line, "strides": list(tensor.strides), "values": values}


def check_dense(path, expected, scratch):
    tensor = read_dense(path)
    expect_equal(dense_text(tensor), expected)
    # What it writes of what it has read is read again by it, at least.
    again = scratch / "again.tensor"
    with pa.OSFile(str(again), "wb") as sink:
        pa.ipc.write_tensor(tensor, sink)
    if not np.array_equal(as_bytes(read_dense(again)), as_bytes(tensor)):
        raise ValueError("another tensor is written")


def as_bytes(tensor):
    return np.ascontiguousarray(tensor.to_numpy()).view("u1")


def check_sparse(program, path, expected, scratch):
    dense = scratch / "dense.tensor"
    done = subprocess.run([program, "dense", path, dense], capture_output=True, encoding="utf-8", check=False)
    if done.returncode != 0:
        raise ValueError(done.stderr)
    expect_equal(sparse_text(read_dense(dense).to_numpy(), expected["kind"]), expected)


def expect_equal(found, expected):
    if found != expected:
        raise ValueError(f"\n    found    {found}\n    expected {expected}")


def main(folder):
    warnings.simplefilter("ignore", FutureWarning)
    warnings.simplefilter("ignore", DeprecationWarning)
    n_passed, failures = 0, []
    with tempfile.TemporaryDirectory() as scratch:
        program = build(scratch) if shutil.which("g++") else None
        for path in sorted(folder.glob("*.tensor")):
            expected = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
            try:
                if expected["kind"] == "dense":
                    check_dense(path, expected, Path(scratch))
                elif program is not None:
                    check_sparse(program, path, expected, Path(scratch))
                else:
                    continue
                error = "it is read, though the list says otherwise" if path.name.startswith(WRONG) else None
            except Exception as raised:  # noqa: BLE001, whatever a reader may raise
                error = None if path.name.startswith(WRONG) else f"{type(raised).__name__}: {raised}"
            if error is None:
                n_passed += 1
            else:
                failures.append(f"FAILED {path.name}: {error}")
    print("\n".join([*failures, f"tensors: {n_passed} passed, {len(failures)} failed"]))
    sys.exit(1 if failures or n_passed == 0 else 0)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(Path(sys.argv[1]))
