//! Tests the parts and the text of errors.

use std::error::Error;

use arrow_buffer::{Buffer, View};
use arrow_data::{ArrayData, ArrayParts, DataError, DataErrorKind, Role, Validation};
use arrow_schema::{DataType, FieldPath, LookupError};

#[test]
fn are_small_and_say_all() {
    assert_eq!(size_of::<DataError>(), size_of::<usize>());
    let views = vec![View::from_parts(-1, [0; 4], 0, 0)];
    let parts =
        ArrayParts { buffers: [views.into(), Buffer::new()], ..ArrayParts::new(DataType::BinaryView, 1) };
    let error = ArrayData::try_new(parts)
        .and_then(|array| array.validate(Validation::Content))
        .expect_err("it is bad");
    assert_eq!((error.role(), error.slot(), error.path()), (Some(Role::Views), Some(0), &FieldPath::root()));
    assert!(matches!(error.kind(), DataErrorKind::View(_)));
    // The message contains the cause, so `source` returns nothing.
    assert_eq!(
        error.to_string(),
        "views, slot 0: malformed view: the length of the view is -1, which is negative"
    );
    assert!(error.source().is_none());
}

#[test]
fn carry_where_they_are_from() {
    let error =
        DataError::from(LookupError::Missing { name: "x".into() }).in_field(3, "a").in_field(0, "b.c");
    assert_eq!(error.path().positions().collect::<Vec<_>>(), [0, 3]);
    assert_eq!(error.to_string(), r#"field `"b.c".a`: no field is named "x""#);
}
