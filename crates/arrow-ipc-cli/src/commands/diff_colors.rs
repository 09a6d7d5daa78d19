//! Colours of differences: positions are bold, values of A red, values of B green.

use std::fmt::Write as _;

use arrow_ipc_report::DiffSummaryText;
use arrow_ipc_tools::diff::DiffSummary;
use arrow_text::format::Escaped;

use crate::{context::Context, terminal::color::TextRole};

/// The summary on one line. Its first word has a colour.
pub(crate) fn summary(context: &Context, summary: &DiffSummary) -> String {
    let line = Escaped(&DiffSummaryText(summary).to_string()).to_string();
    let look = if summary.is_same != Some(false) { TextRole::OnlyB } else { TextRole::OnlyA };
    match line.split_once(':') {
        Some((word, rest)) => format!("{}:{rest}", context.on_stdout(look, word)),
        None => line,
    }
}

/// Colours a line like `PLACE: … in A, … in B`, or `PLACE: …, only in A`. Other lines are unchanged. Names and values
/// that contain these words get wrong colours.
pub(crate) fn difference(context: &Context, line: &str) -> String {
    let Some((location, rest)) = line.split_once(": ") else { return line.to_owned() };
    let mut painted = format!("{}: ", context.on_stdout(TextRole::Title, location));
    let pieces = rest.split_once(" in A, ").and_then(|(a, rest)| Some((a, rest.rsplit_once(" in B")?)));
    // Writing to a `String` cannot fail.
    let _ = match pieces {
        Some((a, (b, rest))) => {
            write!(
                painted,
                "{} in A, {} in B{rest}",
                context.on_stdout(TextRole::OnlyA, a),
                context.on_stdout(TextRole::OnlyB, b)
            )
        }
        None if rest.ends_with(", only in A") => {
            write!(painted, "{}", context.on_stdout(TextRole::OnlyA, rest))
        }
        None if rest.ends_with(", only in B") => {
            write!(painted, "{}", context.on_stdout(TextRole::OnlyB, rest))
        }
        None => write!(painted, "{rest}"),
    };
    painted
}
