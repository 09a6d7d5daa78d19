//! One input of several.

use std::{ops::Range, sync::Arc};

use arrow_ipc::{
    Codec, Container, IpcError, IpcSchema, Limits, MessageKind, WriteOptions,
    message::{Header, Message},
};

use crate::{
    agreement::check_agreement,
    contradiction::Contradiction,
    convert::{Caster, Loss, Reshaper, Reshaping, WholeMetadata, open_reshaped},
    error::{ToolError, ToolErrorKind},
    input::Input,
    name::InputName,
    relay::{batch_message, block_messages_for},
    rows::Rows,
    source::SharedSource,
    target::Target,
    walk::Walk,
};

/// An input whose schema has been read.
#[derive(Debug)]
pub(super) struct OneInput {
    pub(super) name: InputName,
    pub(super) rows: Rows,
    /// Changes its batches; `None` if they stay unchanged.
    reshaper: Option<Box<Reshaper>>,
    /// The schema with which its batches are written.
    written: IpcSchema,
    /// The source, if it can be read by position.
    pub(super) source: Option<SharedSource>,
}

impl OneInput {
    pub(super) fn open(
        input: Input,
        (reshaping, limits): (Option<&Reshaping>, &Limits),
        losses: &mut Vec<(InputName, Loss)>,
    ) -> Result<OneInput, ToolError> {
        let name = input.name().clone();
        let failed = |error| ToolError::new(name.clone(), ToolErrorKind::Input(error));
        let is_stream = input.container() == Container::Stream;
        let (input, source) = match input.has_positions() && is_stream {
            true => {
                let [input, again] = input.twice()?;
                (input, Some(again.into_source()?))
            }
            false => (input, None),
        };
        let (rows, reshaper) = open_reshaped(input, reshaping, limits)?;
        let written = match &reshaper {
            None => rows.ipc_schema().clone(),
            Some(reshaper) => reshaper.schema().into(),
        };
        let source = match &rows {
            Rows::Streams(_) => source,
            Rows::File { reader, file } => {
                let found = check_agreement(file, reader.footer(), limits).map_err(failed)?;
                // Both are kept, or are not compared.
                let found = found.filter(|what| !matches!(what, Contradiction::WholeMetadata));
                losses.extend(found.map(|what| (name.clone(), Loss::Contradiction(what))));
                Some(file.clone())
            }
        };
        Ok(OneInput { name, rows, reshaper, written, source })
    }

    pub(super) fn schema(&self) -> &IpcSchema {
        self.rows.ipc_schema()
    }

    /// The schema that its batches are written with.
    pub(super) fn written(&self) -> &IpcSchema {
        &self.written
    }

    /// Its rows, and the change of its batches.
    pub(super) fn into_rows(self) -> (InputName, Rows, Option<Arc<Caster>>) {
        (self.name, self.rows, self.reshaper.map(|reshaper| Arc::clone(reshaper.caster())))
    }

    /// # Errors
    /// If names, types or nullability differ from those of the first part.
    pub(super) fn check_same_columns(&self, first: &OneInput) -> Result<(), ToolError> {
        let same = first.written.schema().check_same_columns(self.written.schema());
        same.map_err(|error| {
            let first = first.name.clone();
            ToolError::new(self.name.clone(), ToolErrorKind::OtherInput { first, error })
        })
    }

    /// Compares the metadata with that of the first part, which the output gets.
    pub(super) fn compare_metadata(&self, first: &OneInput, losses: &mut Vec<(InputName, Loss)>) {
        let is_same = self.rows.metadata() == first.rows.metadata()
            && self.written.schema().metadata() == first.written.schema().metadata()
            && self.written.schema().fields() == first.written.schema().fields();
        if !is_same {
            losses.push((self.name.clone(), Loss::OtherMetadata));
        }
    }

    /// Options with the metadata and features of this part.
    ///
    /// # Errors
    /// If the input fails.
    pub(super) fn writing(&self, target: Target, options: WriteOptions) -> Result<WriteOptions, ToolError> {
        let metadata = match &self.rows {
            Rows::File { reader, .. } => WholeMetadata::of_file(reader),
            Rows::Streams(streams) => Ok(WholeMetadata::of_stream(streams.metadata())),
        };
        let metadata =
            metadata.map_err(|error| ToolError::new(self.name.clone(), ToolErrorKind::Input(error)))?;
        let features = self.schema().features().iter().copied();
        Ok(metadata.into_options(target, options).with_features(features))
    }

    /// All messages except the schema, with the dictionaries of a file first; `None` for a pipe. After an error, a stream
    /// has no more messages. For a file, the bodies of these batches and of dictionaries are needed next.
    pub(super) fn messages<'a>(
        &'a self,
        limits: &'a Limits,
        bodies: Range<usize>,
    ) -> Option<Box<dyn Iterator<Item = Result<Message, IpcError>> + 'a>> {
        let source = self.source.as_ref()?;
        if let Rows::File { reader, file } = &self.rows {
            let n_dictionaries = reader.footer().dictionaries().len();
            let with_body = move |block_idx: usize| match block_idx.checked_sub(n_dictionaries) {
                None => !bodies.is_empty(),
                Some(batch_idx) => bodies.contains(&batch_idx),
            };
            return Some(Box::new(block_messages_for(file, reader.footer(), (limits, with_body))));
        }
        let messages = Walk::of_stream(source.clone(), limits.clone()).ok()?;
        let is_schema = |message: &Result<Message, IpcError>| {
            message.as_ref().is_ok_and(|message| message.kind() == MessageKind::Schema)
        };
        Some(Box::new(messages.filter(move |message| !is_schema(message))))
    }

    /// The codec of the first batch, if it is known.
    pub(super) fn codec(&self, limits: &Limits) -> Option<Codec> {
        let batch = match &self.rows {
            Rows::File { reader, file } => {
                batch_message(file, *reader.footer().batches().first()?, limits).ok()?
            }
            Rows::Streams(_) => {
                let mut messages = self.messages(limits, 0..0)?.flatten();
                messages.find(|message| message.kind() == MessageKind::RecordBatch)?
            }
        };
        match batch.header(limits) {
            Ok(Header::RecordBatch(header)) => header.compression(),
            _ => None,
        }
    }
}
