//! Inputs of different columns, read with the columns of all.

use std::{collections::BTreeMap, iter, sync::Arc};

use arrow_data::RecordBatch;
use arrow_ipc::{BatchWithMetadata, FileReader, IpcError, Limits, WrittenContainer, file::Footer};
use arrow_ipc_dataset::{DatasetErrorKind, FileColumns, common_schema, has_metadata_of, with_types};
use arrow_schema::{Field, Metadata, Schema};

use crate::{
    columns::RowQuery,
    cursor::RowCursor,
    error::{InputContext, ToolError, ToolErrorKind, loss::Loss, name::InputName},
    input::{Input, generated_rows::GeneratedRows, origin::OriginLosses},
    rows::{Rows, metadata::WholeMetadata, row_window::RowWindow, streams::Streams},
    source::SharedSource,
    walk::footer_check::unread_part,
};

impl Input {
    /// Opens inputs, and makes inputs of the same rows with their [common schema](common_schema), which it returns. Columns that an input
    /// lacks are null. Batches keep their metadata. What an input loses is a [`Loss`] of the conversion that writes it.
    ///
    /// # Errors
    /// If an input cannot be read. If an input has two columns of one name, or two columns of one name have no wider type. While
    /// rows are read: if a value is not exactly a value of the wider type.
    pub fn union(inputs: Vec<Input>) -> Result<(Arc<Schema>, Vec<Input>), ToolError> {
        Input::union_with(inputs, &RowQuery::new())
    }

    /// Like [`union`](Input::union). Columns without a wider type are cast to the [types](RowQuery::with_types) of the query, which has no
    /// other effect.
    ///
    /// # Errors
    /// The errors of [`union`](Input::union). While rows are read: if a value does not fit such a type.
    pub fn union_with(inputs: Vec<Input>, query: &RowQuery) -> Result<(Arc<Schema>, Vec<Input>), ToolError> {
        let opened = inputs.into_iter().map(OpenedPart::open).collect::<Result<Vec<_>, ToolError>>()?;
        let mut types = BTreeMap::new();
        let merged = loop {
            let error = match common_schema(opened.iter().map(|part| with_types(part.schema(), &types))) {
                Ok(merged) => break merged,
                Err(error) => error,
            };
            let at_fault = opened.get(error.schema_idx()).or(opened.first());
            let kind = DatasetErrorKind::Merge(error);
            if !query.settle(&kind, &mut types) {
                let name =
                    at_fault.map_or_else(|| InputName::from("the inputs"), |part| part.cursor.name().clone());
                return Err(ToolError::new(name, ToolErrorKind::Set(kind)));
            }
        };
        let all = without_extensions(&merged);
        let merged = Arc::new(merged);
        let united = opened.into_iter().map(|part| {
            if !has_metadata_of(&all, &without_extensions(part.schema())) {
                part.origin.add(Loss::OtherMetadata);
            }
            part.with_columns_of(&merged)
        });
        let united = united.collect::<Result<Vec<Input>, ToolError>>()?;
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
    fn with_columns_of(self, schema: &Arc<Schema>) -> Result<Input, ToolError> {
        let OpenedPart { cursor, limits, origin } = self;
        let name = cursor.name().clone();
        let columns = FileColumns::try_new(schema, cursor.rows().schema(), &[])
            .map_err(|kind| ToolError::from_set_error(name.clone(), kind.into()))?;
        let metadata = Footer::without_own_keys(cursor.rows().metadata());
        let mut rows = WholeRows { cursor, columns, origin: origin.clone(), is_new: true };
        let batches = iter::from_fn(move || rows.next().transpose());
        let rows = GeneratedRows::with_metadata(Arc::clone(schema), metadata, batches);
        let mut input = Input::from_rows(name, rows).with_limits(limits);
        input.origin = origin;
        Ok(input)
    }
}

/// Records what a file has, and its batches and its footer have not.
fn file_losses(reader: &FileReader<SharedSource>, origin: &OriginLosses) -> Result<(), IpcError> {
    let unread = unread_part(reader.source(), reader.footer())?;
    let message_metadata = WholeMetadata::from_file(reader)?.lost_in(WrittenContainer::Stream);
    let dictionaries = reader.dictionaries()?;
    let n_dictionaries = dictionaries.iter().filter(|dictionary| !dictionary.metadata.is_empty()).count();
    let losses = [
        unread.map(Loss::Contradiction),
        (!message_metadata.is_empty()).then_some(Loss::SchemaMetadata(message_metadata)),
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

/// The schema without the extension types of columns. One that not all inputs have is no metadata of the columns of all.
fn without_extensions(schema: &Schema) -> Schema {
    let fields = schema.fields().iter().map(|field| field.clone().without_extension());
    Schema::new(fields.collect::<Vec<Field>>()).with_metadata(schema.metadata().clone())
}

struct WholeRows {
    cursor: RowCursor,
    columns: FileColumns,
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
                let rows = self.with_all_columns(&rows);
                let rows =
                    rows.map_err(|kind| ToolError::from_set_error(self.cursor.name().clone(), kind.into()))?;
                return Ok(Some(BatchWithMetadata::new(rows, metadata)));
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

    fn with_all_columns(&mut self, rows: &RecordBatch) -> Result<RecordBatch, DatasetErrorKind> {
        let read = rows.project(self.columns.positions())?;
        self.columns.batch(None, &read, rows.n_bytes())
    }
}
