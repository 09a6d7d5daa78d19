//! Records of CSV: their cells, or the error.

use std::str::Utf8Error;

use crate::csv_options::unspaced;

/// The cells of one record. If the number of stored cells is limited, only the first cells.
#[derive(Debug, Default)]
pub(crate) struct Record {
    /// The text of the stored cells, one after the other.
    pub(super) text: String,
    pub(super) cells: Vec<Cell>,
    pub(super) n_cells: usize,
    pub(super) n_bytes: usize,
    /// The total length of the cells that are not stored, in bytes.
    pub(super) n_left_out_bytes: usize,
    pub(super) line: u64,
}

/// The range of a cell in the text, and whether the cell is quoted.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Cell {
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) is_quoted: bool,
}

/// Records as bytes, which all have the same number of cells.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RecordBlock<'a> {
    pub(crate) bytes: &'a [u8],
    /// The ranges of the cells. Each starts and ends at a delimiter, a quote or a line end, so not inside a character.
    pub(crate) cells: &'a [Cell],
    pub(crate) extent: BlockExtent,
}

/// The cells of a block of records, by column.
#[derive(Debug, Clone, Copy)]
pub(crate) struct BlockColumns<'a> {
    text: &'a str,
    cells: &'a [Cell],
    n_records: usize,
}

/// The size of a block of records.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct BlockExtent {
    pub(crate) n_records: usize,
    /// The length of all cells without quotes, plus one byte for each cell: the sum of [`Record::n_bytes`].
    pub(crate) n_bytes: usize,
    /// The number of bytes up to the last line end, which is excluded.
    pub(crate) n_text_bytes: usize,
    /// The last byte of the last line, a line feed or a carriage return.
    pub(crate) line_end: u8,
}

/// The maximum size of a block of records.
#[derive(Debug, Clone, Copy)]
pub(crate) struct BlockLimits {
    pub(crate) n_records: usize,
    /// The number of bytes of text, with quotes and line ends.
    pub(crate) n_bytes: usize,
    /// The number of cells that each record must have. `None` for a block of one record with any number of cells.
    pub(crate) n_cells: Option<usize>,
}

impl<'a> RecordBlock<'a> {
    /// Checks that the cells are UTF-8, and returns them by column.
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

    /// The cells of one column, one for each record, like [`Record::cell`]. If the records do not have this column, each cell
    /// is empty.
    pub(crate) fn column(&self, cell_idx: usize) -> impl Iterator<Item = (&'a str, bool)> {
        let BlockColumns { text, cells, n_records } = *self;
        let n_cells = cells.len().checked_div(n_records).unwrap_or(0);
        let (cells, n_missing) = if cell_idx < n_cells {
            (cells.get(cell_idx..).unwrap_or_default(), 0)
        } else {
            (&[][..], n_records)
        };
        let found = cells.iter().step_by(n_cells.max(1));
        let found =
            found.map(move |cell| (text.get(cell.start..cell.end).unwrap_or_default(), cell.is_quoted));
        found.chain(std::iter::repeat_n(("", false), n_missing))
    }
}

impl Record {
    /// The number of cells of the record, including those that are not stored.
    pub(crate) fn n_cells(&self) -> usize {
        self.n_cells
    }

    /// The text of a cell without its quotes, and whether it was quoted. `None` if the cell does not exist or is not stored.
    pub(crate) fn cell(&self, cell_idx: usize) -> Option<(&str, bool)> {
        let Cell { start, end, is_quoted } = *self.cells.get(cell_idx)?;
        Some((self.text.get(start..end)?, is_quoted))
    }

    /// The cells of this record as a block.
    pub(crate) fn columns(&self) -> BlockColumns<'_> {
        BlockColumns { text: &self.text, cells: &self.cells, n_records: 1 }
    }

    /// The length of all cells without quotes, plus one byte for each cell.
    pub(crate) fn n_bytes(&self) -> usize {
        self.n_bytes
    }

    /// Whether the cells after the first `cell_idx` are empty, or have only spaces.
    pub(crate) fn is_empty_from(&self, cell_idx: usize) -> bool {
        let mut cells = (cell_idx..).map_while(|cell_idx| self.cell(cell_idx));
        self.n_left_out_bytes == 0 && cells.all(|(text, _)| unspaced(text).is_empty())
    }

    /// The line on which the record begins, counted from 1.
    pub(crate) fn line(&self) -> u64 {
        self.line
    }
}
