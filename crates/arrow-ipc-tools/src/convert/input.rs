//! An input whose schema has been read.

use std::ops::Range;

use arrow_ipc::{
    Codec, Container, FileReader, IpcError, IpcSchema, MessageKind, WriteOptions, WrittenContainer,
    file::Footer,
    message::{Header, Message},
};
use arrow_schema::Metadata;

use super::{
    losses::Losses,
    reshape::{Caster, Reshaping, open_reshaped},
};
use crate::{
    error::{InputContext, ToolError, ToolErrorKind, name::InputName},
    input::Input,
    observer::Observer,
    rows::{Rows, metadata::WholeMetadata},
    source::SharedSource,
    walk::{
        Walk,
        relay::{batch_message, block_messages_for},
    },
};

#[derive(Debug)]
pub(crate) struct ConvertInput {
    pub(crate) name: InputName,
    pub(crate) rows: Rows,
    /// Changes the columns of the batches; `None` if they stay unchanged.
    pub(crate) caster: Option<Caster>,
    /// The schema of the batches after their columns are changed.
    pub(crate) written: IpcSchema,
    /// The bytes of the input; `None` if they cannot be read by position.
    pub(crate) source: Option<SharedSource>,
    pub(crate) losses: Losses,
}

impl ConvertInput {
    /// Opens an input, and compares the footer of a file, or of each file of a data set, with the stream inside the file.
    ///
    /// # Errors
    /// If the input cannot be read, has only tensors, or does not have a column to change. If the observer stops the work.
    pub(crate) fn open(
        input: Input,
        reshaping: Option<&Reshaping>,
        observer: &mut dyn Observer,
    ) -> Result<ConvertInput, ToolError> {
        let name = input.name().clone();
        let mut losses = Losses::from_origin(input.origin.clone());
        losses.observe_origin(input.limits(), observer)?;
        let is_stream = input.container() == Container::Stream;
        let (input, reopened) = if input.has_positions() && is_stream {
            input.twice().map(|[input, reopened]| (input, Some(reopened)))?
        } else {
            (input, None)
        };
        let (rows, caster) = open_reshaped(input, reshaping)?;
        let written = caster.as_ref().map_or(rows.ipc_schema(), Caster::written).clone();
        let written = written.with_non_negative_ids();
        let source = match &rows {
            Rows::Streams(_) => reopened.map(Input::into_source).transpose()?,
            Rows::File { reader } => {
                losses.observe_file(&name, reader)?;
                Some(reader.source().clone())
            }
        };
        Ok(ConvertInput { name, rows, caster, written, source, losses })
    }

    pub(crate) fn schema(&self) -> &IpcSchema {
        self.rows.ipc_schema()
    }

    /// Checks that this input has the columns of the first input, after columns have been changed.
    ///
    /// # Errors
    /// If names, types or nullability differ.
    pub(crate) fn check_same_columns(&self, first: &ConvertInput) -> Result<(), ToolError> {
        let same = first.written.schema().check_same_columns(self.written.schema());
        same.map_err(|error| {
            let first = first.name.clone();
            ToolError::new(&self.name, ToolErrorKind::OtherInput { first, error })
        })
    }

    /// Records a loss if the metadata of the schema, or of the whole input, is not in the output.
    pub(crate) fn compare_metadata(&mut self, written: &IpcSchema, metadata: &Metadata) {
        let [own, metadata] = [self.rows.metadata(), metadata].map(Footer::without_own_keys);
        let is_same = own == metadata
            && self.written.schema().metadata() == written.schema().metadata()
            && self.written.schema().fields() == written.schema().fields();
        if !is_same {
            self.losses.has_other_metadata = true;
        }
    }

    /// Adds the metadata and features of this input to the options.
    ///
    /// # Errors
    /// If the input cannot be read.
    pub(crate) fn writing(
        &mut self,
        container: WrittenContainer,
        options: WriteOptions,
    ) -> Result<WriteOptions, ToolError> {
        let metadata = WholeMetadata::try_new(&self.rows).in_input(&self.name)?;
        self.losses.schema_metadata = metadata.lost_in(container);
        let features = self.schema().features().iter().copied();
        Ok(metadata.into_options(container, options).with_features(features))
    }

    /// The codec of the first batch; `None` if that batch is not compressed, cannot be read, or does not exist.
    pub(crate) fn codec(&self) -> Option<Codec> {
        let source = self.source.as_ref()?;
        let batch = match &self.rows {
            Rows::File { reader } => batch_message(source, *reader.footer().batches().first()?).ok()?,
            Rows::Streams(_) => {
                let mut messages = messages_of(None, source, 0..0).ok()?.flatten();
                messages.find(|message| message.kind() == MessageKind::RecordBatch)?
            }
        };
        match batch.header(source.limits()) {
            Ok(Header::RecordBatch(header)) => header.compression(),
            _ => None,
        }
    }
}

/// Returns all messages except the schema. If `reader` is set, these are the messages of its file, dictionaries
/// first. The bodies of all dictionaries, and of the batches `bodies`, are then fetched in advance. Otherwise, these
/// are the messages of a stream, up to the first error.
///
/// # Errors
/// If the source of a stream cannot be read.
pub(crate) fn messages_of<'a>(
    reader: Option<&'a FileReader<SharedSource>>,
    source: &'a SharedSource,
    bodies: Range<usize>,
) -> Result<Box<dyn Iterator<Item = Result<Message, IpcError>> + Send + 'a>, IpcError> {
    if let Some(reader) = reader {
        let n_dictionaries = reader.footer().dictionaries().len();
        let with_body = move |block_idx: usize| match block_idx.checked_sub(n_dictionaries) {
            None => !bodies.is_empty(),
            Some(batch_idx) => bodies.contains(&batch_idx),
        };
        return Ok(Box::new(block_messages_for(source, reader.footer(), with_body)));
    }
    let messages = Walk::from_stream(source.clone(), 0)?;
    let is_schema = |message: &Result<Message, IpcError>| {
        message.as_ref().is_ok_and(|message| message.kind() == MessageKind::Schema)
    };
    Ok(Box::new(messages.filter(move |message| !is_schema(message))))
}
