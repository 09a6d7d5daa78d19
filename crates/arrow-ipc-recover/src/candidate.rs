//! Decides whether a message begins at a position, and whether its stated lengths can be right.

use arrow_ipc::{FormatErrorKind, IpcError, Result};
use arrow_ipc_format::{
    BatchView, CONTINUATION, Envelope, LEGACY_PREFIX_BYTES, Limits, MessageKind, PREFIX_BYTES, Prefix,
    SMALL_ALIGNMENT,
};
use arrow_schema::visit;

use super::{
    likely::{LIKELY_BYTES, has_likely_prefix},
    lost::LostCause,
    window::{InputWindow, RangeResult},
};

/// A message whose metadata can be read.
#[derive(Debug, Clone)]
pub(super) struct Candidate {
    pub(super) position: u64,
    pub(super) n_prefix_bytes: u64,
    pub(super) envelope: Envelope,
    /// The end of the last buffer of a batch, rounded up to a multiple of 8. For other messages, the end of the body.
    pub(super) buffers_end: u64,
    /// Whether the body ends at the end of its last buffer, apart from padding.
    pub(super) is_consistent: bool,
    /// The number of bytes of metadata after the last list or text of a batch. `None` for other messages.
    n_padding_bytes: Option<u64>,
}

/// What begins at a position.
#[derive(Debug)]
pub(super) enum ProbeResult {
    Candidate(Candidate),
    EndMarker {
        n_bytes: u64,
    },
    /// No message, or truncated metadata.
    Nothing(IpcError),
}

impl ProbeResult {
    /// Why the bytes are not accepted as a message.
    pub(super) fn refused(self) -> LostCause {
        match self {
            ProbeResult::EndMarker { n_bytes: LEGACY_PREFIX_BYTES } => LostCause::Zeros,
            ProbeResult::EndMarker { .. } | ProbeResult::Candidate(_) => LostCause::Lengths,
            ProbeResult::Nothing(error) => LostCause::Error(error),
        }
    }
}

/// The minimum length of a message: a table, a header and its lists.
pub(super) const MIN_MESSAGE_BYTES: u64 = 64;

/// The number of bytes of metadata to read first. The rest is read if these bytes look like metadata.
pub(super) const PEEK_BYTES: u64 = 4 << 10;

/// The binary logarithm of the largest alignment of bodies.
const MAX_PADDING: u32 = 16;

impl Candidate {
    fn try_new(position: u64, n_prefix_bytes: u64, envelope: Envelope, limits: &Limits) -> Result<Candidate> {
        let kind = envelope.kind();
        let n_body_bytes = envelope.n_body_bytes();
        let is_consistent = kind == MessageKind::Schema && n_body_bytes == 0;
        let mut found = Candidate {
            position,
            n_prefix_bytes,
            envelope,
            buffers_end: 0,
            is_consistent,
            n_padding_bytes: None,
        };
        found.buffers_end = found.end();
        if !found.has_arrays() {
            return Ok(found);
        }
        let open = BatchView::parse(found.envelope.clone(), limits)?;
        let mut end = 0;
        for idx in 0..open.n_buffers() {
            end = open.buffer(idx)?.end().max(end);
        }
        let padded = |power: u32| end.checked_next_multiple_of(1 << power);
        found.is_consistent = (3..=MAX_PADDING).any(|power| padded(power) == Some(n_body_bytes));
        let end = end.checked_next_multiple_of(8).unwrap_or(u64::MAX).min(n_body_bytes);
        found.buffers_end = found.body_position().saturating_add(end);
        let n_bytes = found.envelope.metadata().len();
        found.n_padding_bytes = open.lists_end().ok().map(|end| n_bytes.saturating_sub(end) as u64);
        Ok(found)
    }

    pub(super) fn body_position(&self) -> u64 {
        let n_metadata_bytes = self.envelope.metadata().len() as u64;
        self.position.saturating_add(self.n_prefix_bytes).saturating_add(n_metadata_bytes)
    }

    pub(super) fn end(&self) -> u64 {
        self.body_position().saturating_add(self.envelope.n_body_bytes())
    }

    pub(super) fn has_arrays(&self) -> bool {
        matches!(self.envelope.kind(), MessageKind::RecordBatch | MessageKind::DictionaryBatch)
    }

    /// Whether the metadata has no more padding than the alignment `padding` needs, and the body begins `shift` bytes
    /// after a multiple of `alignment`. Otherwise the stated length of the metadata is wrong, and all values would be
    /// shifted.
    pub(super) fn has_little_padding(&self, padding: u64, (alignment, shift): (u64, u64)) -> bool {
        // The flatbuffer itself may end with padding.
        let most = padding.saturating_add(SMALL_ALIGNMENT);
        self.n_padding_bytes.is_some_and(|n_bytes| n_bytes < most)
            && self.body_position().saturating_sub(shift).is_multiple_of(alignment)
    }

    /// How strongly the bytes after the message confirm its stated lengths. The message must end at `limit` or before.
    pub(super) fn evidence(&self, window: &InputWindow, limit: u64) -> RangeResult<Evidence> {
        let end = self.end();
        if end > window.n_bytes() {
            return Ok(Evidence::None);
        }
        if end == limit {
            return Ok(Evidence::Strong(end));
        }
        // A legacy end marker or zeros follow, and then the footer or the next message.
        if (end..window.n_bytes()).contains(&limit)
            && limit.saturating_sub(end) <= PREFIX_BYTES
            && window.bytes_from(end, limit.saturating_sub(end))?.iter().all(|byte| *byte == 0)
        {
            return Ok(Evidence::Strong(end));
        }
        Ok(match next_word(window, end)? {
            NextWord::Message => Evidence::Strong(end),
            NextWord::Zeros => Evidence::Weak(end),
            NextWord::Other if self.is_consistent => Evidence::Weak(self.buffers_end.min(end)),
            NextWord::Other => Evidence::None,
        })
    }
}

/// How strongly the bytes after a message confirm its stated lengths, and the position at which the search continues.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Evidence {
    /// Another message, the end marker, the footer, or the end of the input follows.
    Strong(u64),
    /// Zeros follow the message; or damaged bytes follow, and the body ends with its last buffer. The search continues
    /// at the end of the buffers.
    Weak(u64),
    None,
}

enum NextWord {
    /// The end marker of a stream, or bytes that begin like a message, even if some of them are damaged.
    Message,
    Zeros,
    Other,
}

/// Why the search expects a message at a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Likelihood {
    /// The previous message ends here.
    Expected,
    /// The bytes look like a prefix: a marker and a length. Long metadata is only read if its first bytes look like
    /// metadata.
    Guessed,
}

/// What begins at a position, and how much of the input was read to find out.
#[derive(Debug)]
pub(super) struct Probe {
    pub(super) found: ProbeResult,
    pub(super) n_bytes: u64,
}

/// Reads the prefix and the metadata at a position.
pub(super) fn find(
    window: &InputWindow,
    position: u64,
    (likelihood, limits): (Likelihood, &Limits),
) -> RangeResult<Probe> {
    let probe = |found, n_bytes| Ok(Probe { found, n_bytes });
    let nothing = |error: IpcError, n_bytes| {
        Ok(Probe { found: ProbeResult::Nothing(error.at_byte(position)), n_bytes })
    };
    let first = window.bytes_from(position, PREFIX_BYTES)?;
    let available = first.len() as u64;
    let (n_prefix_bytes, n_metadata_bytes) = match Prefix::parse(&first) {
        Ok(Some(Prefix::Message { n_prefix_bytes, n_metadata_bytes })) => {
            (n_prefix_bytes, u64::from(n_metadata_bytes))
        }
        Ok(Some(Prefix::EndOfStream { n_prefix_bytes: n_bytes })) => {
            return probe(ProbeResult::EndMarker { n_bytes }, 0);
        }
        Ok(None) => {
            let what = "message prefix";
            let needed = PREFIX_BYTES;
            return nothing(FormatErrorKind::Truncated { what, needed, available }.into(), 0);
        }
        Err(error) => return nothing(error.into(), 0),
    };
    let start = position.saturating_add(n_prefix_bytes);
    let available = window.n_bytes().saturating_sub(start);
    if let Err(error) = limits.check_metadata(n_metadata_bytes, available) {
        return nothing(error.into(), 0);
    }
    let look = window.bytes_from(start, n_metadata_bytes.min(PEEK_BYTES))?;
    if let Err(error) = Envelope::parse(look.clone(), limits)
        && (likelihood == Likelihood::Guessed || n_metadata_bytes <= PEEK_BYTES)
    {
        return nothing(error.into(), 0);
    }
    let metadata = if look.len() as u64 == n_metadata_bytes {
        look
    } else {
        window.bytes_from(start, n_metadata_bytes)?
    };
    visit(metadata.len());
    let envelope = Envelope::parse(metadata, limits);
    let envelope = envelope.map_err(IpcError::from);
    match envelope.and_then(|envelope| Candidate::try_new(position, n_prefix_bytes, envelope, limits)) {
        Ok(found) => probe(ProbeResult::Candidate(found), n_metadata_bytes),
        Err(error) => nothing(error, n_metadata_bytes),
    }
}

fn next_word(window: &InputWindow, position: u64) -> RangeResult<NextWord> {
    let first = window.bytes_from(position, PREFIX_BYTES)?;
    if first.iter().all(|byte| *byte == 0) {
        // Four zeros are the end marker of legacy framing.
        let is_marker = first.len() as u64 == LEGACY_PREFIX_BYTES;
        return Ok(if is_marker { NextWord::Message } else { NextWord::Zeros });
    }
    // A marker without a valid length may be a value. At the end of the input, the start of a marker is enough.
    let is_prefix = match Prefix::parse(&first) {
        Ok(None) => first.starts_with(&CONTINUATION) || CONTINUATION.starts_with(&first),
        Ok(Some(Prefix::EndOfStream { n_prefix_bytes: PREFIX_BYTES })) => true,
        Ok(Some(Prefix::Message { n_prefix_bytes: PREFIX_BYTES, n_metadata_bytes })) => {
            let n_bytes = u64::from(n_metadata_bytes);
            let may_fit = n_bytes.is_multiple_of(SMALL_ALIGNMENT)
                && n_bytes <= window.n_bytes().saturating_sub(position);
            may_fit || has_likely_prefix(&window.bytes_from(position, LIKELY_BYTES as u64)?)
        }
        Ok(Some(_)) | Err(_) => false,
    };
    if is_prefix {
        return Ok(NextWord::Message);
    }
    // The marker of the next message may be damaged, or absent in legacy framing. So its metadata is tried at both
    // offsets.
    for n_prefix_bytes in [PREFIX_BYTES, LEGACY_PREFIX_BYTES] {
        let look = window.bytes_from(position.saturating_add(n_prefix_bytes), PEEK_BYTES)?;
        if Envelope::parse(look, &Limits::default()).is_ok() {
            return Ok(NextWord::Message);
        }
    }
    Ok(NextWord::Other)
}
