//! One error for all crates: what `?` accepts, what remains of the original, and the way through `std::io::Error`.

use std::{error::Error as _, io};

use arrow::{
    Error, FileReader, Int64Array, RecordBatch, Schema, StreamReader, TypedBatch, Utf8Array,
    array::{ArrayError, ParseDecimalError, parse::ValueError},
    buffer::{
        BitmapError, BitmapLengthError, BudgetError, MisalignedError, NarrowError, OffsetsError,
        ParseIntegerError, SliceError, TextError, TextOffsetsError, TextSlotsError, TextViewsError,
        ValuesError, ViewError,
    },
    data::DataError,
    ipc::{ErrorClass, FormatError, IpcError},
    schema::{ExtensionError, LookupError, MergeError, ParseError, TypeError},
    select::SelectError,
};

const fn is_accepted<E: Into<Error>>() {}

/// Each public error of the crates that are always there. The others are below, by feature.
const _: () = {
    is_accepted::<ArrayError>();
    is_accepted::<BitmapError>();
    is_accepted::<BitmapLengthError>();
    is_accepted::<BudgetError>();
    is_accepted::<DataError>();
    is_accepted::<ExtensionError>();
    is_accepted::<FormatError>();
    is_accepted::<IpcError>();
    is_accepted::<LookupError>();
    is_accepted::<MergeError>();
    is_accepted::<MisalignedError>();
    is_accepted::<NarrowError>();
    is_accepted::<OffsetsError>();
    is_accepted::<ParseDecimalError>();
    is_accepted::<ParseError>();
    is_accepted::<ParseIntegerError>();
    is_accepted::<SelectError>();
    is_accepted::<SliceError>();
    is_accepted::<TextError>();
    is_accepted::<TextOffsetsError>();
    is_accepted::<TextSlotsError>();
    is_accepted::<TextViewsError>();
    is_accepted::<TypeError>();
    is_accepted::<ValueError>();
    is_accepted::<ValuesError>();
    is_accepted::<ViewError>();
    is_accepted::<io::Error>();
    #[cfg(feature = "c-data")]
    is_accepted::<arrow::c_data::CDataError>();
    #[cfg(feature = "compute")]
    {
        is_accepted::<arrow::compute::CastError>();
        is_accepted::<arrow::compute::PredicateError>();
        is_accepted::<arrow::compute::StatisticsError>();
    }
    #[cfg(feature = "dataset")]
    is_accepted::<arrow::dataset::DatasetError>();
    #[cfg(feature = "jiff")]
    is_accepted::<arrow::array::TemporalError>();
    #[cfg(feature = "rewrite")]
    {
        is_accepted::<arrow::rewrite::RewriteError>();
        is_accepted::<arrow::rewrite::ShapeError>();
    }
    #[cfg(feature = "serde")]
    is_accepted::<arrow::serde::SerdeError>();
    #[cfg(feature = "tensor")]
    is_accepted::<arrow::tensor::TensorError>();
    #[cfg(feature = "text")]
    {
        is_accepted::<arrow::text::CsvOptionError>();
        is_accepted::<arrow::text::RowError>();
        is_accepted::<arrow::text::SchemaJsonError>();
    }
};

const fn is_shared<E: Send + Sync + 'static>() {}
const _: () = is_shared::<Error>();
const _: () = assert!(size_of::<Error>() == size_of::<usize>());

fn first_id(stream: &[u8]) -> arrow::Result<Option<i64>> {
    let Some(batch) = StreamReader::try_new(stream)?.next() else { return Ok(None) };
    Ok(batch?.column_as::<Int64Array>("id")?.iter().next().flatten())
}

#[test]
fn the_original_and_its_class_remain() {
    let error = first_id(b"not an Arrow stream").unwrap_err();
    let of_ipc: &IpcError = error.downcast_ref().expect("an error of the stream");
    assert_eq!(error.class(), of_ipc.class());
    assert_eq!(error.location(), Some(of_ipc.location()));
    assert_eq!(error.to_string(), of_ipc.to_string());
    // The original is not the source of the error that has its text.
    assert!(error.source().is_none());
    let missing = Error::from(FileReader::open("there is no such file").unwrap_err());
    assert!(missing.source().expect("the cause of the original").is::<io::Error>());

    let names = Utf8Array::try_from_iter(["ada"]).unwrap();
    let batch = RecordBatch::try_from_columns([("name", names.into())]).unwrap();
    let column = || -> arrow::Result<Int64Array> { Ok(batch.column_as("name")?) };
    let error = column().unwrap_err();
    assert_eq!((error.class(), error.location()), (ErrorClass::Misuse, None));
    assert_eq!(error.to_string(), "field `name`: expected int64, found utf8");
    let error = error.downcast::<IpcError>().expect_err("it is another error");
    assert!(error.downcast::<ArrayError>().is_ok());

    let error = Error::from("id: int65".parse::<Schema>().unwrap_err());
    assert_eq!(error.class(), ErrorClass::Malformed);
}

/// Each class, by errors of several crates.
#[test]
fn classes_say_how_to_react() {
    let refused = BudgetError::Refused { requested: 9, used: 0, limit: 8 };
    let no_memory = BudgetError::OutOfMemory { requested: 9 };
    for (error, class) in [
        (Error::from(refused), ErrorClass::LimitExceeded),
        (DataError::from(refused).into(), ErrorClass::LimitExceeded),
        (IpcError::from(refused).into(), ErrorClass::LimitExceeded),
        (ArrayError::from(DataError::from(no_memory)).into(), ErrorClass::OutOfMemory),
        (SelectError::from(DataError::from(no_memory)).into(), ErrorClass::OutOfMemory),
        (IpcError::from(DataError::from(no_memory)).into(), ErrorClass::OutOfMemory),
        (io::Error::from(io::ErrorKind::NotFound).into(), ErrorClass::Io),
        (io::Error::from(io::ErrorKind::OutOfMemory).into(), ErrorClass::OutOfMemory),
        (FileReader::open("there is no such file").unwrap_err().into(), ErrorClass::Io),
    ] {
        assert_eq!(error.class(), class, "{error}");
    }
}

/// Errors that hold another one have its class, and limits are limits.
#[cfg(all(feature = "compute", feature = "serde"))]
#[test]
fn limits_of_conditions_and_rows_are_limits() {
    use arrow::{
        compute::PredicateError,
        serde::{SerdeError, SerdeErrorKind},
    };
    let refused = BudgetError::Refused { requested: 9, used: 0, limit: 8 };
    for error in [
        Error::from(PredicateError::from(DataError::from(refused))),
        SerdeError::from(SerdeErrorKind::TooManyValues { max: 9 }).into(),
        SerdeError::from(SerdeErrorKind::TooDeep { max: 9 }).into(),
    ] {
        assert_eq!(error.class(), ErrorClass::LimitExceeded, "{error}");
    }
    let condition = "id = ".parse::<arrow::compute::Predicate>().unwrap_err();
    assert_eq!(Error::from(condition).class(), ErrorClass::Misuse);
}

#[test]
fn errors_come_out_of_io_errors_as_they_went_in() {
    let of_ipc = StreamReader::try_new(&b"\xff\xff\xff\xff\x10"[..]).unwrap_err();
    let text = of_ipc.to_string();
    let as_io = io::Error::from(of_ipc);
    assert_eq!(as_io.kind(), io::ErrorKind::UnexpectedEof);
    assert!(as_io.get_ref().is_some_and(|error| error.is::<IpcError>()));
    let error = Error::from(as_io);
    assert_eq!((error.class(), error.to_string()), (ErrorClass::Truncated, text.clone()));
    assert!(error.downcast_ref::<IpcError>().is_some());
    let of_ipc = io::Error::from(error).downcast::<IpcError>().expect("the same error");
    assert_eq!(of_ipc.to_string(), text);

    let as_io = io::Error::from(FileReader::open("there is no such file").unwrap_err());
    assert_eq!(as_io.kind(), io::ErrorKind::NotFound);

    let as_io = io::Error::from(Error::from("id: int65".parse::<Schema>().unwrap_err()));
    assert_eq!(as_io.kind(), io::ErrorKind::InvalidData);
    assert!(Error::from(as_io).downcast_ref::<ParseError>().is_some());

    let as_io = io::Error::from(Error::from(io::Error::from(io::ErrorKind::BrokenPipe)));
    assert_eq!(as_io.kind(), io::ErrorKind::BrokenPipe);
}
