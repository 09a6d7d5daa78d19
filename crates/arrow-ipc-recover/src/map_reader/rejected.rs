//! An invalid message, and the state of the search of its bytes.

use std::ops::Range;

use arrow_buffer::ViewError;
use arrow_data::DataErrorKind;
use arrow_ipc::IpcErrorKind;
use arrow_ipc_format::Message;

use crate::{lost::LostCause, map::SavedMap, span::LocatedMessage};

/// A message that is invalid or does not fit the schema. Its bytes are searched for other messages.
#[derive(Debug)]
pub(super) struct RejectedMessage {
    pub(super) range: Range<u64>,
    pub(super) located: LocatedMessage,
    pub(super) cause: LostCause,
    pub(super) n_prefix_bytes: u64,
    pub(super) search_end: u64,
    pub(super) is_searched: bool,
    /// Whether its bytes are one message: they were searched, and the next message begins at their end. Only its
    /// content is lost, if no message was found inside it.
    pub(super) is_whole: bool,
    /// The state of the map from before the search.
    pub(super) saved_map: Option<SavedMap>,
}

impl RejectedMessage {
    pub(super) fn new(message: &Message, located: LocatedMessage, cause: LostCause) -> RejectedMessage {
        let range = message.position()..message.body_position().saturating_add(message.n_body_bytes());
        let search_end = range.end;
        RejectedMessage {
            range,
            located,
            cause,
            n_prefix_bytes: message.n_prefix_bytes(),
            search_end,
            is_searched: false,
            is_whole: false,
            saved_map: None,
        }
    }

    /// Whether the reason says that lengths, counts and offsets are right: text that is not UTF-8, or a dictionary that has
    /// not come yet. If bytes were removed from the middle of a message, with a dictionary after it, such numbers are wrong.
    pub(super) fn is_about_values(&self) -> bool {
        let LostCause::Error(error) = &self.cause else { return false };
        if let IpcErrorKind::Data(error) = error.kind() {
            return matches!(
                error.kind(),
                DataErrorKind::NotUtf8 { .. } | DataErrorKind::View(ViewError::NotUtf8)
            );
        }
        matches!(error.kind(), IpcErrorKind::MissingDictionary { .. })
    }
}
