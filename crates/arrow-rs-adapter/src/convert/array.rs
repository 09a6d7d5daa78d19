//! Arrays and buffers in both directions.

use std::sync::Arc;

use arrow_buffer::{Bitmap, Buffer};
use arrow_data::{ArrayData, ArrayParts, ChildLen, DataError, Validation};
use arrow_schema::DataType;
use arrow_select::Select;
use bytes::Bytes;

use super::arrow::{
    array::{Array, ArrayRef, make_array, new_empty_array},
    buffer::{BooleanBuffer, Buffer as RsBuffer, NullBuffer},
    datatypes::DataType as RsDataType,
};
use super::traits::{FromArrowRs, ToArrowRs, refused};
use crate::error::Result;

type RsArrayData = super::arrow::array::ArrayData;

impl ToArrowRs for Buffer {
    type Output = RsBuffer;

    fn to_arrow_rs(&self) -> Result<RsBuffer> {
        Ok(rs_buffer(self))
    }
}

impl ToArrowRs for ArrayData {
    type Output = ArrayRef;

    fn to_arrow_rs(&self) -> Result<ArrayRef> {
        rs_array(self, &self.data_type().to_arrow_rs()?)
    }
}

/// Makes an array of arrow-rs, whose type is that of `array`.
pub(super) fn rs_array(array: &ArrayData, data_type: &RsDataType) -> Result<ArrayRef> {
    // Those who only assumed that content is valid do not answer for the memory of others.
    let array = array.clone().forget_assumptions().validate(Validation::Content)?;
    Ok(make_array(rs_data(&array, data_type)?))
}

/// Makes the data of an array whose content was checked here.
fn rs_data(array: &ArrayData, data_type: &RsDataType) -> Result<RsArrayData> {
    let mut children = Vec::with_capacity(array.children().len());
    for (position, child) in array.children().iter().enumerate() {
        // The values of runs may have more slots than there are runs, but not for arrow-rs.
        let n_slots = match array.children().first() {
            Some(run_ends) if array.layout().child_len() == ChildLen::Runs => run_ends.len(),
            Some(_) | None => child.len(),
        };
        let child = child.try_slice(0, n_slots)?;
        let named = |error: crate::AdapterError| {
            error.in_field(position, array.data_type().children().get(position).map_or("", |it| it.name()))
        };
        children.push(rs_data(&child, child_type(data_type, position)?).map_err(named)?);
    }
    if let Some(values) = array.dictionary() {
        children.push(rs_data(values, child_type(data_type, 0)?).map_err(|error| error.in_dictionary())?);
    } else if array.is_empty() {
        // Offsets of an array without slots may be absent or out of bounds.
        return Ok(new_empty_array(data_type).to_data());
    }
    let built = |array: &ArrayData| {
        let n_own = array.layout().data_buffers().len();
        let own = (0..n_own).map(|k| rs_buffer(array.buffer(k)));
        RsArrayData::builder(data_type.clone())
            .len(array.len())
            .offset(array.offset())
            .nulls(array.validity().map(|bits| {
                let buffer = rs_buffer(bits.buffer());
                NullBuffer::new(BooleanBuffer::new(buffer, bits.bit_offset(), bits.len()))
            }))
            .buffers(own.chain(array.variadic().iter().map(rs_buffer)).collect())
            .child_data(children.clone())
            .align_buffers(true)
    };
    if is_valid_below_nulls(array) {
        // SAFETY: the array follows the rules of its type, which is `data_type`: its structure always does, and its caller has
        // checked its content. The buffers are aligned. What arrow-rs also trusts in null slots holds, as was just asked. The
        // children were built by this function.
        let builder = unsafe { built(array).skip_validation(true) };
        return builder.build().map_err(refused);
    }
    match built(array).build() {
        Ok(data) => Ok(data),
        Err(_) => built(&array.with_zeroed_nulls()?).build().map_err(refused),
    }
}

/// Whether it is known that text and views of null slots are valid, too: arrow-rs trusts them there, and validation of
/// content does not look at them.
fn is_valid_below_nulls(array: &ArrayData) -> bool {
    let is_text = array.text_slots().is_some() || array.large_text_slots().is_some();
    if array.data_type().is_text() {
        return is_text || array.text_views().is_some();
    }
    if *array.data_type() != DataType::BinaryView {
        return true;
    }
    // A view of zeros is an empty value, which refers to no buffer.
    let views = array.buffer(0).as_slice().chunks_exact(16).skip(array.offset());
    let is_zero = |view: &[u8]| view.iter().all(|byte| *byte == 0);
    array
        .validity()
        .is_none_or(|bits| bits.iter().zip(views).all(|(is_valid, view)| is_valid || is_zero(view)))
}

/// The type of child `position` of arrays of a type; for dictionaries, of the values.
fn child_type(data_type: &RsDataType, position: usize) -> Result<&RsDataType> {
    let child = match (data_type, position) {
        (RsDataType::Dictionary(_, value), _) => Some(&**value),
        (RsDataType::Struct(fields), _) => fields.get(position).map(|field| field.data_type()),
        (RsDataType::Union(fields, _), _) => fields.iter().nth(position).map(|(_, field)| field.data_type()),
        (RsDataType::RunEndEncoded(_, values), 1) => Some(values.data_type()),
        (
            RsDataType::List(child)
            | RsDataType::LargeList(child)
            | RsDataType::ListView(child)
            | RsDataType::LargeListView(child)
            | RsDataType::FixedSizeList(child, _)
            | RsDataType::Map(child, _)
            | RsDataType::RunEndEncoded(child, _),
            _,
        ) => Some(child.data_type()),
        _ => None,
    };
    child.ok_or_else(|| DataError::internal("a type of arrow-rs without the child").into())
}

fn rs_buffer(buffer: &Buffer) -> RsBuffer {
    Bytes::from_owner(buffer.clone()).into()
}

/// The buffer shares the memory.
impl FromArrowRs<RsBuffer> for Buffer {
    fn try_from_arrow_rs(buffer: &RsBuffer) -> Result<Buffer> {
        Ok(our_buffer(buffer))
    }
}

impl FromArrowRs<dyn Array> for ArrayData {
    fn try_from_arrow_rs(array: &dyn Array) -> Result<ArrayData> {
        our_array(array, &DataType::try_from_arrow_rs(array.data_type())?)
    }
}

impl FromArrowRs<ArrayRef> for ArrayData {
    fn try_from_arrow_rs(array: &ArrayRef) -> Result<ArrayData> {
        ArrayData::try_from_arrow_rs(&**array)
    }
}

/// Makes an array of this type, which is that of the array.
pub(super) fn our_array(array: &dyn Array, data_type: &DataType) -> Result<ArrayData> {
    our_data(&array.to_data(), data_type)
}

/// Makes an array of data of a typed array of arrow-rs, which has an offset only for bits and runs.
fn our_data(data: &RsArrayData, data_type: &DataType) -> Result<ArrayData> {
    let mut parts = ArrayParts { offset: data.offset(), ..ArrayParts::new(data_type.clone(), data.len()) };
    let layout = arrow_data::layout(data_type);
    if let Some(nulls) = data.nulls() {
        let bits = Bitmap::try_new(our_buffer(nulls.buffer()), nulls.offset(), nulls.len());
        parts.validity =
            Some(bits.map_err(|_| DataError::internal("a bitmap of arrow-rs with too few bits"))?);
        parts.declared_null_count = Some(nulls.null_count());
    }
    let n_own = layout.data_buffers().len().min(data.buffers().len());
    let (own, variadic) = data.buffers().split_at(n_own);
    for (part, buffer) in parts.buffers.iter_mut().zip(own) {
        *part = our_buffer(buffer);
    }
    if layout.is_variadic() {
        parts.variadic = Some(variadic.iter().map(our_buffer).collect());
    }
    if let DataType::Dictionary(dictionary) = data_type {
        if let [values] = data.child_data() {
            let values = our_data(values, dictionary.value()).map_err(|error| error.in_dictionary())?;
            parts.dictionary = Some(Arc::new(values));
        }
    } else if layout.child_len() != ChildLen::NoChildren {
        let children = data_type.children().iter().zip(data.child_data()).enumerate();
        let children = children.map(|(position, (field, child))| {
            our_data(child, field.data_type()).map_err(|error| error.in_field(position, field.name()))
        });
        parts.children = Some(children.collect::<Result<_>>()?);
    }
    Ok(ArrayData::try_new(parts)?)
}

fn our_buffer(buffer: &RsBuffer) -> Buffer {
    if buffer.is_empty() {
        return Buffer::new();
    }
    Buffer::from_owner_with(buffer.clone(), |buffer| buffer.as_slice())
}
