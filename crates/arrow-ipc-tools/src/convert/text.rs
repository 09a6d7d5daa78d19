//! Writes batches that are read from text.

use std::{io::Write, sync::Arc};

use arrow_data::{ArrayData, RecordBatch};
use arrow_ipc::{IpcSchema, WriteOptions};
use arrow_schema::{Metadata, Schema};

use super::{
    ConvertOptions, InputCopy,
    losses::Losses,
    reshape::Reshaper,
    writer::{DictionaryRepeats, Writer},
};
use crate::{
    columns::Selection,
    error::{ToolError, ToolErrorKind},
    name::InputName,
    row_window::RowWindow,
    target::Target,
};

/// Writes batches to an output, reshaped if the options say so.
pub(crate) struct TextWriter<W> {
    name: InputName,
    writer: Option<Writer<W>>,
    reshaper: Option<Box<Reshaper>>,
    window: RowWindow,
}

impl<W: Write> TextWriter<W> {
    /// # Errors
    /// If a column to change does not exist, or the output fails.
    pub(crate) fn begin(
        name: &InputName,
        output: W,
        schema: &Arc<Schema>,
        options: &ConvertOptions,
    ) -> Result<TextWriter<W>, ToolError> {
        let failed = |kind| ToolError::new(name.clone(), kind);
        let reshaper = match &options.reshaping {
            None => None,
            Some(reshaping) => {
                let selection = reshaping.select(schema).map_err(failed)?;
                Some(Box::new(Reshaper::try_new(reshaping, selection, schema).map_err(failed)?))
            }
        };
        let schema = IpcSchema::from(reshaper.as_ref().map_or(schema, |reshaper| reshaper.schema()));
        let to = (options.target, DictionaryRepeats::Yes);
        let writer = Writer::begin(output, to, &schema, options.writing.clone());
        let writer = writer.map_err(|error| failed(ToolErrorKind::Output(error)))?;
        Ok(TextWriter { name: name.clone(), writer: Some(writer), reshaper, window: options.rows })
    }

    /// # Errors
    /// If a column cannot be cast, or the output fails.
    pub(crate) fn write(&mut self, batch: RecordBatch, metadata: Metadata) -> Result<(), ToolError> {
        match self.window.take(batch) {
            Some(batch) => {
                let n_bytes = batch.columns().iter().map(ArrayData::n_bytes).fold(0, u64::saturating_add);
                self.with_copy(|copy| copy.write((batch, n_bytes), metadata))
            }
            None => Ok(()),
        }
    }

    /// Bounds joined rows by the bytes of the input so far.
    pub(crate) fn has_read(&mut self, n_bytes: u64) {
        if let Some(reshaper) = &mut self.reshaper {
            reshaper.has_read(n_bytes);
        }
    }

    /// Whether no further row is wanted.
    pub(crate) fn is_done(&self) -> bool {
        self.window.is_done()
    }

    /// Writes the end, and returns the flushed output.
    ///
    /// # Errors
    /// If the output fails.
    pub(crate) fn finish(mut self) -> Result<W, ToolError> {
        self.with_copy(|copy| copy.rest())?;
        let failed = |error| ToolError::new(self.name.clone(), ToolErrorKind::Output(error));
        let writer =
            self.writer.take().ok_or_else(|| ToolError::new(self.name.clone(), ToolErrorKind::Stopped))?;
        writer.finish().map_err(failed)
    }

    fn with_copy(
        &mut self,
        work: impl FnOnce(&mut InputCopy<'_, W>) -> Result<(), ToolError>,
    ) -> Result<(), ToolError> {
        let Some(writer) = self.writer.take() else { return Ok(()) };
        // Text has no metadata that could be lost.
        let mut losses = Losses::default();
        let reshaper = self.reshaper.take();
        let mut copy = InputCopy {
            name: &self.name,
            writer,
            losses: &mut losses,
            reshaper,
            window: self.window,
            loses: true,
        };
        let result = work(&mut copy);
        let InputCopy { writer, reshaper, .. } = copy;
        (self.writer, self.reshaper) = (Some(writer), reshaper);
        result
    }
}

impl ConvertOptions {
    /// The options for a temporary stream of the rows, and for the output that is made of it, to unify dictionaries. So
    /// the text itself is not read twice.
    pub(crate) fn apart(&self) -> Option<(ConvertOptions, ConvertOptions)> {
        let rows = ConvertOptions {
            target: Target::Stream,
            writing: WriteOptions::new(),
            unifies: false,
            ..self.clone()
        };
        let output = ConvertOptions { reshaping: None, rows: RowWindow::ALL, ..self.clone() };
        self.unifies.then_some((rows, output))
    }
}

impl super::Reshaping {
    /// Selects the columns of text, all of which are read.
    fn select(&self, schema: &Arc<Schema>) -> Result<Selection, ToolErrorKind> {
        match &self.columns {
            None => Ok(Selection::default()),
            Some(columns) => columns.select_of_all(schema).map_err(|error| error.into_kind(schema)),
        }
    }
}
