"""Writes tensors by pyarrow, and sparse ones by the Arrow C++ inside of it, with their content as text.

    write_tensors.py            writes pyarrow-<version> beside this file
    write_tensors.py --check    tells which files are stale

Needs a C++ compiler for the sparse ones. The text is made from the arrays before anything is written. It has a line
for each message of `NAME.tensor`, in `NAME.json`:

    {"kind":"dense","type":T,"shape":[[size,name or null],…],"strides":[…],"values":[…]}
    {"kind":"COO"|"CSR"|"CSC"|"CSF","type":T,"shape":[…],"values":[[[position,…],value],…]}

Types are in the text form of this project; values are the bytes of elements in little-endian order as hexadecimal
digits. Those of dense tensors are in the order of rows, those of sparse ones ordered by position.
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

HERE = Path(__file__).parent
FOLDER = HERE / f"pyarrow-{pa.__version__}"

TYPES = {
    "int8": "i1",
    "int16": "<i2",
    "int32": "<i4",
    "int64": "<i8",
    "uint8": "u1",
    "uint16": "<u2",
    "uint32": "<u4",
    "uint64": "<u8",
    "float16": "<f2",
    "float32": "<f4",
    "float64": "<f8",
}


def numbers(dtype, n):
    """The least and the greatest number, and some between them."""
    dtype = np.dtype(dtype)
    info = np.finfo(dtype) if dtype.kind == "f" else np.iinfo(dtype)
    first = [info.min, info.max, 0, 1, 2, 3, 100]
    if dtype.kind == "f":
        first += [np.nan, np.inf, -np.inf, -0.0, 0.1]
    return np.array((first + list(range(4, n + 4)))[:n], dtype=dtype)


def dense_cases():
    """Name, and the tensors of a file: arrays with the names of their dimensions."""
    for name, dtype in TYPES.items():
        yield f"dense-{name}", [(numbers(dtype, 12).reshape(3, 4), ["row", "column"])]
    cube = np.arange(24, dtype="<i4").reshape(2, 3, 4)
    yield "dense-column-major", [(np.asfortranarray(cube), None)]
    yield "dense-transposed", [(cube.transpose(1, 0, 2), None)]
    yield "dense-steps", [(cube[:, ::2, 1::2], ["a", "b", "c"])]
    yield "dense-repeated", [(np.broadcast_to(np.arange(3, dtype="<i2"), (4, 3)), None)]
    yield "dense-one-dimension", [(np.arange(5, dtype="<f4"), ["x"])]
    yield "dense-scalar", [(np.array(42.0), None)]
    yield "dense-empty", [(np.zeros((0, 3), "<f8"), None), (np.zeros((2, 0, 4), "<i8"), None)]
    yield "dense-one-element", [(np.full((1, 1, 1), 7, "<u2"), None)]
    yield "dense-names", [(cube, ["", "größe", "long name " * 10])]
    yield "dense-large", [(np.arange(3000, dtype="<i4").reshape(50, 60), None)]
    yield "dense-several", [(np.arange(n * 3, dtype="<u1").reshape(n, 3), None) for n in range(1, 6)]


def sparse_cases():
    """Name, dense array, format, bits of the index."""
    matrix = np.zeros((5, 7), "<f8")
    matrix[0, 3], matrix[2, 0], matrix[2, 6], matrix[4, 1] = 1.5, -2.0, np.inf, 1e300
    cube = np.zeros((3, 4, 5), "<i4")
    cube[0, 1, 2], cube[0, 1, 4], cube[1, 3, 0], cube[2, 0, 0], cube[2, 3, 4] = 1, -2, 3, 2**31 - 1, -(2**31)
    for bits in (8, 16, 32, 64):
        for form in ("coo", "csr", "csc", "csf"):
            yield f"sparse-{form}-{bits}", matrix, form, bits
    for form in ("coo", "csf"):
        yield f"sparse-{form}-cube", cube, form, 64
    for form in ("coo", "csr", "csc", "csf"):
        yield f"sparse-{form}-zeros", np.zeros((3, 2), "<u2"), form, 32
        yield f"sparse-{form}-full", np.arange(1, 7, dtype="<u1").reshape(2, 3), form, 64
    vector = np.array([0, 0, 5, 0, 6], "<i8")
    yield "sparse-coo-vector", vector, "coo", 64


def type_text(dtype):
    return next(name for name, known in TYPES.items() if np.dtype(known) == dtype)


def shape_text(array, names):
    return [[size, name or None] for size, name in zip(array.shape, names or [None] * array.ndim)]


def dense_text(array, names):
    strides = array.strides
    if array.size == 0:
        strides = [array.itemsize] * array.ndim
    elif not array.flags.f_contiguous:
        # What is neither in the order of rows nor of columns is written as rows, and loses its names.
        strides = np.ascontiguousarray(array).reshape(array.shape).strides
        names = names if array.flags.c_contiguous else None
    values = [value.tobytes().hex() for value in array.flatten(order="C")]
    line = {"kind": "dense", "type": type_text(array.dtype), "shape": shape_text(array, names)}
    return {**line, "strides": list(strides), "values": values}


def sparse_text(array, form):
    positions = zip(*(axis.tolist() for axis in np.nonzero(array)))
    values = [[list(position), array[position].tobytes().hex()] for position in positions]
    line = {"kind": form.upper(), "type": type_text(array.dtype), "shape": shape_text(array, None)}
    return {**line, "values": values}


def tensor(array, names):
    return pa.Tensor.from_numpy(array, dim_names=names)


def build(folder):
    """The program that writes sparse tensors."""
    package = Path(pa.__file__).parent
    library = next(package.glob("libarrow.so.*"))
    program = Path(folder) / "sparse_tensors"
    command = ["g++", "-std=c++20", "-O0", "-w", f"-I{pa.get_include()}", HERE / "sparse_tensors.cpp"]
    subprocess.run([*command, "-o", program, library, f"-Wl,-rpath,{package}"], check=True)
    return program


def write(folder):
    cases = []
    with tempfile.TemporaryDirectory() as scratch:
        program = build(scratch)
        for name, tensors in dense_cases():
            cases.append((name, [dense_text(*case) for case in tensors]))
            with pa.OSFile(str(folder / f"{name}.tensor"), "wb") as sink:
                for case in tensors:
                    pa.ipc.write_tensor(tensor(*case), sink)
        for name, array, form, bits in sparse_cases():
            cases.append((name, [sparse_text(array, form)]))
            dense = Path(scratch) / "dense.tensor"
            with pa.OSFile(str(dense), "wb") as sink:
                pa.ipc.write_tensor(tensor(array, None), sink)
            command = [program, "sparse", dense, form, str(bits), folder / f"{name}.tensor"]
            subprocess.run(command, check=True)
    for name, lines in cases:
        text = "".join(json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n" for line in lines)
        (folder / f"{name}.json").write_text(text, encoding="utf-8")


def main(arguments):
    warnings.simplefilter("ignore", FutureWarning)
    warnings.simplefilter("ignore", DeprecationWarning)
    if arguments not in ([], ["--check"]):
        sys.exit(__doc__)
    with tempfile.TemporaryDirectory() as scratch:
        write(Path(scratch))
        new = {path.name: path.read_bytes() for path in Path(scratch).iterdir()}
        old = {path.name: path.read_bytes() for path in FOLDER.glob("*")}
        stale = sorted(name for name in {*new, *old} if new.get(name) != old.get(name))
        if arguments == ["--check"]:
            print("\n".join([*(f"stale: {FOLDER.name}/{name}" for name in stale), f"{len(new)} files"]))
            sys.exit(1 if stale else 0)
        shutil.rmtree(FOLDER, ignore_errors=True)
        FOLDER.mkdir()
        for name, content in new.items():
            (FOLDER / name).write_bytes(content)
    print(f"{len(new)} files in {FOLDER.name}, {len(stale)} changed")


if __name__ == "__main__":
    main(sys.argv[1:])
