"""What is installed says for which Pythons it is: for all from 3.11 on, and not for those without the interpreter's lock."""

import importlib.metadata
import sys

import arrow_ipc
import pytest

tags = pytest.importorskip("packaging.tags")
FREE_THREADED = hasattr(sys, "abiflags") and "t" in sys.abiflags


def installed():
    wheel = importlib.metadata.distribution("arrow-ipc").read_text("WHEEL") or ""
    (tag,) = [line.removeprefix("Tag: ") for line in wheel.splitlines() if line.startswith("Tag: ")]
    return tags.parse_tag(tag)


def taken_by(version, abi):
    """Whether a Python takes the wheel."""
    platforms = {tag.platform for tag in installed()}
    return not installed().isdisjoint(tags.cpython_tags(version, [abi], platforms))


@pytest.mark.skipif(FREE_THREADED, reason="a wheel for this Python alone")
def test_wheel():
    for version in [(3, 11), (3, 12), (3, 13), (3, 14), (3, 15)]:
        assert taken_by(version, f"cp{version[0]}{version[1]}"), version
    for version, abi in [((3, 10), "cp310"), ((3, 13), "cp313t"), ((3, 14), "cp314t")]:
        assert not taken_by(version, abi), abi


@pytest.mark.skipif(not FREE_THREADED, reason="this Python has the interpreter's lock")
def test_without_the_lock():
    """The module does not switch it on."""
    assert arrow_ipc.open is not None and not sys._is_gil_enabled()
