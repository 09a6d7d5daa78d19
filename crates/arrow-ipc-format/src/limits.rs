//! Limits on the lengths and counts that an input declares, and budgets for memory.

use arrow_buffer::{Budget, MemoryBudget};

use crate::error::{FormatErrorKind, Result};

/// Limits on the lengths and counts that an input may declare. Even without limits, a declaration alone allocates no memory.
/// Memory grows with the bytes that arrive, and memory for metadata is in proportion to its length.
///
/// ```
/// use arrow_ipc_format::{IpcSchema, Limits};
/// use arrow_schema::{Metadata, Schema};
///
/// let message = IpcSchema::from("id: int64".parse::<Schema>()?).to_message(&Metadata::new())?;
/// let limits = Limits::default().with_max_metadata_bytes(64);
/// let error = IpcSchema::try_from_message(message, &limits).unwrap_err();
/// assert!(error.to_string().contains("the limit of 64"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    pub(crate) max_metadata_bytes: u64,
    pub(crate) max_body_bytes: u64,
    pub(crate) max_decompressed_bytes: Option<u64>,
    pub(crate) max_dictionary_bytes: Option<u64>,
    pub(crate) max_slots: u64,
    pub(crate) max_fields: u64,
    pub(crate) max_depth: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            max_metadata_bytes: Limits::DEFAULT_METADATA_BYTES,
            max_body_bytes: u64::MAX,
            max_decompressed_bytes: None,
            max_dictionary_bytes: None,
            max_slots: i64::MAX as u64,
            max_fields: Limits::DEFAULT_FIELDS,
            max_depth: Limits::MAX_DEPTH,
        }
    }
}

impl Limits {
    /// The maximum depth of nested types. Up to this depth, all recursive code works on a stack of 512 KiB, even without
    /// optimisation.
    pub const MAX_DEPTH: usize = arrow_schema::TextParser::MAX_DEPTH;

    /// The default limit for the number of fields of a schema.
    pub const DEFAULT_FIELDS: u64 = 1_000_000;

    /// The default limit for the metadata of a message, and for a footer, in bytes.
    pub const DEFAULT_METADATA_BYTES: u64 = 256 << 20;

    /// The greatest value of `i32`, in which the format states short lengths.
    pub const MAX_I32: u64 = i32::MAX.unsigned_abs() as u64;
    /// The greatest value of `i64`, in which the format states long lengths.
    pub const MAX_I64: u64 = i64::MAX.unsigned_abs();

    /// The default limits. Each `with_…` method states its default.
    pub fn new() -> Limits {
        Limits::default()
    }

    /// Limits the length of the metadata of one message, and of a footer. Default 256 MiB, which is also the most that
    /// writers write. A stream reader skips
    /// metadata that is too long, and then returns the error. If the stream ends within this metadata, the error says
    /// that the stream is truncated.
    #[must_use]
    pub fn with_max_metadata_bytes(self, max_metadata_bytes: u64) -> Limits {
        Limits { max_metadata_bytes, ..self }
    }

    /// Limits the length of the body of one message. Default: no limit.
    #[must_use]
    pub fn with_max_body_bytes(self, max_body_bytes: u64) -> Limits {
        Limits { max_body_bytes, ..self }
    }

    /// Limits the sum of the decompressed lengths of all buffers of one message. A buffer counts once for each column
    /// that uses it. Default: the larger of 256 MiB and 1,024 times the body.
    #[must_use]
    pub fn with_max_decompressed_bytes(self, max_decompressed_bytes: u64) -> Limits {
        Limits { max_decompressed_bytes: Some(max_decompressed_bytes), ..self }
    }

    /// Limits the memory of all dictionaries of a stream or file, including deltas, in bytes. Default: the larger of
    /// 256 MiB and 64 times the received bytes. In a stream, all messages so far count as received. In a file, the
    /// dictionary messages that were read count. In both cases, the length before decompression counts.
    ///
    /// A replaced dictionary does not count, even if a batch still uses it. While a delta is appended to a dictionary,
    /// both the old and the new copy of its values may be in memory.
    #[must_use]
    pub fn with_max_dictionary_bytes(self, max_dictionary_bytes: u64) -> Limits {
        Limits { max_dictionary_bytes: Some(max_dictionary_bytes), ..self }
    }

    /// Limits the number of slots of one array. Default: the limit of the format, 2⁶³ − 1.
    #[must_use]
    pub fn with_max_slots(self, max_slots: u64) -> Limits {
        Limits { max_slots, ..self }
    }

    /// Limits the number of fields in a schema, including nested fields. Default one million, which is also the most that
    /// writers write by default. Memory stays in proportion to the metadata with any limit.
    #[must_use]
    pub fn with_max_fields(self, max_fields: u64) -> Limits {
        Limits { max_fields, ..self }
    }

    /// Limits the depth of nested types. Default [`MAX_DEPTH`](Limits::MAX_DEPTH), which is also the maximum.
    #[must_use]
    pub fn with_max_depth(self, max_depth: usize) -> Limits {
        Limits { max_depth: max_depth.min(Limits::MAX_DEPTH), ..self }
    }

    /// See [`with_max_metadata_bytes`](Limits::with_max_metadata_bytes).
    pub fn max_metadata_bytes(&self) -> u64 {
        self.max_metadata_bytes
    }

    /// See [`with_max_body_bytes`](Limits::with_max_body_bytes).
    pub fn max_body_bytes(&self) -> u64 {
        self.max_body_bytes
    }

    /// See [`with_max_decompressed_bytes`](Limits::with_max_decompressed_bytes); `None` for the default.
    pub fn max_decompressed_bytes(&self) -> Option<u64> {
        self.max_decompressed_bytes
    }

    /// See [`with_max_dictionary_bytes`](Limits::with_max_dictionary_bytes); `None` for the default.
    pub fn max_dictionary_bytes(&self) -> Option<u64> {
        self.max_dictionary_bytes
    }

    /// See [`with_max_slots`](Limits::with_max_slots).
    pub fn max_slots(&self) -> u64 {
        self.max_slots
    }

    /// See [`with_max_fields`](Limits::with_max_fields).
    pub fn max_fields(&self) -> u64 {
        self.max_fields
    }

    /// See [`with_max_depth`](Limits::with_max_depth).
    pub fn max_depth(&self) -> usize {
        self.max_depth
    }

    /// Converts a number to the type `T` of the format or of memory. `limit` is the greatest value of `T`.
    #[inline]
    pub fn fit<T: TryFrom<u64>>(what: &'static str, requested: u64, limit: u64) -> Result<T> {
        T::try_from(requested).map_err(|_| FormatErrorKind::LimitExceeded { what, requested, limit }.into())
    }

    /// Compares a length or count with a limit. `what` is its name in errors.
    ///
    /// # Errors
    /// If it exceeds the limit.
    #[inline]
    pub fn check(what: &'static str, requested: u64, limit: u64) -> Result<()> {
        if requested <= limit {
            return Ok(());
        }
        Err(FormatErrorKind::LimitExceeded { what, requested, limit }.into())
    }

    /// Compares a number of fields with the limit.
    ///
    /// # Errors
    /// If it exceeds the limit.
    pub fn check_fields(&self, n_fields: u64) -> Result<()> {
        if n_fields <= self.max_fields {
            return Ok(());
        }
        Err(FormatErrorKind::TooManyFields { found: Some(n_fields), limit: self.max_fields }.into())
    }

    /// Checks the length that metadata declares. If it exceeds both the rest of the input and the limit, the error says
    /// that the metadata is truncated.
    pub fn check_metadata(&self, needed: u64, available: u64) -> Result<()> {
        if available < needed {
            return Err(FormatErrorKind::Truncated { what: "metadata", needed, available }.into());
        }
        Limits::check("bytes of metadata", needed, self.max_metadata_bytes)
    }

    /// The budget for the decompressed bytes of one body.
    pub fn decompression_budget(&self, n_body_bytes: u64) -> Budget {
        let default = MemoryBudget::default_limit(n_body_bytes);
        Budget::new(self.max_decompressed_bytes.unwrap_or(default))
    }

    /// The limit for the dictionaries of a stream or file, in bytes, after receiving `n_received_bytes` bytes.
    pub fn dictionary_bytes(&self, n_received_bytes: u64) -> u64 {
        const BASE_BYTES: u64 = 256 << 20;
        const TIMES: u64 = 64;
        self.max_dictionary_bytes.unwrap_or(n_received_bytes.saturating_mul(TIMES).max(BASE_BYTES))
    }

    /// A budget for work on a body: a number of times the body, and 1 MiB for small bodies.
    pub const fn body_budget(times: u64, n_body_bytes: u64) -> Budget {
        const BASE_BYTES: u64 = 1 << 20;
        Budget::new(n_body_bytes.saturating_mul(times).saturating_add(BASE_BYTES))
    }

    /// The budget for decoding a schema from metadata of this length. Tables in a flatbuffer may share bytes, so a small
    /// message can describe a large schema. What writers write is charged less than seven times its length: the
    /// shortest dictionary-encoded field has 60 bytes, and is charged 400 bytes.
    pub fn schema_budget(&self, n_metadata_bytes: usize) -> Budget {
        const BASE_BYTES: u64 = 64 << 10;
        Budget::new(BASE_BYTES.saturating_add((n_metadata_bytes as u64).saturating_mul(7)))
    }
}
