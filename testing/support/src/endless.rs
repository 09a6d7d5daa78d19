//! Arrays of few bytes with so many values that they cannot be written.

use arrow_buffer::Buffer;
use arrow_data::{ArrayData, ArrayParts};
use arrow_schema::{DataType, Field};

use crate::by_hand::ints;

/// A list of 2⁶² nulls, or of 2³⁰ on targets of 32 bits.
pub fn endless_nulls() -> ArrayData {
    const N_NULLS: usize = 1 << (usize::BITS - 2);
    let nulls = make(ArrayParts::new(DataType::Null, N_NULLS));
    make(ArrayParts {
        buffers: [Buffer::from(vec![0_i64, N_NULLS as i64]), Buffer::new()],
        children: Some([nulls].into()),
        ..ArrayParts::new(DataType::large_list(Field::new("item", DataType::Null)), 1)
    })
}

/// 2⁶⁰ values of nested list views. Each list contains the next one twice.
pub fn endless_views() -> ArrayData {
    (0..60).fold(ints([0, 0]), |items: ArrayData, _| {
        let data_type = DataType::list_view(Field::new("item", items.data_type().clone()));
        make(ArrayParts {
            buffers: [Buffer::from(vec![0, 0]), Buffer::from(vec![2, 2])],
            children: Some([items].into()),
            ..ArrayParts::new(data_type, 2)
        })
    })
}

fn make(parts: ArrayParts) -> ArrayData {
    ArrayData::try_new(parts).expect("the parts fit")
}
