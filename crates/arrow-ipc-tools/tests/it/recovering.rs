//! Inputs without damage are recovered completely, for every writer and version. Damage costs as few batches as
//! possible.

use std::{fs, io};

use arrow_buffer::Buffer;
use arrow_data::RecordBatch;
use arrow_ipc::{
    DictionaryPolicy, ErrorClass, FileReader, FileWriter, Limits, MessageScan, MetadataVersion, RowCounts,
    StreamReader, StreamWriter, WriteOptions, WrittenContainer, file::Footer,
};
use arrow_ipc_tools::{Input, RecoverOptions, ToolErrorKind, recover};
use arrow_schema::{Metadata, Schema, work_done};
use testing_support::{Generator, Hunt, files_below};

use crate::samples::{file, ids, stream};

fn read(bytes: &[u8]) -> arrow_ipc::Result<Vec<RecordBatch>> {
    match bytes.starts_with(b"ARROW1") {
        true => FileReader::try_from_buffer(Buffer::copy_from(bytes))?.batches().collect(),
        false => StreamReader::try_new(bytes)?.collect(),
    }
}

#[test]
fn golden_inputs_are_recovered_as_a_whole() {
    let golden = testing_support::corpus_dir().join("golden");
    let mut n_inputs = 0;
    for (suffix, container) in [
        (".arrow", WrittenContainer::File),
        (".arrow", WrittenContainer::Stream),
        (".arrows", WrittenContainer::Stream),
    ] {
        for path in files_below(&golden, suffix) {
            let (what, bytes) = (path.display().to_string(), fs::read(&path).unwrap());
            let all = read(&bytes).unwrap();
            let input = Input::from_damaged("input", Buffer::from(bytes));
            let recovered = recover(input, Vec::new(), &RecoverOptions::new(container), &mut ());
            let (output, report) = recovered.unwrap_or_else(|error| panic!("{what}: {error}"));
            assert!(report.losses.is_empty(), "{what}: {:?}", report.losses);
            let found = read(&output).unwrap();
            let is_same = |(left, right): (&RecordBatch, &RecordBatch)| left.same_values(right).unwrap();
            assert!(found.len() == all.len() && found.iter().zip(&all).all(is_same), "{what}");
            n_inputs += 1;
        }
    }
    assert!(n_inputs > 200, "{n_inputs}");
}

/// The end of each message of a stream, after a 0.
fn version_positions(bytes: &[u8]) -> Vec<usize> {
    let mut scan = MessageScan::try_new(Buffer::copy_from(bytes), 0..u64::MAX, Limits::default()).unwrap();
    let mut ends = vec![0];
    while let Some(message) = scan.next_message().unwrap() {
        ends.push((message.body_position() + message.n_body_bytes()) as usize);
    }
    ends
}

/// The batches as a stream of version V4 and as a stream of version V5.
fn in_both_versions(batches: &[RecordBatch]) -> [Vec<u8>; 2] {
    [MetadataVersion::V4, MetadataVersion::V5].map(|version| {
        let options = WriteOptions::new().with_version(version).with_dictionaries(DictionaryPolicy::Replace);
        let mut writer = StreamWriter::try_new_with(Vec::new(), batches[0].schema(), options).unwrap();
        batches.iter().for_each(|batch| writer.write(batch).unwrap());
        writer.finish().unwrap()
    })
}

/// A stream with messages of V4 and V5. A union has other buffers in V4 than in V5.
#[test]
fn mixed_versions_are_recovered() {
    let schema: Schema = "id: int64\nu: sparse_union<0=a: int32, 1=b: utf8>".parse().unwrap();
    let batches = Generator::new(3).batches(&schema, &[7, 9, 4]);
    let [v4, v5] = in_both_versions(&batches);
    for (first, second) in [(&v4, &v5), (&v5, &v4)] {
        let (ends, others) = (version_positions(first), version_positions(second));
        let mixed = [&first[..ends[2]], &second[others[2]..others[3]], &first[ends[3]..]].concat();
        for container in [WrittenContainer::File, WrittenContainer::Stream] {
            let input = Input::from_damaged("input", Buffer::copy_from(&mixed));
            let (output, report) =
                recover(input, Vec::new(), &RecoverOptions::new(container), &mut ()).unwrap();
            assert!(report.losses.is_empty(), "{:?}", report.losses);
            let found = read(&output).unwrap();
            assert!(found.len() == 3 && found.iter().zip(&batches).all(|(a, b)| a.same_values(b).unwrap()));
        }
    }
}

/// A recovery does not encode dictionaries again. A dictionary with unions of another version is lost, with the
/// batches that need it. The next dictionary replaces it.
#[test]
fn dictionaries_of_unions_of_another_version_are_lost() {
    let schema: Schema = "d: dictionary<int32, sparse_union<0=a: int32, 1=b: utf8>>".parse().unwrap();
    // Each batch has its own dictionary.
    let batches: Vec<_> = (1..4).flat_map(|seed| Generator::new(seed).batches(&schema, &[7])).collect();
    let [v4, v5] = in_both_versions(&batches);
    for (first, second) in [(&v4, &v5), (&v5, &v4)] {
        // The schema message, and a dictionary message before each batch.
        let (ends, others) = (version_positions(first), version_positions(second));
        assert_eq!((ends.len(), others.len()), (8, 8));
        let mixed = [&first[..ends[3]], &second[others[3]..others[5]], &first[ends[5]..]].concat();
        let input = Input::from_damaged("input", Buffer::copy_from(&mixed));
        let options = RecoverOptions::new(WrittenContainer::Stream);
        let (output, report) = recover(input, Vec::new(), &options, &mut ()).unwrap();
        let losses: Vec<String> = report.losses.iter().map(ToString::to_string).collect();
        assert_eq!(losses.len(), 2, "{losses:?}");
        assert!(losses.iter().all(|loss| loss.contains("unions of another metadata version")), "{losses:?}");
        let found = read(&output).unwrap();
        let complete = [&batches[0], &batches[2]];
        assert!(found.len() == 2 && found.iter().zip(complete).all(|(a, b)| a.same_values(b).unwrap()));
        assert_eq!(report.n_batches, 2);
    }
}

/// Row counts and layouts describe the recovered file. They are not copied to a stream.
#[test]
fn row_counts_are_not_those_of_the_recovered() {
    let schema: Schema = "id: int64".parse().unwrap();
    let batches = Generator::new(3).batches(&schema, &[7, 9, 4]);
    let metadata = Metadata::from_iter([("key", "value")]);
    let options =
        WriteOptions::new().with_row_counts(RowCounts::Written).with_footer_metadata(metadata.clone());
    let mut writer = FileWriter::try_new_with(Vec::new(), batches[0].schema(), options).unwrap();
    batches.iter().for_each(|batch| writer.write(batch).unwrap());
    let sound = writer.finish().unwrap();
    let second = FileReader::try_from_buffer(Buffer::copy_from(&sound)).unwrap().footer().batches()[1];
    let mut damaged = sound.clone();
    damaged[second.position() as usize..][..64].fill(0xab);
    for (bytes, n_batches) in [(sound, 3), (damaged, 2)] {
        for container in [WrittenContainer::File, WrittenContainer::Stream] {
            let input = Input::from_damaged("input", Buffer::copy_from(&bytes));
            let (output, report) =
                recover(input, Vec::new(), &RecoverOptions::new(container), &mut ()).unwrap();
            assert_eq!(report.n_batches, n_batches);
            let found = match container {
                WrittenContainer::File => {
                    FileReader::try_from_buffer(output.into()).unwrap().footer_metadata().clone()
                }
                WrittenContainer::Stream => {
                    StreamReader::try_new(&*output).unwrap().schema_message_metadata().clone()
                }
            };
            // A file gets no row counts, unless all batches are recovered. Then the copied counts are true.
            let is_file_with_all = container == WrittenContainer::File && n_batches == 3;
            assert!(found == metadata || is_file_with_all, "{container:?}: {found:?}");
            assert_eq!(found.get("key"), Some("value"));
        }
    }
}

/// A message with a changed version is damaged, not unsupported. If it is the schema message, the schema of the
/// footer or of the options replaces it.
#[test]
fn a_damaged_version_costs_its_message() {
    let schema: Schema = "id: int64\nu: sparse_union<0=a: int32, 1=b: utf8>\nv: utf8_view".parse().unwrap();
    let batches = Generator::new(3).batches(&schema, &[3, 5, 2]);
    let sound = |version| {
        let options = WriteOptions::new().with_version(version);
        let mut stream =
            StreamWriter::try_new_with(Vec::new(), batches[0].schema(), options.clone()).unwrap();
        batches.iter().for_each(|batch| stream.write(batch).unwrap());
        let mut file = FileWriter::try_new_with(Vec::new(), batches[0].schema(), options).unwrap();
        batches.iter().for_each(|batch| file.write(batch).unwrap());
        let file = file.finish().unwrap();
        let footer = Footer::read(&Buffer::copy_from(&file), &Limits::default()).unwrap().position();
        let cut = file[..footer as usize].to_vec();
        [stream.finish().unwrap(), file, cut]
    };
    let given = StreamReader::try_new(&sound(MetadataVersion::V5)[0][..]).unwrap().ipc_schema().clone();
    let [mut n_refused, mut n_damages] = [0; 2];
    let hunt = Hunt::from_env();
    for (nth, bytes) in sound(MetadataVersion::V5).iter().enumerate() {
        for (message, at) in versions(bytes).into_iter().enumerate() {
            // In a short run, the values of versions, and every fifth of the others.
            let values = (0..=u8::MAX).filter(|value| hunt.is_on() || *value < 8 || value % 5 == 0);
            for (position, value) in (at..at + 2).flat_map(|at| values.clone().map(move |value| (at, value)))
            {
                let mut damaged = bytes.clone();
                damaged[position] = value;
                if damaged == *bytes {
                    continue;
                }
                let ways = [
                    RecoverOptions::new(WrittenContainer::File),
                    RecoverOptions::new(WrittenContainer::Stream),
                    RecoverOptions {
                        schema: Some(given.clone()),
                        ..RecoverOptions::new(WrittenContainer::Stream)
                    },
                ];
                // In a short run, each value is recovered in one of these ways, in turn.
                for options in hunt.some_of(&ways, 1, usize::from(value) + position + message) {
                    let what = format!("input {nth}, message {message}, {value} at {position}, {options:?}");
                    n_damages += 1;
                    let input = Input::from_damaged("input", Buffer::copy_from(&damaged));
                    let (output, report) = match recover(input, Vec::new(), options, &mut ()) {
                        Ok(recovered) => recovered,
                        Err(error) => {
                            let ToolErrorKind::Input(cause) = error.kind() else { panic!("{what}: {error}") };
                            let is_damage =
                                matches!(cause.class(), ErrorClass::Malformed | ErrorClass::Truncated);
                            assert!(is_damage && message == 0 && nth != 1, "{what}: {error}");
                            n_refused += 1;
                            continue;
                        }
                    };
                    let found = read(&output).unwrap();
                    let is_same = |found: &RecordBatch, of: &RecordBatch| found.same_values(of).unwrap();
                    let is_whole = found.len() == 3 && found.iter().zip(&batches).all(|(a, b)| is_same(a, b));
                    assert!(is_whole || !report.losses.is_empty(), "{what}: {} batches", found.len());
                    let lost = message.checked_sub(1);
                    let others = batches.iter().enumerate().filter(|(idx, _)| Some(*idx) != lost);
                    for (idx, batch) in others {
                        let is_there = found.iter().any(|found| is_same(found, batch));
                        assert!(is_there, "{what}: batch {idx} of {}; {:?}", found.len(), report.losses);
                    }
                }
            }
        }
    }
    let least = hunt.count(100, 300);
    assert!(n_refused > least && n_refused * 4 < n_damages, "{n_refused} of {n_damages}");
}

/// The position of the version in each message. The version is the first field of the metadata table.
fn versions(bytes: &[u8]) -> Vec<usize> {
    let start = if bytes.starts_with(b"ARROW1") { 8 } else { 0 };
    let word = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize;
    let mut scan =
        MessageScan::try_new(Buffer::copy_from(bytes), start..u64::MAX, Limits::default()).unwrap();
    let mut version_positions = Vec::new();
    while let Some(message) = scan.next_message().unwrap() {
        let metadata = message.position() as usize + 8;
        let table = metadata + word(metadata);
        let slots = table - word(table);
        let field = u16::from_le_bytes(bytes[slots + 4..slots + 6].try_into().unwrap());
        version_positions.push(table + usize::from(field));
        assert_eq!(bytes[version_positions[version_positions.len() - 1]], 4, "V5");
    }
    version_positions
}

/// A recovery stores one batch and a map of the messages, for any number of batches and any damage.
#[test]
fn batches_are_recovered_one_at_a_time() {
    const N_ROWS: i64 = 16_384;
    let mut n_recovered = 0;
    let mut peak = |n_batches: i64, container: WrittenContainer, damages: bool| {
        let batches: Vec<RecordBatch> = (0..n_batches).map(|n| ids(n * N_ROWS..(n + 1) * N_ROWS)).collect();
        let mut bytes = if container == WrittenContainer::File { file(&batches) } else { stream(&batches) };
        if damages {
            // Damages the metadata of every fourth batch.
            let n_bytes = bytes.len();
            let starts = (0..n_bytes - 72).filter(|at| bytes[*at..][..4] == [0xff; 4]);
            let starts: Vec<usize> = starts.skip(2).step_by(4).collect();
            starts.iter().for_each(|at| bytes[at + 8..][..64].fill(0xa5));
        }
        let input = Input::from_damaged("input", Buffer::from(bytes));
        let options = RecoverOptions::new(WrittenContainer::Stream);
        let (recovered, usage) =
            testing_support::CountingAllocator.measure(|| recover(input, io::sink(), &options, &mut ()));
        n_recovered += recovered.unwrap().1.n_batches;
        usage.peak_bytes
    };
    for container in [WrittenContainer::Stream, WrittenContainer::File] {
        for damages in [false, true] {
            let (few, many) = (peak(8, container, damages), peak(64, container, damages));
            let (body_bytes, n_more) = (N_ROWS * 8, 56);
            // Each additional message may take 4,096 bytes.
            let limit = few.max(4 * body_bytes) + n_more * 4_096;
            assert!(many <= limit, "{container:?}, {damages}: {few} for 8 batches, {many} for 64");
        }
    }
    assert!(n_recovered > 200, "{n_recovered}");
}

/// A file whose footer is whole, and lists batches of which none can be found: each byte is searched once.
#[test]
fn bytes_of_damaged_blocks_are_searched_once() {
    let n_searched = |n_batches: usize| {
        let mut bytes = file(&vec![ids(0..3); n_batches]);
        let footer = Footer::read(&Buffer::copy_from(&bytes), &Limits::default()).unwrap();
        let first = footer.batches()[0].position() as usize;
        let markers = bytes[first..footer.position() as usize].iter_mut().filter(|byte| **byte == 0xff);
        markers.for_each(|byte| *byte = 0);
        let n_bytes = bytes.len() as u64;
        let input = Input::from_damaged("input", Buffer::from(bytes));
        let before = work_done();
        let options = RecoverOptions::new(WrittenContainer::Stream);
        let (_, report) = recover(input, io::sink(), &options, &mut ()).unwrap();
        assert_eq!((report.n_batches, report.losses.is_empty()), (0, false));
        (work_done() - before) / n_bytes
    };
    assert!(n_searched(2_000) <= 4, "{} times", n_searched(2_000));
}
