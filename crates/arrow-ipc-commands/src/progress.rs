//! Progress of long operations on a terminal.

use std::{
    io::{self, Read},
    sync::atomic::{AtomicUsize, Ordering},
    time::{Duration, Instant},
};

use arrow_ipc_tools::Unit;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::terminal::is_stderr_terminal;

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
    /// `None` if others may show theirs.
    _turn: Option<Turn>,
}

/// How many turns there are.
static N_TURNS: AtomicUsize = AtomicUsize::new(0);

/// As long as there is one, what is read is not counted.
struct Turn;

impl Turn {
    fn new() -> Turn {
        N_TURNS.fetch_add(1, Ordering::Relaxed);
        Turn
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        N_TURNS.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Bytes that arrive, which are counted on the terminal as long as nothing else is. That of a file is copied before any other work
/// on it begins.
pub(crate) struct Arriving<R> {
    input: R,
    n_read: u64,
    progress: Option<Progress>,
}

impl<R> Arriving<R> {
    pub(crate) fn new(input: R) -> Arriving<R> {
        Arriving { input, n_read: 0, progress: Some(Progress::by(None, Counted::Bytes, None)) }
    }
}

impl<R: Read> Read for Arriving<R> {
    fn read(&mut self, place: &mut [u8]) -> io::Result<usize> {
        let n_bytes = self.input.read(place)?;
        self.n_read = self.n_read.saturating_add(n_bytes as u64);
        if n_bytes == 0 && !place.is_empty() || N_TURNS.load(Ordering::Relaxed) > 0 {
            self.progress = None;
        }
        if let Some(progress) = &mut self.progress {
            progress.set(self.n_read);
        }
        Ok(n_bytes)
    }
}

impl Progress {
    pub(crate) fn new(unit: Counted, n_total: Option<u64>) -> Progress {
        Progress::by(Some(Turn::new()), unit, n_total)
    }

    fn by(turn: Option<Turn>, unit: Counted, n_total: Option<u64>) -> Progress {
        let begin = is_stderr_terminal().then(|| Instant::now() + PATIENCE);
        Progress { unit, n_total, begin, bar: None, _turn: turn }
    }

    /// Is not shown, but has its turn.
    pub(crate) fn hidden(mut self) -> Progress {
        self.begin = None;
        self
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
