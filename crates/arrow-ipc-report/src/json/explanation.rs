//! An explanation as JSON.

use arrow_ipc::{Container, Endianness};
use serde_json::Value;

use super::{display, object};
use crate::{
    explain::{ColumnCost, Explanation, Finding},
    explanation_text::{RemedyCommand, finding_text},
};

/// Writes an explanation as one JSON object, with the members that JSON.md of the repository lists.
pub fn explanation_as_json(explanation: &Explanation) -> Value {
    let it = explanation;
    let kind = if it.container == Container::File { "file" } else { "stream" };
    let endianness = it.endianness.map(|order| if order == Endianness::Big { "big" } else { "little" });
    let (least, most) = it.batch_rows.unzip();
    let statistics = it.statistics.as_ref().map(|statistics| {
        object(vec![
            ("n_bytes", Value::from(statistics.n_bytes)),
            ("n_columns", Value::from(statistics.n_columns)),
        ])
    });
    object(vec![
        ("container", Value::from(kind)),
        ("n_bytes", Value::from(it.n_bytes)),
        ("metadata_version", it.version.map_or(Value::Null, |version| Value::from(format!("{version:?}")))),
        ("endianness", Value::from(endianness)),
        ("writer", Value::from(it.writer)),
        ("n_streams", Value::from(it.n_streams)),
        ("n_columns", Value::from(it.n_columns)),
        ("n_batches", Value::from(it.n_batches)),
        ("n_truncated_batches", Value::from(it.n_truncated_batches)),
        ("n_unreadable_batches", Value::from(it.n_unreadable_batches)),
        ("n_rows", Value::from(it.n_rows)),
        ("min_batch_rows", Value::from(least)),
        ("max_batch_rows", Value::from(most)),
        ("n_dictionary_batches", Value::from(it.n_dictionary_batches)),
        ("n_dictionary_values", Value::from(it.n_dictionary_values)),
        ("n_tensors", Value::from(it.n_tensors)),
        ("codecs", Value::Array(it.codecs.iter().map(display).collect())),
        ("n_body_bytes", Value::from(it.n_body_bytes)),
        ("n_missing_bytes", Value::from(it.n_missing_bytes)),
        ("n_decompressed_bytes", Value::from(it.n_decompressed_bytes)),
        ("n_metadata_bytes", Value::from(it.n_metadata_bytes)),
        ("n_padding_bytes", Value::from(it.n_padding_bytes)),
        ("n_tensor_bytes", Value::from(it.n_tensor_bytes)),
        ("n_unknown_bytes", Value::from(it.n_unknown_bytes)),
        ("n_other_bytes", Value::from(it.n_other_bytes)),
        ("statistics", statistics.unwrap_or(Value::Null)),
        ("copies", Value::Array(it.copies.iter().map(|cause| Value::from(cause.name())).collect())),
        ("columns", Value::Array(it.columns.iter().map(cost_as_json).collect())),
        ("findings", Value::Array(it.findings.iter().map(finding_as_json).collect())),
    ])
}

fn cost_as_json(cost: &ColumnCost) -> Value {
    object(vec![
        ("name", Value::from(cost.name.as_str())),
        ("type", Value::from(cost.data_type.as_str())),
        ("n_bytes", Value::from(cost.n_bytes)),
        ("n_decompressed_bytes", Value::from(cost.n_decompressed_bytes)),
    ])
}

fn finding_as_json(finding: &Finding) -> Value {
    let remedy = finding.remedy.as_ref().map(|remedy| {
        let RemedyCommand { command, options } = RemedyCommand::new(remedy);
        let options = options.into_iter().map(Value::from).collect();
        object(vec![("command", Value::from(command)), ("options", Value::Array(options))])
    });
    object(vec![
        ("finding", Value::from(finding.kind.name())),
        ("text", Value::from(finding_text(&finding.kind))),
        ("remedy", remedy.unwrap_or(Value::Null)),
    ])
}
