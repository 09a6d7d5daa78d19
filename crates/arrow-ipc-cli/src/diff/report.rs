//! What is said about differences, and how much of it.

use std::{
    fmt,
    io::{self, BufWriter, StdoutLock, Write},
};

use crate::{
    args::DiffArgs, exit::Failure, names::OutputName, output::buffered_stdout, progress::Progress,
    terminal::Escaped,
};

/// The answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verdict {
    Same,
    Different,
}

/// The differences on their way to standard output, one on a line.
pub(super) struct Report {
    /// Unless only the answer is wanted.
    out: Option<BufWriter<StdoutLock<'static>>>,
    verdict: Verdict,
    progress: Progress,
    /// How many rows are shown.
    pub(super) limit: u64,
    /// Whether all rows are compared, however many differ.
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

    /// Whether nothing is to be found out any more.
    pub(super) fn is_decided(&self) -> bool {
        self.out.is_none() && self.verdict == Verdict::Different
    }

    /// Says a difference.
    ///
    /// # Errors
    /// If it cannot be written.
    pub(super) fn difference(&mut self, line: impl fmt::Display) -> Result<(), Failure> {
        self.verdict = Verdict::Different;
        match &mut self.out {
            // Names and values are escaped as what they are. Nothing else may pass, wherever it comes from.
            Some(out) => writeln!(out, "{}", Escaped(&line.to_string())).map_err(not_written),
            None => Ok(()),
        }
    }

    /// Says how far the work is. Differences that were found go out, so that they need not be waited for.
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

    /// The answer, when all has been said.
    ///
    /// # Errors
    /// If not all could be written.
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
