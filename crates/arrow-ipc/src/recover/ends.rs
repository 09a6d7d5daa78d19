//! Both ends of an input: what it is, its footer, and where a footer lies that is not at the end.

use std::ops::Range;

use super::window::{Wait, Window};
use crate::{
    detect::Container,
    error::{Context, IpcError, Result},
    file::{Footer, LastFooter, START_BYTES, TAIL_BYTES},
    frame::Prefix,
    limits::Limits,
    message::Head,
};

/// What the ends of an input say.
#[derive(Debug)]
pub(super) struct Ends {
    pub(super) container: Container,
    /// The footer, and the bytes from its start to the end of the magic after it.
    pub(super) footer: Option<(Footer, Range<u64>)>,
    /// Why a file has no footer at its end.
    pub(super) footer_error: Option<IpcError>,
}

/// Reads both ends.
#[derive(Debug)]
pub(super) enum ReadEnds {
    Ends,
    /// The end of a file is damaged: perhaps an earlier one is there.
    Search {
        search: LastFooter,
        error: Option<IpcError>,
    },
}

impl ReadEnds {
    pub(super) fn step(&mut self, window: &Window, limits: &Limits) -> Wait<Ends> {
        let n_bytes = window.n_bytes();
        let start = window.ahead(0, START_BYTES)?;
        let detected = Container::detect(&start);
        loop {
            match self {
                ReadEnds::Ends => match read_footer(window, n_bytes, limits)? {
                    Ok((footer, range)) => {
                        let footer = Some((footer, range));
                        return Ok(Ends { container: Container::File, footer, footer_error: None });
                    }
                    Err(_) if detected != Container::File => {
                        return Ok(Ends { container: detected, footer: None, footer_error: None });
                    }
                    Err(error) => {
                        let search = LastFooter::new(n_bytes, limits.clone());
                        *self = ReadEnds::Search { search, error: Some(error) };
                    }
                },
                ReadEnds::Search { search, error } => {
                    let found = find_footer(window, search, limits)?;
                    return Ok(Ends {
                        container: Container::File,
                        footer: found,
                        footer_error: error.take(),
                    });
                }
            }
        }
    }
}

/// The footer of a file that ends here.
fn read_footer(window: &Window, end: u64, limits: &Limits) -> Wait<Result<(Footer, Range<u64>)>> {
    let tail_start = end.saturating_sub(TAIL_BYTES).max(START_BYTES).min(end);
    let tail = window.exactly(tail_start..end)?;
    let range = match Footer::range(&tail, end, limits).at_byte(tail_start) {
        Ok(range) => range,
        Err(error) => return Ok(Err(error)),
    };
    let bytes = window.exactly(range.clone())?;
    let footer = Footer::parse(&bytes, range.start, limits).map_err(IpcError::from);
    Ok(footer.at_byte(range.start).map(|footer| (footer, range.start..end)))
}

/// The last complete footer whose first and last block are messages: not one of a file inside of a value.
fn find_footer(
    window: &Window,
    search: &mut LastFooter,
    limits: &Limits,
) -> Wait<Option<(Footer, Range<u64>)>> {
    let mut missing = None;
    let found = search.find(|range| {
        let bytes = window.exactly(range);
        Ok(bytes.map_err(|need| missing = Some(need)).ok())
    });
    let end = match (found, missing) {
        (_, Some(need)) => return Err(need),
        (Ok(Some(Some(end))), None) => end,
        _ => return Ok(None),
    };
    let Ok((footer, range)) = read_footer(window, end, limits)? else { return Ok(None) };
    let blocks = footer.dictionaries().iter().chain(footer.batches());
    let (first, last) = (blocks.clone().next(), blocks.last());
    for block in first.into_iter().chain(last) {
        let bytes =
            window.exactly(block.position()..block.position().saturating_add(block.n_metadata_bytes()))?;
        let head = match Prefix::parse(&bytes) {
            Ok(Some(Prefix::Message { n_prefix_bytes, n_metadata_bytes })) => {
                let metadata = bytes.try_slice(n_prefix_bytes, n_metadata_bytes.into());
                metadata.ok().and_then(|metadata| Head::parse(metadata, limits).ok())
            }
            _ => None,
        };
        if head.is_none_or(|head| head.n_body_bytes() != block.n_body_bytes()) {
            return Ok(None);
        }
    }
    Ok(Some((footer, range)))
}
