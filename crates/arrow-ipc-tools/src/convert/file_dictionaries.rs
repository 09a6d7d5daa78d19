//! Compares the dictionaries of two files without decoding them.

use arrow_buffer::Buffer;
use arrow_ipc::{
    BodyRange, FormatErrorKind, IpcError, IpcErrorKind, Source,
    message::{BatchHeader, Header, Message},
};
use arrow_schema::Metadata;

use super::input::ConvertInput;
use crate::{source::SharedSource, walk::relay::block_messages};

/// The metadata of the dictionary messages of a file. Streams with dictionaries are decoded, so they are not read here.
///
/// # Errors
/// If a message cannot be read.
pub(super) fn metadata_of_dictionaries(input: &ConvertInput) -> Result<Vec<Metadata>, IpcError> {
    stored(input).map(|dictionary| Ok(dictionary?.message.custom_metadata()?)).collect()
}

/// Whether the dictionary messages of both inputs have equal ids, headers and buffers, and therefore equal values.
/// Reads one pair of dictionaries at a time, in pieces.
///
/// # Errors
/// If a message cannot be read, or has too many bytes in its buffers to compare.
pub(super) fn has_same_dictionaries(input: &ConvertInput, first: &ConvertInput) -> Result<bool, IpcError> {
    let mut left = stored(first);
    let mut right = stored(input);
    loop {
        match (left.next().transpose()?, right.next().transpose()?) {
            (None, None) => return Ok(true),
            (Some(left), Some(right)) if left.is_same(&right)? => {}
            (Some(_), Some(_)) | (Some(_), None) | (None, Some(_)) => return Ok(false),
        }
    }
}

struct SourceDictionary<'a> {
    source: &'a SharedSource,
    message: Message,
    id: i64,
    batch: BatchHeader,
}

fn stored(input: &ConvertInput) -> impl Iterator<Item = Result<SourceDictionary<'_>, IpcError>> {
    let file = input.source.as_ref().zip(input.rows.reader());
    file.into_iter().flat_map(move |(source, reader)| {
        let footer = reader.footer();
        let messages = block_messages(source, footer).take(footer.dictionaries().len());
        messages.filter_map(move |message| {
            let message = match message {
                Ok(message) => message,
                Err(error) => return Some(Err(error)),
            };
            match message.header(source.limits()) {
                Ok(Header::DictionaryBatch { id, batch, .. }) => {
                    Some(Ok(SourceDictionary { source, message, id, batch }))
                }
                Ok(_) => None,
                Err(error) => Some(Err(error.into())),
            }
        })
    })
}

impl SourceDictionary<'_> {
    fn is_same(&self, other: &SourceDictionary<'_>) -> Result<bool, IpcError> {
        let left = &self.batch;
        let right = &other.batch;
        let is_alike = self.id == other.id
            && (left.n_rows(), left.nodes()) == (right.n_rows(), right.nodes())
            && (left.variadic_counts(), left.compression()) == (right.variadic_counts(), right.compression())
            && left.buffers().len() == right.buffers().len();
        if !is_alike {
            return Ok(false);
        }
        self.check_length()?;
        for (left, right) in left.buffers().iter().zip(right.buffers()) {
            if left.n_bytes() != right.n_bytes() || !self.has_same_bytes(left, other, right)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Fails if the buffers have many more bytes in total than the body, because they overlap. The caller then
    /// compares decoded values, which share memory.
    fn check_length(&self) -> Result<(), IpcError> {
        const TIMES: u64 = 4;
        const MORE_BYTES: u64 = 1 << 20;
        let n_bytes = self.batch.buffers().iter().map(BodyRange::n_bytes).fold(0, u64::saturating_add);
        let limit = self.message.n_body_bytes().saturating_mul(TIMES).saturating_add(MORE_BYTES);
        if n_bytes <= limit {
            Ok(())
        } else {
            Err(IpcErrorKind::Format(FormatErrorKind::LimitExceeded {
                what: "bytes of dictionaries to compare",
                requested: n_bytes,
                limit,
            })
            .into())
        }
    }

    fn has_same_bytes(
        &self,
        left: &BodyRange,
        other: &SourceDictionary<'_>,
        right: &BodyRange,
    ) -> Result<bool, IpcError> {
        const WINDOW_BYTES: u64 = 1 << 20;
        let mut at: u64 = 0;
        while at < left.n_bytes() {
            let end = left.n_bytes().min(at.saturating_add(WINDOW_BYTES));
            if self.fetch(left, at, end)? != other.fetch(right, at, end)? {
                return Ok(false);
            }
            at = end;
        }
        Ok(true)
    }

    /// Reads the bytes `start..end` of a buffer. The buffer is inside the body: this was checked when the header was
    /// read.
    fn fetch(&self, buffer: &BodyRange, start: u64, end: u64) -> Result<Buffer, IpcError> {
        let buffer_start = self.message.body_position().saturating_add(buffer.start());
        Ok(self.source.fetch(buffer_start.saturating_add(start)..buffer_start.saturating_add(end))?)
    }
}
