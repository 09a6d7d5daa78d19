//! Copies the lists of a message, except its buffers.

use arrow_buffer::Buffer;

use crate::{
    error::{IpcErrorKind, Result},
    message::{BatchLists, Message, OpenBatch},
    segment::Segments,
    stream::MessageOutput,
};

/// Adds a message with the nodes and variadic counts of `source`. `fill` adds the buffers.
pub(super) fn reframed(
    output: &mut MessageOutput,
    source: &OpenBatch,
    fill: impl FnOnce(&mut BatchLists, &mut Segments) -> Result<u64>,
) -> Result<()> {
    output.add_listed(source.dictionary, source.n_rows, &source.custom_metadata, |lists, to| {
        for idx in 0..source.nodes.len() {
            let node = source.node(idx)?;
            lists.add_read_node(node.n_slots(), node.n_nulls());
        }
        for idx in 0..source.variadic_counts.len() {
            lists.add_variadic_count(source.variadic_count(idx)?);
        }
        fill(lists, to)
    })
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
