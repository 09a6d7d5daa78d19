//! Names of inputs and outputs on the command line.

use std::{
    ffi::OsString,
    fmt,
    fs::{self, File},
    io::{self, Seek},
    path::{Path, PathBuf},
};

use arrow_ipc::{FileReader, file::UnreferencedKind};
use arrow_ipc_tools::{
    Input, InputContext, InputSet, RowQuery, ToolError, ToolErrorKind, compressed::CompressedDamage,
};

use crate::{context::Context, terminal::progress::ProgressReader};

/// The URL schemes that can be read.
const SCHEMES: [&str; 3] = ["http", "https", "s3"];

/// An input in the arguments: a path, a URL, or `-` for standard input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum InputArg {
    Stdin,
    Path(PathBuf),
    Url(String),
}

/// Where a second file begins inside a file, as of `cat a.arrow b.arrow`.
pub(crate) fn second_file_at(path: &Path) -> Option<u64> {
    let found = FileReader::open(path).and_then(|file| file.unreferenced_bytes()).ok()??;
    (found.kind == UnreferencedKind::SecondFile).then_some(found.range.start)
}

/// An output in the arguments: a path, or `-` for standard output.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum OutputName {
    Stdout,
    Path(PathBuf),
}

impl OutputName {
    /// Whether it is a file that is there and not empty.
    pub(crate) fn has_data(&self) -> bool {
        let file = self.path().and_then(|path| fs::metadata(path).ok());
        file.is_some_and(|file| file.is_file() && file.len() > 0)
    }

    /// Whether the output is written beside its path and then renamed, so that it can be restarted.
    pub(crate) fn is_pending(&self) -> bool {
        self.path().is_some_and(|path| fs::metadata(path).map_or(true, |metadata| metadata.is_file()))
    }

    /// The path of the output; `None` for standard output.
    pub(crate) fn path(&self) -> Option<&Path> {
        match self {
            OutputName::Stdout => None,
            OutputName::Path(path) => Some(path),
        }
    }

    /// Whether the path is that of a descriptor that is open, which is a file: `/dev/fd/3`. The file would be replaced, instead of
    /// written to where the descriptor stands.
    pub(crate) fn is_open_file(&self) -> bool {
        let is_descriptor = |path: &Path| {
            let folder = path.parent().unwrap_or(Path::new(""));
            let is_of_process = folder.starts_with("/proc") && folder.ends_with("fd");
            is_of_process
                || folder == Path::new("/dev/fd")
                || ["/dev/stdin", "/dev/stderr"].iter().any(|known| path == Path::new(known))
        };
        self.path().is_some_and(|path| is_descriptor(path) && path.is_file())
    }

    /// Whether the output is a URL, which cannot be written.
    pub(crate) fn is_url(&self) -> bool {
        self.path().and_then(Path::to_str).is_some_and(begins_as_url)
    }

    /// Whether the name has the extension of a codec.
    pub(crate) fn is_packed(&self) -> bool {
        let extension = self.path().and_then(Path::extension).unwrap_or_default();
        ["gz", "zst", "lz4", "xz", "bz2"].iter().any(|packed| extension.eq_ignore_ascii_case(packed))
    }
}

impl InputArg {
    /// Opens the input and detects its container. Decompresses it first if it is compressed as a whole with gzip,
    /// Zstandard or LZ4. A data set is read like a stream.
    ///
    /// # Errors
    /// If the input cannot be opened or read, or is neither a stream nor a file.
    pub(crate) fn open(&self, context: &Context) -> Result<Input, ToolError> {
        self.open_for(context, &RowQuery::new())
    }

    /// Like [`open`](InputArg::open), but reads only those files and columns of a data set that the query needs.
    ///
    /// # Errors
    /// The errors of [`open`](InputArg::open). If the query does not fit the columns of a data set.
    pub(crate) fn open_for(&self, context: &Context, query: &RowQuery) -> Result<Input, ToolError> {
        let opened = match self {
            InputArg::Stdin => match self.open_redirected(context) {
                Some(input) => Ok(input),
                None => {
                    Input::try_from_compressed_reader(self.into(), ProgressReader::new(context, io::stdin()))
                }
            },
            InputArg::Path(path) => match self.open_set(context, query) {
                Some(set) => set?.into_input(),
                None => Input::open_compressed(path),
            },
            InputArg::Url(url) => {
                let is_known = scheme_of(url)
                    .is_some_and(|found| SCHEMES.iter().any(|scheme| found.eq_ignore_ascii_case(scheme)));
                let why = match context.open_url() {
                    Some(open_url) if is_known => {
                        return Ok(open_url(url, self.into())?.with_limits(context.limits()));
                    }
                    Some(_) => "only URLs of http, https and s3 can be read",
                    None => NO_URLS,
                };
                let error = io::Error::new(io::ErrorKind::Unsupported, why);
                Err(ToolError::new(self, ToolErrorKind::Read(error)))
            }
        };
        Ok(opened?.with_limits(context.limits()))
    }

    /// Opens standard input by position, if it is redirected from a file of uncompressed Arrow data; otherwise `None`.
    pub(crate) fn open_redirected(&self, context: &Context) -> Option<Input> {
        let file = if matches!(self, InputArg::Stdin) {
            context.stdin_by_position(redirected)?
        } else {
            return None;
        };
        let input = Input::try_new(self, file.try_clone().ok()?).ok()?;
        Some(input.with_limits(context.limits()))
    }

    /// Opens a data set for a query; `None` if this is not the name of a data set.
    ///
    /// # Errors
    /// If a file cannot be read, the schemas of the files differ, or the query does not fit the columns.
    pub(crate) fn open_set(
        &self,
        context: &Context,
        query: &RowQuery,
    ) -> Option<Result<InputSet, ToolError>> {
        InputSet::open(self.path()?, query, &context.limits())
    }

    /// The files of a data set. If this is not the name of a data set, or its files cannot be listed, the only item is
    /// this name.
    pub(crate) fn files(&self) -> Vec<InputArg> {
        match self.path().and_then(InputSet::files_of) {
            Some(Ok(files)) => files.into_iter().map(InputArg::Path).collect(),
            Some(Err(_)) | None => vec![self.clone()],
        }
    }

    /// The path of a file or pipe; `None` for standard input and for a URL.
    pub(crate) fn path(&self) -> Option<&Path> {
        match self {
            InputArg::Path(path) => Some(path),
            InputArg::Stdin | InputArg::Url(_) => None,
        }
    }

    /// Whether the input is a data set: a folder or a pattern.
    pub(crate) fn is_set(&self) -> bool {
        self.path().is_some_and(InputSet::is_named)
    }

    /// Whether the input is a regular file, which can be opened twice.
    pub(crate) fn is_file(&self) -> bool {
        matches!(self, InputArg::Path(path) if path.is_file())
    }

    /// Checks that a path of which nothing is read is there.
    ///
    /// # Errors
    /// If it is neither a file nor a folder, and no pattern.
    pub(crate) fn check_exists(&self) -> Result<(), ToolError> {
        match self.path() {
            Some(path) if !self.is_set() => fs::metadata(path).map(drop).in_input(self),
            _ => Ok(()),
        }
    }

    /// Opens an input that may begin with any bytes. If compressed data is damaged, the input ends at the damage.
    ///
    /// # Errors
    /// If the input cannot be opened or read. If the input at a URL is neither a stream nor a file.
    pub(crate) fn open_damaged(&self, context: &Context) -> Result<(Input, CompressedDamage), ToolError> {
        let (input, damage) = match self {
            InputArg::Stdin => Input::try_from_damaged_compressed_reader(
                self.into(),
                ProgressReader::new(context, io::stdin()),
            )?,
            InputArg::Path(path) => Input::open_damaged_compressed(path)?,
            InputArg::Url(_) => (self.open(context)?, CompressedDamage::default()),
        };
        Ok((input.with_limits(context.limits()), damage))
    }
}

/// Standard input, if it is a file of Arrow data that is read from its start. This is decided before the first byte is
/// read.
fn redirected() -> Option<File> {
    let mut file = stdin_handle().ok()?;
    let is_at_start = file.metadata().ok()?.is_file() && file.stream_position().ok()? == 0;
    let is_arrow = is_at_start && Input::try_new(&InputArg::Stdin, file.try_clone().ok()?).is_ok();
    if is_at_start && !is_arrow {
        // On Windows, reading by position moves the position from which standard input is read.
        file.rewind().ok()?;
    }
    is_arrow.then_some(file)
}

#[cfg(unix)]
pub(crate) fn stdin_handle() -> io::Result<File> {
    use std::os::fd::AsFd;
    io::stdin().as_fd().try_clone_to_owned().map(File::from)
}

#[cfg(windows)]
pub(crate) fn stdin_handle() -> io::Result<File> {
    use std::os::windows::io::AsHandle;
    io::stdin().as_handle().try_clone_to_owned().map(File::from)
}

#[cfg(not(any(unix, windows)))]
pub(crate) fn stdin_handle() -> io::Result<File> {
    Err(io::ErrorKind::Unsupported.into())
}

/// Standard output as a file. The handle of the standard library searches all bytes for line breaks, which takes time.
#[cfg(unix)]
pub(crate) fn stdout_handle() -> io::Result<File> {
    use std::os::fd::AsFd;
    crate::terminal::stdout::check_open()?;
    Ok(io::stdout().as_fd().try_clone_to_owned()?.into())
}

#[cfg(windows)]
pub(crate) fn stdout_handle() -> io::Result<File> {
    use std::os::windows::io::AsHandle;
    Ok(io::stdout().as_handle().try_clone_to_owned()?.into())
}

#[cfg(not(any(unix, windows)))]
pub(crate) fn stdout_handle() -> io::Result<File> {
    Err(io::ErrorKind::Unsupported.into())
}

const NO_URLS: &str = "URLs are not supported by this program: it is built without `--features remote`; the one that comes with the Python package reads them";

impl From<&InputArg> for arrow_ipc_tools::InputName {
    fn from(name: &InputArg) -> arrow_ipc_tools::InputName {
        match name {
            InputArg::Stdin => name.to_string().into(),
            InputArg::Path(path) => path.as_path().into(),
            // The URL is converted to a path, because hints write paths as arguments of commands.
            InputArg::Url(_) => PathBuf::from(name.to_string()).into(),
        }
    }
}

pub(crate) fn is_url(name: &arrow_ipc_tools::InputName) -> bool {
    let arrow_ipc_tools::InputName::Path(path) = name else { return false };
    path.to_str().is_some_and(begins_as_url)
}

/// Whether a text is a URL of any scheme. A file whose path looks like a URL must be written as `./http://…`.
fn begins_as_url(text: &str) -> bool {
    scheme_of(text).is_some()
}

fn scheme_of(text: &str) -> Option<&str> {
    let (scheme, _) = text.split_once("://")?;
    let is_scheme = scheme.starts_with(|first: char| first.is_ascii_alphabetic())
        && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte));
    is_scheme.then_some(scheme)
}

impl From<OsString> for InputArg {
    fn from(name: OsString) -> InputArg {
        match name.to_str() {
            Some("-") => InputArg::Stdin,
            Some(text) if begins_as_url(text) => InputArg::Url(text.to_owned()),
            _ => InputArg::Path(PathBuf::from(name)),
        }
    }
}

impl From<OsString> for OutputName {
    fn from(name: OsString) -> OutputName {
        // A file behind these names would be replaced, also if it was opened by `>>`.
        const STDOUT: [&str; 4] = ["-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"];
        let is_stdout = STDOUT.iter().any(|known| name == *known);
        if is_stdout { OutputName::Stdout } else { OutputName::Path(PathBuf::from(name)) }
    }
}

impl fmt::Display for InputArg {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            InputArg::Stdin => f.write_str("standard input"),
            InputArg::Path(path) => fmt::Display::fmt(&path.display(), f),
            InputArg::Url(url) => f.write_str(&without_secrets(url)),
        }
    }
}

/// A URL without its password and its query, which may be a signature.
pub(crate) fn without_secrets(url: &str) -> String {
    let url = url.split(['?', '#']).next().unwrap_or_default();
    let Some((scheme, rest)) = url.split_once("://") else { return url.to_owned() };
    let (host, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
    let host = host.rsplit_once('@').map_or(host, |(_, host)| host);
    format!("{scheme}://{host}{path}")
}

impl fmt::Display for OutputName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OutputName::Stdout => f.write_str("standard output"),
            OutputName::Path(path) => fmt::Display::fmt(&path.display(), f),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn urls_differ_from_paths_and_are_shown_without_secrets() {
        let cases = [
            (
                "https://ada:secret@example.org/a/b.arrow?X-Amz-Signature=1#x",
                Some("https://example.org/a/b.arrow"),
            ),
            ("http://localhost:80", Some("http://localhost:80")),
            ("s3://bucket/a@b.arrow", Some("s3://bucket/a@b.arrow")),
            ("./http://a", None),
            ("HTTP://a", Some("HTTP://a")),
            ("ftp://ada:secret@a/b", Some("ftp://a/b")),
            ("a b://c", None),
            ("://c", None),
            ("http:", None),
        ];
        for (text, shown) in cases {
            let name = InputArg::from(OsString::from(text));
            assert_eq!(matches!(name, InputArg::Url(_)), shown.is_some(), "{text}");
            assert_eq!(name.to_string(), shown.unwrap_or(text));
        }
    }
}
