//! The families of types: each a list of fields.

use rs_schema::{DataType, Field, IntervalUnit, Schema, SchemaRef, TimeUnit, UnionFields, UnionMode};
use std::mem::Discriminant;
use std::sync::Arc;

const UNITS: [TimeUnit; 4] =
    [TimeUnit::Second, TimeUnit::Millisecond, TimeUnit::Microsecond, TimeUnit::Nanosecond];

type Family = (&'static str, &'static str, Vec<Field>);

pub(super) fn families() -> Vec<Family> {
    use DataType::*;
    let integers = [Int8, Int16, Int32, Int64, UInt8, UInt16, UInt32, UInt64];
    let item_types = [Int8, Utf8, Boolean, point(), list(Int64)];
    let runs = |run_ends, values| {
        RunEndEncoded(
            Field::new("run_ends", run_ends, false).into(),
            Field::new("values", values, true).into(),
        )
    };
    let children = || vec![field("number", Int32), field("text", Utf8), field("list", list(Int8))];
    let union = |ids: &[i8], children: Vec<Field>, mode| {
        Union(UnionFields::try_new(ids.iter().copied(), children).expect("the ids are unique"), mode)
    };
    let dictionary_fields = integers.iter().enumerate().map(|(k, index)| {
        field(format!("c{k}"), dictionary(index.clone(), Utf8)).with_dict_is_ordered(k % 2 == 1)
    });
    let dictionary_values = [
        Int8,
        Float64,
        Decimal128(20, 3),
        Boolean,
        Utf8View,
        LargeBinary,
        FixedSizeBinary(3),
        list(Utf8),
        point(),
        FixedSizeList(item(Int8), 2),
        map(Utf8, Int8, false),
        Timestamp(TimeUnit::Millisecond, Some("UTC".into())),
    ];
    vec![
        (
            "null-bool",
            "nulls and booleans",
            vec![field("nothing", Null), field("maybe", Boolean), required("sure", Boolean)],
        ),
        ("integers", "integers of every width", numbered("c", integers.clone())),
        ("floats", "floats of every width", numbered("c", [Float16, Float32, Float64])),
        (
            "decimals",
            "decimals of every width, scales negative and as wide as the precision",
            numbered(
                "d",
                [
                    Decimal32(9, 2),
                    Decimal32(1, 0),
                    Decimal64(18, -3),
                    Decimal64(18, 18),
                    Decimal128(38, 10),
                    Decimal128(38, 38),
                    Decimal128(5, -2),
                    Decimal256(76, 5),
                    Decimal256(40, 0),
                    Decimal256(76, -10),
                ],
            ),
        ),
        (
            "dates-times",
            "dates and times of every unit",
            numbered(
                "c",
                [Date32, Date64, Time32(UNITS[0]), Time32(UNITS[1]), Time64(UNITS[2]), Time64(UNITS[3])],
            ),
        ),
        (
            "timestamps",
            "timestamps of every unit, without and with a zone",
            [
                numbered("plain", UNITS.map(|unit| Timestamp(unit, None))),
                numbered("zone", UNITS.map(|unit| Timestamp(unit, Some("Asia/Kathmandu".into())))),
            ]
            .concat(),
        ),
        ("durations", "durations of every unit", numbered("c", UNITS.map(Duration))),
        (
            "intervals",
            "intervals of all three kinds",
            numbered(
                "c",
                [IntervalUnit::YearMonth, IntervalUnit::DayTime, IntervalUnit::MonthDayNano].map(Interval),
            ),
        ),
        (
            "binary-text",
            "binary and text with 32- and 64-bit offsets",
            [numbered("c", [Binary, LargeBinary, Utf8, LargeUtf8]), vec![required("required", Utf8)]]
                .concat(),
        ),
        (
            "views",
            "binary and text views in several data buffers",
            numbered("c", [BinaryView, Utf8View, list(Utf8View)]),
        ),
        (
            "fixed-size",
            "binary and lists of fixed size",
            numbered(
                "c",
                [
                    FixedSizeBinary(16),
                    FixedSizeBinary(1),
                    FixedSizeList(item(Int16), 3),
                    FixedSizeList(item(Utf8), 1),
                    FixedSizeList(item(FixedSizeList(item(Boolean), 2)), 2),
                    FixedSizeList(required("item", Int32).into(), 2),
                ],
            ),
        ),
        (
            "lists",
            "lists with 32- and 64-bit offsets",
            [
                numbered("list", item_types.clone().map(list)),
                numbered("large", item_types.clone().map(|t| LargeList(item(t)))),
                vec![field("named", List(required("element", Int32).into()))],
            ]
            .concat(),
        ),
        (
            "list-views",
            "list views that overlap and run backwards",
            [
                numbered("view", item_types.clone().map(|t| ListView(item(t)))),
                numbered("large", item_types.map(|t| LargeListView(item(t)))),
            ]
            .concat(),
        ),
        (
            "structs",
            "structs, also without fields and with repeated names",
            vec![
                field("point", point()),
                field("none", structure(vec![])),
                field(
                    "nested",
                    structure(vec![field(
                        "a",
                        structure(vec![field("b", structure(vec![field("c", Int8)]))]),
                    )]),
                ),
                field("repeated", structure(vec![field("a", Int8), field("a", Utf8), field("", Boolean)])),
                required("required", structure(vec![required("a", Int8)])),
            ],
        ),
        (
            "maps",
            "maps",
            vec![
                field("plain", map(Utf8, Int32, false)),
                field("sorted", map(Int32, Utf8, true)),
                field("nested", map(Utf8, map(Int8, list(Utf8), false), false)),
                field("struct_key", map(point(), point(), false)),
            ],
        ),
        (
            "unions",
            "sparse and dense unions, with type ids of their own",
            vec![
                field("sparse", union(&[0, 1, 2], children(), UnionMode::Sparse)),
                field("dense", union(&[0, 1, 2], children(), UnionMode::Dense)),
                field("sparse_ids", union(&[5, 0, 127], children(), UnionMode::Sparse)),
                field("dense_ids", union(&[100, 7, 1], children(), UnionMode::Dense)),
                field("repeated", union(&[0, 1], vec![field("a", Int8), field("a", Utf8)], UnionMode::Dense)),
                field("list", list(union(&[0, 1, 2], children(), UnionMode::Dense))),
                field(
                    "nested",
                    union(
                        &[3, 4],
                        vec![field("u", union(&[0, 1, 2], children(), UnionMode::Sparse)), field("n", Null)],
                        UnionMode::Dense,
                    ),
                ),
            ],
        ),
        (
            "dictionary-indices",
            "dictionaries by indices of every type, every second one ordered",
            dictionary_fields.collect(),
        ),
        (
            "dictionary-values",
            "dictionaries of values of many types",
            numbered("d", dictionary_values.map(|values| dictionary(Int16, values))),
        ),
        (
            "dictionary-inside",
            "dictionaries inside other types",
            numbered(
                "c",
                [
                    list(dictionary(Int8, Utf8)),
                    structure(vec![field("d", dictionary(Int32, Utf8))]),
                    map(dictionary(Int32, Int64), dictionary(UInt8, Utf8), false),
                    FixedSizeList(item(dictionary(UInt32, Utf8)), 2),
                    LargeList(item(dictionary(Int16, Utf8))),
                    union(
                        &[0, 1],
                        vec![field("d", dictionary(Int64, Utf8)), field("i", Int8)],
                        UnionMode::Sparse,
                    ),
                    union(
                        &[0, 1],
                        vec![field("d", dictionary(Int64, Utf8)), field("i", Int8)],
                        UnionMode::Dense,
                    ),
                    runs(Int32, dictionary(UInt16, Utf8)),
                    ListView(item(dictionary(Int8, Utf8))),
                ],
            ),
        ),
        (
            "run-ends",
            "runs of every width, of values of many types",
            numbered(
                "c",
                [
                    runs(Int16, Utf8),
                    runs(Int32, Boolean),
                    runs(Int64, Float64),
                    runs(Int32, list(Int8)),
                    runs(Int16, point()),
                    list(runs(Int16, Int8)),
                    structure(vec![field("r", runs(Int32, Utf8))]),
                ],
            ),
        ),
        (
            "nested",
            "types nested in one another",
            numbered(
                "c",
                [
                    list(structure(vec![field(
                        "m",
                        map(Utf8, LargeList(item(FixedSizeList(item(point()), 2))), false),
                    )])),
                    structure(vec![field(
                        "u",
                        union(
                            &[0, 1],
                            vec![
                                field("l", ListView(item(Utf8View))),
                                field("d", dictionary(Int8, list(Int8))),
                            ],
                            UnionMode::Dense,
                        ),
                    )]),
                    LargeListView(item(union(
                        &[0, 1],
                        vec![
                            field("r", runs(Int16, point())),
                            field("f", FixedSizeList(item(Decimal256(50, 5)), 1)),
                        ],
                        UnionMode::Sparse,
                    ))),
                    list(list(list(list(Boolean)))),
                ],
            ),
        ),
    ]
}

/// The first column of each type in all families. Intervals have a family of their own and are left out: two of the
/// three cannot be looked at from Python, and would hide the rest.
pub(super) fn every_type_schema() -> SchemaRef {
    let mut seen: Vec<(Discriminant<DataType>, String)> = Vec::new();
    let mut fields = Vec::new();
    for (family, _, candidates) in families() {
        for candidate in candidates {
            let kind = match candidate.data_type() {
                DataType::Interval(_) => continue,
                // The two unions are one variant.
                DataType::Union(_, mode) => format!("{mode:?}"),
                _ => String::new(),
            };
            let key = (std::mem::discriminant(candidate.data_type()), kind);
            if !seen.contains(&key) {
                seen.push(key);
                let name = format!("{family}/{}", candidate.name());
                fields.push(candidate.with_name(name));
            }
        }
    }
    Arc::new(Schema::new(fields))
}

pub(super) fn field(name: impl Into<String>, data_type: DataType) -> Field {
    Field::new(name, data_type, true)
}

fn required(name: &str, data_type: DataType) -> Field {
    Field::new(name, data_type, false)
}

fn numbered<const N: usize>(prefix: &str, types: [DataType; N]) -> Vec<Field> {
    types.into_iter().enumerate().map(|(k, data_type)| field(format!("{prefix}{k}"), data_type)).collect()
}

pub(super) fn item(data_type: DataType) -> Arc<Field> {
    field("item", data_type).into()
}

pub(super) fn list(data_type: DataType) -> DataType {
    DataType::List(item(data_type))
}

pub(super) fn structure(fields: Vec<Field>) -> DataType {
    DataType::Struct(fields.into())
}

fn point() -> DataType {
    structure(vec![required("x", DataType::Int16), field("y", DataType::Utf8)])
}

pub(super) fn dictionary(index: DataType, values: DataType) -> DataType {
    DataType::Dictionary(Box::new(index), Box::new(values))
}

pub(super) fn runs(run_ends: DataType, values: DataType) -> DataType {
    DataType::RunEndEncoded(required("run_ends", run_ends).into(), field("values", values).into())
}

pub(super) fn map(key: DataType, value: DataType, sorted: bool) -> DataType {
    let entries = structure(vec![required("key", key), field("value", value)]);
    DataType::Map(required("entries", entries).into(), sorted)
}
