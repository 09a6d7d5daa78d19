//! Frames that are decompressed in steps give the same bytes as frames that are decompressed whole, for any lengths of
//! the steps. Invalid frames are refused.

use std::ops::Range;

use arrow_schema::work_done;

use super::*;
use crate::{
    compression::{DeclaredLength, FrameDecoder, FrameProgress, FrameRest},
    error::{FrameError, IpcErrorKind},
};

/// The requested bytes of a frame whose bytes arrive in pieces of at least this length. `None` if the frame is decompressed at once.
fn decoder(
    (codec, frame): (Codec, &[u8]),
    declared: usize,
    needed: Range<usize>,
    n_piece_bytes: usize,
) -> Result<Option<Vec<u8>>, IpcError> {
    let n_frame_bytes = frame.len() as u64;
    let declared = declared as u64;
    DeclaredLength::try_new(codec, &declared.to_le_bytes(), n_frame_bytes + PREFIX_BYTES as u64)?;
    let start = &frame[..frame.len().min(n_piece_bytes.max(20))];
    let Some(mut decoder) = FrameDecoder::try_new(codec, start, n_frame_bytes, declared)? else {
        return Ok(None);
    };
    let needed = needed.start as u64..needed.end as u64;
    let mut output = BufferMut::new();
    let mut n_next = n_piece_bytes;
    loop {
        let start = usize::try_from(decoder.n_used()).unwrap();
        let piece = &frame[start..frame.len().min(start + n_next)];
        match decoder.advance(piece, &needed, FrameRest::Unneeded, &mut output)? {
            FrameProgress::Done => return Ok(Some(output.to_vec())),
            FrameProgress::Needs(n_bytes) => {
                let left = piece.len() - (usize::try_from(decoder.n_used()).unwrap() - start);
                assert!(n_bytes > left as u64, "it has been given {left} of {n_bytes} bytes");
                n_next = n_piece_bytes.max(usize::try_from(n_bytes).unwrap());
            }
        }
    }
}

fn error_of(found: Result<Option<Vec<u8>>, IpcError>) -> FrameError {
    let error = found.expect_err("is refused");
    let IpcErrorKind::Frame { error, .. } = error.kind() else { panic!("{error}") };
    error.clone()
}

fn frames_of(bytes: &[u8]) -> Vec<(Codec, Vec<u8>)> {
    let mut frames = Vec::new();
    for (block_mode, flags) in [(BlockMode::Independent, 0), (BlockMode::Linked, 0), (BlockMode::Linked, 7)] {
        let info = FrameInfo::new()
            .block_mode(block_mode)
            .block_size(if flags == 0 { BlockSize::Max64KB } else { BlockSize::Max256KB })
            .block_checksums(flags & 1 == 1)
            .content_checksum(flags & 2 == 2)
            .content_size((flags & 4 == 4).then_some(bytes.len() as u64));
        frames.push((Codec::Lz4Frame, lz4_frame(info, bytes)));
    }
    for (level, has_size) in [(-5, true), (1, false), (9, true)] {
        let level = CParameter::CompressionLevel(level);
        let parameters = [level, CParameter::ContentSizeFlag(has_size), CParameter::ChecksumFlag(!has_size)];
        frames.push((Codec::Zstd, zstd_frame(&parameters, bytes)));
    }
    frames
}

#[test]
fn pieces_of_any_length_give_the_same_bytes() {
    for bytes in samples() {
        let n = bytes.len();
        for (codec, frame) in frames_of(&bytes) {
            for needed in [0..1, 0..n, n / 2..n / 2 + 1, n - 1..n, n / 3..n / 2 + 1, 0..0, n..n] {
                for n_piece_bytes in [1, 1000, 70_000, usize::MAX / 2] {
                    if n_piece_bytes < n / 1000 {
                        continue;
                    }
                    let found = decoder((codec, &frame), n, needed.clone(), n_piece_bytes);
                    let found = found.unwrap_or_else(|error| panic!("{codec}, {needed:?} of {n}: {error}"));
                    assert!(found.as_deref() == Some(&bytes[needed.clone()]), "{codec}, {needed:?} of {n}");
                }
            }
        }
    }
}

/// However small linked blocks are, fewer bytes are moved than decompressed.
#[test]
fn small_linked_blocks_move_few_bytes() {
    const N_SMALL: usize = 200_000;
    let first: Vec<u8> = (0..1 << 16).map(|n: u32| (n / 7) as u8).collect();
    let mut frame = b"\x04\x22\x4d\x18\x40\x40\xc0\x00\x00\x01\x80".to_vec();
    frame.extend_from_slice(&first);
    let mut expected = first;
    for n in 0..N_SMALL {
        let byte = (n / 3) as u8;
        frame.extend_from_slice(&[1, 0, 0, 0x80, byte]);
        expected.push(byte);
    }
    // A block that repeats the first bytes within reach, 65,535 bytes before it, and ends with five bytes as they are.
    let start = expected.len() - 65_535;
    frame.extend_from_slice(b"\x09\x00\x00\x00\x00\xff\xff\x50abcde\x00\x00\x00\x00");
    expected.extend_from_within(start..start + 4);
    expected.extend_from_slice(b"abcde");
    for n_piece_bytes in [1_000, usize::MAX / 2] {
        let before = work_done();
        let found = decoder((Codec::Lz4Frame, &frame), expected.len(), 0..expected.len(), n_piece_bytes);
        assert!(found.unwrap().unwrap() == expected);
        let n_moved = work_done() - before;
        assert!((1..expected.len() as u64).contains(&n_moved), "{n_moved} bytes were moved");
    }
}

#[test]
fn no_more_is_decompressed_than_the_blocks_of_what_is_wanted() {
    let bytes: Vec<u8> = (0..400_000u32).flat_map(|n| (n / 3).to_le_bytes()).collect();
    for (codec, frame) in frames_of(&bytes) {
        let sizes = (frame.len() as u64, bytes.len() as u64);
        let mut decoder = FrameDecoder::try_new(codec, &frame, sizes.0, sizes.1).unwrap().unwrap();
        let progress = decoder.advance(
            &frame[usize::try_from(decoder.n_used()).unwrap()..],
            &(5..100),
            FrameRest::Unneeded,
            &mut BufferMut::new(),
        );
        assert_eq!(progress.unwrap(), FrameProgress::Done);
        assert!(decoder.n_decompressed() <= 256 << 10, "{codec}: {} bytes", decoder.n_decompressed());
    }
}

/// A truncated frame is an error as soon as the requested content needs more of it.
#[test]
fn frames_that_end_early_are_refused() {
    let bytes = &samples()[28];
    let n = bytes.len();
    assert_eq!(n, 300_000);
    for (codec, frame) in frames_of(bytes) {
        for n_bytes in [0, 3, 7, 19, 20, 1000, frame.len() / 2, frame.len() - 1] {
            let cut = &frame[..n_bytes];
            for n_piece_bytes in [100, usize::MAX / 2] {
                let found = decoder((codec, cut), n, 0..n, n_piece_bytes);
                assert!(found.is_err(), "{codec}, {n_bytes} bytes");
                if n_bytes == frame.len() - 1 {
                    let first = decoder((codec, cut), n, 0..10, n_piece_bytes).unwrap();
                    assert_eq!(first.as_deref(), Some(&bytes[..10]), "{codec}, {n_bytes} bytes");
                }
            }
        }
    }
}

#[test]
fn content_of_another_length_is_refused_where_it_is_reached() {
    let text = b"claimed and held, ".repeat(10_000);
    let n = text.len();
    let frames = [
        (Codec::Lz4Frame, our_frame(Compression::lz4(), &text)),
        (Codec::Zstd, zstd_frame(&[CParameter::ContentSizeFlag(false)], &text)),
    ];
    for (codec, frame) in frames {
        let of = |declared: usize, needed: Range<usize>| decoder((codec, &frame), declared, needed, 500);
        assert_eq!(
            error_of(of(n + 1, n..n + 1)),
            FrameError::Size { declared: n as u64 + 1, found: n as u64 }
        );
        assert_eq!(of(n + 1, 0..100).unwrap().as_deref(), Some(&text[..100]), "the end was not reached");
        error_of(of(n - 1, n - 2..n - 1));
        let trailing = [&frame[..], b"more"].concat();
        let found = decoder((codec, &trailing), n, n - 1..n, 500);
        assert_eq!(error_of(found), FrameError::TrailingBytes { n_bytes: 4 });
        for declared in [1 << 60, usize::MAX >> 1] {
            let error = error_of(of(declared, 0..1));
            assert!(matches!(error, FrameError::TooSmall { .. }), "{codec}: {error}");
        }
        assert!(matches!(
            error_of(decoder((codec, b"no frame, but so many bytes"), n / 100, 0..1, 500)),
            FrameError::Magic { .. }
        ));
    }
}

/// Frames with large windows may be read, but only at once, which needs no memory for the window.
#[test]
fn large_windows_are_not_decompressed_in_pieces() {
    let text = vec![7; 10 << 20];
    let wide = zstd_frame(&[CParameter::CompressionLevel(19), CParameter::WindowLog(24)], &text);
    assert_eq!(decoder((Codec::Zstd, &wide), text.len(), 0..1, 500).unwrap(), None);
    assert_eq!(frame(Codec::Zstd, &wide, text.len()).unwrap(), text);
}

#[test]
fn damaged_frames_give_bytes_or_errors() {
    let bytes = &samples()[28];
    for (codec, frame) in frames_of(bytes) {
        let mut damaged = frame.clone();
        for at in (0..frame.len()).step_by(frame.len() / 40 + 1) {
            damaged[at] ^= 0x41;
            if let Ok(Some(found)) = decoder((codec, &damaged), bytes.len(), 100..200_000, 5000) {
                assert_eq!(found.len(), 199_900);
            }
            damaged[at] ^= 0x41;
        }
    }
}

/// Windows that follow each other directly, after gaps, or with a few bytes of the window before.
#[test]
fn windows_go_on_where_the_last_one_stopped() {
    let bytes = &samples()[28];
    let windows = [
        0..10,
        10..70_000,
        69_992..69_996,
        69_992..140_000,
        140_000..140_001,
        200_000..299_999,
        299_998..300_000,
    ];
    for (codec, frame) in frames_of(bytes) {
        for n_piece_bytes in [1000, usize::MAX / 2] {
            let sizes = (frame.len() as u64, bytes.len() as u64);
            let mut decoder = FrameDecoder::try_new(codec, &frame, sizes.0, sizes.1).unwrap().unwrap();
            for window in windows.clone() {
                let needed = window.start as u64..window.end as u64;
                assert!(
                    decoder.reaches(needed.start),
                    "{codec}, {window:?} after {}",
                    decoder.n_decompressed()
                );
                let mut output = BufferMut::new();
                decoder.begin(&needed, &mut output).unwrap();
                let mut n_next = n_piece_bytes;
                loop {
                    let start = usize::try_from(decoder.n_used()).unwrap();
                    let piece = &frame[start..frame.len().min(start.saturating_add(n_next))];
                    match decoder.advance(piece, &needed, FrameRest::Needed, &mut output).unwrap() {
                        FrameProgress::Done => break,
                        FrameProgress::Needs(n_bytes) => {
                            n_next = n_piece_bytes.max(usize::try_from(n_bytes).unwrap())
                        }
                    }
                }
                decoder.leave(&needed, &output);
                assert!(*output == bytes[window.clone()], "{codec}, {window:?}");
            }
            assert!(!decoder.reaches(0), "it has to begin again");
        }
    }
}

/// A frame is checked to its end, by its length and its checksum, even if the last window ends before the content does.
#[test]
fn the_last_window_finishes_the_frame() {
    let bytes: Vec<u8> = (0..300_000u32).flat_map(|n| n.wrapping_mul(0x9e37_79b1).to_le_bytes()).collect();
    let read = |(codec, frame): (Codec, &[u8]), last_end: usize| -> Result<(), IpcError> {
        let sizes = (frame.len() as u64, bytes.len() as u64);
        let mut decoder = FrameDecoder::try_new(codec, frame, sizes.0, sizes.1)?.expect("it is long");
        for (window, frame_rest) in [(0..1000, FrameRest::Needed), (1000..last_end, FrameRest::Checked)] {
            let needed = window.start as u64..window.end as u64;
            let mut output = BufferMut::new();
            decoder.begin(&needed, &mut output)?;
            let rest = &frame[usize::try_from(decoder.n_used()).unwrap()..];
            assert_eq!(decoder.advance(rest, &needed, frame_rest, &mut output)?, FrameProgress::Done);
            assert!(*output == bytes[window]);
            decoder.leave(&needed, &output);
        }
        assert_eq!(decoder.n_decompressed(), bytes.len() as u64);
        Ok(())
    };
    for block_mode in [BlockMode::Independent, BlockMode::Linked] {
        let info = FrameInfo::new().block_mode(block_mode).content_checksum(true);
        let parameters = [CParameter::CompressionLevel(1), CParameter::ChecksumFlag(true)];
        for (codec, frame) in [
            (Codec::Lz4Frame, lz4_frame(info.clone(), &bytes)),
            (Codec::Zstd, zstd_frame(&parameters, &bytes)),
        ] {
            for last_end in [1001, 500_000, bytes.len()] {
                read((codec, &frame), last_end).unwrap();
                let mut damaged = frame.clone();
                let n = damaged.len();
                damaged[n - 2] ^= 1;
                let found = read((codec, &damaged), last_end).map(|()| None);
                assert!(matches!(error_of(found), FrameError::Checksum { .. } | FrameError::Damaged { .. }));
                let trailing = [&frame[..], b"more"].concat();
                let found = read((codec, &trailing), last_end).map(|()| None);
                assert!(matches!(error_of(found), FrameError::TrailingBytes { n_bytes: 4 }));
            }
        }
    }
}
