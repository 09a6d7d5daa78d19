//! The types that DuckDB reads: what other types become, or why a column cannot be read.

use std::fmt;

use arrow_buffer::{Buffer, MemoryBudget};
use arrow_compute::{Cast, CastError, CastErrorKind, Digits, cast};
use arrow_data::{ArrayData, ArrayParts, ChildLen, DataError, layout};
use arrow_schema::{
    CanonicalExtension, DataType, Field, IntervalUnit, Nullability, TimeUnit, TypeError, UnionMode,
};
use arrow_select::{Select, SelectError};

use crate::trust::{TrustError, Trusts};

/// The largest number of items of an `ARRAY`. Longer ones, also those that are nested, become a `LIST`.
const MAX_ARRAY_ITEMS: u64 = 100_000;

/// The largest number of digits of a `DECIMAL`.
const MAX_DIGITS: i32 = 38;

/// How a column is passed to DuckDB.
#[derive(Debug)]
pub(crate) struct FittedColumn {
    /// The field with a type that DuckDB reads.
    field: Field,
    /// The same with a dictionary, if the column has one that DuckDB reads.
    encoded: Option<Field>,
    /// Whether unions inside of the column change their form.
    has_unions: bool,
    /// Whether work on some slots would be work on all items of their batch. A slice of lists, maps or dense unions keeps them.
    is_compacted: bool,
    trusts: Trusts,
    cast: Cast,
}

impl FittedColumn {
    /// # Errors
    /// If DuckDB has no such type.
    pub(crate) fn try_new(field: &Field) -> Result<FittedColumn, Unfit> {
        let field = with_known_extension(field);
        let own = field.data_type();
        let data_type = fitted(own, 1)?;
        let encoded = own.as_dictionary().filter(|dictionary| {
            let value = dictionary.value();
            !value.is_nested() && fitted(value, 1).is_ok_and(|fitted| fitted == *value)
        });
        let encoded = encoded.map(|_| field.clone());
        let cast = Cast::new(data_type.clone(), Digits::Keep);
        let has_unions = has_type(own, DataType::is_union);
        let keeps_items = |of: &DataType| layout(of).child_len() == ChildLen::FromData;
        let (is_changed, has_items) = (data_type != *own, has_type(own, keeps_items));
        let field = field.clone().with_data_type(data_type);
        let trusts = Trusts::from_field(&field);
        let is_compacted = has_items && (is_changed || !trusts.is_content());
        Ok(FittedColumn { field, encoded, has_unions, is_compacted, trusts, cast })
    }

    /// The field of arrays that are not encoded.
    pub(crate) fn field(&self) -> &Field {
        &self.field
    }

    /// Some slots of the column as DuckDB reads them, with their field.
    ///
    /// DuckDB converts all values of a dictionary each time, so a dictionary stays only if it has no more values than slots.
    pub(crate) fn array(&self, array: &ArrayData) -> Result<(ArrayData, &Field), FitError> {
        let (array, field) =
            if self.is_compacted { self.fitted(&array.compact()?)? } else { self.fitted(array)? };
        Ok((self.trusts.checked(field, &array)?, field))
    }

    fn fitted(&self, array: &ArrayData) -> Result<(ArrayData, &Field), FitError> {
        if array.data_type() == self.field.data_type() {
            return Ok((array.clone(), &self.field));
        }
        if let (Some(field), Some(values)) = (&self.encoded, array.dictionary())
            && (1..=array.len()).contains(&values.len())
            && (is_converted(values) || array.null_count() == 0)
        {
            return Ok((array.clone(), field));
        }
        let budget = MemoryBudget::new(MemoryBudget::default_limit(array.n_bytes()));
        if !self.has_unions {
            return Ok((self.cast.array(array, &budget)?, &self.field));
        }
        let plain = Cast::new(array.data_type().to_decoded(), Digits::Keep).array(array, &budget)?;
        Ok((self.cast.array(&with_sparse_unions(&plain)?, &budget)?, &self.field))
    }
}

/// Whether DuckDB makes values of its own of these, instead of sharing their memory. For a null slot of a dictionary, it reads the
/// value after the last.
fn is_converted(values: &ArrayData) -> bool {
    values.data_type().is_text() || values.data_type().is_binary()
}

/// Why a column cannot be read at all.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Unfit {
    /// A decimal has more digits than DuckDB's.
    Digits(DataType),
    /// A union has no fields.
    NoFields(DataType),
    Type(TypeError),
}

impl fmt::Display for Unfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unfit::Digits(data_type) => {
                write!(f, "decimals of DuckDB have at most {MAX_DIGITS} digits, and this is {data_type}")
            }
            Unfit::NoFields(data_type) => {
                write!(f, "unions of DuckDB have at least one field, and this is {data_type}")
            }
            Unfit::Type(error) => error.fmt(f),
        }
    }
}

impl From<TypeError> for Unfit {
    fn from(error: TypeError) -> Unfit {
        Unfit::Type(error)
    }
}

/// Why slots of a column cannot be passed on.
#[derive(Debug)]
pub(crate) enum FitError {
    Cast(CastError),
    Data(DataError),
    Select(SelectError),
    Trust(TrustError),
    Type(TypeError),
}

/// Whoever shows an error knows the row, so slots are left out where they are rows.
impl fmt::Display for FitError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FitError::Cast(error) => {
                if let (CastErrorKind::OutOfRange { value, to, .. }, true) =
                    (error.kind(), error.path().is_root())
                {
                    return write!(f, "the value {value} does not fit {to}");
                }
                error.fmt(f)
            }
            FitError::Data(error) => error.fmt(f),
            FitError::Select(error) => error.fmt(f),
            FitError::Trust(error) => error.fmt(f),
            FitError::Type(error) => error.fmt(f),
        }
    }
}

macro_rules! from_errors {
    ($($error:ty => $kind:ident),*) => {$(
        impl From<$error> for FitError {
            fn from(error: $error) -> FitError {
                FitError::$kind(error)
            }
        }
    )*};
}

from_errors!(CastError => Cast, DataError => Data, SelectError => Select, TrustError => Trust, TypeError => Type);

/// The type that DuckDB reads instead. `n_items` is the number of items of each row in the fixed-size lists around it.
fn fitted(data_type: &DataType, n_items: u64) -> Result<DataType, Unfit> {
    use DataType as T;
    Ok(match data_type {
        // A database is of no use after DuckDB has made text of a timestamp that does not fit microseconds.
        T::Timestamp(TimeUnit::Second | TimeUnit::Millisecond, zone) => {
            T::Timestamp(TimeUnit::Microsecond, zone.clone())
        }
        T::Null
        | T::Boolean
        | T::Int8
        | T::Int16
        | T::Int32
        | T::Int64
        | T::UInt8
        | T::UInt16
        | T::UInt32
        | T::UInt64
        | T::Float32
        | T::Float64
        | T::Date32
        | T::Time32(_)
        | T::Time64(_)
        | T::Timestamp(..)
        | T::Duration(TimeUnit::Microsecond | TimeUnit::Nanosecond)
        | T::Interval(IntervalUnit::YearMonth | IntervalUnit::MonthDayNano)
        | T::Binary
        | T::LargeBinary
        | T::BinaryView
        | T::Utf8
        | T::LargeUtf8
        | T::Utf8View => data_type.clone(),
        T::Float16 => T::Float32,
        // DuckDB takes the lower 32 bits of the number of days, and drops the time of day.
        T::Date64 => T::Date32,
        // DuckDB computes with what is in null slots, and fails if it is too large.
        T::Duration(TimeUnit::Second | TimeUnit::Millisecond) => T::Duration(TimeUnit::Microsecond),
        // DuckDB takes days and milliseconds for one number of milliseconds.
        T::Interval(IntervalUnit::DayTime) => T::Interval(IntervalUnit::MonthDayNano),
        T::Decimal32(..) | T::Decimal64(..) | T::Decimal128(..) | T::Decimal256(..) => {
            fitted_decimal(data_type)?
        }
        T::FixedSizeBinary(size) if size.get() == 0 => T::Binary,
        T::FixedSizeBinary(_) => data_type.clone(),
        T::List(_) | T::LargeList(_) => with_fitted_children(data_type, 1)?,
        T::ListView(item) | T::LargeListView(item) => T::large_list(fitted_field(item, 1)?),
        // DuckDB divides by the number of items of an `ARRAY`.
        T::FixedSizeList(item, size) => match n_items.saturating_mul(u64::from(size.get())) {
            n_items @ 1..=MAX_ARRAY_ITEMS => with_fitted_children(data_type, n_items)?,
            _ => T::large_list(fitted_field(item, 1)?),
        },
        T::Struct(_) => with_fitted_children(data_type, n_items)?,
        // The struct of entries, whose names have no meaning.
        T::Map(map) => {
            let entries = map.entries();
            let inner = with_fitted_children(entries.data_type(), 1)?;
            data_type.with_children(vec![entries.clone().with_data_type(inner)])?
        }
        T::Union(union) => {
            if union.fields().is_empty() {
                return Err(Unfit::NoFields(data_type.clone()));
            }
            let fields = union.fields().iter().map(|field| fitted_field(field, n_items));
            let fields = fields.collect::<Result<Vec<Field>, Unfit>>()?;
            sparse_union(match union.mode() {
                UnionMode::Sparse => fields,
                UnionMode::Dense => fields.into_iter().map(nullable).collect(),
            })?
        }
        T::Dictionary(dictionary) => shared(fitted(dictionary.value(), n_items)?),
        T::RunEndEncoded(runs) => shared(fitted(runs.values().data_type(), n_items)?),
    })
}

/// The type that shares the bytes of a value which many slots have.
fn shared(data_type: DataType) -> DataType {
    if data_type.is_text() {
        DataType::Utf8View
    } else if data_type.is_binary() {
        DataType::BinaryView
    } else {
        data_type
    }
}

fn fitted_decimal(data_type: &DataType) -> Result<DataType, Unfit> {
    let (precision, scale) = data_type.as_decimal().unwrap_or_default();
    let precision = i32::from(precision);
    let whole = precision.saturating_sub(scale);
    // DuckDB's scale lies between 0 and the precision.
    let (precision, scale) = (precision.max(whole).max(scale), scale.max(0));
    if precision > MAX_DIGITS {
        return Err(Unfit::Digits(data_type.clone()));
    }
    let is_fitting =
        data_type.as_decimal().is_some_and(|found| (i32::from(found.0), found.1) == (precision, scale));
    if is_fitting && !matches!(data_type, DataType::Decimal256(..)) {
        return Ok(data_type.clone());
    }
    Ok(DataType::decimal128(u8::try_from(precision).unwrap_or(u8::MAX), scale)?)
}

fn with_fitted_children(data_type: &DataType, n_items: u64) -> Result<DataType, Unfit> {
    let children = data_type.children().iter().map(|field| fitted_field(field, n_items));
    Ok(data_type.with_children(children.collect::<Result<Vec<Field>, Unfit>>()?)?)
}

/// DuckDB's columns may all be null. A cast makes nulls of a dictionary nulls of its field, and keeps those of null parents.
fn fitted_field(field: &Field, n_items: u64) -> Result<Field, Unfit> {
    let data_type = fitted(field.data_type(), n_items)?;
    let is_same = data_type == *field.data_type();
    let field = with_known_extension(field);
    Ok(if is_same { field } else { nullable(field.with_data_type(data_type)) })
}

/// Without the extension type, unless DuckDB has it, and the field has its storage. DuckDB does not compare the storage, and would read
/// more bytes than there are.
fn with_known_extension(field: &Field) -> Field {
    use CanonicalExtension as E;
    if field.extension().is_none() {
        return field.clone();
    }
    match field.canonical_extension() {
        Ok(Some(E::Uuid(_) | E::Json(_) | E::Bool8(_))) => field.clone(),
        Ok(Some(_) | None) | Err(_) => field.clone().without_extension(),
    }
}

/// The form of unions that DuckDB reads: sparse, with type ids that are positions.
fn sparse_union(fields: Vec<Field>) -> Result<DataType, TypeError> {
    DataType::union(UnionMode::Sparse, (0..=i8::MAX).zip(fields))
}

/// Whether a type, or one inside of it, is of some kind. Recurses once for each level.
fn has_type(data_type: &DataType, is_it: impl Fn(&DataType) -> bool + Copy) -> bool {
    let value = data_type.value_type();
    is_it(value) || value.children().iter().any(|field| has_type(field.data_type(), is_it))
}

/// The same values, with all unions in DuckDB's form. Recurses once for each level.
fn with_sparse_unions(array: &ArrayData) -> Result<ArrayData, FitError> {
    if !has_type(array.data_type(), DataType::is_union) {
        return Ok(array.clone());
    }
    let children = array.children().iter().map(with_sparse_unions);
    let mut children = children.collect::<Result<Vec<ArrayData>, FitError>>()?;
    let own = array.data_type().children();
    let fields = own.iter().zip(&children).map(|(field, child)| {
        let data_type = child.data_type().clone();
        field.clone().with_data_type(data_type)
    });
    let mut fields: Vec<Field> = fields.collect();
    let mut parts = array.clone().into_parts();
    parts.data_type = match array.data_type().as_union() {
        Some(union) => {
            let ids = array.buffer(0).view::<i8>().unwrap_or_default();
            let ids = ids.get(..array.len()).unwrap_or_default();
            let position = |id: &i8| union.child_of(*id).and_then(|child| i8::try_from(child).ok());
            let positions: Vec<i8> = ids.iter().map(|id| position(id).unwrap_or_default()).collect();
            if union.mode() == UnionMode::Dense {
                let offsets = array.buffer(1).view::<i32>().unwrap_or_default();
                for (child, slots) in children.iter_mut().zip(0i8..) {
                    *child = spread_to_slots(child, slots, &positions, offsets)?;
                }
                // Slots of other children are null now.
                fields = fields.into_iter().map(nullable).collect();
            }
            parts.buffers = [Buffer::from(positions), Buffer::new()];
            sparse_union(fields)?
        }
        None => array.data_type().with_children(fields)?,
    };
    parts.children = Some(children.into());
    Ok(ArrayData::try_new(parts)?)
}

fn nullable(field: Field) -> Field {
    field.with_nullability(Nullability::Nullable)
}

/// The child of a dense union, with a slot for each slot of the union: any slot where another child has the value.
fn spread_to_slots(
    child: &ArrayData,
    own: i8,
    positions: &[i8],
    offsets: &[i32],
) -> Result<ArrayData, FitError> {
    if child.is_empty() {
        return empty_slots(child.data_type(), positions.len());
    }
    let slot = |(position, offset): (&i8, &i32)| {
        if *position == own { u64::try_from(*offset).unwrap_or_default() } else { 0 }
    };
    let slots: Vec<u64> = positions.iter().zip(offsets).map(slot).collect();
    Ok(child.take(&slots)?)
}

/// Slots of which the values have no meaning: nulls, if the type has them.
fn empty_slots(data_type: &DataType, n_slots: usize) -> Result<ArrayData, FitError> {
    if data_type.is_union() {
        let children = data_type.children().iter().map(|field| empty_slots(field.data_type(), n_slots));
        let children = children.collect::<Result<Vec<ArrayData>, FitError>>()?;
        let buffers = [Buffer::from(vec![0i8; n_slots]), Buffer::new()];
        let parts = ArrayParts::new(data_type.clone(), n_slots);
        return Ok(ArrayData::try_new(ArrayParts { buffers, children: Some(children.into()), ..parts })?);
    }
    let nulls = ArrayData::try_new(ArrayParts::new(DataType::Null, n_slots))?;
    Ok(cast(&nulls, data_type, Digits::Keep)?)
}
