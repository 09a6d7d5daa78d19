//! Finds the last complete footer of a file whose end is incomplete, for example after a crash of the writer.

use std::{ops::Range, result::Result};

use arrow_buffer::Buffer;

use super::{
    block::START_BYTES,
    content::{Footer, TAIL_BYTES},
};

use arrow_ipc_format::{FILE_MAGIC, Limits, length_of};

/// Searches a file from the end for its last footer, 1 MiB at a time, for example after a crash of the writer. Does no
/// I/O. Each byte is searched once. All parsed footers have together at most four times the length of the file.
///
/// ```
/// use arrow_buffer::Buffer;
/// use arrow_ipc::{FileWriter, Limits, Source, file::FooterSearch};
/// # use arrow_data::{ArrayData, RecordBatch};
/// # use arrow_schema::DataType;
///
/// # let batch = RecordBatch::try_from_columns([("id", ArrayData::new_empty(&DataType::Int64))])?;
/// let mut writer = FileWriter::try_new(Vec::new(), batch.schema())?;
/// writer.write(&batch)?;
/// let mut file = writer.finish()?;
/// let n_bytes = file.len() as u64;
/// file.extend(b"a message that was not completed");
///
/// let file = Buffer::from(file);
/// let mut search = FooterSearch::new(file.len() as u64, Limits::default());
/// let (footer, range) = search.find(|range| file.fetch(range))?.expect("a footer");
/// assert_eq!((footer.n_batches(), range.end), (1, n_bytes));
/// # Ok::<(), arrow_ipc::IpcError>(())
/// ```
#[derive(Debug)]
pub struct FooterSearch {
    /// All magics that end after this position have been tried.
    unsearched: u64,
    /// The bytes of the current step, and their position.
    piece: Option<(u64, Buffer)>,
    n_left_to_try: u64,
    limits: Limits,
    parse: FooterParser,
}

type FooterParser = fn(&Buffer, u64, &Limits) -> crate::error::Result<Footer>;

/// The number of bytes in one step of the search.
const PIECE_BYTES: u64 = 1 << 20;
const MAGIC_BYTES: u64 = FILE_MAGIC.len() as u64;

impl FooterSearch {
    /// A search of a file of `file_bytes` bytes. To search for an earlier footer, pass a position inside the footer that
    /// was found.
    pub fn new(file_bytes: u64, limits: Limits) -> FooterSearch {
        FooterSearch {
            unsearched: file_bytes,
            piece: None,
            n_left_to_try: file_bytes.saturating_mul(4),
            limits,
            parse: Footer::parse,
        }
    }

    /// Also accepts footers whose blocks lie after the footer, because bytes before it were removed.
    #[must_use]
    pub fn with_shifted_blocks(self) -> FooterSearch {
        FooterSearch { parse: Footer::parse_shifted, ..self }
    }

    /// Finds the last footer. The range also contains the footer's length and the magic, after which a complete file would
    /// end. If `fetch` fails, a later call continues at the same position.
    ///
    /// # Errors
    /// The errors of `fetch`.
    pub fn find<E>(
        &mut self,
        mut fetch: impl FnMut(Range<u64>) -> Result<Buffer, E>,
    ) -> Result<Option<(Footer, Range<u64>)>, E> {
        while self.unsearched >= START_BYTES + TAIL_BYTES {
            let (start, piece) = match self.piece.take() {
                Some(piece) => piece,
                None => {
                    let start = self.unsearched.saturating_sub(PIECE_BYTES).max(START_BYTES);
                    (start, fetch(start..self.unsearched)?)
                }
            };
            let Some(end) = self.last_magic(start, &piece) else {
                // The magic may lie across the border of two steps.
                let next = start.saturating_add(MAGIC_BYTES - 1).min(self.unsearched.saturating_sub(1));
                self.unsearched = if start == START_BYTES { 0 } else { next };
                continue;
            };
            self.piece = Some((start, piece));
            let found = self.try_footer(end, &mut fetch)?;
            if found.is_some() {
                return Ok(found);
            }
            self.unsearched = end - 1;
        }
        Ok(None)
    }

    /// The end of the last magic in `piece` up to `unsearched`.
    fn last_magic(&self, start: u64, piece: &[u8]) -> Option<u64> {
        let n_bytes = usize::try_from(self.unsearched.saturating_sub(start)).unwrap_or(usize::MAX);
        let piece = piece.get(..n_bytes).unwrap_or(piece);
        let at = piece.windows(FILE_MAGIC.len()).rposition(|bytes| bytes == FILE_MAGIC)?;
        Some(start.saturating_add(at as u64).saturating_add(MAGIC_BYTES))
    }

    /// Parses the footer before the magic that ends at `end`.
    fn try_footer<E>(
        &mut self,
        end: u64,
        fetch: &mut impl FnMut(Range<u64>) -> Result<Buffer, E>,
    ) -> Result<Option<(Footer, Range<u64>)>, E> {
        let Some(tail_start) = end.checked_sub(TAIL_BYTES) else { return Ok(None) };
        let tail = fetch(tail_start..end)?;
        let Ok(range) = Footer::range(&tail, end, &self.limits) else { return Ok(None) };
        let n_bytes = length_of(&range);
        if n_bytes > self.n_left_to_try {
            return Ok(None);
        }
        let bytes = fetch(range.clone())?;
        self.n_left_to_try -= n_bytes;
        let footer = (self.parse)(&bytes, range.start, &self.limits).ok();
        Ok(footer.map(|footer| (footer, range.start..end)))
    }
}

#[cfg(test)]
mod tests {
    use arrow_data::{ArrayData, RecordBatch};
    use arrow_schema::DataType;

    use super::*;
    use crate::{file::FileWriter, source::Source};

    fn search(bytes: &Buffer) -> Option<u64> {
        let mut search = FooterSearch::new(bytes.len() as u64, Limits::default());
        let found = search.find(|range| bytes.fetch(range)).unwrap();
        found.map(|(_, range)| range.end)
    }

    #[test]
    fn the_last_complete_footer_is_found_wherever_it_lies() {
        let batch = RecordBatch::try_from_columns([("id", ArrayData::new_empty(&DataType::Int64))]).unwrap();
        let mut writer = FileWriter::try_new(Vec::new(), batch.schema()).unwrap();
        writer.write(&batch).unwrap();
        let file = writer.finish().unwrap();
        let piece = PIECE_BYTES as usize;
        // The magic ends before, at or after the borders between searched ranges.
        let distances = (0..20).chain(piece - 10..piece + 20).chain([2 * piece + 3]);
        for n_after in distances {
            let incomplete = [&file[..], &vec![0; n_after]].concat();
            assert_eq!(search(&incomplete.into()), Some(file.len() as u64), "{n_after} bytes after it");
        }
        // Of two complete footers the second is found; an incomplete one is ignored.
        for n_incomplete in 1..file.len() - 8 {
            let incomplete = [&file[..], &file[8..file.len() - n_incomplete]].concat();
            assert_eq!(search(&incomplete.into()), Some(file.len() as u64), "{n_incomplete} bytes less");
        }
        let twice = [&file[..], &file[8..]].concat();
        assert_eq!(search(&twice.clone().into()), Some(twice.len() as u64));
        for n_bytes in 0..file.len() {
            assert_eq!(search(&file[..n_bytes].to_vec().into()), None, "{n_bytes} bytes");
        }
    }

    #[test]
    fn false_magics_cost_little() {
        // Each of these magics declares a footer that begins at the start of the file.
        let n_magics = 20_000;
        let mut bytes = Vec::from(*b"ARROW1\0\0");
        for _ in 0..n_magics {
            let length = i32::try_from(bytes.len() - 8).unwrap();
            bytes.extend(length.to_le_bytes());
            bytes.extend(FILE_MAGIC);
        }
        let bytes = Buffer::from(bytes);
        let mut n_fetched = 0;
        let mut search = FooterSearch::new(bytes.len() as u64, Limits::default());
        let found = search.find(|range| {
            n_fetched += range.end - range.start;
            bytes.fetch(range)
        });
        assert!(found.unwrap().is_none());
        assert!(n_fetched <= 6 * bytes.len() as u64, "{n_fetched} bytes of {}", bytes.len());
    }
}
