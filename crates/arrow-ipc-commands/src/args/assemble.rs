//! The command lines of `concat` and `split`.

use std::num::NonZeroU64;

use clap::Args;

use super::{
    ChangedColumnsArgs, CompressionArg, DictionariesArg, NumberRange, PathsArgs, RowsArgs, TargetArg,
    ThreadsArg, help_end, numbers::at_least_1, paths::PATHS,
};
/// The paths of `concat`.
const ONE_OUTPUT: &str = "\
    What to read: files or streams of the same columns, as they are or by the options below; and last where to write. `-` is \
    standard input or output. A file is replaced, once the new one is complete";

#[derive(Debug, Args)]
#[command(after_help = help_end!(
    "Each IN",
    "arrow-ipc concat monday.arrow tuesday.arrow week.arrow",
    "arrow-ipc concat part-*.arrows all.arrow --target-rows 1000000",
    "arrow-ipc concat old.arrow new.arrow all.arrow --columns id,name --cast id=int64",
    "arrow-ipc concat a.arrow b.arrow - --to stream | consumer"
), mut_arg(PATHS, |paths| paths.help(ONE_OUTPUT)))]
pub(crate) struct ConcatArgs {
    #[command(flatten)]
    pub(crate) paths: PathsArgs,
    #[command(flatten)]
    pub(crate) rows: RowsArgs,
    #[command(flatten)]
    pub(crate) writing: AssemblyArgs,
}

#[derive(Debug, Args)]
#[command(after_help = help_end!(
    "IN",
    "arrow-ipc split people.arrow first.arrow --batches 0..10",
    "arrow-ipc split people.arrow some.arrow --rows 1000..2000",
    "arrow-ipc split people.arrow even.arrow --target-rows 65536",
    "arrow-ipc split *.arrow cut/ --target-rows 65536"
))]
pub(crate) struct SplitArgs {
    #[command(flatten)]
    pub(crate) paths: PathsArgs,
    /// Write only these batches, counted from 0; B is not included: A..B, A.. or ..B
    #[arg(long, value_name = "A..B", conflicts_with_all = ["rows", "offset", "limit"])]
    pub(crate) batches: Option<NumberRange>,
    #[command(flatten)]
    pub(crate) rows: RowsArgs,
    #[command(flatten)]
    pub(crate) writing: AssemblyArgs,
}

/// How the output is written.
#[derive(Debug, Args)]
pub(crate) struct AssemblyArgs {
    /// The container [default: by the name of OUT: .arrows is a stream; .arrow, .feather and .ipc are files]
    #[arg(long, help_heading = "Output", value_enum, value_name = "FORMAT")]
    pub(crate) to: Option<TargetArg>,
    /// Cut and join batches to this many rows; the last may have fewer. Without this, batches stay what they are
    #[arg(long, help_heading = "Output", value_name = "N", alias = "batch-rows", value_parser = at_least_1::<NonZeroU64>)]
    pub(crate) target_rows: Option<NonZeroU64>,
    /// Compress bodies, as `convert` does [default: batches keep their codec; new ones get that of the first]
    #[arg(long, help_heading = "Output", value_name = "CODEC")]
    pub(crate) compression: Option<CompressionArg>,
    /// What to do when a dictionary changes, or is another one in another input
    #[arg(long, help_heading = "Output", value_enum, value_name = "HOW", default_value_t = DictionariesArg::Replace)]
    pub(crate) dictionaries: DictionariesArg,
    #[command(flatten)]
    pub(crate) columns: ChangedColumnsArgs,
    #[command(flatten)]
    pub(crate) threads: ThreadsArg,
}
