//! Collects what an input has and the output does not.

use std::{
    collections::HashMap,
    mem::{Discriminant, discriminant},
};

use arrow_ipc::{Container, FileReader, Limits, file::Footer};
use arrow_schema::Metadata;

use crate::{
    error::{Contradiction, InputContext, ToolError, loss::Loss, name::InputName, trailing::TrailingBytes},
    input::{Input, origin::OriginLosses},
    observer::{Observer, Pass, Unit},
    rows::streams::Streams,
    source::SharedSource,
    walk::footer_check::unread_part,
};

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
    /// What the input has lost of what it is made of.
    origin: OriginLosses,
}

/// Whether metadata is not in the output: it is neither empty nor equal to `written`, the metadata that was written last.
pub(crate) fn is_metadata_lost(unwritten: &Metadata, written: Option<&Metadata>) -> bool {
    !unwritten.is_empty() && Some(unwritten) != written
}

impl Losses {
    /// Makes a list of losses for an input that is made of other inputs.
    pub(super) fn from_origin(origin: OriginLosses) -> Losses {
        Losses { origin, ..Losses::default() }
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
        self.contradiction = unread_part(reader.source(), reader.footer()).in_input(name)?;
        Ok(())
    }

    /// Does the same for the files of a data set, but only once for all inputs that are made of it.
    ///
    /// # Errors
    /// If a file cannot be read, or if the observer stops the work.
    pub(super) fn observe_origin(
        &mut self,
        limits: &Limits,
        observer: &mut dyn Observer,
    ) -> Result<(), ToolError> {
        let mut first = None;
        let mut n_more: usize = 0;
        for path in self.origin.take_unchecked() {
            let input = Input::open(&*path)?.with_limits(limits.clone());
            // A data set refuses streams with trailing bytes.
            if input.container() != Container::File {
                continue;
            }
            let name = input.name().clone();
            Pass::begin(observer, &name, (Unit::Batches, None))?;
            let file = input.into_source()?;
            let footer = Footer::read(&file, file.limits()).in_input(&name)?;
            match (unread_part(&file, &footer).in_input(&name)?, &first) {
                (Some(what), None) => first = Some((name, what)),
                (Some(_), Some(_)) => n_more = n_more.saturating_add(1),
                (None, _) => {}
            }
        }
        if let Some((file, what)) = first {
            self.origin.add(Loss::FileContradiction { file, what, n_more });
        }
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
            origin,
        } = self;
        if has_other_metadata {
            origin.add(Loss::OtherMetadata);
        }
        let losses = [
            rest.map(Loss::TrailingBytes),
            (!schema_metadata.is_empty()).then_some(Loss::SchemaMetadata(schema_metadata)),
            (n_dictionaries > 0).then_some(Loss::DictionaryMetadata { n_dictionaries }),
            (n_batches > 0).then_some(Loss::BatchMetadata { n_batches }),
            (n_tensors > 0).then_some(Loss::Tensors { n_tensors }),
            (n_unselected_tensors > 0).then_some(Loss::UnselectedTensors { n_tensors: n_unselected_tensors }),
            has_later_metadata.then_some(Loss::LaterMetadata),
            contradiction.map(Loss::Contradiction),
        ];
        // If several inputs are made of the same, only the first reports these losses.
        losses.into_iter().flatten().chain(origin.take()).chain(digits).collect()
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
            | Loss::FolderMetadata { .. }
            | Loss::Tensors { .. }
            | Loss::LaterMetadata
            | Loss::OtherMetadata
            | Loss::FileMetadata
            | Loss::Contradiction(_)
            | Loss::FileContradiction { .. } => self.to_string(),
        };
        (discriminant(self), text)
    }

    /// Adds the same loss of another part of the input. Numbers and batches are in one part each. The other losses, such as those
    /// of a dictionary that parts share, are reported by each part.
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
pub(super) fn merge_part_losses(part_losses: Vec<NamedLoss>) -> Vec<NamedLoss> {
    let mut all: Vec<NamedLoss> = Vec::new();
    let mut positions = HashMap::new();
    for (name, loss) in part_losses {
        let position = *positions.entry((name.clone(), loss.key())).or_insert(all.len());
        match all.get_mut(position) {
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
