//! Errors of typed arrays and of builders.

#[cfg(feature = "jiff")]
mod temporal;

use std::fmt;

use arrow_error::ErrorClass;

use arrow_buffer::I256;
use arrow_data::DataError;
use arrow_schema::{DataType, FieldPath, IndexType, LookupError, PathStep, RunEndType, TypeError};
use arrow_select::{SelectError, SelectErrorKind};

use crate::decimal::Decimal;

#[cfg(feature = "jiff")]
pub use self::temporal::TemporalError;

/// Why a typed array or its text cannot be made, or why a builder cannot build an array.
///
/// ```
/// use arrow_array::{Int64Array, Utf8Array};
/// use arrow_data::ArrayData;
///
/// let numbers = ArrayData::from(Int64Array::from_iter([1, 2, 3]));
/// let error = Utf8Array::try_from(&numbers).expect_err("numbers are not text");
/// assert_eq!(error.to_string(), "expected utf8, found int64");
/// ```
#[derive(Clone, PartialEq)]
pub struct ArrayError(Box<Inner>);

#[derive(Clone, PartialEq)]
struct Inner {
    /// Where the error occurred. Empty for [`ArrayErrorKind::Data`], which has its own path.
    path: FieldPath,
    kind: ArrayErrorKind,
}

/// The cause of an [`ArrayError`].
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum ArrayErrorKind {
    /// The data does not have the type of the array.
    TypeMismatch {
        /// The name of the type of the array, without its parameters.
        expected: &'static str,
        /// The type of the data.
        found: DataType,
    },
    /// The data violates the format.
    Data(DataError),
    /// Values cannot be selected or compared, for example because they are too long written out in full.
    Select(SelectErrorKind),
    /// A column or child does not exist, or its name is not unique.
    Lookup(LookupError),
    /// A value of `jiff` cannot be converted to or from the stored number.
    #[cfg(feature = "jiff")]
    Temporal(TemporalError),
    /// A scalar cannot become a Rust value that is no option, since it is null.
    NullScalar,
    /// Structs cannot become rows of a batch, since some of them are null.
    NullStructs {
        /// The number of null structs.
        null_count: u64,
    },
    /// All values together are longer than the offsets of the type can express.
    OffsetOverflow {
        /// The number of bytes or items that exceeded the limit.
        n: u64,
        /// What `n` counts: bytes, items, entries of maps, or values of a child of a union.
        unit: &'static str,
        /// The integer type of the offsets: `int32` or `int64`.
        offsets: &'static str,
        /// The largest offset that the type can express.
        max: u64,
    },
    /// One value is longer than a view can express.
    ViewOverflow {
        /// The length of the value in bytes.
        n_bytes: u64,
    },
    /// A value does not have the length of the type `fixed_size_binary`.
    ValueLength {
        /// The length that the type requires, in bytes.
        expected: u64,
        /// The length of the value, in bytes.
        found: u64,
    },
    /// A list does not have the length of the type `fixed_size_list`.
    ListLength {
        /// The number of items that the type requires.
        expected: u64,
        /// The number of items of the appended list.
        found: u64,
    },
    /// While a list was appended, the caller removed items of earlier lists.
    ItemsLost {
        /// The number of removed items.
        n_lost: u64,
    },
    /// A column of a struct builder has more or fewer values than there are structs.
    ColumnLength {
        /// The number of structs so far.
        expected: u64,
        /// The number of values in the column.
        found: u64,
    },
    /// A map has different numbers of keys and values.
    MapEntries {
        /// The number of keys that were appended for the map.
        n_keys: u64,
        /// The number of values that were appended for the map.
        n_values: u64,
    },
    /// Not exactly one value was appended for a slot of a union, of a dictionary or of runs.
    NotOneValue {
        /// The number of values that were appended for the slot.
        found: u64,
    },
    /// There are more distinct values than the type of the indices can count.
    DictionaryOverflow {
        /// The integer type of the indices.
        index: IndexType,
        /// The maximum number of values with this type.
        max: u64,
    },
    /// There are more slots than the type of the run ends can express.
    RunEndOverflow {
        /// The integer type of the run ends.
        run_ends: RunEndType,
        /// The number of slots that exceeded the limit.
        n_slots: u64,
        /// The largest run end that the type can express.
        max: u64,
    },
    /// The builder of a child does not build the type of the field.
    FieldType {
        /// The type of the field.
        expected: DataType,
        /// The type that the builder makes.
        found: DataType,
    },
    /// The number of children is not the number that the type requires.
    ChildCount {
        /// The number of children that the type requires.
        expected: u64,
        /// The number of children that were found.
        found: u64,
    },
    /// A decimal has more digits than its type allows, in total or after the decimal point.
    DecimalDoesNotFit {
        /// The decimal that was appended.
        value: Decimal<I256>,
        /// The maximum number of digits in total.
        precision: u8,
        /// The maximum number of digits after the decimal point.
        scale: i32,
    },
    /// A type cannot be made, since its parameters are invalid.
    Type(TypeError),
}

impl ArrayErrorKind {
    /// How a program can react.
    pub fn class(&self) -> ErrorClass {
        match self {
            Self::Data(error) => error.class(),
            Self::Select(error) => error.class(),
            #[cfg(feature = "jiff")]
            Self::Temporal(_) => ErrorClass::Misuse,
            Self::TypeMismatch { .. }
            | Self::Lookup(_)
            | Self::NullScalar
            | Self::NullStructs { .. }
            | Self::OffsetOverflow { .. }
            | Self::ViewOverflow { .. }
            | Self::ValueLength { .. }
            | Self::ListLength { .. }
            | Self::ItemsLost { .. }
            | Self::ColumnLength { .. }
            | Self::MapEntries { .. }
            | Self::NotOneValue { .. }
            | Self::DictionaryOverflow { .. }
            | Self::RunEndOverflow { .. }
            | Self::FieldType { .. }
            | Self::ChildCount { .. }
            | Self::DecimalDoesNotFit { .. }
            | Self::Type(_) => ErrorClass::Misuse,
        }
    }
}

impl fmt::Display for ArrayErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ArrayErrorKind::TypeMismatch { expected, found } => {
                write!(f, "expected {expected}, found {found}")
            }
            ArrayErrorKind::Data(error) => fmt::Display::fmt(error, f),
            ArrayErrorKind::Select(error) => fmt::Display::fmt(error, f),
            ArrayErrorKind::Lookup(error) => fmt::Display::fmt(error, f),
            #[cfg(feature = "jiff")]
            ArrayErrorKind::Temporal(error) => fmt::Display::fmt(error, f),
            ArrayErrorKind::NullScalar => f.write_str("the value is null"),
            ArrayErrorKind::NullStructs { null_count } => {
                write!(f, "{null_count} of the structs are null; rows of a batch cannot be null")
            }
            ArrayErrorKind::OffsetOverflow { n, unit, offsets, max } => write!(
                f,
                "the values have at least {n} {unit}; the limit of {offsets} offsets is {max}{}",
                advice(offsets, unit)
            ),
            ArrayErrorKind::ViewOverflow { n_bytes } => {
                write!(f, "the value has {n_bytes} bytes; the limit of a view is {}", i32::MAX)
            }
            ArrayErrorKind::ValueLength { expected, found } => {
                write!(f, "the value has {found} bytes; the type needs {expected}")
            }
            ArrayErrorKind::ListLength { expected, found } => {
                write!(f, "the list has {found} items; the type needs {expected}")
            }
            ArrayErrorKind::ItemsLost { n_lost } => {
                write!(f, "{n_lost} items of preceding lists were removed; items can only be appended")
            }
            ArrayErrorKind::ColumnLength { expected, found } => {
                write!(f, "the column has {found} values; the struct array has {expected}")
            }
            ArrayErrorKind::MapEntries { n_keys, n_values } => {
                write!(f, "the map has {n_keys} keys and {n_values} values; each key needs one value")
            }
            ArrayErrorKind::NotOneValue { found } => {
                write!(f, "expected one value for the slot, found {found}")
            }
            ArrayErrorKind::DictionaryOverflow { index, max } => write!(
                f,
                "the array has more than {max} different values, the limit of {index} indices; use a wider type"
            ),
            ArrayErrorKind::RunEndOverflow { run_ends, n_slots, max } => {
                write!(f, "{n_slots} slots are too many for {run_ends} run ends; the limit is {max}")
            }
            ArrayErrorKind::FieldType { expected, found } => {
                write!(f, "the field has the type {expected}; its builder makes {found}")
            }
            ArrayErrorKind::ChildCount { expected, found } => {
                write!(f, "expected {expected} children, found {found}")
            }
            ArrayErrorKind::DecimalDoesNotFit { value, precision, scale } => {
                write!(f, "{value} does not fit into a precision of {precision} and a scale of {scale}")
            }
            ArrayErrorKind::Type(error) => fmt::Display::fmt(error, f),
        }
    }
}

impl std::error::Error for ArrayErrorKind {}

impl From<TypeError> for ArrayErrorKind {
    fn from(error: TypeError) -> ArrayErrorKind {
        ArrayErrorKind::Type(error)
    }
}

/// Advice for an overflow of offsets, which names a wider type if there is one.
fn advice(offsets: &str, unit: &str) -> &'static str {
    match (offsets, unit) {
        ("int32", "bytes" | "items") => "; use the large type",
        // Maps and unions have no type with longer offsets.
        ("int32", _) => "; build several arrays",
        _ => "",
    }
}

impl ArrayError {
    /// What went wrong, for a `match`.
    pub fn kind(&self) -> &ArrayErrorKind {
        &self.0.kind
    }

    /// How a program can react.
    pub fn class(&self) -> ErrorClass {
        self.kind().class()
    }

    /// Returns what went wrong, and drops the path.
    pub fn into_kind(self) -> ArrayErrorKind {
        self.0.kind
    }

    /// The path of the field in the array or batch that was checked. Empty if the array itself is at fault.
    pub fn path(&self) -> &FieldPath {
        if let ArrayErrorKind::Data(error) = &self.0.kind { error.path() } else { &self.0.path }
    }

    pub(crate) fn type_mismatch(expected: &'static str, found: &DataType) -> ArrayError {
        ArrayErrorKind::TypeMismatch { expected, found: found.clone() }.into()
    }

    /// Prepends the column or child `name` at `position` to the path of the error.
    #[must_use]
    pub fn in_field(mut self, position: usize, name: &str) -> ArrayError {
        if let ArrayErrorKind::Data(error) = self.0.kind {
            return ArrayErrorKind::Data(error.in_field(position, name)).into();
        }
        let position = u32::try_from(position).unwrap_or(u32::MAX);
        self.0.path.prepend(PathStep::Child { position, name: name.into() });
        self
    }

    /// Prepends a path to the path of the error.
    pub(crate) fn below(self, path: &FieldPath) -> ArrayError {
        path.steps().iter().rev().fold(self, |error, step| match step {
            PathStep::Child { position, name } => {
                error.in_field(usize::try_from(*position).unwrap_or(usize::MAX), name)
            }
            PathStep::Dictionary => error.in_dictionary(),
        })
    }

    /// Prepends the child at `position` of an array of the type `parent` to the path of the error.
    pub(crate) fn in_child(self, parent: &DataType, position: usize) -> ArrayError {
        let name = parent.children().get(position).map_or("", |field| field.name());
        self.in_field(position, name)
    }

    /// Prepends a step into a dictionary to the path of the error.
    pub(crate) fn in_dictionary(mut self) -> ArrayError {
        if let ArrayErrorKind::Data(error) = &mut self.0.kind {
            error.prefix_path(&FieldPath::root().dictionary());
        } else {
            self.0.path.prepend(PathStep::Dictionary);
        }
        self
    }
}

impl From<ArrayErrorKind> for ArrayError {
    fn from(kind: ArrayErrorKind) -> ArrayError {
        ArrayError(Box::new(Inner { path: FieldPath::root(), kind }))
    }
}

impl From<TypeError> for ArrayError {
    fn from(error: TypeError) -> ArrayError {
        ArrayErrorKind::Type(error).into()
    }
}

impl From<SelectError> for ArrayError {
    fn from(error: SelectError) -> ArrayError {
        let (path, kind) = error.into_parts();
        if let SelectErrorKind::Data(error) = kind {
            return error.into();
        }
        ArrayError(Box::new(Inner { path, kind: ArrayErrorKind::Select(kind) }))
    }
}

impl From<DataError> for ArrayError {
    fn from(error: DataError) -> ArrayError {
        ArrayErrorKind::Data(error).into()
    }
}

arrow_error::debug_as_display!(ArrayError);

impl fmt::Display for ArrayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.0.path.is_root() {
            write!(f, "field `{}`: ", self.0.path)?;
        }
        fmt::Display::fmt(&self.0.kind, f)
    }
}

// The message contains that of the cause, and no cause has a source.
impl std::error::Error for ArrayError {}
