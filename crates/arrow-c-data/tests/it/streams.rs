//! Streams of batches and of arrays: their ends and their errors.

use std::sync::Arc;

use crate::schema_of_types;
use arrow_c_data::{ArrowArrayStream, CDataErrorKind};
use arrow_data::{DataError, RecordBatch, Validation};
use arrow_schema::{DataType, Field, Schema};
use testing_support::{Generator, Nulls, batch_of, ints};

fn stream_of(batches: Vec<RecordBatch>, schema: &Schema) -> ArrowArrayStream {
    ArrowArrayStream::new(schema.clone(), batches.into_iter().map(Ok::<_, DataError>))
}

#[test]
fn batches_come_back() {
    let schema = schema_of_types();
    let batches = Generator::new(2).batches(&schema, &[3, 0, 20]);
    let reader = stream_of(batches.clone(), &schema).into_batches(Validation::Content);
    let reader = reader.expect("its own");
    assert_eq!(reader.schema().fields().len(), schema.fields().len());
    let back: Vec<RecordBatch> = reader.collect::<Result<_, _>>().expect("its own");
    assert_eq!(back.len(), batches.len());
    for (back, batch) in back.iter().zip(&batches) {
        assert_eq!(back.same_values(batch), Ok(true));
    }
}

#[test]
fn arrays_come_back() {
    let field = Field::new("text", DataType::Utf8View).required();
    let arrays: Vec<_> =
        [4, 0, 9].map(|n_slots| Generator::new(1).array(field.data_type(), n_slots, Nulls::None)).into();
    let stream =
        ArrowArrayStream::from_arrays(field.clone(), arrays.clone().into_iter().map(Ok::<_, DataError>));
    let reader = stream.into_arrays(Validation::Content).expect("its own");
    assert_eq!(reader.field(), &field);
    for (back, array) in reader.zip(&arrays) {
        assert_eq!(back.expect("its own").same_values(array), Ok(true));
    }
    // Batches are arrays of structs.
    let batch = batch_of(ints([1, 2]));
    let reader = stream_of(vec![batch.clone()], batch.schema()).into_arrays(Validation::Content);
    let structs: Vec<_> = reader.expect("its own").collect::<Result<_, _>>().expect("its own");
    assert_eq!(structs[0].data_type().to_string(), "struct<c: int32>");
    // Arrays of another type are no batches.
    let stream = ArrowArrayStream::from_arrays(field, arrays.into_iter().map(Ok::<_, DataError>));
    let error = stream.into_batches(Validation::Content).unwrap_err();
    assert_eq!(error.to_string(), "a record batch is a struct, format \"+s\"; found utf8_view");
}

/// An error is reported with its text. The reader then ends.
#[test]
fn failures_are_reported() {
    let batch = batch_of(ints([1]));
    let held = Arc::new(());
    let witness = Arc::clone(&held);
    let results = [Ok(batch.clone()), Err("the disk\0 is gone"), Ok(batch.clone())];
    let source = results.into_iter().inspect(move |_| {
        let _ = &witness;
    });
    let stream = ArrowArrayStream::new(batch.schema().clone(), source);
    let mut reader = stream.into_batches(Validation::Content).expect("its own");
    assert!(reader.next().is_some_and(|batch| batch.is_ok()));
    let error = reader.next().expect("a failure").unwrap_err();
    assert_eq!(error.kind(), &CDataErrorKind::Stream { code: 5, text: Some("the disk is gone".to_owned()) });
    assert_eq!(error.to_string(), "the stream failed with the error number 5: the disk is gone");
    assert_eq!(Arc::strong_count(&held), 1, "the source is dropped at once");
    assert!(reader.next().is_none());
}

#[test]
fn batches_of_another_schema_are_failures() {
    let batch = batch_of(ints([1]));
    let schema: Schema = "c: int64".parse().expect("a schema");
    let mut reader = stream_of(vec![batch], &schema).into_batches(Validation::Content).expect("its own");
    let error = reader.next().expect("a failure").unwrap_err();
    assert_eq!(
        error.to_string(),
        "the stream failed with the error number 22: field c: expected type int64, found int32"
    );
}

/// A panic must not unwind into C.
#[test]
fn panics_are_failures() {
    let schema: Schema = "c: int32".parse().expect("a schema");
    let source = (0..3).map(|n| match n {
        0 => Ok::<_, DataError>(batch_of(ints([1]))),
        _ => std::panic::resume_unwind(Box::new("on purpose")),
    });
    let stream = ArrowArrayStream::new(schema, source);
    let mut reader = stream.into_batches(Validation::Content).expect("its own");
    assert!(reader.next().is_some_and(|batch| batch.is_ok()));
    let error = reader.next().expect("a failure").unwrap_err();
    assert_eq!(
        error.to_string(),
        "the stream failed with the error number 5: the source of the stream has panicked"
    );
    assert!(reader.next().is_none());
}

#[test]
fn released_streams_are_refused() {
    let error = ArrowArrayStream::empty().into_batches(Validation::Content).unwrap_err();
    assert_eq!(error.to_string(), "the ArrowArrayStream is released");
}

/// A stream can move to another thread, and can be dropped before its end.
#[test]
fn streams_move_between_threads() {
    let batch = batch_of(ints(0..5));
    let stream = stream_of(vec![batch.clone(); 3], batch.schema());
    let mut reader = std::thread::spawn(move || stream.into_batches(Validation::Content))
        .join()
        .expect("no panic")
        .expect("its own");
    let first = reader.next().expect("three").expect("its own");
    drop(reader);
    assert_eq!(first.same_values(&batch), Ok(true));
}
