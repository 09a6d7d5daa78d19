"""Tensors of the memory of numbers: shared, read-only, and given back; else refused with words."""

import ctypes
import gc
import sys

import arrow_ipc
import numpy as np
import pyarrow as pa
import pytest


def column(array):
    return arrow_ipc.RecordBatch.from_arrow(pa.record_batch({"c": array}))["c"]


TYPES = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16", "float32", "float64"]


@pytest.mark.parametrize("name", TYPES)
def test_numbers(name):
    numbers = np.array([0, 1, 7, 100, 3], name)
    for array in [column(pa.array(numbers)), column(pa.array(numbers))[1:4], column(pa.array(numbers))[5:]]:
        tensor = np.from_dlpack(array)
        assert tensor.dtype == name and tensor.tolist() == array.to_pylist()
        if len(array):
            assert tensor.ctypes.data == np.asarray(array).ctypes.data and not tensor.flags.writeable
        assert array.__dlpack_device__() == (1, 0)


def test_memory_lives_as_long_as_the_tensor(tmp_path):
    arrow_ipc.write_file(tmp_path / "n.arrow", pa.table({"n": np.arange(10_000)}))
    memory = (tmp_path / "n.arrow").read_bytes()
    n_references = sys.getrefcount(memory)
    tensor = np.from_dlpack(arrow_ipc.open(memory)["n"])
    gc.collect()
    assert tensor[-1] == 9_999 and sys.getrefcount(memory) == n_references + 1
    # Capsules that nobody takes, and those that are taken.
    for _ in range(1_000):
        array = arrow_ipc.open(memory)["n"]
        array.__dlpack__(max_version=(1, 0)), np.from_dlpack(array)
    del tensor, array
    gc.collect()
    assert sys.getrefcount(memory) == n_references


def test_a_capsule_is_taken_once():
    class Once:
        def __init__(self, array):
            self.capsule = array.__dlpack__(max_version=(1, 2))

        def __dlpack__(self, **_):
            return self.capsule

        def __dlpack_device__(self):
            return (1, 0)

    once = Once(column(pa.array([1, 2])))
    assert "dltensor_versioned" in repr(once.capsule)
    assert np.from_dlpack(once).tolist() == [1, 2]
    assert "used_dltensor_versioned" in repr(once.capsule)
    with pytest.raises((BufferError, ValueError, RuntimeError)):
        np.from_dlpack(once)
    name = ctypes.pythonapi.PyCapsule_GetName
    name.restype, name.argtypes = ctypes.c_char_p, [ctypes.py_object]
    assert name(once.capsule) == b"used_dltensor_versioned"


def test_what_is_refused():
    numbers = column(pa.array([1, 2]))
    for asked, text in [
        ({}, "before version 1"),
        ({"max_version": (0, 8)}, "before version 1"),
        ({"max_version": (1, 0), "dl_device": (2, 0)}, "belongs to the CPU"),
        ({"max_version": (1, 0), "copy": True}, "copies it"),
    ]:
        with pytest.raises(BufferError, match=text):
            numbers.__dlpack__(**asked)
    for array, text in [
        (pa.array([1, None]), "1 of 2 slots are null"),
        (pa.array(["a"]), "utf8 is not stored as numbers"),
        (pa.array([True]), "bool is not stored as numbers"),
        (pa.array([0], pa.timestamp("s")), "is not stored as numbers"),
        (pa.array([1]).cast(pa.decimal128(25, 1)), "is not stored as numbers"),
    ]:
        with pytest.raises(BufferError, match=text):
            np.from_dlpack(column(array))
