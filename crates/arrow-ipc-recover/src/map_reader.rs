//! Decodes the messages of a map in order, to find out whether they are valid. Uses only a schema and dictionaries that
//! damaged bytes cannot have changed.

mod losses;
mod message;
mod order;
mod schema;
mod schema_trial;

use std::{
    collections::{BTreeMap, HashMap, HashSet, VecDeque},
    hash::{DefaultHasher, Hash, Hasher},
    ops::{Bound, Range},
};

use arrow_ipc::{ErrorClass, FormatErrorKind, ReadOptions, Result, file::Footer};
use arrow_ipc_format::{Container, IpcSchema, Message, MessageKind};
use arrow_schema::{Metadata, visit};

use self::{message::RejectedMessage, schema_trial::SchemaTrial};
use super::{
    RecoveryStep,
    candidate::MIN_MESSAGE_BYTES,
    content::{MessageContent, UncertainUpdates},
    lost::{LostCause, LostContent, LostPart},
    map::Map,
    span::{Damage, LocatedMessage, Span, SpanContent},
    window::{InputWindow, RangeResult},
};

/// Reads the messages of a map.
#[derive(Debug)]
pub(super) struct MapReader {
    map: Map,
    /// The index of each span of the map, by position.
    positions: BTreeMap<u64, usize>,
    options: ReadOptions,
    /// Whether dictionaries of a stream are used although a message in damaged bytes may have replaced them.
    keeps_uncertain: bool,
    schema: SchemaSearch,
    /// The decoder with its dictionaries. `None` until a schema has been found.
    content: Option<MessageContent>,
    queue: ReadQueue,
    stage: Stage,
    owner: MessageOwner,
    dictionaries: DictionaryHistory,
    /// The invalid message that is being searched for other messages.
    rejected: Option<RejectedMessage>,
    is_damaged: bool,
}

/// Where the schema comes from.
#[derive(Debug)]
struct SchemaSearch {
    /// The schema that the caller passed. It also applies to messages after the end of a stream.
    given: Option<IpcSchema>,
    /// The trial of the schemas that the input may have, until one is chosen.
    trial: Option<SchemaTrial>,
    /// The position of the schema message at the start.
    position: Option<u64>,
    /// The metadata of the schema message or footer.
    metadata: Option<Metadata>,
}

/// The messages that are still to be read.
#[derive(Debug)]
struct ReadQueue {
    /// The messages in order. Empty until the schema is known.
    next: VecDeque<NextRead>,
    /// The batches of a file that wait for a dictionary, in the order of reading.
    waiting: VecDeque<(usize, RejectedMessage)>,
    /// Whether the order must be decided again, because a dictionary of a file was found, or a listed dictionary is
    /// invalid.
    is_outdated: bool,
    /// The numbers of the plans that may still be made: see [`MAX_PLANS`].
    further_plans: Range<u32>,
}

/// The dictionaries that have been read, to find copies and replacements.
#[derive(Debug, Default)]
struct DictionaryHistory {
    /// Hashes of the dictionaries of a file that have been read, by id. Each dictionary is returned once.
    read: HashMap<i64, u64>,
    /// A second dictionary with the same id in a file: the id and the range.
    second: Option<(i64, Range<u64>)>,
    /// The first of those second dictionaries that the footer lists.
    listed_second: Option<(i64, Range<u64>)>,
    /// Whether the file replaces a dictionary, although only streams may do so. Its messages are read in their order,
    /// as in a stream.
    is_replacing: bool,
    /// Hashes of the deltas that were read from a damaged input. A second delta with the same hash is a copy.
    deltas: HashSet<u64>,
    /// Whether the footer lists all deltas that were found.
    are_deltas_listed: bool,
    /// Hashes of the dictionaries that may be copies, by position.
    contents: HashMap<u64, u64>,
}

/// The maximum number of times that the order of reading is decided. A batch without its dictionary is read at most
/// this number of times.
const MAX_PLANS: u32 = 4;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum NextRead {
    Span(usize),
    /// A dictionary of the footer that was not found; `None` if it is uncertain which one.
    MissingDictionary(Option<usize>),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    Schema,
    Copies,
    Messages,
    Ended,
}

/// The stream that contains the next messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum MessageOwner {
    Ours,
    /// A later stream with another schema.
    Other,
    /// A stream with another schema inside damaged bytes. It is probably a value of the first stream.
    Inner,
    /// A stream has ended, and no schema message followed.
    Nobody,
}

impl MapReader {
    pub(super) fn new(
        map: Map,
        (options, keeps_uncertain): (ReadOptions, bool),
        given: Option<IpcSchema>,
    ) -> MapReader {
        MapReader {
            map,
            positions: BTreeMap::new(),
            options,
            keeps_uncertain,
            schema: SchemaSearch { given, trial: None, position: None, metadata: None },
            content: None,
            queue: ReadQueue {
                next: VecDeque::new(),
                waiting: VecDeque::new(),
                is_outdated: false,
                further_plans: 1..MAX_PLANS,
            },
            stage: Stage::Schema,
            owner: MessageOwner::Ours,
            dictionaries: DictionaryHistory::default(),
            rejected: None,
            is_damaged: false,
        }
    }

    pub(super) fn container(&self) -> Container {
        self.map.ends.container
    }

    pub(super) fn footer(&self) -> Option<&Footer> {
        self.map.footer()
    }

    pub(super) fn metadata(&self) -> Option<&Metadata> {
        self.schema.metadata.as_ref()
    }

    /// The end of a stream without an end marker, directly after a message.
    pub(super) fn unmarked_end(&self) -> Option<u64> {
        let mut last = self.map.spans.iter().rev();
        let last = last.find(|span| !matches!(span.content, SpanContent::Other))?;
        let is_message = matches!(last.content, SpanContent::Message(_));
        (is_message && self.container() != Container::File).then(|| self.map.position())
    }

    /// The position of the next message. Earlier bytes are not needed again, if messages are read in the order of the
    /// input.
    pub(super) fn position(&self) -> u64 {
        let next = match self.queue.next.front() {
            Some(NextRead::Span(idx)) => self.map.spans.get(*idx),
            Some(NextRead::MissingDictionary(_)) | None => None,
        };
        next.map_or(0, |span| span.range.start)
    }

    /// Returns the next results. The last result is [`RecoveryStep::End`].
    pub(super) fn step(&mut self, window: &InputWindow) -> RangeResult<Result<Vec<RecoveryStep>>> {
        match self.stage {
            Stage::Schema => {
                let schema = self.first_schema(window)?.map(|mut steps| {
                    steps.extend(self.lost_magic());
                    steps
                });
                self.is_damaged = self.map.spans.iter().any(Span::is_lost);
                self.pair();
                self.queue.next = self.may_be_copies();
                self.stage = Stage::Copies;
                Ok(schema)
            }
            Stage::Copies => {
                if let Some(NextRead::Span(idx)) = self.queue.next.front() {
                    self.note_content(window, *idx)?;
                    self.queue.next.pop_front();
                    return Ok(Ok(Vec::new()));
                }
                self.stage = Stage::Messages;
                self.is_damaged |= !self.dictionaries.contents.is_empty();
                self.plan();
                Ok(Ok(self.lost_footer().into_iter().collect()))
            }
            Stage::Messages => {
                if self.queue.next.is_empty()
                    && self.queue.is_outdated
                    && self.queue.further_plans.next().is_some()
                {
                    self.plan();
                }
                if self.queue.next.is_empty()
                    && let Some((idx, rejected)) = self.queue.waiting.pop_front()
                {
                    // No dictionary was found for the batch, so its bytes are searched for one.
                    self.queue.next.push_front(NextRead::Span(idx));
                    self.rejected = Some(rejected);
                }
                let Some(next) = self.queue.next.front().copied() else {
                    self.stage = Stage::Ended;
                    return Ok(self.end());
                };
                let steps = match next {
                    NextRead::Span(idx) if self.rejected.is_some() => {
                        return Ok(Ok(self.rescan(window, idx)?));
                    }
                    NextRead::Span(idx) => self.read_span(window, idx)?,
                    NextRead::MissingDictionary(block) => {
                        self.miss_dictionary(block);
                        Ok(Vec::new())
                    }
                };
                if self.rejected.is_none() {
                    self.queue.next.pop_front();
                    if let NextRead::Span(idx) = next
                        && let Some(span) = self.map.spans.get_mut(idx)
                    {
                        span.is_read = self.queue.waiting.back().is_none_or(|(waiting, _)| *waiting != idx);
                    }
                    self.read_waiting();
                }
                Ok(steps)
            }
            Stage::Ended => Ok(Ok(vec![RecoveryStep::End])),
        }
    }

    /// Decides the order of the messages that have not been read. Called again if further dictionaries were found.
    fn plan(&mut self) {
        let positions = std::mem::take(&mut self.positions);
        let mut idx = 0;
        // Removes spans that other spans have replaced.
        self.map.spans.retain(|span| {
            let is_current = positions.is_empty() || positions.get(&span.range.start) == Some(&idx);
            idx += 1;
            is_current
        });
        self.map.spans.sort_by_key(|span| span.range.start);
        let spans = self.map.spans.iter().enumerate();
        self.positions = spans.map(|(idx, span)| (span.range.start, idx)).collect();
        self.pair();
        self.dictionaries.is_replacing = self.lists_replaced();
        self.queue.next = self.order();
        self.queue.waiting.clear();
        self.dictionaries.are_deltas_listed = self.lists_deltas();
        // If the footer lists all deltas, lost deltas are recorded again in the new order. Otherwise they stay
        // recorded, since each loss is reported once.
        if self.dictionaries.are_deltas_listed
            && let Some(content) = self.content.as_mut()
        {
            content.find_deltas();
        }
        self.queue.is_outdated = false;
    }

    /// The spans after a span, by position.
    fn after(&self, idx: usize) -> impl Iterator<Item = (usize, &Span)> {
        let start = self.map.spans.get(idx).map_or(u64::MAX, |span| span.range.start);
        let after = self.positions.range((Bound::Excluded(start), Bound::Unbounded));
        after.inspect(|_| visit(1)).filter_map(|(_, idx)| Some((*idx, self.map.spans.get(*idx)?)))
    }

    /// The spans before a span, the nearest first.
    fn before(&self, idx: usize) -> impl Iterator<Item = &Span> {
        let start = self.map.spans.get(idx).map_or(0, |span| span.range.start);
        let before = self.positions.range(..start).rev().inspect(|_| visit(1));
        before.filter_map(|(_, idx)| self.map.spans.get(*idx))
    }

    fn read_span(&mut self, window: &InputWindow, idx: usize) -> RangeResult<Result<Vec<RecoveryStep>>> {
        let shifted = self.shifted(window, idx)?;
        let Some(Span { range, content, .. }) = self.map.spans.get_mut(idx) else {
            return Ok(Ok(Vec::new()));
        };
        match content {
            SpanContent::Other => Ok(Ok(shifted.into_iter().collect())),
            SpanContent::EndMarker => {
                let range = range.clone();
                let misplaced = self.is_misplaced_marker(idx).then(|| {
                    let damage = Damage::new(LostContent::Bytes, LostCause::EndMarker);
                    self.damage(range, damage)
                });
                if misplaced.is_none() {
                    self.end_stream();
                }
                Ok(Ok(misplaced.into_iter().chain(shifted).collect()))
            }
            SpanContent::Message(located) => {
                let start = range.start;
                let located = *located;
                self.message(window, (idx, start, located))
            }
            SpanContent::Lost(damage) => {
                let empty = Damage::new(LostContent::Bytes, LostCause::NoMessage);
                let range = range.clone();
                let damage = std::mem::replace(damage, empty);
                let lost = self.damage(range, damage);
                Ok(Ok([Some(lost), shifted].into_iter().flatten().collect()))
            }
        }
    }

    /// Reports lost bytes, and records the dictionaries that they contained or may have contained.
    fn damage(&mut self, range: Range<u64>, damage: Damage) -> RecoveryStep {
        let Damage { mut what, cause, block, dictionary } = damage;
        if block.is_some_and(|idx| self.map.listed.is_found(idx)) {
            what = LostContent::Bytes;
        }
        if what != LostContent::SchemaMessage && what != LostContent::Footer {
            self.mark_uncertain(&range);
        }
        // If the footer lists all dictionaries, the missing ones are recorded by `miss_dictionary`.
        let is_listed = self.container() == Container::File && self.dictionaries.are_deltas_listed;
        if let (Some(content), Some(dictionary), false) = (&mut self.content, dictionary, is_listed) {
            content.lose(dictionary, &range);
        }
        lost(range, what, cause)
    }

    /// Records the dictionaries that lost bytes may have contained.
    fn mark_uncertain(&mut self, range: &Range<u64>) {
        let updates = match (self.container(), self.dictionaries.are_deltas_listed, self.keeps_uncertain) {
            // The footer shows which dictionaries are lost.
            (Container::File, true, _) => UncertainUpdates::None,
            (Container::File, false, _) if !self.dictionaries.is_replacing => UncertainUpdates::Deltas,
            (_, _, true) => UncertainUpdates::None,
            (_, _, false) => UncertainUpdates::Replacements,
        };
        if let Some(content) = &mut self.content {
            content.mark_uncertain(range, updates);
        }
    }

    /// Once all dictionaries are known, queues the batches that wait for dictionaries.
    fn read_waiting(&mut self) {
        if self.content.as_ref().is_some_and(MessageContent::has_all_dictionaries) {
            let waiting = self.queue.waiting.drain(..).rev();
            waiting.for_each(|(idx, _)| self.queue.next.push_front(NextRead::Span(idx)));
        }
    }

    /// Records that a dictionary of a file or a delta is missing. Later deltas are refused.
    fn miss_dictionary(&mut self, block: Option<usize>) {
        let block = block.and_then(|idx| self.map.listed.blocks().get(idx));
        let range = block.map_or(0..self.map.position(), |block| self.map.listed.expected(block));
        if let Some(content) = &mut self.content {
            content.lose_deltas(range);
        }
    }

    /// Whether a delta with the same bytes has been read before. One of them is a copy that the damage made, and it is
    /// unknown which.
    fn is_copied_delta(&self, message: &Message, located: LocatedMessage) -> bool {
        let is_delta = located.dictionary.is_some_and(|dictionary| dictionary.is_delta);
        self.is_damaged && is_delta && self.dictionaries.deltas.contains(&hash_message(message))
    }

    /// Whether the stream continues after an end marker: a batch or a dictionary follows, and the bytes between them
    /// are too few for a schema message.
    fn is_misplaced_marker(&self, idx: usize) -> bool {
        let start = self.map.spans.get(idx).map_or(0, |span| span.range.end);
        let is_far = |span: &Span| span.range.end.saturating_sub(start) >= MIN_MESSAGE_BYTES;
        let is_next = |span: &Span| match span.content {
            SpanContent::Message(_) | SpanContent::EndMarker => true,
            SpanContent::Other | SpanContent::Lost(_) => is_far(span),
        };
        let next = self.after(idx).find(|(_, span)| is_next(span));
        let is_message = next
            .and_then(|(_, next)| next.message())
            .is_some_and(|located| located.kind != MessageKind::Schema);
        is_message && self.owner == MessageOwner::Ours && self.container() != Container::File
    }

    /// Ends the current stream of an input that is not a file. Later messages belong to no stream until a schema is
    /// read.
    fn end_stream(&mut self) {
        if self.container() == Container::File {
            return;
        }
        self.owner = match self.owner {
            MessageOwner::Inner => MessageOwner::Ours,
            MessageOwner::Ours | MessageOwner::Other | MessageOwner::Nobody => MessageOwner::Nobody,
        };
    }

    /// Returns the results that are known only at the end.
    fn end(&mut self) -> Result<Vec<RecoveryStep>> {
        if self.content.is_none() {
            let missing =
                || FormatErrorKind::Missing { what: "a schema message or a footer that can be read" };
            let error = self.map.beginning.as_mut().and_then(|beginning| beginning.error.take());
            // A message with an unsupported version is probably damaged if other messages are readable.
            let is_read = self.map.spans.iter().any(|span| span.message().is_some());
            let error = error.filter(|error| !(is_read && error.class() == ErrorClass::Unsupported));
            return Err(error.unwrap_or_else(|| missing().into()));
        }
        let n_bytes = self.map.position();
        let mut steps: Vec<RecoveryStep> = self.blocks_not_found();
        if let Some(cause) = self.map.ends.footer_error.take()
            && self.map.ends.footer.is_none()
        {
            steps.push(lost(n_bytes..n_bytes, LostContent::Footer, cause));
        }
        Ok(steps)
    }
}

fn lost(range: Range<u64>, what: LostContent, cause: LostCause) -> RecoveryStep {
    RecoveryStep::Lost(LostPart::new(range, what, cause))
}

fn hash_message(message: &Message) -> u64 {
    hash((&message.envelope().metadata()[..], &message.body()[..]))
}

fn hash(content: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    content.hash(&mut hasher);
    hasher.finish()
}
