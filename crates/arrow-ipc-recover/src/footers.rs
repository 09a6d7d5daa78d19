//! Chooses the footer that lists most messages, among the footer at the end of an input and earlier footers.

use std::{collections::HashMap, ops::Range};

use arrow_ipc::file::{Footer, FooterFaults, FooterSearch};
use arrow_ipc_format::{Container, Limits, MessageKind};

use super::{
    ends::{InputEnds, read_footer},
    footer_blocks::{BlockState, FooterBlocks, ListedBlock, MessageLengths},
    lost::LostCause,
    map::Map,
    span::Span,
    window::{InputWindow, RangeResult},
};

/// Counts the messages that each footer lists at the right position. The footer at the end may be damaged, or belong to
/// another file.
#[derive(Debug)]
pub(super) struct Footers {
    search: FooterSearch,
    n_left: u32,
    /// The lengths of the messages, by position.
    messages: HashMap<u64, MessageLengths>,
    /// The best footer so far.
    best: Option<(Footer, Range<u64>)>,
    n_listed: usize,
    /// Whether the first or the last bytes of the input are a magic.
    is_file: bool,
    lists_alike: bool,
    /// Whether the footer at the end belongs to another file: none of its blocks has the lengths of a message.
    is_wrong: bool,
    /// Whether only a footer can have the schema.
    needs_schema: bool,
}

/// The recovery tries at most this number of earlier footers.
const MAX_FOOTERS: u32 = 16;

impl Footers {
    /// Begins to compare footers. `None` if the footer at the end lists all messages, or the input cannot be a file.
    pub(super) fn new(map: &Map, limits: &Limits) -> Option<Footers> {
        let messages = map.spans.iter();
        let messages = messages.filter_map(|span| Some((span.range.start, span.message()?.lengths?)));
        let messages: HashMap<u64, MessageLengths> = messages.collect();
        let last = map.ends.footer.as_ref();
        let listed = last.map(|(footer, _)| FooterBlocks::from_footer(footer)).unwrap_or_default();
        let n_listed = n_listed(&listed, &messages);
        let is_unreadable = listed.blocks().is_empty() && !map.ends.faults.is_empty();
        let is_wrong =
            last.is_some() && !messages.is_empty() && !lists_any(&listed, &messages) && !is_unreadable;
        let has_bare = map.beginning.as_ref().is_some_and(|beginning| beginning.bare.is_some());
        let first = map.spans.iter().find_map(Span::message);
        let needs_schema = !has_bare && first.is_none_or(|first| first.kind != MessageKind::Schema);
        let is_file = map.ends.container == Container::File;
        let may_be_file = is_file || map.spans.first().is_some_and(Span::is_lost);
        let is_explained = last.is_some() && n_listed == messages.len();
        if map.ends.is_best || is_explained || !may_be_file {
            return None;
        }
        let end = last.map_or(map.position(), |(_, range)| range.start);
        let search = FooterSearch::new(end, limits.clone()).with_shifted_blocks();
        Some(Footers {
            search,
            n_left: MAX_FOOTERS,
            messages,
            best: None,
            n_listed,
            is_file,
            lists_alike: false,
            is_wrong,
            needs_schema,
        })
    }

    /// Compares the earlier footers. Returns the ends of the input with the best footer; `None` to use the footer at
    /// the end.
    pub(super) fn step(&mut self, window: &InputWindow, limits: &Limits) -> RangeResult<Option<InputEnds>> {
        while self.n_left > 0
            && let Some((footer, range)) = self.search.find(|range| window.exactly(range))?
        {
            let listed = FooterBlocks::from_footer(&footer);
            let end = range.end;
            let n_listed = n_listed(&listed, &self.messages);
            // The footer of a file without batches lists no messages.
            let is_empty = self.messages.is_empty() && listed.blocks().is_empty();
            self.lists_alike |= is_empty || lists_any(&listed, &self.messages);
            if n_listed > self.n_listed || is_empty {
                self.best = Some((footer, range));
                self.n_listed = n_listed;
            }
            self.search = FooterSearch::new(end.saturating_sub(1), limits.clone()).with_shifted_blocks();
            self.n_left = self.n_left.saturating_sub(1);
        }
        if self.best.is_none() && !self.is_wrong && (self.is_file || !self.lists_alike) {
            return Ok(None);
        }
        let last = read_footer(window, window.n_bytes(), limits)?;
        let (last, footer_error) = match last {
            Ok(last) => (Some(last), LostCause::OtherPositions),
            Err(error) => (None, LostCause::Error(error)),
        };
        let (footer, faults) = match (self.best.take(), last) {
            // Each part is judged alone: although the blocks are wrong, the schema may be that of the batches.
            (None, Some((footer, faults, range))) if self.needs_schema => {
                (Some((footer.without_blocks(), range)), faults)
            }
            (best, _) => (best, FooterFaults::default()),
        };
        let footer_error = Some(footer_error);
        Ok(Some(InputEnds { container: Container::File, footer, faults, footer_error, is_best: true }))
    }
}

/// Whether a footer lists the lengths of any message, at any position.
fn lists_any(listed: &FooterBlocks, messages: &HashMap<u64, MessageLengths>) -> bool {
    messages.values().any(|lengths| listed.has_lengths(lengths))
}

/// The number of messages that a footer lists with the right position and lengths.
fn n_listed(listed: &FooterBlocks, messages: &HashMap<u64, MessageLengths>) -> usize {
    let is_there = |block: &&ListedBlock| {
        block.state != BlockState::Repeated && messages.get(&block.start()) == Some(&block.lengths())
    };
    listed.blocks().iter().filter(is_there).count()
}
