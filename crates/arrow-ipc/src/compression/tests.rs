//! Frames of both codecs, checked with other implementations; and frames that are refused.

mod frame_decoder;

use std::io::{Read, Write};

use arrow_buffer::{Buffer, BufferMut};
use lz4_flex::frame::{BlockMode, BlockSize, FrameDecoder, FrameEncoder, FrameInfo};
use zstd::zstd_safe::{self, CCtx, CParameter};

use super::Compression;
use super::{
    BodyCompressor, BufferEncoding, BufferPool, CompressedBuffer, PREFIX_BYTES, RAW, decompress_within,
};
use crate::{error::IpcError, threads::Threads};
use arrow_ipc_format::Codec;

/// Lengths near the length of a block.
const LENGTHS: [usize; 10] = [1, 2, 12, 13, 4096, 65_534, 65_535, 65_536, 65_537, 300_000];

/// For each length, content that compresses well, somewhat, and not at all.
fn samples() -> Vec<Vec<u8>> {
    let mut state = 1u64;
    let mut random = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 56) as u8
    };
    let mut samples = Vec::new();
    for length in LENGTHS {
        samples.push(vec![7; length]);
        samples.push((0..length as u64).flat_map(|n| (n * n / 7).to_le_bytes()).take(length).collect());
        samples.push((0..length).map(|_| random()).collect());
    }
    samples
}

fn with_length(declared: i64, frame: &[u8]) -> Buffer {
    Buffer::from([&declared.to_le_bytes(), frame].concat())
}

fn decompress(codec: Codec, bytes: Buffer) -> Result<Vec<u8>, IpcError> {
    let opened = [CompressedBuffer::try_new(codec, bytes)?];
    let buffers = decompress_within(&opened, &BufferPool::default(), Threads::Pool, None);
    Ok(buffers.map_err(|(_, error)| error)?[0].to_vec())
}

fn frame(codec: Codec, bytes: &[u8], declared: usize) -> Result<Vec<u8>, IpcError> {
    decompress(codec, with_length(declared as i64, bytes))
}

/// A frame that our encoder makes, even if it saves nothing.
fn our_frame(compression: Compression, bytes: &[u8]) -> Vec<u8> {
    let mut to = vec![0; 1 << 20];
    let mut compressor = BodyCompressor::try_new(compression).unwrap();
    let n_bytes = compressor.encoder.frames.compress(bytes, &mut to).unwrap();
    to.truncate(n_bytes);
    to
}

fn lz4_frame(info: FrameInfo, bytes: &[u8]) -> Vec<u8> {
    let mut encoder = FrameEncoder::with_frame_info(info, Vec::new());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn zstd_frame(parameters: &[CParameter], bytes: &[u8]) -> Vec<u8> {
    let mut context = CCtx::create();
    for parameter in parameters {
        context.set_parameter(*parameter).unwrap();
    }
    let mut to = vec![0; zstd_safe::compress_bound(bytes.len())];
    let n_bytes = context.compress2(&mut to[..], bytes).unwrap();
    to.truncate(n_bytes);
    to
}

#[test]
fn others_read_our_frames_and_so_do_we() {
    for bytes in samples() {
        let ours = our_frame(Compression::lz4(), &bytes);
        let mut theirs = Vec::new();
        FrameDecoder::new(&*ours).read_to_end(&mut theirs).unwrap();
        assert_eq!(theirs, bytes, "{} bytes", bytes.len());
        assert_eq!(frame(Codec::Lz4Frame, &ours, bytes.len()).unwrap(), bytes, "{} bytes", bytes.len());

        for level in [-5, 1, 3, 19] {
            let ours = our_frame(Compression::zstd().with_level(level), &bytes);
            let mut theirs = vec![0; bytes.len()];
            assert_eq!(zstd_safe::decompress(&mut theirs[..], &ours), Ok(bytes.len()));
            assert_eq!(theirs, bytes, "level {level}, {} bytes", bytes.len());
            assert_eq!(frame(Codec::Zstd, &ours, bytes.len()).unwrap(), bytes, "level {level}");
        }
    }
}

#[test]
fn frames_of_others_are_read_whatever_their_header_says() {
    let sizes = [BlockSize::Max64KB, BlockSize::Max256KB, BlockSize::Max4MB];
    for bytes in samples() {
        for block_mode in [BlockMode::Independent, BlockMode::Linked] {
            for flags in 0..8 {
                let info = FrameInfo::new()
                    .block_mode(block_mode)
                    .block_size(sizes[flags % 3])
                    .block_checksums(flags & 1 == 1)
                    .content_checksum(flags & 2 == 2)
                    .content_size((flags & 4 == 4).then_some(bytes.len() as u64));
                let theirs = lz4_frame(info, &bytes);
                assert_eq!(frame(Codec::Lz4Frame, &theirs, bytes.len()).unwrap(), bytes, "flags {flags}");
            }
        }
        for (has_size, has_checksum) in [(false, false), (false, true), (true, true)] {
            let parameters = [CParameter::ContentSizeFlag(has_size), CParameter::ChecksumFlag(has_checksum)];
            let theirs = zstd_frame(&parameters, &bytes);
            assert_eq!(frame(Codec::Zstd, &theirs, bytes.len()).unwrap(), bytes, "size {has_size}");
        }
    }
}

/// Frames as the C library makes them by default, and as Arrow C++ uses them: blocks of 64 KiB that refer to earlier blocks.
#[test]
fn linked_blocks_of_the_c_library_are_read() {
    let words = b"linked blocks look back at this".as_slice();
    let expected = [&[7; 65_500], words, &[7; 10], words, words].concat();
    let theirs = [
        b"\x04\x22\x4d\x18\x40\x40\xc0\x2b\x01\x00\x00\x1f\x07\x01\x00".as_slice(),
        &[0xff; 256],
        b"\xc8\xf0\x15",
        words,
        b"\x07\x07\x07\x07\x07\x0e\x00\x00\x00\x0f\x29\x00\x11\x0f\x48\x00\x07\x50 this\x00\x00\x00\x00",
    ]
    .concat();
    assert_eq!(frame(Codec::Lz4Frame, &theirs, expected.len()).unwrap(), expected);
}

#[test]
fn the_same_bytes_give_the_same_frame() {
    for compression in [Compression::lz4(), Compression::zstd()] {
        let mut used = BodyCompressor::try_new(compression).unwrap();
        for bytes in samples() {
            let [mut again, mut fresh] = [BufferMut::new(), BufferMut::new()];
            let compressed = used.compress(&bytes, &mut again).unwrap();
            let expected =
                BodyCompressor::try_new(compression).unwrap().compress(&bytes, &mut fresh).unwrap();
            assert_eq!((compressed, &again), (expected, &fresh), "{} bytes", bytes.len());
        }
    }
}

#[test]
fn buffers_that_do_not_gain_are_left_as_they_are() {
    // Compressing these bytes saves about half of them.
    let bytes: Vec<u8> = samples()[2].iter().copied().chain([0; 4000]).collect();
    let half: Vec<u8> = samples()[14].iter().copied().take(4000).chain([0; 4000]).collect();
    let random = &samples()[14];
    for codec in [Codec::Lz4Frame, Codec::Zstd] {
        let compress = |bytes: &[u8], percent: u8| {
            let compression = Compression::with_codec(codec).with_min_savings_percent(percent);
            let mut to = BufferMut::from(b"before".as_slice());
            let compressed = BodyCompressor::try_new(compression).unwrap().compress(bytes, &mut to).unwrap();
            assert!(to.starts_with(b"before"));
            (compressed, to.len() - b"before".len())
        };
        assert_eq!(compress(&[], 0), (BufferEncoding::Raw, 0));
        assert_eq!(compress(random, 0), (BufferEncoding::Raw, 0));
        assert_eq!(compress(&[1, 2, 3], 0), (BufferEncoding::Raw, 0));
        assert_eq!(compress(&bytes, 90).0, BufferEncoding::Frame);
        assert_eq!(compress(&half, 40).0, BufferEncoding::Frame);
        assert_eq!(compress(&half, 60), (BufferEncoding::Raw, 0));
        assert_eq!(compress(&bytes, 100), (BufferEncoding::Raw, 0));
        assert_eq!(compress(&bytes, 255), (BufferEncoding::Raw, 0));
    }
}

#[test]
fn levels_are_those_of_the_codec() {
    let level_of = |compression: Compression| BodyCompressor::try_new(compression).map(drop);
    level_of(Compression::zstd().with_level(22)).unwrap();
    level_of(Compression::zstd().with_level(-131_072)).unwrap();
    let error = level_of(Compression::zstd().with_level(23)).unwrap_err();
    assert_eq!(error.to_string(), "ZSTD has no level 23; levels are -131072 to 22");
    let error = level_of(Compression::lz4().with_level(1)).unwrap_err();
    assert_eq!(error.to_string(), "LZ4 has no level 1");
}

#[test]
fn lengths_before_frames_mean_something() {
    for codec in [Codec::Lz4Frame, Codec::Zstd] {
        assert_eq!(decompress(codec, Buffer::new()).unwrap(), b"");
        assert_eq!(decompress(codec, with_length(0, &[])).unwrap(), b"");
        assert_eq!(decompress(codec, with_length(RAW, b"raw")).unwrap(), b"raw");
        let compression = Compression::with_codec(codec);
        assert_eq!(frame(codec, &our_frame(compression, &[]), 0).unwrap(), b"");
        for n_bytes in 1..PREFIX_BYTES {
            let error = decompress(codec, Buffer::from(vec![0u8; n_bytes])).unwrap_err().to_string();
            assert!(error.contains("the uncompressed length alone takes 8"), "{error}");
        }
        for length in [-2, i64::MIN] {
            let error = decompress(codec, with_length(length, b"raw")).unwrap_err().to_string();
            assert!(error.contains("negative"), "{error}");
        }
    }
}

#[test]
fn frames_that_are_not_one_of_the_declared_size_are_refused() {
    let text = b"claimed and held, ".repeat(4);
    let n = text.len();
    let lz4 = our_frame(Compression::lz4(), &text);
    let zstd = our_frame(Compression::zstd(), &text);
    let sized = lz4_frame(FrameInfo::new().content_size(Some(n as u64)), &text);
    let unsized_zstd = zstd_frame(&[CParameter::ContentSizeFlag(false)], &text);
    let twice = |frame: &[u8]| [frame, frame].concat();
    let skippable = b"\x50\x2a\x4d\x18\x04\0\0\0skip".to_vec();
    let cases: [(&str, Codec, Vec<u8>, usize, &str); 14] = [
        ("less", Codec::Lz4Frame, lz4.clone(), n - 1, "more bytes than the uncompressed length allows"),
        (
            "more",
            Codec::Lz4Frame,
            lz4.clone(),
            n + 1,
            "the frame decompresses to 72 bytes; the buffer states 73",
        ),
        ("less, size in the header", Codec::Lz4Frame, sized.clone(), n - 1, "the buffer states 71"),
        ("far more", Codec::Lz4Frame, lz4.clone(), 1 << 40, "at most"),
        (
            "less",
            Codec::Zstd,
            zstd.clone(),
            n - 1,
            "the frame decompresses to 72 bytes; the buffer states 71",
        ),
        (
            "less, no size",
            Codec::Zstd,
            unsized_zstd.clone(),
            n - 1,
            "more bytes than the uncompressed length allows",
        ),
        ("more, no size", Codec::Zstd, unsized_zstd.clone(), n + 1, "the frame decompresses to 72 bytes"),
        ("far more", Codec::Zstd, unsized_zstd, 1 << 40, "at most 131072 bytes"),
        ("two frames", Codec::Lz4Frame, twice(&lz4), n, "bytes follow the frame"),
        ("two frames", Codec::Zstd, twice(&zstd), n, "bytes follow the frame"),
        ("skippable", Codec::Lz4Frame, skippable.clone(), 0, "skippable"),
        ("skippable", Codec::Zstd, skippable, 0, "skippable"),
        ("legacy", Codec::Lz4Frame, b"\x02\x21\x4c\x18".to_vec(), 1, "legacy"),
        ("other", Codec::Zstd, lz4.clone(), n, "unknown magic 0x184d2204"),
    ];
    for (name, codec, bytes, declared, words) in cases {
        let error = frame(codec, &bytes, declared).expect_err(name).to_string();
        assert!(error.contains(words), "{codec} {name}: {error}");
    }
    for (codec, bytes) in [(Codec::Lz4Frame, lz4), (Codec::Lz4Frame, sized), (Codec::Zstd, zstd)] {
        for n_bytes in 0..bytes.len() {
            frame(codec, &bytes[..n_bytes], n).expect_err("is cut");
        }
    }
}

#[test]
fn damage_is_found_where_there_are_checksums_and_harmless_elsewhere() {
    let text = b"some bytes that are damaged, some that are not damaged, ".repeat(3);
    let info = FrameInfo::new().block_checksums(true).content_checksum(true);
    let checked = lz4_frame(info.content_size(Some(text.len() as u64)), &text);
    let content = lz4_frame(FrameInfo::new().content_checksum(true), &text);
    let zstd = zstd_frame(&[CParameter::ChecksumFlag(true)], &text);
    let plain = our_frame(Compression::lz4(), &text);
    let plain_zstd = our_frame(Compression::zstd(), &text);
    let cases = [
        (Codec::Lz4Frame, checked, true),
        (Codec::Lz4Frame, content, true),
        (Codec::Zstd, zstd, true),
        (Codec::Lz4Frame, plain, false),
        (Codec::Zstd, plain_zstd, false),
    ];
    for (codec, bytes, is_checked) in cases {
        for at in 0..bytes.len() {
            for mask in [1, 0x10, 0x80, 0xff] {
                let mut damaged = bytes.clone();
                damaged[at] ^= mask;
                if let Ok(read) = frame(codec, &damaged, text.len()) {
                    assert_eq!(read.len(), text.len());
                    assert!(!is_checked || read == text, "{codec} byte {at}, mask {mask:#x}");
                }
            }
        }
    }
}

/// The content is long enough that threads are used. The last buffer is small, and some buffers do not compress.
#[cfg(feature = "rayon")]
#[test]
fn threads_make_the_same_of_it() {
    let buffers: Vec<Buffer> = samples().into_iter().chain(samples()).map(Buffer::from).collect();
    for compression in [Compression::lz4(), Compression::zstd()] {
        let mut compressor = BodyCompressor::try_new(compression).unwrap();
        let all = compressor.compress_all(&buffers).unwrap().expect("there is enough");
        let mut frames = Vec::new();
        for (buffer, (compressed, bytes)) in buffers.iter().zip(&all) {
            let mut serial = BufferMut::new();
            assert_eq!(compressor.compress(buffer, &mut serial).unwrap(), *compressed);
            assert_eq!(*serial, **bytes);
            if *compressed == BufferEncoding::Frame {
                let opened = CompressedBuffer::try_new(compression.codec(), bytes.clone()).unwrap();
                assert!(matches!(opened, CompressedBuffer::Frame(_)));
                frames.push((opened, buffer.clone()));
                // Buffers that are stored uncompressed stay where they are in the list.
                frames.push((CompressedBuffer::Raw(buffer.clone()), buffer.clone()));
            }
        }
        let (frames, expected): (Vec<_>, Vec<_>) = frames.into_iter().unzip();
        let decompressed = decompress_within(&frames, &BufferPool::default(), Threads::Pool, None).unwrap();
        assert_eq!(decompressed, expected);
        assert!(compressor.compress_all(&buffers[..1]).unwrap().is_none(), "too little for threads");
    }
}

/// The memory into which threads compress is reused once nothing refers to the frames. Before that, the frames do not change.
#[cfg(feature = "rayon")]
#[test]
fn threads_write_frames_to_the_same_memory() {
    let buffers: Vec<Buffer> = samples().into_iter().chain(samples()).map(Buffer::from).collect();
    for compression in [Compression::lz4(), Compression::zstd()] {
        let compressor = BodyCompressor::try_new(compression).unwrap();
        let compress = || compressor.compress_all(&buffers).unwrap().expect("there is enough");
        let address = |encoded: &[(BufferEncoding, Buffer)]| {
            let frame = encoded.iter().find(|(compressed, _)| *compressed == BufferEncoding::Frame);
            frame.map(|(_, bytes)| bytes.as_ptr().addr()).expect("some buffers shrink")
        };
        let first = compress();
        let copy: Vec<Vec<u8>> = first.iter().map(|(_, bytes)| bytes.to_vec()).collect();
        let second = compress();
        let addresses = [address(&first), address(&second)];
        assert_ne!(addresses[0], addresses[1], "the first frames are in use");
        assert!(first.iter().zip(&copy).all(|((_, bytes), copy)| **bytes == **copy));
        drop((first, second));
        for _ in 0..3 {
            assert!(addresses.contains(&address(&compress())));
        }
    }
}
