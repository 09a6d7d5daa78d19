//! Batches that cannot be appended, and files to which no batch can be appended.

use std::fs;

use arrow_ipc::{ErrorClass, FileAppender, IpcErrorKind, Limits, MessageScan, WriteOptions};
use testing_support::ints;

use super::{
    disk::Disk,
    files::{file_of, read, same, words},
};

#[test]
fn a_second_appender_is_refused_while_the_first_lives() {
    let path = std::env::temp_dir().join(format!("arrow-ipc-locked-{}.arrow", std::process::id()));
    fs::write(&path, file_of(&words(&[&["a"]]), WriteOptions::new())).unwrap();
    let first = FileAppender::open(&path).unwrap();
    let error = FileAppender::open(&path).unwrap_err();
    assert!(matches!(error.kind(), IpcErrorKind::Locked { path: found } if *found == path), "{error}");
    assert!(error.to_string().ends_with("is locked: another process or thread appends to it"), "{error}");
    drop(first);
    // Other handles of the file do not keep the lock, as those do that a process has which is just started.
    let endings = [FileAppender::finish, FileAppender::abandon];
    let handles = endings.map(|end| end(FileAppender::open(&path).unwrap()).unwrap());
    FileAppender::open(&path).unwrap();
    drop(handles);
    fs::remove_file(&path).unwrap();
}

#[test]
fn batches_that_do_not_fit_are_refused_and_others_follow() {
    let all = words(&[&["a", "b"], &["c"], &["b", "a"], &["a", "b"]]);
    let disk = Disk::new(file_of(&all[..1], WriteOptions::new()));
    let mut appender = FileAppender::try_new(disk.clone()).unwrap();
    for batch in &all[1..3] {
        let error = appender.write(batch).unwrap_err();
        assert!(matches!(error.kind(), IpcErrorKind::ReplacedDictionary { id: 0 }), "{error}");
    }
    let error = appender.write(&testing_support::batch_of(ints([1]))).unwrap_err();
    assert!(matches!(error.kind(), IpcErrorKind::Schema(_)), "{error}");
    appender.write(&all[3]).unwrap();
    appender.finish().unwrap();
    assert!(same(&read(&disk.bytes()).unwrap(), &[all[0].clone(), all[3].clone()]));
}

#[test]
fn what_is_no_complete_file_is_not_touched() {
    let file = file_of(&words(&[&["a", "b"]]), WriteOptions::new());
    for n_bytes in 0..file.len() {
        let disk = Disk::new(file[..n_bytes].to_vec());
        FileAppender::try_new(disk.clone()).unwrap_err();
        assert!(disk.steps().is_empty());
    }
    // A footer that lies about the last batch.
    let mut scan =
        MessageScan::try_from_file(arrow_buffer::Buffer::copy_from(&file), Limits::default()).unwrap();
    let mut last = 0;
    while let Some(message) = scan.next_message().unwrap() {
        last = message.position() as usize;
    }
    let mut damaged = file.clone();
    damaged[last + 4] ^= 8;
    let error = FileAppender::try_new(Disk::new(damaged)).unwrap_err();
    assert!(matches!(error.kind(), IpcErrorKind::BlockMismatch { .. }), "{error}");
}

#[test]
fn a_full_disk_leaves_what_was_flushed_and_nothing_more() {
    let all = words(&[&["a", "b"] as &[&str]; 4]);
    let file = file_of(&all[..1], WriteOptions::new());
    let n_bytes = file.len() as u64;
    // Too little for a copy of the end; and enough for that, but not for the batches.
    let endings: [fn(FileAppender<Disk>); 2] = [
        |appender: FileAppender<Disk>| drop(appender.abandon().unwrap()),
        |appender| {
            appender.finish().unwrap_err();
        },
    ];
    let capacities = [n_bytes, n_bytes + 100, n_bytes + 70_000, n_bytes + 1_000_000];
    for (capacity, end) in capacities.into_iter().flat_map(|capacity| endings.map(|end| (capacity, end))) {
        let disk = Disk::new(file.clone());
        let mut appender = FileAppender::try_new(disk.clone()).unwrap();
        appender.write(&all[1]).unwrap();
        appender.flush().unwrap();
        let flushed = disk.bytes();
        disk.limit(capacity);
        let error = loop {
            if let Err(error) = appender.write(&all[2]) {
                break error;
            }
        };
        assert_eq!(error.class(), ErrorClass::Io, "{error}");
        assert!(same(&read(&disk.bytes()).unwrap(), &all[..2]), "{capacity}");
        for failed in [appender.write(&all[2]), appender.flush()] {
            assert!(matches!(failed.unwrap_err().kind(), IpcErrorKind::AlreadyFailed { .. }));
        }
        end(appender);
        assert!(disk.bytes() == flushed, "{capacity}");
    }
}

/// In the footer the batch that lies last is neither the first nor the last, and its body is said to be shorter than it is.
#[test]
fn a_footer_that_understates_what_lies_last_is_refused() {
    let all = words(&[&["a", "b"] as &[&str]; 3]);
    let file = file_of(&all, WriteOptions::new());
    let footer =
        arrow_ipc::file::Footer::read(&arrow_buffer::Buffer::copy_from(&file), &Limits::default()).unwrap();
    let blocks: Vec<Vec<u8>> = footer.batches().iter().map(bytes_of).collect();
    let find = |bytes: &[u8]| file.windows(bytes.len()).rposition(|window| window == bytes).unwrap();
    let at = find(&blocks.concat());
    let swapped = |shorter: u64| {
        let mut last = blocks[2].clone();
        let n_body_bytes = footer.batches()[2].n_body_bytes() - shorter;
        last[16..].copy_from_slice(&n_body_bytes.to_le_bytes());
        let mut changed = file.clone();
        changed[at..at + 72].copy_from_slice(&[&blocks[0][..], &last, &blocks[1]].concat());
        FileAppender::try_new(Disk::new(changed))
    };
    swapped(0).unwrap();
    let error = swapped(8).unwrap_err();
    assert!(matches!(error.kind(), IpcErrorKind::BlockMismatch { .. }), "{error}");
}

/// The footer lists the first batch several times, which has room in the file, since messages that the footer does not list follow
/// the last block. New batches overwrite these messages.
#[test]
fn blocks_that_overlap_need_space_that_stays() {
    let all = words(&[&["a", "b"] as &[&str]; 3]);
    let file = file_of(&all, WriteOptions::new());
    let footer =
        arrow_ipc::file::Footer::read(&arrow_buffer::Buffer::copy_from(&file), &Limits::default()).unwrap();
    let blocks: Vec<Vec<u8>> = footer.batches().iter().map(bytes_of).collect();
    let blocks: Vec<&[u8]> = blocks.iter().map(Vec::as_slice).collect();
    let at = file.windows(72).rposition(|window| window == blocks.concat()).unwrap();
    let of = |listed: [usize; 3]| {
        let mut changed = file.clone();
        changed[at..at + 72].copy_from_slice(&listed.map(|batch_idx| blocks[batch_idx]).concat());
        assert_eq!(read(&changed).unwrap().len(), 3);
        changed
    };
    let error = FileAppender::try_new(Disk::new(of([0, 0, 0]))).unwrap_err();
    assert!(matches!(error.kind(), IpcErrorKind::BlocksOverlap { .. }), "{error}");
    assert!(
        error.to_string().contains("record batches of the footer: the footer's blocks overlap"),
        "{error}"
    );
    let disk = Disk::new(of([0, 0, 2]));
    let mut appender = FileAppender::try_new(disk.clone()).unwrap();
    appender.write(&all[0]).unwrap();
    appender.finish().unwrap();
    assert!(same(&read(&disk.bytes()).unwrap(), &[&all[..], &all[..1]].concat()));
}

/// A block as it is in the footer.
fn bytes_of(block: &arrow_ipc::file::Block) -> Vec<u8> {
    let numbers = [block.position(), block.n_metadata_bytes(), block.n_body_bytes()];
    numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
}
