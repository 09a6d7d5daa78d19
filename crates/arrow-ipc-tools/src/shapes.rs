//! Reads the shapes of batches from a JSON document, to plan a stream or file.

mod error;
mod of_input;
mod place;
mod read;
mod schema;

use arrow_ipc::{
    IpcSchema, WriteOptions, WrittenContainer,
    plan::{Plan, PlanBuilder},
};

use self::read::Document;
pub use self::{
    error::{ShapesError, ShapesErrorKind},
    of_input::shapes_of,
    schema::schema_from_json,
};

/// A schema, and the shapes of dictionaries and batches, from which the length of a stream or file is planned.
///
/// [`shapes_from_json`] reads shapes from JSON, in the form that the README of the program describes.
///
/// ```
/// use arrow_ipc::{WriteOptions, WrittenContainer};
/// use arrow_ipc_tools::shapes_from_json;
///
/// let shapes = shapes_from_json(
///     r#"{
///         "schema": "id: int64 not null\nname: utf8",
///         "batches": [{"rows": 1000, "count": 20000, "columns": {"name": {"bytes": 12345, "nulls": 7}}}]
///     }"#,
/// )?;
/// let plan = shapes.plan(WriteOptions::default(), WrittenContainer::File)?;
/// assert_eq!(plan.n_batches(), 20_000);
///
/// let error = shapes_from_json(r#"{"schema": "id: int64", "batches": [{"rows": -1}]}"#).unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "line 1, batches[0].rows: expected a whole number from 0 to 18446744073709551615, found -1"
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Shapes(Document);

/// Reads a JSON document with a schema and shapes.
///
/// # Errors
/// If the text is not JSON, or not a document of shapes. The error has the line of the wrong value, and the path to
/// it. [`plan`](Shapes::plan) reports shapes that contradict the
/// schema.
pub fn shapes_from_json(text: &str) -> Result<Shapes, ShapesError> {
    Document::read(text, None).map(Shapes)
}

/// Like [`shapes_from_json`], for a document without a schema. The schema is `schema`.
///
/// # Errors
/// The errors of [`shapes_from_json`].
pub fn shapes_from_json_for(schema: IpcSchema, text: &str) -> Result<Shapes, ShapesError> {
    Document::read(text, Some(schema)).map(Shapes)
}

impl Shapes {
    /// The schema with its dictionary ids.
    pub fn schema(&self) -> &IpcSchema {
        &self.0.schema
    }

    /// The number of batches of each shape, in the order of the document.
    pub fn batch_counts(&self) -> &[usize] {
        &self.0.counts
    }

    /// Plans a stream or file. Metadata and features in the document replace the metadata and features in the
    /// options. A stream has no footer, so its schema message gets the metadata of the footer.
    ///
    /// # Errors
    /// If the options do not allow a plan, a shape contradicts the schema, or the output would be too long for the
    /// format. The error has the line of the wrong value, and the path to it.
    pub fn plan(&self, options: WriteOptions, container: WrittenContainer) -> Result<Plan, ShapesError> {
        let options = self.0.options_for(container, options);
        let mut builder =
            PlanBuilder::try_new(self.schema(), options, container).map_err(ShapesError::of_whole)?;
        self.0.dictionaries(|id, shape| builder.push_dictionary(id, shape))?;
        self.0.batches(|shape, count| builder.push(shape, count))?;
        builder.finish().map_err(ShapesError::of_whole)
    }
}
