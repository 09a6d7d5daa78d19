//! `docs/TYPES.md`: for every type, the typed array and the builder, and one value in all text forms.
//!
//! The page is the expected output. It cannot be a snapshot file of `insta`, which begins with a header. `INSTA_UPDATE=always`
//! updates it like a snapshot.

use std::{any::type_name, collections::BTreeSet, fmt::Write, fs, path::PathBuf};

use arrow_array::{AnyArray, AnyBuilder, Array, with_array};
use arrow_data::RecordBatch;
use arrow_schema::{DataType, Field, Schema};
use arrow_text::{BatchTable, CsvReader, CsvRows, JsonReader, JsonRows};
use testing_support::{all_types, values};

/// A type in its text form, and a value of the type in JSON.
const CASES: [(&str, &str); 43] = [
    ("null", "null"),
    ("bool", "true"),
    ("int8", "-128"),
    ("int16", "-32768"),
    ("int32", "-2147483648"),
    ("int64", "-9223372036854775808"),
    ("uint8", "255"),
    ("uint16", "65535"),
    ("uint32", "4294967295"),
    ("uint64", "18446744073709551615"),
    ("float16", "0.1"),
    ("float32", "16777216.0"),
    ("float64", "\"NaN\""),
    ("decimal32(9, 2)", "\"1234567.89\""),
    ("decimal64(18, -2)", "\"500\""),
    ("decimal128(38, 10)", "\"-0.0000000001\""),
    ("decimal256(76, 0)", "\"123456789012345678901234567890123456789012345678901234567890\""),
    ("date32", "\"2024-02-29\""),
    ("date64", "\"1969-12-31\""),
    ("time32(ms)", "\"12:34:56.789\""),
    ("time64(ns)", "\"23:59:59.999999999\""),
    ("timestamp(us, \"UTC\")", "\"2023-11-14T22:13:20.000001Z\""),
    ("duration(s)", "1500"),
    ("interval(year_month)", "{\"months\":14}"),
    ("interval(day_time)", "{\"days\":1,\"milliseconds\":-500}"),
    ("interval(month_day_nano)", "{\"months\":1,\"days\":-2,\"nanoseconds\":3}"),
    ("fixed_size_binary(3)", "\"00ff7f\""),
    ("binary", "\"00ff\""),
    ("large_binary", "\"\""),
    ("binary_view", "\"000102030405060708090a0b0c0d\""),
    ("utf8", "\"grüße\""),
    ("large_utf8", "\"\""),
    ("utf8_view", "\"more than twelve bytes\""),
    ("list<item: int64>", "[1,null,3]"),
    ("large_list<item: utf8>", "[\"a,b\",\"c\"]"),
    ("list_view<item: bool>", "[true,false]"),
    ("large_list_view<item: int8>", "[]"),
    ("fixed_size_list<item: float64; 2>", "[0.5,-0.0]"),
    ("struct<x: float64, y: utf8>", "{\"x\":1.0,\"y\":null}"),
    ("map<entries: struct<key: utf8 not null, value: int32> not null>", "[[\"a\",1],[\"b\",null]]"),
    ("dense_union<0=number: int32, 1=text: utf8>", "{\"text\":\"seven\"}"),
    ("dictionary<int32, utf8>", "\"red\""),
    ("run_end_encoded<run_ends: int32 not null, values: float64>", "2.5"),
];

const HEADER: &str = "\
# Types

For people who use typed arrays, JSON or CSV: which array and builder each type has, which value iteration gives for a slot
that is not null, and what one value looks like in a table, in JSON and in CSV. JSON and CSV are read back as the same value.
[NOTATION.md](../crates/arrow-text/NOTATION.md) has the rules. The test `crates/arrow-text/tests/it/types_table.rs` compares
this page with what the code does.

Types of the same name with other parameters are in the same row: all units, widths, time zones, scales, types of indices
and of run ends, sparse and dense unions.

Columns of the extension types `arrow.uuid` and `arrow.bool8` are printed and read as UUIDs with hyphens and as `true` and
`false`: see [NOTATION.md](../crates/arrow-text/NOTATION.md#values).

Builders of types without parameters are made with `new()`. Those of numbers that have a parameter, such as a unit or a
scale, take the type: `TimestampBuilder::try_new(data_type)`; so does `AnyBuilder::new(&data_type)`, which builds any.
`FixedSizeBinaryBuilder::try_new(n_bytes)` takes the length of values. Builders of nested types take those of their
children: `ListBuilder::new(items)`, and the same for all lists with offsets; `FixedSizeListBuilder::try_new(items, n_items)`;
`MapBuilder::new(keys, values)`; `StructBuilder::new(columns)` and `UnionBuilder::try_new(mode, children)`, where columns and
children are tuples of pairs of a name and a builder; `DictionaryBuilder::try_new(index, values)`;
`RunEndEncodedBuilder::new(run_end_type, values)`.

| type | typed array | builder | iteration gives | printed | JSON, out and in | CSV, out and in |
|---|---|---|---|---|---|---|
";

const FAMILIES: &str = "
## Families

What methods of `DataType` say of each type: the bits that a slot takes (`bit_width`; `byte_width` if they are whole bytes),
and the names of those that are true. Types with a bit width are those for which `is_fixed_width` is true.

| type | bit width | is |
|---|--:|---|
";

type Method = fn(&DataType) -> bool;

/// Methods that are true for a group of types, in the order of the page.
const METHODS: [(&str, Method); 18] = [
    ("is_integer", DataType::is_integer),
    ("is_signed_integer", DataType::is_signed_integer),
    ("is_unsigned_integer", DataType::is_unsigned_integer),
    ("is_floating_point", DataType::is_floating_point),
    ("is_decimal", DataType::is_decimal),
    ("is_numeric", DataType::is_numeric),
    ("is_temporal", DataType::is_temporal),
    ("is_binary", DataType::is_binary),
    ("is_text", DataType::is_text),
    ("is_binary_like", DataType::is_binary_like),
    ("is_list", DataType::is_list),
    ("is_map", DataType::is_map),
    ("is_list_like", DataType::is_list_like),
    ("is_struct", DataType::is_struct),
    ("is_union", DataType::is_union),
    ("is_dictionary", DataType::is_dictionary),
    ("is_run_end_encoded", DataType::is_run_end_encoded),
    ("is_nested", DataType::is_nested),
];

#[test]
fn every_type_has_every_way_in_and_out() {
    let mut table = HEADER.to_owned();
    for (text, json) in CASES {
        let row = row(text, json);
        assert!(row.iter().all(|cell| !cell.is_empty()), "{row:?}");
        writeln!(table, "| {} |", row.join(" | ")).expect("memory takes all");
    }
    table += FAMILIES;
    for (text, _) in CASES {
        writeln!(table, "| {} |", families(text).join(" | ")).expect("memory takes all");
    }
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs/TYPES.md");
    if std::env::var_os("INSTA_UPDATE").is_some_and(|how| how == "always") {
        fs::write(&path, &table).expect("the folder exists");
    }
    let written = fs::read_to_string(&path).expect("the file exists");
    assert!(
        written == table,
        "docs/TYPES.md differs from what the code does; INSTA_UPDATE=always updates it"
    );
}

#[test]
fn no_type_is_missing() {
    let parsed = CASES.map(|(text, _)| text.parse::<DataType>().expect(text));
    // Both modes of unions share a row, although their names differ.
    let name = |data_type: &DataType| data_type.name().replace("sparse_union", "dense_union");
    let listed: BTreeSet<String> = parsed.iter().map(name).collect();
    let all: BTreeSet<String> = all_types().iter().map(|(_, data_type)| name(data_type)).collect();
    assert_eq!(listed, all);
}

fn families(text: &str) -> [String; 3] {
    let data_type: DataType = text.parse().expect(text);
    let width = data_type.bit_width().map_or_else(String::new, |n_bits| n_bits.to_string());
    let is: Vec<String> =
        METHODS.iter().filter(|(_, method)| method(&data_type)).map(|(name, _)| code(name)).collect();
    [code(text), width, is.join(", ")]
}

fn row(text: &str, json: &str) -> Vec<String> {
    let data_type: DataType = text.parse().expect(text);
    let schema = Schema::new([Field::new("column", data_type.clone())]);
    let line = format!("{{\"column\":{json}}}\n");
    let batch = JsonReader::read_batch(&line, schema.clone()).expect(text);
    let column = &batch.columns()[0];

    let rows = JsonRows::try_new(&batch).expect(text);
    assert_eq!(rows.row(0).to_string(), line.trim_end(), "{text}");

    let csv = {
        let mut csv = Vec::new();
        CsvRows::try_new(&batch).expect(text).write_to(&mut csv).expect("memory takes all");
        String::from_utf8(csv).expect("it is text")
    };
    let mut from_csv = CsvReader::try_new(csv.as_bytes(), schema).expect(text);
    let from_csv: RecordBatch = from_csv.next().expect("a row").expect(text);
    assert_eq!(values(&from_csv.columns()[0]), values(column), "{text}");
    let cell = csv.strip_prefix("column\n").expect("the header").trim_end_matches('\n');

    let printed = BatchTable::try_new(&batch).expect(text).to_string();
    let printed = printed.lines().next_back().expect("a row").trim().to_owned();

    let array = AnyArray::try_new(column).expect(text);
    let item = with_array!(&array, array => item_name(array));
    let builder = format!("{:?}", AnyBuilder::new(&data_type));
    let variant = builder.split(' ').next().unwrap_or_default();
    let debug = if printed.is_empty() { "*(blank)*".to_owned() } else { code(&printed) };
    vec![
        code(text),
        code(&format!("{variant}Array")),
        code(&format!("{variant}Builder")),
        code(&item),
        debug,
        code(json),
        if cell.is_empty() { "*(empty)*".to_owned() } else { code(cell) },
    ]
}

/// The text as code in a table cell, where vertical bars are escaped.
fn code(text: &str) -> String {
    format!("`{}`", text.replace('|', "\\|"))
}

fn item_name<A: Array>(_: &A) -> String {
    let name = type_name::<A::Item<'static>>();
    // Removes module paths from the name.
    let words = name.split_inclusive(|c: char| !(c.is_alphanumeric() || c == '_' || c == ':'));
    words.map(|word| word.rsplit("::").next().unwrap_or(word)).collect()
}
