//! Finds bytes before the footer of a file that no block has: a second file, as programs make it that write files one after the other,
//! or other bytes.

use std::{ops::Range, sync::Arc};

use arrow_buffer::Buffer;

use super::{
    plan::PlanInput,
    provided_ranges::ProvidedRanges,
    read_footer::{FoundContainer, ReadFooter},
};
use crate::{
    error::Result,
    file::footer::{Block, Footer, START_BYTES, TAIL_BYTES},
};
use arrow_ipc_format::{END_MARKER, Limits, PREFIX_BYTES, Prefix, length_of};

/// The magic at the start of a file, with its padding.
const START: &[u8; 8] = b"ARROW1\0\0";

/// The magic at the end of a file.
const END: &[u8; 6] = b"ARROW1";

/// The most bytes that are expected between the last block and the footer: an end marker, padding, and perhaps older footers.
const MAX_REST_BYTES: u64 = 4096;

/// The most padding after the magic at the start.
const MAX_START_PADDING_BYTES: u64 = 64;

/// The length of an end marker. No file fits into fewer bytes.
const END_MARKER_BYTES: u64 = END_MARKER.len() as u64;

/// The most files after the first one.
const MAX_FILES: u32 = 64;

/// Bytes inside a file that none of the blocks in its footer has, so readers return nothing of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnreferencedBytes {
    /// What they are.
    pub kind: UnreferencedKind,
    /// Where they are. They end where the footer begins.
    pub range: Range<u64>,
}

/// What unreferenced bytes are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UnreferencedKind {
    /// They begin with a second file, as of `cat a.arrow b.arrow`, of which the last footer is. Its blocks are at positions of the
    /// first file, so only batches of the first file are read.
    SecondFile,
    /// They follow the last block, and are not only padding, end markers and older footers.
    AfterLastBlock,
}

/// Where the last block and the footer of a file are. If another file is before it, its blocks count from the start of that.
#[derive(Debug, Default)]
pub(super) struct FileEnds {
    last_block: Option<u64>,
    footer: u64,
    end: u64,
    /// Whether an appender has written after the last block and not flushed.
    is_growing: bool,
}

impl FileEnds {
    pub(super) fn from_footer(footer: &Footer, end: u64) -> FileEnds {
        let blocks = footer.dictionaries().iter().chain(footer.batches());
        FileEnds {
            last_block: blocks.map(Block::end).max(),
            footer: footer.position(),
            end,
            is_growing: footer.is_extended(),
        }
    }

    /// The range in which the boundary of two files is if another file is before this one.
    fn boundary(&self) -> Option<Range<u64>> {
        let latest_start = self.footer.saturating_sub(self.last_block.unwrap_or(START_BYTES));
        if latest_start <= END_MARKER_BYTES {
            return None;
        }
        // Without blocks, the schema message is there. It is hardly longer than the footer, which has the same schema.
        let n_schema_bytes = if self.last_block.is_some() { 0 } else { self.end.saturating_sub(self.footer) };
        let n_rest_bytes = n_schema_bytes.saturating_add(MAX_REST_BYTES);
        let start = latest_start.saturating_sub(n_rest_bytes).max(START_BYTES);
        let end = latest_start.saturating_add(START_BYTES).min(self.footer);
        (start < end).then_some(start..end)
    }
}

/// Where one file ends and another one begins. There may be zeros between them.
#[derive(Debug, Clone, Copy)]
struct Boundary {
    end: u64,
    start: u64,
}

impl Boundary {
    /// The last boundary in a window, which is at this position.
    fn find_last(window: &[u8], position: u64) -> Option<Boundary> {
        let starts = window.windows(START.len()).enumerate().rev().filter(|(_, bytes)| bytes == START);
        let mut boundaries = starts.filter_map(|(start, _)| {
            let before = window.get(..start)?;
            let n_zeros = before.iter().rev().take_while(|byte| **byte == 0).count();
            let before = before.get(..before.len().checked_sub(n_zeros)?)?;
            let at = |offset: usize| position.saturating_add(offset as u64);
            before.ends_with(END).then(|| Boundary { end: at(before.len()), start: at(start) })
        });
        boundaries.next()
    }
}

/// The bytes from the last block to the footer.
#[derive(Debug)]
struct Rest {
    range: Range<u64>,
    /// The bytes to read: all of them, if they may be padding or older footers; the prefix of the schema message, if there are no blocks.
    needed: Range<u64>,
    /// Whether they begin with the schema message, because there are no blocks.
    has_schema: bool,
}

impl Rest {
    /// `None` if they are no more than an end marker, or an appender writes there.
    fn new(ends: &FileEnds) -> Option<Rest> {
        let range = ends.last_block.unwrap_or(START_BYTES)..ends.footer;
        if ends.is_growing || length_of(&range) <= END_MARKER_BYTES {
            return None;
        }
        let has_schema = ends.last_block.is_none();
        // An older footer, or the schema message, is hardly longer than the last footer.
        let n_expected_bytes = ends.end.saturating_sub(ends.footer).saturating_add(MAX_REST_BYTES);
        let n_needed_bytes = match length_of(&range) {
            n_bytes if n_bytes <= n_expected_bytes => n_bytes,
            _ if has_schema => MAX_START_PADDING_BYTES.saturating_add(PREFIX_BYTES),
            _ => 0,
        };
        let needed = range.start..range.start.saturating_add(n_needed_bytes);
        Some(Rest { range, needed, has_schema })
    }

    /// The bytes that belong to no message. `bytes` are those that are needed.
    fn unreferenced(self, bytes: &Buffer, limits: &Limits) -> Option<Range<u64>> {
        let Rest { range, needed, has_schema } = self;
        let n_schema_bytes = if has_schema { end_of_schema(bytes) } else { 0 };
        let n_schema_bytes = n_schema_bytes.min(length_of(&range));
        let start = range.start.saturating_add(n_schema_bytes);
        if needed.end == range.end {
            let n_schema_bytes = usize::try_from(n_schema_bytes).unwrap_or(usize::MAX).min(bytes.len());
            let rest = bytes.slice(n_schema_bytes..bytes.len());
            if is_expected(&rest, start, limits) {
                return None;
            }
        }
        (range.end.saturating_sub(start) > END_MARKER_BYTES).then_some(start..range.end)
    }
}

/// The number of bytes up to the end of the schema message, which begins after padding: arrow-rs aligns it to 64 bytes. 0 if there is none.
fn end_of_schema(bytes: &[u8]) -> u64 {
    let n_padding_bytes =
        bytes.chunks_exact(8).take_while(|word| word.iter().all(|byte| *byte == 0)).count() * 8;
    match Prefix::parse(bytes.get(n_padding_bytes..).unwrap_or_default()) {
        Ok(Some(Prefix::Message { n_prefix_bytes, n_metadata_bytes })) => {
            let n_bytes = n_prefix_bytes.saturating_add(n_metadata_bytes.into());
            n_bytes.saturating_add(n_padding_bytes as u64)
        }
        Ok(Some(Prefix::EndOfStream { .. }) | None) | Err(_) => 0,
    }
}

/// Whether bytes before a footer are only older footers, and at most 4 KiB of zeros and end markers.
fn is_expected(bytes: &Buffer, position: u64, limits: &Limits) -> bool {
    let mut at = 0;
    let mut n_rest_bytes: u64 = 0;
    while let Some(left) = bytes.get(at..).filter(|left| !left.is_empty()) {
        let n_zeros = left.iter().take_while(|byte| **byte == 0).count();
        let n_bytes = match n_zeros {
            0 if left.starts_with(&END_MARKER) => END_MARKER.len(),
            0 => {
                let Some(end) = Footer::end_of_complete(bytes, at, position, limits) else { return false };
                at = end;
                continue;
            }
            n_zeros => n_zeros,
        };
        at = at.saturating_add(n_bytes);
        n_rest_bytes = n_rest_bytes.saturating_add(n_bytes as u64);
    }
    n_rest_bytes <= MAX_REST_BYTES
}

/// The bytes before the footer that no block has.
pub(super) async fn search(
    ends: FileEnds,
    limits: Limits,
    input: Arc<PlanInput>,
) -> Result<Option<UnreferencedBytes>> {
    let footer = ends.footer;
    let rest = Rest::new(&ends);
    let ranges = [ends.boundary(), rest.as_ref().map(|rest| rest.needed.clone())];
    // Both are requested at the same time.
    let request = |bytes: &mut ProvidedRanges| {
        let [boundary, rest] = ranges.clone().map(|range| bytes.take(range.unwrap_or_default()));
        Ok(boundary.and(rest))
    };
    let bytes = input.pass(request).await?;
    if let Some(start) = second_file(ends, &limits, &input).await? {
        return Ok(Some(UnreferencedBytes { kind: UnreferencedKind::SecondFile, range: start..footer }));
    }
    let range = rest.and_then(|rest| rest.unreferenced(&bytes, &limits));
    Ok(range.map(|range| UnreferencedBytes { kind: UnreferencedKind::AfterLastBlock, range }))
}

/// Where the file that ends there begins; `None` if no other file is before it.
async fn second_file(mut ends: FileEnds, limits: &Limits, input: &PlanInput) -> Result<Option<u64>> {
    let mut found = None;
    for _ in 0..MAX_FILES {
        let Some(range) = ends.boundary() else { break };
        let window = input.take(range.clone()).await?;
        let Some(boundary) = Boundary::find_last(&window, range.start) else { break };
        let before = ReadFooter {
            file_bytes: boundary.end,
            limits: limits.clone(),
            tail_bytes: TAIL_BYTES,
            needs_start: false,
        };
        // Without a footer, only the bytes of a column look like this.
        let Ok(FoundContainer::File(footer)) = before.read(input).await else { break };
        // Another file may be before that, too.
        found = Some(boundary.start);
        ends = FileEnds::from_footer(&footer, boundary.end);
    }
    Ok(found)
}
