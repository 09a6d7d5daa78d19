//! The command line of `explain`.

use clap::Args;

use super::RowTextArgs;
use crate::{columns::ColumnsArg, names::InputArg};

#[derive(Debug, Args)]
pub(crate) struct ExplainArgs {
    /// The inputs to explain; `-` is standard input
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<InputArg>,
    /// List the bytes of these columns only; paths and patterns as for `cat`
    #[arg(long, value_name = "A,B")]
    pub(crate) columns: Option<ColumnsArg>,
    /// Write one JSON object for each file, on one line
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) text: RowTextArgs,
}
