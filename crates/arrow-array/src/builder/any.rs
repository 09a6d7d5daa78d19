//! Builders of types that are known only when the program runs.

use std::any::Any;

use arrow_data::{ArrayData, DataError, ValueWriter};
use arrow_schema::DataType;

use super::{methods::builder_methods, sealed::Slots, *};
use crate::{
    dispatch::{AnyArray, Kind, kind},
    error::ArrayError,
};

/// Writes what has one line for each builder.
macro_rules! any_builder {
    ($($variant:ident($builder:ty), $what:literal;)*) => {
        /// The builder of any type: made of a [`DataType`], matched where values are appended.
        ///
        /// ```
        /// use arrow_array::AnyBuilder;
        /// use arrow_schema::DataType;
        ///
        /// let data_type = DataType::list(Field::new("item", DataType::Int64));
        /// let mut builder = AnyBuilder::try_new(&data_type)?;
        /// if let AnyBuilder::List(lists) = &mut builder {
        ///     lists.append_with(|items| match &mut **items {
        ///         AnyBuilder::Int64(numbers) => numbers.append_slice(&[1, 2]),
        ///         other => other.append_null(),
        ///     });
        /// }
        /// builder.append_null();
        /// assert_eq!(format!("{:?}", builder.finish()?), "list<item: int64> [[1,2], null]");
        /// # Ok::<(), arrow_array::ArrayError>(())
        /// ```
        #[derive(Debug, Clone)]
        pub enum AnyBuilder {
            $(#[doc = $what] $variant($builder),)*
        }

        impl Builder for AnyBuilder {
            fn data_type(&self) -> &DataType {
                match self {
                    $(AnyBuilder::$variant(builder) => builder.data_type(),)*
                }
            }

            fn len(&self) -> usize {
                match self {
                    $(AnyBuilder::$variant(builder) => builder.len(),)*
                }
            }

            fn append_nulls(&mut self, n_slots: usize) {
                match self {
                    $(AnyBuilder::$variant(builder) => builder.append_nulls(n_slots),)*
                }
            }

            fn reserve(&mut self, n_slots: usize) {
                match self {
                    $(AnyBuilder::$variant(builder) => builder.reserve(n_slots),)*
                }
            }

            fn truncate(&mut self, n_slots: usize) {
                match self {
                    $(AnyBuilder::$variant(builder) => builder.truncate(n_slots),)*
                }
            }

            fn error(&self) -> Option<ArrayError> {
                match self {
                    $(AnyBuilder::$variant(builder) => builder.error(),)*
                }
            }

            fn finish_data(&mut self) -> Result<ArrayData, ArrayError> {
                match self {
                    $(AnyBuilder::$variant(builder) => builder.finish_data(),)*
                }
            }
        }

        impl Slots for AnyBuilder {
            fn is_null_slot(&self, slot: usize) -> bool {
                match self {
                    $(AnyBuilder::$variant(builder) => builder.is_null_slot(slot),)*
                }
            }

            fn write_value(&self, slot: usize, to: &mut ValueWriter<'_>) -> Result<(), DataError> {
                match self {
                    $(AnyBuilder::$variant(builder) => builder.write_value(slot, to),)*
                }
            }
        }

        impl AnyBuilder {
            fn as_any(&mut self) -> &mut dyn Any {
                match self {
                    $(AnyBuilder::$variant(builder) => builder,)*
                }
            }
        }

        $(impl From<$builder> for AnyBuilder {
            fn from(builder: $builder) -> AnyBuilder {
                AnyBuilder::$variant(builder)
            }
        })*
    };
}

any_builder! {
    Null(NullBuilder), "Nothing but nulls.";
    Boolean(BooleanBuilder), "True or false.";
    Int8(Int8Builder), "Signed integers of 8 bits.";
    Int16(Int16Builder), "Signed integers of 16 bits.";
    Int32(Int32Builder), "Signed integers of 32 bits.";
    Int64(Int64Builder), "Signed integers of 64 bits.";
    UInt8(UInt8Builder), "Unsigned integers of 8 bits.";
    UInt16(UInt16Builder), "Unsigned integers of 16 bits.";
    UInt32(UInt32Builder), "Unsigned integers of 32 bits.";
    UInt64(UInt64Builder), "Unsigned integers of 64 bits.";
    Float16(Float16Builder), "Floating-point numbers of 16 bits.";
    Float32(Float32Builder), "Floating-point numbers of 32 bits.";
    Float64(Float64Builder), "Floating-point numbers of 64 bits.";
    Decimal32(Decimal32Builder), "Decimals of 32 bits.";
    Decimal64(Decimal64Builder), "Decimals of 64 bits.";
    Decimal128(Decimal128Builder), "Decimals of 128 bits.";
    Decimal256(Decimal256Builder), "Decimals of 256 bits.";
    Date32(Date32Builder), "Dates in days.";
    Date64(Date64Builder), "Dates in milliseconds.";
    Time32(Time32Builder), "Times of day in 32 bits.";
    Time64(Time64Builder), "Times of day in 64 bits.";
    Timestamp(TimestampBuilder), "Timestamps of any unit, with or without time zone.";
    Duration(DurationBuilder), "Durations of any unit.";
    IntervalYearMonth(IntervalYearMonthBuilder), "Intervals of months.";
    IntervalDayTime(IntervalDayTimeBuilder), "Intervals of days and milliseconds.";
    IntervalMonthDayNano(IntervalMonthDayNanoBuilder), "Intervals of months, days and nanoseconds.";
    FixedSizeBinary(FixedSizeBinaryBuilder), "Bytes, each value of the same length.";
    Binary(BinaryBuilder), "Bytes with offsets of 32 bits.";
    LargeBinary(LargeBinaryBuilder), "Bytes with offsets of 64 bits.";
    BinaryView(BinaryViewBuilder), "Bytes behind views.";
    Utf8(Utf8Builder), "Text with offsets of 32 bits.";
    LargeUtf8(LargeUtf8Builder), "Text with offsets of 64 bits.";
    Utf8View(Utf8ViewBuilder), "Text behind views.";
    List(ListBuilder<Box<AnyBuilder>>), "Lists with offsets of 32 bits.";
    LargeList(LargeListBuilder<Box<AnyBuilder>>), "Lists with offsets of 64 bits.";
    ListView(ListViewBuilder<Box<AnyBuilder>>), "Lists in any order, with offsets and sizes of 32 bits.";
    LargeListView(LargeListViewBuilder<Box<AnyBuilder>>),
        "Lists in any order, with offsets and sizes of 64 bits.";
    FixedSizeList(FixedSizeListBuilder<Box<AnyBuilder>>), "Lists, each of the same length.";
    Struct(StructBuilder<Vec<AnyBuilder>>), "Structs.";
    Map(MapBuilder<Box<AnyBuilder>, Box<AnyBuilder>>), "Maps.";
    Union(UnionBuilder<Vec<AnyBuilder>>), "Unions, sparse or dense.";
    Dictionary(DictionaryBuilder<Box<AnyBuilder>>), "Positions in a dictionary.";
    RunEndEncoded(RunEndEncodedBuilder<Box<AnyBuilder>>), "Runs of equal values.";
}

impl AnyBuilder {
    /// A builder without slots, of this type.
    ///
    /// Recurses once for each level of the type; whoever takes types from outside bounds
    /// [`DataType::depth`](arrow_schema::DataType::depth).
    ///
    /// # Errors
    /// None that is known: every type has a builder.
    pub fn try_new(data_type: &DataType) -> Result<AnyBuilder, ArrayError> {
        // First what is below, so that little stack is taken for each level.
        let mut children = Vec::new();
        if let Some(dictionary) = data_type.as_dictionary() {
            children.push(AnyBuilder::try_new(dictionary.value())?);
        }
        for field in data_type.children() {
            children.push(AnyBuilder::try_new(field.data_type())?);
        }
        of_children(data_type, children)
    }

    /// The builder of a known type, if this is one; to append to it without a `match`.
    ///
    /// ```
    /// use arrow_array::{AnyBuilder, Int64Builder};
    /// use arrow_schema::DataType;
    ///
    /// let mut builder = AnyBuilder::try_new(&DataType::Int64)?;
    /// if let Some(numbers) = builder.downcast_mut::<Int64Builder>() {
    ///     numbers.extend([1, 2]);
    /// }
    /// assert_eq!(builder.len(), 2);
    /// # Ok::<(), arrow_array::ArrayError>(())
    /// ```
    pub fn downcast_mut<B: Builder + 'static>(&mut self) -> Option<&mut B> {
        self.as_any().downcast_mut()
    }
}

/// The builder of a type, given those below it.
#[inline(never)]
fn of_children(data_type: &DataType, mut children: Vec<AnyBuilder>) -> Result<AnyBuilder, ArrayError> {
    let new = data_type.clone();
    // The last one: of a list the only one, of runs the values.
    let last = |children: &mut Vec<AnyBuilder>| {
        Box::new(children.pop().unwrap_or(AnyBuilder::Null(NullBuilder::new())))
    };
    Ok(match kind(data_type) {
        Kind::Null => NullBuilder::new().into(),
        Kind::Boolean => BooleanBuilder::new().into(),
        Kind::Int8 => Int8Builder::new().into(),
        Kind::Int16 => Int16Builder::new().into(),
        Kind::Int32 => Int32Builder::new().into(),
        Kind::Int64 => Int64Builder::new().into(),
        Kind::UInt8 => UInt8Builder::new().into(),
        Kind::UInt16 => UInt16Builder::new().into(),
        Kind::UInt32 => UInt32Builder::new().into(),
        Kind::UInt64 => UInt64Builder::new().into(),
        Kind::Float16 => Float16Builder::new().into(),
        Kind::Float32 => Float32Builder::new().into(),
        Kind::Float64 => Float64Builder::new().into(),
        Kind::Decimal32(_) => Decimal32Builder::try_new(new)?.into(),
        Kind::Decimal64(_) => Decimal64Builder::try_new(new)?.into(),
        Kind::Decimal128(_) => Decimal128Builder::try_new(new)?.into(),
        Kind::Decimal256(_) => Decimal256Builder::try_new(new)?.into(),
        Kind::Date32 => Date32Builder::new().into(),
        Kind::Date64 => Date64Builder::new().into(),
        Kind::Time32(_) => Time32Builder::try_new(new)?.into(),
        Kind::Time64(_) => Time64Builder::try_new(new)?.into(),
        Kind::Timestamp(_) => TimestampBuilder::try_new(new)?.into(),
        Kind::Duration(_) => DurationBuilder::try_new(new)?.into(),
        Kind::IntervalYearMonth => IntervalYearMonthBuilder::new().into(),
        Kind::IntervalDayTime => IntervalDayTimeBuilder::new().into(),
        Kind::IntervalMonthDayNano => IntervalMonthDayNanoBuilder::new().into(),
        Kind::FixedSizeBinary(n_bytes) => FixedSizeBinaryBuilder::try_new(size(n_bytes))?.into(),
        Kind::Binary => BinaryBuilder::new().into(),
        Kind::LargeBinary => LargeBinaryBuilder::new().into(),
        Kind::BinaryView => BinaryViewBuilder::new().into(),
        Kind::Utf8 => Utf8Builder::new().into(),
        Kind::LargeUtf8 => LargeUtf8Builder::new().into(),
        Kind::Utf8View => Utf8ViewBuilder::new().into(),
        Kind::List => ListBuilder::new(last(&mut children)).with_type(new)?.into(),
        Kind::LargeList => LargeListBuilder::new(last(&mut children)).with_type(new)?.into(),
        Kind::ListView => ListViewBuilder::new(last(&mut children)).with_type(new)?.into(),
        Kind::LargeListView => LargeListViewBuilder::new(last(&mut children)).with_type(new)?.into(),
        Kind::FixedSizeList(n_items) => {
            FixedSizeListBuilder::try_new(last(&mut children), size(n_items))?.with_type(new)?.into()
        }
        Kind::Struct => StructBuilder::of(new, children).into(),
        Kind::Map => map(new, children)?.into(),
        Kind::Union => UnionBuilder::of(new, children).into(),
        Kind::Dictionary => match data_type.as_dictionary().map(|dictionary| dictionary.index()) {
            Some(index) => DictionaryBuilder::of(new, index, last(&mut children)).into(),
            None => return Err(ArrayError::type_mismatch("dictionary", data_type)),
        },
        Kind::RunEndEncoded => match data_type.as_run_end_encoded().map(|runs| runs.run_end_type()) {
            Some(run_ends) => RunEndEncodedBuilder::new(run_ends, last(&mut children)).with_type(new)?.into(),
            None => return Err(ArrayError::type_mismatch("run_end_encoded", data_type)),
        },
    })
}

/// Sizes of types are at most `i32::MAX`.
fn size(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}

/// The child of a map is a struct of keys and values.
fn map(
    data_type: DataType,
    mut children: Vec<AnyBuilder>,
) -> Result<MapBuilder<Box<AnyBuilder>, Box<AnyBuilder>>, ArrayError> {
    let entries = match children.pop() {
        Some(AnyBuilder::Struct(entries)) => entries.into_columns(),
        _ => Vec::new(),
    };
    match <[AnyBuilder; 2]>::try_from(entries) {
        Ok([keys, values]) => MapBuilder::new(Box::new(keys), Box::new(values)).with_type(data_type),
        Err(_) => Err(ArrayError::type_mismatch("map", &data_type)),
    }
}

builder_methods!(@common [] AnyBuilder => AnyArray);
