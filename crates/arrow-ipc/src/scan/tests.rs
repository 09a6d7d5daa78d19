//! Compares scans with [`Messages`](crate::Messages), which also reads bodies.

use std::fs;

use super::*;
use crate::{IpcErrorKind, MessageKind, MessageStep, Messages, file::Footer};

/// The index, position and kind of a message, and the lengths of metadata and body.
type MessageSummary = (u64, u64, MessageKind, u64, u64);

fn seen(message: &Message) -> MessageSummary {
    let index = message.index();
    let position = message.position();
    let kind = message.kind();
    (index, position, kind, message.n_metadata_bytes(), message.n_body_bytes())
}

/// The messages that `Messages` returns, and whether there is an end marker.
fn by_messages(bytes: &[u8]) -> (Vec<MessageSummary>, Result<bool>) {
    let mut messages = Messages::new(Limits::default());
    messages.feed(Buffer::copy_from(bytes));
    messages.finish_input();
    let mut all = Vec::new();
    loop {
        match messages.step() {
            Ok(MessageStep::Message(message)) => {
                assert_eq!(message.n_body_bytes(), message.body().len() as u64);
                all.push(seen(&message));
            }
            Ok(_) => return (all, Ok(messages.has_end_marker())),
            Err(error) => {
                assert!(!messages.has_end_marker());
                return (all, Err(error));
            }
        }
    }
}

fn by_scan(bytes: &[u8]) -> (Vec<MessageSummary>, Result<bool>) {
    let mut scan = MessageScan::try_new(Buffer::copy_from(bytes), 0..u64::MAX, Limits::default()).unwrap();
    let mut all = Vec::new();
    loop {
        match scan.next_message() {
            Ok(Some(message)) => all.push(seen(&message)),
            Ok(None) => return (all, Ok(scan.has_end_marker())),
            Err(error) => {
                assert!(scan.next_message().unwrap().is_none(), "an error is the end");
                assert!(!scan.has_end_marker());
                return (all, Err(error));
            }
        }
    }
}

#[test]
fn finds_what_reading_finds() {
    let folder = testing_support::corpus_dir();
    let mut files = testing_support::files_below(&folder.join("golden"), ".arrows");
    files.extend(testing_support::files_below(&folder.join("hostile"), ".stream"));
    for path in files {
        let bytes = fs::read(&path).unwrap();
        let ((read, read_end), (scanned, scan_end)) = (by_messages(&bytes), by_scan(&bytes));
        let name = path.display();
        match (read_end, scan_end) {
            (Ok(is_marked), Ok(expected)) => assert_eq!((read, is_marked), (scanned, expected), "{name}"),
            // A scan also finds a message whose body is truncated, before the error.
            (Err(_), Err(_)) => assert!(scanned.starts_with(&read), "{name}"),
            (read, scanned) => panic!("{name}: {read:?}, {scanned:?}"),
        }
    }
}

#[test]
fn every_cut_is_seen() {
    let path = testing_support::corpus_dir().join("golden/pyarrow-26.0.1/dictionary-empty.arrows");
    let bytes = fs::read(path).unwrap();
    for n_bytes in 0..bytes.len() {
        let ((read, read_end), (scanned, scan_end)) =
            (by_messages(&bytes[..n_bytes]), by_scan(&bytes[..n_bytes]));
        assert!(scanned.starts_with(&read) && scanned.len() <= read.len() + 1, "{n_bytes} bytes");
        match (read_end, scan_end) {
            (Ok(is_marked), Ok(expected)) => assert_eq!(is_marked, expected, "{n_bytes} bytes"),
            (Err(read), Err(scanned)) => {
                assert_eq!(read.class(), scanned.class(), "{n_bytes} bytes");
                assert_eq!(read.location(), scanned.location(), "{n_bytes} bytes");
            }
            (read, scanned) => panic!("{n_bytes} bytes: {read:?}, {scanned:?}"),
        }
    }
}

#[test]
fn streams_are_no_files() {
    let path = testing_support::corpus_dir().join("golden/pyarrow-26.0.1/metadata.arrows");
    let error = MessageScan::try_from_file(fs::File::open(path).unwrap(), Limits::default()).unwrap_err();
    assert!(matches!(error.kind(), IpcErrorKind::WrongContainer { .. }), "{error}");
}

/// A length past the end of the input is a truncation or a wrong length, and no exceeded limit, however low the limits
/// are.
#[test]
fn text_instead_of_a_message_is_no_limit() {
    let path = testing_support::corpus_dir().join("golden/pyarrow-26.0.1/metadata.arrows");
    let stream = fs::read(path).unwrap();
    let bytes: Buffer = [&stream[..stream.len() - 8], b"gap!gap!"].concat().into();
    let mut scan = MessageScan::try_new(&bytes, 0..u64::MAX, Limits::default()).unwrap();
    let error = scan.by_ref().find_map(Result::err).unwrap();
    assert_eq!(error.class(), ErrorClass::Truncated, "{error}");
    let text = "the metadata is truncated: 4 of 561013095 bytes";
    assert!(error.to_string().ends_with(text), "{error}");
}

#[test]
fn padding_and_gaps_are_jumped_over() {
    let folder = testing_support::corpus_dir();
    for path in ["hostile/file-gap.arrow_file", "golden/pyarrow-26.0.1/metadata.arrow"] {
        let bytes: Buffer = fs::read(folder.join(path)).unwrap().into();
        let footer = Footer::read(&bytes, &Limits::default()).unwrap();
        // The magic is at byte 0, and zeros may follow it.
        let listed: Vec<u64> = footer.batches().iter().map(|block| block.position()).collect();
        let check = |mut scan: MessageScan<&Buffer>| {
            let messages = std::iter::from_fn(|| scan.next_message().unwrap());
            let batches = messages.filter(|message| message.kind() == MessageKind::RecordBatch);
            assert_eq!(batches.map(|message| message.position()).collect::<Vec<_>>(), listed, "{path}");
            assert!(scan.has_end_marker(), "{path}");
        };
        let range = 8..footer.position();
        check(MessageScan::try_new(&bytes, range, Limits::default()).unwrap().with_skipped_gaps());
        check(MessageScan::try_from_file(&bytes, Limits::default()).unwrap());
        // Without a readable footer, the scan still finds the messages.
        check(MessageScan::try_from_file(&bytes.slice(..bytes.len() - 1), Limits::default()).unwrap());
    }
}

/// A source that is read range by range, although its bytes are in memory.
struct ByRange(Buffer);

impl Source for ByRange {
    fn n_bytes(&self) -> io::Result<u64> {
        self.0.n_bytes()
    }

    fn fetch(&self, range: Range<u64>) -> io::Result<Buffer> {
        self.0.fetch(range)
    }
}

/// The limit for metadata is 256 MiB, more than a planner holds.
#[test]
fn long_metadata_is_read_from_a_source_that_is_not_in_memory() {
    let batch = arrow_data::RecordBatch::try_from_columns([(
        "id",
        arrow_data::ArrayData::new_empty(&arrow_schema::DataType::Int64),
    )])
    .unwrap();
    let mut writer = crate::StreamWriter::try_new(Vec::new(), batch.schema()).unwrap();
    let long = "x".repeat(65 << 20);
    let metadata = arrow_schema::Metadata::from_iter([("k", long.as_str())]);
    writer.write_with_metadata(&batch, &metadata).unwrap();
    writer.write(&batch).unwrap();
    let source = ByRange(writer.finish().unwrap().into());
    let scan = MessageScan::try_new(source, 0..u64::MAX, Limits::default()).unwrap();
    let lengths: Vec<u64> = scan.map(|message| message.unwrap().n_metadata_bytes()).collect();
    assert!(matches!(lengths[..], [_, long, short] if long > 65 << 20 && short < 1_000), "{lengths:?}");
}
