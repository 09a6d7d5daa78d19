//! The losses of a conversion.

use std::sync::atomic::Ordering;

use arrow_ipc::{Limits, file::Footer};
use arrow_schema::Metadata;

use crate::{
    agreement::check_agreement,
    error::{Contradiction, ToolError, ToolErrorKind},
    input::LostMetadata,
    name::InputName,
    source::SharedSource,
    streams::Streams,
    trailing::TrailingBytes,
};

/// Something of an input that the output does not have.
#[derive(Debug, thiserror::Error)]
pub enum Loss {
    /// Trailing bytes after the last stream, which were not read.
    #[error("{0}")]
    TrailingBytes(TrailingBytes),
    /// Entries in the metadata of the schema message of a file that are not in the metadata of its footer. A stream
    /// gets the metadata of the footer.
    #[error("the metadata {0} of the schema message is not in the footer, and is lost")]
    SchemaMetadata(Metadata),
    /// The metadata of dictionary messages that were joined, or that were not written because the output already had
    /// the dictionary.
    #[error("the custom metadata of {} is lost", several(*n_dictionaries, "a dictionary message", "dictionary messages"))]
    DictionaryMetadata {
        /// The number of dictionaries.
        n_dictionaries: usize,
    },
    /// Digits that the new type of a column cannot store.
    #[error("column `{column}`: {n_values} {} lost digits", if *n_values == 1 { "value" } else { "values" })]
    Digits {
        /// The name of the column in the output.
        column: String,
        /// The number of values that have lost digits. A value in a dictionary counts once, however many slots refer to
        /// it.
        n_values: u64,
    },
    /// The metadata of batches that were joined to batches with different metadata.
    #[error("the custom metadata of {} joined to others is lost", several(*n_batches, "a batch that was", "batches that were"))]
    BatchMetadata {
        /// The number of batches.
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
    /// Tensors between the batches that were not written, because only some rows or batches were selected.
    #[error("{} left out, because rows were selected, and tensors are not rows", several(*n_tensors, ONE_TENSOR, TENSORS))]
    UnselectedTensors {
        /// The number of tensors.
        n_tensors: usize,
    },
    /// The metadata of later streams that differs from that of the first stream.
    #[error("the metadata of a stream after the first differs, and is lost")]
    LaterMetadata,
    /// The metadata of an input that differs from the metadata of the output. The output has the metadata of the first
    /// input, or of the file to which rows are appended.
    #[error("its metadata differs from that of the output, and is lost")]
    OtherMetadata,
    /// The metadata of files of a data set. If the schema metadata of files differs, the output has that of the first
    /// file. The metadata of footers and batches is lost.
    #[error(
        "some of its files have metadata, of schemas, footers or batches, that differs from that of the output, and is lost"
    )]
    FileMetadata,
    /// Messages of a file that its footer does not list, or lists twice. The output has the batches that the footer
    /// lists.
    #[error("{0}; the batches that the footer lists were written")]
    Contradiction(Contradiction),
}

const ONE_TENSOR: &str = "a tensor between the batches is";
const TENSORS: &str = "tensors between the batches are";

/// A text for `n` things: `one` if there is a single one, otherwise the number and `more`.
fn several(n: usize, one: &str, more: &str) -> String {
    if n == 1 { one.to_owned() } else { format!("{n} {more}") }
}

/// The losses so far.
#[derive(Debug, Default)]
pub(crate) struct Losses {
    pub(super) schema_metadata: Metadata,
    /// The number of dictionary messages whose metadata is lost.
    pub(crate) n_dictionaries: usize,
    /// The number of batches whose metadata is lost, because they were joined with other batches.
    pub(super) n_batches: usize,
    /// The number of tensors that the container of the output does not support.
    pub(crate) n_tensors: usize,
    /// The number of tensors that were not written to a stream, because rows or batches were selected.
    pub(super) n_unselected_tensors: usize,
    /// The columns in which values lost digits, with the number of these values.
    pub(super) digits: Vec<(String, u64)>,
    contradiction: Option<Contradiction>,
    /// Trailing bytes after the last stream.
    pub(super) rest: Option<TrailingBytes>,
    has_later_metadata: bool,
    /// Whether the metadata differs from that of the output.
    pub(super) has_other_metadata: bool,
    /// Whether files of a data set had metadata that its rows do not have. Shared by all parts of the data set.
    of_set: LostMetadata,
}

/// Whether metadata is in the output.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kept {
    Yes,
    No,
}

impl Kept {
    /// `Yes` if the metadata is empty, or equal to `written`, the metadata that was written last.
    pub(crate) fn of(unwritten: &Metadata, written: Option<&Metadata>) -> Kept {
        if unwritten.is_empty() || Some(unwritten) == written { Kept::Yes } else { Kept::No }
    }

    /// The number of lost entries: 0 or 1.
    pub(crate) fn n_lost(self) -> usize {
        usize::from(self == Kept::No)
    }
}

impl Losses {
    /// No losses yet, for an input that may be a data set.
    pub(super) fn of_set(of_set: LostMetadata) -> Losses {
        Losses { of_set, ..Losses::default() }
    }

    /// Compares the footer with the stream inside the file, to find messages that readers of the file do not return.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub(super) fn look_at_file(
        &mut self,
        name: &InputName,
        file: &SharedSource,
        footer: &Footer,
        limits: &Limits,
    ) -> Result<(), ToolError> {
        let contradiction = check_agreement(file, footer, limits);
        let contradiction =
            contradiction.map_err(|error| ToolError::new(name.clone(), ToolErrorKind::Input(error)))?;
        // Different metadata in the schema message and in the footer is no loss, because a file can store both.
        let is_lost = |what: &Contradiction| !matches!(what, Contradiction::WholeMetadata);
        self.contradiction = contradiction.filter(is_lost);
        Ok(())
    }

    /// Finds trailing bytes after these streams, and metadata of later streams that a single output cannot store.
    pub(crate) fn look_at_streams(&mut self, streams: &Streams) {
        self.rest = streams.trailing_bytes();
        self.has_later_metadata = streams.has_other_metadata();
    }

    /// All losses.
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
            // If several parts of an input belong to one data set, the loss is reported once.
            of_set.swap(false, Ordering::Relaxed).then_some(Loss::FileMetadata),
            contradiction.map(Loss::Contradiction),
        ];
        let digits = digits.into_iter().map(|(column, n_values)| Loss::Digits { column, n_values });
        losses.into_iter().flatten().chain(digits).collect()
    }
}

/// The name of an input, and one of its losses.
pub(super) type NamedLoss = (InputName, Loss);

pub(super) fn each_loss(losses: Vec<(InputName, Losses)>) -> Vec<NamedLoss> {
    let each = |(name, losses): (InputName, Losses)| {
        losses.into_list().into_iter().map(move |loss| (name.clone(), loss))
    };
    losses.into_iter().flat_map(each).collect()
}
