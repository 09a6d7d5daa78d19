//! Zstandard frames, decompressed by a library in Rust. It makes no frames.
//!
//! **Invariant:** decompression takes memory for the content, or for the window if that is smaller, whatever window a frame
//! claims.

use std::cell::RefCell;

use ruzstd::{
    decoding::{BlockDecodingStrategy, FrameDecoder, errors::FrameDecoderError},
    io::Read as _,
};

use super::{
    codec::{FrameCodec, FrameCursor, FrameEncoder, FrameStream},
    zstd_frame::{self, Header, MAX_BLOCK_BYTES, window_bytes},
};
use crate::error::{FrameError, FrameResult as Result};

pub(super) struct PureZstd;

impl FrameCodec for PureZstd {
    fn walk(&self, frame: &[u8], declared: u64) -> Result<u64> {
        zstd_frame::walk(frame, declared)
    }

    fn check_header(&self, start: &[u8], declared: u64) -> Result<()> {
        Header::parse_for(&mut FrameCursor::new(start), declared).map(drop)
    }

    fn decompress(&self, frame: &[u8], to: &mut [u8]) -> Result<()> {
        let mut cursor = FrameCursor::new(frame);
        let header = Header::parse_for(&mut cursor, to.len() as u64)?;
        if header.window.is_some_and(|window| window_bytes(window) >= LEAST_REFUSED_WINDOW_BYTES) {
            return Err(FrameError::Damaged { cause: "the window is too large".into() });
        }
        let blocks = cursor.take(cursor.n_left())?;
        let result = DECODER.with_borrow_mut(|decoder| {
            let decoder = decoder.get_or_insert_with(|| Box::new(FrameDecoder::new()));
            decompress(decoder, &header, blocks, to)
        });
        if header.window_bytes > MAX_RETAINED_WINDOW_BYTES || result.is_err() {
            DECODER.set(None);
        }
        result
    }

    fn most_of(&self, n_frame_bytes: u64) -> u64 {
        zstd_frame::most_of(n_frame_bytes)
    }

    /// Frames are decompressed as a whole.
    fn open(&self, start: &[u8], declared: u64) -> Result<Option<(Box<dyn FrameStream>, usize)>> {
        self.check_header(start, declared)?;
        Ok(None)
    }

    fn levels(&self) -> Option<(i32, i32)> {
        None
    }

    fn encoder(&self, _: Option<i32>) -> Result<Box<dyn FrameEncoder>> {
        Err(FrameError::Kind { what: "writing ZSTD needs the feature `zstd` of arrow-ipc" })
    }
}

thread_local! {
    /// The tables and the window of this thread, which each frame reuses.
    static DECODER: RefCell<Option<Box<FrameDecoder>>> = const { RefCell::new(None) };
}

/// Frames with larger windows are refused, as by the C library.
const LEAST_REFUSED_WINDOW_BYTES: u64 = 1 << 32;

/// Decoders with a larger window are dropped after use.
const MAX_RETAINED_WINDOW_BYTES: u64 = 2 << 20;

/// The number of bytes after which decompressed bytes are taken out of the window.
const STEP_BYTES: usize = 1 << 20;

/// Decompresses the blocks of a frame.
fn decompress(decoder: &mut FrameDecoder, header: &Header, mut blocks: &[u8], to: &mut [u8]) -> Result<()> {
    let declared = to.len() as u64;
    decoder.set_max_window_size(u64::MAX);
    decoder.init(&header_for(header, declared)[..]).map_err(damaged)?;
    let mut n_done = 0;
    while !decoder.is_finished() {
        let strategy = BlockDecodingStrategy::UptoBytes(STEP_BYTES);
        decoder.decode_blocks(&mut blocks, strategy).map_err(damaged)?;
        let rest = to.get_mut(n_done..).unwrap_or_default();
        n_done += decoder.read(rest).map_err(|_| FrameError::OutOfMemory)?;
        let n_left = decoder.can_collect() as u64;
        if n_left > 0 {
            return Err(FrameError::Damaged {
                cause: "more bytes than the uncompressed length allows".into(),
            });
        }
    }
    if n_done != to.len() {
        return Err(FrameError::Size { declared, found: n_done as u64 });
    }
    if let (Some(expected), Some(found)) =
        (decoder.get_checksum_from_data(), decoder.get_calculated_checksum())
        && expected != found
    {
        return Err(FrameError::Checksum { what: "the content", expected, found });
    }
    Ok(())
}

/// The header of a frame with the same blocks, whose window is not larger than its content, or than a block: the library
/// reserves the window.
fn header_for(header: &Header, declared: u64) -> Vec<u8> {
    const MAGIC: u32 = 0xFD2F_B528;
    const SIZE_OF_8_BYTES: u8 = 3 << 6;
    const SINGLE_SEGMENT: u8 = 1 << 5;
    let checksum = u8::from(header.has_checksum) << 2;
    let mut bytes = MAGIC.to_le_bytes().to_vec();
    match header.window {
        None => bytes.push(SIZE_OF_8_BYTES | SINGLE_SEGMENT | checksum),
        Some(window) => {
            let needed = declared.max(MAX_BLOCK_BYTES);
            let least = (0..window).find(|smaller| window_bytes(*smaller) >= needed);
            bytes.extend([SIZE_OF_8_BYTES | checksum, least.unwrap_or(window)]);
        }
    }
    bytes.extend(declared.to_le_bytes());
    bytes
}

/// What is wrong with the blocks is not said: the texts of the library would be a tenth of a small program.
#[cold]
fn damaged(_: FrameDecoderError) -> FrameError {
    FrameError::Damaged { cause: "data corruption detected".into() }
}

#[cfg(all(test, feature = "zstd"))]
mod tests {
    use zstd::zstd_safe::{CCtx, CParameter, compress_bound};

    use super::*;
    use crate::compression::zstd::Zstd;

    /// The content, or that there is an error.
    fn read(codec: &dyn FrameCodec, frame: &[u8], n_bytes: usize) -> Option<Vec<u8>> {
        let mut to = vec![0; n_bytes];
        codec.walk(frame, n_bytes as u64).ok()?;
        codec.decompress(frame, &mut to).ok()?;
        Some(to)
    }

    /// Contents of several kinds, from a seed.
    fn contents() -> Vec<Vec<u8>> {
        let mut state = 7_u64;
        let mut next = move || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as usize
        };
        let noise: Vec<u8> = (0..9_000).map(|_| next() as u8).collect();
        let words: Vec<u8> = (0..8_000).flat_map(|_| *[b"ada ", b"bob ", b"eve,"][next() % 3]).collect();
        let offsets: Vec<u8> = (0..11_000_u32).flat_map(|n| (n * 7).to_le_bytes()).collect();
        let mixed = [&words[..5_000], &noise[..3_000], &words[..9_000], &[7; 150_000]].concat();
        let short = [0, 1, 2, 9, 100, 1_025].map(|n| words[..n].to_vec());
        short.into_iter().chain([noise, words, offsets, mixed]).collect()
    }

    fn frames(content: &[u8]) -> Vec<Vec<u8>> {
        let parameters: [&[CParameter]; 7] = [
            &[],
            &[CParameter::CompressionLevel(-5)],
            &[CParameter::CompressionLevel(19), CParameter::ChecksumFlag(true)],
            &[CParameter::ContentSizeFlag(false)],
            &[CParameter::ContentSizeFlag(false), CParameter::WindowLog(12), CParameter::ChecksumFlag(true)],
            &[CParameter::WindowLog(10)],
            &[CParameter::CompressionLevel(9), CParameter::TargetLength(40)],
        ];
        let frame = |parameters: &&[CParameter]| {
            let mut context = CCtx::create();
            for parameter in *parameters {
                context.set_parameter(*parameter).unwrap();
            }
            let mut to = vec![0; compress_bound(content.len())];
            let n_bytes = context.compress2(&mut to[..], content).unwrap();
            to.truncate(n_bytes);
            to
        };
        parameters.iter().map(frame).collect()
    }

    #[test]
    fn frames_of_the_c_library_are_read() {
        for content in contents() {
            for (idx, frame) in frames(&content).into_iter().enumerate() {
                assert!(
                    read(&PureZstd, &frame, content.len()) == Some(content.clone()),
                    "{} {idx}",
                    content.len()
                );
            }
        }
    }

    /// Bytes inverted, frames cut, and wrong lengths. What a decoder does with damaged entropy tables is its own affair, where no
    /// checksum decides; the libraries agree on nearly all.
    #[test]
    fn damaged_frames_are_judged_as_by_the_c_library() {
        let (mut n_same, mut n_read, mut n_refused, mut n_other) = (0, 0, 0, 0);
        for content in contents() {
            let n_bytes = content.len();
            for frame in frames(&content) {
                let has_checksum = frame[4] >> 2 & 1 == 1;
                let step = (frame.len() / 24).max(1);
                for at in (0..frame.len()).step_by(step).chain(0..frame.len().min(24)) {
                    for bits in [0x01, 0xff] {
                        let mut damaged = frame.clone();
                        damaged[at] ^= bits;
                        let [pure, c] =
                            [&PureZstd as &dyn FrameCodec, &Zstd].map(|codec| read(codec, &damaged, n_bytes));
                        // What a checksum confirms is the content.
                        assert!(
                            !has_checksum || at == 4 || pure.as_ref().is_none_or(|read| *read == content)
                        );
                        match (pure == c, pure.is_some()) {
                            (true, true) => n_same += 1,
                            (true, false) => n_refused += 1,
                            (false, true) => n_read += 1,
                            (false, false) => n_other += 1,
                        }
                    }
                    assert_eq!(read(&PureZstd, &frame[..at], n_bytes), None);
                }
                for wrong in [n_bytes + 1, n_bytes.saturating_sub(1), n_bytes + 200_000] {
                    assert!(
                        read(&PureZstd, &frame, wrong) == read(&Zstd, &frame, wrong),
                        "{n_bytes} {wrong}"
                    );
                }
            }
        }
        assert!(n_same > 100 && n_refused > 1_000, "{n_same} {n_refused}");
        assert!((n_read + n_other) * 20 < n_same + n_refused, "{n_read} {n_other} of {n_same} {n_refused}");
    }

    #[test]
    fn a_large_window_takes_no_memory() {
        // A frame of one raw block of two bytes that claims a window of 2 GiB.
        let frame = [0x28, 0xb5, 0x2f, 0xfd, 0x00, 21 << 3, 0b10001, 0, 0, b'h', b'i'];
        assert_eq!(read(&PureZstd, &frame, 2), Some(b"hi".to_vec()));
        let header = Header::parse_for(&mut FrameCursor::new(&frame), 2).unwrap();
        assert_eq!(header.window_bytes, 1 << 31);
        assert_eq!(window_bytes(header_for(&header, 2)[5]), MAX_BLOCK_BYTES);
    }
}
