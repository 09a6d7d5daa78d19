//! Writes the custom metadata of dictionary messages together with the values of the dictionary, and counts the
//! metadata that is lost.

use std::{collections::BTreeMap, mem};

use arrow_schema::Metadata;

use super::{joiner::BatchJoiner, losses::is_metadata_lost, writer::RowSink};

/// The metadata of the dictionary messages of all inputs. Dictionaries are identified by their ids in the first
/// input.
#[derive(Debug, Default)]
pub(super) struct DictionaryMetadata {
    by_id: BTreeMap<i64, MetadataOfDictionary>,
    /// For each input, the number of messages that have lost their metadata.
    n_lost: Vec<usize>,
}

#[derive(Debug, Default)]
struct MetadataOfDictionary {
    /// The metadata of the messages since the last batch. The first entry is the metadata of the message that began
    /// or replaced the dictionary.
    waiting: Vec<Metadata>,
    /// The metadata that the writer puts into the next message, with the index of its input.
    pending: Option<(usize, Metadata)>,
    /// The metadata of the last written message.
    written: Option<Metadata>,
}

impl DictionaryMetadata {
    /// Begins the next input. Drops the metadata of messages of the previous input that no batch followed.
    pub(super) fn begin_input(&mut self) {
        self.by_id.values_mut().for_each(|dictionary| dictionary.waiting.clear());
        self.n_lost.push(0);
    }

    /// Stores the metadata of a message with a whole dictionary, until `take` passes it to the writer.
    pub(super) fn whole(&mut self, id: i64, metadata: Metadata) {
        self.by_id.entry(id).or_default().waiting = vec![metadata];
    }

    /// Stores the metadata of a delta. The writer may write the values of the delta and the previous values in one
    /// message.
    pub(super) fn delta(&mut self, id: i64, metadata: Metadata) {
        if !metadata.is_empty() {
            self.by_id.entry(id).or_default().waiting.push(metadata);
        }
    }

    /// Counts this metadata as lost, because its dictionary is not in the output.
    pub(super) fn left_out(&mut self, metadata: &Metadata) {
        let input = self.n_lost.len().saturating_sub(1);
        count(&mut self.n_lost, input, is_metadata_lost(metadata, None));
    }

    /// Passes the stored metadata to the writer, before a batch is added to `joiner`. `joiner` may still have rows
    /// that use earlier dictionaries.
    pub(super) fn take(&mut self, writer: &mut impl RowSink, joiner: &BatchJoiner) {
        let DictionaryMetadata { by_id, n_lost } = self;
        let input = n_lost.len().saturating_sub(1);
        for (id, dictionary) in by_id {
            let mut messages = mem::take(&mut dictionary.waiting).into_iter();
            let Some(metadata) = messages.next() else { continue };
            messages.for_each(|other| count(n_lost, input, is_metadata_lost(&other, Some(&metadata))));
            let Ok(unwritten) = writer.set_dictionary_metadata(*id, metadata.clone()) else {
                count(n_lost, input, is_metadata_lost(&metadata, None));
                continue;
            };
            match (unwritten, &mut dictionary.pending) {
                (Some(unwritten), Some(_)) if joiner.has_pending() => {
                    count(n_lost, input, is_metadata_lost(&metadata, Some(&unwritten)));
                    let _ = writer.set_dictionary_metadata(*id, unwritten);
                }
                (Some(unwritten), Some(pending)) => {
                    count(n_lost, pending.0, is_metadata_lost(&unwritten, dictionary.written.as_ref()));
                    *pending = (input, metadata);
                }
                (None, Some(pending)) => {
                    dictionary.written = Some(mem::replace(pending, (input, metadata)).1);
                }
                (_, pending @ None) => *pending = Some((input, metadata)),
            }
        }
    }

    /// Ends the last input. Returns, for each input, the number of messages that have lost their metadata.
    pub(super) fn finish(mut self, writer: &mut impl RowSink) -> Vec<usize> {
        for (id, dictionary) in self.by_id {
            let (Some((input, pending)), written) = (dictionary.pending, dictionary.written) else {
                continue;
            };
            // If no dictionary message was written, the output has no rows with this dictionary, unless rows are
            // appended to a file.
            if (written.is_some() || writer.had_rows())
                && let Ok(Some(_)) = writer.set_dictionary_metadata(id, Metadata::new())
            {
                count(&mut self.n_lost, input, is_metadata_lost(&pending, written.as_ref()));
            }
        }
        self.n_lost
    }
}

fn count(n_lost: &mut [usize], input: usize, is_lost: bool) {
    if let Some(n_lost) = n_lost.get_mut(input) {
        *n_lost += usize::from(is_lost);
    }
}
