//! Reads the first and the last bytes of an input: its container and its footer.

use std::ops::Range;

use arrow_ipc::{
    Result,
    error::{Context, FooterPart},
    file::{Footer, FooterFaults, START_BYTES, TAIL_BYTES},
};
use arrow_ipc_format::{Container, FILE_MAGIC, IpcSchema, Limits};

use super::{
    lost::LostCause,
    window::{InputWindow, RangeResult},
};

/// What the first and the last bytes of an input contain.
#[derive(Debug)]
pub(super) struct InputEnds {
    pub(super) container: Container,
    /// The footer. The range also contains the footer's length and the magic.
    pub(super) footer: Option<(Footer, Range<u64>)>,
    /// The parts of this footer that cannot be read, or contradict the messages.
    pub(super) faults: FooterFaults,
    /// Why a file has no usable footer at its end.
    pub(super) footer_error: Option<LostCause>,
    /// Whether `Footers` has compared the earlier footers with the footer at the end.
    pub(super) is_best: bool,
}

impl InputEnds {
    pub(super) fn read(window: &InputWindow, limits: &Limits) -> RangeResult<InputEnds> {
        let container = Container::detect(&window.bytes_from(0, START_BYTES)?);
        let mut faults = FooterFaults::default();
        let (container, footer, footer_error) = match read_footer(window, window.n_bytes(), limits)? {
            Ok((footer, found, range)) => {
                faults = found;
                (Container::File, Some((footer, range)), None)
            }
            Err(_) if container != Container::File && !has_end_magic(window)? => (container, None, None),
            Err(error) => (Container::File, None, Some(LostCause::Error(error))),
        };
        Ok(InputEnds { container, footer, faults, footer_error, is_best: false })
    }

    /// The schema of the footer, if it can be read.
    pub(super) fn footer_schema(&self) -> Option<&IpcSchema> {
        let (footer, _) = self.footer.as_ref()?;
        (!self.faults.has(FooterPart::Schema)).then(|| footer.ipc_schema())
    }
}

fn has_end_magic(window: &InputWindow) -> RangeResult<bool> {
    let n_bytes = window.n_bytes();
    let start = n_bytes.saturating_sub(FILE_MAGIC.len() as u64);
    Ok(*window.exactly(start..n_bytes)? == FILE_MAGIC[..])
}

/// Reads the footer of a file that ends at `end`, with the parts that cannot be read, and its range.
pub(super) fn read_footer(
    window: &InputWindow,
    end: u64,
    limits: &Limits,
) -> RangeResult<Result<(Footer, FooterFaults, Range<u64>)>> {
    let tail_start = end.saturating_sub(TAIL_BYTES).max(START_BYTES).min(end);
    let tail = window.exactly(tail_start..end)?;
    let range = match Footer::range(&tail, end, limits).at_byte(tail_start) {
        Ok(range) => range,
        Err(error) => return Ok(Err(error)),
    };
    let bytes = window.exactly(range.clone())?;
    let footer = Footer::parse(&bytes, range.start, limits);
    let footer = footer.map(|footer| (footer, FooterFaults::default())).or_else(|error| {
        // If bytes before the footer were removed, the footer lists positions after its own position.
        let parts = Footer::parse_parts(&bytes, range.start, limits);
        parts.map_err(|_| error)
    });
    Ok(footer.at_byte(range.start).map(|(footer, faults)| (footer, faults, range.start..end)))
}
