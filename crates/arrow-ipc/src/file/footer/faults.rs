//! The parts of a footer that cannot be read. Each part is judged alone.

use crate::error::{FooterPart, IpcError, Result};

/// The parts of a footer that cannot be read: see [`Footer::parse_parts`](super::Footer::parse_parts).
#[derive(Debug, Default)]
pub struct FooterFaults {
    /// Whether an error is recorded, and the other parts are used. Otherwise the whole footer is refused.
    is_recording: bool,
    /// The first error of each part.
    errors: Vec<(FooterPart, Option<IpcError>)>,
}

impl FooterFaults {
    /// Each fault is an error.
    pub(super) fn refused() -> FooterFaults {
        FooterFaults::default()
    }

    /// Each fault is recorded.
    pub(super) fn recorded() -> FooterFaults {
        FooterFaults { is_recording: true, ..FooterFaults::default() }
    }

    /// The part; `None` if it cannot be read and this is recorded.
    pub(super) fn take<T, E: Into<IpcError>>(
        &mut self,
        part: FooterPart,
        read: std::result::Result<T, E>,
    ) -> Result<Option<T>> {
        let error = match read {
            Ok(read) => return Ok(Some(read)),
            Err(error) => error.into().in_footer_part(part),
        };
        if !self.is_recording {
            return Err(error);
        }
        self.errors.push((part, Some(error)));
        Ok(None)
    }
}

impl FooterFaults {
    /// Whether all parts can be read.
    pub fn is_empty(&self) -> bool {
        self.errors.is_empty()
    }

    /// Whether this part of the footer cannot be read, or only some of it.
    pub fn has(&self, part: FooterPart) -> bool {
        self.errors.iter().any(|(known, _)| *known == part)
    }

    /// Adds the error of a part. The location of the error then names the part.
    pub fn add(&mut self, part: FooterPart, error: IpcError) {
        self.errors.push((part, Some(error.in_footer_part(part))));
    }

    /// Takes the errors out. The parts stay known as unreadable.
    pub fn take_errors(&mut self) -> Vec<IpcError> {
        self.errors.iter_mut().filter_map(|(_, error)| error.take()).collect()
    }
}
