//! The `Debug` text of each error is its message, since a program whose `main` returns an error shows the former.

use std::error::Error;

use arrow_array::{AnyBuilder, Int64Array, ParseDecimalError, Utf8Array};
use arrow_buffer::{Bitmap, BudgetError, Buffer, I256, ParseIntegerError, Text, Values};
use arrow_compute::{Digits, Predicate, cast};
use arrow_data::{ArrayData, ArrayParts};
use arrow_ipc::{FileReader, error::FrameError};
use arrow_ipc_dataset::{DatasetError, DatasetErrorKind};
use arrow_ipc_rewrite::ShapeError;
use arrow_ipc_statistics::WrongStatistics;
use arrow_ipc_tensor::TensorError;
use arrow_ipc_tools::{InputName, ToolError};
use arrow_schema::{DataType, FixedShapeTensor, Schema};
use arrow_text::{CsvOptions, CsvReader, JsonSchema};

#[test]
fn debug_is_the_message() -> Result<(), Box<dyn Error>> {
    let schema = |text: &str| text.parse::<Schema>().expect(text);
    let (numbers, texts, names) = (schema("id: int64"), schema("id: utf8"), Utf8Array::try_from_iter(["a"])?);
    let bytes = || Buffer::from_static(b"\xff");
    let huge = I256::checked_pow10(70).ok_or("too large")?;
    let errors: Vec<Box<dyn Error>> = vec![
        // arrow-buffer
        Bitmap::try_new(bytes(), 9, 1).unwrap_err().into(),
        Values::<i32>::try_new(bytes(), 1).unwrap_err().into(),
        Text::try_new(bytes()).unwrap_err().into(),
        bytes().try_slice(1, 1).unwrap_err().into(),
        Buffer::from(vec![0_i32, 0]).slice(1..).view::<i32>().unwrap_err().into(),
        i64::try_from(huge).unwrap_err().into(),
        "x".parse::<I256>().unwrap_err().into(),
        ParseIntegerError::Empty.into(),
        BudgetError::OutOfMemory { requested: 1 }.into(),
        // arrow-schema
        "int65".parse::<DataType>().unwrap_err().into(),
        DataType::decimal128(99, 0).unwrap_err().into(),
        numbers.index_of("x").unwrap_err().into(),
        numbers.check_same_columns(&texts).unwrap_err().into(),
        Schema::try_merge([&numbers, &texts]).unwrap_err().into(),
        FixedShapeTensor::try_new([u64::MAX]).unwrap_err().into(),
        // arrow-data, arrow-array
        ArrayData::try_new(ArrayParts::new(DataType::Int64, 3)).unwrap_err().into(),
        Int64Array::try_from(names.data()).unwrap_err().into(),
        ParseDecimalError::Scale.into(),
        // arrow-text, arrow-compute
        arrow_array::append_text(&mut AnyBuilder::new(&DataType::Int64), "x").unwrap_err().into(),
        CsvReader::read_batch("id\nx\n", numbers.clone()).unwrap_err().into(),
        JsonSchema::parse("{}").unwrap_err().into(),
        CsvOptions::new().with_delimiter(b'\n').unwrap_err().into(),
        CsvOptions::new().with_null_text(&"x".repeat(1_000_000)).unwrap_err().into(),
        cast(names.data(), &DataType::Int64, Digits::Keep).unwrap_err().into(),
        "id = ".parse::<Predicate>().unwrap_err().into(),
        // arrow-ipc and what uses it
        FileReader::try_from_buffer(bytes()).unwrap_err().into(),
        FrameError::Truncated.into(),
        ShapeError::Overflow { what: "offsets", n_slots: 1 }.into(),
        TensorError::Nulls { null_count: 1 }.into(),
        WrongStatistics::Rows { stated: 1, found: 2 }.into(),
        DatasetError::at("folder", DatasetErrorKind::NoFiles).into(),
        ToolError::from_set_error(InputName::Other("x".to_owned()), DatasetErrorKind::NoFiles.into()).into(),
    ];
    for error in errors {
        let text = error.to_string();
        assert_eq!(format!("{error:?}"), text);
        assert_eq!(format!("{error:#?}"), text);
    }
    Ok(())
}
