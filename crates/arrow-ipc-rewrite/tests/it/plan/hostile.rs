//! Shapes that contradict the schema or themselves, numbers that do not fit, options that need values, ranges past the
//! end, providers that fail: each is an error with its position, and the builder stays unchanged.

use std::{io, sync::Arc};

use arrow_data::Role;
use arrow_ipc::{
    Compression, DictionaryPolicy, ErrorClass, MessageKind, NullSlots, SharedBuffers, UnusedValues,
    WriteOptions, WrittenContainer, dictionary::DictionaryUnifier, error::BlockIndex,
};
use arrow_ipc::{ErrorClass::LimitExceeded, ErrorClass::Misuse};
use arrow_ipc_rewrite::plan::ColumnShape as C;
use arrow_ipc_rewrite::{
    RewriteError,
    plan::{BatchShape, PlanBuilder, PlannedData},
};
use arrow_schema::{FieldPath, Schema};

const MANY: u64 = u64::MAX;
const I32: u64 = i32::MAX as u64;
const I64: u64 = i64::MAX as u64;

/// The error for one column of this type, with this number of rows.
fn refusal(data_type: &str, n_rows: u64, column: C) -> Result<(), String> {
    let schema: Schema = format!("c: {data_type}").parse().unwrap_or_else(|error| panic!("{error}"));
    let mut builder = PlanBuilder::try_new(schema, WrittenContainer::File).unwrap();
    let planned = builder.push(&BatchShape::new(n_rows).with_columns([column]), 1);
    // The builder is as it was.
    let is_dictionary = data_type.starts_with("dictionary");
    if planned.is_err() && !is_dictionary {
        assert_eq!(builder.schema().fields().len(), 1);
        builder.push(&BatchShape::new(0), 1).unwrap();
        let plan = builder.finish().unwrap();
        assert_eq!((plan.n_batches(), plan.batch(0).unwrap().start % 64), (1, 0));
    }
    planned.map_err(|error| {
        assert_eq!(error.class(), Misuse, "{error}");
        error.to_string()
    })
}

#[test]
fn shapes_that_contradict() {
    let runs = |n_ends, n_values| C::nested([C::new().with_n_slots(n_ends), C::new().with_n_slots(n_values)]);
    let cases: Vec<(&str, u64, C, &str)> = vec![
        ("int64", 10, C::new().with_nulls(11), "field `c`: the shape has 11 nulls; at most 10 are possible"),
        ("int64 not null", 10, C::new().with_nulls(1), "1 nulls in a field that is not nullable; at most 0"),
        (
            "run_end_encoded<run_ends: int16 not null, values: int8>",
            10,
            C::nested([C::new().with_n_slots(2).with_nulls(1), C::new().with_n_slots(2)]),
            "field `c.run_ends`: the shape has 1 nulls in a field that is not nullable; at most 0",
        ),
        ("int64", 10, C::new().with_n_slots(9), "9 slots, not 10"),
        ("int64", 10, C::bytes(1), "1 bytes of variable size, which the type does not have"),
        ("int64", 10, C::views([16]), "1 data buffers of views, which the type does not have"),
        ("int64", 10, C::nested([C::new()]), "1 children, not 0"),
        ("int64", I64 + 1, C::new(), "9223372036854775808 rows; at most 9223372036854775807"),
        ("int64", I64, C::new(), "9223372036854775807 slots have more bytes in a buffer than"),
        ("null", 10, C::new().with_nulls(9), "9 nulls, not 10"),
        ("utf8", 0, C::bytes(1), "1 bytes; at most 0"),
        ("utf8", 1, C::bytes(I32 + 1), "2147483648 bytes; at most 2147483647"),
        ("large_utf8", 1, C::bytes(I64 + 1), "9223372036854775808 bytes; at most 9223372036854775807"),
        ("large_utf8", 1, C::bytes(I64), "bytes up to the end of this field; at most"),
        ("utf8_view", 1, C::views([0]), "0 bytes in a data buffer; at least 1"),
        ("utf8_view", 1, C::views([2 * I32 + 1]), "4294967295 bytes in a data buffer; at most 4294967294"),
        ("utf8_view", 0, C::views([16]), "1 data buffers; at most 0"),
        ("list<item: int8>", 0, C::list(1, C::new()), "field `c.item`: the shape has 1 slots; at most 0"),
        ("list<item: int8>", 1, C::list(I32 + 1, C::new()), "field `c.item`: the shape has 2147483648 slots"),
        ("list<item: int8>", 1, C::list(5, C::new().with_nulls(6)), "field `c.item`: the shape has 6 nulls"),
        (
            "large_list<item: int8>",
            1,
            C::list(MANY, C::new()),
            "18446744073709551615 slots; at most 922337203",
        ),
        ("list_view<item: int8>", 1, C::list(2 * I32 + 1, C::new()), "4294967295 slots; at most 4294967294"),
        ("struct<a: int8, b: utf8>", 3, C::nested([C::new()]), "1 children, not 2"),
        (
            "struct<a: int8>",
            3,
            C::nested([C::new().with_n_slots(4)]),
            "field `c.a`: the shape has 4 slots, not 3",
        ),
        (
            "fixed_size_list<item: int8; 3>",
            2,
            C::list(5, C::new()),
            "field `c.item`: the shape has 5 slots; at least 6",
        ),
        ("fixed_size_list<item: int8; 3>", I64, C::new(), "9223372036854775807 slots have more items than"),
        (
            "run_end_encoded<run_ends: int16 not null, values: int8>",
            5,
            C::new(),
            "field `c.run_ends`: the shape has 0 runs; at least 1",
        ),
        (
            "run_end_encoded<run_ends: int16 not null, values: int8>",
            5,
            C::runs(6, C::new()),
            "6 runs; at most 5",
        ),
        (
            "run_end_encoded<run_ends: int16 not null, values: int8>",
            5,
            runs(3, 4),
            "field `c.values`: the shape has 4 slots, not 3",
        ),
        (
            "run_end_encoded<run_ends: int16 not null, values: int8>",
            5,
            C::runs(2, C::new()).with_nulls(1),
            "1 nulls, which the type does not have",
        ),
        (
            "run_end_encoded<run_ends: int16 not null, values: int8>",
            32_768,
            C::runs(1, C::new()),
            "32768 slots in runs; at most 32767",
        ),
        (
            "dense_union<0=a: int8>",
            1,
            C::dense_union([(I32 + 2, C::new())]),
            "2147483649 slots; at most 2147483648",
        ),
        ("dense_union<0=a: int8>", 0, C::dense_union([(1, C::new())]), "1 slots; at most 0"),
        ("dense_union<0=a: int8>", 1, C::new().with_nulls(1), "1 nulls, which the type does not have"),
        (
            "dictionary<int8, utf8>",
            1,
            C::new(),
            "field `c`: the dictionary with id 0 has no shape: call `push_dictionary` first",
        ),
    ];
    for (data_type, n_rows, column, expected) in cases {
        let said = refusal(data_type, n_rows, column.clone()).expect_err(&format!("{data_type} {column:?}"));
        assert!(
            said.contains(expected) && said.contains("field `c") != expected.contains("rows"),
            "{data_type}: {said}"
        );
    }
}

#[test]
fn limits_that_are_reached() {
    for (data_type, n_rows, column) in [
        ("utf8", 1, C::bytes(I32)),
        ("large_utf8", 1, C::bytes(I64 >> 1)),
        ("utf8_view", 1, C::views([2 * I32, 1])),
        ("list<item: int8>", 1, C::list(I32, C::new())),
        ("list_view<item: int8>", 1, C::list(2 * I32, C::new())),
        ("fixed_size_list<item: int8; 3>", 2, C::list(7, C::new())),
        ("dense_union<0=a: int8>", 1, C::dense_union([(I32 + 1, C::new())])),
        ("run_end_encoded<run_ends: int16 not null, values: int8>", 32_767, C::runs(32_767, C::new())),
        ("run_end_encoded<run_ends: int16 not null, values: int8>", 0, C::new()),
        // Of slots that are not selected, or are beneath nulls.
        ("sparse_union<0=a: int8 not null>", 5, C::nested([C::new().with_nulls(3)])),
        ("struct<a: int8 not null>", 5, C::nested([C::new().with_nulls(3)]).with_nulls(3)),
        ("null", I64, C::new().with_nulls(I64)),
        ("dictionary<int8, utf8>", 5, C::new().with_nulls(5)),
        ("int64", 5, C::new().with_n_slots(5).with_nulls(5)),
    ] {
        assert_eq!(refusal(data_type, n_rows, column), Ok(()), "{data_type}");
    }
}

#[test]
fn images_that_are_too_long() {
    let schema: Arc<Schema> = Arc::new("c: int8".parse().unwrap());
    let shape = BatchShape::new(1 << 40);
    let mut stream = PlanBuilder::try_new(&schema, WrittenContainer::Stream).unwrap();
    stream.push(&shape, 1 << 22).unwrap();
    let error = stream.push(&shape, 1 << 23).unwrap_err();
    assert_eq!(error.class(), LimitExceeded);
    assert!(error.to_string().starts_with("record batch 4194304 at byte 46"), "{error}");
    assert!(
        stream.push(&shape, usize::MAX).unwrap_err().to_string().contains("the limit of 9223372036854775807")
    );
    assert_eq!(stream.finish().unwrap().n_batches(), 1 << 22);
    // Neither is a dictionary that would have come before the batch.
    let schema: Arc<Schema> = Arc::new("a: dictionary<int8, utf8>\nb: int8".parse().unwrap());
    let nulls = BatchShape::new(1 << 40).with_column(0, C::new().with_nulls(1 << 40));
    let mut stream = PlanBuilder::try_new(&schema, WrittenContainer::Stream).unwrap();
    assert_eq!(stream.push(&nulls, usize::MAX).unwrap_err().class(), LimitExceeded);
    stream.push_dictionary(0, &BatchShape::new(1)).unwrap();
    assert_eq!(stream.push(&shape, usize::MAX).unwrap_err().class(), LimitExceeded);
    stream.push(&shape, 1).unwrap();
    let stream = stream.finish().unwrap();
    assert_eq!((stream.n_dictionaries(), stream.n_batches()), (1, 1));
    // The footer has 24 bytes for each batch; nothing is allocated for so many.
    let schema: Arc<Schema> = Arc::new("c: int8".parse().unwrap());
    let mut file = PlanBuilder::try_new(&schema, WrittenContainer::File).unwrap();
    for (n_batches, n_bytes) in [(1 << 27, 3_221_225_472u64), (11_184_811, 268_435_464)] {
        let error = file.push(&BatchShape::new(1), n_batches).unwrap_err();
        let expected = format!("{n_bytes} bytes of footer exceed the limit of 268435456");
        assert!(error.to_string().ends_with(&expected), "{error}");
    }
    file.push(&BatchShape::new(1), 0).unwrap();
    assert_eq!(file.finish().unwrap().n_batches(), 0);
}

#[test]
fn columns_that_are_too_many() {
    let schema: Arc<Schema> = Arc::new("a: int8\nb: int8".parse().unwrap());
    let mut builder = PlanBuilder::try_new(schema, WrittenContainer::Stream).unwrap();
    let error = builder.push(&BatchShape::new(1).with_column(2, C::new()), 1).unwrap_err();
    assert_eq!(error.to_string(), "the shape has 3 columns, not 2");
    // So many columns are not made.
    for (column_idx, found) in [(usize::MAX, u64::MAX), (1 << 40, (1 << 40) + 1), (1 << 20, (1 << 20) + 1)] {
        let shape = BatchShape::new(1).with_column(column_idx, C::new()).with_column(0, C::new());
        assert_eq!(shape.columns().len(), 1);
        let error = builder.push(&shape, 1).unwrap_err();
        assert_eq!(error.to_string(), format!("the shape has {found} columns, not 2"));
    }
    builder.push(&BatchShape::new(1).with_column(0, C::new().with_nulls(1)), 1).unwrap();
    assert_eq!(builder.finish().unwrap().n_batches(), 1);
}

#[test]
fn dictionaries_that_contradict() {
    let schema: Arc<Schema> =
        Arc::new("a: dictionary<int8, list<item: dictionary<int8, utf8>>>\nb: int8".parse().unwrap());
    let (outer, inner) = (BatchShape::new(2).with_columns([C::list(3, C::new())]), BatchShape::new(1));
    let mut builder = PlanBuilder::try_new(&schema, WrittenContainer::File).unwrap();
    let said = |result: arrow_ipc::Result<()>| {
        let error = result.unwrap_err();
        assert!(matches!(error.class(), ErrorClass::Misuse | ErrorClass::Malformed), "{error}");
        error.to_string()
    };
    assert_eq!(said(builder.push_dictionary(7, &inner)), "no field of the schema has the dictionary id 7");
    let missing = said(builder.push_dictionary(0, &outer));
    assert!(
        missing.ends_with("the dictionary with id 1 has no shape: call `push_dictionary` first"),
        "{missing}"
    );
    assert!(missing.starts_with("field `a.<dictionary>.item`"), "{missing}");
    builder.push_dictionary(1, &inner).unwrap();
    let second = said(builder.push_dictionary(1, &inner));
    assert!(
        second.starts_with("the dictionary with id 1 differs from the one written before; a file"),
        "{second}"
    );
    builder.push_dictionary(0, &outer).unwrap();
    builder.push(&BatchShape::new(5), 3).unwrap();
    assert_eq!(builder.finish().unwrap().n_dictionaries(), 2);
    // Inner ones that no value needs are there, empty.
    let mut builder = PlanBuilder::try_new(&schema, WrittenContainer::File).unwrap();
    builder.push_dictionary(0, &BatchShape::new(1)).unwrap();
    assert!(said(builder.push_dictionary(1, &inner)).contains("a file allows only one"));
    assert_eq!(builder.finish().unwrap().n_dictionaries(), 2);
    // An index selects no value of an empty one.
    let mut builder = PlanBuilder::try_new(&schema, WrittenContainer::File).unwrap();
    builder.push_dictionary(0, &BatchShape::new(0)).unwrap();
    let empty = said(builder.push(&BatchShape::new(1), 1));
    assert_eq!(empty, "field `a`: the shape has 0 values in its dictionary; at least 1 are needed");
}

#[test]
fn dictionaries_that_are_replaced() {
    let schema: Arc<Schema> =
        Arc::new("a: dictionary<int8, list<item: dictionary<int8, utf8>>>\nb: int8".parse().unwrap());
    let (outer, inner) = (BatchShape::new(2).with_columns([C::list(3, C::new())]), BatchShape::new(1));
    let mut builder = PlanBuilder::try_new(&schema, WrittenContainer::Stream).unwrap();
    builder.push_dictionary(1, &inner).unwrap();
    builder.push_dictionary(0, &outer).unwrap();
    builder.push(&BatchShape::new(5), 1).unwrap();
    builder.push_dictionary(1, &inner).unwrap();
    // The indices inside of the outer one mean something else now.
    let error = builder.push(&BatchShape::new(5), 1).unwrap_err();
    assert_eq!(
        error.to_string(),
        "field `a`: the dictionary with id 0 has no shape: call `push_dictionary` first"
    );
    builder.push_dictionary(0, &outer).unwrap();
    builder.push(&BatchShape::new(5), 1).unwrap();
    builder.push_dictionary(1, &inner).unwrap();
    // Where nothing needs it, it becomes empty.
    builder.push(&BatchShape::new(5).with_columns([C::new().with_nulls(5)]), 1).unwrap();
    let plan = builder.finish().unwrap();
    let kinds: Vec<_> = plan.messages().skip(1).map(|message| message.kind()).collect();
    let (d, b) = (MessageKind::DictionaryBatch, MessageKind::RecordBatch);
    assert_eq!(kinds, [d, d, b, d, d, b, d, d, b]);
    assert_eq!(plan.message(BlockIndex::Dictionary(5)).unwrap().n_body_bytes(), 64);
    let options = WriteOptions::new().with_dictionaries(DictionaryPolicy::Error);
    let mut builder = PlanBuilder::try_new_with(&schema, WrittenContainer::Stream, options).unwrap();
    builder.push_dictionary(1, &inner).unwrap();
    let error = builder.push_dictionary(1, &inner).unwrap_err();
    assert!(error.to_string().ends_with("the options refuse new values"), "{error}");
}

#[test]
fn options_that_need_values() {
    let schema: Arc<Schema> = Arc::new("a: dictionary<int8, utf8>".parse().unwrap());
    let unifier = DictionaryUnifier::try_new(&schema).unwrap();
    let new = WriteOptions::new;
    let cases = [
        (new().with_null_slots(NullSlots::Zeros), "null slots of zeros"),
        (new().with_shared_buffers(SharedBuffers::Once), "shared buffers"),
        (new().with_unused_items(UnusedValues::Remove), "leaving out"),
        (new().with_unused_values(UnusedValues::Remove), "leaving out"),
        (new().with_dictionaries(DictionaryPolicy::Delta), "`Delta`"),
        (new().with_dictionaries(DictionaryPolicy::Unify(unifier.finish().unwrap())), "`Unify`"),
        (new().with_compression(Compression::lz4()), "compression"),
    ];
    for (options, expected) in cases {
        let errors = [
            PlanBuilder::try_new_with(&schema, WrittenContainer::File, options.clone())
                .map(drop)
                .unwrap_err(),
            PlanBuilder::try_new_with(&schema, WrittenContainer::Stream, options).map(drop).unwrap_err(),
        ];
        for error in errors {
            assert!(
                matches!(RewriteError::from_ipc_error(&error), Some(RewriteError::NotPlannable { .. })),
                "{error}"
            );
            let text = error.to_string();
            assert!(
                text.starts_with("cannot plan ") && text.contains(expected) && text.contains(": "),
                "{text}"
            );
        }
    }
}

#[test]
fn what_is_not_there() {
    let schema: Arc<Schema> = Arc::new("a: int8\nb: utf8_view".parse().unwrap());
    let mut builder = PlanBuilder::try_new(&schema, WrittenContainer::File).unwrap();
    builder.push(&BatchShape::new(100).with_column(1, C::views([20])), 2).unwrap();
    let plan = builder.finish().unwrap();
    let ones = |_: &PlannedData<'_>, to: &mut [u8]| {
        to.fill(1);
        Ok(to.len())
    };
    let (len, [a, b]) = (plan.len(), ["a", "b"].map(|name| schema.path(name).unwrap()));
    for (start, end) in
        [(0, len + 1), (len, len + 1), (len + 1, len + 1), (5, 4), (0, u64::MAX), (u64::MAX, 0)]
    {
        let error = plan.read_at(start..end, &ones).unwrap_err();
        assert_eq!(
            error.to_string(),
            format!("bytes {start}..{end} are out of bounds; the plan has {len} bytes")
        );
        assert!(plan.segments(start..end).is_err());
    }
    for byte in [len, u64::MAX] {
        assert_eq!(plan.at(byte).unwrap_err().class(), Misuse);
        assert!(plan.read_into(byte, &mut [0], &ones).is_err());
    }
    assert!(plan.read_at(len..len, &ones).unwrap().is_empty());
    assert!(plan.batch(2).unwrap_err().to_string().starts_with("batch 2 is out of bounds"));
    assert_eq!(
        plan.dictionary(0).unwrap_err().to_string(),
        "dictionary batch 0 is out of bounds; there are 0 of them"
    );
    assert!(plan.message(BlockIndex::RecordBatch(usize::MAX)).is_err());
    assert!(plan.locate(2, &a, Role::Values).is_err());
    let error = plan.locate(0, &a, Role::Offsets).unwrap_err();
    assert_eq!(error.to_string(), "field `a`: the field has no offsets buffer");
    let error = plan.locate_in(BlockIndex::RecordBatch(0), &b, Role::Variadic, 1).unwrap_err();
    assert_eq!(error.to_string(), "field `b`: the field has no data buffer 1");
    let unknown = FieldPath::root().child(2, Arc::from("c"));
    assert!(
        plan.locate(0, &unknown, Role::Values).unwrap_err().to_string().ends_with("no field is named \"c\"")
    );
    // Without nulls, validity has no bytes, and it is there.
    assert!(plan.locate(0, &a, Role::Validity).unwrap().is_empty());
}

#[test]
fn providers_that_fail() {
    let schema: Arc<Schema> = Arc::new("s: struct<a: int8, b: int64>".parse().unwrap());
    let mut builder = PlanBuilder::try_new(&schema, WrittenContainer::File).unwrap();
    builder.push(&BatchShape::new(100), 3).unwrap();
    let plan = builder.finish().unwrap();
    let path = schema.path("s.b").unwrap();
    let values = plan.locate(1, &path, Role::Values).unwrap();
    let range = values.start + 8..values.end + 1;
    let location =
        format!("record batch 1 at byte {}, field `s.b`, buffer 4 (values): ", plan.batch(1).unwrap().start);
    for (n_provided, expected) in [
        (0, "the provider gave 0 bytes for the bytes 8..800 of the buffer"),
        (791, "the provider gave 791 bytes for the bytes 8..800 of the buffer"),
        (793, "the provider gave 793 bytes for the bytes 8..800 of the buffer"),
        (usize::MAX, "the provider gave 18446744073709551615 bytes for the bytes 8..800 of the buffer"),
    ] {
        let provider = |_: &PlannedData<'_>, _: &mut [u8]| Ok(n_provided);
        let error = plan.read_at(range.clone(), &provider).unwrap_err();
        assert_eq!(error.to_string(), format!("{location}{expected}"));
        assert_eq!(error.class(), Misuse);
    }
    let provider = |_: &PlannedData<'_>, _: &mut [u8]| Err(io::Error::other("the tape is torn"));
    let error = plan.read_at(range, &provider).unwrap_err();
    assert_eq!(
        (error.class(), error.to_string()),
        (ErrorClass::Io, format!("{location}reading failed: the tape is torn"))
    );
    // Nothing is requested for bytes that the plan knows.
    assert!(plan.read_at(plan.footer().unwrap(), &provider).is_ok());
    let n_read = plan.batch(0).unwrap();
    assert!(plan.read_at(n_read.start..n_read.start + 64, &provider).is_ok());
}
