//! One record of CSV: its cells, or why it is not valid.

use std::{io, str::Utf8Error};

/// The cells of one record: all cells, or only the first cells.
#[derive(Debug, Default)]
pub(crate) struct Record {
    /// The text of the stored cells, one after the other.
    pub(super) text: String,
    pub(super) cells: Vec<Cell>,
    pub(super) n_cells: usize,
    pub(super) n_bytes: usize,
    /// The bytes of the cells that are not stored.
    pub(super) n_left_out_bytes: usize,
    pub(super) line: u64,
}

/// The position of a cell.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Cell {
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) quotes: Quotes,
}

/// Whole records that all have the same number of cells, as bytes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RecordBlock<'a> {
    pub(crate) bytes: &'a [u8],
    /// The positions of the cells. A cell begins and ends beside a delimiter, a quote or a line end, so never inside a
    /// character.
    pub(crate) cells: &'a [Cell],
    pub(crate) extent: BlockExtent,
}

/// The cells of whole records.
#[derive(Debug, Clone, Copy)]
pub(crate) struct BlockColumns<'a> {
    text: &'a str,
    cells: &'a [Cell],
    n_records: usize,
}

/// The size of a block of records in the text.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct BlockExtent {
    pub(crate) n_records: usize,
    /// The bytes of the cells without their quotes, plus one for each cell: the sum of [`Record::n_bytes`].
    pub(crate) n_bytes: usize,
    /// The bytes up to the last line end, which is not included.
    pub(crate) n_text_bytes: usize,
    /// The byte that ends the last line.
    pub(crate) line_end: u8,
}

/// The greatest size of a block of records.
#[derive(Debug, Clone, Copy)]
pub(crate) struct BlockLimits {
    pub(crate) n_records: usize,
    /// The bytes of the text, with quotes and line ends.
    pub(crate) n_bytes: usize,
    /// The number of cells of each record. `None` for a single record with any number of cells.
    pub(crate) n_cells: Option<usize>,
}

impl<'a> RecordBlock<'a> {
    /// The cells, if they are UTF-8.
    pub(crate) fn columns(&self) -> Result<BlockColumns<'a>, Utf8Error> {
        let RecordBlock { bytes, cells, extent } = *self;
        let text = str::from_utf8(bytes.get(..extent.n_text_bytes).unwrap_or(bytes))?;
        Ok(BlockColumns { text, cells, n_records: extent.n_records })
    }
}

impl<'a> BlockColumns<'a> {
    #[cfg(feature = "json")]
    pub(crate) fn text(&self) -> &'a str {
        self.text
    }

    pub(crate) fn n_records(&self) -> usize {
        self.n_records
    }

    /// The cells at one position of all records, like [`Record::cell`]. If the records have no such cell, the result
    /// has an empty cell for each record.
    pub(crate) fn column(&self, cell_idx: usize) -> impl Iterator<Item = (&'a str, Quotes)> {
        let BlockColumns { text, cells, n_records } = *self;
        let n_cells = cells.len().checked_div(n_records).unwrap_or(0);
        let (cells, n_missing) = match cell_idx < n_cells {
            true => (cells.get(cell_idx..).unwrap_or_default(), 0),
            false => (&[][..], n_records),
        };
        let found = cells.iter().step_by(n_cells.max(1));
        let found = found.map(move |cell| (text.get(cell.start..cell.end).unwrap_or_default(), cell.quotes));
        found.chain(std::iter::repeat_n(("", Quotes::None), n_missing))
    }
}

/// Whether a cell is in quotes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Quotes {
    None,
    Some,
}

impl Record {
    /// The number of cells of the record, including cells that are not stored.
    pub(crate) fn n_cells(&self) -> usize {
        self.n_cells
    }

    /// The text of a cell without its quotes, and whether it had quotes. `None` if out of bounds, or if the cell is not
    /// stored.
    pub(crate) fn cell(&self, cell_idx: usize) -> Option<(&str, Quotes)> {
        let Cell { start, end, quotes } = *self.cells.get(cell_idx)?;
        Some((self.text.get(start..end)?, quotes))
    }

    /// The cells of this record as a block.
    pub(crate) fn columns(&self) -> BlockColumns<'_> {
        BlockColumns { text: &self.text, cells: &self.cells, n_records: 1 }
    }

    /// The bytes of the stored cells, plus one for each cell of the record.
    pub(crate) fn n_bytes(&self) -> usize {
        self.n_bytes
    }

    /// Whether all cells from `cell_idx` on are empty.
    pub(crate) fn is_blank_from(&self, cell_idx: usize) -> bool {
        let cells = self.cells.get(cell_idx..).unwrap_or_default();
        self.n_left_out_bytes == 0 && cells.iter().all(|cell| cell.start == cell.end)
    }

    /// The line on which the record begins, counted from 1.
    pub(crate) fn line(&self) -> u64 {
        self.line
    }
}

/// Why there is no next record. [`Records::line`](super::Records::line) returns its line.
#[derive(Debug, thiserror::Error)]
pub(crate) enum RecordError {
    #[error(transparent)]
    Io(#[from] io::Error),
    #[error("{n_skipped} lines are skipped of {n_lines}")]
    TooFewLines { n_lines: u64, n_skipped: u64 },
    #[error("the record has more than {max_bytes} bytes")]
    TooLong { max_bytes: usize },
    #[error("cell {} has text after its closing quote", .cell_idx.saturating_add(1))]
    AfterQuote { cell_idx: usize },
    #[error("cell {} has no closing quote", .cell_idx.saturating_add(1))]
    OpenQuote { cell_idx: usize },
    #[error("cell {} is not UTF-8", .cell_idx.saturating_add(1))]
    NotUtf8 { cell_idx: usize },
}
