//! Writers of files and streams: of batches that were read, in plain types, and of columns of JavaScript.

use std::sync::Arc;

use arrow_buffer::{Bitmap, Buffer, MemoryBudget};
use arrow_compute::{Cast, Digits};
use arrow_data::{ArrayData, ArrayParts, RecordBatch, Validation};
use arrow_ipc::{ContainerEncoder, DictionaryPolicy, Encoded, WriteOptions, WrittenContainer};
use arrow_schema::{DataType, DictionaryType, Field, Metadata, Schema};
use arrow_text::JsonReader;

use crate::{
    failure::{Failure, Result},
    file::pairs_of,
    plain_type::{legacy_type, plain_field},
};

/// A writer, and the columns of the batch that is made.
pub(crate) struct Writer {
    encoder: ContainerEncoder,
    schema: Arc<Schema>,
    /// The casts of batches to the types that are written.
    casts: Vec<Cast>,
    columns: Vec<ArrayData>,
}

impl Writer {
    /// A writer of a stream that other libraries read: the types of these fields in plain forms.
    pub(crate) fn legacy(fields: &[Field], metadata: &Metadata) -> Result<Writer> {
        let fields = fields.iter().map(|field| {
            let plain = plain_field(field);
            let data_type = legacy_type(plain.data_type());
            plain.with_data_type(data_type)
        });
        let schema = Schema::new(fields.collect::<Vec<_>>()).with_metadata(metadata.clone());
        Writer::try_from_schema(schema, WrittenContainer::Stream, WriteOptions::default())
    }

    /// A writer of columns. `schema` is the text form, `metadata` keys and values in turn, `of_fields` the metadata of each column, as
    /// [`with_metadata`] reads it, and `options` names and values in turn; NUL follows each of them.
    pub(crate) fn try_new(
        schema: &str,
        metadata: &str,
        of_fields: &str,
        options: &str,
        is_file: bool,
    ) -> Result<Writer> {
        let schema = schema_of(schema)?;
        let mut words = of_fields.split_terminator('\0');
        let fields = schema.fields().iter().map(|field| with_metadata(field, &mut words));
        let schema = Schema::new(fields.collect::<Result<Vec<_>>>()?).with_metadata(metadata_of(metadata));
        // A file must not replace a dictionary, so later batches add to it.
        let dictionaries = if is_file { DictionaryPolicy::Delta } else { DictionaryPolicy::Replace };
        let mut written = WriteOptions::default().with_dictionaries(dictionaries);
        for (name, value) in pairs_of(options) {
            written = written.with_named(name, value).map_err(Failure::misuse)?;
        }
        let container = if is_file { WrittenContainer::File } else { WrittenContainer::Stream };
        Writer::try_from_schema(schema, container, written)
    }

    fn try_from_schema(schema: Schema, container: WrittenContainer, options: WriteOptions) -> Result<Writer> {
        let schema = Arc::new(schema);
        let encoder = ContainerEncoder::try_new_with(Arc::clone(&schema), container, options);
        let casts = schema.fields().iter().map(|field| Cast::new(field.data_type().clone(), Digits::Keep));
        let casts = casts.collect();
        Ok(Writer { encoder: encoder.map_err(Failure::misuse)?, schema, casts, columns: Vec::new() })
    }

    /// The bytes before the first batch.
    pub(crate) fn start(&mut self) -> Result<Vec<u8>> {
        Ok(bytes_of(&self.encoder.start()?))
    }

    /// The bytes of a batch, which is cast to the types of the writer: values that shared bytes have their own in them, of which there
    /// are at most `max_bytes`.
    pub(crate) fn batch(&mut self, batch: &RecordBatch, max_bytes: u64) -> Result<Vec<u8>> {
        let budget = MemoryBudget::new(max_bytes);
        let columns = batch.columns().iter().zip(&self.casts);
        let columns =
            columns.map(|(column, cast)| cast.array(column, &budget)).collect::<Result<Vec<_>, _>>()?;
        self.encode(columns, batch.n_rows())
    }

    /// Adds the next column: numbers as they are in memory, and bits that are set where a slot has a value.
    pub(crate) fn push_numbers(
        &mut self,
        numbers: Buffer,
        validity: Option<Buffer>,
        n_rows: usize,
    ) -> Result<()> {
        let field = self.next_field()?;
        let mut parts = ArrayParts::new(field.data_type().clone(), n_rows);
        if field.data_type().byte_width().is_none() {
            let text =
                format!("a column of {} is no typed array: give an array of values", field.data_type());
            return Err(Failure::misuse(text));
        }
        parts.buffers[0] = numbers;
        if let Some(bits) = validity {
            parts.validity = Some(Bitmap::try_new(bits, 0, n_rows).map_err(Failure::misuse)?);
        }
        let column = ArrayData::try_new(parts).map_err(Failure::misuse)?;
        let column = column.validate(Validation::Content).map_err(Failure::misuse)?;
        if !field.is_nullable() && column.null_count() > 0 {
            return Err(Failure::misuse("a value is null, but the field is not nullable"));
        }
        self.columns.push(column);
        Ok(())
    }

    /// Adds the next column: a line of JSON for each row, with an object of one member.
    pub(crate) fn push_json(&mut self, lines: &str) -> Result<()> {
        let field = self.next_field()?;
        let batch = JsonReader::read_batch(lines, Schema::new(vec![field.with_name(JSON_NAME)]));
        let batch = batch.map_err(Failure::misuse)?;
        self.columns.extend(batch.columns().first().cloned());
        Ok(())
    }

    fn next_field(&self) -> Result<Field> {
        let field = self.schema.field(self.columns.len()).cloned();
        field.ok_or_else(|| Failure::misuse("there are more columns than fields"))
    }

    /// Forgets the columns that were added.
    pub(crate) fn clear(&mut self) {
        self.columns.clear();
    }

    /// The bytes of a batch of the columns that were added.
    pub(crate) fn rows(&mut self, n_rows: usize) -> Result<Vec<u8>> {
        let columns = std::mem::take(&mut self.columns);
        self.encode(columns, n_rows)
    }

    fn encode(&mut self, columns: Vec<ArrayData>, n_rows: usize) -> Result<Vec<u8>> {
        let batch = RecordBatch::try_new_with_rows(Arc::clone(&self.schema), columns, n_rows);
        Ok(bytes_of(&self.encoder.encode(&batch.map_err(Failure::misuse)?)?))
    }

    /// The bytes after the last batch.
    pub(crate) fn finish(&mut self) -> Result<Vec<u8>> {
        Ok(bytes_of(&self.encoder.finish()?))
    }
}

/// The schema with this text form.
pub(crate) fn schema_of(text: &str) -> Result<Schema> {
    text.parse().map_err(|error| Failure::misuse(format!("schema: {error}")))
}

/// The field with the metadata that the words have: the number of pairs and these, and the number of its children and the same of
/// each of them, or 0 if they have none.
fn with_metadata<'a>(field: &Field, words: &mut impl Iterator<Item = &'a str>) -> Result<Field> {
    let mut pairs = Vec::new();
    for _ in 0..next_number(words)? {
        pairs.push((Some(next_word(words)?.into()), Some(next_word(words)?.into())));
    }
    let field = field.clone().with_metadata(Metadata::from_pairs(pairs));
    match next_number(words)? {
        0 => Ok(field),
        n_children => {
            let data_type = with_metadata_of_children(field.data_type(), n_children, words)?;
            Ok(field.with_data_type(data_type))
        }
    }
}

/// The type whose children have the metadata. Those of a dictionary are those of its values.
fn with_metadata_of_children<'a>(
    data_type: &DataType,
    n_children: usize,
    words: &mut impl Iterator<Item = &'a str>,
) -> Result<DataType> {
    if let Some(dictionary) = data_type.as_dictionary() {
        let values = with_metadata_of_children(dictionary.value(), n_children, words)?;
        let dictionary = DictionaryType::try_new(dictionary.index(), values, dictionary.order());
        return Ok(DataType::Dictionary(Arc::new(dictionary.map_err(Failure::misuse)?)));
    }
    let children = data_type.children();
    if children.len() != n_children {
        let n_expected = children.len();
        let text = format!("{data_type} has {n_expected} children, and there is metadata of {n_children}");
        return Err(Failure::misuse(text));
    }
    let children = children.iter().map(|child| with_metadata(child, words)).collect::<Result<Vec<_>>>()?;
    data_type.with_children(children).map_err(Failure::misuse)
}

fn next_word<'a>(words: &mut impl Iterator<Item = &'a str>) -> Result<&'a str> {
    words.next().ok_or_else(|| Failure::misuse("the metadata of fields is not complete"))
}

fn next_number<'a>(words: &mut impl Iterator<Item = &'a str>) -> Result<usize> {
    next_word(words)?.parse().map_err(Failure::misuse)
}

/// Keys and values in turn, each with NUL after it.
fn metadata_of(text: &str) -> Metadata {
    let pairs = pairs_of(text).map(|(key, value)| (Some(Arc::from(key)), Some(Arc::from(value))));
    Metadata::from_pairs(pairs.collect())
}

/// The name of the member with the value of a row.
const JSON_NAME: &str = "v";

fn bytes_of(encoded: &Encoded<'_>) -> Vec<u8> {
    encoded.to_bytes().as_slice().to_vec()
}
