//! Writes the shapes of the batches of an input as a JSON document, to plan the same file or stream again.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use arrow_data::{ArrayData, RecordBatch};
use arrow_ipc::{
    IpcError, IpcErrorKind, IpcSchema,
    plan::{BatchShape, ColumnShape},
};
use arrow_schema::Metadata;
use arrow_text::JsonSchema;
use serde_json::{Map, Value};

use crate::{
    convert::{CastRows, Loss, Losses, ReadInPieces, ReadItem, RowForm, WholeMetadata},
    describe::feature_name,
    error::{InInput, ToolError, ToolErrorKind},
    input::Input,
    json::{object, pairs},
    observer::{Observer, Pass},
    row_window::RowWindow,
    rows::Rows,
};

/// Writes the shapes of the batches and dictionaries of an input, as the JSON document that
/// [`shapes_from_json`](super::shapes_from_json) reads. A plan of this document has the batches, metadata and
/// features of the input, without compression. One batch is in memory at a time. If consecutive batches have the same
/// shape, the shape is written once, with their number. Row counts and layouts in the footer are left out, because
/// they depend on the options of the plan. Also returns what the document cannot express: tensors, bytes after the
/// last stream, and metadata of later streams and of later messages of a dictionary.
///
/// ```
/// use arrow_array::Utf8Array;
/// use arrow_data::RecordBatch;
/// use arrow_ipc::{FileWriter, WriteOptions, WrittenContainer};
/// use arrow_ipc_tools::{Input, shapes_from_json, shapes_of};
///
/// let names = Utf8Array::try_from_iter([Some("ada"), None])?;
/// let batch = RecordBatch::try_from_columns([("name", names.into())])?;
/// let mut writer = FileWriter::try_new(Vec::new(), batch.schema(), WriteOptions::new())?;
/// writer.write(&batch)?;
/// writer.write(&batch)?;
/// let file = arrow_buffer::Buffer::from(writer.finish()?);
///
/// let (shapes, losses) = shapes_of(Input::try_from_buffer("people", file.clone())?, &mut ())?;
/// assert!(losses.is_empty() && shapes.contains(r#"{"rows":2,"count":2,"columns":[{"nulls":1,"bytes":3}]}"#));
/// let plan = shapes_from_json(&shapes)?.plan(WriteOptions::new(), WrittenContainer::File)?;
/// assert_eq!(plan.len(), file.len() as u64);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If the input cannot be read, is malformed, unsupported or has only tensors. If a stream replaces a dictionary,
/// because the document has one shape per dictionary for all batches. If the observer stops the work.
pub fn shapes_of(input: Input, observer: &mut dyn Observer) -> Result<(String, Vec<Loss>), ToolError> {
    let name = input.name().clone();
    let mut rows = Rows::open(input)?;
    let mut pass = Pass::begin(observer, &name, rows.work())?;
    let metadata = WholeMetadata::of(&rows).in_input(&name)?;
    let mut found = FoundShapes::new(rows.ipc_schema().clone(), metadata);
    if let Rows::File { reader } = &rows {
        for dictionary in reader.dictionaries().in_input(&name)? {
            found.add_message(dictionary.id, dictionary.metadata);
        }
    }
    let (is_file, mut batches, mut losses) = (rows.reader().is_some(), 0.., Losses::default());
    let form = RowForm { caster: None, pieces: ReadInPieces::None };
    form.read(&mut rows, &mut { RowWindow::ALL }, &mut pass, |part, _| match part {
        ReadItem::Rows(CastRows { rows: (batch, metadata), .. }) => {
            let batch_idx = batches.next().unwrap_or(usize::MAX);
            found.add(&batch, &metadata).map_err(|error| match is_file {
                true => ToolError::new(&name, ToolErrorKind::Batch { batch_idx, error }),
                false => ToolError::new(&name, error),
            })
        }
        ReadItem::Dictionary { id, is_delta, metadata } => {
            if !is_delta {
                found.written_again.insert(id);
            }
            found.add_message(id, metadata);
            Ok(())
        }
        ReadItem::Tensor(..) => {
            losses.n_tensors += 1;
            Ok(())
        }
    })?;
    if let Rows::Streams(streams) = &rows {
        losses.look_at_streams(streams);
    }
    losses.n_dictionaries = found.n_lost_metadata;
    Ok((found.document().in_input(&name)?, losses.into_list()))
}

struct FoundShapes {
    schema: IpcSchema,
    metadata: WholeMetadata,
    /// The metadata of the first message of each dictionary, by id.
    dictionary_metadata: BTreeMap<i64, Metadata>,
    /// The number of dictionary messages whose metadata is lost.
    n_lost_metadata: usize,
    /// The values of each dictionary that a batch refers to, by id.
    dictionaries: BTreeMap<i64, Arc<ArrayData>>,
    /// The ids in `dictionaries`. A dictionary comes after the dictionaries inside it.
    inner_first: Vec<i64>,
    /// The ids of dictionaries that a stream writes again as a whole. The old and new values must be equal.
    written_again: BTreeSet<i64>,
    /// The shapes of the batches as JSON text, because JSON values take several times more memory.
    batches: String,
    /// The shape of the last batch, and how many consecutive batches have it.
    last: Option<(BatchShape, u64)>,
}

impl FoundShapes {
    fn new(schema: IpcSchema, metadata: WholeMetadata) -> FoundShapes {
        FoundShapes {
            schema,
            metadata,
            dictionary_metadata: BTreeMap::new(),
            n_lost_metadata: 0,
            dictionaries: BTreeMap::new(),
            inner_first: Vec::new(),
            written_again: BTreeSet::new(),
            batches: String::new(),
            last: None,
        }
    }

    fn add_message(&mut self, id: i64, metadata: Metadata) {
        let is_lost =
            !metadata.is_empty() && self.dictionary_metadata.get(&id).is_some_and(|kept| *kept != metadata);
        self.n_lost_metadata = self.n_lost_metadata.saturating_add(usize::from(is_lost));
        self.dictionary_metadata.entry(id).or_insert(metadata);
    }

    fn add(&mut self, batch: &RecordBatch, metadata: &Metadata) -> Result<(), IpcError> {
        let schema = self.schema.clone();
        let mut ids = schema.dictionary_ids().iter().copied();
        batch.columns().iter().try_for_each(|column| self.add_dictionaries(column, &mut ids))?;
        let shape = BatchShape::try_from_batch(batch)?.with_metadata(metadata.clone());
        match &mut self.last {
            Some((last, count)) if *last == shape => *count = count.saturating_add(1),
            last => {
                let before = last.replace((shape, 1));
                self.add_batch(before);
            }
        }
        Ok(())
    }

    /// Adds the dictionaries of an array. The id of a dictionary in `ids` precedes the ids of the dictionaries inside
    /// it.
    fn add_dictionaries(
        &mut self,
        array: &ArrayData,
        ids: &mut impl Iterator<Item = i64>,
    ) -> Result<(), IpcError> {
        if !array.data_type().is_dictionary() {
            return array.children().iter().try_for_each(|child| self.add_dictionaries(child, ids));
        }
        let (Some(id), Some(values)) = (ids.next(), array.dictionary()) else { return Ok(()) };
        values.children().iter().try_for_each(|child| self.add_dictionaries(child, ids))?;
        let is_written_again = self.written_again.remove(&id);
        if let Some(known) = self.dictionaries.get(&id) {
            // Compares only as many values as both dictionaries have. There are none if a batch without valid indices
            // has an empty dictionary.
            let n_same = known.len().min(values.len());
            if is_written_again && !known.slice(0, n_same).same_values(&values.slice(0, n_same))? {
                let (what, why) =
                    ("a dictionary that is replaced", "the form has one list of values for all batches");
                return Err(IpcErrorKind::NotPlannable { what, why }.into());
            }
            if known.len() >= values.len() {
                return Ok(());
            }
        }
        if self.dictionaries.insert(id, Arc::clone(values)).is_none() {
            self.inner_first.push(id);
        }
        Ok(())
    }

    fn document(mut self) -> Result<String, IpcError> {
        let last = self.last.take();
        self.add_batch(last);
        let mut dictionaries = Vec::with_capacity(self.dictionaries.len());
        for id in &self.inner_first {
            let Some(values) = self.dictionaries.get(id) else { continue };
            let shape = BatchShape::try_from_values(values)?;
            dictionaries.push(object_of([
                ("id", Some(Value::from(*id))),
                ("rows", Some(Value::from(shape.n_rows()))),
                ("values", shape.columns().first().map(column_as_json)),
                ("metadata", self.dictionary_metadata.get(id).and_then(some_pairs)),
            ]));
        }
        let (schema, ids) = (self.schema.schema().clone(), self.schema.dictionary_ids().to_vec());
        let schema = JsonSchema::try_with_dictionary_ids(schema, ids);
        // This does not fail, because the schema of an input has an id for each dictionary.
        let schema =
            schema.map_err(|_| arrow_ipc::FormatErrorKind::Missing { what: "the ids of dictionaries" })?;
        let mut text = format!("{{\"schema\":{schema}");
        let footer = self.metadata.other_in_footer();
        let features = self.schema.features().iter().map(|feature| Value::from(feature_name(*feature)));
        let features = Some(features.collect::<Vec<Value>>()).filter(|features| !features.is_empty());
        let members = [
            ("metadata", some_pairs(self.metadata.message())),
            // Without this member, the footer gets the metadata of the schema message.
            ("footer_metadata", footer.as_ref().map(pairs)),
            ("features", features.map(Value::Array)),
        ];
        for (name, value) in members {
            if let Some(value) = value {
                text.push_str(&format!(",\n\"{name}\":{value}"));
            }
        }
        let mut items = String::new();
        dictionaries.iter().for_each(|dictionary| add_item(dictionary, &mut items));
        for (name, items) in [("dictionaries", items), ("batches", self.batches)] {
            text.push_str(&format!(",\n\"{name}\":["));
            text.push_str(&items);
            text.push(']');
        }
        text.push_str("}\n");
        Ok(text)
    }

    fn add_batch(&mut self, batch: Option<(BatchShape, u64)>) {
        batch.into_iter().for_each(|batch| add_item(&batch_as_json(batch), &mut self.batches));
    }
}

/// Adds an item to a list, on a new line.
fn add_item(item: &Value, text: &mut String) {
    text.push_str(if text.is_empty() { "\n" } else { ",\n" });
    text.push_str(&item.to_string());
}

fn batch_as_json((shape, count): (BatchShape, u64)) -> Value {
    let has_data = shape.columns().iter().any(|column| *column != ColumnShape::new());
    object_of([
        ("rows", Some(Value::from(shape.n_rows()))),
        ("count", (count > 1).then(|| Value::from(count))),
        ("columns", has_data.then(|| columns_as_json(shape.columns()))),
        ("metadata", some_pairs(shape.metadata())),
    ])
}

/// An object of those members that have a value.
fn object_of<const N: usize>(members: [(&'static str, Option<Value>); N]) -> Value {
    object(members.into_iter().filter_map(|(name, value)| Some((name, value?))).collect())
}

fn some_pairs(metadata: &Metadata) -> Option<Value> {
    (!metadata.is_empty()).then(|| pairs(metadata))
}

/// Writes the shapes of columns as an array. An object is impossible, because names may repeat.
fn columns_as_json(columns: &[ColumnShape]) -> Value {
    Value::Array(columns.iter().map(column_as_json).collect())
}

/// Writes the shape of a column; `null` if it has no nulls and no data of variable size.
fn column_as_json(shape: &ColumnShape) -> Value {
    let number = |number: u64| (number > 0).then(|| Value::from(number));
    let (data_buffers, children) = (shape.data_buffers(), shape.children());
    let shape = object_of([
        ("nulls", number(shape.n_nulls())),
        ("bytes", number(shape.n_bytes())),
        ("slots", shape.n_slots().and_then(number)),
        ("data_buffers", (!data_buffers.is_empty()).then(|| Value::from(data_buffers.to_vec()))),
        ("children", (!children.is_empty()).then(|| columns_as_json(children))),
    ]);
    if shape.as_object().is_some_and(Map::is_empty) { Value::Null } else { shape }
}
