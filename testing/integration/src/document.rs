//! A document: a schema and batches, read from JSON and written as JSON.

use std::sync::Arc;

use arrow_data::{RecordBatch, Validation};
use arrow_ipc::IpcSchema;
use arrow_schema::Schema;

use crate::{
    error::{DocumentErrorKind as Kind, Result},
    json::Json,
    read::ColumnReader,
    schema::{Node, read_schema, tree},
    write::write_document,
};

/// A schema with the ids of its dictionaries, and batches whose content is valid.
///
/// ```
/// use integration::Document;
///
/// let text = r#"{
///     "schema": {"fields": [
///         {"name": "id", "nullable": true, "type": {"name": "int", "isSigned": true, "bitWidth": 64}, "children": []}
///     ]},
///     "batches": [
///         {"count": 2, "columns": [{"name": "id", "count": 2, "VALIDITY": [1, 0], "DATA": ["7", "0"]}]}
///     ]
/// }"#;
/// let document = Document::parse(text)?;
/// assert_eq!(document.schema().to_string(), "id: int64");
/// assert_eq!(document.batches()[0].column_at(0).map(|ids| ids.null_count()), Some(1));
///
/// let error = Document::parse(&text.replace("\"7\"", "\"x\"")).unwrap_err();
/// let place = "batches[0].columns[0].DATA[0]: expected an int64 in a string, found \"x\"";
/// assert_eq!(error.to_string(), place);
/// # Ok::<(), integration::DocumentError>(())
/// ```
#[derive(Debug)]
pub struct Document {
    schema: IpcSchema,
    batches: Vec<RecordBatch>,
}

impl Document {
    /// Reads a document. Children are identified by their positions. Members that the format does not have are ignored,
    /// and so are the values of null slots. Batches share the dictionaries of the document.
    ///
    /// # Errors
    /// If the text is not JSON, if it does not follow the format, or if the arrays are not valid. The error has the path
    /// in the document.
    pub fn parse(text: &str) -> Result<Document> {
        let object = Json::parse(text)?.object()?;
        let schema = object.read("schema", read_schema)?;
        let batches = object.read("batches", Json::array)?;
        let dictionaries = object.get("dictionaries")?;

        let fields = tree(&schema);
        let in_dictionaries = |error: crate::DocumentError| error.in_member("dictionaries");
        let mut reader = ColumnReader::try_new(&fields, dictionaries).map_err(in_dictionaries)?;
        let mut read = Vec::with_capacity(batches.len());
        for (idx, json) in batches.into_iter().enumerate() {
            let batch = read_batch(&mut reader, schema.schema(), &fields, json);
            // Dictionaries have a place of their own.
            read.push(batch.map_err(|error| {
                if error.is_in("dictionaries") { error } else { error.in_item(idx).in_member("batches") }
            })?);
        }
        drop(reader);
        drop(fields);
        Ok(Document { schema, batches: read })
    }

    /// The text of these batches as a document, on one line.
    ///
    /// Null slots are written as zeros and empty text. Floating-point numbers that JSON does not have are written as the
    /// strings `"NaN"`, `"inf"` and `"-inf"`. A NaN with unusual bits is written as these bits: `"0x7e01"`.
    /// [`parse`](Document::parse) reads these strings.
    ///
    /// # Errors
    /// If the content of an array is not valid, or if a dictionary changes from batch to batch, which no document can
    /// represent.
    pub fn write(schema: &IpcSchema, batches: &[RecordBatch]) -> Result<String> {
        write_document(schema, batches)
    }

    /// The schema.
    pub fn schema(&self) -> &IpcSchema {
        &self.schema
    }

    /// The batches.
    pub fn batches(&self) -> &[RecordBatch] {
        &self.batches
    }
}

fn read_batch<'a>(
    reader: &mut ColumnReader<'a>,
    schema: &Arc<Schema>,
    fields: &'a [Node<'a>],
    json: Json<'a>,
) -> Result<RecordBatch> {
    let object = json.object()?;
    let n_rows = object.read("count", |json| json.number("a number of rows"))?;
    let columns = object.read("columns", Json::array)?;
    if columns.len() != fields.len() {
        let (expected, found) = (fields.len() as u64, columns.len() as u64);
        return Err(crate::DocumentError::from(Kind::Length { expected, found }).in_member("columns"));
    }
    let mut arrays = Vec::with_capacity(columns.len());
    for (idx, (node, json)) in fields.iter().zip(columns).enumerate() {
        let array = reader.column(node, json);
        arrays.push(array.map_err(|error| {
            if error.is_in("dictionaries") { error } else { error.in_item(idx).in_member("columns") }
        })?);
    }
    Ok(RecordBatch::try_new_with_rows(Arc::clone(schema), arrays, n_rows)?.validate(Validation::Content)?)
}
