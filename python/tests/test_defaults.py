"""What is written where nothing else is asked for is what the program `arrow-ipc` writes."""

import inspect
import io
import subprocess

import arrow_ipc
import pyarrow as pa
import pytest


@pytest.fixture
def program(request):
    program = request.config.getoption("program")
    if program is None:
        pytest.skip("the program is not built: cargo build -p fletching-arrow-ipc-cli, and --program")
    return program


def words(*batches):
    return [pa.record_batch({"word": pa.array(batch).dictionary_encode(), "id": range(len(batch))}) for batch in batches]


@pytest.fixture
def folder(tmp_path):
    """Inputs: with one dictionary, with one that grows, with one that changes."""
    same, grows, changes = words(["a", "b"], ["a", "b"]), words(["a"], ["a", "b"]), words(["a", "b"], ["c", "a"])
    for name, batches in [("same", same), ("grows", grows), ("changes", changes)]:
        arrow_ipc.write_stream(tmp_path / f"{name}.arrows", batches)
        arrow_ipc.write_stream(tmp_path / f"{name}-zstd.arrows", batches, compression="zstd")
    arrow_ipc.write_file(tmp_path / "same.arrow", same)
    arrow_ipc.write_file(tmp_path / "same-zstd.arrow", same, compression="zstd")
    return tmp_path


INPUTS = ["same.arrow", "same-zstd.arrow", "same.arrows", "grows.arrows", "changes.arrows", "changes-zstd.arrows"]
OUTPUTS = ["out.arrows", "out.arrow", "OUT.ARROWS", "out.feather", "out.ipc"]

# The name of the function here is that of the command there, unless the other one is given.
WRITERS = {
    "convert": ("convert", lambda source, dest: arrow_ipc.convert(source, dest)),
    "recover": ("recover", lambda source, dest: arrow_ipc.recover(source, dest)),
    "concat_files": ("concat", lambda source, dest: arrow_ipc.concat_files([source], dest)),
    "split_file": ("split", lambda source, dest: arrow_ipc.split_file(source, dest)),
}


def run(program, *args):
    """What the program says, if it fails."""
    done = subprocess.run([program, *map(str, args)], capture_output=True, encoding="utf-8", check=False)
    return done.stderr if done.returncode else None


@pytest.mark.parametrize("name", WRITERS)
def test_writers(name, folder, program):
    command, write = WRITERS[name]
    n_written = 0
    for source in INPUTS:
        # The other names say nothing else.
        for output in OUTPUTS if source == INPUTS[0] else OUTPUTS[:2]:
            ours, theirs = folder / "ours" / output, folder / "theirs" / output
            for dest in (ours, theirs):
                dest.parent.mkdir(exist_ok=True)
                dest.unlink(missing_ok=True)
            assert run(program, command, folder / source, theirs) is None
            write(folder / source, ours)
            assert ours.read_bytes() == theirs.read_bytes(), (source, output)
            is_stream = output.lower().endswith(".arrows")
            assert arrow_ipc.inspect(ours)["container"] == ("stream" if is_stream else "file")
            n_written += 1
    assert n_written == 2 * len(INPUTS) + 3


def test_what_is_written_of_batches(folder, program):
    """`write_file`, `write_stream` and `Writer` write what the program makes of the same batches."""

    def in_turn(dest, data):
        with arrow_ipc.Writer(dest, data.schema) as writer:
            writer.write(data)

    for name in ["same", "grows", "changes"]:
        source = folder / f"{name}.arrows"
        for dest, write in [("out.arrow", arrow_ipc.write_file), ("out.arrows", arrow_ipc.write_stream)]:
            assert run(program, "convert", source, "-o", folder / dest) is None
            ours = folder / f"ours-{dest}"
            for write_all in [write, in_turn]:
                ours.unlink(missing_ok=True)
                # The program reads the stream twice, where a file needs one dictionary with the values of all batches.
                if (name, dest) == ("changes", "out.arrow"):
                    with pytest.raises(arrow_ipc.ArrowIpcError) as raised:
                        write_all(ours, arrow_ipc.read_stream(source))
                    assert raised.value.kind == "ReplacedDictionary" and not ours.exists()
                    continue
                write_all(ours, arrow_ipc.read_stream(source))
                if (name, dest) == ("grows", "out.arrow"):
                    # New values at the end are written as a delta.
                    assert arrow_ipc.diff(ours, folder / dest).same
                else:
                    assert ours.read_bytes() == (folder / dest).read_bytes(), (name, dest)
            write(ours, list(arrow_ipc.read_stream(source)))
            assert ours.read_bytes() == (folder / dest).read_bytes(), (name, dest)


@pytest.mark.parametrize("more", INPUTS)
@pytest.mark.parametrize("to", ["same.arrow", "same-zstd.arrow"])
def test_append(to, more, folder, program):
    content = (folder / to).read_bytes()
    ours, theirs = folder / "ours.arrow", folder / "theirs.arrow"
    ours.write_bytes(content)
    theirs.write_bytes(content)
    failed = run(program, "append", theirs, folder / more)
    if failed is None:
        arrow_ipc.append(ours, folder / more)
    else:
        with pytest.raises(arrow_ipc.ArrowIpcError, match="dictionary"):
            arrow_ipc.append(ours, folder / more)
        assert "dictionary" in failed
    assert ours.read_bytes() == theirs.read_bytes()
    assert (failed is None) == more.startswith("same")


def written_in_turn(source, dest):
    data = arrow_ipc.open(source)
    with arrow_ipc.Writer(dest, data.schema) as writer:
        writer.write(data)


BY_NAME = [write for _, write in WRITERS.values()] + [written_in_turn]
UNSAID = "the file extension does not say whether to write a stream or a file"


def test_names_say_what_is_written(folder):
    for write in BY_NAME:
        for output in OUTPUTS:
            write(folder / "same.arrow", folder / output)
            expected = "stream" if output.lower().endswith(".arrows") else "file"
            assert arrow_ipc.inspect(folder / output)["container"] == expected, (write, output)
        for dest in ["out.parquet", "out", "arrow"]:
            with pytest.raises(ValueError, match=f"{UNSAID}: add container='stream' or container='file'"):
                write(folder / "same.arrow", folder / dest)
            assert not (folder / dest).exists()
        with pytest.raises(ValueError, match="a file-like object does not say whether to write a stream or a file"):
            write(folder / "same.arrow", io.BytesIO())
    # What is asked for counts more than the name.
    arrow_ipc.convert(folder / "same.arrow", folder / "out.arrow", container="stream")
    assert arrow_ipc.inspect(folder / "out.arrow")["container"] == "stream"


def test_the_program_asks_for_the_same(folder, program):
    for command, _ in WRITERS.values():
        for dest in ["out.parquet", "out", "arrow"]:
            assert UNSAID in run(program, command, folder / "same.arrow", folder / dest)


def test_arguments_have_one_default():
    """A function that takes one of these arguments has the default that all have."""
    others = {("append", "dictionaries"): "refuse"}
    others |= {("DatasetWriter", "dictionaries"): "unify"}
    n_seen = 0
    for name in arrow_ipc.__all__:
        try:
            parameters = inspect.signature(getattr(arrow_ipc, name)).parameters
        except (TypeError, ValueError):
            continue
        for argument, default in {"container": None, "compression": None, "dictionaries": "replace"}.items():
            if argument in parameters:
                expected = others.get((name, argument), default)
                assert parameters[argument].default == expected, (name, argument)
                n_seen += 1
    assert n_seen >= 18
