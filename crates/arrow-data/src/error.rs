//! What can be wrong with an array, and where.

use std::fmt;

use arrow_schema::{DataType, FieldPath, LookupError, PathStep, SchemaDifference};

use crate::layout::Role;

/// Why an array or batch was refused: field path, buffer role and slot where known, and the cause.
#[derive(Debug, Clone, PartialEq)]
pub struct DataError(Box<Inner>);

#[derive(Debug, Clone, PartialEq)]
struct Inner {
    path: FieldPath,
    role: Option<Role>,
    slot: Option<u64>,
    kind: DataErrorKind,
}

/// The cause of a [`DataError`], with what was found and what is allowed.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs)] // of the fields: the messages name them
pub enum DataErrorKind {
    /// A buffer has fewer bytes than its slots need.
    #[error("the buffer has {found} bytes; {n_slots} slots need {needed}")]
    BufferTooShort { n_slots: u64, needed: u64, found: u64 },
    /// What the slots need is more than a `usize` can hold.
    #[error("{n_slots} slots need more bytes than can be addressed")]
    SizeOverflow { n_slots: u64 },
    /// A buffer starts where its elements may not; `needed` is their alignment.
    #[error("the buffer starts at an address that is not a multiple of {needed}")]
    Misaligned { needed: usize },
    /// A bitmap has another number of bits than there are slots.
    #[error("the bitmap has {found} bits for {expected} slots")]
    BitmapLength { expected: u64, found: u64 },
    /// A validity bitmap for a type without one: null, a union or run-end encoded.
    #[error("a validity bitmap is given, but the type {data_type} has none")]
    UnexpectedValidity { data_type: DataType },
    /// Nulls are declared, and no bitmap says which.
    #[error("{null_count} nulls are declared, but there is no validity bitmap")]
    MissingValidity { null_count: u64 },
    /// More nulls are declared than there are slots.
    #[error("{null_count} nulls are declared for {n_slots} slots")]
    TooManyNulls { null_count: u64, n_slots: u64 },
    /// The declared number of nulls is not that of the bitmap. Found when content is validated.
    #[error("{declared} nulls are declared; the validity bitmap has {found}")]
    NullCount { declared: u64, found: u64 },
    /// Another number of children than the type has.
    #[error("expected {expected} children, found {found}")]
    ChildCount { expected: usize, found: usize },
    /// A child, dictionary or column of another type than the field says.
    #[error("expected {expected}, found {found}")]
    TypeMismatch { expected: DataType, found: DataType },
    /// A child is too short, or of another length than its parent.
    #[error("the array has {found} slots; its parent needs {expected}")]
    ChildLength { expected: u64, found: u64 },
    /// Data buffers for a type that is no view type.
    #[error("variadic buffers are given, but the type {data_type} has none")]
    UnexpectedVariadic { data_type: DataType },
    /// A dictionary for a type that is not dictionary-encoded.
    #[error("the type {data_type} is not dictionary-encoded, but a dictionary is given")]
    UnexpectedDictionary { data_type: DataType },
    /// A dictionary-encoded array without its dictionary.
    #[error("the dictionary is missing")]
    MissingDictionary,
    /// An offset for a type other than booleans and runs.
    #[error("the array offset is {offset}; the type {data_type} allows only 0")]
    UnexpectedOffset { offset: usize, data_type: DataType },
    /// A run-end encoded array has fewer values than runs.
    #[error("{n_runs} run ends for {n_values} values")]
    RunCount { n_runs: u64, n_values: u64 },
    /// A run-end encoded array with slots has no runs.
    #[error("no runs for {n_slots} slots")]
    NoRuns { n_slots: u64 },
    /// A column is of another length than the batch.
    #[error("the column has {found} rows; the batch has {expected}")]
    RowCount { expected: u64, found: u64 },
    /// Another number of columns than the schema has.
    #[error("the schema has {expected} columns, found {found}")]
    ColumnCount { expected: usize, found: usize },
    /// A slice is out of bounds.
    #[error("slots {start}..{end} are out of bounds; the array has {n_slots}")]
    SliceOutOfRange { start: u64, end: u128, n_slots: u64 },

    /// An offset of a list, of text or of binary data is negative.
    #[error("the offset is {offset}, which is negative")]
    NegativeOffset { offset: i64 },
    /// An offset is smaller than the one before it.
    #[error("offset {next} is less than the preceding offset {offset}")]
    OffsetsDecrease { offset: i64, next: i64 },
    /// An offset is past the end of the bytes or items that it divides.
    #[error("offset {offset} is out of bounds; the data ends at {end}")]
    OffsetOutOfRange { offset: i64, end: u64 },
    /// The size of a list view is negative.
    #[error("the size is {size}, which is negative")]
    NegativeSize { size: i64 },
    /// A list view reaches past the end of the items.
    #[error("offset {offset} and size {size} are out of bounds; the child has {end} slots")]
    ListViewOutOfRange { offset: i64, size: i64, end: u64 },
    /// Text is not UTF-8; `valid_up_to` counts from its beginning, in the value where the slot is known.
    #[error("the value is not UTF-8 at byte {valid_up_to}")]
    NotUtf8 { valid_up_to: u64 },
    /// The text is UTF-8, but an offset cuts through a character.
    #[error("the value begins or ends inside a character")]
    SplitCharacter,
    /// A view of text or binary data points outside of the data, or contradicts it.
    #[error("malformed view: {0}")]
    View(arrow_buffer::ViewError),
    /// An index selects nothing of the dictionary.
    #[error("index {index} is out of bounds; the dictionary has {n_values} values")]
    IndexOutOfRange { index: i128, n_values: u64 },
    /// A slot of a union selects no child.
    #[error("the union has no type id {type_id}")]
    UnknownTypeId { type_id: i8 },
    /// A slot of a dense union selects nothing of its child.
    #[error("offset {offset} is out of bounds; the union's child has {n_slots} slots")]
    UnionOffsetOutOfRange { offset: i64, n_slots: u64 },
    /// A run ends before it begins, or has no slots.
    #[error("run end {run_end} is not greater than {previous}, where the run starts")]
    RunEndOrder { previous: i64, run_end: i64 },
    /// The runs end before the array does.
    #[error("the last run ends at {run_end}; the array needs {needed}")]
    RunsTooShort { run_end: i64, needed: u64 },
    /// A run end is null.
    #[error("run ends must not be null")]
    NullRunEnd,
    /// An entry of a map is null.
    #[error("entries of a map must not be null")]
    NullMapEntry,
    /// A key of a map is null.
    #[error("keys of a map must not be null")]
    NullMapKey,

    /// Strict: a decimal has more digits than its type says.
    #[error("the decimal has more than {precision} digits")]
    DecimalPrecision { precision: u8 },
    /// Strict: a date64 is not a whole number of days.
    #[error("{value} is not a multiple of {unit}")]
    NotMultiple { value: i64, unit: i64 },
    /// Strict: a time is negative or not within one day.
    #[error("{value} is not within a day of {per_day} units")]
    OutsideDay { value: i64, per_day: i64 },
    /// Strict: offsets of a dense union go back within one child.
    #[error("offset {offset} is less than {previous}, the preceding offset into the same child")]
    UnionOffsetOrder { previous: i32, offset: i32 },
    /// Text needs larger copies than [`Repairs::new`](crate::Repairs::new) allows.
    #[error("blanking null slots that are not UTF-8 would copy {n_bytes} bytes; the limit is {limit}")]
    TooManyRepairs { n_bytes: u64, limit: u64 },
    /// An array that grows needs more copies than [`GrowingArray::append`](crate::GrowingArray::append) may make.
    #[error("appending to the array would copy {n_bytes} bytes in all; the limit is {limit}")]
    TooManyCopies { n_bytes: u64, limit: u64 },
    /// Strict: a null in a field that is not nullable.
    #[error("a null in a field that is not nullable")]
    NullInRequired,

    /// Columns whose types cannot be compared: they cannot hold the same values.
    #[error("values of type {left} and of type {right} cannot be compared")]
    Incomparable { left: DataType, right: DataType },

    /// A concatenation of no arrays, which has no type.
    #[error("there are no arrays to concatenate")]
    NothingToConcat,
    /// An index to take is out of bounds; `position` is its place among the indices.
    #[error("index {index} at position {position} is out of bounds; the array has {n_slots} slots")]
    TakeOutOfRange { position: u64, index: i128, n_slots: u64 },
    /// A mask to filter by has another length than what is filtered.
    #[error("the mask has {found} bits for {expected} slots")]
    MaskLength { expected: u64, found: u64 },
    /// More bytes or items than offsets of 32 bits can hold.
    #[error("the values exceed the offsets of {data_type}; use the large type")]
    OffsetOverflow { data_type: DataType },
    /// More values in one child of a dense union than offsets of 32 bits can hold.
    #[error("the values of type id {type_id} exceed the 32-bit offsets of a dense union")]
    UnionOffsetOverflow { type_id: i8 },
    /// More slots than the run ends can hold.
    #[error("{n_slots} slots exceed run ends of type {run_end_type}; use a wider type")]
    RunEndOverflow { run_end_type: DataType, n_slots: u64 },
    /// More values of a dictionary than its indices can hold.
    #[error("{n_values} values exceed dictionary indices of type {index_type}; use a wider type")]
    IndexOverflow { index_type: DataType, n_values: u64 },
    /// Ordered dictionaries cannot be merged: no single one holds the values of all others in their order.
    #[error("cannot merge ordered dictionaries with different values")]
    OrderedDictionaries,
    /// Values that unfold to more bytes than the caller wants to have.
    #[error("the values exceed {limit} bytes, because they refer to the same items many times")]
    ValueBytes { limit: u64 },

    /// A path leads into a type whose children cannot be selected alone.
    #[error("cannot project inside {data_type}")]
    PathInto { data_type: DataType },
    /// A path without steps, where one leads to a column.
    #[error("the path is empty")]
    NoPath,
    /// Values are null since a struct around them is, and their type has no place for that.
    #[error(
        "the struct around the values has nulls; the type {data_type} has no validity bitmap to hold them"
    )]
    NullsAbove { data_type: DataType },

    /// Something that cannot happen, and a bug of this crate where it does: `what` says where.
    #[error("internal error: {what}; please report it")]
    Internal { what: &'static str },

    /// No column has the name or position, or more than one has.
    #[error(transparent)]
    Lookup(#[from] LookupError),
    /// Two schemas that have to be the same are not.
    #[error(transparent)]
    Schema(#[from] SchemaDifference),
}

impl DataError {
    /// The field it is about, from the array or batch that was looked at; empty for that array itself.
    pub fn path(&self) -> &FieldPath {
        &self.0.path
    }

    /// The buffer it is about.
    pub fn role(&self) -> Option<Role> {
        self.0.role
    }

    /// The slot it is about, counted in the array that [`path`](DataError::path) names.
    pub fn slot(&self) -> Option<u64> {
        self.0.slot
    }

    /// The cause.
    pub fn kind(&self) -> &DataErrorKind {
        &self.0.kind
    }

    /// A state that cannot be: a bug of this crate.
    #[cold]
    pub(crate) fn internal(what: &'static str) -> DataError {
        DataErrorKind::Internal { what }.into()
    }

    pub(crate) fn in_role(mut self, role: Role) -> DataError {
        self.0.role.get_or_insert(role);
        self
    }

    pub(crate) fn at_slot(mut self, slot: usize) -> DataError {
        self.0.slot.get_or_insert(slot as u64);
        self
    }

    /// Says that the path so far begins below `prefix`.
    pub fn prefix_path(&mut self, prefix: &FieldPath) {
        let steps = prefix.steps().iter().chain(self.0.path.steps()).cloned();
        self.0.path = steps.collect();
    }

    pub(crate) fn below(mut self, step: PathStep) -> DataError {
        self.0.path.prepend(step);
        self
    }

    /// Adds that the error is about the `position`-th child of `parent`, or something below that.
    #[must_use]
    pub fn in_child(self, parent: &DataType, position: usize) -> DataError {
        let name = parent.children().get(position).map_or("", |field| field.name());
        self.in_field(position, name)
    }

    /// Adds that the error is about the field `name` at `position`, or something below that.
    #[must_use]
    pub fn in_field(self, position: usize, name: &str) -> DataError {
        self.below(PathStep::Child {
            position: u32::try_from(position).unwrap_or(u32::MAX),
            name: name.into(),
        })
    }
}

impl From<DataErrorKind> for DataError {
    fn from(kind: DataErrorKind) -> DataError {
        DataError(Box::new(Inner { path: FieldPath::root(), role: None, slot: None, kind }))
    }
}

impl From<LookupError> for DataError {
    fn from(error: LookupError) -> DataError {
        DataErrorKind::from(error).into()
    }
}

impl fmt::Display for DataError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Inner { path, role, slot, kind } = &*self.0;
        let mut separator = "";
        if !path.is_root() {
            write!(f, "field `{path}`")?;
            separator = ", ";
        }
        if let Some(role) = role {
            write!(f, "{separator}{role}")?;
            separator = ", ";
        }
        if let Some(slot) = slot {
            write!(f, "{separator}slot {slot}")?;
            separator = ", ";
        }
        if !separator.is_empty() {
            f.write_str(": ")?;
        }
        fmt::Display::fmt(kind, f)
    }
}

/// There is no `source`: the message holds all there is.
impl std::error::Error for DataError {}
