//! What takes the bytes of an input, as lines of a table.

use arrow_ipc::Container;
use arrow_text::format::Counted;

use crate::{
    describe::percent_of,
    explain::{ColumnCost, Explanation},
};

/// A part of an input.
#[derive(Debug, Clone, Copy)]
pub(crate) enum CostPart<'a> {
    /// A column, and its decompressed length if that is known, and differs.
    Column(&'a ColumnCost, Option<u64>),
    /// All further columns.
    OtherColumns(u64),
    /// All that belongs to no column.
    Rest(&'static str),
}

/// A part of an input, and its length in bytes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CostLine<'a> {
    pub(crate) n_bytes: u64,
    /// The length of the input.
    pub(crate) n_all_bytes: u64,
    pub(crate) part: CostPart<'a>,
}

impl CostLine<'_> {
    /// The share of the input, in percent.
    pub(crate) fn share(&self) -> String {
        percent_of(self.n_bytes, self.n_all_bytes)
    }
}

/// The parts of an input: at most `max_columns` columns, the longest first, and all else. Empty if the input has no bytes. A
/// pipe does not show bytes outside of messages.
pub(crate) fn cost_lines<'a>(it: &'a Explanation, max_columns: usize) -> Vec<CostLine<'a>> {
    let n_all_bytes = it.n_bytes.unwrap_or_else(|| it.n_body_bytes.saturating_add(it.n_metadata_bytes));
    if n_all_bytes == 0 {
        return Vec::new();
    }
    let line = |n_bytes, part| CostLine { n_bytes, n_all_bytes, part };
    let column = |cost: &'a ColumnCost| {
        let ColumnCost { n_bytes, n_decompressed_bytes, .. } = *cost;
        let is_shorter = |whole: &u64| *whole != n_bytes && !it.codecs.is_empty();
        line(n_bytes, CostPart::Column(cost, n_decompressed_bytes.filter(is_shorter)))
    };
    let mut lines: Vec<CostLine<'_>> = it.columns.iter().take(max_columns).map(column).collect();
    if let Some(others) = it.columns.get(max_columns..).filter(|others| !others.is_empty()) {
        let n_bytes = others.iter().fold(0, |sum: u64, cost| sum.saturating_add(cost.n_bytes));
        lines.push(line(n_bytes, CostPart::OtherColumns(others.len() as u64)));
    }
    let metadata = if it.container == Container::File {
        "metadata of messages, and the footer"
    } else {
        "metadata of messages"
    };
    let rest = [
        (it.n_tensor_bytes, if it.n_tensors == 1 { "the tensor" } else { "tensors" }),
        (it.n_unknown_bytes, "bodies of unknown content"),
        (it.n_metadata_bytes, metadata),
        (it.n_padding_bytes, "padding"),
        (it.n_other_bytes, "other bytes"),
    ];
    let rest = rest.into_iter().filter(|(n_bytes, _)| *n_bytes > 0);
    lines.extend(rest.map(|(n_bytes, what)| line(n_bytes, CostPart::Rest(what))));
    lines
}

/// The name of a column as the command `schema` shows an empty one.
pub(crate) fn shown_name(cost: &ColumnCost) -> &str {
    if cost.name.is_empty() { "\"\"" } else { &cost.name }
}

/// The words for columns that are not listed.
pub(crate) fn other_columns(n_columns: u64) -> &'static str {
    if n_columns == 1 { "more column" } else { "more columns" }
}

/// A sentence about bytes that are missing; `None` if none are.
pub(crate) fn missing_bytes(it: &Explanation) -> Option<String> {
    let n_bytes = it.n_missing_bytes;
    (n_bytes > 0).then(|| format!("{} more are missing: bodies are cut off.", Counted(n_bytes, "byte")))
}
