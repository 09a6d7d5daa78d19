//! The causes of errors.

use std::{fmt, io, path::PathBuf};

use arrow_buffer::BudgetError;
use arrow_data::DataError;
use arrow_schema::{FieldPath, LookupError, SchemaDifference};
use arrow_select::SelectError;

use super::{BlockIndex, DictionaryValue, ErrorClass, FormatErrorKind, FrameError};
use arrow_ipc_format::{Codec, Container, MetadataVersion};

/// The cause of an [`IpcError`](super::IpcError), with the value that was found and the values that are allowed.
#[derive(Debug)]
#[non_exhaustive]
#[allow(missing_docs)] // of the fields: the messages name them
pub enum IpcErrorKind {
    /// The source returned an I/O error. `?` converts any [`io::Error`] to this kind.
    Io(io::Error),
    /// The sink, or the caller's temporary output, could not be written, flushed or completed.
    Write(io::Error),
    /// A file could not be opened or created.
    Open { path: PathBuf, error: io::Error },
    /// A source could not read a range of a file, or returned the wrong number of bytes.
    Fetch { start: u64, end: u64, error: io::Error },
    /// Another appender has locked the file.
    Locked { path: PathBuf },
    /// The input has no bytes.
    EmptyInput,
    /// The stream begins with an end marker, and has no schema.
    NoSchema,
    /// All dictionaries of a stream or file together would need more memory than
    /// [`Limits::with_max_dictionary_bytes`](crate::Limits::with_max_dictionary_bytes) allows.
    DictionaryBytes { id: i64, requested: u64, limit: u64 },
    /// The bytes do not follow the format, or exceed a limit.
    Format(FormatErrorKind),
    /// An error of a crate that stands on this one, such as `arrow-ipc-tensor` or `arrow-ipc-rewrite`. `what` says what it
    /// is about; it is empty if the error says so itself.
    Other { what: &'static str, class: ErrorClass, error: Box<dyn std::error::Error + Send + Sync> },
    /// The memory budget or the system refused an allocation. See
    /// [`ReadOptions::with_memory_budget`](crate::ReadOptions::with_memory_budget).
    Memory(BudgetError),
    /// The input has another container than the caller expects.
    WrongContainer { expected: &'static str, found: Container },

    /// A second schema message follows in the same stream.
    SecondSchema,
    /// A buffer of a compressed body is shorter than its prefix of 8 bytes, which states the decompressed length.
    CompressedLength { found: u64 },
    /// A compressed buffer cannot be decompressed.
    Frame { codec: Codec, error: FrameError },
    /// A batch needs a dictionary that has not been read before the batch.
    MissingDictionary { id: i64 },
    /// Reading: the selected columns need a dictionary that the reader has skipped, because the columns selected at that
    /// time did not need it.
    SkippedDictionary { id: i64 },
    /// A delta precedes its dictionary in the stream, or in the footer of a file.
    DeltaOfMissing { id: i64 },
    /// Writing: a batch has two different dictionaries for the same id.
    SharedDictionaryValues { id: i64 },
    /// Writing: a file already has other values for a dictionary of this batch.
    ReplacedDictionary { id: i64 },
    /// Writing: a dictionary has other values than in earlier batches, which [`DictionaryPolicy::Error`] refuses.
    ///
    /// [`DictionaryPolicy::Error`]: crate::DictionaryPolicy::Error
    ChangedDictionary { id: i64 },
    /// Writing: a batch has values that the [`DictionaryUnifier`](crate::dictionary::DictionaryUnifier) has not read.
    NotUnified { id: i64 },
    /// Writing: two values have opposite orders in ordered dictionaries that have the same id in different batches.
    OppositeOrders { id: i64, values: Box<[DictionaryValue; 2]> },
    /// Writing: no ordered dictionary says which of two values comes first.
    UnknownOrder { id: i64, values: Box<[DictionaryValue; 2]> },
    /// Reading: the footer of a file lists two dictionaries with the same id.
    SecondDictionary { id: i64 },
    /// A dictionary batch does not have exactly one column, the values.
    DictionaryColumns { found: u64 },

    /// The file does not end with the magic, so it is truncated or has trailing bytes.
    EndMagic { found: Vec<u8> },
    /// The length of the footer is 0 or negative, or exceeds the file.
    FooterLength { found: i64, file_bytes: u64 },
    /// A block in the footer does not lie between the magic at the start and the footer.
    BlockOutOfFile { block: BlockIndex, offset: i64, metadata_bytes: i32, body_bytes: i64 },
    /// The blocks in the footer overlap: together they are longer than the space between the magic and the footer.
    BlocksOverlap { n_bytes: u64, n_available: u64 },
    /// The footer and the message differ in the length of the metadata or the body.
    BlockMismatch { what: &'static str, footer: u64, message: u64 },
    /// The parts of a body that a caller gives overlap, or lie outside it: `end` bytes are there, and `next` is the offset
    /// of the next part, or the length of the body.
    BodyParts { end: u64, next: u64 },
    /// The row counts in the footer differ from the number of rows in a batch.
    RowCount { footer: u64, message: u64 },
    /// The requested rows are not all in the batch.
    NoSuchRows { start: u64, end: u64, n_rows: u64 },
    /// The requested rows are not all in the file.
    NoSuchFileRows { start: u64, end: u64, n_rows: u64 },
    /// The caller provided more or fewer bytes than the range has, or a range past the end of the file.
    ProvidedRange { start: u64, end: u64, found: u64, file_bytes: u64 },
    /// A source returned more or fewer buffers than the requested ranges.
    FetchedRanges { expected: u64, found: u64 },
    /// The index of a stream cannot be read, or belongs to another stream.
    StreamIndex { what: &'static str },
    /// The stream was opened with limits at which it ends before this message. With the current limits, the message and what
    /// follows can be read, but has not been found.
    StreamContinues,
    /// The file has no batch with the requested index.
    NoSuchBatch { batch_idx: usize, n_batches: usize },
    /// The requested batches are not all in the file, or end before they start.
    NoSuchBatches { start: usize, end: usize, n_batches: usize },

    /// Reading would copy bytes, which [`ReadOptions::with_copies`](crate::ReadOptions::with_copies) refuses. `n_bytes` is the
    /// length of the copy.
    CopyRefused { cause: CopyCause, n_bytes: u64 },
    /// The buffers of a batch are not a valid array.
    Data(DataError),
    /// Arrays cannot be joined, grown or compared: indices or offsets overflow, or ordered dictionaries differ.
    Select(SelectError),
    /// No column has the requested name or index, or several columns have the name.
    Lookup(LookupError),
    /// A path in a projection leads to a child of a type whose children are always read together.
    CannotProject { path: FieldPath, kind: &'static str },
    /// The reader has not selected all columns of a batch, so its bytes are not all there.
    NotAllColumns,
    /// Writing: the schema of a batch differs from the schema of the stream or file.
    Schema(SchemaDifference),
    /// Writing: the metadata version in the options does not support a type of the schema, or another option.
    NotInVersion { what: &'static str, version: MetadataVersion },
    /// Writing: the message of a row alone, or of a batch without rows, would be longer than the caller allows.
    MessageTooLong { row: Option<u64>, n_bytes: u64, max_bytes: u64 },
    /// Writing: the codec does not have this level.
    CompressionLevel { codec: Codec, level: i32, levels: Option<(i32, i32)> },
    /// A call needs the schema, but the schema has not been read.
    NoSchemaYet { what: &'static str },
    /// The caller uses a reader, writer or plan that has failed before.
    AlreadyFailed { what: &'static str },
    /// An invariant of this library does not hold. Nothing that depends on it was written. Please report it.
    Internal { what: &'static str },
    /// The caller writes after the stream or file was finished.
    AlreadyFinished { what: &'static str },
    /// The caller passes bytes to a decoder after the end of its input.
    InputFinished,
}

impl fmt::Display for IpcErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            IpcErrorKind::Io(error) => write!(f, "reading failed: {error}"),
            IpcErrorKind::Write(error) => write!(f, "writing failed: {error}"),
            IpcErrorKind::Fetch { start, end, error } => {
                write!(f, "fetching the bytes {start}..{end} failed: {error}")
            }
            IpcErrorKind::Open { path, error } => write!(f, "cannot open `{}`: {error}", path.display()),
            IpcErrorKind::Locked { path } => {
                write!(f, "`{}` is locked: another process or thread appends to it", path.display())
            }
            IpcErrorKind::Format(kind) => kind.fmt(f),
            IpcErrorKind::Other { what: "", error, .. } => fmt::Display::fmt(error, f),
            IpcErrorKind::Other { what, error, .. } => write!(f, "{what}: {error}"),
            IpcErrorKind::EmptyInput => f.write_str("the input is empty"),
            IpcErrorKind::NoSchema => f.write_str("an end marker, and no schema before it"),
            IpcErrorKind::Memory(error) => fmt::Display::fmt(error, f),
            IpcErrorKind::DictionaryBytes { id, requested, limit } => write!(
                f,
                "with dictionary {id}, the dictionaries would take {requested} bytes of memory; the limit for all of them is {limit}"
            ),
            IpcErrorKind::WrongContainer { expected, found } => {
                write!(f, "expected {expected}, found {found}")
            }
            IpcErrorKind::SecondSchema => f.write_str("found a second schema message; a stream has only one"),
            IpcErrorKind::CompressedLength { found } => {
                write!(f, "the compressed buffer has {found} bytes; the uncompressed length alone takes 8")
            }
            IpcErrorKind::Frame { codec, error: FrameError::OutOfMemory } => {
                write!(f, "the system cannot provide the memory that {codec} needs")
            }
            IpcErrorKind::Frame { codec, error } => write!(f, "malformed {codec} frame: {error}"),
            IpcErrorKind::MissingDictionary { id } => {
                write!(f, "the dictionary with id {id} is used before it is defined")
            }
            IpcErrorKind::SkippedDictionary { id } => write!(
                f,
                "the dictionary with id {id} was skipped, because no column that was selected at that time uses it; read the stream from its start"
            ),
            IpcErrorKind::DeltaOfMissing { id } => {
                write!(f, "the delta for the dictionary with id {id} has no earlier dictionary to extend")
            }
            IpcErrorKind::SharedDictionaryValues { id } => write!(
                f,
                "fields that share the dictionary with id {id} have different values in this batch; unify the dictionaries"
            ),
            IpcErrorKind::ReplacedDictionary { id } => write!(
                f,
                "the dictionary with id {id} differs from the one written before; a file allows only one: \
                 write deltas, or unify the dictionaries first"
            ),
            IpcErrorKind::ChangedDictionary { id } => write!(
                f,
                "the dictionary with id {id} differs from the one written before; the options refuse new values"
            ),
            IpcErrorKind::NotUnified { id } => {
                write!(f, "the dictionary with id {id} has values that are not among the unified ones")
            }
            IpcErrorKind::OppositeOrders { id, values } => {
                let [first, second] = &**values;
                write!(
                    f,
                    "the ordered dictionaries with id {id} contradict each other: {first} comes before {second} in one of \
                     them, but after it in others"
                )
            }
            IpcErrorKind::UnknownOrder { id, values } => {
                let [first, second] = &**values;
                write!(
                    f,
                    "the ordered dictionaries with id {id} do not say which comes first, {first} or {second}"
                )
            }
            IpcErrorKind::SecondDictionary { id } => {
                write!(f, "a second dictionary has the id {id}; in a file, only deltas may follow the first")
            }
            IpcErrorKind::DictionaryColumns { found } => {
                write!(f, "the dictionary batch has {found} columns, not one")
            }
            IpcErrorKind::EndMagic { found } => {
                write!(f, "the file does not end with the magic `ARROW1`: found \"{}\"", found.escape_ascii())
            }
            IpcErrorKind::FooterLength { found, file_bytes } => {
                write!(f, "the footer length is {found}, which is invalid in a file of {file_bytes} bytes")
            }
            IpcErrorKind::BlockOutOfFile { block, offset, metadata_bytes, body_bytes } => write!(
                f,
                "the block of {block} cannot be a message between the magic and the footer: offset {offset}, {metadata_bytes} bytes of metadata, {body_bytes} of body"
            ),
            IpcErrorKind::BlocksOverlap { n_bytes, n_available } => write!(
                f,
                "the footer's blocks overlap: they have {n_bytes} bytes together; at most {n_available} fit into the file"
            ),
            IpcErrorKind::BlockMismatch { what, footer, message } => {
                write!(f, "{what} has {message} bytes; the footer or the index says {footer}")
            }
            IpcErrorKind::BodyParts { end, next } => {
                write!(
                    f,
                    "the parts of a body overlap or lie outside it: {end} bytes are followed by offset {next}"
                )
            }
            IpcErrorKind::RowCount { footer, message } => {
                write!(f, "the batch has {message} rows; the footer or the index says {footer}")
            }
            IpcErrorKind::NoSuchFileRows { start, end, n_rows } => {
                write!(f, "rows {start}..{end} are out of bounds; the file has {n_rows} rows")
            }
            IpcErrorKind::NoSuchRows { start, end, n_rows } => {
                write!(f, "rows {start}..{end} are out of bounds; the batch has {n_rows} rows")
            }
            IpcErrorKind::ProvidedRange { start, end, found, file_bytes } => write!(
                f,
                "{found} bytes were provided for the range {start}..{end}; the file has {file_bytes} bytes"
            ),
            IpcErrorKind::FetchedRanges { expected, found } => {
                write!(f, "the source gave {found} ranges; {expected} were requested")
            }
            IpcErrorKind::StreamContinues => f.write_str(
                "the stream was opened with lower limits, at which it ends before this message; refresh the reader to find the rest",
            ),
            IpcErrorKind::StreamIndex { what } => write!(f, "the index does not fit the stream: {what}"),
            IpcErrorKind::NoSuchBatch { batch_idx, n_batches } => {
                write!(f, "batch {batch_idx} is out of bounds; the file has {n_batches} batches")
            }
            IpcErrorKind::NoSuchBatches { start, end, n_batches } => {
                write!(f, "batches {start}..{end} are out of bounds; the file has {n_batches} batches")
            }
            IpcErrorKind::CopyRefused { cause, n_bytes } => write!(
                f,
                "{cause}, so reading would copy {n_bytes} bytes, which the options refuse; {}",
                cause.remedy()
            ),
            IpcErrorKind::Data(error) => fmt::Display::fmt(error, f),
            IpcErrorKind::Select(error) => fmt::Display::fmt(error, f),
            IpcErrorKind::Lookup(error) => fmt::Display::fmt(error, f),
            IpcErrorKind::CannotProject { path, kind } => {
                write!(f, "cannot select {path} inside {kind}, which can only be selected whole")
            }
            IpcErrorKind::NotAllColumns => {
                f.write_str("the bytes of all columns are needed, but only some columns are selected")
            }
            IpcErrorKind::Schema(error) => write!(f, "the batch does not fit the schema: {error}"),
            IpcErrorKind::NotInVersion { what, version } => {
                write!(f, "metadata version {version} does not allow {what}")
            }
            IpcErrorKind::MessageTooLong { row, n_bytes, max_bytes } => {
                match row {
                    Some(row) => {
                        write!(f, "row {row} of the batch does not fit: its message has {n_bytes} bytes")?
                    }
                    None => write!(f, "the message of a batch without rows has {n_bytes} bytes")?,
                }
                write!(f, "; at most {max_bytes} are allowed")
            }
            IpcErrorKind::CompressionLevel { codec, level, levels } => {
                write!(f, "{codec} has no level {level}{}", show_levels(*levels))
            }
            IpcErrorKind::NoSchemaYet { what } => {
                write!(f, "{what} needs the schema, which has not been read yet")
            }
            IpcErrorKind::AlreadyFailed { what } => {
                write!(f, "the {what} cannot continue after its earlier error")
            }
            IpcErrorKind::Internal { what } => write!(f, "internal error: {what}; please report it"),
            IpcErrorKind::AlreadyFinished { what } => {
                write!(f, "cannot write {what}: the output is finished")
            }
            IpcErrorKind::InputFinished => f.write_str("cannot pass more bytes: the input is finished"),
        }
    }
}

impl std::error::Error for IpcErrorKind {}

/// The reason why a reader cannot share the memory that it was given.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum CopyCause {
    /// A buffer does not start at a multiple of the alignment of its numbers.
    Misaligned,
    /// The numbers of a buffer have the byte order of other machines.
    ByteOrder,
    /// A buffer is compressed.
    Compressed,
    /// Null slots, or bytes that no slot refers to, are not valid for the type.
    InvalidNulls,
    /// A union of metadata V4 has nulls of its own, which its children get.
    UnionNulls,
    /// Deltas are appended to a dictionary.
    Deltas,
    /// The bytes lie in several buffers, or arrived in several reads.
    Scattered,
}

impl CopyCause {
    /// The identifier of the cause in reports for programs, such as `byte_order`.
    pub fn name(self) -> &'static str {
        match self {
            CopyCause::Misaligned => "misaligned",
            CopyCause::ByteOrder => "byte_order",
            CopyCause::Compressed => "compressed",
            CopyCause::InvalidNulls => "invalid_nulls",
            CopyCause::UnionNulls => "union_nulls",
            CopyCause::Deltas => "deltas",
            CopyCause::Scattered => "scattered",
        }
    }

    /// What a user can do.
    fn remedy(self) -> &'static str {
        match self {
            CopyCause::Misaligned => {
                "memory must start at a multiple of 64, and `arrow-ipc convert` writes aligned buffers"
            }
            CopyCause::Scattered => "map the input, or pass its bytes in one buffer",
            CopyCause::Deltas => "`arrow-ipc convert --dictionaries unify` writes whole dictionaries",
            CopyCause::ByteOrder
            | CopyCause::Compressed
            | CopyCause::InvalidNulls
            | CopyCause::UnionNulls => "`arrow-ipc convert` writes a file that is read without copies",
        }
    }
}

impl fmt::Display for CopyCause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            CopyCause::Misaligned => "the buffer is not aligned",
            CopyCause::ByteOrder => "the buffer has the other byte order",
            CopyCause::Compressed => "the buffer is compressed",
            CopyCause::InvalidNulls => "null slots or unused bytes are invalid",
            CopyCause::UnionNulls => "a union of metadata V4 has nulls of its own",
            CopyCause::Deltas => "the dictionary has deltas",
            CopyCause::Scattered => "the bytes are scattered over several buffers or reads",
        })
    }
}

fn show_levels(levels: Option<(i32, i32)>) -> String {
    levels.map_or_else(String::new, |(least, most)| format!("; levels are {least} to {most}"))
}

impl IpcErrorKind {
    /// Prepends the path of a field to the path in an error of arrays, which is relative to this field. Returns the joined
    /// path.
    pub(super) fn prefix_path(&mut self, prefix: FieldPath) -> FieldPath {
        if let IpcErrorKind::Data(error) = self {
            error.prefix_path(&prefix);
            return error.path().clone();
        }
        if let IpcErrorKind::Select(error) = self {
            error.prefix_path(&prefix);
            return error.path().clone();
        }
        prefix
    }
}
