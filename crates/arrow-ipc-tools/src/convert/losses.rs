//! What an input has and the output does not.

use std::{
    collections::HashMap,
    mem::{Discriminant, discriminant},
    sync::atomic::Ordering,
};

use arrow_ipc::FileReader;
use arrow_schema::Metadata;

use crate::{
    agreement::check_agreement,
    error::{Contradiction, InputContext, ToolError},
    input::LostMetadata,
    name::InputName,
    source::SharedSource,
    streams::Streams,
    trailing::TrailingBytes,
};

/// Something in an input that is not in the output.
#[derive(Debug, thiserror::Error)]
pub enum Loss {
    /// Trailing bytes after the last stream. They were not read.
    #[error("{0}")]
    TrailingBytes(TrailingBytes),
    /// Entries in the metadata of the schema message of a file that are not in the footer metadata. A stream gets the
    /// footer metadata.
    #[error("the metadata {0} of the schema message is not in the footer, and is lost")]
    SchemaMetadata(Metadata),
    /// The metadata of dictionary messages. Either the messages were joined, or they were not written because the
    /// output already had the dictionary.
    #[error("the custom metadata of {} is lost", several(*n_dictionaries, "a dictionary message", "dictionary messages"))]
    DictionaryMetadata {
        /// The number of dictionaries whose metadata is lost.
        n_dictionaries: usize,
    },
    /// Digits of numbers that were cut, because the new type of the column cannot store them.
    #[error("column `{column}`: {n_values} {} lost digits", if *n_values == 1 { "value" } else { "values" })]
    Digits {
        /// The name of the column in the output.
        column: String,
        /// The number of values that have lost digits. A value in a dictionary counts once, however many slots refer to
        /// it.
        n_values: u64,
        /// How many of them are values of dictionaries.
        n_in_dictionaries: u64,
    },
    /// The metadata of batches that were joined to batches with different metadata, or of batches without rows if rows are split by values.
    #[error("the custom metadata of {} joined to others is lost", several(*n_batches, "a batch that was", "batches that were"))]
    BatchMetadata {
        /// The number of batches whose metadata is lost.
        n_batches: usize,
    },
    /// Tensors between the batches, which files cannot have.
    #[error(
        "{} lost: files have no place for {}",
        several(*n_tensors, ONE_TENSOR, TENSORS),
        if *n_tensors == 1 { "it" } else { "them" }
    )]
    Tensors {
        /// The number of tensors.
        n_tensors: usize,
    },
    /// Tensors between the batches that were not written because only some rows or batches were selected.
    #[error("{} left out, because rows were selected, and tensors are not rows", several(*n_tensors, ONE_TENSOR, TENSORS))]
    UnselectedTensors {
        /// The number of tensors.
        n_tensors: usize,
    },
    /// Metadata of later streams that differs from the metadata of the first stream.
    #[error("the metadata of a stream after the first differs, and is lost")]
    LaterMetadata,
    /// Metadata of an input that differs from the output metadata. The output has the metadata of the first input, or
    /// of the file to which rows are appended.
    #[error("the metadata of the input differs from that of the output, and is lost")]
    OtherMetadata,
    /// The metadata of files of a data set. If the schema metadata differs between files, the output has the schema
    /// metadata of the first file. The metadata of footers and batches is lost.
    #[error(
        "metadata of some files of the data set is lost: their schemas, footers or batches have other metadata than the output"
    )]
    FileMetadata,
    /// Messages of a file that the footer does not list, or lists twice. The output has the batches that the footer
    /// lists.
    #[error("{0}; the batches that the footer lists were written")]
    Contradiction(Contradiction),
}

const ONE_TENSOR: &str = "a tensor between the batches is";
const TENSORS: &str = "tensors between the batches are";

/// Names one thing with `one`, and several things with their number and `more`.
fn several(n: usize, one: &str, more: &str) -> String {
    if n == 1 { one.to_owned() } else { format!("{n} {more}") }
}

#[derive(Debug, Default)]
pub(crate) struct Losses {
    pub(super) schema_metadata: Metadata,
    /// The number of dictionary messages whose metadata is lost.
    pub(crate) n_dictionaries: usize,
    /// The number of batches whose metadata is lost because they were joined with other batches.
    pub(super) n_batches: usize,
    /// The number of tensors that are lost because the output is a file.
    pub(crate) n_tensors: usize,
    /// The number of tensors that are lost because only some rows or batches were selected.
    pub(super) n_unselected_tensors: usize,
    /// The columns in which values lost digits.
    pub(super) digits: Vec<Loss>,
    contradiction: Option<Contradiction>,
    pub(super) rest: Option<TrailingBytes>,
    has_later_metadata: bool,
    /// Whether the metadata of the input differs from the metadata of the output.
    pub(super) has_other_metadata: bool,
    /// Whether files of the data set had metadata that is lost. All inputs of the data set share this flag.
    of_set: LostMetadata,
}

/// Whether metadata is in the output.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Retention {
    Yes,
    No,
}

impl Retention {
    /// `Yes` if the metadata is empty, or equal to `written`, the metadata that was written last.
    pub(crate) fn of(unwritten: &Metadata, written: Option<&Metadata>) -> Retention {
        if unwritten.is_empty() || Some(unwritten) == written { Retention::Yes } else { Retention::No }
    }

    /// 1 if the metadata is lost, else 0.
    pub(crate) fn n_lost(self) -> usize {
        usize::from(self == Retention::No)
    }
}

impl Losses {
    /// Makes an empty list of losses for an input that may be a data set.
    pub(super) fn of_set(of_set: LostMetadata) -> Losses {
        Losses { of_set, ..Losses::default() }
    }

    /// Compares the footer with the stream inside the file, and records messages that file readers do not return.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub(super) fn observe_file(
        &mut self,
        name: &InputName,
        reader: &FileReader<SharedSource>,
    ) -> Result<(), ToolError> {
        let contradiction = check_agreement(reader.source(), reader.footer()).in_input(name)?.err();
        // Different metadata in the schema message and in the footer is no loss, because a file can store both.
        let is_lost = |what: &Contradiction| !matches!(what, Contradiction::WholeMetadata);
        self.contradiction = contradiction.filter(is_lost);
        Ok(())
    }

    /// Records trailing bytes after these streams, and metadata of later streams that a single output cannot store.
    pub(crate) fn observe_streams(&mut self, streams: &Streams) {
        self.rest = streams.trailing_bytes();
        self.has_later_metadata = streams.has_other_metadata();
    }

    pub(crate) fn into_list(self) -> Vec<Loss> {
        let Losses {
            schema_metadata,
            n_dictionaries,
            n_batches,
            n_tensors,
            n_unselected_tensors,
            digits,
            contradiction,
            rest,
            has_later_metadata,
            has_other_metadata,
            of_set,
        } = self;
        let losses = [
            rest.map(Loss::TrailingBytes),
            (!schema_metadata.is_empty()).then_some(Loss::SchemaMetadata(schema_metadata)),
            (n_dictionaries > 0).then_some(Loss::DictionaryMetadata { n_dictionaries }),
            (n_batches > 0).then_some(Loss::BatchMetadata { n_batches }),
            (n_tensors > 0).then_some(Loss::Tensors { n_tensors }),
            (n_unselected_tensors > 0).then_some(Loss::UnselectedTensors { n_tensors: n_unselected_tensors }),
            has_later_metadata.then_some(Loss::LaterMetadata),
            has_other_metadata.then_some(Loss::OtherMetadata),
            // If several inputs belong to one data set, only the first reports the loss.
            of_set.swap(false, Ordering::Relaxed).then_some(Loss::FileMetadata),
            contradiction.map(Loss::Contradiction),
        ];
        losses.into_iter().flatten().chain(digits).collect()
    }
}

impl Loss {
    /// What the losses of parts have in common if they are the same loss of the input.
    fn key(&self) -> (Discriminant<Loss>, String) {
        let text = match self {
            Loss::Digits { column, .. } => column.clone(),
            Loss::BatchMetadata { .. } | Loss::UnselectedTensors { .. } => String::new(),
            Loss::TrailingBytes(_)
            | Loss::SchemaMetadata(_)
            | Loss::DictionaryMetadata { .. }
            | Loss::Tensors { .. }
            | Loss::LaterMetadata
            | Loss::OtherMetadata
            | Loss::FileMetadata
            | Loss::Contradiction(_) => self.to_string(),
        };
        (discriminant(self), text)
    }

    /// Adds the same loss of another part of the input. Numbers and batches are in one part each. The other losses, such as those
    /// of a dictionary that parts share, are told by each part.
    fn add_part(&mut self, other: &Loss) {
        match (self, other) {
            (
                Loss::Digits { n_values, n_in_dictionaries, .. },
                Loss::Digits { n_values: n_more, n_in_dictionaries: n_shared, .. },
            ) => {
                let [n_plain, n_more_plain] = [(*n_values, *n_in_dictionaries), (*n_more, *n_shared)]
                    .map(|(n_all, n_shared)| n_all.saturating_sub(n_shared));
                *n_in_dictionaries = (*n_in_dictionaries).max(*n_shared);
                *n_values = n_plain.saturating_add(n_more_plain).saturating_add(*n_in_dictionaries);
            }
            (Loss::BatchMetadata { n_batches }, Loss::BatchMetadata { n_batches: n_more }) => {
                *n_batches = n_batches.saturating_add(*n_more);
            }
            // A part sees the tensors before its last row.
            (Loss::UnselectedTensors { n_tensors }, Loss::UnselectedTensors { n_tensors: n_seen }) => {
                *n_tensors = (*n_tensors).max(*n_seen);
            }
            _ => {}
        }
    }
}

/// The name of an input, and one of its losses.
pub(super) type NamedLoss = (InputName, Loss);

/// The losses of inputs whose parts have these losses.
pub(super) fn of_all_parts(of_parts: Vec<NamedLoss>) -> Vec<NamedLoss> {
    let mut all: Vec<NamedLoss> = Vec::new();
    let mut places = HashMap::new();
    for (name, loss) in of_parts {
        let place = *places.entry((name.clone(), loss.key())).or_insert(all.len());
        match all.get_mut(place) {
            Some((_, known)) => known.add_part(&loss),
            None => all.push((name, loss)),
        }
    }
    all
}

pub(super) fn each_loss(losses: Vec<(InputName, Losses)>) -> Vec<NamedLoss> {
    let each = |(name, losses): (InputName, Losses)| {
        losses.into_list().into_iter().map(move |loss| (name.clone(), loss))
    };
    losses.into_iter().flat_map(each).collect()
}
