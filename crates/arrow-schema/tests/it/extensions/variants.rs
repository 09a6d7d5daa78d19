//! The storage of Parquet variants.

use arrow_schema::{DataType, Extension, Field, ParquetVariant, Uuid};

use super::field;

#[test]
fn variants_are_looked_at_at_every_depth() {
    let cases = [
        ("value: binary", "the storage: no field is named \"metadata\""),
        ("metadata: binary not null", "the storage: no field is named \"value\""),
        ("metadata: binary, value: binary", "the storage at `metadata` must not be nullable"),
        (
            "metadata: utf8 not null, value: binary",
            "the storage at `metadata` must be binary, large_binary or binary_view, dictionary-encoded or \
             run-end encoded or not, found utf8",
        ),
        (
            "metadata: fixed_size_binary(1) not null, value: binary",
            "the storage at `metadata` must be binary, large_binary or binary_view, dictionary-encoded or \
             run-end encoded or not, found fixed_size_binary(1)",
        ),
        (
            "metadata: binary not null, value: binary, value: binary",
            "the storage: 2 fields are named \"value\"",
        ),
        (
            "metadata: binary not null, value: dictionary<int8, binary>",
            "the storage at `value` must be binary, large_binary or binary_view, found dictionary<int8, binary>",
        ),
        (
            "metadata: binary not null, typed_value: list<item: struct<value: binary>>",
            "the storage at `typed_value.item` must not be nullable",
        ),
        (
            "metadata: binary not null, typed_value: list<item: int8 not null>",
            "the storage at `typed_value.item` must be a struct of \"value\" or \"typed_value\", found int8",
        ),
        (
            "metadata: binary not null, typed_value: struct<a.b: struct<other: binary> not null>",
            "the storage at `typed_value.\"a.b\"`: no field is named \"value\"",
        ),
        (
            "metadata: binary not null, typed_value: large_list<item: struct<typed_value: \
             struct<a: struct<value: utf8> not null>> not null>",
            "the storage at `typed_value.item.typed_value.a.value` must be binary, large_binary or binary_view, \
             found utf8",
        ),
    ];
    for (fields, expected) in cases {
        let fields = fields.replace("a.b:", "\"a.b\":");
        let error = field("arrow.parquet.variant", None, &format!("struct<{fields}>")).canonical_extension();
        assert_eq!(error.unwrap_err().to_string(), format!("arrow.parquet.variant: {expected}"));
    }
}

#[test]
fn variants_are_made_of_types_that_they_have() {
    let mut taken = Vec::new();
    for (name, data_type) in testing_support::all_types() {
        let fields = [
            Field::new("metadata", DataType::Binary).required(),
            Field::new("typed_value", data_type.clone()),
        ];
        let field = Field::new("f", DataType::struct_(fields));
        if field.with_extension_type(&ParquetVariant).is_ok() {
            taken.push(name);
        }
    }
    taken.sort_unstable();
    taken.dedup();
    assert_eq!(taken.join("; "), TAKEN);

    let fields = |extension: Option<Extension<'_>>| {
        let uuid = Field::new("typed_value", Uuid.storage());
        let uuid = extension.into_iter().fold(uuid, Field::with_extension);
        DataType::struct_([Field::new("metadata", DataType::BinaryView).required(), uuid])
    };
    for (name, is_taken) in [("arrow.uuid", true), ("arrow.uuid4", false)] {
        let storage = fields(Some(Extension { name, metadata: None }));
        let field = Field::new("f", storage).with_extension_type(&ParquetVariant);
        assert_eq!(field.is_ok(), is_taken, "{name}");
    }
    assert!(Field::new("f", fields(None)).with_extension_type(&ParquetVariant).is_err());
}

/// The accepted types among the generated types. Generated timestamps with a time zone are not in UTC.
const TAKEN: &str = "binary; binary_view; bool; date32; decimal128(1, 5); decimal128(38, 10); \
    decimal32(1, 0); decimal32(9, 2); decimal64(18, -3); float32; float64; int16; int32; int64; int8; \
    large_binary; large_utf8; null; struct of nothing; time64(ns); \
    time64(us); timestamp(ns); timestamp(us); uint16; uint32; uint8; utf8; utf8_view";
