//! The metadata of a record batch or dictionary batch. It is read once, except for its lists, which are read in place.

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

/// A kept record batch or dictionary batch, which can be read several times.
#[derive(Debug)]
pub(crate) struct BatchMessage {
    head: Head,
    facts: BatchFacts,
}

/// A record batch or dictionary batch that is read once. The table with its lists is open.
#[derive(Debug)]
pub(crate) struct OpenBatch<'a> {
    head: &'a Head,
    table: fb::RecordBatchRef<'a>,
    facts: BatchFacts,
}

/// The content of a record batch or dictionary batch apart from its lists.
#[derive(Debug)]
struct BatchFacts {
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

impl<'a> OpenBatch<'a> {
    /// Reads everything except the lists.
    ///
    /// # Errors
    /// If the message is no batch, or is malformed, unsupported or over a limit.
    pub(crate) fn parse(head: &'a Head, limits: &Limits) -> Result<OpenBatch<'a>> {
        Ok(OpenBatch::decode(head, limits)?)
    }

    fn decode(head: &'a Head, limits: &Limits) -> WireResult<OpenBatch<'a>> {
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
        Ok(OpenBatch { head, table, facts: BatchFacts { n_rows, compression, custom_metadata, dictionary } })
    }

    /// Finds the lists. Each entry is checked when it is taken.
    ///
    /// # Errors
    /// If a list is out of bounds of the metadata.
    pub(crate) fn lists(&self, limits: &'a Limits) -> Result<HeaderLists<'a>> {
        Ok(find_lists(self.table, self.head, &self.facts, limits)?)
    }

    /// The custom metadata of the message.
    pub(crate) fn custom_metadata(&self) -> &Metadata {
        &self.facts.custom_metadata
    }

    /// `None` for a record batch.
    pub(crate) fn dictionary(&self) -> Option<DictionaryMessage> {
        self.facts.dictionary
    }

    /// The length of metadata and body.
    pub(crate) fn n_message_bytes(&self) -> u64 {
        self.head.n_message_bytes()
    }

    pub(crate) fn into_custom_metadata(self) -> Metadata {
        self.facts.custom_metadata
    }
}

impl BatchMessage {
    /// Reads everything except the lists.
    ///
    /// # Errors
    /// If the message is no batch, or is malformed, unsupported or over a limit.
    pub(crate) fn parse(head: Head, limits: &Limits) -> Result<BatchMessage> {
        let facts = OpenBatch::parse(&head, limits)?.facts;
        Ok(BatchMessage { head, facts })
    }

    /// Finds the lists. Each entry is checked when it is taken.
    ///
    /// # Errors
    /// If a list is out of bounds of the metadata.
    pub(crate) fn lists<'a>(&'a self, limits: &'a Limits) -> Result<HeaderLists<'a>> {
        Ok(self.find_lists(limits)?)
    }

    fn find_lists<'a>(&'a self, limits: &'a Limits) -> WireResult<HeaderLists<'a>> {
        let (table, _) = tables(self.head.open()?.1, self.head.kind())?;
        find_lists(table, &self.head, &self.facts, limits)
    }

    /// The metadata, and the content of its envelope.
    pub(crate) fn head(&self) -> &Head {
        &self.head
    }

    /// A copy that shares no memory with the input.
    pub(crate) fn into_copied(self) -> BatchMessage {
        BatchMessage { head: self.head.copied(), ..self }
    }

    /// The length of the body, in bytes.
    pub(crate) fn n_body_bytes(&self) -> u64 {
        self.head.n_body_bytes()
    }

    /// The number of rows of the batch, or of values of the dictionary.
    pub(crate) fn n_rows(&self) -> u64 {
        self.facts.n_rows
    }

    pub(crate) fn custom_metadata(&self) -> &Metadata {
        &self.facts.custom_metadata
    }

    /// `None` for a record batch.
    pub(crate) fn dictionary(&self) -> Option<DictionaryMessage> {
        self.facts.dictionary
    }

    /// The length of metadata and body.
    pub(crate) fn n_message_bytes(&self) -> u64 {
        self.head.n_message_bytes()
    }

    /// About how much memory this takes if it is not shared.
    pub(crate) fn n_kept_bytes(&self) -> u64 {
        n_decoded_bytes(&self.facts.custom_metadata).saturating_add(self.head.metadata().len() as u64)
    }
}

fn find_lists<'a>(
    table: fb::RecordBatchRef<'a>,
    head: &Head,
    facts: &BatchFacts,
    limits: &'a Limits,
) -> WireResult<HeaderLists<'a>> {
    Ok(HeaderLists {
        n_rows: facts.n_rows,
        nodes: table.nodes()?.unwrap_or_else(Vector::new_empty),
        buffers: table.buffers()?.unwrap_or_else(Vector::new_empty),
        variadic_counts: table.variadic_buffer_counts()?.unwrap_or_else(Vector::new_empty),
        compression: facts.compression,
        version: head.version(),
        n_body_bytes: head.n_body_bytes(),
        limits,
    })
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
