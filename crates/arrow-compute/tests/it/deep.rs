//! Types of the maximum depth need little stack.

use arrow_compute::{Digits, Statistics, cast};
use arrow_data::RecordBatch;
use arrow_schema::{DataType, IndexType, RunEndType, TextParser};
use testing_support::{Operation, on_little_stack};

fn statistics(batch: &RecordBatch) {
    let column = &batch.columns()[0];
    let mut statistics = Statistics::new(column.data_type().clone());
    statistics.add(column).expect("valid");
    statistics.add(column).expect("valid");
    assert_eq!((statistics.n_rows(), statistics.min().is_some()), (2, statistics.has_order()));
}

fn encoded(batch: &RecordBatch) {
    let column = &batch.columns()[0];
    let data_type = column.data_type();
    let runs = DataType::run_end_encoded(RunEndType::Int32, data_type.clone());
    let dictionary = DataType::dictionary(IndexType::Int32, data_type.value_type().clone());
    for to in dictionary.into_iter().chain([runs]) {
        match cast(column, &to, Digits::Keep) {
            Ok(encoded) => assert_eq!(encoded.same_values(column), Ok(true)),
            Err(error) => assert!(!error.to_string().is_empty()),
        }
    }
}

/// The innermost number becomes wider, or becomes text. So all types around it change.
fn with_other_leaf(batch: &RecordBatch) {
    let text = batch.columns()[0].data_type().to_string();
    let at = text.rfind("int8").expect("the leaf");
    for leaf in ["int64", "utf8_view"] {
        check_cast(batch, &format!("{}{leaf}{}", &text[..at], &text[at + 4..]));
    }
}

/// Lists get wider offsets at each level.
fn with_wide_offsets(batch: &RecordBatch) {
    let text = batch.columns()[0].data_type().to_string();
    check_cast(batch, &text.replace(" list<", " large_list<"));
}

fn check_cast(batch: &RecordBatch, to: &str) {
    let column = &batch.columns()[0];
    let to = TextParser::new().with_max_depth(usize::MAX).data_type(to).expect("as deep as before");
    match cast(column, &to, Digits::Keep) {
        Ok(wide) => assert_eq!(wide.data_type(), &to),
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

#[test]
fn the_deepest_types_need_little_stack() {
    let operations: [Operation; 4] = [
        ("statistics", statistics),
        ("encoding", encoded),
        ("another leaf", with_other_leaf),
        ("wide offsets", with_wide_offsets),
    ];
    on_little_stack(TextParser::MAX_DEPTH, &operations);
}
