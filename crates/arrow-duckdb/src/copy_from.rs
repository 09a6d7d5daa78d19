//! `COPY … FROM` a file or stream: like `read_arrow`, with the number and types of the columns of a table.

use arrow_ipc_dataset::Dataset;
use arrow_schema::{DataType, Field, QuotedText, Schema};

use crate::{
    bind::Call,
    capi::{LogicalType, TableBind, c_text, converting_connection},
    folders::quoted,
};

/// # Errors
/// The text of an error in the options or the files, or of types that differ.
pub(crate) fn bind(call: &mut TableBind) -> Result<(), String> {
    let expected = call.expected_columns();
    let arguments = Call::new(call)?;
    let all = arguments.open(call, Vec::new())?;
    let path = call.argument(0).map(|path| path.to_text()).unwrap_or_default();
    let advice = format!("INSERT INTO … FROM {} casts and selects columns as DuckDB does", quoted(&path));
    let casts = casts(&all, &expected).map_err(|error| format!("{error}. {advice}"))?;
    let all = if casts.is_empty() { all } else { arguments.open(call, casts)? };
    let (bound, types) = arguments.bound(call, all)?;
    for ((name, expected), found) in expected.iter().zip(&types) {
        if !found.is_same(expected) {
            let name = QuotedText(name);
            return Err(format!(
                "column {name}: its type in the table is not the one of the files. {advice}"
            ));
        }
    }
    call.store(bound);
    Ok(())
}

/// The types of columns of files that differ from those of the table.
fn casts(all: &Dataset, expected: &[(String, LogicalType)]) -> Result<Vec<(String, DataType)>, String> {
    let schema = all.schema();
    let (n_found, n_expected) = (schema.fields().len(), expected.len());
    if n_found != n_expected {
        let names = |fields: &[Field]| {
            fields
                .iter()
                .map(|field| QuotedText(field.name()).to_string())
                .collect::<Vec<String>>()
                .join(", ")
        };
        return Err(format!(
            "the files have {n_found} columns ({}), and the table has {n_expected}: columns are those of the table in order",
            names(schema.fields())
        ));
    }
    let fields = arrow_types(expected)?;
    let pairs = schema.fields().iter().zip(fields.fields());
    let differing = pairs.filter(|(own, needed)| own.data_type() != needed.data_type());
    // DuckDB passes enums on as dictionaries, whose values a cast does not know.
    let castable = differing.filter(|(_, needed)| needed.data_type().value_type() == needed.data_type());
    Ok(castable.map(|(own, needed)| (own.name().to_owned(), needed.data_type().clone())).collect())
}

/// The types of Arrow that DuckDB has for columns.
fn arrow_types(columns: &[(String, LogicalType)]) -> Result<Schema, String> {
    let options = converting_connection()?.into_arrow_options().ok_or("no options of Arrow")?;
    let columns: Vec<_> = columns.iter().map(|(name, column)| (c_text(name), column)).collect();
    options.schema(&columns)?.to_schema().map_err(|error| error.to_string())
}
