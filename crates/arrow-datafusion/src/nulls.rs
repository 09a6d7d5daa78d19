//! The memory of nulls. For each plan, DataFusion makes nulls of the types of all columns, and arrow-rs fills the slots of
//! their children: those of a fixed-size list of 2³¹ − 1 items take gigabytes.

use datafusion::arrow::datatypes::{DataType, UnionMode};

/// The maximum for the nulls of all columns of a table together, one of each.
pub(crate) const MAX_NULL_BYTES: u64 = 64 << 20;

/// The bytes that arrow-rs fills for a null of a type, and for a null of what a list of this type has. `None` if it cannot
/// make one.
pub(crate) fn null_bytes(data_type: &DataType) -> Option<u64> {
    bytes_of(data_type, 1)
}

fn bytes_of(data_type: &DataType, n_slots: u64) -> Option<u64> {
    let slots_of = |n_bytes: u64| n_slots.saturating_mul(n_bytes);
    // A null list has no items, but a query may take one out of a list.
    let of_an_item = |item: &DataType| bytes_of(item, n_slots.min(1));
    let width_of = |data_type: &DataType| u64::try_from(data_type.primitive_width()?).ok();
    let validity = match data_type {
        DataType::Null | DataType::Union(..) | DataType::RunEndEncoded(..) => 0,
        _ => n_slots.div_ceil(8),
    };
    let (own, of_children) = match data_type {
        DataType::Null => (0, 0),
        DataType::Boolean => (n_slots.div_ceil(8), 0),
        DataType::Binary | DataType::Utf8 => (slots_of(4), 0),
        DataType::LargeBinary | DataType::LargeUtf8 => (slots_of(8), 0),
        DataType::BinaryView | DataType::Utf8View => (slots_of(16), 0),
        DataType::FixedSizeBinary(n_bytes) => (slots_of(u64::try_from(*n_bytes).ok()?), 0),
        DataType::List(item) | DataType::Map(item, _) => (slots_of(4), of_an_item(item.data_type())?),
        DataType::LargeList(item) | DataType::ListView(item) => (slots_of(8), of_an_item(item.data_type())?),
        DataType::LargeListView(item) => (slots_of(16), of_an_item(item.data_type())?),
        DataType::FixedSizeList(item, n_items) => {
            let n_items = n_slots.checked_mul(u64::try_from(*n_items).ok()?)?;
            (0, bytes_of(item.data_type(), n_items)?)
        }
        DataType::Struct(fields) => {
            let mut sizes = fields.iter().map(|field| bytes_of(field.data_type(), n_slots));
            (0, sizes.try_fold(0, saturating_sum)?)
        }
        DataType::Union(fields, mode) => {
            // A slot of a dense union has a slot in its first child, which there must be.
            let n_offsets =
                if *mode == UnionMode::Dense { i32::try_from(n_slots).ok().map(|_| 4)? } else { 0 };
            fields.iter().next()?;
            let mut sizes = fields.iter().map(|(_, field)| bytes_of(field.data_type(), n_slots));
            (slots_of(1 + n_offsets), sizes.try_fold(0, saturating_sum)?)
        }
        DataType::Dictionary(index, value) => (slots_of(width_of(index)?), of_an_item(value)?),
        // One run, whose end must be in the range of its type.
        DataType::RunEndEncoded(run_ends, values) => match run_ends.data_type() {
            DataType::Int16 => i16::try_from(n_slots).is_ok(),
            DataType::Int32 => i32::try_from(n_slots).is_ok(),
            _ => i64::try_from(n_slots).is_ok(),
        }
        .then_some((8, of_an_item(values.data_type())?))?,
        // Those of a fixed width. Another type that has none is refused until it is known.
        _ => (slots_of(width_of(data_type)?), 0),
    };
    Some(validity.saturating_add(own).saturating_add(of_children))
}

fn saturating_sum(sum: u64, n_bytes: Option<u64>) -> Option<u64> {
    Some(sum.saturating_add(n_bytes?))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use arrow_rs_adapter::v59::ToArrowRs;
    use datafusion::{
        arrow::{
            array::Array,
            datatypes::{Field, UnionFields},
        },
        common::ScalarValue,
    };

    use super::*;

    fn bytes_of_text(text: &str) -> Option<u64> {
        let data_type: arrow_schema::DataType = text.parse().expect(text);
        null_bytes(&data_type.to_arrow_rs().expect(text))
    }

    #[test]
    fn slots_of_all_children_are_counted() {
        for (data_type, n_bytes) in [
            ("int32", Some(5)),
            ("null", Some(0)),
            ("fixed_size_list<item: int32; 2147483647>", Some(8_858_370_045)),
            ("fixed_size_list<item: null; 2147483647>", Some(1)),
            ("fixed_size_list<item: fixed_size_list<item: bool; 65536>; 65536>", Some((1 << 30) + 8_193)),
            ("fixed_size_binary(2147483647)", Some(2_147_483_648)),
            ("list<item: fixed_size_list<item: int8; 1000>>", Some(1_131)),
            ("fixed_size_list<item: list<item: fixed_size_list<item: int8; 1000>>; 10>", Some(1_169)),
            ("fixed_size_list<item: struct<>; 2147483647>", Some(268_435_457)),
            ("struct<a: fixed_size_list<item: int8; 10>, b: int64>", Some(23)),
            ("dictionary<int8, fixed_size_binary(100)>", Some(103)),
            ("run_end_encoded<run_ends: int16 not null, values: int32>", Some(13)),
            ("fixed_size_list<item: run_end_encoded<run_ends: int16 not null, values: int32>; 32768>", None),
            (
                "fixed_size_list<item: run_end_encoded<run_ends: int32 not null, values: int32>; 32768>",
                Some(14),
            ),
            (
                "fixed_size_list<item: fixed_size_list<item: fixed_size_list<item: null; 2147483647>; 2147483647>; 2147483647>",
                None,
            ),
        ] {
            assert_eq!(bytes_of_text(data_type), n_bytes, "{data_type}");
        }
        let no_fields = DataType::Union(UnionFields::empty(), UnionMode::Sparse);
        assert_eq!(null_bytes(&DataType::Struct(vec![Field::new("u", no_fields, true)].into())), None);
    }

    /// What is `Some` can be made, and is not larger than this.
    #[test]
    fn nulls_of_all_types_are_made() {
        for (name, data_type) in testing_support::all_types() {
            let Ok(data_type) = data_type.to_arrow_rs() else { continue };
            let many = DataType::FixedSizeList(Arc::new(Field::new("item", data_type, true)), 1_000);
            let Some(n_bytes) = null_bytes(&many) else { panic!("{name} has no null") };
            let null = ScalarValue::try_new_null(&many).expect(&name);
            let ScalarValue::FixedSizeList(list) = null else { panic!("{name}") };
            // Each array has a few bytes of its own, and lists have an offset more than slots.
            let n_arrays = 1 + name.len() as u64;
            let n_found = list.get_buffer_memory_size() as u64;
            assert!(n_found <= n_bytes + n_bytes / 8 + n_arrays * 1_024, "{name}: {n_found}, {n_bytes}");
        }
    }
}
