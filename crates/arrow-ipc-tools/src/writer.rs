//! Which program wrote a schema, as far as its metadata shows.

use arrow_schema::{Metadata, Schema};

/// Keys that only one program writes into the metadata of schemas.
const OF_SCHEMAS: [(&str, &str); 4] = [
    ("pandas", "pandas, through pyarrow"),
    ("r", "the arrow package of R"),
    ("huggingface", "datasets of Hugging Face"),
    ("geo", "a GeoArrow writer"),
];

/// Beginnings of keys that only one program writes into the metadata of fields.
const OF_FIELDS: [(&str, &str); 1] = [("_PL_", "polars")];

/// The program that the metadata of a schema or its fields names; `None` for most programs, which write no name. A
/// program that rewrites a file may keep the metadata, so the name may be that of an earlier writer.
///
/// ```
/// use arrow_ipc_tools::writer_of;
/// use arrow_schema::{Metadata, Schema};
///
/// let schema: Schema = "id: int64".parse()?;
/// assert_eq!(writer_of(&schema), None);
/// let schema = schema.with_metadata(Metadata::from_iter([("pandas", "{}")]));
/// assert_eq!(writer_of(&schema), Some("pandas, through pyarrow"));
/// # Ok::<(), arrow_schema::ParseError>(())
/// ```
pub fn writer_of(schema: &Schema) -> Option<&'static str> {
    let of_schema = OF_SCHEMAS.iter().find(|(key, _)| schema.metadata().get(key).is_some());
    let has_key = |metadata: &Metadata, start| {
        metadata.iter().any(|(key, _)| key.is_some_and(|key| key.starts_with(start)))
    };
    let of_fields = || {
        let mut fields = schema.fields_in_pre_order();
        fields.find_map(|field| OF_FIELDS.iter().find(|(start, _)| has_key(field.metadata(), start)))
    };
    of_schema.or_else(of_fields).map(|(_, writer)| *writer)
}
