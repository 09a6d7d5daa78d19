//! The command lines of `concat` and `split`.

use std::num::NonZeroU64;

use arrow_ipc::{DictionaryMode, WrittenContainer};
use clap::Args;

use super::{
    ChangedColumnsArgs, CompressionArg, MetadataArgs, NumberRange, PathsArgs, RowTextArgs, RowsArgs,
    ThreadsArg,
    convert::{CONTAINERS, DICTIONARY_MODES},
    paths::PATHS,
    values::{at_least_1, n_bytes, one_of},
};
use crate::columns::ColumnsArg;

/// The help of the paths of `concat`.
const ONE_OUTPUT: &str = "\
    What to read, and last where to write. A file with data is replaced only if -o names it. \
    Inputs are files, streams or text of the same columns, as they are or by the options below. \
    A pattern in quotes, such as 'months/*.csv', is a list of texts. `-` is standard input or output";

#[derive(Debug, Args)]
#[command(mut_arg(PATHS, |paths| paths.help(ONE_OUTPUT)))]
pub(crate) struct ConcatArgs {
    #[command(flatten)]
    pub(crate) paths: PathsArgs,
    /// Write the columns of all inputs: what an input lacks is null, and types are those that hold the values of all, such as
    /// int64 for int32 and int64. A value that such a type would round is an error; an extension type stays if all inputs have it.
    /// Options for columns apply to the columns of all. Without this option, all inputs have the same columns
    #[arg(long)]
    pub(crate) union: bool,
    #[command(flatten)]
    pub(crate) rows: RowsArgs,
    #[command(flatten)]
    pub(crate) writing: AssemblyArgs,
    #[command(flatten)]
    pub(crate) text: RowTextArgs,
}

#[derive(Debug, Args)]
pub(crate) struct SplitArgs {
    #[command(flatten)]
    pub(crate) paths: PathsArgs,
    /// Write only these batches, counted from 0; B is not included: A..B, A.. or ..B
    #[arg(long, value_name = "A..B", conflicts_with_all = ["rows", "offset", "limit"])]
    pub(crate) batches: Option<NumberRange>,
    #[command(flatten)]
    pub(crate) parts: PartsArgs,
    #[command(flatten)]
    pub(crate) rows: RowsArgs,
    #[command(flatten)]
    pub(crate) writing: AssemblyArgs,
}

// How one input becomes several files.
#[derive(Debug, Args)]
pub(crate) struct PartsArgs {
    /// Write the rows of IN as N files of the same number of rows into the folder OUT, which must be empty:
    /// part-0.arrow and so on. Of the options under Rows, only --where is allowed: the rows are then copied to a
    /// temporary file first
    #[arg(long, help_heading = "Parts", value_name = "N", value_parser = at_least_1::<NonZeroU64>)]
    #[arg(conflicts_with_all = ["batches", "rows", "offset", "limit", "file_rows", "target_bytes", "by"])]
    pub(crate) into: Option<NonZeroU64>,
    /// Like --into, with N rows in each file; the last may have fewer
    #[arg(long, help_heading = "Parts", value_name = "N", value_parser = at_least_1::<NonZeroU64>)]
    #[arg(conflicts_with_all = ["batches", "rows", "offset", "limit", "target_bytes", "by"])]
    pub(crate) file_rows: Option<NonZeroU64>,
    /// Like --into, with about BYTES in each file, such as 128MB or 1GiB, by the sizes of the batches of IN
    #[arg(long, help_heading = "Parts", value_name = "BYTES", value_parser = n_bytes)]
    #[arg(conflicts_with_all = ["batches", "rows", "offset", "limit", "by"])]
    pub(crate) target_bytes: Option<NonZeroU64>,
    /// Write the rows of IN to a file for each value of these columns, in folders that readers of data sets know:
    /// OUT/day=2026-01-01/part-0.arrow. The files leave these columns out. The folder name __HIVE_DEFAULT_PARTITION__ means null. Batches
    /// have 65,536 rows, or --batch-rows
    #[arg(long, help_heading = "Parts", value_name = "A,B", conflicts_with = "batches")]
    pub(crate) by: Option<ColumnsArg>,
    /// Write at most this many files
    #[arg(
        long,
        help_heading = "Parts",
        value_name = "N",
        default_value_t = 500,
        allow_negative_numbers = true
    )]
    pub(crate) max_files: usize,
}

impl PartsArgs {
    /// Whether an option asks for several outputs.
    pub(crate) fn are_given(&self) -> bool {
        self.into.is_some() || self.file_rows.is_some() || self.target_bytes.is_some() || self.by.is_some()
    }
}

// How the output is written.
#[derive(Debug, Args)]
pub(crate) struct AssemblyArgs {
    /// The container [default: by the name of OUT: .arrows and `-` are streams; .arrow, .feather and .ipc are files]
    #[arg(long, help_heading = "Output", value_name = "FORMAT", value_parser = one_of(CONTAINERS))]
    pub(crate) to: Option<WrittenContainer>,
    /// Divide and join batches to this many rows; the last may have fewer. Without this option, batches keep their rows
    #[arg(long, help_heading = "Output", value_name = "N", value_parser = at_least_1::<NonZeroU64>)]
    pub(crate) batch_rows: Option<NonZeroU64>,
    /// Compress bodies, like `convert` [default: batches keep their codec; new batches get that of the first batch]
    #[arg(long, help_heading = "Output", value_name = "CODEC")]
    pub(crate) compression: Option<CompressionArg>,
    /// What to do if a dictionary changes, or differs between inputs
    #[arg(long, help_heading = "Output", value_name = "HOW", default_value = "replace", value_parser = one_of(DICTIONARY_MODES))]
    pub(crate) dictionaries: DictionaryMode,
    #[command(flatten)]
    pub(crate) columns: ChangedColumnsArgs,
    #[command(flatten)]
    pub(crate) metadata: MetadataArgs,
    #[command(flatten)]
    pub(crate) threads: ThreadsArg,
}
