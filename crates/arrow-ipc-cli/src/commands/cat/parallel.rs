//! Formats rows as text with several threads, and writes the text in the order of the rows.

use std::io::{self, Write};
use std::mem;
use std::num::NonZeroUsize;
use std::ops::Range;
use std::sync::{Mutex, PoisonError};

use arrow_threads::{ResultSink, in_order};

/// How threads share the formatting of rows. One value serves all batches of an output.
#[derive(Debug)]
pub(super) struct RowSharing {
    n_threads: NonZeroUsize,
    written: PiecePool,
}

/// Writes the text of a range of rows.
type TextOfRows<'a> = dyn Fn(Range<usize>, &mut dyn Write) -> io::Result<()> + Sync + 'a;

/// The number of values in a part. Formatting them takes about a third of a millisecond.
const PART_VALUES: usize = 1 << 14;

/// The number of parts per thread that may be finished while an earlier part is not. Some values take much longer
/// than others.
const N_PREFETCHED_PARTS: usize = 2;

/// The length of the text that a thread collects before passing it on to be written.
const PIECE_BYTES: usize = 512 << 10;

impl RowSharing {
    pub(super) fn new(n_threads: NonZeroUsize) -> RowSharing {
        RowSharing { n_threads, written: PiecePool::default() }
    }

    /// The number of rows that a thread formats before it begins the next part.
    pub(super) fn n_rows_of_part(n_columns: usize) -> NonZeroUsize {
        NonZeroUsize::new(PART_VALUES / n_columns.max(1)).unwrap_or(NonZeroUsize::MIN)
    }

    /// Writes the text of the rows 0 to `n_rows`. `text` formats parts of `n_of_part` rows, on several threads. Each
    /// thread has at most a few pieces of text in memory, so memory does not grow with the number or length of rows.
    ///
    /// # Errors
    /// If the output cannot be written, or `text` fails. The text of earlier rows has then been written.
    pub(super) fn write(
        &self,
        n_rows: usize,
        n_of_part: NonZeroUsize,
        out: &mut dyn Write,
        text: &TextOfRows<'_>,
    ) -> io::Result<()> {
        let n_of_part = n_of_part.get();
        let n_parts = n_rows.div_ceil(n_of_part);
        let n_threads = self.n_threads.get().min(n_parts);
        if n_threads < 2 {
            return text(0..n_rows, out);
        }
        let parts = (0..n_parts).map(|part| {
            let start = part.saturating_mul(n_of_part);
            start..start.saturating_add(n_of_part).min(n_rows)
        });
        let make = |rows, give: ResultSink<'_, io::Result<Vec<u8>>>| {
            let mut part = PartWriter { give, text: self.written.memory(), written: &self.written };
            let result = text(rows, &mut part);
            if let Err(error) = part.pass_on().and(result) {
                (part.give)(Err(error));
            }
        };
        in_order(n_threads, N_PREFETCHED_PARTS, parts, make, |text| {
            let text = text?;
            out.write_all(&text)?;
            self.written.put(text);
            Ok(())
        })
    }
}

/// The memory of written pieces, for later pieces. Allocating new memory for each piece would take a third of the time.
#[derive(Debug, Default)]
struct PiecePool(Mutex<Vec<Vec<u8>>>);

impl PiecePool {
    fn memory(&self) -> Vec<u8> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).pop().unwrap_or_default()
    }

    fn put(&self, mut text: Vec<u8>) {
        text.clear();
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(text);
    }
}

/// Collects the text of a part, and passes it on in pieces.
struct PartWriter<'a> {
    give: ResultSink<'a, io::Result<Vec<u8>>>,
    text: Vec<u8>,
    written: &'a PiecePool,
}

impl PartWriter<'_> {
    /// Passes on the text that was collected.
    ///
    /// # Errors
    /// If the receiver needs no more text.
    fn pass_on(&mut self) -> io::Result<()> {
        let is_taken = (self.give)(Ok(mem::take(&mut self.text)));
        if is_taken { Ok(()) } else { Err(io::ErrorKind::BrokenPipe.into()) }
    }
}

impl Write for PartWriter<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        for piece in bytes.chunks(PIECE_BYTES) {
            if self.text.len().saturating_add(piece.len()) > PIECE_BYTES {
                self.pass_on()?;
                self.text = self.written.memory();
            }
            self.text.extend_from_slice(piece);
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn threads(n_threads: usize) -> RowSharing {
        RowSharing::new(NonZeroUsize::new(n_threads).unwrap())
    }

    fn n(n_rows: usize) -> NonZeroUsize {
        NonZeroUsize::new(n_rows).unwrap()
    }

    /// Text of 1 byte to a megabyte, depending on the row.
    fn row(row: usize) -> Vec<u8> {
        let n_bytes = if row % 50 == 7 { 1 << 20 } else { row % 5 };
        let mut text = vec![b'a' + (row % 26) as u8; n_bytes];
        text.push(b'\n');
        text
    }

    #[test]
    fn the_text_of_all_rows_in_order() {
        for (n_rows, n_threads, n_of_part) in
            [(0, 3, 1), (1, 3, 1), (7, 2, 3), (100, 3, 7), (60, 5, 1), (9, 1, 4), (9, 4, 100)]
        {
            let mut out = Vec::new();
            let written = threads(n_threads).write(n_rows, n(n_of_part), &mut out, &|rows, out| {
                rows.into_iter().try_for_each(|number| out.write_all(&row(number)))
            });
            written.unwrap();
            let expected: Vec<u8> = (0..n_rows).flat_map(row).collect();
            assert!(out == expected, "{n_rows} rows, {n_threads} threads, {n_of_part} each");
        }
    }

    /// Text before an error is written, regardless of which thread fails first.
    #[test]
    fn errors_come_in_order() {
        for failing in [0, 1, 5, 29] {
            let mut out = Vec::new();
            let written = threads(3).write(30, n(1), &mut out, &|rows, out| {
                if rows.start >= failing {
                    return Err(io::Error::other(format!("row {}", rows.start)));
                }
                out.write_all(&row(rows.start))
            });
            assert_eq!(written.unwrap_err().to_string(), format!("row {failing}"));
            assert!(out == (0..failing).flat_map(row).collect::<Vec<u8>>());
        }
    }

    /// An output that fails after a number of bytes.
    struct FullOutput(usize);

    impl Write for FullOutput {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0 = self.0.checked_sub(bytes.len()).ok_or(io::ErrorKind::StorageFull)?;
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    /// The text of 2⁶² rows never ends, but all threads stop when the output fails.
    #[test]
    fn a_full_output_ends_the_work() {
        let written = threads(4).write(1 << 62, n(1 << 10), &mut FullOutput(1 << 16), &|rows, out| {
            rows.into_iter().try_for_each(|_| out.write_all(b"null\n"))
        });
        assert_eq!(written.unwrap_err().kind(), io::ErrorKind::StorageFull);
    }

    /// If a thread panics, the others stop, and the caller panics.
    #[test]
    fn panics_are_passed_on() {
        for at in [0, 1, 7, 19] {
            let write = || {
                threads(3).write(20, n(1), &mut io::sink(), &|rows, out| {
                    assert!(rows.start != at, "at {at}");
                    out.write_all(&row(rows.start))
                })
            };
            assert!(std::panic::catch_unwind(write).is_err());
        }
    }
}
