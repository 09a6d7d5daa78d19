//! Maps of damaged inputs count the complete batches, and not the missing bytes.

use std::fs;

use arrow_buffer::Buffer;
use arrow_ipc::{Container, WrittenContainer};
use arrow_ipc_report::{ByteMap, explain};
use arrow_ipc_tools::{
    Input, InspectReport, InspectSink as _, RecoverOptions, inspect::InspectItem, recover,
};
use serde_json::Value;
use testing_support::corpus_dir;

use super::{Picture, check, number, numbers, picture, written};
use crate::samples::{ids, stream};

/// The map of a cut stream shows the readable batches and the error.
#[test]
fn damage_is_shown_with_what_was_found() {
    let bytes = stream(&[ids([1, 2, 3]), ids([4])]);
    let picture = picture("cut", &bytes[..bytes.len() - 20]).unwrap();
    check("cut", &picture);
    assert_eq!(numbers(&picture.data["messages"]["n_rows"]), [0, 3, 1]);
    assert_eq!(picture.data["messages"]["note"][2], "truncated");
    let counts = ["n_batches", "n_rows", "n_truncated_batches", "n_unreadable_batches"];
    assert_eq!(counts.map(|count| number(&picture.data[count])), [1, 3, 1, 0]);
    assert_eq!(picture.damage.len(), 1);
    let shown = picture.data["damage"][0].as_str().unwrap();
    assert_eq!(picture.damage[0], format!("cut: {shown}"));
}

/// An input without messages has a map, too.
#[test]
fn inputs_without_messages_have_maps() {
    for (name, bytes) in [("no-bytes", b"".as_slice()), ("no-head", b"\0\0\0\x10 no head")] {
        let error = Input::try_from_buffer(name, bytes.to_vec().into()).unwrap_err();
        let mut report = ByteMap::new(error.input());
        assert!(
            report.item(InspectItem::Container(Container::Unknown, Some(bytes.len() as u64))).is_continue()
        );
        let inspected = InspectReport { damage: vec![error], n_damage: 1, ..InspectReport::default() };
        let data = written(report, &inspected);
        assert_eq!(
            format!("{name}: {}", data["damage"][0].as_str().unwrap()),
            inspected.damage[0].to_string()
        );
        assert_eq!((&data["container"], number(&data["n_bytes"])), (&Value::Null, bytes.len() as u64));
    }
}

/// An input is cut at every position. Map and explanation count the batches and rows that a recovery gets, and each
/// byte once.
#[test]
fn cut_inputs_have_the_batches_that_are_recovered() {
    let golden = |name: &str| fs::read(corpus_dir().join("golden/pyarrow-26.0.1").join(name)).unwrap();
    let inputs = [
        ("a stream", golden("rows-300.arrows")),
        ("a file", golden("rows-300.arrow")),
        ("a compressed file", golden("compressed-lz4.arrow")),
        ("dictionaries", golden("dictionary-nested.arrows")),
    ];
    for (name, bytes) in inputs {
        let mut n_truncated = 0;
        for n_bytes in (0..bytes.len()).rev().step_by(bytes.len() / 41) {
            let cut = Buffer::copy_from(&bytes[..n_bytes]);
            let options = RecoverOptions::new(WrittenContainer::Stream);
            let recovered = recover(Input::from_damaged(name, cut.clone()), Vec::new(), &options, &mut ());
            let Ok((_, recovered)) = recovered else { continue };
            let input = Input::try_from_buffer(name, cut).unwrap();
            let (explanation, _) = explain(input, None, &mut ()).unwrap();
            let explained_counts = [
                explanation.n_batches,
                explanation.n_rows,
                explanation.n_truncated_batches,
                explanation.n_unreadable_batches,
                explanation.n_missing_bytes,
                explanation.n_padding_bytes,
            ];
            assert_eq!(explained_counts[..2], [recovered.n_batches, recovered.n_rows], "{name}: {n_bytes}");
            n_truncated += explanation.n_truncated_batches;
            let Picture { data, .. } = picture(name, &bytes[..n_bytes]).unwrap();
            let counts = ["n_batches", "n_rows", "n_truncated_batches", "n_unreadable_batches"];
            let counts = counts.map(|count| number(&data[count]));
            let sum = |table: &str, column: &str| numbers(&data[table][column]).iter().sum::<u64>();
            let bytes = [sum("messages", "n_missing_bytes"), sum("buffers", "n_padding_bytes")];
            assert_eq!([&counts[..], &bytes].concat(), explained_counts, "{name}: {n_bytes}");
            let n_shown = sum("buffers", "n_bytes") + bytes[1];
            assert_eq!(n_shown, sum("messages", "n_body_bytes"), "{name}: {n_bytes}");
            assert_eq!(sum("fields", "n_bytes"), sum("buffers", "n_bytes"), "{name}: {n_bytes}");
            assert!(n_shown + sum("messages", "n_metadata_bytes") <= n_bytes as u64, "{name}: {n_bytes}");
            // Each row has one slot in a column.
            if let (true, Some(n_slots)) = (name == "a file", data["fields"]["n_slots"].get(0)) {
                assert_eq!(number(n_slots), counts[1], "{name}: {n_bytes}");
            }
        }
        assert!(n_truncated > 0, "{name}");
    }
}
