//! Compares the differences of batches with a naive comparison of rows, and checks the names in positions.

use arrow_data::{ArrayData, Comparer, RecordBatch, RowDifference, differences};
use arrow_schema::{DataType, Field, IndexType, Schema};
use arrow_select::{Select, concat_batches};
use testing_support::{Generator, Nulls, rows as rows_of};

use testing_support::make::{binary, int32, list, struct_};

/// The differences of batches are the differences of their rows, in order.
#[test]
fn batches_differ_by_row_and_column() {
    let types = [
        DataType::Int32,
        DataType::list(Field::new("item", DataType::Boolean)),
        DataType::dictionary(IndexType::Int8, DataType::Utf8).expect("no dictionary itself"),
    ];
    let schema = Schema::new(
        ["a", "b", "c.d"].into_iter().zip(types).map(|(name, t)| Field::new(name, t)).collect::<Vec<_>>(),
    );
    let mut generator = Generator::new(17);
    for round in 0..40 {
        let n_rows = round % 23;
        let left = generator.batch(&schema, n_rows, Nulls::Some);
        let other = generator.batch(&schema, n_rows + round % 3, Nulls::Some);
        // The rows of the left batch, and some rows of the other.
        let both = concat_batches(schema.clone(), &[left.clone(), other]).expect("one schema");
        let rows: Vec<usize> =
            (0..n_rows).map(|row| row + if generator.rng().one_in(5) { n_rows } else { 0 }).collect();
        let right = both.take(&rows).expect("inside");

        let (lefts, rights) = (rows_of(&left), rows_of(&right));
        let expected: Vec<(usize, usize)> = (0..n_rows)
            .flat_map(|row| (0..3).map(move |column| (row, column)))
            .filter(|(row, column)| lefts[*row][*column] != rights[*row][*column])
            .collect();
        let found = differences(&left, &right).expect("the same columns");
        let found: Vec<RowDifference> = found.collect();
        let positions: Vec<(usize, usize)> = found.iter().map(|one| (one.row(), one.column_idx())).collect();
        assert_eq!(positions, expected, "round {round}");
        assert_eq!(left.same_values(&right), Ok(expected.is_empty()), "round {round}");
        assert_eq!(left.same_values(&right.slice(0, n_rows / 2)), Ok(n_rows == 0), "round {round}");
        for one in &found {
            let path = one.difference().to_string();
            let column = if one.name() == "c.d" { "\"c.d\"" } else { one.name() };
            assert_eq!(one.to_string(), format!("row {}, {column}{path}", one.row()));
        }
        let half = differences(&left, &right.slice(0, n_rows / 2)).expect("the same columns").count();
        assert_eq!(half, expected.iter().filter(|(row, _)| *row < n_rows / 2).count(), "round {round}");
    }
}

#[test]
fn paths_join_with_the_name_of_their_column() {
    let item = |child: &ArrayData| Field::new("item", child.data_type().clone());
    let lists = |values: &[i32]| {
        let child = int32(values);
        list(&DataType::list(item(&child)), &[0, 2], child)
    };
    let (left, right) = (lists(&[1, 2]), lists(&[1, 3]));
    let cases = [
        (int32(&[1]), int32(&[2]), "tags", "tags"),
        (left.clone(), right.clone(), "tags", "tags[1]"),
        (
            struct_(vec![(item(&left), left)]),
            struct_(vec![(item(&right), right)]),
            "a b.c",
            "\"a b.c\".item[1]",
        ),
    ];
    for (left, right, name, expected) in cases {
        let difference = Comparer::try_new(&left, &right).and_then(|mut pair| pair.first_difference(0..1, 0));
        let difference = difference.expect("inside").expect("they differ");
        assert_eq!(difference.in_column(name).to_string(), expected);
    }
}

#[test]
fn batches_that_cannot_be_compared_say_which_column() {
    let batch =
        |columns: Vec<(&'static str, ArrayData)>| RecordBatch::try_from_columns(columns).expect("one length");
    let left = batch(vec![("a", int32(&[1])), ("b", int32(&[2]))]);
    let bad = binary(&DataType::Utf8, &[0, 9], b"x");
    let cases = [
        (
            batch(vec![("a", int32(&[1])), ("c", int32(&[2]))]),
            "field b: expected the name \"b\", found \"c\"",
            Some(false),
        ),
        (batch(vec![("a", int32(&[1]))]), "expected 2 fields, found 1", Some(false)),
        (
            batch(vec![("a", int32(&[1])), ("b", binary(&DataType::Utf8, &[0, 1], b"x"))]),
            "field `b`: values of type int32 and of type utf8 cannot be compared",
            Some(false),
        ),
        (
            batch(vec![("a", bad.clone()), ("b", int32(&[2]))]),
            "field `a`, offsets, slot 0: offset 9 is out of bounds; the bytes or items end at 1",
            None,
        ),
    ];
    for (right, expected, same) in cases {
        assert_eq!(differences(&left, &right).expect_err(expected).to_string(), expected);
        assert_eq!(left.same_values(&right).ok(), same, "{expected}");
    }
}
