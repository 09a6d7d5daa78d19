//! Functions that make valid and invalid arrays for tests.

use std::sync::Arc;

use arrow_buffer::{Bitmap, Buffer, NativeType};
use arrow_data::{ArrayData, ArrayParts, DataError, layout};
use arrow_schema::{DataType, Field, RunEndType, UnionMode};

/// An array with valid structure.
pub fn array(parts: ArrayParts) -> ArrayData {
    ArrayData::try_new(parts).unwrap_or_else(|error| panic!("a test array: {error}"))
}

/// An array with one buffer.
pub fn fixed<T: NativeType>(data_type: DataType, values: impl Into<Vec<T>>) -> ArrayData {
    let values = values.into();
    let n_slots = values.len();
    array(ArrayParts { buffers: [values.into(), Buffer::new()], ..ArrayParts::new(data_type, n_slots) })
}

/// An int32 array without nulls.
pub fn int32(values: &[i32]) -> ArrayData {
    fixed(DataType::Int32, values)
}

/// A binary or utf8 array with offsets.
pub fn binary(data_type: &DataType, offsets: &[i64], data: &[u8]) -> ArrayData {
    let buffers = [numbers(data_type, 0, offsets), Buffer::copy_from(data)];
    array(ArrayParts { buffers, ..ArrayParts::new(data_type.clone(), offsets.len() - 1) })
}

/// A list with offsets, or a map with entries.
pub fn list(data_type: &DataType, offsets: &[i64], child: ArrayData) -> ArrayData {
    array(ArrayParts {
        buffers: [numbers(data_type, 0, offsets), Buffer::new()],
        children: Some(Arc::new([child])),
        ..ArrayParts::new(data_type.clone(), offsets.len() - 1)
    })
}

/// A list view.
pub fn list_view(data_type: &DataType, offsets: &[i64], sizes: &[i64], child: ArrayData) -> ArrayData {
    array(ArrayParts {
        buffers: [numbers(data_type, 0, offsets), numbers(data_type, 1, sizes)],
        children: Some(Arc::new([child])),
        ..ArrayParts::new(data_type.clone(), offsets.len())
    })
}

/// A fixed-size list.
pub fn fixed_size_list(item: Field, n_slots: usize, n_items: u32, child: ArrayData) -> ArrayData {
    let data_type = DataType::fixed_size_list(item, n_items).expect("a small size");
    array(ArrayParts { children: Some(Arc::new([child])), ..ArrayParts::new(data_type, n_slots) })
}

/// A struct.
pub fn struct_(columns: Vec<(Field, ArrayData)>) -> ArrayData {
    let n_slots = columns[0].1.len();
    let (fields, children): (Vec<Field>, Vec<ArrayData>) = columns.into_iter().unzip();
    let children = Some(children.into());
    array(ArrayParts { children, ..ArrayParts::new(DataType::struct_(fields), n_slots) })
}

/// A dictionary-encoded array.
pub fn dictionary(data_type: &DataType, indices: &[i64], values: ArrayData) -> ArrayData {
    array(ArrayParts {
        buffers: [numbers(data_type, 0, indices), Buffer::new()],
        dictionary: Some(Arc::new(values)),
        ..ArrayParts::new(data_type.clone(), indices.len())
    })
}

/// A run-end encoded array.
pub fn runs(width: RunEndType, n_slots: usize, ends: &[i64], values: ArrayData) -> ArrayData {
    let data_type = DataType::run_end_encoded(width, values.data_type().clone());
    let ends_type = DataType::from(width);
    let ends = array(ArrayParts {
        buffers: [numbers(&ends_type, 0, ends), Buffer::new()],
        ..ArrayParts::new(ends_type, ends.len())
    });
    array(ArrayParts { children: Some(Arc::new([ends, values])), ..ArrayParts::new(data_type, n_slots) })
}

/// A union with type ids 5 and 2 of int32 and utf8.
pub fn union(mode: UnionMode, ids: &[i8], offsets: &[i32], children: [ArrayData; 2]) -> ArrayData {
    let fields = [(5, Field::new("number", DataType::Int32)), (2, Field::new("text", DataType::Utf8))];
    union_of(mode, fields, ids, offsets, children)
}

/// A union of two children.
pub fn union_of(
    mode: UnionMode,
    fields: [(i8, Field); 2],
    ids: &[i8],
    offsets: &[i32],
    children: [ArrayData; 2],
) -> ArrayData {
    let data_type = DataType::union(mode, fields).expect("legal type ids");
    array(ArrayParts {
        buffers: [ids.to_vec().into(), offsets.to_vec().into()],
        children: Some(Arc::new(children)),
        ..ArrayParts::new(data_type, ids.len())
    })
}

/// The array with this validity: `1` for valid, `0` for null.
pub fn nulls(array: ArrayData, bits: &str) -> ArrayData {
    let validity = Some(bits.bytes().map(|bit| bit == b'1').collect::<Bitmap>());
    ArrayData::try_new(ArrayParts { validity, ..array.into_parts() }).expect("a bit for each slot")
}

/// The text of the error. Panics if there is no error.
pub fn message(result: Result<ArrayData, DataError>) -> String {
    match result {
        Ok(array) => panic!("no error, but\n{}", array.dump()),
        Err(error) => error.to_string(),
    }
}

/// Numbers of the width that buffer `k` of the type has; higher bits are cut off.
pub fn numbers(data_type: &DataType, k: usize, numbers: &[i64]) -> Buffer {
    let n_bytes = layout(data_type).data_buffers()[k].element_bytes() as usize;
    let cut = |number: &i64| {
        let bytes = number.to_ne_bytes();
        if cfg!(target_endian = "big") { bytes[8 - n_bytes..].to_vec() } else { bytes[..n_bytes].to_vec() }
    };
    Buffer::from(numbers.iter().flat_map(cut).collect::<Vec<u8>>())
}
