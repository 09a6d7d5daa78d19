//! The report of differences.

use std::{
    fmt,
    io::{self, BufWriter, StdoutLock, Write},
};

use arrow_ipc_tools::Escaped;

use crate::{args::DiffArgs, exit::Failure, names::OutputName, output::buffered_stdout, progress::Progress};

/// The answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verdict {
    Same,
    Different,
    /// Nothing differs in what was read, but bytes follow a stream.
    Unknown,
}

/// Writes differences to standard output, one per line.
pub(super) struct Report {
    /// `None` with `--quiet`.
    out: Option<BufWriter<StdoutLock<'static>>>,
    verdict: Verdict,
    progress: Progress,
    /// The maximum number of rows to show.
    pub(super) limit: u64,
    /// Whether to compare all rows, however many differ.
    pub(super) counts_all: bool,
    pub(super) ignores_metadata: bool,
}

impl Report {
    pub(super) fn new(args: &DiffArgs, progress: Progress) -> Report {
        Report {
            out: (!args.quiet).then(buffered_stdout),
            verdict: Verdict::Same,
            progress,
            limit: args.limit,
            counts_all: args.count,
            ignores_metadata: args.ignore_metadata,
        }
    }

    /// Whether the comparison can stop.
    pub(super) fn is_decided(&self) -> bool {
        self.out.is_none() && self.verdict == Verdict::Different
    }

    /// Writes a difference.
    ///
    /// # Errors
    /// If it cannot be written.
    pub(super) fn difference(&mut self, line: impl fmt::Display) -> Result<(), Failure> {
        self.verdict = Verdict::Different;
        match &mut self.out {
            // Names and values are already escaped; this escapes control characters from anywhere else.
            Some(out) => writeln!(out, "{}", Escaped(&line.to_string())).map_err(not_written),
            None => Ok(()),
        }
    }

    /// Says that not all of an input was compared.
    pub(super) fn incomplete(&mut self) {
        if self.verdict == Verdict::Same {
            self.verdict = Verdict::Unknown;
        }
    }

    /// Shows the progress, and flushes the differences found so far.
    ///
    /// # Errors
    /// If they cannot be written.
    pub(super) fn set_progress(&mut self, n_done: u64) -> Result<(), Failure> {
        if let Some(out) = &mut self.out
            && !out.buffer().is_empty()
        {
            self.progress.aside(|| out.flush()).map_err(not_written)?;
        }
        self.progress.set(n_done);
        Ok(())
    }

    /// The answer, after the whole report is written.
    ///
    /// # Errors
    /// If the report cannot be written.
    pub(super) fn finish(self) -> Result<Verdict, Failure> {
        drop(self.progress);
        if let Some(mut out) = self.out {
            out.flush().map_err(not_written)?;
        }
        Ok(self.verdict)
    }
}

fn not_written(error: io::Error) -> Failure {
    Failure::Write { name: OutputName::Stdout, error }
}
