"""Converts arrays to NumPy arrays. NumPy is imported when it is used."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ._arrow_ipc import _escaped

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ._arrow_ipc import Array

_EXACT = 2**53


def to_numpy(array: Array, zero_copy_only: bool) -> NDArray[Any]:
    if zero_copy_only:
        return _shared(array)
    import numpy

    if array.type.startswith(("dictionary<", "run_end_encoded<")):
        # A null may be in the values of a dictionary or of runs.
        array = array._decoded()
    if array.type == "bool" and not array.null_count:
        return numpy.array(array.to_pylist(), dtype=bool)
    if array._dtype is None or (array._dtype == "?" and array.null_count):
        # The length of a list is limited; the number of slots of nulls and runs is not.
        return numpy.fromiter(array.to_pylist(), dtype=object, count=len(array))
    numbers = _copied(array)
    if not array.null_count:
        return numbers
    valid = numpy.frombuffer(array._valid(), dtype=bool)
    if numbers.dtype.kind in "iu":
        if numbers.itemsize == 8 and not _fit(numbers[valid]):
            raise ValueError(
                _escaped(f"values of {array.type} beside nulls do not fit float64, which has NaN: `to_pylist()` gives them as they are")
            )
        numbers = numbers.astype("f8")
    null = numpy.array("NaT" if numbers.dtype.kind in "mM" else "nan").astype(numbers.dtype)
    return numpy.where(valid, numbers, null)


def as_array(array: Array, dtype: Any, copy: bool | None) -> NDArray[Any]:
    import numpy

    found = to_numpy(array, zero_copy_only=copy is False)
    if dtype is not None and found.dtype != numpy.dtype(dtype):
        if copy is False:
            raise ValueError(_escaped(f"an array of {array.type} is no array of {numpy.dtype(dtype)} without a copy"))
        return found.astype(dtype)
    return found.copy() if copy and not found.flags.owndata else found


def _fit(numbers: NDArray[Any]) -> bool:
    return not len(numbers) or (int(numbers.max()) <= _EXACT and int(numbers.min()) >= -_EXACT)


def _shared(array: Array) -> NDArray[Any]:
    """A NumPy array that shares the memory of the array."""
    import numpy

    # Raises the error that says why the memory cannot be shared.
    view = memoryview(array._numbers(False))
    dtype = numpy.dtype(array._dtype)
    if dtype.itemsize != view.itemsize:
        raise ValueError(_escaped(f"{array.type} needs a copy to become {dtype}: `to_numpy(zero_copy_only=False)` copies"))
    if dtype.kind == "b" and not _are_bools(view):
        raise ValueError(_escaped(f"values other than 0 and 1 need a copy to become {dtype}: `to_numpy(zero_copy_only=False)` copies"))
    return _of_view(view, dtype)


def _copied(array: Array) -> NDArray[Any]:
    """The numbers of all slots. The result shares the memory of the array if NumPy uses numbers of the same width."""
    import numpy

    view = memoryview(array._numbers(True))
    dtype = numpy.dtype(array._dtype)
    if dtype.kind == "b" and not _are_bools(view):
        return _of_view(view, numpy.dtype("i1")).astype(dtype)
    if dtype.itemsize == view.itemsize:
        return _of_view(view, dtype)
    return _of_view(view, numpy.dtype(f"i{view.itemsize}")).astype("i8").view(dtype)


def _are_bools(view: memoryview) -> bool:
    """Whether all bytes are 0 or 1, as NumPy requires for `bool`."""
    return not len(view) or int(_of_view(view, "u1").max()) <= 1


def _of_view(view: memoryview, dtype: Any) -> NDArray[Any]:
    import numpy

    return numpy.frombuffer(view, dtype=dtype) if len(view) else numpy.empty(0, dtype=dtype)
