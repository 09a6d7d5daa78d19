//! Arrow data in files and pipes that is compressed as a whole with gzip, Zstandard or LZ4.

use std::{
    fs,
    io::{Read, Write as _},
    path::Path,
};

use arrow_array::Int64Array;
use arrow_data::RecordBatch;
use arrow_ipc::StreamWriter;
use arrow_ipc_lz4::{
    CompressTable, MAX_BLOCK_BYTES, MAX_COMPRESSED_BYTES, compress_block, decompress_block, xxh32,
};
use flate2::{Compression, bufread::GzDecoder, write::GzEncoder};

use crate::program::{Outcome, corpus, run, run_with_input, temporary_folder};

const GOLDEN: &str = "golden/pyarrow-26.0.1/dictionary-nested.arrows";

pub(crate) fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

pub(crate) fn zstd(bytes: &[u8]) -> Vec<u8> {
    zstd::encode_all(bytes, 1).unwrap()
}

/// A frame of LZ4 with checksums. A block is compressed if that makes it shorter.
fn lz4(bytes: &[u8]) -> Vec<u8> {
    // Version 1, independent blocks of at most 64 KiB, with checksums, and a checksum of the content.
    let described = [0b0111_0100, 4 << 4];
    let mut frame = 0x184d_2204_u32.to_le_bytes().to_vec();
    frame.extend(described);
    frame.push((xxh32(&described) >> 8) as u8);
    let (mut table, mut buffer) = (CompressTable::default(), vec![0; MAX_COMPRESSED_BYTES]);
    for block in bytes.chunks(MAX_BLOCK_BYTES) {
        let n_bytes = compress_block(block, &mut buffer, &mut table).unwrap();
        let (length, stored) = if n_bytes < block.len() {
            (n_bytes as u32, &buffer[..n_bytes])
        } else {
            (block.len() as u32 | 1 << 31, block)
        };
        frame.extend(length.to_le_bytes());
        frame.extend(stored);
        frame.extend(xxh32(stored).to_le_bytes());
    }
    frame.extend([0; 4]);
    frame.extend(xxh32(bytes).to_le_bytes());
    frame
}

type Codec = (&'static str, fn(&[u8]) -> Vec<u8>);

const CODECS: [Codec; 3] = [("gz", gzip), ("zst", zstd), ("lz4", lz4)];

/// Compressed inputs are read like uncompressed pipes.
#[test]
fn streams_and_files_are_read_as_pipes() {
    let commands: [&[&str]; 13] = [
        &["cat", "IN"],
        &["head", "-n", "2", "IN"],
        &["tail", "-n", "2", "IN"],
        &["sample", "--seed", "1", "IN"],
        &["count", "IN"],
        &["schema", "IN"],
        &["stats", "IN"],
        &["inspect", "--buffers", "IN"],
        &["explain", "IN"],
        &["validate", "--verbose", "IN"],
        &["diff", "IN", GOLDEN],
        &["convert", "IN", "-", "--to", "stream"],
        &["recover", "IN", "-", "--to", "stream"],
    ];
    let folder = temporary_folder();
    for golden in [Path::new(GOLDEN), &Path::new(GOLDEN).with_extension("arrow")] {
        let bytes = fs::read(corpus().join(golden)).unwrap();
        for (extension, compress) in CODECS {
            let path = folder.path().join("in.arrow").with_extension(extension);
            fs::write(&path, compress(&bytes)).unwrap();
            let name = path.to_str().unwrap();
            for command in commands {
                let with = |name: &str| command.iter().map(|arg| arg.replace("IN", name)).collect::<Vec<_>>();
                let expected = run_with_input(with("-"), &bytes);
                let by_pipe = run_with_input(with("-"), &compress(&bytes));
                assert_eq!(by_pipe, expected, "{command:?}");
                let by_path = run(with(name));
                let named = |text: &str| text.replace(name, "-").replace("standard input", "-");
                let said = |outcome: &Outcome| {
                    (named(&String::from_utf8_lossy(&outcome.stdout)), named(&outcome.stderr))
                };
                assert_eq!(said(&by_path), said(&expected), "{command:?}");
                assert_eq!(by_path.status, expected.status, "{command:?}");
            }
        }
    }
}

/// If compressed data is cut or has a wrong bit anywhere, there is an error, and no output that looks complete.
#[test]
fn damage_is_reported() {
    let folder = temporary_folder();
    let out = folder.path().join("out.arrow");
    for golden in [Path::new(GOLDEN), &Path::new(GOLDEN).with_extension("arrow")] {
        let bytes = fs::read(corpus().join(golden)).unwrap();
        for (extension, compress) in CODECS {
            let whole = compress(&bytes);
            let path = folder.path().join("in").with_extension(extension);
            for n_bytes in [12, 100, whole.len() / 2, whole.len() - 20] {
                fs::write(&path, whole.get(..n_bytes).unwrap()).unwrap();
                for command in ["validate", "cat", "count", "stats", "convert"] {
                    let output = (command == "convert").then_some(&*out);
                    let outcome = run([Path::new(command), &path].into_iter().chain(output));
                    let words = "the compressed data is truncated";
                    assert!(outcome.expect(&[1]).stderr.contains(words), "{command} {n_bytes}: {outcome:?}");
                    assert!(!out.exists());
                }
            }
            let mut damaged = whole.clone();
            let middle = whole.len() / 2;
            damaged[middle] ^= 0x55;
            fs::write(&path, damaged).unwrap();
            for command in ["validate", "count", "convert"] {
                let output = (command == "convert").then_some(&*out);
                let outcome = run([Path::new(command), &path].into_iter().chain(output));
                assert!([1, 5].contains(&outcome.status) || command == "count", "{command}: {outcome:?}");
                assert!(!out.exists());
            }
        }
    }
}

/// Several members or frames in sequence, skippable frames, and trailing zeros are accepted.
#[test]
fn what_compressors_put_around_data_is_passed_over() {
    let folder = temporary_folder();
    let bytes = fs::read(corpus().join(GOLDEN)).unwrap();
    let (start, end) = bytes.split_at(bytes.len() / 2);
    let [skipped, last] = [0x50, 0x5f].map(|n| [&[n, 0x2a, 0x4d, 0x18, 3, 0, 0, 0][..], b"abc"].concat());
    let zeros = vec![0; 1 << 20];
    let csv = [gzip(b"n,m\n1,2\n"), zeros.clone()].concat();
    let cases = [
        (vec![gzip(start), gzip(end)], 0),
        (vec![gzip(&bytes), zeros.clone()], 0),
        (vec![gzip(start), gzip(b""), gzip(end), vec![0]], 0),
        (vec![gzip(&bytes), vec![0], gzip(b"a")], 1),
        (vec![gzip(&bytes), b"abc".to_vec()], 1),
        (vec![zstd(start), zstd(end)], 0),
        (vec![skipped.clone(), zstd(&bytes)], 0),
        (vec![last.clone(), zstd(start), skipped.clone(), zstd(end), last.clone()], 0),
        (vec![skipped.clone(), b"abcdefgh".to_vec()], 1),
        (vec![skipped.clone(), last.clone(), lz4(start), skipped.clone(), lz4(end)], 0),
        (vec![skipped.clone(), zstd(start), last.clone(), lz4(end)], 1),
        (vec![skipped.clone()], 1),
        (vec![skipped.clone(), last[..10].to_vec()], 1),
        (vec![lz4(start), lz4(end)], 0),
        (vec![lz4(start), skipped.clone(), lz4(b""), lz4(end), last.clone()], 0),
        (vec![lz4(&bytes), b"abcdefgh".to_vec()], 1),
        (vec![lz4(&bytes), vec![0]], 1),
        (vec![lz4(&bytes), skipped[..10].to_vec()], 1),
    ];
    let expected = run(["cat", GOLDEN]);
    let path = folder.path().join("in");
    for (idx, (pieces, status)) in cases.into_iter().enumerate() {
        fs::write(&path, pieces.concat()).unwrap();
        for found in [run([Path::new("cat"), &path]), run_with_input(["cat", "-"], &pieces.concat())] {
            found.expect(&[status]);
            assert!(status != 0 || found.stdout == expected.stdout, "{idx}: {found:?}");
        }
    }
    fs::write(&path, csv).unwrap();
    assert_eq!(run([Path::new("count"), &path]).expect(&[0]).text(), "1\n");
}

/// The content before the damage is recovered, and the damage is reported.
#[test]
fn what_comes_before_damage_is_recovered() {
    let folder = temporary_folder();
    let batch = |seed: u64| {
        // Numbers that cannot be compressed.
        let number = |n: u64| (n ^ seed << 40).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29) as i64;
        let numbers = Int64Array::from_iter((0..5_000).map(|n| number(n).wrapping_mul(n as i64 | 1)));
        RecordBatch::try_from_columns([("n", numbers.into())]).unwrap()
    };
    let mut writer = StreamWriter::try_new(Vec::new(), batch(0).schema()).unwrap();
    (0..10).for_each(|seed| writer.write(&batch(seed)).unwrap());
    let bytes = writer.finish().unwrap();
    for (extension, compress) in CODECS {
        let whole = compress(&bytes);
        let path = folder.path().join("in").with_extension(extension);
        let recovered = |input: &[u8], words: &str| {
            fs::write(&path, input).unwrap();
            let args = ["-", "--to", "stream"].map(Path::new);
            let by_path = run([Path::new("recover"), &path].into_iter().chain(args));
            let by_pipe = run_with_input(["recover", "-", "-", "--to", "stream"], input);
            let expected = run_with_input(["recover", "-", "-", "--to", "stream"], &sound(extension, input));
            for found in [by_path, by_pipe] {
                found.expect(&[if expected.status == 1 { 1 } else { 3 }]);
                assert!(found.stderr.contains(words), "{}", found.stderr);
                assert!(found.stdout == expected.stdout, "{}", found.stderr);
                assert!(found.status == 1 || found.stderr.contains(",000 rows"), "{}", found.stderr);
            }
            expected.stdout.len()
        };
        let truncated = "the compressed data is truncated";
        assert_eq!(recovered(whole.get(..100).unwrap(), truncated), 0);
        assert!(recovered(whole.get(..whole.len() / 2).unwrap(), truncated) > bytes.len() / 4);
        assert!(recovered(whole.get(..whole.len() - 1).unwrap(), truncated) > bytes.len() / 2);
        let mut damaged = whole.clone();
        damaged.truncate(whole.len() / 2);
        damaged.extend([0x55; 100_000]);
        assert!(recovered(&damaged, "the compressed data is ") > bytes.len() / 4);
    }
}

/// The bytes that can be decompressed before an error.
fn sound(extension: &str, bytes: &[u8]) -> Vec<u8> {
    let mut decoder: Box<dyn Read> = match extension {
        "gz" => Box::new(GzDecoder::new(bytes)),
        "lz4" => return sound_of_lz4(bytes),
        _ => Box::new(zstd::Decoder::new(bytes).unwrap()),
    };
    let mut sound = Vec::new();
    let _ = decoder.read_to_end(&mut sound);
    sound
}

/// The content of the whole blocks of a frame that [`lz4`] has made, up to the damage.
fn sound_of_lz4(frame: &[u8]) -> Vec<u8> {
    let (mut sound, mut rest) = (Vec::new(), &frame[7..]);
    while let Some((length, after)) = rest.split_first_chunk::<4>() {
        let length = u32::from_le_bytes(*length);
        let n_bytes = (length & !(1 << 31)) as usize;
        if n_bytes == 0 {
            break;
        }
        let Some((block, after)) = after.split_at_checked(n_bytes) else { break };
        let Some((checksum, after)) = after.split_first_chunk::<4>() else { break };
        if u32::from_le_bytes(*checksum) != xxh32(block) {
            break;
        }
        if length >> 31 == 1 {
            sound.extend(block);
        } else {
            let mut buffer = vec![0; MAX_BLOCK_BYTES];
            let n_decompressed = decompress_block(block, &mut buffer).unwrap();
            sound.extend(&buffer[..n_decompressed]);
        }
        rest = after;
    }
    sound
}

/// Frames that the program `lz4` wrote: the stream [`GOLDEN`], and text.
#[test]
fn frames_of_others_are_read() {
    let folder = corpus().join("compressed/lz4-1.9.4");
    let (stream, text) =
        (run(["cat", GOLDEN]), run(["cat", "compressed/lz4-1.9.4/text.csv.lz4", "--from", "csv"]));
    assert!(
        text.expect(&[0])
            .text()
            .ends_with("{\"n\":79,\"name\":\"a name that is long and the same in all rows\"}\n")
    );
    let mut n_read = 0;
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        let (bytes, path) = (fs::read(&path).unwrap(), path.to_str().unwrap());
        let (by_path, by_pipe) = if name.starts_with("text") {
            (run(["cat", path, "--from", "csv"]), run_with_input(["cat", "-", "--from", "csv"], &bytes))
        } else if name.starts_with("stream") {
            (run(["cat", path]), run_with_input(["cat", "-"], &bytes))
        } else {
            continue;
        };
        n_read += 1;
        for found in [by_path, by_pipe] {
            if name.contains("legacy") {
                assert!(found.expect(&[1]).stderr.contains("LZ4 in its legacy format"), "{name}: {found:?}");
                assert!(found.stderr.contains("lz4 -dc"), "{name}: {found:?}");
            } else {
                let expected = if name.starts_with("text") { &text } else { &stream };
                assert!(found.expect(&[0]).stdout == expected.stdout, "{name}");
            }
        }
    }
    assert_eq!(n_read, 9);
    // A text is found by its content, too.
    assert_eq!(run(["count", "compressed/lz4-1.9.4/text.csv.lz4", "--from", "csv"]).text(), "4000\n");
}

/// Frames that python-lz4 and pyarrow wrote of the stream [`GOLDEN`] and of its file, some after skippable frames.
#[test]
fn frames_of_python_are_read() {
    let paths = testing_support::files_below(&corpus().join("compressed/python-lz4-4.4.5"), ".lz4");
    assert_eq!(paths.len(), 7);
    let rows = run(["cat", GOLDEN]);
    for path in paths {
        let name = path.to_str().unwrap();
        let bytes = fs::read(&path).unwrap();
        for found in [run(["cat", name]), run_with_input(["cat", "-"], &bytes)] {
            assert!(found.expect(&[0]).stdout == rows.stdout, "{name}");
        }
        run(["validate", name]).expect(&[0]);
        // No cut looks complete, but one before the last skippable frame.
        let step = testing_support::Hunt::from_env().count(25, 5);
        for n_bytes in (4..bytes.len()).step_by(step).chain([bytes.len() - 13]) {
            let found = run_with_input(["validate", "-"], &bytes[..n_bytes]);
            let is_whole = name.contains("skippable") && n_bytes == bytes.len() - 13;
            found.expect(if is_whole { &[0] } else { &[1, 5] });
        }
    }
}

/// Frames of LZ4 that are damaged or claim too much.
#[test]
fn hostile_frames_of_lz4_are_refused() {
    let stream = fs::read(corpus().join(GOLDEN)).unwrap();
    let whole = lz4(&stream);
    let header = |described: &[u8]| {
        let magic = 0x184d_2204_u32.to_le_bytes();
        [&magic[..], described, &[(xxh32(described) >> 8) as u8]].concat()
    };
    let changed = |position: usize, value: u8| {
        let mut bytes = whole.clone();
        bytes[position] = value;
        bytes
    };
    // A frame of one stored block, whose header states the length of the content.
    let with_length = |n_bytes: u64| {
        let header = header(&[&[0b0110_1000, 4 << 4][..], &n_bytes.to_le_bytes()].concat());
        let block = (stream.len() as u32 | 1 << 31).to_le_bytes();
        [&header[..], &block, &stream, &[0; 4]].concat()
    };
    let n_bytes = stream.len() as u64;
    run_with_input(["count", "-"], &with_length(n_bytes)).expect(&[0]);
    let cases: [(&str, Vec<u8>, &str); 15] = [
        ("version 2", changed(4, 0b1011_0100), "the version of a frame is not 1"),
        ("a wrong checksum of the header", changed(6, whole[6] ^ 1), "the checksum of a header is wrong"),
        ("a reserved block size", header(&[0b0110_0000, 3 << 4]), "the block size of a frame is reserved"),
        ("reserved bits", header(&[0b0110_0010, 4 << 4]), "reserved bits set"),
        ("a reserved bit of blocks", header(&[0b0110_0000, 0xc0]), "the block size of a frame is reserved"),
        ("a dictionary", header(&[0b0110_0001, 4 << 4]), "an external dictionary"),
        ("a wrong block", changed(20, whole[20] ^ 1), "the checksum of a block is wrong"),
        (
            "a wrong content",
            changed(whole.len() - 1, whole[whole.len() - 1] ^ 1),
            "the checksum of the content is wrong",
        ),
        ("no end", whole[..whole.len() - 8].to_vec(), "truncated"),
        ("no checksum", whole[..whole.len() - 4].to_vec(), "truncated"),
        ("a magic alone", whole[..4].to_vec(), "truncated"),
        (
            "a block of 2 GiB",
            [header(&[0b0110_0000, 7 << 4]), 0x7fff_ffff_u32.to_le_bytes().to_vec()].concat(),
            "a block is longer than its frame allows",
        ),
        (
            "a match before the frame",
            [header(&[0b0110_0000, 4 << 4]), vec![5, 0, 0, 0, 0x10, b'a', 9, 0, 0]].concat(),
            "the compressed data is damaged",
        ),
        (
            "a shorter content than stated",
            with_length(n_bytes + 1),
            "the content has another length than its frame states",
        ),
        (
            "a longer content than stated",
            with_length(n_bytes - 1),
            "the content has another length than its frame states",
        ),
    ];
    for (name, bytes, words) in cases {
        for command in ["count", "cat", "validate"] {
            let found = run_with_input([command, "-"], &bytes);
            assert!(found.expect(&[1]).stderr.contains(words), "{name}: {found:?}");
        }
    }
}

/// Small inputs that declare large messages are refused by the limits, before memory is allocated.
#[test]
fn bombs_are_refused() {
    let folder = temporary_folder();
    let prefix_with = |n_bytes: u32| [&[0xff; 4][..], &n_bytes.to_le_bytes()].concat();
    let zeros = vec![0; 8 << 20];
    // A message of 2 GiB, and one of only zeros.
    for start in [prefix_with(0x7fff_fff8), prefix_with(zeros.len() as u32)] {
        for (extension, compress) in CODECS {
            let path = folder.path().join("in").with_extension(extension);
            fs::write(&path, compress(&[&start[..], &zeros].concat())).unwrap();
            for command in ["cat", "count", "validate"] {
                let outcome = run([Path::new(command), &path]);
                outcome.expect(&[1, 5]);
                assert!(outcome.stdout.is_empty());
            }
        }
    }
}

/// An input that is not Arrow data after decompression is reported with its codec.
#[test]
fn what_is_no_arrow_data_is_recognized_by_its_codec() {
    let folder = temporary_folder();
    for (extension, compress) in CODECS {
        let path = folder.path().join("in").with_extension(extension);
        for (bytes, words) in [
            (&b"hello"[..], "compressed by"),
            (b"a,b\n1,2\n", "compressed by"),
            (&gzip(b"ARROW1\0\0"), "compressed by"),
            (b"PAR1    PAR1", "Parquet"),
            (b"", "empty"),
        ] {
            fs::write(&path, compress(bytes)).unwrap();
            let outcome = run([Path::new("validate"), &path]);
            assert!(outcome.expect(&[1, 5]).stderr.contains(words), "{outcome:?}");
            if bytes.starts_with(b"\x1f") {
                let outcome = run([Path::new("convert"), &path, Path::new("-"), Path::new("--to=file")]);
                assert!(
                    outcome.expect(&[1]).stderr.contains("hint: the decompressed content"),
                    "{outcome:?}"
                );
            }
        }
    }
}
