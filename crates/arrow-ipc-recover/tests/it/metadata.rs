//! Files whose first bytes are lost: a sector of zeros, bytes that are missing in the schema message, wherever, or at the start.

use arrow_buffer::Buffer;
use arrow_data::RecordBatch;
use arrow_ipc::{Limits, MessageKind, file::Footer};
use arrow_ipc_recover::Recovery;
use testing_support::Generator;

use super::harness::{file_of, read, recover, run, same};

/// The damage of the first bytes, and the end of the changed bytes.
fn damages(file: &[u8], schema_end: usize) -> Vec<(String, Vec<u8>, usize)> {
    let zeroed = [200, 512, 1_024, 4_096].map(|n_bytes| {
        let bytes = [&vec![0; n_bytes], &file[n_bytes..]].concat();
        (format!("{n_bytes} zeros"), bytes, n_bytes)
    });
    let removed = [1, 2, 3, 8].into_iter().flat_map(|n_bytes| {
        (8..=schema_end - n_bytes).map(move |start| {
            let bytes = [&file[..start], &file[start + n_bytes..]].concat();
            (format!("{n_bytes} bytes removed at {start}"), bytes, start + n_bytes)
        })
    });
    let cut = (1..=20).chain([64, schema_end]).map(|n_bytes| {
        let bytes = file[n_bytes..].to_vec();
        (format!("the first {n_bytes} bytes removed"), bytes, n_bytes)
    });
    zeroed.into_iter().chain(removed).chain(cut).collect()
}

/// All batches after the damage are found, and no others, and the damage is reported; also if the footer is cut off.
#[test]
fn what_follows_damaged_metadata_is_found() {
    for schema in ["id: int64\nname: utf8", "id: int64\nword: dictionary<int32, utf8>"] {
        let schema = schema.parse::<arrow_schema::Schema>().unwrap();
        let rows = Generator::new(3).batches(&schema, &[450]).remove(0);
        let all: Vec<RecordBatch> = (0..5).map(|nth| rows.slice(nth * 90, 90)).collect();
        let file = file_of(&all[..]);
        let sound = recover(&file).unwrap();
        let given = sound.schema.unwrap();
        let starts = |kind| {
            let same_kind = sound.messages.iter().filter(move |message| message.kind() == kind);
            same_kind.map(|message| message.position() as usize)
        };
        let starts_of_dictionaries: Vec<usize> = starts(MessageKind::DictionaryBatch).collect();
        let starts: Vec<usize> = starts(MessageKind::RecordBatch).collect();
        let schema_end = starts.iter().chain(&starts_of_dictionaries).copied().min().unwrap();
        assert!(file.len() > 4_096 && starts[4] > 4_096, "{starts:?}");
        let footer = Footer::read(&Buffer::copy_from(&file), &Limits::default()).unwrap().position();
        let cut_off = &file[..footer as usize];
        for (file, is_whole) in [(&file[..], true), (cut_off, false)] {
            for (what, damaged, end) in damages(file, schema_end) {
                let recovery = Recovery::new(damaged.len() as u64);
                let recovery = if is_whole { recovery } else { recovery.with_ipc_schema(given.clone()) };
                let what = format!("{what}, footer: {is_whole}, dictionaries: {starts_of_dictionaries:?}");
                let found = run(recovery, &damaged).unwrap_or_else(|error| panic!("{what}: {error}"));
                let is_known = starts_of_dictionaries.iter().all(|start| *start >= end);
                let complete = starts.iter().zip(&all).filter(|(start, _)| is_known && **start >= end);
                let complete: Vec<RecordBatch> = complete.map(|(_, batch)| batch.clone()).collect();
                assert!(same(&found.batches, &complete), "{what}: {:#?}", found.lost_text());
                // What is left without the magic and the footer is a sound stream.
                let is_stream = || read(&damaged).is_ok_and(|read| same(&read, &all));
                assert!(!found.lost.is_empty() || !is_whole && is_stream(), "{what}");
            }
        }
    }
}
