//! The metadata of a record batch or dictionary batch. It is read once, except for its lists, which stay where they are.

use arrow_ipc_format::flatbuf as fb;
use arrow_schema::Metadata;
use planus::Vector;

use super::{Head, HeaderLists, batch_header::parse_codec, experimental::experimental_codec};
use crate::{
    error::{IpcErrorKind, Result, WireResult},
    limits::Limits,
    protocol::{Codec, MessageKind},
    schema::n_decoded_bytes,
    wire::{not_negative, required},
};

/// What a record batch or dictionary batch says.
#[derive(Debug)]
pub(crate) struct BatchMessage {
    head: Head,
    n_rows: u64,
    compression: Option<Codec>,
    custom_metadata: Metadata,
    dictionary: Option<DictionaryMessage>,
}

/// The id and kind of a dictionary batch.
#[derive(Debug, Clone, Copy)]
pub(crate) struct DictionaryMessage {
    pub(crate) id: i64,
    pub(crate) is_delta: bool,
}

impl BatchMessage {
    /// Reads all but the lists.
    ///
    /// # Errors
    /// If the message is no batch, or is malformed, unsupported or over a limit.
    pub(crate) fn parse(head: Head, limits: &Limits) -> Result<BatchMessage> {
        Ok(BatchMessage::decode(head, limits)?)
    }

    fn decode(head: Head, limits: &Limits) -> WireResult<BatchMessage> {
        let (message, header) = head.open()?;
        let (batch, dictionary) = tables(header, head.kind())?;
        let dictionary = match dictionary {
            Some(table) => Some(DictionaryMessage { id: table.id()?, is_delta: table.is_delta()? }),
            None => None,
        };
        let custom_metadata = head.decode_custom_metadata(message, limits)?;
        let experimental = experimental_codec(head.version(), &custom_metadata)?;
        let n_rows = not_negative(batch.length()?, "the length of the batch")?;
        Limits::check("rows", n_rows, limits.max_slots)?;
        let compression = match batch.compression()? {
            Some(compression) => Some(parse_codec(compression)?),
            None => experimental,
        };
        Ok(BatchMessage { head, n_rows, compression, custom_metadata, dictionary })
    }

    /// Finds the lists; each entry is checked when it is taken.
    ///
    /// # Errors
    /// If a list is out of bounds of the metadata.
    pub(crate) fn lists<'a>(&'a self, limits: &'a Limits) -> Result<HeaderLists<'a>> {
        Ok(self.find_lists(limits)?)
    }

    fn find_lists<'a>(&'a self, limits: &'a Limits) -> WireResult<HeaderLists<'a>> {
        let (batch, _) = tables(self.head.open()?.1, self.head.kind())?;
        Ok(HeaderLists {
            n_rows: self.n_rows,
            nodes: batch.nodes()?.unwrap_or_else(Vector::new_empty),
            buffers: batch.buffers()?.unwrap_or_else(Vector::new_empty),
            variadic_counts: batch.variadic_buffer_counts()?.unwrap_or_else(Vector::new_empty),
            compression: self.compression,
            version: self.head.version(),
            n_body_bytes: self.head.n_body_bytes(),
            limits,
        })
    }

    /// The same with a copy of the metadata, which shares no memory with the input.
    pub(crate) fn into_copied(self) -> BatchMessage {
        BatchMessage { head: self.head.copied(), ..self }
    }

    /// The number of rows of the batch, or of values of the dictionary.
    pub(crate) fn n_rows(&self) -> u64 {
        self.n_rows
    }

    pub(crate) fn custom_metadata(&self) -> &Metadata {
        &self.custom_metadata
    }

    /// `None` for a record batch.
    pub(crate) fn dictionary(&self) -> Option<DictionaryMessage> {
        self.dictionary
    }

    /// Bytes of metadata and body.
    pub(crate) fn n_message_bytes(&self) -> u64 {
        self.head.n_body_bytes().saturating_add(self.head.metadata().len() as u64)
    }

    /// About how much memory this takes if it shares none.
    pub(crate) fn n_kept_bytes(&self) -> u64 {
        n_decoded_bytes(&self.custom_metadata).saturating_add(self.head.metadata().len() as u64)
    }
}

/// The table with the lists, and the one around it if it is that of a dictionary.
fn tables(
    header: fb::MessageHeaderRef<'_>,
    found: MessageKind,
) -> WireResult<(fb::RecordBatchRef<'_>, Option<fb::DictionaryBatchRef<'_>>)> {
    match header {
        fb::MessageHeaderRef::RecordBatch(batch) => Ok((batch, None)),
        fb::MessageHeaderRef::DictionaryBatch(dictionary) => {
            Ok((required(dictionary.data()?, "the data of the dictionary")?, Some(dictionary)))
        }
        fb::MessageHeaderRef::Schema(_)
        | fb::MessageHeaderRef::Tensor(_)
        | fb::MessageHeaderRef::SparseTensor(_) => {
            Err(IpcErrorKind::UnexpectedMessage { expected: "a record batch", found }.into())
        }
    }
}
