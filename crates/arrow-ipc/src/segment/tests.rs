use std::{
    cell::Cell,
    convert::Infallible,
    io::{self, IoSlice, Write},
};

use super::{write::MAX_SLICES, *};

/// A sink that accepts at most `n_max_bytes` bytes per call, and is interrupted every third time.
struct PartialSink {
    taken: Vec<u8>,
    n_max_bytes: usize,
    n_calls: usize,
    most_slices: usize,
}

impl PartialSink {
    fn new(n_max_bytes: usize) -> PartialSink {
        PartialSink { taken: Vec::new(), n_max_bytes, n_calls: 0, most_slices: 0 }
    }
}

impl Write for PartialSink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.write_vectored(&[IoSlice::new(bytes)])
    }

    fn write_vectored(&mut self, slices: &[IoSlice<'_>]) -> io::Result<usize> {
        self.n_calls += 1;
        self.most_slices = self.most_slices.max(slices.len());
        if self.n_calls.is_multiple_of(3) {
            return Err(io::ErrorKind::Interrupted.into());
        }
        let given = slices.iter().flat_map(|slice| slice.iter()).take(self.n_max_bytes);
        let n_before = self.taken.len();
        self.taken.extend(given);
        Ok(self.taken.len() - n_before)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

thread_local! {
    static N_VISITED: Cell<u64> = const { Cell::new(0) };
}

/// Counts a segment that an iterator has visited.
pub(super) fn count_visited() {
    N_VISITED.set(N_VISITED.get() + 1);
}

fn large(byte: u8) -> Buffer {
    Buffer::from(vec![byte; GATHER_BYTES])
}

fn example(n_large: usize) -> (Segments, Vec<u8>) {
    let mut segments = Segments::default();
    let mut expected = b"head".to_vec();
    let reserved = segments.open_metadata(0);
    for idx in 0..n_large {
        let buffer = large(idx as u8);
        segments.share(&buffer, 0, buffer.len());
        segments.zeros(idx % 100);
        segments.gather(&[7; 5][..idx % 5]);
        segments.share(&buffer, 10, 20);
        expected.extend_from_slice(&buffer);
        expected.extend(vec![0; idx % 100]);
        expected.extend(vec![7; idx % 5]);
        expected.extend_from_slice(&buffer[10..20]);
    }
    segments.zeros(3);
    expected.extend([0; 3]);
    segments.fill_metadata(reserved, |to| to.extend_from_slice(b"head"));
    segments.gather(b"tail");
    segments.close();
    expected.extend(b"tail");
    (segments, expected)
}

#[test]
fn sinks_may_take_what_they_like() {
    for n_large in [0, 1, 2, 30, 700] {
        let (segments, expected) = example(n_large);
        assert_eq!(segments.n_bytes(), expected.len() as u64);
        for n_max_bytes in [1, 63, 5000, 100_000, usize::MAX] {
            if n_large == 700 && n_max_bytes < 5000 {
                continue;
            }
            let mut sink = PartialSink::new(n_max_bytes);
            write_all(segments.iter(), &mut sink).unwrap();
            assert_eq!(sink.taken, expected);
            assert!(sink.most_slices <= MAX_SLICES);
        }
    }
}

/// A writer begins again at the first segment that the sink has not taken.
#[test]
fn skipped_segments_are_not_visited() {
    let visited = |n_large: usize| {
        let (segments, _) = example(n_large);
        let all: Vec<usize> = segments.iter().map(|segment| segment.n_bytes()).collect();
        N_VISITED.set(0);
        for (idx, n_bytes) in all.iter().enumerate() {
            let mut rest = segments.iter().skip(idx);
            assert_eq!(rest.len(), all.len() - idx);
            assert_eq!(rest.next().map(|segment| segment.n_bytes()), Some(*n_bytes));
        }
        assert!(segments.iter().nth(all.len()).is_none());
        (N_VISITED.get(), all.len() as u64)
    };
    for n_large in [50, 100] {
        let (n_visited, n_segments) = visited(n_large);
        assert_eq!(n_visited, n_segments, "each once");
    }
}

#[test]
fn one_call_for_up_to_1024_slices() {
    let (segments, expected) = example(400);
    let mut sink = PartialSink::new(usize::MAX);
    write_all(segments.iter(), &mut sink).unwrap();
    assert_eq!((sink.taken.len(), sink.n_calls, sink.most_slices), (expected.len(), 1, 802));
}

#[test]
fn sinks_that_fail_or_lie_are_errors() {
    struct FaultySink(io::Result<usize>);
    impl Write for FaultySink {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            match &self.0 {
                Ok(n_bytes) => Ok(*n_bytes),
                Err(error) => Err(error.kind().into()),
            }
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let cases = [
        (Ok(0), io::ErrorKind::WriteZero),
        (Ok(usize::MAX), io::ErrorKind::InvalidData),
        (Err(io::ErrorKind::StorageFull.into()), io::ErrorKind::StorageFull),
    ];
    for (answer, expected) in cases {
        let error = write_all(example(2).0.iter(), &mut FaultySink(answer)).unwrap_err();
        assert_eq!(error.kind(), expected);
    }
}

#[test]
fn small_pieces_are_joined_and_large_ones_shared() {
    let mut segments = Segments::default();
    let buffer = large(1);
    let reserved = segments.open_metadata(0);
    segments.share(&buffer, 0, GATHER_BYTES - 1);
    segments.zeros(1);
    segments.gather(b"x");
    segments.share(&buffer, 0, GATHER_BYTES);
    segments.zeros(9);
    segments.share(&buffer, 0, GATHER_BYTES);
    segments.fill_metadata(reserved, |to| to.extend_from_slice(b"metadata"));
    segments.close();
    let lengths: Vec<usize> = segments.iter().map(|segment| segment.n_bytes()).collect();
    assert_eq!(lengths, [8, GATHER_BYTES + 1, GATHER_BYTES, 9, GATHER_BYTES]);
    let shared: Vec<bool> = segments
        .iter()
        .map(|segment| matches!(segment, Segment::Data(data) if data.same_memory(&buffer)))
        .collect();
    assert_eq!(shared, [false, false, true, false, true]);
    assert!(matches!(segments.iter().nth(3), Some(Segment::Zeros(9))));
    assert_eq!(segments.stats(), WriteStats::default());
}

#[test]
fn rebuilt_buffers_are_entry_origin_4_kib_on() {
    let mut segments = Segments::default();
    for n_bytes in [GATHER_BYTES - 1, GATHER_BYTES] {
        let Ok(()) = segments.rebuild(n_bytes, |to| {
            to.fill(3);
            Ok::<(), Infallible>(())
        });
    }
    assert_eq!(segments.stats(), WriteStats { n_rebuilt_buffers: 1, n_rebuilt_bytes: GATHER_BYTES as u64 });
    segments.clear();
    assert_eq!((segments.n_bytes(), segments.iter().len(), segments.stats()), (0, 0, WriteStats::default()));
}

#[derive(Debug, Clone, Copy)]
enum BodyPiece {
    Small,
    Zeros,
    Large,
}

#[test]
fn metadata_is_before_its_body_whatever_length_was_expected() {
    use BodyPiece::{Large, Small, Zeros};
    let shared = large(9);
    let bodies: [&[BodyPiece]; 7] = [
        &[],
        &[Small],
        &[Zeros, Small],
        &[Large],
        &[Zeros, Large, Zeros],
        &[Small, Large, Zeros, Small],
        &[Zeros],
    ];
    let all_expected = [0, 3, 4, 5, 100, GATHER_BYTES, GATHER_BYTES + 1];
    let is_length_known = [true, false];
    for (n_expected, is_length_known) in
        all_expected.into_iter().flat_map(|n| is_length_known.map(|is| (n, is)))
    {
        let mut segments = Segments::default();
        let mut expected = b"magic".to_vec();
        segments.gather(b"magic");
        for body in bodies {
            let reserved = segments.open_metadata(n_expected);
            expected.extend_from_slice(b"head");
            for part in body {
                match part {
                    Small => {
                        segments.gather(b"small");
                        expected.extend_from_slice(b"small");
                    }
                    Zeros => {
                        segments.zeros(7);
                        expected.extend_from_slice(&[0; 7]);
                    }
                    Large => {
                        segments.share(&shared, 0, shared.len());
                        expected.extend_from_slice(&shared);
                    }
                }
            }
            if is_length_known {
                segments.fill_metadata_with(reserved, 4, |to| to.copy_from_slice(b"head"));
            } else {
                segments.fill_metadata(reserved, |to| to.extend_from_slice(b"head"));
            }
        }
        segments.close();
        let written: Vec<u8> =
            segments.iter().flat_map(|segment| segment.slices(usize::MAX)).flatten().copied().collect();
        assert_eq!(written, expected, "{n_expected}");
        assert_eq!(segments.n_bytes(), expected.len() as u64, "{n_expected}");
        assert!(segments.iter().all(|segment| segment.n_bytes() > 0), "{n_expected}");
        if n_expected == 4 {
            // All gathered bytes between large buffers are one segment. The zeros between the last large buffer and the
            // end of its body are a segment of their own.
            assert_eq!(segments.iter().len(), 8);
        }
    }
}

#[test]
fn memory_of_what_was_rebuilt_is_used_again() {
    let mut segments = Segments::default();
    let mut message = |sizes: &[usize], byte: u8| -> Vec<*const u8> {
        segments.clear();
        for n_bytes in sizes {
            let Ok(()) = segments.rebuild(*n_bytes, |to| {
                assert_eq!(to.len(), *n_bytes);
                to.fill(byte);
                Ok::<(), Infallible>(())
            });
        }
        segments.close();
        let data = segments.iter().filter_map(|segment| match segment {
            Segment::Data(buffer) => {
                assert!(buffer.iter().all(|found| *found == byte));
                Some(buffer.as_ptr())
            }
            Segment::Gathered(_) | Segment::Zeros(_) => None,
        });
        let found = data.collect();
        segments.clear();
        found
    };
    let first = message(&[5_000, 10, 9_000], 1);
    // Memory that is a little shorter is reused, too.
    assert_eq!(message(&[4_500, 8_000], 2), first);
    assert_eq!(message(&[5_000], 3), first[..1]);
    // Memory that the last message did not need has been freed, and so has memory that is much too long.
    assert_eq!(message(&[4_096, 9_000], 4).len(), 2);
    assert_eq!(message(&[100], 5), []);
}
