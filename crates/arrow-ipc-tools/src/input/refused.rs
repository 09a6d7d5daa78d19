//! Says from its first bytes why an input is not Arrow data.

use arrow_buffer::Buffer;
use arrow_ipc::{Container, IpcErrorKind};

use crate::error::{
    ToolErrorKind,
    foreign::{ForeignFormat, is_utf16},
};

/// The byte order mark of UTF-8. An input of only this mark counts as empty.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// The error for an input that begins with `start`; `None` if it may be a stream or a file. `start` must have at
/// least eight bytes, or the whole input. `more` returns more bytes, to name the format in the error.
pub(crate) fn refused(start: &[u8], more: impl FnOnce() -> Buffer) -> Option<ToolErrorKind> {
    let found = Container::detect(start);
    // A stream in legacy framing begins with the length of its metadata, a multiple of 4.
    let is_length = start.first().is_some_and(|byte| byte % 4 == 0);
    let is_foreign = found == Container::Stream
        && (is_utf16(start)
            || !is_length
                && matches!(ForeignFormat::detect(start), Some(ForeignFormat::Gzip | ForeignFormat::Utf16)));
    if let (Container::Stream | Container::File, false) = (found, is_foreign) {
        return None;
    }
    Some(if start.is_empty() || start == BYTE_ORDER_MARK {
        ToolErrorKind::Empty
    } else if found == Container::Unknown || is_foreign {
        ToolErrorKind::NotArrow { found: ForeignFormat::detect(&more()) }
    } else {
        let expected = "an Arrow IPC stream or file";
        ToolErrorKind::Input(IpcErrorKind::WrongContainer { expected, found }.into())
    })
}
