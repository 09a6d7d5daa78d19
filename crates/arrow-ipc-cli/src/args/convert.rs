//! The command line of `convert`: what to write, and how.

use clap::{Args, ValueEnum};

use super::help_end;
use crate::{input::InputName, output::OutputName};

#[derive(Debug, Args)]
#[command(after_help = help_end!(
    "IN",
    "arrow-ipc convert people.arrows people.arrow",
    "producer | arrow-ipc convert - people.arrow",
    "arrow-ipc convert people.arrow - --to stream | consumer",
    "arrow-ipc convert people.arrow old.arrow --metadata-version 4 --legacy-framing"
))]
pub(crate) struct ConvertArgs {
    /// What to read; `-` is standard input
    #[arg(value_name = "IN")]
    pub(crate) input: InputName,
    /// Where to write; `-` is standard output. A file appears only when it is complete
    #[arg(value_name = "OUT")]
    pub(crate) output: OutputName,
    /// What to write [default: what the name of OUT says: .arrows is a stream; .arrow, .feather and .ipc are files]
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub(crate) to: Option<Target>,
    #[command(flatten)]
    pub(crate) writing: WritingArgs,
}

/// How it is written. What IN is written like makes no difference.
#[derive(Debug, Args)]
pub(crate) struct WritingArgs {
    /// Write metadata of this version; 4 is for readers from before Arrow 1.0
    #[arg(long, value_enum, value_name = "VERSION", default_value_t = Version::V5)]
    pub(crate) metadata_version: Version,
    /// Write messages as before Arrow 0.15, without the mark before their length; goes with --metadata-version 4
    #[arg(long)]
    pub(crate) legacy_framing: bool,
    /// Write numbers in this byte order [default: that of this machine]
    #[arg(long, value_enum, value_name = "ORDER")]
    pub(crate) endian: Option<Endian>,
}

/// What `convert` writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Target {
    /// An Arrow IPC stream
    Stream,
    /// An Arrow IPC file
    File,
}

/// A version of the metadata.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Version {
    #[value(name = "4")]
    V4,
    #[value(name = "5")]
    V5,
}

/// A byte order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Endian {
    Little,
    Big,
}
