//! Progress of long operations on a terminal.

use std::{
    fmt,
    io::{self, Read},
    sync::atomic::{AtomicUsize, Ordering},
    time::{Duration, Instant},
};

use arrow_ipc_tools::Unit;
use indicatif::{HumanDuration, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};

use crate::terminal::is_stderr_terminal;

/// Progress is shown after this time.
const PATIENCE: Duration = Duration::from_secs(1);

/// Shows progress on standard error, if that is a terminal and the work takes long.
pub(crate) struct ProgressDisplay {
    /// `None` without a terminal.
    bar: Option<Bar>,
    /// `None` if others may show their progress.
    _turn: Option<Turn>,
}

/// The progress bar. It counts from the beginning, so that the rate is right when it is shown.
struct Bar {
    bar: ProgressBar,
    /// The time at which the bar is shown; `None` once it is shown.
    show_at: Option<Instant>,
}

/// How many turns there are.
static N_TURNS: AtomicUsize = AtomicUsize::new(0);

/// The turn to show progress. While there is one, [`Arriving`] does not count.
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

/// Counts bytes that arrive on the terminal, as long as nothing else shows progress. A file from a pipe is copied
/// before any other work on it begins.
pub(crate) struct Arriving<R> {
    input: R,
    n_read: u64,
    progress: Option<ProgressDisplay>,
}

impl<R> Arriving<R> {
    pub(crate) fn new(input: R) -> Arriving<R> {
        Arriving { input, n_read: 0, progress: Some(ProgressDisplay::by(None, Some(Unit::Bytes), None)) }
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

impl ProgressDisplay {
    /// Files are counted without a unit.
    pub(crate) fn new(unit: Option<Unit>, n_total: Option<u64>) -> ProgressDisplay {
        ProgressDisplay::by(Some(Turn::new()), unit, n_total)
    }

    fn by(turn: Option<Turn>, unit: Option<Unit>, n_total: Option<u64>) -> ProgressDisplay {
        let new = || Bar { bar: new_bar(unit, n_total), show_at: Some(Instant::now() + PATIENCE) };
        ProgressDisplay { bar: is_stderr_terminal().then(new), _turn: turn }
    }

    /// A display that is not shown, but has its turn.
    pub(crate) fn hidden(mut self) -> ProgressDisplay {
        self.bar = None;
        self
    }

    /// Sets how much has been done.
    pub(crate) fn set(&mut self, n_done: u64) {
        let Some(Bar { bar, show_at }) = &mut self.bar else { return };
        if show_at.is_some_and(|show_at| Instant::now() >= show_at) {
            *show_at = None;
            bar.set_draw_target(ProgressDrawTarget::stderr());
        }
        bar.set_position(n_done);
    }
}

impl ProgressDisplay {
    /// Runs something that may write to the terminal, with the progress hidden.
    pub(crate) fn aside<T>(&self, work: impl FnOnce() -> T) -> T {
        match &self.bar {
            Some(Bar { bar, show_at: None }) => bar.suspend(work),
            Some(_) | None => work(),
        }
    }
}

impl Drop for ProgressDisplay {
    /// Removes the progress from the terminal.
    fn drop(&mut self) {
        if let Some(Bar { bar, show_at: None }) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

fn new_bar(unit: Option<Unit>, n_total: Option<u64>) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(n_total, ProgressDrawTarget::hidden());
    let template = match (unit, n_total) {
        (Some(Unit::Bytes), Some(_)) => "[{wide_bar}] {bytes} of {total_bytes}{left}",
        (Some(Unit::Bytes), None) => "{spinner} {bytes}",
        (Some(Unit::Batches), Some(_)) => "[{wide_bar}] {pos} of {len} batches{left}",
        (Some(Unit::Batches), None) => "{spinner} {pos} batches",
        (None, Some(_)) => "[{wide_bar}] {pos} of {len} files",
        (None, None) => "{spinner} {pos} files",
    };
    // The templates are constants; an invalid one would only change how the bar looks.
    let style = ProgressStyle::with_template(template).map(|style| style.progress_chars("=> "));
    let style = style.unwrap_or_else(|_| ProgressStyle::default_bar());
    bar.set_style(style.with_key("left", |state: &ProgressState, out: &mut dyn fmt::Write| {
        // A line that cannot be written is not shown.
        let _ = write_left(state.eta(), out);
    }));
    bar
}

/// Writes the time that is left. Writes nothing if that is less than a second, or if nothing has been done yet.
fn write_left(left: Duration, out: &mut dyn fmt::Write) -> fmt::Result {
    if left < Duration::from_secs(1) { Ok(()) } else { write!(out, ", {} left", HumanDuration(left)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn templates_are_valid() {
        for unit in [Some(Unit::Bytes), Some(Unit::Batches), None] {
            for n_total in [None, Some(10)] {
                let bar = new_bar(unit, n_total);
                bar.set_position(5);
                assert_eq!(bar.position(), 5);
                bar.finish_and_clear();
            }
        }
    }

    #[test]
    fn the_time_that_is_left_is_told_from_a_second_on() {
        let left = [0, 999, 1_000, 90_000].map(|ms| {
            let mut text = String::new();
            write_left(Duration::from_millis(ms), &mut text).unwrap();
            text
        });
        assert_eq!(left, ["", "", ", 1 second left", ", 2 minutes left"]);
    }
}
