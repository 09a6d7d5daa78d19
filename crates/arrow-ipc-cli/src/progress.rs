//! Progress of long operations on a terminal.

use std::{
    ops::ControlFlow,
    time::{Duration, Instant},
};

use arrow_ipc_tools::{Note, Observer, Unit};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::{exit::note, terminal::is_stderr_terminal};

/// Progress is shown after this time.
const PATIENCE: Duration = Duration::from_secs(1);

/// What is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Counted {
    Bytes,
    Batches,
    Files,
}

impl From<Unit> for Counted {
    fn from(unit: Unit) -> Counted {
        match unit {
            Unit::Bytes => Counted::Bytes,
            Unit::Batches => Counted::Batches,
        }
    }
}

/// Shows progress on standard error, if that is a terminal and the work takes long.
pub(crate) struct Progress {
    unit: Counted,
    /// The total, if it is known.
    n_total: Option<u64>,
    /// When to show it; `None` without a terminal.
    begin: Option<Instant>,
    bar: Option<ProgressBar>,
}

/// Shows the progress of each pass over an input, and writes notes to standard error.
#[derive(Default)]
pub(crate) struct Watcher {
    pass: Option<Progress>,
}

impl Watcher {
    /// Runs something that may write to the terminal, with the progress hidden.
    pub(crate) fn aside<T>(&self, work: impl FnOnce() -> T) -> T {
        match &self.pass {
            Some(pass) => pass.aside(work),
            None => work(),
        }
    }
}

impl Observer for Watcher {
    fn progress(&mut self, progress: arrow_ipc_tools::Progress) -> ControlFlow<()> {
        let pass = match &mut self.pass {
            Some(pass) if progress.n_done > 0 => pass,
            // The last pass is removed from the terminal before another begins.
            pass => {
                *pass = None;
                pass.insert(Progress::new(progress.unit.into(), progress.n_total))
            }
        };
        pass.set(progress.n_done);
        ControlFlow::Continue(())
    }

    fn note(&mut self, text: &Note) {
        self.aside(|| note(&text.to_string()));
    }
}

impl Progress {
    pub(crate) fn new(unit: Counted, n_total: Option<u64>) -> Progress {
        let begin = is_stderr_terminal().then(|| Instant::now() + PATIENCE);
        Progress { unit, n_total, begin, bar: None }
    }

    /// Sets how much has been done.
    pub(crate) fn set(&mut self, n_done: u64) {
        let Some(begin) = self.begin else { return };
        if self.bar.is_none() && Instant::now() >= begin {
            self.bar = Some(new_bar(self.unit, self.n_total));
        }
        if let Some(bar) = &self.bar {
            bar.set_position(n_done);
        }
    }
}

impl Progress {
    /// Runs something that may write to the terminal, with the progress hidden.
    pub(crate) fn aside<T>(&self, work: impl FnOnce() -> T) -> T {
        match &self.bar {
            Some(bar) => bar.suspend(work),
            None => work(),
        }
    }
}

impl Drop for Progress {
    /// Removes the progress from the terminal.
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

fn new_bar(unit: Counted, n_total: Option<u64>) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(n_total, ProgressDrawTarget::stderr());
    let template = match (unit, n_total) {
        (Counted::Bytes, Some(_)) => "[{wide_bar}] {bytes} of {total_bytes}, {eta} left",
        (Counted::Bytes, None) => "{spinner} {bytes}",
        (Counted::Batches, Some(_)) => "[{wide_bar}] {pos} of {len} batches, {eta} left",
        (Counted::Batches, None) => "{spinner} {pos} batches",
        (Counted::Files, Some(_)) => "[{wide_bar}] {pos} of {len} files",
        (Counted::Files, None) => "{spinner} {pos} files",
    };
    // The templates are constants; an invalid one would only change how the bar looks.
    let style = ProgressStyle::with_template(template).map(|style| style.progress_chars("=> "));
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    bar
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn templates_are_valid() {
        for unit in [Counted::Bytes, Counted::Batches, Counted::Files] {
            for n_total in [None, Some(10)] {
                let bar = new_bar(unit, n_total);
                bar.set_position(5);
                assert_eq!(bar.position(), 5);
                bar.finish_and_clear();
            }
        }
    }
}
