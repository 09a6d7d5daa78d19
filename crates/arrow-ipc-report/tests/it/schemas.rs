//! Schemas as JSON, which `arrow-text` reads.

use arrow_ipc::IpcSchema;
use arrow_ipc_report::{JsonLine, JsonObject, SchemaJson};
use arrow_schema::{DataType, DictionaryType, Field, Metadata, Schema};
use arrow_text::schema_from_json;

fn with_metadata(data_type: &DataType, n: &mut u32) -> DataType {
    if let Some(dictionary) = data_type.as_dictionary() {
        let values = with_metadata(dictionary.value(), n);
        return DictionaryType::try_new(dictionary.index(), values, dictionary.order()).unwrap().into();
    }
    let children = data_type.children().iter().map(|child| {
        *n += 1;
        let metadata = Metadata::from_iter([("place", n.to_string().as_str()), ("", "\u{1b}\"")]);
        child.clone().with_data_type(with_metadata(child.data_type(), n)).with_metadata(metadata)
    });
    data_type.with_children(children.collect()).unwrap()
}

#[test]
fn every_schema_is_read_as_it_was_written() {
    let mut n = 0;
    for (_, data_type) in testing_support::all_types() {
        let data_type = with_metadata(&data_type, &mut n);
        let metadata = Metadata::from_pairs(vec![(Some("a".into()), None), (None, Some("b".into()))]);
        let field = Field::new("x", data_type).required().with_metadata(metadata.clone());
        let schema = Schema::new(vec![field.clone(), field.with_name("y")]).with_metadata(metadata.clone());
        let ipc_schema = IpcSchema::from(schema.clone());
        let json = SchemaJson { container: "file", schema: &ipc_schema, metadata: &metadata };
        assert_eq!(schema_from_json(&JsonLine(JsonObject(json)).to_string()).unwrap(), schema);
    }
    assert!(n > 40, "{n}");
}
