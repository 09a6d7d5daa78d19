//! Finds positions in damaged bytes at which a message may begin. This can be any byte, since removed or inserted bytes
//! shift all later bytes.

use arrow_ipc_format::CONTINUATION;

/// The bytes that show whether a message is likely: marker, length, and the position of the root table.
pub(super) const LIKELY_BYTES: usize = 12;

/// The alignment of tables in flatbuffers.
const TABLE_ALIGNMENT: u32 = 4;

/// The longest metadata that is searched in legacy framing. There, the prefix is only a length.
const MAX_LEGACY_METADATA_BYTES: u32 = 1 << 24;

/// Whether messages may lack the continuation marker.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum MarkerRule {
    /// No message has been found. The first message shows the framing.
    Unknown,
    Current,
    Legacy,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum InputRest {
    /// Bytes that have not been provided.
    More,
    /// Nothing: the input ends.
    End,
}

impl InputRest {
    pub(super) fn position(end: u64, n_bytes: u64) -> InputRest {
        if end >= n_bytes { InputRest::End } else { InputRest::More }
    }
}

/// The first position in `bytes` at which a message may begin. The last 11 bytes are only considered at the end of the
/// input.
pub(super) fn first_likely(bytes: &[u8], framing: MarkerRule, after: InputRest) -> Option<usize> {
    let n_positions = n_searched(bytes.len(), after);
    (0..n_positions).find(|at| bytes.get(*at..).is_some_and(|bytes| may_begin(bytes, framing)))
}

/// The number of bytes that the next search may skip if [`first_likely`] found nothing.
pub(super) fn n_searched(n_bytes: usize, after: InputRest) -> usize {
    match after {
        InputRest::End => n_bytes,
        InputRest::More => n_bytes.saturating_sub(LIKELY_BYTES - 1),
    }
}

fn may_begin(bytes: &[u8], framing: MarkerRule) -> bool {
    let may_be_legacy = framing != MarkerRule::Current && !bytes.starts_with(&CONTINUATION);
    has_likely_prefix(bytes) || (may_be_legacy && has_likely_length(bytes, MAX_LEGACY_METADATA_BYTES))
}

/// Whether bytes begin with the continuation marker, a length, and the offset of a table within this length.
pub(super) fn has_likely_prefix(bytes: &[u8]) -> bool {
    let after_marker = bytes.strip_prefix(&CONTINUATION);
    after_marker.is_some_and(|rest| has_likely_length(rest, i32::MAX.unsigned_abs()))
}

fn has_likely_length(bytes: &[u8], most: u32) -> bool {
    let Some((length, rest)) = bytes.split_first_chunk::<4>() else { return false };
    let length = u32::from_le_bytes(*length);
    // If the input ends here, reading the metadata fails later.
    let is_table = rest.first_chunk::<4>().is_none_or(|table| {
        let table = u32::from_le_bytes(*table);
        table >= TABLE_ALIGNMENT && table < length && table.is_multiple_of(TABLE_ALIGNMENT)
    });
    (1..=most).contains(&length) && is_table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prefixes_are_found_at_any_byte() {
        let message = [&[0xff; 4][..], &[64, 0, 0, 0], &[16, 0, 0, 0], &[0; 60]].concat();
        for n_before in 0..20 {
            for before in [0x00, 0x11, 0xfe] {
                let bytes = [&vec![before; n_before][..], &message].concat();
                let found = |framing| first_likely(&bytes, framing, InputRest::End);
                assert_eq!(found(MarkerRule::Current), Some(n_before), "{n_before} {before:#x}");
                let legacy = first_likely(&bytes[n_before + 4..], MarkerRule::Legacy, InputRest::End);
                assert_eq!(legacy, Some(0));
            }
        }
    }

    #[test]
    fn what_is_no_prefix_is_passed_over() {
        let marker =
            |length: i32, table: i32| [&[0xff; 4][..], &length.to_le_bytes(), &table.to_le_bytes()].concat();
        let is_likely = |bytes: &[u8]| first_likely(bytes, MarkerRule::Current, InputRest::End) == Some(0);
        assert!(is_likely(&marker(64, 16)));
        for (length, table) in [(0, 16), (-1, 16), (64, 64), (64, 0), (64, 15), (64, -4)] {
            assert!(!is_likely(&marker(length, table)), "{length} {table}");
        }
        // More bytes could complete the prefix, unless the input ends here.
        let cut = &marker(64, 16)[..10];
        assert_eq!(first_likely(cut, MarkerRule::Current, InputRest::More), None);
        assert_eq!(n_searched(cut.len(), InputRest::More), 0);
        assert_eq!(first_likely(cut, MarkerRule::Current, InputRest::End), Some(0));
    }
}
