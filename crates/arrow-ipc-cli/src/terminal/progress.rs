//! Progress of long operations on a terminal.

use std::{
    fmt,
    io::{self, Read},
    sync::mpsc::{RecvTimeoutError, Sender, channel},
    thread::{self, JoinHandle},
    time::Duration,
};

use arrow_ipc_tools::Unit;
use indicatif::{HumanDuration, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};

use crate::{context::Context, terminal::is_stderr_terminal};

/// Progress is shown if the work takes longer than this.
const PATIENCE: Duration = Duration::from_secs(1);

/// The time between two updates of the bar.
const TICK: Duration = Duration::from_millis(200);

/// Shows progress on standard error, if it is a terminal and the work takes long.
pub(crate) struct ProgressDisplay {
    /// `None` if standard error is not a terminal.
    bar: Option<Bar>,
    /// Prevents [`ProgressReader`] from showing progress at the same time.
    _turn: Option<ProgressTurn>,
}

/// The progress bar, which a thread redraws while a step of the work may take long. It counts time from the start of
/// the work, so that the rate is right.
struct Bar {
    bar: ProgressBar,
    /// Dropping this sender ends the thread of the bar.
    work: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Bar {
    /// Makes a progress bar. If `turn` is `None`, the bar is hidden while a [`ProgressTurn`] exists.
    fn new(context: &Context, unit: Option<Unit>, n_total: Option<u64>, turn: Option<&ProgressTurn>) -> Bar {
        let bar = new_bar(unit, n_total);
        let (work, ended) = channel();
        let shown = bar.clone();
        let has_turn = turn.is_some();
        let context = context.clone();
        let show = move || {
            let is_slow = ended.recv_timeout(PATIENCE) == Err(RecvTimeoutError::Timeout);
            if is_slow && (has_turn || !context.has_turn()) {
                shown.set_draw_target(ProgressDrawTarget::stderr());
                shown.enable_steady_tick(TICK);
            }
        };
        // If the operating system refuses a thread, no progress is shown.
        let thread = thread::Builder::new().name("progress".to_owned()).spawn(show).ok();
        Bar { bar, work: Some(work), thread }
    }
}

impl Drop for Bar {
    /// Removes the progress from the terminal.
    fn drop(&mut self) {
        self.work = None;
        self.thread.take().map(JoinHandle::join);
        self.bar.finish_and_clear();
    }
}

/// Gives a display the right to show progress. While a turn exists, [`ProgressReader`] shows none.
struct ProgressTurn(Context);

impl ProgressTurn {
    fn new(context: &Context) -> ProgressTurn {
        context.begin_turn();
        ProgressTurn(context.clone())
    }
}

impl Drop for ProgressTurn {
    fn drop(&mut self) {
        self.0.end_turn();
    }
}

/// A reader that shows how many bytes have arrived, unless other progress is shown. Before the work begins, a program
/// may copy a file from a pipe, or text that it reads twice.
pub(crate) struct ProgressReader<R> {
    input: R,
    n_read: u64,
    progress: Option<ProgressDisplay>,
    context: Context,
}

impl<R> ProgressReader<R> {
    pub(crate) fn new(context: &Context, input: R) -> ProgressReader<R> {
        ProgressReader::with_total(context, input, None)
    }

    /// Makes a reader of `input` that shows how many bytes have arrived. `n_total` is the length of `input` if it is
    /// known.
    pub(crate) fn with_total(context: &Context, input: R, n_total: Option<u64>) -> ProgressReader<R> {
        let progress = ProgressDisplay::by(context, None, Some(Unit::Bytes), n_total);
        ProgressReader { input, n_read: 0, progress: Some(progress), context: context.clone() }
    }
}

impl<R: Read> Read for ProgressReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let n_bytes = self.input.read(buffer)?;
        self.n_read = self.n_read.saturating_add(n_bytes as u64);
        if n_bytes == 0 && !buffer.is_empty() || self.context.has_turn() {
            self.progress = None;
        }
        if let Some(progress) = &self.progress {
            progress.set(self.n_read);
        }
        Ok(n_bytes)
    }
}

impl ProgressDisplay {
    /// Makes a display of work that is counted in `unit`; `None` to count files.
    pub(crate) fn new(context: &Context, unit: Option<Unit>, n_total: Option<u64>) -> ProgressDisplay {
        ProgressDisplay::by(context, Some(ProgressTurn::new(context)), unit, n_total)
    }

    fn by(
        context: &Context,
        turn: Option<ProgressTurn>,
        unit: Option<Unit>,
        n_total: Option<u64>,
    ) -> ProgressDisplay {
        let bar = is_stderr_terminal().then(|| Bar::new(context, unit, n_total, turn.as_ref()));
        ProgressDisplay { bar, _turn: turn }
    }

    /// Hides the display. [`ProgressReader`] still shows no progress while the hidden display exists.
    pub(crate) fn hidden(mut self) -> ProgressDisplay {
        self.bar = None;
        self
    }

    /// Sets how many units are done.
    pub(crate) fn set(&self, n_done: u64) {
        if let Some(Bar { bar, .. }) = &self.bar {
            bar.set_position(n_done);
        }
    }

    /// Hides the progress while `work` runs, because `work` may write to the terminal.
    pub(crate) fn aside<T>(&self, work: impl FnOnce() -> T) -> T {
        match &self.bar {
            Some(Bar { bar, .. }) => bar.suspend(work),
            None => work(),
        }
    }
}

fn new_bar(unit: Option<Unit>, n_total: Option<u64>) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(n_total, ProgressDrawTarget::hidden());
    let template = match (unit, n_total) {
        (Some(Unit::Bytes), Some(_)) => "[{wide_bar}] {bytes} of {total_bytes}{left}",
        (Some(Unit::Bytes), None) => "{spinner} {bytes}{left}",
        (Some(Unit::Batches), Some(_)) => "[{wide_bar}] {pos} of {len} batches{left}",
        (Some(Unit::Batches), None) => "{spinner} {pos} batches{left}",
        (Some(Unit::Rows), Some(_)) => "[{wide_bar}] {human_pos} of {human_len} rows{left}",
        (Some(Unit::Rows), None) => "{spinner} {human_pos} rows{left}",
        (None, Some(_)) => "[{wide_bar}] {pos} of {len} files{left}",
        (None, None) => "{spinner} {pos} files{left}",
    };
    // The templates are constants and valid. An invalid one would result in the default style.
    let style = ProgressStyle::with_template(template).map(|style| style.progress_chars("=> "));
    let style = style.unwrap_or_else(|_| ProgressStyle::default_bar());
    bar.set_style(style.with_key("left", |state: &ProgressState, out: &mut dyn fmt::Write| {
        // If writing fails, the line is incomplete. This is no error.
        let _ = match state.len() {
            Some(_) if state.pos() > 0 => write_left(state.eta(), out),
            _ => write!(out, ", {}", HumanDuration(state.elapsed())),
        };
    }));
    bar
}

/// Writes the remaining time, unless it is less than a second.
fn write_left(left: Duration, out: &mut dyn fmt::Write) -> fmt::Result {
    if left < Duration::from_secs(1) { Ok(()) } else { write!(out, ", {} left", HumanDuration(left)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn templates_are_valid() {
        for unit in [Some(Unit::Bytes), Some(Unit::Batches), Some(Unit::Rows), None] {
            for n_total in [None, Some(10)] {
                let bar = new_bar(unit, n_total);
                bar.set_position(5);
                assert_eq!(bar.position(), 5);
                bar.finish_and_clear();
            }
        }
    }

    #[test]
    fn the_remaining_time_is_shown_from_a_second_on() {
        let left = [0, 999, 1_000, 90_000].map(|ms| {
            let mut text = String::new();
            write_left(Duration::from_millis(ms), &mut text).unwrap();
            text
        });
        assert_eq!(left, ["", "", ", 1 second left", ", 2 minutes left"]);
    }
}
