//! Invalid list views, runs, unions and maps.

use std::sync::Arc;

use arrow_data::ArrayParts;
use arrow_schema::{DataType, Field, RunEndType, UnionMode};

use super::{accepted, refused};
use testing_support::make::{array, binary, int32, list, list_view, nulls, runs, struct_, union};

#[test]
fn list_views() {
    let item = || Field::new("item", DataType::Int32);
    for (data_type, max) in
        [(DataType::list_view(item()), i64::from(i32::MAX)), (DataType::large_list_view(item()), i64::MAX)]
    {
        let new =
            |offsets: &[i64], sizes: &[i64]| list_view(&data_type, offsets, sizes, int32(&[1, 2, 3, 4]));
        let cases = [
            (new(&[0, -1], &[0, 1]), "offsets, slot 1: offset -1 is negative"),
            (new(&[0, 1], &[0, -1]), "sizes, slot 1: the size is -1, which is negative"),
            (
                new(&[0, 5], &[0, 0]),
                "offsets, slot 1: offset 5 and size 0 are out of bounds; the child has 4 slots",
            ),
            (
                new(&[0, 2], &[0, 3]),
                "offsets, slot 1: offset 2 and size 3 are out of bounds; the child has 4 slots",
            ),
        ];
        for (array, expected) in cases {
            refused(array.clone(), expected);
            refused(nulls(array, "10"), expected);
        }
        let expected =
            format!("offsets, slot 1: offset {max} and size {max} are out of bounds; the child has 4 slots");
        refused(new(&[0, max], &[0, max]), &expected);
        // List views may be in any order and may share items. An empty one may start at the end.
        accepted(new(&[3, 0, 1, 4], &[1, 4, 2, 0]));
    }
}

/// The sum of two 32-bit numbers may exceed 32 bits if the child is long enough.
#[cfg(target_pointer_width = "64")]
#[test]
fn ends_of_list_views_exceed_32_bits() {
    let long = array(ArrayParts::new(DataType::Null, 1 << 33));
    let data_type = DataType::list_view(Field::new("item", DataType::Null));
    let max = i64::from(i32::MAX);
    accepted(list_view(&data_type, &[max], &[max], long.clone()));
    let short = long.slice(0, max as usize);
    refused(
        list_view(&data_type, &[max, max], &[0, max], short),
        "offsets, slot 1: offset 2147483647 and size 2147483647 are out of bounds; the child has 2147483647 slots",
    );
}

#[test]
fn run_ends() {
    for width in [RunEndType::Int16, RunEndType::Int32, RunEndType::Int64] {
        let new = |n_slots, ends: &[i64]| runs(width, n_slots, ends, int32(&[1, 2, 3, 4]));
        let cases = [
            (
                new(3, &[0, 3]),
                "field `run_ends`, values, slot 0: run end 0 is not greater than the start of its run, 0",
            ),
            (
                new(3, &[-1, 3]),
                "field `run_ends`, values, slot 0: run end -1 is not greater than the start of its run, 0",
            ),
            (
                new(3, &[2, 2, 3]),
                "field `run_ends`, values, slot 1: run end 2 is not greater than the start of its run, 2",
            ),
            (
                new(3, &[1, 2, -3]),
                "field `run_ends`, values, slot 2: run end -3 is not greater than the start of its run, 2",
            ),
            (
                new(4, &[1, 3]),
                "field `run_ends`, values, slot 1: the last run ends at 3; the array needs runs up to 4",
            ),
            (
                new(0, &[2, 1]),
                "field `run_ends`, values, slot 1: run end 1 is not greater than the start of its run, 2",
            ),
        ];
        for (array, expected) in cases {
            refused(array, expected);
        }
        accepted(new(0, &[]));
        accepted(new(0, &[1]));
        accepted(new(4, &[1, 4]));
        let longer = accepted(new(4, &[1, 9]));
        assert_eq!(longer.slice(1, 3).offset(), 1);
        let shifted = array(ArrayParts { offset: 6, ..new(4, &[1, 9]).into_parts() });
        refused(
            shifted,
            "field `run_ends`, values, slot 1: the last run ends at 9; the array needs runs up to 10",
        );
    }
    let good = runs(RunEndType::Int32, 2, &[1, 2], int32(&[1, 2]));
    let mut parts = good.into_parts();
    let ends = nulls(parts.children.as_deref().expect("two children")[0].clone(), "10");
    parts.children = Some(Arc::new([ends, int32(&[1, 2])]));
    refused(array(parts), "field `run_ends`, validity, slot 1: run ends must not be null");
}

#[test]
fn unions() {
    let children = || [int32(&[1, 2, 3]), binary(&DataType::Utf8, &[0, 1, 2, 3], b"abc")];
    let sparse = |ids: &[i8]| union(UnionMode::Sparse, ids, &[], children());
    refused(sparse(&[5, 2, 0]), "type ids, slot 2: the union has no type id 0");
    refused(sparse(&[5, -2, 2]), "type ids, slot 1: the union has no type id -2");
    accepted(sparse(&[2, 5, 5]));

    let dense = |ids: &[i8], offsets: &[i32]| union(UnionMode::Dense, ids, offsets, children());
    let cases = [
        (dense(&[5, 3], &[0, 0]), "type ids, slot 1: the union has no type id 3"),
        (dense(&[5, -1], &[0, 0]), "type ids, slot 1: the union has no type id -1"),
        (
            dense(&[5, 2], &[0, 3]),
            "offsets, slot 1: offset 3 is out of bounds; the union's child has 3 slots",
        ),
        (
            dense(&[5, 2], &[0, -1]),
            "offsets, slot 1: offset -1 is out of bounds; the union's child has 3 slots",
        ),
        (
            dense(&[5, 2], &[i32::MIN, 0]),
            "offsets, slot 0: offset -2147483648 is out of bounds; the union's child has 3 slots",
        ),
    ];
    for (array, expected) in cases {
        refused(array, expected);
    }
    // The order of offsets is a strict rule.
    accepted(dense(&[5, 2, 5], &[2, 0, 0]));
    // No slot selects the child without slots.
    let empty = [int32(&[]), binary(&DataType::Utf8, &[0, 1], b"a")];
    accepted(union(UnionMode::Dense, &[2], &[0], empty.clone()));
    refused(
        union(UnionMode::Dense, &[2, 5], &[0, 0], empty),
        "offsets, slot 1: offset 0 is out of bounds; the union's child has 0 slots",
    );
}

#[test]
fn maps() {
    let data_type =
        DataType::map(Field::new("key", DataType::Int32).required(), Field::new("value", DataType::Int32));
    let new = |key_bits: &str, entry_bits: &str, offsets: &[i64]| {
        let fields = data_type.children()[0].data_type().children().to_vec();
        let columns = [nulls(int32(&[1, 2, 3, 4]), key_bits), int32(&[5, 6, 7, 8])];
        let entries = struct_(fields.into_iter().zip(columns).collect());
        list(&data_type, offsets, nulls(entries, entry_bits))
    };
    accepted(new("1111", "1111", &[0, 2, 4]));
    refused(new("1111", "1111", &[0, 2, 1]), "offsets, slot 1: offset 1 is less than the preceding offset 2");
    refused(
        new("1111", "1101", &[0, 2, 4]),
        "field `entries`, validity, slot 2: entries of a map must not be null",
    );
    refused(
        new("1110", "1111", &[0, 2, 4]),
        "field `entries.key`, validity, slot 3: keys of a map must not be null",
    );
    // Entries to which no valid slot refers may be null.
    accepted(new("0111", "0111", &[1, 2, 4]));
    accepted(new("1110", "1110", &[1, 2, 3]));
    accepted(nulls(new("1100", "1010", &[0, 1, 4]), "10"));
    refused(
        nulls(new("1100", "1010", &[0, 1, 4]), "11"),
        "field `entries`, validity, slot 1: entries of a map must not be null",
    );
}
