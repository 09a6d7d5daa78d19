//! The causes of errors about data. Each variant has the value that was found and the values that are allowed.

use std::fmt;

use arrow_error::ErrorClass;

use arrow_buffer::{BudgetError, I256};
use arrow_schema::{DataType, LookupError, SchemaDifference};

/// The cause of a [`DataError`](super::DataError), with the value that was found and the values that are allowed.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
#[allow(missing_docs)] // of the fields: the messages name them
pub enum DataErrorKind {
    /// A buffer has fewer bytes than its slots need.
    BufferTooShort { n_slots: u64, needed: u64, found: u64 },
    /// The number of slots, or of their bytes, does not fit in a `usize`.
    SizeOverflow { n_slots: u64 },
    /// A buffer is not aligned for its elements; `needed` is the alignment.
    Misaligned { needed: usize },
    /// A bitmap does not have one bit for each slot.
    BitmapLength { expected: u64, found: u64 },
    /// There is a validity bitmap, but the type has none: the null type, a union or a run-end encoded type.
    UnexpectedValidity { data_type: DataType },
    /// Nulls are declared, but there is no bitmap.
    MissingValidity { null_count: u64 },
    /// More nulls are declared than there are slots.
    TooManyNulls { null_count: u64, n_slots: u64 },
    /// The declared number of nulls differs from the number in the bitmap. Validation of content compares the two.
    NullCount { declared: u64, found: u64 },
    /// The number of children is not the number that the type requires.
    ChildCount { expected: usize, found: usize },
    /// A child, dictionary or column does not have the type of its field.
    TypeMismatch { expected: DataType, found: DataType },
    /// A child is too short, or differs in length from its parent.
    ChildLength { expected: u64, found: u64 },
    /// A type that is no view type has data buffers.
    UnexpectedVariadic { data_type: DataType },
    /// A type that is not dictionary-encoded has a dictionary.
    UnexpectedDictionary { data_type: DataType },
    /// A dictionary-encoded array has no dictionary.
    MissingDictionary,
    /// A type other than booleans and runs has an offset.
    UnexpectedOffset { offset: usize, data_type: DataType },
    /// A run-end encoded array has fewer values than runs.
    RunCount { n_runs: u64, n_values: u64 },
    /// A run-end encoded array with slots has no runs.
    NoRuns { n_slots: u64 },
    /// A column does not have the length of the batch.
    RowCount { expected: u64, found: u64 },
    /// The number of columns is not the number of fields in the schema.
    ColumnCount { expected: usize, found: usize },
    /// A slice is out of bounds.
    SliceOutOfRange { start: u64, end: u128, n_slots: u64 },

    /// An offset of a list, or of utf8 or binary, is negative.
    NegativeOffset { offset: i64 },
    /// An offset is smaller than the offset before it.
    OffsetsDecrease { offset: i64, next: i64 },
    /// An offset is past the end of its bytes or items.
    OffsetOutOfRange { offset: i64, end: u64 },
    /// The size of a list view is negative.
    NegativeSize { size: i64 },
    /// A list view ends past the end of the items.
    ListViewOutOfRange { offset: i64, size: i64, end: u64 },
    /// Text is not UTF-8; `valid_up_to` counts from the start of the value if the slot is known, and otherwise from the start
    /// of the buffer.
    NotUtf8 { valid_up_to: u64 },
    /// The buffer is UTF-8, but an offset lies inside a character.
    SplitCharacter,
    /// A view is invalid, or there are more data buffers than views can refer to. The
    /// [`ViewError`](arrow_buffer::ViewError) is the reason.
    View(arrow_buffer::ViewError),
    /// An index is outside the dictionary.
    IndexOutOfRange { index: i128, n_values: u64 },
    /// A type id does not belong to a child of the union.
    UnknownTypeId { type_id: i8 },
    /// A slot of a dense union refers to a slot that its child does not have.
    UnionOffsetOutOfRange { offset: i64, n_slots: u64 },
    /// A run end is not greater than the run end before it.
    RunEndOrder { previous: i64, run_end: i64 },
    /// The last run ends before the last slot of the array.
    RunsTooShort { run_end: i64, needed: u64 },
    /// A run end is null.
    NullRunEnd,
    /// An entry of a map is null.
    NullMapEntry,
    /// A key of a map is null.
    NullMapKey,

    /// Strict: a decimal has more digits than its type allows. The value has no scale.
    DecimalPrecision { value: I256, precision: u8 },
    /// Strict: a date64 is not a whole number of days.
    NotMultiple { value: i64, unit: i64 },
    /// Strict: a time is negative or not within one day.
    OutsideDay { value: i64, per_day: i64 },
    /// Strict: the offsets of a child of a dense union decrease.
    UnionOffsetOrder { previous: i32, offset: i32 },
    /// Null slots with invalid values need larger copies than the limit of the repair allows.
    TooManyRepairs { n_bytes: u64, limit: u64 },
    /// Strict: a field that is not nullable has a null.
    NullInRequired,

    /// The types of two columns cannot have the same values.
    Incomparable { left: DataType, right: DataType },

    /// There are no arrays to concatenate, so the type of the result is unknown.
    NothingToConcat,

    /// A path leads into a map, a union, runs or a dictionary, whose children cannot be selected alone.
    PathInto { data_type: DataType },
    /// A path has no steps, so it names no column.
    NoPath,
    /// A parent has nulls, but the values below it are a union or runs, which have no validity bitmap.
    NullsAbove { data_type: DataType },

    /// The memory budget for copies, or the system, refuses memory.
    Memory(BudgetError),

    /// A bug of this crate. `what` names the broken rule.
    Internal { what: &'static str },

    /// No column has the name or position, or several columns have the name.
    Lookup(LookupError),
    /// Two schemas that must be equal are different.
    Schema(SchemaDifference),
}

impl DataErrorKind {
    /// How a program can react.
    pub fn class(&self) -> ErrorClass {
        match self {
            Self::Memory(error) => error.class(),
            Self::TooManyRepairs { .. } => ErrorClass::LimitExceeded,
            Self::Internal { .. } => ErrorClass::Internal,
            Self::Incomparable { .. }
            | Self::Lookup(_)
            | Self::NoPath
            | Self::NothingToConcat
            | Self::NullsAbove { .. }
            | Self::PathInto { .. }
            | Self::Schema(_)
            | Self::SliceOutOfRange { .. } => ErrorClass::Misuse,
            Self::BufferTooShort { .. }
            | Self::SizeOverflow { .. }
            | Self::Misaligned { .. }
            | Self::BitmapLength { .. }
            | Self::UnexpectedValidity { .. }
            | Self::MissingValidity { .. }
            | Self::TooManyNulls { .. }
            | Self::NullCount { .. }
            | Self::ChildCount { .. }
            | Self::TypeMismatch { .. }
            | Self::ChildLength { .. }
            | Self::UnexpectedVariadic { .. }
            | Self::UnexpectedDictionary { .. }
            | Self::MissingDictionary
            | Self::UnexpectedOffset { .. }
            | Self::RunCount { .. }
            | Self::NoRuns { .. }
            | Self::RowCount { .. }
            | Self::ColumnCount { .. }
            | Self::NegativeOffset { .. }
            | Self::OffsetsDecrease { .. }
            | Self::OffsetOutOfRange { .. }
            | Self::NegativeSize { .. }
            | Self::ListViewOutOfRange { .. }
            | Self::NotUtf8 { .. }
            | Self::SplitCharacter
            | Self::View(_)
            | Self::IndexOutOfRange { .. }
            | Self::UnknownTypeId { .. }
            | Self::UnionOffsetOutOfRange { .. }
            | Self::RunEndOrder { .. }
            | Self::RunsTooShort { .. }
            | Self::NullRunEnd
            | Self::NullMapEntry
            | Self::NullMapKey
            | Self::DecimalPrecision { .. }
            | Self::NotMultiple { .. }
            | Self::OutsideDay { .. }
            | Self::UnionOffsetOrder { .. }
            | Self::NullInRequired => ErrorClass::Malformed,
        }
    }
}

impl fmt::Display for DataErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DataErrorKind::BufferTooShort { n_slots, needed, found } => {
                write!(f, "the buffer is too short: {found} of {needed} bytes for {n_slots} slots")
            }
            DataErrorKind::SizeOverflow { n_slots } => {
                write!(f, "{n_slots} slots need more bytes than can be addressed")
            }
            DataErrorKind::Misaligned { needed } => {
                write!(f, "the buffer starts at an address that is not a multiple of {needed}")
            }
            DataErrorKind::BitmapLength { expected, found } => {
                write!(f, "the bitmap has {found} bits for {expected} slots")
            }
            DataErrorKind::UnexpectedValidity { data_type } => {
                write!(f, "a validity bitmap is given, but the type {data_type} has none")
            }
            DataErrorKind::MissingValidity { null_count } => {
                write!(f, "the null count is {null_count}, but there is no validity bitmap")
            }
            DataErrorKind::TooManyNulls { null_count, n_slots } => {
                write!(f, "the null count is {null_count}; the array has {n_slots} slots")
            }
            DataErrorKind::NullCount { declared, found } => {
                write!(f, "the null count is {declared}; the validity bitmap has {found} nulls")
            }
            DataErrorKind::ChildCount { expected, found } => {
                write!(f, "expected {expected} children, found {found}")
            }
            DataErrorKind::TypeMismatch { expected, found } => {
                write!(f, "expected {expected}, found {found}")
            }
            DataErrorKind::ChildLength { expected, found } => {
                write!(f, "the array has {found} slots; its parent needs {expected}")
            }
            DataErrorKind::UnexpectedVariadic { data_type } => {
                write!(f, "variadic buffers are given, but the type {data_type} has none")
            }
            DataErrorKind::UnexpectedDictionary { data_type } => {
                write!(f, "the type {data_type} is not dictionary-encoded, but a dictionary is given")
            }
            DataErrorKind::MissingDictionary => f.write_str("the type needs a dictionary, but none is given"),
            DataErrorKind::UnexpectedOffset { offset, data_type } => {
                write!(f, "the array offset is {offset}; the type {data_type} allows only 0")
            }
            DataErrorKind::RunCount { n_runs, n_values } => {
                write!(f, "the array has {n_runs} run ends and {n_values} values; each run needs a value")
            }
            DataErrorKind::NoRuns { n_slots } => write!(f, "the array has {n_slots} slots, but no run ends"),
            DataErrorKind::RowCount { expected, found } => {
                write!(f, "the column has {found} rows; the batch has {expected}")
            }
            DataErrorKind::ColumnCount { expected, found } => {
                write!(f, "the batch has {found} columns; the schema has {expected}")
            }
            DataErrorKind::SliceOutOfRange { start, end, n_slots } => {
                write!(f, "slots {start}..{end} are out of bounds; the array has {n_slots} slots")
            }
            DataErrorKind::NegativeOffset { offset } => write!(f, "offset {offset} is negative"),
            DataErrorKind::OffsetsDecrease { offset, next } => {
                write!(f, "offset {next} is less than the preceding offset {offset}")
            }
            DataErrorKind::OffsetOutOfRange { offset, end } => {
                write!(f, "offset {offset} is out of bounds; the bytes or items end at {end}")
            }
            DataErrorKind::NegativeSize { size } => write!(f, "the size is {size}, which is negative"),
            DataErrorKind::ListViewOutOfRange { offset, size, end } => {
                write!(f, "offset {offset} and size {size} are out of bounds; the child has {end} slots")
            }
            DataErrorKind::NotUtf8 { valid_up_to } => {
                write!(f, "the value is not UTF-8 at its byte {valid_up_to}")
            }
            DataErrorKind::SplitCharacter => f.write_str("the value begins or ends inside a UTF-8 character"),
            DataErrorKind::View(error) => write!(f, "malformed view: {error}"),
            DataErrorKind::IndexOutOfRange { index, n_values } => {
                write!(f, "index {index} is out of bounds; the dictionary has {n_values} values")
            }
            DataErrorKind::UnknownTypeId { type_id } => write!(f, "the union has no type id {type_id}"),
            DataErrorKind::UnionOffsetOutOfRange { offset, n_slots } => {
                write!(f, "offset {offset} is out of bounds; the union's child has {n_slots} slots")
            }
            DataErrorKind::RunEndOrder { previous, run_end } => {
                write!(f, "run end {run_end} is not greater than the start of its run, {previous}")
            }
            DataErrorKind::RunsTooShort { run_end, needed } => {
                write!(f, "the last run ends at {run_end}; the array needs runs up to {needed}")
            }
            DataErrorKind::NullRunEnd => f.write_str("run ends must not be null"),
            DataErrorKind::NullMapEntry => f.write_str("entries of a map must not be null"),
            DataErrorKind::NullMapKey => f.write_str("keys of a map must not be null"),
            DataErrorKind::DecimalPrecision { value, precision } => {
                write!(f, "the decimal has more than {precision} digits: its unscaled value is {value}")
            }
            DataErrorKind::NotMultiple { value, unit } => {
                write!(f, "the date64 {value} is not a multiple of {unit}, one day")
            }
            DataErrorKind::OutsideDay { value, per_day } => {
                write!(f, "the time {value} is not within a day, from 0 to less than {per_day}")
            }
            DataErrorKind::UnionOffsetOrder { previous, offset } => {
                write!(f, "offset {offset} is less than {previous}, the preceding offset into the same child")
            }
            DataErrorKind::TooManyRepairs { n_bytes, limit } => write!(
                f,
                "replacing invalid values in null slots would copy {n_bytes} bytes; the limit is {limit}"
            ),
            DataErrorKind::NullInRequired => f.write_str("the value is null, but the field is not nullable"),
            DataErrorKind::Incomparable { left, right } => {
                write!(f, "values of type {left} and of type {right} cannot be compared")
            }
            DataErrorKind::NothingToConcat => f.write_str("there are no arrays to concatenate"),
            DataErrorKind::PathInto { data_type } => write!(f, "cannot select fields inside {data_type}"),
            DataErrorKind::NoPath => f.write_str("the path of the column is empty"),
            DataErrorKind::NullsAbove { data_type } => write!(
                f,
                "the parent of the field has nulls, but the type {data_type} has no validity bitmap for them"
            ),
            DataErrorKind::Memory(error) => fmt::Display::fmt(error, f),
            DataErrorKind::Internal { what } => write!(f, "internal error: {what}; please report it"),
            DataErrorKind::Lookup(error) => fmt::Display::fmt(error, f),
            DataErrorKind::Schema(error) => fmt::Display::fmt(error, f),
        }
    }
}

impl std::error::Error for DataErrorKind {}

impl From<LookupError> for DataErrorKind {
    fn from(error: LookupError) -> DataErrorKind {
        DataErrorKind::Lookup(error)
    }
}

impl From<SchemaDifference> for DataErrorKind {
    fn from(error: SchemaDifference) -> DataErrorKind {
        DataErrorKind::Schema(error)
    }
}
