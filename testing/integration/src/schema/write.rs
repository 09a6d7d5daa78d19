//! From a schema to JSON.

use std::fmt::Write;

use arrow_schema::{Metadata, Quoted};

use super::Node;
use crate::{
    separated::separated,
    types::{write_index_type, write_type},
};

/// Appends the JSON of a schema.
pub(crate) fn write_schema(out: &mut String, fields: &[Node<'_>], metadata: &Metadata) {
    out.push_str("{\"fields\":");
    write_fields(out, fields);
    write_metadata(out, metadata);
    out.push('}');
}

fn write_fields(out: &mut String, fields: &[Node<'_>]) {
    separated(out, fields, |out, node| {
        let field = node.field;
        let _ = write!(out, "{{\"name\":{},", Quoted(field.name()));
        let _ = write!(out, "\"nullable\":{},\"type\":", field.is_nullable());
        write_type(out, field.data_type());
        out.push_str(",\"children\":");
        write_fields(out, &node.children);
        if let (Some(id), Some(dictionary)) = (node.id, field.data_type().as_dictionary()) {
            let _ = write!(out, ",\"dictionary\":{{\"id\":{id},\"indexType\":");
            write_index_type(out, dictionary.index());
            let _ = write!(out, ",\"isOrdered\":{}}}", dictionary.is_ordered());
        }
        write_metadata(out, field.metadata());
        out.push('}');
    });
}

/// A key or value that is absent is written as an empty one: documents know no difference.
fn write_metadata(out: &mut String, metadata: &Metadata) {
    if metadata.is_empty() {
        return;
    }
    out.push_str(",\"metadata\":");
    separated(out, metadata, |out, (key, value)| {
        let (key, value) = (Quoted(key.unwrap_or("")), Quoted(value.unwrap_or("")));
        let _ = write!(out, "{{\"key\":{key},\"value\":{value}}}");
    });
}
