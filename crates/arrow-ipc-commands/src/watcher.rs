//! An observer that shows progress and notes.

use std::ops::ControlFlow;

use arrow_ipc_tools::{Note, Observer, Progress as ToolProgress, Unit};

use crate::{exit::note, interrupt::Asked, progress::ProgressDisplay, terminal::is_stdout_terminal};

/// Shows the progress of each pass over an input, and writes notes to standard error.
#[derive(Default)]
pub(crate) struct Watcher {
    pass: Option<ProgressDisplay>,
    /// The progress that was shown last.
    last: Option<ToolProgress>,
    shown: ProgressShown,
    asked: Asked,
}

/// Whether progress is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum ProgressShown {
    #[default]
    Yes,
    No,
}

impl Watcher {
    /// A watcher for work that writes to standard output all the time. If standard output is a terminal, no progress is
    /// shown.
    pub(crate) fn of_output() -> Watcher {
        let shown = if is_stdout_terminal() { ProgressShown::No } else { ProgressShown::Yes };
        Watcher { shown, ..Watcher::default() }
    }

    /// A watcher that stops the work after a signal asked the program to end.
    pub(crate) fn stopping_when(asked: &Asked) -> Watcher {
        Watcher { asked: asked.clone(), ..Watcher::default() }
    }

    /// Begins a pass over an input. First removes the progress of the previous pass from the terminal.
    pub(crate) fn begin(&mut self, unit: Unit, n_total: Option<u64>) {
        self.pass = None;
        let pass = ProgressDisplay::new(Some(unit), n_total);
        self.pass = Some(match self.shown {
            ProgressShown::Yes => pass,
            ProgressShown::No => pass.hidden(),
        });
    }

    /// Sets the number of units of the pass that are done.
    pub(crate) fn set(&self, n_done: u64) {
        if let Some(pass) = &self.pass {
            pass.set(n_done);
        }
    }

    /// Runs a function that may write to the terminal, with the progress hidden.
    pub(crate) fn aside<T>(&self, work: impl FnOnce() -> T) -> T {
        match &self.pass {
            Some(pass) => pass.aside(work),
            None => work(),
        }
    }
}

impl Observer for Watcher {
    fn progress(&mut self, progress: ToolProgress) -> ControlFlow<()> {
        // Progress 0 begins a new pass, unless the same progress is reported again.
        if self.pass.is_none() || progress.n_done == 0 && self.last != Some(progress) {
            self.begin(progress.unit, progress.n_total);
        }
        self.set(progress.n_done);
        self.last = Some(progress);
        if self.asked.is_asked() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn note(&mut self, text: &Note) {
        self.aside(|| note(&text.to_string()));
    }
}
