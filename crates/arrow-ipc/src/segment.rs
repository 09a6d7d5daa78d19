//! What is to be written, as a list of segments: references to the caller's own buffers, and small pieces that are
//! gathered. Nothing of 4 KiB or more is copied here.

use std::io::{self, IoSlice, Write};

use arrow_buffer::{Buffer, BufferMut};

/// Buffers below this size are gathered into one piece with what is around them.
pub(crate) const GATHER_BYTES: usize = 4 << 10;

/// The most slices for one `write_vectored`; systems take no more than this at once.
const MAX_SLICES: usize = 1024;
/// Most messages have no more slices than this, and an array of them is quickly made.
const FEW_SLICES: usize = 16;

/// What zeros are written from.
static ZEROS: [u8; GATHER_BYTES] = [0; GATHER_BYTES];

/// A part of what is to be written. [`slices`](Segment::slices) gives the bytes of any.
#[derive(Debug, Clone, Copy)]
pub enum Segment<'a> {
    /// Metadata and small buffers, gathered.
    Gathered(&'a [u8]),
    /// A buffer of the caller, or one that had to be rebuilt.
    Data(&'a Buffer),
    /// This many zeros.
    Zeros(usize),
}

/// The bytes of a [`Segment`], in slices.
#[derive(Debug, Clone)]
pub struct Slices<'a> {
    bytes: &'a [u8],
    n_zeros: usize,
    max_bytes: usize,
}

impl<'a> Segment<'a> {
    /// Its length in bytes.
    pub fn n_bytes(&self) -> usize {
        match self {
            Segment::Gathered(bytes) => bytes.len(),
            Segment::Data(buffer) => buffer.len(),
            Segment::Zeros(n_bytes) => *n_bytes,
        }
    }

    /// Its bytes, in order, in slices of 1 to `max_bytes` bytes; `usize::MAX` sets no bound, and 0 counts as 1. Zeros come
    /// in slices of at most 4 KiB in any case.
    pub fn slices(self, max_bytes: usize) -> Slices<'a> {
        let max_bytes = max_bytes.max(1);
        match self {
            Segment::Gathered(bytes) => Slices { bytes, n_zeros: 0, max_bytes },
            Segment::Data(buffer) => Slices { bytes: buffer.as_slice(), n_zeros: 0, max_bytes },
            Segment::Zeros(n_zeros) => Slices { bytes: &[], n_zeros, max_bytes },
        }
    }

    /// Its bytes as a buffer that outlives it: shared where it is one already, else a copy.
    pub fn to_buffer(&self) -> Buffer {
        match self {
            Segment::Gathered(bytes) => Buffer::copy_from(bytes),
            Segment::Data(buffer) => Buffer::clone(buffer),
            Segment::Zeros(n_bytes) => Buffer::zeroed(*n_bytes),
        }
    }
}

impl<'a> Iterator for Slices<'a> {
    type Item = &'a [u8];

    fn next(&mut self) -> Option<&'a [u8]> {
        if !self.bytes.is_empty() {
            let (slice, rest) = self.bytes.split_at(self.bytes.len().min(self.max_bytes));
            self.bytes = rest;
            return Some(slice);
        }
        let (zeros, _) = ZEROS.split_at(self.n_zeros.min(self.max_bytes).min(ZEROS.len()));
        self.n_zeros -= zeros.len();
        Some(zeros).filter(|zeros| !zeros.is_empty())
    }
}

/// Buffers that had to be rebuilt although they have 4 KiB or more: offsets, views, run ends and union offsets that
/// refer to a part of something, mostly those of slices, and bits that do not start at a byte.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct WriteStats {
    /// How many.
    pub n_rebuilt_buffers: u64,
    /// Their bytes.
    pub n_rebuilt_bytes: u64,
}

/// Segments that are being put together. The memory is kept when they are cleared.
#[derive(Debug, Default)]
pub(crate) struct Segments {
    pieces: Vec<Piece>,
    /// What `Gathered` and `Metadata` pieces refer to.
    gathered: BufferMut,
    n_bytes: u64,
    /// Zeros after the last piece, which join what follows.
    n_zeros: usize,
    stats: WriteStats,
}

#[derive(Debug)]
enum Piece {
    Gathered {
        start: usize,
        end: usize,
    },
    /// As `Gathered`; nothing is appended to it, since its bytes come after those of the body that follows it.
    Metadata {
        start: usize,
        end: usize,
    },
    Data(Buffer),
    Zeros(usize),
}

/// The place of metadata, whose content depends on the body after it.
#[derive(Debug)]
pub(crate) struct MetadataPlace {
    piece_idx: usize,
}

impl Segments {
    /// Removes all segments, and lets go of the buffers.
    pub(crate) fn clear(&mut self) {
        self.pieces.clear();
        self.gathered.clear();
        (self.n_bytes, self.n_zeros, self.stats) = (0, 0, WriteStats::default());
    }

    /// The bytes of all segments.
    pub(crate) fn n_bytes(&self) -> u64 {
        self.n_bytes
    }

    /// What had to be rebuilt.
    pub(crate) fn stats(&self) -> WriteStats {
        self.stats
    }

    /// Leaves a place for metadata, to be filled when the body after it is complete.
    pub(crate) fn open_metadata(&mut self) -> MetadataPlace {
        self.flush_zeros();
        self.pieces.push(Piece::Metadata { start: 0, end: 0 });
        MetadataPlace { piece_idx: self.pieces.len() - 1 }
    }

    /// Fills a place with what `write` appends.
    pub(crate) fn fill_metadata<T>(
        &mut self,
        place: MetadataPlace,
        write: impl FnOnce(&mut BufferMut) -> T,
    ) -> T {
        // Zeros that are due stay after the body: they belong to a piece of their own from here on.
        self.flush_zeros();
        let start = self.gathered.len();
        let written = write(&mut self.gathered);
        let end = self.gathered.len();
        self.pieces[place.piece_idx] = Piece::Metadata { start, end };
        self.n_bytes += (end - start) as u64;
        written
    }

    /// Appends zeros.
    pub(crate) fn zeros(&mut self, n_bytes: usize) {
        self.n_zeros += n_bytes;
        self.n_bytes += n_bytes as u64;
    }

    /// Appends bytes by copying them, however many.
    pub(crate) fn gather(&mut self, bytes: &[u8]) {
        self.extend_gathered(bytes.len(), |gathered| gathered.extend_from_slice(bytes));
    }

    /// Appends what `write` appends, which may be much.
    pub(crate) fn gather_with<T, E>(
        &mut self,
        write: impl FnOnce(&mut BufferMut) -> Result<T, E>,
    ) -> Result<T, E> {
        let mut n_bytes = 0;
        let written = self.extend_gathered(0, |gathered| {
            let start = gathered.len();
            let written = write(gathered);
            n_bytes = gathered.len() - start;
            written
        });
        self.n_bytes += n_bytes as u64;
        written
    }

    /// Appends some bytes of a buffer: small ones are copied, others shared.
    #[inline]
    pub(crate) fn share(&mut self, buffer: &Buffer, start: usize, end: usize) {
        if end - start < GATHER_BYTES {
            return self.gather(&buffer[start..end]);
        }
        self.flush_zeros();
        self.n_bytes += (end - start) as u64;
        self.pieces.push(Piece::Data(buffer.slice(start..end)));
    }

    /// Appends bytes that `write` makes. The place that it is given is zero.
    pub(crate) fn rebuild<E>(
        &mut self,
        n_bytes: usize,
        write: impl FnOnce(&mut [u8]) -> Result<(), E>,
    ) -> Result<(), E> {
        if n_bytes < GATHER_BYTES {
            return self.extend_gathered(n_bytes, |gathered| {
                let start = gathered.len();
                gathered.extend_zeros(n_bytes);
                write(&mut gathered.as_mut_slice()[start..])
            });
        }
        let mut rebuilt = BufferMut::with_capacity(n_bytes);
        rebuilt.extend_zeros(n_bytes);
        write(rebuilt.as_mut_slice())?;
        self.flush_zeros();
        self.stats.n_rebuilt_buffers += 1;
        self.stats.n_rebuilt_bytes += n_bytes as u64;
        self.n_bytes += n_bytes as u64;
        self.pieces.push(Piece::Data(rebuilt.freeze()));
        Ok(())
    }

    /// All segments, in order. Zeros lie between what was appended before and after them; there are none at the
    /// end, since metadata is filled in last.
    pub(crate) fn iter(&self) -> impl ExactSizeIterator<Item = Segment<'_>> + Clone {
        self.pieces.iter().map(|piece| match piece {
            Piece::Gathered { start, end } | Piece::Metadata { start, end } => {
                Segment::Gathered(&self.gathered[*start..*end])
            }
            Piece::Data(buffer) => Segment::Data(buffer),
            Piece::Zeros(n_bytes) => Segment::Zeros(*n_bytes),
        })
    }

    #[inline]
    fn extend_gathered<T>(&mut self, n_bytes: usize, extend: impl FnOnce(&mut BufferMut) -> T) -> T {
        let n_zeros = std::mem::take(&mut self.n_zeros);
        let new_start = self.gathered.len();
        if n_zeros > 0 {
            self.gathered.extend_zeros(n_zeros);
        }
        let extended = extend(&mut self.gathered);
        self.n_bytes += n_bytes as u64;
        let new_end = self.gathered.len();
        match self.pieces.last_mut() {
            Some(Piece::Gathered { end, .. }) if *end == new_start => *end = new_end,
            _ if new_end > new_start => self.pieces.push(Piece::Gathered { start: new_start, end: new_end }),
            _ => {}
        }
        extended
    }

    fn flush_zeros(&mut self) {
        let n_zeros = std::mem::take(&mut self.n_zeros);
        if n_zeros == 0 {
            return;
        }
        match self.pieces.last_mut() {
            Some(Piece::Gathered { end, .. }) if *end == self.gathered.len() => {
                self.gathered.extend_zeros(n_zeros);
                *end = self.gathered.len();
            }
            _ => self.pieces.push(Piece::Zeros(n_zeros)),
        }
    }
}

/// Writes all segments, with as few calls as the sink and the system allow.
///
/// A sink may take less than it is given; what is interrupted is tried again.
pub(crate) fn write_all<'a>(
    segments: impl ExactSizeIterator<Item = Segment<'a>>,
    sink: &mut impl Write,
) -> io::Result<()> {
    let n_segments = segments.len();
    let mut slices = segments.flat_map(|segment| segment.slices(usize::MAX));
    if n_segments <= FEW_SLICES {
        while write_some::<FEW_SLICES>(&mut slices, sink)? == FEW_SLICES {}
    } else {
        while write_some::<MAX_SLICES>(&mut slices, sink)? == MAX_SLICES {}
    }
    Ok(())
}

/// Writes the next `N` slices completely; tells how many there were.
fn write_some<'a, const N: usize>(
    slices: &mut impl Iterator<Item = &'a [u8]>,
    sink: &mut impl Write,
) -> io::Result<usize> {
    let mut next = [IoSlice::new(&[]); N];
    let (mut n_slices, mut n_left) = (0, 0usize);
    for (place, slice) in next.iter_mut().zip(slices) {
        *place = IoSlice::new(slice);
        n_slices += 1;
        n_left = n_left.saturating_add(slice.len());
    }
    let mut left = &mut next[..n_slices];
    while !left.is_empty() {
        match sink.write_vectored(left) {
            Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
            Ok(n_bytes) => {
                // A sink that claims more than it was given must not make us panic.
                n_left = n_left.checked_sub(n_bytes).ok_or(io::ErrorKind::InvalidData)?;
                IoSlice::advance_slices(&mut left, n_bytes);
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(n_slices)
}

#[cfg(test)]
mod tests;
