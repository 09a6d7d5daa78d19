"""Lists the files of data sets in stores: those below a folder, or those that a pattern selects, by the rules for local folders."""

import fnmatch
import functools
import urllib.parse

from ._arrow_ipc import _escaped
from ._connections import MAX_CONNECTIONS
from ._remote import parallel, reported
from ._stores import explained, file_system_of, remember_listing, without_secrets

# The endings of the names of Arrow files.
NAME_ENDINGS = (".arrow", ".arrows", ".feather", ".ipc")
# The name, without its ending, of a file that marks a folder as incomplete.
INCOMPLETE = "arrow-ipc-incomplete"


@reported
def files_of(url):
    """The URLs of the files that a URL selects, sorted name by name. A URL with the name of an Arrow file is one, and nothing is asked."""
    scheme, _, rest = url.partition("://")
    if scheme.lower() in ("http", "https"):
        return [url_of_file(url)]
    names = rest.split("/")
    first = next((k for k, name in enumerate(names) if has_wildcard(name)), len(names))
    if first == len(names) and rest.endswith(NAME_ENDINGS):
        return [url]
    folder = f"{scheme}://{'/'.join(names[:first])}".rstrip("/")
    fs, path = file_system_of(folder)
    with explained(url):
        fs.invalidate_cache()
        found = search(fs, path, [name for name in names[first:] if name])
        if not found and first < len(names):
            # A file or a folder may have a name with a `[`.
            folder, path = url.rstrip("/"), file_system_of(url)[1]
            found = search(fs, path, ())
    if not found:
        raise FileNotFoundError(_escaped(f"{without_secrets(url)}: {NOTHING}"))
    if any(parts and parts[-1].partition(".")[0] == INCOMPLETE for parts in found):
        raise OSError(_escaped(f"{without_secrets(url)}: {UNFINISHED}"))
    found.sort(key=lambda parts: [part.encode("utf-8", "surrogatepass") for part in parts])
    files = ["/".join((folder, *parts)) for parts in found]
    remember_listing(files)
    return files


NOTHING = "no Arrow files: their names end in .arrow, .arrows, .feather or .ipc, and do not begin with . or _"
UNFINISHED = (
    "the folder is incomplete: the program that writes its files runs, or was killed; if it no longer runs, remove the content of the "
    "folder, and run it again"
)


def url_of_file(url):
    """Refuses a folder or a pattern at a server of HTTP."""
    path = urllib.parse.urlsplit(url).path
    if not path.endswith("/") and path and "*" not in path:
        return url
    raise ValueError(_escaped(f"{without_secrets(url)}: servers of HTTP list no files: pass a list of the URLs of all files"))


def has_wildcard(name):
    # Two stars in a longer name are no pattern.
    return any(char in "*?[" for char in name) and (name == "**" or "**" not in name)


def is_hidden(name):
    return name.startswith((".", "_"))


def search(fs, path, names):
    """The files below a folder that match patterns for the names on the way, each as a tuple of these names. Without patterns: all files
    with the name of an Arrow file. Lists one level after the other up to a `**`, and from there all files at once."""
    if not names:
        files = fs.find(path)
        return [()] if files == [path] else matching(files, path, ())
    folders, found, depth = [path], [], 0
    for depth, name in enumerate(names):
        if name == "**" or not folders:
            break
        entries = [entry for all in parallel(functools.partial(entries_of, fs), folders, MAX_CONNECTIONS) for entry in all]
        entries = [entry for entry in entries if is_match(entry["name"].rstrip("/").rpartition("/")[2], name)]
        folders = [entry["name"].rstrip("/") for entry in entries if entry["type"] == "directory"]
        if depth == len(names) - 1:
            found = [parts_of(entry["name"], path) for entry in entries if entry["type"] == "file"]
    else:
        depth += 1
    for folder, files in zip(folders, parallel(fs.find, folders, MAX_CONNECTIONS), strict=True):
        found += [(*parts_of(folder, path), *parts) for parts in matching(files, folder, tuple(names[depth:]))]
    return found


def entries_of(fs, folder):
    """The entries of a folder. A pattern may lead to folders that do not exist."""
    try:
        return [entry for entry in fs.ls(folder, detail=True) if entry["name"].rstrip("/") != folder.rstrip("/")]
    except FileNotFoundError:
        return []


def parts_of(file, folder):
    """The names of a path below a folder."""
    below = file.rstrip("/").removeprefix(folder.rstrip("/"))
    return tuple(name for name in below.split("/") if name)


def matching(files, folder, names):
    """The files below a folder that patterns select, each as a tuple of the names below the folder."""
    return [parts for parts in (parts_of(file, folder) for file in files) if parts and is_selected(parts, names)]


def is_selected(parts, names):
    """Whether patterns select a file. Those that end at a folder select all below it that has the name of an Arrow file."""

    @functools.cache
    def is_from(part_idx, name_idx):
        parts_left, names_left = parts[part_idx:], names[name_idx:]
        if not names_left or names_left == ("**",):
            return bool(parts_left) and not any(map(is_hidden, parts_left)) and (bool(names_left) or parts[-1].endswith(NAME_ENDINGS))
        if names_left[0] == "**":
            is_deeper = bool(parts_left) and not is_hidden(parts_left[0]) and is_from(part_idx + 1, name_idx)
            return is_deeper or is_from(part_idx, name_idx + 1)
        if not parts_left or not is_match(parts_left[0], names_left[0]):
            return False
        return len(parts_left) == len(names_left) == 1 or len(parts_left) > 1 and is_from(part_idx + 1, name_idx + 1)

    return is_from(0, 0)


def is_match(name, pattern):
    """Whether a name matches. A hidden one does only if the pattern begins with the same character."""
    return (not is_hidden(name) or pattern.startswith(name[0])) and fnmatch.fnmatchcase(name, pattern)
