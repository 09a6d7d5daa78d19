//! Writes segments to a sink.

use std::io::{self, IoSlice, Write};

use super::Segment;

/// The maximum number of slices for one `write_vectored`: operating systems accept no more.
pub(super) const MAX_SLICES: usize = 1024;
/// Most messages have at most this number of slices. A short array is initialized faster.
const FEW_SLICES: usize = 16;

/// Writes all segments, with as few calls of the sink as possible.
///
/// Repeats interrupted writes. If the sink writes only some of the bytes, writes the rest.
pub(crate) fn write_all<'a>(
    mut segments: impl ExactSizeIterator<Item = Segment<'a>>,
    sink: &mut (impl Write + ?Sized),
) -> io::Result<()> {
    let n_segments = segments.len();
    if n_segments == 1 {
        // Most small batches are one segment.
        return match segments.next() {
            Some(segment) => segment.slices(usize::MAX).try_for_each(|slice| write_slice(slice, sink)),
            None => Ok(()),
        };
    }
    let mut slices = segments.flat_map(|segment| segment.slices(usize::MAX));
    if n_segments <= FEW_SLICES {
        while write_some::<FEW_SLICES>(&mut slices, sink)? == FEW_SLICES {}
    } else {
        while write_some::<MAX_SLICES>(&mut slices, sink)? == MAX_SLICES {}
    }
    Ok(())
}

fn write_slice(mut slice: &[u8], sink: &mut (impl Write + ?Sized)) -> io::Result<()> {
    while !slice.is_empty() {
        match sink.write(slice) {
            Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
            // The sink reports that it wrote more bytes than it got.
            Ok(n_bytes) => slice = slice.get(n_bytes..).ok_or(io::ErrorKind::InvalidData)?,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// Writes the next `N` slices completely. Returns the number of slices, which is less than `N` at the end.
fn write_some<'a, const N: usize>(
    slices: &mut impl Iterator<Item = &'a [u8]>,
    sink: &mut (impl Write + ?Sized),
) -> io::Result<usize> {
    let mut next = [IoSlice::new(&[]); N];
    let mut n_slices = 0;
    let mut n_left = 0usize;
    for slot in &mut next {
        let Some(slice) = slices.next() else { break };
        *slot = IoSlice::new(slice);
        n_slices += 1;
        n_left = n_left.saturating_add(slice.len());
    }
    let mut left = &mut next[..n_slices];
    while !left.is_empty() {
        match sink.write_vectored(left) {
            Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
            Ok(n_bytes) => {
                // The sink reports that it wrote more bytes than it got.
                n_left = n_left.checked_sub(n_bytes).ok_or(io::ErrorKind::InvalidData)?;
                IoSlice::advance_slices(&mut left, n_bytes);
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(n_slices)
}
