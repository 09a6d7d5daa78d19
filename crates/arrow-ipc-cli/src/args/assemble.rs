//! The command lines of `concat` and `split`.

use std::{num::NonZeroU64, ops::Range, str::FromStr};

use clap::Args;

use super::{ChangedColumnsArgs, Compressed, Dictionaries, Target, ThreadsArg, help_end};
use crate::names::{InputName, OutputName};

#[derive(Debug, Args)]
#[command(after_help = help_end!(
    "Each IN",
    "arrow-ipc concat monday.arrow tuesday.arrow week.arrow",
    "arrow-ipc concat part-*.arrows all.arrow --target-rows 1000000",
    "arrow-ipc concat old.arrow new.arrow all.arrow --columns id,name --cast id=int64",
    "arrow-ipc concat a.arrow b.arrow - --to stream | consumer"
))]
pub(crate) struct ConcatArgs {
    /// What to read: files or streams of the same columns, as they are or by the options below. `-` is standard input
    #[arg(value_name = "IN", required = true)]
    pub(crate) inputs: Vec<InputName>,
    /// Where to write; `-` is standard output. A file appears when it is complete
    #[arg(value_name = "OUT")]
    pub(crate) output: OutputName,
    #[command(flatten)]
    pub(crate) writing: AssemblyArgs,
}

#[derive(Debug, Args)]
#[command(after_help = help_end!(
    "IN",
    "arrow-ipc split people.arrow first.arrow --batches 0..10",
    "arrow-ipc split people.arrow some.arrow --rows 1000..2000",
    "arrow-ipc split people.arrow people.arrow --target-rows 65536",
    "arrow-ipc split *.arrow cut/ --target-rows 65536"
))]
pub(crate) struct SplitArgs {
    /// What to read; `-` is standard input
    #[arg(required = true, value_name = "IN")]
    pub(crate) inputs: Vec<InputName>,
    /// Where to write; `-` is standard output. A file appears when it is complete. A folder, or a name that ends with a slash,
    /// gets a file for each IN: its name with .arrow, or .arrows with --to stream
    #[arg(value_name = "OUT")]
    pub(crate) output: OutputName,
    /// Write only these batches, counted from 0; B is not included: A..B, A.. or ..B
    #[arg(long, value_name = "A..B")]
    pub(crate) batches: Option<Numbers>,
    /// Write only these rows, counted from 0; B is not included: A..B, A.. or ..B
    #[arg(long, value_name = "A..B", conflicts_with = "batches")]
    pub(crate) rows: Option<Numbers>,
    #[command(flatten)]
    pub(crate) writing: AssemblyArgs,
}

/// How it is written.
#[derive(Debug, Args)]
pub(crate) struct AssemblyArgs {
    /// The container [default: by the name of OUT: .arrows is a stream; .arrow, .feather and .ipc are files]
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub(crate) to: Option<Target>,
    /// Cut and join batches to this many rows; the last may have fewer. Without this, batches stay what they are
    #[arg(long, value_name = "N")]
    pub(crate) target_rows: Option<NonZeroU64>,
    /// Compress bodies, as `convert` does [default: batches keep their codec; new ones get that of the first]
    #[arg(long, value_name = "CODEC")]
    pub(crate) compression: Option<Compressed>,
    /// What to do when a dictionary changes, or is another one in another input
    #[arg(long, value_enum, value_name = "HOW", default_value_t = Dictionaries::Replace)]
    pub(crate) dictionaries: Dictionaries,
    #[command(flatten)]
    pub(crate) columns: ChangedColumnsArgs,
    #[command(flatten)]
    pub(crate) threads: ThreadsArg,
}

/// A range of numbers: A..B, A.. or ..B.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Numbers(pub(crate) Range<u64>);

impl FromStr for Numbers {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Numbers, &'static str> {
        const EXPECTED: &str = "expected a range of numbers from 0 on: 2..5 is 2, 3 and 4";
        let (start, end) = text.split_once("..").ok_or(EXPECTED)?;
        let number = |text: &str, absent: u64| match text {
            "" => Ok(absent),
            text => text.parse().map_err(|_| EXPECTED),
        };
        let (start, end) = (number(start, 0)?, number(end, u64::MAX)?);
        if end < start {
            return Err("the end of the range is before its start");
        }
        Ok(Numbers(start..end))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_may_be_open() {
        let cases = [
            ("2..5", Some(2..5)),
            ("0..0", Some(0..0)),
            ("..7", Some(0..7)),
            ("7..", Some(7..u64::MAX)),
            ("..", Some(0..u64::MAX)),
            ("5..2", None),
            ("5", None),
            ("-1..2", None),
            ("1...2", None),
            ("a..b", None),
            ("", None),
        ];
        for (text, expected) in cases {
            assert_eq!(text.parse().ok(), expected.map(Numbers), "{text}");
        }
    }
}
