//! The cases of the public harness.

use super::{
    CaseSpec,
    fields::{DictionarySpec, FieldSpec, Kind, UNITS, field, int, map, owned, runs, text},
};

/// All cases, with the numbers of rows of the harness.
pub(super) fn cases() -> Vec<CaseSpec> {
    vec![
        case("primitive_no_batches", primitive(), &[]),
        case("primitive", primitive(), &[17, 20]),
        case("primitive_zerolength", primitive(), &[0, 0, 0]),
        case("binary_no_batches", binary(), &[]),
        case("binary", binary(), &[17, 20]),
        case("binary_zerolength", binary(), &[0, 0, 0]),
        case("large_binary", both([Kind::Bytes { n_bits: 64 }, Kind::Text { n_bits: 64 }]), &[17, 20]),
        case("null", null(), &[10, 0]),
        case("null_trivial", vec![field("f0", Kind::Null)], &[0, 0]),
        case("decimal", decimals(128, 3..=38, 2), &[7, 10]),
        case("decimal256", decimals(256, 37..=69, 5), &[7, 10]),
        case("decimal32", decimals(32, 3..=9, 2), &[7, 10]),
        case("decimal64", decimals(64, 3..=18, 2), &[7, 10]),
        case("datetime", datetime(), &[7, 10]),
        case("duration", numbered(UNITS.map(Kind::Duration)), &[7, 10]),
        case("interval", numbered(["YEAR_MONTH", "DAY_TIME"].map(Kind::Interval)), &[7, 10]),
        case("interval_mdn", numbered([Kind::Interval("MONTH_DAY_NANO")]), &[7, 10]),
        case("map", vec![map("map_nullable", ["entries", "key", "value"])], &[7, 10]),
        case(
            "map_non_canonical",
            vec![map("map_other_names", ["some_entries", "some_key", "some_value"])],
            &[7],
        ),
        case("nested", nested(), &[7, 10]),
        case("recursive_nested", recursive_nested(), &[7, 10]),
        case("nested_large_offsets", nested_large_offsets(), &[0, 13]),
        case("union", unions(), &[0, 11]),
        custom_metadata(),
        case("duplicate_fieldnames", duplicate_fieldnames(), &[1]),
        case("dictionary", dictionaries(|_| {}), &[7, 10]),
        case("dictionary_unsigned", dictionaries(|it| it.signed = false), &[7, 10]),
        case("nested_dictionary", nested_dictionary(), &[10, 13]),
        case("run_end_encoded", run_end_encoded(), &[0, 7, 20]),
        case("binary_view", views(), &[0, 7, 256]),
        case("list_view", list_views(), &[0, 7, 256]),
        case("extension", extensions(), &[0, 13]),
    ]
}

pub(super) fn case(name: &'static str, fields: Vec<FieldSpec>, n_rows: &[usize]) -> CaseSpec {
    CaseSpec { name, fields, metadata: Vec::new(), n_rows: n_rows.to_vec() }
}

/// A nullable field of each kind.
pub(super) fn numbered(kinds: impl IntoIterator<Item = Kind>) -> Vec<FieldSpec> {
    kinds.into_iter().enumerate().map(|(idx, kind)| field(&format!("f{idx}"), kind)).collect()
}

/// For each kind, a nullable field and a field that is not nullable.
fn both(kinds: impl IntoIterator<Item = Kind>) -> Vec<FieldSpec> {
    let fields = numbered(kinds).into_iter().flat_map(|nullable| {
        let name = format!("{}_nonnullable", nullable.name);
        [nullable.clone(), FieldSpec { name, nullable: false, ..nullable }]
    });
    fields.collect()
}

fn primitive() -> Vec<FieldSpec> {
    let ints = [8, 16, 32, 64]
        .into_iter()
        .flat_map(|n_bits| [true, false].map(|signed| Kind::Int { signed, n_bits }));
    both([Kind::Bool].into_iter().chain(ints).chain(["SINGLE", "DOUBLE"].map(Kind::Float)))
}

fn binary() -> Vec<FieldSpec> {
    let plain = [Kind::Bytes { n_bits: 32 }, Kind::Text { n_bits: 32 }];
    both(plain.into_iter().chain([19, 120].map(Kind::FixedBytes)))
}

fn null() -> Vec<FieldSpec> {
    let double = field("f3", Kind::Float("DOUBLE"));
    vec![field("f0", Kind::Null), int("f1", 32), field("f2", Kind::Null), double, field("f4", Kind::Null)]
}

fn decimals(n_bits: u32, precisions: std::ops::RangeInclusive<usize>, scale: i32) -> Vec<FieldSpec> {
    numbered(precisions.map(|precision| Kind::Decimal { n_bits, precision, scale }))
}

fn datetime() -> Vec<FieldSpec> {
    let zones = ["UTC", "America/New_York", "Asia/Kolkata", "+01:30", "Etc/GMT+12"];
    let kinds = [false, true].map(|wide| Kind::Date { wide }).into_iter();
    let kinds = kinds.chain(UNITS.map(Kind::Time)).chain(UNITS.map(|unit| Kind::Timestamp(unit, None)));
    let zoned = (0..).zip(zones).map(|(idx, zone): (usize, _)| Kind::Timestamp(UNITS[idx % 4], Some(zone)));
    numbered(kinds.chain(zoned))
}

fn nested() -> Vec<FieldSpec> {
    vec![
        field("list_nullable", Kind::List { n_bits: 32 }).with([int("item", 32)]),
        field("fixedsizelist_nullable", Kind::FixedList(4)).with([int("item", 32)]),
        field("struct_nullable", Kind::Struct).with([int("f1", 32), text("f2")]),
    ]
}

fn list(name: &str, item: FieldSpec) -> FieldSpec {
    field(name, Kind::List { n_bits: 32 }).with([item])
}

fn recursive_nested() -> Vec<FieldSpec> {
    let pair = field("item", Kind::Struct).with([int("f1", 16), int("f2", 32).required()]);
    vec![list("lists_list", list("inner_list", int("item", 16))), list("structs_list", pair)]
}

fn nested_large_offsets() -> Vec<FieldSpec> {
    let large = |name: &str, item| field(name, Kind::List { n_bits: 64 }).with([item]);
    vec![
        large("large_list_nullable", int("item", 32)),
        large("large_list_nonnullable", int("item", 32)).required(),
        large("large_list_nested", list("inner_list", int("item", 16))),
    ]
}

fn unions() -> Vec<FieldSpec> {
    let union = |name: &str, dense, ids| field(name, Kind::Union { dense, ids });
    let pair = || [int("f1", 32), text("f2")];
    vec![
        union("sparse_1", false, &[5, 7]).with(pair()).required(),
        union("sparse_2", false, &[42, 43, 44]).with([int("f1", 8), text("f2"), field("f3", Kind::Null)]),
        union("dense_1", true, &[10, 20]).with([int("f1", 16), field("f2", Kind::Bytes { n_bits: 32 })]),
        union("dense_2", true, &[42, 43, 44]).with([int("f1", 8), text("f2"), field("f3", Kind::Null)]),
    ]
}

fn custom_metadata() -> CaseSpec {
    let unregistered = [
        ("ARROW:extension:name", "!nonexistent"),
        ("ARROW:extension:metadata", ""),
        ("ARROW:integration:allow_unregistered_extension", "true"),
    ];
    let twice = [("key", "one"), ("key", "two"), ("", "no key"), ("no value", "")];
    let child = int("item", 32).noted(&[("child", "yes")]);
    let fields = vec![
        int("sort_of_pandas", 8).noted(&[("meta", "{\"a\": [1]}")]),
        int("lots_of_meta", 8).noted(&twice),
        int("unregistered_extension", 8).noted(&unregistered),
        list("list_with_odd_values", child),
    ];
    CaseSpec {
        metadata: owned(&[("schema", "ünïcode"), ("b", "2"), ("b", "1")]),
        ..case("custom_metadata", fields, &[1])
    }
}

fn duplicate_fieldnames() -> Vec<FieldSpec> {
    let unnamed = field("struct", Kind::Struct).with([int("", 32), text("")]);
    vec![int("ints", 8), int("ints", 32), unnamed]
}

fn dictionaries(change: fn(&mut DictionarySpec)) -> Vec<FieldSpec> {
    let encoded = |values: FieldSpec, id, n_bits| values.encoded(id, n_bits).with_dictionary(change);
    vec![
        encoded(text("dict0"), 0, 8),
        encoded(text("dict1"), 1, 32).required(),
        encoded(int("dict2", 64), 2, 16),
    ]
}

fn nested_dictionary() -> Vec<FieldSpec> {
    let words = |name: &str| text(name).encoded(0, 8);
    vec![
        list("list_of_words", words("item")).encoded(1, 16),
        field("pairs", Kind::Struct).with([words("a"), int("b", 64).encoded(2, 16)]).encoded(3, 32),
        words("words"),
    ]
}

fn run_end_encoded() -> Vec<FieldSpec> {
    vec![
        runs("ree16", 16, int("values", 32)),
        runs("ree32", 32, text("values")),
        runs("ree64", 64, field("values", Kind::Float("SINGLE"))),
        runs("flags", 32, field("values", Kind::Bool)),
        field("bool", Kind::Bool),
    ]
}

fn views() -> Vec<FieldSpec> {
    let kinds =
        [true, false].into_iter().flat_map(|long| [true, false].map(|text| Kind::View { text, long }));
    numbered(kinds)
}

fn list_views() -> Vec<FieldSpec> {
    let lists = numbered([32, 64].map(|n_bits| Kind::ListView { n_bits }));
    lists.into_iter().map(|list| list.with([field("item", Kind::Float("SINGLE"))])).collect()
}

fn extensions() -> Vec<FieldSpec> {
    let noted = |name, metadata| [("ARROW:extension:name", name), ("ARROW:extension:metadata", metadata)];
    vec![
        field("uuids", Kind::FixedBytes(16)).noted(&noted("arrow.uuid", "")),
        text("dict_exts").encoded(0, 8).noted(&noted("dict-extension", "dict-extension-serialized")),
    ]
}
