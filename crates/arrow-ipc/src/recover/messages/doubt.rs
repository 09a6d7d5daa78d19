//! Messages whose lengths may be right but which lack bytes: the messages after them begin inside of what should be theirs.

use super::{
    Checked, Scan,
    likely::{After, first_likely, n_searched},
    lost,
};
use crate::{
    error::Result,
    protocol::MessageKind,
    recover::{
        RecoveryStep,
        candidate::{Candidate, Evidence, Found, Place, find},
        lost::{LostCause, LostWhat},
        window::{Wait, Window},
    },
};

/// A message that is not followed by one, or a block of the footer where none begins. The bytes up to its end are searched for a
/// message from which others lead on to that end: only such a one is not a part of a value.
#[derive(Debug)]
pub(super) struct Doubt {
    start: u64,
    end: u64,
    /// Nothing before it begins a message that leads on to the end.
    from: u64,
    /// The first message that was found, and where those end that follow it without a gap.
    chain: Option<(u64, u64)>,
    otherwise: Otherwise,
}

/// What holds if no such message is found.
#[derive(Debug)]
pub(super) enum Otherwise {
    /// The message counts.
    Take(Box<(Candidate, Checked)>),
    /// It is cut off at the end of the input.
    CutOff { kind: MessageKind, cause: LostCause, end: u64 },
    /// A block of the footer is lost.
    Block { kind: MessageKind, cause: LostCause },
    /// The same, and that has been said.
    ToldBlock,
}

impl Doubt {
    /// Doubts a message which begins here and should end there. What follows it does not begin in its first `n_known` bytes.
    pub(super) fn new((start, end): (u64, u64), n_known: u64, otherwise: Otherwise) -> Doubt {
        // The position grows even where a block is empty.
        let end = end.max(start.saturating_add(1));
        Doubt { start, end, from: start.saturating_add(n_known.max(1)), chain: None, otherwise }
    }
}

impl Scan {
    /// Looks at one more place. The doubt stays until it is settled, so that nothing is looked at again.
    pub(super) fn settle(&mut self, window: &Window, mut doubt: Doubt) -> Wait<Result<Vec<RecoveryStep>>> {
        let looked = self.look_further(window, &mut doubt);
        let next = match looked {
            Ok(next) => next,
            Err(need) => {
                self.doubt = Some(doubt);
                return Err(need);
            }
        };
        match next {
            Look::Further => {
                self.doubt = Some(doubt);
                Ok(Ok(Vec::new()))
            }
            Look::Found(next) => Ok(Ok(self.found_inside(doubt, next))),
            Look::Nothing => self.nothing_inside(window, doubt),
        }
    }

    fn look_further(&mut self, window: &Window, doubt: &mut Doubt) -> Wait<Look> {
        // What ends where the message does may be the end of its last value.
        let (until, n_bytes) = (doubt.end, self.n_bytes);
        let is_past = |end: u64| end > until || end >= n_bytes;
        if let Some((first, at)) = doubt.chain {
            let link = self.link(window, at)?;
            doubt.chain = None;
            return Ok(match link {
                Link::To(end) if is_past(end) => Look::Found(first),
                Link::To(end) => {
                    doubt.chain = Some((first, end));
                    Look::Further
                }
                Link::EndMarker(end) if is_past(end) => Look::Found(first),
                Link::EndMarker(end) | Link::None(end) => {
                    // The messages of the chain lead nowhere else.
                    doubt.from = end.max(first.saturating_add(1));
                    Look::Further
                }
            });
        }
        if doubt.from >= doubt.end || self.n_left_to_guess == 0 {
            return Ok(Look::Nothing);
        }
        let bytes = self.rest(window, doubt.from)?;
        let after = After::position(doubt.from.saturating_add(bytes.len() as u64), self.n_bytes);
        let Some(at) = first_likely(&bytes, self.framing, after) else {
            let n_searched = n_searched(bytes.len(), after).max(1) as u64;
            doubt.from = doubt.from.saturating_add(n_searched);
            return Ok(Look::Further);
        };
        let at = doubt.from.saturating_add(at as u64);
        if at >= doubt.end {
            return Ok(Look::Nothing);
        }
        match self.link(window, at)? {
            Link::To(end) if is_past(end) => return Ok(Look::Found(at)),
            Link::To(end) => doubt.chain = Some((at, end)),
            Link::EndMarker(_) | Link::None(_) => doubt.from = at.saturating_add(1),
        }
        Ok(Look::Further)
    }

    /// A message that is followed by another, or an end marker.
    fn link(&mut self, window: &Window, at: u64) -> Wait<Link> {
        let limits = self.limits_to_guess();
        let looked = find(window, at, (Place::Guessed, &limits))?;
        let link = match &looked.found {
            Found::EndMarker { n_bytes } => Link::EndMarker(at.saturating_add(*n_bytes)),
            Found::Candidate(found) => match self.check(window, found)? {
                Ok(Checked { next, evidence: Evidence::Strong(_), .. }) => Link::To(next),
                Ok(_) | Err(_) => Link::None(at),
            },
            Found::Nothing(_) => Link::None(at),
        };
        self.n_left_to_guess = self.n_left_to_guess.saturating_sub(looked.n_bytes);
        Ok(link)
    }

    /// The next message begins before the end of the one that is doubted.
    fn found_inside(&mut self, doubt: Doubt, next: u64) -> Vec<RecoveryStep> {
        match doubt.otherwise {
            Otherwise::Take(message) => self.lose_shifted(&message.0, next),
            Otherwise::CutOff { kind, end, .. } => {
                self.n_messages = self.n_messages.saturating_add(1);
                (self.position, self.body_end) = (next, next);
                let range = doubt.start..next;
                self.suspect(&range);
                let cause = LostCause::Missing { n_bytes: end.saturating_sub(next) };
                vec![lost(range, LostWhat::Message(kind), cause)]
            }
            // The footer is right, but bytes before the block have been removed or inserted.
            Otherwise::Block { cause, .. } => {
                self.position = next;
                let range = doubt.start..next;
                self.suspect(&range);
                vec![lost(range, LostWhat::Bytes, cause)]
            }
            Otherwise::ToldBlock => {
                self.position = next;
                Vec::new()
            }
        }
    }

    fn nothing_inside(&mut self, window: &Window, doubt: Doubt) -> Wait<Result<Vec<RecoveryStep>>> {
        let range = doubt.start..doubt.end;
        match doubt.otherwise {
            Otherwise::Take(message) => {
                let accepted = self.accept(window, &message.0, &message.1);
                if accepted.is_err() {
                    // Bytes of it are missing; it is not searched again.
                    let from = doubt.end;
                    self.doubt = Some(Doubt { from, otherwise: Otherwise::Take(message), ..doubt });
                }
                accepted
            }
            Otherwise::CutOff { kind, cause, .. } => {
                self.position = range.end;
                Ok(Ok(vec![lost(range, LostWhat::Message(kind), cause)]))
            }
            Otherwise::Block { kind, cause } => {
                self.position = range.end;
                self.suspect(&range);
                Ok(Ok(vec![lost(range, LostWhat::Message(kind), cause)]))
            }
            Otherwise::ToldBlock => {
                self.position = range.end;
                Ok(Ok(Vec::new()))
            }
        }
    }
}

enum Look {
    Further,
    Found(u64),
    Nothing,
}

/// What a message leads to.
enum Link {
    To(u64),
    EndMarker(u64),
    /// There is none; the search goes on here.
    None(u64),
}
