//! Messages that may lack bytes, although their lengths may be right: the next messages then begin before their end.

use std::ops::ControlFlow;

use super::{BelievedMessage, Map};
use crate::{
    protocol::MessageKind,
    recover::{
        candidate::{Candidate, Found, Likelihood, find},
        lost::{LostCause, LostWhat},
        stretch::Damage,
        window::{InputWindow, Wait},
    },
};

/// A message that no message follows, or a block of the footer that no message begins. The bytes up to its end are searched for
/// messages that lead on to that end. A single message in these bytes may be a part of a value.
#[derive(Debug)]
pub(super) struct Doubt {
    end: u64,
    /// The number of bytes of its prefix.
    n_known: u64,
    /// No message that begins before this position leads on to the end.
    from: u64,
    /// The start of the first message that was found, the start of the last message that follows without a gap, and the end of
    /// the last one.
    chain: Option<(u64, u64, u64)>,
    otherwise: Otherwise,
}

/// What to do if no such message is found.
#[derive(Debug)]
pub(super) enum Otherwise {
    /// Believe the message.
    Take(Box<(Candidate, BelievedMessage)>),
    /// Report a block of the footer as lost.
    Block { idx: usize, kind: MessageKind, cause: LostCause },
}

impl Doubt {
    /// Doubts a message that begins at `start` and should end at `end`. No other message begins in its first `n_known` bytes.
    pub(super) fn new((start, end): (u64, u64), n_known: u64, otherwise: Otherwise) -> Doubt {
        // The position must increase even if a block is empty.
        let end = end.max(start.saturating_add(1));
        Doubt { end, n_known, from: start.saturating_add(n_known.max(1)), chain: None, otherwise }
    }
}

impl Map {
    /// Looks at one more position. The doubt stays until it is settled, so no position is looked at twice.
    pub(super) fn settle(&mut self, window: &InputWindow, mut doubt: Doubt) -> Wait<()> {
        match self.look_further(window, &mut doubt) {
            Ok(ControlFlow::Break(next)) => self.settled(doubt, next),
            Ok(ControlFlow::Continue(())) => self.doubt = Some(doubt),
            Err(need) => {
                self.doubt = Some(doubt);
                return Err(need);
            }
        }
        Ok(())
    }

    /// The position of the first message that begins inside the doubted range and leads on to its end, or that there is none.
    fn look_further(&mut self, window: &InputWindow, doubt: &mut Doubt) -> Wait<ControlFlow<Option<u64>>> {
        // A message that ends where the doubted one does may be the end of its last value.
        let (until, limit) = (doubt.end, self.limit_after(self.position));
        let is_past = |end: u64| end > until || end >= limit;
        let is_block = matches!(doubt.otherwise, Otherwise::Block { .. });
        // The doubted message has no values that could contain a message.
        let is_schema =
            matches!(&doubt.otherwise, Otherwise::Take(it) if it.0.head.kind() == MessageKind::Schema);
        let (first, last, at) = match doubt.chain {
            Some(chain) => chain,
            None if doubt.from >= doubt.end || self.n_left_to_guess == 0 => {
                return Ok(ControlFlow::Break(None));
            }
            None => {
                let (at, is_likely) = self.next_likely(window, doubt.from)?;
                doubt.from = at;
                if !is_likely || at >= doubt.end {
                    return Ok(ControlFlow::Continue(()));
                }
                (at, at, at)
            }
        };
        let link = self.link(window, at)?;
        doubt.chain = None;
        match link {
            Link::To(end) | Link::Listed(end) if is_past(end) => return Ok(ControlFlow::Break(Some(first))),
            Link::To(_) | Link::Listed(_) if is_schema => return Ok(ControlFlow::Break(Some(first))),
            Link::Listed(_) if is_block => return Ok(ControlFlow::Break(Some(first))),
            Link::To(end) | Link::Listed(end) => doubt.chain = Some((first, at, end)),
            Link::EndMarker(end) if is_past(end) => return Ok(ControlFlow::Break(Some(first))),
            // Messages of the chain lead nowhere else; only the last one may lack bytes.
            Link::EndMarker(_) | Link::None => doubt.from = last.saturating_add(1),
        }
        Ok(ControlFlow::Continue(()))
    }

    /// A message that is followed by another message or by an end marker.
    fn link(&mut self, window: &InputWindow, at: u64) -> Wait<Link> {
        let limits = self.limits_to_guess();
        let looked = find(window, at, (Likelihood::Guessed, &limits))?;
        let link = match &looked.found {
            Found::EndMarker { n_bytes } => Link::EndMarker(at.saturating_add(*n_bytes)),
            Found::Candidate(found) if self.listed.has_alike(found) => Link::Listed(found.end()),
            Found::Candidate(found) => match self.check(window, found)? {
                Ok(BelievedMessage { next, is_certain: true, .. }) => Link::To(next),
                Ok(_) | Err(_) => Link::None,
            },
            Found::Nothing(_) => Link::None,
        };
        self.n_left_to_guess = self.n_left_to_guess.saturating_sub(looked.n_bytes);
        Ok(link)
    }

    /// Settles a doubt. If `next` is set, the next message begins there, inside the doubted range.
    fn settled(&mut self, doubt: Doubt, next: Option<u64>) {
        let damage = match (doubt.otherwise, next) {
            (Otherwise::Take(message), Some(next)) => return self.lose_shifted(&message.0, next),
            (Otherwise::Take(message), None) => return self.accept(&message.0, &message.1),
            // The footer may be right, and bytes before the block were removed or inserted.
            (Otherwise::Block { idx, kind, cause }, _) => {
                self.listed.damaged(idx);
                Damage { block: Some(idx), ..Damage::new(LostWhat::Message(kind), cause) }
            }
        };
        match next {
            Some(next) => self.pass_to((next, doubt.n_known), damage),
            None => self.lose_to(doubt.end, damage),
        }
    }
}

/// What follows a message.
enum Link {
    To(u64),
    /// A message that the footer lists at another position.
    Listed(u64),
    EndMarker(u64),
    None,
}
