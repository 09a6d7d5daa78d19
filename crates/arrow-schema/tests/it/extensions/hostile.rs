//! Invalid metadata, storage types and descriptions, and the messages of their errors.

use arrow_schema::{
    DataType, ExtensionError, ExtensionErrorKind, Field, FixedShapeTensor, FixedSize, TimeUnit,
    TimestampWithOffset, VariableShapeTensor,
};

use super::field;

const TEN: &str = "fixed_size_list<item: int8; 10>";
const TWO_DIMS: &str = "struct<data: list<item: int8>, shape: fixed_size_list<item: int32; 2>>";
const UTC: &str = "timestamp: timestamp(us, \"UTC\") not null";

/// Extension name, metadata, storage type, and message.
type Case = (&'static str, &'static str, &'static str, &'static str);

fn check(cases: &[Case]) {
    for &(name, metadata, storage, expected) in cases {
        let error = field(name, Some(metadata), storage).canonical_extension().unwrap_err();
        assert_eq!(error.to_string(), format!("{name}: {expected}"), "{metadata} over {storage}");
        assert_eq!(error.extension_name(), name);
    }
}

#[test]
fn metadata_that_is_no_json_is_refused() {
    let name = "arrow.fixed_shape_tensor";
    check(&[
        (name, "", TEN, r#"metadata: byte 0: expected "{", found the end of the text"#),
        (name, " ", TEN, r#"metadata: byte 1: expected "{", found the end of the text"#),
        (name, "[10]", TEN, r#"metadata: byte 0: expected "{", found "[10]""#),
        (name, "null", TEN, r#"metadata: byte 0: expected "{", found "null""#),
        (name, "\u{feff}{}", TEN, "metadata: byte 0: expected \"{\", found \"\\ufeff{}\""),
        (name, "{", TEN, "metadata: byte 1: expected a text in quotes, found the end of the text"),
        (name, "{\"shape\"", TEN, r#"metadata: byte 8: expected ":", found the end of the text"#),
        (name, "{\"shape\":", TEN, r#"metadata: byte 9: expected "[", found the end of the text"#),
        (
            name,
            "{\"shape\":[10]",
            TEN,
            r#"metadata: byte 13: expected "," or "}", found the end of the text"#,
        ),
        (name, "{\"shape\":[10", TEN, r#"metadata: byte 12: expected "," or "]", found the end of the text"#),
        (name, "{\"shape\":[10,]}", TEN, r#"metadata: byte 13: expected a number, found "]}""#),
        (name, "{\"shape\":[10],}", TEN, r#"metadata: byte 14: expected a text in quotes, found "}""#),
        (name, "{\"shape\":[10]}}", TEN, r#"metadata: byte 14: expected the end of the text, found "}""#),
        (
            name,
            "{\"shape\":[10]}\0",
            TEN,
            r#"metadata: byte 14: expected the end of the text, found "\u0000""#,
        ),
        (
            name,
            "{'shape':[10]}",
            TEN,
            r#"metadata: byte 1: expected a text in quotes, found "'shape':[10]}""#,
        ),
        (
            name,
            "{\"shape\":[10],\n\"a\nb\":1}",
            TEN,
            r"metadata: line 2, byte 2: the character must be written as \n",
        ),
        (name, "{\"sha", TEN, "metadata: byte 1: the quoted text has no closing quote"),
        (name, r#"{"\x":1}"#, TEN, r#"metadata: byte 2: unknown escape "\\x""#),
        (name, r#"{"\ud800":1}"#, TEN, r"metadata: byte 2: the surrogate \ud800 is unpaired"),
        (name, "{\"a\":nul}", TEN, r#"metadata: byte 5: expected a value, found "nul}""#),
        (name, "{\"a\":01}", TEN, r#"metadata: byte 5: expected a value, found "01}""#),
        (name, "{\"a\":1.}", TEN, r#"metadata: byte 5: expected a value, found "1.}""#),
        (name, "{\"a\":[}]}", TEN, r#"metadata: byte 6: expected a value, found "}]}""#),
        (name, "{\"a\":[{\"b\":1]]}", TEN, r#"metadata: byte 12: expected "," or "}", found "]]}""#),
        (name, "{\"a\":{1:1}}", TEN, r#"metadata: byte 6: expected a text in quotes, found "1:1}}""#),
        ("arrow.json", "json", "utf8", r#"metadata: byte 0: expected "{", found "json""#),
        ("arrow.json", "{\"a\":1,\"a\":1}", "utf8", r#"metadata: byte 7: the member "a" is repeated"#),
        ("arrow.opaque", "", "null", r#"metadata: byte 0: expected "{", found the end of the text"#),
        (
            "arrow.variable_shape_tensor",
            " ",
            TWO_DIMS,
            r#"metadata: byte 1: expected "{", found the end of the text"#,
        ),
    ]);
}

#[test]
fn metadata_that_says_something_else_is_refused() {
    let (fixed, variable) = ("arrow.fixed_shape_tensor", "arrow.variable_shape_tensor");
    check(&[
        ("arrow.bool8", "{}", "int8", r#"this type takes no metadata, found "{}""#),
        ("arrow.uuid", "v4", "fixed_size_binary(16)", r#"this type takes no metadata, found "v4""#),
        ("arrow.parquet.variant", "\0", "null", r#"this type takes no metadata, found "\u0000""#),
        ("arrow.timestamp_with_offset", "us", "null", r#"this type takes no metadata, found "us""#),
        ("arrow.opaque", r#"{"type_name":"t"}"#, "null", r#"metadata: the member "vendor_name" is missing"#),
        ("arrow.opaque", r#"{"vendor_name":"v"}"#, "null", r#"metadata: the member "type_name" is missing"#),
        (
            "arrow.opaque",
            r#"{"type_name":null}"#,
            "null",
            r#"metadata: byte 13: expected a text in quotes, found "null}""#,
        ),
        (fixed, "{}", TEN, r#"metadata: the member "shape" is missing"#),
        (fixed, r#"{"shape":null}"#, TEN, r#"metadata: byte 9: expected "[", found "null}""#),
        (fixed, r#"{"shape":10}"#, TEN, r#"metadata: byte 9: expected "[", found "10}""#),
        (fixed, r#"{"shape":["10"]}"#, TEN, r#"metadata: byte 10: expected a number, found "\"10\"]}""#),
        (fixed, r#"{"shape":[null]}"#, TEN, r#"metadata: byte 10: expected a number, found "null]}""#),
        (
            fixed,
            r#"{"shape":[-10]}"#,
            TEN,
            r#"metadata: byte 10: the size is "-10"; allowed: 0 to 9223372036854775807"#,
        ),
        (
            fixed,
            r#"{"shape":[9223372036854775808]}"#,
            TEN,
            r#"metadata: byte 10: the size is "9223372036854775808"; allowed: 0 to 9223372036854775807"#,
        ),
        (
            fixed,
            r#"{"shape":[010]}"#,
            TEN,
            r#"metadata: byte 10: the number "010" has a leading zero or a needless sign"#,
        ),
        (fixed, r#"{"shape":[10.0]}"#, TEN, r#"metadata: byte 10: the number "10.0" is not an integer"#),
        (fixed, r#"{"shape":[1e1]}"#, TEN, r#"metadata: byte 10: the number "1e1" is not an integer"#),
        (
            fixed,
            r#"{"shape":[10],"shape":[10]}"#,
            TEN,
            r#"metadata: byte 14: the member "shape" is repeated"#,
        ),
        (
            fixed,
            r#"{"shape":[10],"\u0073hape":[10]}"#,
            TEN,
            r#"metadata: byte 14: the member "shape" is repeated"#,
        ),
        (fixed, r#"{"shape":[65536,32768]}"#, TEN, "the shape has more than 2147483647 elements"),
        // The product of these sizes is 10 if it wraps at 64 bits.
        (
            fixed,
            r#"{"shape":[4294967296,4294967296,10]}"#,
            TEN,
            "the shape has more than 2147483647 elements",
        ),
        (fixed, r#"{"shape":[3,3]}"#, TEN, "the shape has 9 elements; the lists of the storage have 10"),
        (fixed, r#"{"shape":[]}"#, TEN, "the shape has 1 elements; the lists of the storage have 10"),
        (fixed, r#"{"shape":[10],"dim_names":[]}"#, TEN, r#""dim_names" has 0 entries for 1 dimensions"#),
        (
            fixed,
            r#"{"dim_names":["a","b"],"shape":[10]}"#,
            TEN,
            r#""dim_names" has 2 entries for 1 dimensions"#,
        ),
        (
            fixed,
            r#"{"shape":[10],"dim_names":[1]}"#,
            TEN,
            r#"metadata: byte 27: expected a text in quotes, found "1]}""#,
        ),
        (
            fixed,
            r#"{"shape":[10],"permutation":[0,1]}"#,
            TEN,
            r#""permutation" has 2 entries for 1 dimensions"#,
        ),
        (
            fixed,
            r#"{"shape":[2,5],"permutation":[1,1]}"#,
            TEN,
            "1 is repeated or out of bounds in a permutation of 2 dimensions",
        ),
        (
            fixed,
            r#"{"shape":[2,5],"permutation":[0,2]}"#,
            TEN,
            "2 is repeated or out of bounds in a permutation of 2 dimensions",
        ),
        (
            fixed,
            r#"{"shape":[2,5],"permutation":[0,-1]}"#,
            TEN,
            r#"metadata: byte 32: the dimension is "-1"; allowed: 0 to 2147483647"#,
        ),
        (
            fixed,
            r#"{"shape":[2,5],"permutation":[0,18446744073709551617]}"#,
            TEN,
            r#"metadata: byte 32: the dimension is "18446744073709551617"; allowed: 0 to 2147483647"#,
        ),
        (variable, r#"{"dim_names":["a"]}"#, TWO_DIMS, r#""dim_names" has 1 entries for 2 dimensions"#),
        (
            variable,
            r#"{"permutation":[0,0]}"#,
            TWO_DIMS,
            "0 is repeated or out of bounds in a permutation of 2 dimensions",
        ),
        (
            variable,
            r#"{"uniform_shape":[null]}"#,
            TWO_DIMS,
            r#""uniform_shape" has 1 entries for 2 dimensions"#,
        ),
        (
            variable,
            r#"{"uniform_shape":[null,-1]}"#,
            TWO_DIMS,
            r#"metadata: byte 23: the size is "-1"; allowed: 0 to 2147483647"#,
        ),
        (
            variable,
            r#"{"uniform_shape":[null,2147483648]}"#,
            TWO_DIMS,
            r#"metadata: byte 23: the size is "2147483648"; allowed: 0 to 2147483647"#,
        ),
        (
            variable,
            r#"{"uniform_shape":[null,nil]}"#,
            TWO_DIMS,
            r#"metadata: byte 23: expected a number, found "nil]}""#,
        ),
    ]);
}

#[test]
fn other_storages_are_refused() {
    let (fixed, variable) = ("arrow.fixed_shape_tensor", "arrow.variable_shape_tensor");
    let timestamps = "arrow.timestamp_with_offset";
    check(&[
        ("arrow.bool8", "", "bool", "the storage must be int8, found bool"),
        ("arrow.bool8", "", "uint8", "the storage must be int8, found uint8"),
        (
            "arrow.uuid",
            "",
            "fixed_size_binary(15)",
            "the storage must be fixed_size_binary(16), found fixed_size_binary(15)",
        ),
        ("arrow.uuid", "", "binary", "the storage must be fixed_size_binary(16), found binary"),
        ("arrow.json", "", "binary", "the storage must be utf8, large_utf8 or utf8_view, found binary"),
        (
            "arrow.json",
            "",
            "dictionary<int8, utf8>",
            "the storage must be utf8, large_utf8 or utf8_view, found dictionary<int8, utf8>",
        ),
        (
            fixed,
            r#"{"shape":[10]}"#,
            "list<item: int8>",
            "the storage must be a fixed_size_list, found list<item: int8>",
        ),
        (variable, "", "int8", "the storage must be a struct of \"data\" and \"shape\", found int8"),
        (variable, "", "struct<data: list<item: int8>>", "the storage: no field is named \"shape\""),
        (variable, "", "struct<data: int8, data: int8>", "the storage: 2 fields are named \"data\""),
        (
            variable,
            "",
            "struct<data: list<item: int8>, shape: fixed_size_list<item: int32; 2>, more: null>",
            "the storage must be a struct of \"data\" and \"shape\", found struct<data: list<item: int8>, \
             shape: fixed_size_list<item: int32; 2>, more: null>",
        ),
        (
            variable,
            "",
            "struct<data: large_list<item: int8>, shape: fixed_size_list<item: int32; 2>>",
            "the storage at `data` must be a list, found large_list<item: int8>",
        ),
        (
            variable,
            "",
            "struct<data: list<item: int8>, shape: fixed_size_list<item: int64; 2>>",
            "the storage at `shape` must be a fixed_size_list of int32, found fixed_size_list<item: int64; 2>",
        ),
        (
            variable,
            "",
            "struct<data: list<item: int8>, shape: list<item: int32>>",
            "the storage at `shape` must be a fixed_size_list of int32, found list<item: int32>",
        ),
        (
            timestamps,
            "",
            "timestamp(us, \"UTC\")",
            "the storage must be a struct of \"timestamp\" and \"offset_minutes\", found timestamp(us, \"UTC\")",
        ),
        (timestamps, "", "struct<>", "the storage: no field is named \"timestamp\""),
        (
            timestamps,
            "",
            "struct<offset_minutes: int16, timestamp: timestamp(us, \"UTC\")>",
            "the storage: no field is named \"timestamp\"",
        ),
    ]);
    for (minutes, expected) in [
        ("offset: int16", "the storage: no field is named \"offset_minutes\""),
        (
            "offset_minutes: int32",
            "the storage at `offset_minutes` must be int16, or dictionary-encoded or run-end encoded int16, found int32",
        ),
        (
            "offset_minutes: dictionary<int8, int8>",
            "the storage at `offset_minutes` must be int16, or dictionary-encoded or run-end encoded int16, found dictionary<int8, int8>",
        ),
    ] {
        let error =
            field(timestamps, None, &format!("struct<{UTC}, {minutes}>")).canonical_extension().unwrap_err();
        assert_eq!(error.to_string(), format!("{timestamps}: {expected}"));
    }
    for zone in ["", ", \"\"", ", \"utc\"", ", \"+00:00\""] {
        let storage = format!("struct<timestamp: timestamp(us{zone}), offset_minutes: int16>");
        let error = field(timestamps, None, &storage).canonical_extension().unwrap_err();
        let expected = format!(
            "{timestamps}: the storage at `timestamp` must be a timestamp of the zone \"UTC\", found timestamp(us{zone})"
        );
        assert_eq!(error.to_string(), expected);
    }
}

#[test]
fn descriptions_that_say_nothing_are_refused() {
    let fixed = |shape: &[u64]| FixedShapeTensor::try_new(shape);
    let variable = VariableShapeTensor::new(FixedSize::from(2));
    let kind = |error: ExtensionError| error.kind().clone();
    let cases = [
        (kind(fixed(&[1 << 16, 1 << 15]).unwrap_err()), ExtensionErrorKind::TooManyElements),
        (kind(fixed(&[1 << 32, 1 << 32]).unwrap_err()), ExtensionErrorKind::TooManyElements),
        (
            kind(fixed(&[0, u64::MAX]).unwrap_err()),
            ExtensionErrorKind::DimensionSize { found: u64::MAX, max: i64::MAX as u64 },
        ),
        (
            kind(fixed(&[1, 2]).unwrap().with_dim_names(["a"]).unwrap_err()),
            ExtensionErrorKind::DimensionCount { name: "dim_names", found: 1, n_dims: 2 },
        ),
        (
            kind(variable.clone().with_permutation([1, 2]).unwrap_err()),
            ExtensionErrorKind::PermutationIndex { found: 2, n_dims: 2 },
        ),
        (
            kind(variable.clone().with_permutation([1]).unwrap_err()),
            ExtensionErrorKind::DimensionCount { name: "permutation", found: 1, n_dims: 2 },
        ),
        (
            kind(variable.with_uniform_shape([None, Some(1 << 31)]).unwrap_err()),
            ExtensionErrorKind::DimensionSize { found: 1 << 31, max: i32::MAX as u64 },
        ),
    ];
    for (found, expected) in cases {
        assert_eq!(found, expected);
    }
    // The description has another number of dimensions, or another unit.
    let storage: DataType = TWO_DIMS.parse().unwrap();
    let three = VariableShapeTensor::new(FixedSize::from(3));
    let error = Field::new("f", storage).with_extension_type(&three).unwrap_err();
    assert_eq!(error.to_string(), "arrow.variable_shape_tensor: \"shape\" has 2 entries for 3 dimensions");
    let seconds = TimestampWithOffset::new(TimeUnit::Second);
    let storage = format!("struct<{UTC}, offset_minutes: int16>").parse().unwrap();
    let error = Field::new("f", storage).with_extension_type(&seconds).unwrap_err();
    assert_eq!(
        error.to_string(),
        "arrow.timestamp_with_offset: the storage at `timestamp` must be in the unit of the description, \
         found timestamp(us, \"UTC\")"
    );
}
