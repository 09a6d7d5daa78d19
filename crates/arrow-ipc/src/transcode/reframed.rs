//! Encodes a message again, for a body with other buffers.

use std::collections::HashSet;

use arrow_buffer::Buffer;

use super::check;
use crate::{
    error::{IpcErrorKind, Result},
    file::ContainerEncoder,
    message::{BatchLists, Message, OpenBatch},
    segment::{Segments, encoded::Encoded},
};

/// Encodes a batch or dictionary again, with buffers that `fill` adds. `fill` returns the number of bytes of the body
/// that the caller writes.
pub(super) fn reframed<'a>(
    encoder: &'a mut ContainerEncoder,
    dictionaries: &mut HashSet<i64>,
    source: &OpenBatch,
    fill: impl FnOnce(&mut BatchLists, &mut Segments) -> Result<u64>,
) -> Result<Encoded<'a>> {
    check::version(source, encoder)?;
    let fill_lists = |lists: &mut BatchLists, to: &mut Segments| {
        for idx in 0..source.nodes.len() {
            let node = source.node(idx)?;
            lists.add_read_node(node.n_slots(), node.n_nulls());
        }
        for idx in 0..source.variadic_counts.len() {
            lists.add_variadic_count(source.variadic_count(idx)?);
        }
        fill(lists, to)
    };
    let (kind, n_rows, metadata) = (source.dictionary, source.n_rows, &source.custom_metadata);
    let encoded = encoder.add_message(|output| output.add_listed(kind, n_rows, metadata, fill_lists))?;
    dictionaries.extend(kind.map(|it| it.id));
    Ok(encoded)
}

/// # Errors
/// If the message has no body in memory.
pub(super) fn whole(message: &Message) -> Result<&Buffer> {
    let (needed, available) = (message.n_body_bytes(), message.body.len() as u64);
    if needed == available {
        return Ok(&message.body);
    }
    Err(IpcErrorKind::Truncated { what: "body", needed, available }.into())
}
