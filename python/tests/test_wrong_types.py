"""Every function, and every method of every class, with arguments of wrong types: an exception, or an answer; no panic, no crash."""

import itertools
import random

import arrow_ipc
import pyarrow as pa
import pytest

WRONG = [
    None, True, 0, -1, 3, 2**31, 2**63, 2**70, 1.5, float("nan"), "", "nothing", "id", "\ud800", b"", b"bytes", object(), [], [None], ["id"],
    [2**70], {}, {"a": 1}, (), (1, 2), (2, 1), ("a", "b", "c"), slice("a", "b"), slice(2**70, None, -1), slice(None, None, 0), range(3, 0, -1), int,
    len, iter([]), NotImplemented, Ellipsis, memoryview(b"abc"), bytearray(3),
]  # fmt: skip
# What would end the object for all that follow, and what classes have of `object`.
LEFT_OUT = {"__class__", "__new__", "__init_subclass__", "__subclasshook__", "__del__", "__init__", "close", "__exit__", "__delattr__", "__setattr__"}


def objects(people, tmp_path):
    """An object of each class, again and again."""
    file = arrow_ipc.open(people)
    yield file
    yield file.batch(0)
    yield from file.batch(0).columns
    yield file.schema
    yield file.schema["id"]
    yield iter(file)
    yield arrow_ipc.Stream.from_arrow(file)
    yield arrow_ipc.Writer(tmp_path / "written.arrow", file.schema)
    yield arrow_ipc.Location()
    (tmp_path / "some.arrow").write_bytes(people)
    some = arrow_ipc.dataset(tmp_path / "some.arrow")
    yield some
    yield some.split()[0]
    writer = arrow_ipc.DatasetWriter(tmp_path / "parts", file.schema)
    # A writer that has committed, as it does below, writes no more.
    yield writer.write(file)
    yield writer


def attempt(call, args, named=None):
    """Whether it gives an answer."""
    try:
        call(*args, **(named or {}))
    except Exception:
        return False
    # What is no `Exception` is a panic, and ends the test.
    return True


@pytest.fixture
def elsewhere(tmp_path, monkeypatch):
    """Text is a path for some."""
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    monkeypatch.chdir(folder)


@pytest.mark.filterwarnings("ignore")
def test_methods(people, tmp_path, elsewhere):
    classes, n_calls, n_refused = set(), 0, 0
    for thing in objects(people, tmp_path):
        classes.add(type(thing))
        random_ = random.Random(type(thing).__name__)
        for name in sorted(set(dir(type(thing))) - LEFT_OUT):
            try:
                call = getattr(thing, name)
            except Exception:
                continue
            if not callable(call):
                continue
            pairs = [random_.sample(WRONG, 2) for _ in range(12)]
            triples = [random_.sample(WRONG, 3) for _ in range(6)]
            for args in itertools.chain([()], ((value,) for value in WRONG), pairs, triples):
                n_calls += 1
                n_refused += not attempt(call, args)
            assert not attempt(call, (), {"nothing_of_this_name": 1}) or name.startswith("__"), name
    public = {value for value in map(vars(arrow_ipc).get, arrow_ipc.__all__) if isinstance(value, type)}
    reports = {kind for kind in public if issubclass(kind, arrow_ipc.Report)}
    assert public - classes - reports <= {arrow_ipc.ArrowIpcError, arrow_ipc.MonthDayNano, arrow_ipc.UnsupportedError}
    assert n_calls > 5_000 and n_refused > n_calls / 2


@pytest.mark.filterwarnings("ignore")
def test_functions(elsewhere):
    functions = [getattr(arrow_ipc, name) for name in arrow_ipc.__all__]
    functions += [arrow_ipc._arrow_ipc._unpickled, arrow_ipc._arrow_ipc._opened_again, arrow_ipc._arrow_ipc._task]
    functions += [arrow_ipc._arrow_ipc._dataset_writer, arrow_ipc._arrow_ipc._part]
    random_ = random.Random(7)
    for function in functions:
        if isinstance(function, str):
            continue
        for value in WRONG:
            attempt(function, (value,))
        for _ in range(40):
            attempt(function, random_.sample(WRONG, random_.randrange(2, 5)))


@pytest.mark.filterwarnings("ignore:an arrow_ipc.Writer was not closed")
def test_operators(people, tmp_path):
    """What operators do with objects that they do not know."""
    for thing in objects(people, tmp_path):
        for value in WRONG:
            if isinstance(thing, arrow_ipc.Array) and isinstance(value, (str, bytes, int, float)):
                with pytest.raises(TypeError, match="are not compared"):
                    thing == value  # noqa: B015
            else:
                assert (thing == value) is False and (thing != value) is True
            for work in (lambda thing=thing, value=value: thing[value], lambda thing=thing, value=value: value in thing):
                attempt(work, ())
            for work in (lambda thing=thing, value=value: thing < value, lambda thing=thing, value=value: thing + value):
                # A `bytearray` compares itself with all that lends its memory.
                assert isinstance(value, bytearray) or not attempt(work, ()), (thing, value)


class Lying:
    """Objects that lie about their capsules."""

    def __init__(self, given):
        self.given = given

    def __arrow_c_schema__(self):
        return self.given

    def __arrow_c_array__(self, requested_schema=None):
        return self.given

    def __arrow_c_stream__(self, requested_schema=None):
        return self.given


def test_capsules_that_lie():
    batch = arrow_ipc.RecordBatch.from_arrow(pa.record_batch({"a": [1]}))
    schema, array = batch.__arrow_c_array__()
    for given in [*WRONG, schema, array, (array, schema), (schema, schema), (schema,), (schema, array, array)]:
        for take in (arrow_ipc.RecordBatch.from_arrow, arrow_ipc.Stream.from_arrow, arrow_ipc.Schema.from_arrow, arrow_ipc.concat):
            attempt(take, (Lying(given),))
