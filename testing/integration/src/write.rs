//! Converts batches to JSON.

mod columns;
mod dictionaries;
mod values;

use std::fmt::Write;

use arrow_data::{RecordBatch, Validation};
use arrow_ipc::IpcSchema;
use arrow_schema::QuotedText;

use self::{columns::write_column, dictionaries::Dictionaries};
use crate::{
    error::Result,
    schema::{Node, schema_json, tree},
};

/// The text of a document, on one line.
pub(crate) fn write_document(schema: &IpcSchema, batches: &[RecordBatch]) -> Result<String> {
    let fields = tree(schema);
    // Values are read below, so they have to be where the arrays say.
    let batches: Vec<RecordBatch> =
        batches.iter().map(|batch| batch.clone().validate(Validation::Content)).collect::<Result<_, _>>()?;

    let mut out = format!("{{\"schema\":{}", schema_json(schema)?);
    let dictionaries = Dictionaries::of(&fields, &batches)?;
    if !dictionaries.is_empty() {
        out.push_str(",\"dictionaries\":");
        dictionaries.write(&mut out)?;
    }
    out.push_str(",\"batches\":[");
    for (idx, batch) in batches.iter().enumerate() {
        out.push_str(if idx == 0 { "" } else { "," });
        let written = write_batch(&mut out, &fields, batch);
        written.map_err(|error| error.in_item(idx).in_member("batches"))?;
    }
    out.push_str("]}");
    Ok(out)
}

fn write_batch(out: &mut String, fields: &[Node<'_>], batch: &RecordBatch) -> Result<()> {
    let _ = write!(out, "{{\"count\":{},\"columns\":[", batch.n_rows());
    for (idx, (node, column)) in fields.iter().zip(batch.columns()).enumerate() {
        out.push_str(if idx == 0 { "" } else { "," });
        let written = write_column(out, node.field.name(), column);
        written.map_err(|error| error.in_item(idx).in_member("columns"))?;
    }
    out.push_str("]}");
    Ok(())
}

/// Appends the start of a column: its name and its number of slots.
fn write_head(out: &mut String, name: &str, n_slots: usize) {
    let _ = write!(out, "{{\"name\":{},\"count\":{n_slots}", QuotedText(name));
}
