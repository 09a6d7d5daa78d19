//! Finds a second file before the footer, as programs make it that write files one after the other.

use std::{ops::Range, sync::Arc};

use super::{
    decoder::FileDecoder,
    fetch::{FetchContext, run},
    open::{FirstBytes, FoundContainer, ReadFooter},
    plan::{PlanInput, ReadPlan},
};
use crate::{
    error::Result,
    file::footer::{Block, Footer, START_BYTES, TAIL_BYTES},
    recycled::BufferPool,
    source::Source,
};
use arrow_ipc_format::{Container, Limits};

/// The magic at the start of a file, with its padding.
const START: &[u8; 8] = b"ARROW1\0\0";

/// The magic at the end of a file.
const END: &[u8; 6] = b"ARROW1";

/// The most bytes that are expected between the last block and the footer: an end marker, padding, and perhaps older footers.
const MAX_REST_BYTES: u64 = 4096;

/// The length of an end marker. No file fits into fewer bytes.
const END_MARKER_BYTES: u64 = 8;

/// The most files after the first one.
const MAX_FILES: u32 = 64;

impl FileDecoder {
    /// Finds the byte offset at which a second file begins inside this file, as of `cat a.arrow b.arrow`; `None` if there is none.
    /// The last footer counts, but its blocks are at positions of the first file, so only batches of the first file are read. Of a
    /// stream, and of a file that ends with its footer directly after the last block, the plan requests nothing.
    ///
    /// The last file tells where it begins: its footer is as far after its start as its blocks say. So the plan requests few bytes,
    /// whatever the length of the files is: at most 4 KiB and a footer for each of the files. Of more than 65 files, the result is
    /// the start of a later one.
    pub fn plan_second_file(&self) -> ReadPlan<Option<u64>> {
        let is_file = self.container() == Container::File;
        let ends = is_file.then(|| FileEnds::from_footer(self.footer(), self.file.n_bytes));
        let limits = self.options().limits().clone();
        self.plan(|input| search(ends.unwrap_or_default(), limits, input))
    }
}

impl Footer {
    /// Like [`FileReader::second_file`](crate::FileReader::second_file), for a file whose footer is this one.
    ///
    /// # Errors
    /// If the source fails.
    pub fn second_file(&self, source: &impl Source, limits: &Limits) -> Result<Option<u64>> {
        let n_bytes = source.n_bytes()?;
        let (ends, limits) = (FileEnds::from_footer(self, n_bytes), limits.clone());
        run(
            source,
            ReadPlan::of_length(n_bytes, None, |input| search(ends, limits, input)),
            FetchContext { cost: source.fetch_cost(), budget: None, kept: &BufferPool::default() },
        )
    }
}

/// Where the last block and the footer of a file are. If another file is before it, its blocks count from the start of that.
#[derive(Debug, Default)]
struct FileEnds {
    last_block: Option<u64>,
    footer: u64,
    end: u64,
}

impl FileEnds {
    fn from_footer(footer: &Footer, end: u64) -> FileEnds {
        let blocks = footer.dictionaries().iter().chain(footer.batches());
        FileEnds { last_block: blocks.map(Block::end).max(), footer: footer.position(), end }
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

/// Where the file that ends there begins; `None` if no other file is before it.
async fn search(mut ends: FileEnds, limits: Limits, input: Arc<PlanInput>) -> Result<Option<u64>> {
    let mut found = None;
    for _ in 0..MAX_FILES {
        let Some(range) = ends.boundary() else { break };
        let window = input.take(range.clone()).await?;
        let Some(boundary) = Boundary::find_last(&window, range.start) else { break };
        let before = ReadFooter {
            file_bytes: boundary.end,
            limits: limits.clone(),
            tail_bytes: TAIL_BYTES,
            start: FirstBytes::IfProvided,
        };
        // Without a footer, only the bytes of a column look like this.
        let Ok(FoundContainer::File(footer)) = before.read(&input).await else { break };
        // Another file may be before that, too.
        found = Some(boundary.start);
        ends = FileEnds::from_footer(&footer, boundary.end);
    }
    Ok(found)
}
