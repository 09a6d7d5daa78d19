"""Writes data sets to stores. Parts are in a hidden folder until one process commits them. It copies them to the folder of the data set, which
has a mark of incomplete folders meanwhile, since stores rename no folder."""

import contextlib
import os
import secrets

from ._arrow_ipc import _escaped
from ._connections import MAX_CONNECTIONS
from ._listing import INCOMPLETE, UNFINISHED, is_hidden, parts_of
from ._remote import parallel, reported
from ._store_writer import has_uploads
from ._stores import explained, file_system_of, move_file, without_secrets

# The file in the hidden folder that is there until the commit.
OPEN = "_open"


@reported
def create(url):
    """Begins a data set. Returns the URLs of its folder and of the hidden folder for parts; `None` if the folder has files."""
    root = url.rstrip("/")
    if url.partition("://")[0].lower() in ("http", "https"):
        raise ValueError(_escaped(f"{without_secrets(url)}: servers of HTTP are not written to, but stores such as s3://bucket/folder/"))
    above, _, name = root.rpartition("/")
    if not name or above.endswith(":/"):
        raise ValueError(_escaped(f"{without_secrets(url)}: a data set needs a folder in the bucket, such as {without_secrets(root)}/sales"))
    staging = f"{above}/.{name}.{secrets.token_hex(8)}.unfinished"
    fs, path = file_system_of(root)
    with explained(url):
        if not is_free(fs, path):
            return None
        _, hidden = file_system_of(staging)
        make_folder(fs, hidden)
        fs.pipe_file(f"{hidden}/{OPEN}", b"")
    return root, staging


def is_free(fs, path):
    fs.invalidate_cache()
    try:
        return not fs.find(path)
    except FileNotFoundError:
        # This is also said of a bucket that does not exist, which writing will say.
        return True


def make_folder(fs, path):
    """Where folders are only parts of names, none is made, and no bucket either."""
    if not has_uploads(fs):
        fs.makedirs(path, exist_ok=True)


def is_open(fs, hidden):
    fs.invalidate_cache()
    return fs.exists(f"{hidden}/{OPEN}")


@reported
def put(staging, local, path):
    """Copies a local file to the hidden folder. Returns whether the data set was still open."""
    fs, hidden = file_system_of(staging)
    with explained(staging):
        if not is_open(fs, hidden):
            return False
        part = f"{hidden}/{path}"
        make_folder(fs, fs._parent(part))
        fs.put_file(os.fspath(local), part)
        if is_open(fs, hidden):
            return True
        fs.rm_file(part)
        return False


@reported
def commit(root, staging, parts):
    """Publishes parts, each a pair of its path and its length. Returns `None`, or what is wrong: a word and a path."""
    fs, hidden = file_system_of(staging)
    _, folder = file_system_of(root)
    with explained(root):
        if not is_open(fs, hidden):
            return "committed", ""
        lengths = {"/".join(parts_of(file, hidden)): found["size"] for file, found in fs.find(hidden, detail=True).items()}
        for path, n_bytes in parts:
            if lengths.get(path) != n_bytes or any(is_hidden(name) for name in path.split("/")):
                return "missing", path
        if not is_free(fs, folder):
            return "not empty", ""
        mark = f"{folder}/{INCOMPLETE}.arrow"
        make_folder(fs, folder)
        try:
            fs.pipe_file(mark, UNFINISHED.encode(), mode="create")
        except FileExistsError:
            return "not empty", ""
        publish(fs, [(f"{hidden}/{path}", target_of(folder, path, k)) for k, (path, _) in enumerate(parts)], mark)
    abort(staging)
    return None


def target_of(folder, path, part_idx):
    below = path.rpartition("/")[0]
    return "/".join(name for name in (folder, below, f"part-{part_idx:08}.arrow") if name)


def publish(fs, moves, mark):
    """Gives the parts their names. After an error, they are in the hidden folder as before. The mark goes last."""
    is_copied = has_uploads(fs)
    moved = []

    def move(pair):
        source, target = pair
        make_folder(fs, fs._parent(target))
        moved.append(pair)
        fs.cp_file(source, target) if is_copied else move_file(fs, source, target)

    try:
        parallel(move, moves, MAX_CONNECTIONS)
    except BaseException:
        for source, target in moved:
            # The error that is raised is the first.
            with contextlib.suppress(Exception):
                fs.rm_file(target) if is_copied else move_file(fs, target, source)
        with contextlib.suppress(Exception):
            fs.rm_file(mark)
        raise
    fs.rm_file(mark)


def abort(staging):
    """Removes the hidden folder, and ignores errors."""
    with contextlib.suppress(Exception):
        fs, hidden = file_system_of(staging)
        fs.invalidate_cache()
        # First, so that no task goes on.
        fs.rm_file(f"{hidden}/{OPEN}")
        fs.invalidate_cache()
        fs.rm(hidden, recursive=True)
