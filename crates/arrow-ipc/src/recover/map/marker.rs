//! End markers of streams, the zeros after them, and the stream to which later messages belong.

use super::Map;
use crate::{
    frame::PREFIX_BYTES,
    message::Head,
    protocol::{Container, MessageKind},
    recover::{
        candidate::{Candidate, LOOK_BYTES, MIN_MESSAGE_BYTES},
        likely::MarkerRule,
        lost::{LostCause, LostWhat},
        stretch::{Damage, StretchContent},
        window::{InputWindow, Wait},
    },
};

/// The last end marker of a stream.
#[derive(Debug, Clone, Copy)]
pub(super) struct Marker {
    pub(super) end: u64,
    /// The end of the zeros that follow the marker. They are read in pieces.
    pub(super) zeros_end: u64,
}

impl Marker {
    pub(super) fn ending_at(end: u64) -> Marker {
        Marker { end, zeros_end: end }
    }

    fn has_zeros_to(&self, position: u64) -> bool {
        self.end < self.zeros_end && self.zeros_end == position
    }
}

impl Map {
    /// Continues after an end marker. If metadata directly follows it, it is the prefix of a message whose length became zero.
    pub(super) fn pass_marker(&mut self, window: &InputWindow, n_bytes: u64) -> Wait<()> {
        let end = self.position.saturating_add(n_bytes);
        let is_before_footer = self.footer_range().is_some_and(|range| range.contains(&end));
        let next = window.ahead(end, LOOK_BYTES)?;
        if !is_before_footer && Head::parse(next, self.options.limits()).is_ok() {
            self.nothing(LostCause::Lengths);
            return Ok(());
        }
        // Four zeros after other zeros are no further marker.
        let zeros = self.marker.filter(|marker| marker.has_zeros_to(self.position) && n_bytes < PREFIX_BYTES);
        // The short marker belongs to legacy framing. In other streams, four zeros may have been inserted.
        let is_marker = zeros.is_none() && (n_bytes >= PREFIX_BYTES || self.framing == MarkerRule::Legacy);
        self.marker =
            Some(zeros.map_or(Marker::ending_at(end), |marker| Marker { zeros_end: end, ..marker }));
        if is_marker {
            self.go_to(end, StretchContent::EndMarker);
        } else if zeros.is_none() && self.ends.container != Container::File {
            // A reader takes these zeros for the end.
            self.lose_to(end, Damage::new(LostWhat::Bytes, LostCause::Zeros));
        } else {
            self.go_to(end, StretchContent::Other);
        }
        Ok(())
    }

    /// Reports zeros between an end marker and a message as lost, unless the message is a schema: they may have been a schema
    /// and dictionaries. A file may have a few more bytes of padding, and its footer lists everything else.
    pub(super) fn lose_zeros(&mut self, found: &Candidate) {
        let Some(Marker { end, zeros_end }) = self.marker.take() else { return };
        let n_padding_bytes = match (self.ends.container, &self.ends.footer) {
            (Container::File, Some(_)) => return,
            (Container::File, None) => MIN_MESSAGE_BYTES,
            _ => 1,
        };
        let n_zeros = zeros_end.saturating_sub(end);
        let is_lost = zeros_end == found.position
            && n_zeros >= n_padding_bytes
            && found.head.kind() != MessageKind::Schema;
        if is_lost {
            self.go_back_to(end);
            self.lose_to(zeros_end, Damage::new(LostWhat::Bytes, LostCause::Zeros));
        }
    }
}
