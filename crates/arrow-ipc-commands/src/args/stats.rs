//! The arguments of `stats`.

use clap::Args;

use super::{RowTextArgs, RowsArgs, ThreadsArg};
use crate::{columns::ColumnsArg, names::InputArg};

#[derive(Debug, Args)]
pub(crate) struct StatsArgs {
    /// The inputs to describe; `-` is standard input. For pipes, the sizes of columns are not known
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<InputArg>,
    /// Only these columns, in this order; paths and patterns as for `cat`
    #[arg(long, value_name = "A,B")]
    pub(crate) columns: Option<ColumnsArg>,
    #[command(flatten)]
    pub(crate) rows: RowsArgs,
    /// Show one column after the other, for narrow terminals
    #[arg(long, conflicts_with = "json")]
    pub(crate) vertical: bool,
    /// Write one JSON object for each file, on one line
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) text: RowTextArgs,
    #[command(flatten)]
    pub(crate) threads: ThreadsArg,
}
