//! One record of CSV: its cells, or why it is not valid.

use std::io;

/// The cells of one record: all, or the first ones if not all are kept.
#[derive(Debug, Default)]
pub(crate) struct Record {
    /// The text of the kept cells, one after the other.
    pub(super) text: String,
    pub(super) cells: Vec<Cell>,
    /// The number of cells.
    pub(super) n_cells: usize,
    pub(super) n_bytes: usize,
    /// The bytes of the cells that are not kept.
    pub(super) n_left_out_bytes: usize,
    pub(super) line: u64,
}

/// The position of a cell.
#[derive(Debug, Clone, Copy)]
pub(super) struct Cell {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) quotes: Quotes,
}

/// Whether a cell is in quotes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Quotes {
    None,
    Some,
}

impl Record {
    /// How many cells the record has, including cells that are not kept.
    pub(crate) fn n_cells(&self) -> usize {
        self.n_cells
    }

    /// The text of a cell without its quotes, and whether it had quotes. `None` if there is no such cell, or it is not kept.
    pub(crate) fn cell(&self, cell_idx: usize) -> Option<(&str, Quotes)> {
        let Cell { start, end, quotes } = *self.cells.get(cell_idx)?;
        Some((self.text.get(start..end)?, quotes))
    }

    /// The bytes of the kept cells, plus one for each cell of the record.
    pub(crate) fn n_bytes(&self) -> usize {
        self.n_bytes
    }

    /// Whether no cell from this one on has text.
    pub(crate) fn is_blank_from(&self, cell_idx: usize) -> bool {
        let cells = self.cells.get(cell_idx..).unwrap_or_default();
        self.n_left_out_bytes == 0 && cells.iter().all(|cell| cell.start == cell.end)
    }

    /// The line on which the record begins, counted from 1.
    pub(crate) fn line(&self) -> u64 {
        self.line
    }
}

/// Why there is no further record. [`Records::line`](super::Records::line) returns the line.
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
