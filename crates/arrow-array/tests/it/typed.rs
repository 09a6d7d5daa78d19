//! Makes typed arrays from values, and from data of the right type, of another type, and with invalid content.

use arrow_array::*;
use arrow_buffer::{Bitmap, Buffer};
use arrow_data::{ArrayData, ArrayParts, DataErrorKind, RecordBatch, Validation};
use arrow_schema::{DataType, Field, LookupError, TimeUnit};

#[test]
fn arrays_of_values() -> Result<(), ArrayError> {
    let numbers = Int64Array::from_iter([Some(1), None, Some(3)]);
    assert_eq!((numbers.len(), numbers.null_count(), numbers.values()), (3, 1, [1, 0, 3].as_slice()));
    assert_eq!(Int64Array::from_iter([1, 2]).data().validity(), None);
    assert_eq!(numbers, [Some(1), None, Some(3)].into_iter().collect());
    assert_ne!(numbers, Int64Array::from_iter([1, 0, 3]));
    assert_eq!(Int64Array::from_iter(Vec::<i64>::new()).len(), 0);
    assert_eq!(Float32Array::from_iter([1.5]).value(0), 1.5);

    let flags: BooleanArray = (0..100).map(|k| (k % 3 != 0).then_some(k % 2 == 0)).collect();
    assert_eq!((flags.get(0), flags.get(1), flags.get(2)), (None, Some(false), Some(true)));
    assert_eq!((flags.null_count(), flags.values().len()), (34, 100));
    assert_eq!(flags.slice(5, 50).iter().next(), Some(flags.get(5)));

    let texts = [Some("a"), None, Some("a text that is longer than a view")];
    let short = Utf8Array::try_from_iter(texts)?;
    let long: LargeUtf8Array = texts.into_iter().collect();
    let views: Utf8ViewArray = texts.into_iter().collect();
    assert!(short.iter().eq(&long) && short.iter().eq(&views) && short.iter().eq(texts));
    assert_eq!((short.offsets(), &**short.text()), ([0, 1, 1, 34].as_slice(), texts.concat_text().as_str()));
    assert_eq!((views.buffers().len(), views.views().len()), (1, 3));
    assert_eq!(Utf8ViewArray::from_iter(["short"]).buffers().len(), 0);
    assert_eq!(Utf8ViewArray::from_iter(vec![String::from("owned")]), Utf8ViewArray::from_iter(["owned"]));
    let owned: Vec<Option<String>> = vec![None, Some("x".to_owned())];
    assert_eq!(Utf8Array::try_from_iter(owned)?, Utf8Array::try_from_iter([None, Some("x")])?);

    let bytes = [Some(b"a".as_slice()), None, Some(&[0xff; 20])];
    let short = BinaryArray::try_from_iter(bytes)?;
    assert!(short.iter().eq(&LargeBinaryArray::from_iter(bytes)));
    assert!(short.iter().eq(&BinaryViewArray::from_iter(bytes)));
    assert_eq!(BinaryArray::try_from_iter([b"ab", b"cd"])?.value(1), b"cd");
    Ok(())
}

trait ConcatText {
    fn concat_text(&self) -> String;
}

impl ConcatText for [Option<&str>] {
    fn concat_text(&self) -> String {
        self.iter().flatten().copied().collect()
    }
}

#[test]
fn batches_of_values() -> Result<(), Box<dyn std::error::Error>> {
    let batch = RecordBatch::try_from_columns([
        ("id", Int64Array::from_iter([1, 2, 3]).into()),
        ("name", Utf8Array::try_from_iter([Some("ada"), None, Some("grace")])?.into()),
    ])?;
    let names = Utf8Array::try_from(batch.column("name")?)?;
    let mut found = Vec::new();
    for name in &names {
        found.push(name);
    }
    assert_eq!(found, [Some("ada"), None, Some("grace")]);
    assert_eq!(batch.schema().to_string(), "id: int64\nname: utf8");
    Ok(())
}

#[test]
fn a_wrong_type_is_named() {
    let numbers = Int32Array::from_iter([1]).into_data();
    let timestamps = DataType::timestamp(TimeUnit::Second);
    let cases: Vec<(Result<(), ArrayError>, &str)> = vec![
        (Int64Array::try_from(&numbers).map(drop), "expected int64, found int32"),
        (Utf8Array::try_from(&numbers).map(drop), "expected utf8, found int32"),
        (LargeBinaryArray::try_from(&numbers).map(drop), "expected large_binary, found int32"),
        (StructArray::try_from(&numbers).map(drop), "expected struct, found int32"),
        (DictionaryArray::try_from(&numbers).map(drop), "expected dictionary, found int32"),
        (Date32Array::try_from(&numbers).map(drop), "expected date32, found int32"),
        (
            DurationArray::try_from(ArrayData::new_empty(&timestamps)).map(drop),
            "expected duration, found timestamp(s)",
        ),
        (DurationArray::try_from_iter(timestamps, [1]).map(drop), "expected duration, found timestamp(s)"),
    ];
    for (result, message) in cases {
        let error = result.expect_err(message);
        assert_eq!(error.to_string(), message);
        assert!(matches!(error.kind(), ArrayErrorKind::TypeMismatch { .. }));
    }
}

#[test]
fn content_is_checked_once() {
    let text = |bytes: &[u8]| {
        ArrayData::try_new(ArrayParts {
            buffers: [Buffer::from(vec![0, 1, 2]), Buffer::copy_from(bytes)],
            ..ArrayParts::new(DataType::Utf8, 2)
        })
        .expect("the structure is sound")
    };
    let good = text(b"ab");
    assert_eq!(good.checked(), Validation::Structure);
    let array = Utf8Array::try_from(&good).expect("it is text");
    assert_eq!(array.data().checked(), Validation::Content);
    assert_eq!((array.value(0), array.value(1)), ("a", "b"));

    let bad = text(b"a\xff");
    let error = Utf8Array::try_from(&bad).expect_err("it is not text");
    let ArrayErrorKind::Data(cause) = error.kind() else { panic!("{error}") };
    assert_eq!((cause.slot(), cause.kind()), (Some(1), &DataErrorKind::NotUtf8 { valid_up_to: 0 }));
    assert!(AnyArray::try_new(&bad).is_err());
    assert!(ColumnText::try_new(&bad, TextStyle::Json).is_err());

    // The error of a batch names the column.
    let batch = RecordBatch::try_from_columns([("a", good), ("b", bad)]).expect("two rows each");
    let error = TextCache::new().rows(&batch).expect_err("column b is not text");
    assert!(error.to_string().starts_with("field `b`"), "{error}");
}

#[test]
fn nothing_is_copied() {
    let data = Int64Array::from_iter([1, 2, 3]).into_data();
    let array = Int64Array::try_from(&data).expect("it is of that type");
    assert!(array.data().buffer(0).same_memory(data.buffer(0)));
    assert_eq!(array.values().as_ptr().cast(), data.buffer(0).as_ptr());
    assert!(AnyArray::try_new(&data).expect("it is valid").into_data().buffer(0).same_memory(data.buffer(0)));
}

#[test]
fn values_of_null_slots_are_empty_whatever_the_memory_holds() {
    let parts = |data_type, buffer| ArrayParts {
        validity: Some(Bitmap::from_iter([false, true])),
        buffers: [buffer, Buffer::copy_from(b"\xff\xffab")],
        ..ArrayParts::new(data_type, 2)
    };
    let make = |parts| ArrayData::try_new(parts).expect("the structure is sound");
    let numbers =
        Int32Array::try_from(make(parts(DataType::Int32, Buffer::from(vec![7, 8])))).expect("numbers");
    assert_eq!((numbers.value(0), numbers.value(1), numbers.values()), (0, 8, [7, 8].as_slice()));
    let texts = Utf8Array::try_from(make(parts(DataType::Utf8, Buffer::from(vec![0, 2, 4])))).expect("text");
    assert_eq!((texts.value(0), texts.value(1)), ("", "ab"));
}

#[test]
fn structs_by_name() {
    let column = |n: i32| Int32Array::from_iter([n]).into_data();
    let fields = ["a", "b", "b"].map(|name| Field::new(name, DataType::Int32));
    let structs = StructArray::try_from(
        ArrayData::try_new(ArrayParts {
            children: Some([column(1), column(2), column(3)].into()),
            ..ArrayParts::new(DataType::struct_(fields), 1)
        })
        .expect("the structure is sound"),
    )
    .expect("it is valid");
    let a = structs.column("a").expect("there is one");
    assert_eq!(Int32Array::try_from(a), Ok(Int32Array::from_iter([1])));
    assert!(matches!(structs.column("b"), Err(LookupError::Ambiguous { n_matches: 2, .. })));
    assert!(matches!(structs.column("c"), Err(LookupError::Missing { .. })));
    assert!(structs.column_at(3).is_none());
    let value = structs.value(0);
    let b = value.value_at(1).expect("there are three");
    assert_eq!(Int32Array::try_from(b), Ok(Int32Array::from_iter([2])));
}

#[test]
fn debug_shows_type_and_first_values() {
    assert_eq!(format!("{:?}", Int32Array::from_iter([Some(1), None])), "int32 [1, null]");
    let long = format!("{:?}", Int32Array::from_iter(0..1000));
    assert!(long.ends_with("18, 19, … 980 more]"), "{long}");
    assert_eq!(format!("{:?}", Utf8ViewArray::from_iter(["a\n"])), r#"utf8_view ["a\n"]"#);
}

#[test]
fn decimals_carry_their_scale() -> Result<(), Box<dyn std::error::Error>> {
    let prices = Decimal64Array::try_from_iter(DataType::decimal64(10, 2)?, [Some(1999), None])?;
    assert_eq!((prices.precision(), prices.scale(), prices.value(0)), (10, 2, 1999));
    assert_eq!(prices.decimal(0).map(|price| price.to_string()).as_deref(), Some("19.99"));
    assert_eq!(prices.decimal(1), None);
    Ok(())
}

#[test]
fn all_is_shared_between_threads() {
    fn shared<T: Send + Sync + 'static>() {}
    shared::<AnyArray>();
    shared::<ColumnText>();
    shared::<TextCache>();
    shared::<ArrayError>();
    shared::<DecodedArray<RunEndEncodedArray, Utf8Array>>();
}
