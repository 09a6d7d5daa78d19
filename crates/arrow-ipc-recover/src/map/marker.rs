//! End markers of streams; zeros after end markers or instead of a message.

use arrow_ipc_format::{Container, Envelope, LEGACY_PREFIX_BYTES, MessageKind, PREFIX_BYTES};

use super::state::{Map, Marker};
use crate::{
    candidate::{Candidate, MIN_MESSAGE_BYTES, PEEK_BYTES},
    likely::MarkerRule,
    lost::{LostCause, LostContent},
    span::{Damage, SpanContent},
    window::{InputWindow, RangeResult},
};

impl Map {
    /// Continues after an end marker. If metadata follows directly, the bytes are the prefix of a message whose length
    /// was overwritten with zeros.
    pub(super) fn skip_marker(&mut self, window: &InputWindow, n_bytes: u64) -> RangeResult<()> {
        let end = self.position.saturating_add(n_bytes);
        let is_before_footer = self.footer_range().is_some_and(|range| range.contains(&end));
        let next = window.bytes_from(end, PEEK_BYTES)?;
        if !is_before_footer && Envelope::parse(next, self.options.limits()).is_ok() {
            self.nothing(LostCause::Lengths);
            return Ok(());
        }
        // After other zeros, four zeros are not another marker.
        let zeros = self.marker.filter(|marker| marker.has_zeros_to(self.position) && n_bytes < PREFIX_BYTES);
        // In legacy framing, the end marker has four zeros. In current framing, four zeros may have been inserted.
        let is_marker = zeros.is_none() && (n_bytes >= PREFIX_BYTES || self.framing == MarkerRule::Legacy);
        self.marker =
            Some(zeros.map_or(Marker::ending_at(end), |marker| Marker { zeros_end: end, ..marker }));
        if is_marker {
            self.go_to(end, SpanContent::EndMarker);
        } else if zeros.is_none() && self.ends.container != Container::File {
            // Readers would stop at these zeros.
            self.lose_to(end, Damage::new(LostContent::Bytes, LostCause::Zeros));
        } else {
            self.go_to(end, SpanContent::Other);
        }
        Ok(())
    }

    /// Reports zeros between an end marker and a message as lost, unless the message is a schema message. These bytes
    /// may have contained a schema and dictionaries. In a file without a footer, fewer than 64 zeros may be padding. In
    /// a file with a footer, the footer lists all messages.
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
            && found.envelope.kind() != MessageKind::Schema;
        if is_lost {
            self.rewind_to(end);
            self.lose_to(zeros_end, Damage::new(LostContent::Bytes, LostCause::Zeros));
        }
    }

    /// Handles zeros up to `next`: padding, an end marker, or lost messages.
    pub(super) fn zeros(&mut self, next: u64) {
        let position = self.position;
        let n_zeros = next.saturating_sub(position);
        let is_block = self.listed.at(position).is_some();
        if is_block {
            return self.nothing(LostCause::Zeros);
        }
        if position < self.body_end {
            return self.go_to(next.min(self.body_end), SpanContent::Other);
        }
        let is_stream = self.ends.container != Container::File;
        let is_legacy = self.framing == MarkerRule::Legacy && is_stream;
        let is_last = next == self.n_bytes;
        let is_short = is_last && n_zeros < LEGACY_PREFIX_BYTES;
        let may_be_padding = match (self.ends.container, &self.ends.footer) {
            // The footer lists all messages that precede the footer.
            (Container::File, Some((_, range))) => position < range.end,
            (Container::File, None) => n_zeros < MIN_MESSAGE_BYTES,
            // A stream has no padding between messages. Few zeros at the end of the input, or zeros in legacy framing,
            // are an end marker.
            _ => {
                (is_last && (LEGACY_PREFIX_BYTES..MIN_MESSAGE_BYTES).contains(&n_zeros))
                    || (is_legacy && !is_short)
            }
        };
        let marker = self.marker.filter(|marker| marker.zeros_end == position);
        if !(may_be_padding || marker.is_some()) {
            self.skip_from(position, LostCause::Zeros);
            return;
        }
        let block = self.listed.next_start(position.saturating_add(1));
        let end = block.map_or(next, |block| next.min(block));
        let is_marker = marker.is_none() && is_stream;
        self.go_to(end, if is_marker { SpanContent::EndMarker } else { SpanContent::Other });
        let marker =
            marker.or(is_legacy.then(|| Marker::ending_at(position.saturating_add(LEGACY_PREFIX_BYTES))));
        self.marker = marker.map(|marker| Marker { zeros_end: self.position, ..marker }).or(self.marker);
    }
}

/// The position after the zeros at `position`, rounded down to a multiple of 8 plus `shift`; or the end of the provided
/// bytes. `None` if there are no zeros.
pub(super) fn after_zeros(window: &InputWindow, position: u64, shift: u64) -> RangeResult<Option<u64>> {
    const WORD_BYTES: u64 = 8;
    let first = window.bytes_from(position, WORD_BYTES)?;
    if first.iter().any(|byte| *byte != 0) {
        return Ok(None);
    }
    if (first.len() as u64) < WORD_BYTES {
        return Ok(Some(window.n_bytes()));
    }
    let rest = window.rest(position)?;
    let n_zeros = rest.iter().position(|byte| *byte != 0).unwrap_or(rest.len()) as u64;
    let end = position.saturating_add(n_zeros);
    let next = if end == window.n_bytes() { end } else { end - end.saturating_sub(shift) % WORD_BYTES };
    Ok(Some(next.max(position.saturating_add(1))))
}
