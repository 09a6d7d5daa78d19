//! Inputs of different columns, read with the columns of all.

use std::{collections::HashMap, iter, sync::Arc};

use arrow_array::NullArray;
use arrow_buffer::MemoryBudget;
use arrow_compute::{Cast, Digits, wider_type};
use arrow_data::{ArrayData, RecordBatch};
use arrow_ipc::{BatchWithMetadata, FileReader, IpcError, Limits, WrittenContainer, file::Footer};
use arrow_ipc_dataset::DatasetErrorKind;
use arrow_schema::{DataType, Field, MergeErrorKind, MergeOptions, Metadata, MetadataRule, Schema};

use crate::{
    agreement::unread_part,
    columns::RowQuery,
    cursor::RowCursor,
    error::{InputContext, ToolError, ToolErrorKind},
    generated_rows::GeneratedRows,
    input::Input,
    loss::Loss,
    metadata::WholeMetadata,
    name::InputName,
    origin::OriginLosses,
    row_window::RowWindow,
    rows::Rows,
    source::SharedSource,
    streams::Streams,
};

impl Input {
    /// Opens inputs, and makes inputs of the same rows with the columns of all, whose schema it returns. The columns are in the
    /// order in which their names are first found. Columns that an input lacks are null. Columns of different types are cast to their
    /// [`wider_type`](arrow_compute::wider_type()). Metadata that differs is that of the first input with the key. An extension type
    /// stays if all inputs with the column have it, and no type is widened; columns of the null type do not count. Batches keep their
    /// metadata. What an input loses is a [`Loss`] of the conversion that writes it.
    ///
    /// # Errors
    /// If an input cannot be read. If an input has two columns of one name, or two columns of one name have no wider type. While
    /// rows are read: if a value is not exactly a value of the wider type.
    pub fn union(inputs: Vec<Input>) -> Result<(Arc<Schema>, Vec<Input>), ToolError> {
        let opened = inputs.into_iter().map(OpenedPart::open).collect::<Result<Vec<_>, ToolError>>()?;
        let schemas: Vec<&Schema> = opened.iter().map(OpenedPart::schema).collect();
        let widened = widened(&schemas);
        let options = MergeOptions::new().with_metadata(MetadataRule::KeepFirst);
        let merged = Schema::try_merge_with(&widened, options).map_err(|error| {
            let at_fault = opened.get(error.schema_idx()).or(opened.first());
            let name =
                at_fault.map_or_else(|| InputName::from("the inputs"), |part| part.cursor.name().clone());
            ToolError::new(name, ToolErrorKind::Set(DatasetErrorKind::Merge(error)))
        })?;
        let merged = Arc::new(merged);
        let united = opened.into_iter().zip(&widened).map(|(part, widened)| {
            if !has_metadata_of(&merged, widened) || !has_metadata_of(&merged, part.schema()) {
                part.origin.add(Loss::OtherMetadata);
            }
            part.with_columns_of(&merged)
        });
        let united = united.collect();
        Ok((merged, united))
    }
}

/// An input whose schema was read.
struct OpenedPart {
    cursor: RowCursor,
    limits: Limits,
    origin: OriginLosses,
}

impl OpenedPart {
    /// Opens an input. Records what its rows will lack.
    fn open(input: Input) -> Result<OpenedPart, ToolError> {
        let limits = input.limits().clone();
        let origin = input.origin.clone();
        let cursor = RowCursor::open(input, &RowQuery::new(), RowWindow::ALL)?;
        if let Rows::File { reader } = cursor.rows() {
            file_losses(reader, &origin).in_input(cursor.name())?;
        }
        Ok(OpenedPart { cursor, limits, origin })
    }

    fn schema(&self) -> &Schema {
        self.cursor.rows().schema()
    }

    /// An input of the same rows, with the columns of this schema.
    fn with_columns_of(self, schema: &Arc<Schema>) -> Input {
        let OpenedPart { cursor, limits, origin } = self;
        let filler = ColumnFiller::new(Arc::clone(schema), cursor.rows().schema());
        let name = cursor.name().clone();
        let metadata = Footer::without_own_keys(cursor.rows().metadata());
        let mut rows = WholeRows { cursor, filler, origin: origin.clone(), is_new: true };
        let batches = iter::from_fn(move || rows.next().transpose());
        let rows = GeneratedRows::with_metadata(Arc::clone(schema), metadata, batches);
        let mut input = Input::from_rows(name, rows).with_limits(limits);
        input.origin = origin;
        input
    }
}

/// Records what a file has, and its batches and its footer have not.
fn file_losses(reader: &FileReader<SharedSource>, origin: &OriginLosses) -> Result<(), IpcError> {
    let unread = unread_part(reader.source(), reader.footer())?;
    let of_message = WholeMetadata::of_file(reader)?.lost_in(WrittenContainer::Stream);
    let dictionaries = reader.dictionaries()?;
    let n_dictionaries = dictionaries.iter().filter(|dictionary| !dictionary.metadata.is_empty()).count();
    let losses = [
        unread.map(Loss::Contradiction),
        (!of_message.is_empty()).then_some(Loss::SchemaMetadata(of_message)),
        (n_dictionaries > 0).then_some(Loss::DictionaryMetadata { n_dictionaries }),
    ];
    losses.into_iter().flatten().for_each(|loss| origin.add(loss));
    Ok(())
}

/// Records what streams have besides their batches, up to the last item.
fn stream_losses(streams: &Streams, origin: &OriginLosses) {
    let n_tensors = usize::try_from(streams.n_tensors()).unwrap_or(usize::MAX);
    let n_dictionaries = streams.n_dictionary_metadata();
    let losses = [
        streams.trailing_bytes().map(Loss::TrailingBytes),
        streams.has_other_metadata().then_some(Loss::LaterMetadata),
        (n_dictionaries > 0).then_some(Loss::DictionaryMetadata { n_dictionaries }),
        (n_tensors > 0).then_some(Loss::UnselectedTensors { n_tensors }),
    ];
    losses.into_iter().flatten().for_each(|loss| origin.add(loss));
}

/// Whether the schema of all inputs has the metadata of one of them. An extension type that not all inputs have is no
/// metadata of the columns of all.
fn has_metadata_of(all: &Schema, own: &Schema) -> bool {
    let plain = |schema: &Schema| {
        let fields = schema.fields().iter().map(|field| field.clone().without_extension());
        Schema::new(fields.collect::<Vec<Field>>()).with_metadata(schema.metadata().clone())
    };
    let all = plain(all);
    match Schema::try_merge([&all, &plain(own)]) {
        Ok(merged) => merged == all,
        Err(error) => !matches!(error.kind(), MergeErrorKind::Metadata { .. }),
    }
}

/// What the inputs say together about a column.
struct CommonColumn<'a> {
    /// The first field that is not of the null type, which says nothing about values.
    first: &'a Field,
    /// The type that has the values of all inputs; `None` if they have the type of `first`.
    wider: Option<DataType>,
    /// Whether all inputs have the extension type of `first`.
    has_one_extension: bool,
}

impl<'a> CommonColumn<'a> {
    fn new(first: &'a Field) -> CommonColumn<'a> {
        CommonColumn { first, wider: None, has_one_extension: true }
    }

    fn data_type(&self) -> &DataType {
        self.wider.as_ref().unwrap_or(self.first.data_type())
    }

    fn add(&mut self, field: &'a Field) {
        if *field.data_type() == DataType::Null {
            return;
        }
        if *self.first.data_type() == DataType::Null {
            *self = CommonColumn::new(field);
            return;
        }
        self.has_one_extension &= self.first.extension() == field.extension();
        // The merge accepts types that differ in nullability alone, and reports those that have no wider type.
        if !self.data_type().same_values(field.data_type())
            && let Some(wider) = wider_type(self.data_type(), field.data_type())
        {
            self.wider = Some(wider);
        }
    }

    /// The field of one input, with the type of all. An extension type is that of all inputs, and of an unchanged type.
    fn field(&self, own: &Field) -> Field {
        let is_wider = wider_type(self.data_type(), own.data_type())
            .is_some_and(|wider| wider.same_values(self.data_type()));
        let data_type = if is_wider { self.data_type() } else { own.data_type() };
        let field = own.clone().with_data_type(data_type.clone());
        match self.first.extension() {
            Some(extension) if self.has_one_extension && self.wider.is_none() => {
                field.with_extension(extension)
            }
            _ => field.without_extension(),
        }
    }
}

/// The schemas with the widest type of each column, so that they can be merged.
fn widened(schemas: &[&Schema]) -> Vec<Schema> {
    let mut columns: HashMap<&str, CommonColumn<'_>> = HashMap::new();
    for field in schemas.iter().flat_map(|schema| schema.fields()) {
        columns.entry(field.name()).or_insert_with(|| CommonColumn::new(field)).add(field);
    }
    let common =
        |own: &Field| columns.get(own.name()).map_or_else(|| own.clone(), |column| column.field(own));
    let widened = |schema: &&Schema| {
        let fields: Vec<Field> = schema.fields().iter().map(common).collect();
        Schema::new(fields).with_metadata(schema.metadata().clone())
    };
    schemas.iter().map(widened).collect()
}

struct WholeRows {
    cursor: RowCursor,
    filler: ColumnFiller,
    origin: OriginLosses,
    /// Whether no rows of the current batch were returned.
    is_new: bool,
}

impl WholeRows {
    /// The next batch, or the next rows of a large batch. The first of them have its metadata.
    fn next(&mut self) -> Result<Option<BatchWithMetadata>, ToolError> {
        loop {
            if let Some((rows, _)) = self.cursor.next_rows()? {
                let is_new = std::mem::replace(&mut self.is_new, false);
                let metadata = if is_new { self.cursor.metadata()? } else { Metadata::new() };
                let filled = self.filler.filled(&rows).in_input(self.cursor.name())?;
                return Ok(Some(BatchWithMetadata::new(filled, metadata)));
            }
            self.is_new = true;
            let has_more = self.cursor.next_batch()?;
            if let Rows::Streams(streams) = self.cursor.rows() {
                stream_losses(streams, &self.origin);
            }
            if !has_more {
                return Ok(None);
            }
        }
    }
}

/// Gives batches of one schema the columns of another.
struct ColumnFiller {
    schema: Arc<Schema>,
    /// For each column of `schema`, the position of the old column, or `None` for nulls, and the cast.
    columns: Vec<(Option<usize>, Cast)>,
}

impl ColumnFiller {
    fn new(schema: Arc<Schema>, old: &Schema) -> ColumnFiller {
        let positions: HashMap<&str, usize> = old.fields().iter().map(Field::name).zip(0..).collect();
        let column = |field: &Field| {
            let position = positions.get(field.name()).copied();
            (position, Cast::new(field.data_type().clone(), Digits::Keep))
        };
        let columns = schema.fields().iter().map(column).collect();
        ColumnFiller { schema, columns }
    }

    fn filled(&self, rows: &RecordBatch) -> Result<RecordBatch, ToolErrorKind> {
        let budget = MemoryBudget::new(MemoryBudget::default_limit(rows.n_bytes()));
        let nulls = NullArray::new(rows.n_rows());
        let columns = self.columns.iter().zip(self.schema.fields()).map(|((position, cast), field)| {
            let old = position.and_then(|position| rows.column_at(position));
            cast.array(old.unwrap_or(nulls.data()), &budget).map_err(|error| ToolErrorKind::Cast {
                batch_idx: None,
                column: field.name().to_owned(),
                error,
            })
        });
        let columns = columns.collect::<Result<Vec<ArrayData>, ToolErrorKind>>()?;
        RecordBatch::try_new_with_rows(Arc::clone(&self.schema), columns, rows.n_rows())
            .map_err(|error| ToolErrorKind::Values(error.into()))
    }
}
