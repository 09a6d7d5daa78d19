//! Outputs: standard output, or a file that gets its final name when it is complete.

pub(crate) mod destination;

use std::{
    fmt,
    fs::{self, File},
    io::{self, BufWriter, IoSlice, IsTerminal, Stdout, StdoutLock, Write},
    path::Path,
};

use arrow_ipc::AtomicFile;
use arrow_text::format::EscapedJson;

use crate::{
    exit::Failure,
    interrupt::removed_when_interrupted,
    names::{OutputName, stdout_handle},
    output::destination::Destination,
    terminal::{EscapedText, is_stdout_terminal, stdout::OpenStdout},
};

/// Buffered standard output, which the caller must flush.
pub(crate) fn buffered_stdout() -> BufWriter<OpenStdout<StdoutLock<'static>>> {
    BufWriter::with_capacity(64 << 10, OpenStdout::new(io::stdout().lock()))
}

/// Writes a text to standard output, and flushes.
///
/// # Errors
/// If standard output cannot be written.
pub(crate) fn print(text: impl fmt::Display) -> Result<(), Failure> {
    let mut out = buffered_stdout();
    write!(out, "{text}").and_then(|()| out.flush()).map_err(not_written)
}

pub(crate) fn not_written(error: io::Error) -> Failure {
    Failure::Write { name: OutputName::Stdout, error }
}

/// Writes the text of values to standard output. On a terminal, escapes control characters.
pub(crate) struct TextOutput<W> {
    out: W,
    target: TextTarget,
    /// The first bytes of a character whose other bytes have not been written yet.
    incomplete: Vec<u8>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum TextTarget {
    Terminal(Escapes),
    Program,
}

/// How characters that control a terminal are escaped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Escapes {
    /// As in JSON strings.
    Json,
    /// As `\u{9b}`.
    Text,
    /// Not at all, because the text was escaped before colours were added.
    Before,
}

/// Standard output for the text of values. The caller must flush it.
pub(crate) fn text_stdout(escapes: Escapes) -> TextOutput<BufWriter<OpenStdout<Stdout>>> {
    let target = if is_stdout_terminal() { TextTarget::Terminal(escapes) } else { TextTarget::Program };
    // A lock of standard output cannot be sent to another thread, so it is not locked.
    let out = BufWriter::with_capacity(64 << 10, OpenStdout::new(io::stdout()));
    TextOutput { out, target, incomplete: Vec::new() }
}

impl<W: Write> Write for TextOutput<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let escapes = match self.target {
            TextTarget::Program | TextTarget::Terminal(Escapes::Before) => return self.out.write(bytes),
            TextTarget::Terminal(escapes) => escapes,
        };
        self.incomplete.extend_from_slice(bytes);
        let n_complete = match std::str::from_utf8(&self.incomplete) {
            Err(error) if error.error_len().is_none() => error.valid_up_to(),
            _ => self.incomplete.len(),
        };
        let rest = self.incomplete.split_off(n_complete);
        let text = std::mem::replace(&mut self.incomplete, rest);
        let text = String::from_utf8_lossy(&text);
        match escapes {
            Escapes::Json => write!(self.out, "{}", EscapedJson(&text))?,
            Escapes::Text | Escapes::Before => write!(self.out, "{}", EscapedText(&text, &['\n', '\t']))?,
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// Counts the written bytes, and fails when there are more than the limit.
pub(crate) struct LimitedWriter<'a> {
    out: Box<dyn Write + Send + 'a>,
    n_written: u64,
    n_allowed: u64,
}

impl<'a> LimitedWriter<'a> {
    pub(crate) fn new(out: impl Write + Send + 'a) -> LimitedWriter<'a> {
        LimitedWriter { out: Box::new(out), n_written: 0, n_allowed: 0 }
    }

    /// Sets the limit for all written bytes.
    pub(crate) fn allow(&mut self, n_bytes: u64) {
        self.n_allowed = n_bytes;
    }

    pub(crate) fn n_allowed(&self) -> u64 {
        self.n_allowed
    }

    /// Whether the limit was exceeded.
    pub(crate) fn is_exceeded(&self) -> bool {
        self.n_written > self.n_allowed
    }
}

impl Write for LimitedWriter<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.n_written = self.n_written.saturating_add(bytes.len() as u64);
        if self.is_exceeded() {
            return Err(io::Error::other("more text than the input may have"));
        }
        self.out.write_all(bytes)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// The output of a conversion. Dropping a file without [`keep`](Output::keep) removes it.
#[derive(Debug)]
pub(crate) enum Output {
    /// Standard output, or a pipe or device. Readers see bytes as soon as they are written.
    Direct(File),
    /// A file with a temporary name, in the same folder as its final name. It has the permissions of the file that it
    /// will replace.
    Pending(AtomicFile),
}

impl Output {
    /// Opens an output.
    ///
    /// # Errors
    /// If the output cannot be opened or created, or is a terminal, which cannot show binary data.
    pub(crate) fn create(name: &Destination) -> Result<Output, Failure> {
        let name: &OutputName = name;
        let create = || match name {
            OutputName::Stdout => stdout_handle().map(Output::Direct),
            OutputName::Path(path) => create_path(path),
        };
        match create() {
            Ok(Output::Direct(file)) if file.is_terminal() => Err(Failure::Terminal { name: name.clone() }),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Err(not_found(name, error)),
            created => created.map_err(|error| Failure::Write { name: name.clone(), error }),
        }
    }

    /// Writes a whole output.
    ///
    /// # Errors
    /// The errors of [`create`](Output::create) and [`keep`](Output::keep). If the bytes cannot be written.
    pub(crate) fn write_whole(name: &Destination, bytes: &[u8]) -> Result<(), Failure> {
        let mut output = Output::create(name)?;
        let failed = |error| Failure::Write { name: OutputName::clone(name), error };
        output.write_all(bytes).map_err(failed)?;
        output.keep(name)
    }

    /// Gives a complete file its final name.
    ///
    /// # Errors
    /// If the bytes cannot be stored, or the file cannot be renamed.
    pub(crate) fn keep(self, name: &OutputName) -> Result<(), Failure> {
        let keep = || match self {
            Output::Direct(mut file) => file.flush(),
            Output::Pending(mut file) => file.commit(),
        };
        keep().map_err(|error| Failure::Write { name: name.clone(), error })
    }
}

/// The failure if an output cannot be created because its folder does not exist.
fn not_found(name: &OutputName, error: io::Error) -> Failure {
    let folder = name.path().and_then(Path::parent).filter(|folder| !folder.as_os_str().is_empty());
    match folder.filter(|folder| !folder.exists()) {
        Some(folder) => Failure::MissingFolder { name: name.clone(), folder: folder.to_owned() },
        None => Failure::Write { name: name.clone(), error },
    }
}

fn create_path(path: &Path) -> io::Result<Output> {
    match fs::metadata(path) {
        Ok(metadata) if !metadata.is_file() => Ok(Output::Direct(File::options().write(true).open(path)?)),
        Ok(metadata) if metadata.permissions().readonly() => Err(io::ErrorKind::PermissionDenied.into()),
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        Ok(_) | Err(_) => {
            let file = removed_when_interrupted(|| AtomicFile::create(AtomicFile::target_of(path)))?;
            Ok(Output::Pending(file.with_early_sync()))
        }
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Output::Direct(file) => file.write(bytes),
            Output::Pending(file) => file.write(bytes),
        }
    }

    fn write_vectored(&mut self, pieces: &[IoSlice<'_>]) -> io::Result<usize> {
        match self {
            Output::Direct(file) => file.write_vectored(pieces),
            Output::Pending(file) => file.write_vectored(pieces),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Output::Direct(file) => file.flush(),
            Output::Pending(file) => file.flush(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_do_not_reach_a_terminal() {
        let text = "a\u{1b}[31m,\"é\u{9b}\n\"\t\u{202e}\n";
        for n_bytes in [1, 2, 3, 100] {
            for (target, expected) in [
                (TextTarget::Terminal(Escapes::Json), "a\\u001b[31m,\"é\\u009b\n\"\\t\\u202e\n"),
                (TextTarget::Terminal(Escapes::Text), "a\\u{1b}[31m,\"é\\u{9b}\n\"\t\\u{202e}\n"),
                (TextTarget::Program, text),
            ] {
                let mut out = TextOutput { out: Vec::new(), target, incomplete: Vec::new() };
                for piece in text.as_bytes().chunks(n_bytes) {
                    out.write_all(piece).unwrap();
                }
                assert_eq!(String::from_utf8(out.out).unwrap(), expected, "{n_bytes} at a time");
            }
        }
    }

    #[test]
    fn no_more_is_written_than_is_allowed() {
        let mut written = Vec::new();
        let mut out = LimitedWriter::new(&mut written);
        out.allow(3);
        out.write_all(b"abc").unwrap();
        assert!(!out.is_exceeded());
        out.write_all(b"d").unwrap_err();
        assert!(out.is_exceeded());
        drop(out);
        assert_eq!(written, b"abc");
    }
}
