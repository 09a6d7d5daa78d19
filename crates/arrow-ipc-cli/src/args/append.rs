//! The command line of `append`.

use std::path::PathBuf;

use arrow_ipc::DictionaryPolicy;
use clap::Args;

use super::{ChangedColumnsArgs, CompressionArg, RowsArgs, ThreadsArg, values::one_of};
use crate::names::{InputArg, OutputName};

#[derive(Debug, Args)]
pub(crate) struct AppendArgs {
    /// The Arrow IPC file to append to. If an input fails, the file is unchanged. After a crash it still ends with a
    /// complete footer, but may be longer: `validate` reports batches that do not count, and the next `append` removes
    /// them. If FILE was damaged otherwise, so that other bytes follow its footer or another file is inside it, it is refused
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// The inputs to append: files and streams with the columns of FILE, unchanged or changed by the options below; `-`
    /// is standard input
    #[arg(required = true, value_name = "IN")]
    pub(crate) inputs: Vec<InputArg>,
    /// Leave FILE unchanged, and write another file, which is replaced if it is there
    #[arg(long, value_name = "OUT")]
    pub(crate) to: Option<OutputName>,
    /// Compress new bodies: none, lz4, zstd, or zstd with a level from 1 (default) to 22 (slowest): zstd:9; negative levels are
    /// faster [default: the codec of the last batch of FILE]
    #[arg(long, help_heading = "Output", value_name = "CODEC")]
    pub(crate) compression: Option<CompressionArg>,
    /// What to do with a batch whose dictionaries differ from those of FILE
    #[arg(long, help_heading = "Output", value_name = "HOW", default_value = "refuse", value_parser = one_of(NEW_VALUES))]
    pub(crate) dictionaries: DictionaryPolicy,
    /// Start new bodies, and new buffers that are at least BYTES long, at multiples of BYTES: a power of two from 8 to 65536
    #[arg(long, help_heading = "Output", value_name = "BYTES", default_value_t = 64)]
    pub(crate) alignment: usize,
    #[command(flatten)]
    pub(crate) rows: RowsArgs,
    #[command(flatten)]
    pub(crate) columns: ChangedColumnsArgs,
    #[command(flatten)]
    pub(crate) threads: ThreadsArg,
}

/// What to do with batches whose dictionaries differ from those of the file.
const NEW_VALUES: &[(&str, DictionaryPolicy, &str)] = &[
    ("refuse", DictionaryPolicy::Replace, "Refuse the batch: all readers support files with one dictionary"),
    (
        "delta",
        DictionaryPolicy::Delta,
        "Find its values in the dictionary of FILE, and append new ones. Not all readers support appended values in files",
    ),
];
