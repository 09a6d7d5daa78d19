//! Decides whether the stated lengths of a message can be right. Compares them with the footer, with the bytes after
//! the message, and with its padding.

use arrow_ipc::{FormatErrorKind, IpcError};
use arrow_ipc_format::{MessageKind, SMALL_ALIGNMENT};

use super::state::{BodyAlignment, Map, TrustedMessage};
use crate::{
    candidate::{Candidate, Evidence, Likelihood, ProbeResult, find},
    likely::MarkerRule,
    lost::LostCause,
    window::{InputWindow, RangeResult},
};

impl Map {
    /// Returns the position at which to continue after a message, or why its lengths must be wrong.
    pub(super) fn check(
        &mut self,
        window: &InputWindow,
        found: &Candidate,
    ) -> RangeResult<std::result::Result<TrustedMessage, LostCause>> {
        let end = found.end();
        let n_body_bytes = found.envelope.n_body_bytes();
        let limit = self.limit_after(found.position);
        if end > limit {
            let what = "body";
            let available = limit.saturating_sub(found.body_position());
            let error = FormatErrorKind::Truncated { what, needed: n_body_bytes, available };
            let index = self.index_at(found.position);
            return Ok(Err(LostCause::Error(IpcError::from(error).in_message(index, found.position))));
        }
        if self.contradicts(window, found)? {
            return Ok(Err(LostCause::Lengths));
        }
        let evidence = found.evidence(window, limit)?;
        let is_followed = matches!(evidence, Evidence::Strong(_));
        let n_doubtful_bytes = self.n_doubtful_bytes(window, found)?;
        let trusted =
            |next, is_certain| Ok(TrustedMessage { next, is_certain, is_followed, n_doubtful_bytes });
        let is_schema = found.envelope.kind() == MessageKind::Schema;
        let is_first = self.framing == MarkerRule::Unknown;
        // The footer lists this message, or it lists a block here with a wrong length and the next block at the end of
        // this message.
        let is_listed = self.listed.at(found.position).is_some() && self.listed.next_start(end) == Some(end);
        if self.listed.has(found) || is_listed {
            return Ok(trusted(end, true));
        }
        let BodyAlignment { alignment, padding, is_shown, shift } = self.bodies.at(found.position);
        // The length of a body is a multiple of the alignment.
        let is_multiple = n_body_bytes.is_multiple_of(alignment);
        let (padding, alignment) =
            if is_multiple { (padding, alignment) } else { (SMALL_ALIGNMENT, SMALL_ALIGNMENT) };
        let has_small_padding = || found.has_little_padding(SMALL_ALIGNMENT, (SMALL_ALIGNMENT, shift));
        let has_little_padding =
            || found.has_little_padding(padding, (alignment, shift)) || !is_shown && has_small_padding();
        Ok(match evidence {
            Evidence::Strong(next) => trusted(next, true),
            // The input begins with this message, maybe after damaged bytes.
            _ if is_schema && is_first => trusted(end, false),
            // The footer lists a message with these lengths at another position, and bytes were removed or inserted
            // before.
            _ if self.may_be_shifted && self.listed.has_alike(found) => trusted(end, true),
            // The footer lists other lengths here, and the bytes after the message do not confirm the lengths of the
            // message.
            _ if self.listed.at(found.position).is_some() => Err(LostCause::OtherLengths),
            // A schema message has no values, which wrong lengths would shift. In damaged bytes, it may be a value.
            Evidence::Weak(next) if is_schema && self.skipping.is_none() => trusted(next, false),
            Evidence::Weak(next) if has_little_padding() => trusted(next, false),
            Evidence::Weak(_) | Evidence::None => Err(LostCause::Lengths),
        })
    }

    /// Whether a message cannot be real: it is a schema message with a body, or contains the start of a block of the
    /// footer at which another message begins.
    fn contradicts(&mut self, window: &InputWindow, found: &Candidate) -> RangeResult<bool> {
        if found.envelope.kind() == MessageKind::Schema && found.envelope.n_body_bytes() > 0 {
            return Ok(self.framing != MarkerRule::Unknown);
        }
        let block = self.listed.next_start(found.position.saturating_add(1));
        let Some(block) = block.filter(|block| *block < found.end() && !self.listed.has(found)) else {
            return Ok(false);
        };
        let limits = self.limits_to_guess();
        let probe = find(window, block, (Likelihood::Guessed, &limits))?;
        self.charge(probe.n_bytes);
        Ok(matches!(probe.found, ProbeResult::Candidate(found) if self.listed.has(&found)))
    }
}
