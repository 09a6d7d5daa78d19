//! We read what arrow-rs writes, and write it again. arrow-rs reads the result and compares it with its own equality.

use peers::content::Content;
use peers::format::Format;
use peers::golden_cases::all_cases;
use peers::theirs::Source;
use peers::{ours, theirs};
use rs_ipc::MetadataVersion;
use rs_ipc::writer::IpcWriteOptions;

#[test]
fn arrow_rs_gets_back_what_it_wrote() {
    let packed = IpcWriteOptions::try_new(8, false, MetadataVersion::V5).unwrap();
    let mut n_round_trips = 0;
    for case in all_cases() {
        // As the case says, which is mostly the default, and with buffers at multiples of 8.
        for options in [case.source.options.clone(), packed.clone()] {
            let source = Source { options, ..case.source.clone() };
            let formats = if case.dictionaries_change { &[Format::Stream][..] } else { &Format::ALL };
            for &from in formats {
                for &to in formats {
                    let location = format!("{}, {} to {}", case.name, from.name(), to.name());
                    check(&source, from, to, &location);
                    n_round_trips += 1;
                }
            }
        }
    }
    assert!(n_round_trips > 500, "{n_round_trips} round trips");
}

fn check(source: &Source, from: Format, to: Format, location: &str) {
    let written = theirs::write(source, from).unwrap_or_else(|error| panic!("{location}: {error}"));
    let (schema, batches) =
        ours::read(&written, from).unwrap_or_else(|error| panic!("{location}: we read: {error}"));
    Content::of_ours(&schema, &batches)
        .assert_is(&Content::of_theirs(&source.schema, &source.batches), &location);
    let rewritten =
        ours::write(&schema, &batches, to).unwrap_or_else(|error| panic!("{location}: we write: {error}"));
    let (schema, batches) =
        theirs::read(&rewritten, to).unwrap_or_else(|error| panic!("{location}: arrow-rs reads: {error}"));
    assert_eq!(schema, source.schema, "{location}");
    assert_eq!(batches.len(), source.batches.len(), "{location}");
    for (batch_idx, (found, expected)) in batches.iter().zip(&source.batches).enumerate() {
        assert!(found == expected, "{location}: batch {batch_idx}");
    }
}
