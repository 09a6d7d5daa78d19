//! Parses the values of arguments: numbers, words and `--threads`. Errors are in plain words.

use std::{
    num::{NonZeroU64, NonZeroUsize},
    str::FromStr,
    thread,
};

use clap::{
    Args,
    builder::{PossibleValue, PossibleValuesParser, TypedValueParser},
};

/// Parses a number that may not be 0.
pub(crate) fn at_least_1<N: FromStr>(text: &str) -> Result<N, &'static str> {
    text.parse().map_err(|_| "must be at least 1, and a whole number below 2^64")
}

/// Parses a number that may be 0.
pub(crate) fn at_least_0(text: &str) -> Result<u64, &'static str> {
    if text.starts_with('+') {
        // `tail -n +3` of other programs begins at the third line.
        return Err("must be a number without a sign; `cat --offset N` skips the first N rows");
    }
    if text.starts_with('-') {
        // `head -n -2` of other programs leaves out the last two lines.
        return Err(
            "must be at least 0; `count` says how many rows there are, and `tail -n N` shows the last N",
        );
    }
    text.parse().map_err(|_| "must be at least 0, and a whole number below 2^64")
}

/// Accepts a value that begins with a hyphen, such as `-999`. A value that looks like the name of an option is an
/// error, because the real value is then probably missing.
pub(crate) fn no_option(text: &str) -> Result<String, String> {
    let is_option = |text: &str| text.starts_with(|first: char| first.is_ascii_alphabetic());
    if text.strip_prefix("--").is_some_and(is_option) {
        Err("it is the name of an option: is the value before it missing?".to_owned())
    } else {
        Ok(text.to_owned())
    }
}

/// Parses a length of at least 1 byte: `128MB`, `1GiB`, `4096`.
pub(crate) fn n_bytes(text: &str) -> Result<NonZeroU64, &'static str> {
    const UNITS: [(&str, u32, u64); 6] = [
        ("KB", 1, 1000),
        ("MB", 2, 1000),
        ("GB", 3, 1000),
        ("KiB", 1, 1024),
        ("MiB", 2, 1024),
        ("GiB", 3, 1024),
    ];
    let (number, unit) = text.split_at(text.find(|char: char| !char.is_ascii_digit()).unwrap_or(text.len()));
    let found = UNITS.iter().find(|(name, ..)| name.eq_ignore_ascii_case(unit.trim()));
    let factor = if unit.is_empty() { Some(1) } else { found.map(|(_, power, base)| base.pow(*power)) };
    let n_bytes =
        number.parse::<u64>().ok().zip(factor).and_then(|(number, factor)| number.checked_mul(factor));
    let n_bytes = n_bytes.ok_or("must be a whole number of bytes, such as 128MB, 1GiB or 4096")?;
    NonZeroU64::new(n_bytes).ok_or("must be at least 1 byte, such as 128MB, 1GiB or 4096")
}

/// Parses one of several words. Each choice is the word, its value, and its description in the help.
pub(super) fn one_of<T: Clone + Send + Sync + 'static>(
    choices: &'static [(&'static str, T, &'static str)],
) -> impl TypedValueParser<Value = T> {
    let words = choices.iter().map(|(word, _, help)| match *help {
        "" => PossibleValue::new(*word),
        help => PossibleValue::new(*word).help(help),
    });
    PossibleValuesParser::new(words).try_map(|found| {
        let choice = choices.iter().find(|(word, ..)| *word == found);
        choice.map(|(_, value, _)| value.clone()).ok_or("the word is not listed")
    })
}

// How many threads work.
#[derive(Debug, Clone, Copy, Default, Args)]
pub(crate) struct ThreadsArg {
    /// The number of threads that work at the same time, at most 256; the output does not depend on it [default: the number of
    /// processors]
    #[arg(long, value_name = "N", value_parser = number)]
    threads: Option<NonZeroUsize>,
}

/// Parses a number of threads. More threads than the limit take more memory, but are not faster.
fn number(text: &str) -> Result<NonZeroUsize, &'static str> {
    const MAX_THREADS: NonZeroUsize = NonZeroUsize::MIN.saturating_add(255);
    let number = text.parse().ok().filter(|n_threads| *n_threads <= MAX_THREADS);
    number.ok_or("must be a whole number from 1 to 256")
}

impl ThreadsArg {
    /// The value of the argument; `None` if it was not given.
    pub(crate) fn given(self) -> Option<NonZeroUsize> {
        self.threads
    }

    /// The number of threads to use. By default, the number of processors.
    pub(crate) fn n(self) -> NonZeroUsize {
        self.given().unwrap_or_else(|| thread::available_parallelism().unwrap_or(NonZeroUsize::MIN))
    }
}
