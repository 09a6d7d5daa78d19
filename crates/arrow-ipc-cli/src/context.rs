//! What one run of the program knows besides its arguments.

use std::{
    fs::File,
    num::NonZero,
    path::Path,
    sync::{
        Arc, Mutex, MutexGuard, OnceLock, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
};

use arrow_ipc::{Limits, WriteOptions};
use arrow_ipc_tools::import::SkipCounter;
use arrow_schema::{FieldPath, PathStep};
use clap::ValueEnum;

use crate::{Host, OpenUrl};

/// When output has colours.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum ColorChoice {
    /// On terminals, unless the environment has NO_COLOR, or TERM is dumb
    #[default]
    Auto,
    Always,
    Never,
}

/// The state of one run of the program. Clones share it.
#[derive(Clone, Default)]
pub(crate) struct Context(Arc<RunState>);

#[derive(Default)]
struct RunState {
    host: Host,
    color: ColorChoice,
    /// How many fields schemas may have; `None` for the default of the libraries.
    max_fields: Option<NonZero<u64>>,
    /// The name of the command, if it has the option `--cast`.
    casting: Option<&'static str>,
    /// The notes that have already been written, if each is written only once.
    noted: Mutex<Vec<String>>,
    /// For each text, the name of the input, and a counter of skipped rows.
    skipped: Mutex<Vec<(String, SkipCounter)>>,
    /// The names of columns whose types an option sets.
    given: Mutex<Vec<String>>,
    /// How many displays of progress have the right to be shown.
    n_turns: AtomicUsize,
    /// Standard input by position. Empty until standard input is first opened.
    redirected: OnceLock<Option<File>>,
}

impl Context {
    /// The state of a command. `casting` is its name, if it has the option `--cast`.
    pub(crate) fn new(
        host: Host,
        color: ColorChoice,
        max_fields: Option<NonZero<u64>>,
        casting: Option<&'static str>,
    ) -> Context {
        Context(Arc::new(RunState { host, color, max_fields, casting, ..RunState::default() }))
    }

    /// The state before the command line is parsed.
    pub(crate) fn from_host(host: Host) -> Context {
        Context(Arc::new(RunState { host, ..RunState::default() }))
    }

    /// The name of the command, if it has the option `--cast`.
    pub(crate) fn casting_command(&self) -> Option<&'static str> {
        self.0.casting
    }

    /// The function that opens URLs; `None` if URLs are unsupported.
    pub(crate) fn open_url(&self) -> Option<OpenUrl> {
        self.0.host.open_url
    }

    /// Where the page of `serve` is; `None` if it is beside the program.
    pub(crate) fn viewer(&self) -> Option<&Path> {
        self.0.host.viewer.as_deref()
    }

    /// When output has colours.
    pub(crate) fn color(&self) -> ColorChoice {
        self.0.color
    }

    /// The limits of reading.
    pub(crate) fn limits(&self) -> Limits {
        let limits = Limits::default();
        self.0.max_fields.map_or_else(|| limits.clone(), |n| limits.clone().with_max_fields(n.get()))
    }

    /// Options for writing, with the limit of fields.
    pub(crate) fn write_options(&self) -> WriteOptions {
        WriteOptions::new().with_max_fields(self.limits().max_fields())
    }

    /// Writes notes, each only once. An input that is opened twice has the same notes twice.
    pub(crate) fn notes(&self, notes: impl Iterator<Item = String>) {
        let mut noted = locked(&self.0.noted);
        for text in notes {
            if !noted.contains(&text) {
                self.note(&text);
                noted.push(text);
            }
        }
    }

    /// Adds a counter of the skipped rows of an input.
    pub(crate) fn count_skipped(&self, name: String, skipped: SkipCounter) {
        locked(&self.0.skipped).push((name, skipped));
    }

    /// Removes the counter of an input that is read again.
    pub(crate) fn take_skipped_of(&self, name: &str) {
        locked(&self.0.skipped).retain(|(other, _)| other != name);
    }

    /// Takes the counters of skipped rows, each with the name of its input.
    pub(crate) fn take_skipped(&self) -> Vec<(String, SkipCounter)> {
        std::mem::take(&mut *locked(&self.0.skipped))
    }

    /// Adds columns whose types an option sets. Hints do not suggest to set their types.
    pub(crate) fn set_types<'a>(&self, columns: impl Iterator<Item = &'a str>) {
        locked(&self.0.given).extend(columns.map(str::to_owned));
    }

    /// Whether an option sets the type of the column of a field.
    pub(crate) fn is_given(&self, field: &FieldPath) -> bool {
        let Some(PathStep::Child { name, .. }) = field.steps().first() else { return false };
        locked(&self.0.given).iter().any(|given| **given == **name)
    }

    /// Standard input by position. Only the first call opens it.
    pub(crate) fn stdin_by_position(&self, open: impl FnOnce() -> Option<File>) -> Option<&File> {
        self.0.redirected.get_or_init(open).as_ref()
    }

    /// Gives a display the right to show progress, until [`end_turn`](Context::end_turn).
    pub(crate) fn begin_turn(&self) {
        self.0.n_turns.fetch_add(1, Ordering::Relaxed);
    }

    /// Takes back the right of a display that ends.
    pub(crate) fn end_turn(&self) {
        self.0.n_turns.fetch_sub(1, Ordering::Relaxed);
    }

    /// Whether a display has the right to show progress.
    pub(crate) fn has_turn(&self) -> bool {
        self.0.n_turns.load(Ordering::Relaxed) > 0
    }
}

fn locked<T>(list: &Mutex<T>) -> MutexGuard<'_, T> {
    list.lock().unwrap_or_else(PoisonError::into_inner)
}
