//! Both ends of an input: what it is, its footer, and where a footer lies that is not at the end.

use std::ops::Range;

use super::window::{Wait, Window};
use crate::{
    detect::{Container, FILE_MAGIC},
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
#[expect(clippy::large_enum_variant, reason = "a recovery has one, in a box")]
pub(super) enum ReadEnds {
    Ends,
    /// The end of a file is damaged: perhaps an earlier one is there.
    Search {
        search: LastFooter,
        /// How many wrong ones are still passed over.
        n_left: u32,
        error: Option<IpcError>,
        /// The footer at the end, which lists no messages of this file as far as its ends tell.
        last: Option<(Footer, Range<u64>)>,
    },
}

/// Footers that are tried before an input counts as one without a footer.
const MAX_FOOTERS: u32 = 16;

/// What a search for a footer comes to.
enum FooterSearch {
    Found(Box<(Footer, Range<u64>)>),
    /// One that ends here lists no messages of this file.
    Wrong {
        end: u64,
    },
    Ended,
}

impl ReadEnds {
    pub(super) fn step(&mut self, window: &Window, limits: &Limits) -> Wait<Ends> {
        let n_bytes = window.n_bytes();
        let start = window.ahead(0, START_BYTES)?;
        let detected = Container::detect(&start);
        loop {
            match self {
                ReadEnds::Ends => match read_footer(window, n_bytes, limits)? {
                    Ok((footer, range)) if lists_messages(window, &footer, limits)? => {
                        let footer = Some((footer, range));
                        return Ok(Ends { container: Container::File, footer, footer_error: None });
                    }
                    // It may be that of another file, and the right one before it.
                    Ok((footer, range)) => {
                        let search = LastFooter::new(range.start, limits.clone());
                        let last = Some((footer, range));
                        *self = ReadEnds::Search { search, n_left: MAX_FOOTERS, error: None, last };
                    }
                    Err(_) if detected != Container::File && !has_end_magic(window)? => {
                        return Ok(Ends { container: detected, footer: None, footer_error: None });
                    }
                    Err(error) => {
                        let search = LastFooter::new(n_bytes, limits.clone());
                        *self =
                            ReadEnds::Search { search, n_left: MAX_FOOTERS, error: Some(error), last: None };
                    }
                },
                ReadEnds::Search { search, n_left, error, last } => {
                    let footer = match find_footer(window, search, limits)? {
                        FooterSearch::Wrong { end } if *n_left > 0 => {
                            // An earlier one may be right.
                            *search = LastFooter::new(end.saturating_sub(1), limits.clone());
                            *n_left = n_left.saturating_sub(1);
                            continue;
                        }
                        FooterSearch::Found(found) => Some(*found),
                        FooterSearch::Wrong { .. } | FooterSearch::Ended => last.take(),
                    };
                    let (container, footer_error) = (Container::File, error.take());
                    return Ok(Ends { container, footer, footer_error });
                }
            }
        }
    }
}

/// Whether an input ends as a file does.
fn has_end_magic(window: &Window) -> Wait<bool> {
    let n_bytes = window.n_bytes();
    let start = n_bytes.saturating_sub(FILE_MAGIC.len() as u64);
    Ok(*window.exactly(start..n_bytes)? == FILE_MAGIC[..])
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
    let footer = footer.or_else(|error| {
        // Blocks that lie past the footer were before it when bytes were not missing.
        let shifted = Footer::parse_shifted(&bytes, range.start, limits);
        shifted.map_err(|_| error)
    });
    Ok(footer.at_byte(range.start).map(|footer| (footer, range.start..end)))
}

/// The last complete footer whose first or last block is a message: not one of a file inside of a value.
fn find_footer(window: &Window, search: &mut LastFooter, limits: &Limits) -> Wait<FooterSearch> {
    let mut missing = None;
    let found = search.find(|range| {
        let bytes = window.exactly(range);
        Ok(bytes.map_err(|need| missing = Some(need)).ok())
    });
    let end = match (found, missing) {
        (_, Some(need)) => return Err(need),
        (Ok(Some(Some(end))), None) => end,
        _ => return Ok(FooterSearch::Ended),
    };
    if let Ok((footer, range)) = read_footer(window, end, limits)?
        && lists_messages(window, &footer, limits)?
    {
        return Ok(FooterSearch::Found(Box::new((footer, range))));
    }
    Ok(FooterSearch::Wrong { end })
}

/// Whether the first or the last block of a footer is a message.
fn lists_messages(window: &Window, footer: &Footer, limits: &Limits) -> Wait<bool> {
    let blocks = footer.dictionaries().iter().chain(footer.batches());
    let (first, last) = (blocks.clone().next(), blocks.last());
    let mut is_any = first.is_none();
    for block in first.into_iter().chain(last) {
        let end = block.position().saturating_add(block.n_metadata_bytes());
        if end > window.n_bytes() {
            continue;
        }
        let bytes = window.exactly(block.position()..end)?;
        let head = match Prefix::parse(&bytes) {
            Ok(Some(Prefix::Message { n_prefix_bytes, n_metadata_bytes })) => {
                let metadata = bytes.try_slice(n_prefix_bytes, n_metadata_bytes.into());
                metadata.ok().and_then(|metadata| Head::parse(metadata, limits).ok())
            }
            _ => None,
        };
        is_any |= head.is_some_and(|head| head.n_body_bytes() == block.n_body_bytes());
    }
    Ok(is_any)
}
