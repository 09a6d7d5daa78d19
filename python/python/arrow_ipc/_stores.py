"""Files in stores such as S3, by `fsspec`. It must be installed with the package for the scheme, such as `s3fs` for `s3`."""

import contextlib
import importlib
import math
import time

from ._arrow_ipc import _escaped
from ._connections import MAX_CONNECTIONS
from ._remote import parallel, reported

# The properties that show a change of a file, under the names that file systems of fsspec use.
TAGS = (
    *("ETag", "etag", "md5", "md5Hash", "content_md5", "VersionId", "version_id", "generation"),
    *("LastModified", "last_modified", "mtime", "updated", "created"),
)

# The package for a scheme.
PACKAGES = {
    **dict.fromkeys(("s3", "s3a"), "s3fs"),
    **dict.fromkeys(("gs", "gcs"), "gcsfs"),
    **dict.fromkeys(("az", "abfs", "abfss", "adl"), "adlfs"),
}

# What gives credentials to a package.
CREDENTIALS = {
    "s3fs": "set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE; FSSPEC_S3_ANON=true reads what is public",
    "gcsfs": "set GOOGLE_APPLICATION_CREDENTIALS to a file of keys, or run `gcloud auth application-default login`",
    "adlfs": "set AZURE_STORAGE_ACCOUNT_NAME, and AZURE_STORAGE_ACCOUNT_KEY or AZURE_STORAGE_SAS_TOKEN",
}

# The names of exceptions of these packages that say that credentials are missing or wrong.
DENIALS = {
    *("NoCredentialsError", "PartialCredentialsError", "CredentialRetrievalError", "ProfileNotFound", "TokenRetrievalError"),
    *("DefaultCredentialsError", "RefreshError", "ClientAuthenticationError", "CredentialUnavailableError"),
}


# When URLs were listed. What the listing said of a file is used when it is opened soon, since reading needs the same etag.
listed: dict[str, float] = {}
LISTED_SECONDS = 10


def remember_listing(urls):
    now = time.monotonic()
    for url in [url for url, when in list(listed.items()) if now - when > LISTED_SECONDS]:
        listed.pop(url, None)
    listed.update(dict.fromkeys(urls, now))


def move_file(fs, source, target):
    """Renames a file. What fsspec does for file systems without an own way takes `*`, `?` and `[` in names for patterns."""
    if type(fs).mv is importlib.import_module("fsspec").AbstractFileSystem.mv:
        fs.cp_file(source, target)
        fs.rm_file(source)
    else:
        fs.mv(source, target)


def without_secrets(url):
    """A URL without a password and a query, which may be a signature."""
    scheme, _, rest = url.partition("://")
    host, slash, below = rest.partition("/")
    return f"{scheme}://{host.rpartition('@')[2]}{slash}{below.partition('#')[0]}"


@contextlib.contextmanager
def explained(url):
    """Adds to errors of a store which URL it was, and what to do about missing credentials. All of them become `OSError`."""
    try:
        yield
    except (ImportError, TypeError, NotImplementedError):
        raise
    except Exception as error:
        name, text = without_secrets(url), str(error) or type(error).__name__
        if secret := url.partition("://")[2].partition("/")[0].rpartition("@")[0]:
            text = text.replace(secret, "...")
        if isinstance(error, PermissionError) or type(error).__name__ in DENIALS:
            package = PACKAGES.get(url.partition("://")[0].lower())
            advice = f": {CREDENTIALS[package]}" if package else ""
            raise PermissionError(_escaped(f"{name}: {text}{advice}")) from error
        if isinstance(error, FileNotFoundError) and name not in text:
            raise FileNotFoundError(_escaped(f"{name}: there is no such file, folder or bucket")) from error
        if not isinstance(error, OSError):
            raise OSError(_escaped(f"{name}: {type(error).__name__}: {text}")) from error
        # Other exceptions may take other arguments.
        if name in text or type(error).__module__ != "builtins":
            raise
        raise type(error)(_escaped(f"{name}: {text}")) from error


def file_system_of(url):
    """The fsspec file system of a URL, and the path in this file system."""
    scheme = url.partition("://")[0]
    package = PACKAGES.get(scheme.lower(), "fsspec")
    try:
        fsspec = importlib.import_module("fsspec.core")
    except ImportError as error:
        raise ImportError(_escaped(f"URLs with {scheme} need the package {package}: `pip install {package}`")) from error
    try:
        return fsspec.url_to_fs(url)
    except ImportError as error:
        needed = f"need the package {package}: `pip install {package}`" if package != "fsspec" else f"need another package: {error}"
        raise ImportError(_escaped(f"URLs with {scheme} {needed}")) from error
    except ValueError as error:
        if package == "adlfs":
            raise PermissionError(_escaped(f"{without_secrets(url)}: {error}: {CREDENTIALS[package]}")) from error
        raise


class StoreFile:
    """A file of any fsspec file system."""

    def __init__(self, url):
        self._fs, self._path = file_system_of(url)
        self._url = url
        self.name = without_secrets(url)
        self._pinned = None
        with explained(url):
            self.size, self._tags = self._open()
        if not self._tags:
            raise OSError(_escaped(f"{self.name}: the file system tells nothing by which a change could be noticed"))

    def _open(self):
        """The size and tags of the file. `s3fs` then reads under the condition that the etag has not changed."""
        if type(self._fs).__module__.partition(".")[0] == "s3fs":
            if time.monotonic() - listed.pop(self._url, -math.inf) >= LISTED_SECONDS:
                self._fs.invalidate_cache(self._fs._parent(self._path))
            file = self._fs.open(self._path, "rb", cache_type="none")
            etag, conditions = file.details.get("ETag"), getattr(file, "req_kw", {}) | getattr(file, "read_kw", {})
            if etag and conditions.get("IfMatch") == etag:
                self._pinned = file
                return file.details["size"], {"ETag": etag}
        return self._look()

    def _look(self):
        """The current size and tags of the file."""
        self._fs.invalidate_cache(self._fs._parent(self._path))
        info = self._fs.info(self._path)
        if info.get("type") == "directory" or info.get("size") is None:
            raise IsADirectoryError(_escaped(f"{self.name}: not a file"))
        return info["size"], {tag: info[tag] for tag in TAGS if info.get(tag) is not None}

    def version(self):
        """The tag of this version of the file."""
        return f"{self.size} bytes, {self._tags}"

    @reported
    def fetch(self, ranges, max_requests):
        """The bytes of several ranges, each a pair of start and end. Without conditional requests, the tags are compared after each read."""
        ranges = list(ranges)
        with explained(self._url):
            if self._pinned is not None:
                pieces = parallel(self._fetch_pinned, ranges, min(max_requests, MAX_CONNECTIONS))
            else:
                starts, ends = ([pair[side] for pair in ranges] for side in (0, 1))
                pieces = self._fs.cat_ranges([self._path] * len(ranges), starts, ends, on_error="raise")
            for (start, end), piece in zip(ranges, pieces, strict=True):
                if not isinstance(piece, bytes) or len(piece) != end - start:
                    found = f"{len(piece)} bytes" if isinstance(piece, bytes) else repr(piece)
                    raise OSError(_escaped(f"{self.name}, bytes {start}..{end}: the answer has {found}"))
            if self._pinned is None:
                self._check_unchanged()
        return pieces

    def _fetch_pinned(self, wanted):
        try:
            return self._pinned._fetch_range(*wanted)
        except OSError as error:
            if type(error).__name__ == "FileExpired":
                raise OSError(_escaped(f"{self.name}: changed while being read: its etag is no longer {self._tags['ETag']}")) from error
            raise

    def _check_unchanged(self):
        before, now = (self.size, self._tags), self._look()
        if now != before:
            raise OSError(_escaped(f"{self.name}: changed while being read: size and tags were {before}, and are {now} now"))
