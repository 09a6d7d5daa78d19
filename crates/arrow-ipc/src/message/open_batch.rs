//! The metadata of a record batch or dictionary batch. It is read once, except for its lists, which are read in place.

use arrow_schema::Metadata;

use super::{Head, HeaderLists, batch_header::parse_codec, experimental::experimental_codec};
use crate::{
    error::{IpcErrorKind, Result, WireResult},
    flatbuffer::{ValuePlace, WireList, WireTable, not_negative, required},
    limits::Limits,
    protocol::{Codec, MessageKind},
    schema::n_decoded_bytes,
};

/// The content of a record batch or dictionary batch, apart from its lists.
#[derive(Debug)]
pub(crate) struct OpenBatch {
    head: Head,
    /// The place of the table with the lists.
    place: ValuePlace,
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
    pub(crate) fn parse(head: Head, limits: &Limits) -> Result<OpenBatch> {
        let read = || -> WireResult<_> {
            let (place, WireTable(table), dictionary) = match head.kind() {
                MessageKind::RecordBatch => (head.place, head.header()?, None),
                MessageKind::DictionaryBatch => {
                    let dictionary: WireTable<'_> = head.header()?;
                    let data: Option<ValuePlace> = dictionary.0.access(1, "DictionaryBatch", "data")?;
                    let data = required(data, "the data of the dictionary")?;
                    let table = data.read(head.metadata(), "DictionaryBatch", "data")?;
                    (data, table, Some(dictionary))
                }
                found @ (MessageKind::Schema | MessageKind::Tensor | MessageKind::SparseTensor) => {
                    return Err(IpcErrorKind::UnexpectedMessage { expected: "a record batch", found }.into());
                }
            };
            let dictionary = match dictionary {
                Some(WireTable(dictionary)) => Some(DictionaryMessage {
                    id: dictionary.access(0, "DictionaryBatch", "id")?.unwrap_or(0),
                    is_delta: dictionary.access(2, "DictionaryBatch", "is_delta")?.unwrap_or(false),
                }),
                None => None,
            };
            let custom_metadata = head.custom_metadata(limits)?;
            let experimental = experimental_codec(head.version(), &custom_metadata)?;
            let n_rows = table.access(0, "RecordBatch", "length")?.unwrap_or(0);
            let n_rows = not_negative(n_rows, "the length of the batch")?;
            Limits::check("rows", n_rows, limits.max_slots)?;
            let compression = match table.access(3, "RecordBatch", "compression")? {
                Some(compression) => Some(parse_codec(compression)?),
                None => experimental,
            };
            Ok((place, n_rows, compression, custom_metadata, dictionary))
        };
        let (place, n_rows, compression, custom_metadata, dictionary) = read()?;
        Ok(OpenBatch { head, place, n_rows, compression, custom_metadata, dictionary })
    }

    /// Finds the lists. Each entry is checked when it is taken.
    ///
    /// # Errors
    /// If a list is out of bounds of the metadata.
    pub(crate) fn lists<'a>(&'a self, limits: &'a Limits) -> Result<HeaderLists<'a>> {
        let find = || -> WireResult<_> {
            let WireTable(table) = self.place.read(self.head.metadata(), "Message", "header")?;
            let nodes: WireList<'a, 16> = table.access(1, "RecordBatch", "nodes")?.unwrap_or_default();
            let buffers: WireList<'a, 16> = table.access(2, "RecordBatch", "buffers")?.unwrap_or_default();
            let counts = table.access(4, "RecordBatch", "variadic_buffer_counts")?;
            let counts: WireList<'a, 8> = counts.unwrap_or_default();
            Ok((nodes.items, buffers.items, counts.items))
        };
        let (nodes, buffers, variadic_counts) = find()?;
        Ok(HeaderLists {
            n_rows: self.n_rows,
            nodes,
            buffers,
            variadic_counts,
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
