//! Shows columns below each other, each as lines of a label and a value. Useful if a terminal is too narrow for a
//! table.

use std::io::{self, Write};

use arrow_ipc_report::stats_cells;
use arrow_ipc_tools::Summary;
use arrow_schema::QuotedName;
use arrow_text::format::Escaped;

use crate::{context::Context, terminal::color::TextRole};

/// Writes the statistics of each column.
///
/// # Errors
/// If the output cannot be written.
pub(super) fn write_vertical(context: &Context, summary: &Summary, out: &mut impl Write) -> io::Result<()> {
    for column in &summary.columns {
        let field = &column.field;
        let title = format!("{}: {}", QuotedName(field.name()), field.data_type());
        writeln!(out, "{}", context.on_stdout(TextRole::Title, Escaped(&title)))?;
        let cells: Vec<_> = stats_cells(summary, column).collect();
        let n_chars = cells.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
        for (name, text) in cells {
            writeln!(out, "  {name:n_chars$}  {}", Escaped(text.trim_end()))?;
        }
        writeln!(out)?;
    }
    Ok(())
}
