//! Shows the progress and the notes of a tool.

use std::ops::ControlFlow;

use arrow_ipc_report::NoteText;
use arrow_ipc_tools::{Note, Observer, Progress as ToolProgress, Unit};

use crate::{
    context::Context,
    interrupt::SignalFlag,
    terminal::{is_stdout_terminal, progress::ProgressDisplay},
};

/// Shows the progress of each pass over an input, and writes notes to standard error.
pub(crate) struct Watcher {
    context: Context,
    pass: Option<ProgressDisplay>,
    /// The progress that was last shown.
    last: Option<ToolProgress>,
    is_shown: bool,
    signal: SignalFlag,
}

impl Watcher {
    pub(crate) fn new(context: &Context) -> Watcher {
        let signal = SignalFlag::default();
        Watcher { context: context.clone(), pass: None, last: None, is_shown: true, signal }
    }

    /// Makes a watcher for work that writes to standard output. If that is a terminal, no progress is shown.
    pub(crate) fn for_stdout(context: &Context) -> Watcher {
        Watcher { is_shown: !is_stdout_terminal(), ..Watcher::new(context) }
    }

    /// Makes a watcher that stops the work after a signal.
    pub(crate) fn stopping_when(context: &Context, signal: &SignalFlag) -> Watcher {
        Watcher { signal: signal.clone(), ..Watcher::new(context) }
    }

    /// Begins a pass over an input, after removing the progress of the previous pass from the terminal.
    pub(crate) fn begin(&mut self, unit: Unit, n_total: Option<u64>) {
        self.pass = None;
        let pass = ProgressDisplay::new(&self.context, Some(unit), n_total);
        self.pass = Some(if self.is_shown { pass } else { pass.hidden() });
    }

    /// Sets how many units of the pass are done.
    pub(crate) fn set(&self, n_done: u64) {
        if let Some(pass) = &self.pass {
            pass.set(n_done);
        }
    }

    /// Hides the progress while `work` runs, because `work` may write to the terminal.
    pub(crate) fn aside<T>(&self, work: impl FnOnce() -> T) -> T {
        match &self.pass {
            Some(pass) => pass.aside(work),
            None => work(),
        }
    }
}

impl Observer for Watcher {
    fn progress(&mut self, progress: ToolProgress) -> ControlFlow<()> {
        // A progress of 0 begins a new pass, unless it is a repetition.
        if self.pass.is_none() || progress.n_done == 0 && self.last != Some(progress) {
            self.begin(progress.unit, progress.n_total);
        }
        self.set(progress.n_done);
        self.last = Some(progress);
        if self.signal.is_received() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn note(&mut self, note: &Note) {
        self.aside(|| self.context.note(&NoteText(note).to_string()));
    }
}
