//! Types, fields and schemas in both directions, with their metadata.

use std::{
    collections::{BTreeMap, HashMap},
    sync::Arc,
};

use arrow_schema::{
    DataType, DictionaryOrder, DictionaryType, Field, FixedSize, IndexType, IntervalUnit, KeyOrder, MapType,
    Metadata, Precision, RunEndEncodedType, Schema, Time32Unit, Time64Unit, TimeUnit, UnionMode, UnionType,
};

use super::arrow::datatypes::{
    DataType as RsDataType, Field as RsField, FieldRef, Fields, IntervalUnit as RsIntervalUnit,
    Schema as RsSchema, SchemaRef, TimeUnit as RsTimeUnit, UnionFields, UnionMode as RsUnionMode,
};
use super::traits::{FromArrowRs, ToArrowRs, refused};
use crate::error::{AdapterErrorKind as Kind, Result};

impl ToArrowRs for DataType {
    type Output = RsDataType;

    fn to_arrow_rs(&self) -> Result<RsDataType> {
        Ok(match self {
            Self::Null => RsDataType::Null,
            Self::Boolean => RsDataType::Boolean,
            Self::Int8 => RsDataType::Int8,
            Self::Int16 => RsDataType::Int16,
            Self::Int32 => RsDataType::Int32,
            Self::Int64 => RsDataType::Int64,
            Self::UInt8 => RsDataType::UInt8,
            Self::UInt16 => RsDataType::UInt16,
            Self::UInt32 => RsDataType::UInt32,
            Self::UInt64 => RsDataType::UInt64,
            Self::Float16 => RsDataType::Float16,
            Self::Float32 => RsDataType::Float32,
            Self::Float64 => RsDataType::Float64,
            Self::Decimal32(precision, scale) => RsDataType::Decimal32(precision.get(), rs_scale(*scale)?),
            Self::Decimal64(precision, scale) => RsDataType::Decimal64(precision.get(), rs_scale(*scale)?),
            Self::Decimal128(precision, scale) => RsDataType::Decimal128(precision.get(), rs_scale(*scale)?),
            Self::Decimal256(precision, scale) => RsDataType::Decimal256(precision.get(), rs_scale(*scale)?),
            Self::Date32 => RsDataType::Date32,
            Self::Date64 => RsDataType::Date64,
            Self::Time32(unit) => RsDataType::Time32(rs_unit((*unit).into())),
            Self::Time64(unit) => RsDataType::Time64(rs_unit((*unit).into())),
            Self::Timestamp(unit, zone) => RsDataType::Timestamp(rs_unit(*unit), zone.clone()),
            Self::Duration(unit) => RsDataType::Duration(rs_unit(*unit)),
            Self::Interval(IntervalUnit::YearMonth) => RsDataType::Interval(RsIntervalUnit::YearMonth),
            Self::Interval(IntervalUnit::DayTime) => RsDataType::Interval(RsIntervalUnit::DayTime),
            Self::Interval(IntervalUnit::MonthDayNano) => RsDataType::Interval(RsIntervalUnit::MonthDayNano),
            Self::FixedSizeBinary(size) => RsDataType::FixedSizeBinary(size.as_i32()),
            Self::Binary => RsDataType::Binary,
            Self::LargeBinary => RsDataType::LargeBinary,
            Self::BinaryView => RsDataType::BinaryView,
            Self::Utf8 => RsDataType::Utf8,
            Self::LargeUtf8 => RsDataType::LargeUtf8,
            Self::Utf8View => RsDataType::Utf8View,
            Self::List(item) => RsDataType::List(rs_field(item, 0)?),
            Self::LargeList(item) => RsDataType::LargeList(rs_field(item, 0)?),
            Self::ListView(item) => RsDataType::ListView(rs_field(item, 0)?),
            Self::LargeListView(item) => RsDataType::LargeListView(rs_field(item, 0)?),
            Self::FixedSizeList(item, size) => RsDataType::FixedSizeList(rs_field(item, 0)?, size.as_i32()),
            Self::Struct(fields) => RsDataType::Struct(rs_fields(fields)?),
            Self::Map(map) => RsDataType::Map(rs_field(map.entries(), 0)?, map.keys_sorted()),
            Self::Union(union) => {
                let type_ids = union.type_ids().iter().copied();
                let fields = rs_fields(union.fields())?;
                let fields = UnionFields::try_new(type_ids, fields.iter().cloned()).map_err(refused)?;
                let mode = match union.mode() {
                    UnionMode::Sparse => RsUnionMode::Sparse,
                    UnionMode::Dense => RsUnionMode::Dense,
                };
                RsDataType::Union(fields, mode)
            }
            Self::Dictionary(dictionary) => {
                let value = dictionary.value().to_arrow_rs().map_err(|error| error.in_dictionary())?;
                RsDataType::Dictionary(Box::new(dictionary.index_type().to_arrow_rs()?), Box::new(value))
            }
            Self::RunEndEncoded(runs) => {
                RsDataType::RunEndEncoded(rs_field(runs.run_ends(), 0)?, rs_field(runs.values(), 1)?)
            }
        })
    }
}

fn rs_scale(scale: i32) -> Result<i8> {
    i8::try_from(scale).map_err(|_| Kind::DecimalScale { found: scale }.into())
}

fn rs_unit(unit: TimeUnit) -> RsTimeUnit {
    match unit {
        TimeUnit::Second => RsTimeUnit::Second,
        TimeUnit::Millisecond => RsTimeUnit::Millisecond,
        TimeUnit::Microsecond => RsTimeUnit::Microsecond,
        TimeUnit::Nanosecond => RsTimeUnit::Nanosecond,
    }
}

fn rs_field(field: &Field, position: usize) -> Result<FieldRef> {
    field.to_arrow_rs().map(Arc::new).map_err(|error| error.in_field(position, field.name()))
}

fn rs_fields(fields: &[Field]) -> Result<Fields> {
    fields.iter().enumerate().map(|(position, field)| rs_field(field, position)).collect()
}

impl FromArrowRs<RsDataType> for DataType {
    fn try_from_arrow_rs(theirs: &RsDataType) -> Result<DataType> {
        Ok(match theirs {
            RsDataType::Null => Self::Null,
            RsDataType::Boolean => Self::Boolean,
            RsDataType::Int8 => Self::Int8,
            RsDataType::Int16 => Self::Int16,
            RsDataType::Int32 => Self::Int32,
            RsDataType::Int64 => Self::Int64,
            RsDataType::UInt8 => Self::UInt8,
            RsDataType::UInt16 => Self::UInt16,
            RsDataType::UInt32 => Self::UInt32,
            RsDataType::UInt64 => Self::UInt64,
            RsDataType::Float16 => Self::Float16,
            RsDataType::Float32 => Self::Float32,
            RsDataType::Float64 => Self::Float64,
            RsDataType::Decimal32(digits, scale) => Self::Decimal32(precision(*digits)?, (*scale).into()),
            RsDataType::Decimal64(digits, scale) => Self::Decimal64(precision(*digits)?, (*scale).into()),
            RsDataType::Decimal128(digits, scale) => Self::Decimal128(precision(*digits)?, (*scale).into()),
            RsDataType::Decimal256(digits, scale) => Self::Decimal256(precision(*digits)?, (*scale).into()),
            RsDataType::Date32 => Self::Date32,
            RsDataType::Date64 => Self::Date64,
            RsDataType::Time32(unit) => Self::Time32(match unit {
                RsTimeUnit::Second => Time32Unit::Second,
                RsTimeUnit::Millisecond => Time32Unit::Millisecond,
                RsTimeUnit::Microsecond => {
                    return Err(Kind::TimeUnit { n_bits: 32, unit: "microsecond" }.into());
                }
                RsTimeUnit::Nanosecond => {
                    return Err(Kind::TimeUnit { n_bits: 32, unit: "nanosecond" }.into());
                }
            }),
            RsDataType::Time64(unit) => Self::Time64(match unit {
                RsTimeUnit::Second => return Err(Kind::TimeUnit { n_bits: 64, unit: "second" }.into()),
                RsTimeUnit::Millisecond => {
                    return Err(Kind::TimeUnit { n_bits: 64, unit: "millisecond" }.into());
                }
                RsTimeUnit::Microsecond => Time64Unit::Microsecond,
                RsTimeUnit::Nanosecond => Time64Unit::Nanosecond,
            }),
            RsDataType::Timestamp(unit, zone) => Self::Timestamp(time_unit(*unit), zone.clone()),
            RsDataType::Duration(unit) => Self::Duration(time_unit(*unit)),
            RsDataType::Interval(RsIntervalUnit::YearMonth) => Self::Interval(IntervalUnit::YearMonth),
            RsDataType::Interval(RsIntervalUnit::DayTime) => Self::Interval(IntervalUnit::DayTime),
            RsDataType::Interval(RsIntervalUnit::MonthDayNano) => Self::Interval(IntervalUnit::MonthDayNano),
            RsDataType::FixedSizeBinary(size) => Self::FixedSizeBinary(fixed_size(*size)?),
            RsDataType::Binary => Self::Binary,
            RsDataType::LargeBinary => Self::LargeBinary,
            RsDataType::BinaryView => Self::BinaryView,
            RsDataType::Utf8 => Self::Utf8,
            RsDataType::LargeUtf8 => Self::LargeUtf8,
            RsDataType::Utf8View => Self::Utf8View,
            RsDataType::List(item) => Self::List(Arc::new(child(item, 0)?)),
            RsDataType::LargeList(item) => Self::LargeList(Arc::new(child(item, 0)?)),
            RsDataType::ListView(item) => Self::ListView(Arc::new(child(item, 0)?)),
            RsDataType::LargeListView(item) => Self::LargeListView(Arc::new(child(item, 0)?)),
            RsDataType::FixedSizeList(item, size) => {
                Self::FixedSizeList(Arc::new(child(item, 0)?), fixed_size(*size)?)
            }
            RsDataType::Struct(fields) => Self::Struct(children(fields)?.into()),
            RsDataType::Map(entries, keys_are_sorted) => {
                let order = if *keys_are_sorted { KeyOrder::Sorted } else { KeyOrder::Unsorted };
                MapType::try_new(child(entries, 0)?, order)?.into()
            }
            RsDataType::Union(fields, mode) => {
                let type_ids: Vec<i8> = fields.iter().map(|(type_id, _)| type_id).collect();
                let mode = match mode {
                    RsUnionMode::Sparse => UnionMode::Sparse,
                    RsUnionMode::Dense => UnionMode::Dense,
                };
                let fields = children(fields.iter().map(|(_, field)| field))?;
                UnionType::try_new(fields, Some(&type_ids), mode)?.into()
            }
            RsDataType::Dictionary(index, value) => {
                let index = IndexType::try_from(&DataType::try_from_arrow_rs(&**index)?)?;
                let value = DataType::try_from_arrow_rs(&**value).map_err(|error| error.in_dictionary())?;
                DictionaryType::try_new(index, value, DictionaryOrder::Unordered)?.into()
            }
            RsDataType::RunEndEncoded(run_ends, values) => {
                RunEndEncodedType::try_new(child(run_ends, 0)?, child(values, 1)?)?.into()
            }
        })
    }
}

fn precision<const MAX: u8>(n_digits: u8) -> Result<Precision<MAX>> {
    Precision::new(n_digits).ok_or_else(|| Kind::DecimalPrecision { found: n_digits, limit: MAX }.into())
}

fn fixed_size(size: i32) -> Result<FixedSize> {
    FixedSize::try_from(size).map_err(|_| Kind::FixedSize { found: size }.into())
}

fn time_unit(unit: RsTimeUnit) -> TimeUnit {
    match unit {
        RsTimeUnit::Second => TimeUnit::Second,
        RsTimeUnit::Millisecond => TimeUnit::Millisecond,
        RsTimeUnit::Microsecond => TimeUnit::Microsecond,
        RsTimeUnit::Nanosecond => TimeUnit::Nanosecond,
    }
}

fn child(field: &RsField, position: usize) -> Result<Field> {
    Field::try_from_arrow_rs(field).map_err(|error| error.in_field(position, field.name()))
}

fn children<'a>(fields: impl IntoIterator<Item = &'a FieldRef>) -> Result<Vec<Field>> {
    fields.into_iter().enumerate().map(|(position, field)| child(field, position)).collect()
}

impl ToArrowRs for Field {
    type Output = RsField;

    fn to_arrow_rs(&self) -> Result<RsField> {
        let is_ordered =
            if let DataType::Dictionary(it) = self.data_type() { it.is_ordered() } else { false };
        let field = RsField::new(self.name(), self.data_type().to_arrow_rs()?, self.is_nullable());
        Ok(field.with_dict_is_ordered(is_ordered).with_metadata(HashMap::from(self.metadata())))
    }
}

impl ToArrowRs for Schema {
    type Output = SchemaRef;

    fn to_arrow_rs(&self) -> Result<SchemaRef> {
        let fields = rs_fields(self.fields())?;
        Ok(Arc::new(RsSchema::new_with_metadata(fields, HashMap::from(self.metadata()))))
    }
}

impl FromArrowRs<RsField> for Field {
    fn try_from_arrow_rs(field: &RsField) -> Result<Field> {
        let mut data_type = DataType::try_from_arrow_rs(field.data_type())?;
        if let DataType::Dictionary(it) = &data_type
            && field.dict_is_ordered() == Some(true)
        {
            data_type =
                DictionaryType::try_new(it.index(), it.value().clone(), DictionaryOrder::Ordered)?.into();
        }
        Ok(Field::new(field.name().as_str(), data_type)
            .with_nullability(field.is_nullable().into())
            .with_metadata(metadata(field.metadata().iter())))
    }
}

impl FromArrowRs<RsSchema> for Schema {
    fn try_from_arrow_rs(schema: &RsSchema) -> Result<Schema> {
        let fields = children(schema.fields())?;
        Ok(Schema::new(fields).with_metadata(metadata(schema.metadata().iter())))
    }
}

/// The metadata, in the order of the keys.
fn metadata<'a>(pairs: impl Iterator<Item = (&'a String, &'a String)>) -> Metadata {
    pairs.map(|(key, value)| (key.as_str(), value.as_str())).collect::<BTreeMap<_, _>>().into()
}
