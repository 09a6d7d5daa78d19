//! The file after every write of an appender, and after a part of each: no batch is lost that the caller was told of.

use arrow_data::RecordBatch;
use arrow_ipc::{DictionaryPolicy, Durability, FileAppender, FileReader, WriteOptions};
use arrow_schema::Metadata;
use testing_support::{Hunt, Rng};

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
    disk.tell(1);
    let open = || FileAppender::try_new(disk.clone(), options()).unwrap().with_durability(durability);
    let mut unfinished = open();
    unfinished.write(&all[1]).unwrap();
    unfinished.flush().unwrap();
    disk.tell(2);
    unfinished.write(&all[3]).unwrap();
    unfinished.write(&all[3]).unwrap();
    drop(unfinished);
    let mut appender = open();
    for (idx, batch) in all.iter().enumerate().skip(2) {
        appender.write(batch).unwrap();
        if idx % 2 == 1 {
            appender.flush().unwrap();
            disk.tell(idx + 1);
        }
    }
    appender.finish().unwrap();
    disk.tell(all.len());
    assert!(same(&read(&disk.bytes()).unwrap(), all));
    (file, disk.steps())
}

/// All batches that were told are there, in order, and no other ones; one can be appended.
fn check(bytes: &[u8], all: &[RecordBatch], n_told: usize, what: &dyn Fn() -> String) {
    let disk = Disk::new(bytes.to_vec());
    let opened = FileAppender::try_new(disk.clone(), options());
    let mut appender = opened.unwrap_or_else(|error| panic!("{}: {error}", what()));
    let n_batches = appender.n_batches() as usize;
    assert!(n_batches >= n_told && n_batches <= all.len(), "{}: {n_batches} of {n_told}", what());
    appender.write(&all[0]).unwrap();
    appender.finish().unwrap();
    let found = read(&disk.bytes()).unwrap();
    assert!(same(&found[..n_batches], &all[..n_batches]), "{}", what());
    assert!(same(&found[n_batches..], &all[..1]), "{}", what());
}

fn samples() -> Vec<RecordBatch> {
    words(&[&["a", "b"], &["b", "c"], &["c"], &["d", "a"], &["e"], &["a", "f"], &["g"]])
}

#[test]
fn cut_after_every_write_and_inside_of_it() {
    let all = samples();
    for durability in [Durability::Process, Durability::Power] {
        let (mut bytes, steps) = appended(&all, durability);
        let (mut n_told, mut n_incomplete) = (0, 0);
        for (idx, step) in steps.iter().enumerate() {
            if let Step::Write { position, bytes: new } = step {
                let count = Hunt::from_env().count(4, new.len());
                for n_bytes in (1..new.len()).step_by((new.len() / count.max(1)).max(1)) {
                    let mut incomplete = bytes.clone();
                    apply(
                        &mut incomplete,
                        &Step::Write { position: *position, bytes: new[..n_bytes].to_vec() },
                    );
                    check(&incomplete, &all, n_told, &|| format!("step {idx}, {n_bytes} bytes of it"));
                    n_incomplete += 1;
                }
            }
            apply(&mut bytes, step);
            if let Step::Told(n_batches) = step {
                n_told = *n_batches;
                // Everybody can read it.
                assert!(read(&bytes).unwrap().len() >= n_told, "step {idx}");
            }
            check(&bytes, &all, n_told, &|| format!("after step {idx}"));
        }
        assert!(n_incomplete > 100, "{n_incomplete}");
    }
}

/// Others can open the file after each step, but for those between the copy of the end and the ten bytes by which it is found.
#[test]
fn readers_of_others_see_a_file_unless_its_end_is_being_copied() {
    let all = samples();
    for (durability, is_synced) in [(Durability::Process, false), (Durability::Power, true)] {
        let (mut bytes, steps) = appended(&all, durability);
        let (mut n_told, mut n_copies, mut last_bytes_at) = (1, 0, None);
        for (idx, step) in steps.iter().enumerate() {
            match step {
                Step::Told(n_batches) => n_told = *n_batches,
                Step::Write { position, bytes: new } => {
                    let is_copy = *position >= bytes.len() as u64 && last_bytes_at != Some(*position);
                    let is_found = new.ends_with(b"ARROW1");
                    assert!(last_bytes_at.is_none() || (is_found && new.len() == 10), "step {idx}");
                    last_bytes_at = (is_copy && !is_found).then_some(*position + new.len() as u64);
                    n_copies += usize::from(last_bytes_at.is_some());
                }
                Step::SetLen(_) | Step::Sync => {}
            }
            apply(&mut bytes, step);
            match (read(&bytes), last_bytes_at) {
                (Ok(found), None) => {
                    let is_told = found.len() >= n_told && same(&found, &all[..found.len()]);
                    assert!(is_told, "{durability:?}, after step {idx}");
                }
                (Err(_), Some(_)) => {}
                (found, _) => {
                    panic!("{durability:?}, after step {idx}: {:?}", found.map(|found| found.len()))
                }
            }
        }
        assert_eq!(n_copies > 0, is_synced, "{durability:?}: {n_copies}");
    }
}

/// What reached the disk since the last sync is a part of what was written, in any order.
#[test]
fn a_loss_of_power_keeps_what_was_flushed() {
    let all = samples();
    let (mut durable, steps) = appended(&all, Durability::Power);
    let hunt = Hunt::from_env();
    let mut rng = hunt.rng(7);
    let (mut n_told, mut pending) = (0, Vec::new());
    for (idx, step) in steps.iter().enumerate() {
        match step {
            Step::Sync => {
                pending.drain(..).for_each(|step| apply(&mut durable, step));
            }
            Step::Told(n_batches) => n_told = *n_batches,
            Step::Write { .. } | Step::SetLen(_) => pending.push(step),
        }
        for attempt in 0..hunt.count(3, 50) {
            let mut bytes = durable.clone();
            for step in shuffled(&pending, &mut rng) {
                apply(&mut bytes, &step);
            }
            check(&bytes, &all, n_told, &|| format!("after step {idx}, attempt {attempt}"));
        }
    }
}

/// One sector of what was written since the last sync did not reach the disk, and all others did.
#[test]
fn a_sector_that_is_missing_after_a_loss_of_power_is_not_believed() {
    const SECTOR_BYTES: usize = 512;
    let all = samples();
    let long: Metadata = [("key", "value ".repeat(500))].into_iter().collect();
    let options = options().with_footer_metadata(long.clone());
    let disk = Disk::new(file_of(&all[..1], options.clone()));
    let mut durable = disk.bytes();
    let mut appender = FileAppender::try_new(disk.clone(), options).unwrap();
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
                let kept = bytes[sector.clone()].to_vec();
                pending[lost..].iter().for_each(|step| apply(&mut bytes, step));
                if let Some(place) = bytes.get_mut(sector.clone()) {
                    place.copy_from_slice(&kept);
                }
                check(&bytes, &all, 1, &|| format!("without {sector:?}"));
                let repaired = Disk::new(bytes);
                FileAppender::try_new(repaired.clone(), self::options()).unwrap().finish().unwrap();
                let file = FileReader::try_from_buffer(repaired.bytes().into()).unwrap();
                assert_eq!(file.metadata(), &long, "without {sector:?}");
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

/// Some of the steps, some of them in part, in any order.
fn shuffled(steps: &[&Step], rng: &mut Rng) -> Vec<Step> {
    let mut some: Vec<Step> = Vec::new();
    for step in steps {
        let step = match step {
            Step::Write { position, bytes } if rng.one_in(2) => {
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
