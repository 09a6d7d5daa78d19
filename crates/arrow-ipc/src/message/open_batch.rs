//! The metadata of a record batch or dictionary batch. It is read once, except for its lists, which are read in place.

use arrow_ipc_format::flatbuf as fb;
use arrow_schema::Metadata;
use planus::Vector;

use super::{Head, HeaderLists, batch_header::parse_codec, experimental::experimental_codec};
use crate::{
    error::{IpcErrorKind, Result, WireResult},
    flatbuffer::{not_negative, required},
    limits::Limits,
    protocol::{Codec, MessageKind},
    schema::n_decoded_bytes,
};

/// The content of a record batch or dictionary batch, apart from its lists.
#[derive(Debug)]
pub(crate) struct OpenBatch {
    head: Head,
    n_rows: u64,
    compression: Option<Codec>,
    custom_metadata: Metadata,
    dictionary: Option<DictionaryMessage>,
}

/// The id and kind of a dictionary batch. `None` for a record batch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct DictionaryMessage {
    pub(crate) id: i64,
    pub(crate) is_delta: bool,
}

impl OpenBatch {
    /// Reads everything except the lists.
    ///
    /// # Errors
    /// If the message is not a batch, or is malformed, unsupported or over a limit.
    pub(crate) fn parse(head: &Head, limits: &Limits) -> Result<OpenBatch> {
        Ok(OpenBatch::decode(head, limits)?.0)
    }

    /// The same as [`parse`](OpenBatch::parse), together with the lists, for a batch that is read once.
    ///
    /// # Errors
    /// As for [`parse`](OpenBatch::parse) and [`lists`](OpenBatch::lists).
    pub(crate) fn parse_with_lists<'a>(
        head: &'a Head,
        limits: &'a Limits,
    ) -> Result<(OpenBatch, HeaderLists<'a>)> {
        let (open, table) = OpenBatch::decode(head, limits)?;
        let lists = open.lists_of(table, limits)?;
        Ok((open, lists))
    }

    fn decode<'a>(head: &'a Head, limits: &Limits) -> WireResult<(OpenBatch, fb::RecordBatchRef<'a>)> {
        let (message, header) = head.open()?;
        let (table, dictionary) = tables(header, head.kind())?;
        let dictionary = match dictionary {
            Some(table) => Some(DictionaryMessage { id: table.id()?, is_delta: table.is_delta()? }),
            None => None,
        };
        let custom_metadata = head.decode_custom_metadata(message, limits)?;
        let experimental = experimental_codec(head.version(), &custom_metadata)?;
        let n_rows = not_negative(table.length()?, "the length of the batch")?;
        Limits::check("rows", n_rows, limits.max_slots)?;
        let compression = match table.compression()? {
            Some(compression) => Some(parse_codec(compression)?),
            None => experimental,
        };
        Ok((OpenBatch { head: head.clone(), n_rows, compression, custom_metadata, dictionary }, table))
    }

    /// Finds the lists. Each entry is checked when it is taken.
    ///
    /// # Errors
    /// If a list is out of bounds of the metadata.
    pub(crate) fn lists<'a>(&'a self, limits: &'a Limits) -> Result<HeaderLists<'a>> {
        let find = || self.lists_of(tables(self.head.open()?.1, self.head.kind())?.0, limits);
        Ok(find()?)
    }

    fn lists_of<'a>(&self, table: fb::RecordBatchRef<'a>, limits: &'a Limits) -> WireResult<HeaderLists<'a>> {
        Ok(HeaderLists {
            n_rows: self.n_rows,
            nodes: table.nodes()?.unwrap_or_else(Vector::new_empty),
            buffers: table.buffers()?.unwrap_or_else(Vector::new_empty),
            variadic_counts: table.variadic_buffer_counts()?.unwrap_or_else(Vector::new_empty),
            compression: self.compression,
            version: self.head.version(),
            n_body_bytes: self.head.n_body_bytes(),
            limits,
        })
    }

    /// A copy that shares no memory with the input.
    pub(crate) fn into_copied(self) -> OpenBatch {
        OpenBatch { head: self.head.copied(), ..self }
    }

    /// The length of the body, in bytes.
    pub(crate) fn n_body_bytes(&self) -> u64 {
        self.head.n_body_bytes()
    }

    /// The number of rows of the batch, or of values of the dictionary.
    pub(crate) fn n_rows(&self) -> u64 {
        self.n_rows
    }

    /// The custom metadata of the message.
    pub(crate) fn custom_metadata(&self) -> &Metadata {
        &self.custom_metadata
    }

    pub(crate) fn into_custom_metadata(self) -> Metadata {
        self.custom_metadata
    }

    /// `None` for a record batch.
    pub(crate) fn dictionary(&self) -> Option<DictionaryMessage> {
        self.dictionary
    }

    /// The length of metadata and body.
    pub(crate) fn n_message_bytes(&self) -> u64 {
        self.head.n_message_bytes()
    }

    /// About how much memory this takes if it is not shared.
    pub(crate) fn n_kept_bytes(&self) -> u64 {
        n_decoded_bytes(&self.custom_metadata).saturating_add(self.head.metadata().len() as u64)
    }
}

/// The table with the lists, and the table around it in a dictionary batch.
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
