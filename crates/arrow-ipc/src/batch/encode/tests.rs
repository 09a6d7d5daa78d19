use std::sync::Arc;

use arrow_buffer::Buffer;
use arrow_data::ArrayParts;
use arrow_schema::{DataType, Field, IndexType, Schema};
use arrow_select::UnusedValues;

use super::*;
use crate::error::ErrorClass;
use arrow_ipc_format::{BatchHeaderBuilder, IpcSchema, columns::SchemaColumns};

#[test]
fn indices_of_unknown_dictionaries_are_an_error_with_their_location() {
    let data_type = DataType::dictionary(IndexType::Int8, DataType::Int32).unwrap();
    let values = ArrayData::try_new(ArrayParts {
        buffers: [Buffer::from(vec![7i32, 8]), Buffer::new()],
        ..ArrayParts::new(DataType::Int32, 2)
    });
    let array = ArrayData::try_new(ArrayParts {
        buffers: [Buffer::from(vec![1i8, 0]), Buffer::new()],
        dictionary: Some(Arc::new(values.unwrap())),
        ..ArrayParts::new(data_type.clone(), 2)
    });
    let schema = IpcSchema::from(Schema::new([Field::new("word", data_type)]));
    let columns = SchemaColumns::try_new(&schema).unwrap();
    // The mappings do not know the dictionaries of the batch.
    let rules = EncodeRules {
        version: MetadataVersion::V5,
        maps: &IndexMaps::new(1),
        unused_items: UnusedValues::Bounded,
    };
    let mut sink = BatchHeaderBuilder::default();
    let error = encode(&columns.batch, &[array.unwrap()], rules, &mut sink).unwrap_err();
    assert_eq!(error.class(), ErrorClass::Internal);
    assert!(error.location().to_string().contains("word"), "{error}");
}
