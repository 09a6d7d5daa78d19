//! What DuckDB takes on trust, by type. It does not check the values of Arrow data that it gets, and a wrong one makes a database
//! unusable, ends the process or turns into another value. So each value is compared with [`Trust::from_field`] before DuckDB gets it, and
//! before it is written: what is written can be read.

use std::fmt;

use arrow_array::{ArrayError, LargeUtf8Array, Utf8Array, Utf8ViewArray};
use arrow_buffer::{NativeType, floor_char_boundary};
use arrow_data::{ArrayData, DataError, Validation};
use arrow_schema::{CanonicalExtension, DataType, Field, FieldPath, Json, PathStep, QuotedText, TimeUnit};
use arrow_select::{Select, UnusedValues};

/// How deep JSON may nest. DuckDB recurses once for each level, and at some 100,000 the process ends.
const MAX_JSON_DEPTH: usize = 1000;

/// The number of bytes of a text that an error shows.
const SHOWN_BYTES: usize = 40;

/// What DuckDB expects of the values of a type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Trust {
    /// All bytes that are valid content are values, or DuckDB checks them itself.
    Content,
    /// The [strict](Validation::Strict) rules hold.
    Strict,
    /// Numbers from `first`. `infinity`, and the same below zero, mean no day and no instant.
    Finite { first: i64, infinity: i64 },
    /// Each text is JSON that nests at most [`MAX_JSON_DEPTH`] deep.
    Json,
}

impl Trust {
    /// The table. What types have inside is in the rows of those types.
    fn from_field(field: &Field) -> Trust {
        use DataType as T;
        match field.data_type() {
            // 0 is false, all other bytes of `arrow.bool8` are true.
            T::Boolean | T::Int8 => Trust::Content,
            T::Int16 | T::Int32 | T::Int64 | T::UInt8 | T::UInt16 | T::UInt32 | T::UInt64 => Trust::Content,
            // Infinity and not a number are values of DuckDB.
            T::Float16 | T::Float32 | T::Float64 => Trust::Content,
            // For too many digits, DuckDB computes with whatever is in memory.
            T::Decimal32(..) | T::Decimal64(..) | T::Decimal128(..) | T::Decimal256(..) => Trust::Strict,
            // From 5877642-06-25 (BC).
            T::Date32 => Trust::Finite { first: -2_147_483_646, infinity: i32::MAX as i64 },
            // Becomes `date32`.
            T::Date64 => Trust::Content,
            // The text of a time that is not within a day fails internally.
            T::Time32(_) | T::Time64(_) => Trust::Strict,
            // From 290309-12-22 (BC). The text of an instant before fails internally.
            T::Timestamp(unit, _) => {
                let first = match unit {
                    TimeUnit::Second => -9_223_372_022_400,
                    TimeUnit::Millisecond => -9_223_372_022_400_000,
                    TimeUnit::Microsecond => -9_223_372_022_400_000_000,
                    TimeUnit::Nanosecond => i64::MIN,
                };
                Trust::Finite { first, infinity: i64::MAX }
            }
            // Any months, days and microseconds: arithmetic beyond is an error.
            T::Duration(_) | T::Interval(_) => Trust::Content,
            // The functions of JSON fail internally if a text is none.
            T::Utf8 | T::LargeUtf8 | T::Utf8View => match field.canonical_extension() {
                Ok(Some(CanonicalExtension::Json(_))) => Trust::Json,
                Ok(Some(_) | None) | Err(_) => Trust::Content,
            },
            // All 16 bytes are a `UUID`.
            T::Binary | T::LargeBinary | T::BinaryView | T::FixedSizeBinary(_) => Trust::Content,
            // Offsets, sizes, type ids, indices and run ends are content.
            T::Null
            | T::List(_)
            | T::LargeList(_)
            | T::ListView(_)
            | T::LargeListView(_)
            | T::FixedSizeList(..)
            | T::Struct(_)
            | T::Union(_)
            | T::Dictionary(_)
            | T::RunEndEncoded(_) => Trust::Content,
            // DuckDB refuses null keys, and a key that a map has twice.
            T::Map(_) => Trust::Content,
        }
    }

    /// Compares the valid slots of an array. Does not enter children.
    fn check(self, array: &ArrayData) -> Result<(), ValueError> {
        match self {
            // Validation has compared them.
            Trust::Content | Trust::Strict => Ok(()),
            Trust::Finite { first, infinity } if *array.data_type() == DataType::Date32 => {
                finite::<i32>(array, first, infinity)
            }
            Trust::Finite { first, infinity } => finite::<i64>(array, first, infinity),
            Trust::Json if *array.data_type() == DataType::Utf8 => {
                Utf8Array::try_from(array)?.iter().flatten().try_for_each(json)
            }
            Trust::Json if *array.data_type() == DataType::LargeUtf8 => {
                LargeUtf8Array::try_from(array)?.iter().flatten().try_for_each(json)
            }
            Trust::Json => Utf8ViewArray::try_from(array)?.iter().flatten().try_for_each(json),
        }
    }
}

fn finite<T: NativeType + Into<i64>>(array: &ArrayData, first: i64, infinity: i64) -> Result<(), ValueError> {
    let values = array.buffer(0).view::<T>().unwrap_or_default();
    let values = values.get(..array.len()).unwrap_or_default();
    let is_finite = |value: i64| value >= first && value < infinity && value.checked_neg() != Some(infinity);
    if values.iter().all(|value| is_finite((*value).into())) {
        return Ok(());
    }
    for (slot, value) in values.iter().enumerate() {
        let value: i64 = (*value).into();
        if !is_finite(value) && array.is_valid(slot) {
            let data_type = array.data_type().clone();
            return Err(if value.checked_abs() == Some(infinity) {
                ValueError::Infinite { value, data_type }
            } else {
                ValueError::TooEarly { value, data_type, first }
            });
        }
    }
    Ok(())
}

fn json(text: &str) -> Result<(), ValueError> {
    if !Json::is_value(text.trim_matches([' ', '\t', '\n', '\r'])) {
        let shown = text.get(..floor_char_boundary(text, SHOWN_BYTES)).unwrap_or_default();
        return Err(ValueError::NotJson { start: shown.to_owned(), is_whole: shown.len() == text.len() });
    }
    let depth = depth_of(text);
    if depth > MAX_JSON_DEPTH { Err(ValueError::DeepJson { depth }) } else { Ok(()) }
}

/// How deep JSON nests.
fn depth_of(json: &str) -> usize {
    let (mut depth, mut deepest) = (0usize, 0usize);
    let mut is_in_string = false;
    let mut bytes = json.bytes();
    while let Some(byte) = bytes.next() {
        match byte {
            b'"' => is_in_string = !is_in_string,
            // The next character belongs to the escape.
            b'\\' => drop(bytes.next()),
            b'[' | b'{' if !is_in_string => {
                depth = depth.saturating_add(1);
                deepest = deepest.max(depth);
            }
            b']' | b'}' if !is_in_string => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    deepest
}

/// Which checks the values of a column need.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Trusts {
    validation: Validation,
    /// Whether values are compared one by one.
    has_values: bool,
}

impl Trusts {
    pub(crate) fn from_field(field: &Field) -> Trusts {
        let is_strict = has_trust(field, |trust| trust == Trust::Strict);
        Trusts {
            validation: if is_strict { Validation::Strict } else { Validation::Content },
            has_values: has_trust(field, |trust| !matches!(trust, Trust::Content | Trust::Strict)),
        }
    }

    /// Whether valid content is all that DuckDB expects.
    pub(crate) fn is_content(self) -> bool {
        self == Trusts { validation: Validation::Content, has_values: false }
    }

    /// Checks an array of the field. Values that no slot shows may be anything, but DuckDB looks at them, too. If one is wrong, all of
    /// them become zeros, and null.
    pub(crate) fn checked(self, field: &Field, array: &ArrayData) -> Result<ArrayData, TrustError> {
        self.checked_as_is(field, array).or_else(|error| {
            let shown = array.with_zeroed_nulls().and_then(|array| array.with_unused_nulls());
            let shown = shown.and_then(|array| array.with_used_values(UnusedValues::Remove));
            shown.ok().and_then(|shown| self.checked_as_is(field, &shown).ok()).ok_or(error)
        })
    }

    fn checked_as_is(self, field: &Field, array: &ArrayData) -> Result<ArrayData, TrustError> {
        let array = array.clone().validate(self.validation)?;
        if self.has_values {
            check(field, &array)?;
        }
        Ok(array)
    }
}

/// Whether a type, or one inside of it, has a row of some kind. Recurses once for each level.
fn has_trust(field: &Field, is_it: impl Fn(Trust) -> bool + Copy) -> bool {
    is_it(Trust::from_field(field))
        || values_of(field).is_some_and(|values| has_trust(&values, is_it))
        || field.data_type().children().iter().any(|child| has_trust(child, is_it))
}

/// The values of a dictionary, which have no extension type.
fn values_of(field: &Field) -> Option<Field> {
    field.data_type().as_dictionary().map(|dictionary| Field::new(field.name(), dictionary.value().clone()))
}

/// Compares the values of an array, and of the arrays inside. Recurses once for each level.
fn check(field: &Field, array: &ArrayData) -> Result<(), TrustError> {
    if let (Some(field), Some(values)) = (values_of(field), array.dictionary()) {
        return check(&field, values);
    }
    Trust::from_field(field).check(array)?;
    for (position, (field, child)) in (0..).zip(field.data_type().children().iter().zip(array.children())) {
        check(field, child).map_err(|error| error.in_child(position, field))?;
    }
    Ok(())
}

/// A value that DuckDB does not have.
#[derive(Debug)]
pub(crate) enum TrustError {
    /// It breaks a rule of the format.
    Data(DataError),
    /// The value of a field.
    Value(FieldPath, ValueError),
}

/// Why DuckDB does not have a value.
#[derive(Debug)]
pub(crate) enum ValueError {
    /// The number means infinity, or minus infinity.
    Infinite { value: i64, data_type: DataType },
    /// The number is before the first day or instant.
    TooEarly { value: i64, data_type: DataType, first: i64 },
    /// The text of `arrow.json` is not JSON. `is_whole` says whether `start` is all of it.
    NotJson { start: String, is_whole: bool },
    /// JSON nests too deep.
    DeepJson { depth: usize },
    /// The text is not valid.
    Array(ArrayError),
}

impl TrustError {
    fn in_child(self, position: u32, field: &Field) -> TrustError {
        match self {
            TrustError::Value(mut path, error) => {
                path.prepend(PathStep::Child { position, name: field.to_shared_name() });
                TrustError::Value(path, error)
            }
            TrustError::Data(_) => self,
        }
    }
}

impl From<ValueError> for TrustError {
    fn from(error: ValueError) -> TrustError {
        TrustError::Value(FieldPath::root(), error)
    }
}

impl From<DataError> for TrustError {
    fn from(error: DataError) -> TrustError {
        TrustError::Data(error)
    }
}

impl From<ArrayError> for ValueError {
    fn from(error: ArrayError) -> ValueError {
        ValueError::Array(error)
    }
}

/// Whoever shows an error knows the row, so slots are left out.
impl fmt::Display for TrustError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = match self {
            TrustError::Data(error) => error.path(),
            TrustError::Value(path, _) => path,
        };
        if !path.is_root() {
            write!(f, "field `{path}`: ")?;
        }
        match self {
            TrustError::Data(error) => error.kind().fmt(f),
            TrustError::Value(_, error) => error.fmt(f),
        }
    }
}

impl fmt::Display for ValueError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ValueError::Infinite { value, data_type } => {
                let sign = if *value < 0 { "minus " } else { "" };
                write!(f, "the number {value} of {data_type} means {sign}infinity in DuckDB")
            }
            ValueError::TooEarly { value, data_type, first } => {
                write!(f, "the number {value} of {data_type} is before the first that DuckDB has, {first}")
            }
            ValueError::NotJson { start, is_whole } => {
                let rest = if *is_whole { "" } else { "…" };
                write!(f, "the text {}{rest} is not JSON", QuotedText(start))
            }
            ValueError::DeepJson { depth } => {
                write!(f, "JSON nests {depth} levels deep; allowed are {MAX_JSON_DEPTH}")
            }
            ValueError::Array(error) => error.fmt(f),
        }
    }
}
