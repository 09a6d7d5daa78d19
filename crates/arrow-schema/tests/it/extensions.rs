//! Canonical extension types: how they are read from fields and written, and which are refused.

mod hostile;
mod mutated;
mod variants;

use arrow_schema::{
    Bool8, CanonicalExtension, DataType, EXTENSION_METADATA_KEY, EXTENSION_NAME_KEY, Extension,
    ExtensionError, Field, FixedShapeTensor, FixedSize, Json, Metadata, Opaque, ParquetVariant, TimeUnit,
    TimestampWithOffset, Uuid, VariableShapeTensor,
};

/// A field of this type with this extension.
fn field(name: &str, metadata: Option<&str>, storage: &str) -> Field {
    let storage: DataType = storage.parse().unwrap_or_else(|error| panic!("{storage}: {error}"));
    Field::new("f", storage).with_extension(Extension { name, metadata })
}

/// For each extension type: descriptions, a storage type, and the written metadata.
fn descriptions() -> Vec<(CanonicalExtension, &'static str, Option<&'static str>)> {
    let fixed = |shape: &[u64]| FixedShapeTensor::try_new(shape).unwrap();
    let variable = |n_dims: u16| VariableShapeTensor::new(FixedSize::from(n_dims));
    let (two, three) = (
        "struct<data: list<item: float32>, shape: fixed_size_list<item: int32; 2> not null>",
        "struct<shape: fixed_size_list<size: int32 not null; 3>, data: list<item: utf8 not null>>",
    );
    vec![
        (Bool8.into(), "int8", Some("")),
        (Json.into(), "utf8", Some("")),
        (Json.into(), "large_utf8", Some("")),
        (Json.into(), "utf8_view", Some("")),
        (Uuid.into(), "fixed_size_binary(16)", None),
        (Opaque::new("", "").into(), "null", Some(r#"{"type_name":"","vendor_name":""}"#)),
        (
            Opaque::new("a\"b\\c\n\0", "\u{7f}\u{202e}ö🦀").into(),
            "struct<>",
            Some(r#"{"type_name":"a\"b\\c\n\u0000","vendor_name":"\u007f\u202eö🦀"}"#),
        ),
        (fixed(&[2, 5]).into(), "fixed_size_list<item: int8; 10>", Some(r#"{"shape":[2,5]}"#)),
        (fixed(&[]).into(), "fixed_size_list<item: int8 not null; 1>", Some(r#"{"shape":[]}"#)),
        (
            fixed(&[0, i64::MAX as u64, 7]).into(),
            "fixed_size_list<item: int8; 0>",
            Some(r#"{"shape":[0,9223372036854775807,7]}"#),
        ),
        (
            fixed(&[1, 2147483647]).into(),
            "fixed_size_list<item: int8; 2147483647>",
            Some(r#"{"shape":[1,2147483647]}"#),
        ),
        (
            fixed(&[2, 3, 4])
                .with_permutation([2, 0, 1])
                .unwrap()
                .with_dim_names(["C", "", "C"])
                .unwrap()
                .into(),
            "fixed_size_list<x: list<y: utf8>; 24>",
            Some(r#"{"shape":[2,3,4],"dim_names":["C","","C"],"permutation":[2,0,1]}"#),
        ),
        (variable(2).into(), two, Some("{}")),
        (variable(2).with_dim_names(["H", "W"]).unwrap().into(), two, Some(r#"{"dim_names":["H","W"]}"#)),
        (
            variable(3)
                .with_uniform_shape([Some(400), None, Some(i32::MAX as u32)])
                .unwrap()
                .with_permutation([0, 2, 1])
                .unwrap()
                .into(),
            three,
            Some(r#"{"permutation":[0,2,1],"uniform_shape":[400,null,2147483647]}"#),
        ),
        (ParquetVariant.into(), "struct<value: large_binary, metadata: binary_view not null>", Some("")),
        (
            ParquetVariant.into(),
            "struct<metadata: dictionary<int8, binary> not null, typed_value: timestamp(us, \"UTC\")>",
            Some(""),
        ),
        (
            ParquetVariant.into(),
            "struct<metadata: run_end_encoded<run_ends: int16 not null, values: binary> not null, value: binary, \
             typed_value: struct<a: struct<typed_value: list_view<item: struct<value: binary, \
             typed_value: decimal64(1, 2)> not null>> not null>>",
            Some(""),
        ),
        (
            TimestampWithOffset::new(TimeUnit::Nanosecond).into(),
            "struct<timestamp: timestamp(ns, \"UTC\") not null, offset_minutes: int16 not null>",
            Some(""),
        ),
        (
            TimestampWithOffset::new(TimeUnit::Second).into(),
            "struct<timestamp: timestamp(s, \"UTC\"), offset_minutes: dictionary<uint64, int16>>",
            Some(""),
        ),
        (
            TimestampWithOffset::new(TimeUnit::Millisecond).into(),
            "struct<timestamp: timestamp(ms, \"UTC\"), \
             offset_minutes: run_end_encoded<run_ends: int64 not null, values: int16>>",
            Some(""),
        ),
    ]
}

#[test]
fn what_is_written_is_read_again() {
    let mut names: Vec<&str> = CanonicalExtension::NAMES.to_vec();
    for (description, storage, metadata) in descriptions() {
        let plain = Field::new("f", storage.parse().unwrap()).required();
        let field = plain.clone().with_canonical_extension(&description).unwrap();
        let extension = Extension { name: description.name(), metadata };
        assert_eq!(field.extension(), Some(extension), "{storage}");
        assert_eq!(field.canonical_extension(), Ok(Some(description)), "{storage}");
        assert_eq!(field.without_extension(), plain, "{storage}");
        names.retain(|name| *name != extension.name);
    }
    assert!(names.is_empty(), "{names:?} were not looked at");
}

#[test]
fn storages_are_those_of_their_types() {
    let element = || Field::new("item", DataType::Float64);
    let fixed = FixedShapeTensor::try_new([3, 4]).unwrap();
    let variable = VariableShapeTensor::new(FixedSize::from(5));
    let timestamps = TimestampWithOffset::new(TimeUnit::Second);
    let cases: [(DataType, CanonicalExtension); 6] = [
        (Bool8.storage(), Bool8.into()),
        (Uuid.storage(), Uuid.into()),
        (ParquetVariant.storage(), ParquetVariant.into()),
        (fixed.storage(element()), fixed.into()),
        (variable.storage(element()), variable.into()),
        (timestamps.storage(), timestamps.into()),
    ];
    for (storage, description) in cases {
        assert_eq!(description.check_storage(&storage), Ok(()), "{storage}");
        assert!(description.check_storage(&DataType::Int64).is_err(), "{}", description.name());
    }
}

#[test]
fn other_texts_say_the_same() {
    let fixed = |shape: &[u64]| FixedShapeTensor::try_new(shape).unwrap();
    let variable = VariableShapeTensor::new(FixedSize::from(1));
    let named = fixed(&[2]).with_dim_names(["a\u{7f}\u{2028}é🦀"]).unwrap();
    let one = "struct<data: list<item: int8>, shape: fixed_size_list<item: int32; 1>>";
    let cases: [(CanonicalExtension, Option<&str>, &str); 16] = [
        (Bool8.into(), None, "int8"),
        (Uuid.into(), Some(""), "fixed_size_binary(16)"),
        (ParquetVariant.into(), None, "struct<metadata: binary not null, value: binary>"),
        (Json.into(), None, "utf8"),
        (Json.into(), Some("{}"), "utf8"),
        (Json.into(), Some(" { \"later\" : [ 1.5e-3 , { } , [ ] , true , false , null ] } "), "utf8"),
        (fixed(&[2]).into(), Some("\t{ \"shape\"\r:\n[ 2 ] } "), "fixed_size_list<item: int8; 2>"),
        (
            fixed(&[2]).into(),
            Some(r#"{"dim_names":null,"shape":[2],"permutation":null}"#),
            "fixed_size_list<item: int8; 2>",
        ),
        (
            fixed(&[2]).into(),
            Some(r#"{"":{"shape":[1],"shape":[1]},"\u0073hape":[2],"Shape":-0.5E+1}"#),
            "fixed_size_list<item: int8; 2>",
        ),
        (
            named.into(),
            Some("{\"shape\":[2],\"dim_names\":[\"\\u0061\u{7f}\u{2028}\\u00e9\\ud83e\\udd80\"]}"),
            "fixed_size_list<item: int8; 2>",
        ),
        (
            Opaque::new("/", "b").into(),
            Some(r#"{"vendor_name":"b","more":"\ud83e\udd80","type_name":"\/"}"#),
            "binary",
        ),
        (variable.clone().into(), None, one),
        (variable.clone().into(), Some(""), one),
        (variable.clone().into(), Some(r#"{"uniform_shape":null,"shape":[7]}"#), one),
        (
            variable.clone().with_uniform_shape([None]).unwrap().into(),
            Some(r#"{"uniform_shape":[null]}"#),
            one,
        ),
        (variable.with_uniform_shape([Some(0)]).unwrap().into(), Some(r#"{"uniform_shape":[0]}"#), one),
    ];
    for (expected, metadata, storage) in cases {
        let found = field(expected.name(), metadata, storage).canonical_extension();
        assert_eq!(found, Ok(Some(expected)), "{metadata:?}");
    }
}

#[test]
fn other_names_pass_through() {
    let names = ["", "arrow", "arrow.", "arrow.UUID", "arrow.uuid ", "arrow.tomorrow", "geoarrow.point"];
    for name in names {
        for metadata in [None, Some(""), Some("{"), Some("\0")] {
            let field = field(name, metadata, "float16");
            assert_eq!(field.extension(), Some(Extension { name, metadata }), "{name}");
            assert_eq!(field.canonical_extension(), Ok(None), "{name}");
            assert_eq!(field.extension_type::<Uuid>(), Ok(None), "{name}");
        }
    }
    assert_eq!(Field::new("f", DataType::Int8).canonical_extension(), Ok(None));
}

#[test]
fn other_metadata_keeps_its_order() {
    let pairs =
        [("z", "1"), (EXTENSION_METADATA_KEY, "old"), ("a", "2"), (EXTENSION_NAME_KEY, "old"), ("z", "3")];
    let field = Field::new("f", DataType::Int8).with_metadata(Metadata::from_iter(pairs));
    let plain = field.clone().without_extension();
    assert_eq!(plain.metadata(), &Metadata::from_iter([("z", "1"), ("a", "2"), ("z", "3")]));
    assert_eq!(plain.extension(), None);

    let typed = field.clone().with_extension_type(&Bool8).unwrap();
    let expected = [
        ("z", "1"),
        ("a", "2"),
        ("z", "3"),
        (EXTENSION_NAME_KEY, "arrow.bool8"),
        (EXTENSION_METADATA_KEY, ""),
    ];
    assert_eq!(typed.metadata(), &Metadata::from_iter(expected));
    assert_eq!(typed.extension_type(), Ok(Some(Bool8)));
    assert_eq!(typed.without_extension(), plain);
    assert!(field.with_extension_type(&Uuid).is_err());
}

#[test]
fn shapes_in_the_order_in_which_they_are_meant() -> Result<(), ExtensionError> {
    let tensor = FixedShapeTensor::try_new([10, 20, 30])?;
    assert_eq!(tensor.logical_shape(), [10, 20, 30]);
    let tensor = tensor.with_permutation([2, 0, 1])?.with_dim_names(["x", "y", "z"])?;
    assert_eq!(tensor.logical_shape(), [30, 10, 20]);
    assert_eq!(tensor.shape(), [10, 20, 30]);
    assert_eq!(tensor.n_elements().get(), 6000);
    assert_eq!(tensor.permutation(), Some(&[2, 0, 1][..]));
    assert_eq!(tensor.dim_names(), Some(&["x", "y", "z"].map(str::to_owned)[..]));
    Ok(())
}
