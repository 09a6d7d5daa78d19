//! Short ways to make types that have parameters, and types with other children.

use std::sync::Arc;

use super::table::Shape;
use crate::{
    DataType, DictionaryOrder, DictionaryType, Field, FixedSize, IndexType, KeyOrder, MapType, Precision,
    RunEndEncodedType, RunEndType, Time32Unit, Time64Unit, TimeUnit, TypeError, UnionMode, UnionType,
};

impl DataType {
    /// A decimal number in 32 bits.
    ///
    /// # Errors
    ///
    /// [`TypeError::PrecisionOutOfRange`] when the precision is not in 1 to 9.
    pub fn decimal32(precision: u8, scale: i32) -> Result<Self, TypeError> {
        Ok(Self::Decimal32(digits(precision)?, scale))
    }

    /// A decimal number in 64 bits.
    ///
    /// # Errors
    ///
    /// [`TypeError::PrecisionOutOfRange`] when the precision is not in 1 to 18.
    pub fn decimal64(precision: u8, scale: i32) -> Result<Self, TypeError> {
        Ok(Self::Decimal64(digits(precision)?, scale))
    }

    /// A decimal number in 128 bits.
    ///
    /// # Errors
    ///
    /// [`TypeError::PrecisionOutOfRange`] when the precision is not in 1 to 38.
    pub fn decimal128(precision: u8, scale: i32) -> Result<Self, TypeError> {
        Ok(Self::Decimal128(digits(precision)?, scale))
    }

    /// A decimal number in 256 bits.
    ///
    /// # Errors
    ///
    /// [`TypeError::PrecisionOutOfRange`] when the precision is not in 1 to 76.
    pub fn decimal256(precision: u8, scale: i32) -> Result<Self, TypeError> {
        Ok(Self::Decimal256(digits(precision)?, scale))
    }

    /// A time of day, in 32 bits for seconds and milliseconds, in 64 for shorter units.
    pub fn time(unit: TimeUnit) -> Self {
        match unit {
            TimeUnit::Second => Self::Time32(Time32Unit::Second),
            TimeUnit::Millisecond => Self::Time32(Time32Unit::Millisecond),
            TimeUnit::Microsecond => Self::Time64(Time64Unit::Microsecond),
            TimeUnit::Nanosecond => Self::Time64(Time64Unit::Nanosecond),
        }
    }

    /// A timestamp without a time zone.
    pub fn timestamp(unit: TimeUnit) -> Self {
        Self::Timestamp(unit, None)
    }

    /// A timestamp in UTC, with the time zone in which it is shown: a name of the IANA database, or an offset such as
    /// `+01:30`. The text of the zone is not checked.
    pub fn timestamp_with_zone(unit: TimeUnit, zone: impl Into<Arc<str>>) -> Self {
        Self::Timestamp(unit, Some(zone.into()))
    }

    /// Byte strings that all have `n_bytes` bytes.
    ///
    /// # Errors
    ///
    /// [`TypeError::SizeOutOfRange`] when the size is above `i32::MAX`. For a constant size,
    /// `DataType::FixedSizeBinary(16.into())` makes the same type without a `Result`.
    pub fn fixed_size_binary(n_bytes: u32) -> Result<Self, TypeError> {
        Ok(Self::FixedSizeBinary(size(n_bytes)?))
    }

    /// Lists with items of this field and offsets of 32 bits.
    pub fn list(item: Field) -> Self {
        Self::List(Arc::new(item))
    }

    /// Lists with items of this field and offsets of 64 bits.
    pub fn large_list(item: Field) -> Self {
        Self::LargeList(Arc::new(item))
    }

    /// Lists with items of this field, and offsets and sizes of 32 bits.
    pub fn list_view(item: Field) -> Self {
        Self::ListView(Arc::new(item))
    }

    /// Lists with items of this field, and offsets and sizes of 64 bits.
    pub fn large_list_view(item: Field) -> Self {
        Self::LargeListView(Arc::new(item))
    }

    /// Lists with items of this field; each list has `n_items` items.
    ///
    /// # Errors
    ///
    /// [`TypeError::SizeOutOfRange`] when the size is above `i32::MAX`.
    pub fn fixed_size_list(item: Field, n_items: u32) -> Result<Self, TypeError> {
        Ok(Self::FixedSizeList(Arc::new(item), size(n_items)?))
    }

    /// A struct of these fields.
    pub fn struct_(fields: impl Into<Arc<[Field]>>) -> Self {
        Self::Struct(fields.into())
    }

    /// A map whose keys are in any order; see [`MapType::from_key_value`].
    pub fn map(key: Field, value: Field) -> Self {
        MapType::from_key_value(key, value, KeyOrder::Unsorted).into()
    }

    /// A union of these children, each with its type id.
    ///
    /// ```
    /// use arrow_schema::{DataType, Field, UnionMode};
    ///
    /// let children = [(0, Field::new("a", DataType::Int32)), (5, Field::new("b", DataType::Utf8))];
    /// let union = DataType::union(UnionMode::Sparse, children)?;
    /// assert_eq!(union.to_string(), "sparse_union<0=a: int32, 5=b: utf8>");
    /// # Ok::<(), arrow_schema::TypeError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The errors of [`UnionType::try_new`].
    pub fn union(
        mode: UnionMode,
        children: impl IntoIterator<Item = (i8, Field)>,
    ) -> Result<Self, TypeError> {
        let (type_ids, fields): (Vec<i8>, Vec<Field>) = children.into_iter().unzip();
        Ok(UnionType::try_new(fields, Some(&type_ids), mode)?.into())
    }

    /// A dictionary-encoded type. The order of the dictionary's values has no meaning. [`DictionaryType::try_new`]
    /// makes ordered dictionaries.
    ///
    /// # Errors
    ///
    /// [`TypeError::DictionaryOfDictionary`] when the value type is a dictionary itself.
    pub fn dictionary(index: IndexType, value: DataType) -> Result<Self, TypeError> {
        Ok(DictionaryType::try_new(index, value, DictionaryOrder::Unordered)?.into())
    }

    /// A run-end encoded type; see [`RunEndEncodedType::from_values`].
    pub fn run_end_encoded(run_end_type: RunEndType, values: DataType) -> Self {
        RunEndEncodedType::from_values(run_end_type, values).into()
    }
}

impl From<MapType> for DataType {
    fn from(map: MapType) -> Self {
        Self::Map(Arc::new(map))
    }
}

impl From<UnionType> for DataType {
    fn from(union: UnionType) -> Self {
        Self::Union(Arc::new(union))
    }
}

impl From<DictionaryType> for DataType {
    fn from(dictionary: DictionaryType) -> Self {
        Self::Dictionary(Arc::new(dictionary))
    }
}

impl From<RunEndEncodedType> for DataType {
    fn from(runs: RunEndEncodedType) -> Self {
        Self::RunEndEncoded(Arc::new(runs))
    }
}

fn digits<const MAX: u8>(precision: u8) -> Result<Precision<MAX>, TypeError> {
    Precision::try_from(i32::from(precision))
}

fn size(n: u32) -> Result<FixedSize, TypeError> {
    FixedSize::new(n).ok_or(TypeError::SizeOutOfRange { found: i64::from(n) })
}

/// [`DataType::with_children`].
pub(super) fn with_children(data_type: &DataType, children: Vec<Field>) -> Result<DataType, TypeError> {
    match data_type.row().shape {
        Shape::Plain
        | Shape::Decimal(..)
        | Shape::Unit(_)
        | Shape::Timestamp(..)
        | Shape::FixedSizeBinary(_)
        | Shape::Dictionary(_) => exactly(data_type, children).map(|[]| data_type.clone()),
        Shape::List(_, new) => exactly(data_type, children).map(|[item]| new(item)),
        Shape::FixedSizeList(_, size) => {
            exactly(data_type, children).map(|[item]| DataType::FixedSizeList(item.into(), size))
        }
        Shape::Struct(_) => Ok(DataType::struct_(children)),
        Shape::Map(map) => {
            let [entries] = exactly(data_type, children)?;
            Ok(MapType::try_new(entries, map.order())?.into())
        }
        Shape::Union(union) => Ok(UnionType::try_new(children, Some(union.type_ids()), union.mode())?.into()),
        Shape::RunEndEncoded(_) => {
            let [run_ends, values] = exactly(data_type, children)?;
            Ok(RunEndEncodedType::try_new(run_ends, values)?.into())
        }
    }
}

/// [`DataType::to_decoded`].
pub(super) fn to_decoded(data_type: &DataType) -> DataType {
    let plain = data_type.decoded();
    let children = plain.children();
    if children.is_empty() {
        return plain.clone();
    }
    let decoded = |field: &Field| field.clone().with_data_type(field.data_type().to_decoded());
    match plain.with_children(children.iter().map(decoded).collect()) {
        Ok(decoded) => decoded,
        Err(error) => unreachable!("a type may have children of any type that is not encoded: {error}"),
    }
}

fn exactly<const N: usize>(data_type: &DataType, children: Vec<Field>) -> Result<[Field; N], TypeError> {
    children.try_into().map_err(|children: Vec<Field>| TypeError::ChildCount {
        kind: data_type.name(),
        expected: N,
        found: children.len(),
    })
}
