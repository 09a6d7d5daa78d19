//! The parts of a footer that cannot be read. Each part is judged alone.

use crate::error::{FooterPart, IpcError, Result};

/// What happens if a part of a footer cannot be read: readers refuse the footer. A recovery notes the error, and uses
/// the other parts.
#[derive(Debug, Default)]
pub(crate) struct Faults {
    are_noted: bool,
    /// The first error of each part.
    errors: Vec<(FooterPart, Option<IpcError>)>,
}

impl Faults {
    /// Each fault is an error.
    pub(super) fn refused() -> Faults {
        Faults::default()
    }

    #[cfg(feature = "recover")]
    pub(super) fn noted() -> Faults {
        Faults { are_noted: true, ..Faults::default() }
    }

    /// The part; `None` if it cannot be read and this is noted.
    pub(super) fn take<T, E: Into<IpcError>>(
        &mut self,
        part: FooterPart,
        read: std::result::Result<T, E>,
    ) -> Result<Option<T>> {
        let error = match read {
            Ok(read) => return Ok(Some(read)),
            Err(error) => error.into().in_footer_part(part),
        };
        if !self.are_noted {
            return Err(error);
        }
        self.errors.push((part, Some(error)));
        Ok(None)
    }
}

#[cfg(feature = "recover")]
impl Faults {
    pub(crate) fn is_empty(&self) -> bool {
        self.errors.is_empty()
    }

    /// Whether this part of the footer cannot be read, or only some of it.
    pub(crate) fn has(&self, part: FooterPart) -> bool {
        self.errors.iter().any(|(known, _)| *known == part)
    }

    pub(crate) fn note(&mut self, part: FooterPart, error: IpcError) {
        self.errors.push((part, Some(error.in_footer_part(part))));
    }

    /// Takes the errors out. The parts stay known as unreadable.
    pub(crate) fn take_errors(&mut self) -> Vec<IpcError> {
        self.errors.iter_mut().filter_map(|(_, error)| error.take()).collect()
    }
}
