//! Standard output that was closed when the program was started: on Linux, what is printed is an error, and not lost. On other systems
//! it is lost, since no function of the program runs before the standard library of Rust.

use std::{
    io::{self, Write},
    sync::atomic::{AtomicBool, Ordering},
};

/// Whether standard output was closed when the program was started.
static IS_CLOSED: AtomicBool = AtomicBool::new(false);

/// Finds whether standard output is closed. The standard library of Rust puts `/dev/null` there before `main`, and ignores the error of
/// writing otherwise: all output would be lost without an error.
#[cfg(unix)]
pub fn note_closed_stdout() {
    use std::os::fd::AsFd;
    if io::stdout().as_fd().try_clone_to_owned().is_err() {
        IS_CLOSED.store(true, Ordering::Relaxed);
    }
}

/// # Errors
/// If standard output was closed.
pub(crate) fn check_open() -> io::Result<()> {
    if IS_CLOSED.load(Ordering::Relaxed) {
        Err(io::Error::other("the file descriptor is closed"))
    } else {
        Ok(())
    }
}

/// Standard output, which cannot be written if it was closed.
#[derive(Debug)]
pub(crate) struct OpenStdout<W>(W);

impl<W> OpenStdout<W> {
    pub(crate) fn new(stdout: W) -> OpenStdout<W> {
        OpenStdout(stdout)
    }
}

impl<W: Write> Write for OpenStdout<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        check_open()?;
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}
