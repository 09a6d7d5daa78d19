//! `hive_types`: the types of columns that are names of folders, by the names that DuckDB has for them.

use arrow_schema::DataType;

use crate::capi::Value;

/// Names of DuckDB, and the types of Arrow that it reads as them.
const NAMES: [(&str, &str); 33] = [
    ("bigint", "int64"),
    ("int8", "int64"),
    ("long", "int64"),
    ("integer", "int32"),
    ("int", "int32"),
    ("int4", "int32"),
    ("signed", "int32"),
    ("smallint", "int16"),
    ("int2", "int16"),
    ("short", "int16"),
    ("tinyint", "int8"),
    ("int1", "int8"),
    ("ubigint", "uint64"),
    ("uinteger", "uint32"),
    ("usmallint", "uint16"),
    ("utinyint", "uint8"),
    ("varchar", "utf8"),
    ("text", "utf8"),
    ("string", "utf8"),
    ("char", "utf8"),
    ("bpchar", "utf8"),
    ("boolean", "bool"),
    ("bool", "bool"),
    ("logical", "bool"),
    ("double", "float64"),
    ("float8", "float64"),
    ("float", "float32"),
    ("float4", "float32"),
    ("real", "float32"),
    ("date", "date32"),
    ("time", "time64(us)"),
    ("timestamp", "timestamp(us)"),
    ("datetime", "timestamp(us)"),
];

/// The types that a struct or a map has for some columns.
///
/// # Errors
/// The text of an error in the argument.
pub(crate) fn given(types: &Value) -> Result<Vec<(String, DataType)>, String> {
    let entries = types.named_texts().ok_or("hive_types is a struct, such as {'day': DATE}")?;
    let given = |(name, text): (String, String)| -> Result<_, String> {
        let lower = text.to_lowercase();
        let known = NAMES.iter().find_map(|(own, arrow)| (*own == lower).then_some(*arrow));
        let data_type = known.unwrap_or(&text).parse::<DataType>();
        Ok((name, data_type.map_err(|error| format!("hive_types: {error}"))?))
    };
    entries.into_iter().map(given).collect()
}
