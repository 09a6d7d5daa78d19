//! One case per peculiarity of the format or of arrow-rs.

use super::Case;
use super::families::{dictionary, families, field, list, runs, structure};
use crate::seeded::Seeded;
use rs_array::builder::StringViewBuilder;
use rs_array::types::{Int8Type, UInt16Type};
use rs_array::{
    Array, ArrayRef, DictionaryArray, FixedSizeListArray, Int8Array, Int32Array, ListArray, RecordBatch,
};
use rs_array::{StringArray, StructArray, UInt16Array};
use rs_buffer::{NullBuffer, OffsetBuffer};
use rs_ipc::MetadataVersion;
use rs_ipc::writer::IpcWriteOptions;
use rs_schema::{DataType, Field, Metadata, Schema, SchemaRef};
use std::sync::Arc;

pub(super) fn cases() -> Vec<Case> {
    let mut cases = batch_cases();
    cases.extend([names(), map_names(), metadata(), long_text(), null_parents()]);
    cases.extend(dictionary_cases());
    cases.extend(option_cases());
    cases
}

fn schema(fields: impl IntoIterator<Item = Field>) -> SchemaRef {
    Arc::new(Schema::new(fields.into_iter().collect::<Vec<_>>()))
}

fn batch(columns: Vec<(&str, ArrayRef)>) -> RecordBatch {
    RecordBatch::try_from_iter_with_nullable(columns.into_iter().map(|(name, column)| (name, column, true)))
        .expect("the columns have one length")
}

fn case_of(name: &str, about: &str, whole: RecordBatch, slices: &[(usize, usize)]) -> Case {
    let schema = whole.schema();
    let slices = slices.iter().map(|&(start, n)| whole.slice(start, n));
    let batches = std::iter::once(whole.clone()).chain(slices).collect();
    Case::new(name, about, &schema, batches)
}

fn batch_cases() -> Vec<Case> {
    use DataType::*;
    let three = schema([field("n", Int64), field("s", Utf8), field("b", Boolean)]);
    let mut maker = Seeded::new(20_000, 3);
    let many = (0..12).map(|k| maker.batch(&three, k % 4)).collect();
    let whole = Seeded::new(20_001, 3).batch(&three, 40);
    let slices = (0..10).map(|start| whole.slice(start, 1 + 2 * start)).collect();
    let types = [Int8, Utf8, Boolean, Float32, Date32];
    let wide = schema((0..50).map(|k| field(format!("c{k:02}"), types[k % 5].clone())));
    let wide_batches = vec![Seeded::new(20_002, 3).batch(&wide, 2), Seeded::new(20_003, 3).batch(&wide, 2)];
    let none = schema([]);
    let none_batches = [3, 0, 2].map(|n_rows| Seeded::new(0, 0).batch(&none, n_rows)).to_vec();
    // A column of its own: arrow-rs 60.1.0 writes runs of views without rows so that nothing can read them.
    let run_schema = schema([field("views", runs(Int32, Utf8View))]);
    let run_batches = vec![Seeded::new(20_004, 3).batch(&run_schema, 15)];
    vec![
        Case::new("runs-of-views", "runs of text views", &run_schema, run_batches),
        Case::new("many-batches", "12 batches of 0 to 3 rows", &three, many),
        Case::new("bit-offsets", "slices whose bitmaps start at each bit of a byte", &three, slices),
        Case::new("fifty-columns", "50 columns, 2 batches of 2 rows", &wide, wide_batches),
        Case::new("no-columns", "no columns; batches of 3, 0 and 2 rows", &none, none_batches),
    ]
}

fn names() -> Case {
    let names = [
        "plain",
        "",
        "",
        "plain",
        "a.b",
        "quote\"",
        "back\\slash",
        "line\nbreak",
        "nel\u{85}",
        "1x",
        "日本",
        "🚀",
    ];
    let schema = schema(names.map(|name| field(name, DataType::Int8)));
    let batch = Seeded::new(20_100, 3).batch(&schema, 3);
    Case::new("names", "empty, repeated and odd column names", &schema, vec![batch])
}

fn map_names() -> Case {
    let fields = vec![Field::new("my key", DataType::Int8, false), field("my value", DataType::Int64)];
    let entries = Field::new("my entries", structure(fields), false);
    let schema = schema([field("map", DataType::Map(entries.into(), false))]);
    let batch = Seeded::new(20_101, 3).batch(&schema, 6);
    Case::new("map-names", "a map with names of its own for entries, key and value", &schema, vec![batch])
}

fn metadata() -> Case {
    let pairs = |pairs: &[(&str, &str)]| pairs.iter().copied().collect::<Metadata>();
    let inner = field("a", DataType::Int8).with_metadata(pairs(&[("on", "struct child")]));
    let item = field("item", DataType::Utf8).with_metadata(pairs(&[("on", "item"), ("and", "more")]));
    let uuid = [("ARROW:extension:name", "arrow.uuid")];
    let unknown =
        [("ARROW:extension:name", "example.unheard_of"), ("ARROW:extension:metadata", "{\"a\": 1}")];
    let fields = vec![
        field("id", DataType::FixedSizeBinary(16)).with_metadata(pairs(&uuid)),
        field("list", DataType::List(item.into())).with_metadata(pairs(&[("on", "list")])),
        field("struct", structure(vec![inner, field("b", DataType::Utf8)])),
        field("dictionary", dictionary(DataType::Int8, DataType::Utf8))
            .with_metadata(pairs(&[("on", "dictionary")])),
        field("unknown", DataType::Int64).with_metadata(pairs(&unknown)),
    ];
    let top = pairs(&[
        ("zebra", "1"),
        ("apple", "2"),
        ("", "empty key"),
        ("empty value", ""),
        ("ключ", "值\n\"\\"),
    ]);
    let schema = Arc::new(Schema::new(fields).with_metadata(top));
    let mut maker = Seeded::new(20_200, 3);
    let batches = [4, 0, 3].map(|n_rows| maker.batch(&schema, n_rows)).to_vec();
    let mut case = Case::new(
        "metadata",
        "custom metadata on schema, fields, nested fields and footer",
        &schema,
        batches,
    );
    case.source.footer_metadata = vec![("a", "footer"), ("z", "footer")];
    case
}

fn long_text() -> Case {
    let long: String = (0..60).map(|k| format!("{k} żółw 龍 🐉\n")).collect();
    let rows = [
        Some("x".repeat(12)),
        Some("x".repeat(13)),
        Some("é".repeat(6)),
        Some("é".repeat(6) + "!"),
        None,
        Some(long),
    ];
    // Blocks of 40 bytes: each longer value fills a data buffer of its own.
    let mut views = StringViewBuilder::new().with_fixed_block_size(40);
    rows.iter().for_each(|row| views.append_option(row.as_ref()));
    let text = StringArray::from_iter(rows.iter());
    let batch = batch(vec![("utf8", Arc::new(text)), ("utf8_view", Arc::new(views.finish()))]);
    case_of("long-text", "long and multi-byte text, and text at the inline limit of views", batch, &[(1, 4)])
}

fn null_parents() -> Case {
    let nulls = |valid: [bool; 5]| Some(NullBuffer::from(valid.to_vec()));
    let numbers: ArrayRef = Arc::new(Int32Array::from(vec![10, 20, 30, 40, 50]));
    let text: ArrayRef = Arc::new(StringArray::from(vec![Some("a"), Some("b"), None, Some("d"), Some("e")]));
    let fields = vec![Field::new("n", DataType::Int32, false), field("s", DataType::Utf8)];
    let valid = [true, false, true, false, true];
    let inner = StructArray::new(fields.into(), vec![numbers.clone(), text], nulls(valid));
    let fields = vec![field("inner", inner.data_type().clone())];
    let outer = StructArray::new(
        fields.into(),
        vec![Arc::new(inner.clone())],
        nulls([false, false, true, true, true]),
    );
    let item = field("item", DataType::Int32).into();
    let fixed = FixedSizeListArray::new(item, 1, numbers, nulls(valid));
    let batch =
        batch(vec![("struct", Arc::new(inner)), ("outer", Arc::new(outer)), ("fixed", Arc::new(fixed))]);
    case_of("null-parents", "null parents over children that are not null", batch, &[(1, 3)])
}

fn dictionary_cases() -> Vec<Case> {
    let words: ArrayRef = Arc::new(StringArray::from(vec![
        Some("x"),
        None,
        Some("x"),
        Some("a longer word than twelve"),
        Some(""),
        Some("never used"),
    ]));
    let none: ArrayRef = Arc::new(StringArray::from(Vec::<&str>::new()));
    let empty = DictionaryArray::<Int8Type>::new(Int8Array::from(vec![None; 4]), none);
    let keys = Int8Array::from(vec![Some(4), Some(1), Some(0), None, Some(2), Some(3), Some(1)]);
    let shared: ArrayRef = Arc::new(DictionaryArray::<Int8Type>::new(keys, words.clone()));

    let keys = Int8Array::from(vec![Some(0), Some(2), None, Some(1), Some(3), Some(0), Some(2)]);
    let inner = DictionaryArray::<Int8Type>::new(keys, words);
    let item = field("item", inner.data_type().clone());
    let offsets = OffsetBuffer::new(vec![0, 2, 5, 5, 7].into());
    let valid = NullBuffer::from(vec![true, true, false, true]);
    let lists: ArrayRef = Arc::new(ListArray::new(item.into(), offsets, Arc::new(inner), Some(valid)));
    let keys = UInt16Array::from(vec![Some(3), Some(0), None, Some(1), Some(2)]);
    let nested = DictionaryArray::<UInt16Type>::new(keys, lists);
    let batch_of = |column: ArrayRef| batch(vec![("d", column)]);
    vec![
        case_of(
            "dictionary-empty",
            "a dictionary without values, all rows null",
            batch_of(Arc::new(empty)),
            &[],
        ),
        case_of(
            "dictionary-shared",
            "one dictionary with a null and a repeated value behind two columns",
            batch(vec![("a", shared.clone()), ("b", shared)]),
            &[(2, 3), (6, 0)],
        ),
        case_of(
            "dictionary-nested",
            "a dictionary whose values hold a dictionary",
            batch_of(Arc::new(nested)),
            &[(1, 3)],
        ),
    ]
}

fn option_cases() -> Vec<Case> {
    // Views, list views and runs came after metadata V4; two of the intervals cannot be looked at from Python.
    let newer =
        ["intervals", "views", "list-views", "run-ends", "nested", "dictionary-inside", "dictionary-values"];
    let old = families().into_iter().filter(|(name, ..)| !newer.contains(name));
    let fields = old.flat_map(|(_, _, fields)| fields.into_iter().take(2));
    let schema = schema(fields.enumerate().map(|(k, field)| field.with_name(format!("c{k}"))));
    let mut maker = Seeded::new(20_300, 3);
    let whole = maker.batch(&schema, 7);
    let batches = vec![whole.clone(), whole.slice(2, 4)];
    let options = |alignment, is_legacy, version| {
        IpcWriteOptions::try_new(alignment, is_legacy, version).expect("the options go together")
    };
    let deep = (0..12).fold(DataType::Int8, |inner, _| list(inner));
    let deep = Arc::new(Schema::new(vec![field("deep", deep)]));
    vec![
        Case::new(
            "alignment-8",
            "buffers and the file's magic padded to 8 instead of 64",
            &schema,
            batches.clone(),
        )
        .with_options(options(8, false, MetadataVersion::V5)),
        Case::new("metadata-v4", "metadata V4: unions carry a validity buffer", &schema, batches.clone())
            .with_options(options(64, false, MetadataVersion::V4)),
        Case::new(
            "legacy-framing",
            "metadata V4, messages without the continuation marker",
            &schema,
            batches,
        )
        .with_options(options(8, true, MetadataVersion::V4)),
        Case::new("deep", "lists nested 12 deep", &deep, vec![Seeded::new(20_301, 5).batch(&deep, 2)]),
    ]
}
