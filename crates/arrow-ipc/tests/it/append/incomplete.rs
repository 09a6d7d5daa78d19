//! The file after every write of an appender, and after a part of each write: no batch is lost that was reported to the
//! caller.

use arrow_buffer::Buffer;
use arrow_data::RecordBatch;
use arrow_ipc::{DictionaryPolicy, FileAppender, FileReader, WriteOptions, file::Durability};
use arrow_schema::Metadata;
use testing_support::{Generator, Hunt, Rng};

use super::{
    disk::{Disk, Step, apply},
    files::{file_of, read, same, words},
};

fn options() -> WriteOptions {
    WriteOptions::new().with_dictionaries(DictionaryPolicy::Delta)
}

/// Appends batches, two of them in a file that an appender before has left unfinished.
fn appended(all: &[RecordBatch], durability: Durability) -> (Vec<u8>, Vec<Step>) {
    let file = file_of(&all[..1], options());
    let disk = Disk::new(file.clone());
    disk.report(1);
    let open = || FileAppender::try_new_with(disk.clone(), options()).unwrap().with_durability(durability);
    let mut unfinished = open();
    unfinished.write(&all[1]).unwrap();
    unfinished.flush().unwrap();
    disk.report(2);
    unfinished.write(&all[3]).unwrap();
    unfinished.write(&all[3]).unwrap();
    drop(unfinished);
    let mut appender = open();
    for (idx, batch) in all.iter().enumerate().skip(2) {
        appender.write(batch).unwrap();
        if idx % 2 == 1 {
            appender.flush().unwrap();
            disk.report(idx + 1);
        }
    }
    appender.finish().unwrap();
    disk.report(all.len());
    assert!(same(&read(&disk.bytes()).unwrap(), all));
    (file, disk.steps())
}

/// Checks that all reported batches are in the file, in order, and no other batches; and that a batch can be appended.
fn check(bytes: &[u8], all: &[RecordBatch], n_reported: usize, what: &dyn Fn() -> String) {
    let disk = Disk::new(bytes.to_vec());
    let opened = FileAppender::try_new_with(disk.clone(), options());
    let mut appender = opened.unwrap_or_else(|error| panic!("{}: {error}", what()));
    let n_batches = appender.n_batches();
    assert!(n_batches >= n_reported && n_batches <= all.len(), "{}: {n_batches} of {n_reported}", what());
    appender.write(&all[0]).unwrap();
    appender.finish().unwrap();
    let found = read(&disk.bytes()).unwrap();
    assert!(same(&found[..n_batches], &all[..n_batches]), "{}", what());
    assert!(same(&found[n_batches..], &all[..1]), "{}", what());
}

fn samples() -> Vec<RecordBatch> {
    words(&[&["a", "b"], &["b", "c"], &["c"], &["d", "a"], &["e"], &["a", "f"], &["g"]])
}

/// Every library can open the file, and finds the reported batches.
fn check_opens(bytes: &[u8], all: &[RecordBatch], n_reported: usize, what: &dyn Fn() -> String) {
    let found = read(bytes).unwrap_or_else(|error| panic!("{}: {error}", what()));
    assert!(found.len() >= n_reported && same(&found, &all[..found.len()]), "{}: {}", what(), found.len());
}

/// The write that makes the file longer is ten bytes in one sector, which file systems write in one step.
fn is_one_step(step: &Step, n_bytes: usize) -> bool {
    let Step::Write { position, bytes } = step else { return true };
    let (start, end) = (*position as usize, *position as usize + bytes.len());
    let grows = end > n_bytes;
    assert!(!grows || (bytes.len() == 10 && start / 512 == (end - 1) / 512), "{start}..{end} of {n_bytes}");
    grows
}

#[test]
fn everybody_opens_the_file_after_every_write_and_inside_of_it() {
    let all = samples();
    for durability in [Durability::Process, Durability::Power] {
        let (mut bytes, steps) = appended(&all, durability);
        let (mut n_reported, mut n_incomplete) = (0, 0);
        for (idx, step) in steps.iter().enumerate() {
            let is_one_step = is_one_step(step, bytes.len());
            if let Step::Write { position, bytes: new } = step {
                let count = Hunt::from_env().count(4, new.len());
                for n_bytes in (1..new.len()).step_by((new.len() / count.max(1)).max(1)) {
                    let mut incomplete = bytes.clone();
                    apply(
                        &mut incomplete,
                        &Step::Write { position: *position, bytes: new[..n_bytes].to_vec() },
                    );
                    let what = || format!("step {idx}, {n_bytes} bytes of it");
                    if !is_one_step {
                        check_opens(&incomplete, &all, n_reported, &what);
                    }
                    check(&incomplete, &all, n_reported, &what);
                    n_incomplete += 1;
                }
            }
            apply(&mut bytes, step);
            if let Step::Reported(n_batches) = step {
                n_reported = *n_batches;
            }
            check_opens(&bytes, &all, n_reported, &|| format!("after step {idx}"));
            check(&bytes, &all, n_reported, &|| format!("after step {idx}"));
        }
        assert!(n_incomplete > 100, "{n_incomplete}");
    }
}

/// An end that is longer than one move, and room for a batch of which this is also true: there are several moves.
#[test]
fn everybody_opens_the_file_while_a_long_end_is_moved_far() {
    let long: Metadata = [("key", "value ".repeat(600_000))].into_iter().collect();
    let schema = "n: int64".parse::<arrow_schema::Schema>().unwrap();
    let all = Generator::new(36).batches(&schema, &[10, 5_000_000]);
    let options = WriteOptions::new().with_footer_metadata(long.clone());
    let disk = Disk::new(file_of(&all[..1], options.clone()));
    let mut bytes = disk.bytes();
    let appender = FileAppender::try_new_with(disk.clone(), options).unwrap();
    let mut appender = appender.with_durability(Durability::Process);
    appender.write(&all[1]).unwrap();
    appender.flush().unwrap();
    let (steps, mut n_grown) = (disk.steps(), 0);
    for (idx, step) in steps.iter().enumerate() {
        n_grown += usize::from(is_one_step(step, bytes.len()) && matches!(step, Step::Write { .. }));
        apply(&mut bytes, step);
        let reader = FileReader::try_from_buffer(Buffer::copy_from(&bytes)).unwrap();
        assert_eq!(
            (reader.n_batches(), reader.footer_metadata()),
            (1 + usize::from(idx + 1 == steps.len()), &long)
        );
    }
    assert!(n_grown > 4, "{n_grown}");
    assert!(same(&read(&bytes).unwrap(), &all));
}

/// The end of a file that an appender was about to move: the footer reaches up to a later tail.
fn reaching_further(file: &[u8], between: &[u8]) -> Vec<u8> {
    let length = i32::from_le_bytes(file[file.len() - 10..file.len() - 6].try_into().unwrap());
    let length = length + 10 + between.len() as i32;
    [file, between, &length.to_le_bytes(), b"ARROW1"].concat()
}

#[test]
fn what_follows_the_content_of_a_footer_is_cut_off() {
    let all = samples();
    let file = file_of(&all[..2], options());
    let longer = |bytes: Vec<u8>, batches: &[RecordBatch]| {
        let disk = Disk::new(bytes);
        let mut appender = FileAppender::try_new_with(disk.clone(), options()).unwrap();
        batches.iter().for_each(|batch| appender.write(batch).unwrap());
        appender.finish().unwrap();
        disk.bytes()
    };
    let once = longer(file.clone(), &all[2..]);
    for between in [&[][..], &[0; 54], &[7; 5_000], b"ARROW1", &file[..300], &file] {
        let reaching = reaching_further(&file, between);
        assert!(same(&read(&reaching).unwrap(), &all[..2]), "{} bytes", between.len());
        assert!(longer(reaching.clone(), &[]) == file, "{} bytes", between.len());
        assert!(longer(reaching, &all[2..]) == once, "{} bytes", between.len());
    }
}

/// Custom metadata may look like the end of the footer that it is in.
#[test]
fn a_false_tail_inside_of_a_footer_is_no_end() {
    let all = samples();
    for n_before in 0..64 {
        let text = format!("{}{}ARROW1 and more", "-".repeat(n_before), "\0".repeat(4));
        let metadata: Metadata = [("key", text)].into_iter().collect();
        let mut file = file_of(&all[..2], options().with_footer_metadata(metadata));
        let footer =
            file.len() - 10 - i32::from_le_bytes(file[file.len() - 10..][..4].try_into().unwrap()) as usize;
        let at = file.windows(10).position(|window| window == b"\0\0\0\0ARROW1").unwrap();
        let length = (at - footer) as u32;
        if length.to_le_bytes().iter().any(|byte| *byte > 0x7f) {
            // It would be no text.
            continue;
        }
        file[at..at + 4].copy_from_slice(&length.to_le_bytes());
        let expected =
            FileReader::try_from_buffer(Buffer::copy_from(&file)).unwrap().footer_metadata().clone();
        for bytes in [file.clone(), reaching_further(&file, &[0; 100])] {
            let disk = Disk::new(bytes);
            let mut appender = FileAppender::try_new_with(disk.clone(), options()).unwrap();
            all[2..].iter().for_each(|batch| appender.write(batch).unwrap());
            appender.finish().unwrap();
            let reader = FileReader::try_from_buffer(Buffer::from(disk.bytes())).unwrap();
            assert_eq!((reader.n_batches(), reader.footer_metadata()), (all.len(), &expected));
        }
    }
}

/// Any part of the writes since the last sync may reach the disk, in any order.
#[test]
fn a_loss_of_power_keeps_what_was_flushed() {
    let all = samples();
    let (mut durable, steps) = appended(&all, Durability::Power);
    let hunt = Hunt::from_env();
    let mut rng = hunt.rng(7);
    let (mut n_reported, mut pending) = (0, Vec::new());
    for (idx, step) in steps.iter().enumerate() {
        match step {
            Step::Sync => {
                pending.drain(..).for_each(|step| apply(&mut durable, step));
            }
            Step::Reported(n_batches) => n_reported = *n_batches,
            Step::Write { .. } | Step::SetLen(_) => pending.push(step),
        }
        for attempt in 0..hunt.count(3, 50) {
            let mut bytes = durable.clone();
            for step in shuffled(&pending, &mut rng) {
                apply(&mut bytes, &step);
            }
            check_opens(&bytes, &all, n_reported, &|| format!("after step {idx}, attempt {attempt}"));
            check(&bytes, &all, n_reported, &|| format!("after step {idx}, attempt {attempt}"));
        }
    }
}

/// One sector of the writes since the last sync did not reach the disk, and all other sectors did.
#[test]
fn a_sector_that_is_missing_after_a_loss_of_power_is_not_trusted() {
    const SECTOR_BYTES: usize = 512;
    let all = samples();
    let long: Metadata = [("key", "value ".repeat(500))].into_iter().collect();
    let options = options().with_footer_metadata(long.clone());
    let disk = Disk::new(file_of(&all[..1], options.clone()));
    let mut durable = disk.bytes();
    let mut appender = FileAppender::try_new_with(disk.clone(), options).unwrap();
    for batch in &all[1..4] {
        appender.write(batch).unwrap();
    }
    appender.flush().unwrap();
    let (mut pending, mut n_lost) = (Vec::new(), 0);
    for step in &disk.steps() {
        pending.push(step);
        for (lost, write) in pending.iter().enumerate() {
            let Step::Write { position, bytes: new } = write else { continue };
            let mut start = *position as usize;
            let end = start + new.len();
            while start < end {
                let sector = start..end.min((start / SECTOR_BYTES + 1) * SECTOR_BYTES);
                let mut bytes = durable.clone();
                pending[..lost].iter().for_each(|step| apply(&mut bytes, step));
                bytes.resize(bytes.len().max(end), 0);
                let before = bytes[sector.clone()].to_vec();
                pending[lost..].iter().for_each(|step| apply(&mut bytes, step));
                if let Some(bytes) = bytes.get_mut(sector.clone()) {
                    bytes.copy_from_slice(&before);
                }
                if !is_one_step(write, length_before(&durable, &pending[..lost])) {
                    check_opens(&bytes, &all, 1, &|| format!("without {sector:?}"));
                }
                check(&bytes, &all, 1, &|| format!("without {sector:?}"));
                let repaired = Disk::new(bytes);
                FileAppender::try_new_with(repaired.clone(), self::options()).unwrap().finish().unwrap();
                let file = FileReader::try_from_buffer(repaired.bytes().into()).unwrap();
                assert_eq!(file.footer_metadata(), &long, "without {sector:?}");
                start = sector.end;
                n_lost += 1;
            }
        }
        if matches!(step, Step::Sync) {
            pending.drain(..).for_each(|step| apply(&mut durable, step));
        }
    }
    assert!(n_lost > 20, "{n_lost}");
}

fn length_before(durable: &[u8], pending: &[&Step]) -> usize {
    let mut bytes = durable.to_vec();
    pending.iter().for_each(|step| apply(&mut bytes, step));
    bytes.len()
}

/// Some of the steps, some of them in part, in any order.
fn shuffled(steps: &[&Step], rng: &mut Rng) -> Vec<Step> {
    let mut some: Vec<Step> = Vec::new();
    for step in steps {
        let step = match step {
            // A sector is written or not.
            Step::Write { position, bytes } if rng.one_in(2) && bytes.len() > 10 => {
                Step::Write { position: *position, bytes: bytes[..rng.below(bytes.len() + 1)].to_vec() }
            }
            step => Step::clone(step),
        };
        if !rng.one_in(3) {
            some.insert(rng.below(some.len() + 1), step);
        }
    }
    some
}

/// The only footer of the file is incomplete, so nothing says where its batches are.
#[test]
fn a_finished_file_that_lost_its_end_is_refused() {
    let file = file_of(&samples()[..1], options());
    for n_lost in 1..40 {
        let disk = Disk::new(file[..file.len() - n_lost].to_vec());
        assert!(FileAppender::try_new_with(disk, options()).is_err(), "{n_lost} bytes");
    }
}
