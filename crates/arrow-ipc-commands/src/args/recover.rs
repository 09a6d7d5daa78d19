//! The command line of `recover`.

use std::path::PathBuf;

use arrow_ipc::WrittenContainer;
use clap::Args;

use super::{PathsArgs, ThreadsArg, choices::one_of, convert::CONTAINERS};

#[derive(Debug, Args)]
pub(crate) struct RecoverArgs {
    #[command(flatten)]
    pub(crate) paths: PathsArgs,
    /// The container [default: by the name of OUT: .arrows is a stream; .arrow, .feather and .ipc are files]
    #[arg(long, value_name = "FORMAT", value_parser = one_of(CONTAINERS))]
    pub(crate) to: Option<WrittenContainer>,
    /// A file with the schema of IN: an Arrow file or stream with the same columns, or the output of `schema`, with or
    /// without --json. This schema replaces that of IN, unless the schema message and the footer of IN agree
    #[arg(long, value_name = "FILE")]
    pub(crate) schema: Option<PathBuf>,
    /// Keep batches of a stream whose dictionaries may have been replaced in damaged bytes. If one was replaced, these
    /// batches have wrong values
    #[arg(long)]
    pub(crate) keep_dictionaries: bool,
    #[command(flatten)]
    pub(crate) threads: ThreadsArg,
}
