//! Inspects one message: compares its metadata with the schema, earlier messages, and the footer.

use arrow_ipc::{
    BufferMap, Container, IpcError, IpcErrorKind,
    message::{Header, Message},
};
use arrow_ipc_tensor::AnyTensorHeader;

use super::{
    inspection::Inspection,
    lengths::{CompressedBody, Length},
    view::{InspectItem, Listing, MessageView, batch_of},
};
use crate::error::{ToolError, ToolErrorKind};

impl Inspection<'_> {
    pub(super) fn message(
        &mut self,
        message: &Message,
        index: Option<u64>,
        listing: Listing,
    ) -> Result<(), ToolError> {
        let header = self.buffers.header(message, &self.limits);
        let (header, tensor) = match header {
            Ok(header @ (Header::Tensor | Header::SparseTensor)) => {
                match AnyTensorHeader::try_from_message(message, &self.limits) {
                    Ok(tensor) => (Ok(header), Some(tensor)),
                    Err(error) => (Err(error), None),
                }
            }
            header => (header, None),
        };
        match &header {
            Ok(Header::Schema(schema)) => {
                self.footer_schema = None;
                self.name_buffers(schema)?;
            }
            Ok(Header::RecordBatch(_) | Header::DictionaryBatch { .. }) => self.use_footer_schema()?,
            _ => {}
        }
        self.has_tensors |= matches!(header, Ok(Header::Tensor | Header::SparseTensor));
        let is_replacement = match &header {
            Ok(Header::DictionaryBatch { id, is_delta, .. }) => self.dictionary_ids.contains(id) && !is_delta,
            _ => false,
        };
        let contradiction =
            header.as_ref().ok().and_then(|header| self.contradiction(message, header, listing));
        let buffer_map = self.buffers.message_map(&header, message.version());
        let metadata = message.custom_metadata().map_err(IpcError::from);
        if let (Ok(Header::Schema(schema)), Ok(whole), None) = (&header, &metadata, &self.schema) {
            self.schema = Some((schema.clone(), whole.clone()));
        }
        let batch = header.as_ref().ok().and_then(batch_of);
        let compression = batch.and_then(|(_, batch)| CompressedBody::read(message, batch, &self.bodies));
        let structure = match (&header, &buffer_map) {
            (Ok(header), Some(Ok(map))) => structure_error(message, map, header, compression.as_ref()),
            _ => None,
        };
        let n_body_bytes = message.n_body_bytes();
        let body_end = message.body_position().saturating_add(n_body_bytes);
        let n_missing_bytes = self.end.map_or(0, |end| body_end.saturating_sub(end).min(n_body_bytes));
        let view = MessageView {
            message,
            index,
            header,
            tensor,
            is_replacement,
            compression,
            metadata,
            buffer_map,
            shown_fields: self.buffers.shown_fields(),
            listing,
            n_missing_bytes,
            contradiction: contradiction.or(structure),
        };
        if let Some(unused) = &mut self.unused {
            unused.message(&view, &self.bodies);
        }
        self.report.observe(InspectItem::Message(&view))?;
        let MessageView { header, compression, metadata, buffer_map, contradiction, .. } = view;
        let compression = compression.and_then(|compression| compression.error);
        let buffers = buffer_map.and_then(Result::err);
        let errors = [header.err(), metadata.err(), compression, buffers, contradiction];
        for error in errors.into_iter().flatten() {
            let position = message.position();
            self.damaged(ToolErrorKind::Message { index, position, error });
        }
        Ok(())
    }

    /// The reason why a message cannot be decoded, although its metadata is readable. Also records the dictionaries
    /// that the message defines or needs.
    fn contradiction(&mut self, message: &Message, header: &Header, listing: Listing) -> Option<IpcError> {
        let is_stream = self.container == Container::Stream;
        let listed = match (&self.footer, listing) {
            (Some(footer), Listing::Block(block_idx)) => footer.check_block(block_idx, message, header).err(),
            _ => None,
        };
        let kind = match header {
            Header::Schema(_) if is_stream && self.schema.is_some() => Some(IpcErrorKind::SecondSchema),
            Header::DictionaryBatch { id, is_delta, .. } => {
                let is_first = self.dictionary_ids.insert(*id);
                match (is_first, is_delta) {
                    (true, true) if is_stream => Some(IpcErrorKind::DeltaOfMissing { id: *id }),
                    (false, false) if matches!(listing, Listing::Block(_)) => {
                        Some(IpcErrorKind::SecondDictionary { id: *id })
                    }
                    _ => None,
                }
            }
            Header::Schema(_) | Header::RecordBatch(_) | Header::Tensor | Header::SparseTensor => None,
        };
        let missing = self.missing_dictionary(message, header);
        listed.or(kind.or(missing).map(IpcError::from))
    }

    /// The error if a message has valid indices into a dictionary that was not defined before. In a file, a later
    /// message may still define the dictionary, so its id is only recorded.
    fn missing_dictionary(&mut self, message: &Message, header: &Header) -> Option<IpcErrorKind> {
        let map = self.buffers.map()?;
        let (dictionary, batch) = batch_of(header)?;
        for (node_idx, node) in batch.nodes().iter().enumerate() {
            let has_valid_slots = node.null_count().is_some_and(|null_count| null_count < node.n_slots());
            let id = if has_valid_slots { map.dictionary_of(dictionary, node_idx) } else { None };
            let Some(id) = id.filter(|id| !self.dictionary_ids.contains(id)) else { continue };
            if self.container == Container::Stream {
                return Some(IpcErrorKind::MissingDictionary { id });
            }
            self.needed_ids.entry(id).or_insert((message.index(), message.position()));
        }
        None
    }

    /// Reports the dictionaries that batches of a file need, but no message defines.
    pub(super) fn check_needed_ids(&mut self) {
        for (id, (index, position)) in std::mem::take(&mut self.needed_ids) {
            if !self.dictionary_ids.contains(&id) {
                let error = IpcErrorKind::MissingDictionary { id }.into();
                self.damaged(ToolErrorKind::Message { index: Some(index), position, error });
            }
        }
    }
}

/// The error if a batch contradicts the schema or itself.
fn structure_error(
    message: &Message,
    map: &BufferMap,
    header: &Header,
    compression: Option<&CompressedBody>,
) -> Option<IpcError> {
    let (dictionary, batch) = batch_of(header)?;
    let checked = map.check(dictionary, batch, message.version(), |buffer_idx, range| match compression {
        None => Some(range.n_bytes()),
        Some(body) => body.length(buffer_idx).map(Length::n_bytes),
    });
    checked.err().map(IpcError::from)
}
