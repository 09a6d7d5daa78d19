//! Checks options, and checks messages like a reader, without decoding arrays.

use std::collections::HashSet;

use arrow_data::Role;

use crate::error::RewriteError;
use arrow_ipc::{
    ContainerEncoder, DictionaryPolicy, FormatErrorKind, IpcErrorKind, NullSlots, Result, UnusedValues,
    WriteOptions, error::Context,
};
use arrow_ipc_format::{
    BatchView, DictionaryHeader, IpcSchema, Limits, Message, MessageKind, MetadataVersion, WrittenContainer,
    columns::{ExtraValidity, SchemaColumns},
};

/// A batch or dictionary whose metadata has been checked.
#[derive(Debug)]
pub(super) struct AcceptedBatch {
    pub(super) open: BatchView,
    /// The indices of the buffers that the output does not have, sorted.
    pub(super) left_out: Vec<usize>,
}

/// Checks that no option requires decoded arrays.
///
/// # Errors
/// If an option requires decoded arrays.
pub(super) fn options(schema: &IpcSchema, options: &WriteOptions) -> Result<()> {
    let what = match options {
        _ if options.endianness() != schema.endianness() => "what is to have another byte order",
        _ if options.null_slots() != NullSlots::Keep => "what is to have zeros in null slots",
        _ if options.unused_items() == UnusedValues::Remove
            || options.unused_values() != UnusedValues::Keep =>
        {
            "what is to leave out unused values"
        }
        _ if !matches!(options.dictionaries(), DictionaryPolicy::Replace) => {
            "what is to have other dictionaries"
        }
        _ => return Ok(()),
    };
    Err(RewriteError::NeedsDecoding { what }.into())
}

/// Checks the metadata of a message. Returns the parsed message of a batch; `None` for a tensor.
///
/// # Errors
/// If the message does not fit the schema or the container, or is invalid, unsupported or over a limit.
pub(super) fn message(
    message: &Message,
    columns: &SchemaColumns,
    limits: &Limits,
    written: WrittenContainer,
) -> Result<Option<AcceptedBatch>> {
    match message.kind() {
        MessageKind::Schema => Err(IpcErrorKind::SecondSchema.into()),
        MessageKind::Tensor | MessageKind::SparseTensor if written == WrittenContainer::File => {
            let (expected, found) =
                ("a batch or dictionary: files have no place for tensors", message.kind());
            Err(FormatErrorKind::UnexpectedMessage { expected, found }.into())
        }
        MessageKind::Tensor | MessageKind::SparseTensor => Ok(None),
        MessageKind::RecordBatch | MessageKind::DictionaryBatch => {
            let open = BatchView::parse(message.envelope().clone(), limits)?;
            let left_out = lists(&open, columns)?;
            Ok(Some(AcceptedBatch { open, left_out }))
        }
    }
}

/// Checks that a dictionary may follow the dictionaries with the ids `earlier`.
///
/// # Errors
/// If the message replaces a dictionary of a file, as in [`FileEncoder`](arrow_ipc::FileEncoder). If it is a delta of a
/// dictionary that has not been written.
pub(super) fn dictionary(
    message: DictionaryHeader,
    earlier: &HashSet<i64>,
    written: WrittenContainer,
) -> Result<()> {
    let DictionaryHeader { id, is_delta } = message;
    match (earlier.contains(&id), is_delta, written) {
        (true, false, WrittenContainer::File) => Err(IpcErrorKind::ReplacedDictionary { id }.into()),
        (false, true, _) => Err(IpcErrorKind::DeltaOfMissing { id }.into()),
        _ => Ok(()),
    }
}

/// Checks the lengths of the lists against the columns, and each node and buffer. Returns the indices of the buffers that
/// the output does not have: validity buffers of columns that have no bitmap.
pub(super) fn lists(open: &BatchView, columns: &SchemaColumns) -> Result<Vec<usize>> {
    let mut left_out = Vec::new();
    if let Some(columns) = columns.for_dictionary_id(open.dictionary().map(|it| it.id))? {
        let extra = columns.check_lists(open.list_lengths())?;
        let n_variadic = |idx| open.variadic_count(idx);
        left_out = columns.unspecified_buffers(open.envelope().version(), extra, n_variadic)?;
    }
    for (idx, extra) in &left_out {
        extra.check(open.buffer(*idx)?.n_bytes()).in_buffer(*idx, Some(Role::Validity))?;
    }
    (0..open.n_nodes()).try_for_each(|idx| open.node(idx).map(|_| ()))?;
    (0..open.n_buffers()).try_for_each(|idx| open.buffer(idx).map(|_| ()))?;
    Ok(left_out.into_iter().map(|(idx, _)| idx).collect())
}

/// Checks that the message can be written with the metadata version of the output. Only unions have different buffers
/// in V4 and V5.
///
/// # Errors
/// If the versions differ and the message has unions.
pub(super) fn version(open: &BatchView, encoder: &ContainerEncoder) -> Result<()> {
    if open.envelope().version() == encoder.options().version() {
        return Ok(());
    }
    let columns = encoder.columns().for_dictionary_id(open.dictionary().map(|it| it.id))?;
    let n_buffers =
        |version| columns.map(|columns| columns.n_fixed_buffers(ExtraValidity::specified(version)));
    if n_buffers(MetadataVersion::V4) == n_buffers(MetadataVersion::V5) {
        return Ok(());
    }
    Err(RewriteError::NeedsDecoding { what: "a union of another metadata version" }.into())
}
