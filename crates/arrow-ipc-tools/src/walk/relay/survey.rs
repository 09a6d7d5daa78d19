//! Finds out whether an input can be copied without decoding, by reading the metadata of all its messages before any
//! output is written.

use std::collections::HashSet;

use arrow_ipc::{
    Endianness, IpcError, IpcSchema, Limits, MessageKind, MetadataVersion, WriteOptions,
    file::Footer,
    message::{Header, Message},
};

use super::block_messages;
use crate::{
    error::trailing::TrailingBytes,
    source::SharedSource,
    walk::{StreamSuccessor, Walk},
};

/// The requirements of the output.
#[derive(Debug, Clone, Copy)]
pub(crate) struct OutputForm<'a> {
    pub(crate) writing: &'a WriteOptions,
    /// Whether all messages must have the metadata version of the output.
    pub(crate) same_version: bool,
}

/// Whether the messages of a file can be copied without decoding. A malformed file must be decoded. So must a file
/// that lacks a dictionary, and a file with dictionaries inside dictionaries, because inner dictionaries must be written
/// first.
pub(crate) fn survey_file(file: &SharedSource, footer: &Footer, output: OutputForm<'_>) -> bool {
    let schema = footer.ipc_schema();
    let mut survey = Survey::new(schema, output, file.limits());
    if !survey.begin(schema) || schema.dictionary_ids().len() > n_outer_dictionaries(schema) {
        return false;
    }
    // Without dictionaries and unions, the schema alone decides, so no message is read.
    let is_plain = schema.dictionary_ids().is_empty() && !survey.has_unions && !output.same_version;
    is_plain || survey.all(block_messages(file, footer)) && survey.has_dictionaries_of(footer)
}

/// Like [`survey_file`], for a stream. There must be no other stream in the input. The stream must not have
/// dictionaries, because it may replace them. Returns `None` if the stream must be decoded; otherwise its trailing
/// bytes, if any.
pub(crate) fn survey_streams(mut walk: Walk, output: OutputForm<'_>) -> Option<Option<TrailingBytes>> {
    let first = walk.next_message().ok()??;
    let Ok(Header::Schema(schema)) = first.header(walk.limits()) else { return None };
    let mut survey = Survey::new(&schema, output, walk.limits());
    let is_possible =
        survey.begin(&schema) && schema.dictionary_ids().is_empty() && survey.all(walk.by_ref());
    if !is_possible {
        return None;
    }
    match walk.after_end().ok()? {
        StreamSuccessor::Nothing => Some(None),
        StreamSuccessor::Other(rest) => Some(Some(rest)),
        StreamSuccessor::Stream(_) => None,
    }
}

struct Survey<'a> {
    output: OutputForm<'a>,
    limits: Limits,
    has_unions: bool,
    dictionaries: HashSet<i64>,
}

impl<'a> Survey<'a> {
    fn new(schema: &IpcSchema, output: OutputForm<'a>, limits: &Limits) -> Survey<'a> {
        let has_unions = schema.schema().fields_in_pre_order().any(|field| field.data_type().is_union());
        Survey { output, limits: limits.clone(), has_unions, dictionaries: HashSet::new() }
    }

    fn begin(&self, schema: &IpcSchema) -> bool {
        let order: Endianness = self.output.writing.endianness();
        schema.unsupported_columns().is_empty() && schema.endianness() == order
    }

    fn all(&mut self, messages: impl Iterator<Item = Result<Message, IpcError>>) -> bool {
        let mut messages = messages;
        messages.all(|message| message.is_ok_and(|message| self.is_possible(&message)))
    }

    /// Whether the messages so far have all dictionaries that the batches of a file may need.
    fn has_dictionaries_of(&self, footer: &Footer) -> bool {
        let ids = footer.ipc_schema().dictionary_ids();
        footer.batches().is_empty() || ids.iter().all(|id| self.dictionaries.contains(id))
    }

    fn is_possible(&mut self, message: &Message) -> bool {
        let version: MetadataVersion = self.output.writing.version();
        if (self.has_unions || self.output.same_version) && message.version() != version {
            return false;
        }
        match message.kind() {
            MessageKind::DictionaryBatch => match message.header(&self.limits) {
                // A replacement or delta cannot be copied, because the policy of the writer determines how it is
                // written.
                Ok(Header::DictionaryBatch { id, is_delta, .. }) => !is_delta && self.dictionaries.insert(id),
                _ => false,
            },
            MessageKind::RecordBatch | MessageKind::Tensor | MessageKind::SparseTensor => true,
            MessageKind::Schema => false,
        }
    }
}

/// The number of dictionaries that are not inside other dictionaries.
fn n_outer_dictionaries(schema: &IpcSchema) -> usize {
    fn of(field: &arrow_schema::Field) -> usize {
        let data_type = field.data_type();
        if data_type.is_dictionary() { 1 } else { data_type.children().iter().map(of).sum() }
    }
    schema.schema().fields().iter().map(of).sum()
}
