//! Reads a type from its name and parameters.

use arrow_schema::{
    DataType, Field, IndexType, IntervalUnit, KeyOrder, MapType, RunEndEncodedType, TimeUnit, UnionMode,
    UnionType,
};

use super::{
    error::{Result, SchemaJsonErrorKind as Kind},
    json::{JsonValue, ObjectMembers},
};

/// Reads the type in `json`. `children` are the fields of its children.
pub(super) fn read_type(json: JsonValue<'_>, children: Vec<Field>) -> Result<DataType> {
    let object = json.object()?;
    let name = object.read("name", JsonValue::string)?;
    Ok(match name.as_str() {
        "list" => DataType::list(only_child(&name, children)?),
        "largelist" => DataType::large_list(only_child(&name, children)?),
        "listview" => DataType::list_view(only_child(&name, children)?),
        "largelistview" => DataType::large_list_view(only_child(&name, children)?),
        "fixedsizelist" => {
            DataType::fixed_size_list(only_child(&name, children)?, unsigned(&object, "listSize")?)?
        }
        "struct" => DataType::struct_(children),
        "map" => {
            let order = if object.read("keysSorted", JsonValue::boolean)? {
                KeyOrder::Sorted
            } else {
                KeyOrder::Unsorted
            };
            MapType::try_new(only_child(&name, children)?, order)?.into()
        }
        "union" => union(&object, children)?,
        "runendencoded" => {
            let [run_ends, values] = exactly(&name, children)?;
            RunEndEncodedType::try_new(run_ends, values)?.into()
        }
        flat => {
            let data_type = flat_type(flat, &object)?;
            let [] = exactly(data_type.name(), children)?;
            data_type
        }
    })
}

fn flat_type(name: &str, object: &ObjectMembers<'_>) -> Result<DataType> {
    Ok(match name {
        "null" => DataType::Null,
        "bool" => DataType::Boolean,
        "int" => DataType::from(integer(object)?),
        "floatingpoint" => choice(
            object,
            "precision",
            &[("HALF", DataType::Float16), ("SINGLE", DataType::Float32), ("DOUBLE", DataType::Float64)],
        )?,
        "decimal" => decimal(object, object.read_if_there("bitWidth", width)?.unwrap_or(128))?,
        // One implementation uses this name and omits the width.
        "decimal32" => decimal(object, 32)?,
        "decimal64" => decimal(object, 64)?,
        "decimal128" => decimal(object, 128)?,
        "decimal256" => decimal(object, 256)?,
        "date" => choice(object, "unit", &[("DAY", DataType::Date32), ("MILLISECOND", DataType::Date64)])?,
        "time" => time(object)?,
        "timestamp" => {
            let zone = object.read_if_there("timezone", |zone| {
                if zone.is_null() { Ok(None) } else { zone.string().map(Some) }
            })?;
            DataType::Timestamp(unit(object)?, zone.flatten().map(Into::into))
        }
        "duration" => DataType::Duration(unit(object)?),
        "interval" => DataType::Interval(choice(
            object,
            "unit",
            &[
                ("YEAR_MONTH", IntervalUnit::YearMonth),
                ("DAY_TIME", IntervalUnit::DayTime),
                ("MONTH_DAY_NANO", IntervalUnit::MonthDayNano),
            ],
        )?),
        "utf8" => DataType::Utf8,
        "largeutf8" => DataType::LargeUtf8,
        "utf8view" => DataType::Utf8View,
        "binary" => DataType::Binary,
        "largebinary" => DataType::LargeBinary,
        "binaryview" => DataType::BinaryView,
        "fixedsizebinary" => DataType::fixed_size_binary(unsigned(object, "byteWidth")?)?,
        _ => return Err(Kind::UnknownName { what: "type", name: name.to_owned() }.into()),
    })
}

/// Reads the index type of a dictionary.
pub(super) fn index_type(json: JsonValue<'_>) -> Result<IndexType> {
    let object = json.object()?;
    match object.read("name", JsonValue::string)?.as_str() {
        "int" => integer(&object),
        _ => Err(json.expected("an integer type")),
    }
}

/// Reads an integer type, which may also be an index type.
fn integer(object: &ObjectMembers<'_>) -> Result<IndexType> {
    let is_signed = object.read("isSigned", JsonValue::boolean)?;
    let n_bits = object.read("bitWidth", width)?;
    let found = IndexType::ALL.into_iter().find(|it| it.is_signed() == is_signed && it.n_bits() == n_bits);
    found.ok_or_else(|| Kind::Width { what: "an integer", n_bits }.into())
}

fn decimal(object: &ObjectMembers<'_>, n_bits: u32) -> Result<DataType> {
    let precision = object.read("precision", |json| json.number("a precision"))?;
    let scale = object.read("scale", |json| json.number("a scale"))?;
    Ok(match n_bits {
        32 => DataType::decimal32(precision, scale)?,
        64 => DataType::decimal64(precision, scale)?,
        128 => DataType::decimal128(precision, scale)?,
        256 => DataType::decimal256(precision, scale)?,
        _ => return Err(Kind::Width { what: "a decimal", n_bits }.into()),
    })
}

fn time(object: &ObjectMembers<'_>) -> Result<DataType> {
    let unit = unit(object)?;
    let expected = if unit <= TimeUnit::Millisecond { 32 } else { 64 };
    match object.read_if_there("bitWidth", width)? {
        Some(n_bits) if n_bits != expected => Err(Kind::Width { what: "a time of this unit", n_bits }.into()),
        Some(_) | None => Ok(DataType::time(unit)),
    }
}

fn union(object: &ObjectMembers<'_>, children: Vec<Field>) -> Result<DataType> {
    let mode = choice(object, "mode", &[("SPARSE", UnionMode::Sparse), ("DENSE", UnionMode::Dense)])?;
    let type_ids = object.read_all("typeIds", |id| id.number::<i8>("a type id"))?;
    Ok(UnionType::try_new(children, Some(&type_ids), mode)?.into())
}

fn unit(object: &ObjectMembers<'_>) -> Result<TimeUnit> {
    let units = [
        ("SECOND", TimeUnit::Second),
        ("MILLISECOND", TimeUnit::Millisecond),
        ("MICROSECOND", TimeUnit::Microsecond),
        ("NANOSECOND", TimeUnit::Nanosecond),
    ];
    choice(object, "unit", &units)
}

fn choice<T: Clone>(object: &ObjectMembers<'_>, member: &'static str, choices: &[(&str, T)]) -> Result<T> {
    object.read(member, |json| {
        let name = json.string()?;
        let found = choices.iter().find(|(known, _)| *known == name).map(|(_, value)| value.clone());
        found.ok_or_else(|| Kind::UnknownName { what: member, name }.into())
    })
}

fn width(json: JsonValue<'_>) -> Result<u32> {
    json.number("a number of bits")
}

fn unsigned(object: &ObjectMembers<'_>, member: &'static str) -> Result<u32> {
    object.read(member, |json| json.number("a size"))
}

fn only_child(name: &str, children: Vec<Field>) -> Result<Field> {
    exactly(name, children).map(|[child]| child)
}

fn exactly<const N: usize>(name: &str, children: Vec<Field>) -> Result<[Field; N]> {
    children.try_into().map_err(|children: Vec<Field>| {
        let name = name.to_owned();
        let found = children.len();
        Kind::ChildCount { name, expected: N, found }.into()
    })
}
