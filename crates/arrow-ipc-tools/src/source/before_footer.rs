//! What is between the end of the stream inside a file and the footer.

use std::ops::Range;

use arrow_ipc::{IpcError, Limits, Source, file::Footer};

use crate::source::SharedSource;

/// Bytes between the stream inside a file and the footer that change nothing: zeros, end markers, and footers that were
/// written before the last one.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct BytesBeforeFooter {
    /// The byte offset at which the stream ends.
    pub start: u64,
    /// The number of bytes from there to the footer.
    pub n_bytes: u64,
    /// The number of end markers after that of the stream.
    pub n_end_markers: u64,
    /// The number of older footers.
    pub n_footers: u64,
}

/// The most older footers that are looked for.
const MAX_FOOTERS: u64 = 8;

/// The length of an end marker. Fewer zeros only pad the end of the stream.
const PADDING_BYTES: u64 = 8;

impl BytesBeforeFooter {
    /// Reads the bytes from the end of the stream to the footer. Returns `Some(None)` if there is nothing to report about
    /// them, and `None` if there are bytes of another kind.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub(crate) fn read(
        file: &SharedSource,
        start: u64,
        footer: &Footer,
    ) -> Result<Option<Option<BytesBeforeFooter>>, IpcError> {
        let n_bytes = footer.position().saturating_sub(start);
        let mut found = BytesBeforeFooter { start, n_bytes, ..BytesBeforeFooter::default() };
        if found.skip_all(file, footer.position(), file.limits())? < footer.position() {
            return Ok(None);
        }
        let is_padding = n_bytes < PADDING_BYTES && found.n_end_markers == 0;
        Ok(Some((!is_padding).then_some(found)))
    }

    /// Skips zeros, end markers and older footers. Returns the position of the first other byte, or `end`.
    fn skip_all(&mut self, file: &impl Source, end: u64, limits: &Limits) -> Result<u64, IpcError> {
        let mut position = self.start;
        loop {
            position = self.skip(file, position, end)?;
            if position >= end || self.n_footers >= MAX_FOOTERS {
                return Ok(position);
            }
            let Some(end_of_older) = end_of_footer(file, position..end, limits)? else { return Ok(position) };
            self.n_footers = self.n_footers.saturating_add(1);
            position = end_of_older;
        }
    }

    /// Skips zeros and end markers. Returns the position of the first other byte.
    fn skip(&mut self, file: &impl Source, mut position: u64, end: u64) -> Result<u64, IpcError> {
        const PIECE_BYTES: u64 = 64 << 10;
        const MARKER: [u8; 8] = [0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0];
        while position < end {
            let piece = file.fetch(position..end.min(position.saturating_add(PIECE_BYTES)))?;
            let mut left = &piece[..];
            loop {
                let n_zeros = left.iter().take_while(|byte| **byte == 0).count();
                left = &left[n_zeros..];
                let Some(next) = left.strip_prefix(&MARKER) else { break };
                self.n_end_markers = self.n_end_markers.saturating_add(1);
                left = next;
            }
            position = position.saturating_add((piece.len() - left.len()) as u64);
            // A marker that the end of the piece cuts is read again with the next piece.
            let may_be_cut = left.len() < MARKER.len() && left.len() < piece.len();
            if !left.is_empty() && !may_be_cut {
                break;
            }
        }
        Ok(position)
    }
}

/// The end of a whole older footer that begins at the start of `range`, or directly after zeros before it; `None` if there is
/// none. It has the same form as the footer at the end of a file.
fn end_of_footer(file: &impl Source, range: Range<u64>, limits: &Limits) -> Result<Option<u64>, IpcError> {
    /// The greatest length of a footer that is searched for its end.
    const MAX_BYTES: u64 = 16 << 20;
    let position = range.start.saturating_sub(PADDING_BYTES);
    let bytes = file.fetch(position..range.end.min(range.start.saturating_add(MAX_BYTES)))?;
    let at = usize::try_from(range.start.saturating_sub(position)).unwrap_or(usize::MAX);
    let end = Footer::end_of_complete(&bytes, at, position, limits);
    Ok(end.map(|end| position.saturating_add(end as u64)))
}

#[cfg(test)]
mod tests {
    use std::{
        io,
        ops::Range,
        sync::{
            Arc,
            atomic::{AtomicU64, Ordering},
        },
    };

    use arrow_buffer::Buffer;
    use arrow_ipc::{FileWriter, Limits};
    use arrow_schema::{DataType, Field, Schema};

    use super::*;

    const MARKER: &[u8] = &[0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0];

    /// A file with these bytes before its footer, and where they begin.
    fn file_with(bytes: &[u8]) -> (SharedSource, u64) {
        let (file, start) = plain();
        let file = [&file[..start], bytes, &file[start..]].concat();
        (SharedSource::new(Buffer::from(file)), start as u64)
    }

    fn plain() -> (Vec<u8>, usize) {
        let schema = Schema::new([Field::new("a", DataType::Int8)]);
        let file = FileWriter::try_new(Vec::new(), schema).unwrap().finish().unwrap();
        let footer = Footer::read(&Buffer::from(file.clone()), &Limits::default()).unwrap();
        (file, usize::try_from(footer.position()).unwrap())
    }

    fn counts(bytes: &[u8]) -> Option<Option<[u64; 2]>> {
        let (file, start) = file_with(bytes);
        let footer = Footer::read(&file, &Limits::default()).unwrap();
        let found = BytesBeforeFooter::read(&file, start, &footer).unwrap();
        found.map(|found| found.map(|found| [found.n_end_markers, found.n_footers]))
    }

    /// Bytes that count how many of them are fetched.
    struct CountingSource {
        bytes: Buffer,
        n_fetched: Arc<AtomicU64>,
    }

    impl Source for CountingSource {
        fn n_bytes(&self) -> io::Result<u64> {
            self.bytes.n_bytes()
        }

        fn fetch(&self, range: Range<u64>) -> io::Result<Buffer> {
            self.n_fetched.fetch_add(range.end - range.start, Ordering::Relaxed);
            self.bytes.fetch(range)
        }
    }

    /// Many end markers, also at the ends of pieces, are fetched about once.
    #[test]
    fn many_end_markers_are_fetched_once() {
        const N_MARKERS: usize = 100_000;
        let (file, start) = plain();
        for n_zeros in [0, 3] {
            let between = [&vec![0; n_zeros][..], &MARKER.repeat(N_MARKERS)].concat();
            let bytes = Buffer::from([&file[..start], &between, &file[start..]].concat());
            let footer = Footer::read(&bytes, &Limits::default()).unwrap();
            let n_fetched = Arc::new(AtomicU64::new(0));
            let source = SharedSource::new(CountingSource { bytes, n_fetched: Arc::clone(&n_fetched) });
            let found = BytesBeforeFooter::read(&source, start as u64, &footer).unwrap().unwrap().unwrap();
            assert_eq!(found.n_end_markers, N_MARKERS as u64);
            let most = 1.01 * between.len() as f64;
            assert!((n_fetched.load(Ordering::Relaxed) as f64) < most, "{n_zeros}: {n_fetched:?}");
        }
    }

    #[test]
    fn bytes_are_reported_as_what_they_are() {
        let (file, start) = plain();
        let older = &file[start..];
        type Case<'a> = (&'a [&'a [u8]], Option<Option<[u64; 2]>>);
        let cases: [Case<'_>; 12] = [
            (&[], Some(None)),
            (&[&[0; 7]], Some(None)),
            (&[&[0; 8]], Some(Some([0, 0]))),
            (&[&[0; 200_000]], Some(Some([0, 0]))),
            (&[MARKER], Some(Some([1, 0]))),
            (&[&[0; 65_532], MARKER, &[0; 3], MARKER], Some(Some([2, 0]))),
            (&[older], Some(Some([0, 1]))),
            (&[older, MARKER, older, &[0; 9]], Some(Some([1, 2]))),
            (&[&older[1..]], None),
            (&[&older[..older.len() - 1]], None),
            (&[b"ARROW1"], None),
            (&[MARKER, b"more"], None),
        ];
        for (idx, (parts, expected)) in cases.into_iter().enumerate() {
            let found = counts(&parts.concat());
            assert_eq!(found, expected, "{idx}");
        }
        // Lies that look like many footers do not take time.
        assert_eq!(counts(&older.repeat(9)), None);
        assert_eq!(counts(&b"ARROW1".repeat(1 << 18)), None);
    }
}
