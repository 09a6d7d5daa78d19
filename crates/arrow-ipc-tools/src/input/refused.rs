//! Why an input is no Arrow data, told by how it begins.

use arrow_buffer::Buffer;
use arrow_ipc::{Container, IpcErrorKind};

use crate::{error::ToolErrorKind, foreign::Foreign};

/// What a text may begin with; alone it is none.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Why what begins so is neither a stream nor a file; `None` if it may be one. Eight bytes are enough to tell that; `more` has
/// those that tell what it is instead.
pub(crate) fn refused(start: &[u8], more: impl FnOnce() -> Buffer) -> Option<ToolErrorKind> {
    let found = Container::detect(start);
    // These bytes would be a length of the legacy framing, but lengths are even.
    let is_odd = start.first().is_some_and(|byte| byte % 2 == 1);
    let is_foreign = found == Container::Stream
        && is_odd
        && matches!(Foreign::detect(start), Some(Foreign::Gzip | Foreign::Utf16));
    if let (Container::Stream | Container::File, false) = (found, is_foreign) {
        return None;
    }
    Some(if start.is_empty() || start == BYTE_ORDER_MARK {
        ToolErrorKind::Empty
    } else if found == Container::Unknown || is_foreign {
        ToolErrorKind::NotArrow { found: Foreign::detect(&more()) }
    } else {
        let expected = "an Arrow IPC stream or file";
        ToolErrorKind::Input(IpcErrorKind::WrongContainer { expected, found }.into())
    })
}
