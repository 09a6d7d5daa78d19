//! Rows that several threads make text of, written in their order.

use std::{
    io::{self, Write},
    num::NonZeroUsize,
    ops::Range,
    sync::mpsc::{Receiver, SyncSender, sync_channel},
    thread,
};

/// How rows are shared out among threads.
#[derive(Debug, Clone, Copy)]
pub(super) struct Parts {
    pub(super) n_threads: NonZeroUsize,
    /// Rows that one thread makes text of before it takes others.
    pub(super) n_rows: NonZeroUsize,
}

/// Values of a part: their text is made in about a millisecond.
const PART_VALUES: usize = 1 << 14;

/// How many pieces of text of one thread wait to be written, each of at most 64 KiB. Threads wait if there are more.
const WAITING_PIECES: usize = 16;

impl Parts {
    /// For rows of so many columns.
    pub(super) fn of(n_threads: NonZeroUsize, n_columns: usize) -> Parts {
        let n_rows = PART_VALUES / n_columns.max(1);
        Parts { n_threads, n_rows: NonZeroUsize::new(n_rows).unwrap_or(NonZeroUsize::MIN) }
    }

    /// Writes what `text` makes of the rows 0 to `n_rows`; this thread does all, if there are not at least two. Part k is made by thread k modulo the number of threads, so that
    /// each has about the same work, and this thread knows whose text is next. Memory does not grow with the rows, nor with
    /// what is in them: long text is handed over in pieces.
    ///
    /// # Errors
    /// If the output fails, or `text` does: what precedes is written.
    pub(super) fn write(
        self,
        n_rows: usize,
        out: &mut impl Write,
        text: impl Fn(Range<usize>, &mut dyn Write) -> io::Result<()> + Sync,
    ) -> io::Result<()> {
        let n_parts = n_rows.div_ceil(self.n_rows.get());
        let n_threads = self.n_threads.get().min(n_parts);
        if n_threads < 2 {
            return text(0..n_rows, out);
        }
        let rows_of = |part: usize| {
            let start = part.saturating_mul(self.n_rows.get());
            start..start.saturating_add(self.n_rows.get()).min(n_rows)
        };
        thread::scope(|scope| {
            let threads: Vec<Receiver<Piece>> = (0..n_threads)
                .map(|first| {
                    let (send, pieces) = sync_channel(WAITING_PIECES);
                    let (rows_of, text) = (&rows_of, &text);
                    scope.spawn(move || {
                        let mut out = Pieces { send };
                        for part in (first..n_parts).step_by(n_threads) {
                            let made = text(rows_of(part), &mut out);
                            if out.send.send(Piece::End(made)).is_err() {
                                break;
                            }
                        }
                    });
                    pieces
                })
                .collect();
            for (_, pieces) in (0..n_parts).zip(threads.iter().cycle()) {
                write_part(pieces, out)?;
            }
            Ok(())
        })
    }
}

/// A piece of the text of a part, or its end.
enum Piece {
    Text(Vec<u8>),
    End(io::Result<()>),
}

/// Takes the text of parts, and hands it to the thread that writes.
struct Pieces {
    send: SyncSender<Piece>,
}

impl Write for Pieces {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let sent = self.send.send(Piece::Text(bytes.to_vec()));
        sent.map(|()| bytes.len()).map_err(|_| io::ErrorKind::BrokenPipe.into())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Writes the pieces of one part.
fn write_part(pieces: &Receiver<Piece>, out: &mut impl Write) -> io::Result<()> {
    for piece in pieces {
        match piece {
            Piece::Text(text) => out.write_all(&text)?,
            Piece::End(made) => return made,
        }
    }
    // The thread has panicked, which the end of its scope passes on.
    Err(io::Error::other("the text of rows is incomplete"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(n_threads: usize, n_rows: usize) -> Parts {
        Parts { n_threads: NonZeroUsize::new(n_threads).unwrap(), n_rows: NonZeroUsize::new(n_rows).unwrap() }
    }

    /// Rows of lengths from 0 to a megabyte.
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
            let written = parts(n_threads, n_of_part).write(n_rows, &mut out, |rows, out| {
                rows.into_iter().try_for_each(|number| out.write_all(&row(number)))
            });
            written.unwrap();
            let expected: Vec<u8> = (0..n_rows).flat_map(row).collect();
            assert!(out == expected, "{n_rows} rows, {n_threads} threads, {n_of_part} each");
        }
    }

    /// What precedes an error is written, whichever thread fails first.
    #[test]
    fn errors_come_in_order() {
        for failing in [0, 1, 5, 29] {
            let mut out = Vec::new();
            let written = parts(3, 1).write(30, &mut out, |rows, out| {
                if rows.start >= failing {
                    return Err(io::Error::other(format!("row {}", rows.start)));
                }
                out.write_all(&row(rows.start))
            });
            assert_eq!(written.unwrap_err().to_string(), format!("row {failing}"));
            assert!(out == (0..failing).flat_map(row).collect::<Vec<u8>>());
        }
    }

    /// An output that takes a few bytes only, and fails.
    struct Full(usize);

    impl Write for Full {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0 = self.0.checked_sub(bytes.len()).ok_or(io::ErrorKind::StorageFull)?;
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    /// Rows of 2⁶² slots would never end: all threads stop when the output does.
    #[test]
    fn a_full_output_ends_the_work() {
        let written = parts(4, 1 << 10).write(1 << 62, &mut Full(1 << 16), |rows, out| {
            rows.into_iter().try_for_each(|_| out.write_all(b"null\n"))
        });
        assert_eq!(written.unwrap_err().kind(), io::ErrorKind::StorageFull);
    }
}
