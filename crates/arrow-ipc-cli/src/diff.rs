//! `diff`: compares the schema, metadata and rows of two inputs.

use std::{
    io::{self, BufWriter, StdoutLock, Write},
    ops::ControlFlow,
};

use arrow_ipc_tools::{
    Comparison, DiffOptions, DiffReport, Difference, Escaped, Note, Observer, Progress, ToolErrorKind,
    Verdict,
};

use crate::{
    args::DiffArgs,
    exit::{Failure, Status},
    names::{InputName, OutputName},
    output::buffered_stdout,
    progress::Watcher,
};

/// The answer is a status. Failures have other statuses, so that they cannot be mistaken for an answer.
pub(crate) fn run(args: &DiffArgs) -> Result<Status, Failure> {
    let n_times = [&args.a, &args.b].into_iter().filter(|name| **name == InputName::Stdin).count();
    if n_times > 1 {
        return Err(Failure::RepeatedStdin { n_times });
    }
    Ok(match compare(args) {
        Ok(Verdict::Same) => Status::Fine,
        Ok(Verdict::Different) => Status::No,
        Ok(Verdict::Unknown) => Status::NoAnswer,
        Err(failure) => match failure.report() {
            // The reader of the output has closed the pipe, after at least one difference.
            Status::Fine => Status::No,
            Status::No => Status::NoAnswer,
            status => status,
        },
    })
}

fn compare(args: &DiffArgs) -> Result<Verdict, Failure> {
    let mut options = DiffOptions::new().with_max_rows(args.limit);
    if let Some(columns) = &args.columns {
        options = options.with_columns(columns.0.clone());
    }
    if args.ignore_metadata {
        options = options.ignoring_metadata();
    }
    if args.count {
        options = options.counting_all();
    }
    let comparison = Comparison::open(args.a.open()?, &options)?;
    if args.quiet {
        return Ok(comparison.against(args.b.open()?, &mut Quiet::default())?);
    }
    let mut lines = Lines { out: buffered_stdout(), written: Ok(()), watcher: Watcher::default() };
    let verdict = comparison.against(args.b.open()?, &mut lines);
    let written = lines.finish();
    match verdict {
        // An output that fails stops the comparison.
        Err(error) if !matches!(error.kind(), ToolErrorKind::Stopped) => Err(error.into()),
        verdict => {
            written.map_err(|error| Failure::Write { name: OutputName::Stdout, error })?;
            Ok(verdict?)
        }
    }
}

/// Stops at the first difference.
#[derive(Default)]
struct Quiet {
    watcher: Watcher,
}

impl Observer for Quiet {
    fn progress(&mut self, progress: Progress) -> ControlFlow<()> {
        self.watcher.progress(progress)
    }

    fn note(&mut self, note: &Note) {
        self.watcher.note(note);
    }
}

impl DiffReport for Quiet {
    fn difference(&mut self, _: Difference) -> ControlFlow<()> {
        ControlFlow::Break(())
    }
}

/// Writes differences to standard output, one per line.
struct Lines {
    out: BufWriter<StdoutLock<'static>>,
    /// The first failure of the output, which stops the comparison.
    written: io::Result<()>,
    watcher: Watcher,
}

impl Lines {
    /// # Errors
    /// If not all could be written.
    fn finish(mut self) -> io::Result<()> {
        drop(self.watcher);
        self.written?;
        self.out.flush()
    }

    fn flow(&mut self, written: io::Result<()>) -> ControlFlow<()> {
        self.written = written;
        if self.written.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }
}

impl Observer for Lines {
    /// Flushes the differences found so far.
    fn progress(&mut self, progress: Progress) -> ControlFlow<()> {
        if progress.n_done > 0 && !self.out.buffer().is_empty() {
            let flushed = self.watcher.aside(|| self.out.flush());
            self.flow(flushed)?;
        }
        self.watcher.progress(progress)
    }

    fn note(&mut self, note: &Note) {
        self.watcher.note(note);
    }
}

impl DiffReport for Lines {
    fn difference(&mut self, difference: Difference) -> ControlFlow<()> {
        let hint = match difference {
            Difference::OneMoreRow { .. } => "; --limit shows more, --count counts them",
            _ => "",
        };
        // Names and values are already escaped; this escapes control characters from anywhere else.
        let line = difference.to_string();
        let written = writeln!(self.out, "{}{hint}", Escaped(&line));
        self.flow(written)
    }
}
