//! Messages whose lengths may be right but which lack bytes: the messages after them begin inside of what should be theirs.

use super::{
    BelievedMessage, Map,
    likely::{After, first_likely, n_searched},
};
use crate::{
    error::IpcErrorKind,
    protocol::MessageKind,
    recover::{
        candidate::{Candidate, Evidence, Found, Likelihood, find},
        lost::{LostCause, LostWhat},
        stretch::Damage,
        window::{InputWindow, Wait},
    },
};

/// A message that is not followed by one, or a block of the footer where none begins. The bytes up to its end are searched for a
/// message from which others lead on to that end: only such a one is not a part of a value.
#[derive(Debug)]
pub(super) struct Doubt {
    end: u64,
    /// The bytes of its prefix.
    n_known: u64,
    /// Nothing before it begins a message that leads on to the end.
    from: u64,
    /// The first message that was found, the last of those that follow it without a gap, and where that ends.
    chain: Option<(u64, u64, u64)>,
    otherwise: Otherwise,
}

/// What holds if no such message is found.
#[derive(Debug)]
pub(super) enum Otherwise {
    /// The message counts.
    Take(Box<(Candidate, BelievedMessage)>),
    /// It is cut off at the end of the input.
    CutOff { kind: MessageKind, cause: LostCause, end: u64 },
    /// A block of the footer is lost.
    Block { idx: usize, kind: MessageKind, cause: LostCause },
}

impl Doubt {
    /// Doubts a message which begins here and should end there. What follows it does not begin in its first `n_known` bytes.
    pub(super) fn new((start, end): (u64, u64), n_known: u64, otherwise: Otherwise) -> Doubt {
        // The position grows even where a block is empty.
        let end = end.max(start.saturating_add(1));
        Doubt { end, n_known, from: start.saturating_add(n_known.max(1)), chain: None, otherwise }
    }
}

impl Map {
    /// Looks at one more place. The doubt stays until it is settled, so that nothing is looked at again.
    pub(super) fn settle(&mut self, window: &InputWindow, mut doubt: Doubt) -> Wait<()> {
        let looked = self.look_further(window, &mut doubt);
        match looked {
            Ok(SearchOutcome::Found(next)) => {
                self.found_inside(doubt, next);
                Ok(())
            }
            Ok(SearchOutcome::Nothing) => {
                self.nothing_inside(doubt);
                Ok(())
            }
            Ok(SearchOutcome::Further) => {
                self.doubt = Some(doubt);
                Ok(())
            }
            Err(need) => {
                self.doubt = Some(doubt);
                Err(need)
            }
        }
    }

    fn look_further(&mut self, window: &InputWindow, doubt: &mut Doubt) -> Wait<SearchOutcome> {
        // What ends where the message does may be the end of its last value.
        let (until, limit) = (doubt.end, self.limit_after(self.position));
        let is_past = |end: u64| end > until || end >= limit;
        let is_block = matches!(doubt.otherwise, Otherwise::Block { .. });
        let is_cut_off = matches!(doubt.otherwise, Otherwise::CutOff { .. });
        let (first, last, at) = match doubt.chain {
            Some(chain) => chain,
            None if doubt.from >= doubt.end || self.n_left_to_guess == 0 => {
                return Ok(SearchOutcome::Nothing);
            }
            None => {
                let bytes = self.rest(window, doubt.from)?;
                let after = After::position(doubt.from.saturating_add(bytes.len() as u64), self.n_bytes);
                let Some(at) = first_likely(&bytes, self.framing, after) else {
                    let n_searched = n_searched(bytes.len(), after).max(1) as u64;
                    doubt.from = doubt.from.saturating_add(n_searched);
                    return Ok(SearchOutcome::Further);
                };
                let at = doubt.from.saturating_add(at as u64);
                if at >= doubt.end {
                    return Ok(SearchOutcome::Nothing);
                }
                (at, at, at)
            }
        };
        let link = self.link(window, at)?;
        doubt.chain = None;
        match link {
            Link::To(end) | Link::Listed(end) if is_past(end) => return Ok(SearchOutcome::Found(first)),
            Link::Listed(_) if is_block => return Ok(SearchOutcome::Found(first)),
            Link::To(end) | Link::Listed(end) => doubt.chain = Some((first, at, end)),
            // What is cut off is lost in any case.
            Link::EndMarker(end) if is_past(end) || is_cut_off => return Ok(SearchOutcome::Found(first)),
            Link::CutOff if is_cut_off && last < at => return Ok(SearchOutcome::Found(first)),
            // The messages of the chain lead nowhere else, but for the last, which may lack bytes.
            Link::EndMarker(_) | Link::CutOff | Link::None => doubt.from = last.saturating_add(1),
        }
        Ok(SearchOutcome::Further)
    }

    /// A message that is followed by another, or an end marker.
    fn link(&mut self, window: &InputWindow, at: u64) -> Wait<Link> {
        let limits = self.limits_to_guess();
        let looked = find(window, at, (Likelihood::Guessed, &limits))?;
        let link = match &looked.found {
            Found::EndMarker { n_bytes } => Link::EndMarker(at.saturating_add(*n_bytes)),
            Found::Candidate(found) if self.listed.has_alike(found) => Link::Listed(found.end()),
            Found::Candidate(found) if found.is_consistent && found.end() > self.n_bytes => Link::CutOff,
            Found::Candidate(found) => match self.check(window, found)? {
                Ok(BelievedMessage { next, evidence: Evidence::Strong(_), .. }) => Link::To(next),
                Ok(_) | Err(_) => Link::None,
            },
            // The input ends in its prefix or its metadata.
            Found::Nothing(error) if matches!(error.kind(), IpcErrorKind::Truncated { .. }) => Link::CutOff,
            Found::Nothing(_) => Link::None,
        };
        self.n_left_to_guess = self.n_left_to_guess.saturating_sub(looked.n_bytes);
        Ok(link)
    }

    /// The next message begins before the end of the one that is doubted.
    fn found_inside(&mut self, doubt: Doubt, next: u64) {
        match doubt.otherwise {
            Otherwise::Take(message) => self.lose_shifted(&message.0, next),
            Otherwise::CutOff { kind, end, .. } => {
                let cause = LostCause::Missing { n_bytes: end.saturating_sub(next) };
                self.pass_to((next, doubt.n_known), Damage::new(LostWhat::Message(kind), cause));
            }
            // The footer is right, but bytes before the block have been removed or inserted.
            Otherwise::Block { idx, kind, cause } => {
                self.listed.damaged(idx);
                let damage = Damage { block: Some(idx), ..Damage::new(LostWhat::Message(kind), cause) };
                self.pass_to((next, doubt.n_known), damage);
            }
        }
    }

    fn nothing_inside(&mut self, doubt: Doubt) {
        match doubt.otherwise {
            Otherwise::Take(message) => self.accept(&message.0, &message.1),
            Otherwise::CutOff { kind, cause, .. } => {
                self.lose_to(doubt.end, Damage::new(LostWhat::Message(kind), cause));
            }
            Otherwise::Block { idx, kind, cause } => {
                self.listed.damaged(idx);
                let damage = Damage { block: Some(idx), ..Damage::new(LostWhat::Message(kind), cause) };
                self.lose_to(doubt.end, damage);
            }
        }
    }
}

enum SearchOutcome {
    Further,
    Found(u64),
    Nothing,
}

/// What a message leads to.
enum Link {
    To(u64),
    /// It is one that the footer lists, at another place.
    Listed(u64),
    EndMarker(u64),
    /// The input ends before it does.
    CutOff,
    None,
}
