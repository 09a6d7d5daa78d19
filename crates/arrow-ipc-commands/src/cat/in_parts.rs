//! Several threads make text of rows; it is written in the order of the rows.

use std::{
    collections::BTreeMap,
    io::{self, Write},
    num::NonZeroUsize,
    ops::Range,
    sync::{
        Condvar, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
};

use arrow_ipc_tools::by_threads;

/// How rows are shared out among threads.
#[derive(Debug, Clone, Copy)]
pub(super) struct RowSharing {
    pub(super) n_threads: NonZeroUsize,
    /// How many rows one thread makes text of before it takes more.
    pub(super) n_rows: NonZeroUsize,
}

/// How many values a part has. Their text is made in about a fifth of a millisecond.
const PART_VALUES: usize = 1 << 13;

/// How many bytes of text a part keeps until its turn comes. If there is more, its thread waits.
const PART_BYTES: usize = 512 << 10;

impl RowSharing {
    /// The sharing for rows of this many columns.
    pub(super) fn of(n_threads: NonZeroUsize, n_columns: usize) -> RowSharing {
        let n_rows = PART_VALUES / n_columns.max(1);
        RowSharing { n_threads, n_rows: NonZeroUsize::new(n_rows).unwrap_or(NonZeroUsize::MIN) }
    }

    /// Writes the text that `text` makes of the rows 0 to `n_rows`. All threads, including this one, take one part
    /// after the other. Each writes its text when the text of all earlier parts is written. Memory does not grow with
    /// the number or the content of rows: at most two parts for each thread wait, and long text is written as it is
    /// made.
    ///
    /// # Errors
    /// If the output or `text` fails. The text before that is written.
    pub(super) fn write(
        self,
        n_rows: usize,
        out: &mut (impl Write + Send),
        text: impl Fn(Range<usize>, &mut dyn Write) -> io::Result<()> + Sync,
    ) -> io::Result<()> {
        let n_parts = n_rows.div_ceil(self.n_rows.get());
        let n_threads = self.n_threads.get().min(n_parts);
        if n_threads < 2 {
            return text(0..n_rows, out);
        }
        let turns = Turns::new(out, n_threads);
        let next = AtomicUsize::new(0);
        let make_parts = || {
            let _guard = EndOfPanic(&turns);
            let mut memory = Vec::new();
            loop {
                let part = next.fetch_add(1, Ordering::Relaxed);
                if part >= n_parts {
                    return;
                }
                let start = part.saturating_mul(self.n_rows.get());
                let rows = start..start.saturating_add(self.n_rows.get()).min(n_rows);
                let mut made = PartWriter { turns: &turns, part, text: memory };
                let result = text(rows, &mut made);
                match turns.finish(part, PartText { bytes: made.text, result }) {
                    Some(spare) => memory = spare,
                    None => return,
                }
            }
        };
        by_threads(n_threads, make_parts);
        turns.into_result()
    }
}

/// The output, and whose turn it is.
struct Turns<'a, W> {
    /// Locked only by the thread whose turn it is.
    out: Mutex<&'a mut W>,
    state: Mutex<TurnState>,
    changed: Condvar,
    max_waiting: usize,
}

struct TurnState {
    /// The part whose text is written next; `None` after a failure.
    next: Option<usize>,
    /// The text of later parts.
    waiting: BTreeMap<usize, PartText>,
    /// Memory to reuse for text.
    spare: Vec<Vec<u8>>,
    failure: Option<io::Error>,
}

/// What is left to be written of a part, and how it ended.
struct PartText {
    bytes: Vec<u8>,
    result: io::Result<()>,
}

impl<'a, W: Write> Turns<'a, W> {
    fn new(out: &'a mut W, max_waiting: usize) -> Turns<'a, W> {
        let state = TurnState { next: Some(0), waiting: BTreeMap::new(), spare: Vec::new(), failure: None };
        Turns { out: Mutex::new(out), state: Mutex::new(state), changed: Condvar::new(), max_waiting }
    }

    fn state(&self) -> MutexGuard<'_, TurnState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<'b>(&self, state: MutexGuard<'b, TurnState>) -> MutexGuard<'b, TurnState> {
        self.changed.wait(state).unwrap_or_else(PoisonError::into_inner)
    }

    fn write_all(&self, bytes: &[u8]) -> io::Result<()> {
        self.out.lock().unwrap_or_else(PoisonError::into_inner).write_all(bytes)
    }

    /// Ends the output: nothing is written from now on.
    fn fail(&self, error: Option<io::Error>) {
        let mut state = self.state();
        state.next = None;
        state.failure = error;
        self.changed.notify_all();
    }

    /// Writes text of an incomplete part, once it is its turn.
    fn write_start(&self, part: usize, texts: [&[u8]; 2]) -> io::Result<()> {
        let mut state = self.state();
        while state.next.is_some_and(|next| next != part) {
            state = self.wait(state);
        }
        let has_turn = state.next.is_some();
        drop(state);
        if !has_turn {
            return Err(io::ErrorKind::BrokenPipe.into());
        }
        texts.iter().try_for_each(|text| self.write_all(text)).map_err(|error| {
            self.fail(Some(error));
            io::ErrorKind::BrokenPipe.into()
        })
    }

    /// Writes the rest of a part, and then the parts after it that are complete, if its turn has come; if not, leaves
    /// it to others. Returns memory for another part; `None` after a failure.
    fn finish(&self, part: usize, text: PartText) -> Option<Vec<u8>> {
        let mut state = self.state();
        while state.next? != part {
            if state.waiting.len() < self.max_waiting {
                state.waiting.insert(part, text);
                return Some(state.spare.pop().unwrap_or_default());
            }
            state = self.wait(state);
        }
        let (mut part, mut text) = (part, text);
        loop {
            drop(state);
            let PartText { mut bytes, result } = text;
            if let Err(error) = self.write_all(&bytes).and(result) {
                self.fail(Some(error));
                return None;
            }
            bytes.clear();
            part = part.saturating_add(1);
            state = self.state();
            // Another thread may have panicked.
            state.next = Some(state.next.map(|_| part)?);
            self.changed.notify_all();
            match state.waiting.remove(&part) {
                Some(next) => {
                    state.spare.push(bytes);
                    text = next;
                }
                None => return Some(bytes),
            }
        }
    }

    fn into_result(self) -> io::Result<()> {
        let state = self.state.into_inner().unwrap_or_else(PoisonError::into_inner);
        state.failure.map_or(Ok(()), Err)
    }
}

/// Takes the text of a part.
struct PartWriter<'t, 'a, W> {
    turns: &'t Turns<'a, W>,
    part: usize,
    text: Vec<u8>,
}

impl<W: Write> Write for PartWriter<'_, '_, W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.text.len().saturating_add(bytes.len()) <= PART_BYTES {
            self.text.extend_from_slice(bytes);
        } else {
            self.turns.write_start(self.part, [&self.text, bytes])?;
            self.text.clear();
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Ends the work of all threads if this one panics, so that none waits for its text.
struct EndOfPanic<'t, 'a, W: Write>(&'t Turns<'a, W>);

impl<W: Write> Drop for EndOfPanic<'_, '_, W> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.fail(None);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(n_threads: usize, n_rows: usize) -> RowSharing {
        RowSharing {
            n_threads: NonZeroUsize::new(n_threads).unwrap(),
            n_rows: NonZeroUsize::new(n_rows).unwrap(),
        }
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

    /// Nobody waits for a thread that is no more.
    #[test]
    fn panics_are_passed_on() {
        for at in [0, 1, 7, 19] {
            let write = || {
                parts(3, 1).write(20, &mut io::sink(), |rows, out| {
                    assert!(rows.start != at, "at {at}");
                    out.write_all(&row(rows.start))
                })
            };
            assert!(std::panic::catch_unwind(write).is_err());
        }
    }
}
