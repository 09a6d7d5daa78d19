//! Whether the lengths of a message can be believed: by the footer, by what follows it, and by its own padding.

use super::Scan;
use crate::{
    alignment::SMALL_ALIGNMENT,
    error::{Context, IpcErrorKind, Result},
    recover::{
        candidate::{Candidate, Evidence},
        lost::LostCause,
        window::{Wait, Window},
    },
};

/// A message whose lengths can be believed.
#[derive(Debug)]
pub(super) struct Checked {
    pub(super) next: u64,
    pub(super) evidence: Evidence,
    /// Whether something follows it that may: otherwise bytes of it may be missing.
    pub(super) is_followed: bool,
}

impl Scan {
    /// Where to go on after a message, or why its lengths cannot be believed.
    pub(super) fn check(
        &self,
        window: &Window,
        found: &Candidate,
    ) -> Wait<std::result::Result<Checked, LostCause>> {
        let (end, n_body_bytes) = (found.end(), found.head.n_body_bytes());
        let footer = self.footer_range().map(|range| range.start);
        let limit = footer.filter(|start| *start > found.position).unwrap_or(self.n_bytes);
        let is_listed = self.expected.at(found.position).is_some_and(|block| block.is(n_body_bytes, end));
        if end > limit && !is_listed {
            let (what, available) = ("body", limit.saturating_sub(found.body_position()));
            let error: Result<()> =
                Err(IpcErrorKind::Truncated { what, needed: n_body_bytes, available }.into());
            let error = error.in_message(self.index_at(found.position), found.position).err();
            return Ok(Err(error.map_or(LostCause::NoMessage, LostCause::Error)));
        }
        let evidence = found.evidence(window, limit)?;
        if is_listed {
            let is_followed = matches!(evidence, Evidence::Strong(_));
            return Ok(Ok(Checked { next: end, evidence: Evidence::Strong(end), is_followed }));
        }
        let (alignment, shift) = self.alignment_at(found.position);
        Ok(match evidence {
            Evidence::Strong(next) => Ok(Checked { next, evidence, is_followed: true }),
            // Either the footer is wrong, or the message: what follows is not.
            Evidence::Weak(_) | Evidence::None if self.expected.at(found.position).is_some() => {
                Err(LostCause::OtherLengths)
            }
            Evidence::Weak(next) if found.has_little_padding(alignment, shift) => {
                Ok(Checked { next, evidence, is_followed: false })
            }
            Evidence::Weak(_) | Evidence::None => Err(LostCause::Lengths),
        })
    }

    /// What bodies begin at multiples of, and how far messages are shifted, if one begins here.
    pub(super) fn alignment_at(&self, position: u64) -> (u64, u64) {
        let shift = position % SMALL_ALIGNMENT;
        (if shift == self.shift { self.alignment } else { SMALL_ALIGNMENT }, shift)
    }
}
