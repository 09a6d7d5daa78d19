//! Finds the program that wrote a schema.

use arrow_schema::{Metadata, Schema};

use super::explanation::Explanation;

/// Metadata keys of schemas that only one program writes, and the name of this program.
const OF_SCHEMAS: [(&str, &str); 4] = [
    ("pandas", "pandas, through pyarrow"),
    ("r", "the arrow package of R"),
    ("huggingface", "datasets of Hugging Face"),
    ("geo", "a GeoArrow writer"),
];

/// Prefixes of metadata keys of fields that only one program writes, and the name of this program.
const OF_FIELDS: [(&str, &str); 1] = [("_PL_", "polars")];

impl Explanation {
    /// The program that wrote a schema, according to keys in its metadata; `None` for most files, which have no such
    /// keys. A program that rewrites a file may copy the metadata, so the name may belong to an earlier writer.
    ///
    /// ```
    /// use arrow_ipc_report::explain::Explanation;
    /// use arrow_schema::{Metadata, Schema};
    ///
    /// let schema: Schema = "id: int64".parse()?;
    /// assert_eq!(Explanation::writer_of(&schema), None);
    /// let schema = schema.with_metadata(Metadata::from_iter([("pandas", "{}")]));
    /// assert_eq!(Explanation::writer_of(&schema), Some("pandas, through pyarrow"));
    /// # Ok::<(), arrow_schema::ParseError>(())
    /// ```
    pub fn writer_of(schema: &Schema) -> Option<&'static str> {
        let by_metadata = OF_SCHEMAS.iter().find(|(key, _)| schema.metadata().get(key).is_some());
        let has_key = |metadata: &Metadata, start| {
            metadata.iter().any(|(key, _)| key.is_some_and(|key| key.starts_with(start)))
        };
        let by_fields = || {
            let mut fields = schema.fields_in_pre_order();
            fields.find_map(|field| OF_FIELDS.iter().find(|(start, _)| has_key(field.metadata(), start)))
        };
        by_metadata.or_else(by_fields).map(|(_, writer)| *writer)
    }
}
