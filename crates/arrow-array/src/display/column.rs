//! Makes the writers of a column, in one pass over its arrays.

use std::sync::Arc;

use arrow_data::{ArrayData, Validation};
use arrow_schema::Field;

use super::{
    ColumnText, TextStyle, WriteSlot,
    encoded::{DictionaryColumn, RunColumn},
    extensions::{Flags, JsonTexts, UuidColumn},
    lists::{ListColumn, Maps},
    numbers::{Decimals, Floats, Integers, NumberColumn, NumberFormat, UnsignedIntegers},
    records::{RecordColumn, Structs, UnionColumn},
    shape::{TypeNames, parts},
    strings::{ByteSlots, Hex, TextColumn, TextValues},
    temporal::{Clock, Days, Intervals, LocalTimestamps, Milliseconds, Spans, Timestamps},
    tensors::{FixedTensors, VariableTensors},
};
use crate::{
    array::{
        Array, Lists,
        primitive::{PrimitiveArray, TimestampArray},
    },
    array_cache::ArrayCache,
    dispatch::AnyArray,
    error::ArrayError,
    form::{TensorForm, TensorShape, ValueForm},
    shared_validation::DictionaryProofs,
    time_zone::TimeZones,
    types::PrimitiveType,
};

/// Makes the writers of columns, and reuses the writers of dictionaries.
#[derive(Default)]
pub(super) struct ColumnWriters {
    proofs: DictionaryProofs,
    /// The writers for the values of validated dictionaries, in the style [`TextStyle::Json`].
    json: ArrayCache<DictionaryText>,
    /// The same in the style [`TextStyle::Cell`].
    cells: ArrayCache<DictionaryText>,
    /// The same in the style [`TextStyle::Plain`].
    plain: ArrayCache<DictionaryText>,
}

/// The writer of values, and what it depends on besides their style.
type DictionaryText = (Option<ValueForm>, Option<TimeZones>, Arc<dyn WriteSlot>);

/// How the values of an array are written.
#[derive(Clone, Copy)]
struct ValueStyle {
    text: TextStyle,
    /// The zones in which timestamps are written.
    zones: Option<TimeZones>,
}

impl ValueStyle {
    fn new(style: TextStyle) -> ValueStyle {
        let zones = if let TextStyle::LocalCell(zones) = style { Some(zones) } else { None };
        ValueStyle { text: style, zones }
    }
}

impl ColumnText {
    /// Prepares an array for writing. Validates the content, unless it has been validated before.
    ///
    /// # Errors
    /// If the content of `data` is invalid.
    pub fn try_new(data: &ArrayData, style: TextStyle) -> Result<ColumnText, ArrayError> {
        let writer =
            ColumnWriters::default().writer(data, &TypeNames::from_data_type(data.data_type()), style)?;
        Ok(ColumnText::new(writer, data.len()))
    }

    /// Like [`try_new`](ColumnText::try_new), for the array of a field. If the field has an extension type, values may be
    /// written in the form of that type.
    ///
    /// # Errors
    /// The errors of [`try_new`](ColumnText::try_new).
    pub fn try_with_field(
        data: &ArrayData,
        field: &Field,
        style: TextStyle,
    ) -> Result<ColumnText, ArrayError> {
        let writer = ColumnWriters::default().writer(data, &TypeNames::for_field(field), style)?;
        Ok(ColumnText::new(writer, data.len()))
    }
}

impl ColumnWriters {
    /// Makes the writer of a column. `shape` contains its names and extension types. Validates the content, unless it has been
    /// validated before.
    pub(super) fn writer(
        &mut self,
        data: &ArrayData,
        shape: &TypeNames,
        style: TextStyle,
    ) -> Result<Box<dyn WriteSlot>, ArrayError> {
        let style = ValueStyle::new(style);
        if data.checked() >= Validation::Content {
            self.grow(data, shape, style)
        } else {
            let data = self.proofs.prove(data)?;
            self.grow(&data, shape, style)
        }
    }

    /// Makes the writer of an array and of its children. Types may be deep, so this recursive function must use little stack.
    /// [`node`] does the work that uses more stack.
    fn grow(
        &mut self,
        data: &ArrayData,
        shape: &TypeNames,
        style: ValueStyle,
    ) -> Result<Box<dyn WriteSlot>, ArrayError> {
        if let Some(dictionary) = data.dictionary() {
            let values = self.values(dictionary, shape.below(0), style)?;
            return encoded(data, values);
        }
        let is_decoded = data.data_type().as_run_end_encoded().is_some();
        let style_below = if is_decoded { style } else { ValueStyle { text: TextStyle::Json, ..style } };
        let mut below = Vec::new();
        for (position, part) in parts(data).iter().enumerate() {
            below.push(self.grow(part, shape.below(position), style_below)?);
        }
        node(data, shape, style, below)
    }

    /// Returns the writer of the values of a dictionary, from the cache or a new one.
    fn values(
        &mut self,
        dictionary: &Arc<ArrayData>,
        shape: &TypeNames,
        style: ValueStyle,
    ) -> Result<Arc<dyn WriteSlot>, ArrayError> {
        match self.cache(style.text).get(dictionary) {
            Some((form, zones, known)) if *form == shape.form && *zones == style.zones => {
                return Ok(Arc::clone(known));
            }
            // The cached writer is for another extension type, or for other zones.
            Some(_) | None => {}
        }
        let values: Arc<dyn WriteSlot> = self.grow(dictionary, shape, style)?.into();
        self.cache(style.text).insert(dictionary, (shape.form.clone(), style.zones, Arc::clone(&values)));
        Ok(values)
    }

    fn cache(&mut self, style: TextStyle) -> &mut ArrayCache<DictionaryText> {
        match style {
            TextStyle::Json => &mut self.json,
            TextStyle::Cell | TextStyle::LocalCell(_) => &mut self.cells,
            TextStyle::Plain => &mut self.plain,
        }
    }
}

#[inline(never)]
fn encoded(data: &ArrayData, values: Arc<dyn WriteSlot>) -> Result<Box<dyn WriteSlot>, ArrayError> {
    Ok(Box::new(DictionaryColumn { array: data.try_into()?, values }))
}

/// Makes the writer of an array. `below` are the writers of its children.
#[inline(never)]
fn node(
    data: &ArrayData,
    shape: &TypeNames,
    style: ValueStyle,
    below: Vec<Box<dyn WriteSlot>>,
) -> Result<Box<dyn WriteSlot>, ArrayError> {
    let ValueStyle { text: style, zones } = style;
    Ok(match AnyArray::try_new(data)? {
        AnyArray::Null(array) => Box::new(array),
        AnyArray::Boolean(array) => Box::new(array),
        AnyArray::Int8(array) if shape.form == Some(ValueForm::Bool8) => numbers(array, Flags, style),
        AnyArray::Int8(array) => numbers(array, Integers, style),
        AnyArray::Int16(array) => numbers(array, Integers, style),
        AnyArray::Int32(array) => numbers(array, Integers, style),
        AnyArray::Int64(array) => numbers(array, Integers, style),
        AnyArray::UInt8(array) => numbers(array, Integers, style),
        AnyArray::UInt16(array) => numbers(array, Integers, style),
        AnyArray::UInt32(array) => numbers(array, Integers, style),
        AnyArray::UInt64(array) => numbers(array, UnsignedIntegers, style),
        AnyArray::Float16(array) => numbers(array, Floats, style),
        AnyArray::Float32(array) => numbers(array, Floats, style),
        AnyArray::Float64(array) => numbers(array, Floats, style),
        AnyArray::Decimal32(array) => numbers(array.clone(), Decimals(array.scale()), style),
        AnyArray::Decimal64(array) => numbers(array.clone(), Decimals(array.scale()), style),
        AnyArray::Decimal128(array) => numbers(array.clone(), Decimals(array.scale()), style),
        AnyArray::Decimal256(array) => numbers(array.clone(), Decimals(array.scale()), style),
        AnyArray::Date32(array) => numbers(array, Days, style),
        AnyArray::Date64(array) => numbers(array, Milliseconds, style),
        AnyArray::Time32(array) => numbers(array.clone(), Clock(array.unit().into()), style),
        AnyArray::Time64(array) => numbers(array.clone(), Clock(array.unit().into()), style),
        AnyArray::Timestamp(array) => timestamps(array, zones, style),
        AnyArray::Duration(array) if matches!(style, TextStyle::Cell | TextStyle::LocalCell(_)) => {
            numbers(array.clone(), Spans(array.unit()), style)
        }
        AnyArray::Duration(array) => numbers(array, Integers, style),
        AnyArray::IntervalYearMonth(array) => numbers(array, Intervals, style),
        AnyArray::IntervalDayTime(array) => numbers(array, Intervals, style),
        AnyArray::IntervalMonthDayNano(array) => numbers(array, Intervals, style),
        AnyArray::FixedSizeBinary(array) => bytes(array, shape, style),
        AnyArray::Binary(array) => bytes(array, shape, style),
        AnyArray::LargeBinary(array) => bytes(array, shape, style),
        AnyArray::BinaryView(array) => bytes(array, shape, style),
        AnyArray::Utf8(array) => texts(array, shape, style),
        AnyArray::LargeUtf8(array) => texts(array, shape, style),
        AnyArray::Utf8View(array) => texts(array, shape, style),
        AnyArray::List(array) => lists(array, below)?,
        AnyArray::LargeList(array) => lists(array, below)?,
        AnyArray::ListView(array) => lists(array, below)?,
        AnyArray::LargeListView(array) => lists(array, below)?,
        AnyArray::FixedSizeList(array) => match tensor(shape).map(TensorForm::shape) {
            Some(TensorShape::OfAll(axes)) => {
                Box::new(FixedTensors { lists: lists(array, below)?, axes: axes.clone() })
            }
            Some(TensorShape::OfEach { .. }) | None => lists(array, below)?,
        },
        AnyArray::Struct(array) => {
            let n_slots = data.len();
            let columns = below.into_iter().map(|writer| ColumnText::new(writer, n_slots)).collect();
            let record = RecordColumn { names: shape.names(data.data_type()), columns, n_slots };
            VariableTensors::try_new(Structs { array, record }, tensor(shape))?
        }
        AnyArray::Map(array) => {
            let [keys, values] = only(below, data)?;
            Box::new(Maps { array, keys, values })
        }
        AnyArray::Union(array) => {
            Box::new(UnionColumn { array, names: shape.names(data.data_type()), children: below })
        }
        AnyArray::RunEndEncoded(array) => {
            let [values] = only(below, data)?;
            Box::new(RunColumn::new(array, values))
        }
        // This does not happen: `encoded` has made the writer of every array that has a dictionary.
        AnyArray::Dictionary(array) => {
            return Err(ArrayError::type_mismatch("no dictionary", array.data().data_type()));
        }
    })
}

/// The writers of the children, whose number `N` the structure of the array guarantees.
fn only<const N: usize>(
    below: Vec<Box<dyn WriteSlot>>,
    data: &ArrayData,
) -> Result<[Box<dyn WriteSlot>; N], ArrayError> {
    below.try_into().map_err(|_| ArrayError::type_mismatch("other children", data.data_type()))
}

fn numbers<T, F>(array: PrimitiveArray<T>, format: F, style: TextStyle) -> Box<dyn WriteSlot>
where
    T: PrimitiveType,
    F: NumberFormat<T::Native>,
{
    Box::new(NumberColumn { array, format, style })
}

fn timestamps(array: TimestampArray, zones: Option<TimeZones>, style: TextStyle) -> Box<dyn WriteSlot> {
    let unit = array.unit();
    let zone = array.time_zone();
    let rules = zones.zip(zone).and_then(|(zones, zone)| zones.find(zone));
    if let Some(zone) = rules.filter(|rules| rules.as_fixed() != Some(0)) {
        return numbers(array, LocalTimestamps { unit, zone }, style);
    }
    let suffix = if zone.is_some() { "Z" } else { "" };
    numbers(array, Timestamps { unit, suffix }, style)
}

fn bytes<A: ByteSlots + 'static>(array: A, shape: &TypeNames, style: TextStyle) -> Box<dyn WriteSlot> {
    let digits = Hex { array, style };
    if shape.form == Some(ValueForm::Uuid) { Box::new(UuidColumn(digits)) } else { Box::new(digits) }
}

fn texts<A: TextValues + 'static>(array: A, shape: &TypeNames, style: TextStyle) -> Box<dyn WriteSlot> {
    let texts = TextColumn { array, style };
    let is_nested = style == TextStyle::Json && shape.form == Some(ValueForm::Json);
    if is_nested { Box::new(JsonTexts(texts)) } else { Box::new(texts) }
}

fn tensor(shape: &TypeNames) -> Option<&TensorForm> {
    shape.form.as_ref().and_then(ValueForm::as_tensor)
}

fn lists<A: Lists>(array: A, below: Vec<Box<dyn WriteSlot>>) -> Result<Box<dyn WriteSlot>, ArrayError> {
    let [items] = only(below, Array::data(&array))?;
    Ok(Box::new(ListColumn { array, items }))
}
