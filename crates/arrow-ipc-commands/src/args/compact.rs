//! The command line of `compact`.

use std::{num::NonZero, path::PathBuf};

use clap::Args;

use super::{CompressionArg, ThreadsArg, numbers::n_bytes};

#[derive(Debug, Args)]
pub(crate) struct CompactArgs {
    /// The folder of the data set
    #[arg(value_name = "FOLDER")]
    pub(crate) folder: PathBuf,
    /// Join small parts to parts of about BYTES; parts with more than half of BYTES stay unchanged
    #[arg(long, value_name = "BYTES", default_value = "256MiB", value_parser = n_bytes)]
    pub(crate) target_bytes: NonZero<u64>,
    /// Compress the bodies of new parts: none, lz4, zstd, or zstd with a level from 1 to 22: zstd:9 [default: the codec of the first
    /// part]
    #[arg(long, value_name = "CODEC")]
    pub(crate) compression: Option<CompressionArg>,
    /// Afterwards remove all earlier versions, the files that only these versions name, and files of writers that have
    /// not committed and have written nothing for 7 days. Readers of removed files get an error
    #[arg(long)]
    pub(crate) expire: bool,
    #[command(flatten)]
    pub(crate) threads: ThreadsArg,
}
