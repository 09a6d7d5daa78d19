//! The command line of `recover`.

use std::path::PathBuf;

use clap::Args;

use super::{PathsArgs, TargetArg, ThreadsArg};

#[derive(Debug, Args)]
#[command(after_help = "\
IN may be damaged anywhere, also at its start. Of one that gzip or Zstandard compressed, what \
decompresses before the damage is recovered. `-` is standard input.

Each batch is checked, and its message copied as it is; so columns stay what they are, and `convert` \
changes them afterwards. Standard error has the range of bytes of each loss, and its cause.

Exit status: 0 if all was recovered, 3 if something is lost, 1 if no schema can be read and none is \
given, so that nothing can be recovered.

Examples:
  arrow-ipc recover broken.arrow sound.arrow
  arrow-ipc recover cut.arrows sound.arrow
  arrow-ipc recover broken/*.arrow sound/
  arrow-ipc recover headless.arrow sound.arrow --schema yesterday.arrow
  arrow-ipc recover broken.arrow - --to stream | consumer")]
pub(crate) struct RecoverArgs {
    #[command(flatten)]
    pub(crate) paths: PathsArgs,
    /// The container [default: by the name of OUT: .arrows is a stream; .arrow, .feather and .ipc are files]
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub(crate) to: Option<TargetArg>,
    /// A file or stream with the columns of IN, or the output of `schema`, with or without --json. Its schema replaces that
    /// of IN, unless the schema message and the footer of IN agree
    #[arg(long, value_name = "FILE")]
    pub(crate) schema: Option<PathBuf>,
    /// Keep batches of a stream whose dictionaries may have been replaced in damaged bytes. They have wrong values if
    /// one was
    #[arg(long)]
    pub(crate) keep_dictionaries: bool,
    #[command(flatten)]
    pub(crate) threads: ThreadsArg,
}
