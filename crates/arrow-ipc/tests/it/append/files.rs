//! Files that are longer afterwards: what they had is what they have, byte by byte, and new batches follow.

use std::fs;

use arrow_array::{DictionaryBuilder, Utf8Builder};
use arrow_buffer::Buffer;
use arrow_data::RecordBatch;
use arrow_ipc::{
    Compression, DictionaryPolicy, FileAppender, FileReader, FileWriter, IpcErrorKind, Limits, MessageKind,
    MessageScan, MetadataVersion, RowCounts, Source, WriteOptions,
    file::{Footer, FooterIrregularity},
};
use arrow_schema::IndexType;
use testing_support::{Generator, files_below, schema_of_all_types};

use super::disk::Disk;
use crate::codecs::is_built_in;

/// Batches of words, each with a dictionary of its own.
pub(super) fn words(batches: &[&[&str]]) -> Vec<RecordBatch> {
    let batch = |words: &&[&str]| {
        let mut column = DictionaryBuilder::try_new(IndexType::Int32, Utf8Builder::new()).unwrap();
        words.iter().for_each(|word| column.append(word));
        RecordBatch::try_from_columns([("word", column.finish().unwrap().into())]).unwrap()
    };
    batches.iter().map(batch).collect()
}

pub(super) fn file_of(batches: &[RecordBatch], options: WriteOptions) -> Vec<u8> {
    let mut writer = FileWriter::try_new_with(Vec::new(), batches[0].schema(), options).unwrap();
    batches.iter().for_each(|batch| writer.write(batch).unwrap());
    writer.finish().unwrap()
}

pub(super) fn read(bytes: &[u8]) -> arrow_ipc::Result<Vec<RecordBatch>> {
    FileReader::try_from_buffer(Buffer::copy_from(bytes))?.batches().collect()
}

pub(super) fn same(left: &[RecordBatch], right: &[RecordBatch]) -> bool {
    left.len() == right.len() && left.iter().zip(right).all(|(left, right)| left.same_values(right).unwrap())
}

/// The messages of the stream inside are those that the footer lists, in order and without gaps.
fn check_stream_inside(bytes: &[u8], what: &str) {
    let bytes = Buffer::copy_from(bytes);
    let footer = Footer::read(&bytes, &Limits::default()).unwrap();
    let mut listed: Vec<u64> =
        footer.dictionaries().iter().chain(footer.batches()).map(|block| block.position()).collect();
    listed.sort();
    assert_eq!(footer.irregularities(), Vec::<FooterIrregularity>::new(), "{what}");
    let range = 8..footer.position();
    let mut scan = MessageScan::try_new(bytes, range, Limits::default()).unwrap();
    let mut found = Vec::new();
    while let Some(message) = scan.next_message().unwrap() {
        if message.kind() != MessageKind::Schema {
            found.push(message.position());
        }
    }
    assert_eq!(found, listed, "{what}");
    assert!(scan.has_end_marker(), "{what}");
    assert_eq!(scan.position(), footer.position(), "{what}");
}

/// Appends the batches of a file to it once more; looks at the bytes before, and at the rows.
fn append_itself(bytes: Vec<u8>, options: WriteOptions, what: &str) -> Vec<u8> {
    let old = read(&bytes).unwrap();
    let disk = Disk::new(bytes.clone());
    let mut appender = FileAppender::try_new_with(disk, options).unwrap();
    assert_eq!(appender.n_batches(), old.len());
    old.iter().for_each(|batch| appender.write(batch).unwrap_or_else(|error| panic!("{what}: {error}")));
    let longer = appender.finish().unwrap().bytes();
    let (before, after) = (footer(&bytes), footer(&longer));
    let n_unchanged =
        before.batches().iter().map(|block| block.position() + block.n_bytes()).max().unwrap_or(8);
    assert_eq!(&longer[..n_unchanged as usize], &bytes[..n_unchanged as usize], "{what}");
    let metadata = |footer: &Footer| footer.metadata().without(Footer::ROW_COUNTS_KEY);
    assert_eq!((before.schema(), metadata(&before)), (after.schema(), metadata(&after)));
    // Rows that are counted stay counted.
    assert_eq!(after.n_rows(), before.n_rows().map(|n_rows| 2 * n_rows), "{what}");
    let twice: Vec<RecordBatch> = old.iter().chain(&old).cloned().collect();
    assert!(same(&read(&longer).unwrap(), &twice), "{what}");
    longer
}

fn footer(bytes: &[u8]) -> Footer {
    Footer::read(&Buffer::copy_from(bytes), &Limits::default()).unwrap()
}

#[test]
fn files_of_every_writer_are_continued() {
    let mut n_files = 0;
    for path in files_below(&testing_support::corpus_dir().join("golden"), ".arrow") {
        let what = path.display().to_string();
        if !is_built_in(&what) {
            continue;
        }
        let bytes = fs::read(&path).unwrap();
        // The file's own values are known, so nothing is added to dictionaries.
        let longer = append_itself(bytes.clone(), WriteOptions::new(), &what);
        assert_eq!(footer(&longer).dictionaries().len(), footer(&bytes).dictionaries().len(), "{what}");
        // Polars begins with a bare schema, and the JavaScript library aligns messages in its own way.
        if what.contains("pyarrow") {
            check_stream_inside(&longer, &what);
        }
        n_files += 1;
    }
    assert!(n_files > 50, "{n_files}");
}

#[test]
fn released_versions_are_continued() {
    let Some(folder) = testing_support::arrow_test_data("arrow-ipc-stream/integration") else { return };
    let mut n_files = 0;
    for path in files_below(&folder, ".arrow_file") {
        let what = path.display().to_string();
        if is_built_in(&what) {
            append_itself(fs::read(&path).unwrap(), WriteOptions::new(), &what);
            n_files += 1;
        }
    }
    assert!(n_files > 50, "{n_files}");
}

#[test]
fn every_type_is_appended_with_every_option() {
    let schema = schema_of_all_types();
    let batches = Generator::new(36).batches(&schema, &[20]);
    for (options, what) in [
        (WriteOptions::new(), "default"),
        (WriteOptions::new().with_alignment(8), "dense"),
        (WriteOptions::new().with_alignment(4096), "pages"),
        (WriteOptions::new().with_compression(Compression::lz4()), "lz4"),
        (WriteOptions::new().with_dictionaries(DictionaryPolicy::Delta), "delta"),
    ] {
        if !is_built_in(what) {
            continue;
        }
        // The file is dense, so the first message begins at no multiple of the alignment.
        let dense = WriteOptions::new().with_alignment(8);
        let longer = append_itself(file_of(&batches, dense), options.clone(), what);
        check_stream_inside(&longer, what);
        let n_bytes = options.alignment() as u64;
        let footer = footer(&longer);
        let new = &footer.batches()[batches.len()..];
        let body = |block: &arrow_ipc::file::Block| block.position() + block.n_metadata_bytes();
        assert!(new.iter().all(|block| body(block) % n_bytes == 0), "{what}");
    }
}

#[test]
fn versions_are_mixed_as_the_options_say() {
    let batches = words(&[&["a", "b"]]);
    let old = file_of(&batches, WriteOptions::new().with_version(MetadataVersion::V4));
    let longer = append_itself(old, WriteOptions::new(), "V4 and V5");
    assert_eq!(footer(&longer).ipc_schema().version(), MetadataVersion::V5);
}

#[test]
fn dictionaries_grow_by_what_the_file_does_not_have() {
    let all = words(&[&["ada", "grace"], &["grace", "edsger"], &["edsger", "ada", "barbara"]]);
    let disk = Disk::new(file_of(&all[..1], WriteOptions::new()));
    let delta = || WriteOptions::new().with_dictionaries(DictionaryPolicy::Delta);
    for batch in &all[1..] {
        // Opened again, so that what was added is read from the file.
        let mut appender = FileAppender::try_new_with(disk.clone(), delta()).unwrap();
        appender.write(batch).unwrap();
        appender.finish().unwrap();
    }
    let bytes = disk.bytes();
    assert!(same(&read(&bytes).unwrap(), &all));
    check_stream_inside(&bytes, "deltas");
    let reader = FileReader::try_from_buffer(bytes.into()).unwrap();
    let deltas: Vec<bool> = reader.dictionaries().unwrap().iter().map(|found| found.is_delta).collect();
    assert_eq!(deltas, [false, true, true]);
    let last = reader.batch(2).unwrap();
    let values = last.columns()[0].dictionary().unwrap();
    assert_eq!(values.len(), 4, "each word once");
}

#[test]
fn custom_metadata_of_the_footer_stays_or_is_replaced() {
    let pairs =
        |key: &str| [(key.to_owned(), "1".to_owned())].into_iter().collect::<arrow_schema::Metadata>();
    let batches = words(&[&["a"]]);
    let file = file_of(&batches, WriteOptions::new().with_footer_metadata(pairs("kept")));
    let disk = Disk::new(file);
    FileAppender::try_new(disk.clone()).unwrap().finish().unwrap();
    let mut appender = FileAppender::try_new(disk.clone()).unwrap();
    appender.write(&batches[0]).unwrap();
    appender.flush().unwrap();
    assert_eq!(footer(&disk.bytes()).metadata(), &pairs("kept"));
    let options = WriteOptions::new().with_footer_metadata(pairs("new"));
    let mut appender = FileAppender::try_new_with(disk.clone(), options).unwrap();
    appender.write(&batches[0]).unwrap();
    appender.finish().unwrap();
    assert_eq!(footer(&disk.bytes()).metadata(), &pairs("new"));
}

#[test]
fn row_counts_are_updated_and_false_ones_refused() {
    let batches = words(&[&["a"], &["a", "a"], &["a", "a", "a"]]);
    let delta = || WriteOptions::new().with_dictionaries(DictionaryPolicy::Delta);
    let disk = Disk::new(file_of(&batches[..2], delta().with_row_counts(RowCounts::Written)));
    let mut appender = FileAppender::try_new_with(disk.clone(), delta()).unwrap();
    appender.write(&batches[2]).unwrap();
    appender.finish().unwrap();
    let written = footer(&disk.bytes());
    assert_eq!(written.n_rows(), Some(6));
    let json = written.metadata().get(Footer::ROW_COUNTS_KEY).unwrap();
    assert!(json.ends_with("[1,3,6]}"), "{json}");

    let mut lying = disk.bytes();
    let at = lying.windows(7).rposition(|bytes| bytes == b"[1,3,6]").unwrap();
    lying[at + 3] = b'2';
    let error = FileAppender::try_new_with(Disk::new(lying), delta()).unwrap_err();
    assert!(matches!(error.kind(), IpcErrorKind::RowCount { footer: 1, message: 2 }), "{error}");
    // Counts are not added, also to a file without batches.
    let empty = FileWriter::try_new_with(Vec::new(), batches[0].schema(), delta()).unwrap().finish().unwrap();
    let uncounted = Disk::new(empty);
    let mut appender =
        FileAppender::try_new_with(uncounted.clone(), delta().with_row_counts(RowCounts::Written)).unwrap();
    appender.write(&batches[2]).unwrap();
    appender.finish().unwrap();
    assert_eq!(footer(&uncounted.bytes()).n_rows(), None);
    // Counts that cannot be are dropped.
    let mut senseless = disk.bytes();
    senseless[at + 1] = b'-';
    let disk = Disk::new(senseless);
    let mut appender = FileAppender::try_new_with(disk.clone(), delta()).unwrap();
    appender.write(&batches[2]).unwrap();
    appender.finish().unwrap();
    assert_eq!(footer(&disk.bytes()).metadata().get(Footer::ROW_COUNTS_KEY), None);
}

#[test]
fn a_new_file_is_what_the_old_one_becomes() {
    let folder = std::env::temp_dir().join(format!("arrow-ipc-append-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let (old, new) = (folder.join("old.arrow"), folder.join("new.arrow"));
    let all = words(&[&["a", "b"], &["b", "c"]]);
    fs::write(&old, file_of(&all[..1], WriteOptions::new())).unwrap();
    let options = WriteOptions::new().with_dictionaries(DictionaryPolicy::Delta);
    let mut appender = FileAppender::open_with(&old, options.clone()).unwrap();
    let copied = fs::File::open(&old).unwrap();
    let mut writer = FileWriter::append_atomic(&copied, &new, options).unwrap();
    for batch in &all[1..] {
        writer.write(batch).unwrap();
        appender.write(batch).unwrap();
    }
    assert!(!new.exists());
    writer.finish().unwrap();
    appender.finish().unwrap();
    assert_eq!(fs::read(&new).unwrap(), fs::read(&old).unwrap());
    assert!(same(&read(&fs::read(&new).unwrap()).unwrap(), &all));
    fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn nothing_is_written_where_nothing_is_appended() {
    let file = file_of(&words(&[&["a"]]), WriteOptions::new());
    let disk = Disk::new(file.clone());
    let mut appender = FileAppender::try_new(disk.clone()).unwrap();
    appender.flush().unwrap();
    appender.finish().unwrap();
    assert!(disk.steps().is_empty());
    assert_eq!(disk.n_bytes().unwrap(), file.len() as u64);
}

#[test]
fn what_is_abandoned_was_never_there() {
    let batches = words(&[&["a", "b"], &["c"], &["d"]]);
    for path in ["pyarrow-26.0.1/dictionary-nested.arrow", "polars-2.1.0/batches.arrow", ""] {
        let bytes = match path {
            "" => file_of(&batches[..1], WriteOptions::new()),
            path => fs::read(testing_support::corpus_dir().join("golden").join(path)).unwrap(),
        };
        let disk = Disk::new(bytes.clone());
        let all = read(&bytes).unwrap();
        let mut appender = FileAppender::try_new(disk.clone()).unwrap();
        all.iter().for_each(|batch| appender.write(batch).unwrap());
        assert_ne!(disk.bytes(), bytes);
        appender.abandon().unwrap();
        assert!(disk.bytes() == bytes, "{path}");
    }
    let disk = Disk::new(file_of(&batches[..1], WriteOptions::new()));
    let options = WriteOptions::new().with_dictionaries(DictionaryPolicy::Delta);
    let mut appender = FileAppender::try_new_with(disk.clone(), options).unwrap();
    appender.write(&batches[1]).unwrap();
    appender.flush().unwrap();
    let flushed = disk.bytes();
    appender.write(&batches[2]).unwrap();
    appender.abandon().unwrap();
    assert_eq!(disk.bytes(), flushed);
}

#[test]
fn readers_see_the_flushed_batches_while_the_file_grows() {
    let schema = "n: int64".parse::<arrow_schema::Schema>().unwrap();
    let batches = Generator::new(3).batches(&schema, &[40_000; 6]);
    let disk = Disk::new(file_of(&batches[..1], WriteOptions::new()));
    let mut appender = FileAppender::try_new(disk.clone()).unwrap();
    let mut n_flushed = 1;
    for (idx, batch) in batches.iter().enumerate().skip(1) {
        appender.write(batch).unwrap();
        assert!(same(&read(&disk.bytes()).unwrap(), &batches[..n_flushed]));
        if idx % 2 == 0 {
            appender.flush().unwrap();
            n_flushed = idx + 1;
            check_stream_inside(&disk.bytes(), "flushed");
        }
    }
    appender.finish().unwrap();
    assert!(same(&read(&disk.bytes()).unwrap(), &batches));
}

/// Statistics are written with the next footer, even if no batch comes with them.
#[test]
fn statistics_are_written_without_batches() {
    let batches = words(&[&["ada"], &["ada", "ada"]]);
    let bytes = file_of(&batches, WriteOptions::new());
    let statistics_in =
        |bytes: &[u8]| Footer::read(&Buffer::copy_from(bytes), &Limits::default()).unwrap().statistics();
    let with_junk = [&bytes[..], b"what another program has left"].concat();
    for bytes in [bytes, with_junk] {
        for (writes, flushes) in [(false, false), (false, true), (true, false), (true, true)] {
            let mut appender = FileAppender::try_new(Disk::new(bytes.clone())).unwrap();
            if writes {
                appender.write(&batches[0]).unwrap();
                appender.flush().unwrap();
            }
            assert!(appender.set_statistics(b"a stream").unwrap());
            if flushes {
                appender.flush().unwrap();
            }
            let written = appender.finish().unwrap().bytes();
            assert_eq!(statistics_in(&written).as_deref(), Some(&b"a stream"[..]), "{writes} {flushes}");
            assert_eq!(read(&written).unwrap().len(), 2 + usize::from(writes));
        }
    }
}

/// Only batches drop the statistics of a file: a footer that is written again for another reason has them.
#[test]
fn statistics_stay_until_a_batch_is_appended() {
    let batches = words(&[&["ada"], &["ada", "ada"]]);
    let statistics_in =
        |bytes: &[u8]| Footer::read(&Buffer::copy_from(bytes), &Limits::default()).unwrap().statistics();
    let mut writer = FileWriter::try_new(Vec::new(), batches[0].schema()).unwrap();
    writer.write(&batches[0]).unwrap();
    writer.set_statistics(b"a stream").unwrap();
    let file = writer.finish().unwrap();
    // The end of the second file was moved by an appender that was killed before it flushed.
    let killed = Disk::new(file.clone());
    let mut appender = FileAppender::try_new(killed.clone()).unwrap();
    appender.write(&batches[0]).unwrap();
    drop(appender);
    for bytes in [file, killed.bytes()] {
        for (flushes, writes) in [(false, false), (true, false), (false, true), (true, true)] {
            let mut appender = FileAppender::try_new(Disk::new(bytes.clone())).unwrap();
            if flushes {
                appender.flush().unwrap();
            }
            if writes {
                appender.write(&batches[1]).unwrap();
            }
            let written = appender.finish().unwrap().bytes();
            let expected = (!writes).then_some(&b"a stream"[..]);
            assert_eq!(statistics_in(&written).as_deref(), expected, "{flushes} {writes}");
            assert_eq!(read(&written).unwrap().len(), 1 + usize::from(writes));
        }
        // A copy of the file has them, too, whatever other metadata it gets.
        let metadata = arrow_schema::Metadata::from_iter([("key", "value")]);
        for options in [WriteOptions::new(), WriteOptions::new().with_footer_metadata(metadata)] {
            let source = Disk::new(bytes.clone());
            let mut writer = FileWriter::append_to(&source, Vec::new(), options.clone()).unwrap();
            let copy = FileWriter::append_to(&source, Vec::new(), options).unwrap().finish().unwrap();
            assert_eq!(statistics_in(&copy).as_deref(), Some(&b"a stream"[..]));
            writer.write(&batches[1]).unwrap();
            assert_eq!(statistics_in(&writer.finish().unwrap()), None);
        }
    }
}

#[test]
fn batches_that_are_split_are_counted() {
    let batch = RecordBatch::try_from_columns([("id", testing_support::ints(0..1_000))]).unwrap();
    let options = WriteOptions::new().with_max_message_bytes(2_048);
    let bytes = file_of(std::slice::from_ref(&batch), options.clone());
    let mut appender = FileAppender::try_new_with(Disk::new(bytes), options).unwrap();
    let n_before = appender.n_batches();
    appender.write(&batch).unwrap();
    let n_after = appender.n_batches();
    assert_eq!(read(&appender.finish().unwrap().bytes()).unwrap().len(), n_after);
    assert_eq!((n_before, n_after), (3, 6));
}
