//! Every type of the format, with its relevant parameters.

use arrow_schema::{
    DataType, DictionaryOrder, DictionaryType, Field, IndexType, IntervalUnit, KeyOrder, MapType,
    RunEndEncodedType, RunEndType, Schema, Time32Unit, Time64Unit, TimeUnit, TypeError, UnionMode,
};

/// Every type of the format, by name: flat types with all their units and widths, extreme parameters, every kind of
/// nesting, dictionaries with every index type, and some nested combinations. Unions without children are left out, since
/// they have no values.
pub fn all_types() -> Vec<(String, DataType)> {
    let mut types = flat();
    types.extend(nested().expect("the parameters are legal"));
    types.extend(encoded().expect("the parameters are legal"));
    types.extend(deep().expect("the parameters are legal"));
    types
}

/// A schema with one nullable field for each type of [`all_types`].
pub fn schema_of_all_types() -> Schema {
    let fields: Vec<Field> =
        all_types().into_iter().map(|(name, data_type)| Field::new(name, data_type)).collect();
    Schema::new(fields)
}

fn flat() -> Vec<(String, DataType)> {
    let mut types = vec![
        DataType::Null,
        DataType::Boolean,
        DataType::Int8,
        DataType::Int16,
        DataType::Int32,
        DataType::Int64,
        DataType::UInt8,
        DataType::UInt16,
        DataType::UInt32,
        DataType::UInt64,
        DataType::Float16,
        DataType::Float32,
        DataType::Float64,
        DataType::Date32,
        DataType::Date64,
        DataType::Binary,
        DataType::LargeBinary,
        DataType::BinaryView,
        DataType::Utf8,
        DataType::LargeUtf8,
        DataType::Utf8View,
    ];
    let decimals = [
        DataType::decimal32(1, 0),
        DataType::decimal32(9, 2),
        DataType::decimal64(18, -3),
        DataType::decimal128(1, 5),
        DataType::decimal128(38, 10),
        DataType::decimal256(38, 0),
        DataType::decimal256(76, -76),
    ];
    types.extend(decimals.map(|decimal| decimal.expect("the precisions are legal")));
    types.extend([DataType::Time32(Time32Unit::Second), DataType::Time32(Time32Unit::Millisecond)]);
    types.extend([DataType::Time64(Time64Unit::Microsecond), DataType::Time64(Time64Unit::Nanosecond)]);
    for unit in [TimeUnit::Second, TimeUnit::Millisecond, TimeUnit::Microsecond, TimeUnit::Nanosecond] {
        types.extend([DataType::Timestamp(unit, None), DataType::Duration(unit)]);
    }
    types.push(DataType::timestamp_with_zone(TimeUnit::Microsecond, "Europe/Berlin"));
    types.push(DataType::timestamp_with_zone(TimeUnit::Second, ""));
    types.extend(
        [IntervalUnit::YearMonth, IntervalUnit::DayTime, IntervalUnit::MonthDayNano].map(DataType::Interval),
    );
    types.extend([0, 1, 3, 16].map(|width: u16| DataType::FixedSizeBinary(width.into())));
    types.into_iter().map(|data_type| (data_type.to_string(), data_type)).collect()
}

fn nested() -> Result<Vec<(String, DataType)>, TypeError> {
    let item = |data_type| Field::new("item", data_type);
    let union = |mode, ids: [i8; 3]| {
        let fields = [
            Field::new("number", DataType::Int32),
            Field::new("text", DataType::Utf8).required(),
            Field::new("flag", DataType::Boolean),
        ];
        DataType::union(mode, ids.into_iter().zip(fields))
    };
    let key = || Field::new("key", DataType::Utf8).required();
    let map =
        MapType::from_key_value(key(), Field::new("value", DataType::Int64).required(), KeyOrder::Sorted);
    Ok(named([
        ("list of int32", DataType::list(item(DataType::Int32))),
        ("list of required utf8", DataType::list(item(DataType::Utf8).required())),
        ("large list of boolean", DataType::large_list(item(DataType::Boolean))),
        ("list view of utf8", DataType::list_view(item(DataType::Utf8))),
        ("large list view of required int16", DataType::large_list_view(item(DataType::Int16).required())),
        ("fixed-size list of 3 int8", DataType::fixed_size_list(item(DataType::Int8), 3)?),
        (
            "fixed-size list of 2 required booleans",
            DataType::fixed_size_list(item(DataType::Boolean).required(), 2)?,
        ),
        ("fixed-size list of nothing", DataType::fixed_size_list(item(DataType::Int32), 0)?),
        ("struct of nothing", DataType::struct_([])),
        (
            "struct with repeated names",
            DataType::struct_([
                Field::new("a", DataType::Int32).required(),
                Field::new("a", DataType::Utf8),
                Field::new("", DataType::Boolean),
            ]),
        ),
        ("map", DataType::map(key(), Field::new("value", DataType::Utf8))),
        ("sorted map with odd names", map.into()),
        ("sparse union", union(UnionMode::Sparse, [0, 1, 2])?),
        ("sparse union with odd type ids", union(UnionMode::Sparse, [127, 5, 0])?),
        ("dense union", union(UnionMode::Dense, [0, 1, 2])?),
        ("dense union with odd type ids", union(UnionMode::Dense, [64, 3, 127])?),
    ]))
}

fn encoded() -> Result<Vec<(String, DataType)>, TypeError> {
    let mut types = Vec::new();
    for index in IndexType::ALL {
        types
            .push((format!("dictionary of utf8 with {index}"), DataType::dictionary(index, DataType::Utf8)?));
    }
    for value in [DataType::Int64, DataType::Boolean, DataType::BinaryView, DataType::Null] {
        let name = format!("dictionary of {value}");
        types.push((name, DataType::dictionary(IndexType::Int16, value)?));
    }
    let ordered =
        DictionaryType::try_new(IndexType::Int32, DataType::decimal128(38, 3)?, DictionaryOrder::Ordered)?;
    types.push(("ordered dictionary of decimal128".into(), ordered.into()));
    for run_end in [RunEndType::Int16, RunEndType::Int32, RunEndType::Int64] {
        types.push((
            format!("runs of int32 with {run_end}"),
            DataType::run_end_encoded(run_end, DataType::Int32),
        ));
    }
    types.push(("runs of utf8".into(), DataType::run_end_encoded(RunEndType::Int32, DataType::Utf8)));
    let required = RunEndEncodedType::try_new(
        Field::new("run_ends", DataType::Int32).required(),
        Field::new("values", DataType::Float64).required(),
    )?;
    types.push(("runs of required float64".into(), required.into()));
    Ok(types)
}

fn deep() -> Result<Vec<(String, DataType)>, TypeError> {
    let item = |data_type| Field::new("item", data_type);
    let words = || DataType::dictionary(IndexType::Int8, DataType::Utf8);
    let union = DataType::union(
        UnionMode::Dense,
        [
            (1, Field::new("list", DataType::list(item(DataType::Utf8View)))),
            (0, Field::new("words", words()?)),
            (9, Field::new("nothing", DataType::Null)),
        ],
    )?;
    let record = DataType::struct_([
        Field::new("id", DataType::UInt64).required(),
        Field::new("tags", DataType::list(item(words()?))),
        Field::new("shape", union.clone()),
    ]);
    Ok(named([
        ("list of lists", DataType::list(item(DataType::large_list(item(DataType::Float32))))),
        ("struct of structs", DataType::struct_([Field::new("inner", record.clone()).required()])),
        ("list of structs", DataType::list(item(record.clone()))),
        ("list view of dense unions", DataType::list_view(item(union.clone()))),
        (
            "map of structs",
            DataType::map(Field::new("key", words()?).required(), Field::new("value", record.clone())),
        ),
        ("dictionary of structs with dictionaries", DataType::dictionary(IndexType::UInt8, record)?),
        (
            "dictionary of lists",
            DataType::dictionary(IndexType::Int32, DataType::list(item(DataType::Int32)))?,
        ),
        ("runs of dictionaries", DataType::run_end_encoded(RunEndType::Int16, words()?)),
        ("runs of lists", DataType::run_end_encoded(RunEndType::Int64, DataType::list(item(DataType::Utf8)))),
        (
            "sparse union of nested types",
            DataType::union(
                UnionMode::Sparse,
                [
                    (0, Field::new("union", union)),
                    (2, Field::new("pairs", DataType::fixed_size_list(item(DataType::Utf8), 2)?)),
                    (4, Field::new("runs", DataType::run_end_encoded(RunEndType::Int32, DataType::Boolean))),
                ],
            )?,
        ),
        (
            "fixed-size list of structs",
            DataType::fixed_size_list(
                item(DataType::struct_([
                    Field::new("x", DataType::Float64).required(),
                    Field::new("y", words()?),
                ])),
                2,
            )?,
        ),
    ]))
}

fn named<const N: usize>(types: [(&str, DataType); N]) -> Vec<(String, DataType)> {
    types.into_iter().map(|(name, data_type)| (name.to_owned(), data_type)).collect()
}
