//! The command line of `explain`.

use clap::Args;

use super::help_end;
use crate::names::InputName;

#[derive(Debug, Args)]
#[command(after_help = help_end!(
    "FILE",
    "arrow-ipc explain people.arrow",
    "arrow-ipc explain --json people.arrow | jq '.findings[].finding'"
))]
pub(crate) struct ExplainArgs {
    /// What to explain; `-` is standard input
    pub(crate) file: InputName,
    /// Write one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}
